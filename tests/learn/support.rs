use std::ops::ControlFlow;

use stickslip::learn::{Findings, LearnResult, Request};

/// A request for `experiment` with `samples` generated samples and settings `KEY=VALUE`.
pub fn request(experiment: &str, samples: Option<usize>, seed: u64, settings: &[&str]) -> Request {
    let mut request = Request::new(experiment.parse().expect("the experiment exists"), seed);
    request.samples = samples;
    request.settings = settings.iter().map(|setting| (*setting).to_owned()).collect();
    request
}

/// Runs a request that has to succeed.
pub fn run(request: Request) -> (LearnResult, Findings) {
    let prepared = request.prepare().unwrap_or_else(|error| panic!("the request is refused: {error}"));
    prepared
        .run(&mut |_| ControlFlow::Continue(()))
        .unwrap_or_else(|error| panic!("learning failed: {error}"))
}

/// Learns with generated data.
pub fn learn(experiment: &str, samples: usize, seed: u64, settings: &[&str]) -> Findings {
    run(request(experiment, Some(samples), seed, settings)).1
}

/// A number among the measures.
pub fn measure(findings: &Findings, name: &str) -> f64 {
    findings.measures[name].as_f64().unwrap_or_else(|| panic!("measure {name} is no number"))
}

/// Largest difference between a learned parameter and the truth.
pub fn parameter_error(findings: &Findings) -> f64 {
    let errors = findings.parameters.iter().map(|(name, parameter)| {
        (parameter.learned - parameter.r#true.unwrap_or_else(|| panic!("no truth for {name}"))).abs()
    });
    errors.fold(0.0, f64::max)
}

use std::ops::ControlFlow;

use serde_json::Value;
use stickslip::learn::{
    DataFile, Findings, InputError, LearnResult, Parameter, Request,
    data::{BlockGenerator, Random, write_block_csv},
};

/// A request for `experiment` with `samples` generated samples and settings `KEY=VALUE`.
pub fn request(experiment: &str, samples: Option<usize>, seed: u64, settings: &[&str]) -> Request {
    let mut request = Request::new(experiment.parse().expect("the experiment exists"), seed);
    request.samples = samples;
    request.settings = settings.iter().map(|setting| (*setting).to_owned()).collect();
    request
}

/// A request for `experiment` with measurements.
pub fn request_with_data(experiment: &str, text: &str, settings: &[&str]) -> Request {
    let mut request = request(experiment, None, 0, settings);
    request.data = Some(DataFile { name: "measured.csv".to_owned(), text: text.to_owned() });
    request
}

/// Runs a request that has to succeed.
pub fn run(request: Request) -> (LearnResult, Findings) {
    let prepared = request.prepare().unwrap_or_else(|error| panic!("the request is refused: {error}"));
    prepared
        .run(&mut |_| ControlFlow::Continue(()))
        .unwrap_or_else(|error| panic!("learning failed: {error}"))
}

/// Why a request is refused.
pub fn refusal(request: Request) -> InputError {
    match request.prepare() {
        Ok(_) => panic!("the request is accepted"),
        Err(error) => error,
    }
}

/// Learns with generated data.
pub fn learn(experiment: &str, samples: usize, seed: u64, settings: &[&str]) -> Findings {
    run(request(experiment, Some(samples), seed, settings)).1
}

/// Learns with the experiment's default number of samples.
pub fn learn_default(experiment: &str, settings: &[&str]) -> Findings {
    run(request(experiment, None, 0, settings)).1
}

/// A number among the measures.
pub fn measure(findings: &Findings, name: &str) -> f64 {
    number(&findings.measures[name])
}

/// A JSON value that has to be a number.
pub fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// A learned parameter.
pub fn parameter<'a>(findings: &'a Findings, name: &str) -> &'a Parameter {
    findings.learned(name).unwrap_or_else(|| panic!("nothing is learned about {name}"))
}

/// Largest difference between a learned parameter and the truth.
pub fn parameter_error(findings: &Findings) -> f64 {
    let errors = findings.parameters.iter().map(|(name, parameter)| {
        (parameter.learned - parameter.r#true.unwrap_or_else(|| panic!("no truth for {name}"))).abs()
    });
    errors.fold(0.0, f64::max)
}

/// Start and end of every search that a list among the measures tells of.
pub fn starts_and_ends(findings: &Findings, list: &str) -> Vec<(f64, f64)> {
    let searches = findings.measures[list].as_array().unwrap_or_else(|| panic!("{list} is no list"));
    searches.iter().map(|search| (number(&search["start"]), number(&search["end"]))).collect()
}

/// Mean of some numbers.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Root mean square of some numbers.
pub fn root_mean_square(values: &[f64]) -> f64 {
    mean(&values.iter().map(|value| value * value).collect::<Vec<_>>()).sqrt()
}

/// Asserts that one of the notes says `words`.
#[track_caller]
pub fn assert_note(findings: &Findings, words: &str) {
    assert!(
        findings.notes.iter().any(|note| note.contains(words)),
        "no note says `{words}`: {:#?}",
        findings.notes
    );
}

/// Steps of a block whose measured forces are off by 1e-3, as CSV.
pub fn noisy_forces(samples: usize, seed: u64) -> String {
    let mut random = Random::seeded(seed);
    let mut samples = BlockGenerator::default().generate(samples, seed);
    for lambda in samples.iter_mut().filter_map(|sample| sample.lambda.as_mut()) {
        lambda.apply(|part| *part = (*part + random.normal(1e-3)).max(0.0));
    }
    let mut csv = Vec::new();
    write_block_csv(&samples, &mut csv).expect("memory takes it");
    String::from_utf8(csv).expect("CSV is text")
}

/// Nothing is said to be determined, and why is said.
pub fn assert_nothing_is_claimed(findings: &Findings, why: &str) {
    for (name, parameter) in &findings.parameters {
        assert!(!parameter.identifiable, "{name} is said to be determined");
        assert_eq!(parameter.interval, None, "{name}");
    }
    assert_note(findings, why);
}

//! Friction and restitution of a thrown point from one's own measurements, with what they cannot tell.
//!
//! `cargo run --release --example learn_from_data`

use std::{ops::ControlFlow, path::Path};

use stickslip::learn::{DataFile, Request};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = "examples/data/thrown-point.csv";
    let mut request = Request::new("particle".parse()?, 1);
    request.data = Some(DataFile { name: file.to_owned(), text: std::fs::read_to_string(file)? });
    request.settings = vec!["contacts=height".to_owned()];

    // Everything that can be wrong with the input is told here, before anything runs.
    let experiment = request.prepare()?;
    let mut progress = |_share: f64| ControlFlow::Continue(());
    let (result, findings) = experiment.run(&mut progress)?;
    println!("{} throws; {}: {:.4}", result.samples, result.error_measure, result.error);
    for (name, parameter) in &findings.parameters {
        let [low, high] = parameter.interval.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
        let level = 100.0 * parameter.level.unwrap_or(0.0);
        match &parameter.reason {
            None => println!("{name}: {:.4}, {level:.0} % between {low:.4} and {high:.4}", parameter.learned),
            Some(reason) => {
                println!("{name}: not determined, {level:.0} % between {low:.4} and {high:.4}: {reason}")
            }
        }
    }
    for note in &findings.notes {
        println!("{note}");
    }
    std::fs::create_dir_all("output/examples")?;
    for (name, figure) in experiment.figures(&findings, &mut progress)? {
        figure.write_svg(Path::new(&format!("output/examples/learn-{name}.svg")))?;
    }
    Ok(())
}

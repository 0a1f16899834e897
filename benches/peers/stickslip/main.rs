//! This crate's side of the comparison with other programs (`benches/peers/run`).
//!
//! ```text
//! peers serve                       measures on request: JSON lines in, JSON lines out
//! peers chart RESULTS.json FOLDER   draws the bar chart of a finished session
//! ```

mod chart;
mod clock;
mod convex;
mod cube;
mod lcp;
mod measurement;
mod nlp;
mod plan;
mod rows;
mod serve;

use std::{error::Error, path::Path, process::ExitCode};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome: Result<(), Box<dyn Error>> = match words[..] {
        ["serve"] => serve::serve(),
        ["chart", results, folder] => chart::draw(Path::new(results), Path::new(folder)),
        // `cargo bench` without more comes here: the session starts this program as it needs it.
        [] => {
            println!("compares with other programs; run benches/peers/run");
            Ok(())
        }
        _ => Err("usage: peers serve | peers chart RESULTS.json FOLDER".into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

//! The session's side door: one JSON request a line on standard input, one JSON reply a line on
//! standard output.

use std::{
    error::Error,
    io::{BufRead, Write},
};

use serde::Deserialize;
use serde_json::json;

use crate::rows::{Problem, ROWS, measure};

#[derive(Debug, Deserialize)]
struct Request {
    row: String,
    problem: Problem,
}

/// Says what can be measured, then measures until the input ends.
pub fn serve() -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout().lock();
    let rows: Vec<_> = ROWS.iter().map(|(item, row)| json!({ "item": item, "row": row })).collect();
    let versions = json!({ "stickslip": env!("CARGO_PKG_VERSION") });
    writeln!(out, "{}", json!({ "versions": versions, "rows": rows }))?;
    out.flush()?;
    for line in std::io::stdin().lock().lines() {
        let reply = match answer(&line?) {
            Ok(reply) => reply,
            Err(error) => json!({ "error": error.to_string() }).to_string(),
        };
        writeln!(out, "{reply}")?;
        out.flush()?;
    }
    Ok(())
}

fn answer(line: &str) -> Result<String, Box<dyn Error>> {
    let request: Request = serde_json::from_str(line)?;
    Ok(serde_json::to_string(&measure(&request.row, &request.problem)?)?)
}

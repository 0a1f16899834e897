//! Lemke's method on four-by-four contact problems.

use std::{error::Error, hint::black_box};

use serde::Deserialize;
use serde_json::json;
use stickslip::lcp::{Lcp, Lemke, Solution};

use crate::{clock::Samples, measurement::Measurement};

/// Passes over all problems in one measurement; each is a sample.
const SWEEPS: usize = 50;

/// Contact problems with one matrix.
#[derive(Debug, Deserialize)]
pub struct LcpProblem {
    m: [[f64; 4]; 4],
    q: Vec<[f64; 4]>,
}

/// Solves every problem, many times over.
pub fn measure(row: &str, problem: &LcpProblem) -> Result<Measurement, Box<dyn Error>> {
    if row != "lemke" {
        return Err(format!("there is no row `{row}`").into());
    }
    let mut lcp = Lcp::from_arrays(problem.m, [0.0; 4]);
    let mut solver = Lemke::default();
    let mut solution = Solution::empty(lcp.dim());
    let mut solutions = vec![[0.0; 4]; problem.q.len()];
    let mut unsolved = 0;
    let mut samples = Samples::default();
    for _ in 0..SWEEPS {
        samples.take(problem.q.len(), || {
            for (q, z) in problem.q.iter().zip(&mut solutions) {
                lcp.q = (*q).into();
                solver.solve_into(black_box(&lcp), &mut solution);
                unsolved += usize::from(!solution.is_solved());
                *z = solution.z.into();
            }
        });
    }
    if unsolved > 0 {
        return Err(format!("{unsolved} problems were not solved").into());
    }
    Ok(Measurement { samples, result: json!({ "z": solutions }) })
}

//! What can be measured: rows by name, each one solver on one item.

use std::error::Error;

use serde::Deserialize;

use crate::{
    convex::{self, ConvexProblem},
    cube::{self, CubeProblem},
    lcp::{self, LcpProblem},
    measurement::Measurement,
    nlp::{self, NlpProblem},
    plan::{self, PlanProblem},
};

/// A row: the item it belongs to, and which of this crate's solvers works on it.
pub type Row = (&'static str, &'static str);

/// Every row this build may measure; one whose solver is absent is refused when it is asked for.
pub const ROWS: [Row; 18] = [
    ("seed-contact", "ipopt"),
    ("seed-contact", "interior-point"),
    ("relaxed", "ipopt-cold"),
    ("relaxed", "ipopt-warm"),
    ("relaxed", "interior-point-cold"),
    ("relaxed", "interior-point-warm"),
    ("lcp", "lemke"),
    ("convex", "stepper"),
    ("convex", "closed-form"),
    ("convex", "newton"),
    ("cube", "convex"),
    ("cube", "lcp"),
    ("cube", "nlp"),
    ("cube", "cone"),
    ("plan-50", "ipopt"),
    ("plan-100", "ipopt"),
    ("plan-200", "ipopt"),
    ("plan-400", "ipopt"),
];

/// The work of one item, the same for every program that takes part.
#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Problem {
    /// A point over the ground by a nonlinear program per step.
    Nlp(NlpProblem),
    /// Four-by-four contact problems.
    Lcp(LcpProblem),
    /// A point on compliant ground.
    Convex(ConvexProblem),
    /// A cube on the ground.
    Cube(CubeProblem),
    /// All steps of a plan as one program.
    Plan(PlanProblem),
}

/// Does the work of one item once, and measures it.
pub fn measure(row: &str, problem: &Problem) -> Result<Measurement, Box<dyn Error>> {
    match problem {
        Problem::Nlp(problem) => nlp::measure(row, problem),
        Problem::Lcp(problem) => lcp::measure(row, problem),
        Problem::Convex(problem) => convex::measure(row, problem),
        Problem::Cube(problem) => cube::measure(row, problem),
        Problem::Plan(problem) => plan::measure(row, problem),
    }
}

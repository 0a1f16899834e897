//! Solvers on the collection, through the interface that they share. A solve counts by what comes
//! out, not by what the solver says of it: the residuals of the optimality conditions are
//! recomputed here from the point and its multipliers.

use crate::collection::{Problem, Visitor, visit_all};
use nalgebra::SVector;
use std::fmt;
use stickslip_solve::nlp::{
    InteriorPoint, InteriorPointOptions, Ipopt, IpoptOptions, NlpSolution, NlpSolver, Residuals, Start,
};

/// Agreement of two objective values, relative to the larger of one and the published value.
const VALUE_TOLERANCE: f64 = 1e-5;

/// Largest recomputed residual of a point that is called solved.
const RESIDUAL_TOLERANCE: f64 = 1e-6;

/// Which solver.
#[derive(Clone, Copy)]
enum Solver {
    Ipopt,
    InteriorPoint,
}

impl Solver {
    fn solve<const N: usize, const M: usize, P: Problem<N, M>>(
        self,
        problem: &P,
        x: SVector<f64, N>,
    ) -> NlpSolution<N, M> {
        let start = Start::cold(x);
        match self {
            Self::Ipopt => Ipopt::new(problem, &IpoptOptions::default())
                .expect("the default options are valid")
                .solve(problem, &start),
            Self::InteriorPoint => {
                InteriorPoint::new(problem, InteriorPointOptions::default()).solve(problem, &start)
            }
        }
    }
}

/// What came of one problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// The published optimum.
    Published,
    /// Another local minimum that is documented for the problem.
    OtherMinimum,
    /// The solver said that it had not solved the problem.
    Unsolved,
    /// The solver said that it had, and it had not.
    WronglySolved,
}

struct Record {
    number: u32,
    outcome: Outcome,
    iterations: u32,
    details: String,
}

struct Run {
    solver: Solver,
    records: Vec<Record>,
}

impl Visitor for Run {
    fn visit<const N: usize, const M: usize, P: Problem<N, M>>(&mut self, problem: &P) {
        let solution = self.solver.solve(problem, problem.start());
        let residuals = Residuals::new(problem, &solution.x, &solution.multipliers);
        let agrees =
            |value: f64| (solution.objective - value).abs() <= VALUE_TOLERANCE * P::VALUE.abs().max(1.0);
        let outcome = if !solution.status.is_success() {
            Outcome::Unsolved
        } else if residuals.max().is_nan() || residuals.max() > RESIDUAL_TOLERANCE {
            Outcome::WronglySolved
        } else if agrees(P::VALUE) {
            Outcome::Published
        } else if problem.local_values().iter().any(|value| agrees(*value)) {
            Outcome::OtherMinimum
        } else {
            Outcome::WronglySolved
        };
        let details = format!(
            "{} after {} iterations, f = {}, published {}, residual {:.1e}",
            solution.status,
            solution.iterations,
            solution.objective,
            P::VALUE,
            residuals.max()
        );
        self.records.push(Record { number: P::NUMBER, outcome, iterations: solution.iterations, details });
    }
}

impl Run {
    fn new(solver: Solver) -> Self {
        let mut run = Self { solver, records: Vec::new() };
        visit_all(&mut run);
        run
    }

    fn numbers(&self, outcome: Outcome) -> Vec<u32> {
        self.records.iter().filter(|record| record.outcome == outcome).map(|record| record.number).collect()
    }
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for record in self.records.iter().filter(|record| record.outcome != Outcome::Published) {
            writeln!(f, "problem {}: {:?}: {}", record.number, record.outcome, record.details)?;
        }
        Ok(())
    }
}

#[test]
fn ipopt_finds_the_published_optima() {
    let run = Run::new(Solver::Ipopt);
    assert!(run.numbers(Outcome::WronglySolved).is_empty(), "{run}");
    // The objective of problem 99 is of the order 1e9; its complementarity cannot be brought below
    // the tolerance of a program that is not scaled.
    assert_eq!(run.numbers(Outcome::Unsolved), [99], "{run}");
    assert!(run.numbers(Outcome::Published).len() >= 100, "{run}");
}

#[test]
fn the_interior_point_method_finds_the_published_optima() {
    let run = Run::new(Solver::InteriorPoint);
    assert!(run.numbers(Outcome::WronglySolved).is_empty(), "{run}");
    assert!(run.numbers(Outcome::Unsolved).is_empty(), "{run}");
    assert!(100 * run.numbers(Outcome::Published).len() >= 95 * run.records.len(), "{run}");
    // a slow loss of quality would show here first
    let iterations: u32 = run.records.iter().map(|record| record.iterations).sum();
    assert!(iterations <= 1600, "{iterations} iterations in all");
}

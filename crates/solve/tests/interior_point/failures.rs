//! What has no solution is said to have none, in the right words.

use nalgebra::{SVector, vector};
use num_dual::DualNum;
use stickslip_solve::nlp::{
    Bounds, InteriorPoint, InteriorPointOptions, Nlp, NlpSolution, NlpSolver, SolveStatus, Start,
};

/// `min f(x)` over two variables within bounds, subject to `g(x)` within bounds.
#[derive(Clone, Copy)]
struct Program {
    kind: Kind,
    x: Bounds<2>,
    g: Bounds<2>,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// `|x|^2`, with `x0 + x1` and `x0 - x1`.
    Bowl,
    /// `x0`, with nothing in the constraints that holds it.
    Slope,
    /// `ln x0`, which is no number left of zero.
    Logarithm,
    /// `|x|^2` with `x0 + x1` twice.
    Parallel,
}

impl Nlp<2, 2> for Program {
    fn objective<T: DualNum<Primitive = f64> + Copy>(&self, x: &SVector<T, 2>) -> T {
        match self.kind {
            Kind::Bowl | Kind::Parallel => x[0].powi(2) + x[1].powi(2),
            Kind::Slope => x[0],
            Kind::Logarithm => x[0].ln() + x[1].powi(2),
        }
    }

    fn constraints<T: DualNum<Primitive = f64> + Copy>(&self, x: &SVector<T, 2>) -> SVector<T, 2> {
        match self.kind {
            Kind::Parallel => SVector::from([x[0] + x[1], x[0] + x[1]]),
            Kind::Slope => SVector::from([x[1], x[1] * 2.0]),
            _ => SVector::from([x[0] + x[1], x[0] - x[1]]),
        }
    }

    fn variable_bounds(&self) -> Bounds<2> {
        self.x
    }

    fn constraint_bounds(&self) -> Bounds<2> {
        self.g
    }
}

impl Program {
    fn new(kind: Kind) -> Self {
        Self { kind, x: Bounds::free(), g: Bounds::free() }
    }

    fn solve(&self, start: SVector<f64, 2>, options: InteriorPointOptions) -> NlpSolution<2, 2> {
        InteriorPoint::new(self, options).solve(self, &Start::cold(start))
    }

    fn status(&self, start: SVector<f64, 2>) -> SolveStatus {
        self.solve(start, InteriorPointOptions::default()).status
    }
}

#[test]
fn the_programs_can_be_solved_where_they_have_a_solution() {
    let mut program = Program::new(Kind::Bowl);
    assert_eq!(program.status(vector![3.0, -1.0]), SolveStatus::Solved, "constraints without bounds");
    program.g = Bounds::new([1.0, 0.0], [1.0, 0.0]);
    let solution = program.solve(vector![3.0, -1.0], InteriorPointOptions::default());
    assert_eq!(solution.status, SolveStatus::Solved);
    assert!((solution.x - vector![0.5, 0.5]).norm() < 1e-8);
    program.x = Bounds::new([2.0, -1.0], [2.0, 1.0]);
    program.g = Bounds::free();
    let fixed = program.solve(vector![0.0, 0.7], InteriorPointOptions::default());
    assert_eq!(fixed.status, SolveStatus::Solved, "a variable that its bounds fix");
    assert!((fixed.x - vector![2.0, 0.0]).norm() < 1e-7);
}

#[test]
fn redundant_equations_are_no_obstacle() {
    let mut program = Program::new(Kind::Parallel);
    program.g = Bounds::new([1.0, 1.0], [1.0, 1.0]);
    let solution = program.solve(vector![3.0, -1.0], InteriorPointOptions::default());
    assert_eq!(solution.status, SolveStatus::Solved);
    assert!((solution.x - vector![0.5, 0.5]).norm() < 1e-6);
}

#[test]
fn contradicting_constraints_are_infeasible() {
    let mut program = Program::new(Kind::Parallel);
    program.g = Bounds::new([1.0, 3.0], [1.0, 3.0]);
    assert_eq!(program.status(vector![0.0, 0.0]), SolveStatus::Infeasible);
    program.g = Bounds::new([f64::NEG_INFINITY, 3.0], [1.0, f64::INFINITY]);
    assert_eq!(program.status(vector![0.0, 0.0]), SolveStatus::Infeasible);
}

#[test]
fn an_unbounded_program_diverges() {
    assert_eq!(Program::new(Kind::Slope).status(vector![1.0, 1.0]), SolveStatus::Diverging);
}

#[test]
fn a_start_outside_the_domain_is_an_evaluation_error() {
    let program = Program::new(Kind::Logarithm);
    assert_eq!(program.status(vector![-1.0, 0.0]), SolveStatus::EvaluationError);
    assert_eq!(program.status(vector![f64::NAN, 0.0]), SolveStatus::EvaluationError);
    assert_eq!(program.status(vector![f64::INFINITY, 0.0]), SolveStatus::EvaluationError);
}

#[test]
fn crossed_or_meaningless_bounds_are_refused() {
    let mut program = Program::new(Kind::Bowl);
    program.x = Bounds::new([1.0, 0.0], [0.0, 1.0]);
    assert_eq!(program.status(vector![0.0, 0.0]), SolveStatus::InvalidProblem);
    program.x = Bounds::new([f64::NAN, 0.0], [1.0, 1.0]);
    assert_eq!(program.status(vector![0.0, 0.0]), SolveStatus::InvalidProblem);
    program.x = Bounds::free();
    program.g = Bounds::new([f64::INFINITY, 0.0], [f64::INFINITY, 1.0]);
    assert_eq!(program.status(vector![0.0, 0.0]), SolveStatus::InvalidProblem);
}

#[test]
fn the_iteration_limit_is_kept() {
    let mut program = Program::new(Kind::Bowl);
    program.x = Bounds::non_negative();
    let solution =
        program.solve(vector![3.0, 1.0], InteriorPointOptions { max_iterations: 2, ..Default::default() });
    assert_eq!((solution.status, solution.iterations), (SolveStatus::IterationLimit, 2));
    assert!(solution.residuals.max() > 1e-8);
}

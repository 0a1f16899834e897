//! Every way to fail has its status, and none goes unnoticed.

use std::panic::{AssertUnwindSafe, catch_unwind};

use nalgebra::{SVector, vector};
use num_dual::DualNum;
use stickslip_solve::nlp::{Bounds, Ipopt, IpoptOptions, Nlp, NlpSolver, SolveStatus, Start};

use crate::{
    programs::{Functions, HockSchittkowski71, Linear, Scalar},
    solutions::solve,
};

struct Square;

impl Functions for Square {
    fn evaluate<T: DualNum<Primitive = f64> + Copy>(&self, x: T) -> (T, T) {
        (x, x * x)
    }
}

#[test]
fn no_feasible_point() {
    let mut program = Scalar::new(Square);
    program.constraint.upper[0] = -1.0;
    let solution = solve(&program, vector![3.0]);
    assert_eq!(solution.status, SolveStatus::Infeasible);
    assert!(solution.residuals.feasibility >= 1.0, "{:?}", solution.residuals);
}

struct Line;

impl Functions for Line {
    fn evaluate<T: DualNum<Primitive = f64> + Copy>(&self, x: T) -> (T, T) {
        (x, x)
    }
}

#[test]
fn unbounded_below() {
    assert_eq!(solve(&Scalar::new(Line), vector![3.0]).status, SolveStatus::Diverging);
}

/// IPOPT finds "optimal" a point at -2e18, where a multiplier of 2e-19 that belongs to no bound
/// balances the slope of the objective, because the constraint is as steep as the point is far.
#[test]
fn a_multiplier_without_a_bound_does_not_make_a_point_stationary() {
    let solution = solve(&Scalar::new(Square), vector![3.0]);
    assert_eq!(solution.status, SolveStatus::ResidualTooLarge);
    assert_eq!(solution.residuals.stationarity, 1.0);
}

#[test]
fn iteration_limit() {
    let options = IpoptOptions { max_iterations: 3, ..IpoptOptions::default() };
    let mut solver = Ipopt::new(&HockSchittkowski71, &options).expect("the options are valid");
    let solution = solver.solve(&HockSchittkowski71, &Start::cold(HockSchittkowski71::START.into()));
    assert_eq!((solution.status, solution.iterations), (SolveStatus::IterationLimit, 3));
}

struct Logarithm;

impl Functions for Logarithm {
    fn evaluate<T: DualNum<Primitive = f64> + Copy>(&self, x: T) -> (T, T) {
        (x * x, x.ln())
    }
}

struct Root;

impl Functions for Root {
    fn evaluate<T: DualNum<Primitive = f64> + Copy>(&self, x: T) -> (T, T) {
        ((x - 1.0).powi(2).sqrt(), x)
    }
}

#[test]
fn not_a_number_at_the_start() {
    let solution = solve(&Scalar::new(Logarithm), vector![-1.0]);
    assert_eq!(solution.status, SolveStatus::EvaluationError);
    assert!(!solution.status.is_success() && solution.residuals.max() == f64::INFINITY);
    assert_eq!(solve(&Scalar::new(Square), vector![f64::NAN]).status, SolveStatus::EvaluationError);
}

#[test]
fn not_a_number_in_a_derivative_only() {
    assert_eq!(solve(&Scalar::new(Root), vector![1.0]).status, SolveStatus::EvaluationError);
}

/// Three equations for two variables.
struct Overdetermined;

impl Nlp<2, 3> for Overdetermined {
    fn objective<T: DualNum<Primitive = f64> + Copy>(&self, x: &SVector<T, 2>) -> T {
        x[0]
    }

    fn constraints<T: DualNum<Primitive = f64> + Copy>(&self, x: &SVector<T, 2>) -> SVector<T, 3> {
        vector![x[0], x[1], x[0] + x[1]]
    }

    fn variable_bounds(&self) -> Bounds<2> {
        Bounds::free()
    }

    fn constraint_bounds(&self) -> Bounds<3> {
        Bounds::new([1.0; 3], [1.0; 3])
    }
}

#[test]
fn too_few_degrees_of_freedom() {
    assert_eq!(solve(&Overdetermined, vector![0.0, 0.0]).status, SolveStatus::TooFewDegreesOfFreedom);
}

#[test]
fn bounds_that_leave_no_room() {
    for (lower, upper) in [(2.0, 1.0), (f64::NAN, 1.0), (0.0, f64::NAN), (f64::INFINITY, f64::INFINITY)] {
        let mut crossed = Linear::BOUNDED;
        (crossed.bounds.lower[0], crossed.bounds.upper[0]) = (lower, upper);
        assert_eq!(solve(&crossed, vector![1.0, 1.0, 1.0]).status, SolveStatus::InvalidProblem);
        let mut crossed = Scalar::new(Square);
        (crossed.constraint.lower[0], crossed.constraint.upper[0]) = (lower, upper);
        assert_eq!(solve(&crossed, vector![1.0]).status, SolveStatus::InvalidProblem);
    }
}

#[test]
fn a_success_that_the_residuals_do_not_bear_out_is_downgraded() {
    let mut options = IpoptOptions { tolerance: 1e-2, ..IpoptOptions::default() };
    options.set("constr_viol_tol", 1.0).set("compl_inf_tol", 1.0);
    let mut solver = Ipopt::new(&HockSchittkowski71, &options).expect("the options are valid");
    let start = Start::cold(HockSchittkowski71::START.into());
    let sloppy = solver.solve(&HockSchittkowski71, &start);
    assert_eq!(sloppy.status, SolveStatus::ResidualTooLarge);
    assert!(sloppy.residuals.max() > 1e-6, "{:?}", sloppy.residuals);

    options.residual_tolerance = 1.0;
    let mut solver = Ipopt::new(&HockSchittkowski71, &options).expect("the options are valid");
    assert_eq!(solver.solve(&HockSchittkowski71, &start).status, SolveStatus::Solved);
}

/// Panics where its variable passes the threshold.
struct Panicking {
    threshold: f64,
    only_in_second_derivatives: bool,
}

impl Functions for Panicking {
    fn evaluate<T: DualNum<Primitive = f64> + Copy>(&self, x: T) -> (T, T) {
        let is_watched = !self.only_in_second_derivatives || T::NDERIV == 2;
        assert!(!is_watched || x.re() < self.threshold, "passed the threshold {}", self.threshold);
        ((x - 3.0).powi(4), x)
    }
}

#[test]
fn a_panic_of_the_program_passes_through_the_solver_and_leaves_it_usable() {
    for only_in_second_derivatives in [false, true] {
        let calm = Scalar::new(Panicking { threshold: f64::INFINITY, only_in_second_derivatives });
        let panicking = Scalar::new(Panicking { threshold: 1.5, only_in_second_derivatives });
        let mut solver = Ipopt::new(&calm, &IpoptOptions::default()).expect("the default options are valid");
        for _ in 0..2 {
            let start = Start::cold(vector![-2.0]);
            let panic = catch_unwind(AssertUnwindSafe(|| solver.solve(&panicking, &start)));
            let message = panic.expect_err("the program panics on its way from -2 to 3");
            assert_eq!(
                message.downcast_ref::<String>().map(String::as_str),
                Some("passed the threshold 1.5")
            );
            assert_eq!(solver.solve(&calm, &start).status, SolveStatus::Solved);
        }
    }
}

#[test]
fn a_failed_solve_leaves_the_solver_usable() {
    let mut program = Scalar::new(Square);
    program.constraint.upper[0] = 4.0;
    let mut solver = Ipopt::new(&program, &IpoptOptions::default()).expect("the default options are valid");
    let start = Start::cold(vector![1.0]);
    for _ in 0..3 {
        program.constraint = Bounds::new([f64::NEG_INFINITY], [-1.0]);
        assert_eq!(solver.solve(&program, &start).status, SolveStatus::Infeasible);
        program.constraint = Bounds::new([3.0], [1.0]);
        assert_eq!(solver.solve(&program, &start).status, SolveStatus::InvalidProblem);
        program.constraint = Bounds::new([f64::NEG_INFINITY], [4.0]);
        let solution = solver.solve(&program, &start);
        assert_eq!(solution.status, SolveStatus::Solved);
        assert!((solution.x[0] + 2.0).abs() < 1e-7, "{}", solution.x);
    }
}

use std::panic::{AssertUnwindSafe, catch_unwind};

use stickslip_solve::nlp::{
    IpoptOptions, SolveStatus, SparseIpopt,
    sparse::{SparseBounds, SparseNlp},
};

/// A chain of points that is to come close to a wave without rising by more than a slope:
/// `min sum (x_i - wave_i)^2`, `|x_{i+1} - x_i| <= slope`.
struct Chain {
    count: usize,
    slope: f64,
    fault: Fault,
}

#[derive(PartialEq)]
enum Fault {
    None,
    NotANumber,
    Panic,
    TooFewBounds,
    EntryOutside,
}

impl Chain {
    fn new(count: usize, slope: f64) -> Self {
        Self { count, slope, fault: Fault::None }
    }

    fn wave(&self, index: usize) -> f64 {
        (0.3 * index as f64).sin()
    }
}

impl SparseNlp for Chain {
    fn variables(&self) -> usize {
        self.count
    }

    fn constraints(&self) -> usize {
        self.count - 1
    }

    fn variable_bounds(&self) -> SparseBounds {
        let bounds = if self.fault == Fault::TooFewBounds { self.count - 1 } else { self.count };
        SparseBounds { lower: vec![-10.0; bounds], upper: vec![f64::INFINITY; bounds] }
    }

    fn constraint_bounds(&self) -> SparseBounds {
        SparseBounds { lower: vec![-self.slope; self.count - 1], upper: vec![self.slope; self.count - 1] }
    }

    fn objective(&self, x: &[f64]) -> f64 {
        match self.fault {
            Fault::None | Fault::TooFewBounds | Fault::EntryOutside => {
                x.iter().enumerate().map(|(index, x)| (x - self.wave(index)).powi(2)).sum()
            }
            Fault::NotANumber => f64::NAN,
            Fault::Panic => panic!("the program gives up"),
        }
    }

    fn gradient(&self, x: &[f64], gradient: &mut [f64]) {
        for (index, entry) in gradient.iter_mut().enumerate() {
            *entry = 2.0 * (x[index] - self.wave(index));
        }
    }

    fn constraint_values(&self, x: &[f64], values: &mut [f64]) {
        for (value, pair) in values.iter_mut().zip(x.windows(2)) {
            *value = pair[1] - pair[0];
        }
    }

    fn jacobian_entries(&self) -> Vec<(usize, usize)> {
        (0..self.count - 1).flat_map(|row| [(row, row), (row, row + 1)]).collect()
    }

    fn jacobian_values(&self, _: &[f64], values: &mut [f64]) {
        for pair in values.chunks_exact_mut(2) {
            pair.copy_from_slice(&[-1.0, 1.0]);
        }
    }

    fn hessian_entries(&self) -> Vec<(usize, usize)> {
        let shift = usize::from(self.fault == Fault::EntryOutside);
        (0..self.count).map(|index| (index + shift, index)).collect()
    }

    fn hessian_values(&self, _: &[f64], sigma: f64, _: &[f64], values: &mut [f64]) {
        values.fill(2.0 * sigma);
    }
}

fn solver(chain: &Chain) -> SparseIpopt<Chain> {
    SparseIpopt::new(chain, &IpoptOptions::default()).expect("good options")
}

#[test]
fn programs_on_both_sides_of_the_dense_limit_are_solved_with_small_residuals() {
    // 3 n - 2 rows in the KKT matrix, of which the dense factorisation takes up to 150.
    for count in [2, 50, 51, 1000] {
        let chain = Chain::new(count, 0.1);
        let solution = solver(&chain).solve(&chain, &vec![0.0; count], None);
        assert_eq!(solution.status, SolveStatus::Solved, "{count} points");
        assert!(solution.residuals.max() < 1e-7, "{count} points: {:?}", solution.residuals);
        let steepest = solution.x.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f64::max);
        assert!((steepest - 0.1).abs() < 1e-6, "{count} points: the wave is steeper, so the slope is used");
    }
}

#[test]
fn a_warm_start_from_a_nearby_program_takes_fewer_iterations() {
    let mut solver = solver(&Chain::new(200, 0.1));
    let cold = solver.solve(&Chain::new(200, 0.1), &[0.0; 200], None);
    let warm = solver.solve(&Chain::new(200, 0.1001), &cold.x, Some(&cold.multipliers));
    assert!(
        warm.status.is_success() && warm.iterations < cold.iterations,
        "{} after {}",
        warm.iterations,
        cold.iterations
    );
}

#[test]
fn what_does_not_fit_the_first_program_is_invalid() {
    let mut solver = solver(&Chain::new(20, 0.1));
    for (chain, start) in [(Chain::new(20, 0.1), 19), (Chain::new(19, 0.1), 19), (Chain::new(20, -0.1), 20)] {
        let solution = solver.solve(&chain, &vec![0.0; start], None);
        assert_eq!(solution.status, SolveStatus::InvalidProblem);
    }
}

#[test]
fn bounds_and_entries_that_do_not_fit_the_program_make_it_invalid() {
    for fault in [Fault::TooFewBounds, Fault::EntryOutside] {
        let chain = Chain { fault, ..Chain::new(60, 0.1) };
        let solution = solver(&chain).solve(&chain, &[0.0; 60], None);
        assert_eq!(solution.status, SolveStatus::InvalidProblem);
        assert!(!solution.residuals.max().is_nan());
    }
}

#[test]
fn values_that_are_not_finite_are_told_and_the_solver_lives_on() {
    let mut solver = solver(&Chain::new(100, 0.1));
    let start = solver.solve(&Chain::new(100, 0.1), &[f64::NAN; 100], None);
    assert_eq!(start.status, SolveStatus::EvaluationError);
    let faulty = Chain { fault: Fault::NotANumber, ..Chain::new(100, 0.1) };
    assert!(!solver.solve(&faulty, &[0.0; 100], None).status.is_success());
    assert!(solver.solve(&Chain::new(100, 0.1), &[0.0; 100], None).status.is_success());
}

#[test]
fn a_panic_of_the_program_passes_through_ipopt_in_good_order() {
    let mut solver = solver(&Chain::new(100, 0.1));
    let faulty = Chain { fault: Fault::Panic, ..Chain::new(100, 0.1) };
    let panic = catch_unwind(AssertUnwindSafe(|| solver.solve(&faulty, &[0.0; 100], None)));
    assert!(panic.is_err());
    assert!(solver.solve(&Chain::new(100, 0.1), &[0.0; 100], None).status.is_success());
}

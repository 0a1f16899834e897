//! The collection proves itself, without any solver: the published point is feasible and has the
//! published value, to the digits that are printed.

use crate::collection::{Problem, Visitor, visit_all};
use nalgebra::{SMatrix, SVector};
use num_dual::DualSVec64;
use std::collections::BTreeSet;

/// Relative uncertainty of a published point: the fewest significant digits any of them is printed with.
const PRINTED: f64 = 1e-7;

/// Gradient of the objective and Jacobian of the constraints, by dual numbers.
fn derivatives<const N: usize, const M: usize, P: Problem<N, M>>(
    problem: &P,
    x: &SVector<f64, N>,
) -> (SVector<f64, N>, SMatrix<f64, M, N>) {
    let seeded = SVector::from_fn(|j, _| {
        DualSVec64::<N>::new(x[j], num_dual::Derivative::derivative_generic(nalgebra::Const, nalgebra::U1, j))
    });
    let row = |dual: &DualSVec64<N>| dual.eps.unwrap_generic(nalgebra::Const, nalgebra::U1);
    let objective = row(&problem.objective(&seeded));
    let constraints = problem.constraints(&seeded);
    (objective, SMatrix::from_fn(|i, j| row(&constraints[i])[j]))
}

/// What the last printed digits of `x` can change in a function of gradient `row`.
fn uncertainty<const N: usize>(row: &SVector<f64, N>, x: &SVector<f64, N>) -> f64 {
    (0..N).map(|j| row[j].abs() * x[j].abs().max(1e-3)).sum::<f64>() * PRINTED
}

struct Data {
    complaints: Vec<String>,
    numbers: BTreeSet<u32>,
}

impl Visitor for Data {
    fn visit<const N: usize, const M: usize, P: Problem<N, M>>(&mut self, problem: &P) {
        assert!(self.numbers.insert(P::NUMBER), "problem {} is listed twice", P::NUMBER);
        let mut complain = |text: String| self.complaints.push(format!("problem {}: {text}", P::NUMBER));
        let x = problem.solution();
        let (gradient, jacobian) = derivatives(problem, &x);

        let value = problem.objective(&x);
        let error = (value - P::VALUE).abs();
        let allowed = uncertainty(&gradient, &x) + 1e-9 * P::VALUE.abs().max(1.0);
        if error.is_nan() || error > allowed {
            complain(format!("f(x*) = {value}, published {}", P::VALUE));
        }

        let bounds = problem.variable_bounds();
        for j in 0..N {
            if !(bounds.lower[j] <= x[j] && x[j] <= bounds.upper[j]) {
                complain(format!("x*[{j}] = {} outside its bounds", x[j]));
            }
        }

        let g = problem.constraints(&x);
        let bounds = problem.constraint_bounds();
        for i in 0..M {
            let violation = (bounds.lower[i] - g[i]).max(g[i] - bounds.upper[i]);
            let allowed = uncertainty(&jacobian.row(i).transpose(), &x) + 1e-12;
            if violation.is_nan() || violation > allowed {
                complain(format!("constraint {i} is violated by {violation:e}"));
            }
        }

        let start = problem.start();
        if !start.iter().all(|entry| entry.is_finite()) || !problem.objective(&start).is_finite() {
            complain("the objective is not finite at the start".to_string());
        }
    }
}

#[test]
fn published_optima_are_feasible_and_have_the_published_values() {
    let mut data = Data { complaints: Vec::new(), numbers: BTreeSet::new() };
    visit_all(&mut data);
    assert!(data.complaints.is_empty(), "{:#?}", data.complaints);
    assert!(data.numbers.len() >= 100 && data.numbers.contains(&71), "only {} problems", data.numbers.len());
}

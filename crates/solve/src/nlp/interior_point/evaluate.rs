use nalgebra::SVector;
use num_dual::Dual64;

use crate::nlp::{Nlp, Sparsity, derivatives};

/// Values and derivatives of a program, without its type: the algorithm is compiled once for every
/// size of program, not once for every program.
pub(super) trait Evaluate<const N: usize, const M: usize> {
    /// Objective and constraints.
    fn values(&self, x: &SVector<f64, N>) -> (f64, SVector<f64, M>);

    /// Gradient of the objective.
    fn gradient(&self, x: &SVector<f64, N>, gradient: &mut SVector<f64, N>);

    /// Entries of the constraint Jacobian, in the order of the sparsity.
    fn jacobian(&self, x: &SVector<f64, N>, values: &mut [f64]);

    /// Entries of the Hessian of `sigma f + y^T g`, in the order of the sparsity.
    fn hessian(&self, x: &SVector<f64, N>, sigma: f64, y: &SVector<f64, M>, values: &mut [f64]);
}

/// A program with what is known of its structure.
pub(super) struct Differentiated<'a, const N: usize, const M: usize, P> {
    pub problem: &'a P,
    pub sparsity: &'a Sparsity<N, M>,
    /// Variables that enter the objective.
    pub objective_variables: &'a [usize],
}

impl<const N: usize, const M: usize, P: Nlp<N, M>> Evaluate<N, M> for Differentiated<'_, N, M, P> {
    fn values(&self, x: &SVector<f64, N>) -> (f64, SVector<f64, M>) {
        (self.problem.objective(x), self.problem.constraints(x))
    }

    fn gradient(&self, x: &SVector<f64, N>, gradient: &mut SVector<f64, N>) {
        gradient.fill(0.0);
        let mut dual = x.map(Dual64::from_re);
        for &variable in self.objective_variables {
            dual[variable].eps = 1.0;
            gradient[variable] = self.problem.objective(&dual).eps;
            dual[variable].eps = 0.0;
        }
    }

    fn jacobian(&self, x: &SVector<f64, N>, values: &mut [f64]) {
        derivatives::jacobian_values(self.problem, x, self.sparsity, values);
    }

    fn hessian(&self, x: &SVector<f64, N>, sigma: f64, y: &SVector<f64, M>, values: &mut [f64]) {
        derivatives::hessian_values(self.problem, x, sigma, y, self.sparsity, values);
    }
}

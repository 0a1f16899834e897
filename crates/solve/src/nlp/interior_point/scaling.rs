use nalgebra::SVector;

use super::evaluate::Evaluate;

/// Largest gradient that is left as it is, and smallest factor that is used (IPOPT's
/// `nlp_scaling_max_gradient` and `nlp_scaling_min_value`).
const MAX_GRADIENT: f64 = 100.0;
const MIN_FACTOR: f64 = 1e-8;

/// Factors of objective and constraints that bring all gradients at the start to at most 100
/// (Waechter and Biegler, section 3.8).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scaling<const M: usize> {
    pub objective: f64,
    pub constraints: SVector<f64, M>,
}

impl<const M: usize> Scaling<M> {
    /// The factors that belong to the gradients at the start.
    pub fn new<const N: usize>(
        gradient: &SVector<f64, N>,
        jacobian: &[f64],
        entries: &[(usize, usize)],
    ) -> Self {
        let mut largest = SVector::<f64, M>::zeros();
        for (&(row, _), value) in entries.iter().zip(jacobian) {
            largest[row] = largest[row].max(value.abs());
        }
        Self { objective: factor(gradient.amax()), constraints: largest.map(factor) }
    }
}

fn factor(largest: f64) -> f64 {
    if largest > MAX_GRADIENT { (MAX_GRADIENT / largest).max(MIN_FACTOR) } else { 1.0 }
}

/// A program with scaled objective and constraints.
pub(super) struct Scaled<'a, const N: usize, const M: usize> {
    pub program: &'a dyn Evaluate<N, M>,
    pub scaling: Scaling<M>,
    /// Row and column of every Jacobian entry.
    pub entries: &'a [(usize, usize)],
}

impl<const N: usize, const M: usize> Scaled<'_, N, M> {
    pub fn values(&self, x: &SVector<f64, N>) -> (f64, SVector<f64, M>) {
        let (objective, constraints) = self.program.values(x);
        (objective * self.scaling.objective, constraints.component_mul(&self.scaling.constraints))
    }

    pub fn gradient(&self, x: &SVector<f64, N>, gradient: &mut SVector<f64, N>) {
        self.program.gradient(x, gradient);
        *gradient *= self.scaling.objective;
    }

    pub fn jacobian(&self, x: &SVector<f64, N>, values: &mut [f64]) {
        self.program.jacobian(x, values);
        for (value, &(row, _)) in values.iter_mut().zip(self.entries) {
            *value *= self.scaling.constraints[row];
        }
    }

    pub fn hessian(&self, x: &SVector<f64, N>, sigma: f64, y: &SVector<f64, M>, values: &mut [f64]) {
        let y = y.component_mul(&self.scaling.constraints);
        self.program.hessian(x, sigma * self.scaling.objective, &y, values);
    }
}

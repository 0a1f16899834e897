//! What a run of the method minimises: the objective of the program, or how far its constraints are from holding.

use nalgebra::SVector;

use super::filter::Filter;
use super::scaling::Scaled;

/// Weight of the violation.
pub(super) const RHO: f64 = 1000.0;

/// What a run minimises.
pub(super) enum Phase<'a, const N: usize> {
    /// The objective of the program.
    Optimality,
    /// The violation of the constraints.
    Restoration(Reference<'a, N>),
}

/// Where the restoration started.
pub(super) struct Reference<'a, const N: usize> {
    pub x: SVector<f64, N>,
    /// Diagonal of `D_R^2`: `min(1, 1/|x_R|)^2`.
    pub weights: SVector<f64, N>,
    pub filter: &'a Filter,
    pub mu: f64,
    pub theta: f64,
    pub phi: f64,
    pub violation: f64,
    pub first_iteration: u32,
}

impl<const N: usize> Phase<'_, N> {
    pub fn is_restoration(&self) -> bool {
        matches!(self, Self::Restoration(_))
    }

    /// Weight `rho` of the elastic variables.
    pub fn penalty(&self) -> f64 {
        RHO
    }

    /// Factor of the program's objective in the Lagrangian.
    pub fn objective_weight(&self) -> f64 {
        if self.is_restoration() { 0.0 } else { 1.0 }
    }

    /// Objective without the elastic penalty.
    pub fn objective(&self, program_objective: f64, x: &SVector<f64, N>, mu: f64) -> f64 {
        match self {
            Self::Optimality => program_objective,
            Self::Restoration(reference) => {
                let d = x - reference.x;
                0.5 * mu.sqrt() * d.component_mul(&d).dot(&reference.weights)
            }
        }
    }

    /// Its gradient.
    pub fn gradient<const M: usize>(
        &self,
        program: &Scaled<'_, N, M>,
        x: &SVector<f64, N>,
        mu: f64,
        gradient: &mut SVector<f64, N>,
    ) {
        match self {
            Self::Optimality => program.gradient(x, gradient),
            Self::Restoration(reference) => {
                *gradient = (x - reference.x).component_mul(&reference.weights) * mu.sqrt();
            }
        }
    }

    /// Adds the diagonal of its Hessian beyond the program's.
    pub fn add_hessian_diagonal(&self, mu: f64, diagonal: &mut SVector<f64, N>) {
        if let Self::Restoration(reference) = self {
            *diagonal += reference.weights * mu.sqrt();
        }
    }
}

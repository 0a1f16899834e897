use nalgebra::SVector;
use num_dual::DualNum;

/// A nonlinear program of `N` variables and `M` general constraints,
///
/// ```text
/// min f(x)   subject to   g_lower <= g(x) <= g_upper,   x_lower <= x <= x_upper.
/// ```
///
/// Objective and constraints are written once, generic over the number type; gradient, Jacobian
/// and Hessian of the Lagrangian follow by evaluating them with dual numbers. Sizes are part of
/// the type, so that small programs live on the stack.
pub trait Nlp<const N: usize, const M: usize> {
    /// Objective `f(x)`.
    fn objective<T: DualNum<Primitive = f64> + Copy>(&self, x: &SVector<T, N>) -> T;

    /// Constraint values `g(x)`.
    fn constraints<T: DualNum<Primitive = f64> + Copy>(&self, x: &SVector<T, N>) -> SVector<T, M>;

    /// Bounds on the variables.
    fn variable_bounds(&self) -> Bounds<N>;

    /// Bounds on the constraints; equal bounds make an equality.
    fn constraint_bounds(&self) -> Bounds<M>;
}

/// Lower and upper bounds; infinite entries mean that there is no bound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds<const K: usize> {
    /// Lower bounds.
    pub lower: SVector<f64, K>,
    /// Upper bounds.
    pub upper: SVector<f64, K>,
}

impl<const K: usize> Bounds<K> {
    /// No bound on any entry.
    pub fn free() -> Self {
        Self { lower: SVector::repeat(f64::NEG_INFINITY), upper: SVector::repeat(f64::INFINITY) }
    }

    /// Every entry at least zero.
    pub fn non_negative() -> Self {
        Self { lower: SVector::zeros(), upper: SVector::repeat(f64::INFINITY) }
    }

    /// Bounds from arrays.
    pub fn new(lower: [f64; K], upper: [f64; K]) -> Self {
        Self { lower: SVector::from(lower), upper: SVector::from(upper) }
    }
}

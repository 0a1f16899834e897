/// A nonlinear program
///
/// ```text
/// min f(x)   subject to   g_lower <= g(x) <= g_upper,   x_lower <= x <= x_upper
/// ```
///
/// whose size is known at run time and whose derivatives have few entries.
///
/// Unlike an [`Nlp`](crate::nlp::Nlp) it gives its derivatives itself, as values at places that it
/// lists once: a program of thousands of variables is made of many small blocks, and only it knows
/// which. The lists may name a place more than once; its values are then added.
pub trait SparseNlp {
    /// Number of variables.
    fn variables(&self) -> usize;

    /// Number of general constraints.
    fn constraints(&self) -> usize;

    /// Bounds on the variables.
    fn variable_bounds(&self) -> SparseBounds;

    /// Bounds on the constraints; equal bounds make an equality.
    fn constraint_bounds(&self) -> SparseBounds;

    /// Objective `f(x)`.
    fn objective(&self, x: &[f64]) -> f64;

    /// Fills in the gradient of the objective.
    fn gradient(&self, x: &[f64], gradient: &mut [f64]);

    /// Fills in the constraint values `g(x)`.
    fn constraint_values(&self, x: &[f64], values: &mut [f64]);

    /// Row (constraint) and column (variable) of every entry of the constraint Jacobian.
    fn jacobian_entries(&self) -> Vec<(usize, usize)>;

    /// Fills in the entries that [`jacobian_entries`](Self::jacobian_entries) lists.
    fn jacobian_values(&self, x: &[f64], values: &mut [f64]);

    /// Row and column of every entry of the Hessian of the Lagrangian, lower triangle.
    fn hessian_entries(&self) -> Vec<(usize, usize)>;

    /// Fills in the entries of the Hessian of `sigma f(x) + y^T g(x)` that
    /// [`hessian_entries`](Self::hessian_entries) lists.
    fn hessian_values(&self, x: &[f64], sigma: f64, y: &[f64], values: &mut [f64]);
}

/// Lower and upper bounds; infinite entries mean that there is no bound.
#[derive(Debug, Clone, PartialEq)]
pub struct SparseBounds {
    /// Lower bounds.
    pub lower: Vec<f64>,
    /// Upper bounds.
    pub upper: Vec<f64>,
}

use super::SparseNlp;
use crate::nlp::{Residuals, SolveStatus, check::BoundResiduals};

/// Lagrange multipliers of a [`SparseNlp`], with the signs of
/// [`Multipliers`](crate::nlp::Multipliers).
#[derive(Debug, Clone, PartialEq)]
pub struct SparseMultipliers {
    /// `y` of the constraints.
    pub constraints: Vec<f64>,
    /// `z_lower >= 0` of the lower bounds on the variables.
    pub lower: Vec<f64>,
    /// `z_upper >= 0` of the upper bounds on the variables.
    pub upper: Vec<f64>,
}

impl SparseMultipliers {
    /// All zero, for a program of these sizes.
    pub fn zeros(variables: usize, constraints: usize) -> Self {
        let zeros = |count| vec![0.0; count];
        Self { constraints: zeros(constraints), lower: zeros(variables), upper: zeros(variables) }
    }
}

/// What a solver found, and how far it can be trusted.
#[derive(Debug, Clone, PartialEq)]
pub struct SparseSolution {
    /// The variables at the last iterate.
    pub x: Vec<f64>,
    /// Objective `f(x)`.
    pub objective: f64,
    /// Lagrange multipliers.
    pub multipliers: SparseMultipliers,
    /// How the solve ended.
    pub status: SolveStatus,
    /// Iterations taken.
    pub iterations: u32,
    /// Entries of the factor of the KKT matrix, the diagonal included: of the last factorisation, 0 if there was none.
    pub factor_entries: usize,
    /// Residuals of the optimality conditions, recomputed from `x` and the multipliers
    /// independently of the solver.
    pub residuals: Residuals,
}

impl Residuals {
    /// The residuals of a sparse program at `x` with `multipliers`; infinite where its bounds, the
    /// point or the multipliers do not have the size of the program.
    pub fn of_sparse<P: SparseNlp>(problem: &P, x: &[f64], multipliers: &SparseMultipliers) -> Self {
        let SparseMultipliers { constraints: y, lower, upper } = multipliers;
        let (on_x, on_g) = (problem.variable_bounds(), problem.constraint_bounds());
        let (variables, constraints) = (problem.variables(), problem.constraints());
        let of_variables = [x.len(), lower.len(), upper.len(), on_x.lower.len(), on_x.upper.len()];
        let of_constraints = [y.len(), on_g.lower.len(), on_g.upper.len()];
        if of_variables != [variables; 5] || of_constraints != [constraints; 3] {
            return Self::INFINITE;
        }
        let mut values = vec![0.0; problem.constraints()];
        problem.constraint_values(x, &mut values);
        let mut numbers = x.iter().chain(&values).chain(y).chain(lower).chain(upper);
        if !(numbers.all(|number| number.is_finite()) && problem.objective(x).is_finite()) {
            return Self::INFINITE;
        }
        let mut bounds = BoundResiduals::default();
        let mut gradient = vec![0.0; problem.variables()];
        problem.gradient(x, &mut gradient);
        for (k, entry) in gradient.iter_mut().enumerate() {
            *entry += bounds.of_variable((on_x.lower[k], on_x.upper[k]), x[k], (lower[k], upper[k]));
        }
        let y = values
            .iter()
            .zip(y)
            .enumerate()
            .map(|(k, (value, y))| bounds.of_constraint((on_g.lower[k], on_g.upper[k]), *value, *y));
        let y: Vec<f64> = y.collect();
        let entries = problem.jacobian_entries();
        let mut jacobian = vec![0.0; entries.len()];
        problem.jacobian_values(x, &mut jacobian);
        for ((row, column), value) in entries.into_iter().zip(jacobian) {
            gradient[column] += value * y[row];
        }
        bounds.finish(&gradient, values.len())
    }
}

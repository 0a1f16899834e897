use crate::{
    learn::{data::BlockSample, system::BLOCK_MATRIX},
    nlp::sparse::{SparseBounds, SparseNlp},
};

/// Friction is the first variable; after it come the forces of the steps.
pub const FRICTION: usize = 0;
/// Variables per step: `lambda_plus`, `lambda_minus`, `gamma`.
const FORCES: usize = 3;
/// Constraints per step: three slacks, three products.
const CONSTRAINTS: usize = 6;

/// Price `eps` of friction. It moves the friction that sliding steps determine by about its own
/// size, and makes the least one the solution where steps that stick leave it free above.
const FRICTION_PRICE: f64 = 1e-7;

/// The relaxed program of all steps at once: over `mu >= 0` and `lambda_i >= 0`,
///
/// ```text
/// min  1/N sum_i (v'_i - s_i - lambda_plus + lambda_minus)^2 + eps mu
///      w_i = M lambda_i + (s_i, -s_i, mu) >= 0,   lambda_ij w_ij <= tau,
/// ```
///
/// `3 N + 1` variables and `6 N` constraints (Scholtes 2001). Of all frictions that explain the
/// data equally well the vanishing price `eps` chooses the least.
#[derive(Debug, Clone)]
pub struct RelaxedProgram<'a> {
    /// The steps.
    pub samples: &'a [BlockSample],
    /// `tau`.
    pub relaxation: f64,
}

impl RelaxedProgram<'_> {
    /// A start: friction `mu`, and forces that solve every step's problem at it.
    pub fn start(&self, friction: f64) -> Vec<f64> {
        let mut x = vec![friction];
        for sample in self.samples {
            let free = sample.free_velocity();
            let force = free.abs().min(friction);
            let (plus, minus) = if free > 0.0 { (0.0, force) } else { (force, 0.0) };
            x.extend([plus, minus, (free.abs() - friction).max(0.0)]);
        }
        x
    }

    /// Mean squared prediction error at `x`.
    pub fn squared_error(&self, x: &[f64]) -> f64 {
        let squares = (0..self.samples.len()).map(|index| self.error(&self.step(x, index).0, index).powi(2));
        self.weight() * squares.sum::<f64>()
    }

    /// The forces of a step and its slacks.
    fn step(&self, x: &[f64], index: usize) -> ([f64; 3], [f64; 3]) {
        let first = 1 + FORCES * index;
        let lambda = [x[first], x[first + 1], x[first + 2]];
        let free = self.samples[index].free_velocity();
        let q = [free, -free, x[FRICTION]];
        let slack = |row: usize| {
            q[row] + (0..3).map(|column| BLOCK_MATRIX[row][column] * lambda[column]).sum::<f64>()
        };
        (lambda, [slack(0), slack(1), slack(2)])
    }

    /// Prediction error of a step.
    fn error(&self, lambda: &[f64; 3], index: usize) -> f64 {
        let sample = &self.samples[index];
        sample.next_velocity - sample.free_velocity() - lambda[0] + lambda[1]
    }

    fn weight(&self) -> f64 {
        1.0 / self.samples.len() as f64
    }
}

impl SparseNlp for RelaxedProgram<'_> {
    fn variables(&self) -> usize {
        1 + FORCES * self.samples.len()
    }

    fn constraints(&self) -> usize {
        CONSTRAINTS * self.samples.len()
    }

    fn variable_bounds(&self) -> SparseBounds {
        let count = self.variables();
        SparseBounds { lower: vec![0.0; count], upper: vec![f64::INFINITY; count] }
    }

    fn constraint_bounds(&self) -> SparseBounds {
        let (zero, free, tau) = (0.0, f64::INFINITY, self.relaxation);
        SparseBounds {
            lower: [zero, zero, zero, -free, -free, -free].repeat(self.samples.len()),
            upper: [free, free, free, tau, tau, tau].repeat(self.samples.len()),
        }
    }

    fn objective(&self, x: &[f64]) -> f64 {
        self.squared_error(x) + FRICTION_PRICE * x[FRICTION]
    }

    fn gradient(&self, x: &[f64], gradient: &mut [f64]) {
        gradient.fill(0.0);
        for index in 0..self.samples.len() {
            let slope = 2.0 * self.weight() * self.error(&self.step(x, index).0, index);
            gradient[1 + FORCES * index] = -slope;
            gradient[2 + FORCES * index] = slope;
        }
        gradient[FRICTION] = FRICTION_PRICE;
    }

    fn constraint_values(&self, x: &[f64], values: &mut [f64]) {
        for (index, values) in values.chunks_exact_mut(CONSTRAINTS).enumerate() {
            let (lambda, slack) = self.step(x, index);
            for row in 0..3 {
                values[row] = slack[row];
                values[3 + row] = lambda[row] * slack[row];
            }
        }
    }

    /// For every step: the slacks by the three forces, the last slack by the friction, the products
    /// by the three forces, the last product by the friction.
    fn jacobian_entries(&self) -> Vec<(usize, usize)> {
        let of_step = |index: usize| {
            let (first_row, first) = (CONSTRAINTS * index, 1 + FORCES * index);
            [0, 3].into_iter().flat_map(move |kind| {
                let by_forces = (0..3)
                    .flat_map(move |row| (0..3).map(move |column| (first_row + kind + row, first + column)));
                by_forces.chain(std::iter::once((first_row + kind + 2, FRICTION)))
            })
        };
        (0..self.samples.len()).flat_map(of_step).collect()
    }

    fn jacobian_values(&self, x: &[f64], values: &mut [f64]) {
        for (index, values) in values.chunks_exact_mut(20).enumerate() {
            let (lambda, slack) = self.step(x, index);
            for row in 0..3 {
                for column in 0..3 {
                    values[3 * row + column] = BLOCK_MATRIX[row][column];
                    let own = if row == column { slack[row] } else { 0.0 };
                    values[10 + 3 * row + column] = own + lambda[row] * BLOCK_MATRIX[row][column];
                }
            }
            values[9] = 1.0;
            values[19] = lambda[2];
        }
    }

    /// For every step: the lower triangle of its forces, then friction with `gamma`.
    fn hessian_entries(&self) -> Vec<(usize, usize)> {
        let of_step = |index: usize| {
            let first = 1 + FORCES * index;
            let block =
                (0..3).flat_map(move |row| (0..=row).map(move |column| (first + row, first + column)));
            block.chain(std::iter::once((first + 2, FRICTION)))
        };
        (0..self.samples.len()).flat_map(of_step).collect()
    }

    fn hessian_values(&self, _: &[f64], sigma: f64, y: &[f64], values: &mut [f64]) {
        let direction = [-1.0, 1.0, 0.0];
        for (index, values) in values.chunks_exact_mut(7).enumerate() {
            let of_products = &y[CONSTRAINTS * index + 3..CONSTRAINTS * (index + 1)];
            let mut place = 0;
            for row in 0..3 {
                for column in 0..=row {
                    let prediction = 2.0 * sigma * self.weight() * direction[row] * direction[column];
                    let products = of_products[row] * BLOCK_MATRIX[row][column]
                        + of_products[column] * BLOCK_MATRIX[column][row];
                    values[place] = prediction + products;
                    place += 1;
                }
            }
            values[6] = of_products[2];
        }
    }
}

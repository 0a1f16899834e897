//! The unknown complementarity system of a sliding block,
//!
//! ```text
//! 0 <= lambda  _|_  w = M lambda + W d >= 0,        d = (v, u, 1),
//! ```
//!
//! with `M` and `W` 3 by 3. It is linear in its 18 coefficients, which are listed row by row: `M11`,
//! `M12`, `M13`, `M21`, ..., `M33`, `W11`, ..., `W33`.

use nalgebra::{DMatrix, DVector, Matrix3, SVector, Vector3};

use super::data::BlockSample;

/// Number of coefficients in `M` and `W` together.
pub const COEFFICIENTS: usize = 18;
/// Number of rows of the system.
pub const ROWS: usize = 3;

/// Coefficients of the system, as a point or as the left side of an equation in them.
pub type Coefficients = SVector<f64, COEFFICIENTS>;

/// Place of `M_{row column}` among the coefficients, counted from zero.
pub const fn matrix_entry(row: usize, column: usize) -> usize {
    3 * row + column
}

/// Place of `W_{row column}` among the coefficients, counted from zero.
pub const fn feature_entry(row: usize, column: usize) -> usize {
    9 + 3 * row + column
}

/// Names of the coefficients: `M11` ... `M33`, `W11` ... `W33`.
pub fn coefficient_names() -> Vec<String> {
    let entries = |letter: char| {
        (1..=3).flat_map(move |row| (1..=3).map(move |column| format!("{letter}{row}{column}")))
    };
    entries('M').chain(entries('W')).collect()
}

/// The true `M` of a sliding block, whatever its friction.
pub const BLOCK_MATRIX: [[f64; ROWS]; ROWS] = [[1.0, -1.0, 1.0], [-1.0, 1.0, 1.0], [-1.0, -1.0, 0.0]];

/// The true system of a block with friction `mu`:
/// `M = [1 -1 1; -1 1 1; -1 -1 0]`, `q = W d = [s, -s, mu]`, `s = v + u`.
pub fn truth(friction: f64) -> Coefficients {
    let w = [[1.0, 1.0, 0.0], [-1.0, -1.0, 0.0], [0.0, 0.0, friction]];
    Coefficients::from_iterator(BLOCK_MATRIX.into_iter().chain(w).flatten())
}

/// `M` of the coefficients.
pub fn matrix(coefficients: &Coefficients) -> Matrix3<f64> {
    Matrix3::from_fn(|row, column| coefficients[matrix_entry(row, column)])
}

/// A step with known forces, in units in which all steps of its data set are of the size one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ForcedStep {
    /// `[lambda_plus, lambda_minus, gamma]`.
    pub lambda: Vector3<f64>,
    /// `d = (v, u, 1)`.
    pub features: Vector3<f64>,
}

impl ForcedStep {
    /// A step in units of `size`, m/s; `None` if its forces are not known.
    pub fn in_units_of(size: f64, sample: &BlockSample) -> Option<Self> {
        let features = Vector3::new(sample.velocity / size, sample.push / size, 1.0);
        sample.lambda.map(|lambda| Self { lambda: lambda / size, features })
    }

    /// The coefficients of `w_row = a . x` in the unknowns `x`.
    pub fn slack_row(&self, row: usize) -> Coefficients {
        let mut left = Coefficients::zeros();
        left.fixed_rows_mut::<3>(matrix_entry(row, 0)).copy_from(&self.lambda);
        left.fixed_rows_mut::<3>(feature_entry(row, 0)).copy_from(&self.features);
        left
    }
}

/// The steps of a data set whose forces are known, and their unit.
#[derive(Debug, Clone, PartialEq)]
pub struct ForcedSteps {
    /// The steps in units of `size`.
    pub steps: Vec<ForcedStep>,
    /// Largest velocity, push or force of the data, m/s.
    pub size: f64,
}

impl ForcedSteps {
    /// The steps that have forces, in units of the largest velocity, push or force.
    pub fn of(samples: &[BlockSample]) -> Self {
        let sizes = samples.iter().filter_map(|sample| {
            sample.lambda.map(|lambda| lambda.amax().max(sample.velocity.abs()).max(sample.push.abs()))
        });
        let size = sizes.fold(0.0, f64::max);
        Self::in_units_of(if size > 0.0 { size } else { 1.0 }, samples)
    }

    /// The steps that have forces, in units of `size`, m/s.
    pub fn in_units_of(size: f64, samples: &[BlockSample]) -> Self {
        let steps = samples.iter().filter_map(|sample| ForcedStep::in_units_of(size, sample));
        Self { steps: steps.collect(), size }
    }

    /// Unit of every coefficient: only the constants `W_i3` have one.
    pub fn units(&self) -> Coefficients {
        Coefficients::from_fn(|index, _| {
            if (0..ROWS).any(|row| index == feature_entry(row, 2)) { self.size } else { 1.0 }
        })
    }
}

/// Linear equations in the coefficients: what is fixed beforehand.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Equations {
    equations: Vec<(Coefficients, f64)>,
}

impl Equations {
    /// `M13 = M23 = 1`, `M31 = -1`: one entry of each row, because each row can be scaled alone.
    pub fn one_entry_per_row() -> Self {
        let mut this = Self::default();
        this.fix(matrix_entry(0, 2), 1.0);
        this.fix(matrix_entry(1, 2), 1.0);
        this.fix(matrix_entry(2, 0), -1.0);
        this
    }

    /// `M13 - M31 = 2`: one equation that fixes the scale of the whole.
    pub fn one_scale() -> Self {
        let mut left = Coefficients::zeros();
        left[matrix_entry(0, 2)] = 1.0;
        left[matrix_entry(2, 0)] = -1.0;
        Self { equations: vec![(left, 2.0)] }
    }

    /// Leaves `q_1` and `q_2` without a constant: `W13 = W23 = 0`.
    pub fn without_biases(mut self) -> Self {
        self.fix(feature_entry(0, 2), 0.0);
        self.fix(feature_entry(1, 2), 0.0);
        self
    }

    /// Fixes one coefficient.
    pub fn fix(&mut self, entry: usize, value: f64) {
        self.push(Coefficients::ith(entry, 1.0), value);
    }

    /// Adds the equation `left . x = right`.
    pub fn push(&mut self, left: Coefficients, right: f64) {
        self.equations.push((left, right));
    }

    /// The least-squares solutions as `x = origin + directions t`: the origin of smallest norm,
    /// the directions orthonormal. Equations whose coefficients, once those of the others are
    /// subtracted, are below `1e-9` of the largest are taken for dependent.
    pub fn solutions(&self) -> Plane {
        let rows = self.equations.len().max(COEFFICIENTS);
        let mut left = DMatrix::zeros(rows, COEFFICIENTS);
        for (index, (row, _)) in self.equations.iter().enumerate() {
            left.set_row(index, &row.transpose());
        }
        // The triangular factor has the same solutions, and is small.
        let orthogonal = left.qr();
        let decomposition = orthogonal.r().svd(true, true);
        let values = &decomposition.singular_values;
        let cut = 1e-9 * values.max();
        let free: Vec<usize> = (0..COEFFICIENTS).filter(|&index| values[index] <= cut).collect();
        let mut directions = DMatrix::zeros(COEFFICIENTS, free.len());
        if let Some(right_vectors) = &decomposition.v_t {
            for (column, &index) in free.iter().enumerate() {
                directions.set_column(column, &right_vectors.row(index).transpose());
            }
        }
        let mut origin = Coefficients::zeros();
        // Once for the solution, and twice to remove the rounding of very many equations.
        for _ in 0..3 {
            let mut rest = DVector::zeros(rows);
            for (index, (row, value)) in self.equations.iter().enumerate() {
                rest[index] = value - row.dot(&origin);
            }
            orthogonal.q_tr_mul(&mut rest);
            let rest = rest.rows(0, COEFFICIENTS).into_owned();
            if let Ok(correction) = decomposition.solve(&rest, cut) {
                origin += Coefficients::from_column_slice(correction.as_slice());
            }
        }
        Plane { origin, directions }
    }
}

/// Points `origin + directions t` in the space of coefficients.
#[derive(Debug, Clone, PartialEq)]
pub struct Plane {
    /// The point of smallest norm.
    pub origin: Coefficients,
    /// Orthonormal directions, a column each.
    pub directions: DMatrix<f64>,
}

impl Plane {
    /// Number of directions.
    pub fn dimension(&self) -> usize {
        self.directions.ncols()
    }

    /// The point with coordinates `t`.
    pub fn point(&self, t: &DVector<f64>) -> Coefficients {
        self.origin + Coefficients::from_column_slice((&self.directions * t).as_slice())
    }

    /// `left . x` as `constant + row . t`.
    pub fn reduce(&self, left: &Coefficients) -> (f64, DVector<f64>) {
        (left.dot(&self.origin), self.directions.tr_mul(left))
    }
}

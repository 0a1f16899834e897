//! Along which changes of the state and of the inputs a step is differentiated.

use nalgebra::{DMatrix, RowDVector};

/// The directions that a step is differentiated along, in the space of displacements, velocities and inputs.
///
/// A run that goes forward needs one per input, and none per displacement and velocity of every body.
#[derive(Debug, Clone)]
pub struct Directions<'a> {
    /// Displacements and velocities.
    state: usize,
    inputs: usize,
    /// A column per direction; `None` for each unit vector in turn.
    chosen: Option<&'a DMatrix<f64>>,
}

impl<'a> Directions<'a> {
    /// Each of `state` displacements and velocities by itself, then each of so many inputs.
    pub fn every(state: usize, inputs: usize) -> Self {
        Self { state, inputs, chosen: None }
    }

    /// The columns of `chosen`, whose last rows are so many inputs.
    pub fn along(chosen: &'a DMatrix<f64>, inputs: usize) -> Self {
        Self { state: chosen.nrows() - inputs, inputs, chosen: Some(chosen) }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.chosen.map_or(self.state + self.inputs, DMatrix::ncols)
    }

    /// Their parts in `count` of the displacements, velocities and inputs, from number `first` on.
    pub fn parts(&self, first: usize, count: usize) -> DMatrix<f64> {
        match self.chosen {
            Some(chosen) => chosen.rows(first, count).into_owned(),
            None => DMatrix::from_fn(count, self.count(), |i, j| f64::from(first + i == j)),
        }
    }

    /// A derivative along them, of the one along every unit vector.
    pub fn derivative(&self, whole: DMatrix<f64>) -> DMatrix<f64> {
        match self.chosen {
            Some(chosen) => whole * chosen,
            None => whole,
        }
    }

    /// The same of one quantity.
    pub fn derivative_of_one(&self, whole: RowDVector<f64>) -> RowDVector<f64> {
        match self.chosen {
            Some(chosen) => whole * chosen,
            None => whole,
        }
    }

    /// Adds to the derivative of a quantity that grows by `growth` with input number `input`.
    pub fn add_input(&self, slope: &mut RowDVector<f64>, input: usize, growth: f64) {
        if growth == 0.0 {
            return;
        }
        match self.chosen {
            Some(chosen) => *slope += chosen.row(self.state + input) * growth,
            None => slope[self.state + input] += growth,
        }
    }
}

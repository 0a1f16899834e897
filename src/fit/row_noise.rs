//! The noise of the rows of recorded throws.

use nalgebra::DVector;

use crate::{
    likelihood::robust_deviation,
    model::{Attitude, State, Vector},
    predict::{Prediction, Recording, rotation_between},
};

/// Standard deviations of the noise of one row.
#[derive(Debug, Clone, PartialEq)]
pub struct RowNoise<const D: usize> {
    /// Of the components of the position, m.
    pub position: Vector<D>,
    /// Of those of the velocity, m/s.
    pub velocity: Vector<D>,
    /// Of the rotation about an axis, rad; 0 for a point.
    pub rotation: f64,
    /// Of a rate of rotation, rad/s; 0 for a point.
    pub spin: f64,
}

/// A state in a row.
type Row<const D: usize> = (State<D>, Option<Attitude>);

/// How far the rows of one throw are from those of another motion: components, each in all rows.
struct Differences {
    position: Vec<Vec<f64>>,
    velocity: Vec<Vec<f64>>,
    /// In rad; of a point none.
    rotation: Vec<Vec<f64>>,
    spin: Vec<Vec<f64>>,
}

impl Differences {
    fn of<const D: usize>(from: &[Row<D>], to: &[Row<D>]) -> Self {
        let rows = || from.iter().zip(to);
        let turning = || rows().filter_map(|((_, from), (_, to))| from.zip(*to));
        let axes = match turning().next() {
            None => 0,
            Some(_) if D == 2 => 1,
            Some(_) => 3,
        };
        let turns: Vec<_> =
            turning().map(|(from, to)| rotation_between(&from.orientation, &to.orientation)).collect();
        Self {
            position: (0..D)
                .map(|index| {
                    rows().map(|((from, _), (to, _))| to.position[index] - from.position[index]).collect()
                })
                .collect(),
            velocity: (0..D)
                .map(|index| {
                    rows().map(|((from, _), (to, _))| to.velocity[index] - from.velocity[index]).collect()
                })
                .collect(),
            rotation: (0..axes).map(|axis| turns.iter().map(|turn| turn[axis]).collect()).collect(),
            spin: (0..axes)
                .map(|axis| turning().map(|(from, to)| to.spin[axis] - from.spin[axis]).collect())
                .collect(),
        }
    }
}

/// The measured states of all throws.
fn measured<const D: usize>(recording: &Recording<D>) -> Vec<Vec<Row<D>>> {
    let throws = recording.tosses.iter();
    throws.map(|toss| toss.states.iter().map(|row| (row.state, row.attitude)).collect()).collect()
}

impl<const D: usize> RowNoise<D> {
    /// From the differences of the residuals of rows that follow each other, which what lasts for many rows does not
    /// show in (von Neumann 1941); their medians, so that the rows next to an impact do no harm.
    pub fn of(recording: &Recording<D>, predictions: &[Prediction<D>]) -> Self {
        let measured = measured(recording);
        let throws: Vec<Differences> = (predictions.iter().zip(&measured))
            .map(|(prediction, measured)| Differences::of(&prediction.states, measured))
            .collect();
        let deviation = |series: Vec<&Vec<f64>>| {
            let differences = series.into_iter().flat_map(|series| series.windows(2));
            robust_deviation(differences.map(|pair| (pair[1] - pair[0]).abs()).collect()) * 0.5_f64.sqrt()
        };
        Self {
            position: Vector::from_fn(|index, _| {
                deviation(throws.iter().map(|throw| &throw.position[index]).collect())
            }),
            velocity: Vector::from_fn(|index, _| {
                deviation(throws.iter().map(|throw| &throw.velocity[index]).collect())
            }),
            rotation: deviation(throws.iter().flat_map(|throw| &throw.rotation).collect()),
            spin: deviation(throws.iter().flat_map(|throw| &throw.spin).collect()),
        }
    }

    /// The same noise, so many times as large.
    #[must_use]
    pub fn scaled(&self, by: f64) -> Self {
        Self {
            position: self.position * by,
            velocity: self.velocity * by,
            rotation: self.rotation * by,
            spin: self.spin * by,
        }
    }

    /// How far the poses of a throw are from those of another motion, in units of the noise: one component of the position
    /// in all rows after the other, then those of the rotation.
    pub fn apart(&self, from: &[Row<D>], to: &[Row<D>]) -> DVector<f64> {
        let Differences { position, rotation, .. } = Differences::of(from, to);
        let places = position.iter().zip(self.position.iter().copied());
        let turns = rotation.iter().map(|series| (series, self.rotation));
        // What never changes has no noise.
        let in_units = |(series, noise): (&Vec<f64>, f64)| -> Vec<f64> {
            series.iter().map(|value| if *value == 0.0 { 0.0 } else { value / noise }).collect()
        };
        places.chain(turns).flat_map(in_units).collect::<Vec<f64>>().into()
    }

    /// How far the measured poses of all throws are from the predicted ones, in units of the noise.
    pub fn residuals(&self, recording: &Recording<D>, predictions: &[Prediction<D>]) -> Vec<DVector<f64>> {
        let throws = predictions.iter().zip(measured(recording));
        throws.map(|(prediction, measured)| self.apart(&prediction.states, &measured)).collect()
    }

    /// Whether there is noise in what is measured.
    pub fn is_seen(&self) -> bool {
        self.position.iter().any(|noise| *noise > 0.0)
    }
}

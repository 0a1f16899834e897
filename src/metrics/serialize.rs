//! Metrics under the names of `summary.json`; absent values are null.

use serde::{Serialize, Serializer, ser::SerializeMap};

use super::{BodyMetrics, Circumstances, Measured, Metrics};
use crate::model::{Orientation, axis_names};

/// Those of a single point in one table; several bodies have a table each, under `bodies`.
impl<const D: usize> Serialize for Metrics<D> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if self.alone().is_none() {
            let bodies: serde_json::Map<_, _> =
                self.bodies.iter().map(|body| (body.name.clone(), serde_json::json!(body))).collect();
            map.serialize_entry("bodies", &bodies)?;
        }
        record(&mut map, self, self.circumstances())?;
        map.end()
    }
}

/// Writes the figures of a table that have a place in `summary.json`.
fn record<S: Measured<D>, M: SerializeMap, const D: usize>(
    map: &mut M,
    of: &S,
    circumstances: Circumstances,
) -> Result<(), M::Error> {
    for metric in S::TABLE {
        for (name, value) in metric.figures(of) {
            if metric.recorded.holds(circumstances, value) {
                map.serialize_entry(&name, &value)?;
            }
        }
    }
    Ok(())
}

impl<const D: usize> Metrics<D> {
    /// Velocities in m/s and rates of rotation in rad/s at the end, in the columns of `trajectory.csv`: those of a
    /// single point, or a table for each of several bodies.
    pub(super) fn final_velocity(&self) -> serde_json::Value {
        match self.alone() {
            Some(alone) => alone.final_velocity(),
            None => {
                let bodies = self.bodies.iter();
                bodies.map(|body| (body.name.clone(), body.final_velocity())).collect()
            }
        }
    }

    /// The one point, if there is nothing else.
    fn alone(&self) -> Option<&BodyMetrics<D>> {
        self.bodies.first().filter(|_| self.is_point)
    }
}

impl<const D: usize> BodyMetrics<D> {
    fn final_velocity(&self) -> serde_json::Value {
        let axes = axis_names::<D>().iter().map(|axis| format!("v{axis}"));
        let mut rates: serde_json::Map<_, _> =
            axes.zip(&self.final_state.velocity).map(|(name, rate)| (name, (*rate).into())).collect();
        if let Some(attitude) = &self.final_attitude {
            let names: &[&str] = if D == 2 { &["spin"] } else { &["wx", "wy", "wz"] };
            let spins = names.iter().zip(&attitude.spin);
            rates.extend(spins.map(|(name, rate)| ((*name).to_owned(), (*rate).into())));
        }
        rates.into()
    }
}

impl<const D: usize> Serialize for BodyMetrics<D> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let mut pose = serde_json::Map::new();
        for (axis, value) in axis_names::<D>().iter().zip(&self.final_state.position) {
            pose.insert((*axis).to_owned(), (*value).into());
        }
        match self.final_attitude.map(|attitude| attitude.orientation) {
            None => {}
            Some(Orientation::Angle(angle)) => {
                pose.insert("angle".to_owned(), angle.into());
            }
            Some(Orientation::Quaternion(turn)) => {
                let parts = ["qw", "qx", "qy", "qz"].into_iter().zip([turn.w, turn.i, turn.j, turn.k]);
                pose.extend(parts.map(|(name, part)| (name.to_owned(), part.into())));
            }
        }
        map.serialize_entry("final", &pose)?;
        let circumstances = Circumstances {
            is_point: self.final_attitude.is_none(),
            has_truth: self.max_error.is_some(),
            rebounds: false,
            ends_by_body: false,
            place: "",
        };
        record(&mut map, self, circumstances)?;
        map.end()
    }
}

//! Metrics under the names of `summary.json`; absent values are null.

use serde::{Serialize, Serializer, ser::SerializeMap};

use super::{BodyMetrics, Metrics};
use crate::model::{Orientation, Vector, axis_names};

/// Those of a single point in one table; several bodies have a table each, under `bodies`.
impl<const D: usize> Serialize for Metrics<D> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Some(alone) = self.alone() {
            by_axis(&mut map, "final", Some(&alone.final_state.position))?;
        } else {
            let bodies: serde_json::Map<_, _> =
                self.bodies.iter().map(|body| (body.name.clone(), serde_json::json!(body))).collect();
            map.serialize_entry("bodies", &bodies)?;
            by_axis(&mut map, "final_center", Some(&self.final_center))?;
        }
        map.serialize_entry("stop_time", &self.stop_time)?;
        map.serialize_entry("max_penetration", &self.max_penetration)?;
        map.serialize_entry("max_energy_gain", &self.max_energy_gain)?;
        if self.alone().is_some() {
            map.serialize_entry("max_complementarity", &self.max_complementarity)?;
            map.serialize_entry("force_noise", &self.force_noise)?;
        }
        if let Some(error) = self.max_rod_error {
            map.serialize_entry("max_rod_error", &error)?;
        }
        by_axis(&mut map, "max_error", self.max_error.as_ref())?;
        if self.alone().is_none() {
            map.serialize_entry("max_error_angle", &self.max_turn_error)?;
            map.serialize_entry("max_natural_map", &self.max_natural_map)?;
        }
        map.end()
    }
}

/// The unit of a metric of that name, after what it is nested in; empty for a pure number.
pub fn unit_of_metric(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or(name) {
        "stop_time" => "s",
        "max_energy_gain" => "J",
        "force_noise" => "N",
        "max_error_angle" | "angle" => "rad",
        "x" | "y" | "z" | "max_penetration" | "max_rod_error" => "m",
        own if own.starts_with("final_") || own.starts_with("max_error_") => "m",
        _ => "",
    }
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
        self.bodies.first().filter(|_| self.force_noise.is_some())
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
        map.serialize_entry("max_penetration", &self.max_penetration)?;
        map.serialize_entry("max_energy_gain", &self.max_energy_gain)?;
        by_axis(&mut map, "max_error", self.max_error.as_ref())?;
        if self.final_attitude.is_some() {
            map.serialize_entry("max_error_angle", &self.max_turn_error)?;
        }
        map.end()
    }
}

fn by_axis<const D: usize, M: SerializeMap>(
    map: &mut M,
    name: &str,
    values: Option<&Vector<D>>,
) -> Result<(), M::Error> {
    let axes = axis_names::<D>().iter().enumerate();
    axes.map(|(i, axis)| (format!("{name}_{axis}"), values.map(|values| values[i])))
        .try_for_each(|(key, value)| map.serialize_entry(&key, &value))
}

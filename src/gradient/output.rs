use super::Subject;
use crate::{
    scenario::Scenario,
    stepper::{Roster, StepperName},
};

/// The name of the time at which a point comes to rest, in s.
pub(super) const STOP_TIME: &str = "stop_time";

/// A name of an output that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no result `{given}`; choose from {allowed}")]
pub struct UnknownOutput {
    /// What was given.
    pub given: String,
    /// What there is.
    pub allowed: String,
}

/// The columns of `trajectory.csv` that tell where a body is and how it moves.
fn columns<const D: usize>(turns: bool) -> &'static [&'static str] {
    match (D, turns) {
        (2, false) => &["x", "z", "vx", "vz"],
        (2, true) => &["x", "z", "angle", "vx", "vz", "spin"],
        (_, false) => &["x", "y", "z", "vx", "vy", "vz"],
        (_, true) => &["x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz"],
    }
}

/// The names of all numbers that a run of the scenario may end with, in order: `final_x` and the like of a single point and
/// then `stop_time`, when it comes to rest; of bodies `BODY.final_x` with the columns of `trajectory.csv`.
pub fn output_names<const D: usize>(scenario: &Scenario<D>) -> Vec<String> {
    let columns = columns::<D>(scenario.has_turning_bodies()).iter();
    if Subject::of(scenario) == Subject::Point {
        let names = columns.map(|column| format!("final_{column}"));
        return names.chain([STOP_TIME.to_owned()]).collect();
    }
    let of_body = |body: usize| {
        let name = scenario.body_name(body);
        columns.clone().map(move |column| format!("{name}.final_{column}"))
    };
    (0..scenario.bodies.len()).flat_map(of_body).collect()
}

/// The steppers that a study of the scenario takes where none is named.
pub fn default_steppers<const D: usize>(scenario: &Scenario<D>) -> Vec<StepperName> {
    Roster::of_kind(scenario, Roster::GradientsOfPoint, Roster::GradientsOfBodies).steppers()
}

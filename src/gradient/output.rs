use super::{BodyGradients, StopTime};
use crate::{
    model::{State, axis_names},
    scenario::Scenario,
    stepper::{Roster, StepperName},
};

/// A number that a run ends with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Output {
    /// A coordinate of the final position in m.
    Position(usize),
    /// A component of the final velocity in m/s.
    Velocity(usize),
    /// When the point comes to rest, in s.
    StopTime,
}

/// A name of an output that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no result `{given}`; choose from {allowed}")]
pub struct UnknownOutput {
    /// What was given.
    pub given: String,
    /// What there is.
    pub allowed: String,
}

impl Output {
    /// Every output of a point with `D` coordinates.
    pub fn all<const D: usize>() -> Vec<Self> {
        let position = (0..D).map(Self::Position);
        position.chain((0..D).map(Self::Velocity)).chain([Self::StopTime]).collect()
    }

    /// Its name in files: `final_x`, `final_vx`, `stop_time`.
    pub fn name<const D: usize>(self) -> String {
        let axis = |axis: usize| axis_names::<D>().get(axis).copied().unwrap_or("?");
        match self {
            Self::Position(i) => format!("final_{}", axis(i)),
            Self::Velocity(i) => format!("final_v{}", axis(i)),
            Self::StopTime => "stop_time".to_owned(),
        }
    }

    /// The output of that name.
    ///
    /// # Errors
    /// [`UnknownOutput`] if there is none in `D` dimensions.
    pub fn parse<const D: usize>(given: &str) -> Result<Self, UnknownOutput> {
        let all = Self::all::<D>();
        all.iter().copied().find(|output| output.name::<D>() == given).ok_or_else(|| UnknownOutput {
            given: given.to_owned(),
            allowed: all.iter().map(|output| output.name::<D>()).collect::<Vec<_>>().join(", "),
        })
    }

    /// Its value and its derivatives, per input; `None` for the stop time of a point that does not stop.
    pub fn of<const D: usize>(
        self,
        state: &State<D>,
        tangents: &[State<D>],
        stop: Option<&StopTime>,
    ) -> Option<(f64, Vec<f64>)> {
        match self {
            Self::Position(i) => {
                Some((state.position[i], tangents.iter().map(|change| change.position[i]).collect()))
            }
            Self::Velocity(i) => {
                Some((state.velocity[i], tangents.iter().map(|change| change.velocity[i]).collect()))
            }
            Self::StopTime => stop.map(|stop| (stop.time, stop.gradient.clone())),
        }
    }
}

/// The names of all numbers that a run of the scenario ends with.
pub fn output_names<const D: usize>(scenario: &Scenario<D>) -> Vec<String>
where
    Scenario<D>: BodyGradients,
{
    if scenario.is_single_point() {
        Output::all::<D>().into_iter().map(Output::name::<D>).collect()
    } else {
        scenario.end_names()
    }
}

/// The steppers that a study of the scenario takes where none is named.
pub fn default_steppers<const D: usize>(scenario: &Scenario<D>) -> Vec<StepperName> {
    let roster =
        if scenario.is_single_point() { Roster::GradientsOfPoint } else { Roster::GradientsOfBodies };
    roster.steppers()
}

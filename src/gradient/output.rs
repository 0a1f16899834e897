use std::{fmt, str::FromStr};

use super::{BodyGradients, StopTime, Tangents};
use crate::{
    model::{State, axis_names},
    scenario::Scenario,
    stepper::StepperName,
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
    use StepperName::{Cone, Convex, Exact, Hybrid, LcpStewartTrinkle, NlpRelaxed, Smooth};
    if scenario.is_single_point() {
        vec![NlpRelaxed, LcpStewartTrinkle, Convex, Hybrid, Smooth, Exact]
    } else {
        vec![NlpRelaxed, LcpStewartTrinkle, Cone, Convex, Smooth]
    }
}

/// How a gradient is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// The derivative of the stepper's own formulas.
    Raw,
    /// With the derivative of the motion at its events; see [`Corrected`](super::Corrected).
    Corrected,
    /// The derivative of a smoothed stepper, on its own, shifted motion.
    Smoothed,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Raw => "raw",
            Self::Corrected => "corrected",
            Self::Smoothed => "smoothed",
        })
    }
}

impl FromStr for Method {
    type Err = String;

    fn from_str(given: &str) -> Result<Self, String> {
        [Self::Raw, Self::Corrected, Self::Smoothed]
            .into_iter()
            .find(|method| method.to_string() == given)
            .ok_or_else(|| format!("there is no method `{given}`; choose raw, corrected or smoothed"))
    }
}

/// How far a gradient can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Quality {
    /// No doubt.
    Ok,
    /// It differs from the derivative of the motion by more than [`BIAS_LIMIT`].
    Biased,
    /// The scenario is on a kink: the result has one gradient for larger values of the input and another, or none, for
    /// smaller ones.
    OneSided,
    /// Contacts carry more than they need, and the result depends on how they share it: the gradient is that of one way
    /// to, and another way has one that differs by more than [`SHARING_LIMIT`].
    Indeterminate,
    /// Nothing changes with the input: it points nowhere. The nearest kink says where that ends.
    Zero,
    /// There is neither an exact nor a corrected gradient to hold that of the steps against, as where several contacts
    /// hit at once.
    Unchecked,
    /// On its way it grew beyond [`exploding_above`]: the steps chatter, and the gradient is noise.
    Exploding,
}

impl Quality {
    /// The word used in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Biased => "biased",
            Self::OneSided => "one-sided",
            Self::Indeterminate => "indeterminate",
            Self::Zero => "zero",
            Self::Unchecked => "unchecked",
            Self::Exploding => "exploding",
        }
    }
}

/// Relative deviation from the corrected gradient, or the exact one, above which a gradient is biased.
pub const BIAS_LIMIT: f64 = 0.02;

/// Relative deviation of the gradients of two ways to share loads that are open, above which a gradient is indeterminate.
pub const SHARING_LIMIT: f64 = 2e-3;

/// Over the length of the step: the derivative of the state on the way above which a gradient may explode.
///
/// The step in which a gap-level stepper lands makes `dv = -dz/dt` of a change of height, which is 1 in this unit and
/// no fault: over random throws by `lcp` and `hybrid` at 1 ms derivatives reach 1.7.
const EXPLODING_PER_STEP: f64 = 10.0;

/// The same per second of the motion, which counts where steps are long.
const EXPLODING_PER_SECOND: f64 = 1e3;

/// The largest derivative of the state on the way, per natural change of an input, above which a gradient explodes.
pub fn exploding_above<const D: usize>(scenario: &Scenario<D>) -> f64 {
    (EXPLODING_PER_STEP / scenario.step).max(EXPLODING_PER_SECOND * scenario.duration.max(1.0))
}

/// Change of a result per natural change of an input that counts as none.
pub(super) const NOTHING: f64 = 1e-6;

/// What a gradient is held against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reference {
    /// The gradient of the exact motion.
    Motion,
    /// A corrected gradient, or another of steps, which is itself a little off.
    Steps,
}

impl Reference {
    /// Part of the largest entry below which an entry is measured by that part: of what should be nothing, nothing is 2 %
    /// off. Against the motion it is so small that what is called right hardly depends on which inputs were asked for.
    fn small_entry(self) -> f64 {
        match self {
            Self::Motion => 2e-3,
            Self::Steps => 2e-2,
        }
    }
}

/// The relative deviation of each entry of a gradient from `reference`, both scaled by the natural sizes
/// of the inputs. An entry below a five-hundredth of the largest one is measured by that much; where the reference is
/// one of [`Reference::Steps`], below a fiftieth.
pub fn deviations(gradient: &[f64], reference: &[f64], sizes: &[f64], held_against: Reference) -> Vec<f64> {
    let largest = reference.iter().zip(sizes).map(|(entry, size)| (entry * size).abs()).fold(0.0, f64::max);
    let floor = (held_against.small_entry() * largest).max(NOTHING);
    gradient
        .iter()
        .zip(reference)
        .zip(sizes)
        .map(|((entry, reference), size)| {
            (entry - reference).abs() * size / (reference * size).abs().max(floor)
        })
        .collect()
}

/// The same where the reference is known of some inputs only.
pub(super) fn biases(
    gradient: &[f64],
    reference: &[Option<f64>],
    sizes: &[f64],
    held_against: Reference,
) -> Vec<Option<f64>> {
    let known: Vec<usize> = (0..reference.len()).filter(|index| reference[*index].is_some()).collect();
    let of = |values: &[f64]| -> Vec<f64> { known.iter().map(|index| values[*index]).collect() };
    let references: Vec<f64> = reference.iter().copied().flatten().collect();
    let mut biases = vec![None; gradient.len()];
    for (index, bias) in known.iter().zip(deviations(&of(gradient), &references, &of(sizes), held_against)) {
        biases[*index] = Some(bias);
    }
    biases
}

/// The natural sizes of `inputs`.
pub(super) fn sizes<const D: usize>(scenario: &Scenario<D>, inputs: &[super::Input]) -> Vec<f64> {
    inputs.iter().map(|input| input.natural_size(scenario)).collect()
}

/// The worst that is known of the gradient with respect to input `index`; `bias` is its deviation, `on_kink` says
/// whether the scenario is on a kink, and `is_unchecked` that there is nothing to hold any against.
pub(super) fn quality<const D: usize>(
    scenario: &Scenario<D>,
    tangents: &Tangents<D>,
    index: usize,
    size: f64,
    (bias, on_kink, is_unchecked): (Option<f64>, bool, bool),
) -> Quality {
    let change = &tangents.tangents[index];
    let stop = tangents.stop.as_ref().map_or(0.0, |stop| stop.gradient[index].abs());
    let end = change.position.amax().max(change.velocity.amax()).max(stop);
    if tangents.largest[index] * size > exploding_above(scenario) {
        Quality::Exploding
    } else if on_kink {
        Quality::OneSided
    } else if bias.is_some_and(|bias| bias > BIAS_LIMIT) {
        Quality::Biased
    } else if is_unchecked {
        Quality::Unchecked
    } else if end * size <= NOTHING {
        Quality::Zero
    } else {
        Quality::Ok
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        gradient::{Branches, Nearest},
        model::Vector,
        scenario::Body,
    };

    const SIZE: f64 = 2.0;

    /// The verdict on a gradient whose entries at the end, and on the way, are so large per natural change.
    fn verdict(end: f64, on_the_way: f64, bias: Option<f64>) -> Quality {
        let scenario: Scenario<2> =
            Scenario { bodies: vec![Body::point(1.0, [0.0, 0.0], [1.0, 0.0])], ..Scenario::new("gradient") };
        let zero = State { position: Vector::zeros(), velocity: Vector::zeros() };
        let change = State { velocity: [0.0, -end / SIZE].into(), ..zero };
        let tangents = Tangents {
            state: zero,
            tangents: vec![change],
            stop: None,
            nearest: vec![Nearest::default()],
            branches: Branches::default(),
            largest: vec![on_the_way * exploding_above(&scenario) / SIZE],
        };
        quality(&scenario, &tangents, 0, SIZE, (bias, false, false))
    }

    #[test]
    fn the_worst_that_is_known_of_a_gradient_is_its_quality() {
        assert_eq!(verdict(1.0, 0.1, None), Quality::Ok);
        assert_eq!(verdict(1.0, 0.1, Some(BIAS_LIMIT)), Quality::Ok);
        assert_eq!(verdict(1.0, 0.1, Some(1.01 * BIAS_LIMIT)), Quality::Biased);
        assert_eq!(verdict(1.0, 1.0, None), Quality::Ok);
        assert_eq!(verdict(1.0, 1.01, None), Quality::Exploding);
        assert_eq!(verdict(1.0, 1.01, Some(1.0)), Quality::Exploding);
        assert_eq!(verdict(NOTHING, 0.1, None), Quality::Zero);
        assert_eq!(verdict(2.0 * NOTHING, 0.1, None), Quality::Ok);
        assert_eq!(verdict(0.0, 0.1, Some(1.0)), Quality::Biased, "it should not be zero");
        assert_eq!(verdict(0.0, 1.01, None), Quality::Exploding);
    }
}

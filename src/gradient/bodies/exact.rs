//! The derivative of the exact motion of bodies: by differences, and of a point that meets no wall by dual numbers.

use std::cmp::Ordering;

use crate::{
    gradient::{ExactGradient, Grid, Input, input::BodyQuantity},
    model::{Orientation, State},
    scenario::{Scenario, Shape},
    simulate::simulate,
    stepper::{BuildStepper, StepperName},
    watch::Watch,
};

/// Changes of an input over which differences are taken, as parts of its natural size, until one bends little.
const CHANGES: [f64; 3] = [1e-4, 1e-5, 1e-6];

/// How much a difference may change when it is halved, as a part of the largest: more is a kink of the motion.
const SAME: f64 = 1e-3;

/// Part of the largest entry of a derivative, per natural size, that all are measured by at least.
const FLOOR: f64 = 1e-3;

/// Why the exact motion has no derivative.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoSlopes {
    /// It is not known there.
    #[error("{0}")]
    Unknown(String),
    /// It has others to both sides.
    #[error("its differences to both sides do not agree, the motion has a kink there")]
    Kink,
}

/// The derivative of the end of the exact motion with respect to `input`.
///
/// Events end at roots, whose derivatives the motion does not carry: differences to both sides over `h` and `h/2`,
/// extrapolated, which are the same unless the motion has a kink there.
///
/// # Errors
/// [`NoSlopes`].
pub fn exact_slopes<const D: usize>(scenario: &Scenario<D>, input: Input) -> Result<Vec<f64>, NoSlopes>
where
    Scenario<D>: BuildStepper<D>,
{
    let size = input.natural_size(scenario);
    // What is said of a number that is a little off is no fault of the scenario.
    let beside = |change: f64, reason: String| match change.total_cmp(&0.0) {
        Ordering::Less => format!("with a little less of it, {reason}"),
        Ordering::Equal => reason,
        Ordering::Greater => format!("with a little more of it, {reason}"),
    };
    let end = |change: f64| {
        exact_end(&input.shifted(scenario, change))
            .map_err(|reason| NoSlopes::Unknown(beside(change, reason)))
    };
    let here = end(0.0)?;
    let slope = |h: f64| -> Result<Vec<f64>, NoSlopes> {
        Ok(end(h)?.iter().zip(&here).map(|(there, here)| (there - here) / h).collect())
    };
    for change in CHANGES {
        let h = change * size;
        let [up, up_half, down, down_half] = [slope(h)?, slope(0.5 * h)?, slope(-h)?, slope(-0.5 * h)?];
        let largest = up_half.iter().fold(FLOOR / size, |largest, slope| largest.max(slope.abs()));
        let central =
            |a: &[f64], b: &[f64]| -> Vec<f64> { a.iter().zip(b).map(|(a, b)| 0.5 * (a + b)).collect() };
        let (whole, half) = (central(&up, &down), central(&up_half, &down_half));
        let extrapolated = |whole: &[f64], half: &[f64], order: f64| -> Vec<f64> {
            whole.iter().zip(half).map(|(whole, half)| half + (half - whole) / (order - 1.0)).collect()
        };
        let [above, below] = [extrapolated(&up, &up_half, 2.0), extrapolated(&down, &down_half, 2.0)];
        let agree = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= SAME * largest);
        if agree(&whole, &half) && agree(&above, &below) {
            return Ok(
                by_dual_numbers(scenario, input, &here).unwrap_or_else(|| extrapolated(&whole, &half, 4.0))
            );
        }
    }
    Err(NoSlopes::Kink)
}

/// The derivative of a point which ends `here`, as if there were no walls: it has met none.
fn by_dual_numbers<const D: usize>(scenario: &Scenario<D>, input: Input, here: &[f64]) -> Option<Vec<f64>>
where
    Scenario<D>: BuildStepper<D>,
{
    let is_point = matches!(scenario.bodies.as_slice(), [body] if body.shape == Shape::Point);
    if !is_point || !scenario.pairs.is_empty() {
        return None;
    }
    let alone = Scenario { walls: Vec::new(), ..scenario.clone() };
    if exact_end(&alone).ok()? != here {
        return None;
    }
    let input = match input {
        Input::OfBody(_, 0, BodyQuantity::Position(axis)) => Input::Position(axis),
        Input::OfBody(_, 0, BodyQuantity::Velocity(axis)) => Input::Velocity(axis),
        Input::OfBody(_, 0, BodyQuantity::Mass) => Input::Mass,
        Input::Friction | Input::Restitution | Input::Gravity | Input::Slope | Input::PushForce(..) => input,
        _ => return None,
    };
    let gradient = ExactGradient::new(&alone, &[input], Grid::new(alone.time()), &Watch::none()).ok()?;
    let end = gradient.tangents.first()?;
    Some(end.position.iter().chain(&end.velocity).copied().collect())
}

/// The numbers of [`output_names`](crate::gradient::output_names) where the exact motion of bodies ends.
///
/// # Errors
/// Why it is not known.
pub fn exact_end<const D: usize>(scenario: &Scenario<D>) -> Result<Vec<f64>, String>
where
    Scenario<D>: BuildStepper<D>,
{
    let mut exact = scenario.stepper(StepperName::EXACT).map_err(|refusal| refusal.reason)?;
    let trajectory = simulate(scenario, exact.as_mut());
    if let Some(failure) = &trajectory.first_failure {
        return Err(failure.error.to_string());
    }
    let mut end = Vec::new();
    for (index, motion) in trajectory.bodies.iter().enumerate() {
        let State { position, velocity } = trajectory.final_state(index);
        end.extend_from_slice(position.as_slice());
        let attitude = motion.attitudes.last();
        let spin = match attitude.map(|attitude| (attitude.orientation, attitude.spin)) {
            None => Vec::new(),
            Some((Orientation::Angle(angle), spin)) => {
                end.push(angle);
                vec![spin[0]]
            }
            Some((Orientation::Quaternion(turn), spin)) => {
                end.extend([turn.w, turn.i, turn.j, turn.k]);
                spin.as_slice().to_vec()
            }
        };
        end.extend_from_slice(velocity.as_slice());
        end.extend(spin);
    }
    Ok(end)
}

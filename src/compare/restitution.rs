use crate::{
    model::State,
    scenario::Scenario,
    stepper::{BuildStepper, PointInput, Refusal, StepperName},
};

/// Steps of the drop in which a restitution is measured.
const MOST_STEPS: usize = 100_000;

/// What a vertical impact does under a stepper at a scenario's step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeasuredImpact {
    /// The speed with which the parabola after it leaves the ground over that with which the one before it meets it; the
    /// mean of the drops.
    pub restitution: f64,
    /// How deep it sinks in, in m; the deepest of the drops.
    pub depth: f64,
}

/// Measures impacts at `speed` m/s in eight drops that start at different parts of a step above the
/// ground.
///
/// # Errors
/// [`Refusal`] if the stepper does not admit the scenario, or fails in the drop.
pub fn measured_impact<const D: usize>(
    scenario: &Scenario<D>,
    name: StepperName,
    speed: f64,
) -> Result<MeasuredImpact, Refusal>
where
    Scenario<D>: BuildStepper<D>,
{
    const DROPS: u32 = 8;
    let mut drop = scenario.clone();
    drop.pushes.clear();
    drop.ground.slope = 0.0;
    let mut sum = 0.0;
    let mut depth: f64 = 0.0;
    for index in 0..DROPS {
        let phase = (f64::from(index) + 0.5) / f64::from(DROPS);
        drop.bodies[0].velocity.fill(0.0);
        drop.bodies[0].velocity[D - 1] = -speed;
        drop.bodies[0].position.fill(0.0);
        drop.bodies[0].position[D - 1] = (1.0 + phase) * speed * drop.step;
        let (rebound, sunk) = rebound(&drop, name)?;
        sum += rebound;
        depth = depth.max(sunk);
    }
    Ok(MeasuredImpact { restitution: sum / f64::from(DROPS), depth })
}

/// The restitution and the depth of an impact.
///
/// Contact begins and ends in places off the ground, some steps apart, and the steps of a flight are off its parabola;
/// what they keep is `(v - g lag/2)^2 + 2 g z`, the square of the speed at `z = 0`. What does not let go is as fast as it
/// gets.
fn rebound<const D: usize>(drop: &Scenario<D>, name: StepperName) -> Result<(f64, f64), Refusal>
where
    Scenario<D>: BuildStepper<D>,
{
    let mut stepper = drop.point_stepper(name)?;
    let mut state: State<D> = drop.initial_state(0);
    let push = drop.push(0, 0);
    let at_ground = {
        let lag = stepper.honours().flight.lag(drop.step);
        move |state: &State<D>| {
            let velocity = state.velocity[D - 1] - 0.5 * drop.gravity * lag;
            (velocity * velocity + 2.0 * drop.gravity * state.height()).max(0.0).sqrt()
        }
    };
    let before = at_ground(&state);
    let (mut fastest, mut depth): (f64, f64) = (0.0, 0.0);
    for index in 0..MOST_STEPS {
        let input = PointInput { index, time: drop.time().at(index), state, push, dt: drop.step };
        let step = stepper.step(&input).map_err(|error| Refusal {
            stepper: name,
            reason: error.to_string(),
            remedy: "use a smaller `step`".to_owned(),
        })?;
        let climbed = step.state.velocity[D - 1];
        fastest = fastest.max(climbed);
        depth = depth.max(-step.state.height());
        let let_go = step.contact_impulse[D - 1] <= 0.0 && climbed > 0.0;
        let at_rest = index > 2 && climbed.abs() < 1e-9 * drop.bodies[0].velocity.norm();
        if let_go {
            fastest = at_ground(&step.state);
            break;
        }
        if at_rest || (fastest > 0.0 && climbed < 0.5 * fastest) {
            break;
        }
        state = step.state;
    }
    Ok((fastest / before, depth))
}

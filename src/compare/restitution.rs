use crate::{
    model::State,
    scenario::Scenario,
    stepper::{BuildStepper, PointInput, Refusal, StepperName},
};

/// Steps of the drop in which a restitution is measured.
const MOST_STEPS: usize = 100_000;

/// Restitution of a stepper at the scenario's step: the largest upward speed after a vertical impact at
/// `speed` m/s, over that speed.
///
/// The mean over four drops that start at different parts of a step above the ground.
///
/// # Errors
/// [`Refusal`] if the stepper does not admit the scenario, or fails in the drop.
pub fn measured_restitution<const D: usize>(
    scenario: &Scenario<D>,
    name: StepperName,
    speed: f64,
) -> Result<f64, Refusal>
where
    Scenario<D>: BuildStepper<D>,
{
    const PHASES: [f64; 4] = [0.125, 0.375, 0.625, 0.875];
    let mut drop = scenario.clone();
    drop.pushes.clear();
    drop.ground.slope = 0.0;
    let mut sum = 0.0;
    for phase in PHASES {
        drop.bodies[0].velocity.fill(0.0);
        drop.bodies[0].velocity[D - 1] = -speed;
        drop.bodies[0].position.fill(0.0);
        drop.bodies[0].position[D - 1] = (1.0 + phase) * speed * drop.step;
        sum += rebound_speed(&drop, name)?;
    }
    Ok(sum / (PHASES.len() as f64 * speed))
}

fn rebound_speed<const D: usize>(drop: &Scenario<D>, name: StepperName) -> Result<f64, Refusal>
where
    Scenario<D>: BuildStepper<D>,
{
    let mut stepper = drop.point_stepper(name)?;
    let mut state: State<D> = drop.initial_state(0);
    let push = drop.push(0, 0);
    let mut fastest: f64 = 0.0;
    for index in 0..MOST_STEPS {
        let input = PointInput { index, time: drop.time().at(index), state, push, dt: drop.step };
        let step = stepper.step(&input).map_err(|error| Refusal {
            stepper: name,
            reason: error.to_string(),
            remedy: "use a smaller `step`".to_owned(),
        })?;
        let climbed = step.state.velocity[D - 1];
        fastest = fastest.max(climbed);
        let let_go = step.contact_impulse[D - 1] <= 0.0 && climbed > 0.0;
        let at_rest = index > 2 && climbed.abs() < 1e-9 * drop.bodies[0].velocity.norm();
        if let_go || at_rest || (fastest > 0.0 && climbed < 0.5 * fastest) {
            break;
        }
        state = step.state;
    }
    Ok(fastest)
}

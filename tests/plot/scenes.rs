//! Motions to draw, stepped with the closed form.

use stickslip::{
    model::{Vector, closed_form_step},
    plot::{self, Axis, Convergence, Figure, Series},
    scenario::{Push, Scenario},
    simulate::simulate,
    stepper::{OnePoint, PointInput, PointStepper, Relaxation, SolveReport, Step, StepError, StepperName},
    trajectory::Trajectory,
};

/// The closed-form step under any name; as the nonlinear program it has slacks and a multiplier.
struct ClosedForm<const D: usize> {
    scenario: Scenario<D>,
    name: StepperName,
}

impl<const D: usize> PointStepper<D> for ClosedForm<D> {
    fn name(&self) -> StepperName {
        self.name
    }

    fn step(&mut self, input: &PointInput<D>) -> Result<Step<D>, StepError<D>> {
        let step = closed_form_step(&self.scenario.point(0), &input.state, &input.push, input.dt);
        let mut report = SolveReport::CLOSED_FORM;
        if self.name == StepperName::NLP {
            let lambda = step.state.velocity[0].abs() / (9.81 * input.dt);
            report.nlp = Some(Relaxation { s1: 1e-9 * (1.0 + lambda), s2: 1e-9, lambda });
        }
        Ok(Step { state: step.state, contact_impulse: step.impulse, report })
    }
}

pub fn run<const D: usize>(scenario: &Scenario<D>, name: StepperName) -> Trajectory<D> {
    simulate(scenario, &mut OnePoint(Box::new(ClosedForm { scenario: scenario.clone(), name })))
}

fn scenario<const D: usize>(
    name: &str,
    position: [f64; D],
    velocity: [f64; D],
    duration: f64,
) -> Scenario<D> {
    let mut scenario = Scenario::new(name);
    scenario.duration = duration;
    scenario.bodies[0].mass = 10.0;
    scenario.bodies[0].position = Vector::from(position);
    scenario.bodies[0].velocity = Vector::from(velocity);
    scenario.ground.friction = 0.1;
    scenario
}

/// Thrown from 1 m at 1 m/s: falls, slides, stops.
pub fn slide() -> Scenario<2> {
    scenario("slide", [0.0, 1.0], [1.0, 0.0], 1.2)
}

/// The same with a bouncy ground.
pub fn bounce() -> Scenario<2> {
    let mut scenario = scenario("bounce", [0.0, 1.0], [1.0, 0.0], 3.0);
    scenario.ground.restitution = 0.8;
    scenario
}

/// At rest under a sinusoidal push that exceeds the friction limit by turns.
pub fn stick_slip() -> Scenario<2> {
    let mut scenario = scenario("stick-slip", [0.0, 0.0], [0.0, 0.0], 2.0);
    scenario.pushes.push(Push { frequency: Some(2.0), ..Push::constant([15.0, 0.0]) });
    scenario
}

/// Thrown over a plane and pushed sideways.
pub fn spatial() -> Scenario<3> {
    let mut scenario = scenario("spatial", [0.0, 0.0, 0.5], [1.0, 0.5, 0.0], 1.5);
    scenario.pushes.push(Push { from: Some(0.4), ..Push::constant([-8.0, 4.0, 0.0]) });
    scenario
}

/// Eight trajectories of the slide with slightly different friction, under the names of eight
/// steppers, the exact one among them.
pub fn eight_steppers() -> Vec<Trajectory<2>> {
    let names = [
        StepperName::NLP,
        StepperName::NLP_SEED,
        StepperName::LCP,
        StepperName::LCP_ANITESCU,
        StepperName::CONVEX,
        StepperName::HYBRID,
        StepperName::SMOOTH,
        StepperName::EXACT,
    ];
    let names = names.into_iter().enumerate();
    names
        .map(|(k, name)| {
            let mut scenario = slide();
            scenario.ground.friction *= 1.0 + 0.02 * k as f64;
            run(&scenario, name)
        })
        .collect()
}

/// Every kind of picture of a trajectory.
pub fn pictures<const D: usize>(trajectory: &Trajectory<D>) -> Vec<(String, Figure)> {
    let name = &trajectory.scenario.name;
    vec![
        (format!("{name} history"), plot::history(trajectory)),
        (format!("{name} path"), plot::path(trajectory)),
    ]
}

/// Every kind of picture, of motions of every kind.
pub fn gallery() -> Vec<(String, Figure)> {
    let mut figures = Vec::new();
    for scenario in [slide(), bounce(), stick_slip()] {
        figures.extend(pictures(&run(&scenario, StepperName::LCP)));
    }
    figures.extend(pictures(&run(&slide(), StepperName::NLP)));
    figures.extend(pictures(&run(&spatial(), StepperName::LCP_POLYHEDRAL)));

    let eight = eight_steppers();
    let series = Series::of_steppers(&eight.iter().collect::<Vec<_>>());
    let orders = [1.0, 0.98, 1.02, -0.01].into_iter().enumerate();
    let curves: Vec<_> = orders
        .map(|(k, order)| Convergence {
            label: eight[k].stepper.to_string(),
            points: [1e-2, 5e-3, 1e-3, 5e-4].map(|dt: f64| [dt, (k + 1) as f64 * dt.powf(order)]).into(),
            order: Some(order),
        })
        .collect();
    let times: Vec<_> = series.iter().map(|one| (one.label.clone(), 3.0, one.style.colour)).collect();
    figures.extend([
        ("history overlay".into(), plot::history_overlay(&series)),
        ("path overlay".into(), plot::path_overlay(&series)),
        ("error".into(), plot::error_history(&series, &eight[7])),
        ("close-up".into(), plot::force_closeup(&series, (0.44, 0.47))),
        ("convergence".into(), plot::convergence("slide", Axis::new("error in *x*", "m"), &curves)),
        ("bars".into(), plot::bars("slide", Axis::new("time per step", "µs"), &times)),
    ]);
    figures
}

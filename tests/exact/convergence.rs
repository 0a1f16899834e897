//! `nlp` and `lcp` converge to it, order 1, where it is new: a point against a wall, a sphere with backspin.

use stickslip::{
    model::Spin,
    scenario::{Scenario, Wall},
    simulate::simulate,
    stepper::{BuildStepper, StepperName},
    trajectory::Ending,
};

use crate::support::{ball, scenario};

/// The order in the step of the largest error of the place over a run.
fn order<const D: usize>(scenario: &Scenario<D>, name: StepperName) -> f64
where
    Scenario<D>: BuildStepper<D>,
{
    let steps = [8e-3, 4e-3, 2e-3, 1e-3, 5e-4];
    let logs = steps.map(|step| {
        let scenario = Scenario { step, ..scenario.clone() };
        let [model, exact] = [name, StepperName::EXACT].map(|name| {
            let trajectory = simulate(&scenario, scenario.stepper(name).unwrap().as_mut());
            assert_eq!(trajectory.ending, Ending::Complete, "{name}");
            trajectory.bodies[0].states.clone()
        });
        let errors = model.iter().zip(&exact).map(|(model, exact)| (model.position - exact.position).amax());
        (step.ln(), errors.fold(0.0, f64::max).ln())
    });
    let n = logs.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| logs.iter().map(of).sum::<f64>() / n;
    let (x, y) = (mean(|log| log.0), mean(|log| log.1));
    let covariance: f64 = logs.iter().map(|log| (log.0 - x) * (log.1 - y)).sum();
    covariance / logs.iter().map(|log| (log.0 - x).powi(2)).sum::<f64>()
}

#[test]
fn models_converge_to_a_point_that_slides_into_a_wall() {
    let mut scenario = scenario([0.0, 0.0], [2.0, 0.0], 0.8);
    scenario.ground.friction = 0.15;
    scenario.walls = vec![Wall::new([-1.0, 0.0], -0.73)];
    scenario.duration = 0.8;
    // On the ramp behind the start it has come down.
    scenario.bodies[0].position = [-0.4, 0.3].into();
    scenario.bodies[0].velocity = [0.0, 0.0].into();
    scenario.walls.push(Wall { friction: Some(0.1), ..Wall::new([0.6, 0.8], 0.0) });
    for name in [StepperName::NLP, StepperName::LCP] {
        let order = order(&scenario, name);
        assert!(order >= 0.95, "{name}: {order}");
    }
}

#[test]
fn models_converge_to_a_sphere_with_backspin() {
    let mut body = ball(0.1, [0.0, 0.0, 0.1], [1.0, 0.4, 0.0]);
    body.spin = Spin::new(10.0, -30.0, 0.0);
    let mut scenario = Scenario::new("backspin");
    scenario.bodies = vec![body];
    scenario.ground.friction = 0.25;
    scenario.duration = 0.8;
    for name in [StepperName::NLP, StepperName::LCP] {
        let order = order(&scenario, name);
        assert!(order >= 0.95, "{name}: {order}");
    }
}

use stickslip::{
    model::Vector,
    scenario::{Body, Push, Scenario, Shape},
    simulate::simulate,
    stepper::{BuildStepper, Event, Exact},
    trajectory::{Ending, Trajectory},
};

/// 10 kg on ground with friction 0.1, as in the blog post.
pub fn scenario<const D: usize>(position: [f64; D], velocity: [f64; D], duration: f64) -> Scenario<D> {
    let mut scenario = Scenario::new("exact");
    scenario.duration = duration;
    scenario.bodies[0].mass = 10.0;
    scenario.bodies[0].position = position.into();
    scenario.bodies[0].velocity = velocity.into();
    scenario.ground.friction = 0.1;
    scenario
}

/// A ball of 2 kg.
pub fn ball<const D: usize>(radius: f64, position: [f64; D], velocity: [f64; D]) -> Body<D> {
    Body { shape: Shape::Ball { radius }, ..Body::point(2.0, position, velocity) }
}

/// The motion, and what happened to the first body.
pub fn run<const D: usize>(scenario: &Scenario<D>) -> (Trajectory<D>, Vec<Event<D>>)
where
    Scenario<D>: BuildStepper<D>,
{
    let mut exact = Exact::new(scenario).unwrap();
    let trajectory = simulate(scenario, &mut exact);
    assert_eq!(trajectory.ending, Ending::Complete, "{:?}", trajectory.first_failure);
    (trajectory, exact.events(0).to_vec())
}

/// Why a motion ends, as the step in which it does says.
pub fn end_of<const D: usize>(scenario: &Scenario<D>) -> String
where
    Scenario<D>: BuildStepper<D>,
{
    let trajectory = simulate(scenario, &mut Exact::new(scenario).unwrap());
    assert_eq!(trajectory.ending, Ending::Failed);
    trajectory.first_failure.expect("it failed").error.to_string()
}

pub fn window<const D: usize>(force: [f64; D], from: f64, to: f64) -> Push<D> {
    Push { from: Some(from), to: Some(to), ..Push::constant(force) }
}

pub fn sine<const D: usize>(force: [f64; D], frequency: f64, phase: f64) -> Push<D> {
    Push { frequency: Some(frequency), phase, ..Push::constant(force) }
}

#[track_caller]
pub fn assert_close<const D: usize>(actual: Vector<D>, expected: impl Into<Vector<D>>, tolerance: f64) {
    let expected = expected.into();
    let error = (actual - expected).amax();
    assert!(error <= tolerance, "{actual:?} differs from {expected:?} by {error:e} > {tolerance:e}");
}

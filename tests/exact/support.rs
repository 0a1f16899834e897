use stickslip::{
    model::Vector,
    scenario::{Push, Scenario},
    simulate::simulate,
    stepper::{Event, Exact, OnePoint},
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

pub fn run<const D: usize>(scenario: &Scenario<D>) -> (Trajectory<D>, Vec<Event<D>>) {
    let mut exact = Exact::new(scenario).unwrap();
    let trajectory = simulate(scenario, &mut OnePoint(&mut exact));
    assert_eq!(trajectory.ending, Ending::Complete, "{:?}", trajectory.first_failure);
    (trajectory, exact.events().to_vec())
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

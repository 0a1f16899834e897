//! Steppers may be made on one thread and used on another.

use std::thread;

use stickslip::{
    compare::{admitted, default_steppers},
    model::State,
    scenario::{Body, Ground, Push, Scenario},
    stepper::{BuildStepper, Exact, Hybrid, PointInput, PointStepper},
};

/// Holds if it compiles.
const fn is_send<T: Send + ?Sized>() {}
const _: () = {
    is_send::<dyn PointStepper<2>>();
    is_send::<dyn PointStepper<3>>();
    is_send::<Box<dyn PointStepper<2>>>();
    is_send::<Exact<3>>();
    is_send::<Hybrid<2>>();
};

/// The states of the first steps, each batch of which is taken on a thread of its own if `moving`.
fn states<const D: usize>(
    scenario: &Scenario<D>,
    mut stepper: Box<dyn PointStepper<D>>,
    moving: bool,
) -> Vec<State<D>> {
    const BATCH: usize = 7;
    let mut states = vec![scenario.initial_state(0)];
    for start in (0..scenario.time().steps).step_by(BATCH) {
        let mut batch = |stepper: &mut dyn PointStepper<D>| {
            for index in start..(start + BATCH).min(scenario.time().steps) {
                let (time, state) = (scenario.time().at(index), states[index]);
                let input =
                    PointInput { index, time, state, push: scenario.push(0, index), dt: scenario.step };
                states.push(stepper.step(&input).expect("every step is solved").state);
            }
        };
        if moving {
            stepper = thread::scope(|scope| {
                let moved = scope.spawn(|| {
                    let mut stepper = stepper;
                    batch(stepper.as_mut());
                    stepper
                });
                moved.join().expect("no step panics")
            });
        } else {
            batch(stepper.as_mut());
        }
    }
    states
}

fn check<const D: usize>(scenario: &Scenario<D>)
where
    Scenario<D>: BuildStepper<D>,
{
    let (names, _) = admitted(scenario, &default_steppers(scenario));
    assert!(names.len() >= 5);
    // A point in space has no form of its own by some of them.
    for name in names.into_iter().filter(|name| scenario.point_stepper(*name).is_ok()) {
        let stepper = || scenario.point_stepper(name).expect("the stepper admits the scenario");
        assert_eq!(states(scenario, stepper(), true), states(scenario, stepper(), false), "{name}");
    }
}

#[test]
fn every_stepper_goes_the_same_way_on_one_thread_and_on_many() {
    check(&Scenario {
        duration: 0.12,
        bodies: vec![Body::point(10.0, [0.0, 0.01], [1.0, 0.0])],
        ground: Ground { friction: 0.3, restitution: 0.0, slope: 0.0, ..Ground::default() },
        pushes: vec![Push { frequency: Some(5.0), ..Push::constant([60.0, 0.0]) }],
        ..Scenario::<2>::new("in-plane")
    });
    check(&Scenario {
        duration: 0.12,
        bodies: vec![Body::point(10.0, [0.0, 0.0, 0.01], [1.0, 0.5, 0.0])],
        ground: Ground { friction: 0.3, restitution: 0.0, slope: 0.0, ..Ground::default() },
        ..Scenario::<3>::new("over-plane")
    });
}

use stickslip::{
    compare::{BodyMode, partings},
    stepper::StepperName::{Exact, Hybrid, Smooth},
};

use crate::{compare, published, slide};

#[test]
fn first_step_beyond_the_tolerance_is_found_with_both_modes() {
    let comparison = compare(&published(slide()), &[Hybrid, Smooth, Exact]);
    let partings = partings(&comparison, 5e-3);
    let pair = |a, b| partings.iter().find(|parting| parting.steppers == [a, b]).unwrap();

    // The penalty model starts to rise towards its height of rest after the impact.
    let at = pair(Smooth, Exact).at.unwrap();
    assert!(at.time > 0.45 && at.time < 0.6, "{at:?}");
    assert_eq!(at.modes, [BodyMode::Sliding; 2]);
    assert!(at.distance > 5e-3 && at.distance < 6e-3);
    let before = |k: usize| {
        let [a, b] = [1, 2].map(|index| comparison.entries[index].trajectory.bodies[0].states[k].position);
        (a - b).norm()
    };
    assert!(before(at.step) <= 5e-3 && before(at.step + 1) > 5e-3);

    // First-order errors of 1 ms steps stay below 5 mm.
    let close = pair(Hybrid, Exact);
    assert_eq!(close.at, None);
    assert!(close.max_distance < 5e-3);
}

#[test]
fn modes_follow_the_motion() {
    let comparison = compare(&slide(), &[Exact]);
    let mode = |time: f64| BodyMode::of(comparison.entries[0].trajectory.track(0), (time * 1e3) as usize);
    assert_eq!(mode(0.2), Some(BodyMode::Flight));
    assert_eq!(mode(0.4515), Some(BodyMode::Impact));
    assert_eq!(mode(0.7), Some(BodyMode::Sliding));
    assert_eq!(mode(1.1), Some(BodyMode::Sticking));
    assert_eq!(mode(1.2), None);
}

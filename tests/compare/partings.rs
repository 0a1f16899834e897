use stickslip::{
    compare::{BodyMode, Comparison, partings},
    model::Orientation,
    scenario::{Body, Scenario, Shape},
    stepper::StepperName,
};

use crate::{compare, published, slide};

const HYBRID: StepperName = StepperName::HYBRID;
const SMOOTH: StepperName = StepperName::SMOOTH;
const EXACT: StepperName = StepperName::EXACT;

#[test]
fn first_step_beyond_the_tolerance_is_found_with_both_modes() {
    let comparison = compare(&published(slide()), &[HYBRID, SMOOTH, EXACT]);
    let partings = partings(&comparison, 5e-3);
    let pair = |a, b| partings.iter().find(|parting| parting.steppers == [a, b]).unwrap();

    // The penalty model starts to rise towards its height of rest after the impact.
    let at = pair(SMOOTH, EXACT).at.unwrap();
    assert!(at.time > 0.45 && at.time < 0.6, "{at:?}");
    assert_eq!(at.modes, [BodyMode::Sliding; 2]);
    assert!(at.distance > 5e-3 && at.distance < 6e-3);
    let before = |k: usize| {
        let [a, b] = [1, 2].map(|index| comparison.entries[index].trajectory.bodies[0].states[k].position);
        (a - b).norm()
    };
    assert!(before(at.step) <= 5e-3 && before(at.step + 1) > 5e-3);

    // First-order errors of 1 ms steps stay below 5 mm.
    let close = pair(HYBRID, EXACT);
    assert_eq!(close.at, None);
    assert!(close.max_distance < 5e-3);
}

#[test]
fn modes_follow_the_motion() {
    let comparison = compare(&slide(), &[EXACT]);
    let mode = |time: f64| BodyMode::of(comparison.entries[0].trajectory.track(0), (time * 1e3) as usize);
    assert_eq!(mode(0.2), Some(BodyMode::Flight));
    assert_eq!(mode(0.4515), Some(BodyMode::Impact));
    assert_eq!(mode(0.7), Some(BodyMode::Sliding));
    assert_eq!(mode(1.1), Some(BodyMode::Sticking));
    assert_eq!(mode(1.2), None);
}

/// A motion that is tampered with: one of two bodies is turned, and nothing is moved.
#[test]
fn the_body_that_turns_another_way_parts_with_what_it_does_in_that_step() {
    let square = |position: [f64; 2], velocity: [f64; 2]| {
        let mut body = Body::point(1.0, position, velocity);
        body.shape = Shape::Box { size: [0.2, 0.2].into() };
        body
    };
    let scenario = Scenario {
        duration: 0.2,
        bodies: vec![square([0.0, 0.1], [0.0, 0.0]), square([2.0, 0.15], [0.0, 0.0])],
        ..Scenario::new("two-boxes")
    };
    let names = [StepperName::LCP, StepperName::CONE];
    let mut comparison = compare(&scenario, &names);
    assert_eq!(comparison.refused, []);
    assert_eq!(partings(&comparison, 1e-3)[0].at, None);
    let mode = |comparison: &Comparison<2>, k| BodyMode::of(comparison.entries[1].trajectory.track(1), k);
    let lands = (0..).find(|&k| mode(&comparison, k) != mode(&comparison, k + 1)).unwrap();
    for attitude in &mut comparison.entries[1].trajectory.bodies[1].attitudes[lands + 1..] {
        if let Orientation::Angle(angle) = &mut attitude.orientation {
            *angle += 0.1;
        }
    }
    let at = partings(&comparison, 1e-3)[0].at.unwrap();
    assert_eq!((at.step, at.body), (lands, 1));
    assert_eq!(Some(at.modes[1]), mode(&comparison, lands));
    assert!(
        (at.distance - 2.0 * 0.05_f64.sin() * 0.02_f64.sqrt()).abs() < 1e-7,
        "the way of a corner: {at:?}"
    );
}

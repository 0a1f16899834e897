//! Over a plane the steppers do the same in every direction.

use stickslip::{scenario::Push, stepper::StepperName};

use crate::{point, run, with_original};

const HYBRID: StepperName = StepperName::HYBRID;
const SMOOTH: StepperName = StepperName::SMOOTH;

const MODELS: [StepperName; 2] = [HYBRID, SMOOTH];

#[test]
fn straight_motion_is_the_planar_motion_turned() {
    for name in MODELS {
        let mut in_plane = point([0.0, 0.5], [1.5, 0.0], 1.2);
        in_plane.pushes = vec![Push { to: Some(0.8), ..Push::constant([12.0, 3.0]) }];
        let mut turned = point([0.0, 0.0, 0.5], [0.9, 1.2, 0.0], 1.2);
        turned.pushes = vec![Push { to: Some(0.8), ..Push::constant([7.2, 9.6, 3.0]) }];
        let in_plane = run(&in_plane, name);
        let turned = run(&turned, name);
        for (a, b) in in_plane.bodies[0].states.iter().zip(&turned.bodies[0].states) {
            let expected = [0.6 * a.position[0], 0.8 * a.position[0], a.position[1]];
            assert!((b.position - nalgebra::Vector3::from(expected)).amax() < 1e-12, "{name}");
        }
    }
}

#[test]
fn push_from_the_side_is_held() {
    for (name, height) in [(HYBRID, 0.0), (SMOOTH, 0.0133)] {
        let mut scenario = point([0.0, 0.0, height], [0.0, 0.0, 0.0], 0.5);
        scenario.pushes = vec![Push::constant([4.0, -5.0, 0.0])];
        let end = run(&with_original(scenario), name).final_state(0);
        assert!(end.position[0].hypot(end.position[1]) < 1e-4, "{name}: {end:?}");
    }
}

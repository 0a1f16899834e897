//! The mirror image of a scenario moves as the mirror image.

use stickslip::{
    scenario::{Push, Scenario},
    stepper::StepperName::{Exact, Hybrid, Smooth},
};

use crate::{point, run};

fn mirrored(scenario: &Scenario<2>) -> Scenario<2> {
    let mut mirrored = scenario.clone();
    mirrored.particle.position[0] *= -1.0;
    mirrored.particle.velocity[0] *= -1.0;
    for push in &mut mirrored.pushes {
        push.force[0] *= -1.0;
    }
    mirrored
}

#[test]
fn left_is_as_right() {
    let mut throw = point([0.3, 0.5], [1.0, 0.2], 1.2);
    throw.ground.restitution = 0.4;
    throw.pushes = vec![
        Push { frequency: Some(2.0), phase: 0.3, ..Push::constant([14.0, 5.0]) },
        Push { from: Some(0.2), to: Some(0.7), ..Push::constant([-9.0, 0.0]) },
    ];
    for name in [Exact, Hybrid, Smooth] {
        let right = run(&throw, name);
        let left = run(&mirrored(&throw), name);
        for (right, left) in right.states.iter().zip(&left.states) {
            assert!((right.position[0] + left.position[0]).abs() <= 1e-12, "{name}");
            assert!((right.velocity[0] + left.velocity[0]).abs() <= 1e-12, "{name}");
            assert_eq!(right.position[1], left.position[1], "{name}");
        }
    }
}

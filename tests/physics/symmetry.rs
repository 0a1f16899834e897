//! Left and right are alike.

use stickslip::scenario::Push;

use crate::{RIGID, point, run};

#[test]
fn mirrored_scenarios_have_mirrored_trajectories() {
    for &name in RIGID {
        let mirrored = |sign: f64| {
            let mut scenario = point([0.3 * sign, 0.05], [1.5 * sign, 0.0], 0.8);
            scenario.pushes.push(Push { frequency: Some(3.0), ..Push::constant([15.0 * sign, 0.0]) });
            run(&scenario, name)
        };
        let (right, left) = (mirrored(1.0), mirrored(-1.0));
        for (k, (a, b)) in right.bodies[0].states.iter().zip(&left.bodies[0].states).enumerate() {
            let off = (a.position[0] + b.position[0]).abs().max((a.position[1] - b.position[1]).abs());
            assert!(off <= 1e-12, "{name}: step {k} is off by {off}");
        }
    }
}

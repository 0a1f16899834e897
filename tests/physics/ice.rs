//! Without friction nothing slows the point.

use crate::{RIGID, assert_close, point, run};

#[test]
fn on_ice_the_point_glides_on() {
    for &name in RIGID {
        let mut scenario = point([0.0, 0.1], [2.0, 0.0], 1.0);
        scenario.ground.friction = 0.0;
        let trajectory = run(&scenario, name);
        assert_close(trajectory.final_state(0).position[0], 2.0, 1e-6, "x");
        assert!(
            trajectory.bodies[0].steps.iter().all(|step| step.force[0].abs() <= 1e-6),
            "{name} feels friction"
        );
    }
}

#[test]
fn without_gravity_the_point_keeps_its_velocity() {
    for &name in RIGID {
        let mut scenario = point([0.0, 0.1], [2.0, 0.5], 1.0);
        scenario.gravity = 0.0;
        let state = run(&scenario, name).final_state(0);
        assert_close(state.position[0], 2.0, 1e-5, "x");
        assert_close(state.position[1], 0.6, 1e-5, "z");
    }
}

//! On a slope the point holds up to the angle of friction and slides beyond it.

use crate::{GRAVITY, RIGID, assert_close, point, run};

#[test]
fn below_the_angle_of_friction_the_point_holds() {
    for &name in RIGID {
        let mut scenario = point([0.0, 0.0], [0.0, 0.0], 1.0);
        scenario.ground.friction = 0.5;
        scenario.ground.slope = 20.0;
        let state = run(&scenario, name).final_state(0);
        assert!(state.position.norm() <= 1e-8, "{name} moved to {:?}", state.position);
    }
}

#[test]
fn beyond_the_angle_of_friction_the_point_slides_down() {
    for &name in RIGID {
        let mut scenario = point([0.0, 0.0], [0.0, 0.0], 1.0);
        scenario.ground.friction = 0.5;
        scenario.ground.slope = 30.0;
        let (sin, cos) = 30_f64.to_radians().sin_cos();
        let expected = 0.5 * GRAVITY * (sin - 0.5 * cos);
        let state = run(&scenario, name).final_state(0);
        assert_close(state.position[0], expected, 0.75e-3 * 1.4, "x");
    }
}

//! A cube that tips over its edge while it slides, and one released on its edge.

use stickslip::world::{Impacts, spatial::Pose};

use crate::stepping::{HALF, Model, cone, cube, cube_on_edge, lcp4, nlp, on_ground, resting_cube, run, tilt};

/// Largest tilt in degrees within 0.2 s of a cube that slides at 1 m/s.
fn largest_tilt(model: Model, friction: f64) -> f64 {
    let scene = on_ground(resting_cube([1.0, 0.0, 0.0], [0.0; 3]), friction);
    let motions = run(&scene, model, Impacts::OneStage, 1e-4, 2000);
    motions.iter().map(|motion| tilt(&motion.poses[0])).fold(0.0, f64::max)
}

/// A sliding cube tips where friction is more than 1, its width over its height.
#[test]
fn a_sliding_cube_tips_where_friction_is_more_than_its_width_over_its_height() {
    for (friction, expected) in [(0.95, 0.0), (0.99, 0.0), (1.01, 0.994), (1.05, 4.359), (1.2, 12.609)] {
        let tilt = largest_tilt(lcp4(), friction);
        assert!((tilt - expected).abs() < 6e-4, "{friction}: {tilt}");
    }
    for (name, model) in [("nlp", nlp as fn() -> Model), ("cone", cone)] {
        for (friction, expected) in [(0.99, 0.0), (1.05, 4.359)] {
            let tilt = largest_tilt(model(), friction);
            assert!((tilt - expected).abs() < 1e-3, "{name} {friction}: {tilt}");
        }
    }
}

/// Released on an edge, the cube falls to the side that it leans to.
#[test]
fn a_cube_released_on_its_edge_falls_to_the_side_it_leans_to() {
    for (name, model) in [("lcp4", lcp4 as fn() -> Model), ("nlp", nlp), ("cone", cone)] {
        for (angle, expected) in [(44.9_f64, 0.0), (45.1, 90.0)] {
            let scene = on_ground(cube_on_edge(angle.to_radians()), 0.8);
            let motions = run(&scene, model(), Impacts::OneStage, 1e-3, 2000);
            let turned = motions[2000].poses[0].orientation.angle().to_degrees();
            assert!((turned - expected).abs() < 1e-2, "{name} {angle}: {turned}");
        }
    }
}

/// A cube that lands flat stays flat, in whatever part of a step, where the whole impulse does not tip it; friction on a part
/// of it would.
#[test]
fn a_cube_that_lands_flat_stays_flat() {
    let (dt, fall) = (1e-3, 3.0);
    for (name, model) in [("lcp4", lcp4 as fn() -> Model), ("nlp", nlp), ("cone", cone)] {
        for phase in 0..12 {
            let height = HALF + (1.0 + f64::from(phase) / 12.0) * dt * fall;
            let pose = Pose::upright(0.0, 0.0, height);
            let scene = on_ground(cube(pose, [-1.0, 0.0, -fall], [0.0; 3]), 1.2);
            let motions = run(&scene, model(), Impacts::OneStage, dt, 30);
            let turned = motions.iter().map(|motion| tilt(&motion.poses[0])).fold(0.0, f64::max);
            assert!(turned < 1e-4, "{name}, phase {phase}/12: {turned} degrees");
        }
    }
}

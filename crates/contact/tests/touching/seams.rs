//! Bodies that lie side by side without a step carry what slides and rolls over them as one body does.

use nalgebra::{UnitQuaternion, Vector3};
use proptest::prelude::*;
use stickslip_contact::world::{Surface, planar, spatial::Twist};

use crate::scenes::{
    MODELS, MODELS_IN_SPACE, cuboid, disc, fixed, in_space, moving, rectangle, run, scene, solid, sphere,
    tiles,
};

/// Speeds in m/s and steps in s.
const SPEEDS: [f64; 3] = [0.1, 3.0, 30.0];
const STEPS: [f64; 3] = [1e-4, 1e-3, 5e-3];

fn crate_at(x: f64, speed: f64) -> planar::Body {
    moving(rectangle(0.3, 0.2), [x, 1.1, 0.0], [speed, 0.0, 0.0])
}

/// Where a point is that friction slows down, step by step.
fn slid(x: f64, mut speed: f64, slowing: f64, dt: f64, steps: usize) -> f64 {
    (0..steps).fold(x, |x, _| {
        speed = (speed - slowing * dt).max(0.0);
        x + speed * dt
    })
}

/// 108 ways to cross seams: wrong in none.
#[test]
fn a_crate_slides_over_flush_boxes_as_over_one() {
    for (name, model) in MODELS {
        // The interior point takes longer, and sees the same contacts.
        let phases = if name == "lcp" { 6 } else { 1 };
        for (speed, dt, phase) in SPEEDS.into_iter().flat_map(|speed| {
            STEPS.into_iter().flat_map(move |dt| (0..phases).map(move |phase| (speed, dt, phase)))
        }) {
            // Over one seam at least, and up to the last box at most.
            let steps = ((0.3_f64).max(speed.min(6.0) / 3.0) / speed / dt) as usize;
            for friction in [0.0, 0.2] {
                let start = 0.33 + f64::from(phase) / 6.0 * speed * dt;
                let mut bodies = tiles();
                bodies.push(crate_at(start, speed));
                let run = run(&scene(bodies, Surface::new(friction, 0.0), 9.81), model(), dt, steps);
                let end = run.end().poses.last().unwrap();
                let expected = slid(start, speed, friction * 9.81, dt, steps);
                let case = format!("{name}, {speed} m/s, {dt} s, mu {friction}, {phase}");
                assert!(
                    (end.position.x - expected).abs() < 1e-6,
                    "{case}: {} for {expected}",
                    end.position.x
                );
                assert!((end.position.y - 1.1).abs() < 1e-8, "{case}: {}", end.position.y);
                assert!(end.angle.abs() < 1e-9, "{case}: {}", end.angle);
                assert!(run.extra_solves() <= 0.2, "{case}: {}", run.extra_solves());
                assert_eq!(run.uncertified(), [], "{case}");
            }
        }
    }
}

/// A crate that falls on flush boxes, tilted, comes to lie as on one.
#[test]
fn a_crate_that_falls_tilted_on_flush_boxes_lands_as_on_one() {
    for (name, model) in MODELS {
        for angle in (0..10).map(|i| 0.05 + 0.14 * f64::from(i)) {
            let falling = || moving(rectangle(0.3, 0.2), [3.5, 1.3, angle], [0.0; 3]);
            let mut tiled = tiles();
            tiled.push(falling());
            let single = vec![fixed(rectangle(9.0, 1.0), [4.0, 0.5, 0.0]), falling()];
            let ends = [tiled, single].map(|bodies| {
                let run = run(&scene(bodies, Surface::new(0.1, 0.0), 9.81), model(), 1e-3, 1500);
                assert_eq!(run.uncertified(), [], "{name}, {angle}");
                *run.end().poses.last().unwrap()
            });
            let apart = (ends[0].position - ends[1].position).norm();
            assert!(apart < 2e-4, "{name}, {angle}: {apart:e} m");
            assert!((ends[0].position.y - ends[1].position.y).abs() < 1e-8, "{name}, {angle}: {ends:?}");
        }
    }
}

#[test]
fn a_disc_rolls_over_seams_without_a_hop() {
    for (name, model) in MODELS {
        for dt in [1e-4, 1e-3, 5e-3] {
            let mut bodies = tiles();
            bodies.push(moving(disc(0.1), [0.4, 1.1, 0.0], [3.0, 0.0, -30.0]));
            let run =
                run(&scene(bodies, Surface::new(0.5, 0.0), 9.81), model(), dt, (0.5 / dt).round() as usize);
            let hop =
                run.motions.iter().map(|motion| (motion.poses[9].position.y - 1.1).abs()).fold(0.0, f64::max);
            let x = run.end().poses[9].position.x;
            assert!((x - 1.9).abs() < 1e-6, "{name}, {dt}: {x}");
            assert!(hop < 1e-6, "{name}, {dt}: {hop:e}");
        }
    }
}

#[test]
fn a_step_that_stands_up_stops_what_slides_against_it() {
    // A crate with its nose 10 mm before a step of this height, and its velocity after 6 ms.
    let cases = [
        (1e-3, [0.6783, 1.0111, -6.8101]),
        (1e-4, [0.6878, 1.0161, -6.8446]),
        (1e-6, [0.6889, 1.0167, -6.8484]),
        (1e-7, [3.0, 0.0, 0.0]),
    ];
    for (height, expected) in cases {
        let bodies = vec![
            fixed(rectangle(1.0, 1.0), [0.0, 0.5, 0.0]),
            fixed(rectangle(1.0, 1.0 + 2.0 * height), [1.0, 0.5, 0.0]),
            crate_at(0.34, 3.0),
        ];
        let run = run(&scene(bodies, Surface::new(0.0, 0.0), 9.81), MODELS[0].1(), 1e-3, 6);
        let velocity = run.end().velocities[2];
        for (own, expected) in velocity.iter().zip(expected) {
            assert!((own - expected).abs() < 2e-4, "{height}: {velocity:?}");
        }
    }
}

#[test]
fn boxes_and_balls_cross_seams_in_space() {
    for (name, model) in MODELS_IN_SPACE {
        let yaws = [0.0, 0.3, 0.25 * std::f64::consts::PI];
        let cases = yaws.into_iter().flat_map(|yaw| {
            [(3.0, 1e-3), (3.0, 5e-3), (30.0, 1e-3), (30.0, 5e-3)].map(|(speed, dt)| (speed, dt, yaw))
        });
        for (speed, dt, yaw) in cases {
            let steps = (200.0_f64).min(7.0 / (speed * dt)) as usize;
            let tile = |i: i32| solid(cuboid([1.0; 3]), 1.0, [f64::from(i), 0.0, 0.5], [0.0; 3], true);
            let mut bodies: Vec<_> = (0..9).map(tile).collect();
            let mut sliding = solid(cuboid([0.3, 0.3, 0.2]), 1.0, [0.1, 0.0, 1.1], [speed, 0.0, 0.0], false);
            sliding.pose.orientation = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), yaw);
            bodies.push(sliding);
            let run = run(&in_space(bodies, Surface::new(0.0, 0.0), 9.81), model(), dt, steps);
            let end = run.end().poses.last().unwrap();
            let case = format!("{name}, {speed}, {dt}, {yaw}");
            let expected = 0.1 + speed * dt * steps as f64;
            assert!(
                (end.position - Vector3::new(expected, 0.0, 1.1)).amax() < 1e-6,
                "{case}: {}",
                end.position
            );
            assert!(run.extra_solves() < 0.2, "{case}: {}", run.extra_solves());
            assert_eq!(run.uncertified(), [], "{case}");
        }
        let tile = |i: i32| solid(cuboid([1.0; 3]), 1.0, [f64::from(i), 0.0, 0.5], [0.0; 3], true);
        let mut bodies: Vec<_> = (0..9).map(tile).collect();
        let mut ball = solid(sphere(0.1), 1.0, [0.0, 0.0, 1.1], [3.0, 0.0, 0.0], false);
        ball.twist = Twist::new(3.0, 0.0, 0.0, 0.0, 30.0, 0.0);
        bodies.push(ball);
        let run = run(&in_space(bodies, Surface::new(0.5, 0.0), 9.81), model(), 1e-3, 2000);
        let end = run.end().poses.last().unwrap().position;
        assert!((end - Vector3::new(6.0, 0.0, 1.1)).amax() < 1e-6, "{name}: {end}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    /// Flush boxes of any widths are one long box.
    #[test]
    fn any_tiling_of_a_floor_is_one_floor(
        widths in prop::collection::vec(0.05_f64..0.6, 3..8),
        (speed, turn, friction) in (-4.0_f64..4.0, -6.0_f64..6.0, 0.0_f64..0.6),
        is_disc in any::<bool>(),
    ) {
        let whole: f64 = widths.iter().sum();
        let sliding = || {
            let shape = if is_disc { disc(0.1) } else { rectangle(0.3, 0.2) };
            moving(shape, [0.5 * whole, 0.6, 0.0], [speed, 0.0, if is_disc { turn } else { 0.0 }])
        };
        let surface = Surface::new(friction, 0.0);
        let mut left = 0.0;
        let mut tiled: Vec<_> = widths.iter().map(|width| {
            left += width;
            fixed(rectangle(*width, 0.5), [left - 0.5 * width, 0.25, 0.0])
        }).collect();
        tiled.push(sliding());
        let single = vec![fixed(rectangle(whole, 0.5), [0.5 * whole, 0.25, 0.0]), sliding()];
        // Up to where it gets near an end.
        let steps = ((0.5 * whole - 0.35).max(0.0) / speed.abs().max(0.1) / 1e-3).min(300.0) as usize;
        prop_assume!(steps > 10);
        let tiled = run(&scene(tiled, surface, 9.81), MODELS[0].1(), 1e-3, steps);
        let single = run(&scene(single, surface, 9.81), MODELS[0].1(), 1e-3, steps);
        for (own, other) in tiled.motions.iter().zip(&single.motions) {
            let (own, other) = (own.poses.last().unwrap(), other.poses.last().unwrap());
            prop_assert!((own.position - other.position).amax() < 1e-6, "{:?} {:?}", own, other);
            // By how far its surface is turned.
            prop_assert!((own.angle - other.angle).abs() * 0.1 < 1e-6, "{} {}", own.angle, other.angle);
        }
        prop_assert_eq!(tiled.uncertified(), []);
    }
}

//! What passes beside something is left alone.

use nalgebra::Vector2;
use proptest::prelude::*;
use stickslip_contact::world::Surface;

use crate::scenes::{
    MODELS, MODELS_IN_SPACE, disc, fixed, in_space, moving, rectangle, run, scene, solid, sphere,
};

#[test]
fn balls_that_pass_with_air_between_do_not_touch() {
    for (name, model) in MODELS_IN_SPACE {
        let bodies = vec![
            solid(sphere(0.028575), 0.17, [-0.4, 0.05765, 1.0], [8.0, 0.0, 0.0], false),
            solid(sphere(0.028575), 0.17, [0.0, 0.0, 1.0], [0.0; 3], false),
        ];
        let run = run(&in_space(bodies, Surface::new(0.06, 0.95), 0.0), model(), 1e-3, 100);
        let [first, second] = [0, 1].map(|body| run.end().velocities[body]);
        assert_eq!((first.x, first.y, second.amax()), (8.0, 0.0, 0.0), "{name}");
        assert_eq!(run.extra_solves(), 0.0, "{name}");
    }
}

/// 120 near misses: no force in any.
#[test]
fn balls_that_pass_with_any_air_at_any_phase_do_not_touch() {
    let (radius, speed) = (0.028575, 8.0);
    for (name, model) in MODELS_IN_SPACE {
        for air in [1e-3, 1e-4, 1e-5, 1e-6] {
            for dt in [1e-4, 1e-3, 5e-3] {
                for phase in (0..10).map(|i| f64::from(i) / 10.0) {
                    let start = -0.1 - phase * speed * dt;
                    let bodies = vec![
                        solid(
                            sphere(radius),
                            0.17,
                            [start, 2.0 * radius + air, 1.0],
                            [speed, 0.0, 0.0],
                            false,
                        ),
                        solid(sphere(radius), 0.17, [0.0, 0.0, 1.0], [0.0; 3], false),
                    ];
                    let steps = (0.03 / dt) as usize;
                    let run = run(&in_space(bodies, Surface::new(0.06, 0.95), 0.0), model(), dt, steps);
                    let [first, second] = [0, 1].map(|body| run.end().velocities[body]);
                    let case = format!("{name}, {air} m, {dt} s, {phase}");
                    let least = 1e-14 * speed;
                    assert!((first.x - speed).abs() < least && first.y.abs() < least, "{case}: {first}");
                    assert!(second.amax() < least, "{case}: {second}");
                    assert_eq!(run.extra_solves(), 0.0, "{case}");
                    assert_eq!(run.uncertified(), [], "{case}");
                }
            }
        }
    }
}

#[test]
fn a_ball_falls_straight_beside_a_wall() {
    for (name, model) in MODELS {
        for dt in [1e-3, 2e-3, 5e-3, 1.0 / 60.0] {
            for phase in 0..12 {
                let height = 1.0 + f64::from(phase) * 0.003;
                let bodies = vec![
                    fixed(rectangle(0.05, 0.4), [0.039, 0.4, 0.0]),
                    moving(disc(0.0135), [0.0, height, 0.0], [0.0; 3]),
                ];
                let run = run(&scene(bodies, Surface::new(0.3, 0.9), 9.81), model(), dt, (0.4 / dt) as usize);
                let end = run.end();
                assert_eq!(
                    (end.velocities[1].x, end.poses[1].position.x),
                    (0.0, 0.0),
                    "{name}, {dt}, {phase}"
                );
            }
        }
    }
}

#[test]
fn a_rod_that_turns_over_the_ground_with_air_under_it_feels_nothing() {
    let rod = stickslip_contact::world::planar::Shape::rod(0.12).unwrap();
    for (name, model) in MODELS {
        for air in [3e-4, 1e-4, 1e-5] {
            let bodies = vec![moving(rod.clone(), [0.0, 0.06 + air, 0.3], [0.0, 0.0, 130.0])];
            let run = run(&scene(bodies, Surface::new(0.3, 0.0), 0.0), model(), 1e-3, 40);
            let end = run.end().velocities[0];
            assert!(end.xy().amax() < 1e-15 && (end.z - 130.0).abs() < 1e-12, "{name}, {air}: {end}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    /// Discs and boxes that pass each other with some air are left alone, whatever the direction, speed and step.
    #[test]
    fn any_near_miss_leaves_both_untouched(
        direction in 0.0..std::f64::consts::TAU,
        (speed, air, phase) in (0.5_f64..40.0, -6.0_f64..-2.5, 0.0_f64..1.0),
        dt in prop::sample::select(vec![1e-3, 5e-3, 2e-4]),
        box_at in prop::option::of(0.0..std::f64::consts::TAU),
    ) {
        let air = 10_f64.powf(air);
        let (along, across) = (
            Vector2::new(direction.cos(), direction.sin()), Vector2::new(-direction.sin(), direction.cos()));
        let radius = 0.05;
        // The shape that is passed reaches this far across the way.
        let (still, reach) = match box_at {
            None => (disc(0.04), 0.04),
            Some(angle) => {
                let corners = [(-0.05, -0.03), (0.05, -0.03), (0.05, 0.03), (-0.05, 0.03)];
                let turned = |(x, z): (f64, f64)| {
                    Vector2::new(angle.cos() * x - angle.sin() * z, angle.sin() * x + angle.cos() * z)
                };
                (rectangle(0.1, 0.06), corners.into_iter().map(|c| turned(c).dot(&across)).fold(0.0, f64::max))
            }
        };
        let centre = Vector2::new(3.0, 5.0);
        let start: Vector2<f64> = centre + across * (reach + radius + air) - along * (0.2 + phase * speed * dt);
        let bodies = vec![
            moving(disc(radius), [start.x, start.y, 0.0], [along.x * speed, along.y * speed, 0.0]),
            moving(still, [centre.x, centre.y, box_at.unwrap_or(0.0)], [0.0; 3]),
        ];
        let steps = (0.4 / speed / dt).ceil() as usize + 2;
        let run = run(&scene(bodies, Surface::new(0.3, 0.5), 0.0), MODELS[0].1(), dt, steps);
        prop_assert!(run.end().velocities[1].amax() < 1e-14 * speed, "{:?}", run.end().velocities);
        prop_assert!((run.end().velocities[0].xy() - along * speed).amax() < 1e-14 * speed);
    }
}

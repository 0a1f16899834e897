//! Rods that strike the ground, by themselves and in a double pendulum.

use nalgebra::{Vector2, Vector3};
use stickslip_contact::{
    contact::{Friction, LawSolved},
    world::{Anchor, Impacts, Joint, Surface, planar},
};

use crate::scenes::{body, energy, models, plane, step};

/// A rod of 1 m and 1 kg whose lower end touches the ground.
fn rod(angle: f64, velocity: [f64; 2], surface: Surface) -> planar::Scene {
    let shape = planar::Shape::rod(1.0).expect("a rod");
    let twist = [velocity[0], velocity[1], 0.0];
    plane(vec![body(shape, [0.0, 0.5 * angle.sin(), angle], twist)], surface)
}

#[test]
fn the_impulse_of_a_rod_is_that_of_the_law() {
    let eighth = std::f64::consts::FRAC_PI_4;
    let cases = [
        (0.7, [1.0, -2.0], 0.3, 0.0, [0.686918, -0.072775]),
        (0.7, [1.0, -2.0], 0.3, 0.5, [1.059320, 0.038945]),
        (0.7, [1.0, -2.0], 0.3, 1.0, [1.431721, 0.150666]),
        (eighth, [0.3, -1.0], 0.3, 0.5, [0.648401, 0.114520]),
        (eighth, [0.3, -1.0], 0.8, 0.5, [0.773411, 0.344047]),
        (eighth, [2.0, -1.0], 0.3, 0.5, [0.508475, -0.152542]),
        (1.1, [-1.0, -0.5], 2.0, 0.5, [1.069730, 0.679124]),
        (1.1, [-1.0, -1e-6], 2.0, 0.0, [0.303186, 0.404312]),
    ];
    for (angle, velocity, mu, e, expected) in cases {
        for (name, model) in models() {
            let stepped = step(&rod(angle, velocity, Surface::new(mu, e)), model(), Impacts::Incremental);
            let off = (stepped.impulse() - Vector2::from(expected)).amax();
            assert!(off < 1e-5, "{name}, {angle} {velocity:?} {mu} {e}: {}", stepped.impulse());
            assert_eq!((stepped.impact().rounds, stepped.impact().is_ended), (1, true), "{name}");
        }
    }
}

/// Newton's law at 45 degrees, where it slips back, sticks or slides on, and where bodies jam (Painleve), also without any
/// closing speed.
#[test]
fn the_impulse_of_a_rod_by_newtons_law() {
    let eighth = std::f64::consts::FRAC_PI_4;
    let cases = [
        (eighth, [0.3, -1.0], 0.3, 0.5, [0.731707, 0.219512]),
        (eighth, [0.3, -1.0], 0.8, 0.5, [0.825, 0.375]),
        (eighth, [2.0, -1.0], 0.3, 0.5, [0.508475, -0.152542]),
        (1.1, [-1.0, -0.5], 2.0, 0.5, [0.937452, 0.631702]),
        (1.1, [-1.0, -1e-6], 2.0, 0.0, [0.303186, 0.404312]),
    ];
    for (angle, velocity, mu, e, expected) in cases {
        for (name, model) in models() {
            let stepped = step(&rod(angle, velocity, Surface::new(mu, e)), model(), Impacts::OneStage);
            let off = (stepped.impulse() - Vector2::from(expected)).amax();
            assert!(off < 1e-5, "{name}, {angle} {velocity:?} {mu} {e}: {}", stepped.impulse());
        }
    }
}

/// What slides has the coefficient of motion, sticks by that at rest where it stops, and slips back by that of motion.
#[test]
fn the_impulse_of_a_rod_whose_friction_differs_at_rest() {
    let eighth = std::f64::consts::FRAC_PI_4;
    let cases = [
        (0.7, [1.0, -2.0], [0.7, 0.3], 0.0, [0.752981, 0.050350]),
        (0.7, [1.0, -2.0], [0.7, 0.3], 0.5, [1.182727, 0.333302]),
        (0.7, [1.0, -2.0], [0.7, 0.3], 1.0, [1.612473, 0.616254]),
        (0.7, [1.0, -2.0], [0.5, 0.2], 0.5, [1.055476, 0.003540]),
        (eighth, [0.3, -1.0], [0.7, 0.2], 0.5, [0.776852, 0.346111]),
        (1.1, [-1.0, -0.5], [2.5, 2.0], 0.5, [1.069730, 0.679124]),
    ];
    for (angle, velocity, [held, sliding], e, expected) in cases {
        let friction = Friction::static_and_kinetic(held, sliding);
        let surface = Surface { friction, restitution: e, ..Surface::default() };
        for (name, model) in models() {
            let stepped = step(&rod(angle, velocity, surface), model(), Impacts::Incremental);
            let off = (stepped.impulse() - Vector2::from(expected)).amax();
            assert!(off < 1e-5, "{name}, {angle} {velocity:?} {held} {sliding} {e}: {}", stepped.impulse());
        }
    }
}

#[test]
fn newtons_law_is_kept_until_it_makes_energy_and_reduced_from_there_on() {
    let cases = [
        (0.0, [0.752981, 0.050350], 1.0),
        (0.5, [1.297859, 0.389358], 1.0),
        (1.0, [1.642432, 0.492729], 0.898240),
    ];
    for (e, expected, share) in cases {
        for (name, model) in models() {
            let scene = rod(0.7, [1.0, -2.0], Surface::new(0.3, e));
            let stepped = step(&scene, model(), Impacts::OneStage);
            assert!(
                (stepped.impulse() - Vector2::from(expected)).amax() < 1e-5,
                "{name}, {e}: {}",
                stepped.impulse()
            );
            assert!((stepped.impact().share - share).abs() < 1e-5, "{name}, {e}: {}", stepped.impact().share);
            let law = if share < 1.0 { LawSolved::Capped } else { LawSolved::Own };
            assert_eq!(stepped.report.law, law, "{name}, {e}");
            let gained = energy(&scene, &stepped.motion.velocities) - 2.5;
            assert!(gained < 1e-7 && (share == 1.0 || gained > -1e-6), "{name}, {e}: {gained}");
        }
    }
}

#[test]
fn the_rod_of_friction_and_energy() {
    let scene = rod(0.7, [0.5, -1.0], Surface::new(0.5, 1.0));
    for (name, model) in models() {
        let followed = step(&scene, model(), Impacts::Incremental);
        let end = Vector3::new(0.680988, -0.253513, -2.726097);
        assert!(
            (followed.motion.velocities[0] - end).amax() < 1e-5,
            "{name}: {}",
            followed.motion.velocities[0]
        );
        assert!((energy(&scene, &followed.motion.velocities) - 0.573657).abs() < 1e-6, "{name}");
        let capped = step(&scene, model(), Impacts::OneStage);
        let end = Vector3::new(0.822736, -0.171575, -2.554216);
        assert!((capped.motion.velocities[0] - end).amax() < 1e-5, "{name}: {}", capped.motion.velocities[0]);
        assert!((capped.impact().share - 0.805211).abs() < 1e-5, "{name}: {}", capped.impact().share);
        assert!((energy(&scene, &capped.motion.velocities) - 0.625).abs() < 1e-7, "{name}");
    }
}

/// Two uniform rods of 1 m and 1 kg, 20 and 30 degrees from hanging, whose end touches the ground and closes (Kane).
fn double_pendulum(restitution: f64) -> planar::Scene {
    let shape = || planar::Shape::rod(1.0).expect("a rod");
    let angles = [20.0_f64, 30.0].map(f64::to_radians);
    let along = angles.map(|angle| Vector2::new(angle.sin(), -angle.cos()));
    let across = angles.map(|angle| Vector2::new(angle.cos(), angle.sin()));
    let rates = [-0.1, -0.2];
    let pivot = Vector2::new(0.0, angles[0].cos() + angles[1].cos());
    let places = [pivot + along[0] * 0.5, pivot + along[0] + along[1] * 0.5];
    let speeds = [across[0] * (0.5 * rates[0]), across[0] * rates[0] + across[1] * (0.5 * rates[1])];
    let rod = |i: usize| {
        let turned = angles[i] - std::f64::consts::FRAC_PI_2;
        body(shape(), [places[i].x, places[i].y, turned], [speeds[i].x, speeds[i].y, rates[i]])
    };
    let mut scene = plane(vec![rod(0), rod(1)], Surface::new(0.5, restitution));
    let end = |body, x| Anchor::on(body, Vector2::new(x, 0.0));
    scene.joints =
        vec![Joint::pin([Anchor::in_world(pivot), end(0, -0.5)]), Joint::pin([end(0, 0.5), end(1, -0.5)])];
    scene
}

#[test]
fn kanes_double_pendulum_gains_nothing() {
    for (e, share, followed) in [(0.5, 0.793677, 0.553188), (1.0, 0.396839, 0.690786)] {
        for (name, model) in models() {
            let scene = double_pendulum(e);
            let start: Vec<_> = scene.bodies.iter().map(|body| body.twist).collect();
            let before = energy(&scene, &start);
            let ratio = |velocities: &[_]| energy(&scene, velocities) / before;
            let capped = step(&scene, model(), Impacts::OneStage);
            assert!((capped.impact().share - share).abs() < 1e-5, "{name}, {e}: {:?}", capped.impact());
            assert!((ratio(&capped.motion.velocities) - 1.0).abs() < 1e-6, "{name}, {e}");
            let own = step(&scene, model(), Impacts::Incremental);
            assert!(
                (ratio(&own.motion.velocities) - followed).abs() < 1e-5,
                "{name}, {e}: {}",
                ratio(&own.motion.velocities)
            );
            if e == 0.5 {
                let rates = [own.motion.velocities[0][2], own.motion.velocities[1][2]];
                let off = (rates[0] + 0.198932).abs().max((rates[1] - 0.223137).abs());
                assert!(off < 1e-5, "{name}: {rates:?}");
            }
        }
    }
}

/// A rod that falls past the ground's level misses by the order of a step what one that touches at the start does.
#[test]
fn the_phase_of_the_impact_in_its_step_makes_no_difference() {
    for (name, model) in models() {
        for phase in 0..8 {
            let mut scene = rod(0.7, [1.0, -2.0], Surface::new(0.3, 0.5));
            scene.bodies[0].pose.position.y += 2e-3 * f64::from(phase) / 8.0;
            let stepped = step(&scene, model(), Impacts::Incremental);
            let off = (stepped.impulse() - Vector2::new(1.059320, 0.038945)).amax();
            assert!(off < 1e-5, "{name}, {phase}: {}", stepped.impulse());
        }
    }
}

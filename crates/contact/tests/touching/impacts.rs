//! What is hit is hit with the normal of where it touches.

use nalgebra::{SVector, UnitQuaternion, Vector2, Vector3};
use stickslip_contact::world::{Impacts, Motion, Plane, Surface, TimeStepper, planar, spatial};

use crate::scenes::{
    MODELS, MODELS_IN_SPACE, Model, cuboid, disc, in_space, moving, run, scene, solid, sphere,
};

#[test]
fn a_cut_shot_throws_the_object_ball_by_the_angle_of_friction() {
    for (name, model) in MODELS_IN_SPACE {
        for (dt, phases) in [(1e-3, 8), (1e-4, 3)] {
            for phase in 0..phases {
                let back = 2.0 * dt * f64::from(phase) / f64::from(phases);
                let bodies = vec![
                    solid(
                        sphere(0.028575),
                        0.17,
                        [-0.249_493_351_826_280_68 - back, -0.028575, 1.0],
                        [2.0, 0.0, 0.0],
                        false,
                    ),
                    solid(sphere(0.028575), 0.17, [0.0, 0.0, 1.0], [0.0; 3], false),
                ];
                let run =
                    run(&in_space(bodies, Surface::new(0.06, 0.95), 0.0), model(), dt, (0.15 / dt) as usize);
                let v = run.end().velocities[1];
                let (angle, speed) = (v.y.atan2(v.x).to_degrees(), v.x.hypot(v.y));
                assert!((angle - 26.566).abs() < 1e-2, "{name}, {dt}, {phase}: {angle}");
                assert!((speed - 1.691_79).abs() < 2e-4, "{name}, {dt}, {phase}: {speed}");
            }
        }
    }
}

/// Discs in a row, at these places and of these masses, of which the first one goes at 1 m/s, before a wall at 1 m; the motion
/// after a step of 1 ms, and the largest bias of the impact. The last one spins, by which the wall is within its reach.
fn row_before_wall(
    discs: &[[f64; 2]],
    model: Model<2, 3>,
    impacts: Impacts,
) -> (Motion<planar::Pose, 3>, f64) {
    let body = |(index, &[x, mass]): (usize, &[f64; 2])| {
        let speed = if index == 0 { 1.0 } else { 0.0 };
        let spin = if index + 1 == discs.len() { 100.0 } else { 0.0 };
        planar::Body { mass, ..moving(disc(0.1), [x, 5.0, 0.0], [speed, 0.0, spin]) }
    };
    let bodies = discs.iter().enumerate().map(body).collect();
    let mut scene = scene(bodies, Surface::new(0.0, 1.0), 0.0);
    scene.walls.push(Plane { normal: Vector2::new(-1.0, 0.0), offset: -1.0, velocity: Vector2::zeros() });
    let mut motion = scene.initial_motion();
    let mut stepper = TimeStepper::new(model(), impacts);
    let forces = vec![SVector::zeros(); discs.len()];
    stepper.step(&scene, &mut motion, &forces, 1e-3).expect("a blow");
    let biases = stepper.problem().contact.contacts.iter().map(|contact| contact.bias);
    (motion, biases.fold(0.0, f64::max))
}

/// What a blow throws across a gap is left out of the impact by a bias, and tolerances go by the largest velocity of a problem: at
/// the wall that is the 10 m/s of the spin.
#[test]
fn what_is_met_later_does_not_widen_the_tolerance_of_an_impact() {
    for (name, model) in MODELS {
        for impacts in [Impacts::OneStage, Impacts::Incremental] {
            let (motion, largest) = row_before_wall(&[[0.6991, 1.0], [0.8993, 1.0]], model, impacts);
            let speeds: Vec<f64> = motion.velocities.iter().map(|velocity| velocity.x).collect();
            let case = format!("{name}, {impacts:?}: {speeds:?} m/s, {largest} m/s");
            assert!(speeds[0].abs() < 1e-8 && (speeds[1] - 1.0).abs() < 1e-8, "{case}");
            assert!((10.0..50.0).contains(&largest), "{case}");
        }
    }
}

/// Light discs behind heavy ones go several times as fast as anything that hit them.
#[test]
fn what_is_met_later_is_left_out_however_fast_it_is_met() {
    for (name, model) in MODELS {
        let discs = [[0.2981, 1e6], [0.4982, 1e4], [0.6982, 1e2], [0.8982, 1.0]];
        let (motion, _) = row_before_wall(&discs, model, Impacts::Incremental);
        // One after the other: each gives the next one `2 m/(m + m')` times its own speed.
        let passed_on = discs.windows(2).fold(1.0, |speed, pair| {
            let [[_, own], [_, next]] = [pair[0], pair[1]];
            speed * 2.0 * own / (own + next)
        });
        let speed = motion.velocities[3].x;
        assert!((speed - passed_on).abs() < 1e-6 * passed_on, "{name}: {speed} m/s, due {passed_on}");
    }
}

/// Kinetic energy of discs of 1 kg that do not turn.
fn energy(motion: &stickslip_contact::world::Motion<planar::Pose, 3>) -> f64 {
    motion.velocities.iter().map(|velocity| 0.5 * velocity.xy().norm_squared()).sum()
}

#[test]
fn a_cradle_with_gaps_passes_the_blow_on() {
    for (name, model) in MODELS {
        for (gap, phase) in [1e-4, 3e-4].into_iter().flat_map(|gap| (0..8).map(move |phase| (gap, phase))) {
            let at = |x: f64, v: f64| moving(disc(0.1), [x, 5.0, 0.0], [v, 0.0, 0.0]);
            let back = 1e-3 * f64::from(phase) / 8.0;
            let bodies =
                vec![at(-0.5 - back, 1.0), at(0.0, 0.0), at(0.2 + gap, 0.0), at(0.4 + 2.0 * gap, 0.0)];
            let run = run(&scene(bodies, Surface::new(0.0, 1.0), 0.0), model(), 1e-3, 500);
            let ends: Vec<f64> = run.end().velocities.iter().map(|velocity| velocity.x).collect();
            let case = format!("{name}, {gap}, {phase}");
            assert!(
                (ends[3] - 1.0).abs() < 1e-6 && ends[..3].iter().all(|v| v.abs() < 1e-6),
                "{case}: {ends:?}"
            );
            assert!((energy(run.end()) - 0.5).abs() < 1e-9, "{case}");
        }
    }
}

/// A ball knocks the top box of three over the edge: its far corner comes down while the edge carries it, and gives it its
/// velocity in every step. No energy comes of where it is held alone.
#[test]
fn what_tips_over_an_edge_gains_no_energy() {
    for (name, model) in MODELS_IN_SPACE {
        let mut bodies = vec![
            solid(cuboid([0.4, 0.3, 0.2]), 6.0, [0.0, 0.0, 0.1], [0.0; 3], false),
            solid(cuboid([0.3, 0.3, 0.2]), 4.0, [0.02, 0.0, 0.3], [0.0; 3], false),
            solid(cuboid([0.2, 0.25, 0.2]), 2.0, [0.0, 0.02, 0.5], [0.0; 3], false),
            solid(sphere(0.08), 2.0, [-1.0, 0.05, 0.4], [4.0, 0.0, 1.4], false),
        ];
        for (body, degrees) in [(1, 20.0_f64), (2, -30.0)] {
            bodies[body].pose.orientation =
                UnitQuaternion::from_axis_angle(&Vector3::z_axis(), degrees.to_radians());
        }
        let scene = in_space(bodies, Surface::new(0.5, 0.0), 9.81);
        let run = run(&scene, model(), 1e-3, 600);
        let energy = |motion: &Motion<spatial::Pose, 6>| {
            let of_body = |((body, pose), twist): ((&spatial::Body, &spatial::Pose), &spatial::Twist)| {
                let [x, y, z, wx, wy, wz] = (*twist).into();
                let (velocity, spin) = (Vector3::new(x, y, z), Vector3::new(wx, wy, wz));
                let turning = spin.dot(&(body.inertia * spin));
                0.5 * (body.mass * velocity.norm_squared() + turning) + body.mass * 9.81 * pose.position.z
            };
            let bodies = scene.bodies.iter().zip(&motion.poses).zip(&motion.velocities);
            bodies.map(of_body).sum::<f64>()
        };
        let energies: Vec<f64> = run.motions.iter().map(energy).collect();
        let gained = energies.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::NEG_INFINITY, f64::max);
        assert!(gained < 1e-7, "{name}: {gained:e}");
        assert!(run.end().poses[2].position.z < 0.48, "{name}: {}", run.end().poses[2].position);
    }
}

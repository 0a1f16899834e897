//! Impacts of bodies that spin: the axes of a spin turn with the body, and angular momentum does not.

use nalgebra::Vector3;
use stickslip::world::{
    Impacts, Motion, Surface,
    spatial::{Body, Pose, Scene, Shape, Twist},
};

use crate::stepping::{G, cone, lcp8, nlp, run};

fn sphere(radius: f64, place: [f64; 3], velocity: [f64; 3], spin: [f64; 3]) -> Body {
    let ([x, y, z], [vx, vy, vz], [wx, wy, wz]) = (place, velocity, spin);
    Body {
        twist: Twist::new(vx, vy, vz, wx, wy, wz),
        ..Body::new(Shape::sphere(radius).unwrap(), 1.0, Pose::upright(x, y, z))
    }
}

/// A ball that spins about the vertical is thrown along x: nothing distinguishes left and right.
#[test]
fn a_ball_that_spins_like_a_top_flies_on_straight() {
    for model in [nlp, lcp8, cone] {
        let ball = sphere(0.1, [0.0, 0.0, 0.4], [1.0, 0.0, 0.0], [0.0, 0.0, 100.0]);
        let scene = Scene::over_ground(vec![ball], Surface::new(0.2, 0.5), G);
        let motion = run(&scene, model(), Impacts::OneStage, 1e-3, 1000).pop().unwrap();
        assert!(motion.poses[0].position.y.abs() < 1e-12, "{:?}", motion.poses[0].position);
        let spin = motion.poses[0].orientation * motion.velocities[0].fixed_rows::<3>(3);
        // It rolls forward, and nothing slows what spins about the point of contact.
        assert!(spin.x.abs() < 1e-10 && spin.y > 1.0 && (spin.z - 100.0).abs() < 1e-9, "{spin}");
    }
}

fn spin_momentum(scene: &Scene, motion: &Motion<Pose, 6>, body: usize) -> Vector3<f64> {
    let spin = motion.velocities[body].fixed_rows::<3>(3).into_owned();
    motion.poses[body].orientation * (scene.bodies[body].inertia * spin)
}

/// Of all bodies, in J.
fn energy(scene: &Scene, motion: &Motion<Pose, 6>) -> f64 {
    let states = motion.poses.iter().zip(&motion.velocities);
    let of_body = |(body, (pose, velocity)): (&Body, (&Pose, &Twist))| {
        let spin = velocity.fixed_rows::<3>(3).into_owned();
        0.5 * body.mass * velocity.fixed_rows::<3>(0).norm_squared() + 0.5 * spin.dot(&(body.inertia * spin))
            - body.mass * scene.gravity.dot(&pose.position)
    };
    scene.bodies.iter().zip(states).map(of_body).sum()
}

/// A brick that spins fast hits the ground with a corner: its angular momentum changes by the moment of the impulse,
/// and not by how far the body turns in the step.
#[test]
fn the_moment_of_an_impulse_is_the_change_of_the_angular_momentum() {
    let brick = Body {
        twist: Twist::new(0.3, -0.2, -2.0, 20.0, 30.0, -40.0),
        ..Body::new(Shape::cuboid([0.1, 0.2, 0.3]).unwrap(), 1.0, Pose::upright(0.0, 0.0, 0.2))
    };
    let scene = Scene::over_ground(vec![brick], Surface::new(0.4, 0.6), G);
    let dt = 1e-4;
    let motions = run(&scene, nlp(), Impacts::OneStage, dt, 1000);
    let mut impacts = 0;
    for pair in motions.windows(2) {
        let gained = (pair[1].velocities[0] - pair[0].velocities[0]).fixed_rows::<3>(0).into_owned();
        let impulse = gained + Vector3::new(0.0, 0.0, G * dt);
        if impulse.norm() < 0.1 {
            continue;
        }
        impacts += 1;
        // The corner that is lowest takes it.
        let place = pair[0].poses[0].position;
        let corner = (0..8)
            .map(|i| {
                let sign = |bit: usize| if i >> bit & 1 == 1 { 0.5 } else { -0.5 };
                place
                    + pair[0].poses[0].orientation * Vector3::new(0.1 * sign(0), 0.2 * sign(1), 0.3 * sign(2))
            })
            .min_by(|a, b| a.z.total_cmp(&b.z))
            .unwrap();
        let change = spin_momentum(&scene, &pair[1], 0) - spin_momentum(&scene, &pair[0], 0);
        let moment = (corner - place).cross(&impulse);
        assert!((change - moment).norm() < 0.02 * moment.norm(), "{change} {moment}");
    }
    assert!(impacts > 0);
}

/// Two balls that spin and meet off centre, without gravity.
#[test]
fn balls_that_meet_keep_their_angular_momentum() {
    for restitution in [0.0, 0.7] {
        let balls = vec![
            sphere(0.1, [-0.3, 0.0, 0.0], [2.0, 0.0, 0.0], [30.0, -20.0, 50.0]),
            sphere(0.1, [0.3, 0.06, 0.05], [-1.0, 0.2, 0.0], [-40.0, 10.0, 20.0]),
        ];
        let surface = Surface::new(0.3, restitution);
        let scene = Scene { ground: None, ..Scene::over_ground(balls, surface, 0.0) };
        let motions = run(&scene, nlp(), Impacts::OneStage, 1e-3, 400);
        let [start, end] = [&motions[0], motions.last().unwrap()];
        let gained = |body: usize| spin_momentum(&scene, end, body) - spin_momentum(&scene, start, body);
        let impulse = (end.velocities[0] - start.velocities[0]).fixed_rows::<3>(0).into_owned();
        assert!(impulse.norm() > 0.5, "they meet");
        // Equal balls of which each has half of the moment of the friction: the same change of both spins.
        assert!((gained(0) - gained(1)).norm() < 1e-12, "{} {}", gained(0), gained(1));
        // Across the line of centres no impulse of friction turns either about it.
        let normal = impulse.cross(&gained(0));
        assert!(gained(0).dot(&impulse).abs() < 1e-12 + 1e-9 * normal.norm(), "{}", gained(0));
    }
}

/// A needle that whirls by four radians in a step and hits the ground without bouncing: its axes lie anyhow to its angular
/// momentum at the end, but the impact takes energy.
#[test]
fn a_body_that_turns_far_within_its_impact_gains_no_energy() {
    let orientation = nalgebra::Quaternion::new(
        -0.7308583976158728,
        0.5719556711415945,
        -0.37058281843159985,
        -0.03716298651372123,
    );
    let needle = Body {
        twist: Twist::new(
            0.534281226922685,
            5.374129422053331,
            -11.179835790165217,
            13.155643883212267,
            -39.690315624559695,
            -21.620980174247066,
        ),
        ..Body::new(
            Shape::cuboid([0.536320655996672, 0.04, 0.03]).unwrap(),
            3.8251264853309026,
            Pose {
                position: Vector3::new(0.0517342929136724, 0.020795007876054844, 0.7),
                orientation: nalgebra::UnitQuaternion::new_normalize(orientation),
            },
        )
    };
    let scene = Scene::over_ground(vec![needle], Surface::new(0.2, 0.0), G);
    let energy = |motion: &Motion<Pose, 6>| energy(&scene, motion);
    for model in [nlp, lcp8, cone] {
        let energies: Vec<f64> =
            run(&scene, model(), Impacts::OneStage, 5e-3, 20).iter().map(energy).collect();
        assert!(energies.last().unwrap() < &(0.98 * energies[0]), "it hits: {energies:?}");
        // The rest is that of free rotation in steps of 4 rad.
        for pair in energies.windows(2) {
            assert!(pair[1] < pair[0] + 1e-3 * energies[0], "{energies:?}");
        }
    }
}

/// Two needles that meet without gravity, one of which whirls by half a radian in a step: what one loses the other does not
/// gain many times over.
#[test]
fn needles_that_meet_do_not_make_energy_of_how_their_axes_lie() {
    let needle = |mass: f64, place: [f64; 3], turn: [f64; 4], speed: f64, spin: [f64; 3]| {
        let [w, x, y, z] = turn;
        let orientation = nalgebra::UnitQuaternion::new_normalize(nalgebra::Quaternion::new(w, x, y, z));
        Body {
            twist: Twist::new(speed, 0.0, 0.0, spin[0], spin[1], spin[2]),
            ..Body::new(
                Shape::cuboid([1.0, 0.02, 0.02]).unwrap(),
                mass,
                Pose { position: Vector3::from(place), orientation },
            )
        }
    };
    let bodies = vec![
        needle(
            1.3256720916732885,
            [-0.7, 0.01715452923505042, 0.0],
            [-0.932747134711692, -0.15004750041046777, -0.2722590781653517, -0.18260209381124942],
            3.6223495937222236,
            [1.4740869656385136, -2.5580462794165513, 1.9333106589451867],
        ),
        needle(
            1.5248140179662444,
            [0.7, 0.04434944545573303, 0.0],
            [0.3245973141302227, -0.33796871615337537, 0.865133601118355, 0.17876683914269967],
            -1.9971982359138956,
            [2.5520668815048952, -49.86314301832893, 26.05088242089291],
        ),
    ];
    let surface = Surface::new(0.0, 0.3);
    let scene = Scene { ground: None, ..Scene::over_ground(bodies, surface, 0.0) };
    let energy = |motion: &Motion<Pose, 6>| energy(&scene, motion);
    for model in [nlp, lcp8] {
        let energies: Vec<f64> =
            run(&scene, model(), Impacts::OneStage, 1e-2, 50).iter().map(energy).collect();
        // Two orders of magnitude more, where the angular momentum alone decided.
        let most = energies.iter().copied().fold(0.0, f64::max);
        assert!(most < 2.0 * energies[0], "{energies:?}");
    }
}

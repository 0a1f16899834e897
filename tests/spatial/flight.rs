//! Rotation without contacts.

use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};
use stickslip::{
    model::Vector,
    world::{
        Impacts, Surface,
        spatial::{Body, Pose, Scene, Shape, Twist},
    },
};

use crate::{
    data::rows,
    stepping::{nlp, run},
};

fn tensor() -> Matrix3<f64> {
    Matrix3::from_diagonal(&Vector3::new(1e-3, 2e-3, 3e-3))
}

/// A body that spins about its middle axis, and a little about the others.
fn spinner() -> Scene {
    let body = Body {
        inertia: tensor(),
        twist: Twist::new(0.0, 0.0, 0.0, 0.01, 5.0, 0.01),
        ..Body::new(Shape::cuboid([0.1, 0.2, 0.3]).unwrap(), 1.0, Pose::upright(0.0, 0.0, 0.0))
    };
    Scene { ground: None, ..Scene::over_ground(vec![body], Surface::default(), 0.0) }
}

struct Errors {
    /// Angle in degrees over the first 5 s, and over all 20 s.
    angle: [f64; 2],
    momentum: f64,
    energy: f64,
    flips: Vec<f64>,
}

fn errors(dt: f64) -> Errors {
    let reference = rows::<8>("dzhanibekov.csv");
    let motions = run(&spinner(), nlp(), Impacts::OneStage, dt, (20.0 / dt).round() as usize);
    let spin = |k: usize| motions[k].velocities[0].fixed_rows::<3>(3).into_owned();
    let momentum = |k: usize| motions[k].poses[0].orientation * (tensor() * spin(k));
    let energy = |k: usize| 0.5 * spin(k).dot(&(tensor() * spin(k)));
    let mut errors = Errors { angle: [0.0; 2], momentum: 0.0, energy: 0.0, flips: Vec::new() };
    for row in &reference {
        let k = (row[0] / dt).round() as usize;
        let recorded = Quaternion::new(row[1], row[2], row[3], row[4]).normalize();
        let off = motions[k].poses[0].orientation.conjugate().into_inner() * recorded;
        let angle = (2.0 * off.imag().norm().atan2(off.w.abs())).to_degrees();
        errors.angle[1] = errors.angle[1].max(angle);
        if row[0] <= 5.0 {
            errors.angle[0] = errors.angle[0].max(angle);
        }
    }
    for k in 1..motions.len() {
        let change = (momentum(k) - momentum(0)).norm() / momentum(0).norm();
        errors.momentum = errors.momentum.max(change);
        errors.energy = errors.energy.max((energy(k) / energy(0) - 1.0).abs());
        let (before, after) = (spin(k - 1).y, spin(k).y);
        if before * after < 0.0 {
            errors.flips.push(dt * (k as f64 - after / (after - before)));
        }
    }
    errors
}

/// The intermediate axis flips when it should; angular momentum and energy stay.
#[test]
fn the_implicit_midpoint_follows_a_tumbling_body() {
    let fine = errors(1e-3);
    for (angle, expected) in fine.angle.into_iter().zip([4.8e-4, 3.6e-3]) {
        assert!((angle / expected - 1.0).abs() < 0.05, "{:?}", fine.angle);
    }
    assert!(fine.momentum < 5e-13, "{:e}", fine.momentum);
    assert!((fine.energy / 1.0e-6 - 1.0).abs() < 0.1, "{:e}", fine.energy);
    assert_eq!(fine.flips.len(), 4);
    for (flip, expected) in fine.flips.iter().zip([2.741068, 7.766997, 12.792926, 17.818855]) {
        assert!((flip - expected).abs() < 1e-4, "{flip} {expected}");
    }
    let coarse = errors(1e-2);
    for (angle, expected) in coarse.angle.into_iter().zip([0.048, 0.36]) {
        assert!((angle / expected - 1.0).abs() < 0.05, "{:?}", coarse.angle);
    }
}

/// Steps in which the body turns many times are divided until the midpoint can be found.
#[test]
fn steps_of_many_turns_keep_the_angular_momentum() {
    let mut scene = spinner();
    scene.bodies[0].twist = Twist::new(0.0, 0.0, 0.0, 40.0, 50.0, -30.0);
    let motions = run(&scene, nlp(), Impacts::OneStage, 0.1, 100);
    let momentum = |k: usize| -> Vector<3> {
        let spin = motions[k].velocities[0].fixed_rows::<3>(3).into_owned();
        motions[k].poses[0].orientation * (tensor() * spin)
    };
    for k in 0..=100 {
        let off = (momentum(k) - momentum(0)).norm() / momentum(0).norm();
        assert!(off < 1e-12, "{k} {off:e}");
    }
}

/// The height of a thrown body is off by `g T dt/2`, and the free turn of a cube is exact.
#[test]
fn a_cube_in_flight_turns_at_its_rate_and_falls_as_semi_implicit_steps_do() {
    let body = crate::stepping::cube(Pose::upright(0.0, 0.0, 10.0), [1.0, 2.0, 3.0], [3.0, -4.0, 12.0]);
    let motions = run(&crate::stepping::on_ground(body, 0.5), nlp(), Impacts::OneStage, 1e-3, 500);
    let pose = &motions[500].poses[0];
    let expected = Vector3::new(0.5, 1.0, 10.0 + 1.5 - 0.5 * 9.81 * 0.25 - 0.5 * 9.81 * 0.5 * 1e-3);
    assert!((pose.position - expected).amax() < 1e-12, "{}", pose.position);
    let turn = UnitQuaternion::from_scaled_axis(Vector3::new(3.0, -4.0, 12.0) * 0.5);
    assert!(pose.orientation.angle_to(&turn) < 1e-7, "{}", pose.orientation.angle_to(&turn));
}

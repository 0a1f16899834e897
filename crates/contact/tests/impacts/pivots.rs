//! Bodies that swing about a pivot and strike obliquely: what they hit with is what their joints let them have.

use nalgebra::{Vector2, Vector3};
use stickslip_contact::world::{Anchor, Impacts, Joint, Surface, TimeStepper, planar};

use crate::scenes::{body, energy, models, plane};

const LENGTH: f64 = 1.0;
const HEIGHT: f64 = 0.5;
const RADIUS: f64 = 0.1;

/// A disc at the end of an arm without mass, that swings down about a pivot over the ground at 3 rad/s.
fn swinging_disc(surface: Surface, phase: f64) -> planar::Scene {
    let shape = planar::Shape::disc(RADIUS).expect("a disc");
    let (angle, rate) = (0.4 + phase, -3.0);
    let arm = Vector2::new(angle.cos(), angle.sin()) * LENGTH;
    let twist = [-rate * arm.y, rate * arm.x, rate];
    let mut scene = plane(vec![body(shape, [arm.x, HEIGHT + arm.y, 0.0], twist)], surface);
    scene.bodies[0].pose.angle = angle;
    let pivot = Anchor::in_world(Vector2::new(0.0, HEIGHT));
    scene.joints = vec![Joint::pin([pivot, Anchor::on(0, Vector2::new(-LENGTH, 0.0))])];
    scene
}

/// How often it hits until the time is over, the energy after each of these hits as a part of that before all, and how
/// far the arm is from its length at most.
fn hits(scene: &planar::Scene, impacts: Impacts, dt: f64, model: usize, time: f64) -> (Vec<f64>, f64) {
    let mut stepper = TimeStepper::new(models()[model].1(), impacts);
    let mut motion = scene.initial_motion();
    let first = energy(scene, &motion.velocities);
    let (mut after, mut off) = (Vec::new(), 0.0_f64);
    let mut speed = motion.velocities[0][2];
    for _ in 0..(time / dt).round() as usize {
        stepper.step(scene, &mut motion, &[Vector3::zeros()], dt).expect("a step");
        if motion.velocities[0][2] * speed < 0.0 {
            after.push(energy(scene, &motion.velocities) / first);
        }
        speed = motion.velocities[0][2];
        let place = motion.poses[0].position - Vector2::new(0.0, HEIGHT);
        off = off.max((place.norm() - LENGTH).abs());
    }
    (after, off)
}

#[test]
fn what_swings_about_a_pivot_and_bounces_elastically_keeps_its_energy() {
    for (model, (name, _)) in models::<2, 3>().iter().enumerate() {
        for dt in [1e-3, 2e-3, 5e-3] {
            let scene = swinging_disc(Surface::new(0.0, 1.0), 0.0);
            let (after, off) = hits(&scene, Impacts::Incremental, dt, model, 15.0);
            assert!(after.len() >= 8, "{name}, {dt}: {} hits", after.len());
            println!("{name} {dt}: {:?} {off:.1e}", after);
            let worst = after.iter().map(|part| (part - 1.0).abs()).fold(0.0, f64::max);
            assert!(worst < 1e-4 * (dt / 1e-3), "{name}, {dt}: {after:?}");
        }
    }
}

#[test]
fn what_swings_about_a_pivot_leaves_with_its_restitution() {
    for (model, (name, _)) in models::<2, 3>().iter().enumerate() {
        for phase in 0..8 {
            let scene = swinging_disc(Surface::new(0.0, 0.5), 6e-3 * f64::from(phase) / 8.0);
            let (after, off) = hits(&scene, Impacts::Incremental, 2e-3, model, 0.5);
            println!("{name} {phase}: {:?} {off:.1e}", after);
            assert!((after[0] - 0.25).abs() < 1e-4, "{name}, {phase}: {after:?}");
        }
    }
}

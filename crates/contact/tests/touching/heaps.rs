//! Heaps in space, and how runs of them are judged.

use nalgebra::{UnitQuaternion, Vector3};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use stickslip_contact::world::{
    Certificate, RigidBody, Scene, Surface, deepest_on_way,
    spatial::{self, Shape},
};

use crate::scenes::{MODELS_IN_SPACE, Run, in_space, run, solid};

/// Twelve bodies that fall on each other, turning, of the shapes in turn, so far apart, the lowest at such a height in m.
pub fn heap(shapes: &[Shape], seed: u64, [apart, lowest]: [f64; 2]) -> spatial::Scene {
    let mut random = StdRng::seed_from_u64(seed);
    let bodies = (0..12).map(|i| {
        let [column, row, layer] = [i % 2, i / 2 % 2, i / 4].map(|place| f64::from(place) * apart);
        let shape = shapes[i as usize % shapes.len()].clone();
        let mut body = solid(shape, 1.0, [column, row, lowest + layer], [0.0; 3], false);
        let axis = Vector3::from_fn(|_, _| random.random_range(-1.0..1.0));
        body.pose.orientation = UnitQuaternion::from_scaled_axis(axis);
        body.twist.fixed_rows_mut::<3>(3).copy_from(&(axis * 6.0));
        body
    });
    in_space(bodies.collect(), Surface::new(0.4, 0.0), 9.81)
}

/// The deepest overlap on the ways of a run in m, and its steps: those that are not certified, and extra solves per step.
pub fn judged<B: RigidBody<D, N>, const D: usize, const N: usize>(
    scene: &Scene<B, D>,
    run: &Run<B::Pose<f64>, N>,
    dt: f64,
) -> (f64, Vec<(usize, Certificate)>, f64) {
    let deepest = run
        .motions
        .windows(2)
        .fold(0.0, |deepest, ends| deepest_on_way(scene, [&ends[0].poses, &ends[1].poses], dt, deepest));
    (deepest, run.uncertified(), run.extra_solves())
}

/// Asserts that heaps of such shapes settle, and overlap by no more than so many times what turns in a step.
pub fn assert_heaps_settle(heaps: &[(&str, Vec<Shape>)], times: f64) {
    let dt = 1e-3;
    for (name, model) in MODELS_IN_SPACE {
        for (what, shapes) in heaps {
            let heap = heap(shapes, 7, [0.35, 0.25]);
            let run = run(&heap, model(), dt, 500);
            let (deepest, uncertified, extra) = judged(&heap, &run, dt);
            let spins = run.motions.iter().flat_map(|motion| &motion.velocities);
            let spin = spins.map(|twist| twist.fixed_rows::<3>(3).norm()).fold(0.0, f64::max);
            // A point of a body at the arm `a` leaves its tangent by (w dt)^2 a/2, on both sides of a contact.
            let bend = times * (spin * dt).powi(2) * 0.16;
            println!("{name} {what}: overlap {deepest:.1e} m of {bend:.1e} m, {extra:.3} extra solves");
            assert!(deepest < bend && extra < 1.5, "{name} {what}: {deepest:e} {bend:e}");
            assert_eq!(uncertified, [], "{name} {what}");
        }
    }
}

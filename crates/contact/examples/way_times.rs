//! What it costs to find the contacts of a step by its way, and to judge it, beside a step with the contacts of its start that
//! nobody judges.
//!
//! `cargo run --release -p stickslip-contact --example way_times`

#[path = "../tests/touching/blind.rs"]
mod blind;

use std::time::Instant;

use nalgebra::{Quaternion, SVector, UnitQuaternion};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use stickslip_contact::{
    contact::{ContactModel, Islands, StewartTrinkle, Structured},
    world::{Impacts, RigidBody, Scene, Surface, TimeStepper, planar, spatial},
};

use blind::Blind;

/// Cubes in layers, each turned a little, above the ground.
fn cubes(count: usize) -> spatial::Scene {
    let side = (1..).find(|side| side * side * side >= count).unwrap_or(1);
    let mut rng = StdRng::seed_from_u64(1);
    let mut irregular = |size: f64| rng.random_range(-size..size);
    let cube = |index: usize| {
        let (column, row, layer) = (index % side, index / side % side, index / (side * side));
        let mut at = |k: usize| 0.18 * k as f64 + irregular(0.015);
        let mut pose = spatial::Pose::upright(at(column), at(row), 0.09 + 0.18 * layer as f64);
        let [x, y, z] = [(); 3].map(|()| irregular(0.15));
        pose.orientation = UnitQuaternion::from_quaternion(Quaternion::new(1.0, x, y, z));
        spatial::Body::new(spatial::Shape::cuboid([0.1; 3]).expect("a cube"), 1.0, pose)
    };
    Scene::over_ground((0..count).map(cube).collect(), Surface::new(0.5, 0.0), 9.81)
}

/// Discs of irregular size in rows above the ground.
fn discs(count: usize) -> planar::Scene {
    let mut rng = StdRng::seed_from_u64(2);
    let mut irregular = |size: f64| rng.random_range(-size..size);
    let disc = |index: usize| {
        let radius = 0.05 + irregular(0.01);
        let x = 0.13 * (index % 25) as f64 + irregular(0.005);
        let pose = planar::Pose { position: [x, 0.07 + 0.13 * (index / 25) as f64].into(), angle: 0.0 };
        planar::Body::new(planar::Shape::disc(radius).expect("a disc"), 1e3 * radius * radius, pose)
    };
    Scene::over_ground((0..count).map(disc).collect(), Surface::new(0.5, 0.0), 9.81)
}

/// A box on its way over boxes that lie flush.
fn over_seams() -> planar::Scene {
    let shape = || planar::Shape::rectangle(0.4, 0.2).expect("a box");
    let body = |x: f64, z: f64| {
        let pose = planar::Pose { position: [x, z].into(), angle: 0.0 };
        planar::Body::new(shape(), 1.0, pose)
    };
    let mut bodies: Vec<_> = (0..10).map(|index| body(0.4 * f64::from(index), 0.1)).collect();
    let mut sliding = body(0.1, 0.3);
    sliding.twist[0] = 3.0;
    bodies.push(sliding);
    Scene::over_ground(bodies, Surface::new(0.1, 0.0), 9.81)
}

/// Every step is taken with and without the way, each from where the one with it has led; `skipped` steps of `dt` s come before.
fn compare<B: RigidBody<D, N>, const D: usize, const N: usize>(
    (what, scene): (&str, &Scene<B, D>),
    (name, model): (&str, fn() -> Box<dyn ContactModel<D, N>>),
    [skipped, steps]: [usize; 2],
    dt: f64,
) {
    let forces = vec![SVector::zeros(); scene.bodies.len()];
    let [mut seeing, mut blind] = [(); 2].map(|()| TimeStepper::new(model(), Impacts::OneStage));
    let mut motion = scene.initial_motion();
    let (mut taken, mut spent, mut extra, mut unkept) = (0, [0.0; 2], 0, 0);
    for step in 0..skipped + steps {
        let mut other = motion.clone();
        let started = Instant::now();
        let is_taken = blind.step(&Blind(scene), &mut other, &forces, dt).is_ok();
        let without = started.elapsed().as_secs_f64();
        let started = Instant::now();
        if seeing.step(scene, &mut motion, &forces, dt).is_err() {
            println!("{what} by {name}: step {step} fails");
            return;
        }
        if step >= skipped && is_taken {
            let passage = seeing.passage();
            taken += 1;
            extra += passage.extra_solves;
            unkept += u32::from(passage.certificate.is_some_and(|certificate| !certificate.is_kept()));
            spent[0] += started.elapsed().as_secs_f64();
            spent[1] += without;
        }
    }
    let [with, without] = spent.map(|seconds| 1e6 * seconds / f64::from(taken));
    println!(
        "{what} by {name}: {with:.1} us with the way, {without:.1} without, ratio {:.3}; {:.3} extra solves a step, {unkept} of {taken} \
         uncertified",
        with / without,
        f64::from(extra) / f64::from(taken),
    );
}

fn main() {
    compare(("a box over seams", &over_seams()), ("nlp", nlp), [0, 500], 1e-3);
    compare(("a box over seams", &over_seams()), ("lcp", lcp), [0, 500], 1e-3);
    compare(("a heap of 100 cubes that lands", &cubes(100)), ("nlp", nlp), [100, 300], 1e-3);
    compare(("a heap of 100 cubes that lands", &cubes(100)), ("lcp", lcp), [100, 300], 1e-3);
    compare(("a heap of 100 cubes that has landed", &cubes(100)), ("nlp", nlp), [800, 200], 1e-3);
    compare(("a heap of 1,000 discs that lands", &discs(1000)), ("nlp", nlp), [60, 60], 5e-3);
}

fn nlp<const D: usize, const N: usize>() -> Box<dyn ContactModel<D, N>> {
    Box::new(Islands::new(|| Box::new(Structured::default())))
}

fn lcp<const D: usize, const N: usize>() -> Box<dyn ContactModel<D, N>> {
    Box::new(Islands::new(|| Box::new(StewartTrinkle::default())))
}

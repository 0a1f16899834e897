//! Many bodies in a room: contacts settle, and nothing ends in anything else.

use nalgebra::{Point2, Vector2};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use stickslip_contact::world::{Plane, Surface, planar};

use crate::{
    heaps::{heap, judged},
    scenes::{MODELS, MODELS_IN_SPACE, cuboid, disc, moving, run, scene, sphere},
};

#[derive(Debug, Clone, Copy)]
enum Kind {
    Discs,
    Rods,
    Polygons,
}

/// Nine bodies that fly about between four walls.
fn room(kind: Kind, seed: u64, gravity: f64, restitution: f64) -> planar::Scene {
    let mut random = StdRng::seed_from_u64(seed);
    let bodies = (0..9).map(|i| {
        let place = [f64::from(i % 3) * 0.3 - 0.3, 0.25 + f64::from(i / 3) * 0.3];
        let shape = match kind {
            Kind::Discs => disc(random.random_range(0.04..0.12)),
            Kind::Rods => planar::Shape::rod(random.random_range(0.1..0.24)).unwrap(),
            Kind::Polygons => {
                let count = random.random_range(3..8);
                let corner = |i: i32| {
                    let angle = f64::from(i) * std::f64::consts::TAU / f64::from(count);
                    Point2::new(0.11 * angle.cos(), 0.08 * angle.sin())
                };
                planar::Shape::polygon(&(0..count).map(corner).collect::<Vec<_>>()).unwrap()
            }
        };
        let velocity = [
            random.random_range(-3.0..3.0),
            random.random_range(-3.0..3.0),
            random.random_range(-10.0..10.0),
        ];
        moving(shape, [place[0], place[1], random.random_range(0.0..6.0)], velocity)
    });
    let mut room = scene(bodies.collect(), Surface::new(0.3, restitution), gravity);
    for (normal, offset) in [((1.0, 0.0), -0.5), ((-1.0, 0.0), -0.5), ((0.0, -1.0), -1.1)] {
        let velocity = Vector2::zeros();
        room.walls.push(Plane { normal: Vector2::new(normal.0, normal.1), offset, velocity });
    }
    room
}

#[test]
fn what_flies_about_in_a_room_settles_and_does_not_overlap() {
    for (name, model) in MODELS {
        for kind in [Kind::Discs, Kind::Rods, Kind::Polygons] {
            for (dt, gravity) in [(1e-3, 0.0), (5e-3, 0.0), (1e-3, 9.81), (5e-3, 9.81)] {
                let (mut deepest, mut uncertified, mut extra) = (0.0_f64, Vec::new(), 0.0);
                let (seeds, steps) = (4, (0.4 / dt) as usize);
                for seed in 0..seeds {
                    let room = room(kind, seed, gravity, if seed % 2 == 0 { 0.0 } else { 0.5 });
                    let run = run(&room, model(), dt, steps);
                    let (own, of_run, more) = judged(&room, &run, dt);
                    deepest = deepest.max(own);
                    uncertified.extend(of_run);
                    extra += more / seeds as f64;
                }
                println!(
                    "{name} {kind:?} {dt} s, g {gravity}: overlap {deepest:.1e} m, {} uncertified, {extra:.3} extra solves",
                    uncertified.len()
                );
                assert!(deepest < 1e-3 * 0.2, "{name}, {kind:?}, {dt}, {gravity}: {deepest:e}");
                assert!(extra < 1.0, "{name}, {kind:?}, {dt}, {gravity}: {extra}");
                assert_eq!(uncertified, [], "{name}, {kind:?}, {dt}, {gravity}");
            }
        }
    }
}

#[test]
fn heaps_in_space_settle_and_do_not_overlap() {
    let dt = 2e-3;
    let a_box = cuboid([0.2, 0.16, 0.12]);
    let shapes = [a_box.clone(), a_box, sphere(0.09)];
    for (name, model) in MODELS_IN_SPACE {
        for seed in 0..9 {
            let heap = heap(&shapes, seed, [0.3, 0.2]);
            let run = run(&heap, model(), dt, 400);
            let (deepest, uncertified, extra) = judged(&heap, &run, dt);
            println!("{name}, {seed}: overlap {deepest:.1e} m, {extra:.3} extra solves");
            assert!(deepest < 2e-4 && extra < 1.5, "{name}, {seed}: {deepest:e}, {extra}");
            assert_eq!(uncertified, [], "{name}, {seed}");
        }
    }
}

/// Heaps of nine bodies that fall onto the ground, far apart from each other.
fn heaps(kind: Kind) -> Vec<Vec<planar::Body>> {
    let heap = |seed: u64| {
        let mut bodies = room(kind, seed, 9.81, 0.0).bodies;
        bodies.iter_mut().for_each(|body| body.pose.position.x += 16.0 * seed as f64);
        bodies
    };
    (0..8).map(heap).collect()
}

/// A step of one heap takes no more passes, and no other ones, for what goes on in another.
#[test]
fn heaps_far_apart_settle_as_each_does_alone() {
    let dt = 5e-3;
    let on_ground = |bodies: Vec<_>| scene(bodies, Surface::new(0.3, 0.0), 9.81);
    for (name, model) in MODELS {
        for kind in [Kind::Discs, Kind::Rods, Kind::Polygons] {
            let heaps = heaps(kind);
            let together = run(&on_ground(heaps.concat()), model(), dt, 60);
            let mut uncertified = 0;
            for (place, heap) in heaps.iter().enumerate() {
                let alone = run(&on_ground(heap.clone()), model(), dt, 60);
                uncertified += alone.uncertified().len();
                for (step, (own, all)) in alone.motions.iter().zip(&together.motions).enumerate() {
                    let all = &all.poses[9 * place..9 * (place + 1)];
                    for (own, all) in own.poses.iter().zip(all) {
                        let apart = (own.position - all.position).norm();
                        assert!(apart < 1e-9, "{name}, {kind:?}, heap {place}, step {step}: {apart:e}");
                    }
                }
            }
            println!("{name} {kind:?}: {uncertified} uncertified, {}", together.uncertified().len());
            assert!(together.uncertified().len() <= uncertified, "{name}, {kind:?}");
        }
    }
}

/// A heap is one island, and its contacts change in many places at once.
#[test]
fn two_hundred_discs_in_a_bin_settle() {
    let dt = 5e-3;
    for (name, model) in MODELS {
        let mut random = StdRng::seed_from_u64(5);
        let bodies = (0..200).map(|i| {
            let radius = random.random_range(0.05..0.1);
            let place = [
                f64::from(i % 14) * 0.22 + random.random_range(-0.01..0.01),
                0.15 + f64::from(i / 14) * 0.22,
            ];
            let velocity = [random.random_range(-1.0..1.0), random.random_range(-1.0..1.0)];
            moving(disc(radius), [place[0], place[1], 0.0], [velocity[0], velocity[1], 0.0])
        });
        let mut heap = scene(bodies.collect(), Surface::new(0.5, 0.0), 9.81);
        for (normal, offset) in [(1.0, -0.2), (-1.0, -3.2)] {
            heap.walls.push(Plane { normal: Vector2::new(normal, 0.0), offset, velocity: Vector2::zeros() });
        }
        let run = run(&heap, model(), dt, 120);
        println!("{name}: {:.3} extra solves", run.extra_solves());
        assert_eq!(run.uncertified(), [], "{name}");
    }
}

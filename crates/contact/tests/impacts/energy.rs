//! No impact makes energy: heaps of discs and balls that touch, with whatever velocities.

use nalgebra::{SVector, Vector3};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use stickslip_contact::{
    contact::LawSolved,
    world::{Impacts, Surface, Surfaces, planar, spatial},
};

use crate::scenes::{body, energy, energy_in_space, models, plane, space, step};

const ALL: [Impacts; 3] = [Impacts::OneStage, Impacts::TwoStage, Impacts::Incremental];

/// Rows of discs, close packed, on the ground; some are larger than where they would touch those beside them.
fn heap(random: &mut StdRng) -> planar::Scene {
    let rows = random.random_range(1..4);
    let mut bodies = Vec::new();
    for row in 0..rows {
        for column in 0..(4 - row) {
            let x = 0.2 * f64::from(column) + 0.1 * f64::from(row);
            let z = 0.1 + 0.1 * 3_f64.sqrt() * f64::from(row);
            let twist = [(); 3].map(|()| random.random_range(-1.0..1.0));
            let shape = planar::Shape::disc(0.1).expect("a disc");
            let mut disc = body(shape, [x, z, 0.0], twist);
            disc.twist[2] *= 10.0;
            disc.mass *= random.random_range(0.3..3.0);
            bodies.push(disc);
        }
    }
    plane(bodies, Surface::new(random.random_range(0.0..1.0), random.random_range(0.0..=1.0)))
}

#[test]
fn heaps_of_discs_gain_nothing() {
    let mut random = StdRng::seed_from_u64(11);
    let (mut capped, mut unended, mut longest) = (0, 0, 0);
    for index in 0..300 {
        let scene = heap(&mut random);
        let start: Vec<_> = scene.bodies.iter().map(|body| body.twist).collect();
        let before = energy(&scene, &start);
        let (name, model) = models()[index % 3];
        for impacts in ALL {
            let stepped = step(&scene, model(), impacts);
            let gained = energy(&scene, &stepped.motion.velocities) / before - 1.0;
            assert!(gained < 1e-6, "{index}, {name}, {impacts:?}: {gained:e}, {:?}", stepped.report);
            let Some(impact) = stepped.report.impact else { continue };
            capped += usize::from(impact.is_capped());
            unended += usize::from(!impact.is_ended);
            longest = longest.max(impact.rounds);
        }
    }
    println!("{capped} capped, {unended} not ended, {longest} rounds at most");
    assert!(capped > 20, "{capped}");
}

/// What does not rebound is not held back, whatever forces do in the step: here gravity pulls at what friction stops.
#[test]
fn what_lands_without_a_rebound_is_left_alone() {
    let mut random = StdRng::seed_from_u64(14);
    for index in 0..300 {
        let mut scene = heap(&mut random);
        scene.gravity = nalgebra::Vector2::new(random.random_range(-40.0..40.0), -9.81);
        scene.surfaces = Surfaces::uniform(Surface::new(random.random_range(0.0..1.0), 0.0));
        let (name, model) = models()[index % 3];
        for impacts in ALL {
            let report = step(&scene, model(), impacts).report;
            let share = report.impact.map_or(1.0, |impact| impact.share);
            assert!(
                share == 1.0 && report.law != LawSolved::Capped,
                "{index}, {name}, {impacts:?}: {report:?}"
            );
        }
    }
}

/// Balls in the corners of a tetrahedron, the lower three on the ground.
fn heap_in_space(random: &mut StdRng) -> spatial::Scene {
    let (r, top) = (0.1, (8.0 / 3.0_f64).sqrt());
    let corners =
        [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [1.0, 3_f64.sqrt(), 0.0], [1.0, 1.0 / 3_f64.sqrt(), top]];
    let ball = |corner: [f64; 3]| {
        let shape = spatial::Shape::sphere(r).expect("a sphere");
        let [x, y, z] = corner.map(|c| r * c);
        let mut ball =
            spatial::Body::new(shape, random.random_range(0.3..3.0), spatial::Pose::upright(x, y, z + r));
        ball.twist = SVector::from_fn(|i, _| random.random_range(-1.0..1.0) * if i < 3 { 1.0 } else { 10.0 });
        ball
    };
    let bodies = corners.map(ball).into();
    space(bodies, Surface::new(random.random_range(0.0..1.0), random.random_range(0.0..=1.0)))
}

#[test]
fn heaps_of_balls_gain_nothing() {
    let mut random = StdRng::seed_from_u64(12);
    for index in 0..150 {
        let scene = heap_in_space(&mut random);
        let start: Vec<_> = scene.bodies.iter().map(|body| body.twist).collect();
        let before = energy_in_space(&scene, &start);
        let (name, model) = models()[index % 3];
        for impacts in ALL {
            let stepped = step(&scene, model(), impacts);
            let gained = energy_in_space(&scene, &stepped.motion.velocities) / before - 1.0;
            assert!(gained < 1e-6, "{index}, {name}, {impacts:?}: {gained:e}, {:?}", stepped.report);
        }
    }
}

/// A box in space that lands on an edge or a corner.
#[test]
fn boxes_gain_nothing() {
    let mut random = StdRng::seed_from_u64(13);
    for index in 0..150 {
        let shape = spatial::Shape::cuboid([0.3, 0.2, 0.1]).expect("a box");
        let mut pose = spatial::Pose::upright(0.0, 0.0, 0.0);
        let mut turn = || random.random_range(-1.0..1.0);
        let axis = nalgebra::Unit::new_normalize(Vector3::new(turn(), turn(), turn()));
        // Every third lies flat.
        let angle = if index % 3 == 0 { 0.0 } else { 1.5 * turn() };
        pose.orientation = nalgebra::UnitQuaternion::from_axis_angle(&axis, angle);
        let corners = [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]].into_iter().flat_map(|[x, y]| {
            [1.0, -1.0].map(|z| pose.orientation * Vector3::new(0.15 * x, 0.1 * y, 0.05 * z))
        });
        pose.position.z = -corners.map(|corner| corner.z).fold(f64::INFINITY, f64::min);
        let mut cuboid = spatial::Body::new(shape, 1.0, pose);
        cuboid.twist = SVector::from_fn(|i, _| turn() * if i < 3 { 1.0 } else { 10.0 });
        let scene = space(vec![cuboid], Surface::new(0.4 + 0.4 * turn(), 0.5 + 0.5 * turn()));
        let before = energy_in_space(&scene, &[scene.bodies[0].twist]);
        let (name, model) = models()[index % 3];
        for impacts in ALL {
            let stepped = step(&scene, model(), impacts);
            let gained = energy_in_space(&scene, &stepped.struck) / before - 1.0;
            assert!(gained < 1e-6, "{index}, {name}, {impacts:?}: {gained:e}, {:?}", stepped.report);
            // The angular momentum is kept while the axes turn with the body, by 10 mrad in the step.
            let gained = energy_in_space(&scene, &stepped.motion.velocities) / before - 1.0;
            assert!(gained < 1e-2, "{index}, {name}, {impacts:?}: {gained:e}, {:?}", stepped.report);
        }
    }
}

//! Random scenes that touch at the start, in impacts of one to some twenty contacts: heaps, stacks, single bodies, chains of
//! rods with hinges, rods between what lies in a heap, some of them on a ground and at a wall that are conveyors.

use nalgebra::{SVector, UnitQuaternion, Vector2, Vector3};
use rand::{RngExt, rngs::StdRng};
use stickslip_contact::{
    contact::Friction,
    world::{Anchor, Joint, Plane, RigidBody, Scene, Surface, Surfaces, planar, spatial},
};

use crate::scenes::{body, plane, space};

/// Friction of one coefficient or two up to `most`, and a restitution from 0 to 1, often one or the other.
fn surface(random: &mut StdRng, most: f64) -> Surface {
    let held = random.random_range(0.0..most);
    let share = if random.random_bool(0.3) { random.random_range(0.3..1.0) } else { 1.0 };
    let restitution = match random.random_range(0..10) {
        0 => 0.0,
        1 | 2 => 1.0,
        _ => random.random_range(0.0..1.0),
    };
    Surface { friction: Friction::static_and_kinetic(held, share * held), restitution, ..Surface::default() }
}

/// Any scene in the plane.
pub fn in_the_plane(random: &mut StdRng) -> planar::Scene {
    let mut scene = match random.random_range(0..5) {
        0 | 1 => heap_of_discs(random),
        2 => stack_of_rectangles(random),
        3 => chain_of_rods(random),
        _ => falling_rectangle(random),
    };
    if random.random_bool(0.4) {
        // What is drawn into the corner of two conveyors with more friction than that may get no impulse that is large enough.
        if !scene.walls.is_empty() {
            scene.surfaces = Surfaces::uniform(surface(random, 0.9));
        }
        for plane in scene.ground.iter_mut().chain(&mut scene.walls) {
            plane.velocity = SVector::from([0.0, random.random_range(-2.0..2.0)]);
        }
    }
    scene
}

/// Any scene in space.
pub fn in_space(random: &mut StdRng) -> spatial::Scene {
    let mut scene = match random.random_range(0..6) {
        0 | 1 => heap_of_balls(random),
        2 => layer_of_balls(random),
        3 => stack_of_boxes(random),
        4 => chain_of_capsules(random),
        _ => falling_box(random),
    };
    if random.random_bool(0.4) {
        let mut belt = || random.random_range(-2.0..2.0);
        for plane in scene.ground.iter_mut().chain(&mut scene.walls) {
            plane.velocity = SVector::from([0.0, belt(), belt()]);
        }
    }
    scene
}

/// The same with forces in the step: a gravity of any direction, and springs of some newtons from body to body.
pub fn with_forces<B: RigidBody<D, N>, const D: usize, const N: usize>(
    mut scene: Scene<B, D>,
    random: &mut StdRng,
) -> Scene<B, D> {
    let direction = SVector::<f64, D>::from_fn(|_, _| random.random_range(-1.0..1.0));
    scene.gravity = direction.normalize() * 9.81;
    let places: Vec<_> = scene.initial_motion().poses.iter().map(B::position).collect();
    for (first, ends) in places.windows(2).enumerate() {
        if random.random_bool(0.5) {
            let rest = (ends[1] - ends[0]).norm() * random.random_range(0.9..1.1);
            let anchors = [first, first + 1].map(|body| Anchor::on(body, SVector::zeros()));
            let (stiffness, damping) = (random.random_range(0.0..1000.0), random.random_range(0.0..10.0));
            scene.joints.push(Joint::spring(anchors, rest, stiffness, damping));
        }
    }
    scene
}

/// A velocity of about 1 m/s, the spin of a body of some decimetres.
fn twist_in_the_plane(random: &mut StdRng) -> [f64; 3] {
    let mut number = || random.random_range(-1.0..1.0);
    [number(), number(), 10.0 * number()]
}

fn twist_in_space(random: &mut StdRng) -> SVector<f64, 6> {
    SVector::from_fn(|i, _| random.random_range(-1.0..1.0) * if i < 3 { 1.0 } else { 10.0 })
}

/// Rows of discs, close packed, on the ground, at times at a wall, and at times with rods between every second one.
pub fn heap_of_discs(random: &mut StdRng) -> planar::Scene {
    let rows = random.random_range(1..4);
    let columns = random.random_range(2..5);
    let mut bodies = Vec::new();
    for row in 0..rows {
        for column in 0..i32::max(columns - row, 0) {
            let x = 0.2 * f64::from(column) + 0.1 * f64::from(row);
            let z = 0.1 + 0.1 * 3_f64.sqrt() * f64::from(row);
            let shape = planar::Shape::disc(0.1).expect("a disc");
            let mut disc = body(shape, [x, z, 0.0], twist_in_the_plane(random));
            disc.mass *= random.random_range(0.3..3.0);
            bodies.push(disc);
        }
    }
    let mut joints = Vec::new();
    if columns > 2 && random.random_bool(0.5) {
        // What a rod holds apart moves alike along it.
        bodies[2].twist[0] = bodies[0].twist[0];
        joints.push(Joint::rod([0, 2].map(|body| Anchor::on(body, Vector2::zeros())), 0.4));
    }
    let mut scene = planar::Scene { joints, ..plane(bodies, surface(random, 1.2)) };
    if random.random_bool(0.3) {
        let normal = Vector2::x();
        scene.walls.push(Plane { normal, offset: -0.1, velocity: Vector2::zeros() });
    }
    scene
}

fn stack_of_rectangles(random: &mut StdRng) -> planar::Scene {
    let rectangle = |place: i32| {
        let shape = planar::Shape::rectangle(0.3, 0.2).expect("a rectangle");
        let x = 0.1 * random.random_range(-1.0..1.0);
        body(shape, [x, 0.1 + 0.2 * f64::from(place), 0.0], twist_in_the_plane(random))
    };
    let bodies = (0..3).map(rectangle).collect();
    plane(bodies, surface(random, 1.2))
}

/// One that lands on a corner or a side.
fn falling_rectangle(random: &mut StdRng) -> planar::Scene {
    let (width, height) = (random.random_range(0.1..1.0), random.random_range(0.02..0.3));
    let angle = if random.random_bool(0.2) { 0.0 } else { random.random_range(-3.0..3.0_f64) };
    let shape = planar::Shape::rectangle(width, height).expect("a rectangle");
    let z = 0.5 * (width * angle.sin().abs() + height * angle.cos().abs());
    let rectangle = body(shape, [0.0, z, angle], twist_in_the_plane(random));
    plane(vec![rectangle], surface(random, 1.2))
}

/// Rods end to end, every second hinge on the ground.
fn chain_of_rods(random: &mut StdRng) -> planar::Scene {
    let count = random.random_range(2..6);
    let mut number = |from: f64, to: f64| random.random_range(from..to);
    let nodes: Vec<_> = (0..=count)
        .map(|place| {
            let z = if place % 2 == 0 { 0.0 } else { number(0.1, 0.5) };
            Vector2::new(f64::from(place) * 0.5 + number(-0.1, 0.1), z)
        })
        .collect();
    let mut velocity = Vector2::new(number(-1.0, 1.0), number(-1.0, 0.5));
    let mut bodies = Vec::new();
    let mut lengths = Vec::new();
    for ends in nodes.windows(2) {
        let (along, spin) = (ends[1] - ends[0], number(-3.0, 3.0));
        let carried = Vector2::new(-along.y, along.x) * spin;
        let middle = (ends[0] + ends[1]) * 0.5;
        let shape = planar::Shape::rod(along.norm()).expect("a rod");
        let moving = velocity + carried * 0.5;
        bodies.push(body(shape, [middle.x, middle.y, along.y.atan2(along.x)], [moving.x, moving.y, spin]));
        lengths.push(along.norm());
        velocity += carried;
    }
    let mut scene = plane(bodies, surface(random, 1.2));
    for (first, ends) in lengths.windows(2).enumerate() {
        let end = |body, x| Anchor::on(body, Vector2::new(x, 0.0));
        scene.joints.push(Joint::pin([end(first, 0.5 * ends[0]), end(first + 1, -0.5 * ends[1])]));
        scene.passing.insert((first, first + 1));
    }
    scene
}

fn ball(random: &mut StdRng, [x, y, z]: [f64; 3]) -> spatial::Body {
    let shape = spatial::Shape::sphere(0.1).expect("a sphere");
    let mass = random.random_range(0.3..3.0);
    let twist = twist_in_space(random);
    spatial::Body { twist, ..spatial::Body::new(shape, mass, spatial::Pose::upright(x, y, z)) }
}

/// Balls in the corners of a tetrahedron, the lower three on the ground.
fn heap_of_balls(random: &mut StdRng) -> spatial::Scene {
    let (r, top) = (0.1, (8.0 / 3.0_f64).sqrt());
    let corners =
        [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [1.0, 3_f64.sqrt(), 0.0], [1.0, 1.0 / 3_f64.sqrt(), top]];
    let bodies = corners.map(|[x, y, z]| ball(random, [r * x, r * y, r * z + r]));
    space(bodies.into(), surface(random, 1.2))
}

/// Two by three balls on the ground, at times with a rod along the longer side.
fn layer_of_balls(random: &mut StdRng) -> spatial::Scene {
    let places = [0.0, 0.2].into_iter().flat_map(|y| [0.0, 0.2, 0.4].map(|x| [x, y, 0.1]));
    let bodies = places.map(|place| ball(random, place)).collect();
    let mut scene = space(bodies, surface(random, 1.2));
    if random.random_bool(0.5) {
        scene.bodies[2].twist[0] = scene.bodies[0].twist[0];
        scene.joints.push(Joint::rod([0, 2].map(|body| Anchor::on(body, Vector3::zeros())), 0.4));
    }
    scene
}

fn stack_of_boxes(random: &mut StdRng) -> spatial::Scene {
    let count = random.random_range(1..4);
    let cuboid = |place: i32| {
        let shape = spatial::Shape::cuboid([0.3, 0.2, 0.1]).expect("a box");
        let mut along = || 0.05 * random.random_range(-1.0..1.0);
        let pose = spatial::Pose::upright(along(), along(), 0.05 + 0.1 * f64::from(place));
        spatial::Body { twist: twist_in_space(random), ..spatial::Body::new(shape, 1.0, pose) }
    };
    let bodies = (0..count).map(cuboid).collect();
    space(bodies, surface(random, 1.2))
}

/// A box that lands on an edge or a corner.
pub fn falling_box(random: &mut StdRng) -> spatial::Scene {
    let shape = spatial::Shape::cuboid([0.3, 0.2, 0.1]).expect("a box");
    let mut pose = spatial::Pose::upright(0.0, 0.0, 0.0);
    let mut turn = || random.random_range(-1.0..1.0);
    let axis = nalgebra::Unit::new_normalize(Vector3::new(turn(), turn(), turn()));
    pose.orientation = UnitQuaternion::from_axis_angle(&axis, 1.5 * turn());
    let corners = [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]]
        .into_iter()
        .flat_map(|[x, y]| [1.0, -1.0].map(|z| pose.orientation * Vector3::new(0.15 * x, 0.1 * y, 0.05 * z)));
    pose.position.z = -corners.map(|corner| corner.z).fold(f64::INFINITY, f64::min);
    let cuboid = spatial::Body { twist: twist_in_space(random), ..spatial::Body::new(shape, 1.0, pose) };
    space(vec![cuboid], surface(random, 1.2))
}

/// Capsules end to end, with ball joints, every second one on the ground.
fn chain_of_capsules(random: &mut StdRng) -> spatial::Scene {
    let (count, radius) = (random.random_range(2..5), 0.02);
    let mut number = |from: f64, to: f64| random.random_range(from..to);
    let nodes: Vec<_> = (0..=count)
        .map(|place| {
            let z = if place % 2 == 0 { radius } else { number(0.1, 0.5) };
            Vector3::new(f64::from(place) * 0.5, number(-0.2, 0.2), z)
        })
        .collect();
    let mut velocity = Vector3::new(number(-1.0, 1.0), number(-1.0, 1.0), number(-1.0, 0.5));
    let mut bodies = Vec::new();
    let mut lengths = Vec::new();
    for ends in nodes.windows(2) {
        let along = ends[1] - ends[0];
        let spin = Vector3::new(number(-3.0, 3.0), number(-3.0, 3.0), number(-3.0, 3.0));
        let carried = spin.cross(&along);
        let middle = (ends[0] + ends[1]) * 0.5;
        let mut pose = spatial::Pose::upright(middle.x, middle.y, middle.z);
        pose.orientation = UnitQuaternion::rotation_between(&Vector3::z(), &along).expect("no opposite");
        let shape = spatial::Shape::capsule(radius, along.norm()).expect("a capsule");
        let mut capsule = spatial::Body::new(shape, number(0.5, 2.0), pose);
        capsule.twist.fixed_rows_mut::<3>(0).copy_from(&(velocity + carried * 0.5));
        capsule.twist.fixed_rows_mut::<3>(3).copy_from(&(pose.orientation.inverse() * spin));
        bodies.push(capsule);
        lengths.push(along.norm());
        velocity += carried;
    }
    let mut scene = space(bodies, surface(random, 1.2));
    for (first, ends) in lengths.windows(2).enumerate() {
        let end = |body, z| Anchor::on(body, Vector3::new(0.0, 0.0, z));
        scene.joints.push(Joint::pin([end(first, 0.5 * ends[0]), end(first + 1, -0.5 * ends[1])]));
        scene.passing.insert((first, first + 1));
    }
    scene
}

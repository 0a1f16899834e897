//! Bodies that rods and springs join, between walls and on conveyors.

use nalgebra::UnitQuaternion;
use stickslip::{
    model::{Orientation, Vector},
    scenario::{Body, Ends, Pair, Partner, Rod, Scenario, Shape, Spring, Wall},
};

use crate::{
    budget::Draw,
    worlds::{push_a_body, world},
};

/// How far the bodies are from each other at the start, in m: no two of them touch then.
const APART: f64 = 1.6;
/// The largest half width of a body in m.
const LARGEST: f64 = 0.4;

/// Up to four bodies in a chain.
pub fn in_plane(draw: &mut Draw) -> Scenario<2> {
    linked(draw, |draw| Orientation::Angle(draw.uniform(-0.5, 0.5)))
}

/// The same in space.
pub fn in_space(draw: &mut Draw) -> Scenario<3> {
    linked(draw, |draw| {
        let turn = [0, 1, 2].map(|_| draw.uniform(-0.5, 0.5));
        Orientation::Quaternion(UnitQuaternion::new(Vector::<3>::from(turn)))
    })
}

fn linked<const D: usize>(draw: &mut Draw, turned: impl Fn(&mut Draw) -> Orientation) -> Scenario<D> {
    let mut scenario = world::<D>(draw);
    scenario.ground.restitution = draw.one_of(&[0.0, 0.0, 0.5, 0.9]);
    let floor = floor(draw, &mut scenario);
    let count = 1 + draw.below(4);
    let speed = draw.one_of(&[0.0, 0.05, 2.0]);
    scenario.bodies = (0..count).map(|index| body(draw, index, speed, &floor, &turned)).collect();
    if count > 1 && draw.chance(0.4) {
        hang(draw, &mut scenario);
    }
    for first in 1..count {
        if draw.chance(0.8) {
            join(draw, &mut scenario, [first - 1, first]);
        }
    }
    if draw.chance(0.5) {
        side_wall(draw, &mut scenario);
    }
    if draw.chance(0.3) {
        let first = draw.below(count);
        let second = if scenario.walls.is_empty() { Partner::Ground } else { Partner::Wall(0) };
        let friction = Some(draw.uniform(0.0, 1.5));
        let restitution = draw.one_of(&[None, Some(0.3)]);
        scenario.pairs.push(Pair { friction, restitution, ..Pair::between(first, second) });
    }
    push_a_body(draw, &mut scenario);
    scenario
}

/// What the bodies stand on: the ground, or above it a wall that lies, a little inclined, and may be a conveyor.
fn floor<const D: usize>(draw: &mut Draw, scenario: &mut Scenario<D>) -> Wall<D> {
    let upwards = Vector::<D>::from_fn(|axis, _| f64::from(axis == D - 1));
    if draw.chance(0.6) {
        return Wall::new(upwards, 0.0);
    }
    let mut normal = upwards;
    normal[0] = draw.one_of(&[0.0, 0.1, -0.3]);
    let mut wall = Wall::new(normal / normal.norm(), 3.0);
    wall.friction = draw.one_of(&[None, Some(0.0), Some(0.6)]);
    wall.restitution = draw.one_of(&[None, Some(0.0)]);
    if draw.chance(0.5) {
        wall.velocity = [draw.uniform(-2.0, 2.0), if D == 3 { draw.uniform(-1.0, 1.0) } else { 0.0 }];
    }
    scenario.walls.push(wall);
    wall
}

fn body<const D: usize>(
    draw: &mut Draw,
    index: usize,
    speed: f64,
    floor: &Wall<D>,
    turned: impl Fn(&mut Draw) -> Orientation,
) -> Body<D> {
    let size = draw.uniform(0.1, LARGEST);
    let shape = match draw.below(3) {
        0 => Shape::Point,
        1 => Shape::Ball { radius: size },
        _ => Shape::Box { size: Vector::from_fn(|axis, _| if axis == D - 1 { size } else { 1.3 * size }) },
    };
    let mut body = Body::point(draw.log_uniform(0.1, 100.0), [0.0; D], [0.0; D]);
    body.shape = shape;
    let mut gap = draw.one_of(&[0.0, 0.0, 0.05, 1.0]);
    match body.shape {
        Shape::Point => {}
        Shape::Ball { .. } => gap += size,
        // A box stands upright on a level floor, or flies.
        _ if gap == 0.0 && floor.normal[0] == 0.0 => gap = 0.5 * size,
        _ => {
            gap += body.reach();
            body.orientation = turned(draw);
        }
    }
    body.velocity = Vector::from_fn(|_, _| speed * draw.uniform(-1.0, 1.0));
    if body.shape != Shape::Point && draw.chance(0.5) {
        body.spin[0] = speed * draw.uniform(-3.0, 3.0);
        if D == 3 {
            (body.spin[1], body.spin[2]) = (speed * draw.uniform(-3.0, 3.0), speed * draw.uniform(-3.0, 3.0));
        }
    }
    body.position[0] = APART * index as f64;
    body.position[D - 1] = (floor.offset + gap - floor.normal[0] * body.position[0]) / floor.normal[D - 1];
    body
}

/// Fixes the first body high above the others.
fn hang<const D: usize>(draw: &mut Draw, scenario: &mut Scenario<D>) {
    let body = &mut scenario.bodies[0];
    body.fixed = true;
    (body.velocity, body.spin) = (Vector::zeros(), Default::default());
    body.position[D - 1] += draw.uniform(0.5, 2.0);
}

/// A rod or a spring between two bodies.
fn join<const D: usize>(draw: &mut Draw, scenario: &mut Scenario<D>, bodies: [usize; 2]) {
    let at_points = draw.chance(0.5);
    let points = bodies.map(|body| {
        let reach = scenario.bodies[body].reach();
        if at_points {
            Vector::from_fn(|_, _| 0.5 * reach * draw.uniform(-1.0, 1.0))
        } else {
            Vector::zeros()
        }
    });
    let ends = Ends { bodies, points };
    if draw.chance(0.5) {
        scenario.rods.push(Rod { ends, length: None });
        return;
    }
    let distance = scenario.initial_distance(&ends);
    let mass = bodies.map(|body| scenario.bodies[body].mass).into_iter().fold(f64::INFINITY, f64::min);
    let stiffness = mass * draw.log_uniform(1.0, 1e6);
    let damping = if draw.chance(0.5) { 0.0 } else { mass * draw.log_uniform(1e-2, 1e3) };
    let length = draw.one_of(&[None, Some(0.0), Some(0.9 * distance), Some(1.2 * distance)]);
    scenario.springs.push(Spring { ends, stiffness, damping, length });
}

/// A wall at the side of the first body.
fn side_wall<const D: usize>(draw: &mut Draw, scenario: &mut Scenario<D>) {
    let normal = Vector::<D>::from_fn(|axis, _| f64::from(axis == 0));
    let gap = draw.one_of(&[0.0, 0.01, 0.3]);
    let nearest = scenario.bodies.iter().map(|body| body.position[0] - body.reach());
    let mut wall = Wall::new(normal, nearest.fold(f64::INFINITY, f64::min) - gap);
    wall.friction = draw.one_of(&[None, Some(0.3)]);
    wall.restitution = draw.one_of(&[None, Some(0.8)]);
    scenario.walls.push(wall);
}

//! What stands still in the scene of a motion, and the shapes of what moves.

use serde::Serialize;

use crate::{
    model::Vector,
    scenario::{Body, Part, RIM, Scenario, Shape},
    world::{Anchor, Joint},
};

/// Everything of a scenario that the scene draws besides the motion.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Scene {
    /// Inclination of the ground in degrees; positions are measured along and normal to it.
    slope: f64,
    /// The friction coefficients of all surfaces, each once, in order.
    frictions: Vec<f64>,
    /// Weight of everything in N, which scales the arrows of forces; 1 where nothing has weight.
    weight: f64,
    bodies: Vec<SceneBody>,
    walls: Vec<SceneWall>,
    /// Joints, by the places of what they join among the bodies that are shown.
    links: Vec<SceneLink>,
    /// Of how many bodies there are only some are shown, if so.
    of_bodies: Option<usize>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct SceneBody {
    name: String,
    /// The word of scenario files.
    shape: &'static str,
    fixed: bool,
    /// Of a disc or sphere, and of a capsule about its corners.
    radius: Option<f64>,
    /// Corners in m in the body's axes: of a polygon counter-clockwise, of a box in space all eight, of a capsule the ends of
    /// its segment.
    corners: Vec<Vec<f64>>,
    /// Its parts, where it is made of several; they have neither names nor parts.
    parts: Vec<ScenePart>,
}

/// A part of a body.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct ScenePart {
    shape: &'static str,
    fixed: bool,
    /// Of a disc or sphere, and of a capsule about its corners.
    radius: Option<f64>,
    /// Its middle in m in the body's axes.
    centre: Vec<f64>,
    /// Corners in m in the body's axes.
    corners: Vec<Vec<f64>>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct SceneWall {
    normal: Vec<f64>,
    offset: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct SceneLink {
    /// `None` for the world.
    ends: [Option<usize>; 2],
    /// Where on them, in m in the axes of the bodies.
    points: [Vec<f64>; 2],
    spring: bool,
}

impl Scene {
    /// The scene of a scenario with these of its bodies.
    pub fn of<const D: usize>(scenario: &Scenario<D>, bodies: &[usize]) -> Self {
        let place = |body: usize| bodies.iter().position(|&shown| shown == body);
        let link = |joint: &Joint<D>| {
            let end = |anchor: &Anchor<D>| anchor.body.map(place);
            let ends = [end(&joint.anchors[0]), end(&joint.anchors[1])];
            Some(SceneLink {
                ends: if ends.contains(&Some(None)) { return None } else { ends.map(Option::flatten) },
                // Of what holds two points together the arm of the first that moves is shown.
                points: match (joint.is_between_points(), ends[0].is_some()) {
                    (true, _) => joint.anchors.map(|anchor| anchor.point.as_slice().to_vec()),
                    (false, true) => [vec![0.0; D], joint.anchors[1].point.as_slice().to_vec()],
                    (false, false) => [joint.anchors[0].point.as_slice().to_vec(), vec![0.0; D]],
                },
                spring: joint.rest_length().is_some(),
            })
        };
        let mass = scenario.bodies.iter().filter(|body| !body.fixed).map(|body| body.mass).sum::<f64>();
        let weight = mass * scenario.gravity;
        let wall = |wall: &crate::scenario::Wall<D>| SceneWall {
            normal: wall.normal.iter().copied().collect(),
            offset: wall.offset,
        };
        Self {
            slope: scenario.ground.slope,
            frictions: frictions(scenario),
            weight: if weight > 0.0 { weight } else { 1.0 },
            bodies: bodies.iter().map(|&body| scene_body(scenario, body)).collect(),
            walls: scenario.walls.iter().map(wall).collect(),
            links: scenario.world_joints().iter().filter_map(link).collect(),
            of_bodies: Some(scenario.bodies.len()).filter(|&count| count > bodies.len()),
        }
    }
}

fn frictions<const D: usize>(scenario: &Scenario<D>) -> Vec<f64> {
    let laws = scenario.surfaces();
    let mut frictions: Vec<f64> = laws.laws().map(|law| law.friction.static_coefficient()).collect();
    frictions.sort_unstable_by(f64::total_cmp);
    frictions.dedup();
    frictions
}

fn scene_body<const D: usize>(scenario: &Scenario<D>, index: usize) -> SceneBody {
    let body: &Body<D> = &scenario.bodies[index];
    SceneBody {
        name: scenario.body_name(index),
        shape: body.shape.as_str(),
        fixed: body.stays(),
        radius: radius(&body.shape),
        corners: corners(&body.shape),
        parts: body.parts().iter().map(|part| scene_part(body, part)).collect(),
    }
}

fn scene_part<const D: usize>(body: &Body<D>, part: &Part<D>) -> ScenePart {
    let place = |corner: Vec<f64>| {
        let corner = Vector::<D>::from_fn(|axis, _| corner.get(axis).copied().unwrap_or(0.0));
        (part.position + part.orientation.turn(&corner)).as_slice().to_vec()
    };
    ScenePart {
        shape: part.shape.as_str(),
        fixed: body.fixed,
        radius: radius(&part.shape),
        centre: part.position.as_slice().to_vec(),
        corners: corners(&part.shape).into_iter().map(place).collect(),
    }
}

fn radius<const D: usize>(shape: &Shape<D>) -> Option<f64> {
    match shape {
        Shape::Ball { radius } | Shape::Capsule { radius, .. } => Some(*radius),
        _ => None,
    }
}

fn corners<const D: usize>(shape: &Shape<D>) -> Vec<Vec<f64>> {
    if let Some(Ok(crate::world::planar::Shape::Polygon(polygon))) = shape.outline(false) {
        return polygon.corners().iter().map(|corner| vec![corner.x, corner.y]).collect();
    }
    match shape {
        Shape::Box { size } => {
            let sign = |corner: usize, axis: usize| if corner >> axis & 1 == 1 { 0.5 } else { -0.5 };
            let corner = |corner| (0..D).map(|axis| sign(corner, axis) * size[axis]).collect();
            (0..1 << D).map(corner).collect()
        }
        Shape::Hull { vertices } => vertices.iter().map(|vertex| vertex.iter().copied().collect()).collect(),
        Shape::Capsule { length, .. } => {
            let end =
                |part: f64| (0..D).map(|axis| if axis == D - 1 { part * length } else { 0.0 }).collect();
            vec![end(-0.5), end(0.5)]
        }
        Shape::Cylinder { .. } => match shape.solid(true) {
            Some(Ok(crate::world::spatial::Shape::Cylinder(cylinder))) => {
                cylinder.rims(RIM).map(|corner| corner.as_slice().to_vec()).collect()
            }
            _ => Vec::new(),
        },
        Shape::Point | Shape::Rod { .. } | Shape::Ball { .. } | Shape::Compound { .. } => Vec::new(),
    }
}

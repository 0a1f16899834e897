//! What stands still in the scene of a motion, and the shapes of what moves.

use serde::Serialize;

use crate::{
    scenario::{Body, Scenario, Shape},
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
    /// Of a disc or sphere.
    radius: Option<f64>,
    /// Corners in m in the body's axes: of a polygon counter-clockwise, of a box in space all eight.
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
                points: joint.anchors.map(|anchor| anchor.point.as_slice().to_vec()),
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
            links: scenario.joints().iter().filter_map(link).collect(),
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
        fixed: body.fixed,
        radius: match body.shape {
            Shape::Ball { radius } => Some(radius),
            _ => None,
        },
        corners: corners(&body.shape),
    }
}

fn corners<const D: usize>(shape: &Shape<D>) -> Vec<Vec<f64>> {
    if let Some(Ok(crate::world::planar::Shape::Polygon(polygon))) = shape.outline() {
        return polygon.corners().iter().map(|corner| vec![corner.x, corner.y]).collect();
    }
    match shape {
        Shape::Box { size } => {
            let sign = |corner: usize, axis: usize| if corner >> axis & 1 == 1 { 0.5 } else { -0.5 };
            let corner = |corner| (0..D).map(|axis| sign(corner, axis) * size[axis]).collect();
            (0..1 << D).map(corner).collect()
        }
        Shape::Hull { vertices } => vertices.iter().map(|vertex| vertex.iter().copied().collect()).collect(),
        Shape::Point | Shape::Rod { .. } | Shape::Ball { .. } => Vec::new(),
    }
}

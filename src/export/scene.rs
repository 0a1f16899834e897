use nalgebra::{Matrix3, Unit, UnitQuaternion, Vector3};

use super::geometry::{Geometry, in_space};
use crate::{
    model::{Orientation, Vector},
    scenario::{
        Body, Inertia, JointKind, JointSetup, Part, Partner, Scenario, Shape, SlidingFriction, TurningLengths,
    },
    world::{Anchor, AxisLaw, Coordinate, Joint, JointAxis, Surface},
};

/// Something that a file does not say as the scenario does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// The key of the scenario, or the body.
    pub what: String,
    /// What becomes of it, and why.
    pub why: String,
}

/// A scenario as a scene in space, whatever the format.
pub(super) struct Scene {
    pub name: String,
    pub step: f64,
    pub gravity: [f64; 3],
    pub bodies: Vec<SceneBody>,
    /// The ground first.
    pub planes: Vec<ScenePlane>,
    /// Who may touch whom, by places among the bodies, and among the bodies or the planes.
    pub pairs: Vec<ScenePair>,
    /// The tables that say of friction against turning.
    pub turning: Vec<(String, TurningLengths)>,
    /// The tables that say of friction across an axis.
    pub across: Vec<String>,
    pub rods: Vec<SceneRod>,
    pub springs: Vec<SceneSpring>,
    pub joints: Vec<SceneJoint>,
    /// What holds for every format.
    pub remarks: Vec<Remark>,
}

pub(super) struct SceneBody {
    pub name: String,
    pub freedom: Freedom,
    pub mass: f64,
    /// Inertia tensor in the axes of the body in kg m^2.
    pub inertia: Matrix3<f64>,
    pub position: [f64; 3],
    /// Angle in the plane in rad, from x towards z; zero in space.
    pub angle: f64,
    pub rotation: UnitQuaternion<f64>,
    pub velocity: [f64; 3],
    /// In the plane the rate of the angle first, in space the rates about the axes of the body, in rad/s.
    pub spin: [f64; 3],
    pub geometry: Geometry,
    /// Its parts, where it is made of several.
    pub parts: Vec<ScenePart>,
}

/// A part of a body, in the axes of the body.
pub(super) struct ScenePart {
    pub geometry: Geometry,
    pub position: [f64; 3],
    pub rotation: UnitQuaternion<f64>,
}

/// A joint that holds points of two bodies, or of a body and the world, together.
pub(super) struct SceneJoint {
    /// Its number in the scenario.
    pub index: usize,
    pub kind: JointKind,
    /// The bodies; `None` is the world.
    pub bodies: [Option<usize>; 2],
    /// Where it is on them, in m in their axes: of a hinge in space at two places along its axis.
    pub points: Vec<[[f64; 3]; 2]>,
    /// How the first is turned as the second sees it.
    pub turn: UnitQuaternion<f64>,
    /// The keys of what acts along its coordinate.
    pub acting: Vec<&'static str>,
}

/// How a body may move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Freedom {
    Fixed,
    /// It slides along these axes and does not turn.
    Slides(&'static [char]),
    /// It slides along x and z and turns in between.
    Planar,
    Free,
}

pub(super) struct ScenePlane {
    pub name: String,
    pub normal: [f64; 3],
    pub offset: f64,
    /// Velocity of its surface along itself in m/s, in the axes of the world.
    pub velocity: [f64; 3],
}

pub(super) struct ScenePair {
    pub first: usize,
    pub second: Touched,
    pub surface: Surface,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Touched {
    Body(usize),
    Plane(usize),
}

/// Points of two bodies, in m in their axes; `None` for a centre of mass.
pub(super) type SceneEnds = [(usize, Option<[f64; 3]>); 2];

pub(super) struct SceneRod {
    pub ends: SceneEnds,
    /// Length that it keeps in m.
    pub length: f64,
}

pub(super) struct SceneSpring {
    pub ends: SceneEnds,
    pub stiffness: f64,
    pub damping: f64,
    pub length: f64,
}

/// The scene of a scenario.
pub(super) fn of<const D: usize>(scenario: &Scenario<D>) -> Scene {
    let mut remarks = Vec::new();
    let bodies: Vec<_> =
        (0..scenario.bodies.len()).map(|index| body(scenario, index, &mut remarks)).collect();
    let ground =
        ScenePlane { name: "ground".to_owned(), normal: [0.0, 0.0, 1.0], offset: 0.0, velocity: [0.0; 3] };
    let walls = scenario.walls.iter().enumerate().map(|(index, wall)| ScenePlane {
        name: format!("wall-{index}"),
        normal: in_space(&wall.normal),
        offset: wall.offset,
        velocity: in_space(&wall.surface_velocity()),
    });
    let mut across = Vec::new();
    for (table, sliding) in slipping_tables(scenario) {
        for (key, _) in sliding.given() {
            if key == "friction_across" {
                across.push(table.clone());
            } else {
                let why = "left out: the format has one coefficient of friction, and gets that at rest";
                remarks.push(remark(format!("{table}.{key}"), why));
            }
        }
    }
    for index in 0..scenario.pushes.len() {
        remarks.push(remark(
            format!("push.{index}"),
            "left out: the format has no external forces; a program that runs the scene has to apply them",
        ));
    }
    for index in 0..scenario.contacts.len() {
        remarks.push(remark(
            format!("contact.{index}"),
            "left out: the format has no contact at a distance between points",
        ));
    }
    let (rods, springs) = joined(scenario);
    Scene {
        name: scenario.name.clone(),
        step: scenario.step,
        gravity: in_space(&scenario.gravity_vector()),
        planes: std::iter::once(ground).chain(walls).collect(),
        pairs: pairs(scenario),
        turning: turning_tables(scenario).collect(),
        across,
        rods,
        springs,
        joints: scenario
            .joints
            .iter()
            .enumerate()
            .map(|(index, setup)| joint(scenario, index, setup))
            .collect(),
        bodies,
        remarks,
    }
}

/// The tables that say of friction against turning, and what they say.
fn turning_tables<const D: usize>(scenario: &Scenario<D>) -> impl Iterator<Item = (String, TurningLengths)> {
    let walls =
        scenario.walls.iter().enumerate().map(|(index, wall)| (format!("wall.{index}"), wall.turning));
    let pairs =
        scenario.pairs.iter().enumerate().map(|(index, pair)| (format!("pair.{index}"), pair.turning));
    std::iter::once(("ground".to_owned(), scenario.ground.turning)).chain(walls).chain(pairs)
}

/// The tables that say of friction in motion, and what they say.
fn slipping_tables<const D: usize>(
    scenario: &Scenario<D>,
) -> impl Iterator<Item = (String, SlidingFriction)> {
    let walls =
        scenario.walls.iter().enumerate().map(|(index, wall)| (format!("wall.{index}"), wall.sliding));
    let pairs =
        scenario.pairs.iter().enumerate().map(|(index, pair)| (format!("pair.{index}"), pair.sliding));
    std::iter::once(("ground".to_owned(), scenario.ground.sliding)).chain(walls).chain(pairs)
}

pub(super) fn remark(what: impl Into<String>, why: impl Into<String>) -> Remark {
    Remark { what: what.into(), why: why.into() }
}

/// Part of the reach of the smaller body by which two points on the axis of a hinge are apart.
const ALONG_AXIS: f64 = 0.5;

fn joint<const D: usize>(scenario: &Scenario<D>, index: usize, setup: &JointSetup<D>) -> SceneJoint {
    let Joint { anchors, .. } = setup.joint_in(scenario);
    let reaches = setup.bodies.iter().flatten().map(|&body| scenario.bodies[body].reach());
    let apart = ALONG_AXIS * reaches.fold(f64::INFINITY, f64::min);
    let own_turn = |body: Option<usize>| {
        body.map_or_else(UnitQuaternion::identity, |body| rotation(&scenario.bodies[body].orientation))
    };
    let turns = setup.bodies.map(own_turn);
    let along = |end: usize| -> [f64; 3] {
        let axis = setup.axis.map_or_else(Vector3::zeros, |axis| Vector3::from(in_space(&axis)));
        let arm = turns[end].inverse() * (axis / axis.norm().max(f64::MIN_POSITIVE) * apart);
        (Vector3::from(in_space(&anchors[end].point)) + arm).into()
    };
    let mut points = vec![[0, 1].map(|end: usize| in_space(&anchors[end].point))];
    if D == 3 && setup.kind == JointKind::Hinge {
        points.push([0, 1].map(along));
    }
    let acting = [
        ("limits", setup.limits.is_some() || setup.second.limits.is_some()),
        ("damping", setup.damping > 0.0),
        ("stiffness", setup.stiffness > 0.0),
        ("friction", setup.friction > 0.0),
        ("armature", setup.armature > 0.0),
        ("drive", setup.drives().next().is_some()),
    ];
    SceneJoint {
        index,
        kind: setup.kind,
        bodies: setup.bodies,
        points,
        turn: turns[1].inverse() * turns[0],
        acting: acting.into_iter().filter(|(_, acts)| *acts).map(|(key, _)| key).collect(),
    }
}

/// The joints along the line between two points of bodies: rods and springs, each in the order of the scenario.
fn joined<const D: usize>(scenario: &Scenario<D>) -> (Vec<SceneRod>, Vec<SceneSpring>) {
    let (mut rods, mut springs) = (Vec::new(), Vec::new());
    for joint in &scenario.world_joints()[..scenario.first_joint()] {
        match (ends(&joint.anchors), joint.axes.as_slice()) {
            (Some(ends), [JointAxis { coordinate: Coordinate::Distance, law: AxisLaw::Locked { at } }]) => {
                rods.push(SceneRod { ends, length: *at })
            }
            (
                Some(ends),
                [
                    JointAxis {
                        coordinate: Coordinate::Distance,
                        law: AxisLaw::Sprung { rest, stiffness, damping },
                    },
                ],
            ) => {
                let (stiffness, damping) = (*stiffness, *damping);
                springs.push(SceneSpring { ends, stiffness, damping, length: *rest });
            }
            _ => {}
        }
    }
    (rods, springs)
}

/// The ends of a joint between bodies.
fn ends<const D: usize>(anchors: &[Anchor<D>; 2]) -> Option<SceneEnds> {
    let point = |anchor: &Anchor<D>| (anchor.point != Vector::<D>::zeros()).then(|| in_space(&anchor.point));
    let [first, second] = anchors;
    Some([(first.body?, point(first)), (second.body?, point(second))])
}

fn body<const D: usize>(scenario: &Scenario<D>, index: usize, remarks: &mut Vec<Remark>) -> SceneBody {
    let body = &scenario.bodies[index];
    let name = scenario.body_name(index);
    let (geometry, note) = Geometry::of(body);
    remarks.extend(note.map(|note| remark(format!("body {name}"), note)));
    if body.motion.is_some() {
        remarks.push(remark(format!("body {name}"), "stands where it starts: its motion is left out"));
    }
    let freedom = match (&body.shape, D) {
        _ if body.fixed => Freedom::Fixed,
        (Shape::Point, 2) => Freedom::Slides(&['x', 'z']),
        (Shape::Point, _) => Freedom::Slides(&['x', 'y', 'z']),
        (_, 2) => Freedom::Planar,
        _ => Freedom::Free,
    };
    let angle = if let Orientation::Angle(angle) = body.orientation { angle } else { 0.0 };
    let part = |part: &Part<D>| {
        let (geometry, note) = Geometry::of_part(part);
        remarks.extend(note.map(|note| remark(format!("a part of {name}"), note)));
        ScenePart { geometry, position: in_space(&part.position), rotation: rotation(&part.orientation) }
    };
    let parts = body.parts().iter().map(part).collect();
    SceneBody {
        freedom,
        mass: body.mass,
        inertia: inertia(body),
        position: in_space(&body.position),
        angle,
        rotation: rotation(&body.orientation),
        velocity: in_space(&body.velocity),
        spin: body.spin.into(),
        geometry,
        parts,
        name,
    }
}

fn rotation(orientation: &Orientation) -> UnitQuaternion<f64> {
    match *orientation {
        // From x towards z is about -y.
        Orientation::Angle(angle) => {
            UnitQuaternion::from_axis_angle(&Unit::new_unchecked(-Vector3::y()), angle)
        }
        Orientation::Quaternion(rotation) => rotation,
    }
}

/// The inertia tensor; about axes that the body cannot turn about it is that of a sphere.
fn inertia<const D: usize>(body: &Body<D>) -> Matrix3<f64> {
    match body.moment_of_inertia() {
        Some(Inertia::Plane(moment)) => Matrix3::identity() * moment,
        Some(Inertia::Space(tensor)) => tensor,
        None => Matrix3::identity() * body.mass * 1e-6,
    }
}

fn pairs<const D: usize>(scenario: &Scenario<D>) -> Vec<ScenePair> {
    let mut pairs = Vec::new();
    let (surfaces, passing) = (scenario.surfaces(), scenario.passing());
    let fixed = |index: usize| scenario.bodies[index].fixed;
    let is_point = |index: usize| scenario.bodies[index].shape == Shape::Point;
    for first in 0..scenario.bodies.len() {
        let walls = (0..scenario.walls.len()).map(|wall| (Partner::Wall(wall), Touched::Plane(wall + 1)));
        let planes =
            std::iter::once((Partner::Ground, Touched::Plane(0))).chain(walls).filter(|_| !fixed(first));
        let others = (first + 1..scenario.bodies.len())
            .filter(|&other| !(fixed(first) && fixed(other) || is_point(first) && is_point(other)))
            .filter(|&other| !passing.contains(&(first, other)));
        let others = others.map(|other| (Partner::Body(other), Touched::Body(other)));
        pairs.extend(planes.chain(others).map(|(partner, second)| ScenePair {
            first,
            second,
            surface: surfaces.between(first, partner),
        }));
    }
    pairs
}

//! What `[[joint]]` says: a kind, where it is, and what acts along what it leaves free.

use nalgebra::{SMatrix, Vector3};

use super::{Choice, Inertia, Scenario};
use crate::{
    model::Vector,
    world::{Anchor, AxisLaw, Drive, Joint, JointAxis, JointFrame, Schedule, Target},
};

/// What two bodies can do in a joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JointKind {
    /// They turn about an axis.
    Hinge,
    /// They slide along an axis, and do not turn.
    Slider,
    /// They are one piece.
    Weld,
    /// They turn about a point.
    Ball,
    /// They turn about two axes at right angles, one carried by each.
    Universal,
    /// They slide along an axis and turn about it.
    Cylindrical,
}

/// What is known of a kind of joint.
struct KindTraits {
    /// Its word in files.
    word: &'static str,
    /// What it is called in a sentence.
    called: &'static str,
    /// How many axes it has in the plane and in space; `None` where there is none of its kind.
    axes: [Option<usize>; 2],
    /// What its coordinate is, along which springs, drives and stops act; `None` where it leaves none free.
    coordinate: Option<CoordinateKind>,
    /// What a second free coordinate is, an angle; `None` where there is none.
    second: Option<&'static str>,
}

/// What the coordinate of a joint measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CoordinateKind {
    /// An angle in rad.
    Angle,
    /// A length in m.
    Length,
}

impl JointKind {
    const fn traits(self) -> KindTraits {
        use CoordinateKind::{Angle, Length};
        let (word, called, axes, coordinate) = match self {
            Self::Hinge => ("hinge", "hinge", [Some(0), Some(1)], Some(Angle)),
            Self::Slider => ("slider", "slider", [Some(1), Some(1)], Some(Length)),
            Self::Weld => ("weld", "weld", [Some(0), Some(0)], None),
            Self::Ball => ("ball", "ball joint", [None, Some(0)], None),
            Self::Universal => ("universal", "universal joint", [None, Some(2)], Some(Angle)),
            Self::Cylindrical => ("cylindrical", "cylindrical joint", [None, Some(1)], Some(Length)),
        };
        let second = match self {
            Self::Universal => Some("the angle about axis2"),
            Self::Cylindrical => Some("the angle about its axis"),
            _ => None,
        };
        KindTraits { word, called, axes, coordinate, second }
    }

    /// What it is called in a sentence.
    pub(crate) fn called(self) -> &'static str {
        self.traits().called
    }

    /// Whether there are joints of this kind in `D` dimensions.
    pub fn exists_in<const D: usize>(self) -> bool {
        self.traits().axes[D - 2].is_some()
    }

    /// The words of the kinds in `D` dimensions that `meets` is true of, as a list in a sentence.
    pub(in crate::scenario) fn words_of<const D: usize>(meets: impl Fn(Self) -> bool) -> String {
        let kinds = Self::ALL.iter().filter(|kind| kind.exists_in::<D>() && meets(**kind));
        let words: Vec<String> = kinds.map(|kind| format!("\"{}\"", kind.as_str())).collect();
        match words.as_slice() {
            [others @ .., last] if !others.is_empty() => format!("{} or {last}", others.join(", ")),
            _ => words.concat(),
        }
    }

    /// Whether it leaves a coordinate free, along which springs, drives and stops act.
    pub fn has_coordinate(self) -> bool {
        self.traits().coordinate.is_some()
    }

    /// What the second coordinate is that it leaves free; `None` where it leaves one at most.
    pub fn second_coordinate(self) -> Option<&'static str> {
        self.traits().second
    }

    /// Whether its coordinate is a length, in m, and the forces along it are in N.
    pub fn slides(self) -> bool {
        self.traits().coordinate == Some(CoordinateKind::Length)
    }

    /// How many axes it has in `D` dimensions.
    pub fn axes<const D: usize>(self) -> usize {
        self.traits().axes[D - 2].unwrap_or(0)
    }
}

impl Choice for JointKind {
    const ALL: &'static [Self] =
        &[Self::Hinge, Self::Slider, Self::Weld, Self::Ball, Self::Universal, Self::Cylindrical];

    fn as_str(self) -> &'static str {
        self.traits().word
    }
}

/// Where a joint is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum JointPlace<const D: usize> {
    /// At this point of the world at the start, in m.
    At(Vector<D>),
    /// At these points, in m in the axes of the bodies about their centres of mass, or in the world.
    Points([Vector<D>; 2]),
}

/// A joint of two bodies, or of a body and the world.
#[derive(Debug, Clone, PartialEq)]
pub struct JointSetup<const D: usize> {
    /// What they can do.
    pub kind: JointKind,
    /// The bodies; `None` is the world.
    pub bodies: [Option<usize>; 2],
    /// Where it is.
    pub place: JointPlace<D>,
    /// The axis in the world at the start, of any length but zero. A slider has one, in space all do but a weld and a ball joint.
    pub axis: Option<Vector<D>>,
    /// The second axis of a universal joint, which the second body carries.
    pub axis2: Option<Vector<D>>,
    /// The value of the coordinate at the start, in m or rad; limits, rest and targets count from the same zero.
    pub start: f64,
    /// The least and the largest value of the coordinate, in m or rad.
    pub limits: Option<[f64; 2]>,
    /// Coefficient of restitution at the limits.
    pub restitution: f64,
    /// Stiffness of a spring in N/m or N m/rad.
    pub stiffness: f64,
    /// Where that spring is at rest, in m or rad.
    pub rest: f64,
    /// Damping in N s/m or N m s/rad.
    pub damping: f64,
    /// The largest dry friction in N or N m.
    pub friction: f64,
    /// Inertia of a rotor that turns with the coordinate, in kg or kg m^2.
    pub armature: f64,
    /// Whether the two touch each other all the same.
    pub collide: bool,
    /// Whether the bodies are moved at the start so far that the points meet.
    pub assemble: bool,
    /// A motor.
    pub drive: Option<DriveSetup>,
    /// What stops and drives the second coordinate of a joint that leaves two free.
    pub second: SecondCoordinate,
}

/// What acts along the angle about the second axis of a universal joint, or about the axis of a cylindrical one.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SecondCoordinate {
    /// Its value at the start, in rad; its limits and targets count from the same zero.
    pub start: f64,
    /// The least and the largest value, in rad, at which it bounces as the first does.
    pub limits: Option<[f64; 2]>,
    /// A motor.
    pub drive: Option<DriveSetup>,
}

/// The motor of a joint.
#[derive(Debug, Clone, PartialEq)]
pub struct DriveSetup {
    /// What is given.
    pub target: Target,
    /// Force per deviation from the target of a position, in N/m or N m/rad.
    pub kp: f64,
    /// Force per deviation of the rate, in N s/m or N m s/rad.
    pub kv: f64,
    /// The largest force in N or N m; none if absent.
    pub limit: Option<f64>,
}

impl DriveSetup {
    /// One by a target, without gains and limit.
    pub fn by(target: Target) -> Self {
        Self { target, kp: 0.0, kv: 0.0, limit: None }
    }

    /// The key of its target in a file, and the target over time.
    pub fn schedule(&self) -> (&'static str, &Schedule) {
        match &self.target {
            Target::Force(schedule) => ("force", schedule),
            Target::Position(schedule) => ("position", schedule),
            Target::Velocity(schedule) => ("velocity", schedule),
        }
    }

    /// The target over time, to be changed.
    pub fn schedule_mut(&mut self) -> &mut Schedule {
        match &mut self.target {
            Target::Force(schedule) | Target::Position(schedule) | Target::Velocity(schedule) => schedule,
        }
    }

    /// Its law along a coordinate that the world counts from 0 where it is `start` here.
    fn law(&self, start: f64) -> AxisLaw {
        let Self { target, kp, kv, limit } = self;
        let target = match target {
            Target::Position(schedule) => {
                let rows = schedule.rows().iter().map(|[time, value]| [*time, value - start]);
                Target::Position(Schedule::new(rows.collect()))
            }
            other => other.clone(),
        };
        AxisLaw::Driven(Drive { target, kp: *kp, kv: *kv, limit: limit.unwrap_or(f64::INFINITY) })
    }
}

/// The law of limits along a coordinate that the world counts from 0 where it is `start` here.
fn limits_law(limits: [f64; 2], start: f64, restitution: f64) -> AxisLaw {
    match limits.map(|limit| limit - start) {
        [low, high] if low == high => AxisLaw::Locked { at: low },
        between => AxisLaw::Stopped { between, restitution },
    }
}

impl<const D: usize> JointSetup<D> {
    /// A joint of a kind and nothing besides; its axis, if it has one, is to be given.
    pub fn of(kind: JointKind, bodies: [Option<usize>; 2], place: JointPlace<D>) -> Self {
        Self {
            kind,
            bodies,
            place,
            axis: None,
            axis2: None,
            start: 0.0,
            limits: None,
            restitution: 0.0,
            stiffness: 0.0,
            rest: 0.0,
            damping: 0.0,
            friction: 0.0,
            armature: 0.0,
            collide: false,
            assemble: false,
            drive: None,
            second: SecondCoordinate::default(),
        }
    }

    /// Whether the limits leave nothing free of its coordinate.
    pub(crate) fn is_locked(&self) -> bool {
        self.limits.is_some_and(|[low, high]| low == high)
    }

    /// Whether it stops at limits.
    pub(crate) fn has_stops(&self) -> bool {
        [self.limits, self.second.limits].into_iter().flatten().any(|[low, high]| low != high)
    }

    /// The motors along its coordinates, each with the name of its table.
    pub(crate) fn drives(&self) -> impl Iterator<Item = (&'static str, &DriveSetup)> {
        [("drive", &self.drive), ("drive2", &self.second.drive)]
            .into_iter()
            .filter_map(|(name, drive)| Some((name, drive.as_ref()?)))
    }

    /// Where the two bodies are joined, in the world at the start, in m.
    pub(crate) fn places(&self, scenario: &Scenario<D>) -> [Vector<D>; 2] {
        [0, 1].map(|end| match (&self.place, self.bodies[end]) {
            (JointPlace::At(point), _) => *point,
            (JointPlace::Points(points), Some(body)) => {
                let body = &scenario.bodies[body];
                body.position + body.orientation.turn(&points[end])
            }
            (JointPlace::Points(points), None) => points[end],
        })
    }

    pub(in crate::scenario) fn anchors(&self, scenario: &Scenario<D>) -> [Anchor<D>; 2] {
        [0, 1].map(|end| match (&self.place, self.bodies[end]) {
            (JointPlace::At(point), Some(index)) => {
                let body = &scenario.bodies[index];
                Anchor::on(index, body.orientation.turn_back(&(point - body.position)))
            }
            (JointPlace::Points(points), Some(index)) => Anchor::on(index, points[end]),
            (JointPlace::At(point), None) => Anchor::in_world(*point),
            (JointPlace::Points(points), None) => Anchor::in_world(points[end]),
        })
    }

    /// The axes of the joint as each of the bodies carries them.
    fn frame(&self, scenario: &Scenario<D>) -> JointFrame<D> {
        let world = vectors(self.axis.as_ref(), self.axis2.as_ref());
        self.bodies.map(|body| match body {
            None => world,
            Some(body) => {
                let orientation = &scenario.bodies[body].orientation;
                let columns: [Vector<D>; D] =
                    std::array::from_fn(|axis| orientation.turn_back(&world.column(axis).into()));
                SMatrix::from_columns(&columns)
            }
        })
    }

    /// It as a joint of the world, as a part of `scenario`.
    pub fn joint_in(&self, scenario: &Scenario<D>) -> Joint<D> {
        let (anchors, frame) = (self.anchors(scenario), self.frame(scenario));
        let mut joint = match self.kind {
            JointKind::Hinge => Joint::hinge(anchors, &frame),
            JointKind::Slider => Joint::slider(anchors, &frame),
            JointKind::Weld => Joint::weld(anchors, &frame),
            JointKind::Ball => Joint::pin(anchors),
            JointKind::Universal => Joint::universal(anchors, &frame),
            JointKind::Cylindrical => Joint::cylindrical(anchors, &frame),
        };
        if let Some(coordinate) = joint.free.first().copied() {
            joint.axes.extend(self.laws().map(|law| JointAxis { coordinate, law }));
        }
        if let Some(coordinate) = joint.free.get(1).copied() {
            let SecondCoordinate { start, limits, drive } = &self.second;
            let limits = limits.map(|limits| limits_law(limits, *start, self.restitution));
            let drive = drive.as_ref().map(|drive| drive.law(*start));
            joint.axes.extend(limits.into_iter().chain(drive).map(|law| JointAxis { coordinate, law }));
        }
        joint
    }

    /// What holds for the coordinate, which the world counts from where it is at the start.
    fn laws(&self) -> impl Iterator<Item = AxisLaw> {
        let Self { start, stiffness, damping, friction, armature, restitution, .. } = *self;
        let spring = (stiffness > 0.0 || damping > 0.0).then_some(AxisLaw::Sprung {
            rest: self.rest - start,
            stiffness,
            damping,
        });
        let limits = self.limits.map(|limits| limits_law(limits, start, restitution));
        let drive = self.drive.as_ref().map(|drive| drive.law(start));
        let friction = (friction > 0.0).then_some(AxisLaw::Rubbing { most: friction });
        let armature = (armature > 0.0).then_some(AxisLaw::Inertial { inertia: armature });
        [spring, friction, armature, limits, drive].into_iter().flatten()
    }

    /// Stiffness in N/m or N m/rad, of springs and drives, and inertia in kg or kg m^2 along each of its coordinates, were each of
    /// the bodies joined to nothing else.
    pub(crate) fn oscillators(&self, scenario: &Scenario<D>) -> [(f64, f64); 2] {
        let stiffness_of = |drive: &Option<DriveSetup>| drive.as_ref().map_or(0.0, |drive| drive.kp);
        let axes = vectors(self.axis.as_ref(), self.axis2.as_ref());
        let first = axes.column(0).into_owned();
        let second = if self.kind == JointKind::Universal { axes.column(1).into_owned() } else { first };
        let along = self.inertia(scenario, &first, self.kind.slides()) + self.armature;
        [
            (self.stiffness + stiffness_of(&self.drive), along),
            (stiffness_of(&self.second.drive), self.inertia(scenario, &second, false)),
        ]
    }

    /// The inertia in kg of what slides along this axis, or in kg m^2 of what turns about it.
    fn inertia(&self, scenario: &Scenario<D>, axis: &Vector<D>, slides: bool) -> f64 {
        let places = self.places(scenario);
        let mut mobility = 0.0;
        for (end, body) in self.bodies.iter().enumerate() {
            let Some(body) = body.map(|body| &scenario.bodies[body]).filter(|body| !body.fixed) else {
                continue;
            };
            let arm = body.position - places[end];
            let own = match (slides, body.moment_of_inertia()) {
                (true, _) | (_, None) => body.mass,
                (_, Some(Inertia::Plane(moment))) => moment + body.mass * arm.norm_squared(),
                (_, Some(Inertia::Space(tensor))) => {
                    let own_axis = body.orientation.turn_back(axis);
                    let own_axis = Vector3::from_fn(|row, _| own_axis.get(row).copied().unwrap_or(0.0));
                    let across = arm - axis * axis.dot(&arm);
                    own_axis.dot(&(tensor * own_axis)) + body.mass * across.norm_squared()
                }
            };
            mobility += 1.0 / own;
        }
        1.0 / mobility
    }

    /// The two bodies, the smaller number first, if they do not touch as they are joined.
    pub(super) fn passing(&self) -> Option<(usize, usize)> {
        match self.bodies {
            [Some(first), Some(second)] if !self.collide => Some((first.min(second), first.max(second))),
            _ => None,
        }
    }
}

impl<const D: usize> Scenario<D> {
    /// What joint `joint` is called in files: its kind and its number.
    pub fn joint_name(&self, joint: usize) -> String {
        let kind = self.joints.get(joint).map_or("joint", |joint| joint.kind.as_str());
        format!("{kind}-{joint}")
    }

    /// The number of the first of the world's joints that a `[[joint]]` is, behind rods and springs.
    pub(crate) fn first_joint(&self) -> usize {
        self.rods.len() + self.springs.len()
    }
}

/// Orthogonal unit vectors, right-handed in space, of which the first has the direction of `axis` and the second lies with it
/// in a plane with `second`; those of the world where there is no axis.
fn vectors<const D: usize>(axis: Option<&Vector<D>>, second: Option<&Vector<D>>) -> SMatrix<f64, D, D> {
    let Some(axis) = axis else { return SMatrix::identity() };
    let first = axis / axis.norm();
    if D == 2 {
        return SMatrix::from_fn(|row, column| match (row, column) {
            (_, 0) => first[row],
            (0, _) => -first[1],
            _ => first[0],
        });
    }
    // Without another one, the axis of the world that it is furthest from.
    let helper = second.copied().unwrap_or_else(|| {
        let least = first.map(f64::abs).imin();
        Vector::from_fn(|row, _| f64::from(row == least))
    });
    let across = helper - first * first.dot(&helper);
    let second = across / across.norm();
    SMatrix::from_fn(|row, column| match column {
        0 => first[row],
        1 => second[row],
        _ => {
            let (next, last) = ((row + 1) % D, (row + 2) % D);
            first[next] * second[last] - first[last] * second[next]
        }
    })
}

//! What both formats describe: a tree of links, what closes loops in it, and what the links touch with.

use std::collections::HashSet;

use nalgebra::{Isometry3, Vector3};

use crate::{mass::MassProperties, note::Place, solid::Solid};

/// The number of the world among the links.
pub(crate) const WORLD: usize = 0;

#[derive(Debug)]
pub(crate) struct Mechanism {
    pub name: String,
    /// Length of a step in s.
    pub step: f64,
    /// In m/s^2.
    pub gravity: Vector3<f64>,
    /// Parents before their children; the first is the world.
    pub links: Vec<Link>,
    pub closures: Vec<Closure>,
    /// Pairs of links that do not touch each other.
    pub apart: HashSet<[usize; 2]>,
    /// Friction that holds between two links, whatever their surfaces say.
    pub agreed: Vec<([usize; 2], f64)>,
    /// Whether there are no contacts at all.
    pub nothing_touches: bool,
    /// Whether links touch what they are joined to.
    pub neighbours_touch: bool,
    /// Whether a link that is joined to one that stays where it is touches that.
    pub touches_fixed_neighbour: bool,
    /// Whether shapes that lie in one another at the start touch all the same, as the file says who touches whom.
    pub overlaps_touch: bool,
    /// Whether what is free is to be placed on the ground, as the file has none.
    pub stands: bool,
    pub place: Place,
}

#[derive(Debug)]
pub(crate) struct Link {
    pub name: Option<String>,
    pub place: Place,
    pub parent: usize,
    /// Its axes in those of its parent, with all coordinates at their reference.
    pub pose: Isometry3<f64>,
    /// What it can do in its parent, the outermost first; nothing where it is one piece with it.
    pub joints: Vec<TreeJoint>,
    pub geoms: Vec<Geom>,
    pub mass: MassProperties,
    /// Whether it is none of the file's, and stands between two joints of one link.
    pub is_carrier: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Hinge,
    Slide,
    Ball,
    Free,
}

#[derive(Debug, Clone)]
pub(crate) struct TreeJoint {
    pub name: Option<String>,
    pub place: Place,
    pub kind: Kind,
    /// In the axes of the link, in m.
    pub anchor: Vector3<f64>,
    /// A unit vector in the axes of the link.
    pub axis: Vector3<f64>,
    /// The coordinate in the pose of the file.
    pub reference: f64,
    pub limits: Option<[f64; 2]>,
    pub stiffness: f64,
    pub rest: f64,
    pub damping: f64,
    pub friction: f64,
    pub armature: f64,
    pub drive: Option<Drive>,
}

impl TreeJoint {
    pub fn called(&self) -> String {
        match &self.name {
            Some(name) => format!("joint `{name}`"),
            None => "a joint".to_owned(),
        }
    }

    /// Whether anything acts along its coordinate.
    pub fn acts(&self) -> bool {
        let Self { stiffness, damping, friction, armature, .. } = self;
        self.limits.is_some()
            || self.drive.is_some()
            || [stiffness, damping, friction, armature].into_iter().any(|amount| *amount > 0.0)
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Target {
    Force,
    Position(f64),
    Velocity(f64),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Drive {
    pub target: Target,
    pub kp: f64,
    pub kv: f64,
    pub limit: Option<f64>,
}

/// What a geom touches with.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Form {
    Solid(Solid),
    /// The half-space under the plane z = 0 of the geom.
    Plane,
}

#[derive(Debug, Clone)]
pub(crate) struct Geom {
    pub name: Option<String>,
    pub place: Place,
    pub form: Form,
    /// Its axes in those of its link.
    pub pose: Isometry3<f64>,
    pub surface: GeomSurface,
}

/// Friction and who is touched.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct GeomSurface {
    pub friction: f64,
    pub slides_freely: bool,
    pub priority: f64,
    pub contype: u32,
    pub conaffinity: u32,
}

impl GeomSurface {
    pub fn touches(&self, other: &Self) -> bool {
        self.contype & other.conaffinity != 0 || other.contype & self.conaffinity != 0
    }

    /// Friction of a pair: that of the higher priority, or the larger; none where neither has any.
    pub fn friction_with(&self, other: &Self) -> f64 {
        let own = |surface: &Self| if surface.slides_freely { 0.0 } else { surface.friction };
        if self.priority > other.priority {
            own(self)
        } else if self.priority < other.priority {
            own(other)
        } else if self.slides_freely && other.slides_freely {
            0.0
        } else {
            self.friction.max(other.friction)
        }
    }
}

/// What keeps two links together that are no parent and child.
#[derive(Debug)]
pub(crate) struct Closure {
    pub what: String,
    pub place: Place,
    pub is_weld: bool,
    pub links: [usize; 2],
    /// In the axes of the first link, in m.
    pub point: Vector3<f64>,
}

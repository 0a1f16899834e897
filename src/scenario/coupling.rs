use super::{Scenario, SlidingFriction};
use crate::{
    model::Vector,
    world::{Anchor, Joint},
};

/// What a rod or a spring joins: a point of one body with a point of another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ends<const D: usize> {
    /// The bodies.
    pub bodies: [usize; 2],
    /// The points in m, in the axes of the bodies about their centres of mass.
    pub points: [Vector<D>; 2],
}

impl<const D: usize> Ends<D> {
    /// The centres of mass of two bodies.
    pub fn centres(bodies: [usize; 2]) -> Self {
        Self { bodies, points: [Vector::<D>::zeros(); 2] }
    }

    /// The two as places that a joint is fixed to.
    pub fn anchors(&self) -> [Anchor<D>; 2] {
        [0, 1].map(|end| Anchor::on(self.bodies[end], self.points[end]))
    }
}

/// A massless rod: two points keep their distance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rod<const D: usize> {
    /// What it joins.
    pub ends: Ends<D>,
    /// Length in m; the distance at the start if absent.
    pub length: Option<f64>,
}

impl<const D: usize> Rod<D> {
    /// A rod as long as its ends are apart at the start.
    pub fn between(ends: Ends<D>) -> Self {
        Self { ends, length: None }
    }

    /// Its length in m, as a part of `scenario`.
    pub fn length_in(&self, scenario: &Scenario<D>) -> f64 {
        self.length.unwrap_or_else(|| scenario.initial_distance(&self.ends))
    }
}

/// A linear spring with a damper in parallel, between two points of bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spring<const D: usize> {
    /// What it joins.
    pub ends: Ends<D>,
    /// Stiffness in N/m, at least 0.
    pub stiffness: f64,
    /// Damping in N s/m, at least 0.
    pub damping: f64,
    /// Length at rest in m; the distance at the start if absent.
    pub length: Option<f64>,
}

impl<const D: usize> Spring<D> {
    /// A spring of a stiffness in N/m without a damper, at rest where its ends are at the start.
    pub fn between(ends: Ends<D>, stiffness: f64) -> Self {
        Self { ends, stiffness, damping: 0.0, length: None }
    }

    /// Its length at rest in m, as a part of `scenario`.
    pub fn length_in(&self, scenario: &Scenario<D>) -> f64 {
        self.length.unwrap_or_else(|| scenario.initial_distance(&self.ends))
    }
}

impl<const D: usize> Scenario<D> {
    /// What joins the bodies in the world: the rods, then the springs, then the joints, in the order of the file.
    pub fn world_joints(&self) -> Vec<Joint<D>> {
        let rods = self.rods.iter().map(|rod| Joint::rod(rod.ends.anchors(), rod.length_in(self)));
        let springs = self.springs.iter().map(|spring| {
            let length = spring.length_in(self);
            Joint::spring(spring.ends.anchors(), length, spring.stiffness, spring.damping)
        });
        let joints = self.joints.iter().map(|joint| joint.joint_in(self));
        rods.chain(springs).chain(joints).collect()
    }
}

/// Contact of two points: they push each other apart, with friction, when they come closer than
/// a distance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairContact {
    /// The points: bodies without a shape.
    pub bodies: [usize; 2],
    /// Distance of the points at which they touch, in m; the sum of their radii, if they are beads.
    pub distance: f64,
    /// Friction coefficient; what holds between the two otherwise if absent.
    pub friction: Option<f64>,
    /// What else there is to that friction.
    pub sliding: SlidingFriction,
}

impl PairContact {
    /// Of two points that touch at a distance in m, with the friction that holds between them otherwise.
    pub fn between(bodies: [usize; 2], distance: f64) -> Self {
        Self { bodies, distance, friction: None, sliding: SlidingFriction::default() }
    }

    /// Whether it is of these two, in whichever order.
    pub(super) fn is_of(&self, first: usize, second: usize) -> bool {
        self.bodies == [first, second] || self.bodies == [second, first]
    }
}

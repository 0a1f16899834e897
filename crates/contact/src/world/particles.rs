use std::collections::BTreeMap;

use nalgebra::{SMatrix, SVector};

use super::{
    Course, Facing, Joint, JointMemory, Motion, Partner, Placement, Plane, Point, Surfaces, Touch, World,
    frame::contact_frame,
    joint::{self, separation},
    touch::TOUCHING,
};
use crate::{contact::Link, model::Real};

/// Part of the way of a particle in a step that a gap is rounding of.
const ROUNDING: f64 = 1e-9;

/// Factor on the way that two particles may come closer in a step, within which they take part.
const ACTIVATION: f64 = 1.5;

/// Points over the ground, joined by rods and springs, that may keep each other at a distance.
#[derive(Debug, Clone, PartialEq)]
pub struct Particles<const D: usize> {
    /// Masses in kg; `None` for a particle that nothing moves: it stays where it is, or is driven.
    pub masses: Vec<Option<f64>>,
    /// How the driven ones move, by their numbers.
    pub courses: BTreeMap<usize, Course<D>>,
    /// Gravitational acceleration in m/s^2.
    pub gravity: SVector<f64, D>,
    /// The ground and the walls.
    pub planes: Vec<(Partner, Plane<D>)>,
    /// The law between every two of what may touch.
    pub surfaces: Surfaces,
    /// Pairs that touch at a distance.
    pub beads: Vec<Bead>,
    /// What joins them to each other and to the world.
    pub joints: Vec<Joint<D>>,
}

/// Two particles, or bodies without extent, that touch at a distance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bead {
    /// The particles.
    pub particles: [usize; 2],
    /// The distance in m.
    pub distance: f64,
}

impl Bead {
    /// Where the two touch, or nearly, when they are at these places: halfway between them.
    pub(super) fn point<const D: usize, S: Real>(&self, [first, second]: [SVector<S, D>; 2]) -> Point<D, S> {
        let (separation, normal) = separation(&first, &second);
        let position = second + normal * (S::constant(0.5) * separation);
        Point { position, normal, gap: separation - S::constant(self.distance) }
    }
}

impl<const D: usize> Particles<D> {
    fn moves(&self, index: usize) -> bool {
        self.masses[index].is_some() || self.courses.contains_key(&index)
    }
}

impl<const D: usize> World<D, D> for Particles<D> {
    type Pose = SVector<f64, D>;

    fn bodies(&self) -> usize {
        self.masses.len()
    }

    fn is_driven(&self, index: usize) -> bool {
        self.courses.contains_key(&index)
    }

    fn drive(&self, motion: &Motion<Self::Pose, D>, time: f64, dt: f64, free: &mut [SVector<f64, D>]) {
        for (&index, course) in &self.courses {
            free[index] = match course.at(time + dt) {
                None => motion.velocities[index],
                Some(there) => (there.position - motion.poses[index]) / dt,
            };
        }
    }

    fn inverse_inertia(&self, _: &Motion<Self::Pose, D>, inverse: &mut Vec<SMatrix<f64, D, D>>) {
        inverse.clear();
        inverse.extend(
            self.masses.iter().map(|mass| {
                mass.map_or_else(SMatrix::zeros, |mass| SMatrix::from_diagonal_element(1.0 / mass))
            }),
        );
    }

    fn free_velocity(
        &self,
        motion: &Motion<Self::Pose, D>,
        forces: &[SVector<f64, D>],
        dt: f64,
        free: &mut Vec<SVector<f64, D>>,
    ) {
        free.clear();
        let bodies = motion.velocities.iter().zip(forces).zip(&self.masses);
        free.extend(bodies.map(|((velocity, force), mass)| {
            mass.map_or_else(SVector::zeros, |mass| velocity + (force / mass + self.gravity) * dt)
        }));
    }

    fn gravity_vector(&self) -> SVector<f64, D> {
        self.gravity
    }

    /// `1.5 dt (|v| + (g + |f|/m) dt)`.
    fn margins(
        &self,
        motion: &Motion<Self::Pose, D>,
        forces: &[SVector<f64, D>],
        dt: f64,
        margins: &mut Vec<f64>,
    ) {
        let gravity = self.gravity.norm();
        margins.clear();
        let particles = self.masses.iter().zip(&motion.velocities).zip(forces);
        margins.extend(particles.map(|((mass, velocity), force)| match mass {
            None => 0.0,
            Some(mass) => {
                let way = ACTIVATION * dt * (velocity.norm() + (gravity + force.norm() / mass) * dt);
                way.max(TOUCHING)
            }
        }));
    }

    fn top_speed(&self, index: usize, velocity: &SVector<f64, D>) -> f64 {
        if self.moves(index) { velocity.norm() } else { 0.0 }
    }

    fn find_touches(
        &self,
        motion: &Motion<Self::Pose, D>,
        margins: &[f64],
        _facings: &[Facing<D>],
        touches: &mut Vec<Touch<D, D>>,
    ) {
        touches.clear();
        let movable = |body: usize| self.moves(body).then_some(body);
        let touch = |first, second, normal: SVector<f64, D>, gap: f64| {
            let frame = contact_frame(&normal);
            let surface = self.surfaces.between(first, second);
            let other = if let Partner::Body(other) = second { Some(other) } else { None };
            Touch {
                first,
                second,
                parts: [0; 2],
                bodies: [movable(first), other.and_then(movable)],
                jacobian: [frame, if other.is_some() { -frame } else { SMatrix::zeros() }],
                point: motion.poses[first],
                normal,
                gap: if gap.abs() < TOUCHING.min(ROUNDING * margins[first]) { 0.0 } else { gap },
                rounded_off: 0.0,
                reach: 0.0,
                turns: false,
                surface,
                turning: None,
                across: surface.anisotropy.and_then(|anisotropy| anisotropy.at(&frame, |axis| *axis)),
                surface_velocity: SVector::zeros(),
                on_way: None,
            }
        };
        let moving = motion.poses.iter().enumerate().filter(|(body, _)| self.masses[*body].is_some());
        for (body, position) in moving {
            for (partner, plane) in &self.planes {
                let gap = plane.normal.dot(position) - plane.offset;
                if gap <= margins[body] {
                    let on_plane = touch(body, *partner, plane.normal, gap);
                    touches.push(Touch { surface_velocity: -plane.velocity, ..on_plane });
                }
            }
        }
        for bead in &self.beads {
            let [first, second] = bead.particles;
            let Point { position, normal, gap } = bead.point(bead.particles.map(|body| motion.poses[body]));
            let moves = self.masses[first].is_some() || self.masses[second].is_some();
            if moves && gap <= margins[first] + margins[second] {
                let between = touch(first, Partner::Body(second), normal, gap);
                touches.push(Touch { point: position, reach: bead.distance, ..between });
            }
        }
    }

    fn placement(&self, pose: &Self::Pose) -> Placement<D> {
        Placement { position: *pose, turn: SMatrix::identity() }
    }

    fn velocity_between(&self, start: &Self::Pose, end: &Self::Pose, dt: f64) -> SVector<f64, D> {
        (end - start) / dt
    }

    fn beads(&self) -> &[Bead] {
        &self.beads
    }

    fn height_over(&self, _: usize, pose: &Self::Pose, partner: Partner) -> f64 {
        let plane = self.planes.iter().find(|(own, _)| *own == partner);
        plane.map_or(f64::INFINITY, |(_, plane)| plane.normal.dot(pose) - plane.offset)
    }

    fn links(
        &self,
        motion: &Motion<Self::Pose, D>,
        dt: f64,
        memory: &mut JointMemory,
        links: &mut Vec<Link<D>>,
    ) {
        let is_fixed = |body: usize| self.masses[body].is_none();
        let carrier = |body: usize| motion.poses[body];
        joint::links(&self.joints, is_fixed, carrier, &motion.velocities, (memory, dt), links);
    }

    fn advance(&self, index: usize, pose: &Self::Pose, velocity: &SVector<f64, D>, dt: f64) -> Self::Pose {
        if self.moves(index) { pose + velocity * dt } else { *pose }
    }
}

use nalgebra::{SMatrix, SVector};

use super::{Motion, Partner, Plane, Surface, Touch, World, frame::contact_frame};
use crate::contact::Link;

/// Factor on the way that two particles may come closer in a step, within which they take part.
const ACTIVATION: f64 = 1.5;

/// A gap in m that counts as none.
const TOUCHING: f64 = 1e-12;

/// Points over the ground, joined by rods and springs, that may keep each other at a distance.
#[derive(Debug, Clone, PartialEq)]
pub struct Particles<const D: usize> {
    /// Masses in kg.
    pub masses: Vec<f64>,
    /// Gravitational acceleration in m/s^2.
    pub gravity: SVector<f64, D>,
    /// The ground and the walls.
    pub planes: Vec<(Partner, Plane<D>)>,
    /// What holds between particular particles and planes; the first entry that fits counts.
    pub pairs: Vec<(usize, Partner, Surface)>,
    /// Pairs that touch at a distance.
    pub beads: Vec<Bead>,
    /// Rods and springs.
    pub couplings: Vec<Coupling>,
}

/// Two particles that touch at a distance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bead {
    /// The particles.
    pub particles: [usize; 2],
    /// The distance in m.
    pub distance: f64,
    /// What holds between them.
    pub surface: Surface,
}

/// Two particles that a rod or a spring joins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coupling {
    /// The particles.
    pub particles: [usize; 2],
    /// Its length at rest in m.
    pub length: f64,
    /// What it does about a deviation.
    pub law: CouplingLaw,
}

/// What a coupling does about a deviation from its length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CouplingLaw {
    /// It allows none.
    Rigid,
    /// It pulls back.
    Elastic {
        /// Stiffness in N/m.
        stiffness: f64,
        /// Damping in N s/m.
        damping: f64,
    },
}

impl<const D: usize> Particles<D> {
    /// Distance of two particles, and the direction from the second to the first; upwards where they are
    /// in one place.
    fn separation(poses: &[SVector<f64, D>], [first, second]: [usize; 2]) -> (f64, SVector<f64, D>) {
        let line = poses[first] - poses[second];
        let distance = line.norm();
        if distance > 0.0 { (distance, line / distance) } else { (0.0, Self::up()) }
    }

    fn up() -> SVector<f64, D> {
        SVector::from_fn(|i, _| f64::from(i == D - 1))
    }
}

fn rounded(gap: f64) -> f64 {
    if gap.abs() < TOUCHING { 0.0 } else { gap }
}

impl<const D: usize> World<D, D> for Particles<D> {
    type Pose = SVector<f64, D>;

    fn bodies(&self) -> usize {
        self.masses.len()
    }

    fn inverse_inertia(&self, _: &Motion<Self::Pose, D>, inverse: &mut Vec<SMatrix<f64, D, D>>) {
        inverse.clear();
        inverse.extend(self.masses.iter().map(|mass| SMatrix::from_diagonal_element(1.0 / mass)));
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
        free.extend(bodies.map(|((velocity, force), mass)| velocity + (force / *mass + self.gravity) * dt));
    }

    fn gravity(&self) -> f64 {
        self.gravity.norm()
    }

    fn find_touches(&self, motion: &Motion<Self::Pose, D>, dt: f64, touches: &mut Vec<Touch<D, D>>) {
        let margin =
            |body: usize| ACTIVATION * dt * (motion.velocities[body].norm() + self.gravity.norm() * dt);
        touches.clear();
        let touch = |first, second, normal: SVector<f64, D>, gap: f64, surface: Surface| {
            let frame = contact_frame(&normal);
            let other = if let Partner::Body(other) = second { Some(other) } else { None };
            Touch {
                first,
                second,
                bodies: [Some(first), other],
                jacobian: [frame, if other.is_some() { -frame } else { SMatrix::zeros() }],
                point: motion.poses[first],
                normal,
                gap: rounded(gap),
                reach: 0.0,
                friction: surface.friction,
                restitution: surface.restitution,
                surface_velocity: SVector::zeros(),
            }
        };
        for (body, position) in motion.poses.iter().enumerate() {
            for (partner, plane) in &self.planes {
                let gap = plane.normal.dot(position) - plane.offset;
                if gap <= margin(body) {
                    let special =
                        self.pairs.iter().find(|(first, second, _)| (*first, *second) == (body, *partner));
                    let surface = special.map_or(plane.surface, |(_, _, surface)| *surface);
                    let on_plane = touch(body, *partner, plane.normal, gap, surface);
                    touches.push(Touch { surface_velocity: -plane.velocity, ..on_plane });
                }
            }
        }
        for &Bead { particles, distance, surface } in &self.beads {
            let [first, second] = particles;
            let (separation, normal) = Self::separation(&motion.poses, particles);
            let gap = separation - distance;
            if gap <= margin(first) + margin(second) {
                let between = touch(first, Partner::Body(second), normal, gap, surface);
                let point = motion.poses[second] + normal * (0.5 * separation);
                touches.push(Touch { point, reach: distance, ..between });
            }
        }
    }

    /// Directions are those at the start of the step, deviations are undone at its end.
    fn links(&self, motion: &Motion<Self::Pose, D>, dt: f64, links: &mut Vec<Link<D>>) {
        links.clear();
        links.extend(self.couplings.iter().filter_map(|coupling| {
            let [first, second] = coupling.particles;
            let (distance, direction) = Self::separation(&motion.poses, coupling.particles);
            let deviation = distance - coupling.length;
            let (bias, compliance) = match coupling.law {
                CouplingLaw::Rigid => (deviation / dt, 0.0),
                CouplingLaw::Elastic { stiffness, damping } => {
                    let implicit = dt * stiffness + damping;
                    if implicit <= 0.0 {
                        return None;
                    }
                    (stiffness * deviation / implicit, 1.0 / (dt * implicit))
                }
            };
            let jacobian = [direction, -direction];
            Some(Link { bodies: [Some(first), Some(second)], jacobian, bias, compliance })
        }));
    }

    fn advance(&self, _: usize, pose: &Self::Pose, velocity: &SVector<f64, D>, dt: f64) -> Self::Pose {
        pose + velocity * dt
    }

    fn energy(&self, index: usize, pose: &Self::Pose, velocity: &SVector<f64, D>) -> f64 {
        self.masses[index] * (0.5 * velocity.norm_squared() - self.gravity.dot(pose))
    }
}

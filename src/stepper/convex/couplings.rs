//! What joins particles, in the terms of the convex problem.

use nalgebra::RowSVector;

use super::compliance::Compliance;
use crate::{
    convex::{Block, Contact, Equality, Jacobian, Vector},
    model::State,
    scenario::{PairContact, Rod, Scenario, Spring},
};

/// A rod or a spring: an equality constraint on the rate of a distance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Link {
    bodies: [usize; 2],
    length: f64,
    /// `1/R_e`.
    stiffness: f64,
    /// What part of a deviation in length is to be undone per second, in 1/s.
    rate: f64,
}

impl Link {
    /// A rod: `R_e` as `R_n` of a contact, with the Delassus operator `w = 1/m_1 + 1/m_2`, and a
    /// deviation `g` undone over `dt + tau_d`.
    pub(super) fn rod<const D: usize>(rod: &Rod, system: &Scenario<D>, compliance: &Compliance) -> Self {
        let [first, second] = rod.bodies.map(|body| 1.0 / system.bodies[body].mass);
        let dt = system.step;
        Self {
            bodies: rod.bodies,
            length: rod.length.unwrap_or_else(|| system.initial_distance(rod.bodies)),
            stiffness: 1.0 / compliance.normal_regularization(first + second, dt),
            rate: compliance.return_rate(dt),
        }
    }

    /// A spring: the force `-k (g + dt v) - c v` over a step, with the elongation `g` at its start
    /// and the velocity `v` at its end, is `(vhat_e - v)/R_e` times `dt` for
    /// `1/R_e = dt (dt k + c)` and `vhat_e = -g k/(dt k + c)`.
    pub(super) fn spring<const D: usize>(spring: &Spring, system: &Scenario<D>) -> Self {
        let dt = system.step;
        let implicit = dt * spring.stiffness + spring.damping;
        Self {
            bodies: spring.bodies,
            length: spring.length.unwrap_or_else(|| system.initial_distance(spring.bodies)),
            stiffness: dt * implicit,
            rate: if implicit > 0.0 { spring.stiffness / implicit } else { 0.0 },
        }
    }

    /// The constraint for particles in these states.
    pub(super) fn equality<const D: usize>(&self, states: &[State<D>]) -> Equality<D> {
        let [first, second] = self.bodies;
        let (distance, direction) = separation(states, self.bodies);
        Equality {
            jacobian: Jacobian::difference(first, second, direction.transpose()),
            reference: -(distance - self.length) * self.rate,
            stiffness: self.stiffness,
        }
    }
}

/// Two particles that may touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Touching {
    bodies: [usize; 2],
    distance: f64,
}

impl Touching {
    pub(super) fn new(contact: &PairContact) -> Self {
        Self { bodies: contact.bodies, distance: contact.distance }
    }

    /// Turns the contact to the line between the particles; gives the gap.
    pub(super) fn update<const D: usize>(&self, states: &[State<D>], contact: &mut Contact<D>) -> f64 {
        let [first, second] = self.bodies;
        let (distance, normal) = separation(states, self.bodies);
        contact.jacobian = Jacobian::difference(first, second, frame(&normal));
        distance - self.distance
    }
}

/// Distance of two particles and the direction from the second to the first; upwards if they are
/// in one place.
fn separation<const D: usize>(states: &[State<D>], [first, second]: [usize; 2]) -> (f64, Vector<D>) {
    let line = states[first].position - states[second].position;
    let distance = line.norm();
    if distance > 0.0 {
        (distance, line / distance)
    } else {
        let mut up = Vector::zeros();
        up[D - 1] = 1.0;
        (distance, up)
    }
}

/// An orthonormal frame as the rows of a matrix, `normal` last.
fn frame<const D: usize>(normal: &Vector<D>) -> Block<D> {
    let mut frame = Block::<D>::zeros();
    frame.set_row(D - 1, &normal.transpose());
    if D == 2 {
        frame[(0, 0)] = normal[1];
        frame[(0, 1)] = -normal[0];
        return frame;
    }
    // The axis furthest from the normal gives the first tangent, the cross product the second.
    let axis = normal.iamin();
    let mut first = RowSVector::<f64, D>::zeros();
    first[axis] = 1.0;
    let first = (first - normal.transpose() * normal[axis]).normalize();
    frame.set_row(0, &first);
    for i in 0..D {
        let (j, k) = ((i + 1) % D, (i + 2) % D);
        frame[(1, i)] = normal[j] * first[k] - normal[k] * first[j];
    }
    frame
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_orthonormal_with_the_normal_last() {
        for components in [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.3, -0.5, 0.2]] {
            let normal = Vector::<3>::from(components).normalize();
            let frame = frame(&normal);
            assert!((frame * frame.transpose() - Block::<3>::identity()).amax() < 1e-15);
            assert!((frame.row(2).transpose() - normal).amax() < 1e-15);
        }
        let normal = Vector::<2>::new(0.6, 0.8);
        let frame = frame(&normal);
        assert!((frame * frame.transpose() - Block::<2>::identity()).amax() < 1e-15);
        assert_eq!(frame.row(1).transpose(), normal);
    }
}

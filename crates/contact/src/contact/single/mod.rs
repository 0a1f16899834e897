//! A problem of one contact that answers alike in all directions: that of a point with a plane, or with another point.
//!
//! What takes a general solver hundreds of operations has a form of its own here: four unknowns of a complementarity
//! problem, seven of a nonlinear program, a closed form of a convex one. A model asks [`SingleContact::of`] whether the
//! problem that it is given is such a one; where the contact stands, and what else there is in the scene, makes no
//! difference.

mod attempt;
mod by_program;
mod complementarity;
mod polish;
mod program;
mod relaxed;

use nalgebra::{SMatrix, SVector};

use super::{ContactProblem, Solution};
use crate::rows;

pub use by_program::ByProgram;
pub use complementarity::SingleComplementarity;
pub use program::{RelaxedProgram, smooth_sqrt};
pub use relaxed::{
    ContactProgram, ProgramSolution, ProgramSolver, ProgramUnsolved, RelaxedContact, RelaxedContactSettings,
    Unavailable, contact_program,
};

/// Part of the mean response within which a contact answers alike in all directions.
const ISOTROPIC: f64 = 1e-13;

/// The only contact of a problem without links, whose Delassus operator is a multiple of the identity,
/// `J M^-1 J' = w I`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SingleContact<const D: usize> {
    /// The relative velocity without an impulse, `J v_f + s`, in m/s: normal first, without the bias.
    pub free: SVector<f64, D>,
    /// `c` in m/s: the contact asks for `c + u_n >= 0`.
    pub bias: f64,
    /// `phi` in m at the start of the step.
    pub gap: f64,
    /// `w` in 1/kg, positive.
    pub response: f64,
    /// Friction coefficient `mu`.
    pub friction: f64,
}

impl<const D: usize> SingleContact<D> {
    /// The contact of `problem`, where it is the only one and answers alike in all directions; its bodies must be among
    /// those of the problem.
    #[inline]
    pub fn of<const N: usize>(problem: &ContactProblem<D, N>) -> Option<Self> {
        let [contact] = problem.contacts.as_slice() else { return None };
        if !problem.links.is_empty() || !problem.groups.is_empty() {
            return None;
        }
        let delassus = problem.own_delassus(contact);
        let response = isotropic_response(&delassus)?;
        let mut free = contact.surface_velocity;
        for (body, jacobian) in contact.bodies.iter().zip(&contact.jacobian) {
            if let Some(body) = *body {
                free += rows::times(jacobian, &problem.free_velocity[body]);
            }
        }
        Some(Self { free, bias: contact.bias, gap: contact.gap, response, friction: contact.friction })
    }

    /// `c + u_n` without an impulse, in m/s: how fast the contact would open beyond what it asks for.
    pub fn free_opening(&self) -> f64 {
        self.free[0] + self.bias
    }

    /// Writes the impulse of the contact in N s, and the velocities that go with the relative velocity `relative` after
    /// the step, in m/s, normal first, without the bias.
    ///
    /// Of a point on a plane along the axes that is one velocity and the other to the last digit: what friction holds is at
    /// rest. The velocity that the impulse leads to is a difference, which leaves rounding of it.
    #[inline]
    pub fn write_with_velocity<const N: usize>(
        &self,
        impulse: &SVector<f64, D>,
        relative: &SVector<f64, D>,
        problem: &ContactProblem<D, N>,
        solution: &mut Solution<D, N>,
    ) {
        SingleContact::write(&((relative - self.free) / self.response), problem, solution);
        solution.impulses[0] = *impulse;
        let [contact] = problem.contacts.as_slice() else { return };
        let ([Some(body), None], true) = (contact.bodies, is_along_axes(&contact.jacobian[0])) else {
            return;
        };
        let absolute = relative - contact.surface_velocity;
        // Nothing has no sign.
        solution.velocity[body] =
            rows::transposed_times(&contact.jacobian[0], &absolute).map(|part| part + 0.0);
    }

    /// Writes the impulse of the contact in N s, and the velocities that it leads to.
    #[inline]
    pub fn write<const N: usize>(
        impulse: &SVector<f64, D>,
        problem: &ContactProblem<D, N>,
        solution: &mut Solution<D, N>,
    ) {
        solution.is_guess = false;
        solution.impulses.clear();
        solution.impulses.push(*impulse);
        solution.link_impulses.clear();
        solution.velocity.clone_from(&problem.free_velocity);
        let [contact] = problem.contacts.as_slice() else { return };
        for (body, jacobian) in contact.bodies.iter().zip(&contact.jacobian) {
            if let Some(body) = *body {
                let gained = rows::transposed_times(jacobian, impulse);
                solution.velocity[body] += problem.inverse_mass[body] * gained;
            }
        }
    }
}

/// Whether the rows are the axes of a point, in any order and direction.
#[inline]
fn is_along_axes<const D: usize, const N: usize>(rows: &SMatrix<f64, D, N>) -> bool {
    let is_axis = |row: usize| {
        let entries = || (0..N).map(|j| rows[(row, j)].abs());
        entries().all(|entry| entry == 0.0 || entry == 1.0) && entries().sum::<f64>() == 1.0
    };
    let is_taken_once = |j: usize| (0..D).map(|i| rows[(i, j)].abs()).sum::<f64>() == 1.0;
    D == N && (0..D).all(is_axis) && (0..N).all(is_taken_once)
}

/// `w` of an operator `w I`; `None` where it is none.
#[inline]
fn isotropic_response<const D: usize>(delassus: &SMatrix<f64, D, D>) -> Option<f64> {
    let response = delassus[(0, 0)];
    let bound = ISOTROPIC * response;
    for i in 0..D {
        for j in 0..D {
            let of_identity = if i == j { response } else { 0.0 };
            if (delassus[(i, j)] - of_identity).abs() > bound {
                return None;
            }
        }
    }
    (response > 0.0).then_some(response)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::Contact;

    /// A point of 2 kg on a wall that leans, beside one that nothing touches.
    fn leaning() -> ContactProblem<2, 2> {
        let mut problem = ContactProblem::empty(1e-3);
        problem.free_velocity = vec![[9.0, 9.0].into(), [0.5, -2.0].into()];
        problem.inverse_mass = vec![SMatrix::identity(), SMatrix::from_diagonal_element(0.5)];
        let rows = SMatrix::<f64, 2, 2>::new(0.6, 0.8, 0.8, -0.6);
        problem.contacts.push(Contact {
            bodies: [Some(1), None],
            jacobian: [rows, SMatrix::zeros()],
            friction: 0.3,
            bias: 0.25,
            ..Contact::open()
        });
        problem
    }

    #[test]
    fn the_contact_of_a_point_is_found_wherever_it_stands() {
        let problem = leaning();
        let contact = SingleContact::of(&problem).expect("the only one");
        assert_eq!((contact.bias, contact.friction), (0.25, 0.3));
        assert!((contact.response - 0.5).abs() < 1e-15);
        assert!((contact.free - SVector::from([-1.3, 1.6])).amax() < 1e-15);
        let mut solution = Solution::default();
        SingleContact::write(&SVector::from([2.0, -0.5]), &problem, &mut solution);
        let mut expected = Vec::new();
        problem.velocities(&solution.impulses, &[], &mut expected);
        assert_eq!(solution.velocity, expected);
    }

    /// A tenth is no number of the machine: the impulse leaves `0.1 + 0.3 (-0.1/0.3)` of such a slip, which is none only
    /// by chance.
    #[test]
    fn a_point_that_friction_holds_on_a_level_plane_is_at_rest_to_the_last_digit() {
        let mut problem = leaning();
        let level = SMatrix::<f64, 2, 2>::new(0.0, 1.0, 1.0, 0.0);
        problem.inverse_mass[1] = SMatrix::from_diagonal_element(1.0 / 3.7);
        for (rows, is_level) in [(level, true), (-level, true), (problem.contacts[0].jacobian[0], false)] {
            problem.contacts[0].jacobian[0] = rows;
            let mut left: f64 = 0.0;
            for k in 1..100 {
                problem.free_velocity[1] = [0.1 * f64::from(k), -2.3 / f64::from(k)].into();
                let contact = SingleContact::of(&problem).expect("the only one");
                let (held, mut solution) = (SVector::zeros(), Solution::default());
                let impulse = -contact.free / contact.response;
                contact.write_with_velocity(&impulse, &held, &problem, &mut solution);
                assert_eq!(solution.impulses, [impulse]);
                assert_eq!(solution.velocity[0], problem.free_velocity[0]);
                left = left.max(solution.velocity[1].amax());
            }
            assert_eq!(left == 0.0, is_level, "{left:e}");
            assert!(left < 1e-14, "{left:e}");
        }
    }

    #[test]
    fn a_body_that_turns_and_two_contacts_are_none() {
        let mut two = leaning();
        two.contacts.push(two.contacts[0]);
        assert_eq!(SingleContact::of(&two), None);
        let mut turning = ContactProblem::<2, 3>::empty(1e-3);
        turning.free_velocity.push(SVector::zeros());
        turning.inverse_mass.push(SMatrix::identity());
        let rows = SMatrix::<f64, 2, 3>::new(0.0, 1.0, 0.1, 1.0, 0.0, -0.2);
        turning.contacts.push(Contact {
            bodies: [Some(0), None],
            jacobian: [rows, SMatrix::zeros()],
            ..Contact::open()
        });
        assert_eq!(SingleContact::of(&turning), None);
    }
}

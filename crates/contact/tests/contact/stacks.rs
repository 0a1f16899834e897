//! Cubes that stand on each other face to face: contact problems of steps at rest, or nearly.

use nalgebra::{SMatrix, SVector};
use stickslip_base::random::Random;
use stickslip_contact::contact::{Contact, ContactProblem};

/// What gravity adds to a velocity in a step of 1 ms, in m/s.
pub const GRAVITY_STEP: f64 = 9.81e-3;

/// Cubes of 1 m, their masses in kg and the centres of each.
pub struct Stack<const D: usize> {
    pub masses: Vec<f64>,
    pub centres: Vec<SVector<f64, D>>,
}

impl<const D: usize> Stack<D> {
    fn place(&mut self, mass: f64, x: f64, storey: usize) {
        let mut centre = SVector::zeros();
        centre[0] = x;
        centre[D - 1] = storey as f64 + 0.5;
        self.masses.push(mass);
        self.centres.push(centre);
    }

    /// One upon the other, with these masses from the ground up.
    pub fn tower(masses: &[f64]) -> Self {
        let mut stack = Self { masses: Vec::new(), centres: Vec::new() };
        masses.iter().enumerate().for_each(|(storey, mass)| stack.place(*mass, 0.0, storey));
        stack
    }

    /// Rows of one less than the row below, each standing on two.
    pub fn pyramid(base: usize) -> Self {
        let mut stack = Self { masses: Vec::new(), centres: Vec::new() };
        for storey in 0..base {
            for column in 0..base - storey {
                stack.place(1.0, column as f64 + 0.5 * storey as f64, storey);
            }
        }
        stack
    }

    /// The problem of a step: cubes with velocities at random of this size before it, in units of what gravity adds.
    pub fn problem<const N: usize>(&self, friction: f64, agitation: f64, seed: u64) -> ContactProblem<D, N> {
        let mut random = Random::seeded(seed);
        let mut problem = ContactProblem::empty(1e-3);
        problem.velocity_unit = GRAVITY_STEP;
        for mass in &self.masses {
            let mut free = SVector::<f64, N>::from_fn(|_, _| agitation * GRAVITY_STEP * random.normal(1.0));
            free[D - 1] -= GRAVITY_STEP;
            problem.free_velocity.push(free);
            let inverse = SVector::from_fn(|i, _| if i < D { 1.0 / mass } else { 6.0 / mass });
            problem.inverse_mass.push(SMatrix::from_diagonal(&inverse));
        }
        for (upper, centre) in self.centres.iter().enumerate() {
            if centre[D - 1] < 1.0 {
                self.join(&mut problem, upper, None, friction);
            }
            for (lower, other) in self.centres.iter().enumerate() {
                if centre[D - 1] - other[D - 1] == 1.0 && (centre[0] - other[0]).abs() < 1.0 {
                    self.join(&mut problem, upper, Some(lower), friction);
                }
            }
        }
        problem
    }

    /// Contacts at the corners of the face that two cubes share, or one and the ground.
    fn join<const N: usize>(
        &self,
        problem: &mut ContactProblem<D, N>,
        upper: usize,
        lower: Option<usize>,
        friction: f64,
    ) {
        let centre = self.centres[upper];
        let below = lower.map_or(centre, |lower| self.centres[lower]);
        for corner in 0..1 << (D - 1) {
            let mut point = SVector::zeros();
            point[D - 1] = centre[D - 1] - 0.5;
            for axis in 0..D - 1 {
                point[axis] = if (corner >> axis) & 1 == 0 {
                    centre[axis].max(below[axis]) - 0.5
                } else {
                    centre[axis].min(below[axis]) + 0.5
                };
            }
            let rows = |body: usize, sign: f64| {
                let arm = point - self.centres[body];
                SMatrix::<f64, D, N>::from_fn(|row, column| {
                    // Normal up, then along the other axes.
                    let direction = if row == 0 { D - 1 } else { row - 1 };
                    sign * velocity_of_point(&arm, direction, column)
                })
            };
            problem.contacts.push(Contact {
                bodies: [Some(upper), lower],
                jacobian: [rows(upper, 1.0), lower.map_or_else(SMatrix::zeros, |lower| rows(lower, -1.0))],
                friction,
                ..Contact::open()
            });
        }
    }
}

/// The velocity along axis `direction` of a point at `arm` per unit of velocity `column` of its body.
fn velocity_of_point<const D: usize>(arm: &SVector<f64, D>, direction: usize, column: usize) -> f64 {
    if column < D {
        return f64::from(u8::from(column == direction));
    }
    if D == 2 {
        return if direction == 0 { -arm[1] } else { arm[0] };
    }
    // omega x arm with omega along axis `column - 3`.
    let (axis, next, after) = (column - 3, (column - 2) % 3, (column - 1) % 3);
    match direction {
        d if d == axis => 0.0,
        d if d == next => -arm[after],
        _ => arm[next],
    }
}

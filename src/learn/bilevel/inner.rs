//! The inner problem of one step: which forces explain it best, at a given friction?

use nalgebra::{DMatrix, DVector};

use super::quadratic_program::QuadraticProgram;
use crate::learn::{data::BlockSample, system::BLOCK_MATRIX};

/// The terms of the inner objective and how its constraints are kept.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Inner {
    /// `a1`, weight of the squared prediction error.
    pub prediction: f64,
    /// `a2`, weight of the complementarity `lambda'(M lambda + q)`.
    pub complementarity: f64,
    /// What is done about `M lambda + q >= 0`, and what else is asked for.
    pub form: Form,
    /// See [`QuadraticProgram::regularisation`].
    pub regularisation: f64,
}

/// Forms of the inner problem.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Form {
    /// `M lambda + q >= 0` is a constraint.
    Hard,
    /// Its violation is paid for, `a3 sum max(0, -(M lambda + q))`.
    Hinge {
        /// `a3`.
        weight: f64,
    },
    /// `M lambda + q >= 0` is a constraint, and a step known to slide pays for unused friction,
    /// `a4 (mu - lambda_plus - lambda_minus)^2`.
    Sliding {
        /// `a4`.
        weight: f64,
        /// Whether friction in the direction of motion is set to zero, without which the term has
        /// no effect.
        one_sided: bool,
    },
}

/// Indices of the unknowns.
const PLUS: usize = 0;
const MINUS: usize = 1;
/// Index of `gamma` among the unknowns.
pub const GAMMA: usize = 2;

impl Inner {
    /// The program of one step at friction `mu`, in the unknowns `lambda`, followed by the hinges
    /// where there are any.
    ///
    /// With `Q = a1 D + a2 M`, `D = d d'`, `d = (1, -1, 0)` and `beta = v' - v - u`, the objective
    /// is `lambda'Q lambda + (a2 q - 2 a1 beta d)'lambda + a1 beta^2`; its Hessian is `Q + Q'`.
    pub fn program(&self, sample: &BlockSample, friction: f64) -> QuadraticProgram {
        let hinge = match self.form {
            Form::Hinge { weight } => Some(weight),
            Form::Hard | Form::Sliding { .. } => None,
        };
        let hinges = if hinge.is_some() { 3 } else { 0 };
        let unknowns = 3 + hinges;
        let free = sample.free_velocity();
        let beta = sample.next_velocity - free;
        let q = [free, -free, friction];

        let mut hessian = DMatrix::zeros(unknowns, unknowns);
        let direction = [1.0, -1.0, 0.0];
        for row in 0..3 {
            for column in 0..3 {
                hessian[(row, column)] = 2.0 * self.prediction * direction[row] * direction[column]
                    + self.complementarity * (BLOCK_MATRIX[row][column] + BLOCK_MATRIX[column][row]);
            }
        }
        let mut linear = DVector::zeros(unknowns);
        for row in 0..3 {
            linear[row] = self.complementarity * q[row] - 2.0 * self.prediction * beta * direction[row];
        }
        linear.rows_mut(3, hinges).fill(hinge.unwrap_or(0.0));
        let mut linear_slope = DVector::zeros(unknowns);
        linear_slope[GAMMA] = self.complementarity;

        // Three slacks, with hinges if there are any, and every unknown not negative.
        let mut rows = DMatrix::zeros(3 + unknowns, unknowns);
        let mut right = DVector::zeros(3 + unknowns);
        for row in 0..3 {
            for column in 0..3 {
                rows[(row, column)] = BLOCK_MATRIX[row][column];
            }
            if hinge.is_some() {
                rows[(row, 3 + row)] = 1.0;
            }
            right[row] = -q[row];
        }
        rows.view_mut((3, 0), (unknowns, unknowns)).fill_diagonal(1.0);
        let mut right_slope = DVector::zeros(3 + unknowns);
        right_slope[2] = -1.0;

        let mut program = QuadraticProgram {
            hessian,
            regularisation: self.regularisation,
            linear,
            linear_slope,
            constant: self.prediction * beta * beta,
            constant_slope: 0.0,
            rows,
            right,
            right_slope,
        };
        if let Form::Sliding { weight, one_sided } = self.form
            && sample.next_velocity != 0.0
        {
            add_sliding_cost(&mut program, weight, friction);
            if one_sided {
                remove(&mut program, if sample.next_velocity > 0.0 { PLUS } else { MINUS });
            }
        }
        program
    }
}

/// Adds `weight (mu - lambda_plus - lambda_minus)^2`.
fn add_sliding_cost(program: &mut QuadraticProgram, weight: f64, friction: f64) {
    program.constant += weight * friction * friction;
    program.constant_slope += 2.0 * weight * friction;
    for row in [PLUS, MINUS] {
        program.linear[row] -= 2.0 * weight * friction;
        program.linear_slope[row] -= 2.0 * weight;
        for column in [PLUS, MINUS] {
            program.hessian[(row, column)] += 2.0 * weight;
        }
    }
}

/// Takes an unknown out of the objective and the slacks: it is then zero.
fn remove(program: &mut QuadraticProgram, unknown: usize) {
    program.hessian.row_mut(unknown).fill(0.0);
    program.hessian.column_mut(unknown).fill(0.0);
    program.hessian[(unknown, unknown)] = 1.0;
    program.linear[unknown] = 0.0;
    program.linear_slope[unknown] = 0.0;
    for row in 0..3 {
        program.rows[(row, unknown)] = 0.0;
    }
}

/// Solution of the inner problem with hard constraints in closed form.
///
/// With `lambda_plus - lambda_minus = v_hat - s` and `gamma = |v_hat|`, its least value, the
/// objective becomes `a1 (v' - v_hat)^2 + a2 (v_hat^2 - s v_hat + mu |v_hat|)` over
/// `|v_hat - s| <= mu`: a soft threshold, cut off. For `s > mu` and `v' >= 0`,
///
/// ```text
/// v_hat = max(s - mu, [2 a1 v' + a2 (s - mu)] / (2 (a1 + a2)), 0).
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClosedForm {
    /// Velocity `v_hat` that the forces lead to.
    pub velocity: f64,
    /// Value `J` of the problem.
    pub value: f64,
}

impl ClosedForm {
    /// The solution at friction `mu` for the weights `a1` and `a2`.
    pub fn new(sample: &BlockSample, friction: f64, prediction: f64, complementarity: f64) -> Self {
        let (free, next) = (sample.free_velocity(), sample.next_velocity);
        let pull = 2.0 * prediction * next + complementarity * free;
        let kept = (pull.abs() - complementarity * friction).max(0.0);
        let best = pull.signum() * kept / (2.0 * (prediction + complementarity));
        let velocity = best.clamp(free - friction, free + friction);
        let error = next - velocity;
        let violation = velocity * velocity - free * velocity + friction * velocity.abs();
        Self { velocity, value: prediction * error * error + complementarity * violation }
    }
}

/// The friction at which `gamma` vanishes in the hard problem, `mu* = |s| + 2 (a1/a2) |v'|` for a
/// step whose `s` and `v'` have one sign. Above it the objective does not depend on `mu`, and its
/// gradient says nothing.
pub fn vanishing_friction(sample: &BlockSample, prediction: f64, complementarity: f64) -> f64 {
    (sample.free_velocity() + 2.0 * prediction / complementarity * sample.next_velocity).abs()
}

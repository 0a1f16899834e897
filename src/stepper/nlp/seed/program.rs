use nalgebra::SVector;
use num_dual::DualNum;

use crate::{
    model::{PointMass, State, Vector},
    nlp::{Bounds, Nlp},
    stepper::{PointInput, Relaxation, nlp::smooth_sqrt},
};

/// Number of unknowns.
pub const VARIABLES: usize = 9;
/// Number of constraints.
pub const CONSTRAINTS: usize = 8;

/// What the published script calls unbounded. IPOPT takes it for a bound like any other (only
/// beyond 1e19 there is none), which costs it two iterations a step.
const PUBLISHED_BOUND: f64 = 1e10;

/// The nonlinear program of the blog post on friction, as published, in SI units.
///
/// Unknowns `(x+, z+, vx+, vz+, Fx, Fz, s1, s2, lambda)`, `ssqrt(y) = sqrt(y + eps^2) - eps`:
///
/// ```text
/// min  s1^2 + s2^2
/// s.t. semi-implicit Euler with U + F  - X+ = 0             eq. 10, four rows
///      vx_k + lambda Fx/(ssqrt(Fx^2) + eps) = 0             eq. 15, maximum dissipation (on v_k)
///      mu Fz - ssqrt(Fx^2) >= 0                             eq. 16, friction cone
///      s1 - Fz z+ >= 0                                      eq. 11
///      s2 - lambda (mu Fz - ssqrt(Fx^2)) >= 0               eq. 17
///      z+, Fz, s1, s2, lambda >= 0
/// ```
///
/// Kept for comparison: its squared slacks leave a force above the ground, its dissipation on the
/// old velocity never sticks and is ill-posed in flight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeedProgram {
    state: State<2>,
    push: Vector<2>,
    body: PointMass<2>,
    dt: f64,
    epsilon: f64,
}

impl SeedProgram {
    /// The program of the step that `input` describes.
    pub fn new(body: &PointMass<2>, input: &PointInput<2>, epsilon: f64) -> Self {
        Self { state: input.state, push: input.push, body: *body, dt: input.dt, epsilon }
    }

    /// The published start: the old state, all else zero.
    pub fn start(&self) -> SVector<f64, VARIABLES> {
        let State { position, velocity } = self.state;
        SVector::from([position[0], position[1], velocity[0], velocity[1], 0.0, 0.0, 0.0, 0.0, 0.0])
    }

    /// State at the end of the step.
    pub fn next_state(y: &SVector<f64, VARIABLES>) -> State<2> {
        State { position: Vector::from([y[0], y[1]]), velocity: Vector::from([y[2], y[3]]) }
    }

    /// Contact force in N.
    pub fn force(y: &SVector<f64, VARIABLES>) -> Vector<2> {
        Vector::from([y[4], y[5]])
    }

    /// The slacks and the multiplier; `s1` in N m, `s2` in N m/s, `lambda` in m/s.
    pub fn multipliers(y: &SVector<f64, VARIABLES>) -> Relaxation {
        Relaxation { s1: y[6], s2: y[7], lambda: y[8] }
    }

    /// Largest violation of a constraint or bound at `y`, in SI units as published.
    pub fn residual(&self, y: &SVector<f64, VARIABLES>) -> f64 {
        let rows = self.constraints(y);
        let equalities = rows.iter().take(5).map(|row| row.abs());
        let inequalities = rows.iter().skip(5).map(|row| -row);
        let bounds = [y[1], y[5], y[6], y[7], y[8]].map(|value| -value);
        equalities.chain(inequalities).chain(bounds).fold(0.0, |largest: f64, violation| {
            // `f64::max` drops NaN, which must not pass for a small residual.
            if violation.is_nan() { f64::INFINITY } else { largest.max(violation) }
        })
    }
}

impl Nlp<VARIABLES, CONSTRAINTS> for SeedProgram {
    fn objective<N: DualNum<Primitive = f64> + Copy>(&self, y: &SVector<N, VARIABLES>) -> N {
        y[6] * y[6] + y[7] * y[7]
    }

    fn constraints<N: DualNum<Primitive = f64> + Copy>(
        &self,
        y: &SVector<N, VARIABLES>,
    ) -> SVector<N, CONSTRAINTS> {
        let Self { state, push, body, dt, epsilon } = *self;
        let (x, z, vx, vz) = (y[0], y[1], y[2], y[3]);
        let (fx, fz, s1, s2, lambda) = (y[4], y[5], y[6], y[7], y[8]);
        let magnitude = smooth_sqrt(fx * fx, epsilon);
        let cone = fz * body.friction - magnitude;
        SVector::from([
            vx * dt - x + state.position[0],
            vz * dt - z + state.position[1],
            (fx + push[0]) * (dt / body.mass) - vx + (state.velocity[0] + dt * body.gravity[0]),
            (fz + push[1]) * (dt / body.mass) - vz + (state.velocity[1] + dt * body.gravity[1]),
            lambda * fx / (magnitude + epsilon) + state.velocity[0],
            cone,
            s1 - fz * z,
            s2 - lambda * cone,
        ])
    }

    fn variable_bounds(&self) -> Bounds<VARIABLES> {
        let mut lower = [-PUBLISHED_BOUND; VARIABLES];
        for i in [1, 5, 6, 7, 8] {
            lower[i] = 0.0;
        }
        Bounds::new(lower, [PUBLISHED_BOUND; VARIABLES])
    }

    fn constraint_bounds(&self) -> Bounds<CONSTRAINTS> {
        let mut upper = [PUBLISHED_BOUND; CONSTRAINTS];
        upper[..5].fill(0.0);
        Bounds::new([0.0; CONSTRAINTS], upper)
    }
}

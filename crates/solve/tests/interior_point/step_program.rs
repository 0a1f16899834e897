use nalgebra::SVector;
use num_dual::DualNum;
use stickslip_base::model::{PointMass, State, Vector, gap_velocity};
use stickslip_solve::nlp::{Bounds, Nlp};

/// The contact step of a point in a vertical plane as a nonlinear program: semi-implicit Euler,
/// relaxed normal complementarity and maximum dissipation with friction of direction and use `b`,
///
/// ```text
/// min  s1 + s2   over   vx, vz, b, pz, s1, s2, lambda      (pz, s1, s2, lambda >= 0)
/// s.t. vx - vfx - r mu pz b = 0      vz - vfz - r pz = 0      vx + lambda b = 0
///      gap + vz >= 0      1 - ssqrt(b^2) >= 0
///      s1 - pz (gap + vz) >= 0      s2 - lambda (1 - ssqrt(b^2)) >= 0
/// ```
///
/// with `ssqrt(y) = sqrt(y + eps^2) - eps`, velocities in units of `g dt` and the normal impulse in
/// units of `m Vp`, `Vp = max(g dt, speed of approach)`, `r = Vp/(g dt)`.
#[derive(Debug, Clone, Copy)]
pub struct StepProgram {
    pub free: [f64; 2],
    pub gap: f64,
    pub mu: f64,
    pub r: f64,
}

const EPSILON: f64 = 1e-6;

fn smooth_modulus<T: DualNum<Primitive = f64> + Copy>(b: T) -> T {
    (b * b + EPSILON * EPSILON).sqrt() - EPSILON
}

impl Nlp<7, 7> for StepProgram {
    fn objective<T: DualNum<Primitive = f64> + Copy>(&self, x: &SVector<T, 7>) -> T {
        x[4] + x[5]
    }

    fn constraints<T: DualNum<Primitive = f64> + Copy>(&self, x: &SVector<T, 7>) -> SVector<T, 7> {
        let [vx, vz, b, pz, s1, s2, lambda] = [x[0], x[1], x[2], x[3], x[4], x[5], x[6]];
        let (distance, cone) = (vz + self.gap, -smooth_modulus(b) + 1.0);
        SVector::from([
            vx - pz * b * (self.r * self.mu) - self.free[0],
            vz - pz * self.r - self.free[1],
            vx + lambda * b,
            distance,
            cone,
            s1 - pz * distance,
            s2 - lambda * cone,
        ])
    }

    fn variable_bounds(&self) -> Bounds<7> {
        let free = f64::NEG_INFINITY;
        Bounds::new([free, free, free, 0.0, 0.0, 0.0, 0.0], [f64::INFINITY; 7])
    }

    fn constraint_bounds(&self) -> Bounds<7> {
        let none = f64::INFINITY;
        Bounds::new([0.0; 7], [0.0, 0.0, 0.0, none, none, none, none])
    }
}

impl StepProgram {
    /// The program of one step.
    pub fn new(body: &PointMass<2>, state: &State<2>, push: &Vector<2>, dt: f64) -> Self {
        let unit = body.gravity_norm() * dt;
        let free = body.free_velocity(state, push, dt);
        let gap = gap_velocity(body, state, free[1], dt).min(2.0 * free[1].abs() + unit);
        let approach = (-(gap + free[1])).max(0.0);
        Self {
            free: [free[0] / unit, free[1] / unit],
            gap: gap / unit,
            mu: body.friction,
            r: (approach / unit).max(1.0),
        }
    }

    /// A start that depends on nothing but the step.
    pub fn start(&self) -> SVector<f64, 7> {
        let [vfx, vfz] = self.free;
        let approach = (-(self.gap + vfz)).max(0.0);
        let b = if vfx == 0.0 { 0.0 } else { -0.5 * vfx.signum() };
        SVector::from([vfx, vfz + approach, b, (approach / self.r).max(0.1), 0.1, 0.1, vfx.abs()])
    }
}

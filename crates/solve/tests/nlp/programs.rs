//! Programs that several tests share.

use nalgebra::SVector;
use num_dual::DualNum;
use stickslip_solve::nlp::{Bounds, Nlp};

/// Hock and Schittkowski 1981, problem 71; minimum 17.0140173 at (1, 4.7429994, 3.8211503, 1.3794082).
pub struct HockSchittkowski71;

impl HockSchittkowski71 {
    pub const START: [f64; 4] = [1.0, 5.0, 5.0, 1.0];
    pub const MINIMISER: [f64; 4] = [1.0, 4.742_999_4, 3.821_150_3, 1.379_408_2];
    pub const MINIMUM: f64 = 17.014_017_3;
}

impl Nlp<4, 2> for HockSchittkowski71 {
    fn objective<T: DualNum<Primitive = f64> + Copy>(&self, x: &SVector<T, 4>) -> T {
        x[0] * x[3] * (x[0] + x[1] + x[2]) + x[2]
    }

    fn constraints<T: DualNum<Primitive = f64> + Copy>(&self, x: &SVector<T, 4>) -> SVector<T, 2> {
        SVector::from([x[0] * x[1] * x[2] * x[3], x.dot(x)])
    }

    fn variable_bounds(&self) -> Bounds<4> {
        Bounds::new([1.0; 4], [5.0; 4])
    }

    fn constraint_bounds(&self) -> Bounds<2> {
        Bounds::new([25.0, 40.0], [f64::INFINITY, 40.0])
    }
}

/// A step of a sliding point in scaled units, the kind of program this crate is made for: seven
/// variables `(vx, vz, b, pz, s1, s2, lambda)`, bilinear constraints and a smoothed modulus.
pub struct ContactStep {
    pub free_velocity: [f64; 2],
    pub gap: f64,
    pub friction: f64,
}

impl ContactStep {
    pub const SMOOTHING: f64 = 1e-6;

    pub fn start(&self) -> SVector<f64, 7> {
        let [vx, vz] = self.free_velocity;
        let impulse = (-(self.gap + vz)).max(0.0);
        SVector::from([vx, vz + impulse, -0.5 * vx.signum(), impulse.max(0.1), 0.1, 0.1, vx.abs()])
    }
}

impl Nlp<7, 7> for ContactStep {
    fn objective<T: DualNum<Primitive = f64> + Copy>(&self, x: &SVector<T, 7>) -> T {
        x[4] + x[5]
    }

    fn constraints<T: DualNum<Primitive = f64> + Copy>(&self, x: &SVector<T, 7>) -> SVector<T, 7> {
        let [vx, vz, b, pz, s1, s2, lambda] = (*x).into();
        let epsilon = Self::SMOOTHING;
        let cone = -((b * b + epsilon * epsilon).sqrt() - epsilon) + 1.0;
        let distance = vz + self.gap;
        SVector::from([
            vx - self.free_velocity[0] - pz * b * self.friction,
            vz - self.free_velocity[1] - pz,
            vx + lambda * b,
            distance,
            cone,
            s1 - pz * distance,
            s2 - lambda * cone,
        ])
    }

    fn variable_bounds(&self) -> Bounds<7> {
        let mut bounds = Bounds::<7>::free();
        bounds.lower.fixed_rows_mut::<4>(3).fill(0.0);
        bounds
    }

    fn constraint_bounds(&self) -> Bounds<7> {
        let mut bounds = Bounds::<7>::non_negative();
        bounds.upper.fixed_rows_mut::<3>(0).fill(0.0);
        bounds
    }
}

/// Rosenbrock's valley, without any constraint: minimum 0 at (1, 1).
pub struct Rosenbrock;

impl Nlp<2, 0> for Rosenbrock {
    fn objective<T: DualNum<Primitive = f64> + Copy>(&self, x: &SVector<T, 2>) -> T {
        (x[1] - x[0] * x[0]).powi(2) * 100.0 + (-x[0] + 1.0).powi(2)
    }

    fn constraints<T: DualNum<Primitive = f64> + Copy>(&self, _: &SVector<T, 2>) -> SVector<T, 0> {
        SVector::zeros()
    }

    fn variable_bounds(&self) -> Bounds<2> {
        Bounds::free()
    }

    fn constraint_bounds(&self) -> Bounds<0> {
        Bounds::free()
    }
}

/// A linear program: `min c^T x` over `x >= 0` with `lower <= x0 + 2 x1 + x2 <= 4` and
/// `3 x0 + x1 <= 6`.
#[derive(Clone, Copy)]
pub struct Linear {
    pub cost: [f64; 3],
    pub lower: f64,
    pub bounds: Bounds<3>,
}

impl Linear {
    /// Minimum -2.8 at (1.6, 1.2, 0), where both constraints hold with multipliers 0.4 and 0.2.
    pub const BOUNDED: Self = Self {
        cost: [-1.0, -1.0, 1.0],
        lower: f64::NEG_INFINITY,
        bounds: Bounds {
            lower: nalgebra::vector![0.0, 0.0, 0.0],
            upper: nalgebra::vector![f64::INFINITY, f64::INFINITY, f64::INFINITY],
        },
    };
}

impl Nlp<3, 2> for Linear {
    fn objective<T: DualNum<Primitive = f64> + Copy>(&self, x: &SVector<T, 3>) -> T {
        x[0] * self.cost[0] + x[1] * self.cost[1] + x[2] * self.cost[2]
    }

    fn constraints<T: DualNum<Primitive = f64> + Copy>(&self, x: &SVector<T, 3>) -> SVector<T, 2> {
        SVector::from([x[0] + x[1] * 2.0 + x[2], x[0] * 3.0 + x[1]])
    }

    fn variable_bounds(&self) -> Bounds<3> {
        self.bounds
    }

    fn constraint_bounds(&self) -> Bounds<2> {
        Bounds::new([self.lower, f64::NEG_INFINITY], [4.0, 6.0])
    }
}

/// One variable and one constraint: enough for programs that are to fail.
pub struct Scalar<F> {
    pub functions: F,
    pub variable: Bounds<1>,
    pub constraint: Bounds<1>,
}

/// Objective and constraint of a [`Scalar`] program.
pub trait Functions {
    fn evaluate<T: DualNum<Primitive = f64> + Copy>(&self, x: T) -> (T, T);
}

impl<F: Functions> Scalar<F> {
    pub fn new(functions: F) -> Self {
        Self { functions, variable: Bounds::free(), constraint: Bounds::free() }
    }
}

impl<F: Functions> Nlp<1, 1> for Scalar<F> {
    fn objective<T: DualNum<Primitive = f64> + Copy>(&self, x: &SVector<T, 1>) -> T {
        self.functions.evaluate(x[0]).0
    }

    fn constraints<T: DualNum<Primitive = f64> + Copy>(&self, x: &SVector<T, 1>) -> SVector<T, 1> {
        SVector::from([self.functions.evaluate(x[0]).1])
    }

    fn variable_bounds(&self) -> Bounds<1> {
        self.variable
    }

    fn constraint_bounds(&self) -> Bounds<1> {
        self.constraint
    }
}

//! The linearised equations of one contact, reduced to its impulse and velocity.
//!
//! ```text
//! rn = u_n - g,   k1 = tau - p g,   k2 = tau/p - lam h,   A = lam (1 + b b'/h)
//! kn = (k1 - p rn)/g,   z = -(u_t + lam b) - b k2/h
//! dr = e - D du
//! D  = [p/g, 0; mu b (p/g) (1 + h/(h + |b|^2)), mu p A^-1]
//! e  = (kn, mu b kn + mu p A^-1 (z + b lam kn/p))
//! dp = kn - (p/g) du_n,   dg = du_n + rn
//! db = A^-1 (z - du_t + b lam dp/p),   dlam = (k2 - lam h dp/p + lam b.db)/h
//! ```
//!
//! The proximal term `delta` turns `(D, e)` into `(1 + delta D)^-1 (D, e)` and `du` into
//! `du + delta dr`: the system is then bounded however large `p/g` grows, and its solution stays
//! where it is because the term is centred at the current impulse.

use nalgebra::{SMatrix, SVector};

use super::variables::{Direction, Variables};

/// What does not depend on the right-hand side: `D` and its factors.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Linearization {
    /// `p/g`
    ratio: f64,
    /// `mu p/lam`: `D_tt` across `b`.
    across: f64,
    /// `h + |b|^2`
    sum: f64,
    /// `1/(1 + delta D_nn)`, and of `D_tt` across and along `b`.
    damped: [f64; 3],
}

/// The right-hand side of one contact.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target<const D: usize> {
    rn: f64,
    k1: f64,
    k2: f64,
    kn: f64,
    z: SVector<f64, D>,
}

impl Linearization {
    #[inline(always)]
    pub fn new<const D: usize>(v: &Variables<D>, friction: f64, delta: f64) -> Self {
        let ratio = v.p / v.g;
        let across = friction * v.p / v.slip;
        let sum = v.h + v.b.norm_squared();
        let along = across * v.h / sum;
        let damp = |entry: f64| 1.0 / (1.0 + delta * entry);
        let damped = [damp(ratio), damp(across), damp(along)];
        Self { ratio, across, sum, damped }
    }

    /// `(1 + delta D)^-1 D`.
    #[inline(always)]
    pub fn matrix<const D: usize>(&self, v: &Variables<D>, friction: f64) -> SMatrix<f64, D, D> {
        let [normal, across, along] = self.damped;
        let mut matrix = SMatrix::<f64, D, D>::zeros();
        matrix[(0, 0)] = self.ratio * normal;
        let coupling = friction * self.ratio * (1.0 + v.h / self.sum) * normal * along;
        if D == 2 {
            matrix[(1, 0)] = coupling * v.b[1];
            matrix[(1, 1)] = self.across * v.h / self.sum * along;
            return matrix;
        }
        let spread = -self.across / self.sum * across * along;
        for i in 1..D {
            matrix[(i, 0)] = coupling * v.b[i];
            for j in 1..D {
                matrix[(i, j)] = spread * v.b[i] * v.b[j];
            }
            matrix[(i, i)] += self.across * across;
        }
        matrix
    }

    /// `(1 + delta D)^-1 e`.
    #[inline(always)]
    pub fn vector<const D: usize>(
        &self,
        v: &Variables<D>,
        friction: f64,
        delta: f64,
        target: &Target<D>,
    ) -> SVector<f64, D> {
        let [normal, across, along] = self.damped;
        let b = v.b;
        let en = target.kn * normal;
        let inner = target.z + b * (v.slip * target.kn / v.p);
        let mut et = self.solve_a(v, &inner) * (friction * v.p) + b * (friction * target.kn);
        let coupling = friction * self.ratio * (1.0 + v.h / self.sum);
        et -= b * (delta * coupling * en);
        // (1 + delta D_tt)^-1, whose eigenvectors lie along and across b.
        let turned = if D == 2 {
            et * along
        } else {
            et * across + b * (b.dot(&et) * delta * self.across / self.sum * across * along)
        };
        let mut e = turned;
        e[0] = en;
        e
    }

    /// `A^-1 x` for a tangential `x`.
    #[inline(always)]
    fn solve_a<const D: usize>(&self, v: &Variables<D>, x: &SVector<f64, D>) -> SVector<f64, D> {
        if D == 2 { x * (v.h / (self.sum * v.slip)) } else { (x - v.b * (v.b.dot(x) / self.sum)) / v.slip }
    }

    /// The step that goes with the change of velocity `du`, the proximal term included, and that of the
    /// impulse, `dr`. Where impulses are large against velocities `dp`, `db` and `dg` follow from `dr`:
    /// multiplying `du` by `p/g` would amplify its rounding.
    #[inline(always)]
    pub fn back<const D: usize>(
        &self,
        v: &Variables<D>,
        friction: f64,
        target: &Target<D>,
        du: &SVector<f64, D>,
        dr: &SVector<f64, D>,
    ) -> Direction<D> {
        let (p, g) = if v.presses() {
            (dr[0], (target.k1 - v.g * dr[0]) / v.p)
        } else {
            (target.kn - self.ratio * du[0], du[0] + target.rn)
        };
        let b = if friction * v.p <= v.slip * v.h {
            let mut inner = target.z - du + v.b * (v.slip * p / v.p);
            inner[0] = 0.0;
            self.solve_a(v, &inner)
        } else {
            let mut b = (dr / friction - v.b * p) / v.p;
            b[0] = 0.0;
            b
        };
        let slip = (target.k2 - v.slip * v.h * p / v.p + v.slip * v.b.dot(&b)) / v.h;
        Direction { p, g, slip, b }
    }
}

impl<const D: usize> Target<D> {
    pub fn zero() -> Self {
        Self { rn: 0.0, k1: 0.0, k2: 0.0, kn: 0.0, z: SVector::zeros() }
    }

    /// The right-hand side for products `tau`, corrected by a share of the terms of second order along the predicted
    /// direction.
    #[inline(always)]
    pub fn new(
        v: &Variables<D>,
        u: &SVector<f64, D>,
        tau: f64,
        predicted: Option<(&Direction<D>, f64)>,
    ) -> Self {
        let rn = u[0] - v.g;
        let mut k1 = tau - v.p * v.g;
        let mut k2 = tau / v.p - v.slip * v.h;
        let mut z = -(u + v.b * v.slip);
        if let Some((d, share)) = predicted {
            let (along, square) = (v.b.dot(&d.b), d.b.norm_squared());
            let second = v.h * d.p * d.slip - v.p * d.slip * along - 0.5 * v.p * v.slip * square;
            k1 -= share * d.p * d.g;
            k2 -= share * second / v.p;
            z -= d.b * (share * (d.slip - v.slip * d.p / v.p));
        }
        z -= v.b * (k2 / v.h);
        z[0] = 0.0;
        Self { rn, k1, k2, kn: (k1 - v.p * rn) / v.g, z }
    }
}

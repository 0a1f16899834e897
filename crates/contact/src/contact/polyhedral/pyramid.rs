//! The linearised equations of one contact with polygonal friction, reduced to its impulse and velocity.
//!
//! With the directions `d_j`, `th_j = beta_j/s_j`, `Th = sum th_j`, `t = sum th_j d_j`,
//!
//! ```text
//! p g = beta_j s_j = gam s0 = tau,   k_* = tau - product
//! rn = u_n - g,   res_j = d_j.u_t + gam - s_j,   res_0 = mu p - sum beta - s0
//! kn = (k_p - p rn)/g,   a_j = (k_j - beta_j res_j)/s_j,   c = gam/(s0 + gam Th)
//! c0 = (k_0 - gam (res_0 - sum a))/(s0 + gam Th)
//! dr = e - D du
//! e  = (kn, sum a_j d_j - t (c0 - c mu kn))
//! D  = [p/g, 0; c mu (p/g) t, sum th_j d_j d_j' - c t t']
//! dp = kn - (p/g) du_n,   dg = du_n + rn,   dgam = c0 - c (mu dp + t.du_t)
//! dbeta_j = a_j - th_j (d_j.du_t + dgam),   ds_j = d_j.du_t + dgam + res_j
//! ds0 = mu dp - sum dbeta + res_0
//! ```
//!
//! The proximal term `delta` turns `(D, e)` into `(1 + delta D)^-1 (D, e)` and `du` into `du + delta dr`.

use nalgebra::{SMatrix, SVector};

use crate::contact::structured::small::SmallLu;

/// The unknowns of one contact besides the shares of its friction, or a step of them.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Scalars {
    /// Normal impulse.
    pub p: f64,
    /// `u_n`
    pub g: f64,
    /// `gam`: the slip speed.
    pub gamma: f64,
    /// `s0`: the friction that is not spent.
    pub slack: f64,
}

/// The shares of the friction of one contact along its directions, and `s_j`, by how much the slip along each is above the
/// least; or a step of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shares<'a> {
    pub beta: &'a [f64],
    pub s: &'a [f64],
}

/// What does not depend on the right-hand side.
#[derive(Debug, Clone, Copy)]
pub(super) struct Linearization<const D: usize> {
    /// `p/g`
    ratio: f64,
    /// `c`
    share: f64,
    /// `s0 + gam Th`
    sum: f64,
    /// `t`
    pull: SVector<f64, D>,
    damping: SmallLu<D>,
}

/// The right-hand side of one contact; `a_j` and `res_j` are kept beside it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Target {
    k_p: f64,
    rn: f64,
    res_0: f64,
    kn: f64,
    c0: f64,
}

impl<const D: usize> Linearization<D> {
    pub fn identity() -> Self {
        let damping = SmallLu::identity();
        Self { ratio: 0.0, share: 0.0, sum: 1.0, pull: SVector::zeros(), damping }
    }

    /// The linearization, and `(1 + delta D)^-1 D`; `None` where a number is not finite.
    pub fn new(
        v: &Scalars,
        shares: Shares<'_>,
        friction: f64,
        directions: &[SVector<f64, D>],
        delta: f64,
    ) -> Option<(Self, SMatrix<f64, D, D>)> {
        let ratio = v.p / v.g;
        let mut block = SMatrix::<f64, D, D>::zeros();
        block[(0, 0)] = ratio;
        let (mut pull, mut total) = (SVector::zeros(), 0.0);
        let (mut share, mut sum) = (0.0, 1.0);
        if friction > 0.0 {
            for ((beta, s), d) in shares.beta.iter().zip(shares.s).zip(directions) {
                let th = beta / s;
                total += th;
                pull += d * th;
                for j in 1..D {
                    for i in 1..D {
                        block[(i, j)] += th * d[i] * d[j];
                    }
                }
            }
            sum = v.slack + v.gamma * total;
            share = v.gamma / sum;
            for j in 1..D {
                for i in 1..D {
                    block[(i, j)] -= share * pull[i] * pull[j];
                }
                block[(j, 0)] = share * friction * ratio * pull[j];
            }
        }
        let damping = SmallLu::new(&(SMatrix::identity() + block * delta))?;
        block.data.0.iter_mut().for_each(|column| damping.solve(column));
        Some((Self { ratio, share, sum, pull, damping }, block))
    }

    /// The right-hand side for products `tau`, corrected by the products of a predicted step where there is one, and
    /// `(1 + delta D)^-1 e`. Writes `a_j` and `res_j`.
    pub fn aim(
        &self,
        (v, shares): (&Scalars, Shares<'_>),
        (friction, directions): (f64, &[SVector<f64, D>]),
        u: &SVector<f64, D>,
        tau: f64,
        predicted: Option<(&Scalars, Shares<'_>)>,
        (a, res): (&mut [f64], &mut [f64]),
    ) -> (Target, SVector<f64, D>) {
        let second = |of: fn(&Scalars) -> f64| predicted.map_or(0.0, |(step, _)| of(step));
        let k_p = tau - v.p * v.g - second(|step| step.p * step.g);
        let rn = u[0] - v.g;
        let kn = (k_p - v.p * rn) / v.g;
        let mut e = SVector::<f64, D>::zeros();
        let mut target = Target { k_p, rn, kn, ..Target::default() };
        if friction > 0.0 {
            let k_0 = tau - v.gamma * v.slack - second(|step| step.gamma * step.slack);
            target.res_0 = friction * v.p - shares.beta.iter().sum::<f64>() - v.slack;
            let mut sum = 0.0;
            for (j, d) in directions.iter().enumerate() {
                let (beta, s) = (shares.beta[j], shares.s[j]);
                let second = predicted.map_or(0.0, |(_, step)| step.beta[j] * step.s[j]);
                res[j] = tangential_dot(d, u) + v.gamma - s;
                a[j] = (tau - beta * s - second - beta * res[j]) / s;
                sum += a[j];
                e += d * a[j];
            }
            target.c0 = (k_0 - v.gamma * (target.res_0 - sum)) / self.sum;
            e -= self.pull * (target.c0 - self.share * friction * kn);
        }
        e[0] = kn;
        self.damping.solve(&mut e.data.0[0]);
        (target, e)
    }

    /// The step that goes with the change of velocity `du`, the proximal term included, and that of the impulse, `dr`. Where
    /// the contact presses, `dp` and `dg` follow from `dr`: multiplying `du` by `p/g` would amplify its rounding.
    pub fn back(
        &self,
        (v, shares): (&Scalars, Shares<'_>),
        (friction, directions): (f64, &[SVector<f64, D>]),
        (target, a, res): (&Target, &[f64], &[f64]),
        (du, dr): (&SVector<f64, D>, &SVector<f64, D>),
        (dbeta, ds): (&mut [f64], &mut [f64]),
    ) -> Scalars {
        let (p, g) = if v.p > v.g {
            (dr[0], (target.k_p - v.g * dr[0]) / v.p)
        } else {
            (target.kn - self.ratio * du[0], du[0] + target.rn)
        };
        if friction == 0.0 {
            return Scalars { p, g, ..Scalars::default() };
        }
        let gamma = target.c0 - self.share * (friction * p + tangential_dot(&self.pull, du));
        let mut sum = 0.0;
        for (j, d) in directions.iter().enumerate() {
            let change = tangential_dot(d, du) + gamma;
            dbeta[j] = a[j] - shares.beta[j] / shares.s[j] * change;
            ds[j] = change + res[j];
            sum += dbeta[j];
        }
        Scalars { p, g, gamma, slack: friction * p - sum + target.res_0 }
    }
}

#[inline(always)]
fn tangential_dot<const D: usize>(a: &SVector<f64, D>, b: &SVector<f64, D>) -> f64 {
    (1..D).map(|i| a[i] * b[i]).sum()
}

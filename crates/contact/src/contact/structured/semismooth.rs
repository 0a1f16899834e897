//! Newton's method on the natural map itself, `F(r) = r - P_K(r - rho u~)`, for what a path or sweeps
//! bring close but no further (Alart and Curnier 1991).
//!
//! With a derivative `P'` of the projection and `T = 1 + mu n t'`, `t = u_t/|u_t|`, a step solves
//!
//! ```text
//! (1 - P' + rho delta) dr + rho P' T du = -F,   du = W dr
//! ```
//!
//! which has the shape `dr = e - D du` of the steps along the path. A stuck contact has `P' = 1`; the
//! proximal term `delta` then stands for what rank-deficient `W` leaves open.
//!
//! `rho` weighs a contact's velocity against its impulse, and with it says which contacts are taken for open. It is that of the
//! path's start, `p/g`: in the middle of a tower of thousands of storeys impulses are large and velocities small, and with
//! `rho = 1` a contact that opens would be taken for closed until its impulse has all but vanished.

use nalgebra::{SMatrix, SVector};

use super::{linear::LinearSystem, small::SmallLu};
use crate::contact::{
    friction_cone::{augmented, natural_map, tangential_norm},
    scaled::Operator,
};

/// The proximal term where nothing else is said.
pub(super) const DELTA: f64 = 1e-8;
/// Least share of a step that is tried.
const SHORTEST: f64 = 1.0 / 64.0;

/// A derivative of the projection onto the friction cone at `x`.
fn projection_derivative<const D: usize>(friction: f64, x: &SVector<f64, D>) -> SMatrix<f64, D, D> {
    let radius = tangential_norm(x);
    // A stop has neither friction nor tangents: 0 <= -0 would count it as closed where it is open.
    if x[0] >= 0.0 && radius <= friction * x[0] {
        return SMatrix::identity();
    }
    let mut derivative = SMatrix::zeros();
    if friction * radius + x[0] <= 0.0 {
        return derivative;
    }
    let shrink = 1.0 / (1.0 + friction * friction);
    let normal = shrink * (friction * radius + x[0]);
    // The ray of the cone below x, (1, mu t), and its turning with t.
    let ray = SVector::<f64, D>::from_fn(|i, _| if i == 0 { 1.0 } else { friction * x[i] / radius });
    derivative += ray * ray.transpose() * shrink;
    if D > 2 {
        let turning = friction * normal / radius;
        for i in 1..D {
            for j in 1..D {
                let identity = f64::from(u8::from(i == j));
                derivative[(i, j)] += turning * (identity - x[i] * x[j] / (radius * radius));
            }
        }
    }
    derivative
}

/// `D` and `e` of one contact.
fn linearize<const D: usize>(
    friction: f64,
    r: &SVector<f64, D>,
    u: &SVector<f64, D>,
    [rho, delta]: [f64; 2],
) -> Option<(SMatrix<f64, D, D>, SVector<f64, D>)> {
    let derivative = projection_derivative(friction, &(r - augmented(friction, u) * rho));
    let speed = tangential_norm(u);
    let mut turned = SMatrix::<f64, D, D>::identity();
    if speed > 0.0 {
        for i in 1..D {
            turned[(0, i)] = friction * u[i] / speed;
        }
    }
    let lu = SmallLu::new(&(SMatrix::identity() * (1.0 + delta * rho) - derivative))?;
    let mut block = derivative * turned * rho;
    block.data.0.iter_mut().for_each(|column| lu.solve(column));
    let mut e = -natural_map(friction, r, u, rho);
    lu.solve(&mut e.data.0[0]);
    Some((block, e))
}

/// A natural map, contact by contact.
pub(super) trait NaturalMap<const D: usize> {
    /// The proximal term.
    fn delta(&self) -> f64 {
        DELTA
    }

    /// How many whole steps are taken though the map does not fall along them: where many contacts change sides at once, none
    /// of its steps falls, and the next one may.
    fn leaps(&self) -> u32 {
        0
    }

    /// `D` and `e` of a contact, by which a step is `dr = e - D du`; `None` where a number is not finite.
    fn linearize(
        &self,
        contact: usize,
        r: &SVector<f64, D>,
        u: &SVector<f64, D>,
    ) -> Option<(SMatrix<f64, D, D>, SVector<f64, D>)>;

    /// What a contact misses, squared, in the units of its weight.
    fn missed(&self, contact: usize, r: &SVector<f64, D>, u: &SVector<f64, D>) -> f64;
}

/// That of friction along the tangents: `mu` and `rho` of every contact, the proximal term, and whole steps uphill.
pub(super) struct CoulombMap<'a> {
    pub friction: &'a [f64],
    pub rho: &'a [f64],
    pub delta: f64,
    pub leaps: u32,
}

impl<const D: usize> NaturalMap<D> for CoulombMap<'_> {
    fn delta(&self) -> f64 {
        self.delta
    }

    fn leaps(&self) -> u32 {
        self.leaps
    }

    fn linearize(
        &self,
        contact: usize,
        r: &SVector<f64, D>,
        u: &SVector<f64, D>,
    ) -> Option<(SMatrix<f64, D, D>, SVector<f64, D>)> {
        linearize(self.friction[contact], r, u, [self.rho[contact], self.delta])
    }

    fn missed(&self, contact: usize, r: &SVector<f64, D>, u: &SVector<f64, D>) -> f64 {
        let rho = self.rho[contact];
        natural_map(self.friction[contact], r, u, rho).norm_squared() / rho
    }
}

/// Room for the iterations.
#[derive(Debug, Clone, Default)]
pub(super) struct Semismooth<const D: usize> {
    blocks: Vec<SMatrix<f64, D, D>>,
    e: Vec<SVector<f64, D>>,
    dr: Vec<SVector<f64, D>>,
    du: Vec<SVector<f64, D>>,
    from: Vec<SVector<f64, D>>,
    from_links: Vec<f64>,
}

impl<const D: usize> Semismooth<D> {
    /// Iterations after which it gives up.
    pub const MOST: u32 = 30;

    /// Improves `r`, `u` and the links of `system` as long as the natural map falls, in `most` iterations, until both
    /// residuals are below `enough`; gives how many it took.
    pub fn improve(
        &mut self,
        system: &mut impl LinearSystem<D>,
        map: &impl NaturalMap<D>,
        r: &mut [SVector<f64, D>],
        u: &mut [SVector<f64, D>],
        (most, enough): (u32, f64),
    ) -> u32 {
        self.dr.resize(r.len(), SVector::zeros());
        self.du.resize(r.len(), SVector::zeros());
        system.operator_mut().velocities(r, u);
        let mut size = map_size(system.operator(), map, r, u);
        let mut leaps = map.leaps();
        // From where the map was left at its least: its size, the impulses, and those of the links.
        let mut least: Option<(f64, Vec<SVector<f64, D>>, Vec<f64>)> = None;
        let mut taken = 0;
        while taken < most && self.direct(system, map, r, u) {
            let mut alpha = 1.0;
            let mut trial = self.go(system, map, (r, u), alpha);
            while trial.is_nan() || trial > (1.0 - 1e-3 * alpha) * size {
                alpha *= 0.5;
                if alpha < SHORTEST {
                    break;
                }
                trial = self.go(system, map, (r, u), alpha);
            }
            if alpha < SHORTEST {
                if leaps == 0 {
                    take(system, r, u, (&self.from, &self.from_links));
                    break;
                }
                leaps -= 1;
                if least.as_ref().is_none_or(|(least, ..)| size < *least) {
                    least = Some((size, self.from.clone(), self.from_links.clone()));
                }
                trial = self.go(system, map, (r, u), 1.0);
            }
            size = trial;
            taken += 1;
            if size < 1e-14 || (enough > 0.0 && system.operator().residuals(r, u).max() < enough) {
                break;
            }
        }
        if let Some((least, impulses, links)) = &least
            && (size.is_nan() || *least < size)
        {
            take(system, r, u, (impulses, links));
        }
        taken
    }

    /// The step at `r` and `u`; whether there is one.
    fn direct(
        &mut self,
        system: &mut impl LinearSystem<D>,
        map: &impl NaturalMap<D>,
        r: &[SVector<f64, D>],
        u: &[SVector<f64, D>],
    ) -> bool {
        self.blocks.clear();
        self.e.clear();
        for (contact, (r, u)) in r.iter().zip(u).enumerate() {
            let Some((block, e)) = map.linearize(contact, r, u) else { return false };
            self.blocks.push(block);
            self.e.push(e);
        }
        if !system.factor(&self.blocks, map.delta()) {
            return false;
        }
        system.solve(&self.blocks, &self.e, &mut self.dr, &mut self.du);
        self.from.clear();
        self.from.extend_from_slice(r);
        self.from_links.clear();
        self.from_links.extend_from_slice(system.link_impulses());
        true
    }

    /// Goes `alpha` times the step from where it begins; gives the size of the map there.
    fn go(
        &self,
        system: &mut impl LinearSystem<D>,
        map: &impl NaturalMap<D>,
        (r, u): (&mut [SVector<f64, D>], &mut [SVector<f64, D>]),
        alpha: f64,
    ) -> f64 {
        for ((r, from), step) in r.iter_mut().zip(&self.from).zip(&self.dr) {
            *r = from + step * alpha;
        }
        system.set_link_impulses(&self.from_links);
        system.advance_links(alpha);
        system.operator_mut().velocities(r, u);
        map_size(system.operator(), map, r, u)
    }
}

/// Takes these impulses of contacts and links.
fn take<const D: usize>(
    system: &mut impl LinearSystem<D>,
    r: &mut [SVector<f64, D>],
    u: &mut [SVector<f64, D>],
    (impulses, links): (&[SVector<f64, D>], &[f64]),
) {
    r.copy_from_slice(impulses);
    system.set_link_impulses(links);
    system.operator_mut().velocities(r, u);
}

/// `|F/sqrt(rho)|_2`, with the equations of the links.
fn map_size<const D: usize>(
    operator: &impl Operator<D>,
    map: &impl NaturalMap<D>,
    r: &[SVector<f64, D>],
    u: &[SVector<f64, D>],
) -> f64 {
    let contacts = r.iter().zip(u).enumerate();
    let squares = contacts.map(|(contact, (r, u))| map.missed(contact, r, u)).sum::<f64>();
    squares.sqrt().hypot(operator.miss_of_links())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::friction_cone::project;

    #[test]
    fn the_derivative_of_the_projection_agrees_with_differences() {
        for x in [[1.0, 0.1, 0.2], [0.3, 0.9, -0.4], [-0.2, 1.0, 1.0], [-2.0, 0.3, 0.1]] {
            let x = SVector::<f64, 3>::from(x);
            let exact = projection_derivative(0.6, &x);
            for k in 0..3 {
                let mut step = SVector::<f64, 3>::zeros();
                step[k] = 1e-6;
                let slope = (project(0.6, &(x + step)) - project(0.6, &(x - step))) / 2e-6;
                assert!((slope - exact.column(k)).amax() < 1e-8, "{x}");
            }
        }
    }

    #[test]
    fn what_has_no_friction_and_no_tangents_is_open_or_closed() {
        for (x, closed) in [(1.0, 1.0), (-1.0, 0.0)] {
            let derivative = projection_derivative(0.0, &SVector::<f64, 2>::new(x, 0.0));
            assert_eq!(derivative[(0, 0)], closed);
        }
    }
}

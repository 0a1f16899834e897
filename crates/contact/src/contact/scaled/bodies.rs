use nalgebra::{SMatrix, SVector};

use super::Operator;
use crate::{
    contact::{ContactProblem, Link, Residuals, Solution, Yardstick, model::measure, problem::bounded_miss},
    rows::root,
};

/// No body: the world, or one that is fixed.
pub(in crate::contact) const NOBODY: usize = usize::MAX;

/// A contact of the scaled problem: its rows in the bodies' mass-normalised velocities.
#[derive(Debug, Clone, Copy)]
pub(in crate::contact) struct ScaledContact<const D: usize, const N: usize> {
    pub bodies: [usize; 2],
    /// Transposed: a column for each row of the contact.
    pub rows: [SMatrix<f64, N, D>; 2],
    /// `q'`
    pub q: SVector<f64, D>,
}

/// A link of the scaled problem: `row . v + free + compliance l = 0`.
#[derive(Debug, Clone, Copy)]
pub(in crate::contact) struct ScaledLink<const N: usize> {
    pub bodies: [usize; 2],
    pub rows: [SVector<f64, N>; 2],
    pub free: f64,
    pub compliance: f64,
    /// Of the scaled impulse.
    pub bounds: [f64; 2],
    /// In units of velocity of the problem as it was given, per scaled unit.
    unit: f64,
    /// In units of impulse likewise.
    impulse_unit: f64,
}

impl<const N: usize> ScaledLink<N> {
    /// Whether a large impulse of one sign at least is out of bounds.
    pub fn is_bounded(&self) -> bool {
        self.bounds != Link::<N>::UNBOUNDED
    }
}

/// A scaled [`ContactProblem`], matrix-free: with `M^-1 = H H'`, the rows are `S J H`, and the
/// bodies' velocities `H^-1 (v - v_f)/Q`.
#[derive(Debug, Clone)]
pub(in crate::contact) struct BodyOperator<const D: usize, const N: usize> {
    pub yardstick: Yardstick,
    pub contacts: Vec<ScaledContact<D, N>>,
    pub links: Vec<ScaledLink<N>>,
    /// Scaled impulses of the links.
    pub link_impulses: Vec<f64>,
    friction: Vec<f64>,
    own: Vec<SMatrix<f64, D, D>>,
    /// `S_i`
    scales: Vec<f64>,
    unit: f64,
    /// `H` of each body.
    roots: Vec<SMatrix<f64, N, N>>,
    /// Mass-normalised velocities at the point in question.
    velocity: Vec<SVector<f64, N>>,
}

impl<const D: usize, const N: usize> Default for BodyOperator<D, N> {
    fn default() -> Self {
        Self {
            yardstick: Yardstick::default(),
            contacts: Vec::new(),
            links: Vec::new(),
            link_impulses: Vec::new(),
            friction: Vec::new(),
            own: Vec::new(),
            scales: Vec::new(),
            unit: 0.0,
            roots: Vec::new(),
            velocity: Vec::new(),
        }
    }
}

impl<const D: usize, const N: usize> BodyOperator<D, N> {
    pub fn set(&mut self, problem: &ContactProblem<D, N>) {
        self.yardstick.set(problem);
        self.unit = self.yardstick.unit();
        let unit = if self.unit > 0.0 { self.unit } else { 1.0 };
        self.scales.clear();
        self.scales.extend(self.yardstick.weights().iter().map(|weight| 1.0 / weight.sqrt()));
        self.roots.clear();
        self.roots.extend(problem.inverse_mass.iter().map(root));
        self.velocity.clear();
        self.velocity.resize(problem.bodies(), SVector::zeros());

        self.contacts.clear();
        self.friction.clear();
        self.own.clear();
        let roots = &self.roots;
        for (contact, &scale) in problem.contacts.iter().zip(&self.scales) {
            let bodies = contact.bodies.map(|body| movable(body, roots));
            let rows = [0, 1].map(|end| match bodies[end] {
                NOBODY => SMatrix::zeros(),
                body => roots[body].tr_mul(&contact.jacobian[end].transpose()) * scale,
            });
            let q = problem.relative_velocity(contact, &problem.free_velocity) * (scale / unit);
            self.own.push(rows[0].tr_mul(&rows[0]) + rows[1].tr_mul(&rows[1]));
            self.friction.push(contact.friction);
            self.contacts.push(ScaledContact { bodies, rows, q });
        }
        self.links.clear();
        for link in &problem.links {
            let scale = 1.0 / problem.link_response(link).sqrt();
            let bodies = link.bodies.map(|body| movable(body, roots));
            let rows = [0, 1].map(|end| match bodies[end] {
                NOBODY => SVector::zeros(),
                body => roots[body].tr_mul(&link.jacobian[end]) * scale,
            });
            self.links.push(ScaledLink {
                bodies,
                rows,
                free: problem.link_rate(link, &problem.free_velocity) * (scale / unit),
                compliance: link.compliance * scale * scale,
                bounds: link.bounds.map(|bound| bound / (unit * scale)),
                unit: unit / scale,
                impulse_unit: unit * scale,
            });
        }
        self.link_impulses.clear();
        self.link_impulses.resize(self.links.len(), 0.0);
    }

    /// Takes up a problem, and in scaled units the impulses that its solve starts from: those of `solution` where they are a
    /// guess, none elsewhere.
    pub fn take_up(
        &mut self,
        problem: &ContactProblem<D, N>,
        solution: &mut Solution<D, N>,
        r: &mut Vec<SVector<f64, D>>,
    ) {
        self.set(problem);
        solution.prepare(problem.contacts.len(), problem.links.len());
        self.scale((&solution.impulses, &solution.link_impulses), r);
    }

    /// Gives scaled impulses of contacts back, with the current ones of the links, as the solution of the problem that was
    /// taken up, and measures it.
    pub fn give_back(
        &self,
        problem: &ContactProblem<D, N>,
        r: &[SVector<f64, D>],
        solution: &mut Solution<D, N>,
    ) -> Residuals {
        self.write(r, solution);
        measure(problem, &self.yardstick, solution)
    }

    /// Number of bodies, the fixed ones included.
    pub fn bodies(&self) -> usize {
        self.velocity.len()
    }

    /// Mass-normalised velocities at the point that was looked at last.
    #[cfg(feature = "ipopt")]
    pub fn body_velocities(&self) -> &[SVector<f64, N>] {
        &self.velocity
    }

    /// Scales impulses of the problem; those of the links become the current ones.
    pub fn scale(
        &mut self,
        (impulses, link_impulses): (&[SVector<f64, D>], &[f64]),
        r: &mut Vec<SVector<f64, D>>,
    ) {
        let unit = if self.unit > 0.0 { self.unit } else { 1.0 };
        r.clear();
        r.extend(impulses.iter().zip(&self.scales).map(|(impulse, scale)| impulse / (unit * scale)));
        self.link_impulses.clear();
        let links = link_impulses.iter().zip(&self.links);
        self.link_impulses.extend(links.map(|(impulse, link)| impulse / link.impulse_unit));
    }

    /// Turns scaled impulses into those of the problem.
    pub fn unscale(
        &self,
        r: &[SVector<f64, D>],
        link_r: &[f64],
        impulses: &mut Vec<SVector<f64, D>>,
        link_impulses: &mut Vec<f64>,
    ) {
        impulses.clear();
        impulses.extend(r.iter().zip(&self.scales).map(|(r, scale)| r * (self.unit * scale)));
        link_impulses.clear();
        link_impulses.extend(link_r.iter().zip(&self.links).map(|(r, link)| r * link.impulse_unit));
    }

    /// Writes scaled impulses of contacts, and the current ones of the links, as those of the problem.
    pub fn write(&self, r: &[SVector<f64, D>], solution: &mut Solution<D, N>) {
        self.unscale(r, &self.link_impulses, &mut solution.impulses, &mut solution.link_impulses);
    }

    /// Sets the bodies' velocities to those after `r` and the current impulses of the links.
    fn accumulate(&mut self, r: &[SVector<f64, D>]) {
        self.velocity.fill(SVector::zeros());
        for (contact, r) in self.contacts.iter().zip(r) {
            for (&body, rows) in contact.bodies.iter().zip(&contact.rows) {
                if body != NOBODY {
                    self.velocity[body] += rows * r;
                }
            }
        }
        for (link, impulse) in self.links.iter().zip(&self.link_impulses) {
            for (&body, row) in link.bodies.iter().zip(&link.rows) {
                if body != NOBODY {
                    self.velocity[body] += row * *impulse;
                }
            }
        }
    }

    #[inline(always)]
    fn relative_velocity(&self, contact: &ScaledContact<D, N>) -> SVector<f64, D> {
        let mut u = contact.q;
        for (&body, rows) in contact.bodies.iter().zip(&contact.rows) {
            if body != NOBODY {
                u += rows.tr_mul(&self.velocity[body]);
            }
        }
        u
    }

    /// By how much link `index` misses its law.
    pub fn link_miss(&self, index: usize) -> f64 {
        // Scaled so that its own response is 1.
        bounded_miss(self.links[index].bounds, self.link_impulses[index], self.link_rate(index), 1.0)
    }

    /// The bound at which link `index` is by the natural map: that beyond which its impulse would be without it.
    pub fn bound_reached(&self, index: usize) -> Option<f64> {
        let [low, high] = self.links[index].bounds;
        let free = self.link_impulses[index] - self.link_rate(index);
        if free <= low {
            Some(low)
        } else if free >= high {
            Some(high)
        } else {
            None
        }
    }

    /// The rate of link `index`, its compliance included.
    pub fn link_rate(&self, index: usize) -> f64 {
        let link = &self.links[index];
        let ends = link.bodies.iter().zip(&link.rows).filter(|(body, _)| **body != NOBODY);
        ends.fold(link.free + link.compliance * self.link_impulses[index], |sum, (&body, row)| {
            sum + row.dot(&self.velocity[body])
        })
    }
}

/// The body, unless it is fixed.
fn movable<const N: usize>(body: Option<usize>, roots: &[SMatrix<f64, N, N>]) -> usize {
    body.filter(|&body| roots[body].iter().any(|&entry| entry != 0.0)).unwrap_or(NOBODY)
}

impl<const D: usize, const N: usize> Operator<D> for BodyOperator<D, N> {
    fn friction(&self) -> &[f64] {
        &self.friction
    }

    fn velocities(&mut self, r: &[SVector<f64, D>], u: &mut [SVector<f64, D>]) {
        self.accumulate(r);
        for (u, contact) in u.iter_mut().zip(&self.contacts) {
            *u = self.relative_velocity(contact);
        }
    }

    fn own_block(&self, contact: usize) -> &SMatrix<f64, D, D> {
        &self.own[contact]
    }

    fn start_sweeps(&mut self, r: &[SVector<f64, D>]) {
        self.accumulate(r);
    }

    fn velocity(&self, contact: usize) -> SVector<f64, D> {
        self.relative_velocity(&self.contacts[contact])
    }

    fn change(&mut self, contact: usize, change: &SVector<f64, D>) {
        let contact = &self.contacts[contact];
        for (&body, rows) in contact.bodies.iter().zip(&contact.rows) {
            if body != NOBODY {
                self.velocity[body] += rows * change;
            }
        }
    }

    fn sweep_links(&mut self) {
        for index in 0..self.links.len() {
            // Scaled so that the link's own response is 1.
            let change = -self.link_miss(index);
            self.link_impulses[index] += change;
            let link = &self.links[index];
            for (&body, row) in link.bodies.iter().zip(&link.rows) {
                if body != NOBODY {
                    self.velocity[body] += row * change;
                }
            }
        }
    }

    fn rate_of_link(&self, index: usize) -> f64 {
        self.link_rate(index)
    }

    fn within_bounds(&self, index: usize, impulse: f64) -> f64 {
        let [low, high] = self.links[index].bounds;
        impulse.max(low).min(high)
    }

    fn has_bounded_links(&self) -> bool {
        self.links.iter().any(ScaledLink::is_bounded)
    }

    fn miss_of_links(&self) -> f64 {
        (0..self.links.len()).map(|index| self.link_miss(index).powi(2)).sum::<f64>().sqrt()
    }

    fn residuals(&self, r: &[SVector<f64, D>], u: &[SVector<f64, D>]) -> Residuals {
        let of_contacts = super::residuals(&self.yardstick, &self.scales, self.unit, r, u);
        let misses = (0..self.links.len()).map(|index| self.link_miss(index) * self.links[index].unit);
        self.yardstick.with_links(of_contacts, misses)
    }

    fn accepts(&self, residuals: &Residuals, tolerance: f64) -> bool {
        self.yardstick.accepts(residuals, tolerance)
    }
}

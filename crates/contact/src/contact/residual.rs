//! How well impulses and velocities fulfil Coulomb's law, measured alike for every model.

use nalgebra::SVector;

use super::{
    ContactProblem, DenseProblem, Solution, TOLERANCE,
    friction_cone::natural_map,
    groups::{self, Grouped, ROWS, Rows},
};
use crate::rows;

/// Two measures of one thing: how far a candidate misses Coulomb's law. Zero is a solution.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Residuals {
    /// The natural map contact by contact, in units that the problem itself gives: with
    /// `w_i = tr W_ii/d` and `V = max_i |q_i|_inf/sqrt(w_i)`, or what rounding leaves of that where bodies
    /// move along together,
    ///
    /// ```text
    /// eta = max_i sqrt(w_i) |r_i - P_K(r_i - u~_i/w_i)| / V
    /// ```
    ///
    /// A link counts with `w = L M^-1 L' + R` and its bounds for the cone. Nothing depends on the units of mass, length and
    /// time. Where `mu > 1` a contact misses by
    /// `|u_n|/(sqrt(2) w)` at least if it closes, as it does of itself where `mu <= 1` (see `closing` in the source).
    pub scaled: f64,
    /// The field's convention, `|(r_i - P_K(r_i - u~_i))_i|_2 / |q|_2`, which depends on units; a contact that
    /// closes counts as in `scaled`, with `w = 1`.
    pub conventional: f64,
}

impl Residuals {
    /// What nothing satisfies.
    pub const INFINITE: Self = Self { scaled: f64::INFINITY, conventional: f64::INFINITY };

    /// The larger of the two.
    pub fn max(&self) -> f64 {
        self.scaled.max(self.conventional)
    }
}

/// What of the velocities that a relative velocity is the difference of counts as large in it at least: so much that
/// the tolerance stays above their rounding. Bodies that touch and fall together have none but that, and neither have
/// those that a rod joins, which holds its length to the rounding of the places of its ends.
const LEAST: f64 = 8.0 * f64::EPSILON / TOLERANCE;

/// A velocity in m/s, or one over the root of a response, below which any counts as none.
const FAR_FROM_UNDERFLOW: f64 = 1e-100;

/// What counts as large in one problem: the denominators of [`Residuals`].
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Yardstick {
    /// `mu_i`.
    friction: Vec<f64>,
    /// `w_i = tr W_ii/d`.
    weights: Vec<f64>,
    /// `L M^-1 L' + compliance` of every link.
    link_weights: Vec<f64>,
    /// `V`.
    unit: f64,
    /// `|q|_2`.
    size: f64,
    /// Both of the terms that the `q_i` are made of.
    terms: [f64; 2],
    /// By how much the tolerance of the conventional residual is widened.
    slack: f64,
}

impl Yardstick {
    /// Takes the measure of a problem of bodies. The links count as they are, `w_i` is that of the
    /// bodies without them.
    /// Where some have groups of friction, all contacts count by their scaled rows.
    pub fn set<const D: usize, const N: usize>(&mut self, problem: &ContactProblem<D, N>) {
        if !problem.groups.is_empty() {
            let Grouped { problem, .. } = Grouped::of(problem);
            return self.set_with(&problem, |contact| problem.delassus_trace(&problem.contacts[contact]));
        }
        self.set_with(problem, |contact| problem.delassus_trace(&problem.contacts[contact]));
    }

    /// Takes the measure of a problem of bodies, as [`set`](Self::set) does; `delassus_trace` gives `tr W_ii` in 1/kg of
    /// each contact, which the caller may have at hand.
    pub fn set_with<const D: usize, const N: usize>(
        &mut self,
        problem: &ContactProblem<D, N>,
        delassus_trace: impl Fn(usize) -> f64,
    ) {
        self.clear();
        for (index, contact) in problem.contacts.iter().enumerate() {
            let (mut q, mut terms) = (contact.surface_velocity, 0.0);
            q[0] += contact.bias;
            for (body, jacobian) in contact.bodies.iter().zip(&contact.jacobian) {
                if let Some(body) = *body {
                    let (part, of_part) = rows::times_with_terms(jacobian, &problem.free_velocity[body]);
                    q += part;
                    terms += of_part;
                }
            }
            self.add(contact.friction, delassus_trace(index) / D as f64, &q, terms);
        }
        for link in &problem.links {
            let weight = problem.link_response(link);
            let rate = problem.link_rate(link, &problem.free_velocity);
            let ends = link.bodies.iter().zip(&link.jacobian);
            let terms = ends.fold(link.terms, |sum: f64, (body, row)| {
                sum + body.map_or(0.0, |body| row.abs().dot(&problem.free_velocity[body].abs()))
            });
            // Bounds without 0 between them ask for an impulse of themselves.
            let [low, high] = link.bounds;
            let asked = rows::larger(rate.abs(), weight * 0.0_f64.max(low).min(high).abs());
            self.count(weight, asked, asked * asked, terms);
            self.link_weights.push(weight);
        }
        self.finish();
        let mean_weight = self.weights.iter().sum::<f64>() / self.weights.len().max(1) as f64;
        self.slack = (1.0 / mean_weight).max(1.0);
    }

    /// Takes the measure of a dense problem.
    pub fn set_dense<const D: usize>(&mut self, problem: &DenseProblem<D>) {
        self.clear();
        for contact in 0..problem.contacts() {
            self.add(problem.friction[contact], problem.weight(contact), &problem.free(contact), 0.0);
        }
        self.finish();
    }

    fn clear(&mut self) {
        self.friction.clear();
        self.weights.clear();
        self.link_weights.clear();
        self.unit = 0.0;
        self.size = 0.0;
        self.terms = [0.0; 2];
    }

    #[inline]
    fn add<const D: usize>(&mut self, friction: f64, weight: f64, q: &SVector<f64, D>, terms: f64) {
        self.friction.push(friction);
        self.weights.push(weight);
        self.count(weight, rows::amax(q), q.norm_squared(), terms);
    }

    /// Takes in a velocity of this size, and of these `terms` that it is the difference of.
    fn count(&mut self, weight: f64, largest: f64, square: f64, terms: f64) {
        self.unit = rows::larger(self.unit, largest / weight.sqrt());
        self.size += square;
        self.terms[0] = rows::larger(self.terms[0], terms / weight.sqrt());
        self.terms[1] += terms * terms;
    }

    fn finish(&mut self) {
        self.unit = self.unit.max(LEAST * self.terms[0]);
        self.size = self.size.sqrt().max(LEAST * self.terms[1].sqrt());
        if self.unit > 0.0 && !self.link_weights.is_empty() {
            // What friction of a joint stops falls by the tolerance in every step, down to where squares underflow.
            self.unit = self.unit.max(FAR_FROM_UNDERFLOW);
            self.size = self.size.max(FAR_FROM_UNDERFLOW);
        }
        self.slack = 1.0;
    }

    /// `w_i = tr W_ii/d` of every contact.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// `V = max_i |q_i|_inf/sqrt(w_i)`, at least what rounding leaves of it.
    pub fn unit(&self) -> f64 {
        self.unit
    }

    /// Whether both residuals are within `tolerance`.
    ///
    /// The conventional one is in units of an impulse over a velocity. For bodies in SI units, so
    /// heavy that impulses dwarf velocities, its tolerance is in units of `1/mean(w)`; for a dense
    /// problem, whose units are its own, it is taken as it is.
    pub fn accepts(&self, residuals: &Residuals, tolerance: f64) -> bool {
        residuals.scaled <= tolerance && residuals.conventional <= tolerance * self.slack
    }

    /// The residuals of impulses `r_i` with the relative velocities `u_i` that they lead to.
    #[inline]
    pub fn residuals<const D: usize>(
        &self,
        pairs: impl Iterator<Item = (SVector<f64, D>, SVector<f64, D>)>,
    ) -> Residuals {
        self.of_contacts(pairs, |_, natural_map, _, _, _| natural_map)
    }

    /// The residuals of what contacts miss: `miss` takes which one it is, the square of its natural map, impulse, velocity and
    /// what one over the other counts as, and gives the square that it misses by.
    #[inline]
    fn of_contacts<const D: usize>(
        &self,
        pairs: impl Iterator<Item = (SVector<f64, D>, SVector<f64, D>)>,
        miss: impl Fn(usize, f64, &SVector<f64, D>, &SVector<f64, D>, f64) -> f64,
    ) -> Residuals {
        let mut largest = 0.0_f64;
        let mut lost = 0.0_f64;
        let mut sum = 0.0;
        let laws = self.friction.iter().zip(&self.weights);
        for (index, ((&mu, &weight), (r, u))) in laws.zip(pairs).enumerate() {
            let square = |rho: f64| miss(index, missed(mu, &r, &u, rho).norm_squared(), &r, &u, rho);
            lost = rows::larger(lost, weight * (f64::EPSILON * rows::amax(&r)).powi(2));
            // One that is not a number must not get lost in a maximum.
            let closing = closing(mu, &u);
            let scaled = weight * square(1.0 / weight);
            largest = largest_of(largest_of(scaled, closing / weight), largest);
            sum += largest_of(square(1.0), closing);
        }
        // Beside impulses that grow without bound, as where nothing is a solution, any velocity vanishes in
        // `r - u~`, and the map with it: what rounding takes from it then counts as missed.
        if self.unit > 0.0 && lost.sqrt() > TOLERANCE * self.unit {
            largest = largest_of(lost, largest);
        }
        self.relative(largest.sqrt(), sum.sqrt())
    }

    /// The residuals of a candidate for a problem of bodies, links included; its velocities must be those that the impulses
    /// lead to ([`ContactProblem::follow`]).
    pub fn residuals_of_bodies<const D: usize, const N: usize>(
        &self,
        problem: &ContactProblem<D, N>,
        solution: &Solution<D, N>,
    ) -> Residuals {
        if !problem.groups.is_empty() {
            let grouped = Grouped::of(problem);
            return self.residuals_of_bodies(&grouped.problem, &grouped.scaled(problem, solution));
        }
        let Solution { velocity, impulses, link_impulses, .. } = solution;
        let relative = problem.contacts.iter().map(|contact| problem.relative_velocity(contact, velocity));
        self.residuals_with(problem, (impulses, link_impulses), velocity, relative)
    }

    /// The same of what contacts miss by `miss`, as [`Yardstick::of_contacts`] has it; in scaled rows where there are groups.
    pub(super) fn residuals_by<const D: usize, const N: usize>(
        &self,
        problem: &ContactProblem<D, N>,
        solution: &Solution<D, N>,
        miss: impl Fn(usize, f64, &SVector<f64, D>, &SVector<f64, D>, f64) -> f64,
    ) -> Residuals {
        let Solution { velocity, impulses, link_impulses, .. } = solution;
        let relative = problem.contacts.iter().map(|contact| problem.relative_velocity(contact, velocity));
        let of_contacts = self.of_contacts(impulses.iter().copied().zip(relative), miss);
        self.and_links(of_contacts, problem, link_impulses, velocity)
    }

    /// The residuals of impulses and velocities of bodies; `relative` gives the relative velocity of each contact, which
    /// the caller may have at hand.
    #[inline]
    pub fn residuals_with<const D: usize, const N: usize>(
        &self,
        problem: &ContactProblem<D, N>,
        (impulses, link_impulses): (&[SVector<f64, D>], &[f64]),
        velocity: &[SVector<f64, N>],
        relative: impl Iterator<Item = SVector<f64, D>>,
    ) -> Residuals {
        let of_contacts = self.residuals(impulses.iter().copied().zip(relative));
        self.and_links(of_contacts, problem, link_impulses, velocity)
    }

    /// The residuals of contacts, and those of the links at these impulses and velocities.
    #[inline]
    fn and_links<const D: usize, const N: usize>(
        &self,
        of_contacts: Residuals,
        problem: &ContactProblem<D, N>,
        link_impulses: &[f64],
        velocity: &[SVector<f64, N>],
    ) -> Residuals {
        let misses = problem.links.iter().zip(link_impulses).zip(&self.link_weights);
        self.with_links(
            of_contacts,
            misses.map(|((link, impulse), weight)| {
                link.miss(*impulse, problem.link_rate(link, velocity) + link.compliance * impulse, *weight)
            }),
        )
    }

    /// The residuals of contacts and links together; `misses` are those of the links ([`Link::miss`](super::Link::miss)),
    /// in m/s.
    pub(super) fn with_links(&self, of_contacts: Residuals, misses: impl Iterator<Item = f64>) -> Residuals {
        if self.link_weights.is_empty() {
            return of_contacts;
        }
        let (mut largest, mut sum) = (0.0_f64, 0.0);
        for (miss, weight) in misses.zip(&self.link_weights) {
            largest = largest_of(miss.abs() / weight.sqrt(), largest);
            sum += miss * miss;
        }
        let of_links = self.relative(largest, sum.sqrt());
        Residuals {
            scaled: largest_of(of_contacts.scaled, of_links.scaled),
            conventional: of_contacts.conventional.hypot(of_links.conventional),
        }
    }

    fn relative(&self, largest: f64, sum: f64) -> Residuals {
        // Without any velocity there is nothing to be relative to: only rest is right, and all else is all wrong.
        let over = |value: f64, unit: f64| match (value == 0.0, unit > 0.0) {
            (true, _) => 0.0,
            (false, true) => value / unit,
            (false, false) if value.is_nan() => value,
            (false, false) => 1.0,
        };
        Residuals { scaled: over(largest, self.unit), conventional: over(sum, self.size) }
    }
}

/// The natural map of one contact: of friction along the tangents, or in groups where it has the scaled rows of these.
#[inline(always)]
fn missed<const D: usize>(mu: f64, r: &SVector<f64, D>, u: &SVector<f64, D>, rho: f64) -> SVector<f64, D> {
    if D != ROWS {
        return natural_map(mu, r, u, rho);
    }
    let rows = |x: &SVector<f64, D>| Rows::from_fn(|row, _| x[row]);
    let missed = groups::evenly_missed(&rows(r), &rows(u), rho);
    SVector::from_fn(|row, _| missed[row])
}

/// `u_n^2/2` of a contact that closes with more friction than 1, in m^2/s^2; else 0.
///
/// The natural map `F` bounds how fast a contact closes: by Moreau's decomposition `u~ = w (F + k)` with `k` in the
/// dual cone, so that `u_n >= -w sqrt(1 + mu^2) |F|`. The steeper the cone, the less that says: at `mu = 1e8` no
/// impulse at all passes for a solution at any speed. Asking what the map asks at `mu = 1` is no less than it asks.
#[inline(always)]
fn closing<const D: usize>(mu: f64, u: &SVector<f64, D>) -> f64 {
    if mu > 1.0 { 0.5 * u[0].min(0.0).powi(2) } else { 0.0 }
}

/// The larger of two numbers; not a number if one of them is none.
#[inline(always)]
fn largest_of(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

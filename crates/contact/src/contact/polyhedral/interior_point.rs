use nalgebra::{SMatrix, SVector};

use super::{
    basis::{Basis, Contacts},
    pyramid::{Linearization, Scalars, Shares, Target},
};
use crate::{
    contact::{analytic_centre::AnalyticCentre, scaled::Operator, structured::linear::LinearSystem},
    random::Random,
};

/// Of the way to the boundary that a step may go; near the solution more.
const FRACTION: f64 = 0.995;
/// No product may fall below this fraction of their mean.
const NEIGHBOURHOOD: f64 = 1e-3;
/// A step shorter than this has lost the path's centre.
const SHORT: f64 = 0.05;
/// Steps towards the centre after a short one, and at what they aim, times the mean product.
const CENTRING: u32 = 2;
const BACK: f64 = 2.0;
/// The miss of the law from which on the basis is looked for, and by which it has to fall before it is again.
const NEAR: f64 = 1e-3;
const NEARER: f64 = 0.1;
/// Iterations, and those that the miss may take to fall by a tenth.
const MAX_ITERATIONS: u32 = 100;
const PATIENCE: u32 = 25;

/// How a path is followed.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Plan {
    /// Least centring `sigma`.
    least_centring: f64,
    /// Proximal term.
    delta: f64,
    /// Whether steps are corrected by the products of the predicted ones.
    correct: bool,
    /// Whether the path is followed back where the determinant of the equations is negative, as it is between two folds.
    turns: bool,
    /// The products of the contacts are in proportions at random within this factor both ways.
    spread: f64,
}

impl Plan {
    const FIRST: Self = Self { least_centring: 0.01, delta: 1e-10, correct: true, turns: true, spread: 1.0 };
}

/// The paths, one after the other until one leads to a solution.
const PLANS: [Plan; 8] = [
    Plan::FIRST,
    Plan { turns: false, ..Plan::FIRST },
    Plan { least_centring: 0.3, ..Plan::FIRST },
    Plan { least_centring: 0.05, delta: 1e-6, correct: false, ..Plan::FIRST },
    Plan { least_centring: 0.5, delta: 1e-8, turns: false, ..Plan::FIRST },
    Plan { spread: 3.0, ..Plan::FIRST },
    Plan { spread: 10.0, turns: false, ..Plan::FIRST },
    Plan { spread: 100.0, ..Plan::FIRST },
];

/// The unknowns of all contacts, or a step of them.
#[derive(Debug, Clone, Default)]
struct Point {
    scalars: Vec<Scalars>,
    /// Shares of friction of all contacts, one after the other.
    beta: Vec<f64>,
    s: Vec<f64>,
}

impl Point {
    fn resize(&mut self, contacts: usize, directions: usize) {
        self.scalars.clear();
        self.scalars.resize(contacts, Scalars::default());
        for shares in [&mut self.beta, &mut self.s] {
            shares.clear();
            shares.resize(contacts * directions, 0.0);
        }
    }

    fn shares(&self, contact: usize, count: usize) -> Shares<'_> {
        let range = count * contact..count * (contact + 1);
        Shares { beta: &self.beta[range.clone()], s: &self.s[range] }
    }
}

/// How the search for a solution ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Outcome {
    pub is_solved: bool,
    /// Iterations of all paths, and linear systems of the bases that were tried.
    pub iterations: u32,
    /// The path that led to the solution, or how many led nowhere.
    pub rung: u32,
}

/// The problem of Stewart and Trinkle over the graph of the bodies, by Mehrotra's primal-dual interior point until what the
/// contacts do is known, then exactly from the [`Basis`].
///
/// Each Newton step is a linear system of `D` unknowns per contact (see `pyramid`), which the factorisation of the structured
/// interior point of `nlp` solves in the velocities of the bodies. The basis of the problem before is tried first.
#[derive(Debug, Clone)]
pub(super) struct InteriorPoint<const D: usize> {
    /// The directions of all contacts, one after the other, and how many each has.
    pub directions: Vec<SVector<f64, D>>,
    count: usize,
    /// The impulses: those of the problem before where [`Self::hold`] begins, and the solution.
    pub r: Vec<SVector<f64, D>>,
    u: Vec<SVector<f64, D>>,
    friction: Vec<f64>,
    centre: AnalyticCentre<D>,
    basis: Basis<D>,
    /// Shares of `tau`, 1 on the central path.
    weights: Vec<f64>,
    point: Point,
    step: Point,
    predicted: Point,
    other_step: Point,
    linearizations: Vec<Linearization<D>>,
    blocks: Vec<SMatrix<f64, D, D>>,
    targets: Vec<Target>,
    a: Vec<f64>,
    res: Vec<f64>,
    e: Vec<SVector<f64, D>>,
    dr: Vec<SVector<f64, D>>,
    du: Vec<SVector<f64, D>>,
    path_links: Vec<f64>,
}

impl<const D: usize> Default for InteriorPoint<D> {
    fn default() -> Self {
        Self {
            directions: Vec::new(),
            count: 2,
            r: Vec::new(),
            u: Vec::new(),
            friction: Vec::new(),
            centre: AnalyticCentre::default(),
            basis: Basis::default(),
            weights: Vec::new(),
            point: Point::default(),
            step: Point::default(),
            predicted: Point::default(),
            other_step: Point::default(),
            linearizations: Vec::new(),
            blocks: Vec::new(),
            targets: Vec::new(),
            a: Vec::new(),
            res: Vec::new(),
            e: Vec::new(),
            dr: Vec::new(),
            du: Vec::new(),
            path_links: Vec::new(),
        }
    }
}

impl<const D: usize> InteriorPoint<D> {
    /// For contacts with `count` directions of friction each.
    pub fn new(count: usize) -> Self {
        Self { count, ..Self::default() }
    }

    /// The velocities that contacts have without impulses, those of the links being what they are then, in scaled units.
    pub fn free_velocities<S: LinearSystem<D>>(&mut self, system: &mut S) -> &[SVector<f64, D>] {
        self.resize(system);
        self.r.fill(SVector::zeros());
        system.set_link_impulses(&[]);
        system.operator_mut().velocities(&self.r, &mut self.u);
        if !system.link_impulses().is_empty() {
            self.blocks.fill(SMatrix::zeros());
            self.e.fill(SVector::zeros());
            // Twice: once leaves the proximal term.
            for _ in 0..2 {
                if !system.factor(&self.blocks, 1e-10) {
                    break;
                }
                system.solve(&self.blocks, &self.e, &mut self.dr, &mut self.du);
                system.advance_links(1.0);
                system.operator_mut().velocities(&self.r, &mut self.u);
            }
        }
        &self.u
    }

    /// Whether the basis of the problem before holds here too, from its impulses in [`Self::r`] and the links of `system`.
    pub fn hold(&mut self, system: &mut impl LinearSystem<D>) -> bool {
        let n = system.operator().friction().len();
        if n != self.basis.modes.len() || n != self.centre.x.len() || n != self.r.len() {
            return false;
        }
        self.friction.clear();
        self.friction.extend_from_slice(system.operator().friction());
        self.u.resize(n, SVector::zeros());
        let Self { basis, r, u, friction, directions, centre, count, .. } = self;
        let contacts = Contacts { friction, directions, count: *count, x: &centre.x };
        let names = basis.modes.iter().all(|mode| mode.is_within(*count));
        names && basis.hold(system, contacts, (r, u))
    }

    /// Looks for a solution, and leaves it in [`Self::r`] and the links of `system`.
    pub fn solve(&mut self, system: &mut impl LinearSystem<D>) -> Outcome {
        self.resize(system);
        if self.friction.is_empty() {
            // Links alone are a linear system, which is what the modes of no contact ask to be solved.
            self.centre.x.clear();
            let (is_solved, iterations) = self.recover(system);
            return Outcome { is_solved, iterations, rung: 0 };
        }
        let far = self.centre.find(system);
        let mut iterations = 0;
        for (rung, plan) in (0..).zip(PLANS) {
            self.start(far, plan.spread);
            system.set_link_impulses(&[]);
            let (is_solved, taken) = self.follow(system, &plan);
            iterations += taken;
            if is_solved {
                return Outcome { is_solved, iterations, rung };
            }
        }
        self.basis.modes.clear();
        Outcome { is_solved: false, iterations, rung: PLANS.len() as u32 }
    }

    /// What is kept of a solution besides its impulses, as plain numbers: weight and mode of each contact.
    pub fn memory(&self) -> impl Iterator<Item = f64> {
        let kept = self.centre.x.iter().zip(&self.basis.modes);
        kept.flat_map(|(x, mode)| [*x, mode.code(self.count)])
    }

    /// Takes over what [`Self::memory`] gave out.
    pub fn restore(&mut self, memory: &[f64]) {
        self.centre.x.clear();
        self.basis.modes.clear();
        for pair in memory.chunks_exact(2) {
            self.centre.x.push(pair[0]);
            self.basis.modes.push(super::modes::Mode::of_code(pair[1], self.count));
        }
    }

    fn resize(&mut self, system: &impl LinearSystem<D>) {
        self.friction.clear();
        self.friction.extend_from_slice(system.operator().friction());
        let (n, k) = (self.friction.len(), self.count);
        for point in [&mut self.point, &mut self.step, &mut self.predicted, &mut self.other_step] {
            point.resize(n, k);
        }
        for vectors in [&mut self.r, &mut self.u, &mut self.e, &mut self.dr, &mut self.du] {
            vectors.clear();
            vectors.resize(n, SVector::zeros());
        }
        for shares in [&mut self.a, &mut self.res] {
            shares.clear();
            shares.resize(n * k, 0.0);
        }
        self.linearizations.resize(n, Linearization::identity());
        self.blocks.resize(n, SMatrix::zeros());
        self.targets.resize(n, Target::default());
    }

    /// On the path but for the equations, `far` times the analytic centre out.
    fn start(&mut self, far: f64, spread: f64) {
        let k = self.count;
        let mut random = Random::seeded(self.friction.len() as u64);
        self.weights.clear();
        self.weights.extend(self.friction.iter().map(|_| match spread {
            1.0 => 1.0,
            _ => spread.powf(random.uniform(-1.0, 1.0)),
        }));
        for (i, (v, x)) in self.point.scalars.iter_mut().zip(&self.centre.x).enumerate() {
            let share = self.friction[i] * x / (k + 1) as f64;
            let slow = far * self.weights[i];
            *v = Scalars { p: far * x, g: slow / x, gamma: slow / share, slack: far * share };
            self.point.beta[k * i..k * (i + 1)].fill(far * share);
            self.point.s[k * i..k * (i + 1)].fill(slow / share);
        }
    }

    /// Follows the path `tau -> 0`; whether it led to a solution, and the iterations.
    fn follow(&mut self, system: &mut impl LinearSystem<D>, plan: &Plan) -> (bool, u32) {
        let (mut iterations, mut patience, mut milestone) = (0, PATIENCE, f64::INFINITY);
        let (mut near, mut centring) = (NEAR, 0);
        self.find_velocities(system);
        loop {
            let (miss, is_exact) = self.contacts().miss(system.operator(), &self.r, &self.u);
            if is_exact {
                // The modes are those of the solution, for the next problem.
                let (_, taken) = self.recover(system);
                return (true, iterations + taken);
            }
            if !miss.is_finite() {
                return (false, iterations);
            }
            if miss < near {
                self.path_links.clear();
                self.path_links.extend_from_slice(system.link_impulses());
                let (is_solved, taken) = self.recover(system);
                iterations += taken;
                if is_solved {
                    return (true, iterations);
                }
                system.set_link_impulses(&self.path_links);
                self.find_velocities(system);
                near = NEARER * miss;
            }
            if miss < 0.9 * milestone {
                (milestone, patience) = (miss, PATIENCE);
            }
            if patience == 0 || iterations >= MAX_ITERATIONS {
                let (is_solved, taken) = self.recover(system);
                return (is_solved, iterations + taken);
            }
            let Some(alpha) = self.iterate(system, plan, centring > 0) else { return (false, iterations) };
            centring =
                if alpha < SHORT && centring == 0 { CENTRING } else { u32::saturating_sub(centring, 1) };
            iterations += 1;
            patience -= 1;
        }
    }

    fn contacts(&self) -> Contacts<'_, D> {
        let Self { friction, directions, count, centre, .. } = self;
        Contacts { friction, directions, count: *count, x: &centre.x }
    }

    fn recover(&mut self, system: &mut impl LinearSystem<D>) -> (bool, u32) {
        let Self { basis, r, u, friction, directions, centre, count, .. } = self;
        let contacts = Contacts { friction, directions, count: *count, x: &centre.x };
        basis.recover(system, contacts, (r, u))
    }

    /// Sets impulses and velocities to those of the point.
    fn find_velocities(&mut self, system: &mut impl LinearSystem<D>) {
        let k = self.count;
        for (i, (r, v)) in self.r.iter_mut().zip(&self.point.scalars).enumerate() {
            *r = SVector::zeros();
            let shares = self.point.beta[k * i..k * (i + 1)].iter();
            shares.zip(&self.directions[k * i..k * (i + 1)]).for_each(|(beta, d)| *r += d * *beta);
            r[0] = v.p;
        }
        system.operator_mut().velocities(&self.r, &mut self.u);
    }

    /// One Newton step; gives its length, or `None` where there is none.
    fn iterate(&mut self, system: &mut impl LinearSystem<D>, plan: &Plan, is_centring: bool) -> Option<f64> {
        let (mean, least) = self.products(0.0, &self.step);
        let neighbourhood = NEIGHBOURHOOD.min(0.9 * least / mean);
        if !self.linearize(system, plan.delta) {
            return None;
        }
        let alpha = if is_centring || (plan.turns && system.is_reversed()) {
            self.direct(system, plan.delta, BACK * mean, false);
            self.step_length(mean, neighbourhood)
        } else {
            self.direct(system, plan.delta, 0.0, false);
            std::mem::swap(&mut self.predicted, &mut self.step);
            let affine = self.longest_step(&self.predicted).min(1.0);
            let ratio = self.products(affine, &self.predicted).0 / mean;
            let least_centring = if affine < 0.1 { 0.8 } else { plan.least_centring };
            let sigma = (ratio * ratio * ratio).clamp(least_centring, 1.0);
            self.direct(system, plan.delta, sigma * mean, plan.correct);
            let mut alpha = self.step_length(mean, neighbourhood);
            if plan.correct && alpha < 0.3 * affine {
                std::mem::swap(&mut self.other_step, &mut self.step);
                self.direct(system, plan.delta, sigma * mean, false);
                let plain = self.step_length(mean, neighbourhood);
                if plain > alpha {
                    alpha = plain;
                } else {
                    std::mem::swap(&mut self.other_step, &mut self.step);
                    // The links follow the last solve: repeat the one that is taken.
                    if !system.link_impulses().is_empty() {
                        self.direct(system, plan.delta, sigma * mean, true);
                    }
                }
            }
            alpha
        };
        if !(alpha > 1e-12 && alpha.is_finite()) {
            return None;
        }
        for (v, step) in self.point.scalars.iter_mut().zip(&self.step.scalars) {
            v.p += alpha * step.p;
            v.g += alpha * step.g;
            v.gamma += alpha * step.gamma;
            v.slack += alpha * step.slack;
        }
        let pairs = [(&mut self.point.beta, &self.step.beta), (&mut self.point.s, &self.step.s)];
        for (values, slopes) in pairs {
            values.iter_mut().zip(slopes).for_each(|(value, slope)| *value += alpha * slope);
        }
        system.advance_links(alpha);
        self.find_velocities(system);
        Some(alpha)
    }

    /// Factors the linear system at the current point; `false` where it is singular.
    fn linearize(&mut self, system: &mut impl LinearSystem<D>, delta: f64) -> bool {
        let k = self.count;
        for (i, v) in self.point.scalars.iter().enumerate() {
            let directions = &self.directions[k * i..k * (i + 1)];
            let shares = self.point.shares(i, k);
            let Some((linearization, block)) =
                Linearization::new(v, shares, self.friction[i], directions, delta)
            else {
                return false;
            };
            self.linearizations[i] = linearization;
            self.blocks[i] = block;
        }
        system.factor(&self.blocks, delta)
    }

    /// Newton's direction towards products `tau`, into `step`; `correct` takes in the products of `predicted`.
    fn direct<S: LinearSystem<D>>(&mut self, system: &mut S, delta: f64, tau: f64, correct: bool) {
        let k = self.count;
        for (i, linearization) in self.linearizations.iter().enumerate() {
            let range = k * i..k * (i + 1);
            let predicted = correct.then(|| (&self.predicted.scalars[i], self.predicted.shares(i, k)));
            (self.targets[i], self.e[i]) = linearization.aim(
                (&self.point.scalars[i], self.point.shares(i, k)),
                (self.friction[i], &self.directions[range.clone()]),
                &self.u[i],
                tau * self.weights[i],
                predicted,
                (&mut self.a[range.clone()], &mut self.res[range]),
            );
        }
        system.solve(&self.blocks, &self.e, &mut self.dr, &mut self.du);
        for (i, linearization) in self.linearizations.iter().enumerate() {
            let range = k * i..k * (i + 1);
            self.step.scalars[i] = linearization.back(
                (&self.point.scalars[i], self.point.shares(i, k)),
                (self.friction[i], &self.directions[range.clone()]),
                (&self.targets[i], &self.a[range.clone()], &self.res[range.clone()]),
                (&(self.du[i] + self.dr[i] * delta), &self.dr[i]),
                (&mut self.step.beta[range.clone()], &mut self.step.s[range]),
            );
        }
    }

    /// Mean and least of the products over their weights, `alpha` along `step`.
    fn products(&self, alpha: f64, step: &Point) -> (f64, f64) {
        let (mut sum, mut least, mut number) = (0.0, f64::INFINITY, 0_u32);
        let mut take = |a: f64, da: f64, b: f64, db: f64, weight: f64| {
            let product = (a + alpha * da) * (b + alpha * db) / weight;
            sum += product;
            least = f64::min(least, product);
            number += 1;
        };
        let (point, k) = (&self.point, self.count);
        for (i, (v, dv)) in point.scalars.iter().zip(&step.scalars).enumerate() {
            let weight = self.weights[i];
            take(v.p, dv.p, v.g, dv.g, weight);
            if self.friction[i] > 0.0 {
                take(v.gamma, dv.gamma, v.slack, dv.slack, weight);
                for j in k * i..k * (i + 1) {
                    take(point.beta[j], step.beta[j], point.s[j], step.s[j], weight);
                }
            }
        }
        (sum / f64::from(number), least)
    }

    /// The longest step along which all unknowns stay positive.
    fn longest_step(&self, step: &Point) -> f64 {
        // The largest of -slope/value, to divide once.
        let mut fastest = 0.0_f64;
        let mut take = |value: f64, slope: f64| {
            if slope < 0.0 {
                fastest = fastest.max(-slope / value);
            }
        };
        let (point, k) = (&self.point, self.count);
        for (i, (v, dv)) in point.scalars.iter().zip(&step.scalars).enumerate() {
            take(v.p, dv.p);
            take(v.g, dv.g);
            if self.friction[i] > 0.0 {
                take(v.gamma, dv.gamma);
                take(v.slack, dv.slack);
                for j in k * i..k * (i + 1) {
                    take(point.beta[j], step.beta[j]);
                    take(point.s[j], step.s[j]);
                }
            }
        }
        1.0 / fastest
    }

    /// How far to go along `step`, not out of the neighbourhood of the path.
    fn step_length(&self, mean: f64, neighbourhood: f64) -> f64 {
        let mut alpha = (FRACTION.max(1.0 - mean) * self.longest_step(&self.step)).min(1.0);
        while alpha > 1e-12 {
            let (mean, least) = self.products(alpha, &self.step);
            if least >= neighbourhood * mean {
                break;
            }
            alpha *= 0.8;
        }
        alpha
    }
}

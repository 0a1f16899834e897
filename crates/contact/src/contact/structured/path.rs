use nalgebra::{SMatrix, SVector};

use super::{
    elimination::{Linearization, Target},
    linear::LinearSystem,
    link_barrier::LinkProducts,
    semismooth::{self, CoulombMap, Semismooth},
    start::{self, Room, Start},
    variables::{Direction, Variables},
};
use crate::contact::{
    Residuals,
    friction_cone::natural_map,
    scaled::{Operator, sweep},
};

/// Of the way to the boundary that a step may go; near the solution more.
pub(super) const FRACTION: f64 = 0.995;
/// No product may fall below this fraction of their mean.
const NEIGHBOURHOOD: f64 = 0.1;
/// Contacts from which on a start has proportions and products are raised: few differ little, and seldom stop each
/// other.
const MANY: usize = 12;
/// To this fraction of the mean that a step aims at the products are raised that it takes below.
const FLOOR: f64 = 0.4;
/// What raising a product may change of a velocity or a normal impulse, over the root of the mean product: where a contact
/// grazes, as large as what it is raised from.
const SLACK: f64 = 0.1;
/// How far `h` may fall below 0 in a step, as friction that turns by 35 degrees along a tangent makes it.
const TURN: f64 = 0.25;
/// The power of the share of the predicted step that a contact could go, by which it takes in the terms of second order: with 1
/// they bend steps too much, with 2 too little.
const SECOND_ORDER: f64 = 1.3;
/// The residual over the root of the mean product up to which the products may fall ahead of it.
const AHEAD: f64 = 10.0;
/// A step shorter than this has lost the path's centre.
pub(super) const SHORT: f64 = 0.05;
/// Steps towards the centre after a short one.
pub(super) const CENTRING: u32 = 2;
/// At what a step back aims, towards the centre or along a path that has folded back: this times the mean product.
pub(super) const BACK: f64 = 2.0;
/// Iterations that the residual may take to fall by a tenth: those of a few folds.
const PATIENCE: u32 = 100;
const MAX_ITERATIONS: u32 = 300;
/// Sweeps of Gauss-Seidel from the best point when the path ends early.
const FINAL_SWEEPS: u32 = 300;
const SWEEPS_PER_CHECK: u32 = 10;
/// Sweeps between two runs of Newton's method on the natural map; the final sweeps end with one.
const SWEEPS_PER_NEWTON: u32 = 100;
/// Iterations of Newton's method after a path that ended well, and contacts up to which it pays.
const POLISHING: u32 = 2;
const MOST_POLISHED: usize = 32;

/// Residual from which on Newton's method on the natural map is tried from the path. At 1e-3 it takes a
/// tenth fewer iterations, but where forces are not unique it may then choose others than those at the centre of the solutions.
const NEAR: f64 = 1e-4;
/// After it failed, the residual by which the path has to fall before it is tried again.
pub(super) const NEARER: f64 = 0.1;
/// The share of the tolerance at which it ends among more contacts than are polished: where these are more than hold a body,
/// digits beyond come slowly.
const ENOUGH: f64 = 0.1;

/// How a path is followed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Plan {
    pub start: Start,
    /// Least centring `sigma`.
    pub least_centring: f64,
    /// Proximal term.
    pub delta: f64,
    /// Whether steps are corrected by the terms of second order.
    pub correct: bool,
    /// Newton's method on the natural map from near the end of the path.
    pub jump: Jump,
    /// Whether the path of many contacts is left at once where a jump finds no way down, instead of followed to its end.
    pub leaves_early: bool,
}

/// Newton's method on the natural map, from a point of a path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Jump {
    /// Its iterations.
    pub most: u32,
    /// Its proximal term.
    pub delta: f64,
    /// Whole steps along which the map need not fall.
    pub leaps: u32,
}

impl Jump {
    const FIRST: Self = Self { most: 8, delta: semismooth::DELTA, leaps: 0 };
}

impl Plan {
    pub const FIRST: Self = Self {
        start: Start::Centred { scale: 1.0 },
        least_centring: 0.05,
        delta: 1e-10,
        correct: true,
        jump: Jump::FIRST,
        leaves_early: false,
    };
    /// Where contacts are many more than hold the bodies, as between bodies with many faces in a heap: proximal terms large enough
    /// that linear systems which are all but singular are still solved well, and a jump that comes nearer step by step.
    pub const REDUNDANT: Self =
        Self { delta: 1e-6, jump: Jump { most: 20, delta: 1e-4, leaps: 2 }, ..Self::FIRST };
    /// Where impulses inside a heap hold each other in balance: the proximal term bounds them, and the way along the
    /// path's tangents is not bent by terms that folds make large.
    pub const BALANCED: Self = Self { delta: 1e-6, correct: false, ..Self::FIRST };
}

/// Follows the path `p g = w tau`, `p lam h = w tau`, `tau -> 0`. Keeps its memory.
#[derive(Debug, Clone)]
pub(super) struct Path<const D: usize> {
    pub friction: Vec<f64>,
    /// `w`: shares of `tau`, 1 on the central path.
    pub weights: Vec<f64>,
    /// The impulses: where to start, and the best found.
    pub r: Vec<SVector<f64, D>>,
    pub(super) u: Vec<SVector<f64, D>>,
    pub(super) variables: Vec<Variables<D>>,
    linearizations: Vec<Linearization>,
    blocks: Vec<SMatrix<f64, D, D>>,
    targets: Vec<Target<D>>,
    e: Vec<SVector<f64, D>>,
    dr: Vec<SVector<f64, D>>,
    du: Vec<SVector<f64, D>>,
    predicted: Vec<Direction<D>>,
    /// The share of each contact's terms of second order that a step takes in.
    shares: Vec<f64>,
    /// `p/g` at the start.
    rho: Vec<f64>,
    /// Of the path that is followed.
    jump: Jump,
    pub(super) step: Vec<Direction<D>>,
    other_step: Vec<Direction<D>>,
    best_r: Vec<SVector<f64, D>>,
    best_links: Vec<f64>,
    path_links: Vec<f64>,
    semismooth: Semismooth<D>,
}

impl<const D: usize> Default for Path<D> {
    fn default() -> Self {
        Self {
            friction: Vec::new(),
            weights: Vec::new(),
            r: Vec::new(),
            u: Vec::new(),
            variables: Vec::new(),
            linearizations: Vec::new(),
            blocks: Vec::new(),
            targets: Vec::new(),
            e: Vec::new(),
            dr: Vec::new(),
            du: Vec::new(),
            predicted: Vec::new(),
            shares: Vec::new(),
            rho: Vec::new(),
            jump: Jump::FIRST,
            step: Vec::new(),
            other_step: Vec::new(),
            best_r: Vec::new(),
            best_links: Vec::new(),
            path_links: Vec::new(),
            semismooth: Semismooth::default(),
        }
    }
}

/// How a path ended. The best impulses are in [`Path::r`] and the links of the system.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Outcome {
    pub residuals: Residuals,
    pub is_solved: bool,
    pub iterations: u32,
}

impl<const D: usize> Path<D> {
    /// Follows the path from the start that `plan` names; `r` and the links of `system` are where
    /// [`Start::At`] begins.
    pub fn follow(&mut self, system: &mut impl LinearSystem<D>, plan: &Plan, tolerance: f64) -> Outcome {
        self.resize();
        self.jump = plan.jump;
        let is_many = self.is_many();
        let Self { friction, variables, r, u, blocks, e, dr, du, rho, .. } = self;
        // The start itself knows no path, and least of all the one before.
        system.leave_path_of_links(true);
        match plan.start {
            Start::Centred { scale } => {
                system.set_link_impulses(&[]);
                if is_many {
                    let room = Room { blocks, right: e, impulses: dr, velocities: du };
                    start::proportioned(system, friction, scale, room, (variables, r, u));
                    rho.iter_mut().zip(variables.iter()).for_each(|(rho, v)| *rho = v.p / v.g);
                } else {
                    start::equal(system.operator_mut(), friction, scale, (variables, r, u));
                }
                system.centre_links(scale * scale);
            }
            Start::At { sweeps, least } => {
                start::near(system.operator_mut(), friction, (sweeps, least), variables, r, u);
                system.enter_links(least);
            }
        }
        // Bounds may have moved the impulses of links.
        if system.operator().has_bounded_links() {
            system.operator_mut().velocities(r, u);
        }
        let mut best = Residuals::INFINITE;
        let (mut iterations, mut patience, mut milestone) = (0, PATIENCE, f64::INFINITY);
        let mut centring = 0;
        let mut near = NEAR;
        loop {
            let residuals = self.residuals(system);
            if system.operator().accepts(&residuals, tolerance) {
                return self.polish(system, residuals, tolerance, iterations);
            }
            if residuals.scaled < near {
                let (taken, improved) = self.jump(system, tolerance);
                iterations += taken;
                if system.operator().accepts(&improved, tolerance) {
                    return Outcome { residuals: improved, is_solved: true, iterations };
                }
                self.return_to_path(system);
                if taken == 0 && plan.leaves_early && is_many {
                    return Outcome { residuals, is_solved: false, iterations };
                }
                near = NEARER * residuals.scaled;
            }
            if residuals.max() < best.max() {
                best = residuals;
                self.keep(system);
            }
            if residuals.scaled < 0.9 * milestone {
                (milestone, patience) = (residuals.scaled, PATIENCE);
            }
            if patience == 0 || iterations == MAX_ITERATIONS || !residuals.max().is_finite() {
                break;
            }
            // The start has a residual that is not behind anything.
            let miss = if iterations == 0 { 0.0 } else { residuals.scaled };
            let Some(alpha) = self.iterate(system, plan, centring > 0, miss) else { break };
            centring =
                if alpha < SHORT && centring == 0 { CENTRING } else { u32::saturating_sub(centring, 1) };
            iterations += 1;
            patience -= 1;
        }
        if !best.max().is_finite() {
            return Outcome { residuals: best, is_solved: false, iterations };
        }
        self.restore(system);
        self.sweep(system, FINAL_SWEEPS, best, tolerance, iterations)
    }

    /// Newton's method on the natural map from a point of the path: once it is near enough to know which
    /// contacts open, stick and slide, a few iterations take it to the solution, however many contacts
    /// block the path's steps. Gives the iterations and the residuals where it ends.
    fn jump(&mut self, system: &mut impl LinearSystem<D>, tolerance: f64) -> (u32, Residuals) {
        self.path_links.clear();
        self.path_links.extend_from_slice(system.link_impulses());
        let enough = if self.r.len() > MOST_POLISHED { ENOUGH * tolerance } else { 0.0 };
        system.leave_path_of_links(true);
        let Self { semismooth, friction, rho, r, u, jump: Jump { most, delta, leaps }, .. } = self;
        let map = CoulombMap { friction, rho, delta: *delta, leaps: *leaps };
        let taken = semismooth.improve(system, &map, r, u, (*most, enough));
        (taken, self.residuals(system))
    }

    /// Newton's method on the natural map from a guess: the impulses in `r`, and those of the links. Where it
    /// does not end at a solution, they are as they were.
    pub fn jump_from(&mut self, system: &mut impl LinearSystem<D>, tolerance: f64) -> Outcome {
        self.resize();
        self.jump = Jump::FIRST;
        self.keep(system);
        let (iterations, residuals) = self.jump(system, tolerance);
        let is_solved = system.operator().accepts(&residuals, tolerance);
        if !is_solved {
            self.restore(system);
        }
        Outcome { residuals, is_solved, iterations }
    }

    /// Undoes a jump that led nowhere.
    fn return_to_path(&mut self, system: &mut impl LinearSystem<D>) {
        for ((r, v), &mu) in self.r.iter_mut().zip(&self.variables).zip(&self.friction) {
            *r = v.impulse(mu);
        }
        system.leave_path_of_links(false);
        system.set_link_impulses(&self.path_links);
        system.operator_mut().velocities(&self.r, &mut self.u);
    }

    /// Newton's method on the natural map from what the path found: an iteration or two take its residual
    /// from the tolerance to rounding. Where a body stands on more corners than it needs, the gaps that a
    /// tolerance leaves would make one of them graze, step by step.
    fn polish(
        &mut self,
        system: &mut impl LinearSystem<D>,
        residuals: Residuals,
        tolerance: f64,
        iterations: u32,
    ) -> Outcome {
        let found = Outcome { residuals, is_solved: true, iterations };
        system.leave_path_of_links(true);
        if self.r.len() > MOST_POLISHED {
            return found;
        }
        self.keep(system);
        let Self { semismooth, friction, rho, r, u, .. } = self;
        let map = CoulombMap { friction, rho, delta: semismooth::DELTA, leaps: 0 };
        let iterations = iterations + semismooth.improve(system, &map, r, u, (POLISHING, 0.0));
        let polished = self.residuals(system);
        if polished.max() < residuals.max() && system.operator().accepts(&polished, tolerance) {
            return Outcome { residuals: polished, is_solved: true, iterations };
        }
        self.restore(system);
        Outcome { iterations, ..found }
    }

    /// Sweeps of Gauss-Seidel from `r`, whose residuals are `best`, and now and then Newton's method
    /// on the natural map. Grazing contacts, whose residual on the path falls like the root of `tau`
    /// only, end here.
    pub fn sweep(
        &mut self,
        system: &mut impl LinearSystem<D>,
        sweeps: u32,
        mut best: Residuals,
        tolerance: f64,
        mut iterations: u32,
    ) -> Outcome {
        self.resize();
        self.keep(system);
        system.leave_path_of_links(true);
        let mut done = 0;
        loop {
            if done % SWEEPS_PER_NEWTON == 0 {
                iterations += self.semismooth.improve(
                    system,
                    &CoulombMap {
                        friction: &self.friction,
                        rho: &self.rho,
                        delta: self.jump.delta,
                        leaps: self.jump.leaps,
                    },
                    &mut self.r,
                    &mut self.u,
                    (Semismooth::<D>::MOST, 0.0),
                );
                let residuals = self.residuals(system);
                if residuals.max() < best.max() {
                    best = residuals;
                    self.keep(system);
                }
                if system.operator().accepts(&best, tolerance) {
                    break;
                }
            }
            if done >= sweeps {
                break;
            }
            system.operator_mut().start_sweeps(&self.r);
            for _ in 0..SWEEPS_PER_CHECK {
                sweep(system.operator_mut(), &self.friction, &mut self.r);
            }
            done += SWEEPS_PER_CHECK;
            system.operator_mut().velocities(&self.r, &mut self.u);
            let residuals = self.residuals(system);
            if residuals.max() < best.max() {
                best = residuals;
                self.keep(system);
            }
            if system.operator().accepts(&residuals, tolerance) {
                break;
            }
        }
        self.restore(system);
        let is_solved = system.operator().accepts(&best, tolerance);
        Outcome { residuals: best, is_solved, iterations: iterations + done }
    }

    /// Keeps the impulses as the best ones.
    fn keep(&mut self, system: &impl LinearSystem<D>) {
        self.best_r.clone_from(&self.r);
        self.best_links.clear();
        self.best_links.extend_from_slice(system.link_impulses());
    }

    /// Takes the best impulses.
    fn restore(&mut self, system: &mut impl LinearSystem<D>) {
        self.r.copy_from_slice(&self.best_r);
        system.set_link_impulses(&self.best_links);
    }

    /// Residuals at `r`.
    pub fn measure(&mut self, system: &mut impl LinearSystem<D>) -> Residuals {
        self.resize();
        system.operator_mut().velocities(&self.r, &mut self.u);
        self.residuals(system)
    }

    pub(super) fn resize(&mut self) {
        let n = self.friction.len();
        let zero = SVector::zeros();
        self.r.resize(n, zero);
        self.u.resize(n, zero);
        self.variables.resize(n, Variables::new(1.0, 1.0, 1.0, zero));
        self.linearizations.resize(n, Linearization::default());
        self.blocks.resize(n, SMatrix::zeros());
        self.targets.resize(n, Target::zero());
        self.e.resize(n, zero);
        self.dr.resize(n, zero);
        self.du.resize(n, zero);
        for directions in [&mut self.predicted, &mut self.step, &mut self.other_step] {
            directions.resize(n, Direction::zero());
        }
        self.best_r.resize(n, zero);
        for units in [&mut self.shares, &mut self.rho] {
            units.clear();
            units.resize(n, 1.0);
        }
    }

    /// Residuals at `r`, `u`: those of the problem, or with other friction those in scaled units.
    fn residuals(&self, system: &impl LinearSystem<D>) -> Residuals {
        if self.friction == system.operator().friction() {
            return system.operator().residuals(&self.r, &self.u);
        }
        let points = self.r.iter().zip(&self.u).zip(&self.friction);
        let scaled = points.fold(0.0, |largest: f64, ((r, u), &mu)| {
            let miss = natural_map(mu, r, u, 1.0).norm();
            if miss.is_nan() { f64::INFINITY } else { largest.max(miss) }
        });
        Residuals { scaled, conventional: scaled }
    }

    /// Mean of the products over their weights, `alpha` along `step`, those of `links` among them.
    fn mean_product(&self, alpha: f64, step: &[Direction<D>], links: LinkProducts) -> f64 {
        let points = self.variables.iter().zip(step).zip(&self.weights);
        let sum: f64 = points
            .map(|((v, step), weight)| v.after(alpha, step).products().iter().sum::<f64>() / weight)
            .sum();
        (sum + links.sum) / (2 * self.variables.len() + links.count) as f64
    }

    /// One Newton step; gives its length, or `None` where there is none.
    ///
    /// `tau` falls where the determinant of the equations is positive, as it is far out, and grows where it is negative:
    /// between two folds the path leads back.
    ///
    /// `miss` is the residual. Raising products leaves the equations behind, and where `tau` falls far ahead of them no step
    /// has room any more: the products then wait.
    fn iterate(
        &mut self,
        system: &mut impl LinearSystem<D>,
        plan: &Plan,
        is_centring: bool,
        miss: f64,
    ) -> Option<f64> {
        let products = self.variables.iter().zip(&self.weights);
        let (sum, least) = products.fold((0.0, f64::INFINITY), |(sum, least): (f64, f64), (v, weight)| {
            let [a, b] = v.products();
            (sum + (a + b) / weight, least.min(a / weight).min(b / weight))
        });
        let links = system.link_products(0.0);
        let mean = (sum + links.sum) / (2 * self.variables.len() + links.count) as f64;
        let least = least.min(links.least);
        let neighbourhood = NEIGHBOURHOOD.min(0.9 * least / mean);

        if !self.linearize(system, plan.delta) {
            return None;
        }

        let (alpha, sigma) = if is_centring || system.is_reversed() {
            self.direct(system, plan.delta, BACK * mean, false);
            (self.step_length(system, mean, BACK, neighbourhood), BACK)
        } else {
            self.direct(system, plan.delta, 0.0, false);
            std::mem::swap(&mut self.predicted, &mut self.step);
            let affine = self.predicted_step().min(system.longest_link_step());
            let ratio = self.mean_product(affine, &self.predicted, system.link_products(affine)) / mean;
            let least_centring = if affine < 0.1 { 0.8 } else { plan.least_centring };
            let waiting = if self.is_many() { miss * miss / (AHEAD * AHEAD * mean) } else { 0.0 };
            let sigma = (ratio * ratio * ratio).max(waiting).clamp(least_centring, 1.0);
            self.direct(system, plan.delta, sigma * mean, plan.correct);
            let mut alpha = self.step_length(system, mean, sigma, neighbourhood);
            if plan.correct && alpha < 0.3 * affine {
                std::mem::swap(&mut self.other_step, &mut self.step);
                self.direct(system, plan.delta, sigma * mean, false);
                let plain = self.step_length(system, mean, sigma, neighbourhood);
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
            (alpha, sigma)
        };
        if !(alpha > 1e-12 && alpha.is_finite()) {
            return None;
        }
        let floor = self.floor(mean, sigma, alpha);
        let points = self.variables.iter_mut().zip(&self.step).zip(&mut self.r);
        for (((v, step), r), (weight, &mu)) in points.zip(self.weights.iter().zip(&self.friction)) {
            *v = v.raised_after(alpha, step, floor * weight);
            *r = v.impulse(mu);
        }
        system.advance_links(alpha);
        // Anew from the impulses: added up, rounding would stay.
        system.operator_mut().velocities(&self.r, &mut self.u);
        if self.oppose_slip() {
            system.operator_mut().velocities(&self.r, &mut self.u);
        }
        Some(alpha)
    }

    /// Sets the friction of open contacts against their slip, which hardly changes their impulses: a straight
    /// way of an impulse that vanishes would leave it anywhere. Whether there are open contacts.
    fn oppose_slip(&mut self) -> bool {
        let mut is_any_open = false;
        let points = self.variables.iter_mut().zip(&mut self.r).zip(self.u.iter().zip(&self.friction));
        for ((v, r), (u, &mu)) in points.filter(|((v, _), _)| !v.presses()) {
            is_any_open = true;
            v.oppose(u);
            *r = v.impulse(mu);
        }
        is_any_open
    }

    /// Factors the linear system at the current point; `false` where it is singular.
    pub(super) fn linearize(&mut self, system: &mut impl LinearSystem<D>, delta: f64) -> bool {
        let points = self.variables.iter().zip(&self.friction);
        let linear = self.linearizations.iter_mut().zip(&mut self.blocks);
        for ((v, &mu), (linearization, block)) in points.zip(linear) {
            *linearization = Linearization::new(v, mu, delta);
            *block = linearization.matrix(v, mu);
        }
        system.factor(&self.blocks, delta)
    }

    /// Newton's direction towards products `tau`, into `step`; `correct` takes in the terms of
    /// second order along `predicted`.
    pub(super) fn direct<S: LinearSystem<D>>(&mut self, system: &mut S, delta: f64, tau: f64, correct: bool) {
        let points = self.variables.iter().zip(&self.linearizations).zip(&self.friction);
        let weighted = self.u.iter().zip(&self.weights);
        let predicted = self.predicted.iter().zip(&self.shares);
        let right = self.targets.iter_mut().zip(&mut self.e);
        for (((point, (u, weight)), predicted), (target, e)) in points.zip(weighted).zip(predicted).zip(right)
        {
            let ((v, linearization), &mu) = point;
            let predicted = correct.then_some((predicted.0, *predicted.1));
            *target = Target::new(v, u, tau * weight, predicted);
            *e = linearization.vector(v, mu, delta, target);
        }
        system.aim_links(tau);
        system.solve(&self.blocks, &self.e, &mut self.dr, &mut self.du);
        let points = self.variables.iter().zip(&self.linearizations).zip(&self.friction).zip(&self.targets);
        let solved = self.dr.iter().zip(&self.du).zip(&mut self.step);
        for ((((v, linearization), &mu), target), ((dr, du), step)) in points.zip(solved) {
            *step = linearization.back(v, mu, target, &(du + dr * delta), dr);
        }
    }

    /// How far the predicted step could go. Each of many contacts takes in the less of its terms of second order the less it could
    /// go of the step itself: the whole of them is what bends the path after a whole step.
    fn predicted_step(&mut self) -> f64 {
        let is_many = self.is_many();
        let points = self.variables.iter().zip(&self.predicted).zip(&mut self.shares);
        points.fold(1.0, |shortest: f64, ((v, step), share)| {
            let own = v.longest_step(step, 0.0, 0.0).min(1.0);
            *share = if is_many && own < 1.0 { share_of_second_order(own) } else { 1.0 };
            shortest.min(own)
        })
    }

    /// How far the step could go, to as far behind the boundary as products can be raised from.
    fn longest_step(&self, mean: f64) -> f64 {
        let (slack, turn) = if self.is_many() { (SLACK * mean.sqrt(), TURN) } else { (0.0, 0.0) };
        let points = self.variables.iter().zip(&self.step);
        points.fold(f64::INFINITY, |alpha, (v, step)| alpha.min(v.longest_step(step, slack, turn)))
    }

    /// How far to go along `step`, which aims at `sigma` times the mean product: to where a product that it takes
    /// below the floor can still be raised, and not out of the neighbourhood of the path.
    ///
    /// Among thousands of contacts there is always one that grazes or turns, and would stop all the others short of a
    /// boundary that its own next step leads away from.
    fn step_length(&self, system: &impl LinearSystem<D>, mean: f64, sigma: f64, neighbourhood: f64) -> f64 {
        let fraction = FRACTION.max(1.0 - mean);
        let mut alpha = (fraction * self.longest_step(mean).min(system.longest_link_step())).min(1.0);
        while alpha > 1e-12 {
            let floor = self.floor(mean, sigma, alpha);
            let points = self.variables.iter().zip(&self.step).zip(&self.weights);
            let (sum, least) =
                points.fold((0.0, f64::INFINITY), |(sum, least): (f64, f64), ((v, step), weight)| {
                    let [a, b] = v.raised_after(alpha, step, floor * weight).products();
                    let share = 1.0 / weight;
                    (sum + (a + b) * share, least.min(a.min(b) * share))
                });
            let links = system.link_products(alpha);
            let count = (2 * self.variables.len() + links.count) as f64;
            if least.min(links.least) >= neighbourhood * (sum + links.sum) / count {
                break;
            }
            alpha *= 0.8;
        }
        alpha
    }

    /// To what the products are raised after a step of length `alpha`; 0 where they are left as they are.
    fn floor(&self, mean: f64, sigma: f64, alpha: f64) -> f64 {
        if self.is_many() { FLOOR * mean * (1.0 - alpha * (1.0 - sigma)) } else { 0.0 }
    }

    fn is_many(&self) -> bool {
        self.variables.len() >= MANY
    }
}

/// The share of its terms of second order that a contact takes in which could go so far. No part of the loop over contacts,
/// which would take the power of all shares, though most are 1.
#[inline(never)]
fn share_of_second_order(own: f64) -> f64 {
    own.powf(SECOND_ORDER)
}

use nalgebra::{SMatrix, SVector};

use super::{
    StructuredSettings,
    elimination::{Linearization, Target},
    linear::LinearSystem,
    path::{BACK, CENTRING, FRACTION, NEARER, Outcome, SHORT},
    semismooth::{DELTA, NaturalMap, Semismooth},
    small::SmallLu,
    variables::{Direction, Variables},
};
use crate::contact::{
    Residuals,
    groups::{GROUPS, ROWS, Rows, Weights, augmented, group_norm, natural_map, projection_derivative, sweep},
    scaled::Operator,
};

/// Rows of a group with its normal: those of sliding and drilling have four.
const PART: usize = 4;
type Part = SVector<f64, PART>;

/// No product may fall below this fraction of their mean.
const NEIGHBOURHOOD: f64 = 1e-2;
const MAX_ITERATIONS: u32 = 200;
/// Residual from which on Newton's method on the natural map is tried, and its iterations.
const NEAR: f64 = 1e-3;
const JUMP: u32 = 12;
/// Iterations of Newton's method that take what is solved to rounding.
const POLISHING: u32 = 3;
const SWEEPS_PER_NEWTON: u32 = 50;

/// How a path is followed.
#[derive(Debug, Clone, Copy)]
struct Plan {
    scale: f64,
    least_centring: f64,
    delta: f64,
    correct: bool,
}

/// The paths that are tried one after the other.
const PLANS: [Plan; 4] = [
    Plan { scale: 1.0, least_centring: 0.05, delta: 1e-10, correct: true },
    Plan { scale: 1.0, least_centring: 0.05, delta: 1e-6, correct: false },
    Plan { scale: 1.0, least_centring: 0.3, delta: 1e-10, correct: true },
    Plan { scale: 10.0, least_centring: 0.1, delta: 1e-8, correct: true },
];
/// Sweeps after the last path.
const MANY_SWEEPS: u32 = 20_000;

/// The normal row and those of a group.
fn part(x: &Rows, group: usize) -> Part {
    let mut part = Part::zeros();
    part[0] = x[0];
    GROUPS[group].clone().enumerate().for_each(|(place, row)| part[place + 1] = x[row]);
    part
}

/// Sets the rows of a group, and the normal one.
fn put(x: &mut Rows, group: usize, part: &Part) {
    x[0] = part[0];
    GROUPS[group].clone().enumerate().for_each(|(place, row)| x[row] = part[place + 1]);
}

/// The natural map of contacts with groups, each part of the law with its own weight.
#[derive(Debug, Clone, Default)]
struct GroupedMap(Vec<Weights>);

impl NaturalMap<ROWS> for GroupedMap {
    fn linearize(&self, contact: usize, r: &Rows, u: &Rows) -> Option<(SMatrix<f64, ROWS, ROWS>, Rows)> {
        let weights = &self.0[contact];
        let of_rows = weights.of_rows();
        let inverse = SMatrix::<f64, ROWS, ROWS>::from_diagonal(&of_rows.map(|weight| 1.0 / weight));
        let free = r - augmented(u).component_div(&of_rows);
        let derivative = projection_derivative(&free, weights);
        let mut turned = SMatrix::<f64, ROWS, ROWS>::identity();
        for (group, places) in GROUPS.iter().enumerate() {
            let speed = group_norm(u, group);
            if speed > 0.0 {
                places.clone().for_each(|row| turned[(0, row)] = u[row] / speed);
            }
        }
        let lu = SmallLu::new(&(SMatrix::identity() + inverse * DELTA - derivative))?;
        let mut block = derivative * inverse * turned;
        block.data.0.iter_mut().for_each(|column| lu.solve(column));
        let mut e = -natural_map(r, u, weights);
        lu.solve(&mut e.data.0[0]);
        Some((block, e))
    }

    fn missed(&self, contact: usize, r: &Rows, u: &Rows) -> f64 {
        let weights = &self.0[contact];
        let missed = natural_map(r, u, weights);
        missed.component_mul(&missed).dot(&weights.of_rows())
    }
}

/// The structured interior point for contacts with groups of rows: `p g = tau` once for each contact, and for each of its
/// groups a share `b` of the friction, `|b| < 1`, with its slip `lam` as a contact without groups has them,
///
/// ```text
/// u_g + lam_g b_g = 0,   p lam_g (1 - |b_g|^2)/2 = tau,   r = (p, p b_1, p b_2)
/// ```
///
/// A group is eliminated as the friction of a contact is, with a coefficient of 1: their blocks share the normal row.
#[derive(Debug, Clone, Default)]
pub(super) struct GroupedPath {
    /// The impulses: where to start, and the best found.
    pub r: Vec<Rows>,
    u: Vec<Rows>,
    /// Those of both groups, which agree in `p` and `g`.
    variables: Vec<[Variables<PART>; 2]>,
    linearizations: Vec<[Linearization; 2]>,
    targets: Vec<[Target<PART>; 2]>,
    blocks: Vec<SMatrix<f64, ROWS, ROWS>>,
    e: Vec<Rows>,
    dr: Vec<Rows>,
    du: Vec<Rows>,
    step: Vec<[Direction<PART>; 2]>,
    predicted: Vec<[Direction<PART>; 2]>,
    best_r: Vec<Rows>,
    best_links: Vec<f64>,
    map: GroupedMap,
    newton: Semismooth<ROWS>,
}

impl GroupedPath {
    /// Tries Newton's method from a guess, the paths, and sweeps; the best impulses are then in `r` and the system. Gives
    /// iterations over all attempts, and the last one.
    pub fn climb(
        &mut self,
        system: &mut impl LinearSystem<ROWS>,
        is_guess: bool,
        settings: &StructuredSettings,
    ) -> (u32, u32) {
        let tolerance = settings.tolerance;
        let n = self.r.len();
        self.u.resize(n, Rows::zeros());
        self.map.0.clear();
        self.map.0.extend((0..n).map(|contact| Weights::of(system.operator().own_block(contact))));
        let mut iterations = 0;
        if !is_guess {
            self.r.fill(Rows::zeros());
            system.set_link_impulses(&[]);
        }
        system.leave_path_of_links(true);
        let mut best = Residuals::INFINITE;
        let first = if is_guess { JUMP } else { 0 };
        iterations += self.improve(system, first);
        self.keep_better(system, &mut best);
        if system.operator().accepts(&best, tolerance) {
            return (iterations, 0);
        }
        let plans = if settings.ladder { &PLANS[..] } else { &PLANS[..1] };
        for (rung, plan) in plans.iter().enumerate() {
            let outcome = self.follow(system, plan, tolerance, &mut best);
            iterations += outcome.iterations;
            if outcome.is_solved {
                return (iterations, rung as u32);
            }
        }
        self.restore(system);
        if settings.ladder {
            iterations += self.sweep(system, tolerance, &mut best);
        }
        (iterations, plans.len() as u32)
    }

    /// Newton's method on the natural map, links by theirs; gives its iterations.
    fn improve(&mut self, system: &mut impl LinearSystem<ROWS>, most: u32) -> u32 {
        system.leave_path_of_links(true);
        if most == 0 {
            system.operator_mut().velocities(&self.r, &mut self.u);
            return 0;
        }
        self.newton.improve(system, &self.map, &mut self.r, &mut self.u, (most, 0.0))
    }

    /// Keeps the impulses if they are better than the best.
    fn keep_better(&mut self, system: &impl LinearSystem<ROWS>, best: &mut Residuals) -> Residuals {
        let residuals = system.operator().residuals(&self.r, &self.u);
        if residuals.max() < best.max() {
            *best = residuals;
            self.best_r.clone_from(&self.r);
            self.best_links.clear();
            self.best_links.extend_from_slice(system.link_impulses());
        }
        residuals
    }

    /// Takes the best impulses.
    fn restore(&mut self, system: &mut impl LinearSystem<ROWS>) {
        self.r.clone_from(&self.best_r);
        system.set_link_impulses(&self.best_links);
        system.operator_mut().velocities(&self.r, &mut self.u);
    }

    fn follow(
        &mut self,
        system: &mut impl LinearSystem<ROWS>,
        plan: &Plan,
        tolerance: f64,
        best: &mut Residuals,
    ) -> Outcome {
        self.start(system, plan.scale);
        let (mut iterations, mut centring, mut near) = (0, 0, NEAR);
        let mut is_solved = false;
        while iterations < MAX_ITERATIONS {
            let residuals = self.keep_better(system, best);
            let is_near = residuals.scaled < near;
            is_solved = system.operator().accepts(best, tolerance);
            if is_near || is_solved {
                // Newton's method takes it to the solution, however many contacts block the path's steps.
                let links = system.link_impulses().to_vec();
                iterations += self.improve(system, if is_solved { POLISHING } else { JUMP });
                self.keep_better(system, best);
                is_solved = system.operator().accepts(best, tolerance);
                if is_solved {
                    break;
                }
                near = NEARER * residuals.scaled;
                system.leave_path_of_links(false);
                system.set_link_impulses(&links);
                self.set_impulses(system);
            }
            if !residuals.max().is_finite() {
                break;
            }
            let Some(alpha) = self.iterate(system, plan, centring > 0) else { break };
            centring =
                if alpha < SHORT && centring == 0 { CENTRING } else { u32::saturating_sub(centring, 1) };
            iterations += 1;
        }
        if is_solved {
            self.restore(system);
        }
        Outcome { residuals: *best, is_solved, iterations }
    }

    /// Sweeps from `r`, and now and then Newton's method; gives how many it took.
    fn sweep(&mut self, system: &mut impl LinearSystem<ROWS>, tolerance: f64, best: &mut Residuals) -> u32 {
        let mut done = 0;
        while done < MANY_SWEEPS && !system.operator().accepts(best, tolerance) {
            system.operator_mut().start_sweeps(&self.r);
            for _ in 0..SWEEPS_PER_NEWTON {
                sweep(system.operator_mut(), &mut self.r);
            }
            done += SWEEPS_PER_NEWTON;
            system.operator_mut().velocities(&self.r, &mut self.u);
            self.keep_better(system, best);
            let swept = (self.r.clone(), system.link_impulses().to_vec());
            done += self.improve(system, JUMP);
            self.keep_better(system, best);
            self.r = swept.0;
            system.set_link_impulses(&swept.1);
        }
        self.restore(system);
        done
    }

    /// Begins centred and far: `p = scale`, `b` against the slip, `g` at least as large.
    fn start(&mut self, system: &mut impl LinearSystem<ROWS>, scale: f64) {
        let n = self.r.len();
        let blank = Variables::new(scale, scale, 1.0, Part::zeros());
        self.variables.clear();
        self.variables.resize(n, [blank; 2]);
        self.linearizations.resize(n, [Linearization::default(); 2]);
        self.targets.resize(n, [Target::zero(); 2]);
        self.blocks.resize(n, SMatrix::zeros());
        for rows in [&mut self.e, &mut self.dr, &mut self.du] {
            rows.resize(n, Rows::zeros());
        }
        for steps in [&mut self.step, &mut self.predicted] {
            steps.resize_with(n, || [Direction::zero(), Direction::zero()]);
        }
        system.leave_path_of_links(true);
        system.set_link_impulses(&[]);
        self.set_impulses(system);
        for (variables, u) in self.variables.iter_mut().zip(&self.u) {
            for (group, v) in variables.iter_mut().enumerate() {
                let mut b = -part(u, group);
                b[0] = 0.0;
                let slip = 1.0 + (1.0 + b.norm_squared()).sqrt();
                *v = Variables::new(scale, scale, slip, b / slip);
            }
        }
        self.set_impulses(system);
        for (variables, u) in self.variables.iter_mut().zip(&self.u) {
            variables.iter_mut().for_each(|v| v.g = u[0].max(scale));
        }
        system.centre_links(scale * scale);
        system.operator_mut().velocities(&self.r, &mut self.u);
    }

    /// Sets the impulses to those of the variables, and the velocities to what they lead to.
    fn set_impulses(&mut self, system: &mut impl LinearSystem<ROWS>) {
        for (r, variables) in self.r.iter_mut().zip(&self.variables) {
            for (group, v) in variables.iter().enumerate() {
                put(r, group, &v.impulse(1.0));
            }
        }
        system.operator_mut().velocities(&self.r, &mut self.u);
    }

    /// Mean and least of the products, `alpha` along `step`.
    fn products(
        &self,
        system: &impl LinearSystem<ROWS>,
        alpha: f64,
        step: &[[Direction<PART>; 2]],
    ) -> (f64, f64) {
        let links = system.link_products(alpha);
        let (mut sum, mut least) = (links.sum, links.least);
        for (variables, steps) in self.variables.iter().zip(step) {
            let [first, second] = [0, 1].map(|group| variables[group].after(alpha, &steps[group]).products());
            for product in [first[0], first[1], second[1]] {
                sum += product;
                least = least.min(product);
            }
        }
        (sum / (3 * self.variables.len() + links.count) as f64, least)
    }

    /// One Newton step; gives its length, or `None` where there is none.
    fn iterate(
        &mut self,
        system: &mut impl LinearSystem<ROWS>,
        plan: &Plan,
        is_centring: bool,
    ) -> Option<f64> {
        let (mean, least) = self.products(system, 0.0, &self.step);
        let bounds = (mean, NEIGHBOURHOOD.min(0.9 * least / mean));
        let points = self.variables.iter().zip(&mut self.linearizations).zip(&mut self.blocks);
        for ((variables, linearizations), block) in points {
            *block = SMatrix::zeros();
            for group in 0..GROUPS.len() {
                let v = &variables[group];
                linearizations[group] = Linearization::new(v, 1.0, plan.delta);
                let own = linearizations[group].matrix(v, 1.0);
                block[(0, 0)] = own[(0, 0)];
                for (i, row) in GROUPS[group].clone().enumerate() {
                    block[(row, 0)] = own[(i + 1, 0)];
                    for (j, column) in GROUPS[group].clone().enumerate() {
                        block[(row, column)] = own[(i + 1, j + 1)];
                    }
                }
            }
        }
        if !system.factor(&self.blocks, plan.delta) {
            return None;
        }
        let alpha = if is_centring || system.is_reversed() {
            self.direct(system, plan.delta, BACK * mean, false);
            self.step_length(system, bounds)
        } else {
            self.direct(system, plan.delta, 0.0, false);
            std::mem::swap(&mut self.predicted, &mut self.step);
            let affine = self.longest_step(&self.predicted).min(system.longest_link_step()).min(1.0);
            let ratio = self.products(system, affine, &self.predicted).0 / mean;
            let least_centring = if affine < 0.1 { 0.8 } else { plan.least_centring };
            let sigma = (ratio * ratio * ratio).clamp(least_centring, 1.0);
            self.direct(system, plan.delta, sigma * mean, plan.correct);
            let alpha = self.step_length(system, bounds);
            if plan.correct && alpha < 0.3 * affine {
                self.direct(system, plan.delta, sigma * mean, false);
                self.step_length(system, bounds)
            } else {
                alpha
            }
        };
        if !(alpha > 1e-12 && alpha.is_finite()) {
            return None;
        }
        for (variables, steps) in self.variables.iter_mut().zip(&self.step) {
            for (v, step) in variables.iter_mut().zip(steps) {
                *v = v.after(alpha, step);
            }
        }
        system.advance_links(alpha);
        self.set_impulses(system);
        // What is open has its friction set against its slip: a straight way would leave it anywhere.
        for (variables, u) in self.variables.iter_mut().zip(&self.u) {
            for (group, v) in variables.iter_mut().enumerate().filter(|(_, v)| !v.presses()) {
                v.oppose(&part(u, group));
            }
        }
        self.set_impulses(system);
        Some(alpha)
    }

    /// Newton's direction towards products `tau`, into `step`; `correct` takes in the terms of second order along
    /// `predicted`.
    fn direct<S: LinearSystem<ROWS>>(&mut self, system: &mut S, delta: f64, tau: f64, correct: bool) {
        for (contact, (e, u)) in self.e.iter_mut().zip(&self.u).enumerate() {
            for group in 0..GROUPS.len() {
                let v = &self.variables[contact][group];
                let predicted = correct.then(|| (&self.predicted[contact][group], 1.0));
                let target = Target::new(v, &part(u, group), tau, predicted);
                put(e, group, &self.linearizations[contact][group].vector(v, 1.0, delta, &target));
                self.targets[contact][group] = target;
            }
        }
        system.aim_links(tau);
        system.solve(&self.blocks, &self.e, &mut self.dr, &mut self.du);
        for (contact, (dr, du)) in self.dr.iter().zip(&self.du).enumerate() {
            let du = du + dr * delta;
            for group in 0..GROUPS.len() {
                let (v, target) = (&self.variables[contact][group], &self.targets[contact][group]);
                let linearization = &self.linearizations[contact][group];
                self.step[contact][group] =
                    linearization.back(v, 1.0, target, &part(&du, group), &part(dr, group));
            }
        }
    }

    fn longest_step(&self, step: &[[Direction<PART>; 2]]) -> f64 {
        let pairs = self.variables.iter().flatten().zip(step.iter().flatten());
        pairs.map(|(v, step)| v.longest_step(step, 0.0, 0.0)).fold(f64::INFINITY, f64::min)
    }

    /// How far to go along `step`: short of the boundary, and not out of the neighbourhood of the path.
    fn step_length(&self, system: &impl LinearSystem<ROWS>, (mean, neighbourhood): (f64, f64)) -> f64 {
        let fraction = FRACTION.max(1.0 - mean);
        let mut alpha = (fraction * self.longest_step(&self.step).min(system.longest_link_step())).min(1.0);
        while alpha > 1e-12 {
            let (mean, least) = self.products(system, alpha, &self.step);
            if least >= neighbourhood * mean {
                break;
            }
            alpha *= 0.8;
        }
        alpha
    }
}

//! A box that one contact at a time pushes over a table: the planar pushing problem of CRISP, solved as plans are.
//!
//! The motion is quasi-static: a box of half sides `a` and `b`, mass `m`, slides under friction `mu` and moves as the force at
//! its one contact has it. In its own axes the contact is at `(c_x, c_y)`, and pushes a side with `l_1` (up, at the lower side),
//! `l_2` (right, at the left side), `l_3` (down) or `l_4` (left), each at least 0:
//!
//! ```text
//! (x', y') = R(theta) (l_2 - l_4, l_1 - l_3)/(mu m g)
//! theta'   = (c_x (l_1 - l_3) - c_y (l_2 - l_4))/(mu m g c r)          r = hypot(a, b)
//! l_1 (c_y + b) = l_2 (c_x + a) = l_3 (b - c_y) = l_4 (a - c_x) = 0,   l_i l_j = 0
//! ```
//!
//! From rest at the origin it is to end at `3 (cos p, sin p)`, turned by `p`, at the least `100 |miss|^2 + .001 sum l^2`, in 100
//! steps of .02 s (Li, Han, Kang, Ma and Yang, *On the surprising robustness of sequential convex optimization for
//! contact-implicit motion planning*, arXiv 2502.01055, 2025). All variables are zero at the start: nothing says which side to
//! push.
//!
//! Scholtes' homotopy, by which plans are found, is put beside a solve of the last relaxation at once.
//!
//! `cargo run --release --example push_box`

use std::{error::Error, f64::consts::TAU};

use num_dual::{Dual64, HyperDual64};
use stickslip::{
    model::Number,
    nlp::sparse::{SparseBounds, SparseNlp},
    plan::relaxation::{Beginning, LAST, Point, Relaxed, follow, is_plan, solve, zeros},
    watch::Watch,
};

/// Half sides of the box in m.
const HALF: [f64; 2] = [0.5, 0.25];
/// Weight under friction, `mu m g` in N.
const DRAG: f64 = 0.5 * 9.8;
/// Part of the half diagonal at which friction against turning acts.
const ARM: f64 = 0.4;
/// Step in s.
const STEP: f64 = 0.02;
/// Number of steps.
const STEPS: usize = 100;
/// Price of a squared miss.
const MISS: f64 = 100.0;
/// Price of a squared force.
const FORCE: f64 = 1e-3;
/// Largest miss in m or rad of a target that is reached.
pub const NEAR: f64 = 0.05;

/// Variables of a step: the pose at its end, the contact, the four forces.
const VARIABLES: usize = 9;
const CONTACT: usize = 3;
const PUSHES: usize = 5;
/// What the rates of a step depend on: the angle at its start, then contact and forces.
const ARGUMENTS: usize = 7;
/// Rows of a step: its motion, then the products.
const ROWS: usize = 3 + PRODUCTS.len();

/// A force times a number that is at least 0, `offset + sign other`, of which one is zero.
struct Product {
    force: usize,
    offset: f64,
    sign: f64,
    other: usize,
}

const fn product(force: usize, offset: f64, sign: f64, other: usize) -> Product {
    Product { force: PUSHES + force, offset, sign, other }
}

/// Each force acts at its own side, and alone.
const PRODUCTS: [Product; 10] = [
    product(0, HALF[1], 1.0, CONTACT + 1),
    product(1, HALF[0], 1.0, CONTACT),
    product(2, HALF[1], -1.0, CONTACT + 1),
    product(3, HALF[0], -1.0, CONTACT),
    product(0, 0.0, 1.0, PUSHES + 1),
    product(0, 0.0, 1.0, PUSHES + 2),
    product(0, 0.0, 1.0, PUSHES + 3),
    product(1, 0.0, 1.0, PUSHES + 2),
    product(1, 0.0, 1.0, PUSHES + 3),
    product(2, 0.0, 1.0, PUSHES + 3),
];

/// Rates of `(x, y, angle)` at `(angle, contact, forces)`.
fn rates<S: Number>([angle, cx, cy, up, right, down, left]: [S; ARGUMENTS]) -> [S; 3] {
    let (sin, cos) = angle.sin_cos();
    let (fx, fy) = (right - left, up - down);
    let turn = (cx * fy - cy * fx) / (ARM * HALF[0].hypot(HALF[1]));
    [cos * fx - sin * fy, sin * fx + cos * fy, turn].map(|rate| rate / DRAG)
}

/// The program for one target, with its products bounded.
pub struct PushBox {
    target: [f64; 3],
    relaxation: f64,
}

/// How a target was reached.
#[derive(Debug, Clone, Copy)]
pub struct Outcome {
    /// Largest miss in m or rad.
    pub miss: f64,
    /// The cost.
    pub cost: f64,
    /// Iterations of IPOPT.
    pub iterations: u32,
}

impl PushBox {
    /// For the target `3 (cos p, sin p)`, turned by `p`.
    pub fn new(p: f64) -> Self {
        Self { target: [3.0 * p.cos(), 3.0 * p.sin(), p], relaxation: LAST }
    }

    /// By the homotopy from zeros; nothing where it does not reach the last relaxations.
    ///
    /// # Errors
    /// If IPOPT cannot be started.
    pub fn by_homotopy(&mut self) -> Result<Option<Outcome>, Box<dyn Error>> {
        let followed = follow(self, vec![0.0; self.variables()], &Watch::none())?;
        let solution = followed.solution.filter(|_| followed.is_whole);
        Ok(solution.map(|solution| self.outcome(&solution.x, followed.work.iterations)))
    }

    /// At the last relaxation at once, from zeros; nothing where that is not solved.
    ///
    /// # Errors
    /// If IPOPT cannot be started.
    pub fn directly(&mut self) -> Result<Option<Outcome>, Box<dyn Error>> {
        self.relax(LAST);
        let start = Point { x: vec![0.0; self.variables()], multipliers: zeros(self) };
        let solution = solve(self, &start, Beginning::COLD, &Watch::none())?;
        Ok(is_plan(&solution).then(|| self.outcome(&solution.x, solution.iterations)))
    }

    fn outcome(&self, x: &[f64], iterations: u32) -> Outcome {
        let end = &x[VARIABLES * (STEPS - 1)..];
        let misses = end.iter().zip(self.target).map(|(end, target)| (end - target).abs());
        Outcome { miss: misses.fold(0.0, f64::max), cost: self.objective(x), iterations }
    }

    /// The variables on which the rates of step `k` depend; the first step starts at the angle 0.
    fn arguments(k: usize) -> [Option<usize>; ARGUMENTS] {
        std::array::from_fn(|argument| match (argument, k) {
            (0, 0) => None,
            (0, _) => Some(VARIABLES * (k - 1) + 2),
            _ => Some(VARIABLES * k + CONTACT + argument - 1),
        })
    }

    fn values_of(k: usize, x: &[f64]) -> [f64; ARGUMENTS] {
        Self::arguments(k).map(|variable| variable.map_or(0.0, |variable| x[variable]))
    }
}

impl Relaxed for PushBox {
    fn relax(&mut self, tau: f64) {
        self.relaxation = tau;
    }
}

impl SparseNlp for PushBox {
    fn variables(&self) -> usize {
        STEPS * VARIABLES
    }

    fn constraints(&self) -> usize {
        STEPS * ROWS
    }

    fn variable_bounds(&self) -> SparseBounds {
        let (mut lower, mut upper) = ([f64::NEG_INFINITY; VARIABLES], [f64::INFINITY; VARIABLES]);
        for (axis, half) in HALF.into_iter().enumerate() {
            (lower[CONTACT + axis], upper[CONTACT + axis]) = (-half, half);
        }
        lower[PUSHES..].fill(0.0);
        SparseBounds { lower: lower.repeat(STEPS), upper: upper.repeat(STEPS) }
    }

    fn constraint_bounds(&self) -> SparseBounds {
        let (mut lower, mut upper) = ([0.0; ROWS], [0.0; ROWS]);
        lower[3..].fill(f64::NEG_INFINITY);
        upper[3..].fill(self.relaxation);
        SparseBounds { lower: lower.repeat(STEPS), upper: upper.repeat(STEPS) }
    }

    fn objective(&self, x: &[f64]) -> f64 {
        let forces = x.chunks(VARIABLES).flat_map(|step| &step[PUSHES..]);
        let end = &x[VARIABLES * (STEPS - 1)..];
        let misses = end.iter().zip(self.target).map(|(end, target)| (end - target).powi(2));
        MISS * misses.sum::<f64>() + FORCE * forces.map(|force| force * force).sum::<f64>()
    }

    fn gradient(&self, x: &[f64], gradient: &mut [f64]) {
        gradient.fill(0.0);
        for (slopes, step) in gradient.chunks_mut(VARIABLES).zip(x.chunks(VARIABLES)) {
            for (slope, force) in slopes[PUSHES..].iter_mut().zip(&step[PUSHES..]) {
                *slope = 2.0 * FORCE * force;
            }
        }
        let last = VARIABLES * (STEPS - 1);
        for (axis, target) in self.target.into_iter().enumerate() {
            gradient[last + axis] = 2.0 * MISS * (x[last + axis] - target);
        }
    }

    fn constraint_values(&self, x: &[f64], values: &mut [f64]) {
        for k in 0..STEPS {
            let step = &x[VARIABLES * k..];
            for (axis, rate) in rates(Self::values_of(k, x)).into_iter().enumerate() {
                let before = if k == 0 { 0.0 } else { x[VARIABLES * (k - 1) + axis] };
                values[ROWS * k + axis] = step[axis] - before - STEP * rate;
            }
            for (row, Product { force, offset, sign, other }) in PRODUCTS.iter().enumerate() {
                values[ROWS * k + 3 + row] = step[*force] * (offset + sign * step[*other]);
            }
        }
    }

    fn jacobian_entries(&self) -> Vec<(usize, usize)> {
        let mut entries = Vec::new();
        for k in 0..STEPS {
            for axis in 0..3 {
                let row = ROWS * k + axis;
                entries.push((row, VARIABLES * k + axis));
                if k > 0 {
                    entries.push((row, VARIABLES * (k - 1) + axis));
                }
                entries.extend(Self::arguments(k).into_iter().flatten().map(|variable| (row, variable)));
            }
            for (row, product) in PRODUCTS.iter().enumerate() {
                let row = ROWS * k + 3 + row;
                entries.extend([product.force, product.other].map(|part| (row, VARIABLES * k + part)));
            }
        }
        entries
    }

    fn jacobian_values(&self, x: &[f64], values: &mut [f64]) {
        let mut all = Vec::with_capacity(values.len());
        for k in 0..STEPS {
            let mut at = Self::values_of(k, x).map(Dual64::from_re);
            let mut slopes = [[0.0; ARGUMENTS]; 3];
            for argument in 0..ARGUMENTS {
                at[argument].eps = 1.0;
                for (slopes, rate) in slopes.iter_mut().zip(rates(at)) {
                    slopes[argument] = -STEP * rate.eps;
                }
                at[argument].eps = 0.0;
            }
            for slopes in slopes {
                all.push(1.0);
                if k > 0 {
                    all.push(-1.0);
                }
                let variables = Self::arguments(k).into_iter().zip(slopes);
                all.extend(variables.filter_map(|(variable, slope)| variable.map(|_| slope)));
            }
            let step = &x[VARIABLES * k..];
            for Product { force, offset, sign, other } in &PRODUCTS {
                all.extend([offset + sign * step[*other], sign * step[*force]]);
            }
        }
        values.copy_from_slice(&all);
    }

    fn hessian_entries(&self) -> Vec<(usize, usize)> {
        let mut entries = Vec::new();
        for k in 0..STEPS {
            let arguments = Self::arguments(k);
            for (one, variable) in arguments.iter().enumerate() {
                let pairs = arguments[..=one].iter().filter_map(|other| Some(((*variable)?, (*other)?)));
                entries.extend(pairs);
            }
            entries.extend(PRODUCTS.iter().map(|product| {
                let [one, other] = [product.force, product.other].map(|part| VARIABLES * k + part);
                (one.max(other), one.min(other))
            }));
            entries.extend((PUSHES..VARIABLES).map(|force| (VARIABLES * k + force, VARIABLES * k + force)));
        }
        let last = VARIABLES * (STEPS - 1);
        entries.extend((last..last + 3).map(|variable| (variable, variable)));
        entries
    }

    fn hessian_values(&self, x: &[f64], sigma: f64, y: &[f64], values: &mut [f64]) {
        let mut all = Vec::with_capacity(values.len());
        for k in 0..STEPS {
            let y = &y[ROWS * k..];
            let mut at = Self::values_of(k, x).map(HyperDual64::from_re);
            let first = usize::from(k == 0);
            for one in first..ARGUMENTS {
                for other in first..=one {
                    at[one].eps1 = 1.0;
                    at[other].eps2 = 1.0;
                    let curvatures = rates(at).into_iter().zip(y);
                    all.push(curvatures.map(|(rate, y)| -STEP * y * rate.eps1eps2).sum::<f64>());
                    at[one].eps1 = 0.0;
                    at[other].eps2 = 0.0;
                }
            }
            all.extend(PRODUCTS.iter().zip(&y[3..]).map(|(product, y)| product.sign * y));
            all.extend([sigma * 2.0 * FORCE; VARIABLES - PUSHES]);
        }
        all.extend([sigma * 2.0 * MISS; 3]);
        values.copy_from_slice(&all);
    }
}

/// The nine targets, `p` in rad.
pub fn targets() -> impl Iterator<Item = f64> {
    (0..9).map(|target| TAU * f64::from(target) / 9.0)
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("   p/deg   directly: miss    cost  iterations   homotopy: miss    cost  iterations");
    let mut reached = [0; 2];
    for p in targets() {
        let mut problem = PushBox::new(p);
        let outcomes = [problem.directly()?, problem.by_homotopy()?];
        let cells = outcomes.map(|outcome| match outcome {
            Some(Outcome { miss, cost, iterations }) => format!("{miss:14.4} {cost:7.3} {iterations:11}"),
            None => format!("{:>14} {:>7} {:>11}", "no plan", "-", "-"),
        });
        println!("{:8.0} {}  {}", p.to_degrees(), cells[0], cells[1]);
        for (reached, outcome) in reached.iter_mut().zip(outcomes) {
            *reached += usize::from(outcome.is_some_and(|outcome| outcome.miss <= NEAR));
        }
    }
    println!("reached within {NEAR}: {} of 9 directly, {} of 9 by the homotopy", reached[0], reached[1]);
    Ok(())
}

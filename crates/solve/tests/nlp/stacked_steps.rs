//! Programs of many small blocks in a row, as the steps of a motion are.

use stickslip_solve::nlp::{
    IpoptOptions, SolveStatus, SparseIpopt,
    sparse::{SparseBounds, SparseNlp, SparseSolution},
};

/// A point that is pushed along the ground by 1 m in 1 s, from rest to rest, at the least effort: `steps` steps with friction,
/// complementarity bounded by 1e-8. Unknowns of a step: push, velocity `(vx, vz)` and place `(x, z)` at its end, normal force,
/// gap, friction as a part of its limit, and the slips forward and backward. Length in m, velocity in `sqrt(g m)`, force in
/// weights.
struct PushedPoint {
    steps: usize,
}

const SIZE: usize = 10;
const ROWS: usize = 9;
const FRICTION: f64 = 0.3;
const GRAVITY: f64 = 9.81;
const RELAXATION: f64 = 1e-8;
const SHARING: f64 = 1e-7;

impl PushedPoint {
    fn step(&self) -> f64 {
        1.0 / self.steps as f64
    }

    /// What a unit of force does to the velocity in a step, and a unit of velocity to the place.
    fn rate(&self) -> f64 {
        self.step() * GRAVITY.sqrt()
    }

    /// Near the motion that is optimal in continuous time.
    fn start(&self) -> Vec<f64> {
        let of_step = |k: usize| {
            let s = k as f64 / self.steps as f64;
            let speed = 6.0 * s * (1.0 - s) / GRAVITY.sqrt();
            let push = (6.0 - 12.0 * s) / GRAVITY + FRICTION;
            [push, speed, 0.0, 3.0 * s * s - 2.0 * s * s * s, 0.0, 1.0, 0.0, -0.9, speed + 0.01, 0.01]
        };
        (1..=self.steps).flat_map(of_step).collect()
    }

    fn solve(&self) -> SparseSolution {
        let mut options = IpoptOptions { max_iterations: 400, ..IpoptOptions::default() };
        for name in ["bound_push", "bound_frac", "slack_bound_push", "slack_bound_frac"] {
            options.set(name, 1e-2);
        }
        SparseIpopt::new(self, &options).expect("IPOPT starts").solve(self, &self.start(), None)
    }
}

impl SparseNlp for PushedPoint {
    fn variables(&self) -> usize {
        SIZE * self.steps
    }

    fn constraints(&self) -> usize {
        ROWS * self.steps + 3
    }

    fn variable_bounds(&self) -> SparseBounds {
        let (free, push) = (f64::INFINITY, 20.0 / GRAVITY);
        SparseBounds {
            lower: [-push, -free, -free, -free, -free, 0.0, 0.0, -1.0, 0.0, 0.0].repeat(self.steps),
            upper: [push, free, free, free, free, free, free, 1.0, free, free].repeat(self.steps),
        }
    }

    fn constraint_bounds(&self) -> SparseBounds {
        let free = f64::INFINITY;
        let goal = [1.0, 0.0, 0.0];
        let mut lower = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -free, -free, -free].repeat(self.steps);
        let mut upper = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, RELAXATION, RELAXATION, RELAXATION].repeat(self.steps);
        lower.extend(goal);
        upper.extend(goal);
        SparseBounds { lower, upper }
    }

    fn objective(&self, x: &[f64]) -> f64 {
        let cost = |z: &[f64]| self.step() * z[0] * z[0] + SHARING * (z[5] * z[5] + z[7] * z[7]);
        x.chunks_exact(SIZE).map(cost).sum()
    }

    fn gradient(&self, x: &[f64], gradient: &mut [f64]) {
        gradient.fill(0.0);
        for (z, gradient) in x.chunks_exact(SIZE).zip(gradient.chunks_exact_mut(SIZE)) {
            gradient[0] = 2.0 * self.step() * z[0];
            (gradient[5], gradient[7]) = (2.0 * SHARING * z[5], 2.0 * SHARING * z[7]);
        }
    }

    fn constraint_values(&self, x: &[f64], values: &mut [f64]) {
        let rate = self.rate();
        let mut before = [0.0; SIZE];
        for (z, row) in x.chunks_exact(SIZE).zip(values.chunks_exact_mut(ROWS)) {
            row[0] = z[1] - before[1] - rate * (z[0] + FRICTION * z[5] * z[7]);
            row[1] = z[2] - before[2] - rate * (z[5] - 1.0);
            row[2] = z[3] - before[3] - rate * z[1];
            row[3] = z[4] - before[4] - rate * z[2];
            row[4] = z[6] - before[4] - rate * z[2];
            row[5] = z[1] - z[8] + z[9];
            (row[6], row[7], row[8]) = (z[5] * z[6], z[8] * (1.0 + z[7]), z[9] * (1.0 - z[7]));
            before.copy_from_slice(z);
        }
        values[ROWS * self.steps..].copy_from_slice(&[before[3], before[1], before[2]]);
    }

    fn jacobian_entries(&self) -> Vec<(usize, usize)> {
        // Unknowns of a step in each of its rows.
        const OWN: [&[usize]; ROWS] =
            [&[1, 0, 5, 7], &[2, 5], &[3, 1], &[4, 2], &[6, 2], &[1, 8, 9], &[5, 6], &[8, 7], &[9, 7]];
        let mut entries = Vec::new();
        for k in 0..self.steps {
            let (row, first) = (ROWS * k, SIZE * k);
            let own = OWN.iter().enumerate();
            entries
                .extend(own.flat_map(|(at, unknowns)| unknowns.iter().map(move |z| (row + at, first + z))));
            if k > 0 {
                let before = first - SIZE;
                entries.extend([1, 2, 3, 4].map(|c| (row + c - 1, before + c)));
                entries.push((row + 4, before + 4));
            }
        }
        let (row, last) = (ROWS * self.steps, SIZE * (self.steps - 1));
        entries.extend([(row, last + 3), (row + 1, last + 1), (row + 2, last + 2)]);
        entries
    }

    fn jacobian_values(&self, x: &[f64], values: &mut [f64]) {
        let rate = self.rate();
        let mut all = Vec::with_capacity(values.len());
        for (k, z) in x.chunks_exact(SIZE).enumerate() {
            let (load, share) = (z[5], z[7]);
            all.extend([
                1.0,
                -rate,
                -rate * FRICTION * share,
                -rate * FRICTION * load,
                1.0,
                -rate,
                1.0,
                -rate,
                1.0,
                -rate,
            ]);
            all.extend([1.0, -rate, 1.0, -1.0, 1.0, z[6], z[5], 1.0 + share, z[8], 1.0 - share, -z[9]]);
            if k > 0 {
                all.extend([-1.0; 5]);
            }
        }
        all.extend([1.0; 3]);
        values.copy_from_slice(&all);
    }

    fn hessian_entries(&self) -> Vec<(usize, usize)> {
        let of_step = |k: usize| {
            [(0, 0), (5, 5), (7, 7), (7, 5), (6, 5), (8, 7), (9, 7)]
                .map(|(r, c)| (SIZE * k + r, SIZE * k + c))
        };
        (0..self.steps).flat_map(of_step).collect()
    }

    fn hessian_values(&self, _: &[f64], sigma: f64, y: &[f64], values: &mut [f64]) {
        for (y, values) in y.chunks_exact(ROWS).zip(values.chunks_exact_mut(7)) {
            let effort = 2.0 * sigma * self.step();
            let sharing = 2.0 * sigma * SHARING;
            values.copy_from_slice(&[
                effort,
                sharing,
                sharing,
                -self.rate() * FRICTION * y[0],
                y[6],
                y[7],
                -y[8],
            ]);
        }
    }
}

/// The matrix is a band of blocks, one per step, which elimination fills in by itself only.
#[test]
fn the_factor_of_a_stack_of_steps_grows_as_their_number() {
    let entries = |steps: usize| PushedPoint { steps }.solve().factor_entries as f64;
    let [few, more, many] = [50, 100, 400].map(entries);
    assert!(few > (50 * (SIZE + ROWS)) as f64, "{few}: not even the diagonal");
    assert!((more / few / 2.0 - 1.0).abs() < 0.1, "{few} {more}");
    assert!((many / more / 4.0 - 1.0).abs() < 0.1, "{more} {many}");
}

#[test]
fn a_push_of_many_steps_costs_what_the_closed_form_says() {
    for steps in [40, 50, 100, 110, 200, 292, 400] {
        let solution = PushedPoint { steps }.solve();
        assert_eq!(solution.status, SolveStatus::Solved, "{steps} steps");
        // A push that falls linearly, and what sharing counts of loads and friction of one.
        let n = steps as f64;
        let effort = 12.0 / (1.0 - 1.0 / (n * n)) / (GRAVITY * GRAVITY) + FRICTION * FRICTION;
        let closed = effort + 2.0 * SHARING * n;
        assert!(
            (solution.objective / closed - 1.0).abs() < 2e-4,
            "{steps} steps: {} for {closed}",
            solution.objective
        );
    }
}

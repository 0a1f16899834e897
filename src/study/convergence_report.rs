use std::f64::consts::TAU;

use crate::{
    random::Random,
    stepper::lcp::{Polygon, iterate},
};

/// Trials per range of speeds.
pub(super) const TRIALS: u64 = 2_000;

/// How the notes' fixed-point iteration does from one kind of start, for free velocities of a range
/// of lengths in units of `h`.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Convergence {
    /// Trials that converged.
    pub converged: u64,
    /// Trials that converged to the velocity of the cone.
    pub right: u64,
    /// Median of the sweeps of those that converged.
    pub median_sweeps: Option<u32>,
}

/// Where the iteration starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    /// The direction of the free velocity.
    FreeVelocity,
    /// A direction that has nothing to do with it, as after a push from the side.
    AnyDirection,
}

impl Convergence {
    /// Measures it with `directions` directions for `|p|/h` in `[low, high)`.
    pub fn of(directions: usize, start: Start, [low, high]: [f64; 2], random: &mut Random) -> Self {
        let polygon = Polygon::new(directions);
        let mut sweeps = Vec::new();
        let mut report = Self::default();
        for _ in 0..TRIALS {
            let speed = random.uniform(low, high);
            let direction = unit(random.uniform(0.0, TAU));
            let p = direction.map(|component| speed * component);
            let start = match start {
                Start::FreeVelocity => p,
                Start::AnyDirection => unit(random.uniform(0.0, TAU)),
            };
            let iteration = iterate(&polygon, p, 1.0, start);
            if iteration.converged {
                report.converged += 1;
                sweeps.push(iteration.sweeps);
                let exact = direction.map(|component| component * (speed - 1.0).max(0.0));
                let [x, y] = iteration.velocity;
                report.right += u64::from((x - exact[0]).hypot(y - exact[1]) <= 1e-9 * (1.0 + speed));
            }
        }
        sweeps.sort_unstable();
        report.median_sweeps = sweeps.get(sweeps.len() / 2).copied();
        report
    }
}

fn unit(angle: f64) -> [f64; 2] {
    let (sin, cos) = angle.sin_cos();
    [cos, sin]
}

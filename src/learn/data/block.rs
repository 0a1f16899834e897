use nalgebra::Vector3;

use super::Random;

/// One step of a sliding block, in units of its mass and of the time step (`m = dt = 1`).
///
/// Velocities are in m/s; the push `u` and the forces are impulses over the mass, `dt F/m`, in m/s
/// as well, so that `v_next = v + u + lambda_plus - lambda_minus`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BlockSample {
    /// Velocity `v_k` before the step.
    pub velocity: f64,
    /// Push `u_{k+1}` during the step.
    pub push: f64,
    /// Velocity `v_{k+1}` after the step.
    pub next_velocity: f64,
    /// `[lambda_plus, lambda_minus, gamma]`: friction to the right and to the left, and the speed;
    /// the solution of the complementarity problem of the step. Absent where it was not measured.
    pub lambda: Option<Vector3<f64>>,
}

impl BlockSample {
    /// `s = v_k + u_{k+1}`, the velocity after the step if there were no friction.
    pub fn free_velocity(&self) -> f64 {
        self.velocity + self.push
    }

    /// How far off the velocity after the step would be with this friction in m/s, `soft(s, mu) - v'`, and its derivative by
    /// `mu`.
    pub fn error(&self, friction: f64) -> (f64, f64) {
        let free = self.free_velocity();
        let speed = free.abs() - friction;
        match speed > 0.0 {
            true => (free.signum() * speed - self.next_velocity, -free.signum()),
            false => (-self.next_velocity, 0.0),
        }
    }
}

/// Which of the many solutions of a sticking step a data set holds.
///
/// While the block sticks only `lambda_plus - lambda_minus = -s` is determined; every split with
/// `|s| <= lambda_plus + lambda_minus <= mu` solves the complementarity problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selection {
    /// `lambda_plus lambda_minus = 0`: the smallest forces.
    Min,
    /// `lambda_plus + lambda_minus = mu`: the largest.
    Saturated,
    /// Uniformly distributed in between, which is what identifies most.
    Random,
}

impl Selection {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Min, Self::Saturated, Self::Random];

    /// The name in options.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Min => "min",
            Self::Saturated => "saturated",
            Self::Random => "random",
        }
    }
}

/// Makes steps of a sliding block with Coulomb friction,
/// `v_next = sign(s) max(|s| - mu, 0)` with `s = v + u`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BlockGenerator {
    /// `mu g dt` in m/s: the friction coefficient in the units of [`BlockSample`].
    pub friction: f64,
    /// Velocities and pushes are uniform in `(-range, range)`, m/s.
    pub range: f64,
    /// Solution that is taken while the block sticks.
    pub selection: Selection,
    /// Standard deviation of the noise on the measured `v_next`, m/s; the forces stay exact.
    pub noise: f64,
}

impl Default for BlockGenerator {
    /// The system of the notes: `mu = 1`, velocities and pushes up to 3; 35, 30 and 35 % of the
    /// steps slide left, stick and slide right.
    fn default() -> Self {
        Self { friction: 1.0, range: 3.0, selection: Selection::Random, noise: 0.0 }
    }
}

impl BlockGenerator {
    /// `count` steps; the same for the same seed.
    pub fn generate(&self, count: usize, seed: u64) -> Vec<BlockSample> {
        self.stream(seed).take(count).collect()
    }

    /// The same steps one after the other, without end.
    pub fn stream(self, seed: u64) -> impl Iterator<Item = BlockSample> {
        let mut random = Random::seeded(seed);
        std::iter::repeat_with(move || self.sample(&mut random))
    }

    fn sample(&self, random: &mut Random) -> BlockSample {
        let velocity = random.uniform(-self.range, self.range);
        let push = random.uniform(-self.range, self.range);
        let (share, noise) = (random.uniform(0.0, 1.0), random.normal(self.noise));
        self.step(velocity, push, share, noise)
    }

    /// The step from `velocity` under `push`; `share` places a `Random` selection between the
    /// smallest forces (0) and the largest (1).
    pub fn step(&self, velocity: f64, push: f64, share: f64, noise: f64) -> BlockSample {
        let free = velocity + push;
        let speed = (free.abs() - self.friction).max(0.0);
        let next = free.signum() * speed;
        let spare = (0.5 * (self.friction - free.abs())).max(0.0);
        let both = match self.selection {
            Selection::Min => 0.0,
            Selection::Saturated => spare,
            Selection::Random => share * spare,
        };
        // Not from `next - free`, so that sliding friction is `mu` to the last bit.
        let friction = free.abs().min(self.friction);
        let (plus, minus) = if free > 0.0 { (both, both + friction) } else { (both + friction, both) };
        BlockSample {
            velocity,
            push,
            next_velocity: next + noise,
            lambda: Some(Vector3::new(plus, minus, speed)),
        }
    }
}

use nalgebra::Vector2;

use super::Random;
use crate::{
    model::{PointMass, State},
    predict::{RecordedState, Recording, Toss},
    stepper::PointMotion,
};

/// Throws points at random and measures them with noise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointGenerator {
    /// Coefficient of friction `mu`.
    pub friction: f64,
    /// Coefficient of restitution `e`.
    pub restitution: f64,
    /// Gravitational acceleration, m/s^2.
    pub gravity: f64,
    /// Interval between states, s.
    pub step: f64,
    /// Length of a throw, s.
    pub duration: f64,
    /// Standard deviation of the noise on measured velocities, m/s.
    pub velocity_noise: f64,
    /// Standard deviation of the noise on measured positions, m.
    pub position_noise: f64,
}

impl Default for PointGenerator {
    fn default() -> Self {
        Self {
            friction: 0.4,
            restitution: 0.5,
            gravity: 9.81,
            step: 0.01,
            duration: 1.0,
            velocity_noise: 0.02,
            position_noise: 1e-3,
        }
    }
}

impl PointGenerator {
    /// `count` throws; the same for the same seed.
    ///
    /// Each starts 0.2 to 1 m over the ground, with up to 5 m/s sideways and 1 m/s up or down. It moves as
    /// the stepper `exact` has it: the continuous motion, of which the states are samples.
    pub fn generate(&self, count: usize, seed: u64) -> Recording<2> {
        let mut random = Random::seeded(seed);
        let tosses = (0..count).map(|number| Toss::new(number as f64, self.throw(&mut random)));
        Recording::new("generated throws", tosses.collect())
    }

    fn throw(&self, random: &mut Random) -> Vec<RecordedState<2>> {
        let body = PointMass {
            mass: 1.0,
            friction: self.friction,
            restitution: self.restitution,
            gravity: Vector2::new(0.0, -self.gravity),
        };
        let mut state = State {
            position: Vector2::new(0.0, random.uniform(0.2, 1.0)),
            velocity: Vector2::new(random.uniform(-5.0, 5.0), random.uniform(-1.0, 1.0)),
        };
        let steps = (self.duration / self.step).round().max(1.0) as usize;
        let mut exact = PointMotion::of(body, &[]);
        let mut rows = Vec::with_capacity(steps + 1);
        for index in 0..=steps {
            let time = index as f64 * self.step;
            // Events that cannot be told apart end the throw; bounces are summed, so that there are none.
            let Ok((next, impulse)) = exact.advance(state, time, self.step) else { break };
            let measured = State {
                position: state.position + noise(random, self.position_noise),
                velocity: state.velocity + noise(random, self.velocity_noise),
            };
            rows.push(RecordedState {
                contact: Some(impulse.y > 0.0),
                ..RecordedState::new(time, measured, None)
            });
            state = next;
        }
        rows
    }
}

fn noise(random: &mut Random, sigma: f64) -> Vector2<f64> {
    Vector2::new(random.normal(sigma), random.normal(sigma))
}

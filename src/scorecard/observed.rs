use crate::{
    model::{Orientation, State, Vector},
    scenario::{Moments, Scenario},
    trajectory::{Contacts, Motion, Trajectory},
};

/// A motion that was simulated or recorded, as measures see it: they cannot tell by what.
#[derive(Debug, Clone)]
pub struct Observed<const D: usize> {
    /// What was simulated.
    pub scenario: Scenario<D>,
    /// The motion of every body.
    pub bodies: Vec<Motion<D>>,
    /// The contacts one by one, where they are told apart.
    pub contacts: Contacts<D>,
}

impl<const D: usize> From<Trajectory<D>> for Observed<D> {
    fn from(trajectory: Trajectory<D>) -> Self {
        Self { scenario: trajectory.scenario, bodies: trajectory.bodies, contacts: trajectory.contacts }
    }
}

impl<const D: usize> Observed<D> {
    /// Number of states of every body; one less than steps.
    pub fn rows(&self) -> usize {
        self.bodies.iter().map(|body| body.states.len()).min().unwrap_or(0)
    }

    /// Index of the last state.
    pub fn last(&self) -> usize {
        self.rows().saturating_sub(1)
    }

    /// Time in s of state `k`.
    pub fn time(&self, k: usize) -> f64 {
        self.scenario.time().at(k)
    }

    /// Index of the state nearest to `time` in s.
    pub fn index(&self, time: f64) -> usize {
        ((time / self.scenario.step).round() as usize).min(self.last())
    }

    /// The first `k >= from` for which `happens`.
    pub fn first(&self, from: usize, happens: impl Fn(usize) -> bool) -> Option<usize> {
        (from..self.rows()).find(|&k| happens(k))
    }

    /// The largest value of `quantity` over states `k >= from`.
    pub fn largest(&self, from: usize, quantity: impl Fn(usize) -> f64) -> f64 {
        (from..self.rows()).map(quantity).fold(f64::NEG_INFINITY, larger)
    }

    /// Position and velocity of the centre of mass of `body` in state `k`.
    pub fn state(&self, body: usize, k: usize) -> &State<D> {
        &self.bodies[body].states[k]
    }

    /// Position of the centre of mass in m.
    pub fn position(&self, body: usize, k: usize) -> Vector<D> {
        self.state(body, k).position
    }

    /// Velocity of the centre of mass in m/s.
    pub fn velocity(&self, body: usize, k: usize) -> Vector<D> {
        self.state(body, k).velocity
    }

    /// Spin in rad/s, in space in the axes of the body.
    pub fn spin(&self, body: usize, k: usize) -> crate::model::Spin {
        self.bodies[body].attitudes.get(k).map_or_else(Default::default, |attitude| attitude.spin)
    }

    /// Total energy in J of everything that moves.
    pub fn energy(&self, k: usize) -> f64 {
        let (gravity, moments) = (self.scenario.gravity_vector(), Moments::of(&self.scenario.bodies));
        let of_body = |(index, motion): (usize, &Motion<D>)| {
            let body = &self.scenario.bodies[index];
            if body.fixed {
                return 0.0;
            }
            let State { position, velocity } = &motion.states[k];
            let turning = motion.attitudes.get(k).map_or(0.0, |attitude| moments.energy(index, attitude));
            body.mass * (0.5 * velocity.norm_squared() - gravity.dot(position)) + turning
        };
        self.bodies.iter().enumerate().map(of_body).sum()
    }
}

impl Observed<2> {
    /// Angle of a body in rad.
    pub fn angle(&self, body: usize, k: usize) -> f64 {
        match self.bodies[body].attitudes.get(k).map(|attitude| attitude.orientation) {
            Some(Orientation::Angle(angle)) => angle,
            _ => 0.0,
        }
    }
}

/// Where the first body of the only motion ends, in m.
pub(super) fn final_x<const D: usize>(observed: &[Observed<D>]) -> f64 {
    observed[0].position(0, observed[0].last())[0]
}

/// How fast it then moves along the ground, in m/s.
pub(super) fn final_speed(observed: &[Observed<2>]) -> f64 {
    observed[0].velocity(0, observed[0].last())[0]
}

/// The larger of two, or what is no number.
pub fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
}

/// The value of a parameter at which something begins to happen: half way between the last of `values` (in
/// ascending order) without and the first with it. Not a number where it never or always happens, or by fits.
pub fn onset(values: &[f64], happens: &[bool]) -> f64 {
    let first = happens.iter().position(|&happens| happens).unwrap_or(0);
    let in_order = happens[first..].iter().all(|&happens| happens);
    if first == 0 || !in_order {
        return f64::NAN;
    }
    0.5 * (values[first - 1] + values[first])
}

#[cfg(test)]
mod tests {
    use super::larger;

    /// A motion that leaves the numbers has no largest error that could be right.
    #[test]
    fn what_is_no_number_is_the_largest() {
        let largest = |values: &[f64]| values.iter().copied().fold(f64::NEG_INFINITY, larger);
        assert_eq!(largest(&[1.0, 3.0, 2.0]), 3.0);
        for values in [[f64::NAN, 1.0, 2.0], [1.0, f64::NAN, 2.0], [1.0, 2.0, f64::NAN]] {
            assert!(largest(&values).is_nan(), "{values:?}");
        }
    }
}

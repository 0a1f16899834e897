use super::{Observer, directions::Directions};
use crate::{
    contact::{Friction, Hold},
    model::{PointMass, State, Vector, gap_velocity, tangential},
    scenario::{Partner, Scenario},
    stepper::Honours,
    trajectory::{Passage, Record, Track},
    world::Surface,
};

/// Largest violation over the run of the complementarity that a time step poses, dimensionless; the
/// same measure for every stepper that steps in time. `None` for those that resolve the instant of an
/// impact ([`Honours::impacts_within_steps`](crate::stepper::Honours::impacts_within_steps)): they pose
/// complementarity at every instant, and the step as a whole need not fulfil it.
///
/// Normal: `min(1, p_z/(m g dt)) |vz+ + gap|/(g dt)`, contact force where the gap (with the rebound
/// of restitution) is not closed. Friction: `min(1, |vt+|/(g dt)) (mu p_z - |p_t|)/max(m g dt, p_z)`,
/// sliding inside the friction cone. The impulses are those of the step, `p = dt F`. Zero without
/// gravity, which sets the scales. `mu` is that at rest, or where friction depends on the slip, that of the slip with which
/// the step ends. What is across an axis counts by its own coefficient.
pub fn max_complementarity<const D: usize>(track: Track<'_, D>) -> Option<f64> {
    let posed = (track.point(), track.scenario.surface(track.body, Partner::Ground));
    let mut violations = LargestViolation::new(posed, track.scenario.step, &track.honours)?;
    for (step, pair) in track.steps.iter().zip(track.states.windows(2)) {
        violations.add([&pair[0], &pair[1]], step);
    }
    Some(violations.value())
}

/// By how much a bound of a violation may be off by rounding, and more.
const ROUNDING: f64 = 1e-12;

/// Bounds below this are not trusted: products that underflow are no bounds.
const UNDERFLOW: f64 = 1e-250;

/// The largest violation over the steps of a body so far.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LargestViolation<const D: usize> {
    posed: Posed<D>,
    largest: f64,
    /// Bound on the products of a step in J that violates no more than that.
    bound: f64,
}

impl<const D: usize> LargestViolation<D> {
    /// Of a body with a law of friction in steps of `dt` s; `None` where the stepper poses no complementarity for them.
    pub(super) fn new((body, surface): (PointMass<D>, Surface), dt: f64, honours: &Honours) -> Option<Self> {
        let poses = !honours.impacts_within_steps;
        poses.then(|| Self { posed: Posed::new(body, &surface, dt), largest: 0.0, bound: 0.0 })
    }

    /// Adds a step. Four divisions say how large its violation is; that it is no larger than the largest so far, as in
    /// most steps, takes none of them.
    #[inline(always)]
    pub(super) fn add(&mut self, states: [&State<D>; 2], step: &Record<D>) {
        let Some(factors) = self.posed.factors(states, step) else { return };
        if factors.product() < self.bound {
            return;
        }
        let violation = self.posed.violation(&factors);
        if violation > self.largest {
            self.largest = violation;
            let bound = violation * self.posed.velocity * self.posed.impulse * (1.0 - ROUNDING);
            self.bound = if bound > UNDERFLOW { bound } else { 0.0 };
        }
    }

    pub(super) fn value(&self) -> f64 {
        self.largest
    }
}

/// The complementarity of the steps of `dt` s of one body, and what counts as 1 in it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Posed<const D: usize> {
    body: PointMass<D>,
    /// Where friction depends on the slip.
    law: Option<Friction>,
    /// Where friction differs across an axis.
    directions: Option<Directions<D>>,
    dt: f64,
    /// `g dt` in m/s.
    velocity: f64,
    /// `m g dt` in N s.
    impulse: f64,
}

/// The factors that must not both differ from zero, of the normal and of friction.
#[derive(Debug, Clone, Copy)]
struct Factors {
    /// Normal impulse in N s.
    normal_impulse: f64,
    /// `|vz+ + gap|` in m/s.
    opening: f64,
    /// `|vt+|` in m/s.
    slip: f64,
    /// What friction could carry beyond what it carries in N s.
    reserve: f64,
}

impl Factors {
    /// The larger product in J: in units of `m (g dt)^2` no less than the violation.
    #[inline]
    fn product(&self) -> f64 {
        (self.normal_impulse * self.opening).max(self.slip * self.reserve)
    }
}

impl<const D: usize> Posed<D> {
    fn new(body: PointMass<D>, surface: &Surface, dt: f64) -> Self {
        let velocity = body.gravity_norm() * dt;
        let law = Some(surface.friction).filter(Friction::depends_on_slip);
        let directions = Directions::on_ground(surface);
        Self { body, law, directions, dt, velocity, impulse: body.mass * velocity }
    }

    /// Those of one step; `None` where there is nothing to violate.
    #[inline]
    fn factors(&self, [before, after]: [&State<D>; 2], step: &Record<D>) -> Option<Factors> {
        let Self { body, dt, velocity, .. } = self;
        // Both products have the contact force as a factor.
        if *velocity == 0.0 || step.force == Vector::<D>::zeros() {
            return None;
        }
        let free = body.free_velocity(before, &step.push, *dt);
        let gap = gap_velocity(body, before, free[D - 1], *dt);
        let impulse = step.force * *dt;
        let normal_impulse = impulse[D - 1].max(0.0);
        let [slip, rubbed] = match &self.directions {
            None => [tangential(&after.velocity), tangential(&impulse)].map(|along| along.norm()),
            Some(directions) => {
                [directions.slip(&after.velocity), directions.friction(&impulse)].map(|along| along.norm())
            }
        };
        let friction = self.law.map_or(body.friction, |law| law.coefficient(Hold::Kinetic(slip)));
        Some(Factors {
            normal_impulse,
            opening: (after.velocity[D - 1] + gap).abs(),
            slip,
            reserve: (friction * normal_impulse - rubbed).abs(),
        })
    }

    /// The violation by a step of these factors.
    #[inline]
    fn violation(&self, factors: &Factors) -> f64 {
        let Factors { normal_impulse, opening, slip, reserve } = *factors;
        let normal = (normal_impulse / self.impulse).min(1.0) * (opening / self.velocity);
        let friction = (slip / self.velocity).min(1.0) * reserve / self.impulse.max(normal_impulse);
        normal.max(friction)
    }
}

impl<const D: usize> LargestViolation<D> {
    /// Of a single point.
    pub(super) fn observer<'a>(
        scenario: &'a Scenario<D>,
        honours: Honours,
    ) -> Option<Box<dyn Observer<D> + 'a>> {
        let point = scenario.layout().is_point().then(|| scenario.point(0))?;
        let surface = scenario.surface(0, Partner::Ground);
        Some(Box::new(Self::new((point, surface), scenario.step, &honours)?))
    }
}

impl<const D: usize> Observer<D> for LargestViolation<D> {
    fn add(&mut self, passage: &Passage<'_, D>) {
        if passage.is_on_ground_alone() {
            self.add(passage.states.map(|states| &states[0]), &passage.records[0]);
        }
    }

    fn value(&self) -> Option<f64> {
        Some(self.value())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps in which force, gap and slip go through all orders of magnitude, down to those that underflow.
    #[test]
    fn the_largest_violation_is_that_of_all_steps() {
        let body =
            PointMass { mass: 2.0, friction: 0.3, restitution: 0.5, gravity: Vector::<2>::new(0.1, -9.81) };
        let (dt, honours) = (1e-3, Honours::default());
        let mut seed = 7_u64;
        let mut number = |smallest: i32| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (exponent, mantissa) = ((seed >> 33) as i32, (seed >> 11) as f64 / (1_u64 << 53) as f64);
            (mantissa - 0.5) * 10_f64.powi(exponent.rem_euclid(2 - smallest) + smallest)
        };
        for smallest in [0, -3, -20, -160, -320] {
            for _ in 0..200 {
                let surface = Surface::new(body.friction, body.restitution);
                let mut gathered = LargestViolation::new((body, surface), dt, &honours).unwrap();
                let mut largest = 0.0_f64;
                for _ in 0..30 {
                    let mut state = || State::<2> {
                        position: Vector::<2>::new(number(smallest), number(smallest)),
                        velocity: Vector::<2>::new(number(smallest), number(smallest)),
                    };
                    let pair = [state(), state()];
                    let force = Vector::<2>::new(number(smallest), number(smallest).abs());
                    let step = Record { push: Vector::zeros(), force, driven_work: 0.0 };
                    gathered.add([&pair[0], &pair[1]], &step);
                    let posed = Posed::new(body, &surface, dt);
                    let violation = posed.factors([&pair[0], &pair[1]], &step);
                    largest = violation.map_or(largest, |factors| largest.max(posed.violation(&factors)));
                }
                assert_eq!(gathered.value().to_bits(), largest.to_bits(), "down to 1e{smallest}");
            }
        }
    }
}

use super::Observer;
use crate::{
    model::{Attitude, State},
    scenario::{Scenario, TimeGrid},
    stepper::Honours,
    trajectory::{Passage, Track},
};

/// Speed below which a point counts as resting, as a fraction of what gravity adds in one step.
const REST_FRACTION: f64 = 1e-2;

/// The same where there is no friction: nothing brakes what moves so slowly there.
const REST_FRACTION_WITHOUT_FRICTION: f64 = 1e-5;

/// The same as a fraction of the largest speed of the run, for weightless scenarios.
const REST_FRACTION_OF_SPEED: f64 = 1e-9;

/// When the body came to rest for good: the first `t_k` from which on the speed of its centre of mass, and
/// that of its outermost point about it, stay below `g dt/100` to the end of the run, or
/// `g dt/100,000` where there is no friction to stop what is slower. `None` if it still
/// moves at the end, or in the step before: what is thrown up is as slow for an instant.
///
/// The threshold lets compliant models creep, and is far below any speed that a step could change.
pub fn stop_time<const D: usize>(track: Track<'_, D>) -> Option<f64> {
    let reach = track.scenario.bodies[track.body].reach();
    let mut rest = Rest::new(track.scenario);
    for (k, state) in track.states.iter().enumerate() {
        rest.add(fastest_point(state, track.attitudes.get(k), reach));
    }
    rest.since().map(|k| track.time(k))
}

/// When the bodies of a run came to rest.
#[derive(Debug, Clone)]
pub(super) struct Rests {
    /// Each of them with the distance in m of its farthest point from the centre of mass.
    bodies: Vec<(f64, Rest)>,
}

impl Rests {
    /// Of the bodies of `scenario`, which start like this; `attitudes` are empty where all are points.
    pub(super) fn new<const D: usize>(
        scenario: &Scenario<D>,
        states: &[State<D>],
        attitudes: &[Attitude],
    ) -> Self {
        let rest = Rest::new(scenario);
        let mut rests =
            Self { bodies: scenario.bodies.iter().map(|body| (body.reach(), rest.clone())).collect() };
        rests.add(states, attitudes);
        rests
    }

    #[inline(always)]
    pub(super) fn add<const D: usize>(&mut self, states: &[State<D>], attitudes: &[Attitude]) {
        if attitudes.is_empty() {
            for ((_, rest), state) in self.bodies[..states.len()].iter_mut().zip(states) {
                rest.add(state.velocity.norm());
            }
            return;
        }
        for (((reach, rest), state), attitude) in self.bodies.iter_mut().zip(states).zip(attitudes) {
            rest.add(fastest_point(state, Some(attitude), *reach));
        }
    }

    /// The number of the state from which on all rest to the end, for a step at least; `None` if there is none.
    pub(super) fn since(&self) -> Option<usize> {
        self.bodies.iter().map(|(_, rest)| rest.since()).try_fold(0, |last, since| Some(last.max(since?)))
    }
}

/// The speed in m/s of a body whose farthest point is `reach` m from its centre of mass: that of the centre, or what
/// the rotation adds out there, whichever is more.
#[inline]
fn fastest_point<const D: usize>(state: &State<D>, attitude: Option<&Attitude>, reach: f64) -> f64 {
    let speed = state.velocity.norm();
    attitude.map_or(speed, |attitude| speed.max(reach * attitude.spin.norm()))
}

/// The speed in m/s below which what moves counts as resting.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RestSpeed {
    of_gravity: f64,
    threshold: f64,
    fastest: f64,
}

impl RestSpeed {
    pub(crate) fn new<const D: usize>(scenario: &Scenario<D>) -> Self {
        let fraction = if scenario.has_friction() { REST_FRACTION } else { REST_FRACTION_WITHOUT_FRICTION };
        let of_gravity = fraction * scenario.gravity * scenario.step;
        Self { of_gravity, threshold: of_gravity, fastest: 0.0 }
    }

    /// Takes in the speed of a state, the fastest of which count.
    #[inline]
    pub(crate) fn see(&mut self, speed: f64) {
        if speed > self.fastest {
            // States before this one may fall below the new threshold, which this one itself is above: unless
            // that of gravity is the larger, which does not change.
            self.fastest = speed;
            self.threshold = self.of_gravity.max(REST_FRACTION_OF_SPEED * speed);
        }
    }

    /// Whether this is rest; a speed that is no number is none.
    #[inline]
    pub(crate) fn rests(&self, speed: f64) -> bool {
        speed <= self.threshold
    }

    /// The threshold in m/s.
    pub(crate) fn threshold(&self) -> f64 {
        self.threshold
    }
}

/// When a body came to rest, from its speeds in m/s one after the other.
#[derive(Debug, Clone, PartialEq)]
struct Rest {
    threshold: RestSpeed,
    count: usize,
    /// How many states there are up to the last that moves.
    moving: usize,
}

impl Rest {
    fn new<const D: usize>(scenario: &Scenario<D>) -> Self {
        Self { threshold: RestSpeed::new(scenario), count: 0, moving: 0 }
    }

    #[inline]
    fn add(&mut self, speed: f64) {
        self.count += 1;
        self.threshold.see(speed);
        if !self.threshold.rests(speed) {
            self.moving = self.count;
        }
    }

    /// The number of the state from which on it rests to the end, for a step at least; `None` if there is none.
    fn since(&self) -> Option<usize> {
        (self.moving + 1 < self.count).then_some(self.moving)
    }
}

/// The time at which everything came to rest.
#[derive(Debug)]
struct StopTime {
    rests: Rests,
    time: TimeGrid,
}

impl Rests {
    pub(super) fn observer<'a, const D: usize>(
        scenario: &'a Scenario<D>,
        _: Honours,
    ) -> Option<Box<dyn Observer<D> + 'a>> {
        let rests = Self::new(scenario, &scenario.initial_states(), &scenario.initial_attitudes());
        Some(Box::new(StopTime { rests, time: scenario.time() }))
    }
}

impl<const D: usize> Observer<D> for StopTime {
    fn add(&mut self, passage: &Passage<'_, D>) {
        self.rests.add(passage.states[1], passage.attitudes[1]);
    }

    fn value(&self) -> Option<f64> {
        self.rests.since().map(|k| self.time.at(k))
    }
}

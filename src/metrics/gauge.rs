//! Everything that is measured of a run, gathered while it goes on.

use super::{BodyError, BodyMetrics, Measured, Metrics, Observer, metric::Value};
use crate::{
    model::{Attitude, State, Vector},
    scenario::Scenario,
    stepper::Honours,
    trajectory::Passage,
};

/// The figures of merit of a run, from its steps one after the other: in the memory of one step, however many
/// there are.
///
/// What is not asked for, or makes nothing of the scenario, is not there and costs nothing.
#[derive(Debug)]
pub struct Gauge<'a, const D: usize> {
    scenario: &'a Scenario<D>,
    /// Where each body is, and how it is turned; `None` where all are points.
    bodies: Vec<(State<D>, Option<Attitude>)>,
    /// Who sees the steps.
    observers: Vec<Seat<'a, D>>,
    steps: usize,
}

/// The figure at a place of the table, with who sees the steps for it; `None` if nobody asks for it.
#[derive(Debug)]
struct Seat<'a, const D: usize> {
    place: usize,
    observer: Option<Box<dyn Observer<D> + 'a>>,
}

impl<'a, const D: usize> Gauge<'a, D> {
    /// Before the first step of a run under a stepper that `honours` so much of the scenario.
    pub fn new(scenario: &'a Scenario<D>, honours: Honours) -> Self {
        let (states, attitudes) = (scenario.initial_states(), scenario.initial_attitudes());
        let observers = Metrics::<D>::TABLE.iter().enumerate().filter_map(|(place, metric)| {
            let Value::Observed(make) = metric.value else { return None };
            Some(Seat { place, observer: Some(make(scenario, honours)?) })
        });
        Self {
            observers: observers.collect(),
            steps: 0,
            bodies: (states.into_iter().enumerate())
                .map(|(body, state)| (state, attitudes.get(body).copied()))
                .collect(),
            scenario,
        }
    }

    /// This gauge for a reader who looks at no figures but those of these names, as `summary.json` has them: what only
    /// others need is not measured, and they are not numbers, or missing.
    #[must_use]
    pub fn only<'n>(mut self, names: impl Iterator<Item = &'n str> + Clone) -> Self {
        for seat in &mut self.observers {
            let key = Metrics::<D>::TABLE[seat.place].key;
            if !names.clone().any(|name| name.contains(key)) {
                seat.observer = None;
            }
        }
        self
    }

    /// Whether it has to see every step, and not only the last.
    pub fn looks_at_every_step(&self) -> bool {
        self.observers.iter().any(|seat| seat.observer.is_some())
    }

    /// Adds the next step.
    #[inline]
    pub fn add(&mut self, passage: &Passage<'_, D>) {
        self.steps += 1;
        for ((state, _), after) in self.bodies.iter_mut().zip(passage.states[1]) {
            *state = *after;
        }
        for ((_, attitude), after) in self.bodies.iter_mut().zip(passage.attitudes[1]) {
            *attitude = Some(*after);
        }
        for observer in self.observers.iter_mut().filter_map(|seat| seat.observer.as_mut()) {
            observer.add(passage);
        }
    }

    /// Number of steps so far.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// What was measured; `errors` are those of each body against the exact motion, where that is known.
    pub fn metrics(&self, errors: Option<&[BodyError<D>]>) -> Metrics<D> {
        let error_of = |body: usize| errors.and_then(|errors| errors.get(body));
        let bodies: Vec<BodyMetrics<D>> = (self.bodies.iter().enumerate())
            .map(|(index, (state, attitude))| BodyMetrics {
                name: self.scenario.body_name(index),
                final_state: *state,
                final_attitude: *attitude,
                max_penetration: self.of_body("max_penetration", index),
                max_energy_gain: self.of_body("max_energy_gain", index),
                max_error: error_of(index).map(|error| error.position),
                max_turn_error: error_of(index).and_then(|error| error.angle),
            })
            .collect();
        let masses = self.scenario.counted_masses();
        let moments = bodies.iter().zip(&masses).map(|(body, mass)| body.final_state.position * *mass);
        let total: f64 = masses.iter().sum();
        let mut observed = vec![None; Metrics::<D>::TABLE.len()];
        for Seat { place, observer } in &self.observers {
            observed[*place] = observer.as_ref().map_or(Some(f64::NAN), |observer| observer.value());
        }
        Metrics {
            observed,
            is_point: self.scenario.layout().is_point(),
            rebounds: self.scenario.may_rebound(),
            max_error: bodies
                .iter()
                .filter_map(|body| body.max_error)
                .reduce(|largest, error| largest.sup(&error)),
            max_turn_error: bodies.iter().filter_map(|body| body.max_turn_error).reduce(f64::max),
            final_center: match bodies.as_slice() {
                [only] => only.final_state.position,
                _ => moments.sum::<Vector<D>>() / total,
            },
            bodies,
        }
    }

    /// The figure of that name of one body; not a number if nobody asks for it.
    fn of_body(&self, key: &str, body: usize) -> f64 {
        let of_key = |seat: &&Seat<'a, D>| Metrics::<D>::TABLE[seat.place].key == key;
        let observer = self.observers.iter().find(of_key).and_then(|seat| seat.observer.as_ref());
        observer.and_then(|observer| observer.of_body(body)).unwrap_or(f64::NAN)
    }
}

//! Everything that is measured of a run, gathered while it goes on.

use super::{
    BodyError, BodyMetrics, Metrics, complementarity::LargestViolation, energy::EnergyGains,
    force_noise::ForceNoise, natural_map::NaturalMap, penetration::Depths, rods::Rods, stop::Rests,
};
use crate::{
    model::{Attitude, State, Vector},
    scenario::{Partner, Scenario},
    stepper::{ContactMode, Honours},
    trajectory::Passage,
};

/// The figures of merit of a run, from its steps one after the other: in the memory of one step, however many
/// there are.
///
/// What is not asked for, or makes nothing of the scenario, is not there and costs nothing.
#[derive(Debug, Clone)]
pub struct Gauge<'a, const D: usize> {
    scenario: &'a Scenario<D>,
    /// Where each body is, and how it is turned; `None` where all are points.
    bodies: Vec<(State<D>, Option<Attitude>)>,
    depths: Option<Depths>,
    energy: Option<EnergyGains<'a, D>>,
    rests: Option<Rests>,
    complementarity: Option<LargestViolation<D>>,
    noise: Option<ForceNoise>,
    rods: Option<Rods<D>>,
    natural_map: Option<NaturalMap>,
    steps: usize,
}

impl<'a, const D: usize> Gauge<'a, D> {
    /// Before the first step of a run under a stepper that `honours` so much of the scenario.
    pub fn new(scenario: &'a Scenario<D>, honours: Honours) -> Self {
        let (states, attitudes) = (scenario.initial_states(), scenario.initial_attitudes());
        let alone = scenario.layout().is_point().then(|| scenario.point(0));
        Self {
            depths: Some(Depths::new(&states, &attitudes)),
            energy: Some(EnergyGains::new(scenario, honours)),
            rests: Some(Rests::new(scenario, &states, &attitudes)),
            complementarity: alone.and_then(|point| LargestViolation::new(point, scenario.step, &honours)),
            noise: alone.map(|point| ForceNoise::new(&point, scenario.step, &honours)),
            rods: (!scenario.rods.is_empty()).then(|| Rods::of(scenario)),
            natural_map: Some(NaturalMap::default()),
            steps: 0,
            bodies: (states.into_iter().enumerate())
                .map(|(body, state)| (state, attitudes.get(body).copied()))
                .collect(),
            scenario,
        }
    }

    /// The same for a reader who looks at no figures but those of these names, as `summary.json` has them: what only
    /// others need is not measured, and they are not numbers, or missing.
    #[must_use]
    pub fn only<'n>(self, names: impl Iterator<Item = &'n str> + Clone) -> Self {
        let is_asked = |figure: &str| names.clone().any(|name| name.contains(figure));
        Self {
            depths: self.depths.filter(|_| is_asked("penetration")),
            energy: self.energy.filter(|_| is_asked("energy")),
            rests: self.rests.filter(|_| is_asked("stop_time")),
            complementarity: self.complementarity.filter(|_| is_asked("complementarity")),
            noise: self.noise.filter(|_| is_asked("noise")),
            rods: self.rods.filter(|_| is_asked("rod")),
            natural_map: self.natural_map.filter(|_| is_asked("natural_map")),
            ..self
        }
    }

    /// Whether it has to see every step, and not only the last.
    pub fn looks_at_every_step(&self) -> bool {
        self.depths.is_some()
            || self.energy.is_some()
            || self.rests.is_some()
            || self.complementarity.is_some()
            || self.noise.is_some()
            || self.rods.is_some()
            || self.natural_map.is_some()
    }

    /// Adds the next step.
    #[inline]
    pub fn add(&mut self, passage: &Passage<'_, D>) {
        // One body is the usual case, for which the compiler so makes code without loops.
        match self.bodies.len() {
            1 => self.add_of(1, passage),
            bodies => self.add_of(bodies, passage),
        }
    }

    #[inline(always)]
    fn add_of(&mut self, bodies: usize, passage: &Passage<'_, D>) {
        let states = passage.states.map(|states| &states[..bodies]);
        let passage = &Passage { states, records: &passage.records[..bodies], ..*passage };
        self.steps += 1;
        for ((state, _), after) in self.bodies[..bodies].iter_mut().zip(passage.states[1]) {
            *state = *after;
        }
        for ((_, attitude), after) in self.bodies.iter_mut().zip(passage.attitudes[1]) {
            *attitude = Some(*after);
        }
        if let Some(depths) = &mut self.depths {
            depths.add(passage);
        }
        if let Some(energy) = &mut self.energy {
            energy.add(passage);
        }
        if let Some(rests) = &mut self.rests {
            rests.add(passage.states[1], passage.attitudes[1]);
        }
        // What the ground gives is told by the sum of all forces while no wall gives any.
        let is_on_ground_alone = passage
            .contacts
            .iter()
            .all(|contact| contact.second == Partner::Ground || contact.mode == ContactMode::Open);
        if let Some(noise) = self.noise.as_mut().filter(|_| is_on_ground_alone) {
            noise.add(passage.states.map(|states| &states[0]), &passage.records[0]);
        }
        if let Some(complementarity) = self.complementarity.as_mut().filter(|_| is_on_ground_alone) {
            complementarity.add(passage.states.map(|states| &states[0]), &passage.records[0]);
        }
        if let Some(rods) = &mut self.rods {
            rods.add(passage.states[1], passage.attitudes[1]);
        }
        if let Some(natural_map) = &mut self.natural_map {
            natural_map.add(passage);
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
                max_penetration: self.depths.as_ref().map_or(f64::NAN, |depths| depths.of(index)),
                max_energy_gain: self.energy.as_ref().map_or(f64::NAN, |energy| energy.of(index)),
                max_error: error_of(index).map(|error| error.position),
                max_turn_error: error_of(index).and_then(|error| error.angle),
            })
            .collect();
        let masses = self.scenario.counted_masses();
        let moments = bodies.iter().zip(&masses).map(|(body, mass)| body.final_state.position * *mass);
        let total: f64 = masses.iter().sum();
        Metrics {
            stop_time: self.rests.as_ref().and_then(Rests::since).map(|k| self.scenario.time().at(k)),
            max_penetration: self.depths.as_ref().map_or(f64::NAN, Depths::deepest),
            max_energy_gain: self.energy.as_ref().map_or(f64::NAN, EnergyGains::of_all),
            max_complementarity: self.complementarity.as_ref().map(LargestViolation::value),
            // That there is one says that the scenario is a single point.
            force_noise: (self.scenario.layout().is_point())
                .then(|| self.noise.as_ref().map_or(f64::NAN, ForceNoise::value)),
            max_rod_error: (!self.scenario.rods.is_empty())
                .then(|| self.rods.as_ref().map_or(f64::NAN, |rods| rods.worst)),
            max_error: bodies
                .iter()
                .filter_map(|body| body.max_error)
                .reduce(|largest, error| largest.sup(&error)),
            max_turn_error: bodies.iter().filter_map(|body| body.max_turn_error).reduce(f64::max),
            max_natural_map: self.natural_map.as_ref().and_then(NaturalMap::value),
            final_center: match bodies.as_slice() {
                [only] => only.final_state.position,
                _ => moments.sum::<Vector<D>>() / total,
            },
            bodies,
        }
    }
}

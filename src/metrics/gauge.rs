//! Everything that is measured of a run, gathered while it goes on.

use super::{
    BodyError, BodyMetrics, Metrics,
    complementarity::{Posed, poses_complementarity},
    energy::{Springs, gain, work_is_known},
    force_noise::ForceNoise,
    rods::Rods,
    stop::{Rest, fastest_point},
};
use crate::{
    model::{Attitude, PointMass, State, Vector},
    scenario::{Partner, Scenario},
    stepper::Honours,
    trajectory::Passage,
};

/// The figures of merit of a run, from its steps one after the other: in the memory of one step, however many
/// there are.
#[derive(Debug, Clone)]
pub struct Gauge<'a, const D: usize> {
    scenario: &'a Scenario<D>,
    honours: Honours,
    bodies: Vec<BodyGauge<D>>,
    springs: Springs<D>,
    rods: Rods<D>,
    max_energy_gain: f64,
    /// Largest residual so far, and whether the stepper tells contacts apart.
    natural_map: (f64, bool),
    steps: usize,
    asked: Asked,
}

/// Which of the measures that cost something in every step are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Asked {
    penetration: bool,
    natural_map: bool,
    energy: bool,
    complementarity: bool,
    noise: bool,
    rest: bool,
    rods: bool,
}

impl Asked {
    /// Those of which a part of the name `is_asked` for.
    fn of(is_asked: impl Fn(&str) -> bool) -> Self {
        Self {
            penetration: is_asked("penetration"),
            natural_map: is_asked("natural_map"),
            energy: is_asked("energy"),
            complementarity: is_asked("complementarity"),
            noise: is_asked("noise"),
            rest: is_asked("stop_time"),
            rods: is_asked("rod"),
        }
    }
}

/// What is gathered of one body.
#[derive(Debug, Clone)]
struct BodyGauge<const D: usize> {
    point: PointMass<D>,
    posed: Posed<D>,
    /// Distance of its farthest point from the centre of mass in m.
    reach: f64,
    state: State<D>,
    attitude: Option<Attitude>,
    rest: Rest,
    noise: ForceNoise,
    max_penetration: f64,
    max_energy_gain: f64,
    max_complementarity: f64,
}

impl<'a, const D: usize> Gauge<'a, D> {
    /// Before the first step of a run under a stepper that `honours` so much of the scenario.
    pub fn new(scenario: &'a Scenario<D>, honours: Honours) -> Self {
        let attitudes = scenario.initial_attitudes();
        let bodies = scenario.initial_states().into_iter().enumerate().map(|(body, state)| {
            let point = scenario.point(body);
            let mut rest = Rest::new(scenario.gravity, scenario.step);
            let attitude = attitudes.get(body).copied();
            let reach = scenario.bodies[body].reach();
            rest.add(fastest_point(&state, attitude.as_ref(), reach));
            BodyGauge {
                noise: ForceNoise::new(&point, scenario.step),
                max_penetration: if attitude.is_none() { (-state.height()).max(0.0) } else { 0.0 },
                max_energy_gain: 0.0,
                max_complementarity: 0.0,
                posed: Posed::new(point, scenario.step),
                point,
                reach,
                state,
                attitude,
                rest,
            }
        });
        Self {
            bodies: bodies.collect(),
            springs: Springs::of(scenario),
            rods: Rods::of(scenario),
            max_energy_gain: 0.0,
            natural_map: (0.0, false),
            steps: 0,
            asked: Asked::of(|_| true),
            scenario,
            honours,
        }
    }

    /// The same for a reader who looks at no figures but those of these names, as `summary.json` has them: what only
    /// others need is not measured, and they are not numbers, or missing.
    #[must_use]
    pub fn only<'n>(self, names: impl Iterator<Item = &'n str> + Clone) -> Self {
        Self { asked: Asked::of(|figure| names.clone().any(|name| name.contains(figure))), ..self }
    }

    /// Whether it has to see every step, and not only the last.
    pub fn looks_at_every_step(&self) -> bool {
        self.asked != Asked::of(|_| false)
    }

    /// Adds the next step.
    pub fn add(&mut self, passage: &Passage<'_, D>) {
        self.steps += 1;
        let asked = self.asked;
        let turn = !passage.attitudes[1].is_empty();
        self.natural_map.0 = self.natural_map.0.max(passage.step.report.residual);
        self.natural_map.1 |= !passage.contacts.is_empty();
        let mut gained = 0.0;
        let alone = self.bodies.len() == 1;
        let poses = alone && asked.complementarity && poses_complementarity(&self.honours);
        let is_known = asked.energy && work_is_known(self.scenario, &self.honours, passage.index);
        for (index, body) in self.bodies.iter_mut().enumerate() {
            let [before, after] = passage.states.map(|states| &states[index]);
            let own = if is_known { gain(self.scenario, &body.point, index, passage) } else { 0.0 };
            gained += own;
            body.max_energy_gain = body.max_energy_gain.max(own);
            if turn {
                body.attitude = passage.attitudes[1].get(index).copied();
            } else {
                body.max_penetration = body.max_penetration.max(-after.height());
            }
            if asked.rest {
                body.rest.add(fastest_point(after, body.attitude.as_ref(), body.reach));
            }
            let record = &passage.records[index];
            if alone && asked.noise {
                body.noise.add(record);
            }
            if poses {
                let violation = body.posed.violation([before, after], record);
                body.max_complementarity = body.max_complementarity.max(violation);
            }
            body.state = *after;
        }
        if is_known {
            self.max_energy_gain = self.max_energy_gain.max(gained + self.springs.stored(passage));
        }
        for contact in passage.contacts.iter().filter(|_| turn) {
            let second = if let Partner::Body(second) = contact.second { Some(second) } else { None };
            for index in [Some(contact.first), second].into_iter().flatten() {
                let body = &mut self.bodies[index];
                body.max_penetration = body.max_penetration.max(-contact.gap);
            }
        }
        if asked.rods {
            self.rods.add(passage.states[1], passage.attitudes[1]);
        }
    }

    /// Number of steps so far.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// What was measured; `errors` are those of each body against the exact motion, where that is known.
    pub fn metrics(&self, errors: Option<&[BodyError<D>]>) -> Metrics<D> {
        let asked = self.asked;
        let unless_left_out = |is_asked: bool, figure: f64| if is_asked { figure } else { f64::NAN };
        let bodies: Vec<BodyMetrics<D>> = (self.bodies.iter().enumerate())
            .map(|(index, body)| BodyMetrics {
                name: self.scenario.body_name(index),
                final_state: body.state,
                final_attitude: body.attitude,
                max_penetration: unless_left_out(asked.penetration, body.max_penetration),
                max_energy_gain: unless_left_out(asked.energy, body.max_energy_gain),
                max_error: errors.and_then(|errors| errors.get(index)).map(|error| error.position),
                max_turn_error: errors.and_then(|errors| errors.get(index)).and_then(|error| error.angle),
            })
            .collect();
        let deepest = self.bodies.iter().map(|body| body.max_penetration).fold(0.0, f64::max);
        let stop = |body: &BodyGauge<D>| body.rest.since().map(|k| self.scenario.time().at(k));
        let stops: Option<Vec<f64>> = self.bodies.iter().map(stop).collect();
        let alone = self.bodies.first().filter(|_| self.scenario.is_single_point());
        let poses = poses_complementarity(&self.honours);
        // The centre of mass of what moves: ramps and anvils stay, whatever their mass. Where nothing moves, of all.
        let all_fixed = self.scenario.bodies.iter().all(|body| body.fixed);
        let mass = |index: usize| {
            let body = &self.scenario.bodies[index];
            if body.fixed && !all_fixed { 0.0 } else { body.mass }
        };
        let moments = bodies.iter().enumerate().map(|(index, body)| body.final_state.position * mass(index));
        let total: f64 = (0..bodies.len()).map(mass).sum();
        Metrics {
            stop_time: stops.filter(|_| asked.rest).and_then(|stops| stops.into_iter().reduce(f64::max)),
            max_penetration: unless_left_out(asked.penetration, deepest),
            max_energy_gain: unless_left_out(asked.energy, self.max_energy_gain),
            max_complementarity: alone
                .filter(|_| poses && asked.complementarity)
                .map(|body| body.max_complementarity),
            // That there is one says that the scenario is a single point.
            force_noise: alone.map(|body| unless_left_out(asked.noise, body.noise.value())),
            max_rod_error: (!self.rods.is_empty()).then(|| unless_left_out(asked.rods, self.rods.worst)),
            max_error: bodies
                .iter()
                .filter_map(|body| body.max_error)
                .reduce(|largest, error| largest.sup(&error)),
            max_turn_error: bodies.iter().filter_map(|body| body.max_turn_error).reduce(f64::max),
            max_natural_map: (self.natural_map.1 && asked.natural_map).then_some(self.natural_map.0),
            final_center: match bodies.as_slice() {
                [only] => only.final_state.position,
                _ => moments.sum::<Vector<D>>() / total,
            },
            bodies,
        }
    }
}

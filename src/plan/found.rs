//! A plan that was found, in SI units: states, pushes and contacts of every step, and the scenario that plays it.

use super::{program::Program, pushed::Pushed, task::PlanTask, units::Units};
use crate::{
    scenario::{Partner, Scenario},
    stepper::ContactMode,
};

/// Loads and slips below this, in units of the plan, are none.
const NOTHING: f64 = 1e-6;

/// A motion under pushes that are held over steps.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundPlan {
    /// What was asked for, at the number of steps of this plan.
    pub task: PlanTask,
    /// Duration in s.
    pub duration: f64,
    /// Cost in SI units.
    pub cost: f64,
    /// States at `t_k`, `k = 0 ..= N`, of every body in the order of [`COMPONENTS`](super::COMPONENTS).
    pub states: Vec<Vec<[f64; 6]>>,
    /// Force in N and torque in N m of every control in every step.
    pub pushes: Vec<Vec<[f64; 3]>>,
    /// What every candidate does in every step.
    pub contacts: Vec<Vec<PlannedContact>>,
    /// Names of the candidates: the body and what it touches.
    pub candidates: Vec<(usize, Partner)>,
}

/// A candidate of contact over a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlannedContact {
    /// Gap in m at the end of the step, as the step has it: linear in the velocity.
    pub gap: f64,
    /// Normal force in N.
    pub normal: f64,
    /// Friction in N along the tangent `(n_z, -n_x)` on the first body.
    pub friction: f64,
    /// Speed of the slip in m/s at the end of the step.
    pub slip: f64,
    /// What it does.
    pub mode: ContactMode,
}

impl FoundPlan {
    /// The motion at a point of a program.
    pub fn of(program: &Program, x: &[f64]) -> Self {
        let (task, rows) = (&program.task, &program.rows);
        let layout = rows.layout();
        let bodies = task.scenario.bodies.len();
        let states = |local: &[f64], place: usize, velocity: usize| -> Vec<[f64; 6]> {
            let places = rows.places(&local[place..place + layout.freedom]);
            let velocities = rows.velocities(&local[velocity..velocity + layout.freedom]);
            (0..bodies)
                .map(|body| {
                    let [x, z, angle] = rows.of_body(&places, body);
                    let [vx, vz, spin] = rows.of_body(&velocities, body);
                    [x, z, angle, vx, vz, spin]
                })
                .collect()
        };
        let mut all = Vec::with_capacity(task.steps + 1);
        let (mut pushes, mut contacts) = (Vec::new(), Vec::new());
        let mut duration = task.duration[0];
        for k in 0..task.steps {
            let local = program.local(k, x);
            duration = local[layout.duration];
            if k == 0 {
                all.push(states(&local, layout.place, layout.velocity));
            }
            all.push(states(&local, layout.place_after, layout.velocity_after));
            let push = |control: usize| {
                [0, 1, 2].map(|part| local[layout.push + 3 * control + part] * rows.units.of_push(part))
            };
            pushes.push((0..task.controls.len()).map(push).collect());
            let force = rows.units.force;
            let contact = |(at, candidate): (&usize, &super::Candidate)| {
                let (load, gap) = (local[*at], local[at + 1]);
                let (friction, slip) = match candidate.friction > 0.0 {
                    true => (local[at + 2] * candidate.friction * load, local[at + 3] - local[at + 4]),
                    false => (0.0, 0.0),
                };
                let mode = match (load > NOTHING, slip.abs() > NOTHING || candidate.friction == 0.0) {
                    (false, _) => ContactMode::Open,
                    (true, true) => ContactMode::Slip,
                    (true, false) => ContactMode::Stick,
                };
                PlannedContact {
                    gap: gap * rows.units.length,
                    normal: load * force,
                    friction: friction * force,
                    slip: slip * rows.units.velocity,
                    mode,
                }
            };
            contacts.push(layout.contacts.iter().zip(&rows.candidates).map(contact).collect());
        }
        let candidates =
            rows.candidates.iter().map(|candidate| (candidate.first, candidate.second)).collect();
        let task = task.clone();
        Self { cost: program.cost(x), task, duration, states: all, pushes, contacts, candidates }
    }

    /// Length of a step in s.
    pub fn step(&self) -> f64 {
        self.duration / self.task.steps as f64
    }

    /// The scenario that plays the plan: its start, and a push over every step. Impacts of bodies that turn are taken as the
    /// plan takes them, in two stages.
    pub fn scenario(&self) -> Scenario<2> {
        self.scenario_in_steps(1)
    }

    /// The same in steps of which `parts` make one of the plan's, with the pushes held over the plan's steps.
    pub fn scenario_in_steps(&self, parts: usize) -> Scenario<2> {
        self.pushed().scenario_in_steps(parts)
    }

    /// Its pushes, and the states that they begin from.
    pub(super) fn pushed(&self) -> Pushed<'_> {
        Pushed { task: &self.task, duration: self.duration, start: &self.states[0], pushes: &self.pushes }
    }

    /// By how much every component of the goals is missed at these states, in SI units: body, component, miss.
    pub fn misses(&self, states: &[[f64; 6]]) -> Vec<(usize, usize, f64)> {
        let of_goal = |goal: &super::Goal| {
            let (body, target) = (goal.body, goal.target);
            (0..6).filter_map(move |component| {
                Some((body, component, states[body][component] - target[component]?))
            })
        };
        self.task.goals.iter().flat_map(of_goal).collect()
    }

    /// Whether nothing is pushed, though a goal that is part of the cost is missed: where no body is touched, to touch one a
    /// little changes nothing, so that this is a stationary point of the cost, whatever there is further away.
    pub fn stands_still(&self) -> bool {
        let units = Units::of(&self.task);
        let is_none = |push: &[f64; 3]| (0..3).all(|part| push[part].abs() <= NOTHING * units.of_push(part));
        let is_missed = |goal: &super::Goal| {
            let Some(weight) = goal.weight else { return false };
            let last = self.states.last().map_or([0.0; 6], |states| states[goal.body]);
            (0..6).any(|component| {
                let miss = goal.target[component].map_or(0.0, |target| last[component] - target);
                weight[component] > 0.0 && miss.abs() > NOTHING * units.of_component(component)
            })
        };
        !self.task.controls.is_empty()
            && self.pushes.iter().flatten().all(is_none)
            && self.task.goals.iter().any(is_missed)
    }

    /// Places where a disc pushes a face beyond its end, which is not what bodies do: step and candidate.
    pub fn off_face(&self, program: &Program) -> Option<(usize, usize)> {
        let place = |k: usize, body: usize| -> [f64; 3] { [0, 1, 2].map(|axis| self.states[k][body][axis]) };
        (0..self.task.steps).find_map(|k| {
            let off = |index: &usize| {
                let candidate = &program.rows.candidates[*index];
                let Some(second) = candidate.second_body() else { return false };
                let is_loaded = self.contacts[k][*index].mode != ContactMode::Open;
                is_loaded && candidate.inside_face(place(k, candidate.first), place(k, second)) < 0.0
            };
            (0..program.rows.candidates.len()).find(off).map(|index| (k, index))
        })
    }
}

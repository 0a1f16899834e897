//! Where solves start: straight to the goal, or from another motion, with noise.

use super::{
    found::FoundPlan,
    program::{Program, Slot},
    step_rows::Layout,
};
use crate::{model::Number, nlp::sparse::SparseNlp, random::Random};

/// Standard deviation of the noise on places and velocities, in units; on angles in rad.
const NOISE: f64 = 0.06;
/// Standard deviation of the pushes, in units.
const PUSH: f64 = 0.2;
/// Slips, in units.
const SLIP: f64 = 0.1;
/// How much numbers that are at least 0 vary, as a part of them.
const SPREAD: f64 = 0.2;

/// A start of a program: places straight to the goal (components that are open stay) and velocities their mean, both with
/// noise, random pushes, equal loads and no friction.
pub fn straight(program: &Program, random: &mut Random) -> Vec<f64> {
    perturbed(program, straight_way(program), random)
}

/// The variables `x` with noise on what they have at the end of every step, gaps after where that puts the bodies; the start
/// and the duration stay.
pub fn perturbed(program: &Program, mut x: Vec<f64>, random: &mut Random) -> Vec<f64> {
    let layout = program.rows.layout().clone();
    for k in 0..program.task.steps {
        let mut local = program.local(k, &x);
        for at in 0..layout.freedom {
            local[layout.place_after + at] += random.normal(NOISE);
            local[layout.velocity_after + at] += random.normal(NOISE);
        }
        local[layout.push..layout.velocity_after].iter_mut().for_each(|push| *push += random.normal(PUSH));
        perturb_contacts(program, &layout, &mut local, random);
        put(program, k, &local, &mut x);
    }
    settle(program, &mut x);
    x
}

/// The states in which the bodies begin the straight way, in SI units and the order of [`COMPONENTS`](super::COMPONENTS):
/// those of the task, what of them is free between its bounds.
pub(super) fn beginning(program: &Program) -> Vec<[f64; 6]> {
    let mut x = straight_way(program);
    settle(program, &mut x);
    FoundPlan::of(program, &x).states.swap_remove(0)
}

/// The straight way to the goal without noise: no pushes, equal loads, slips of one size; gaps are not set.
fn straight_way(program: &Program) -> Vec<f64> {
    let layout = program.rows.layout().clone();
    let task = &program.task;
    let duration = (task.duration[0] * task.duration[1]).sqrt();
    let [begin, way] = ways(program);
    let mut x = vec![0.0; program.variables()];
    let load = 1.0 / program.rows.candidates.len().max(1) as f64;
    for k in 0..task.steps {
        let share = (k + 1) as f64 / task.steps as f64;
        let mut local = program.local(k, &x);
        local[layout.duration] = duration;
        if k == 0 {
            local[layout.place..layout.place + layout.freedom].copy_from_slice(&begin);
            for at in 0..layout.freedom {
                local[layout.velocity + at] = mean(program, way[at], duration);
            }
        }
        for at in 0..layout.freedom {
            local[layout.place_after + at] = begin[at] + share * way[at];
            local[layout.velocity_after + at] = mean(program, way[at], duration);
        }
        for (at, candidate) in layout.contacts.iter().zip(&program.rows.candidates) {
            local[*at] = load;
            if candidate.friction > 0.0 {
                local[at + 3..at + 5].fill(SLIP);
            }
        }
        put(program, k, &local, &mut x);
    }
    x
}

/// Where the degrees of freedom begin and how far they have to go, in units.
fn ways(program: &Program) -> [Vec<f64>; 2] {
    let (task, rows) = (&program.task, &program.rows);
    let (mut begin, mut way) = (Vec::new(), Vec::new());
    for (body, own) in task.scenario.bodies.iter().enumerate() {
        let angle = super::state::angle_of(own);
        let given = [own.position[0], own.position[1], angle];
        for (axis, given) in given.into_iter().enumerate().take(rows.freedoms(body).len()) {
            let [low, high] = task.start[body][axis];
            let from = given.clamp(low, high);
            let goal = task.goals.iter().filter(|goal| goal.body == body).find_map(|goal| goal.target[axis]);
            let unit = rows.units.of_component(axis);
            begin.push(from / unit);
            way.push((goal.unwrap_or(from) - from) / unit);
        }
    }
    [begin, way]
}

/// The mean velocity of a way, in units of velocity.
fn mean(program: &Program, way: f64, duration: f64) -> f64 {
    // A rate of V/L turns by V/L per second, as a velocity of V goes V/L lengths per second.
    way / duration * program.rows.units.length / program.rows.units.velocity
}

fn perturb_contacts(program: &Program, layout: &Layout, local: &mut [f64], random: &mut Random) {
    let ends = program.rows.places(&local[layout.place_after..layout.place_after + layout.freedom]);
    for (at, candidate) in layout.contacts.iter().zip(&program.rows.candidates) {
        let mut about = |value: f64| value * random.uniform(1.0 - SPREAD, 1.0 + SPREAD);
        local[*at] = about(local[*at]);
        local[at + 1] = (program.rows.gap(candidate, &ends) / program.rows.units.length).max(0.0);
        if candidate.friction > 0.0 {
            local[at + 3] = about(local[at + 3]);
            local[at + 4] = about(local[at + 4]);
        }
    }
}

/// Writes the local variables of step `k` into those of all.
pub(super) fn put(program: &Program, k: usize, local: &[f64], x: &mut [f64]) {
    for (slot, value) in program.slots(k).iter().zip(local) {
        if let Slot::Variable(variable) = slot {
            x[*variable] = *value;
        }
    }
}

/// Brings every variable between its bounds, and the sizes of pushes to what they are.
pub(super) fn settle(program: &Program, x: &mut [f64]) {
    for (variable, value) in x.iter_mut().enumerate() {
        let [low, high] = program.bounds_of(variable);
        *value = value.max(low).min(high);
    }
    for [push, plus, minus] in program.sizes() {
        x[*plus] = x[*push].positive_part();
        x[*minus] = (-x[*push]).positive_part();
    }
}

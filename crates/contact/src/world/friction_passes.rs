//! Friction in the solves of a stage, where its coefficients depend on how the contacts slip.

use std::borrow::Cow;

use nalgebra::SVector;

use super::{Partner, StepProblem, Touch};
use crate::contact::{
    ContactProblem, FrictionPass, Held, Hold, Partition, Posing, Residuals, Solution, TOLERANCE, Yardstick,
};

/// Part of its approach in a step below which a contact neither presses nor slips.
pub const SLIGHT: f64 = 1e-6;

/// The same as a part of the largest approach of what it is joined to, which is what solvers leave of that.
const LEFT_OF_OTHERS: f64 = 10.0 * TOLERANCE;

/// Share of the friction that a contact can give at most, up to which it is held: by a law that lets it creep, or by a
/// polygon of friction that has no corner along the slip, and turns one there in the next step.
pub const HELD: f64 = 0.99;

/// How many times what a model of the tolerance [`TOLERANCE`] may leave of the rates of springs and rods counts as no slip.
const LEFT: f64 = 10.0;

/// Part of the speed that gravity gives in a step, up to which what slips under such a law creeps.
pub const CREEP: f64 = 1e-2;

/// How hard two that touch were pressed together at the end of a step, where their friction depends on how they slip.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pressed {
    /// The first body.
    pub first: usize,
    /// What it touches.
    pub second: Partner,
    /// `W_nn r_n` in m/s of the contact that carried most.
    pub speed: f64,
}

/// Where the slip is found that a contact slides by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SlipOf {
    /// At the start of the step.
    Start,
    /// In the solve of this number among the earlier ones of the stage, which released it.
    Solve(usize),
    /// In a solve that is not kept: that of some islands alone, whose contacts were found on the way.
    Lost,
}

/// How a contact was held in a solve whose friction depends on how it slips.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactHold {
    /// Which contact.
    pub contact: usize,
    /// Which friction acted.
    pub hold: Hold,
    /// Where its slip is from, if it slid.
    pub slip_of: SlipOf,
    /// The slip in m/s up to which it counted as at rest at the start of the step.
    pub zone: f64,
}

/// A solve after which a contact was held otherwise.
#[derive(Debug, Clone)]
pub struct EarlierSolve<const D: usize, const N: usize> {
    /// How contacts were held in it.
    pub holds: Vec<ContactHold>,
    /// What it found.
    pub solution: Solution<D, N>,
}

/// The solves of a stage, as far as friction depends on how contacts slip: what the numbers of its last one are from.
#[derive(Debug, Clone, Default)]
pub struct FrictionSolves<const D: usize, const N: usize> {
    /// How contacts were held in the last one, in the order of the contacts.
    pub holds: Vec<ContactHold>,
    /// Those before it.
    pub earlier: Vec<EarlierSolve<D, N>>,
}

impl<const D: usize, const N: usize> FrictionSolves<D, N> {
    fn clear(&mut self) {
        self.holds.clear();
        self.earlier.clear();
    }
}

/// The contacts of a stage whose friction has more than one coefficient.
#[derive(Debug, Clone, Default)]
pub(super) struct FrictionPasses<const D: usize, const N: usize> {
    contacts: Vec<Slipping<D>>,
    /// Those of the step before.
    pub pressed: Vec<Pressed>,
    yardstick: Yardstick,
    /// The solves of the stage that was solved last.
    solves: FrictionSolves<D, N>,
    /// Those of the first of two stages, once the problem is that of the second.
    solves_of_first: FrictionSolves<D, N>,
}

#[derive(Debug, Clone)]
struct Slipping<const D: usize> {
    /// Which contact it is.
    index: usize,
    /// The slip in m/s up to which it is at rest.
    zone: f64,
    /// As the stage begins.
    first: FrictionPass<D>,
    /// In the next solve.
    pass: FrictionPass<D>,
    /// Where the slip of the next solve is from.
    slip_of: SlipOf,
}

impl<const D: usize> Slipping<D> {
    /// How it is held in the next solve.
    fn hold(&self) -> ContactHold {
        let Self { index, zone, ref pass, slip_of, .. } = *self;
        ContactHold { contact: index, hold: pass.hold, slip_of, zone }
    }
}

impl<const D: usize, const N: usize> FrictionPasses<D, N> {
    /// Takes up the contacts of a step whose friction depends on how they slip; `velocities` are those of the bodies at
    /// its start. Their loads are those of the step before.
    pub fn take(&mut self, touches: &[Touch<D, N>], velocities: &[SVector<f64, N>], impact_speed: f64) {
        self.contacts.clear();
        self.solves.clear();
        self.solves_of_first.clear();
        for (index, touch) in touches.iter().enumerate() {
            let friction = touch.surface.friction;
            if friction.depends_on_slip() {
                let is_of =
                    |pressed: &&Pressed| (pressed.first, pressed.second) == (touch.first, touch.second);
                let load = self.pressed.iter().find(is_of).map_or(0.0, |pressed| pressed.speed);
                let zone = friction.rest_zone(impact_speed, load);
                let first = FrictionPass::first(&touch.slip(velocities), zone);
                self.contacts.push(Slipping { index, zone, first, pass: first, slip_of: SlipOf::Start });
            }
        }
    }

    /// Leaves these contacts with what they have.
    pub fn leave(&mut self, is_left: impl Fn(usize) -> bool) {
        self.contacts.retain(|contact| !is_left(contact.index));
    }

    /// Has the next solves be those of the second of two stages.
    pub fn enter_second_stage(&mut self) {
        self.solves_of_first = std::mem::take(&mut self.solves);
    }

    /// Has contact `index` be held as contact `old` is in `other`, where it was solved apart.
    pub fn take_hold(&mut self, index: usize, other: &Self, old: usize) {
        let own = self.contacts.binary_search_by_key(&index, |contact| contact.index);
        let old = other.contacts.binary_search_by_key(&old, |contact| contact.index);
        if let (Ok(own), Ok(old)) = (own, old) {
            let Slipping { pass, slip_of, .. } = other.contacts[old];
            let own = &mut self.contacts[own];
            own.pass = pass;
            own.slip_of = if slip_of == SlipOf::Start { slip_of } else { SlipOf::Lost };
        }
    }

    /// Keeps how contacts were held in the last solve of a stage.
    pub fn keep_holds(&mut self) {
        self.solves.holds.clear();
        self.solves.holds.extend(self.contacts.iter().map(Slipping::hold));
    }
}

/// Sets the friction of a contact that is held like this. Drilling shares its patch with sliding, and falls with it.
fn set_coefficient<const D: usize, const N: usize>(
    problem: &mut ContactProblem<D, N>,
    index: usize,
    touch: &Touch<D, N>,
    hold: Hold,
) {
    let law = touch.surface.friction;
    let coefficient = law.coefficient(hold);
    problem.contacts[index].friction = coefficient;
    if let Some(place) = problem.groups_of(index)
        && law.static_coefficient() > 0.0
    {
        problem.groups[place].torsional =
            touch.surface.turning.torsional * coefficient / law.static_coefficient();
    }
}

impl<const D: usize, const N: usize> StepProblem<D, N> {
    /// Sets the coefficients of the first solve of a stage. Whether there may be another one.
    pub(super) fn begin_friction(&mut self) -> bool {
        let Self { touches, contact: problem, passes, .. } = self;
        passes.solves.clear();
        for Slipping { index, first, pass, slip_of, .. } in &mut passes.contacts {
            (*pass, *slip_of) = (*first, SlipOf::Start);
            set_coefficient(problem, *index, &touches[*index], pass.hold);
        }
        !passes.contacts.is_empty()
    }

    /// The solves of the last stage, or of the `first` of two.
    pub fn friction_solves(&self, first: bool) -> &FrictionSolves<D, N> {
        if first { &self.passes.solves_of_first } else { &self.passes.solves }
    }

    /// The contact problem as a solve posed it in which contacts were held like that; `first` asks for that of the first of two
    /// stages.
    pub fn of_solve(&self, first: bool, holds: &[ContactHold]) -> Cow<'_, ContactProblem<D, N>> {
        let mut problem = self.with_biases(first);
        if !holds.is_empty() {
            let own = problem.to_mut();
            for held in holds {
                set_coefficient(own, held.contact, &self.touches[held.contact], held.hold);
            }
        }
        problem
    }

    /// Sets the coefficients that follow from a solve of a model that poses its contacts like that; whether there has to be
    /// another solve.
    pub(super) fn revise_friction(&mut self, solution: &Solution<D, N>, posing: Posing) -> bool {
        if self.passes.contacts.is_empty() {
            return false;
        }
        // What nothing joins to a contact says nothing of its slip.
        let mut partition = Partition::default();
        partition.divide(&self.contact);
        let approaches: Vec<f64> = (0..partition.contacts.len()).map(|index| self.approach(index)).collect();
        let mut fastest = vec![0.0_f64; partition.count];
        for (piece, approach) in partition.contacts.iter().zip(&approaches) {
            fastest[*piece] = fastest[*piece].max(*approach);
        }
        // A law that makes friction of a velocity has what it holds creep, and a corner that is pressed less creep with one
        // that is pressed harder, on all of its friction.
        let creep = if posing == Posing::Compliant { CREEP * self.contact.velocity_unit } else { 0.0 };
        let left = LEFT * TOLERANCE * self.largest_link_rate();
        let Self { touches, contact: problem, passes, .. } = self;
        let held: Vec<ContactHold> = passes.contacts.iter().map(Slipping::hold).collect();
        let number = passes.solves.earlier.len();
        let mut is_changed = false;
        for Slipping { index, pass, slip_of, .. } in &mut passes.contacts {
            let (touch, contact) = (&touches[*index], &problem.contacts[*index]);
            let response = problem.delassus_trace(contact) / D as f64;
            let slight =
                (SLIGHT * approaches[*index]).max(LEFT_OF_OTHERS * fastest[partition.contacts[*index]]);
            let after = touch.slip(&solution.velocity);
            let impulse = &solution.impulses[*index];
            let presses = response * impulse[0] > slight;
            let used = problem.friction_used(*index, solution);
            let is_held = pass.hold == Hold::Static && used < HELD * contact.friction * impulse[0];
            let slips = after.norm() > slight.max(creep).max(left * response.sqrt());
            if presses && !is_held && slips && pass.decide(&after) {
                *slip_of = SlipOf::Solve(number);
                set_coefficient(problem, *index, touch, pass.hold);
                is_changed = true;
            }
        }
        if is_changed {
            passes.solves.earlier.push(EarlierSolve { holds: held, solution: solution.clone() });
        }
        is_changed
    }

    /// The residuals of the last solve of a stage, each contact judged for sticking and for sliding; `None` where friction has one
    /// coefficient, or is made of a velocity.
    pub(super) fn judge_friction(&mut self, solution: &Solution<D, N>, posing: Posing) -> Option<Residuals> {
        let Self { touches, contact: problem, passes, .. } = self;
        if passes.contacts.is_empty() || posing == Posing::Compliant {
            return None;
        }
        let held = passes.contacts.iter().map(|Slipping { index, pass, .. }| Held {
            contact: *index,
            at_rest: touches[*index].surface.friction.static_coefficient(),
            is_static: pass.hold == Hold::Static,
        });
        let held: Vec<Held> = held.collect();
        passes.yardstick.set(problem);
        Some(passes.yardstick.residuals_of_branches(problem, solution, &held))
    }

    /// Keeps how hard contacts are pressed at the end of a step, by its solution at gap level, for the step after.
    pub(super) fn keep_loads(&mut self, solution: &Solution<D, N>) {
        let Self { touches, contact: problem, passes, closings, .. } = self;
        passes.pressed.clear();
        for Slipping { index, .. } in &passes.contacts {
            let (touch, contact) = (&touches[*index], &problem.contacts[*index]);
            let Some(impulse) = solution.impulses.get(*index) else { continue };
            // A blow is no load: two steps may share it, and it would be rest in the second.
            if closings[*index].hits() {
                continue;
            }
            let speed = problem.normal_response(contact) * impulse[0];
            let is_of =
                |pressed: &&mut Pressed| (pressed.first, pressed.second) == (touch.first, touch.second);
            match passes.pressed.iter_mut().find(is_of) {
                Some(pressed) => pressed.speed = pressed.speed.max(speed),
                None => passes.pressed.push(Pressed { first: touch.first, second: touch.second, speed }),
            }
        }
    }

    /// The largest rate of a rod or a spring without impulses, in the units of the residual: over the root of how much it
    /// answers to an impulse.
    fn largest_link_rate(&self) -> f64 {
        let problem = &self.contact;
        let rates = problem.links.iter().map(|link| {
            problem.link_rate(link, &problem.free_velocity).abs() / problem.link_response(link).sqrt()
        });
        rates.fold(0.0, f64::max)
    }
}

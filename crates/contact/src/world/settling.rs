//! A step solved again until its contacts are those of its way.

use std::collections::BTreeSet;

use nalgebra::SVector;

use super::{
    BodyPart, Certificate, Demands, Motion, StepProblem, Touch, World,
    certificate::Taken,
    passes::{Look, MOST_PASSES, Passage, Passes},
    time_stepper::{StepFailure, StepReport, stage},
    way::Way,
};
use crate::contact::{ContactModel, Partition, Posing, Solution};

/// The contacts of a step and their solution, on the way to those that its way needs.
#[derive(Debug, Default)]
pub(super) struct Settling<const D: usize, const N: usize> {
    passes: Passes<D, N>,
    /// Whether bodies have shapes, by which motions are judged.
    pub has_shapes: bool,
    /// Whether contacts are looked for along the way.
    pub looks_ahead: bool,
    /// Whether the motion has to be that of its contacts: they neither push across gaps nor give way.
    pub is_vouched_for: bool,
    /// What the last step did.
    pub passage: Passage,
    /// What moves together by its contacts, before and after their last change.
    islands: Partition,
    /// Whether its contacts were still changing after the last solve.
    is_unsettled: bool,
    /// What changed, as a problem by itself.
    part: StepProblem<D, N>,
    of_part: Solution<D, N>,
    /// The solves before, the first of which may come back; so many of them are of this step.
    solves: Vec<Solved<D, N>>,
    count: usize,
}

/// A problem that was solved, and its solution.
#[derive(Debug, Clone, Default)]
struct Solved<const D: usize, const N: usize> {
    problem: StepProblem<D, N>,
    solution: Solution<D, N>,
}

/// Whether a touch is one of these bodies.
fn is_of<const D: usize, const N: usize>(touch: &Touch<D, N>, bodies: &[bool]) -> bool {
    touch.bodies.iter().flatten().any(|body| bodies[*body])
}

impl<const D: usize, const N: usize> Settling<D, N> {
    /// Leaves to `problem`, as it was posed, the contacts to begin with.
    pub fn begin<W: World<D, N> + ?Sized>(
        &mut self,
        world: &W,
        motion: &Motion<W::Pose, N>,
        problem: &mut StepProblem<D, N>,
        demands: Demands,
    ) {
        self.passage = Passage { certificate: Some(Certificate::default()), ..Passage::default() };
        self.is_unsettled = false;
        self.count = 0;
        // Only bodies with shapes are judged by them. Compliant contacts carry across gaps and give way, so that neither the
        // gap at the end nor an overlap on the way says that they are wrong: what they let through is measured.
        self.has_shapes = world.bodies() > 0 && world.solid(BodyPart::whole(0)).is_some();
        self.looks_ahead = self.has_shapes && demands.acts_ahead;
        self.is_vouched_for = self.has_shapes && demands.posing == Posing::GapLevel;
        if self.has_shapes {
            self.passes.take_up(world, problem);
        }
        if self.looks_ahead && self.passes.leave_doubtful_out(world, motion, problem, demands.posing) {
            self.passes.write(true, &mut problem.touches);
            problem.pose_contacts(world, motion, demands);
        }
    }

    /// Solves `problem` again until its contacts are those of its way; `solution` is that of its first stage.
    ///
    /// # Errors
    /// [`StepFailure`] where a solve fails; problem and solution are then those of the solve before.
    pub fn settle<W: World<D, N> + ?Sized>(
        &mut self,
        model: &mut dyn ContactModel<D, N>,
        (problem, solution): (&mut StepProblem<D, N>, &mut Solution<D, N>),
        (world, motion): (&W, &Motion<W::Pose, N>),
        demands: Demands,
    ) -> Result<StepReport, StepFailure> {
        let mut report = StepReport::FREE;
        if !self.looks_ahead {
            return Ok(report);
        }
        let mut solved = Vec::new();
        // How often the contacts of each body changed: what goes on elsewhere in its island takes none of its passes.
        let mut passes = vec![0; world.bodies()];
        loop {
            let way = Way { world, motion, velocities: &solution.velocity, dt: problem.contact.time_step };
            let look = Look {
                way,
                problem,
                impulses: &solution.impulses,
                facings: &problem.facings,
                demands,
                solved: &solved,
            };
            let concerned = self.passes.look(&look, &mut self.passage);
            if concerned.is_empty() {
                break;
            }
            self.keep(problem, solution);
            let mut changed = self.take_changes((problem, world, motion), demands, &concerned);
            concerned.iter().for_each(|body| passes[*body] += 1);
            let at_end =
                concerned.iter().copied().filter(|body| changed[*body] && passes[*body] >= MOST_PASSES);
            let at_end: Vec<usize> = at_end.collect();
            if !at_end.is_empty() {
                self.passes.take_all(&self.islands.with(at_end.iter().copied()));
                self.is_unsettled = true;
                changed = self.take_changes((problem, world, motion), demands, &concerned);
            }
            let is_at_end = self.islands.with(at_end);
            solved =
                changed.iter().zip(&is_at_end).map(|(changed, is_at_end)| *changed && !is_at_end).collect();
            let solved_anew = if problem.contact.groups.is_empty() {
                self.solve_part(model, (problem, solution), (world, motion), demands, &changed)
            } else {
                // What resists turning is numbered anew with the contacts.
                self.passage.extra_solves += 1;
                solution.velocity.clone_from(&motion.velocities);
                solution.is_guess = false;
                stage(model, problem, solution, false)
            };
            match solved_anew {
                Ok(own) => report = report.and(&own),
                Err(failure) => {
                    let before = &self.solves[self.count - 1];
                    problem.touches.clone_from(&before.problem.touches);
                    problem.pose_contacts(world, motion, demands);
                    solution.clone_from(&before.solution);
                    return Err(failure);
                }
            }
            if !solved.contains(&true) {
                break;
            }
        }
        Ok(report)
    }

    /// Writes the contacts as they stand now. Gives which bodies are of an island, by these contacts and those before, that holds
    /// one of the `concerned`.
    fn take_changes<W: World<D, N> + ?Sized>(
        &mut self,
        (problem, world, motion): (&mut StepProblem<D, N>, &W, &Motion<W::Pose, N>),
        demands: Demands,
        concerned: &BTreeSet<usize>,
    ) -> Vec<bool> {
        self.passes.write(true, &mut problem.touches);
        problem.pose_contacts(world, motion, demands);
        let before = &self.solves[self.count - 1].problem.contact.contacts;
        self.islands.divide_joined(&problem.contact, before);
        self.islands.with(concerned.iter().copied())
    }

    /// Keeps what was solved, before it changes.
    fn keep(&mut self, problem: &StepProblem<D, N>, solution: &Solution<D, N>) {
        if self.solves.len() == self.count {
            self.solves.push(Solved::default());
        }
        let kept = &mut self.solves[self.count];
        kept.problem.clone_from(problem);
        kept.solution.clone_from(solution);
        self.count += 1;
    }

    /// The solves of the last step before its last one, by whose ways its contacts were found.
    pub fn ways(&self) -> impl Iterator<Item = (&StepProblem<D, N>, &Solution<D, N>)> {
        self.solves[..self.count].iter().map(|solved| (&solved.problem, &solved.solution))
    }

    /// Solves the islands of these bodies anew, and leaves the others as they were.
    fn solve_part<W: World<D, N> + ?Sized>(
        &mut self,
        model: &mut dyn ContactModel<D, N>,
        (problem, solution): (&mut StepProblem<D, N>, &mut Solution<D, N>),
        (world, motion): (&W, &Motion<W::Pose, N>),
        demands: Demands,
        bodies: &[bool],
    ) -> Result<StepReport, StepFailure> {
        let Self { part, of_part, solves, count, passage, .. } = self;
        let (first, before) = (&solves[0], &solves[*count - 1]);
        let places: Vec<usize> =
            (0..problem.touches.len()).filter(|place| is_of(&problem.touches[*place], bodies)).collect();
        // What did not change comes in the same order in both.
        let mut kept =
            (0..before.problem.touches.len()).filter(|place| !is_of(&before.problem.touches[*place], bodies));
        solution.impulses.clear();
        solution.impulses.resize(problem.touches.len(), SVector::zeros());
        for place in (0..problem.touches.len()).filter(|place| !is_of(&problem.touches[*place], bodies)) {
            if let Some(old) = kept.next() {
                solution.impulses[place] = before.solution.impulses[old];
                problem.contact.contacts[place] = before.problem.contact.contacts[old];
                problem.passes.take_hold(place, &before.problem.passes, old);
            }
        }
        let links: Vec<usize> = (0..problem.contact.links.len())
            .filter(|link| problem.contact.links[*link].bodies.iter().flatten().any(|body| bodies[*body]))
            .collect();
        let places_of_first: Vec<usize> = (0..first.problem.touches.len())
            .filter(|place| is_of(&first.problem.touches[*place], bodies))
            .collect();
        let is_first = places.len() == places_of_first.len()
            && places
                .iter()
                .zip(&places_of_first)
                .all(|(own, old)| problem.touches[*own] == first.problem.touches[*old]);
        if is_first {
            for (own, old) in places.iter().zip(&places_of_first) {
                solution.impulses[*own] = first.solution.impulses[*old];
                problem.contact.contacts[*own] = first.problem.contact.contacts[*old];
                problem.passes.take_hold(*own, &first.problem.passes, *old);
            }
            problem.passes.keep_holds();
            for body in (0..bodies.len()).filter(|body| bodies[*body]) {
                solution.velocity[body] = first.solution.velocity[body];
            }
            for link in links {
                solution.link_impulses[link] = first.solution.link_impulses[link];
            }
            return Ok(StepReport::FREE);
        }
        part.contact.time_step = problem.contact.time_step;
        part.contact.velocity_unit = problem.contact.velocity_unit;
        part.contact.inverse_mass.clone_from(&problem.contact.inverse_mass);
        part.contact.free_velocity.clone_from(&problem.contact.free_velocity);
        part.driven.clone_from(&problem.driven);
        part.passes.pressed.clone_from(&problem.passes.pressed);
        part.contact.links.clear();
        part.contact.links.extend(links.iter().map(|link| problem.contact.links[*link]));
        part.touches.clear();
        part.touches.extend(places.iter().map(|place| problem.touches[*place].clone()));
        part.pose_contacts(world, motion, demands);
        of_part.velocity.clone_from(&motion.velocities);
        of_part.is_guess = false;
        let report = if places.is_empty() && links.is_empty() {
            of_part.velocity.clone_from(&part.contact.free_velocity);
            of_part.prepare(0, 0);
            StepReport::FREE
        } else {
            passage.extra_solves += 1;
            stage(model, part, of_part, false)?
        };
        for body in (0..bodies.len()).filter(|body| bodies[*body]) {
            solution.velocity[body] = of_part.velocity[body];
        }
        let of_part_alone = of_part.impulses.iter().zip(&part.contact.contacts);
        for (old, (place, (impulse, contact))) in places.iter().zip(of_part_alone).enumerate() {
            solution.impulses[*place] = *impulse;
            problem.contact.contacts[*place] = *contact;
            problem.passes.take_hold(*place, &part.passes, old);
        }
        problem.passes.keep_holds();
        for (link, impulse) in links.iter().zip(&of_part.link_impulses) {
            solution.link_impulses[*link] = *impulse;
        }
        Ok(report)
    }

    /// Whether some contacts bound the way of the step and nothing else.
    pub fn has_bounds(&self) -> bool {
        self.looks_ahead && self.passes.has_bounds()
    }

    /// Leaves those to `problem` that do more than that.
    pub fn leave_out_bounds<W: World<D, N> + ?Sized>(
        &self,
        problem: &mut StepProblem<D, N>,
        (world, motion): (&W, &Motion<W::Pose, N>),
        demands: Demands,
    ) {
        self.passes.write(false, &mut problem.touches);
        problem.pose_contacts(world, motion, demands);
    }

    /// The bodies whose way some contacts bound and do nothing else.
    pub fn bounded(&self) -> impl Iterator<Item = usize> + '_ {
        self.passes.bounded()
    }

    /// The bodies that run into something at these velocities, of those that `may`, and into which.
    pub fn what_runs_into<W: World<D, N> + ?Sized>(
        &self,
        problem: &StepProblem<D, N>,
        (world, motion): (&W, &Motion<W::Pose, N>),
        velocities: &[SVector<f64, N>],
        demands: Demands,
        may: impl Fn(usize) -> bool,
    ) -> Vec<usize> {
        if !self.looks_ahead {
            return Vec::new();
        }
        let way = Way { world, motion, velocities, dt: problem.contact.time_step };
        let facings = &problem.facings;
        let look = Look { way, problem, impulses: &[], facings, demands, solved: &[] };
        self.passes.what_runs_into(&look, may)
    }

    /// What the motion of the step that was taken says of its contacts, whatever model took it.
    pub fn certify<W: World<D, N> + ?Sized>(&self, step: &Taken<'_, W, D, N>) -> Certificate {
        Certificate { is_unsettled: self.is_unsettled, ..self.passes.certify(step) }
    }
}

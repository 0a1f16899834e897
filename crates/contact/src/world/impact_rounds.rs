//! Impacts of several contacts, one pair of bodies after the other.

use nalgebra::{DMatrix, Matrix3, SMatrix, SVector, Vector3};

use super::{
    ImpactFriction, ImpactReport, JointDirections, Partner, PlanarImpact, SpatialImpact, StepProblem, Touch,
    energy_cap::{Kept, NewtonImpact},
    time_stepper::{StepFailure, StepReport, solve},
};
use crate::{
    contact::{ContactModel, Partition, Piece, Solution},
    rows,
};

/// Part of a speed by which two that close as fast may differ, and of a body's reach by which places have to.
const ALIKE: f64 = 1e-6;

/// Of the largest eigenvalue of a response, what counts as none.
const SINGULAR: f64 = 1e-9;

/// Blows of a piece in a step.
const MOST_ROUNDS: u32 = 400;

/// One of the blows of a step.
#[derive(Debug, Clone, PartialEq)]
pub struct Blow<const D: usize> {
    /// The contacts that strike at once, by their numbers in the step.
    pub contacts: Vec<usize>,
    /// The impulse of each in N s.
    pub impulses: Vec<SVector<f64, D>>,
    /// What was kept of the rebounds of those that strike at once.
    pub kept: Kept,
}

impl<const D: usize> Blow<D> {
    /// The contacts with their impulses.
    pub fn by_contact(&self) -> impl Iterator<Item = (usize, SVector<f64, D>)> + '_ {
        self.contacts.iter().copied().zip(self.impulses.iter().copied())
    }
}

/// The impacts of a step in which bodies turn, as blows that follow each other.
///
/// The contact that closes fastest strikes first, together with those of the same two bodies that close as well: a box that
/// lands flat has no corner that is first. A blow of one contact is followed over its normal impulse; one of several is that
/// of Newton's law, with no more energy than before. What closes then by it strikes next. Joints act with each blow. The
/// blows are over before forces do anything: what they leave is given to the solve of the step.
#[derive(Debug, Default)]
pub(super) struct ImpactRounds<const D: usize, const N: usize> {
    partition: Partition,
    /// The impulse `R` that each contact has given; empty where nothing was followed.
    pub impulses: Vec<SVector<f64, D>>,
    /// What it is made of, blow by blow; those of one piece after those of another.
    pub blows: Vec<Blow<D>>,
    /// The velocities against which the work of the contacts counts: those before the step, where joints allow them, less what makes up
    /// for their turn.
    pub start: Vec<SVector<f64, N>>,
    /// The free velocities of the step without them.
    free: Vec<SVector<f64, N>>,
}

/// The bodies of a piece between two blows.
struct Bodies<const D: usize, const N: usize> {
    piece: Piece<D, N>,
    velocity: Vec<SVector<f64, N>>,
    /// The inverse of `L M^-1 L' + compliance`, by which links answer to a blow.
    links: Option<DMatrix<f64>>,
    /// What rigid joints do to the velocities before and behind the blows.
    directions: Option<JointDirections<N>>,
}

impl<const D: usize, const N: usize> ImpactRounds<D, N> {
    /// Nothing is followed.
    pub fn clear(&mut self) {
        self.impulses.clear();
        self.blows.clear();
    }

    /// Follows the impacts of bodies that turn, from their velocities `before` the step, among the contacts that are closed
    /// after a first stage that ended with the velocities `closed`. Free velocities and biases of `problem`, which is in its
    /// second stage, become those of what is left to solve; [`ImpactRounds::leave`] takes that back.
    pub fn follow(
        &mut self,
        model: &mut dyn ContactModel<D, N>,
        problem: &mut StepProblem<D, N>,
        [before, closed]: [&[SVector<f64, N>]; 2],
    ) -> StepReport {
        let Self { partition, impulses, blows, start, free } = self;
        let (mut report, mut impact) = (StepReport::FREE, ImpactReport::default());
        partition.divide(&problem.contact);
        let mut contacts = vec![Vec::new(); partition.count];
        let mut links = vec![Vec::new(); partition.count];
        let mut is_followed = vec![false; partition.count];
        for (contact, &piece) in partition.contacts.iter().enumerate() {
            if problem.takes_part(contact, closed) {
                contacts[piece].push(contact);
            }
            is_followed[piece] |= problem.is_hit(contact) && problem.touches[contact].turns;
        }
        if !is_followed.contains(&true) {
            return report;
        }
        for (link, &piece) in partition.links.iter().enumerate() {
            // What gives a bounded force, as dry friction in a joint, gives no impulse in no time.
            if !problem.contact.links[link].is_bounded() {
                links[piece].push(link);
            }
        }
        problem.begin_friction();
        free.clone_from(&problem.contact.free_velocity);
        start.clear();
        start.extend_from_slice(before);
        impulses.resize(problem.touches.len(), SVector::zeros());
        for (contacts, links) in
            contacts.into_iter().zip(links).zip(is_followed).filter_map(|(of, is)| is.then_some(of))
        {
            let mut bodies = Bodies::of(Piece::of(&problem.contact, contacts, links), problem, before);
            bodies.write_start(start);
            let mut rounds = 0;
            'rounds: while let Some(groups) = bodies.closing(problem) {
                if rounds == MOST_ROUNDS {
                    impact.is_ended = false;
                    break;
                }
                rounds += 1;
                for group in groups {
                    // What still closes behind a blow without a solution is left to the solve of the step, as after too many.
                    let Ok((struck, blow)) = bodies.strike(model, &problem.touches, &group) else {
                        impact.is_ended = false;
                        break 'rounds;
                    };
                    report = report.and(&struck);
                    for (contact, impulse) in blow.by_contact() {
                        impulses[contact] += impulse;
                    }
                    blows.push(blow);
                }
            }
            impact.rounds = impact.rounds.max(rounds);
            for (own, &contact) in bodies.piece.contacts.iter().enumerate() {
                let is_struck = impulses[contact][0] > 0.0;
                problem.follow_rebound(contact, is_struck.then(|| bodies.opening(own)));
                let ends = problem.touches[contact].bodies.iter().zip(&problem.touches[contact].jacobian);
                for (body, jacobian) in ends {
                    if let Some(body) = *body {
                        let change = rows::transposed_times(jacobian, &impulses[contact]);
                        problem.contact.free_velocity[body] += problem.contact.inverse_mass[body] * change;
                    }
                }
            }
        }
        report.and(&StepReport { impact: Some(impact), ..StepReport::FREE })
    }

    /// Has the problem and its solution be those of the step, the blows among its impulses.
    pub fn leave(&mut self, problem: &mut StepProblem<D, N>, solution: &mut Solution<D, N>) {
        if self.impulses.is_empty() {
            return;
        }
        problem.contact.free_velocity.clone_from(&self.free);
        for (contact, given) in self.impulses.iter().enumerate() {
            if let Some(impulse) = solution.impulses.get_mut(contact) {
                *impulse += given;
            }
            if given[0] > 0.0 && solution.velocity.len() == problem.contact.bodies() {
                problem.leave_with(contact, &solution.velocity);
            }
        }
    }
}

impl<const D: usize, const N: usize> Bodies<D, N> {
    fn of(mut piece: Piece<D, N>, step: &StepProblem<D, N>, before: &[SVector<f64, N>]) -> Self {
        for contact in &mut piece.problem.contacts {
            contact.bias = 0.0;
        }
        let mut velocity: Vec<_> = piece.bodies.iter().map(|body| before[*body]).collect();
        let links = (!piece.links.is_empty()).then(|| piece.problem.link_elimination());
        let directions = step.joint_directions(&piece.problem, |own| piece.links[own], &velocity);
        if let Some(directions) = &directions {
            velocity = directions.start(&velocity);
        }
        Self { piece, velocity, links, directions }
    }

    /// What makes up for the turn of the joints, of each body.
    fn made_up(&self, own: usize) -> SVector<f64, N> {
        self.directions.as_ref().map_or_else(SVector::zeros, |directions| directions.made_up.0[own])
    }

    /// Writes against which velocities the work of the contacts counts, before any blow.
    fn write_start(&self, start: &mut [SVector<f64, N>]) {
        for (own, body) in self.piece.bodies.iter().enumerate() {
            start[*body] = self.velocity[own] - self.made_up(own);
        }
    }

    /// How fast a contact opens behind the blows, once the turn of the joints is made up for.
    fn opening(&self, own: usize) -> f64 {
        let contact = &self.piece.problem.contacts[own];
        let ends = contact.bodies.iter().zip(&contact.jacobian);
        let made_up = ends.filter_map(|(body, rows)| Some((rows.row(0) * self.made_up((*body)?))[0]));
        self.relative_velocity(own)[0] + made_up.sum::<f64>()
    }

    fn relative_velocity(&self, own: usize) -> SVector<f64, D> {
        self.piece.problem.relative_velocity(&self.piece.problem.contacts[own], &self.velocity)
    }

    /// The contacts that strike next: the one that closes fastest, those that close as fast elsewhere, so that what is
    /// symmetric stays so whatever comes first in the file, and the others of the same two bodies that close. Those of bodies
    /// that no joint and no other such contact connects answer to nothing of each other, and are groups of their own.
    fn closing(&self, problem: &StepProblem<D, N>) -> Option<Vec<Vec<usize>>> {
        let Self { piece, .. } = self;
        let strikes = |own: &usize, normal: f64| problem.closings[piece.contacts[*own]].strikes_at(normal);
        let normal = |own: usize| self.relative_velocity(own)[0];
        let closing = (0..piece.contacts.len()).map(|own| (own, normal(own)));
        let closing: Vec<_> = closing.filter(|(own, normal)| strikes(own, *normal)).collect();
        let (fastest, most) = *closing.iter().min_by(|first, second| first.1.total_cmp(&second.1))?;
        let touch = |own: usize| &problem.touches[piece.contacts[own]];
        let mut struck = vec![fastest];
        for (own, _) in closing.iter().filter(|(_, normal)| *normal <= most * (1.0 - ALIKE)) {
            let is_elsewhere = |other: &usize| {
                (touch(*own).point - touch(*other).point).norm()
                    > ALIKE * touch(*own).reach.max(touch(*other).reach)
            };
            if struck.iter().all(is_elsewhere) {
                struck.push(*own);
            }
        }
        let pairs: Vec<_> = struck.iter().map(|own| pair_of(touch(*own))).collect();
        let struck = closing.iter().map(|(own, _)| *own).filter(|own| pairs.contains(&pair_of(touch(*own))));
        let struck: Vec<usize> = struck.collect();
        let mut partition = Partition::default();
        partition.divide_among(&piece.problem, &struck);
        let mut groups = vec![Vec::new(); partition.count];
        for (own, group) in struck.into_iter().zip(&partition.contacts) {
            groups[*group].push(own);
        }
        groups.retain(|group| !group.is_empty());
        Some(groups)
    }

    /// Lets a group of contacts strike.
    fn strike(
        &mut self,
        model: &mut dyn ContactModel<D, N>,
        touches: &[Touch<D, N>],
        group: &[usize],
    ) -> Result<(StepReport, Blow<D>), StepFailure> {
        let [own] = *group else {
            return self.strike_by_newton(model, group);
        };
        let response = self.response(own);
        // What joints leave one way to go sticks and slips at once, and no impulse along its surface is its own.
        if self.links.is_some() && is_singular(&response) {
            return self.strike_by_newton(model, group);
        }
        let contact = self.piece.contacts[own];
        let velocity = self.relative_velocity(own);
        let friction = touches[contact].surface.friction;
        let slip = velocity.rows_range(1..).norm();
        let friction = ImpactFriction::each(|hold| friction.coefficient(hold), slip);
        let restitution = self.piece.problem.contacts[own].restitution;
        let impulse = impulse_of_one(&response, &velocity, friction, restitution);
        let (changes, _) = self.piece.problem.answer(self.links.as_ref(), [(own, impulse)]);
        for (velocity, change) in self.velocity.iter_mut().zip(changes) {
            *velocity += change;
        }
        Ok((StepReport::FREE, Blow { contacts: vec![contact], impulses: vec![impulse], kept: Kept::WHOLE }))
    }

    /// Lets contacts strike at once.
    fn strike_by_newton(
        &mut self,
        model: &mut dyn ContactModel<D, N>,
        group: &[usize],
    ) -> Result<(StepReport, Blow<D>), StepFailure> {
        let whole = &mut self.piece.problem;
        whole.free_velocity.clone_from(&self.velocity);
        let mut struck = Piece::of(whole, group.to_vec(), (0..whole.links.len()).collect());
        // Joints answer to the blow alone; what else they have to do is left to the step.
        for index in 0..struck.problem.links.len() {
            let rate = struck.problem.links[index].rate(&struck.problem.free_velocity);
            struck.problem.links[index].bias = -rate;
        }
        let problem = &mut struck.problem;
        let relative = |contact| problem.relative_velocity(contact, &problem.free_velocity);
        let start: Vec<_> = problem.contacts.iter().map(relative).collect();
        for (contact, start) in problem.contacts.iter_mut().zip(&start) {
            contact.bias = contact.restitution * start[0];
        }
        let rebounds: Vec<f64> = problem.contacts.iter().map(|contact| contact.bias).collect();
        let mut solution = Solution { velocity: problem.free_velocity.clone(), ..Solution::default() };
        let report = solve(model, problem, &mut solution, true)?;
        let given = vec![SVector::zeros(); start.len()];
        let newton =
            NewtonImpact { problem, start: &start, start_turning: &[], given: &given, rebounds: &rebounds };
        let capped = newton.cap(model, &mut solution)?;
        for (body, velocity) in struck.bodies.iter().zip(&solution.velocity) {
            self.velocity[*body] = *velocity;
        }
        let contacts = group.iter().map(|own| self.piece.contacts[*own]).collect();
        let impact = Some(ImpactReport { share: capped.kept.share, ..ImpactReport::default() });
        let report = report.and(&StepReport { impact, ..capped.report });
        Ok((report, Blow { contacts, impulses: solution.impulses, kept: capped.kept }))
    }

    /// `W` of a contact, links included.
    fn response(&self, own: usize) -> SMatrix<f64, D, D> {
        let problem = &self.piece.problem;
        let contact = &problem.contacts[own];
        if self.links.is_none() {
            return problem.own_delassus(contact);
        }
        let mut response = SMatrix::<f64, D, D>::zeros();
        for axis in 0..D {
            let unit = SVector::from_fn(|i, _| f64::from(i == axis));
            let (changes, _) = problem.answer(self.links.as_ref(), [(own, unit)]);
            for (body, jacobian) in contact.bodies.iter().zip(&contact.jacobian) {
                if let Some(body) = *body {
                    let mut column = response.column_mut(axis);
                    column += rows::times(jacobian, &changes[body]);
                }
            }
        }
        response
    }
}

/// Whether some impulse changes nothing, but for rounding.
fn is_singular<const D: usize>(response: &SMatrix<f64, D, D>) -> bool {
    let values = DMatrix::from_iterator(D, D, response.iter().copied()).symmetric_eigenvalues();
    values.amin() <= SINGULAR * values.amax()
}

/// The impulse of a contact by itself.
fn impulse_of_one<const D: usize>(
    response: &SMatrix<f64, D, D>,
    velocity: &SVector<f64, D>,
    friction: ImpactFriction,
    restitution: f64,
) -> SVector<f64, D> {
    if D == 2 {
        let impact = PlanarImpact {
            response: [response[(0, 0)], response[(1, 0)], response[(1, 1)]],
            velocity: [velocity[0], velocity[1]],
            friction,
            restitution,
        };
        return SVector::from_column_slice(&impact.impulse());
    }
    let response = Matrix3::from_fn(|i, j| response[(i, j)]);
    let velocity = Vector3::from_fn(|i, _| velocity[i]);
    let impact = SpatialImpact { response, velocity, friction, restitution };
    SVector::from_column_slice(impact.impulse().as_slice())
}

/// Two bodies that touch, each wall and the ground one of its own.
fn pair_of<const D: usize, const N: usize>(touch: &Touch<D, N>) -> [Partner; 2] {
    let mut pair = [Partner::Body(touch.first), touch.second];
    pair.sort_unstable();
    pair
}

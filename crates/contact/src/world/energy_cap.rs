//! A cap on what an impact may do: it makes no energy.

use nalgebra::SVector;

use super::{
    ImpactReport, SLIGHT, StepProblem,
    time_stepper::{StepFailure, StepReport, solve},
};
use crate::contact::{
    Accuracy, Contact, ContactModel, ContactProblem, LawSolved, Partition, Piece, Report, Solution,
    TOLERANCE, Yardstick, friction_cone::tangential_norm,
};

/// Work that is none, in units of the impulses times the velocities before the impact.
const NO_WORK: f64 = 1e-9;

/// What the velocities and impulses that are kept may miss of complementarity and friction, in the same units.
const LOSS: f64 = 1e-7;

/// Solves with a reduced rebound, beyond that without one.
const MOST_SOLVES: u32 = 6;

/// What a capped impact may miss of its law, relative to the velocities before it.
const KEPT: f64 = 1e-6;

/// Holds impacts to the work that they may do, piece by piece.
#[derive(Debug, Default)]
pub(super) struct EnergyCap<const D: usize> {
    partition: Partition,
    /// The relative velocities of the contacts at the start of the step.
    start: Vec<SVector<f64, D>>,
    /// The relative angular velocities of what resists turning at the start of the step, in the order of its entries.
    start_turning: Vec<SVector<f64, 3>>,
    of_pieces: Vec<OfPiece>,
    held: Vec<HeldImpact>,
}

/// An impact with rebounds, among contacts of bodies that move together, that was held to the work that it may do.
#[derive(Debug, Clone, PartialEq)]
pub struct HeldImpact {
    /// Its contacts, by their numbers in the step.
    pub contacts: Vec<usize>,
    /// What was kept of its rebounds.
    pub kept: Kept,
}

/// What was kept of the rebounds of an impact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kept {
    /// The share of them, 1 where they are whole.
    pub share: f64,
    /// Whether the impact is that of its law with these rebounds and does no work, as far as they are not whole: neither a
    /// combination of two others, nor work that forces do within the step.
    pub is_of_law: bool,
}

impl Kept {
    /// All of them.
    pub const WHOLE: Self = Self { share: 1.0, is_of_law: true };

    /// Whether they were reduced.
    pub fn is_reduced(&self) -> bool {
        self.share < 1.0
    }
}

/// What an impact does to the bodies of a piece.
#[derive(Debug, Clone, Copy, Default)]
struct OfPiece {
    /// Whether some contact of it hits.
    is_hit: bool,
    /// Whether some contact of it is to rebound.
    rebounds: bool,
    /// The largest normal impulse.
    largest: f64,
    /// How many contacts carry more than a slight part of it.
    carrying: usize,
    work: f64,
    /// Impulses times velocities.
    unit: f64,
}

impl OfPiece {
    fn makes_energy(&self) -> bool {
        self.rebounds && self.work > NO_WORK * self.unit
    }
}

impl<const D: usize> EnergyCap<D> {
    /// Nothing is held.
    pub fn clear(&mut self) {
        self.held.clear();
    }

    /// The impacts with rebounds of the last step.
    pub fn held(&self) -> &[HeldImpact] {
        &self.held
    }

    /// Reduces the rebounds of those pieces of `problem` whose impact, by this `solution`, makes energy; `before` are the
    /// velocities at the start of the step, and `given` the impulses that have acted already, none if it is empty.
    ///
    /// # Errors
    /// [`StepFailure`] where an impact has no solution without its rebounds.
    pub fn cap<const N: usize>(
        &mut self,
        model: &mut dyn ContactModel<D, N>,
        (problem, solution): (&mut StepProblem<D, N>, &mut Solution<D, N>),
        before: &[SVector<f64, N>],
        given: &[SVector<f64, D>],
    ) -> Result<StepReport, StepFailure> {
        let (mut report, mut impact) = (StepReport::FREE, ImpactReport::default());
        let Self { partition, start, start_turning, of_pieces, held } = self;
        partition.divide(&problem.contact);
        start.clear();
        start.extend(problem.touches.iter().map(|touch| touch.relative_velocity(before)));
        start_turning.clear();
        start_turning.extend((0..problem.contact.groups.len()).map(|own| problem.contact.spin(own, before)));
        of_pieces.clear();
        of_pieces.resize(partition.count, OfPiece::default());
        let already = |contact: usize| given.get(contact).copied().unwrap_or_else(SVector::zeros);
        for (contact, piece) in partition.contacts.iter().enumerate() {
            let impulse = solution.impulses[contact] + already(contact);
            let after = problem.touches[contact].relative_velocity(&solution.velocity);
            let of_piece = &mut of_pieces[*piece];
            of_piece.is_hit |= problem.is_hit(contact);
            of_piece.rebounds |= problem.is_hit(contact) && problem.contact.contacts[contact].bias < 0.0;
            of_piece.largest = of_piece.largest.max(impulse[0]);
            of_piece.work += 0.5 * impulse.dot(&(start[contact] + after));
            of_piece.unit += impulse.norm() * start[contact].norm();
        }
        for (place, (own, torque)) in problem.contact.groups.iter().zip(&solution.turning).enumerate() {
            let after = problem.contact.spin(place, &solution.velocity);
            of_pieces[partition.contacts[own.contact]].work +=
                0.5 * torque.dot(&(start_turning[place] + after));
        }
        for (contact, piece) in partition.contacts.iter().enumerate() {
            let of_piece = &mut of_pieces[*piece];
            let normal = solution.impulses[contact][0] + already(contact)[0];
            of_piece.carrying += usize::from(normal > SLIGHT * of_piece.largest);
        }
        impact.several = of_pieces.iter().any(|piece| piece.is_hit && piece.carrying > 1);
        for number in (0..partition.count).filter(|piece| of_pieces[*piece].rebounds) {
            let of = |pieces: &[usize]| (0..pieces.len()).filter(|own| pieces[*own] == number).collect();
            if !of_pieces[number].makes_energy() {
                held.push(HeldImpact { contacts: of(&partition.contacts), kept: Kept::WHOLE });
                continue;
            }
            let mut piece = Piece::of(&problem.contact, of(&partition.contacts), of(&partition.links));
            let rebound = |contact: &usize| match problem.is_hit(*contact) {
                true => problem.contact.contacts[*contact].bias,
                false => 0.0,
            };
            let rebounds: Vec<f64> = piece.contacts.iter().map(rebound).collect();
            let start: Vec<_> = piece.contacts.iter().map(|contact| start[*contact]).collect();
            let given: Vec<_> = piece.contacts.iter().map(|contact| already(*contact)).collect();
            let spins: Vec<_> = piece.groups.iter().map(|place| start_turning[*place]).collect();
            let mut own = piece.of_solution(solution);
            let newton = NewtonImpact {
                problem: &mut piece.problem,
                start: &start,
                start_turning: &spins,
                given: &given,
                rebounds: &rebounds,
            };
            let capped = newton.cap(model, &mut own)?;
            report = report.and(&capped.report);
            // Behind blows that were followed, what was left to ask for may be next to nothing of the rebound.
            let kept = match given.iter().any(|given| given[0] > 0.0) {
                true => {
                    let of_contact = |(contact, bias): (&Contact<D, N>, &f64)| {
                        piece.problem.relative_velocity(contact, &own.velocity)[0] / -bias
                    };
                    let asked = piece.problem.contacts.iter().zip(&rebounds).filter(|(_, bias)| **bias < 0.0);
                    asked.map(of_contact).fold(1.0, f64::min).max(capped.kept.share)
                }
                false => capped.kept.share,
            };
            impact.share = impact.share.min(kept);
            piece.write(&own, solution);
            problem.reduce_rebounds(&piece.contacts, capped.kept.share);
            held.push(HeldImpact { contacts: piece.contacts, kept: capped.kept });
        }
        Ok(StepReport { impact: Some(impact), ..report })
    }
}

/// An impact by Newton's law of restitution, the rebounds of which may be reduced.
///
/// The bodies gain `work(r) = 1/2 sum r_i . (u_k,i + u+_i)` of kinetic energy by the impulses `r_i` of contacts with the
/// relative velocities `u_k` before and `u+` after. With Newton's law and friction, or where a third body touches, that may
/// be more than 0. Without rebounds it is not, whatever the cone and however many contacts there are: `r . u+ <= 0` by
/// complementarity and the direction of friction, and `1/2 r . (u_k + u+) = r . u+ - 1/2 r' W r` where nothing but the
/// contacts acts. What forces do within the step is left to them.
pub(super) struct NewtonImpact<'a, const D: usize, const N: usize> {
    /// The problem with the full rebounds.
    pub problem: &'a mut ContactProblem<D, N>,
    /// `u_k` of each contact, without a bias.
    pub start: &'a [SVector<f64, D>],
    /// The relative angular velocity at the start of each entry of what resists turning.
    pub start_turning: &'a [SVector<f64, 3>],
    /// Impulses that have acted already, and that the free velocities contain.
    pub given: &'a [SVector<f64, D>],
    /// The bias of the full rebound of each contact, 0 where it has none.
    pub rebounds: &'a [f64],
}

/// Impulses and velocities at a share of the rebound.
#[derive(Debug, Clone)]
struct Candidate<const D: usize, const N: usize> {
    share: f64,
    solution: Solution<D, N>,
    /// `u+` of each contact, without a bias.
    after: Vec<SVector<f64, D>>,
    work: f64,
}

/// How far the rebounds of an impact came.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Capped {
    /// What was kept of it.
    pub kept: Kept,
    /// The solves that it took, and the verdict on their combination.
    pub report: StepReport,
}

impl<const D: usize, const N: usize> NewtonImpact<'_, D, N> {
    /// Reduces the rebounds of the `solution` with all of them so far that no energy is made.
    ///
    /// Between a share of the rebound that makes energy and one that does not lies a combination of both that makes none:
    /// its momentum, its cones, its links and its gaps are those of a solution, and the work is a convex square in it. What
    /// it misses is that what parts carries no impulse and what slips has all of its friction; solving at the share where
    /// the combination is brings both ends together until that is little.
    ///
    /// # Errors
    /// [`StepFailure`] where there is no solution without rebounds.
    pub fn cap(
        mut self,
        model: &mut dyn ContactModel<D, N>,
        solution: &mut Solution<D, N>,
    ) -> Result<Capped, StepFailure> {
        let mut report = StepReport::FREE;
        if self.rebounds.iter().all(|rebound| *rebound >= 0.0) {
            return Ok(Capped { kept: Kept::WHOLE, report });
        }
        let whole = self.candidate(1.0, std::mem::take(solution));
        let unit = self.unit(&whole);
        // What is not a number is no work to be capped.
        if whole.work.is_nan() || whole.work <= NO_WORK * unit {
            *solution = whole.solution;
            return Ok(Capped { kept: Kept::WHOLE, report });
        }
        self.set_share(0.0);
        let mut without = Solution { velocity: whole.solution.velocity.clone(), ..Solution::default() };
        report = report.and(&solve(model, self.problem, &mut without, true)?);
        let mut low = self.candidate(0.0, without);
        let mut high = whole;
        let goal = low.work.max(0.0);
        let mut solves = 0;
        let kept = loop {
            let kept = self.between(&low, &high, goal);
            self.set_share(kept.share);
            if solves == MOST_SOLVES || self.loss(&kept) <= LOSS * unit {
                break kept;
            }
            solves += 1;
            let mut next = Solution { velocity: kept.solution.velocity.clone(), ..Solution::default() };
            let Ok(own) = model.solve(self.problem, &mut next) else { break kept };
            report = report.and(&StepReport::of(&own));
            let next = self.candidate(kept.share, next);
            let end = if next.work <= goal { &mut low } else { &mut high };
            *end = next;
        };
        let share = kept.share;
        let left = if 1.0 - share <= TOLERANCE {
            Kept::WHOLE
        } else {
            report = report.and(&self.judge(&kept, goal));
            let is_of_law = share > 0.0 && self.loss(&kept) <= LOSS * unit && goal <= NO_WORK * unit;
            Kept { share, is_of_law }
        };
        *solution = kept.solution;
        Ok(Capped { kept: left, report })
    }

    /// Sets the biases of a share of the rebounds.
    fn set_share(&mut self, share: f64) {
        let contacts = self.problem.contacts.iter_mut().zip(self.rebounds);
        for (contact, rebound) in contacts.filter(|(_, rebound)| **rebound != 0.0) {
            contact.bias = share * rebound;
        }
    }

    fn candidate(&self, share: f64, solution: Solution<D, N>) -> Candidate<D, N> {
        let relative = |contact| {
            let mut after = self.problem.relative_velocity(contact, &solution.velocity);
            after[0] -= contact.bias;
            after
        };
        let after: Vec<_> = self.problem.contacts.iter().map(relative).collect();
        let work = self.work(&solution, &after);
        Candidate { share, solution, after, work }
    }

    fn work(&self, solution: &Solution<D, N>, after: &[SVector<f64, D>]) -> f64 {
        let contacts = solution.impulses.iter().zip(self.given).zip(self.start.iter().zip(after));
        let of_contacts: f64 =
            contacts.map(|((own, given), (start, after))| 0.5 * (own + given).dot(&(start + after))).sum();
        let turning = solution.turning.iter().zip(self.start_turning).enumerate();
        turning.fold(of_contacts, |work, (place, (torque, start))| {
            work + 0.5 * torque.dot(&(start + self.problem.spin(place, &solution.velocity)))
        })
    }

    /// Impulses times velocities.
    fn unit(&self, whole: &Candidate<D, N>) -> f64 {
        let contacts = whole.solution.impulses.iter().zip(self.given).zip(self.start);
        contacts.map(|((own, given), start)| (own + given).norm() * start.norm()).sum()
    }

    /// The combination of two candidates that makes the work `goal`, from one that makes no more and one that makes more.
    fn between(&self, low: &Candidate<D, N>, high: &Candidate<D, N>, goal: f64) -> Candidate<D, N> {
        let changes = low.solution.impulses.iter().zip(&high.solution.impulses);
        let velocities = low.after.iter().zip(&high.after);
        let square: f64 = changes
            .zip(velocities)
            .map(|((low, high), (before, after))| 0.5 * (high - low).dot(&(after - before)))
            .sum::<f64>()
            .max(0.0);
        let constant = low.work - goal;
        let slope = high.work - goal - square - constant;
        let root = (slope * slope - 4.0 * square * constant).max(0.0).sqrt();
        let part =
            if slope >= 0.0 { -2.0 * constant / (slope + root) } else { (root - slope) / (2.0 * square) };
        let part = if part.is_nan() { 0.0 } else { part.clamp(0.0, 1.0) };
        let mix = |low: f64, high: f64| low + part * (high - low);
        let (first, second) = (&low.solution, &high.solution);
        let velocities = first.velocity.iter().zip(&second.velocity);
        let impulses = first.impulses.iter().zip(&second.impulses);
        let turning = first.turning.iter().zip(&second.turning);
        let links = first.link_impulses.iter().zip(&second.link_impulses);
        let solution = Solution {
            velocity: velocities.map(|(low, high)| low + (high - low) * part).collect(),
            impulses: impulses.map(|(low, high)| low + (high - low) * part).collect(),
            turning: turning.map(|(low, high)| low + (high - low) * part).collect(),
            link_impulses: links.map(|(low, high)| mix(*low, *high)).collect(),
            is_guess: false,
        };
        self.candidate(mix(low.share, high.share), solution)
    }

    /// What a candidate misses of complementarity and friction, in J; the biases must be those of its share.
    fn loss(&self, candidate: &Candidate<D, N>) -> f64 {
        let contacts = self.problem.contacts.iter().zip(&candidate.solution.impulses).zip(&candidate.after);
        let of_contact = |contact: &Contact<D, N>, impulse: &SVector<f64, D>, after: &SVector<f64, D>| {
            let along = impulse.dot(after) - impulse[0] * after[0];
            let friction = contact.friction * impulse[0] * tangential_norm(after) + along;
            impulse[0] * (after[0] + contact.bias) + friction
        };
        contacts.map(|((contact, impulse), after)| of_contact(contact, impulse, after)).sum()
    }

    /// The verdict on a combination, by what its law asks for, cones, gaps and work, from its impulses alone.
    fn judge(&self, kept: &Candidate<D, N>, goal: f64) -> StepReport {
        let mut yardstick = Yardstick::default();
        yardstick.set(self.problem);
        let mut solution = kept.solution.clone();
        self.problem.follow(&mut solution);
        let residuals = yardstick.residuals_of_bodies(self.problem, &solution);
        let again = self.candidate(kept.share, solution);
        let unit = self.unit(&again);
        let mut missed = if unit > 0.0 { ((again.work - goal) / unit).max(0.0) } else { 0.0 };
        let contacts = self.problem.contacts.iter().zip(&again.solution.impulses);
        for (((contact, impulse), after), weight) in contacts.zip(&again.after).zip(yardstick.weights()) {
            let beyond = (tangential_norm(impulse) - contact.friction * impulse[0].max(0.0)).max(-impulse[0]);
            let closing = -(after[0] + contact.bias);
            let scaled = (closing / weight.sqrt()).max(beyond * weight.sqrt()) / yardstick.unit();
            missed = if scaled.is_nan() { scaled } else { missed.max(scaled) };
        }
        let own_law = Some(missed);
        let accuracy = if missed <= KEPT { Accuracy::OwnLaw } else { Accuracy::Approximate };
        let report = Report { residuals, law: LawSolved::Capped, own_law, ..Report::unmeasured(accuracy, 0) };
        StepReport::of(&report)
    }
}

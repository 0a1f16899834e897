use std::borrow::Cow;

use nalgebra::{SMatrix, SVector};

use super::{
    Facing, Impacts, JointMemory, Motion, Touch, TurningLaw, World,
    bias::{BiasSource, CLOSED, Closing, IMPACT, impact_speed},
    friction_passes::FrictionPasses,
    redundant_joints::soften_links,
};
use crate::contact::{Contact, ContactProblem, FrictionGroups, Partition, Posing, Solution, TOLERANCE};

/// How many times the largest relative velocity of an impact a contact is away that is to take no part in it: what it held back
/// may go twice as fast without it, and tolerances go by the largest velocity of a problem, so that it is little more than that.
const OUT_OF_REACH: f64 = 4.0;

/// Factor on the way of a driven body in a step, within which its contacts take part.
const DRIVEN_AHEAD: f64 = 1.5;

/// What a step has to solve: what was found to touch at its start, as geometry and as a contact problem.
#[derive(Debug, Clone)]
pub struct StepProblem<const D: usize, const N: usize> {
    /// What was found to touch.
    pub touches: Vec<Touch<D, N>>,
    /// The contact problem, a contact per touch in the same order.
    pub contact: ContactProblem<D, N>,
    /// The gap in m up to which each body's contacts were looked for.
    pub margins: Vec<f64>,
    /// Which bodies are driven; empty where none is. The contact problem knows them as surfaces that move.
    pub driven: Vec<bool>,
    /// On which side of each other bodies without thickness are.
    pub(super) facings: Vec<Facing<D>>,
    pub(super) closings: Vec<Closing>,
    /// Where the bias of each contact comes from.
    sources: Vec<BiasSource>,
    /// The contacts whose friction depends on how they slip.
    pub(super) passes: FrictionPasses<D, N>,
    /// What joints go by.
    pub(super) joints: JointMemory,
    /// The external forces and those of motors.
    loads: Vec<SVector<f64, N>>,
    /// Which links are rows of joints that say the same twice, as [`redundant_links`](super::redundant_links) has them;
    /// empty for none.
    pub redundant: Vec<bool>,
}

impl<const D: usize, const N: usize> Default for StepProblem<D, N> {
    fn default() -> Self {
        Self {
            touches: Vec::new(),
            contact: ContactProblem::empty(1.0),
            margins: Vec::new(),
            driven: Vec::new(),
            facings: Vec::new(),
            closings: Vec::new(),
            sources: Vec::new(),
            passes: FrictionPasses::default(),
            joints: JointMemory::default(),
            loads: Vec::new(),
            redundant: Vec::new(),
        }
    }
}

/// What a model wants of the problem of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Demands {
    /// Which contacts it wants to see, and with which bias.
    pub posing: Posing,
    /// Whether they act on the gap that they would have at the end of the step
    /// ([`ContactModel::acts_ahead`](crate::contact::ContactModel::acts_ahead)).
    pub acts_ahead: bool,
    /// How impacts are taken.
    pub impacts: Impacts,
    /// For how long in s contacts are looked for ahead ([`ContactModel::horizon`](crate::contact::ContactModel::horizon)).
    pub horizon: f64,
    /// From how far off in m contacts push, whatever the speed ([`ContactModel::reach`](crate::contact::ContactModel::reach)).
    pub reach: f64,
}

impl<const D: usize, const N: usize> StepProblem<D, N> {
    /// Finds the contacts of a step of `dt` s under the external `forces`, a wrench per body, and sets
    /// up its problem as a model wants it; at gap level, where impacts are taken whole, that of the first
    /// stage.
    pub fn pose<W: World<D, N> + ?Sized>(
        &mut self,
        world: &W,
        motion: &Motion<W::Pose, N>,
        forces: &[SVector<f64, N>],
        dt: f64,
        demands: Demands,
    ) {
        let problem = &mut self.contact;
        problem.time_step = dt;
        problem.velocity_unit = world.gravity() * dt;
        world.inverse_inertia(motion, &mut problem.inverse_mass);
        world.links(motion, dt, &mut self.joints, &mut problem.links);
        soften_links(&problem.inverse_mass, &self.redundant, &mut problem.links);
        self.loads.clear();
        self.loads.extend_from_slice(forces);
        world.joint_loads(motion, &self.joints, &mut self.loads);
        world.free_velocity(motion, &self.loads, dt, &mut problem.free_velocity);
        world.margins(motion, &self.loads, demands.horizon, &mut self.margins);
        self.drive(world, motion, demands.horizon);
        if demands.reach > 0.0 {
            self.margins.iter_mut().for_each(|margin| *margin = margin.max(demands.reach));
        }
        world.find_touches(motion, &self.margins, &self.facings, &mut self.touches);
        world.facings(&self.touches, &mut self.facings);
        world.stops(motion, &self.joints, &mut self.touches);
        self.pose_contacts(world, motion, demands);
    }

    /// Has driven bodies move as they have to.
    fn drive<W: World<D, N> + ?Sized>(&mut self, world: &W, motion: &Motion<W::Pose, N>, horizon: f64) {
        let Self { contact: problem, joints, margins, driven, .. } = self;
        driven.clear();
        if (0..world.bodies()).any(|body| world.is_driven(body)) {
            driven.extend((0..world.bodies()).map(|body| world.is_driven(body)));
            world.drive(motion, joints.time, problem.time_step, &mut problem.free_velocity);
            for (body, margin) in margins.iter_mut().enumerate().filter(|(body, _)| driven[*body]) {
                *margin = DRIVEN_AHEAD * horizon * world.top_speed(body, &problem.free_velocity[body]);
            }
        }
        joints.take_driven(&mut problem.links, driven, &problem.free_velocity);
    }

    /// Sets up the contacts of what was found to touch.
    pub(super) fn pose_contacts<W: World<D, N> + ?Sized>(
        &mut self,
        world: &W,
        motion: &Motion<W::Pose, N>,
        Demands { posing, impacts, .. }: Demands,
    ) {
        let Self { touches, contact: problem, closings, sources, passes, driven, .. } = self;
        let dt = problem.time_step;
        if posing == Posing::VelocityLevel {
            touches.retain(|touch| touch.gap <= 0.0);
        }
        let speed = |velocity: &SVector<f64, N>| velocity.rows_range(..D).amax();
        let fastest = motion.velocities.iter().map(speed).fold(0.0, f64::max);
        let impact_speed = impact_speed(world.gravity(), dt, fastest);
        closings.clear();
        sources.clear();
        passes.take(touches, &motion.velocities, impact_speed);
        // Written where they stand: a contact is large, and copies of it are felt.
        problem.contacts.resize_with(touches.len(), Contact::open);
        problem.groups.clear();
        for (index, touch) in touches.iter().enumerate() {
            let TurningLaw { torsional, rolling } = touch.surface.turning;
            let across = touch.across;
            let groups = match &touch.turning {
                Some(rows) => FrictionGroups { contact: index, jacobian: **rows, torsional, rolling, across },
                None if across.is_some() => FrictionGroups {
                    contact: index,
                    jacobian: [SMatrix::zeros(); 2],
                    torsional: 0.0,
                    rolling: 0.0,
                    across,
                },
                None => continue,
            };
            problem.groups.push(groups);
        }
        let faces = touches.chunk_by(Touch::is_of_the_same_parts);
        let gaps = faces.flat_map(gaps_to_close);
        for ((contact, touch), gap) in problem.contacts.iter_mut().zip(&*touches).zip(gaps) {
            let normal_velocity = touch.normal_velocity(&motion.velocities);
            let closing = Closing::new(touch, (gap, normal_velocity), impact_speed, dt);
            let source = match (posing, impacts) {
                (Posing::GapLevel, Impacts::OneStage | Impacts::Incremental) => closing.of_gap(),
                (Posing::GapLevel, Impacts::TwoStage) => {
                    closing.of_two_stages(touch.normal_velocity(&problem.free_velocity), dt)
                }
                (Posing::VelocityLevel, _) => closing.of_rebound(),
                (Posing::Compliant, _) => BiasSource::Nothing,
            };
            contact.bodies = touch.bodies;
            contact.jacobian = touch.jacobian;
            contact.friction = touch.surface.friction.static_coefficient();
            contact.bias = closing.bias(source, dt);
            contact.surface_velocity = touch.surface_velocity;
            if !driven.is_empty() {
                let carried = |carrier: usize, other: Option<usize>| {
                    let velocity = &problem.free_velocity[carrier];
                    other.map(|other| world.beyond_tangent(motion, (carrier, velocity), other, dt))
                };
                take_driven(contact, driven, &problem.free_velocity, carried);
            }
            contact.restitution = touch.surface.restitution;
            contact.gap = touch.gap;
            closings.push(closing);
            sources.push(source);
        }
    }

    /// Whether a link holds whatever it takes and gives way by nothing, but for what redundant rows have for a compliance.
    pub(super) fn is_rigid(&self, link: usize) -> bool {
        let is_redundant = self.redundant.get(link).is_some_and(|redundant| *redundant);
        let link = &self.contact.links[link];
        !link.is_bounded() && (link.compliance == 0.0 || is_redundant)
    }

    /// Whether a link is that of a rotor in a joint: its bias is the rate that its coordinate had at the end of the step before.
    pub fn is_of_rotor(&self, link: usize) -> bool {
        self.joints.is_of_rotor(link)
    }

    /// Has the next step begin at a time in s: it says where driven bodies, drives and forces over time are.
    pub fn set_time(&mut self, time: f64) {
        self.joints.time = time;
    }

    /// The work in J that driven bodies do on each of the others by a solution of the problem: the impulses on them times the
    /// velocity of what is driven; empty where nothing is.
    pub fn driven_work(&self, solution: &Solution<D, N>) -> Vec<f64> {
        if self.driven.is_empty() {
            return Vec::new();
        }
        let mut work = vec![0.0; self.driven.len()];
        let contacts = self.touches.iter().zip(&self.contact.contacts).zip(&solution.impulses);
        for ((touch, contact), impulse) in contacts {
            let given = contact.surface_velocity - touch.surface_velocity;
            for body in contact.bodies.into_iter().flatten() {
                work[body] -= impulse.dot(&given);
            }
        }
        let links = self.contact.links.iter().zip(self.joints.driven_rates()).zip(&solution.link_impulses);
        for ((link, rate), impulse) in links {
            for body in link.bodies.into_iter().flatten() {
                work[body] -= impulse * rate;
            }
        }
        work
    }

    /// What is found near enough to touch in the step, whether or not it was made a contact.
    pub fn near_touches<W: World<D, N> + ?Sized>(
        &self,
        world: &W,
        motion: &Motion<W::Pose, N>,
    ) -> Vec<Touch<D, N>> {
        let mut near = Vec::new();
        world.find_touches(motion, &self.margins, &self.facings, &mut near);
        near
    }

    /// Whether the step is taken in two stages: some contact closes in an impact, and impacts are taken whole.
    pub fn is_in_stages(&self, impacts: Impacts) -> bool {
        impacts.is_whole() && self.has_impact()
    }

    /// Whether some contact closes in an impact under the free velocity.
    fn has_impact(&self) -> bool {
        (0..self.touches.len()).any(|index| self.strikes(index))
    }

    /// The derivatives of the bias of contact `index` with respect to its gap, its normal velocity at the start of
    /// the step and its restitution; `first` asks for that of the first of two stages.
    pub fn bias_slopes(&self, index: usize, first: bool) -> [f64; 3] {
        let closing = &self.closings[index];
        let source = if first { closing.of_gap() } else { self.sources[index] };
        closing.slopes(source, self.contact.time_step)
    }

    /// The contact problem as a stage solved it last; `first` asks for that of the first of two stages, which is posed at gap
    /// level.
    pub fn of_stage(&self, first: bool) -> Cow<'_, ContactProblem<D, N>> {
        if !first {
            return Cow::Borrowed(&self.contact);
        }
        self.of_solve(true, &self.friction_solves(true).holds)
    }

    /// With the biases of the last stage, or of the `first` of two.
    pub(super) fn with_biases(&self, first: bool) -> Cow<'_, ContactProblem<D, N>> {
        if !first {
            return Cow::Borrowed(&self.contact);
        }
        let mut problem = self.contact.clone();
        for (contact, closing) in problem.contacts.iter_mut().zip(&self.closings) {
            contact.bias = closing.bias(closing.of_gap(), problem.time_step);
        }
        Cow::Owned(problem)
    }

    /// How far the overlap of contact `index` is from one that is left alone, in m, and how much faster it closes than
    /// what counts as a hit, in m/s; negative where it does not hit.
    pub fn closing_margins(&self, index: usize) -> [f64; 2] {
        self.closings[index].margins(self.contact.time_step)
    }

    /// The derivative of the speed from which on a contact hits with respect to gravity, in s.
    pub fn impact_speed_per_gravity(&self) -> f64 {
        IMPACT * self.contact.time_step
    }

    /// Whether contact `index` closes as fast as what hits.
    pub(super) fn hits(&self, index: usize) -> bool {
        self.closings[index].hits()
    }

    /// Whether contact `index` closes in an impact under the free velocity.
    pub(super) fn strikes(&self, index: usize) -> bool {
        let free = self.touches[index].normal_velocity(&self.contact.free_velocity);
        self.closings[index].is_impact(free, self.contact.time_step)
    }

    /// Whether contact `index` hits, rather than being at rest or open.
    pub fn is_hit(&self, index: usize) -> bool {
        self.sources[index] == BiasSource::Rebound
    }

    /// Whether some contact is to rebound.
    pub(super) fn has_hit(&self) -> bool {
        self.sources.contains(&BiasSource::Rebound)
    }

    /// Whether contact `index` touches at the start of the step, and neither hits nor parts.
    pub fn is_resting(&self, index: usize) -> bool {
        self.closings[index].rests(self.contact.time_step)
    }

    /// Whether contact `index`, that touches, does not part with these velocities.
    pub fn stays_closed(&self, index: usize, velocities: &[SVector<f64, N>]) -> bool {
        !self.closings[index].parts(self.touches[index].normal_velocity(velocities))
    }

    /// Whether something hits that has a restitution.
    pub(super) fn bounces(&self) -> bool {
        (0..self.sources.len()).any(|index| self.is_hit(index) && self.closings[index].is_elastic())
    }

    /// The share of its way that contact `index`, if it bounces, has a body go by the second of these velocities, see
    /// [`Rebound`](super::Rebound).
    pub(super) fn share_of_rebound(
        &self,
        index: usize,
        velocities: [&Vec<SVector<f64, N>>; 2],
    ) -> Option<f64> {
        let (closing, dt) = (&self.closings[index], self.contact.time_step);
        let [first, second] = self.gaps_by(index, velocities);
        let is_bounce = self.is_hit(index) && closing.is_elastic() && second > first;
        is_bounce.then(|| ((closing.gap_after_rebound(dt) - first) / (second - first)).clamp(0.0, 1.0))
    }

    /// The gaps in m of contact `index` at the end of the step by each of these velocities.
    pub fn gaps_by(&self, index: usize, velocities: [&Vec<SVector<f64, N>>; 2]) -> [f64; 2] {
        let normal = velocities.map(|all| self.touches[index].normal_velocity(all));
        normal.map(|velocity| self.closings[index].gap_after(velocity, self.contact.time_step))
    }

    /// The derivatives of the gap in m with which contact `index` ends a step in which it bounces, with respect to its gap
    /// and normal velocity at the start and its restitution.
    pub fn slopes_of_gap_after_rebound(&self, index: usize) -> [f64; 3] {
        self.closings[index].slopes_of_gap_after_rebound(self.contact.time_step)
    }

    /// Turns the problem into that of the second stage, when the first ended with `velocity`, for what moves together with
    /// something that strikes; the rest stays as in the first, as it would if nothing struck elsewhere. Gives the bodies of contacts
    /// that take part though the first one opened them.
    pub fn enter_impact(&mut self, velocity: &[SVector<f64, N>]) -> Vec<usize> {
        let striking = (0..self.touches.len()).filter(|index| self.strikes(*index));
        let striking: Vec<usize> = striking.flat_map(|index| self.touches[index].bodies).flatten().collect();
        let mut islands = Partition::default();
        islands.divide(&self.contact);
        let is_struck = islands.with(striking);
        self.passes.enter_second_stage();
        let Self { touches, contact: problem, closings, sources, .. } = self;
        let dt = problem.time_step;
        let contacts = problem.contacts.iter_mut().zip(touches).zip(closings).zip(sources);
        for (((contact, touch), closing), source) in contacts {
            if touch.bodies.iter().flatten().any(|body| is_struck[*body]) {
                *source = closing.of_impact(touch.normal_velocity(velocity), dt);
                contact.bias = closing.bias(*source, dt);
            }
        }
        self.join_impacts()
    }

    /// Leaves those contacts out of the impact that the step would reach only after it: what a blow throws across a gap of the
    /// first stage, which ended with `velocity`, meets what is there in the next step, with all its speed. Held back by it at
    /// once, it would pass the blow of the one on to the other. What touches as the step begins is no such thing. Gives
    /// the contacts that the `impact` had so.
    pub(super) fn leave_out_what_is_met_later(
        &mut self,
        velocity: &[SVector<f64, N>],
        impact: &Solution<D, N>,
    ) -> Vec<usize> {
        let Self { touches, contact: problem, closings, sources, .. } = &*self;
        let dt = problem.time_step;
        let bodies = |index: usize| touches[index].bodies.into_iter().flatten();
        let is_thrown_from_another = |index: usize| {
            (0..touches.len()).any(|other| {
                sources[other] == BiasSource::Rebound
                    && (touches[other].first, touches[other].second)
                        != (touches[index].first, touches[index].second)
                    && bodies(other).any(|body| bodies(index).any(|own| own == body))
            })
        };
        let is_open = |index: &usize| {
            let closing = &closings[*index];
            sources[*index] == BiasSource::Gap
                && impact.impulses[*index][0] > 0.0
                && !closing.is_closed_by(0.0, dt)
                && !closing.is_closed_by(touches[*index].normal_velocity(velocity), dt)
        };
        let mut met: Vec<usize> = (0..impact.impulses.len()).filter(is_open).collect();
        if met.is_empty() {
            return met;
        }
        let least = self.least_push();
        met.retain(|&index| {
            self.pushes(index, &impact.impulses[index], least) && is_thrown_from_another(index)
        });
        let speeds = touches.iter().map(|touch| touch.relative_velocity(&impact.velocity).amax());
        let fastest = speeds.fold(0.0, f64::max);
        met.iter().for_each(|index| self.contact.contacts[*index].bias += OUT_OF_REACH * fastest);
        met
    }

    /// What a solve may leave of an impulse where a contact is open, times the root of how much that answers to it: its tolerance
    /// in the unit of [`Residuals::scaled`](crate::contact::Residuals::scaled).
    pub(super) fn least_push(&self) -> f64 {
        let units = self.contact.contacts.iter().enumerate().filter_map(|(index, contact)| {
            let response = self.contact.mean_response(contact);
            (response > 0.0).then(|| self.approach(index) / response.sqrt())
        });
        TOLERANCE * units.fold(0.0, f64::max)
    }

    /// Whether a contact pushes by this impulse, by more than `least` of all of them.
    pub(super) fn pushes(&self, index: usize, impulse: &SVector<f64, D>, least: f64) -> bool {
        impulse[0] * self.contact.mean_response(&self.contact.contacts[index]).sqrt() > least
    }

    /// The largest relative velocity in m/s that the bodies have at a contact without impulses, the bias included.
    pub(super) fn approach(&self, index: usize) -> f64 {
        let mut approach = self.touches[index].relative_velocity(&self.contact.free_velocity);
        approach[0] += self.contact.contacts[index].bias;
        approach.amax()
    }

    /// The bodies of those of these contacts that close at these velocities within the step.
    pub(super) fn closing<'a>(
        &'a self,
        contacts: &'a [usize],
        velocities: &'a [SVector<f64, N>],
    ) -> impl Iterator<Item = usize> + 'a {
        let closes = |index: &&usize| {
            let normal = self.touches[**index].normal_velocity(velocities);
            self.closings[**index].gap_after(normal, self.contact.time_step) < -CLOSED
        };
        contacts.iter().filter(closes).flat_map(|index| self.touches[*index].bodies).flatten()
    }

    /// Reduces the rebounds among these contacts to a share of what they are.
    pub(super) fn reduce_rebounds(&mut self, contacts: &[usize], share: f64) {
        for &index in contacts.iter().filter(|index| self.sources[**index] == BiasSource::Rebound) {
            self.contact.contacts[index].bias *= share;
            self.closings[index].reduce(share);
        }
    }

    /// Whether contact `index` touches after a first stage that ended with `velocity`, or takes part in the impact.
    pub(super) fn takes_part(&self, index: usize, velocity: &[SVector<f64, N>]) -> bool {
        let normal = self.touches[index].normal_velocity(velocity);
        self.is_hit(index) || self.closings[index].is_closed_by(normal, self.contact.time_step)
    }

    /// Has contact `index` part as fast as the impact that was followed leaves it; `None` where nothing struck it.
    pub(super) fn follow_rebound(&mut self, index: usize, opening: Option<f64>) {
        self.sources[index] = if opening.is_some() { BiasSource::Rebound } else { BiasSource::Nothing };
        self.contact.contacts[index].bias = -opening.unwrap_or(0.0).max(0.0);
    }

    /// Has the ways of what was struck end where its velocity after the impact says.
    pub(super) fn leave_with(&mut self, index: usize, velocity: &[SVector<f64, N>]) {
        self.closings[index].leave_with(self.touches[index].normal_velocity(velocity));
    }

    /// Turns the problem back into that of the gaps, in which what hits of the bodies that `slide` has no friction; what hits is as the
    /// second stage says, which may lack contacts that only bound the way.
    pub(crate) fn leave_impact_sliding(&mut self, second_stage: &Self, slide: &[bool]) {
        let mut of_impact = second_stage.touches.iter().zip(&second_stage.sources).peekable();
        let hits_sliding = |touch: &Touch<D, N>| {
            let source = of_impact.next_if(|(other, _)| *other == touch).map(|(_, source)| *source);
            source == Some(BiasSource::Rebound) && touch.bodies.iter().flatten().any(|body| slide[*body])
        };
        let slides: Vec<bool> = self.touches.iter().map(hits_sliding).collect();
        let Self { contact: problem, closings, sources, passes, .. } = self;
        let dt = problem.time_step;
        passes.leave(|index| slides[index]);
        for groups in problem.groups.iter_mut().filter(|own| slides[own.contact]) {
            (groups.torsional, groups.rolling) = (0.0, 0.0);
        }
        let contacts = problem.contacts.iter_mut().zip(closings).zip(sources).zip(slides);
        for (((contact, closing), source), slides) in contacts {
            if slides {
                contact.friction = 0.0;
            }
            *source = closing.of_gap();
            contact.bias = closing.bias(*source, dt);
        }
    }

    /// Lets those contacts take part in the impact that close at the same time as one that does, though the first stage
    /// opened them again: in it friction may act in full on a part of the normal impulse, and tip a body over that
    /// lands flat. Gives the bodies of these.
    fn join_impacts(&mut self) -> Vec<usize> {
        let mut found = Vec::new();
        let Self { touches, contact: problem, closings, sources, .. } = self;
        let dt = problem.time_step;
        let free = |index: usize| touches[index].normal_velocity(&problem.free_velocity);
        let contacts: Vec<_> = problem.contacts.iter().map(|contact| contact.bodies).collect();
        let shares_a_body = |index: usize, other: usize| {
            contacts[index].iter().flatten().any(|body| contacts[other].contains(&Some(*body)))
        };
        for index in 0..touches.len() {
            let own = free(index);
            if sources[index] != BiasSource::Gap || !closings[index].is_impact(own, dt) {
                continue;
            }
            let joins = (0..touches.len()).any(|other| {
                sources[other] == BiasSource::Rebound
                    && shares_a_body(index, other)
                    && closings[index].closes_with(own, &closings[other], free(other))
            });
            if joins {
                sources[index] = closings[index].of_rebound();
                problem.contacts[index].bias = closings[index].bias(sources[index], dt);
                found.extend(touches[index].bodies.iter().flatten());
            }
        }
        found
    }
}

/// Has the velocities of driven bodies be those of surfaces, and the bodies none of the contact. Along the surface what they
/// carry goes on their arc, by what it is `carried` beyond the tangent: it would creep outwards otherwise, a little in every
/// step.
fn take_driven<const D: usize, const N: usize>(
    contact: &mut Contact<D, N>,
    driven: &[bool],
    velocity: &[SVector<f64, N>],
    carried: impl Fn(usize, Option<usize>) -> Option<SVector<f64, D>>,
) {
    let bodies = contact.bodies;
    for (end, rows) in contact.jacobian.iter().enumerate() {
        let Some(carrier) = bodies[end].filter(|body| driven[*body]) else { continue };
        contact.surface_velocity += rows * velocity[carrier];
        if let Some(beyond) = carried(carrier, bodies[1 - end].filter(|body| !driven[*body])) {
            let along = rows.fixed_view::<D, D>(0, 0) * beyond;
            for axis in 1..D {
                contact.surface_velocity[axis] += along[axis];
            }
        }
        contact.bodies[end] = None;
    }
}

/// The gaps that the contacts of a face have to close.
///
/// A body can close the gaps of as many corners as there are dimensions, whatever is rounded. Of more, 1e-12 m off, some would be
/// rounded and some not, and no motion closes such gaps together: `cone` then does not converge. They fit as they are; and
/// better still, to the last digit, where all of them count as none.
fn gaps_to_close<const D: usize, const N: usize>(face: &[Touch<D, N>]) -> impl Iterator<Item = f64> {
    let are_rounded = face.len() <= D || face.iter().all(|touch| touch.gap == 0.0);
    face.iter().map(move |touch| if are_rounded { touch.gap } else { touch.gap + touch.rounded_off })
}

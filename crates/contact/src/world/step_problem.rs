use nalgebra::SVector;

use super::{
    Facing, Impacts, Motion, Touch, World,
    bias::{BiasSource, Closing, IMPACT, impact_speed},
    friction_passes::FrictionPasses,
};
use crate::contact::{Contact, ContactProblem, Posing};

/// What a step has to solve: what was found to touch at its start, as geometry and as a contact problem.
#[derive(Debug, Clone)]
pub struct StepProblem<const D: usize, const N: usize> {
    /// What was found to touch.
    pub touches: Vec<Touch<D, N>>,
    /// The contact problem, a contact per touch in the same order.
    pub contact: ContactProblem<D, N>,
    /// The gap in m up to which each body's contacts were looked for.
    pub margins: Vec<f64>,
    /// On which side of each other bodies without thickness are.
    pub(super) facings: Vec<Facing<D>>,
    pub(super) closings: Vec<Closing>,
    /// Where the bias of each contact comes from.
    sources: Vec<BiasSource>,
    /// The contacts whose friction depends on how they slip.
    pub(super) passes: FrictionPasses<D>,
}

impl<const D: usize, const N: usize> Default for StepProblem<D, N> {
    fn default() -> Self {
        Self {
            touches: Vec::new(),
            contact: ContactProblem::empty(1.0),
            margins: Vec::new(),
            facings: Vec::new(),
            closings: Vec::new(),
            sources: Vec::new(),
            passes: FrictionPasses::default(),
        }
    }
}

/// What a model wants of the problem of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Demands {
    /// Which contacts it wants to see, and with which bias.
    pub posing: Posing,
    /// How impacts are taken.
    pub impacts: Impacts,
    /// For how long in s contacts are looked for ahead ([`ContactModel::horizon`](crate::contact::ContactModel::horizon)).
    pub horizon: f64,
    /// From how far off in m contacts push, whatever the speed ([`ContactModel::reach`](crate::contact::ContactModel::reach)).
    pub reach: f64,
}

impl<const D: usize, const N: usize> StepProblem<D, N> {
    /// Finds the contacts of a step of `dt` s under the external `forces`, a wrench per body, and sets
    /// up its problem as a model wants it; at gap level and for [`Impacts::OneStage`] that of the first
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
        world.free_velocity(motion, forces, dt, &mut problem.free_velocity);
        world.links(motion, dt, &mut problem.links);
        world.margins(motion, forces, demands.horizon, &mut self.margins);
        if demands.reach > 0.0 {
            self.margins.iter_mut().for_each(|margin| *margin = margin.max(demands.reach));
        }
        world.find_touches(motion, &self.margins, &self.facings, &mut self.touches);
        world.facings(&self.touches, &mut self.facings);
        self.pose_contacts(world.gravity(), motion, demands);
    }

    /// Sets up the contacts of what was found to touch, under the `gravity` in m/s^2.
    pub(super) fn pose_contacts<P>(
        &mut self,
        gravity: f64,
        motion: &Motion<P, N>,
        Demands { posing, impacts, .. }: Demands,
    ) {
        let Self { touches, contact: problem, closings, sources, passes, .. } = self;
        let dt = problem.time_step;
        if posing == Posing::VelocityLevel {
            touches.retain(|touch| touch.gap <= 0.0);
        }
        let speed = |velocity: &SVector<f64, N>| velocity.rows_range(..D).amax();
        let fastest = motion.velocities.iter().map(speed).fold(0.0, f64::max);
        let impact_speed = impact_speed(gravity, dt, fastest);
        closings.clear();
        sources.clear();
        passes.take(touches, &motion.velocities, impact_speed);
        // Written where they stand: a contact is large, and copies of it are felt.
        problem.contacts.resize_with(touches.len(), Contact::open);
        for (contact, touch) in problem.contacts.iter_mut().zip(touches) {
            let normal_velocity = touch.normal_velocity(&motion.velocities);
            let closing = Closing::new(touch, normal_velocity, impact_speed, dt);
            let source = match (posing, impacts) {
                (Posing::GapLevel, Impacts::OneStage) => closing.of_gap(),
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
            contact.restitution = touch.surface.restitution;
            contact.gap = touch.gap;
            closings.push(closing);
            sources.push(source);
        }
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
        impacts == Impacts::OneStage && self.has_impact()
    }

    /// Whether some contact closes in an impact under the free velocity.
    fn has_impact(&self) -> bool {
        self.touches.iter().zip(&self.closings).any(|(touch, closing)| {
            closing.is_impact(touch.normal_velocity(&self.contact.free_velocity), self.contact.time_step)
        })
    }

    /// The derivatives of the bias of contact `index` with respect to its gap, its normal velocity at the start of
    /// the step and its restitution; `first` asks for that of the first of two stages.
    pub fn bias_slopes(&self, index: usize, first: bool) -> [f64; 3] {
        let closing = &self.closings[index];
        let source = if first { closing.of_gap() } else { self.sources[index] };
        closing.slopes(source, self.contact.time_step)
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

    /// Whether contact `index` hits, rather than being at rest or open.
    pub fn is_hit(&self, index: usize) -> bool {
        self.sources[index] == BiasSource::Rebound
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

    /// Turns the problem into that of the second stage, when the first ended with `velocity`; whether contacts take part
    /// that the first one opened.
    pub fn enter_impact(&mut self, velocity: &[SVector<f64, N>]) -> bool {
        let Self { touches, contact: problem, closings, sources, .. } = self;
        let dt = problem.time_step;
        let contacts = problem.contacts.iter_mut().zip(touches).zip(closings).zip(sources);
        for (((contact, touch), closing), source) in contacts {
            *source = closing.of_impact(touch.normal_velocity(velocity), dt);
            contact.bias = closing.bias(*source, dt);
        }
        self.join_impacts()
    }

    /// Turns the problem back into that of the gaps, in which what hits slides.
    pub(crate) fn leave_impact_sliding(&mut self) {
        let Self { contact: problem, closings, sources, passes, .. } = self;
        let dt = problem.time_step;
        passes.leave(|index| sources[index] == BiasSource::Rebound);
        for ((contact, closing), source) in problem.contacts.iter_mut().zip(closings).zip(sources) {
            if *source == BiasSource::Rebound {
                contact.friction = 0.0;
            }
            *source = closing.of_gap();
            contact.bias = closing.bias(*source, dt);
        }
    }

    /// Lets those contacts take part in the impact that close at the same time as one that does, though the first stage
    /// opened them again: in it friction may act in full on a part of the normal impulse, and tip a body over that
    /// lands flat. Whether there are any.
    fn join_impacts(&mut self) -> bool {
        let mut found = false;
        let Self { touches, contact: problem, closings, sources, .. } = self;
        let dt = problem.time_step;
        let free = |index: usize| touches[index].normal_velocity(&problem.free_velocity);
        let shares_a_body = |index: usize, other: usize| {
            touches[index].bodies.iter().flatten().any(|body| touches[other].bodies.contains(&Some(*body)))
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
                found = true;
            }
        }
        found
    }
}

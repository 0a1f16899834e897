use super::{Record, StepRecord};
use crate::{
    model::{Attitude, Spin, State},
    scenario::Partner,
    stepper::{Contact, ContactMode, JointForces},
};

/// All bodies over one step: from where to where, and what acted on them. What is measured of a run, written
/// of it and drawn is gathered from these, one after the other.
#[derive(Debug, Clone, Copy)]
pub struct Passage<'a, const D: usize> {
    /// Index `k` of the step.
    pub index: usize,
    /// The bodies at `t_k`, and at `t_{k+1}`.
    pub states: [&'a [State<D>]; 2],
    /// How they are turned then; empty where all bodies are points.
    pub attitudes: [&'a [Attitude]; 2],
    /// Push and contact force on the centre of mass of each.
    pub records: &'a [Record<D>],
    /// Mean torque of the contacts about the centre of mass in N m; empty where all bodies are points.
    pub torques: &'a [Spin],
    /// Torque of the pushes about the centre of mass in N m; empty where all bodies are points.
    pub push_torques: &'a [Spin],
    /// The contacts one by one, where the stepper tells them apart.
    pub contacts: &'a [Contact<D>],
    /// What the joints of the scenario did, where the stepper says so.
    pub joints: &'a [JointForces<D>],
    /// How the step was found.
    pub step: &'a StepRecord,
}

impl<const D: usize> Passage<'_, D> {
    /// Whether nothing but the ground pushes, as far as contacts are told apart: the force on a point by itself is then that
    /// of the ground.
    pub fn is_on_ground_alone(&self) -> bool {
        let pushes = |contact: &Contact<D>| contact.mode != ContactMode::Open;
        !self.contacts.iter().any(|contact| contact.second != Partner::Ground && pushes(contact))
    }
}

use crate::{
    model::{Attitude, Spin, State, Vector},
    scenario::Scenario,
    world::Partner,
};

/// What a stepper is given: the bodies at `t_k` and what pushes them over the step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepInput<'a, const D: usize> {
    /// Index `k` of the step.
    pub index: usize,
    /// Time `t_k = k dt` in s at its start.
    pub time: f64,
    /// Length of the step in s.
    pub dt: f64,
    /// States of the centres of mass at `t_k`, one per body of the scenario.
    pub states: &'a [State<D>],
    /// How the bodies are turned at `t_k`, one per body; empty where all bodies are points.
    pub attitudes: &'a [Attitude],
    /// Push on the centre of mass of every body in N, sampled at `t_k` and held over the step.
    pub forces: &'a [Vector<D>],
    /// Torque about the centre of mass of every body in N m; empty where all bodies are points.
    pub torques: &'a [Spin],
}

/// What a stepper gives back: the bodies at `t_{k+1}` and what the contacts did.
///
/// It is kept between steps, so that nothing is allocated; every vector has the size that its
/// counterpart in the input has.
#[derive(Debug, Clone, PartialEq)]
pub struct Moved<const D: usize> {
    /// States of the centres of mass.
    pub states: Vec<State<D>>,
    /// How the bodies are turned.
    pub attitudes: Vec<Attitude>,
    /// Impulse of all contacts of every body over the step in N s; divided by `dt` it is the mean
    /// contact force.
    pub impulses: Vec<Vector<D>>,
    /// Angular impulse of all contacts about the centre of mass of every body in N m s.
    pub angular_impulses: Vec<Spin>,
    /// The contacts one by one, where the stepper tells them apart; empty before the step.
    pub contacts: Vec<Contact<D>>,
}

impl<const D: usize> Moved<D> {
    /// The bodies of `scenario` at the start.
    pub fn start(scenario: &Scenario<D>) -> Self {
        let states = scenario.initial_states();
        let attitudes = scenario.initial_attitudes();
        Self {
            impulses: vec![Vector::zeros(); states.len()],
            angular_impulses: vec![Spin::zeros(); attitudes.len()],
            contacts: Vec::new(),
            states,
            attitudes,
        }
    }
}

/// One contact over a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact<const D: usize> {
    /// The body that is pushed.
    pub first: usize,
    /// What it touches.
    pub second: Partner,
    /// Where they touch, in m.
    pub point: Vector<D>,
    /// Unit normal, into the first body.
    pub normal: Vector<D>,
    /// Gap in m at the start of the step, negative where they overlap.
    pub gap: f64,
    /// Mean force on the first body over the step in N, in the axes of the world.
    pub force: Vector<D>,
    /// What the contact does.
    pub mode: ContactMode,
}

/// What a contact does over a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ContactMode {
    /// It carries no force, or one that changes velocities by less than a millionth of the fastest approach in the step.
    Open,
    /// The bodies slide on each other.
    Slip,
    /// Friction holds them.
    Stick,
}

impl ContactMode {
    /// The word used in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Slip => "slip",
            Self::Stick => "stick",
        }
    }
}

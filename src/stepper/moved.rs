use super::StepFailure;
use crate::{
    contact::FailureKind,
    model::{Attitude, Spin, State, Vector},
    scenario::Scenario,
    world::{ImpactReport, Partner, Passage as Search},
};

/// Speed in m/s, and rate of rotation in rad/s, beyond which a motion counts as blown up: a thousand
/// times the largest speed a scenario may start with.
const RUNAWAY_SPEED: f64 = 1e9;

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
    /// What the joints of the scenario did, one by one; empty where there are none, and before the step.
    pub joints: Vec<JointForces<D>>,
    /// Work in J that driven bodies did on each of the others; empty where none is driven, and before the step.
    pub driven_work: Vec<f64>,
    /// What the step did to find its contacts.
    pub search: Search,
    /// What was made of an impact in the step, where the stepper tells.
    pub impact: Option<ImpactReport>,
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
            joints: Vec::new(),
            driven_work: Vec::new(),
            search: Search::default(),
            impact: None,
            states,
            attitudes,
        }
    }

    /// Holds what a step led to against what any motion is: places and forces are numbers, speeds at most 1e9 m/s
    /// and rates of rotation at most 1e9 rad/s. No stepper looks at that itself; whoever takes steps one by one does.
    ///
    /// # Errors
    /// A [`StepFailure`] that says where the motion blew up.
    #[inline]
    pub fn check(&self) -> Result<(), StepFailure> {
        let is_sound = self.is_bounded() && self.impulses.iter().all(is_finite);
        if is_sound { Ok(()) } else { Err(self.runaway()) }
    }

    /// Whether the motion is one of numbers, and not beyond all bounds, whatever the forces are.
    #[inline]
    pub(crate) fn is_bounded(&self) -> bool {
        let turning = |attitude: &Attitude| attitude.is_finite() && attitude.spin.norm() <= RUNAWAY_SPEED;
        self.states.iter().all(is_bounded_state) && self.attitudes.iter().all(turning)
    }

    #[cold]
    fn runaway(&self) -> StepFailure {
        let faulty = self.states.iter().position(|state| !is_bounded_state(state)).unwrap_or(0);
        let state = &self.states[faulty];
        let whose = if self.states.len() > 1 { format!(" of body {faulty}") } else { String::new() };
        let reason = format!(
            "the state{whose} after the step is {:?} m, {:?} m/s; try a smaller `step`",
            state.position.as_slice(),
            state.velocity.as_slice()
        );
        StepFailure::new(FailureKind::Unstable, reason)
    }
}

#[inline]
fn is_bounded_state<const D: usize>(state: &State<D>) -> bool {
    // No component that is no number, or infinite, has a square that passes.
    state.velocity.norm_squared() <= RUNAWAY_SPEED * RUNAWAY_SPEED && is_finite(&state.position)
}

/// Whether every component is a number and not infinite: then, and only then, is zero times each of them zero.
#[inline]
fn is_finite<const D: usize>(vector: &Vector<D>) -> bool {
    (vector * 0.0).dot(&Vector::repeat(1.0)) == 0.0
}

/// What a joint did over a step, as mean forces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointForces<const D: usize> {
    /// On the second body in N, in the axes of the world.
    pub force: Vector<D>,
    /// On the second body about the point of the joint in N m, in the axes of the world.
    pub torque: Spin,
    /// What laws do along the coordinates that it leaves free, in their order.
    pub along: [ForcesAlong; 2],
    /// Whether they are forces at all: in the first two steps, in an impact and in the two steps behind it the impulses of
    /// rigid joints catch up with what the step before left out.
    pub is_settled: bool,
}

/// What acted along a coordinate of a joint in a step, in N or N m.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ForcesAlong {
    /// Of the drive.
    pub drive: f64,
    /// Of dry friction.
    pub friction: f64,
    /// Of the stops.
    pub limit: f64,
}

impl<const D: usize> JointForces<D> {
    /// Of a joint that does nothing.
    pub fn none(is_settled: bool) -> Self {
        Self { force: Vector::zeros(), torque: Spin::zeros(), along: [ForcesAlong::default(); 2], is_settled }
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
    /// Gap in m at the start of the step, negative where they overlap. Of a contact that was found on the way of the step,
    /// that at the start along its tangent.
    pub gap: f64,
    /// How far in m the two are apart at the end of the step, from geometry evaluated anew there, negative where they
    /// overlap; `None` where the contact is open, or the stepper does not say.
    pub gap_end: Option<f64>,
    /// Mean force on the first body over the step in N, in the axes of the world.
    pub force: Vector<D>,
    /// What the contact does.
    pub mode: ContactMode,
}

impl<const D: usize> Contact<D> {
    /// It as the one of its bodies feels it that moves by forces, where the other is held.
    pub(crate) fn as_felt(self, is_held: impl Fn(usize) -> bool) -> Self {
        match self.second {
            Partner::Body(second) if is_held(self.first) && !is_held(second) => Self {
                first: second,
                second: Partner::Body(self.first),
                normal: -self.normal,
                force: -self.force,
                ..self
            },
            _ => self,
        }
    }
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

//! The exact motion of one planar body over the ground: flight, one corner or a disc in contact, a flat
//! side in contact, and the events between them.
//!
//! Motions are those of ordinary differential equations between events; events are found by bisection.
//! Impacts are inelastic, with Coulomb's law and complementarity on the total impulse (Moreau 1988). When
//! a second corner lands, the first one must lift (a rocking block, Housner 1963): where the whole impulse
//! is not that of the landing corner alone, the motion of rigid bodies is not determined by these laws, and
//! what follows is refused.

mod contact;
mod events;
mod impact;
mod impulses;
mod integrate;
mod loads;
mod motion;

use nalgebra::Vector2;

pub use loads::Load;
pub(super) use loads::{Inert, acting, next_edge, top_speed};

use crate::{
    contact::{Friction, Hold},
    world::{
        Impacts, Partner, Plane, Surface,
        planar::{Pose, Scene, Shape, Twist},
    },
};

/// Position and velocity of the body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyState {
    /// Where it is.
    pub pose: Pose,
    /// How it moves.
    pub twist: Twist,
}

/// How the body moves along the ground where it touches it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Slip {
    /// It sticks.
    Stick,
    /// It slides in the direction of this sign along the tangent `(n_z, -n_x)`.
    Slide(f64),
}

/// What touches the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Phase {
    /// Nothing.
    Flight,
    /// A corner by its index, or a disc (0).
    Point(usize, Slip),
    /// A side between these two corners.
    Flat([usize; 2], Slip),
}

/// Something that ended a phase.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyEvent {
    /// When, in s.
    pub time: f64,
    /// The phase that it started.
    pub phase: Phase,
    /// The body right after it.
    pub state: BodyState,
}

/// Why the exact motion is not known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}; {remedy}")]
pub struct Unknown {
    /// What happens, as a clause.
    pub reason: String,
    /// What to do.
    pub remedy: String,
}

impl Unknown {
    fn new(reason: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { reason: reason.into(), remedy: remedy.into() }
    }
}

/// The body, the ground, and how the body moves on it.
#[derive(Debug, Clone)]
pub struct ExactBody {
    shape: Shape,
    mass: f64,
    inertia: f64,
    plane: Plane<2>,
    friction: Friction,
    /// The coefficient of restitution.
    restitution: f64,
    /// By which law a corner strikes.
    impacts: Impacts,
    gravity: Vector2<f64>,
    loads: Vec<Load>,
    /// Gravity and the loads of the present window as an acceleration in m/s^2, and their torque in N m.
    pull: Vector2<f64>,
    torque: f64,
    time: f64,
    state: BodyState,
    /// The body at the start of the last step, and whether there was none yet.
    before: BodyState,
    is_new: bool,
    /// What gravity and the loads gave it in that step, in N s and N m s.
    driven: Twist,
    phase: Phase,
    events: Vec<BodyEvent>,
    /// The impulses of the points that may touch since they were last taken, along normal and tangent, in N s.
    impulses: Vec<Vector2<f64>>,
}

impl ExactBody {
    /// The motion of the first body of `scene` from its start, as if it were over the ground alone; a corner strikes by Coulomb's
    /// law on the impulse of the whole impact.
    ///
    /// # Errors
    /// [`Unknown`] if what it does at the start is not known.
    pub fn new(scene: &Scene) -> Result<Self, Unknown> {
        Self::of(scene, 0, Vec::new(), Impacts::OneStage)
    }

    /// The motion of body `index` of `scene` from its start under `loads`, as if it were over the ground alone; a
    /// corner strikes by Coulomb's law on the impulse of the whole impact, or if `impacts` are incremental by that law at each
    /// moment of it.
    ///
    /// # Errors
    /// [`Unknown`] if there is no such body, or what it does at the start is not known.
    pub fn of(scene: &Scene, index: usize, loads: Vec<Load>, impacts: Impacts) -> Result<Self, Unknown> {
        let Some(body) = scene.bodies.get(index) else {
            return Err(Unknown::new(format!("there is no body {index}"), "give one"));
        };
        let plane = scene.ground.unwrap_or(Plane {
            normal: Vector2::y(),
            offset: f64::NEG_INFINITY,
            velocity: Vector2::zeros(),
        });
        let Surface { friction, restitution, .. } = scene.surfaces.between(index, Partner::Ground);
        let state = BodyState { pose: body.pose, twist: body.twist };
        let mut exact = Self {
            shape: body.shape.clone(),
            mass: body.mass,
            inertia: body.inertia,
            plane,
            friction,
            restitution,
            impacts,
            gravity: scene.gravity,
            loads,
            pull: scene.gravity,
            torque: 0.0,
            time: 0.0,
            state,
            before: state,
            is_new: true,
            driven: Twist::zeros(),
            phase: Phase::Flight,
            events: Vec::new(),
            impulses: Vec::new(),
        };
        exact.impulses.resize(exact.features(), Vector2::zeros());
        exact.take_loads();
        exact.begin()?;
        Ok(exact)
    }

    /// The coefficient up to which what rests sticks.
    fn static_friction(&self) -> f64 {
        self.friction.static_coefficient()
    }

    /// The coefficient of what slides at this `speed` in m/s; within an interval of integration that speed may fall a little
    /// below zero.
    fn sliding_friction(&self, speed: f64) -> f64 {
        self.friction.coefficient(Hold::Kinetic(speed))
    }

    /// Time in s that the motion has been followed to.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// The body at that time.
    pub fn state(&self) -> &BodyState {
        &self.state
    }

    /// What touches at that time.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The events so far.
    pub fn events(&self) -> &[BodyEvent] {
        &self.events
    }
}

//! A disc in the plane or a uniform sphere in space over the ground.
//!
//! The lowest point of a ball of the radius `R`, mass `m` and moment of inertia `I` slips at `u = v_t + rho`
//! with `rho` its velocity by the spin `w`, that is `w x (-R n)`. A friction impulse `P` changes `v_t` by
//! `P/m` and `rho` by `b P/m` with `b = m R^2/I`, so that with the drives `a = F/m` and `g = (T x (-R n))/I`
//!
//! ```text
//!     u' = a_t + g + (1 + b) P'/m          (b v_t - rho)' = b a_t - g
//! ```
//!
//! The first is the motion of a point on friction `(1 + b) mu(|u|)` that is pushed by `m (a + g)`: it slips, bounces
//! and stops as that point does, and rolling is the point's rest. The second has no contact in it. Both are
//! known in closed form ([`PointMotion`]), and the ball is their sum,
//!
//! ```text
//!     v_t = (u + c)/(1 + b)      rho = (b u - c)/(1 + b)      c = b v_t - rho
//! ```
//!
//! with the spin about the normal beside them, on which nothing acts but torques: there is no friction of drilling.

use nalgebra::{UnitQuaternion, Vector3};

use super::{
    body_motion::BodyMotion,
    particle::ON_THE_CONE,
    point::{Event, Forcing, PointMotion},
};
use crate::{
    model::{Attitude, Orientation, PointMass, Spin, State, Vector, tangential},
    scenario::Push,
    stepper::{Contact, ContactMode, StepFailure},
    world::{Partner, Surface},
};

/// Rotation in rad within one piece of the integration of an orientation whose axis changes.
pub(super) const LARGEST_TURN: f64 = 5e-3;

/// Pieces of a step at most.
pub(super) const MOST_PIECES: f64 = 1e4;

/// Flights in space that turn the ball by more than this, in rad, are not summed with others.
const SUMMED_TURN: f64 = 1e-5;

/// What a ball is.
#[derive(Debug, Clone, Copy)]
pub struct BallBody<const D: usize> {
    pub radius: f64,
    pub mass: f64,
    pub inertia: f64,
    /// In m/s^2.
    pub gravity: Vector<D>,
    /// What holds between it and the ground.
    pub surface: Surface,
}

/// A ball over the ground.
#[derive(Debug, Clone)]
pub(super) struct Ball<const D: usize> {
    body: BallBody<D>,
    /// `m R^2/I`.
    share: f64,
    /// The motion of the slipping point, and of what no contact changes.
    slip: PointMotion<D>,
    free: PointMotion<D>,
    slipping: State<D>,
    /// `b v_t - rho`, and `R` times the spin about the normal.
    unchanged: State<D>,
    orientation: Orientation,
    before: State<D>,
    impulse: Vector<D>,
    events: Vec<Event<D>>,
}

impl<const D: usize> Ball<D> {
    /// A ball at a `state` and an `attitude` under `pushes`, none of which acts at a point of its surface.
    pub fn new<'a>(
        body: BallBody<D>,
        state: State<D>,
        attitude: &Attitude,
        pushes: impl Iterator<Item = &'a Push<D>>,
    ) -> Self {
        let share = body.mass * body.radius * body.radius / body.inertia;
        let law = body.surface.friction.scaled(1.0 + share);
        let point = PointMass {
            mass: body.mass,
            friction: law.static_coefficient(),
            restitution: body.surface.restitution,
            gravity: body.gravity,
        };
        let aside = PointMass { gravity: tangential(&body.gravity) * share, ..point };
        let (mut of_slip, mut of_rest) = (Vec::new(), Vec::new());
        for push in pushes {
            let (turning, drilling) = rim::<D>(&push.torque);
            let turning = turning * (share / body.radius);
            let mut rest = tangential(&push.force) * share - turning;
            rest[D - 1] = drilling * (share / body.radius);
            let forcing = Forcing::constant(push);
            of_slip.push(Forcing { force: push.force + turning, ..forcing });
            of_rest.push(Forcing { force: rest, ..forcing });
        }
        let spin = match attitude.orientation {
            Orientation::Angle(_) => attitude.spin,
            Orientation::Quaternion(turn) => turn * attitude.spin,
        };
        let (rim, drilling) = rim::<D>(&spin);
        let rim = rim * body.radius;
        let mut slipping = State { velocity: state.velocity + rim, ..state };
        slipping.position[D - 1] -= body.radius;
        let mut unchanged = State {
            position: tangential(&state.position) * share,
            velocity: tangential(&state.velocity) * share - rim,
        };
        unchanged.velocity[D - 1] = drilling * body.radius;
        let speed = if D > 2 { spin.norm() + state.velocity.norm() / body.radius } else { 0.0 };
        let longest = if speed > 0.0 { SUMMED_TURN / speed } else { f64::INFINITY };
        Self {
            slip: PointMotion::of(point, &of_slip).with_friction(law).summing(longest),
            free: PointMotion::of(aside, &of_rest),
            body,
            share,
            slipping,
            unchanged,
            orientation: attitude.orientation,
            before: state,
            impulse: Vector::zeros(),
            events: Vec::new(),
        }
    }

    /// What the ground gives the ball where it gives the slipping point this impulse.
    fn given(&self, impulse: &Vector<D>) -> Vector<D> {
        let mut given = tangential(impulse) / (1.0 + self.share);
        given[D - 1] = impulse[D - 1];
        given
    }

    /// The tangential parts of the velocity (or way) of the centre and of that of the rim by the spin.
    fn parts(&self, slipping: &Vector<D>, unchanged: &Vector<D>) -> [Vector<D>; 2] {
        let (u, c) = (tangential(slipping), tangential(unchanged));
        [(u + c) / (1.0 + self.share), (u * self.share - c) / (1.0 + self.share)]
    }

    /// The spin, or the rotation, in the axes of the world, from the velocity, or the way, of the rim.
    fn turning(&self, slipping: &Vector<D>, unchanged: &Vector<D>) -> Spin {
        let [_, rim] = self.parts(slipping, unchanged);
        spin_of(&rim, unchanged[D - 1]) / self.body.radius
    }

    /// How the ball has turned from one pair of states to another one, `elapsed` s later.
    fn turned(&self, [u, c]: [&State<D>; 2], [later_u, later_c]: [&State<D>; 2], elapsed: f64) -> Spin {
        let way = self.turning(&(later_u.position - u.position), &(later_c.position - c.position));
        let [first, last] = [(u, c), (later_u, later_c)].map(|(u, c)| self.turning(&u.velocity, &c.velocity));
        // The second term of Magnus's series where the spin changes evenly.
        way - first.cross(&last) * (elapsed * elapsed / 12.0)
    }

    /// Turns a ball in space through a step, between the `events` in it.
    fn turn_in_space(&self, start: f64, dt: f64, events: &[Event<D>]) -> Result<Orientation, StepFailure> {
        let Orientation::Quaternion(mut turn) = self.orientation else { return Ok(self.orientation) };
        let times = events.iter().map(|event| event.time - start).filter(|time| *time > 0.0 && *time < dt);
        let edges: Vec<f64> = times.chain([dt]).collect();
        let mut motion = self.slip.clone();
        let (mut u, mut c, mut elapsed) = (self.slipping, self.unchanged, 0.0);
        let spin = self.top_speed(start, dt) / self.body.radius;
        for edge in edges {
            let pieces = (spin * (edge - elapsed) / LARGEST_TURN).ceil().clamp(1.0, MOST_PIECES);
            let length = (edge - elapsed) / pieces;
            for _ in 0..pieces as usize {
                let (next_u, _) =
                    motion.advance(u, start + elapsed, length).map_err(|error| *error.failure)?;
                let next_c = self.free.fly(c, start + elapsed, length);
                let by = self.turned([&u, &c], [&next_u, &next_c], length);
                turn = UnitQuaternion::from_scaled_axis(by) * turn;
                (u, c, elapsed) = (next_u, next_c, elapsed + length);
            }
            elapsed = edge;
        }
        turn.renormalize();
        Ok(Orientation::Quaternion(turn))
    }

    fn largest_pull(&self, start: f64, dt: f64) -> f64 {
        self.slip.largest_pull(start, dt) + self.free.largest_pull(start, dt)
    }
}

impl<const D: usize> BodyMotion<D> for Ball<D> {
    fn state(&self) -> State<D> {
        let [mut position, _] = self.parts(&self.slipping.position, &self.unchanged.position);
        let [mut velocity, _] = self.parts(&self.slipping.velocity, &self.unchanged.velocity);
        position[D - 1] = self.slipping.position[D - 1] + self.body.radius;
        velocity[D - 1] = self.slipping.velocity[D - 1];
        State { position, velocity }
    }

    fn attitude(&self) -> Attitude {
        let spin = self.turning(&self.slipping.velocity, &self.unchanged.velocity);
        let spin = match self.orientation {
            Orientation::Angle(_) => spin,
            Orientation::Quaternion(turn) => turn.inverse_transform_vector(&spin),
        };
        Attitude { orientation: self.orientation, spin }
    }

    fn advance(&mut self, start: f64, dt: f64) -> Result<(), StepFailure> {
        self.before = self.state();
        self.slip.forget();
        let (slipping, impulse) =
            self.slip.advance(self.slipping, start, dt).map_err(|error| *error.failure)?;
        let unchanged = self.free.fly(self.unchanged, start, dt);
        self.orientation = match self.orientation {
            Orientation::Angle(angle) => {
                let later = [&slipping, &unchanged];
                Orientation::Angle(angle + self.turned([&self.slipping, &self.unchanged], later, dt)[0])
            }
            Orientation::Quaternion(_) => self.turn_in_space(start, dt, self.slip.events())?,
        };
        (self.slipping, self.unchanged) = (slipping, unchanged);
        self.impulse = self.given(&impulse);
        for event in self.slip.events() {
            let impulse = self.given(&event.impulse);
            self.events.push(Event { impulse, ..*event });
        }
        Ok(())
    }

    fn impulse(&self) -> (Vector<D>, Spin) {
        // The rim is drawn by the friction.
        (self.impulse, spin_of(&(tangential(&self.impulse) * self.body.radius), 0.0))
    }

    fn contacts(&self, index: usize, dt: f64, contacts: &mut Vec<Contact<D>>) {
        let normal = self.impulse[D - 1];
        if normal <= 0.0 {
            return;
        }
        let up = Vector::from_fn(|row, _| f64::from(row == D - 1));
        let most = self.body.surface.friction.static_coefficient() * normal;
        let slips = tangential(&self.slipping.velocity).norm() > 0.0
            || most > 0.0 && tangential(&self.impulse).norm() >= (1.0 - ON_THE_CONE) * most;
        contacts.push(Contact {
            first: index,
            second: Partner::Ground,
            point: self.before.position - up * self.body.radius,
            normal: up,
            gap: self.before.position[D - 1] - self.body.radius,
            gap_end: None,
            force: self.impulse / dt,
            mode: if slips { ContactMode::Slip } else { ContactMode::Stick },
        });
    }

    fn top_speed(&self, start: f64, dt: f64) -> f64 {
        let [velocity, rim] = self.parts(&self.slipping.velocity, &self.unchanged.velocity);
        let rim = rim.norm() + self.unchanged.velocity[D - 1].abs();
        let fall = self.slipping.velocity[D - 1].abs();
        // Contacts take energy, and divide the rest between way and spin as they will.
        let root = self.share.sqrt();
        let energetic =
            velocity.norm() + fall + rim / root + (1.0 + 1.0 / root) * self.largest_pull(start, dt) * dt;
        energetic * (1.0 + root)
    }

    fn events(&self) -> &[Event<D>] {
        &self.events
    }

    fn copy(&self) -> Box<dyn BodyMotion<D>> {
        Box::new(self.clone())
    }
}

/// The velocity of the lowest point of a ball of radius 1 that turns like this, and the part about the normal. In the
/// plane that point runs to the right where the angle from `x` to `z` grows.
pub(super) fn rim<const D: usize>(spin: &Spin) -> (Vector<D>, f64) {
    let mut rim = Vector::zeros();
    if D == 2 {
        rim[0] = spin[0];
        return (rim, 0.0);
    }
    (rim[0], rim[1]) = (-spin[1], spin[0]);
    (rim, spin[2])
}

/// The spin that gives the lowest point of a ball of radius 1 this velocity, and turns it so about the normal.
pub(super) fn spin_of<const D: usize>(rim: &Vector<D>, drilling: f64) -> Spin {
    if D == 2 { Vector3::new(rim[0], 0.0, 0.0) } else { Vector3::new(rim[1], -rim[0], drilling) }
}

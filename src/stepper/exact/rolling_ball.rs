//! A ball in space on ground that resists its turning, where it keeps to one upright plane or spins on the spot.
//!
//! Where velocity, pull, and what turns it about level axes all lie along one line, the ball moves along it as a disc of its moment
//! of inertia does ([`RollingDisc`]). The spin `w` about the normal goes beside that, by the torque `T` and the normal force `N`,
//!
//! ```text
//!     I w' = T + m,   |m| <= rho_t N, against w
//! ```
//!
//! where nothing resists drilling, or nothing moves along the ground; in motion `rho_t` is less than at rest by as much as friction
//! is. What slides and drills at once shares one limit, and its motion has no closed form but for special proportions.

use nalgebra::UnitQuaternion;

use super::{
    ball::{BallBody, LARGEST_TURN, MOST_PIECES, rim, spin_of},
    body_motion::BodyMotion,
    planar::{Load, acting, next_edge},
    rolling_disc::{DiscBody, DiscState, RollingDisc},
};
use crate::{
    model::{Attitude, Orientation, Spin, State, Vector, tangential},
    scenario::Push,
    stepper::{Contact, StepFailure},
};

/// Part of a vector by which it may point beside a line, and lie along it.
const ALONG: f64 = 1e-12;

/// Part of its radius, and of its speed of falling through it, by which a ball that rests on the ground may miss it.
const TOUCHING: f64 = 1e-9;

/// The ball.
#[derive(Debug, Clone)]
pub(super) struct RollingBall {
    /// Along the way, from where the ball started.
    disc: RollingDisc,
    start: Vector<3>,
    /// Level and of unit length.
    way: Vector<3>,
    drilling: Drilling,
    orientation: UnitQuaternion<f64>,
    /// Whether it rolls and spins about the normal, so that its axis turns.
    tumbles: bool,
    radius: f64,
    impulse: Vector<3>,
    moment: Spin,
}

/// Why the motion is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Curved {
    /// It moves, or is driven, along more than one line.
    Sideways,
    /// It slides or rolls and drills.
    Coupled,
    /// It drills, and leaves or meets the ground.
    Lifted,
}

impl RollingBall {
    /// A ball at a `state` and `attitude` under steady `pushes`, each in a window of time in s.
    ///
    /// # Errors
    /// [`Curved`].
    pub fn of(
        ball: &BallBody<3>,
        (state, attitude): (State<3>, Attitude),
        pushes: &[(&Push<3>, [f64; 2])],
    ) -> Result<Self, Curved> {
        let Orientation::Quaternion(orientation) = attitude.orientation else { return Err(Curved::Sideways) };
        let BallBody { radius, mass, inertia, gravity, surface } = *ball;
        let spin = orientation * attitude.spin;
        let torques = pushes.iter().map(|(push, _)| rim::<3>(&push.torque));
        let driven = torques.clone().map(|(along, _)| along / radius);
        let level = [tangential(&state.velocity), rim::<3>(&spin).0 * radius, tangential(&gravity)];
        let forces = pushes.iter().map(|(push, _)| tangential(&push.force));
        let all: Vec<Vector<3>> = level.into_iter().chain(forces).chain(driven).collect();
        let longest = all.iter().max_by(|a, b| a.norm().total_cmp(&b.norm()));
        let way = longest.and_then(|longest| longest.try_normalize(0.0));
        let moves_along = way.is_some();
        let way = way.unwrap_or_else(|| Vector::<3>::new(1.0, 0.0, 0.0));
        if all.iter().any(|vector| (vector - way * way.dot(vector)).norm() > ALONG * vector.norm()) {
            return Err(Curved::Sideways);
        }
        let drills = spin.z != 0.0 || torques.clone().any(|(_, about)| about != 0.0);
        let torsional = surface.turning.torsional;
        if drills && torsional > 0.0 {
            let lifting = pushes.iter().map(|(push, _)| push.force.z.max(0.0)).sum::<f64>();
            let rests = (state.position.z - radius).abs() <= TOUCHING * radius && state.velocity.z == 0.0;
            if moves_along {
                return Err(Curved::Coupled);
            } else if !rests || lifting >= -gravity.z * mass {
                return Err(Curved::Lifted);
            }
        }
        let load = |((push, [from, to]), (along, about)): (&(&Push<3>, [f64; 2]), (Vector<3>, f64))| {
            let load = |force: f64, torque: f64| Load {
                force: [force, push.force.z].into(),
                torque,
                from: *from,
                to: *to,
            };
            [load(way.dot(&push.force), way.dot(&along)), load(0.0, about)]
        };
        let loads: Vec<[Load; 2]> = pushes.iter().zip(torques).map(load).collect();
        let disc = DiscBody {
            radius,
            mass,
            inertia,
            gravity: [way.dot(&gravity), gravity.z].into(),
            friction: surface.friction,
            rolling: surface.turning.rolling,
        };
        let start = DiscState {
            centre: State {
                position: [0.0, state.position.z].into(),
                velocity: [way.dot(&state.velocity), state.velocity.z].into(),
            },
            angle: 0.0,
            spin: way.dot(&rim::<3>(&spin).0),
        };
        let weight = -gravity.z * mass;
        let about = loads.iter().map(|[_, about]| *about).collect();
        let [at_rest, in_motion] =
            [surface.friction.static_coefficient(), surface.friction.kinetic_coefficient()];
        let spinning = if at_rest > 0.0 { torsional * (in_motion / at_rest) } else { torsional };
        Ok(Self {
            disc: RollingDisc::new(disc, start, loads.iter().map(|[along, _]| *along).collect()),
            start: tangential(&state.position),
            way,
            drilling: Drilling {
                inertia,
                torsional: [torsional, spinning],
                weight,
                loads: about,
                spin: spin.z,
            },
            orientation,
            tumbles: drills && moves_along,
            radius,
            impulse: Vector::<3>::zeros(),
            moment: Spin::zeros(),
        })
    }

    /// The spin about the axis across the way that has the lowest point run along it.
    fn about_way(&self, spin: f64) -> Spin {
        spin_of(&(self.way * spin), 0.0)
    }

    fn spin(&self) -> Spin {
        self.about_way(self.disc.attitude().spin[0]) + Spin::new(0.0, 0.0, self.drilling.spin)
    }

    /// In space, from along the way.
    fn in_space(&self, x: &Vector<2>) -> Vector<3> {
        self.way * x[0] + Vector::<3>::new(0.0, 0.0, x[1])
    }

    fn angle(&self) -> f64 {
        match self.disc.attitude().orientation {
            Orientation::Angle(angle) => angle,
            Orientation::Quaternion(turn) => turn.angle(),
        }
    }
}

impl BodyMotion<3> for RollingBall {
    fn state(&self) -> State<3> {
        let State { position, velocity } = self.disc.state();
        State { position: self.start + self.in_space(&position), velocity: self.in_space(&velocity) }
    }

    fn attitude(&self) -> Attitude {
        let spin = self.orientation.inverse_transform_vector(&self.spin());
        Attitude { orientation: Orientation::Quaternion(self.orientation), spin }
    }

    fn advance(&mut self, start: f64, dt: f64) -> Result<(), StepFailure> {
        (self.impulse, self.moment) = (Vector::<3>::zeros(), Spin::zeros());
        let turns = self.top_speed(start, dt) / self.radius * dt / LARGEST_TURN;
        let pieces = if self.tumbles { turns.ceil().clamp(1.0, MOST_PIECES) } else { 1.0 };
        let length = dt / pieces;
        for piece in 0..pieces as usize {
            let (first, angle, now) = (self.spin(), self.angle(), start + piece as f64 * length);
            self.disc.advance(now, length)?;
            let (drilled, moment) = self.drilling.advance(now, length);
            let way = self.about_way(self.angle() - angle) + Spin::new(0.0, 0.0, drilled);
            // The second term of Magnus's series where the spin changes evenly.
            let by = way - first.cross(&self.spin()) * (length * length / 12.0);
            self.orientation = UnitQuaternion::from_scaled_axis(by) * self.orientation;
            let (impulse, rolled) = self.disc.impulse();
            self.impulse += self.in_space(&impulse);
            self.moment += self.about_way(rolled[0]) + Spin::new(0.0, 0.0, moment);
        }
        self.orientation.renormalize();
        Ok(())
    }

    fn impulse(&self) -> (Vector<3>, Spin) {
        (self.impulse, self.moment)
    }

    fn contacts(&self, index: usize, dt: f64, contacts: &mut Vec<Contact<3>>) {
        let mut along = Vec::new();
        self.disc.contacts(index, dt, &mut along);
        contacts.extend(along.into_iter().map(|contact| Contact {
            first: contact.first,
            second: contact.second,
            point: self.start + self.in_space(&contact.point),
            normal: self.in_space(&contact.normal),
            gap: contact.gap,
            gap_end: contact.gap_end,
            force: self.impulse / dt,
            mode: contact.mode,
        }));
    }

    fn top_speed(&self, start: f64, dt: f64) -> f64 {
        let Drilling { inertia, loads, spin, .. } = &self.drilling;
        let driven = loads.iter().map(|load| load.torque.abs()).sum::<f64>() / inertia;
        self.disc.top_speed(start, dt) + self.radius * (spin.abs() + driven * dt)
    }

    fn copy(&self) -> Box<dyn BodyMotion<3>> {
        Box::new(self.clone())
    }
}

/// The spin about the normal.
#[derive(Debug, Clone)]
struct Drilling {
    inertia: f64,
    /// `rho_t` in m at rest and in motion.
    torsional: [f64; 2],
    /// In N.
    weight: f64,
    /// The upward forces and the torques about the normal.
    loads: Vec<Load>,
    spin: f64,
}

impl Drilling {
    /// Goes on for `dt` s; by how much it turned, and the angular impulse of the ground.
    fn advance(&mut self, start: f64, dt: f64) -> (f64, f64) {
        let (mut elapsed, mut turned, mut given) = (0.0, 0.0, 0.0);
        while elapsed < dt {
            // An edge that rounding alone is ahead of has passed.
            let time = start + elapsed;
            let now = time + 4.0 * f64::EPSILON * time.abs();
            let (mut lift, mut torque) = (0.0, 0.0);
            for load in acting(&self.loads, now) {
                lift += load.force[1];
                torque += load.torque;
            }
            let [held, most] = self.torsional.map(|length| length * (self.weight - lift).max(0.0));
            let moment = match self.spin {
                0.0 if torque.abs() <= held => -torque,
                0.0 => -most * torque.signum(),
                spin => -most * spin.signum(),
            };
            let rate = (torque + moment) / self.inertia;
            let stops = if self.spin * rate < 0.0 { -self.spin / rate } else { f64::INFINITY };
            let lasts = (next_edge(&self.loads, now) - time).min(dt - elapsed).min(stops);
            turned += self.spin * lasts + 0.5 * rate * lasts * lasts;
            self.spin = if stops <= lasts { 0.0 } else { self.spin + rate * lasts };
            given += moment * lasts;
            elapsed += lasts;
        }
        (turned, given)
    }
}

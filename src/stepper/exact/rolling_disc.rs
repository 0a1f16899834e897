//! A disc in the plane over ground that resists rolling.
//!
//! Under a steady pull all accelerations are steady between events, so that its motion is known in closed form. With the
//! slip `u = v + R w` of the lowest point, friction `f` and the moment `m` against rolling
//!
//! ```text
//!     [u', w'] = [F/m + R T/I, T/I] + [[1/m + R^2/I, R/I], [R/I, 1/I]] [f, m]
//!     |f| <= mu N, against u;   |m| <= rho N, against w
//! ```
//!
//! with `mu` that of rest where the slip is held at zero, else that of motion, the same at all speeds.
//!
//! Where one of the two rates is zero its reaction is what keeps it so, or all there is: the matrix is positive definite, so that
//! there is one answer. Events are zeros of the rates, landings, and changes of the pull. Impacts are inelastic, by the same
//! law on their impulse.

use super::{
    body_motion::BodyMotion,
    particle::ON_THE_CONE,
    planar::{Inert, Load, acting, next_edge, top_speed},
    point::ballistic_landing,
};
use crate::{
    contact::{FailureKind, Friction},
    model::{Attitude, Orientation, Spin, State, Vector},
    stepper::{Contact, ContactMode, StepFailure},
    world::Partner,
};

/// Events within one step, after which it is given up.
const MOST_EVENTS: usize = 100_000;

/// What the disc is, and the ground.
#[derive(Debug, Clone, Copy)]
pub(super) struct DiscBody {
    pub radius: f64,
    pub mass: f64,
    pub inertia: f64,
    /// In m/s^2.
    pub gravity: Vector<2>,
    /// The law of friction, even in motion.
    pub friction: Friction,
    /// `rho` in m.
    pub rolling: f64,
}

/// Where it is and how it moves.
#[derive(Debug, Clone, Copy)]
pub(super) struct DiscState {
    pub centre: State<2>,
    pub angle: f64,
    pub spin: f64,
}

/// The disc.
#[derive(Debug, Clone)]
pub(super) struct RollingDisc {
    body: DiscBody,
    loads: Vec<Load>,
    state: DiscState,
    before: DiscState,
    /// Whether the ground carries it.
    rests: bool,
    /// Of friction and of the normal force in the last step in N s, and of the moment about the centre in N m s.
    impulse: Vector<2>,
    moment: f64,
}

/// Reactions of friction and of the moment, or the rates of slip and spin.
type Both = [f64; 2];

impl RollingDisc {
    /// From its start under these loads.
    pub fn new(body: DiscBody, start: DiscState, loads: Vec<Load>) -> Self {
        let (impulse, moment) = (Vector::<2>::zeros(), 0.0);
        Self { body, loads, state: start, before: start, rests: false, impulse, moment }
    }

    /// Force and torque that act from `time` on, gravity among them, and how long they stay the same.
    fn pull(&self, time: f64) -> (Vector<2>, f64, f64) {
        let (mut force, mut torque) = (self.body.gravity * self.body.mass, 0.0);
        // An edge that rounding alone is ahead of has passed.
        let now = time + 4.0 * f64::EPSILON * time.abs();
        for load in acting(&self.loads, now) {
            force += load.force;
            torque += load.torque;
        }
        (force, torque, next_edge(&self.loads, now) - time)
    }

    fn rates(&self) -> Both {
        [self.state.centre.velocity[0] + self.body.radius * self.state.spin, self.state.spin]
    }

    /// What reactions change of the rates, times mass in time.
    fn answer(&self) -> [Both; 2] {
        let DiscBody { radius, mass, inertia, .. } = self.body;
        let across = radius / inertia;
        [[1.0 / mass + radius * across, across], [across, 1.0 / inertia]]
    }

    /// The reactions within their limits, those of rest and of motion, to a drive of the rates, and whether each keeps its rate
    /// at zero. What moves already has all of its reaction against it.
    fn reactions(&self, rates: Both, drive: Both, [held, limits]: [Both; 2]) -> (Both, [bool; 2]) {
        let answer = self.answer();
        // Holding comes first, so that it wins where nothing decides.
        let choices = [0, 1].map(|i| match rates[i] {
            0.0 => vec![None, Some(-limits[i]), Some(limits[i])],
            rate => vec![Some(-limits[i] * rate.signum())],
        });
        let mut best = (f64::INFINITY, ([0.0; 2], [false; 2]));
        for first in &choices[0] {
            for second in &choices[1] {
                let reactions = reactions_of([*first, *second], drive, &answer);
                let holds = [first.is_none(), second.is_none()];
                let after =
                    [0, 1].map(|i| drive[i] + answer[i][0] * reactions[0] + answer[i][1] * reactions[1]);
                let miss = |i: usize| match (holds[i], rates[i] == 0.0) {
                    (true, _) => (reactions[i].abs() - held[i]).max(0.0) * answer[i][i],
                    (false, true) => (after[i] * reactions[i].signum()).max(0.0),
                    (false, false) => 0.0,
                };
                let missed = miss(0) + self.body.radius * miss(1);
                if missed < best.0 {
                    best = (missed, (reactions, holds));
                }
            }
        }
        best.1
    }

    /// Goes on for `span` s at these accelerations.
    fn go(&mut self, acceleration: Vector<2>, turning: f64, span: f64) {
        let DiscState { centre, angle, spin } = &mut self.state;
        centre.position += centre.velocity * span + acceleration * (0.5 * span * span);
        centre.velocity += acceleration * span;
        *angle += *spin * span + 0.5 * turning * span * span;
        *spin += turning * span;
    }

    /// Sets rates to zero.
    fn stop(&mut self, is_zero: [bool; 2]) {
        if is_zero[1] {
            self.state.spin = 0.0;
        }
        if is_zero[0] {
            self.state.centre.velocity[0] = -(self.body.radius * self.state.spin);
        }
    }

    /// Flies until it lands or for `span` s; how long.
    fn fly(&mut self, (force, torque): (Vector<2>, f64), span: f64) -> f64 {
        let DiscBody { radius, mass, inertia, .. } = self.body;
        let acceleration = force / mass;
        let State { position, velocity } = self.state.centre;
        let height = (position[1] - radius).max(0.0);
        let landing = ballistic_landing(height, velocity[1], acceleration[1]).map(|landing| landing.after);
        let flies = landing.map_or(span, |landing| landing.min(span));
        self.go(acceleration, torque / inertia, flies);
        if landing.is_some_and(|landing| landing <= span) {
            self.land();
        }
        flies
    }

    /// The impact of a disc that has come down.
    fn land(&mut self) {
        let DiscBody { radius, mass, inertia, friction, rolling, .. } = self.body;
        let blow = -mass * self.state.centre.velocity[1].min(0.0);
        // What slips as it lands has the friction of motion, also where that stops it.
        let slips = self.rates()[0] != 0.0;
        let held = if slips { friction.kinetic_coefficient() } else { friction.static_coefficient() };
        let limits = [held, friction.kinetic_coefficient()].map(|mu| [mu * blow, rolling * blow]);
        let ([along, about], holds) = self.reactions([0.0; 2], self.rates(), limits);
        self.state.centre.position[1] = radius;
        self.state.centre.velocity[1] = 0.0;
        self.rests = true;
        if blow > 0.0 {
            self.state.centre.velocity[0] += along / mass;
            self.state.spin += (radius * along + about) / inertia;
            self.stop(holds);
            self.take([along, about], blow);
        }
    }

    /// Counts what the ground gives.
    fn take(&mut self, [along, about]: Both, normal: f64) {
        self.impulse += Vector::<2>::from([along, normal]);
        self.moment += self.body.radius * along + about;
    }

    /// Slides, rolls or rests until a rate comes to zero or for `span` s; how long.
    fn roll(&mut self, (force, torque): (Vector<2>, f64), span: f64) -> f64 {
        let DiscBody { radius, mass, inertia, friction, rolling, .. } = self.body;
        let (normal, rates) = (-force[1], self.rates());
        let drive = [force[0] / mass + radius * torque / inertia, torque / inertia];
        let limits = [friction.static_coefficient(), friction.kinetic_coefficient()]
            .map(|mu| [mu * normal, rolling * normal]);
        let ([along, about], holds) = self.reactions(rates, drive, limits);
        let answer = self.answer();
        let ends = [0, 1].map(|i| {
            let change = drive[i] + answer[i][0] * along + answer[i][1] * about;
            if rates[i] * change < 0.0 { -rates[i] / change } else { f64::INFINITY }
        });
        let lasts = span.min(ends[0]).min(ends[1]);
        let acceleration = Vector::<2>::from([(force[0] + along) / mass, 0.0]);
        self.go(acceleration, (torque + radius * along + about) / inertia, lasts);
        self.stop([0, 1].map(|i| holds[i] || ends[i] <= lasts));
        self.take([along * lasts, about * lasts], normal * lasts);
        lasts
    }
}

/// Reactions of which some are given, and the others keep their rates at zero.
fn reactions_of(given: [Option<f64>; 2], drive: Both, answer: &[Both; 2]) -> Both {
    match given {
        [Some(first), Some(second)] => [first, second],
        [None, Some(second)] => [-(drive[0] + answer[0][1] * second) / answer[0][0], second],
        [Some(first), None] => [first, -(drive[1] + answer[1][0] * first) / answer[1][1]],
        [None, None] => {
            let determinant = answer[0][0] * answer[1][1] - answer[0][1] * answer[1][0];
            [
                (answer[0][1] * drive[1] - answer[1][1] * drive[0]) / determinant,
                (answer[1][0] * drive[0] - answer[0][0] * drive[1]) / determinant,
            ]
        }
    }
}

impl BodyMotion<2> for RollingDisc {
    fn state(&self) -> State<2> {
        self.state.centre
    }

    fn attitude(&self) -> Attitude {
        let DiscState { angle, spin, .. } = self.state;
        Attitude { orientation: Orientation::Angle(angle), spin: Spin::new(spin, 0.0, 0.0) }
    }

    fn advance(&mut self, start: f64, dt: f64) -> Result<(), StepFailure> {
        self.before = self.state;
        (self.impulse, self.moment) = (Vector::<2>::zeros(), 0.0);
        let mut elapsed = 0.0;
        for _ in 0..MOST_EVENTS {
            if elapsed >= dt {
                return Ok(());
            }
            let (force, torque, lasts) = self.pull(start + elapsed);
            let span = lasts.min(dt - elapsed);
            self.rests &= force[1] < 0.0;
            let pull = (force, torque);
            elapsed += if self.rests { self.roll(pull, span) } else { self.fly(pull, span) };
        }
        Err(StepFailure::new(
            FailureKind::NotConverged,
            format!(
                "at {:.6} s more than {MOST_EVENTS} events happen within a step; shorten the step",
                start + elapsed
            ),
        ))
    }

    fn impulse(&self) -> (Vector<2>, Spin) {
        (self.impulse, Spin::new(self.moment, 0.0, 0.0))
    }

    fn contacts(&self, index: usize, dt: f64, contacts: &mut Vec<Contact<2>>) {
        let normal = self.impulse[1];
        if normal <= 0.0 {
            return;
        }
        let most = self.body.friction.static_coefficient() * normal;
        let slips =
            self.rates()[0] != 0.0 || most > 0.0 && self.impulse[0].abs() >= (1.0 - ON_THE_CONE) * most;
        let up = Vector::<2>::from([0.0, 1.0]);
        contacts.push(Contact {
            first: index,
            second: Partner::Ground,
            point: self.before.centre.position - up * self.body.radius,
            normal: up,
            gap: self.before.centre.position[1] - self.body.radius,
            gap_end: None,
            force: self.impulse / dt,
            mode: if slips { ContactMode::Slip } else { ContactMode::Stick },
        });
    }

    fn top_speed(&self, _start: f64, dt: f64) -> f64 {
        let DiscBody { radius, mass, inertia, gravity, .. } = self.body;
        let inert = Inert { mass, inertia, gravity, reach: radius };
        top_speed(&self.loads, &inert, [self.state.centre.velocity.norm(), self.state.spin], dt)
    }

    fn copy(&self) -> Box<dyn BodyMotion<2>> {
        Box::new(self.clone())
    }
}

//! The continuous motion of a thrown point, and what it would be on the other side of an impact.
//!
//! The motion is that of the stepper [`PointMotion`]: no time step is involved, impacts happen when they happen. In dual
//! numbers it gives the derivatives by `mu`, `e` and the start.

use crate::{
    model::{Number, PointMass, State, Vector},
    stepper::{Event, EventKind, PointMotion},
};

/// Bounces whose flights last no longer than this, s, may be taken together: they lift the point by 1e-12 m.
const INSTANT: f64 = 1e-6;

/// Position and velocity: `x`, `z`, `vx`, `vz`.
pub type Kinematics<T> = [T; 4];

/// How a motion starts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Start<T> {
    /// In flight, or just before an impact.
    Flight(Kinematics<T>),
    /// On the ground: place and slip.
    Ground([T; 2]),
}

impl<T: Copy> Start<T> {
    /// Its numbers, as a list of four or two.
    pub fn to_vec(self) -> Vec<T> {
        match self {
            Self::Flight(state) => state.to_vec(),
            Self::Ground(state) => state.to_vec(),
        }
    }

    /// What [`to_vec`](Self::to_vec) made.
    pub fn from_slice(numbers: &[T]) -> Option<Self> {
        match *numbers {
            [x, z, slip, rise] => Some(Self::Flight([x, z, slip, rise])),
            [x, slip] => Some(Self::Ground([x, slip])),
            _ => None,
        }
    }
}

/// The state on the other side of an impact.
#[derive(Debug, Clone, Copy)]
pub struct Beyond<T> {
    /// The state, had the impact been a little earlier or later.
    pub state: Kinematics<T>,
    /// Time since the impact, over the longest at which there is another side: -1 to 1.
    pub distance: T,
}

/// A state that the point flies or slides on from, and when.
type Moment<T> = (T, State<2, T>);

/// The motion when it starts.
struct Beginning<T> {
    /// From when on [`PointMotion`] follows it.
    start: Moment<T>,
    /// The flight before that.
    flight: Option<Moment<T>>,
    /// How far the ground is below that of the scenario.
    lift: T,
}

/// What happens to the point.
#[derive(Debug, Clone, Copy)]
pub struct Motion<T> {
    /// `mu`.
    pub friction: T,
    /// `e`.
    pub restitution: T,
    /// `g`, m/s^2.
    pub gravity: f64,
}

impl<T: Number> Motion<T> {
    /// Calls `visit` with the state at each of the `times`, which rise, and with what it would be on the
    /// other side of an impact that is close in time: no farther than `near`, nor than a quarter of a flight
    /// as fast as the impact.
    pub fn follow(
        &self,
        start: Start<T>,
        times: impl Iterator<Item = f64>,
        near: f64,
        mut visit: impl FnMut(Kinematics<T>, [Option<Beyond<T>>; 2]),
    ) {
        // What happens is left to the stepper; in flight nothing does.
        let mut exact = PointMotion::of(self.body(), &[]).summing(INSTANT);
        let mut ahead = exact.clone();
        let Beginning { start: mut known, mut flight, lift } = self.begin(start);
        let reach = |speed: f64| near.min(0.5 * speed / self.gravity);
        // The last impact that later ones do not hide: the flight before it, when, and its reach.
        let mut last: Option<(Moment<T>, T, f64)> = None;
        for time in times {
            if time <= known.0.re() {
                let seen = flight.map_or(known.1, |before| self.at(&before, time));
                visit(kinematics(&seen, lift), [None; 2]);
                continue;
            }
            let flown = flight.filter(|flight| self.landing(flight) > time);
            let state = match flown {
                Some(flight) => self.at(&flight, time),
                None => {
                    let (since, from) = known;
                    let state = match exact.advance(from, since, -since + time) {
                        Ok((state, _)) => state,
                        // More bounces than can be followed: the point slides.
                        Err(_) => self.grounded(from),
                    };
                    known = (T::from(time), state);
                    state
                }
            };
            for event in exact.events() {
                let Some(before) = flight.take().filter(|_| event.kind == EventKind::Impact) else {
                    continue;
                };
                let landed = self.landed(&before, event);
                let reach = reach(self.body().impact_speed(&before.1).re());
                if last.is_none_or(|(_, earlier, far)| event.time.re() + reach > earlier.re() + far) {
                    last = Some((before, event.time, reach));
                }
                flight = (landed.velocity[1].re() > 0.0).then_some((event.time, landed));
            }
            exact.forget();
            let before = last.and_then(|(flight, when, reach)| {
                let late = -when + time;
                let is_near = late.re() < reach;
                is_near.then(|| Beyond {
                    state: kinematics(&self.at(&flight, time), lift),
                    distance: late / reach,
                })
            });
            let (speed, rise) = (self.body().impact_speed(&state).re(), state.velocity[1].re());
            let is_near = flight.is_some() && rise + speed < reach(speed) * self.gravity;
            let after = is_near
                .then(|| self.beyond_landing(&mut ahead, &(T::from(time), state), reach(speed)))
                .flatten();
            let after = after.map(|(when, after)| Beyond {
                state: kinematics(&after, lift),
                distance: (-when + time) / reach(speed),
            });
            visit(kinematics(&state, lift), [before, after]);
        }
    }

    fn body(&self) -> PointMass<2, T> {
        PointMass {
            mass: T::one(),
            friction: self.friction,
            restitution: self.restitution,
            gravity: Vector::<2, T>::new(T::zero(), T::from(-self.gravity)),
        }
    }

    /// A start under the ground is one on the way through it, or one on a ground that lies deeper.
    fn begin(&self, start: Start<T>) -> Beginning<T> {
        let zero = T::zero();
        let of = |x: T, z: T, slip: T, rise: T| State {
            position: Vector::<2, T>::new(x, z),
            velocity: Vector::<2, T>::new(slip, rise),
        };
        let [x, z, slip, rise] = match start {
            Start::Flight(state) => state,
            Start::Ground([x, slip]) => {
                return Beginning { start: (zero, of(x, zero, slip, zero)), flight: None, lift: zero };
            }
        };
        let thrown = (zero, of(x, z, slip, rise));
        if z.re() > 0.0 {
            return Beginning { start: thrown, flight: Some(thrown), lift: zero };
        }
        let speed = self.body().impact_speed(&thrown.1);
        if speed.re() == 0.0 {
            return Beginning { start: (zero, of(x, zero, slip, zero)), flight: None, lift: z };
        }
        let speed = if rise.re() > 0.0 { speed } else { -speed };
        let when = (rise - speed) / self.gravity;
        let through = of(x + slip * when, zero, slip, speed);
        Beginning { start: (when, through), flight: Some(thrown), lift: zero }
    }

    /// The state at a time in the flight or slide that goes on from a moment.
    fn at(&self, (since, from): &Moment<T>, time: f64) -> State<2, T> {
        self.carried(from, -*since + time)
    }

    /// When a flight ends.
    fn landing(&self, (since, from): &Moment<T>) -> f64 {
        since.re() + (from.velocity[1].re() + self.body().impact_speed(from).re()) / self.gravity
    }

    /// The state so long after another, or before it, without an event in between.
    fn carried(&self, from: &State<2, T>, after: T) -> State<2, T> {
        let flies = from.height().re() > 0.0 || from.velocity[1].re().abs() > 0.5 * self.gravity * INSTANT;
        let brakes = from.velocity[0].re() != 0.0;
        let acceleration = match (flies, brakes) {
            (true, _) => self.body().gravity,
            (false, true) => Vector::x() * (self.friction * (-self.gravity * from.velocity[0].re().signum())),
            (false, false) => Vector::zeros(),
        };
        State {
            position: from.position + (from.velocity + acceleration * (after * 0.5)) * after,
            velocity: from.velocity + acceleration * after,
        }
    }

    /// The state right after the impact at the end of a flight.
    fn landed(&self, (since, from): &Moment<T>, impact: &Event<2, T>) -> State<2, T> {
        let mut landed = self.carried(from, impact.time - *since);
        landed.position[1] = T::zero();
        landed.velocity += impact.impulse;
        landed
    }

    /// On the ground from now on.
    fn grounded(&self, mut state: State<2, T>) -> State<2, T> {
        (state.position[1], state.velocity[1]) = (T::zero(), T::zero());
        state
    }

    /// When a flight ends within `reach`, and the state now, had it ended before.
    fn beyond_landing(
        &self,
        ahead: &mut PointMotion<2, T>,
        (now, state): &Moment<T>,
        reach: f64,
    ) -> Option<Moment<T>> {
        ahead.forget();
        ahead.advance(*state, *now, T::from(reach)).ok()?;
        let impact = ahead.events().first().filter(|event| event.kind == EventKind::Impact)?;
        let mut landed = self.landed(&(*now, *state), impact);
        if landed.velocity[1].re() <= 0.5 * self.gravity * INSTANT {
            landed.velocity[1] = T::zero();
        }
        Some((impact.time, self.carried(&landed, *now - impact.time)))
    }
}

fn kinematics<T: Number>(state: &State<2, T>, lift: T) -> Kinematics<T> {
    [state.position[0], state.position[1] + lift, state.velocity[0], state.velocity[1]]
}

//! The continuous motion of a thrown point, with the times of its impacts as they are.
//!
//! Flights are parabolas. At the end of each the ground turns the vertical speed `v` into `e v` and takes
//! `mu (1 + e) v` off the slip, or all of it; the infinitely many bounces end after a finite time, and
//! what slip is left is braked by `mu g`. No time step is involved: this is the motion that the stepper
//! `exact` follows, written once more over any number type, so that dual numbers give its derivatives by
//! `mu`, `e` and the start.

use num_dual::DualNum;

/// Numbers that a motion may be computed with.
pub trait Number: DualNum<Primitive = f64> + Copy {}

impl<T: DualNum<Primitive = f64> + Copy> Number for T {}

/// Bounces that together last no longer than this, s, are taken at once: what they move the point by is
/// below 1e-12 m.
const INSTANT: f64 = 1e-7;
/// Most impacts in one motion; after that the point slides.
const MOST_IMPACTS: usize = 200_000;

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

/// The motion between two events; `since` is when it began.
#[derive(Debug, Clone, Copy)]
enum Phase<T> {
    Flight { since: T, from: Kinematics<T>, lasts: T, speed: T },
    Slide { since: T, x: T, z: T, slip: T },
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
        let mut phase = match start {
            Start::Flight(from) => self.flight(T::from(0.0), from),
            Start::Ground([x, slip]) => Phase::Slide { since: T::from(0.0), x, z: T::from(0.0), slip },
        };
        let reach = |speed: T| near.min(0.5 * speed.re() / self.gravity);
        // The last impact that later ones do not hide: the flight before it, when, and its reach.
        let mut last: Option<(Phase<T>, T, f64)> = None;
        let mut impacts = 0;
        for time in times {
            while let Phase::Flight { since, lasts, speed, .. } = phase
                && time > since.re() + lasts.re()
            {
                let after = if impacts < MOST_IMPACTS { self.after(&phase) } else { self.halt(&phase) };
                let (when, reach) = (since + lasts, reach(speed));
                if last.is_none_or(|(_, earlier, far)| when.re() + reach > earlier.re() + far) {
                    last = Some((phase, when, reach));
                }
                phase = after;
                impacts += 1;
            }
            let beyond = |phase: &Phase<T>, when: T, reach: f64| {
                let late = -when + time;
                (late.re().abs() < reach)
                    .then(|| Beyond { state: self.state(phase, time), distance: late / reach })
            };
            let before = last.and_then(|(flight, when, reach)| beyond(&flight, when, reach));
            let after = match phase {
                Phase::Flight { since, lasts, speed, .. }
                    if since.re() + lasts.re() - time < reach(speed) =>
                {
                    beyond(&self.after(&phase), since + lasts, reach(speed))
                }
                _ => None,
            };
            visit(self.state(&phase, time), [before, after]);
        }
    }

    /// A flight from a state, until the ground is reached; a start under the ground from which it never
    /// was is one on the ground.
    fn flight(&self, since: T, from: Kinematics<T>) -> Phase<T> {
        let [x, z, slip, rise] = from;
        let square = rise * rise + z * (2.0 * self.gravity);
        if square.re() <= 0.0 {
            return Phase::Slide { since, x, z, slip };
        }
        let speed = square.sqrt();
        Phase::Flight { since, from, lasts: (rise + speed) / self.gravity, speed }
    }

    /// What follows the impact at the end of a flight.
    fn after(&self, phase: &Phase<T>) -> Phase<T> {
        let &Phase::Flight { since, lasts, speed, .. } = phase else { return *phase };
        let when = since + lasts;
        let [x, _, slip, _] = self.in_phase(phase, lasts);
        let both = self.restitution + 1.0;
        let slip = soft(slip, self.friction * both * speed);
        let rise = self.restitution * speed;
        let next = rise * (2.0 / self.gravity);
        let less = -self.restitution + 1.0;
        let ends = less.re() > 0.0;
        if ends && next.re() / less.re() <= INSTANT {
            // Impacts at e v, e^2 v, ... together: a geometric sum.
            let (duration, speeds) = (next / less, rise / less);
            let x = x + slip * duration;
            let slip = soft(slip, self.friction * both * speeds);
            return Phase::Slide { since: when + duration, x, z: T::from(0.0), slip };
        }
        // Only with a restitution next to one do bounces become as short as this without coming to an end.
        if next.re() <= 1e-3 * INSTANT {
            return Phase::Slide { since: when, x, z: T::from(0.0), slip };
        }
        Phase::Flight { since: when, from: [x, T::from(0.0), slip, rise], lasts: next, speed: rise }
    }

    /// Where impacts are too many to be followed.
    fn halt(&self, phase: &Phase<T>) -> Phase<T> {
        let &Phase::Flight { since, lasts, .. } = phase else { return *phase };
        let [x, _, slip, _] = self.in_phase(phase, lasts);
        Phase::Slide { since: since + lasts, x, z: T::from(0.0), slip }
    }

    fn state(&self, phase: &Phase<T>, time: f64) -> Kinematics<T> {
        let (Phase::Flight { since, .. } | Phase::Slide { since, .. }) = phase;
        self.in_phase(phase, -*since + time)
    }

    /// The state so long after a phase began.
    fn in_phase(&self, phase: &Phase<T>, after: T) -> Kinematics<T> {
        match *phase {
            Phase::Flight { from: [x, z, slip, rise], .. } => {
                let gain = after * self.gravity;
                [x + slip * after, z + (rise - gain * 0.5) * after, slip, rise - gain]
            }
            Phase::Slide { x, z, slip, .. } => {
                let brake = self.friction * (self.gravity * slip.re().signum());
                let left = slip - brake * after;
                if left.re() * slip.re() > 0.0 {
                    return [x + (slip + left) * after * 0.5, z, left, T::from(0.0)];
                }
                let rest = T::from(0.0);
                if slip.re() == 0.0 {
                    return [x, z, rest, rest];
                }
                [x + slip * slip / (brake * 2.0), z, rest, rest]
            }
        }
    }
}

/// `v` shrunk towards zero by `by`, which is not negative.
fn soft<T: Number>(v: T, by: T) -> T {
    let left = v.abs() - by;
    if left.re() > 0.0 { left * v.re().signum() } else { T::from(0.0) }
}

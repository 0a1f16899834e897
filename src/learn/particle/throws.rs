//! The likelihood of throws: residuals of their stretches, each with an unknown start of its own.

use nalgebra::SVector;
use num_dual::{Derivative, DualSVec64};

use super::{
    contacts::{Contacts, clear, cut},
    motion::{Kinematics, Motion, Start},
    scatter::Scatter,
};
use crate::{
    likelihood::{self, Bound, Normal, Problem},
    model::State,
    predict::{RecordedState, Toss},
};

/// Friction, restitution, and the start of a stretch: place, height and their velocities.
const VARIABLES: usize = 6;
/// Places of height and vertical velocity in a state.
const VERTICAL: [usize; 2] = [1, 3];
/// Friction from which on every impact takes all slip.
const LARGE_FRICTION: f64 = 1e3;
/// Share of the interval between states within which a state may be on the other side of an impact than
/// computed.
///
/// The velocity jumps at an impact, and with it the sum of squares would, wherever the computed impact
/// passes a measurement: by thousands of standard deviations, so that no search could follow. A state near
/// an impact is therefore compared with the motion on either side, whichever is closer, and what the impact
/// has to be moved by is a residual of its own. The sum of squares is then continuous. Nothing is lost,
/// because the time of an impact follows from the heights much more exactly than from this.
const NEAR: f64 = 0.499;
/// Standard deviations of that residual from an impact to where it has no other side.
const MOVED: f64 = 5.0;
/// Standard deviations within which a start is on the ground.
const GROUNDED: f64 = 5.0;
/// States of a first flight from which on their medians tell more than the first state.
const LEAST_FLIGHT: usize = 6;
/// Standard deviations of the noise, over the root of the states of the first flight, within which other
/// starts are tried; how many of heights and of rises to either side; and how many of all are followed.
const TRIED: f64 = 3.0;
const HEIGHTS: i32 = 2;
const RISES: i32 = 7;
const CANDIDATES: usize = 10;
/// Difference of two sums of squares that are one minimum.
const SAME: f64 = 1e-4;
/// Squared residual from which on its size matters less and less when places to search from are compared.
const LARGE_SQUARE: f64 = 100.0;

/// How a throw is compared with its prediction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Every contact by itself.
    OneStep,
    /// The whole throw at once.
    Shooting,
}

impl Method {
    /// The name in options.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::OneStep => "one-step",
            Self::Shooting => "shooting",
        }
    }
}

/// Consecutive states that one motion explains.
#[derive(Debug, Clone)]
pub struct Stretch {
    /// The states, two or more.
    pub states: Vec<RecordedState<2>>,
    /// Whether it starts on the ground.
    pub grounded: bool,
    /// Whether some step in it touches the ground, as far as is known before the fit.
    pub touches: bool,
    /// The states whose vertical motion counts: all, or where every contact is looked at by itself those
    /// before its bounces become too small to be told apart. These would hardly tell the restitution, but
    /// have many motions that explain them equally well.
    pub clear: usize,
    /// Other starts that are nearly as good as the best.
    pub others: Vec<Vec<f64>>,
    /// Interval between states, s.
    interval: f64,
}

/// All stretches, and the noise of their states.
#[derive(Debug, Clone)]
pub struct Throws {
    /// The stretches.
    pub stretches: Vec<Stretch>,
    /// The noise.
    pub scatter: Scatter,
    /// `g`, m/s^2.
    pub gravity: f64,
    bounds: [Bound; 2],
}

impl Throws {
    /// The throws as one stretch each, or cut at their contacts.
    pub fn new(
        throws: &[Toss<2>],
        method: Method,
        contacts: Contacts,
        gravity: f64,
        scatter: Scatter,
    ) -> Self {
        let mut stretches = Vec::new();
        for throw in throws {
            match method {
                Method::Shooting => stretches.extend(Stretch::new(&throw.states, true, usize::MAX, &scatter)),
                Method::OneStep => {
                    let parts = cut(&contacts.flags(throw, gravity));
                    let heights = Contacts::Height.flags(throw, gravity);
                    stretches.extend(parts.into_iter().filter_map(|part| {
                        let steps = part.states.start..part.states.end - 1;
                        Stretch::new(
                            &throw.states[part.states],
                            part.touches,
                            clear(&heights, steps),
                            &scatter,
                        )
                    }));
                }
            }
        }
        let bounds = [Bound::above(0.0, LARGE_FRICTION, 0.01), Bound::between(0.0, 1.0)];
        Self { stretches, scatter, gravity, bounds }
    }

    /// Gives every residual of a stretch, of a position or a velocity, with its derivatives to `visit`.
    pub fn residuals(
        &self,
        block: usize,
        parameters: &[f64],
        unknowns: &[f64],
        mut visit: impl FnMut(Kind, f64, &[f64]),
    ) {
        let stretch = &self.stretches[block];
        let variable = |value: f64, index: usize| DualSVec64::<VARIABLES>::from_re(value).derivative(index);
        let motion = Motion {
            friction: variable(parameters[0], 0),
            restitution: variable(parameters[1], 1),
            gravity: self.gravity,
        };
        let variables: Vec<_> =
            unknowns.iter().zip(2..).map(|(value, index)| variable(*value, index)).collect();
        let Some(start) = Start::from_slice(&variables) else { return };
        let count = 2 + unknowns.len();
        let mut states = stretch.states.iter().zip(0..);
        motion.follow(start, stretch.times(), NEAR * stretch.interval, |state, others| {
            let Some((measured, place)) = states.next() else { return };
            let (measured, is_clear) = (kinematics(measured), place < stretch.clear);
            let squares = |state: &Kinematics<DualSVec64<VARIABLES>>| -> f64 {
                self.squares(&state.map(|number| number.re), &measured, is_clear).iter().sum()
            };
            let mut state = state;
            let mut least = squares(&state);
            let mut moved = None;
            for other in others.into_iter().flatten() {
                let distance = other.distance * MOVED;
                let sum = squares(&other.state) + distance.re.powi(2);
                if sum < least {
                    (state, least, moved) = (other.state, sum, Some(distance));
                }
            }
            if let Some(distance) = moved {
                let Derivative(slope) = distance.eps;
                let slope = slope.unwrap_or_else(SVector::zeros);
                visit(Kind::Time, distance.re, &slope.as_slice()[..count]);
            }
            for (index, (predicted, measured)) in state.into_iter().zip(measured).enumerate() {
                if !is_clear && VERTICAL.contains(&index) {
                    continue;
                }
                let (kind, sigma) = self.kind(index);
                let Derivative(slope) = predicted.eps;
                let slope = slope.unwrap_or_else(SVector::zeros) / sigma;
                visit(kind, (predicted.re - measured) / sigma, &slope.as_slice()[..count]);
            }
        });
    }

    /// The minima of the sum of squares of a stretch over its start that are reached from `own` and from
    /// others within the noise, the least first: a slightly other start may have impacts on the other side
    /// of some states, where no search from `own` arrives.
    pub fn minima(&self, block: usize, parameters: &[f64], own: &[f64]) -> Vec<(Vec<f64>, f64)> {
        let stretch = &self.stretches[block];
        let [friction, restitution] = [parameters[0], parameters[1]];
        let mut candidates = vec![own.to_vec()];
        if let (Start::Flight(seen), [_, _, slip, _]) = (stretch.start(self.gravity), own) {
            let [x, z, _, rise] = seen;
            let spread = (stretch.flying(self.gravity) as f64).sqrt().recip();
            let mut tried = Vec::new();
            for up in -HEIGHTS..=HEIGHTS {
                for fast in -RISES..=RISES {
                    let z = z + TRIED * self.scatter.position * spread * f64::from(up) / f64::from(HEIGHTS);
                    let rise =
                        rise + TRIED * self.scatter.velocity * spread * f64::from(fast) / f64::from(RISES);
                    let start = [x, z, *slip, rise];
                    let rough = self.rough(stretch, Start::Flight(start), friction, restitution);
                    tried.push((rough[0] + rough[1], start));
                }
            }
            tried.sort_by(|a, b| a.0.total_cmp(&b.0));
            candidates.extend(tried.into_iter().take(CANDIDATES).map(|(_, start)| start.to_vec()));
        }
        let settled = candidates.iter().map(|start| likelihood::settled(self, block, parameters, start));
        let mut minima: Vec<(Vec<f64>, f64)> = settled.collect();
        minima.sort_by(|a, b| a.1.total_cmp(&b.1));
        minima.dedup_by(|a, b| (a.1 - b.1).abs() <= SAME);
        minima
    }

    fn kind(&self, index: usize) -> (Kind, f64) {
        match index {
            0 | 1 => (Kind::Position(index), self.scatter.position),
            _ => (Kind::Velocity(index - 2), self.scatter.velocity),
        }
    }

    /// Squared residuals of a state; without the vertical ones unless it `is_clear`.
    fn squares(&self, state: &Kinematics<f64>, measured: &Kinematics<f64>, is_clear: bool) -> [f64; 4] {
        std::array::from_fn(|index| match is_clear || !VERTICAL.contains(&index) {
            true => ((state[index] - measured[index]) / self.kind(index).1).powi(2),
            false => 0.0,
        })
    }

    /// Sum of squares of a stretch, by vertical and horizontal residuals, each damped where it is large,
    /// for a motion that begins at `start`: to look for places to search from.
    pub fn rough(&self, stretch: &Stretch, start: Start<f64>, friction: f64, restitution: f64) -> [f64; 2] {
        self.sums(stretch, start, [friction, restitution], |square| square / (1.0 + square / LARGE_SQUARE))
    }

    /// Sum of squares of the horizontal residuals of a stretch, and the least that it would have if there were no
    /// slip in it at all, whatever the friction.
    pub fn with_and_without_slip(&self, block: usize, parameters: &[f64], unknowns: &[f64]) -> [f64; 2] {
        let stretch = &self.stretches[block];
        let Some(start) = Start::from_slice(unknowns) else { return [0.0; 2] };
        let [_, with] = self.sums(stretch, start, [parameters[0], parameters[1]], |square| square);
        let places = stretch.states.iter().map(|row| row.state.position.x);
        let mean = places.clone().sum::<f64>() / stretch.states.len() as f64;
        let apart: f64 = places.map(|place| ((place - mean) / self.scatter.position).powi(2)).sum();
        let slips = stretch.states.iter().map(|row| (row.state.velocity.x / self.scatter.velocity).powi(2));
        [with, apart + slips.sum::<f64>()]
    }

    /// Sums of vertical and of horizontal squares of a stretch, each `weighed`.
    fn sums(
        &self,
        stretch: &Stretch,
        start: Start<f64>,
        [friction, restitution]: [f64; 2],
        weighed: impl Fn(f64) -> f64,
    ) -> [f64; 2] {
        let motion = Motion { friction, restitution, gravity: self.gravity };
        let mut states = stretch.states.iter().zip(0..);
        let mut sums = [0.0; 2];
        motion.follow(start, stretch.times(), NEAR * stretch.interval, |state, others| {
            let Some((measured, place)) = states.next() else { return };
            let (measured, is_clear) = (kinematics(measured), place < stretch.clear);
            let mut best = self.squares(&state, &measured, is_clear);
            for other in others.into_iter().flatten() {
                let squares = self.squares(&other.state, &measured, is_clear);
                if squares.iter().sum::<f64>() < best.iter().sum::<f64>() {
                    best = squares;
                }
            }
            let [x, z, slip, rise] = best.map(&weighed);
            sums[0] += z + rise;
            sums[1] += x + slip;
        });
        sums
    }
}

/// What a residual is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `x`, as 0, or `z`, as 1.
    Position(usize),
    /// `vx`, as 0, or `vz`, as 1.
    Velocity(usize),
    /// The time of an impact, which had to be moved to before or after a measurement.
    Time,
}

fn kinematics(row: &RecordedState<2>) -> Kinematics<f64> {
    let State { position, velocity } = row.state;
    [position.x, position.y, velocity.x, velocity.y]
}

impl Problem for Throws {
    fn bounds(&self) -> &[Bound] {
        &self.bounds
    }

    fn blocks(&self) -> usize {
        self.stretches.len()
    }

    fn start(&self, block: usize) -> Vec<f64> {
        self.stretches[block].start(self.gravity).to_vec()
    }

    fn others(&self, block: usize) -> &[Vec<f64>] {
        &self.stretches[block].others
    }

    fn evaluate(&self, block: usize, parameters: &[f64], unknowns: &[f64], normal: &mut Normal) {
        self.residuals(block, parameters, unknowns, |_, residual, slope| normal.add(residual, slope));
    }
}

impl Stretch {
    fn new(states: &[RecordedState<2>], touches: bool, clear: usize, scatter: &Scatter) -> Option<Self> {
        let [first, second, ..] = states else { return None };
        let grounded = first.state.position.y.abs() <= GROUNDED * scatter.position
            && first.state.velocity.y.abs() <= GROUNDED * scatter.velocity;
        Some(Self {
            states: states.to_vec(),
            grounded,
            touches,
            clear,
            others: Vec::new(),
            interval: second.time - first.time,
        })
    }

    /// Times of its states since the first.
    fn times(&self) -> impl Iterator<Item = f64> {
        let first = self.states.first().map_or(0.0, |state| state.time);
        self.states.iter().map(move |state| state.time - first)
    }

    /// Its first states, up to where the first of them would land.
    fn first_flight(&self, gravity: f64) -> impl Iterator<Item = &RecordedState<2>> {
        let height = move |after: f64| {
            let first = &self.states[0].state;
            first.position.y + (first.velocity.y - 0.5 * gravity * after) * after
        };
        let flying = self
            .states
            .iter()
            .zip(self.times())
            .take_while(move |(_, after)| *after == 0.0 || height(*after) > 0.0);
        flying.map(|(state, _)| state)
    }

    fn flying(&self, gravity: f64) -> usize {
        self.first_flight(gravity).count()
    }

    /// How it seems to start: as measured; or, after a flight that is long enough, medians of what its
    /// states tell, so that a state after the impact that is mistaken for one of them does no harm.
    pub fn start(&self, gravity: f64) -> Start<f64> {
        let [first, ..] = self.states.as_slice() else { return Start::Ground([0.0; 2]) };
        if self.grounded {
            return Start::Ground([first.state.position.x, first.state.velocity.x]);
        }
        let after = |row: &RecordedState<2>| row.time - first.time;
        let flying: Vec<&RecordedState<2>> = self.first_flight(gravity).collect();
        if flying.len() < LEAST_FLIGHT {
            return Start::Flight(kinematics(first));
        }
        let median = |value: &dyn Fn(&RecordedState<2>) -> f64| {
            let mut values: Vec<f64> = flying.iter().map(|row| value(row)).collect();
            values.sort_by(f64::total_cmp);
            values[values.len() / 2]
        };
        let slip = median(&|row| row.state.velocity.x);
        let rise = median(&|row| row.state.velocity.y + gravity * after(row));
        let x = median(&|row| row.state.position.x - slip * after(row));
        let z = median(&|row| row.state.position.y - (rise - 0.5 * gravity * after(row)) * after(row));
        Start::Flight([x, z, slip, rise])
    }
}

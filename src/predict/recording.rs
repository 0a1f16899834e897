use super::{Cut, Window, WindowStart};
use crate::model::{Attitude, State};

/// The recorded tosses of one body.
#[derive(Debug, Clone, PartialEq)]
pub struct Recording<const D: usize> {
    /// The file, for messages.
    pub file: String,
    /// Height of the ground in the coordinates of the file, in m; in those of the tosses it is 0.
    pub ground_height: f64,
    /// What its times were rounded to, in s, where they are those that they were rounded from.
    pub rounded: Option<f64>,
    /// How it was cut, where its tosses are windows of throws.
    pub windows: Option<Cut>,
    /// The tosses, in the order of the file; where it was cut, the windows of each throw one after the other.
    pub tosses: Vec<Toss<D>>,
}

/// One toss: the body as it was measured, in the order of time.
#[derive(Debug, Clone, PartialEq)]
pub struct Toss<const D: usize> {
    /// Its number in the file.
    pub number: f64,
    /// Time in s from its start to the first of its states: what was left out, and 0 if nothing was.
    pub passed: f64,
    /// Its states, two at least.
    pub states: Vec<RecordedState<D>>,
    /// How it is predicted, where it is a window of a throw.
    pub window: Option<Window<D>>,
}

/// A measured state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RecordedState<const D: usize> {
    /// Line of the file.
    pub line: u64,
    /// Time in s.
    pub time: f64,
    /// Position and velocity of the centre of mass, in m and m/s.
    pub state: State<D>,
    /// How the body is turned, and its spin; `None` for a point.
    pub attitude: Option<Attitude>,
    /// Whether the body touched something between this row and the next, where that was recorded; of no meaning in the last
    /// row of a toss.
    pub contact: Option<bool>,
}

impl<const D: usize> RecordedState<D> {
    /// A state that stands in no file, at a time in s, without a word on contact.
    pub fn new(time: f64, state: State<D>, attitude: Option<Attitude>) -> Self {
        Self { line: 0, time, state, attitude, contact: None }
    }
}

impl<const D: usize> Toss<D> {
    /// A whole throw of that number.
    pub fn new(number: f64, states: Vec<RecordedState<D>>) -> Self {
        Self { number, passed: 0.0, states, window: None }
    }

    /// Times of its states since the first, in s.
    pub fn times(&self) -> impl Iterator<Item = f64> + '_ {
        let first = self.states.first().map_or(0.0, |recorded| recorded.time);
        self.states.iter().map(move |recorded| recorded.time - first)
    }

    /// Time from the first to the last state in s.
    pub fn duration(&self) -> f64 {
        self.times().last().unwrap_or(0.0)
    }
}

impl<const D: usize> Recording<D> {
    /// Whole throws over a ground at height 0, in a `file` of that name.
    pub fn new(file: impl Into<String>, tosses: Vec<Toss<D>>) -> Self {
        Self { file: file.into(), ground_height: 0.0, rounded: None, windows: None, tosses }
    }

    /// Number of rows in all.
    pub fn rows(&self) -> usize {
        self.tosses.iter().map(|toss| toss.states.len()).sum()
    }

    /// The recording with the ground at `height` m in the coordinates of the file.
    pub fn with_ground_at(&self, height: f64) -> Self {
        let lift = self.ground_height - height;
        let mut moved = Self { ground_height: height, ..self.clone() };
        for toss in &mut moved.tosses {
            let start = match &mut toss.window {
                Some(Window { start: WindowStart::Smoothed(start), .. }) => Some(start),
                _ => None,
            };
            let states = toss.states.iter_mut().chain(start);
            states.for_each(|recorded| recorded.state.position[D - 1] += lift);
        }
        moved
    }

    /// The recording without the first `seconds` of every toss, which [`passed`](Toss::passed) in it.
    pub fn from_time(&self, seconds: f64) -> Self {
        let mut later = self.clone();
        for toss in &mut later.tosses {
            // A row that rounding puts before the time is meant too.
            let before = toss.times().filter(|time| *time < seconds - 1e-9).count();
            let passed = toss.times().nth(before).unwrap_or_else(|| toss.duration());
            toss.passed += passed;
            toss.states.drain(..before);
        }
        later
    }
}

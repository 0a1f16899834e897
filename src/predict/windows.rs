//! Recordings cut into windows, each of which is predicted by itself.
//!
//! A whole throw with several impacts is chaotic in the parameters of its contacts: what it tells of them is lost after
//! the second or third. A window holds one contact, or contacts too close to be told from one. It begins in the
//! flight before, with the start that fits the rows of that flight, and is judged on the rows of the flight after. What
//! lies between flights that do not meet is in no window: after the first of several contacts that were seen, the place of
//! the next is as uncertain as its outcome, and where rows are missing nothing is right.
//! Where a body slides or rests there are no flights; windows of a given length begin there from a smoothed start.

use std::{fmt, ops::Range, str::FromStr};

use serde_json::{Value, json};

use super::{
    PredictError, RecordedState, Recording, Toss,
    error::{rotation_between, wrapped},
    free_flights::{FreeFlights, Thrown, parabola, row_noise},
    predictor::the_moving_body,
};
use crate::{
    decimal::rounded,
    model::{Attitude, Orientation, Spin, State, Vector},
    scenario::{Corners, Scenario, Shape},
    wording::counted,
};

/// Rows to either side through which the start of a window is smoothed, and the least of them.
const BESIDE: usize = 4;
const LEAST_SMOOTHED: usize = 5;
/// Distance of a row from the smooth path from which on it is no such, in standard deviations of the rows.
const BEYOND_NOISE: f64 = 6.0;
/// What is rounding, as a share of the reach of a body.
const ROUNDING: f64 = 1e-6;
/// Share of the length of a window that the last one of a throw has at least.
const LEAST_PART: f64 = 0.5;
/// Share of the time from row to row by which a window may be shorter: that of a number written with few digits.
const OF_INTERVAL: f64 = 0.05;
/// The longest window in s.
const LONGEST: f64 = 1e9;

/// What of a recording is predicted from one start.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Windows {
    /// A throw from its first row to its last.
    #[default]
    Whole,
    /// From one flight through a contact to the end of the next.
    Flights,
    /// So many seconds, from a smoothed start.
    Seconds(f64),
}

/// How a window is predicted.
#[derive(Debug, Clone, PartialEq)]
pub struct Window<const D: usize> {
    /// Where it begins.
    pub start: WindowStart<D>,
    /// The first of its rows that errors are counted of.
    pub judged: usize,
}

/// Where a window begins.
#[derive(Debug, Clone, PartialEq)]
pub enum WindowStart<const D: usize> {
    /// In a flight, which its first so many rows are of.
    Flight(usize),
    /// Where the rows about the first lie on a smooth path.
    Smoothed(RecordedState<D>),
}

/// What became of a recording that was cut.
#[derive(Debug, Clone, PartialEq)]
pub struct Cut {
    /// How it was cut.
    pub windows: Windows,
    /// Throws that were recorded.
    pub throws: usize,
    /// What is in no window, and why.
    pub left_out: Vec<LeftOut>,
    /// The standard deviation of a coordinate of a row, m.
    pub noise: f64,
    /// How fast flights fall along gravity, m/s^2, where they were looked for.
    pub gravity: Option<f64>,
}

/// Stretches that are in no window for one reason.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LeftOut {
    /// Why.
    pub reason: &'static str,
    /// How many.
    pub stretches: usize,
    /// How long they are together, s.
    pub seconds: f64,
}

const NO_FLIGHT: &str = "throws without a flight";
const BEFORE: &str = "beginnings before a first flight";
const AFTER: &str = "ends after a last flight, with nothing to judge a contact by";
const SHORT: &str = "rests of throws too short for a window";
const NOT_SINGLE: &str =
    "stretches between flights that do not meet, of several contacts, a slide or missing rows";
const ROUGH: &str = "rows at which no smooth start was found";

impl FromStr for Windows {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match (text.trim(), text.trim().parse::<f64>()) {
            ("whole", _) => Ok(Self::Whole),
            ("flights", _) => Ok(Self::Flights),
            (_, Ok(seconds)) if seconds > 0.0 && seconds <= LONGEST => Ok(Self::Seconds(seconds)),
            (_, Ok(_)) => Err("has to be above 0 and at most 1e9 s".to_owned()),
            _ => Err("is none of `whole`, `flights` and a number of seconds, such as 0.1".to_owned()),
        }
    }
}

impl fmt::Display for Windows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => f.write_str("whole"),
            Self::Flights => f.write_str("flights"),
            Self::Seconds(seconds) => write!(f, "{seconds}"),
        }
    }
}

impl Cut {
    fn leave_out(&mut self, reason: &'static str, seconds: f64) {
        match self.left_out.iter_mut().find(|one| one.reason == reason) {
            Some(one) => {
                one.stretches += 1;
                one.seconds += seconds;
            }
            None => self.left_out.push(LeftOut { reason, stretches: 1, seconds }),
        }
    }
}

impl<const D: usize> Recording<D> {
    /// The recording of throws of the body that moves in `scenario`, in windows.
    ///
    /// # Errors
    /// [`PredictError`] where there is no such window, or the scenario lets none be found.
    pub fn in_windows(self, windows: Windows, scenario: &Scenario<D>) -> Result<Self, PredictError> {
        if windows == Windows::Whole {
            return Ok(self);
        }
        let unsuited =
            |message: String, help: &str| Err(PredictError::Unsuited { message, help: help.to_owned() });
        let moving = the_moving_body(scenario)?;
        if windows == Windows::Flights && !scenario.pushes.is_empty() {
            return unsuited(
                "--windows flights looks for flights under gravity alone, and the scenario has pushes"
                    .to_owned(),
                "cut by a number of seconds, as in --windows 0.1",
            );
        }
        if windows == Windows::Flights && scenario.gravity == 0.0 {
            return unsuited(
                "--windows flights tells flights by their fall, and the scenario has no gravity".to_owned(),
                "cut by a number of seconds, as in --windows 0.1",
            );
        }
        let whole = self.with_even_times();
        if let (Windows::Seconds(seconds), Some(interval)) = (windows, whole.interval())
            && seconds < (1.0 - OF_INTERVAL) * interval
        {
            return unsuited(
                format!(
                    "--windows {windows}: the rows are {} s apart, and a window holds two at least",
                    rounded(interval, 4)
                ),
                "give windows of some rows, such as --windows 0.1",
            );
        }
        let reach = whole.reach(scenario, moving);
        let throws = whole.tosses.len();
        let cut = Cut { windows, throws, left_out: Vec::new(), noise: 0.0, gravity: None };
        let (tosses, cut) = match windows {
            Windows::Flights => whole.by_flights(&Thrown::new(&whole, scenario, moving), cut),
            Windows::Seconds(seconds) => whole.by_seconds(seconds, reach, cut),
            Windows::Whole => (whole.tosses.clone(), cut),
        };
        if tosses.is_empty() {
            let left_out: Vec<String> = cut.left_out.iter().map(ToString::to_string).collect();
            return unsuited(
                format!("--windows {windows} finds no window: {}", left_out.join(", ")),
                "look at the recording with `stickslip recording check`, or predict whole throws with --windows whole",
            );
        }
        Ok(Self { tosses, windows: Some(cut), ..whole })
    }

    /// How far the body reaches, or a point gets, in m.
    pub(super) fn reach(&self, scenario: &Scenario<D>, moving: usize) -> f64 {
        let body = &scenario.bodies[moving];
        if body.shape != Shape::Point {
            return 2.0 * Corners::of(body).reach();
        }
        self.way()
    }

    /// How far the centre of mass gets from the start of its throw, in m.
    pub(super) fn way(&self) -> f64 {
        let way = |toss: &Toss<D>| {
            let first = toss.states.first().map_or(Vector::zeros(), |row| row.state.position);
            toss.states.iter().map(|row| (row.state.position - first).norm()).fold(0.0, f64::max)
        };
        self.tosses.iter().map(way).fold(0.0, f64::max)
    }

    fn by_flights(&self, thrown: &Thrown<'_, D>, mut cut: Cut) -> (Vec<Toss<D>>, Cut) {
        let flights = FreeFlights::of(self, thrown);
        cut.noise = flights.noise;
        cut.gravity = flights.acceleration.map(|acceleration| acceleration.dot(&thrown.gravity.normalize()));
        let mut windows = Vec::new();
        for ((toss, flights), single) in self.tosses.iter().zip(&flights.rows).zip(&flights.single) {
            let times: Vec<f64> = toss.times().collect();
            let (Some(first), Some(last)) = (flights.first(), flights.last()) else {
                cut.leave_out(NO_FLIGHT, toss.duration());
                continue;
            };
            if first.start > 0 {
                cut.leave_out(BEFORE, times[first.start]);
            }
            if last.end < times.len() {
                cut.leave_out(AFTER, times[times.len() - 1] - times[last.end - 1]);
            }
            for (pair, is_single) in flights.windows(2).zip(single) {
                let [before, after] = [&pair[0], &pair[1]];
                if !is_single {
                    cut.leave_out(NOT_SINGLE, times[after.start] - times[before.end - 1]);
                    continue;
                }
                let start = WindowStart::Flight(before.len());
                let window = Window { start, judged: after.start - before.start };
                windows.push(toss.part(before.start..after.end, window));
            }
        }
        (windows, cut)
    }

    fn by_seconds(&self, seconds: f64, reach: f64, mut cut: Cut) -> (Vec<Toss<D>>, Cut) {
        cut.noise = row_noise(&self.tosses);
        let off = (BEYOND_NOISE * cut.noise).max(ROUNDING * reach);
        let mut windows = Vec::new();
        for toss in &self.tosses {
            let times: Vec<f64> = toss.times().collect();
            let last = times.len() - 1;
            let mut row = 0;
            while row < last {
                let Some((first, start)) =
                    (row..last).find_map(|row| Some((row, toss.smoothed_at(row, off)?)))
                else {
                    cut.leave_out(ROUGH, times[last] - times[row]);
                    break;
                };
                if first > row {
                    cut.leave_out(ROUGH, times[first] - times[row]);
                }
                // A row that rounding puts behind the end is meant too.
                let until = times[first] + seconds * (1.0 + 1e-9);
                let end = times.partition_point(|time| *time <= until).max(first + 2);
                if times[end - 1] - times[first] < LEAST_PART * seconds && end > last {
                    cut.leave_out(SHORT, times[last] - times[first]);
                    break;
                }
                let start = WindowStart::Smoothed(start);
                windows.push(toss.part(first..end, Window { start, judged: 0 }));
                row = end - 1;
            }
        }
        (windows, cut)
    }

    /// Whether it is cut into windows.
    pub fn is_cut(&self) -> bool {
        self.windows.is_some()
    }

    /// Number of throws that were recorded, whatever they are cut into and of which any part is left.
    pub fn throws(&self) -> usize {
        self.units().last().map_or(0, |last| last + 1)
    }

    /// Of every toss, the place of the throw that it is a part of among those of which a part is left.
    pub fn units(&self) -> Vec<usize> {
        let mut unit = 0;
        let places = self.tosses.iter().enumerate().map(|(place, toss)| {
            unit +=
                usize::from(place > 0 && (!self.is_cut() || self.tosses[place - 1].number != toss.number));
            unit
        });
        places.collect()
    }

    /// The number in the file of a throw, by its place among those of which a part is left; not a number where there is none.
    pub fn number_of_throw(&self, place: usize) -> f64 {
        let first = self.units().into_iter().position(|unit| unit == place);
        first.map_or(f64::NAN, |first| self.tosses[first].number)
    }

    /// So many of what is predicted from one start, in words: throws, or windows.
    pub fn counted(&self, count: usize) -> String {
        counted(count, if self.is_cut() { "window" } else { "throw" })
    }
}

/// How long windows are, in s.
struct Lengths {
    shortest: f64,
    middle: f64,
    longest: f64,
}

impl<const D: usize> Recording<D> {
    fn lengths(&self) -> Lengths {
        let mut seconds: Vec<f64> = self.tosses.iter().map(Toss::duration).collect();
        seconds.sort_by(f64::total_cmp);
        let at = |place: usize| seconds.get(place).map_or(0.0, |seconds| rounded(*seconds, 4));
        Lengths {
            shortest: at(0),
            middle: at(seconds.len() / 2),
            longest: at(seconds.len().saturating_sub(1)),
        }
    }

    /// How many windows there are, how long, what is in none and why, in sentences; none of whole throws.
    pub fn about_windows(&self) -> Vec<String> {
        let Some(cut) = &self.windows else { return Vec::new() };
        let Lengths { shortest, middle, longest } = self.lengths();
        let what = match cut.windows {
            Windows::Flights => ", each from a flight through a contact to the end of the next flight",
            _ => ", each from a smoothed start",
        };
        let mut lines = vec![format!(
            "{} of {}{what}: {shortest} to {longest} s, {middle} s the median",
            counted(self.tosses.len(), "window"),
            counted(cut.throws, "throw"),
        )];
        if !cut.left_out.is_empty() {
            let left_out: Vec<String> = cut.left_out.iter().map(ToString::to_string).collect();
            lines.push(format!("in no window: {}", left_out.join("; ")));
        }
        lines
    }

    /// The same for `summary.json`; of whole throws the word alone.
    pub fn windows_to_json(&self) -> Value {
        let Some(cut) = &self.windows else { return json!({ "by": Windows::Whole.to_string() }) };
        let Lengths { shortest, middle, longest } = self.lengths();
        let left_out: Vec<Value> = (cut.left_out.iter())
            .map(|one| json!({ "reason": one.reason, "stretches": one.stretches, "seconds": rounded(one.seconds, 9) }))
            .collect();
        json!({
            "by": cut.windows.to_string(),
            "windows": self.tosses.len(),
            "throws": self.throws(),
            "seconds": { "shortest": shortest, "median": middle, "longest": longest },
            "left_out": left_out,
            "row_noise": cut.noise,
            "gravity": cut.gravity,
        })
    }
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} ({:.2} s)", self.stretches, self.reason, self.seconds)
    }
}

impl<const D: usize> Toss<D> {
    /// Some of its rows as a window.
    fn part(&self, rows: Range<usize>, window: Window<D>) -> Self {
        let passed = self.passed + self.times().nth(rows.start).unwrap_or(0.0);
        Self { number: self.number, passed, states: self.states[rows].to_vec(), window: Some(window) }
    }

    /// The first row that errors are counted of.
    pub fn judged(&self) -> usize {
        self.window.as_ref().map_or(0, |window| window.judged)
    }

    /// The state in a row where those about it lie on a parabola, to within `off` m; `None` where they do not.
    fn smoothed_at(&self, row: usize, off: f64) -> Option<RecordedState<D>> {
        let first = row.saturating_sub(BESIDE);
        let rows = &self.states[first..(row + BESIDE + 1).min(self.states.len())];
        if rows.len() < LEAST_SMOOTHED {
            return None;
        }
        let here = self.states[row];
        let places = rows.iter().map(|one| (one.time - here.time, one.state.position));
        let [position, velocity, half] = parabola(places.clone())?;
        let is_smooth = places.map(|(time, place)| place - position - velocity * time - half * (time * time));
        if is_smooth.map(|miss| miss.norm()).fold(0.0, f64::max) > off {
            return None;
        }
        let attitude = match here.attitude {
            None => None,
            Some(attitude) => Some(smoothed_attitude(rows, here.time, &attitude)?),
        };
        Some(RecordedState { state: State { position, velocity }, attitude, ..here })
    }
}

/// Orientation and spin at a time, from parabolas through the rotations from there to those of the rows about it.
fn smoothed_attitude<const D: usize>(
    rows: &[RecordedState<D>],
    time: f64,
    here: &Attitude,
) -> Option<Attitude> {
    let turned = rows.iter().filter_map(|row| {
        let turn = rotation_between(&here.orientation, &row.attitude?.orientation);
        Some((row.time - time, Vector::<3>::from(turn)))
    });
    let [turned, spin, _] = parabola(turned.collect::<Vec<_>>().into_iter())?;
    let orientation = match here.orientation {
        Orientation::Angle(angle) => Orientation::Angle(wrapped(angle + turned[0])),
        Orientation::Quaternion(from) => {
            Orientation::Quaternion(from * nalgebra::UnitQuaternion::from_scaled_axis(turned))
        }
    };
    Some(Attitude { orientation, spin: Spin::from(spin) })
}

//! What is wrong with a recording, before anything is predicted of it.

use serde_json::{Map, Value, json};

use super::{
    PredictError, Predictor, RecordedState, Recording, Start, Toss,
    clearance::above_planes,
    consistency::{Ways, spin_ways, velocity_ways},
    free_flights::{FreeFlights, Thrown, parabola},
    predictor::the_moving_body,
};
use crate::{
    decimal::{rounded, rounded_text},
    model::Vector,
    scenario::{Corners, Scenario},
    stepper::BuildStepper,
    wording::counted,
};

/// Share of gravity by which flights may fall otherwise, of the size by which a body at rest may be off the ground, and of a
/// way by which velocities and spins may lead elsewhere: impacts between rows, and what smooths them, take a tenth.
const OTHER_GRAVITY: f64 = 0.01;
const OFF_GROUND: f64 = 0.005;
const OTHER_WAY: f64 = 0.25;
/// Rows at the end of a throw that tell whether the body rests, and how far they may be apart in standard deviations.
const AT_REST: usize = 10;
const STILL: f64 = 6.0;
/// Time from row to row, over the usual one, from which on rows are missing.
const GAP: f64 = 1.5;
/// Rows to either side of one that is held against them, and from how many standard deviations on it is wild, while these are
/// within so many.
const BESIDE: usize = 3;
const WILD: f64 = 10.0;
const SMOOTH: f64 = 5.0;
/// How far off a row is at least that matters, as a share of the reach of the body.
const OFF_PATH: f64 = 0.02;
/// Lines of the file that a message lists.
const SHOWN: usize = 8;
/// Share of the time in flight below which other axes and units are tried, and of which they have to find so many times as
/// much.
const LITTLE: f64 = 0.05;
const MORE: f64 = 3.0;
/// Units of length that are mistaken for metres: their names, and how many make one.
const UNITS: [(&str, f64); 3] = [("metres", 1.0), ("millimetres", 1e3), ("centimetres", 1e2)];
const AXES: [&str; 3] = ["x", "y", "z"];

/// One look at a recording.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// What is looked at.
    pub name: &'static str,
    /// What was found, in words.
    pub found: String,
    /// The same in numbers.
    pub values: Map<String, Value>,
    /// What is wrong with it and what to do, if anything is.
    pub fault: Option<String>,
}

impl Check {
    fn new(name: &'static str, found: String, values: Value) -> Self {
        let values = if let Value::Object(values) = values { values } else { Map::new() };
        Self { name, found, values, fault: None }
    }

    fn wrong(self, is_wrong: bool, fault: impl FnOnce() -> String) -> Self {
        Self { fault: is_wrong.then(fault), ..self }
    }
}

/// Looks at a recording of the body that moves in `scenario`: rows, noise, flights, rest, velocities, spins, wild rows, and
/// what else speaks against the two being of the same throws.
///
/// # Errors
/// [`PredictError`] if they do not fit each other at all.
pub fn check_recording<const D: usize>(
    scenario: &Scenario<D>,
    recording: Recording<D>,
) -> Result<Vec<Check>, PredictError>
where
    Scenario<D>: BuildStepper<D>,
{
    let moving = the_moving_body(scenario)?;
    let recording = recording.with_even_times();
    let reach = recording.reach(scenario, moving);
    let gravity = scenario.gravity_vector();
    let flights = FreeFlights::of(&recording, &Thrown::new(&recording, scenario, moving));
    let mut checks = vec![rows(&recording), flight(&recording, &gravity, reach, &flights)];
    checks.push(Check::new(
        "noise of the rows",
        format!("{} m a coordinate", rounded_text(flights.noise, 3)),
        json!({ "position": flights.noise }),
    ));
    checks.extend(rest(&recording, scenario, moving, flights.noise));
    let of_rows = |toss: &Toss<D>| {
        let rows: Vec<_> = toss.states.iter().map(|row| (row.time, row.state)).collect();
        velocity_ways(&rows)
    };
    let velocities: Vec<Ways> = recording.tosses.iter().filter_map(of_rows).collect();
    checks.extend(ways("velocities", "m", &velocities, "the velocities do not lead along the positions"));
    let spins: Vec<Ways> = recording.tosses.iter().filter_map(spin_ways).collect();
    checks.extend(ways("spins", "rad", &spins, "the spins do not turn the body as the orientations do"));
    checks.push(wild(&recording, flights.noise, reach));
    // Steps and starts.
    let predictor = Predictor::new(scenario, recording, Start::Raw);
    match predictor {
        Ok(predictor) => checks.extend(predictor.doubts().into_iter().map(|doubt| Check {
            fault: Some(doubt),
            ..Check::new("recording and scenario", "in doubt".to_owned(), json!({}))
        })),
        Err(error) => checks.push(Check {
            fault: Some(error.to_string()),
            ..Check::new("recording and scenario", "not to be predicted".to_owned(), json!({}))
        }),
    }
    Ok(checks)
}

/// How many rows there are, at which intervals, and where some are missing.
fn rows<const D: usize>(recording: &Recording<D>) -> Check {
    let interval = recording.interval().unwrap_or(f64::NAN);
    let pairs = recording.tosses.iter().flat_map(|toss| toss.states.windows(2));
    let lines: Vec<u64> =
        pairs.filter(|pair| pair[1].time - pair[0].time > GAP * interval).map(|pair| pair[1].line).collect();
    let throws = counted(recording.tosses.len(), "throw");
    let found =
        format!("{} of {throws}, {} s apart", counted(recording.rows(), "row"), rounded_text(interval, 4));
    let values = json!({
        "throws": recording.tosses.len(),
        "rows": recording.rows(),
        "interval": interval,
        "times_rounded_to": recording.rounded,
        "gaps": lines.len(),
    });
    Check::new("rows", found, values).wrong(!lines.is_empty(), || {
        format!(
            "rows are missing before {}: predictions go on through gaps, and flights are cut by them only if they bend",
            listed(&lines)
        )
    })
}

/// How the body falls where it flies.
fn flight<const D: usize>(
    recording: &Recording<D>,
    gravity: &Vector<D>,
    reach: f64,
    flights: &FreeFlights<D>,
) -> Check {
    const NAME: &str = "gravity of the flights";
    let seconds = flights.seconds(recording);
    let whole: f64 = recording.tosses.iter().map(Toss::duration).sum();
    let expected = gravity.norm();
    if expected == 0.0 {
        let found = "not looked at: the scenario has no gravity".to_owned();
        return Check::new(NAME, found, json!({ "gravity": null }));
    }
    if seconds < LITTLE * whole
        && let Some((fault, found)) = elsewhere(recording, expected, reach, seconds)
    {
        return Check { fault: Some(fault), ..Check::new(NAME, found, json!({ "gravity": null })) };
    }
    let Some((acceleration, error)) = flights.acceleration.zip(flights.acceleration_error()) else {
        let found = "no flight was found".to_owned();
        return Check::new(NAME, found, json!({ "gravity": null })).wrong(true, || {
            "no rows agree with a fall: where the body only slides or rests, cut by a number of seconds, as in `--windows 0.1`"
                .to_owned()
        });
    };
    let falls = acceleration.dot(&gravity.normalize());
    let aside = (acceleration - gravity.normalize() * falls).norm();
    let count = flights.rows.iter().map(Vec::len).sum::<usize>();
    let found = format!(
        "{} ± {} m/s^2 in {} of {} s together; {} m/s^2 aside",
        rounded_text(falls, 4),
        rounded_text(error, 2),
        counted(count, "flight"),
        rounded_text(seconds, 3),
        rounded_text(aside, 2)
    );
    let values = json!({
        "gravity": falls, "standard_error": error, "aside": aside, "flights": count, "seconds": seconds, "scenario": expected,
    });
    let is_sure = |off: f64| off > OTHER_GRAVITY * expected && off > 3.0 * error;
    let off = (falls - expected).abs();
    Check::new(NAME, found, values).wrong(is_sure(off) || is_sure(aside), || {
        if is_sure(off) {
            format!(
                "the scenario has {expected} m/s^2: lengths are {} % {} if times are right; set the size of the body in the same \
                 unit as the positions, and predict with `--set gravity={}`",
                rounded_text(100.0 * off / expected, 2),
                if falls < expected { "short" } else { "long" },
                rounded(falls, 4)
            )
        } else {
            format!(
                "the flights fall {} degrees beside the vertical of the scenario: is the height the last coordinate, and the camera \
                 level? A ground that slopes is set by `ground.slope`",
                rounded_text((aside / falls).atan().to_degrees(), 2)
            )
        }
    })
}

/// Whether the body flies along another axis, or in other units of length, than those that are asked for.
fn elsewhere<const D: usize>(
    recording: &Recording<D>,
    gravity: f64,
    reach: f64,
    seconds: f64,
) -> Option<(String, String)> {
    let mut best: Option<(f64, usize, f64, &str)> = None;
    for (unit, times) in UNITS {
        for axis in 0..D {
            for sign in [-1.0, 1.0] {
                let mut along = Vector::<D>::zeros();
                along[axis] = sign * gravity * times;
                let there = Thrown { gravity: along, reach: reach * times, of: None };
                let there = FreeFlights::of(recording, &there).seconds(recording);
                if there > MORE * seconds && best.is_none_or(|(most, ..)| there > 1.01 * most) {
                    best = Some((there, axis, sign, unit));
                }
            }
        }
    }
    let (there, axis, sign, unit) = best?;
    let name = if D == 2 && axis == 1 { "z" } else { AXES[axis] };
    let down = if sign < 0.0 { "-" } else { "+" };
    let found = format!("along {down}{name} in {unit}, {} s together", rounded_text(there, 3));
    let fault = format!(
        "the body flies where {down}{name} is down and lengths are in {unit}; positions are wanted in metres with the height \
         last and upwards, velocities and orientations in the same axes"
    );
    Some((fault, found))
}

/// How high the body rests at the ends of throws.
fn rest<const D: usize>(
    recording: &Recording<D>,
    scenario: &Scenario<D>,
    moving: usize,
    noise: f64,
) -> Option<Check> {
    let corners = Corners::of(&scenario.bodies[moving]);
    let size = scenario.bodies[moving].shape.size();
    let allowed = size.map_or(0.0, |size| OFF_GROUND * size).max(STILL * noise);
    let resting = recording.tosses.iter().filter_map(|toss| {
        let last = toss.states.len().checked_sub(AT_REST).map(|first| &toss.states[first..])?;
        let mean = last.iter().map(|row| row.state.position).sum::<Vector<D>>() / AT_REST as f64;
        let is_still = last.iter().all(|row| (row.state.position - mean).norm() <= allowed);
        is_still.then(|| last[AT_REST / 2])
    });
    let resting: Vec<RecordedState<D>> = resting.collect();
    if resting.is_empty() {
        return None;
    }
    let middle = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    let height = middle(resting.iter().map(|row| row.state.position[D - 1]).collect());
    let gap = middle(resting.iter().map(|row| above_planes(scenario, &corners, row)).collect());
    let found = format!(
        "centre {} m high, lowest point {} m off the ground; {} that end at rest",
        rounded_text(height, 4),
        rounded_text(gap, 3),
        counted(resting.len(), "throw")
    );
    let values = json!({ "height": height, "gap": gap, "throws": resting.len() });
    Some(Check::new("resting height", found, values).wrong(gap.abs() > allowed, || {
        format!(
            "at rest it should be 0: the ground is at `--ground-height {}`, or the body is {} than the scenario has it",
            rounded(recording.ground_height + gap, 4),
            if gap > 0.0 { "larger" } else { "smaller" }
        )
    }))
}

/// How far velocities or spins lead, beside how far the body came.
fn ways(name: &'static str, unit: &str, found: &[Ways], what: &str) -> Option<Check> {
    let sum = |of: fn(&Ways) -> f64| found.iter().map(of).sum::<f64>();
    let (measured, added_up) = (sum(|ways| ways.measured), sum(|ways| ways.added_up));
    if found.is_empty() || measured <= 0.0 {
        return None;
    }
    let share = added_up / measured;
    let apart = sum(|ways| ways.apart) / measured;
    let text = format!(
        "lead {} {unit} where the body came {} {unit}, {} % apart",
        rounded_text(added_up, 4),
        rounded_text(measured, 4),
        rounded_text(100.0 * apart, 2)
    );
    let values = json!({ "added_up": added_up, "measured": measured, "share": share, "apart": apart });
    let is_wrong = apart > OTHER_WAY;
    Some(Check::new(name, text, values).wrong(is_wrong, || {
        format!(
            "{what}: units (rad, not degrees), axes (spins in those of the body in space) and signs may be others, or they are \
             smoothed over impacts; differences of the recorded poses serve as well"
        )
    }))
}

/// Rows that are off where all about them are not.
fn wild<const D: usize>(recording: &Recording<D>, noise: f64, reach: f64) -> Check {
    let far = (WILD * noise).max(OFF_PATH * reach);
    let mut lines = Vec::new();
    for toss in &recording.tosses {
        for (place, row) in toss.states.iter().enumerate() {
            let about = place.saturating_sub(BESIDE)..(place + BESIDE + 1).min(toss.states.len());
            let others = about.filter(|other| *other != place).map(|other| &toss.states[other]);
            let others: Vec<_> = others.map(|other| (other.time - row.time, other.state.position)).collect();
            if others.len() < 2 * BESIDE {
                continue;
            }
            let Some([here, speed, half]) = parabola(others.iter().copied()) else { continue };
            let miss = |(time, place): &(f64, Vector<D>)| {
                (place - here - speed * *time - half * (time * time)).norm()
            };
            let rest = others.iter().map(miss).fold(0.0, f64::max);
            if rest <= SMOOTH * noise && (row.state.position - here).norm() > far {
                lines.push(row.line);
            }
        }
    }
    let found = format!("{} of {}", lines.len(), counted(recording.rows(), "row"));
    Check::new("wild rows", found, json!({ "lines": lines })).wrong(!lines.is_empty(), || {
        format!("look at {}: leave them out, or measure them again", listed(&lines))
    })
}

/// The first of some lines of the file.
fn listed(lines: &[u64]) -> String {
    let shown: Vec<String> = lines.iter().take(SHOWN).map(u64::to_string).collect();
    let more = lines.len().saturating_sub(SHOWN);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("line{} {}{rest}", if lines.len() == 1 { "" } else { "s" }, shown.join(", "))
}

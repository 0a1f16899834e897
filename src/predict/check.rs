//! What is wrong with a recording, before anything is predicted of it.

use serde_json::{Map, Value, json};

use super::{
    PredictError, Predictor, RecordedState, Recording, Start, Toss,
    check_of_fall::Fall,
    clearance::above_planes,
    consistency::{Ways, spin_ways, velocity_ways},
    free_flights::{acceleration_error, median, parabola, parabola_of, weight_of},
    line::Line,
    predictor::the_moving_body,
};
use crate::{
    decimal::{rounded, rounded_text},
    model::Vector,
    scenario::{Corners, Scenario},
    stepper::BuildStepper,
    wording::counted,
};

/// Share of the size by which a body at rest may be off the ground, and of a way by which velocities and spins may lead elsewhere:
/// impacts between rows, and what smooths them, take a tenth.
const OFF_GROUND: f64 = 0.005;
const OTHER_WAY: f64 = 0.25;
/// Rows at the end of a throw at least that tell whether the body rests, and how far they may be apart in standard deviations.
const AT_REST: usize = 10;
const STILL: f64 = 6.0;
/// Standard deviations by which an acceleration is told, and what is rounding, as a share of the reach.
pub(super) const SURE: f64 = 3.0;
const ROUNDING: f64 = 1e-9;
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
    pub(super) fn new(name: &'static str, found: String, values: Value) -> Self {
        let values = if let Value::Object(values) = values { values } else { Map::new() };
        Self { name, found, values, fault: None }
    }

    pub(super) fn wrong(self, is_wrong: bool, fault: impl FnOnce() -> String) -> Self {
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
    let fall = Fall::of(&recording, scenario, moving);
    let noise = fall.flights.noise;
    let mut checks = vec![rows(&recording), fall.check(&recording, &gravity)];
    checks.push(Check::new(
        "noise of the rows",
        format!("{} m a coordinate", rounded_text(noise, 3)),
        json!({ "position": noise }),
    ));
    if fall.otherwise.is_none() {
        checks.extend(rest(&recording, scenario, moving, &fall));
    }
    let of_rows = |toss: &Toss<D>| {
        let rows: Vec<_> = toss.states.iter().map(|row| (row.time, row.state)).collect();
        velocity_ways(&rows)
    };
    let velocities: Vec<Ways> = recording.tosses.iter().filter_map(of_rows).collect();
    checks.extend(ways("velocities", "m", &velocities, "the velocities do not lead along the positions"));
    let spins: Vec<Ways> = recording.tosses.iter().filter_map(spin_ways).collect();
    checks.extend(ways("spins", "rad", &spins, "the spins do not turn the body as the orientations do"));
    if fall.otherwise.is_some() {
        // What is in other axes or units is off the ground, off its flights, and off all that the scenario has.
        let found = "not looked at before axes and units are those that are asked for".to_owned();
        checks.push(Check::new("rest, wild rows and scenario", found, json!({})));
        return Ok(checks);
    }
    let falls = fall.flights.acceleration.filter(|_| fall.is_told).unwrap_or(gravity);
    checks.push(wild(&recording, noise, reach, &falls));
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

/// How high the body rests at the ends of throws.
fn rest<const D: usize>(
    recording: &Recording<D>,
    scenario: &Scenario<D>,
    moving: usize,
    fall: &Fall<D>,
) -> Option<Check> {
    let corners = Corners::of(&scenario.bodies[moving]);
    let size = scenario.bodies[moving].shape.size();
    let noise = fall.flights.noise;
    let least = ROUNDING * recording.reach(scenario, moving);
    let allowed = size.map_or(least, |size| OFF_GROUND * size).max(STILL * noise);
    let gravity = scenario.gravity_vector();
    let resting = recording.tosses.iter().filter_map(|toss| {
        let last = last_rows(toss, noise, gravity.norm())?;
        is_at_rest(last, allowed, &gravity).then(|| last[last.len() / 2])
    });
    let resting: Vec<RecordedState<D>> = resting.collect();
    if resting.is_empty() {
        return None;
    }
    let height = median(resting.iter().map(|row| row.state.position[D - 1]).collect());
    let gap = median(resting.iter().map(|row| above_planes(scenario, &corners, row)).collect());
    let found = format!(
        "centre {} m high, lowest point {} m off the ground; {} that end at rest",
        rounded_text(height, 4),
        rounded_text(gap, 3),
        counted(resting.len(), "throw")
    );
    let values = json!({ "height": height, "gap": gap, "throws": resting.len() });
    Some(Check::new("resting height", found, values).wrong(gap.abs() > allowed, || {
        format!(
            "at rest it should be 0: the ground is at `--ground-height {}`, or the body is {} than the scenario has it{}",
            rounded(recording.ground_height + gap, 4),
            if gap > 0.0 { "larger" } else { "smaller" },
            if fall.is_told { "" } else { ", or lengths are in another unit, or along other axes, which no flight tells" }
        )
    }))
}

/// The rows at the end of a throw over which a body that rests is told from one that falls, by half of gravity in m/s^2, if
/// there are so many; at the top of a bounce it is as slow as at rest.
fn last_rows<const D: usize>(toss: &Toss<D>, noise: f64, gravity: f64) -> Option<&[RecordedState<D>]> {
    let rows = &toss.states;
    let tell = |count: &usize| {
        let last = &rows[rows.len() - count..];
        gravity == 0.0 || SURE * acceleration_error(noise, weight_of(last)) <= 0.5 * gravity
    };
    let count = (AT_REST..=rows.len()).find(tell)?;
    Some(&rows[rows.len() - count..])
}

/// Whether a body stays where it is to within `allowed` m, and does not fall either.
fn is_at_rest<const D: usize>(rows: &[RecordedState<D>], allowed: f64, gravity: &Vector<D>) -> bool {
    let mean = rows.iter().map(|row| row.state.position).sum::<Vector<D>>() / rows.len() as f64;
    let [first, last] = [rows[0].time, rows[rows.len() - 1].time];
    let Some([_, velocity, half]) = parabola_of(rows) else { return false };
    rows.iter().all(|row| (row.state.position - mean).norm() <= allowed)
        && velocity.norm() * (last - first) <= allowed
        && (half * 2.0).dot(gravity).abs() <= 0.5 * gravity.norm_squared()
}

/// How far velocities or spins lead, beside how far the body came.
fn ways(name: &'static str, unit: &str, found: &[Ways], what: &str) -> Option<Check> {
    let sum = |of: fn(&Ways) -> f64| found.iter().map(of).sum::<f64>();
    let (measured, added_up) = (sum(|ways| ways.measured), sum(|ways| ways.added_up));
    if found.is_empty() || measured <= 0.0 {
        return None;
    }
    let apart = sum(|ways| ways.apart);
    let share = apart / measured;
    let text = format!(
        "{} {unit} apart on a way of {} {unit}, {} %; they lead {} {unit}",
        rounded_text(apart, 3),
        rounded_text(measured, 4),
        rounded_text(100.0 * share, 2),
        rounded_text(added_up, 4),
    );
    let values = json!({ "added_up": added_up, "measured": measured, "apart": apart, "share": share });
    let is_wrong = share > OTHER_WAY;
    Some(Check::new(name, text, values).wrong(is_wrong, || {
        format!(
            "{what}: units (rad, not degrees), axes (spins in those of the body in space) and signs may be others, or they are \
             smoothed over impacts; differences of the recorded poses serve as well"
        )
    }))
}

/// Rows that are off where all about them are not, of a body that falls so in m/s^2.
///
/// An impact bends the path within a row or two, so that its rows lie beside the parabola of those about them. They lie on the
/// way of those before it, or of those after it; a row that was measured wrong lies on neither.
fn wild<const D: usize>(recording: &Recording<D>, noise: f64, reach: f64, falls: &Vector<D>) -> Check {
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
            let is_off = (row.state.position - here).norm() > far;
            if is_off
                && rest <= SMOOTH * noise
                && !is_thrust_up(&others, &half, noise, falls)
                && is_off_both_ways(&others, &row.state.position, far, falls)
            {
                lines.push(row.line);
            }
        }
    }
    let found = format!("{} of {}", lines.len(), counted(recording.rows(), "row"));
    Check::new("wild rows", found, json!({ "lines": lines })).wrong(!lines.is_empty(), || {
        format!("look at {}: leave them out, or measure them again", listed(&lines))
    })
}

/// Whether rows at times from the one that is looked at, and half the acceleration of their parabola in m/s^2, show a thrust
/// against gravity, beyond what noise in m makes: only a contact gives it.
fn is_thrust_up<const D: usize>(
    others: &[(f64, Vector<D>)],
    half: &Vector<D>,
    noise: f64,
    falls: &Vector<D>,
) -> bool {
    let squares = others.iter().map(|(time, _)| time * time);
    let mean = squares.clone().sum::<f64>() / others.len() as f64;
    let spread = squares.map(|square| (square - mean).powi(2)).sum::<f64>();
    let error = 2.0 * noise / spread.sqrt();
    falls.norm() > 0.0 && -2.0 * half.dot(falls) / falls.norm() > SURE * error
}

/// Whether a place is more than `far` m off the way of the rows before it, and off that of the rows after it, straight on or
/// in flight.
fn is_off_both_ways<const D: usize>(
    others: &[(f64, Vector<D>)],
    place: &Vector<D>,
    far: f64,
    falls: &Vector<D>,
) -> bool {
    let (before, after) = others.split_at(BESIDE);
    [before, after].into_iter().all(|side| {
        [Vector::zeros(), *falls].into_iter().all(|acceleration: Vector<D>| {
            let straight =
                side.iter().map(|(time, place)| (*time, place - acceleration * (0.5 * time * time)));
            (place - Line::through(straight).origin).norm() > far
        })
    })
}

/// The first of some lines of the file.
fn listed(lines: &[u64]) -> String {
    let shown: Vec<String> = lines.iter().take(SHOWN).map(u64::to_string).collect();
    let more = lines.len().saturating_sub(SHOWN);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("line{} {}{rest}", if lines.len() == 1 { "" } else { "s" }, shown.join(", "))
}

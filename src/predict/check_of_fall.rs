//! Whether a recorded body falls as its scenario says, and if not, which axes and units say so.

use serde_json::json;

use super::{
    Check, Recording,
    check::SURE,
    fall::{TOLD, confirm, flights_that_prevail, gains_speed},
    free_flights::{FreeFlights, Thrown},
};
use crate::{
    decimal::{rounded, rounded_text},
    model::Vector,
    scenario::{Scenario, Shape},
    wording::counted,
};

/// Share of gravity by which flights may fall otherwise.
const OTHER_GRAVITY: f64 = 0.01;
/// Units that are mistaken for metres and seconds: what is wrong and what to do, and how many times as fast bodies seem to fall.
const UNITS: [(&str, f64); 3] = [
    ("lengths are in millimetres: divide positions and velocities by 1000", 1e3),
    ("lengths are in centimetres: divide positions and velocities by 100", 1e2),
    ("times are in milliseconds: divide them by 1000", 1e-6),
];
/// Share of such a number by which it may be off and be meant; the same of a fall along another axis, which is more doubtful.
const IN_UNITS: f64 = 0.15;
/// The cosine of the angle within which a fall is along an axis: 20 degrees.
const ALONG: f64 = 0.94;
const AXES: [&str; 3] = ["x", "y", "z"];

/// How a recorded body falls.
pub(super) struct Fall<const D: usize> {
    /// Its flights by gravity as it was recorded.
    pub flights: FreeFlights<D>,
    /// Whether these tell gravity at all.
    pub is_told: bool,
    /// What the recording has otherwise than is asked for, so that nothing else can be looked at: the fault, in words.
    pub otherwise: Option<String>,
}

impl<const D: usize> Fall<D> {
    /// Of body `moving` of a scenario.
    pub fn of(recording: &Recording<D>, scenario: &Scenario<D>, moving: usize) -> Self {
        let gravity = scenario.gravity_vector();
        let asked = Thrown::new(recording, scenario, moving);
        let flights = FreeFlights::of(recording, &asked);
        if gravity.norm() == 0.0 || confirm(&flights, &gravity) {
            return Self { flights, is_told: gravity.norm() > 0.0, otherwise: None };
        }
        let reach = match scenario.bodies[moving].shape {
            Shape::Point => f64::INFINITY,
            _ => asked.reach,
        };
        let Some(prevailing) = flights_that_prevail(recording, reach, gravity.norm()) else {
            return Self { flights, is_told: false, otherwise: None };
        };
        if confirm(&prevailing, &gravity) {
            return Self { flights: prevailing, is_told: true, otherwise: None };
        }
        match otherwise(recording, &prevailing, &gravity) {
            Some(fault) => Self { flights: prevailing, is_told: true, otherwise: Some(fault) },
            None => Self { flights, is_told: false, otherwise: None },
        }
    }

    /// What is said of it.
    pub fn check(&self, recording: &Recording<D>, gravity: &Vector<D>) -> Check {
        const NAME: &str = "gravity of the flights";
        let expected = gravity.norm();
        if expected == 0.0 {
            let found = "not looked at: the scenario has no gravity".to_owned();
            return Check::new(NAME, found, json!({ "gravity": null }));
        }
        let flights = &self.flights;
        let Some((acceleration, error)) = flights.acceleration.zip(flights.acceleration_error()) else {
            let found = "no flight was found".to_owned();
            return Check::new(NAME, found, json!({ "gravity": null }))
                .wrong(true, || format!("no rows agree with a fall: {NO_FALL}"));
        };
        let falls = acceleration.dot(&gravity.normalize());
        let aside = (acceleration - gravity.normalize() * falls).norm();
        let count = flights.rows.iter().map(Vec::len).sum::<usize>();
        let seconds = flights.seconds(recording);
        let found = format!(
            "{} ± {} m/s^2 in {} of {} s together; {} m/s^2 aside",
            rounded_text(falls, 4),
            rounded_text(error, 2),
            counted(count, "flight"),
            rounded_text(seconds, 3),
            rounded_text(aside, 2)
        );
        let values = json!({
            "gravity": falls, "standard_error": error, "aside": aside, "flights": count, "seconds": seconds,
            "scenario": expected,
        });
        let check = Check::new(NAME, found, values);
        if let Some(fault) = &self.otherwise {
            return check.wrong(true, || fault.clone());
        }
        if !self.is_told {
            return check.wrong(true, || match error > TOLD * expected {
                true => format!("that is too unsure to tell lengths, times or axes by: {NO_FALL}"),
                false => format!("what is straight enough for flights does not fall: {NO_FALL}"),
            });
        }
        let is_sure = |off: f64| off > OTHER_GRAVITY * expected && off > SURE * error;
        let off = (falls - expected).abs();
        check.wrong(is_sure(off) || is_sure(aside), || {
            if is_sure(off) {
                format!(
                    "the scenario has {expected} m/s^2: lengths are {} % {} if times are right; set the size of the body in the \
                     same unit as the positions, and predict with `--set gravity={}`",
                    rounded_text(100.0 * off / expected, 2),
                    if falls < expected { "short" } else { "long" },
                    rounded(falls, 4)
                )
            } else {
                format!(
                    "the flights fall {} degrees beside the vertical of the scenario: is the height the last coordinate, and the \
                     camera level? A ground that slopes is set by `ground.slope`",
                    rounded_text((aside / falls).atan().to_degrees(), 2)
                )
            }
        })
    }
}

/// What to do where nothing tells gravity.
const NO_FALL: &str = "more throws and longer flights tell it; where the body only slides or rests, cut by a number of seconds, as \
                       in `--windows 0.1`, and see yourself that lengths are in metres and the height is last";

/// In which axes and units a body falls that way, by flights that confirm it, if that is no slide.
fn otherwise<const D: usize>(
    recording: &Recording<D>,
    flights: &FreeFlights<D>,
    gravity: &Vector<D>,
) -> Option<String> {
    let acceleration = flights.acceleration?;
    let (falls, expected) = (acceleration.norm(), gravity.norm());
    let (down, times) = (acceleration / falls, falls / expected);
    let unit = UNITS.iter().find(|(_, of)| (times / of - 1.0).abs() <= IN_UNITS);
    let upright = down.dot(&gravity.normalize());
    let is_vertical = upright.abs() >= ALONG;
    let is_metres = (times - 1.0).abs() <= IN_UNITS;
    let is_known = is_vertical || is_metres || unit.is_some();
    if !is_known || (upright < ALONG && !gains_speed(recording, flights)) {
        return None;
    }
    let axis = down.iamax();
    let name = if D == 2 && axis == 1 { "z" } else { AXES[axis] };
    let sign = if down[axis] < 0.0 { "-" } else { "+" };
    let axes = if upright >= ALONG {
        None
    } else if is_vertical {
        Some(format!(
            "the body flies where {sign}{name} is down, and heights are wanted upwards: reverse the sign of {name} and v{name}, and \
             {}",
            match D {
                2 => "of angle and spin",
                _ =>
                    "of y and vy with them, which turns the axes by half a turn about x; orientations and spins in the same axes",
            }
        ))
    } else if down[axis].abs() >= ALONG {
        Some(format!(
            "the body flies where {sign}{name} is down: {name} is the vertical, which is wanted as the last coordinate, upwards; \
             write {}{name} as z, and velocities, orientations and spins in the same axes",
            if down[axis] < 0.0 { "" } else { "-" }
        ))
    } else {
        Some(format!(
            "the flights fall {} degrees beside the vertical of the scenario: turn positions, velocities and orientations so that the \
             last coordinate is the height",
            rounded_text(upright.acos().to_degrees(), 2)
        ))
    };
    let units = match unit {
        _ if is_metres => None,
        Some((what, _)) => Some((*what).to_owned()),
        None => Some(format!(
            "lengths are {} times what they are in metres if times are right, times {} times what they are in seconds if lengths \
             are; put them right, or set the size of the body in the same unit as the positions, and predict with \
             `--set gravity={}`",
            rounded_text(times, 3),
            rounded_text(times.sqrt().recip(), 3),
            rounded(falls, 4)
        )),
    };
    let what: Vec<String> = axes.into_iter().chain(units).collect();
    Some(format!(
        "the flights fall by {} m/s^2 where the scenario has {expected}; {}",
        rounded_text(falls, 4),
        what.join("; ")
    ))
}

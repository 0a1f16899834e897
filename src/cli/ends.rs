//! Where bodies end, how they are turned and how they move then, for people.

use stickslip::{
    compare::Comparison,
    metrics::{BodyMetrics, Metrics},
    model::{Orientation, Spin, Vector, axis_names},
    scenario::Scenario,
};

use super::table::{aligned, micro, shared};

/// Bodies of a run whose ends are told one by one, at most.
const MOST_BODIES: usize = 8;
/// Turn in rad that shows in two decimals of a degree.
const LEAST_TURN: f64 = 1e-4;
/// Rate in m/s or rad/s that shows in six decimals.
const LEAST_RATE: f64 = 5e-7;

/// The rows of a run: what is told and how it is.
pub fn of_run<const D: usize>(scenario: &Scenario<D>, metrics: &Metrics<D>) -> Vec<(String, String)> {
    let axes = axis_names::<D>();
    if let [body] = metrics.bodies.as_slice() {
        let state = &body.final_state;
        let mut rows = vec![
            (format!("final {}", axes.join(", ")), format!("{} m", list(state.position.as_slice()))),
            (format!("final v{}", axes.join(", v")), format!("{} m/s", list(state.velocity.as_slice()))),
        ];
        if let Some(attitude) = &body.final_attitude {
            rows.push(("final turn".to_owned(), turn(attitude.orientation)));
            rows.push(("final spin".to_owned(), spin(&attitude.spin, D)));
        }
        return rows;
    }
    let bodies = metrics.bodies.iter().zip(&scenario.bodies);
    let moving: Vec<&BodyMetrics<D>> =
        bodies.filter(|(_, setup)| !setup.fixed).map(|(body, _)| body).collect();
    if moving.len() > MOST_BODIES {
        let center = list(metrics.final_center.as_slice());
        return vec![("final centre of mass".to_owned(), format!("{center} m, of all that moves"))];
    }
    moving.into_iter().flat_map(of_body).collect()
}

/// Where a body of several is, and how it moves if it does.
fn of_body<const D: usize>(body: &BodyMetrics<D>) -> Vec<(String, String)> {
    let state = &body.final_state;
    let mut place = format!("{} m", list(state.position.as_slice()));
    if let Some(attitude) = &body.final_attitude {
        place += &format!(", {}", turn(attitude.orientation));
    }
    let spins = body.final_attitude.as_ref().filter(|attitude| attitude.spin.amax() >= LEAST_RATE);
    let moves = state.velocity.amax() >= LEAST_RATE || spins.is_some();
    let motion = moves.then(|| {
        let spin = spins.map_or(String::new(), |attitude| format!(", spin {}", spin(&attitude.spin, D)));
        (String::new(), format!("at {} m/s{spin}", list(state.velocity.as_slice())))
    });
    std::iter::once((format!("final {}", body.name), place)).chain(motion).collect()
}

/// How a body is turned, in angles that a person can picture: in space the tilt of its own height axis, and the one turn that
/// brings it there.
fn turn(orientation: Orientation) -> String {
    match orientation {
        Orientation::Angle(angle) => format!("{} rad ({} degrees)", micro(angle), degrees(angle)),
        Orientation::Quaternion(turn) => {
            // What is turned by less than is written has no axis worth a word.
            let (axis, angle) = match turn.axis_angle() {
                Some((axis, angle)) if angle >= LEAST_TURN => {
                    let parts = axis.iter().map(|part| format!("{:.3}", part + 0.0)).collect::<Vec<_>>();
                    (format!(" about ({})", parts.join(", ").replace("-0.000", "0.000")), angle)
                }
                _ => (String::new(), 0.0),
            };
            let tilt = degrees(tilt(orientation));
            format!("tilted by {tilt} degrees, turned by {} degrees{axis}", degrees(angle))
        }
    }
}

/// Angle in rad between the own height axis of a body in space and the vertical.
fn tilt(orientation: Orientation) -> f64 {
    orientation.turn::<3>(&Vector::z()).z.clamp(-1.0, 1.0).acos()
}

fn spin(spin: &Spin, dimension: usize) -> String {
    if dimension == 2 {
        return format!("{} rad/s", micro(spin.x));
    }
    format!("{} rad/s, in the axes of the body", list(spin.as_slice()))
}

fn list(values: &[f64]) -> String {
    values.iter().map(|value| micro(*value)).collect::<Vec<_>>().join(", ")
}

fn degrees(angle: f64) -> String {
    unsigned_zero(format!("{:.2}", angle.to_degrees()))
}

/// Without a minus before what rounds to zero.
fn unsigned_zero(text: String) -> String {
    match text.strip_prefix('-') {
        Some(zero) if zero.bytes().all(|digit| matches!(digit, b'0' | b'.')) => zero.to_owned(),
        _ => text,
    }
}

/// Of a comparison of a few bodies, a row for each body and each end that steppers give it.
pub fn of_comparison<const D: usize>(comparison: &Comparison<D>) -> Vec<String> {
    if !comparison.tells_ends_by_body() {
        return Vec::new();
    }
    let scenario = &comparison.scenario;
    let measured: Vec<_> = comparison.entries.iter().filter(|entry| entry.is_measured()).collect();
    let turns = |entry: &&stickslip::compare::Entry<D>| {
        entry.merit.metrics.bodies.iter().any(|body| body.final_attitude.is_some())
    };
    let (header, units) = headings::<D>(measured.iter().any(turns));
    let mut rows = vec![header, units];
    let moving = (0..scenario.bodies.len()).filter(|&body| !scenario.bodies[body].fixed);
    for body in moving {
        let ends = measured.iter().map(|entry| {
            (entry.trajectory.stepper.as_str(), cells(&entry.merit.metrics.bodies[body]).join("\t"))
        });
        for (names, cells) in shared(ends) {
            let name = scenario.body_name(body);
            let who =
                if names.len() == measured.len() { name } else { format!("{name} by {}", names.join(", ")) };
            rows.push(std::iter::once(who).chain(cells.split('\t').map(str::to_owned)).collect());
        }
    }
    std::iter::once(String::new()).chain(aligned(&rows)).chain([String::new()]).collect()
}

/// The two rows of the heading: names and units.
fn headings<const D: usize>(turns: bool) -> (Vec<String>, Vec<String>) {
    let axes = axis_names::<D>();
    let (turn_names, spin_name): (&[&str], _) =
        if D == 2 { (&["turned"], "spin") } else { (&["tilted", "turned"], "|spin|") };
    let mut columns: Vec<(String, &str)> = vec![("at the end".to_owned(), "")];
    columns.extend(axes.iter().map(|axis| ((*axis).to_owned(), "[m]")));
    columns.extend(turn_names.iter().filter(|_| turns).map(|name| ((*name).to_owned(), "[degrees]")));
    columns.extend(axes.iter().map(|axis| (format!("v{axis}"), "[m/s]")));
    columns.extend(turns.then(|| (spin_name.to_owned(), "[rad/s]")));
    columns.into_iter().map(|(name, unit)| (name, unit.to_owned())).unzip()
}

/// The end of a body to a tenth of a millimetre, in the columns of [`headings`].
fn cells<const D: usize>(body: &BodyMetrics<D>) -> Vec<String> {
    let short = |value: &f64| unsigned_zero(format!("{value:.4}"));
    let mut cells: Vec<String> = body.final_state.position.iter().map(short).collect();
    match body.final_attitude.as_ref().map(|attitude| attitude.orientation) {
        Some(Orientation::Angle(angle)) => cells.push(degrees(angle)),
        Some(orientation @ Orientation::Quaternion(turn)) => {
            cells.extend([degrees(tilt(orientation)), degrees(turn.angle())]);
        }
        None => {}
    }
    cells.extend(body.final_state.velocity.iter().map(short));
    let spin = body.final_attitude.as_ref().map(|attitude| attitude.spin);
    cells.extend(spin.map(|spin| short(&if D == 2 { spin.x } else { spin.norm() })));
    cells
}

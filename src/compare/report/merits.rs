use super::super::table::ending;
use crate::{
    compare::{Comparison, Entry, Merit, quantity::significant},
    model::axis_names,
    report::Page,
};

/// One figure of merit of a stepper.
type Figure<const D: usize> = fn(&Merit<D>) -> Option<f64>;

/// The table of merits with a column per stepper: a dozen of them still fit on the page.
pub(super) fn merits<const D: usize>(page: &mut Page, comparison: &Comparison<D>) {
    let entries = &comparison.entries;
    let show = |value: Option<f64>| value.map_or("–".to_owned(), significant);
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut row = |label: String, cell: &dyn Fn(&Entry<D>) -> String| {
        // What ended in a failed step has no end to tell of, nor what is measured up to one.
        let cell = |entry: &Entry<D>| if entry.is_measured() { cell(entry) } else { "–".to_owned() };
        rows.push(std::iter::once(label).chain(entries.iter().map(cell)).collect());
    };
    for (i, axis) in axis_names::<D>().iter().enumerate() {
        row(format!("{} {axis} [m]", comparison.place_at_end()), &|entry| {
            micrometres(entry.merit.metrics.final_center[i])
        });
    }
    row("comes to rest at [s]".to_owned(), &|entry| {
        entry.merit.metrics.stop_time.map_or("–".to_owned(), |time| format!("{time:.4}"))
    });
    for (i, axis) in axis_names::<D>().iter().enumerate() {
        row(format!("largest error in {axis} [m]"), &|entry| {
            if comparison.is_reference(entry) {
                return "reference".to_owned();
            }
            show(entry.merit.metrics.max_error.map(|error| error[i]))
        });
    }
    let has_bodies = !comparison.scenario.layout().is_point();
    if has_bodies && comparison.truth.is_some() {
        row("largest error in angle [rad]".to_owned(), &|entry| match comparison.is_reference(entry) {
            true => "reference".to_owned(),
            false => show(entry.merit.metrics.max_turn_error),
        });
    }
    if has_bodies && comparison.truth.is_none() {
        let deviation = |entry: &Entry<D>| entry.merit.deviation;
        row("from the mean of the models [m]".to_owned(), &|entry| {
            let left_out = deviation(entry).is_some_and(|deviation| !deviation.counts);
            let shown = show(deviation(entry).map(|deviation| deviation.position));
            if left_out { format!("{shown} (no part of it)") } else { shown }
        });
        row("from the mean of the models [rad]".to_owned(), &|entry| {
            show(deviation(entry).and_then(|deviation| deviation.angle).map(|largest| largest.angle))
        });
    }
    if has_bodies {
        row("residual of Coulomb's law (natural map)".to_owned(), &|entry| {
            show(entry.merit.metrics.max_natural_map)
        });
    }
    let merits: [(&str, Figure<D>); 10] = [
        ("deepest penetration [m]", |merit| Some(merit.metrics.max_penetration)),
        ("impulse error, first impact [%]", |merit| merit.impulse_error.map(|error| 100.0 * error)),
        ("deceleration error, sliding [%]", |merit| merit.deceleration_error.map(|error| 100.0 * error)),
        ("drift after the stop [m]", |merit| merit.drift_after_stop),
        ("energy gain in a step [J]", |merit| Some(merit.metrics.max_energy_gain)),
        ("noise of the normal force [N]", |merit| merit.metrics.force_noise),
        ("complementarity violation of a time step", |merit| merit.metrics.max_complementarity),
        ("cone violation [N]", |merit| merit.max_cone_violation),
        ("iterations, median", |merit| Some(f64::from(merit.iterations_median))),
        ("iterations, most", |merit| Some(f64::from(merit.iterations_max))),
    ];
    for (label, value) in merits {
        row(label.to_owned(), &|entry| {
            let value = value(&entry.merit);
            if label.starts_with("iterations") {
                value.map_or(String::new(), |value| format!("{value}"))
            } else {
                show(value)
            }
        });
    }
    let endings = entries.iter().map(|entry| ending(entry.trajectory.ending).to_owned());
    rows.insert(0, std::iter::once("run".to_owned()).chain(endings).collect());
    let header = std::iter::once(String::new());
    let header: Vec<String> =
        header.chain(entries.iter().map(|entry| entry.trajectory.stepper.to_string())).collect();
    let caption = match comparison.truth {
        Some(_) => "Figures of merit. Errors are measured against the exact motion.",
        None => "Figures of merit. No exact motion is known to measure errors against.",
    };
    page.table(caption, &header, rows.into_iter());
}

/// A length in m to the micrometre, without a minus sign before zero.
fn micrometres(value: f64) -> String {
    format!("{:.6}", (value * 1e6).round() / 1e6 + 0.0)
}

//! When contacts are open, slip and stick: a row of time for each.

use super::{
    axis::Axis,
    figure::{Curve, Figure, Panel},
    geometry::Point,
    scene::{Cast, casts},
    series::{Series, end_time, run_title, scenario_title},
    theme::{Style, palette},
};
use crate::{
    metrics::{Doing, Touching, pairs_of},
    trajectory::Trajectory,
};

/// Columns into which time is sorted; one in which a contact touches at all shows it.
const COLUMNS: usize = 640;
/// Height of a row, and of the stroke in it.
const ROW_HEIGHT: f64 = 16.0;
const STROKE: f64 = 9.0;
/// Rows of a run, at most.
const MOST_ROWS: usize = 24;
/// Pairs of partners that several models are compared by, at most.
const MOST_PANELS: usize = 4;

const SLIP: Style = Style::line(palette::ORANGE).with_width(STROKE);
const STICK: Style = Style::line(palette::BLUE).with_width(STROKE);
const TOUCH: Style = Style::line(palette::GREY).with_width(STROKE);
const OPEN: Style = Style::line(palette::GREY).with_width(0.6);

/// Modes of the contacts of a trajectory over time: a row for every pair of partners that touch; for every body
/// where these are too many.
pub fn contact_modes<const D: usize>(trajectory: &Trajectory<D>) -> Figure {
    let series = Series::of_bodies(trajectory);
    let casts = casts(&series);
    let mut figure = Figure::default();
    let Some(cast) = casts.first() else { return figure };
    figure.title = run_title(cast.any());
    let mut rows = pairs_of(&cast.tracks());
    if rows.len() > MOST_ROWS {
        rows = cast.series.iter().map(|series| Touching::Body(series.track.body)).collect();
        figure.caption = "a row per body with all that it touches".to_owned();
    }
    if rows.len() > MOST_ROWS {
        let count = rows.len();
        rows = (0..MOST_ROWS).map(|k| rows[k * (count - 1) / (MOST_ROWS - 1)]).collect();
        figure.caption = format!("{MOST_ROWS} of {count} bodies, each with all that it touches");
    }
    let rows: Vec<_> = rows.into_iter().map(|row| (row.name(cast.any()), *cast, row)).collect();
    figure.panels.push(panel(&rows, "", end_time(&series)));
    figure
}

/// Modes of the contacts of several trajectories: a panel for every pair of partners that touch, a row in it for
/// every trajectory; all contacts together where the pairs are too many.
pub fn contact_modes_overlay<const D: usize>(series: &[Series<'_, D>]) -> Figure {
    let casts = casts(series);
    let mut figure = Figure { shared_x: true, ..Figure::default() };
    let Some(first) = casts.first() else { return figure };
    figure.title = scenario_title(first.any().scenario);
    let mut pairs: Vec<Touching> = Vec::new();
    for pair in casts.iter().flat_map(|cast| pairs_of(&cast.tracks())) {
        if !pairs.contains(&pair) {
            pairs.push(pair);
        }
    }
    if pairs.len() > MOST_PANELS {
        pairs = vec![Touching::All];
        figure.caption = "of all contacts together: slip where any of them slips".to_owned();
    }
    let end = end_time(series);
    for pair in pairs {
        let rows: Vec<_> = casts.iter().map(|cast| (cast.series[0].label.clone(), *cast, pair)).collect();
        figure.panels.push(panel(&rows, &pair.name(first.any()), end));
    }
    figure
}

/// A row of a panel: its name, and who touches there in which motion.
type Row<'s, 'a, const D: usize> = (String, Cast<'s, 'a, D>, Touching);

fn panel<const D: usize>(rows: &[Row<'_, '_, D>], heading: &str, end: f64) -> Panel {
    let names = rows.iter().rev().map(|(name, ..)| name.clone());
    let mut panel = Panel::new(Axis::time().range(0.0, end), Axis::new(heading, "").names(names));
    panel.height = (ROW_HEIGHT * rows.len() as f64).max(2.0 * ROW_HEIGHT);
    panel.empty_note = "nothing touches".to_owned();
    // In this order, so that what covers more comes first.
    let mut curves = [
        ("open", Doing::Open, OPEN),
        ("slip", Doing::Slip, SLIP),
        ("stick", Doing::Stick, STICK),
        ("touch", Doing::Touch, TOUCH),
    ]
    .map(|(label, doing, style)| (doing, Curve { label: label.to_owned(), points: Vec::new(), style }));
    for (place, (_, cast, touching)) in rows.iter().rev().enumerate() {
        for (from, to, doing) in phases(cast, *touching, end) {
            let line: [Point; 3] = [[from, place as f64], [to, place as f64], [f64::NAN; 2]];
            if let Some((_, curve)) = curves.iter_mut().find(|(one, _)| *one == doing) {
                curve.points.extend(line);
            }
        }
    }
    panel.curves =
        curves.into_iter().map(|(_, curve)| curve).filter(|curve| !curve.points.is_empty()).collect();
    panel
}

/// Stretches of time of one mode, in s.
fn phases<const D: usize>(cast: &Cast<'_, '_, D>, touching: Touching, end: f64) -> Vec<(f64, f64, Doing)> {
    let (track, tracks) = (cast.any(), cast.tracks());
    let mut phases: Vec<(f64, f64, Doing)> = Vec::new();
    let mut column = usize::MAX;
    for k in 0..track.reports.len() {
        let doing = touching.doing(&tracks, k);
        let (from, to) = (track.time(k), track.time(k + 1));
        let this = (from / end * COLUMNS as f64) as usize;
        match phases.last_mut() {
            Some(last) if last.2 == doing => last.1 = to,
            // In a column that shows a contact, nothing else is told.
            Some(last) if this == column && last.2 != Doing::Open => last.1 = to,
            Some(last) if this == column => *last = (last.0, to, doing),
            _ => {
                phases.push((from, to, doing));
                column = this;
            }
        }
    }
    phases
}

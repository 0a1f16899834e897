//! Energy over time: where it is, and how much was lost.

use super::{
    axis::Axis,
    decimate::by_column,
    figure::{Figure, Panel},
    geometry::Point,
    scene::{Cast, casts},
    series::{Series, end_time, run_title, scenario_title},
    theme::{Style, palette},
};
use crate::{
    metrics::{Energy, MovingWalls, work_of_pushes},
    trajectory::{Track, Trajectory},
};

const HEIGHT: f64 = 130.0;
const LOSS_HEIGHT: f64 = 80.0;

/// The energies of the motion of `cast` at all its states.
fn energies<const D: usize>(cast: &Cast<'_, '_, D>) -> Vec<Energy> {
    let tracks = cast.tracks();
    Energy::over_time(&tracks, 0..cast.any().states.len())
}

/// Energies of a trajectory over time, and below what was lost of it: what there was at the start and what the
/// pushes and the moving walls did since, less what there is.
pub fn energy<const D: usize>(trajectory: &Trajectory<D>) -> Figure {
    let series = Series::of_bodies(trajectory);
    let casts = casts(&series);
    let mut figure = Figure { shared_x: true, ..Figure::default() };
    let Some(cast) = casts.first() else { return figure };
    let (track, end) = (cast.any(), end_time(&series));
    figure.title = run_title(track);
    let energies = energies(cast);
    let largest = largest(&energies);
    let curve = |value: fn(&Energy) -> f64| {
        by_column(energies.iter().enumerate().map(|(k, energy)| [track.time(k), value(energy)]), (0.0, end))
    };
    let mut panel = Panel::new(time(end), Axis::new("energy", "J").magnitude(largest)).height(HEIGHT);
    let line = |colour, dash| Style::line(colour).with_width(1.2).with_dash(dash);
    panel = panel
        .curve("total", curve(Energy::total), Style::line(palette::BLACK).with_width(1.8))
        .curve("translation", curve(|energy| energy.translation), line(palette::BLUE, &[]))
        .curve("height", curve(|energy| energy.height), line(palette::ORANGE, &[6.0, 2.0]));
    if !track.attitudes.is_empty() {
        panel = panel.curve("rotation", curve(|energy| energy.rotation), line(palette::GREEN, &[3.0, 2.0]));
    }
    if !track.scenario.springs.is_empty() {
        panel = panel.curve("springs", curve(|energy| energy.springs), line(palette::PURPLE, &[1.5, 1.5]));
    }
    let lost = Panel::new(time(end), loss_axis(largest)).height(LOSS_HEIGHT).curve(
        "",
        lost(cast, &energies, end),
        Style::line(palette::VERMILLION),
    );
    figure.panels = vec![panel, lost];
    figure
}

/// Total energies of several trajectories over time, and below what each lost.
pub fn energy_overlay<const D: usize>(series: &[Series<'_, D>]) -> Figure {
    let casts = casts(series);
    let mut figure = Figure { shared_x: true, ..Figure::default() };
    let Some(first) = casts.first() else { return figure };
    figure.title = scenario_title(first.any().scenario);
    let end = end_time(series);
    let of_casts: Vec<Vec<Energy>> = casts.iter().map(energies).collect();
    let largest = of_casts.iter().map(|energies| largest(energies)).fold(0.0, f64::max);
    let mut total = Panel::new(time(end), Axis::new("energy", "J").magnitude(largest)).height(HEIGHT);
    let mut loss = Panel::new(time(end), loss_axis(largest)).height(HEIGHT);
    for (cast, energies) in casts.iter().zip(&of_casts) {
        let Series { label, style, track } = &cast.series[0];
        let points = energies.iter().enumerate().map(|(k, energy)| [track.time(k), energy.total()]);
        total = total.curve(label, by_column(points, (0.0, end)), *style);
        loss = loss.curve(label, lost(cast, energies, end), *style);
    }
    figure.panels = vec![total, loss];
    figure
}

fn time(end: f64) -> Axis {
    Axis::time().range(0.0, end)
}

fn loss_axis(largest: f64) -> Axis {
    Axis::new("energy lost", "J").include(0.0).magnitude(largest)
}

fn largest(energies: &[Energy]) -> f64 {
    let size = |energy: &Energy| energy.translation.abs().max(energy.height.abs()).max(energy.rotation);
    energies.iter().map(size).filter(|size| size.is_finite()).fold(0.0, f64::max)
}

/// What was lost since the start, over time.
fn lost<const D: usize>(cast: &Cast<'_, '_, D>, energies: &[Energy], end: f64) -> Vec<Point> {
    let tracks = || cast.series.iter().map(|series| series.track);
    let Some(start) = energies.first().map(Energy::total) else { return Vec::new() };
    let walls = MovingWalls::of(cast.any().scenario);
    let work_on = |track: Track<'_, D>, k: usize| {
        work_of_pushes(track, k) + walls.work(track.contacts.of_step(k), track.body, track.interval())
    };
    let mut work = 0.0;
    let points = energies.iter().enumerate().map(|(k, energy)| {
        if let Some(before) = k.checked_sub(1) {
            work += tracks().map(|track| work_on(track, before)).sum::<f64>();
        }
        [cast.any().time(k), start + work - energy.total()]
    });
    by_column(points, (0.0, end))
}

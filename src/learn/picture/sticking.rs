//! How often a block still sticks under noise.

use serde_json::{Map, Value};

use crate::plot::{Axis, Colour, Figure, Marker, Panel, Point, Style, palette};

/// Share of draws that stick over the size of the noise on all entries, from the rows of
/// `sticking_by_noise`.
pub fn sticking_by_noise(rows: &[Value], trials: usize, push: f64) -> Figure {
    let curve = |key: &str| -> Vec<Point> {
        let point = |row: &Value| Some([row["sigma"].as_f64()?, 100.0 * row[key].as_f64()?]);
        rows.iter().filter_map(point).collect()
    };
    let sigma = || Axis::new("noise *σ*", "").log();
    let unpushed = Panel::new(sigma(), Axis::new("exactly at rest", "%").range(-5.0, 105.0))
        .height(130.0)
        .curve("no push, noise on *M*", curve("at_rest_noise_on_m"), style(palette::GREEN, Marker::Up))
        .curve("no push, noise on *M* and *q*", curve("at_rest"), style(palette::BLUE, Marker::Disc));
    let within = Axis::new("|*v*| ≤ 10^{−3}*σ*", "%").include(0.0).magnitude(0.1);
    let pushed = Panel::new(sigma(), within).height(110.0).curve(
        format!("push {push}, noise on *M* and *q*"),
        curve("pushed_within_tolerance"),
        style(palette::VERMILLION, Marker::Square),
    );
    let mut figure = Figure::new("Sticking under noise on the complementarity problem");
    let exact = curve("pushed").into_iter().map(|[_, share]| share).fold(0.0, f64::max);
    let at_rest = if exact == 0.0 { "none is".to_owned() } else { format!("at most {exact} % are") };
    figure.caption = format!("{trials} draws each; under the push {at_rest} exactly at rest");
    figure.shared_x = true;
    figure.panels = vec![unpushed, pushed];
    figure
}

/// Share of draws that stick with noise on a single entry, from `sticking_by_entry`.
pub fn sticking_by_entry(entries: &Map<String, Value>, sigma: f64, trials: usize) -> Figure {
    let count = entries.len();
    let curve = |key: &str, shift: f64| -> Vec<Point> {
        let rows = entries.values().enumerate();
        // The first row is the uppermost; the two pushes stand above each other.
        let point = |(index, row): (usize, &Value)| {
            Some([100.0 * row[key].as_f64()?, (count - 1 - index) as f64 + shift])
        };
        rows.filter_map(point).collect()
    };
    let names = entries.keys().rev().map(|name| {
        let (letter, index) = name.split_at(1);
        format!("*{letter}*_{{{index}}}")
    });
    let panel = Panel::new(
        Axis::new("draws that stick exactly", "%").range(-5.0, 105.0),
        Axis::new("", "").names(names),
    )
    .height(15.0 * count as f64)
    .curve("push to the right", curve("pushed_right", 0.18), Style::markers(palette::BLUE, Marker::Disc))
    .curve(
        "push to the left",
        curve("pushed_left", -0.18),
        Style::markers(palette::VERMILLION, Marker::Square),
    );
    let mut figure = Figure::new("Noise on a single entry of *M* or *q*");
    figure.caption = format!("noise *σ* = {sigma}, {trials} draws each; the block should stick");
    figure.panels.push(panel);
    figure
}

fn style(colour: Colour, marker: Marker) -> Style {
    Style::line(colour).with_marker(marker)
}

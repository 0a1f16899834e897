//! The picture of what results do about the scenario, with the gradients and the kinks in it.

use stickslip::{
    gradient::{Landscape, LandscapeCurve, Method},
    plot::{Axis, Dash, Figure, Marker, Panel, Point, Style},
    scenario::Scenario,
};

/// The unit of a result, by its name: `final_x`, `stop_time`, of a body `box.final_spin`.
fn unit_of(name: &str) -> &'static str {
    let last = name.rsplit('.').next().unwrap_or(name);
    match last.strip_prefix("final_").unwrap_or(last) {
        "x" | "y" | "z" => "m",
        "vx" | "vy" | "vz" => "m/s",
        "angle" => "rad",
        "spin" | "wx" | "wy" | "wz" => "rad/s",
        "stop_time" => "s",
        _ => "",
    }
}

/// The picture: every result over every number, with the gradients as straight lines through the scenario's own value
/// and the kinks as triangles along the lower edge, a row per stepper.
pub(super) fn landscape_figure<const D: usize>(scenario: &Scenario<D>, landscapes: &[Landscape]) -> Figure {
    let mut figure = Figure::new(format!("{}: what the gradients see", scenario.name));
    figure.caption =
        "straight: raw gradients; dotted: corrected; triangles: kinks of each stepper".to_owned();
    let chatters = landscapes.iter().flat_map(|one| &one.curves).any(|curve| curve.explodes);
    figure = figure.remark(if chatters { "what chatters may leave the frame" } else { "" });
    for landscape in landscapes {
        let unit = landscape.wrt.unit();
        let x = Axis::new(format!("change of {}", landscape.wrt), unit);
        let y = Axis::new(format!("change of {}", landscape.of), unit_of(&landscape.of));
        let mut panel = Panel::new(x, y).height(150.0);
        // A curve that chatters would hide what the others do, and leaves the frame if need be.
        let calm =
            |curve: &&LandscapeCurve| !curve.explodes || landscape.curves.iter().all(|one| one.explodes);
        let all = landscape.curves.iter().filter(calm).flat_map(|curve| &curve.points);
        let (low, high) = all.fold((0.0_f64, 0.0_f64), |(low, high), [_, y]| (low.min(*y), high.max(*y)));
        let height = if high > low { high - low } else { 1.0 };
        let others = landscape.curves.iter().filter(|curve| !curve.stepper.is_exact()).count();
        panel.y = panel.y.range(low - (0.14 + 0.07 * others as f64) * height, high + 0.15 * height);
        let mut place = 0;
        for curve in &landscape.curves {
            let is_exact = curve.stepper.is_exact();
            let style = if is_exact { Style::REFERENCE } else { Style::of_series(place, others) };
            let label = curve.stepper.as_str();
            panel = panel.curve(label, curve.points.clone(), style);
            if is_exact {
                continue;
            }
            for &(method, slope) in &curve.slopes {
                let line = within(&curve.points, slope, [low - 0.1 * height, high + 0.1 * height]);
                let dash: Dash = if method == Method::Raw { &[] } else { &[1.0, 2.0] };
                let straight = Style { width: 0.7, dash, ..style };
                panel = panel.curve(label, line, straight);
            }
            let row = low - (0.14 + 0.06 * place as f64) * height;
            let marks: Vec<Point> = curve.kinks.iter().map(|&kink| [kink, row]).collect();
            if !marks.is_empty() {
                panel = panel.curve(label, marks, Style::markers(style.colour, Marker::Up));
            }
            place += 1;
        }
        figure.panels.push(panel);
    }
    figure
}

/// The line through the origin with that slope, as far as the points go and no farther up or down than the range.
fn within(points: &[[f64; 2]], slope: f64, [low, high]: [f64; 2]) -> Vec<Point> {
    let ends = [points.first(), points.last()].map(|point| point.map_or(0.0, |[x, _]| *x));
    let cut = |x: f64| {
        let y = slope * x;
        let share = if y > high {
            high / y
        } else if y < low {
            low / y
        } else {
            1.0
        };
        [share * x, share * y]
    };
    ends.map(cut).to_vec()
}

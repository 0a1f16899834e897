//! The sum of squares over friction and restitution.

use crate::{
    learn::{
        findings::Parameter,
        input::{LearnError, Progress, report},
        picture::contour,
    },
    plot::{Axis, Figure, Marker, Panel, Point, Style, palette},
};

/// Points along each axis of the contours, and along a profile.
const GRID: usize = 81;
const PROFILE: usize = 400;
/// Half the width of the picture of contours, over half an interval of confidence.
const ROOM: f64 = 2.2;
/// How far a picture reaches beyond the truth, over its distance.
const BEYOND: f64 = 1.15;
/// Quantiles of chi squared with two degrees of freedom: the regions that hold both parameters with
/// this probability.
const REGIONS: [(f64, &str); 3] = [(2.30, "68 %"), (5.99, "95 %"), (13.8, "99.9 %")];

const REGION_STYLES: [Style; 3] = [
    Style::line(palette::BLUE).with_width(1.8),
    Style::line(palette::SKY_BLUE).with_width(1.5).with_dash(&[7.0, 3.0]),
    Style::line(palette::GREY).with_width(1.2).with_dash(&[1.5, 2.2]),
];
const INTERVAL: Style = Style::line(palette::ORANGE).with_width(1.2);
const LEARNED: Style = Style::markers(palette::VERMILLION, Marker::Disc);
const TRUTH: Style = Style::markers(palette::BLACK, Marker::Circle);
const TRUTH_LINE: Style = Style::line(palette::BLACK).with_width(0.9).with_dash(&[5.0, 2.5]);
const COST: Style = Style::line(palette::BLUE).with_width(1.6);

/// The sum of squares, and what was learned from it.
pub(super) struct Landscape<'a> {
    /// Sum of squares at friction and restitution.
    pub cost: &'a dyn Fn(f64, f64) -> f64,
    /// Its least value.
    pub least: f64,
    /// How far it rises above that, in units of the variance, with all other unknowns at their best.
    pub excess: &'a dyn Fn(f64, f64) -> f64,
    pub friction: &'a Parameter,
    pub restitution: &'a Parameter,
}

fn friction_axis() -> Axis {
    Axis::new("friction *μ*", "")
}

fn restitution_axis() -> Axis {
    Axis::new("restitution *e*", "")
}

impl Landscape<'_> {
    /// Regions of confidence around what was learned, with the intervals of each parameter.
    ///
    /// # Errors
    /// [`LearnError::Interrupted`] if `progress` said to stop.
    pub fn regions(&self, progress: &mut Progress<'_>) -> Result<Figure, LearnError> {
        let most = (2.0 * self.friction.learned).max(BEYOND * self.friction.r#true.unwrap_or(0.0));
        let (xs, ys) = (window(self.friction, most), window(self.restitution, 1.0));
        let mut values = Vec::with_capacity(GRID);
        for (row, &e) in ys.iter().enumerate() {
            report(progress, row as f64 / GRID as f64)?;
            values.push(xs.iter().map(|&mu| (self.excess)(mu, e)).collect::<Vec<f64>>());
        }
        let ends = |grid: &[f64]| (grid[0], grid[GRID - 1]);
        let (x, y) = (ends(&xs), ends(&ys));
        let mut panel = Panel::new(friction_axis().range(x.0, x.1), restitution_axis().range(y.0, y.1));
        for ((level, label), style) in REGIONS.into_iter().zip(REGION_STYLES) {
            panel = panel.curve(label, joined(contour(&xs, &ys, &values, level)), style);
        }
        let (mu, e) = (self.friction.learned, self.restitution.learned);
        let mut cross = Vec::new();
        if let Some([low, high]) = self.friction.interval {
            cross.extend([[low, e], [high, e], [f64::NAN, f64::NAN]]);
        }
        if let Some([low, high]) = self.restitution.interval {
            cross.extend([[mu, low], [mu, high]]);
        }
        if !cross.is_empty() {
            panel = panel.curve("95 % of each alone", cross, INTERVAL);
        }
        panel = panel.curve("learned", vec![[mu, e]], LEARNED);
        if let (Some(mu), Some(e)) = (self.friction.r#true, self.restitution.r#true) {
            panel = panel.curve("true", vec![[mu, e]], TRUTH);
        }
        let mut figure = Figure::new("Where friction and restitution may lie");
        figure.caption = "regions that hold both with the probability given".to_owned();
        figure.panels.push(panel);
        Ok(figure)
    }

    /// The sum of squares along each parameter, over all values that it may have.
    pub fn profiles(&self) -> Figure {
        let (mu, e) = (self.friction.learned, self.restitution.learned);
        let relative = |mu: f64, e: f64| (self.cost)(mu, e) / self.least.max(f64::MIN_POSITIVE);
        let line = |end: f64, value: &dyn Fn(f64) -> f64| -> Vec<Point> {
            let places = (0..=PROFILE).map(|index| end * index as f64 / PROFILE as f64);
            places.map(|place| [place, value(place)]).collect()
        };
        let farthest = 1.0_f64.max(2.0 * mu).max(BEYOND * self.friction.r#true.unwrap_or(0.0));
        let of_friction = line(farthest, &|mu| relative(mu, e));
        let of_restitution = line(1.0, &|e| relative(mu, e));
        let mut figure = Figure::new("Sum of squares along each parameter");
        figure.caption = "over its least value; the other parameter as learned".to_owned();
        for (axis, end, curve, parameter) in [
            (friction_axis(), farthest, of_friction, self.friction),
            (restitution_axis(), 1.0, of_restitution, self.restitution),
        ] {
            let top = curve.iter().map(|point| point[1]).fold(1.0, f64::max);
            let squares = Axis::new("relative cost", "").log().range(0.7, 1.5 * top.min(1e290));
            let mut panel = Panel::new(axis.range(0.0, end), squares).height(115.0);
            panel = panel.curve("cost", curve, COST);
            if let Some(truth) = parameter.r#true {
                panel = panel.curve("true", vec![[truth, 0.1], [truth, 10.0 * top]], TRUTH_LINE);
            }
            figure.panels.push(panel.curve("learned", vec![[parameter.learned, 1.0]], LEARNED));
        }
        figure
    }
}

/// The values of a parameter to look at: around its interval, or all up to `most` without one.
fn window(parameter: &Parameter, most: f64) -> Vec<f64> {
    let (low, high) = match parameter.interval {
        Some([low, high]) if high > low => {
            let reach = parameter.r#true.map_or(0.0, |truth| BEYOND * (truth - parameter.learned).abs());
            let half = (0.5 * ROOM * (high - low)).max(reach);
            (parameter.learned - half, parameter.learned + half)
        }
        _ => (0.0, most.max(1e-3)),
    };
    (0..GRID).map(|index| low + (high - low) * index as f64 / (GRID - 1) as f64).collect()
}

/// Pieces of a line joined where one starts at the end of another, so that dashes run through.
fn joined(pieces: Vec<Point>) -> Vec<Point> {
    let mut rest: Vec<[Point; 2]> = pieces.chunks(3).map(|piece| [piece[0], piece[1]]).collect();
    let mut line = Vec::with_capacity(rest.len() + 1);
    while let Some([start, mut end]) = rest.pop() {
        line.extend([start, end]);
        while let Some(place) = rest.iter().position(|piece| piece.contains(&end)) {
            let [from, to] = rest.swap_remove(place);
            end = if from == end { to } else { from };
            line.push(end);
        }
        line.push([f64::NAN, f64::NAN]);
    }
    line
}

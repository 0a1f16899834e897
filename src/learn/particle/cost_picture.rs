//! The profile likelihood over friction and restitution.

use super::fit::ThrowFit;
use crate::{
    learn::{
        findings::Parameter,
        input::{LearnError, Progress, report},
        picture::contour,
    },
    likelihood::{LEVEL, Search},
    plot::{Axis, Figure, Marker, Panel, Point, Style, palette},
};

/// Points along each axis of the contours, and along a profile, and stretches from which on they are fewer.
const GRID: usize = 41;
const PROFILE: usize = 81;
const MANY: usize = 100;
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

/// The likelihood, and what was learned from it.
pub(super) struct Landscape<'a> {
    pub fit: &'a ThrowFit,
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
    /// How far the sum of squares is above its least value at some frictions (columns) and restitutions
    /// (rows), in units of the variance, with the starts of all stretches at their best.
    fn excess(
        &self,
        xs: &[f64],
        ys: &[f64],
        progress: &mut Progress<'_>,
    ) -> Result<Vec<Vec<f64>>, LearnError> {
        let best = &self.fit.fit.best;
        let mut values = Vec::with_capacity(ys.len());
        // From the middle outwards, so that the starts follow.
        let mut unknowns = best.unknowns.clone();
        for (row, &e) in ys.iter().enumerate() {
            report(progress, row as f64 / ys.len() as f64)?;
            let mut watch = || progress(row as f64 / ys.len() as f64);
            let mut search = Search::new(&self.fit.throws, &mut watch);
            let mut of_row = Vec::with_capacity(xs.len());
            for &mu in xs {
                of_row.push(search.evaluate(&[mu, e], &mut unknowns)?.squares - best.squares());
            }
            values.push(of_row);
        }
        Ok(values)
    }

    fn points(&self, few: usize) -> usize {
        if self.fit.throws.stretches.len() > MANY { few / 2 } else { few }
    }

    /// Regions of confidence around what was learned, with the intervals of each parameter.
    ///
    /// # Errors
    /// [`LearnError::Interrupted`] if `progress` said to stop.
    pub fn regions(&self, progress: &mut Progress<'_>) -> Result<Figure, LearnError> {
        let best = &self.fit.fit.best.parameters;
        let most = (2.0 * best[0]).max(BEYOND * self.friction.r#true.unwrap_or(0.0));
        let count = self.points(GRID);
        let (xs, ys) =
            (window(self.friction, best[0], most, count), window(self.restitution, best[1], 1.0, count));
        let values = self.excess(&xs, &ys, progress)?;
        let ends = |grid: &[f64]| (grid[0], grid[grid.len() - 1]);
        let (x, y) = (ends(&xs), ends(&ys));
        let mut panel = Panel::new(friction_axis().range(x.0, x.1), restitution_axis().range(y.0, y.1));
        for ((level, label), style) in REGIONS.into_iter().zip(REGION_STYLES) {
            panel = panel.curve(label, joined(contour(&xs, &ys, &values, level)), style);
        }
        let (mu, e) = (best[0], best[1]);
        let mut cross = Vec::new();
        if let Some([low, high]) = self.friction.interval.map(|[low, high]| [low, high.min(x.1)]) {
            cross.extend([[low, e], [high, e], [f64::NAN, f64::NAN]]);
        }
        if let Some([low, high]) = self.restitution.interval {
            cross.extend([[mu, low], [mu, high]]);
        }
        if !cross.is_empty() {
            panel = panel.curve(format!("{:.0} % of each alone", 100.0 * LEVEL), cross, INTERVAL);
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
    ///
    /// # Errors
    /// [`LearnError::Interrupted`] if `progress` said to stop.
    pub fn profiles(&self, progress: &mut Progress<'_>) -> Result<Figure, LearnError> {
        let best = &self.fit.fit.best;
        let (mu, e) = (best.parameters[0], best.parameters[1]);
        let count = self.points(PROFILE);
        let places = |end: f64| -> Vec<f64> {
            (0..count).map(|index| end * index as f64 / (count - 1) as f64).collect()
        };
        let relative = |excess: f64| 1.0 + excess / best.squares().max(f64::MIN_POSITIVE);
        let farthest = 1.0_f64.max(2.0 * mu).max(BEYOND * self.friction.r#true.unwrap_or(0.0));
        let (frictions, restitutions) = (places(farthest), places(1.0));
        let of_friction = self.excess(&frictions, &[e], progress)?.into_iter().flatten();
        let of_friction =
            frictions.iter().copied().zip(of_friction).map(|(mu, y)| [mu, relative(y)]).collect();
        let of_restitution = self.excess(&[mu], &restitutions, progress)?.into_iter().flatten();
        let of_restitution =
            restitutions.iter().copied().zip(of_restitution).map(|(e, y)| [e, relative(y)]).collect();
        let mut figure = Figure::new("Sum of squares along each parameter");
        figure.caption = "over its least value; the other parameter as learned".to_owned();
        let rows: [(Axis, f64, f64, Vec<Point>, &Parameter); 2] = [
            (friction_axis(), farthest, mu, of_friction, self.friction),
            (restitution_axis(), 1.0, e, of_restitution, self.restitution),
        ];
        for (axis, end, learned, curve, parameter) in rows {
            let top = curve.iter().map(|point| point[1]).fold(1.0, f64::max);
            let squares = Axis::new("relative cost", "").log().range(0.7, 1.5 * top.min(1e290));
            let mut panel = Panel::new(axis.range(0.0, end), squares).height(115.0);
            panel = panel.curve("cost", curve, COST);
            if let Some(truth) = parameter.r#true {
                panel = panel.curve("true", vec![[truth, 0.1], [truth, 10.0 * top]], TRUTH_LINE);
            }
            figure.panels.push(panel.curve("learned", vec![[learned, 1.0]], LEARNED));
        }
        Ok(figure)
    }
}

/// The values of a parameter to look at: around its interval, or all up to `most` without one.
fn window(parameter: &Parameter, best: f64, most: f64, count: usize) -> Vec<f64> {
    let (low, high) = match parameter.interval {
        Some([low, high]) if high > low && high.is_finite() => {
            let reach = parameter.r#true.map_or(0.0, |truth| BEYOND * (truth - best).abs());
            let half = (0.5 * ROOM * (high - low)).max(reach);
            ((best - half).max(0.0), best + half)
        }
        _ => (0.0, most.max(1e-3)),
    };
    (0..count).map(|index| low + (high - low) * index as f64 / (count - 1) as f64).collect()
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

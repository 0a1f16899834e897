//! The friction on its way, step by step.

use super::{
    descent::Descent,
    landscape::{Marks, TRUTH, VANISHING},
};
use crate::{
    decimal::rounded_text,
    plot::{Axis, Figure, Panel, Style},
};

/// Draws the path of every descent. One that ends early stays where it ended.
pub(super) fn draw(descents: &[Descent], marks: &Marks) -> Figure {
    let longest = descents.iter().map(|descent| descent.path.len()).max().unwrap_or(1).max(2) - 1;
    let steps = Axis::new("step of the descent", "").range(0.0, longest as f64);
    let mut panel = Panel::new(steps, Axis::new("friction *μ*", "m/s").include(0.0));
    let level = |friction: f64| vec![[0.0, friction], [longest as f64, friction]];
    if let Some(friction) = marks.truth {
        panel = panel.curve("true friction", level(friction), TRUTH);
    }
    if let Some(friction) = marks.vanishing.filter(|friction| friction.is_finite()) {
        panel = panel.curve("*γ* vanishes", level(friction), VANISHING);
    }
    for (index, descent) in descents.iter().enumerate() {
        let mut points: Vec<[f64; 2]> =
            descent.path.iter().enumerate().map(|(step, friction)| [step as f64, *friction]).collect();
        points.push([longest as f64, descent.end()]);
        let start = descent.path.first().copied().unwrap_or(f64::NAN);
        panel = panel.curve(
            format!("from {}", rounded_text(start, 4)),
            points,
            Style::of_series(index, descents.len()),
        );
    }
    let mut figure = Figure::new("Gradient descent on the friction");
    figure.panels.push(panel);
    figure
}

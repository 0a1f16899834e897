//! The value of the outer problem over the friction, and where descents on it end.

use super::{
    Form,
    descent::{Descent, Outer},
    reduced::reduced_value,
};
use crate::{
    decimal::rounded_text,
    learn::input::{LearnError, Progress, report},
    plot::{Axis, Figure, Marker, Panel, Point, Style, palette},
};

/// Points at which the inner problems are solved, and at which the closed form is evaluated.
const SOLVED: usize = 120;
const EVALUATED: usize = 600;
/// How far the picture reaches beyond what it has to show.
const BEYOND: f64 = 1.12;

const CLOSED_FORM: Style = Style::REFERENCE;
const PROGRAMS: Style = Style::line(palette::SKY_BLUE).with_width(1.2);
const START: Style = Style::markers(palette::VERMILLION, Marker::Circle);
const END: Style = Style::markers(palette::VERMILLION, Marker::Disc);
pub(super) const TRUTH: Style = Style::line(palette::BLACK).with_width(0.9).with_dash(&[5.0, 2.5]);
pub(super) const VANISHING: Style = Style::line(palette::GREY).with_width(1.2).with_dash(&[1.5, 2.2]);

/// Frictions that a picture points out, where they are known.
pub(super) struct Marks {
    /// The one behind the data.
    pub truth: Option<f64>,
    /// The one from which on `gamma` vanishes.
    pub vanishing: Option<f64>,
}

/// Draws it: in closed form, by the quadratic programs, with the starts and ends of `descents`.
///
/// # Errors
/// Those of [`Outer::evaluate`], and [`LearnError::Interrupted`].
pub(super) fn draw(
    outer: &Outer<'_>,
    descents: &[Descent],
    marks: &Marks,
    progress: &mut Progress<'_>,
) -> Result<Figure, LearnError> {
    let starts = descents.iter().filter_map(|descent| descent.path.first().copied());
    let shown = starts.chain(descents.iter().map(Descent::end)).chain(marks.truth).chain(marks.vanishing);
    let end = BEYOND * shown.filter(|friction| friction.is_finite()).fold(f64::MIN_POSITIVE, f64::max);
    let samples = outer.samples;
    // A cost that grows with the square of the friction would press the rest to the axis.
    let is_root = matches!(outer.inner.form, Form::Sliding { .. });
    let scaled = |value: f64| if is_root { value.max(0.0).sqrt() } else { value };
    let closed_form = |friction: f64| {
        let values = samples.iter().map(|sample| reduced_value(&outer.inner, sample, friction));
        scaled(values.sum::<f64>() / samples.len().max(1) as f64)
    };
    let at = |index: usize, count: usize| end * index as f64 / count as f64;
    let curve: Vec<Point> =
        (0..=EVALUATED).map(|index| at(index, EVALUATED)).map(|mu| [mu, closed_form(mu)]).collect();
    let mut programs = Vec::with_capacity(SOLVED + 1);
    for index in 0..=SOLVED {
        let friction = at(index, SOLVED);
        let mut watch = || report(progress, index as f64 / SOLVED as f64);
        programs.push([friction, scaled(outer.evaluate_watched(friction, &mut watch)?.0)]);
    }
    let top = curve.iter().map(|point| point[1]).fold(0.0, f64::max);
    let upright = |friction: f64| vec![[friction, -top], [friction, 2.0 * top]];
    let value = match is_root {
        true => Axis::new("root √*J* of their mean value", "m/s"),
        false => Axis::new("mean value *J* of the inner problems", "m^{2}/s^{2}"),
    };
    let top = top.max(f64::MIN_POSITIVE);
    let value = value.range(-0.06 * top, 1.1 * top);
    let mut panel = Panel::new(Axis::new("friction *μ*", "m/s").range(0.0, end), value);
    panel = panel.curve("closed form", curve, CLOSED_FORM).curve("programs solved", programs, PROGRAMS);
    if let Some(friction) = marks.truth {
        panel = panel.curve("true friction", upright(friction), TRUTH);
    }
    if let Some(friction) = marks.vanishing.filter(|friction| friction.is_finite()) {
        panel = panel.curve("*γ* vanishes", upright(friction), VANISHING);
    }
    let starts = descents.iter().filter_map(|descent| descent.path.first());
    let starts = starts.map(|start| [*start, closed_form(*start)]).collect();
    let ends = descents.iter().map(|descent| [descent.end(), closed_form(descent.end())]).collect();
    panel = panel.curve("start of a descent", starts, START).curve("its end", ends, END);
    let mut figure = Figure::new("Value of the outer problem over the friction");
    figure.caption = match samples {
        [sample] => format!(
            "one step with *v* = {}, *u* = {}, *v*′ = {} m/s",
            short(sample.velocity),
            short(sample.push),
            short(sample.next_velocity)
        ),
        _ => format!("{} steps", samples.len()),
    };
    figure.panels.push(panel);
    Ok(figure)
}

/// A number to four digits, with a sign of print.
fn short(value: f64) -> String {
    rounded_text(value, 4).replace('-', "−")
}

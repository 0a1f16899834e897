//! The report of a scorecard: a page with a card per phenomenon.

use rayon::prelude::*;

use super::{Outcome, Phenomenon, Scorecard, Verdict};
use crate::{
    compare::quantity::{given, significant},
    decimal::rounded,
    plot::{self, Axis, Convergence, Curve, Figure, Matrix, PlotError, Style, palette},
    provenance::Provenance,
    report::{Page, Picture},
    stepper::StepperName,
    wording::sentence,
};

/// The step in s, or the nearest to it, whose motion is drawn.
const DRAWN: f64 = 1e-3;
/// Errors below this part of the threshold of *right* are drawn there, for an axis of logarithms has no zero.
const LEAST: f64 = 1e-4;

/// Writes the report: the heat map, and for every phenomenon what happens, its formula and source, a picture of it
/// by a model that is right, what each model makes of it and why, and how the error falls with the step.
///
/// # Errors
/// [`PlotError`] if a picture cannot be drawn.
pub fn report(
    card: &Scorecard,
    heat_map: &Matrix,
    provenance: Option<&Provenance>,
) -> Result<String, PlotError> {
    let mut page = Page::new("Which contact model gets which phenomenon right", &introduction(card));
    page.section("All together");
    page.pictures(&[picture("Phenomena by models.", heat_map.to_svg()?)]);
    let sketches: Vec<Option<(String, Figure)>> =
        (0..card.phenomena.len()).into_par_iter().map(|index| sketch(card, index)).collect();
    let mut group = None;
    for (index, (phenomenon, sketch)) in card.phenomena.iter().zip(sketches).enumerate() {
        if group != Some(phenomenon.group) {
            group = Some(phenomenon.group);
            page.section(phenomenon.group.title());
        }
        page.raw("<section class=\"card\" id=\"").text(phenomenon.name).raw("\">\n");
        about(&mut page, phenomenon);
        if let Some((by, figure)) = sketch {
            page.pictures(&[picture(&by, figure.to_svg()?)]);
        }
        verdicts(&mut page, card, index);
        if card.steps.len() > 1 {
            let caption =
                format!("{}: distance from the truth over the length of the step.", phenomenon.title);
            page.figure_without_stand_in(&caption, &errors(card, index));
        }
        failing(&mut page, card, index);
        page.raw("</section>\n");
    }
    page.provenance("Provenance", provenance, |_| {});
    Ok(page.finish())
}

fn picture(title: &str, svg: String) -> Picture {
    Picture {
        title: title.to_owned(),
        media_type: "image/svg+xml",
        data: svg.into_bytes(),
        is_close_up: false,
    }
}

fn introduction(card: &Scorecard) -> String {
    let steps: Vec<String> = card.steps.iter().map(|step| given(*step, "s")).collect();
    format!(
        "{} phenomena by {} models at steps of {}. Each phenomenon has one number that is measured, a true value, and \
         two distances from it: up to the first a model is right, up to the second off, beyond it wrong; refused is \
         what it does not admit.",
        card.phenomena.len(),
        card.models.len(),
        steps.join(", ")
    )
}

/// What happens, and what is true of it.
fn about(page: &mut Page, phenomenon: &Phenomenon) {
    page.element("h3", phenomenon.title);
    page.paragraph(phenomenon.happens);
    let Phenomenon { measure, unit, truth, thresholds, .. } = phenomenon;
    let unit = if *unit == "1" { String::new() } else { format!(" {unit}") };
    let rows = [
        ("formula", phenomenon.formula.to_owned()),
        ("source", phenomenon.source.to_owned()),
        ("measured", (*measure).to_owned()),
        ("truth", format!("{}{unit}", number(*truth))),
        (
            "thresholds",
            format!(
                "right to {}{unit}, off to {}{unit}. {}",
                number(thresholds.right),
                number(thresholds.off),
                thresholds.why
            ),
        ),
    ];
    page.raw("<dl>\n");
    for (name, text) in rows {
        page.raw("<div>\n");
        page.element("dt", name);
        page.element("dd", &text);
        page.raw("</div>\n");
    }
    page.raw("</dl>\n");
}

/// The last scene of the phenomenon by the first model that is right, at the step nearest to [`DRAWN`] at which one
/// is; and what that is.
fn sketch(card: &Scorecard, phenomenon: usize) -> Option<(String, Figure)> {
    let mut steps: Vec<usize> = (0..card.steps.len()).collect();
    steps.sort_by(|a, b| {
        let off = |step: &usize| (card.steps[*step] / DRAWN).ln().abs();
        off(a).total_cmp(&off(b))
    });
    let right = steps
        .iter()
        .flat_map(|step| (0..card.models.len()).map(move |model| (*step, model)))
        .find_map(|(step, model)| {
            let is_right = card.score(phenomenon, model, step).verdict == Verdict::Right;
            let stepper = is_right.then(|| card.models[model].parse::<StepperName>().ok())??;
            Some((step, stepper))
        });
    let (step, stepper) = right?;
    let length = card.steps[step];
    let Phenomenon { title, trial, .. } = &card.phenomena[phenomenon];
    let figure = trial.picture(stepper, length)?;
    Some((format!("{title}, by {stepper} in steps of {}.", given(length, "s")), figure))
}

/// What each model makes of it, and why.
fn verdicts(page: &mut Page, card: &Scorecard, index: usize) {
    let phenomenon = &card.phenomena[index];
    let steps = card.steps.iter().map(|step| given(*step, "s"));
    let header: Vec<String> =
        std::iter::once("model".to_owned()).chain(steps).chain(["why".to_owned()]).collect();
    let rows = card.models.iter().enumerate().map(|(model, name)| {
        let cell = |step: usize| {
            let score = card.score(index, model, step);
            match &score.outcome {
                Outcome::Measured(value) if value.is_finite() => {
                    format!("{} {}", score.verdict, number(*value))
                }
                Outcome::Measured(_) => format!("{}: it does not happen", score.verdict),
                Outcome::Failed { .. } => format!("{}: a step failed", score.verdict),
                Outcome::Refused { .. } => score.verdict.to_string(),
            }
        };
        let cells = (0..card.steps.len()).map(cell);
        std::iter::once(name.clone()).chain(cells).chain([why(card, index, model)]).collect()
    });
    page.table_of_words(&sentence(&format!("{} by model", phenomenon.measure)), &header, rows);
}

/// Why a model is where it is.
fn why(card: &Scorecard, index: usize, model: usize) -> String {
    let scores: Vec<_> = (0..card.steps.len()).map(|step| card.score(index, model, step)).collect();
    for score in &scores {
        match &score.outcome {
            Outcome::Failed { reason } | Outcome::Refused { reason } => return sentence(reason),
            Outcome::Measured(_) => {}
        }
    }
    if scores.iter().all(|score| score.verdict == Verdict::Right) {
        return String::new();
    }
    let phenomenon = &card.phenomena[index];
    let mut reasons = Vec::new();
    if let Ok(stepper) = card.models[model].parse::<StepperName>() {
        let about = phenomenon.remarks.iter().filter(|remark| remark.steppers.contains(&stepper));
        reasons.extend(about.map(|remark| remark.why.to_owned()));
        let failing = &phenomenon.failing;
        if reasons.is_empty() && failing.stepper == stepper && failing.settings.is_none() {
            reasons.push(sentence(failing.why));
        }
    }
    reasons.extend(trend(card, index, model));
    reasons.join(" ")
}

/// What becomes of the error as the steps get shorter.
fn trend(card: &Scorecard, index: usize, model: usize) -> Option<String> {
    /// A factor of the error over a factor of the step from which it falls with the step.
    const FALLS: f64 = 0.4;
    let mut order: Vec<usize> = (0..card.steps.len()).collect();
    order.sort_by(|a, b| card.steps[*b].total_cmp(&card.steps[*a]));
    let last_missed =
        order.iter().rposition(|&step| card.score(index, model, step).verdict != Verdict::Right)?;
    if let Some(&step) = order.get(last_missed + 1) {
        return Some(format!("Right from steps of {} on.", given(card.steps[step], "s")));
    }
    let [.., coarse, fine] = order[..] else { return None };
    let truth = card.phenomena[index].truth;
    let error = |step: usize| card.score(index, model, step).value().map(|value| (value - truth).abs());
    let (before, after) = (error(coarse)?, error(fine)?);
    let falls = before / after;
    let shorter = card.steps[coarse] / card.steps[fine];
    Some(if falls > FALLS * shorter {
        format!("The error falls with the step, by {} in the last.", significant(falls))
    } else {
        "The error does not fall in proportion to the step.".to_owned()
    })
}

/// The errors of all models over the step, and the two thresholds.
fn errors(card: &Scorecard, index: usize) -> Figure {
    let Phenomenon { title, truth, thresholds, unit, .. } = card.phenomena[index];
    let floor = LEAST * thresholds.right;
    let curves = card.models.iter().enumerate().filter_map(|(model, label)| {
        let point = |step: usize| {
            let value = card.score(index, model, step).value()?;
            Some([card.steps[step], (value - truth).abs().max(floor)])
        };
        let points: Vec<_> = (0..card.steps.len()).filter_map(point).collect();
        (!points.is_empty()).then(|| Convergence { label: label.clone(), points, order: None })
    });
    let axis = Axis::new("error", if unit == "1" { "" } else { unit });
    let mut figure = plot::convergence(title, axis, &curves.collect::<Vec<_>>());
    let ends = |pick: fn(f64, f64) -> f64| card.steps.iter().copied().reduce(pick).unwrap_or(DRAWN);
    let (low, high) = (ends(f64::min), ends(f64::max));
    for panel in &mut figure.panels {
        // The guide of first order says nothing where most errors are those of a model.
        panel.curves.retain(|curve| curve.label != "first order");
        let line = Style::line(palette::GREY).with_width(0.9);
        for (label, threshold, style) in [
            ("right up to here", thresholds.right, line),
            ("off up to here", thresholds.off, line.with_dash(&[4.0, 2.5])),
        ] {
            let points = vec![[low, threshold], [high, threshold]];
            panel.curves.push(Curve { label: label.to_owned(), points, style });
        }
    }
    figure
}

/// What the model or setting that is named as failing does.
fn failing(page: &mut Page, card: &Scorecard, index: usize) {
    let phenomenon = &card.phenomena[index];
    let failing = &phenomenon.failing;
    let settings = failing.settings.map(|settings| format!(" with {}", settings.text)).unwrap_or_default();
    let score = card.failing.get(index);
    let verdict = score.map_or(String::new(), |score| format!(" is {}", score.verdict));
    page.paragraph(&format!(
        "That the thresholds can fail: {}{settings} in steps of {}{verdict}, for {}.",
        failing.stepper,
        given(failing.step, "s"),
        failing.why
    ));
}

/// Four significant digits, and no more than a number has.
fn number(value: f64) -> String {
    let value = rounded(value, 4);
    if value == 0.0 || (1e-3..1e5).contains(&value.abs()) {
        format!("{}", value + 0.0)
    } else {
        format!("{value:e}")
    }
}

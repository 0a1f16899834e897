//! Pictures of a plan.

use super::{files::push_names, found::FoundPlan, relaxation::Kind, replay::Replay, search::Search};
use crate::{
    plot::{self, Axis, Figure, Marker, Panel, Series, Style, palette},
    trajectory::Trajectory,
};

/// The pushes over time, a panel for each component that is not zero throughout.
pub fn pushes(plan: &FoundPlan) -> Figure {
    let mut figure = Figure { shared_x: true, ..Figure::new(format!("{}: pushes", plan.task.name)) };
    for (place, name) in push_names(&plan.task).into_iter().enumerate() {
        let values: Vec<f64> = plan.pushes.iter().map(|pushes| pushes[place / 3][place % 3]).collect();
        if values.iter().all(|value| *value == 0.0) {
            continue;
        }
        // Held over each step.
        let corners = values
            .iter()
            .enumerate()
            .flat_map(|(k, value)| [k, k + 1].map(|k| [k as f64 * plan.step(), *value]));
        let unit = if place % 3 < 2 { "N" } else { "N m" };
        let panel = Panel::new(Axis::time().range(0.0, plan.duration), Axis::new(name, unit)).height(110.0);
        figure.panels.push(panel.curve("", corners.collect(), Style::line(palette::BLUE)));
    }
    if figure.panels.is_empty() {
        figure.panels.push(Panel::new(Axis::time().range(0.0, plan.duration), Axis::new("push", "N")));
    }
    figure
}

/// What every start led to: its cost if that was a plan, a panel for each number of steps. Starts that led to none are marked
/// below all costs.
pub fn starts(plan: &FoundPlan, search: &Search) -> Figure {
    let mut figure = Figure::new(format!("{}: starts", plan.task.name));
    let mut levels: Vec<usize> = search.attempts.iter().map(|attempt| attempt.steps).collect();
    levels.dedup();
    for steps in levels {
        let attempts: Vec<_> = search.attempts.iter().filter(|attempt| attempt.steps == steps).collect();
        let costs = attempts.iter().filter(|attempt| attempt.point.is_some()).map(|attempt| attempt.cost);
        let [low, high] = costs
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], cost| [low.min(cost), high.max(cost)]);
        let below = if low.is_finite() { low - 0.15 * (high - low).max(0.01 * low.abs()) } else { 0.0 };
        let kinds = [
            (Kind::Given, Style::markers(palette::PURPLE, Marker::Down)),
            (Kind::Homotopy, Style::markers(palette::BLUE, Marker::Square)),
            (Kind::Direct, Style::markers(palette::ORANGE, Marker::Disc)),
            (Kind::Stretched, Style::markers(palette::GREEN, Marker::Up)),
        ];
        let mut panel = Panel::new(
            Axis::new(format!("start, {steps} steps"), "").whole().range(0.0, attempts.len() as f64 + 1.0),
            Axis::new("cost", plan.task.cost.unit()),
        )
        .height(130.0);
        let places = |is_drawn: &dyn Fn(&super::relaxation::Attempt) -> bool, height: Option<f64>| {
            let numbered = attempts.iter().enumerate().filter(|(_, attempt)| is_drawn(attempt));
            let place = |(index, attempt): (usize, &&super::relaxation::Attempt)| {
                [index as f64 + 1.0, height.unwrap_or(attempt.cost)]
            };
            numbered.map(place).collect::<Vec<_>>()
        };
        for (kind, style) in kinds {
            let points = places(&|attempt| attempt.point.is_some() && attempt.kind == kind, None);
            if !points.is_empty() {
                panel = panel.curve(kind.as_str(), points, style);
            }
        }
        let failed = places(&|attempt| attempt.point.is_none(), Some(below));
        if !failed.is_empty() {
            panel = panel.curve("no plan", failed, Style::markers(palette::GREY, Marker::Circle));
        }
        figure.panels.push(panel);
    }
    figure
}

/// The replays that were played, with the words of a legend.
pub fn played(replays: &[Replay]) -> Vec<(String, &Trajectory<2>)> {
    let label = |replay: &Replay| {
        let impacts = replay.impacts_word();
        let sort = if impacts.is_empty() { String::new() } else { format!(", {impacts}") };
        format!("{}{sort}, Δt = {:.3e} s", replay.stepper, replay.step)
    };
    let found =
        replays.iter().filter_map(|replay| Some((label(replay), &replay.outcome.as_ref().ok()?.trajectory)));
    found.collect()
}

/// The paths of the replays.
pub fn paths(plan: &FoundPlan, replays: &[Replay]) -> Figure {
    let mut figure = plot::path_overlay(&Series::labelled(played(replays)));
    figure.title = format!("{}: the plan as models play it", plan.task.name);
    figure
}

/// The contact modes of the replays over time.
pub fn modes(plan: &FoundPlan, replays: &[Replay]) -> Figure {
    let mut figure = plot::contact_modes_overlay(&Series::labelled(played(replays)));
    figure.title = format!("{}: contact modes", plan.task.name);
    figure
}

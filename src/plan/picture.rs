//! Pictures of a plan.

use super::{files::push_names, found::FoundPlan, replay::Replay};
use crate::{
    plot::{self, Axis, Figure, Panel, Series, Style, palette},
    trajectory::Trajectory,
};

/// The pushes over time, a panel for each component that is not zero throughout.
pub fn pushes(plan: &FoundPlan) -> Figure {
    let mut figure = Figure { shared_x: true, ..Figure::new(format!("{}: pushes", plan.task.name)) };
    for (place, name) in push_names(plan).into_iter().enumerate() {
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

use super::theme::Style;
use crate::{scenario::Scenario, stepper::StepperName, trajectory::Trajectory};

/// A trajectory in a comparison: what it is called there and how it is drawn.
#[derive(Debug, Clone)]
pub struct Series<'a, const D: usize> {
    /// What the legend says.
    pub label: String,
    /// How its curves are drawn.
    pub style: Style,
    /// The motion.
    pub trajectory: &'a Trajectory<D>,
}

impl<'a, const D: usize> Series<'a, D> {
    /// Series for trajectories of different steppers, labelled with the stepper's name and told
    /// apart by colour, dashes and width. The exact solution comes first, as a broad black line.
    pub fn of_steppers(trajectories: &[&'a Trajectory<D>]) -> Vec<Self> {
        Self::labelled(trajectories.iter().map(|trajectory| (trajectory.stepper.to_string(), *trajectory)))
    }

    /// Series with labels of one's own, for example of several particles.
    pub fn labelled(trajectories: impl IntoIterator<Item = (String, &'a Trajectory<D>)>) -> Vec<Self> {
        let (exact, others): (Vec<_>, Vec<_>) =
            trajectories.into_iter().partition(|(_, trajectory)| trajectory.stepper == StepperName::Exact);
        let count = others.len();
        let exact = exact.into_iter().map(|(label, trajectory)| (label, trajectory, Style::REFERENCE));
        let others = others.into_iter().enumerate();
        let others = others.map(|(k, (label, trajectory))| (label, trajectory, Style::of_series(k, count)));
        exact.chain(others).map(|(label, trajectory, style)| Self { label, style, trajectory }).collect()
    }
}

/// End of the longest trajectory in s, never 0.
pub(super) fn end_time<const D: usize>(series: &[Series<'_, D>]) -> f64 {
    let ends = series.iter().map(|series| {
        let steps = series.trajectory.states.len().saturating_sub(1);
        if steps > 0 { series.trajectory.time(steps) } else { series.trajectory.scenario.duration }
    });
    let end = ends.fold(0.0, f64::max);
    if end > 0.0 { end } else { 1.0 }
}

/// Name of the scenario and step, for titles of comparisons.
pub(super) fn scenario_title<const D: usize>(scenario: &Scenario<D>) -> String {
    format!("{}: Δ*t* = {}", scenario.name, super::ticks::with_prefix(scenario.step, "s"))
}

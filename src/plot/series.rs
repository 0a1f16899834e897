use super::theme::Style;
use crate::{
    scenario::Scenario,
    stepper::StepperName,
    trajectory::{SystemTrajectory, Trajectory},
};

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

/// Most particles that a picture tells apart by colour, dashes and legend.
const MOST_LABELLED: usize = 12;
/// Most particles that a picture shows.
const MOST_SHOWN: usize = 100;

impl<'a, const D: usize> Series<'a, D> {
    /// A line per particle: labelled where there are few, thin and in turns of colour where there
    /// are many, an even selection where there are more than a picture can hold.
    pub fn of_particles(trajectory: &'a SystemTrajectory<D>) -> Vec<Self> {
        let count = trajectory.particles.len();
        if count <= MOST_LABELLED {
            let label = |index: usize| format!("particle {index}");
            let particles = trajectory.particles.iter().enumerate();
            return Self::labelled(particles.map(|(index, particle)| (label(index), particle)));
        }
        let shown = count.min(MOST_SHOWN);
        let particles = (0..shown).map(|place| &trajectory.particles[place * (count - 1) / (shown - 1)]);
        let line = |(place, trajectory)| Self {
            label: String::new(),
            style: Style::of_series(place, shown).with_dash(&[]).with_width(0.6),
            trajectory,
        };
        particles.enumerate().map(line).collect()
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

use super::{theme::Style, ticks::with_prefix};
use crate::{
    scenario::Scenario,
    trajectory::{Track, Trajectory},
};

/// The motion of a body in a picture: what it is called there and how it is drawn.
#[derive(Debug, Clone)]
pub struct Series<'a, const D: usize> {
    /// What the legend says; empty for one that is like another in the legend.
    pub label: String,
    /// How its curves are drawn.
    pub style: Style,
    /// The motion.
    pub track: Track<'a, D>,
}

impl<'a, const D: usize> Series<'a, D> {
    /// Series for trajectories of different steppers, labelled with the stepper's name and told
    /// apart by colour, dashes and width. The exact solution comes first, as a thin black line over the others.
    pub fn of_steppers(trajectories: &[&'a Trajectory<D>]) -> Vec<Self> {
        Self::labelled(trajectories.iter().map(|trajectory| (trajectory.stepper.to_string(), *trajectory)))
    }

    /// Series for trajectories with labels of one's own. All bodies of a trajectory are drawn alike.
    pub fn labelled(trajectories: impl IntoIterator<Item = (String, &'a Trajectory<D>)>) -> Vec<Self> {
        let (exact, others): (Vec<_>, Vec<_>) =
            trajectories.into_iter().partition(|(_, trajectory)| trajectory.stepper.is_exact());
        let count = others.len();
        let exact = exact.into_iter().map(|(label, trajectory)| (label, trajectory, Style::REFERENCE));
        let others = others.into_iter().enumerate();
        let others = others.map(|(k, (label, trajectory))| (label, trajectory, Style::of_series(k, count)));
        let alike = |(label, trajectory, style): (String, &'a Trajectory<D>, Style)| {
            shown(trajectory).map(move |track| Self {
                label: if track.body == 0 { label.clone() } else { String::new() },
                style,
                track,
            })
        };
        exact.chain(others).flat_map(alike).collect()
    }

    /// A series per body of one trajectory: labelled where there are few, thin and in turns of colour
    /// where there are many, an even selection where there are more than a picture can hold.
    pub fn of_bodies(trajectory: &'a Trajectory<D>) -> Vec<Self> {
        let count = trajectory.bodies.len();
        let tracks = shown(trajectory);
        let drawn = tracks.len();
        let series = |(place, track): (usize, Track<'a, D>)| {
            let style = Style::of_series(place, drawn);
            match count {
                1 => Self { label: track.stepper.to_string(), style, track },
                ..=MOST_LABELLED => Self { label: track.scenario.body_name(track.body), style, track },
                _ => Self { label: String::new(), style: style.with_dash(&[]).with_width(0.6), track },
            }
        };
        tracks.enumerate().map(series).collect()
    }
}

/// Most bodies that a picture tells apart by colour, dashes and legend.
const MOST_LABELLED: usize = 12;
/// Most bodies that a picture shows.
const MOST_SHOWN: usize = 100;

/// The bodies that a picture shows: an even selection where there are too many.
fn shown<const D: usize>(trajectory: &Trajectory<D>) -> impl ExactSizeIterator<Item = Track<'_, D>> {
    let count = trajectory.bodies.len();
    let shown = count.min(MOST_SHOWN);
    (0..shown).map(move |place| trajectory.track(place * (count - 1) / (shown - 1).max(1)))
}

/// The series of what moves: a body that stays where it is would stretch every axis and show nothing. All of them where
/// nothing moves. What is called after its trajectory stays so, whichever of its bodies comes first.
pub(super) fn moving<'a, const D: usize>(series: &[Series<'a, D>]) -> Vec<Series<'a, D>> {
    let stays = |series: &Series<'_, D>| series.track.scenario.bodies[series.track.body].stays();
    if series.iter().all(stays) {
        return series.to_vec();
    }
    let mut moving = Vec::with_capacity(series.len());
    let mut left_over = String::new();
    for one in series {
        if stays(one) {
            if left_over.is_empty() {
                left_over.clone_from(&one.label);
            }
            continue;
        }
        let label = std::mem::take(&mut left_over);
        moving.push(if one.label.is_empty() { Series { label, ..one.clone() } } else { one.clone() });
    }
    moving
}

/// End of the longest trajectory in s, never 0.
pub(super) fn end_time<const D: usize>(series: &[Series<'_, D>]) -> f64 {
    let ends = series.iter().map(|series| {
        let steps = series.track.states.len().saturating_sub(1);
        if steps > 0 { series.track.time(steps) } else { series.track.scenario.duration }
    });
    let end = ends.fold(0.0, f64::max);
    if end > 0.0 { end } else { 1.0 }
}

/// Name of the scenario and step, for titles of comparisons.
pub(super) fn scenario_title<const D: usize>(scenario: &Scenario<D>) -> String {
    format!("{}: Δ*t* = {}", scenario.name, with_prefix(scenario.step, "s"))
}

/// Name of the scenario, stepper and step, for titles of a single run.
pub(super) fn run_title<const D: usize>(track: Track<'_, D>) -> String {
    let step = with_prefix(track.scenario.step, "s");
    format!("{}: {}, Δ*t* = {step}", track.scenario.name, track.stepper)
}

/// What a picture of a run leaves out, for its caption; nothing if it has every state.
pub(super) fn omission<const D: usize>(track: Track<'_, D>) -> String {
    match track.stride {
        1 => String::new(),
        stride => format!("every {} state; forces are means over the steps between", ordinal(stride)),
    }
}

fn ordinal(number: usize) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

//! Time histories: every quantity of a run in a panel of its own, over one time axis.

use super::{
    axis::Axis,
    figure::{Figure, Panel},
    force,
    series::{Series, end_time, moving, omission, run_title, scenario_title},
    signal::{angle_of, magnitude, of_reports, of_states},
    theme::{Style, palette},
};
use crate::{
    model::{Attitude, axis_names},
    stepper::Relaxation,
    trajectory::Trajectory,
};

/// Height of a panel.
const HEIGHT: f64 = 60.0;

/// Position, velocity and contact force over time, and the slacks and the multiplier of the
/// nonlinear program where there are any; several bodies in the same panels.
///
/// An impact of a single body is drawn as an arrowhead with its impulse: the force of an impact grows
/// as the step shrinks, and would crush the forces of sliding and resting to a line. With the
/// tangential force goes the friction limit `mu fz`, with every force the push.
pub fn history<const D: usize>(trajectory: &Trajectory<D>) -> Figure {
    let with_multipliers = |mut figure: Figure, series: &[Series<'_, D>]| {
        figure.panels.extend(multipliers(
            series,
            &Axis::time().range(0.0, end_time(series)),
            end_time(series),
        ));
        figure
    };
    if trajectory.bodies.len() != 1 {
        let series = Series::of_bodies(trajectory);
        let mut figure = history_overlay(&series);
        figure.title = series.first().map_or(String::new(), |first| run_title(first.track));
        return with_multipliers(figure, &series);
    }
    let track = trajectory.track(0);
    let series = [Series { label: String::new(), style: Style::line(palette::BLUE), track }];
    let mut figure = history_overlay(&series);
    figure.title = run_title(track);
    let first_force = figure.panels.len() - D;
    for (axis, panel) in figure.panels[first_force..].iter_mut().enumerate() {
        force::explain(panel, track, axis);
    }
    with_multipliers(figure, &series)
}

/// Position, velocity and contact force of several trajectories over time in the same panels; of bodies that turn
/// also angle and spin, in space the rate of rotation. Bodies that stay where they are have no curves beside those that move.
pub fn history_overlay<const D: usize>(series: &[Series<'_, D>]) -> Figure {
    let series = &moving(series);
    let mut figure = Figure { shared_x: true, ..Figure::default() };
    let Some(first) = series.first() else { return figure };
    figure.title = scenario_title(first.track.scenario);
    figure.caption = omission(first.track);
    let end = end_time(series);
    let time = Axis::time().range(0.0, end);
    let states = || series.iter().flat_map(|series| series.track.states);
    let length = magnitude(states().map(|state| &state.position));
    let speed = magnitude(states().map(|state| &state.velocity));

    for (axis, name) in axis_names::<D>().iter().enumerate() {
        let mut panel = Panel::new(time.clone(), Axis::new(format!("*{name}*"), "m").magnitude(length));
        for Series { label, style, track } in series {
            let points = of_states(*track, end, |k| track.states[k].position[axis]);
            panel = panel.curve(label, points, *style);
        }
        figure.panels.push(panel.height(HEIGHT));
    }
    for (axis, name) in axis_names::<D>().iter().enumerate() {
        let label = format!("*v*_{{*{name}*}}");
        let mut panel = Panel::new(time.clone(), Axis::new(label, "m/s").magnitude(speed));
        for Series { label, style, track } in series {
            let points = of_states(*track, end, |k| track.states[k].velocity[axis]);
            panel = panel.curve(label, points, *style);
        }
        figure.panels.push(panel.height(HEIGHT));
    }
    figure.panels.extend(turning(series, &time, end));
    for axis in 0..D {
        figure.panels.push(force::panel(series, axis, time.clone(), (0.0, end)).height(HEIGHT));
    }
    figure
}

/// Panels of angle and spin, if a body turns.
fn turning<const D: usize>(series: &[Series<'_, D>], time: &Axis, end: f64) -> Vec<Panel> {
    if series.iter().all(|series| series.track.attitudes.is_empty()) {
        return Vec::new();
    }
    let panel = |axis: Axis, value: fn(&Attitude) -> f64| {
        let mut panel = Panel::new(time.clone(), axis).height(HEIGHT);
        for Series { label, style, track } in series {
            let points = of_states(*track, end, |k| track.attitudes.get(k).map_or(f64::NAN, value));
            panel = panel.curve(label, points, *style);
        }
        panel
    };
    if D > 2 {
        return vec![panel(Axis::new("|*ω*|", "rad/s").include(0.0), |attitude| attitude.spin.norm())];
    }
    vec![
        panel(Axis::new("angle", "rad").magnitude(1e-3), angle_of),
        panel(Axis::new("spin", "rad/s").magnitude(1e-3), |attitude| attitude.spin[0]),
    ]
}

/// Panels of `s1`, `s2` and `lambda`, if a series has them.
fn multipliers<const D: usize>(series: &[Series<'_, D>], time: &Axis, end: f64) -> Vec<Panel> {
    let has = |series: &&Series<'_, D>| series.track.reports.iter().any(|step| step.report.nlp.is_some());
    if !series.iter().any(|series| has(&series)) {
        return Vec::new();
    }
    // Slacks span decades. An interior-point solver may leave them below zero by its tolerance.
    let slack = |index: u8| Axis::new(format!("|*s*_{{{index}}}|"), "").log().decades(9.0);
    let has = |series: &&Series<'_, D>| has(series) && series.track.body == 0;
    let panel = |axis: Axis, value: fn(&Relaxation) -> f64| {
        let mut panel = Panel::new(time.clone(), axis).height(HEIGHT);
        for Series { label, style, track } in series.iter().filter(has) {
            let points =
                of_reports(*track, (0.0, end), |step| step.report.nlp.as_ref().map_or(f64::NAN, value));
            panel = panel.curve(label, points, *style);
        }
        panel
    };
    vec![
        panel(slack(1), |nlp| nlp.s1.abs()),
        panel(slack(2), |nlp| nlp.s2.abs()),
        // In units of g dt, of which a millionth is the solver's tolerance.
        panel(Axis::new("*λ*", "").include(0.0).magnitude(1.0), |nlp| nlp.lambda),
    ]
}

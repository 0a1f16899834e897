//! Panels of contact force.

use super::{
    axis::Axis,
    decimate::by_column,
    figure::{Curve, Figure, Panel, Spike},
    geometry::Point,
    impact::{IMPACT_LOADS, Impact, impacts, load},
    series::{Series, scenario_title},
    signal::of_steps,
    theme::{Style, palette},
    ticks::with_prefix,
};
use crate::{model::axis_names, trajectory::Trajectory};

/// The range reaches this far beyond the largest sustained force, so that an impact is seen to
/// leave it and its impulse has room above the curve.
const HEADROOM: f64 = 1.75;
/// Friction limit and push are drawn with a force if they are at most so many times as large.
const COMPANION_SHARE: f64 = 4.0;

/// How many times a curve goes through its range until it is noise. Bounces go up and down too, and
/// are few.
const NOISE_TURNS: f64 = 60.0;

/// Arrowheads of one series in a panel, at most.
const SPIKE_COLUMNS: f64 = 160.0;
/// Height of a panel of a close-up.
const CLOSEUP_HEIGHT: f64 = 95.0;

/// Name of a component of the contact force.
fn force_axis<const D: usize>(axis: usize) -> Axis {
    Axis::new(format!("*F*_{{*{}*}}", axis_names::<D>()[axis]), "N")
}

/// Contact force along `axis` of every series; impacts as arrowheads at the edge of the frame.
pub(super) fn panel<const D: usize>(
    series: &[Series<'_, D>],
    axis: usize,
    time: Axis,
    window: (f64, f64),
) -> Panel {
    let mut panel = Panel::new(time, force_axis::<D>(axis).include(0.0));
    let mut sustained = Sustained::default();
    for Series { label, style, trajectory } in series {
        let impacts = impacts(trajectory);
        let limit = if axis + 1 == D { 1.0 } else { trajectory.scenario.ground.friction };
        sustained.weight = sustained.weight.max(limit * load(trajectory));
        sustained.add(trajectory, axis, &impacts);
        let spikes = impacts.iter().filter(|impact| impact.impulse[axis] != 0.0).map(|impact| Spike {
            x: 0.5 * (impact.steps.start + impact.steps.end) as f64 * trajectory.scenario.step,
            value: impact.impulse[axis],
            note: String::new(),
            label: String::new(),
            colour: style.colour,
        });
        panel.spikes.extend(largest_per_column(spikes, window));
        panel = panel.curve(label, of_steps(trajectory, window, |step| step.force[axis]), *style);
    }
    // Undermost, or a force that comes and goes would hide all others.
    panel.curves.sort_by_key(|curve| !is_noise(&curve.points));
    // Contact forces of a millionth of the load are rounding, or the solver's tolerance.
    panel.y = panel.y.magnitude(sustained.weight);
    match sustained.range(&panel.spikes) {
        Some((low, high)) if !panel.spikes.is_empty() => panel.y = panel.y.range(low, high),
        _ => panel.spikes.clear(),
    }
    panel
}

/// Whether a curve goes up and down over its range again and again.
fn is_noise(points: &[Point]) -> bool {
    let steps = points.windows(2).map(|pair| (pair[1][1] - pair[0][1]).abs());
    let values = points.iter().map(|point| point[1]);
    let (low, high) = values
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    steps.sum::<f64>() > NOISE_TURNS * (high - low)
}

/// Of the spikes of one series that would be drawn on each other, only the largest. They come in
/// the order of time.
fn largest_per_column(spikes: impl Iterator<Item = Spike>, window: (f64, f64)) -> Vec<Spike> {
    let column = |spike: &Spike| ((spike.x - window.0) / (window.1 - window.0) * SPIKE_COLUMNS).floor();
    let mut kept: Vec<Spike> = Vec::new();
    for spike in spikes {
        match kept.last_mut() {
            Some(last) if column(last) == column(&spike) => {
                if spike.value.abs() > last.value.abs() {
                    *last = spike;
                }
            }
            _ => kept.push(spike),
        }
    }
    kept
}

/// Adds to a panel of one trajectory what explains its force: the impulses of the impacts, the
/// friction limit and the push.
pub(super) fn explain<const D: usize>(panel: &mut Panel, trajectory: &Trajectory<D>, axis: usize) {
    let range = panel.x.range.unwrap_or((0.0, trajectory.scenario.duration));
    let hardest = impacts(trajectory).iter().map(|impact| impact.impulse[D - 1]).fold(0.0, f64::max);
    let label = match panel.spikes.len() {
        1 => "impact (impulse)".to_owned(),
        _ => format!("impact (impulse ≤ {})", with_prefix(hardest, "N s")),
    };
    for spike in &mut panel.spikes {
        spike.note = with_prefix(spike.value, "N s");
        spike.label.clone_from(&label);
        spike.colour = palette::VERMILLION;
    }
    let size = |values: &mut dyn Iterator<Item = f64>| values.map(f64::abs).fold(0.0, f64::max);
    let shown = match panel.y.range {
        Some((low, high)) => low.abs().max(high.abs()),
        None => size(&mut trajectory.steps.iter().map(|step| step.force[axis])).max(panel.y.magnitude),
    };
    let fits = |companion: f64| companion > 0.0 && companion <= COMPANION_SHARE * shown;

    let friction = trajectory.scenario.ground.friction;
    let highest = IMPACT_LOADS * load(trajectory);
    let is_sustained = |force: f64| force > 0.0 && force <= highest;
    let is_borne = trajectory.steps.iter().filter(|step| is_sustained(step.force[D - 1])).count() > 1;
    let mut companions = Vec::new();
    if axis + 1 < D && is_borne && fits(friction * load(trajectory)) {
        for sign in [-1.0, 1.0] {
            // There is no limit in flight, and over an impact it is an impulse like the force.
            let limit = of_steps(trajectory, range, |step| {
                let normal = step.force[D - 1];
                if is_sustained(normal) { sign * friction * normal } else { f64::NAN }
            });
            companions.push(("friction limit ±*μF*_{*z*}", limit, LIMIT));
        }
    }
    if fits(size(&mut trajectory.steps.iter().map(|step| step.push[axis]))) {
        companions.push(("push", of_steps(trajectory, range, |step| step.push[axis]), PUSH));
    }
    if companions.is_empty() && panel.spikes.is_empty() {
        return;
    }
    if let Some(curve) = panel.curves.first_mut() {
        curve.label = "contact force".to_owned();
    }
    if let Some((low, high)) = &mut panel.y.range {
        let values = companions.iter().flat_map(|(_, points, _)| points).map(|point| point[1]);
        let rim = 0.08 * (*high - *low);
        for value in values.filter(|value| value.is_finite()) {
            *low = low.min(value - rim);
            *high = high.max(value + rim);
        }
    }
    // Thinner than the force and drawn over it, so that both show where they agree.
    panel.curves.extend(companions.into_iter().map(|(label, points, style)| Curve {
        label: label.to_owned(),
        points,
        style,
    }));
}

const LIMIT: Style = Style::line(palette::GREY).with_width(0.9).with_dash(&[4.0, 2.5]);
const PUSH: Style = Style::line(palette::ORANGE).with_width(1.2).with_dash(&[1.5, 1.8]);

/// Contact force of every series over a window of time, and the normal impulse since its start.
///
/// Meant for the steps around an impact: forces are shown as they are, without clipping. The
/// impulse is what models with different steps and stiffnesses should agree on.
pub fn force_closeup<const D: usize>(series: &[Series<'_, D>], window: (f64, f64)) -> Figure {
    let mut figure = Figure { shared_x: true, ..Figure::default() };
    let Some(first) = series.first() else { return figure };
    figure.title = scenario_title(&first.trajectory.scenario);
    let time = Axis::time().range(window.0, window.1);
    let load = series.iter().map(|series| load(series.trajectory)).fold(0.0, f64::max);
    for axis in (0..D).rev() {
        let force = force_axis::<D>(axis).include(0.0).magnitude(load);
        let mut panel = Panel::new(time.clone(), force).height(CLOSEUP_HEIGHT);
        for Series { label, style, trajectory } in series {
            panel = panel.curve(label, of_steps(trajectory, window, |step| step.force[axis]), *style);
        }
        figure.panels.push(panel);
    }
    let impulse = Axis::new("∫ *F*_{*z*} d*t*", "N s").include(0.0);
    let mut panel = Panel::new(time, impulse).height(CLOSEUP_HEIGHT);
    for Series { label, style, trajectory } in series {
        panel = panel.curve(label, impulse_since(trajectory, window), *style);
    }
    figure.panels.push(panel);
    figure
}

/// Normal impulse of the contact since the start of a window.
fn impulse_since<const D: usize>(trajectory: &Trajectory<D>, window: (f64, f64)) -> Vec<Point> {
    let dt = trajectory.scenario.step;
    let mut impulse = 0.0;
    let steps = trajectory.steps.iter().enumerate();
    let steps = steps.filter(|(k, _)| (window.0..window.1).contains(&(*k as f64 * dt)));
    let points = steps.map(|(k, step)| {
        impulse += dt * step.force[D - 1];
        [trajectory.time(k + 1), impulse]
    });
    by_column(std::iter::once([window.0, 0.0]).chain(points), window)
}

/// Extremes of the force outside impacts.
#[derive(Default)]
struct Sustained {
    low: f64,
    high: f64,
    /// Force of resting or sliding under the load, shown even where no step has it.
    weight: f64,
}

impl Sustained {
    fn add<const D: usize>(&mut self, trajectory: &Trajectory<D>, axis: usize, impacts: &[Impact<D>]) {
        let mut start = 0;
        let end = trajectory.steps.len();
        let gaps = impacts.iter().map(|impact| impact.steps.clone());
        for gap in gaps.chain(std::iter::once(end..end)) {
            for step in trajectory.steps.get(start..gap.start).unwrap_or_default() {
                self.low = self.low.min(step.force[axis]);
                self.high = self.high.max(step.force[axis]);
            }
            start = gap.end;
        }
    }

    /// The range for the sustained forces with room for the spikes; `None` if all of it is zero.
    fn range(&self, spikes: &[Spike]) -> Option<(f64, f64)> {
        let up = spikes.iter().any(|spike| spike.value > 0.0);
        let down = spikes.iter().any(|spike| spike.value < 0.0);
        let high = if up { self.high.max(self.weight) } else { self.high };
        let low = if down { self.low.min(-self.weight) } else { self.low };
        let span = high - low;
        let rim = 0.08 * span;
        let high = if up { HEADROOM * high } else { high + rim };
        let low = if down { HEADROOM * low } else { low - rim };
        (span > 0.0 && span.is_finite()).then_some((low, high))
    }
}

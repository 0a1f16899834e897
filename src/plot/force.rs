//! Panels of contact force.

use super::{
    axis::Axis,
    decimate::by_column,
    figure::{Curve, Figure, Panel, Spike},
    force_range::{self, Excursion, excursions},
    geometry::Point,
    impact::{Impact, impacts, load},
    series::{Series, scenario_title},
    signal::of_steps,
    theme::{Style, palette},
    ticks::with_prefix,
};
use crate::{metrics::IMPACT_LOADS, model::axis_names, scenario::Partner, trajectory::Track};

/// Friction limit and push are drawn with a force if they are at most so many times as large.
const COMPANION_SHARE: f64 = 4.0;

/// How many times a curve goes through its range until it is noise. Bounces go up and down too, and
/// are few.
const NOISE_TURNS: f64 = 60.0;

/// Share of the values at either end that are left to impacts.
const IMPACTS: f64 = 0.02;

/// Share of the weight below which a force that comes and goes disturbs nobody.
const NO_NOISE: f64 = 0.5;

/// Width of a line that is noise beside others.
const NOISE_WIDTH: f64 = 0.5;

/// Arrowheads of one series in a panel, at most.
const SPIKE_COLUMNS: f64 = 160.0;
/// Height of a panel of a close-up.
const CLOSEUP_HEIGHT: f64 = 95.0;

/// Name of a component of the contact force.
fn force_axis<const D: usize>(axis: usize) -> Axis {
    Axis::new(format!("*F*_{{*{}*}}", axis_names::<D>()[axis]), "N")
}

/// Range of the contact force along `axis` that shows the sustained forces, where impacts or chatter would crush
/// these; `None` where all forces fit.
///
/// A series that is noise beside others that are not has no say in it: the range is theirs.
pub fn force_range<const D: usize>(series: &[Series<'_, D>], axis: usize) -> Option<(f64, f64)> {
    range_beside_noise(series, axis, &noisy(series, axis))
}

/// Which of the series go up and down again and again, where there are others.
fn noisy<const D: usize>(series: &[Series<'_, D>], axis: usize) -> Vec<bool> {
    let weight = weight(series, axis);
    let noisy: Vec<bool> = series.iter().map(|series| is_noise(series.track, axis, weight)).collect();
    if noisy.iter().all(|noisy| *noisy) { vec![false; series.len()] } else { noisy }
}

/// The range of the series that are not noise; that of their forces where these fit, but not the others.
fn range_beside_noise<const D: usize>(
    series: &[Series<'_, D>],
    axis: usize,
    noisy: &[bool],
) -> Option<(f64, f64)> {
    let weight = weight(series, axis);
    let leading = series.iter().zip(noisy).filter(|(_, noisy)| !**noisy).map(|(series, _)| series.clone());
    let leading: Vec<Series<'_, D>> = leading.collect();
    let largest = |series: &[Series<'_, D>]| {
        let steps = series.iter().flat_map(|series| series.track.steps);
        steps.map(|step| step.force[axis].abs()).filter(|size| size.is_finite()).fold(0.0, f64::max)
    };
    force_range::range(&leading, axis, weight).or_else(|| {
        (largest(series) > largest(&leading)).then(|| force_range::around(&leading, axis, weight))
    })
}

/// Force of resting or sliding under the load in N, shown even where no step has it.
fn weight<const D: usize>(series: &[Series<'_, D>], axis: usize) -> f64 {
    let weight = series.iter().map(|Series { track, .. }| {
        let limit = if axis + 1 == D { 1.0 } else { track.point().friction };
        limit * load(*track)
    });
    weight.fold(0.0, f64::max)
}

/// Contact force along `axis` of every series, with arrowheads at the edge of the frame where a
/// force leaves it.
pub(super) fn panel<const D: usize>(
    series: &[Series<'_, D>],
    axis: usize,
    time: Axis,
    window: (f64, f64),
) -> Panel {
    let mut panel = Panel::new(time, force_axis::<D>(axis).include(0.0));
    let weight = weight(series, axis);
    let curves: Vec<Vec<Point>> =
        series.iter().map(|series| of_steps(series.track, window, |step| step.force[axis])).collect();
    // A force that comes and goes says nothing about the size of the others, and would hide them: it lies under
    // them, thin, and the range is theirs. Where all do, there is nothing to hide.
    let noisy = noisy(series, axis);
    panel.y.range = range_beside_noise(series, axis, &noisy);
    for (index, Series { style, track, .. }) in series.iter().enumerate() {
        if let Some(range) = panel.y.range.filter(|_| !noisy[index]) {
            let spike = |excursion: Excursion| Spike {
                x: (excursion.summit as f64 + 0.5) * track.interval(),
                value: excursion.impulse,
                note: String::new(),
                label: String::new(),
                colour: style.colour,
            };
            let (up, down): (Vec<_>, Vec<_>) =
                excursions(*track, axis, range).into_iter().map(spike).partition(|spike| spike.value > 0.0);
            for side in [up, down] {
                panel.spikes.extend(largest_per_column(side, window));
            }
        }
    }
    for behind in [true, false] {
        let curves = series.iter().zip(&curves).zip(&noisy).filter(|(_, noisy)| **noisy == behind);
        for ((Series { label, style, .. }, points), _) in curves {
            let style = if behind { style.with_width(NOISE_WIDTH).with_dash(&[]) } else { *style };
            panel = panel.curve(label, points.clone(), style);
        }
    }
    // Contact forces of a millionth of the load are rounding, or the solver's tolerance.
    panel.y = panel.y.magnitude(weight);
    panel
}

/// Whether a force goes up and down over the range of most of its values again and again. A few impacts, however
/// hard, neither widen that range nor count; nor does what is rounding beside the `weight`.
fn is_noise<const D: usize>(track: Track<'_, D>, axis: usize, weight: f64) -> bool {
    let forces = || track.steps.iter().map(|step| step.force[axis]).filter(|force| force.is_finite());
    let mut sorted: Vec<f64> = forces().collect();
    if sorted.is_empty() {
        return false;
    }
    sorted.sort_by(f64::total_cmp);
    let place = |share: f64| sorted[(share * (sorted.len() - 1) as f64).round() as usize];
    let (low, high) = (place(IMPACTS), place(1.0 - IMPACTS));
    let within: Vec<f64> = forces().map(|force| force.clamp(low, high)).collect();
    let turns: f64 = within.windows(2).map(|pair| (pair[1] - pair[0]).abs()).sum();
    turns > NOISE_TURNS * (high - low).max(NO_NOISE * weight)
}

/// Of the spikes of one series at one edge that would be drawn on each other, only the largest.
/// They come in the order of time.
fn largest_per_column(spikes: Vec<Spike>, window: (f64, f64)) -> Vec<Spike> {
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
pub(super) fn explain<const D: usize>(panel: &mut Panel, track: Track<'_, D>, axis: usize) {
    let window = panel.x.range.unwrap_or((0.0, track.scenario.duration));
    let companions = companions(panel, track, axis, window);
    if let Some((low, high)) = &mut panel.y.range {
        let values = companions.iter().flat_map(|curve| &curve.points).map(|point| point[1]);
        let rim = 0.08 * (*high - *low);
        for value in values.filter(|value| value.is_finite()) {
            *low = low.min(value - rim);
            *high = high.max(value + rim);
        }
    }
    let spikes = panel.y.range.map(|range| impact_spikes(track, axis, range));
    let (up, down): (Vec<_>, Vec<_>) =
        spikes.unwrap_or_default().into_iter().partition(|spike| spike.value > 0.0);
    panel.spikes = [up, down].into_iter().flat_map(|side| largest_per_column(side, window)).collect();
    if companions.is_empty() && panel.spikes.is_empty() {
        return;
    }
    if let Some(curve) = panel.curves.first_mut() {
        curve.label = "contact force".to_owned();
    }
    // Thinner than the force and drawn over it, so that both show where they agree.
    panel.curves.extend(companions);
}

/// Arrowheads with impulses where the force of one trajectory leaves the range.
fn impact_spikes<const D: usize>(track: Track<'_, D>, axis: usize, range: (f64, f64)) -> Vec<Spike> {
    let impacts = impacts(track);
    let hardest = impacts.iter().map(|impact| impact.impulse[D - 1]).fold(0.0, f64::max);
    let mut marks: Vec<Mark<'_, D>> = Vec::new();
    for excursion in excursions(track, axis, range) {
        // The impact without its share of the load, where it goes the same way.
        let index = impacts.partition_point(|impact| impact.steps.end <= excursion.summit);
        let impact = impacts.get(index).filter(|impact| {
            impact.steps.contains(&excursion.summit) && impact.impulse[axis] * excursion.impulse > 0.0
        });
        match marks.last_mut() {
            Some(last) if impact.is_some() && last.impact == impact => {
                if excursion.force.abs() > last.excursion.force.abs() {
                    last.excursion = excursion;
                }
            }
            _ => marks.push(Mark { excursion, impact }),
        }
    }
    let label = match marks.len() {
        1 => "impact (impulse)".to_owned(),
        _ => format!("impact (impulse ≤ {})", with_prefix(hardest, "N s")),
    };
    let spike = |Mark { excursion, impact }: Mark<'_, D>| {
        let impulse = impact.map_or(excursion.impulse, |impact| impact.impulse[axis]);
        Spike {
            x: (excursion.summit as f64 + 0.5) * track.interval(),
            value: impulse,
            note: with_prefix(impulse, "N s"),
            label: label.clone(),
            colour: palette::VERMILLION,
        }
    };
    marks.into_iter().map(spike).collect()
}

/// An excursion and the impact it belongs to.
struct Mark<'a, const D: usize> {
    excursion: Excursion,
    impact: Option<&'a Impact<D>>,
}

/// The friction limit and the push, where they are of the size of the force.
fn companions<const D: usize>(
    panel: &Panel,
    track: Track<'_, D>,
    axis: usize,
    window: (f64, f64),
) -> Vec<Curve> {
    let size = |values: &mut dyn Iterator<Item = f64>| values.map(f64::abs).fold(0.0, f64::max);
    let shown = match panel.y.range {
        Some((low, high)) => low.abs().max(high.abs()),
        None => size(&mut track.steps.iter().map(|step| step.force[axis])).max(panel.y.magnitude),
    };
    let fits = |companion: f64| companion > 0.0 && companion <= COMPANION_SHARE * shown;

    let friction = track.point().friction;
    let highest = IMPACT_LOADS * load(track);
    let is_sustained = |force: f64| force > 0.0 && force <= highest;
    let is_borne = track.steps.iter().filter(|step| is_sustained(step.force[D - 1])).count() > 1;
    let mut companions = Vec::new();
    // Friction that differs across an axis has no limit in one direction alone.
    let is_even = track.scenario.surface(track.body, Partner::Ground).anisotropy.is_none();
    if axis + 1 < D && is_even && is_borne && fits(friction * load(track)) {
        for sign in [-1.0, 1.0] {
            // There is no limit in flight, and over an impact it is an impulse like the force.
            let limit = of_steps(track, window, |step| {
                let normal = step.force[D - 1];
                if is_sustained(normal) { sign * friction * normal } else { f64::NAN }
            });
            companions.push(("friction limit ±*μF*_{*z*}", limit, LIMIT));
        }
    }
    if fits(size(&mut track.steps.iter().map(|step| step.push[axis]))) {
        companions.push(("push", of_steps(track, window, |step| step.push[axis]), PUSH));
    }
    let curve = |(label, points, style): (&str, _, _)| Curve { label: label.to_owned(), points, style };
    companions.into_iter().map(curve).collect()
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
    figure.title = scenario_title(first.track.scenario);
    let time = Axis::time().range(window.0, window.1);
    let load = series.iter().map(|series| load(series.track)).fold(0.0, f64::max);
    for axis in (0..D).rev() {
        let force = force_axis::<D>(axis).include(0.0).magnitude(load);
        let mut panel = Panel::new(time.clone(), force).height(CLOSEUP_HEIGHT);
        for Series { label, style, track } in series {
            panel = panel.curve(label, of_steps(*track, window, |step| step.force[axis]), *style);
        }
        figure.panels.push(panel);
    }
    let impulse = Axis::new("∫ *F*_{*z*} d*t*", "N s").include(0.0);
    let mut panel = Panel::new(time, impulse).height(CLOSEUP_HEIGHT);
    for Series { label, style, track } in series {
        panel = panel.curve(label, impulse_since(*track, window), *style);
    }
    figure.panels.push(panel);
    figure
}

/// Normal impulse of the contact since the start of a window.
fn impulse_since<const D: usize>(track: Track<'_, D>, window: (f64, f64)) -> Vec<Point> {
    let dt = track.interval();
    let mut impulse = 0.0;
    let steps = track.steps.iter().enumerate();
    let steps = steps.filter(|(k, _)| (window.0..window.1).contains(&(*k as f64 * dt)));
    let points = steps.map(|(k, step)| {
        impulse += dt * step.force[D - 1];
        [track.time(k + 1), impulse]
    });
    by_column(std::iter::once([window.0, 0.0]).chain(points), window)
}

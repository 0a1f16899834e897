//! The path through space: from the side, and over a plane also from above; bodies as they are, at the start,
//! at the end and at equal times between.

use super::{
    area::Area,
    axis::Axis,
    decimate::by_distance,
    figure::{Curve, Figure, Panel},
    geometry::Point,
    scene::{
        Cast, FORCE_COLOUR, Links, Look, View, casts, floor, forces_of_steps, has_outlines, instants, links,
        load_of, pose, reach, solids, turn, views, walls,
    },
    series::{Series, end_time, omission, run_title, scenario_title},
    theme::{Marker, Style, WHITE, mix, palette},
    ticks::{round_positions, significant, with_prefix},
};
use crate::{
    model::State,
    trajectory::{Track, Trajectory},
};

/// Points closer than this share of the picture are drawn as one.
const RESOLUTION: f64 = 1.0 / 2500.0;
/// Marks of time along a path, at most.
const TIME_MARKS: usize = 13;
/// Height of a panel, at most.
const HEIGHT: f64 = 270.0;
/// Width of the path of a body's centre, which its outlines are to stand out from.
const CENTRE_WIDTH: f64 = 0.7;
/// A body that moved by less than this share of its size is not drawn again.
const STEP_SHARE: f64 = 0.12;
/// Height of what bodies are drawn in over its width, at least.
const LEAST_HEIGHT: f64 = 0.06;
/// Walls farther away than so many times the extent of the bodies are not in the picture.
const WALL_DISTANCE: f64 = 1.0;
/// Stroboscopic poses when several trajectories share a picture, at most.
const SHARED_INSTANTS: usize = 4;

/// The path of a trajectory over the ground: of a single point with marks at equal times; bodies at the start,
/// at equal times and at the end, with the contact forces at the end.
pub fn path<const D: usize>(trajectory: &Trajectory<D>) -> Figure {
    let series = Series::of_bodies(trajectory);
    if has_outlines(&trajectory.scenario) {
        let mut figure = path_overlay(&series);
        figure.title = run_title(series[0].track);
        return figure;
    }
    if trajectory.bodies.len() != 1 {
        return path_overlay(&series);
    }
    let track = trajectory.track(0);
    let series = [Series { label: String::new(), style: Style::line(palette::BLUE), track }];
    let mut figure = path_overlay(&series);
    let (interval, _) = round_positions(0.0, end_time(&series), TIME_MARKS);
    let every = ((interval / track.interval()).round() as usize).max(1);
    let interval = every as f64 * track.interval();
    figure.title = run_title(track);
    for (panel, view) in figure.panels.iter_mut().zip(views(track.scenario)) {
        let at = |state: &State<D>| view.project(&state.position);
        let marks = track.states.iter().step_by(every).map(at);
        let ends = [track.states.first(), track.states.last()];
        let [start, end] = ends.map(|state| state.map(at).into_iter().collect());
        let marker = |marker| Style::markers(palette::BLACK, marker);
        panel.curves.extend([
            Curve {
                label: format!("every {} s", significant(interval, 3)),
                points: marks.collect(),
                style: Style::markers(palette::BLUE, Marker::Disc),
            },
            Curve { label: "start".into(), points: start, style: marker(Marker::Circle) },
            Curve { label: "end".into(), points: end, style: marker(Marker::Square) },
        ]);
    }
    figure
}

/// The paths of several trajectories: of bodies those of their centres, with the outlines at the end.
pub fn path_overlay<const D: usize>(series: &[Series<'_, D>]) -> Figure {
    let mut figure = Figure::default();
    let Some(first) = series.first() else { return figure };
    let scenario = first.track.scenario;
    figure.title = scenario_title(scenario);
    figure.caption = omission(first.track);
    // Bodies in space are painted from the back to the front.
    figure.names = series.iter().map(|series| series.label.clone()).filter(|name| !name.is_empty()).collect();
    figure.shared_x = share_x(&views(scenario));
    let with_outlines = has_outlines(scenario);
    let panel = |view: View<D>| {
        let mut panel = view_of(series, &view);
        if with_outlines {
            draw_bodies(&mut panel, series, &view);
        }
        panel
    };
    figure.panels = views(scenario).into_iter().map(panel).collect();
    figure
}

/// Whether all views have the same axis across.
pub(super) fn share_x<const D: usize>(views: &[View<D>]) -> bool {
    views.windows(2).all(|pair| pair[0].across == pair[1].across)
}

/// A view with the paths and nothing else.
pub(super) fn view_of<const D: usize>(series: &[Series<'_, D>], view: &View<D>) -> Panel {
    let places =
        || series.iter().flat_map(|series| series.track.states).map(|state| view.project(&state.position));
    let extent = |axis: usize| {
        let values = places().map(|place| place[axis]).filter(|value| value.is_finite());
        values
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
    };
    let span = |(low, high): (f64, f64)| if high > low { high - low } else { 0.0 };
    let spans = [span(extent(0)), span(extent(1))];
    let largest = spans[0].max(spans[1]);
    let distance = spans.map(|span| RESOLUTION * if span > 0.0 { span } else { largest });

    let axis = |axis: usize| {
        let axis = Axis::new(view.labels[axis].clone(), "m").magnitude(largest);
        if view.has_coordinates { axis } else { axis.silent() }
    };
    let Some(first) = series.first() else { return Panel::new(axis(0), axis(1)) };
    let scenario = first.track.scenario;
    let with_outlines = has_outlines(scenario);
    let solids = solids(scenario, view);
    let is_side = !solids.is_empty() && view.up[D - 1] == 1.0;
    let mut vertical = if is_side { axis(1).include(0.0) } else { axis(1) };
    let height = extent(1).0;
    if spans[1] <= 1e-6 * largest && height.is_finite() && !with_outlines {
        // A path along the ground: a strip is enough.
        let largest = if largest > 0.0 { largest } else { 1.0 };
        vertical = vertical.range(height - 0.08 * largest, height + 0.16 * largest);
    }
    let mut panel = Panel::new(axis(0), vertical).height(HEIGHT);
    panel.true_to_scale = true;
    panel.solids = solids;
    if !view.has_coordinates {
        panel.floor = floor(series, view);
        panel.areas = walls(series, view);
    }
    for Series { label, style, track } in series {
        if with_outlines && scenario.bodies[track.body].stays() {
            // It is drawn where it stands.
            continue;
        }
        let points = track.states.iter().map(|state| view.project(&state.position));
        let points = by_distance(points, distance).into_iter().map(|(_, point)| point);
        let style = if with_outlines { style.with_width(CENTRE_WIDTH) } else { *style };
        panel = panel.curve(label, points.collect(), style);
    }
    panel
}

/// Adds the bodies at the start, at equal times and at the end, what links them, and the contact forces.
fn draw_bodies<const D: usize>(panel: &mut Panel, series: &[Series<'_, D>], view: &View<D>) {
    let casts = casts(series);
    let is_single = casts.len() == 1;
    let (mut instants, mut interval) = instants(series);
    if !is_single {
        let every = instants.len().div_ceil(SHARED_INSTANTS).max(1);
        instants = instants.into_iter().skip(every - 1).step_by(every).collect();
        interval *= every as f64;
    }
    let passing = format!("every {} s", significant(interval, 3));
    if is_single {
        // The outlines have the names.
        panel.curves.iter_mut().for_each(|curve| curve.label.clear());
    }
    // What stands under all that passed, under all that began, under all that ended.
    let mut layers: [Vec<Pose>; 4] = Default::default();
    for (index, cast) in casts.iter().enumerate() {
        let end = cast.any().states.len().saturating_sub(1);
        for member in cast.farthest_first(end, view) {
            let track = member.track;
            let Some(last) = track.states.len().checked_sub(1) else { continue };
            let style = if is_single { member.style } else { Style::line(palette::GREY) };
            if is_single || index == 0 {
                let mut shown = 0;
                for k in instants.iter().copied().chain([last]).filter(|&k| k <= last) {
                    if moved(track, shown, k) < STEP_SHARE * reach(track) {
                        continue;
                    }
                    shown = k;
                    if k < last {
                        layers[1].push(labelled(pose(track, k, view, style, Look::Faint), &passing));
                    }
                }
                if shown > 0 {
                    layers[2].push(labelled(pose(track, 0, view, style, Look::Start), "start"));
                }
            }
            let stands = is_single && track.scenario.bodies[track.body].stays();
            layers[if stands { 0 } else { 3 }].push(if is_single {
                let label = if cast.series.len() == 1 { "end" } else { &member.label };
                labelled(pose(track, last, view, style, Look::Solid), label)
            } else {
                pose(track, last, view, member.style, Look::Outlined)
            });
        }
        draw_links(panel, cast, view, if is_single { &instants } else { &[] }, is_single);
    }
    // The reference is thin, and lies over all others.
    layers[3].sort_by_key(|(areas, _)| areas.first().is_some_and(|area| area.outline == Style::REFERENCE));
    for (areas, marker) in layers.into_iter().flatten() {
        panel.areas.extend(areas);
        panel.curves.extend(marker);
    }
    include_solids(panel, series, view);
    if let ([cast], true) = (casts.as_slice(), view.shows_height()) {
        let end = cast.any().steps.len();
        let load = load_of(&casts);
        let mut arrows = forces_of_steps(cast, end.saturating_sub(1)..end, view, (load, FORCE_COLOUR), true);
        let largest = arrows.iter().map(|arrow| arrow.force[0].hypot(arrow.force[1])).fold(0.0, f64::max);
        if largest > 0.0
            && let Some(first) = arrows.first_mut()
        {
            first.label = format!("contact force at the end (≤ {})", with_prefix(largest, "N"));
        }
        panel.arrows = arrows;
    }
}

/// The outlines of a body, or the marker of a point.
type Pose = (Vec<Area>, Option<Curve>);

/// A pose with what the legend says of it.
fn labelled((mut areas, mut marker): Pose, label: &str) -> Pose {
    if let Some(first) = areas.first_mut() {
        label.clone_into(&mut first.label);
    }
    if let Some(marker) = &mut marker {
        label.clone_into(&mut marker.label);
    }
    (areas, marker)
}

/// Adds rods and springs at the start, at the instants and at the end.
fn draw_links<const D: usize>(
    panel: &mut Panel,
    cast: &Cast<'_, '_, D>,
    view: &View<D>,
    instants: &[usize],
    is_single: bool,
) {
    let Some(last) = cast.any().states.len().checked_sub(1) else { return };
    let colour = if is_single { palette::BLACK } else { cast.series[0].style.colour };
    let mut add = |Links { springs, rigid }: Links| {
        panel.behind.extend(springs);
        panel.curves.extend(rigid);
    };
    for &k in instants {
        add(links(cast, k, view, mix(WHITE, colour, 0.3), 0.5));
    }
    let ends: &[usize] = if is_single { &[0, last] } else { &[last] };
    for &k in ends {
        add(links(cast, k, view, colour, 1.0));
    }
}

/// How far a body moved between two states, rotation counted at its rim, in m.
fn moved<const D: usize>(track: Track<'_, D>, from: usize, to: usize) -> f64 {
    let (Some(a), Some(b)) = (track.states.get(from), track.states.get(to)) else { return 0.0 };
    (a.position - b.position).norm() + reach(track) * turn(track, from, to)
}

/// Shows the surfaces that the bodies are close to.
fn include_solids<const D: usize>(panel: &mut Panel, series: &[Series<'_, D>], view: &View<D>) {
    let ends = series.iter().flat_map(|series| [series.track.states.first(), series.track.states.last()]);
    let ends: Vec<Point> = ends.flatten().map(|state| view.project(&state.position)).collect();
    let extent = |axis: usize| {
        let values = panel.points().map(|point| point[axis]);
        let (low, high) =
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        if high > low { high - low } else { 0.0 }
    };
    let width = extent(0);
    let span = width.max(extent(1));
    let foot = |[x, y]: Point, normal: Point, offset: f64| {
        let height = normal[0] * x + normal[1] * y - offset;
        (height.abs() <= WALL_DISTANCE * span).then_some([x - height * normal[0], y - height * normal[1]])
    };
    let feet = panel
        .solids
        .iter()
        .flat_map(|solid| ends.iter().filter_map(|&at| foot(at, solid.normal, solid.offset)));
    let feet: Vec<Point> = feet.collect();
    panel.include.extend(feet);
    // A chain along the ground is seen to scale as well: there is air above it.
    let low = panel.points().map(|point| point[1]).fold(f64::INFINITY, f64::min);
    if let (Some(&[x, _]), true) = (ends.first(), low.is_finite()) {
        panel.include.push([x, low + LEAST_HEIGHT * width]);
    }
}

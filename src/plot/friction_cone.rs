//! The friction cone: tangential force over normal force of every contact and step, and the border that Coulomb's
//! law sets.

use std::collections::HashSet;

use super::{
    axis::Axis,
    figure::{Figure, Panel},
    geometry::Point,
    scene::{Cast, casts},
    series::{Series, run_title, scenario_title},
    theme::{Marker, Style, palette},
    ticks::significant,
};
use crate::{
    metrics::Doing,
    model::{Vector, normal, tangential},
    scenario::Partner,
    stepper::ContactMode,
    trajectory::{Track, Trajectory},
};

const HEIGHT: f64 = 200.0;
/// Forces that are shown make up this share of all that press; what is far beyond are impacts.
const BULK: f64 = 0.98;
/// The largest force of the bulk has so much room beyond it.
const HEADROOM: f64 = 1.3;
/// Forces closer than this share of the picture are one.
const RESOLUTION: f64 = 1.0 / 200.0;
/// Borders that are drawn, at most.
const MOST_BORDERS: usize = 4;

const BORDER: Style = Style::line(palette::GREY).with_width(1.0).with_dash(&[4.0, 2.5]);

/// A contact force in N: normal, and tangential, in a vertical plane with its sign.
#[derive(Debug, Clone, Copy)]
struct Force {
    normal: f64,
    tangential: f64,
    mode: Option<ContactMode>,
}

/// Tangential over normal force of the contacts of a trajectory, slip and stick told apart.
pub fn friction_cone<const D: usize>(trajectory: &Trajectory<D>) -> Figure {
    let series = Series::of_bodies(trajectory);
    let casts = casts(&series);
    let Some(cast) = casts.first() else { return Figure::default() };
    let forces = forces(cast);
    let of_mode = |mode: Option<ContactMode>| forces.iter().copied().filter(move |force| force.mode == mode);
    let groups = [
        ("slip", Style::markers(palette::ORANGE, Marker::Disc), Some(ContactMode::Slip)),
        ("stick", Style::markers(palette::BLUE, Marker::Square), Some(ContactMode::Stick)),
        ("contact", Style::markers(palette::BLUE, Marker::Disc), None),
    ];
    let groups =
        groups.map(|(label, style, mode)| (label.to_owned(), style, of_mode(mode).collect::<Vec<_>>()));
    figure(run_title(cast.any()), &casts, &groups)
}

/// Tangential over normal force of the contacts of several trajectories.
pub fn friction_cone_overlay<const D: usize>(series: &[Series<'_, D>]) -> Figure {
    const MARKERS: [Marker; 5] = [Marker::Disc, Marker::Square, Marker::Up, Marker::Circle, Marker::Down];
    let casts = casts(series);
    let Some(first) = casts.first() else { return Figure::default() };
    let group = |(index, cast): (usize, &Cast<'_, '_, D>)| {
        let Series { label, style, .. } = &cast.series[0];
        (label.clone(), Style::markers(style.colour, MARKERS[index % MARKERS.len()]), forces(cast))
    };
    let groups: Vec<_> = casts.iter().enumerate().map(group).collect();
    figure(scenario_title(first.any().scenario), &casts, &groups)
}

fn figure<const D: usize>(
    title: String,
    casts: &[Cast<'_, '_, D>],
    groups: &[(String, Style, Vec<Force>)],
) -> Figure {
    let label = if D == 2 { "*F*_{t}" } else { "|*F*_{t}|" };
    let mut panel = Panel::new(Axis::new("*F*_{n}", "N"), Axis::new(label, "N").include(0.0)).height(HEIGHT);
    panel.empty_note = "nothing touches".to_owned();
    let mut figure = Figure::new(title);
    let frictions = frictions(casts);
    let all: Vec<Force> = groups.iter().flat_map(|(.., forces)| forces.iter().copied()).collect();
    if let Some(edge) = edge(&all) {
        let steepest = frictions.iter().map(|(friction, _)| *friction).fold(0.0, f64::max);
        let inside = all.iter().filter(|force| force.normal <= edge);
        let largest = inside.map(|force| force.tangential.abs()).fold(steepest * edge, f64::max);
        // Friction of impacts is beyond the frame with the impacts.
        let largest = 1.08 * largest.min(3.0 * (steepest * edge).max(1e-3 * edge));
        panel.x = panel.x.range(-0.03 * edge, edge);
        let lowest = if D == 2 { -largest } else { -0.05 * largest };
        panel.y = panel.y.range(lowest, largest);
        let beyond =
            all.iter().filter(|force| force.normal > edge || force.tangential.abs() > largest).count();
        if beyond > 0 {
            figure.caption =
                format!("{beyond} of {} forces, those of impacts, are beyond the frame", all.len());
        }
        for (friction, symbol) in frictions {
            let mut border = vec![[edge, friction * edge], [0.0, 0.0]];
            if D == 2 {
                border.push([edge, -friction * edge]);
            }
            panel = panel.curve(format!("{symbol} = {}", significant(friction, 4)), border, BORDER);
        }
        for (label, style, forces) in groups {
            let points = thinned(forces, [RESOLUTION * edge, RESOLUTION * 2.0 * largest]);
            if !points.is_empty() {
                panel = panel.curve(label, points, *style);
            }
        }
    }
    figure.panels.push(panel);
    figure
}

/// Where the axis of normal forces ends, in N; `None` if nothing presses.
fn edge(forces: &[Force]) -> Option<f64> {
    let mut normals: Vec<f64> = forces.iter().map(|force| force.normal).collect();
    normals.sort_unstable_by(f64::total_cmp);
    let largest = *normals.last()?;
    let bulk = HEADROOM * normals[(BULK * (normals.len() - 1) as f64) as usize];
    let edge = if largest > 2.0 * bulk { bulk } else { 1.05 * largest };
    (edge > 0.0).then_some(edge)
}

/// Points in cells of a grid, one for each cell.
fn thinned(forces: &[Force], cell: Point) -> Vec<Point> {
    let mut taken = HashSet::new();
    let place = |force: &&Force| {
        taken.insert([(force.normal / cell[0]).round() as i64, (force.tangential / cell[1]).round() as i64])
    };
    forces.iter().filter(place).map(|force| [force.normal, force.tangential]).collect()
}

/// The friction coefficients of the contacts, in order, each with its symbol: that of what rests, and where what slides has
/// another one, that too.
fn frictions<const D: usize>(casts: &[Cast<'_, '_, D>]) -> Vec<(f64, &'static str)> {
    let mut frictions: Vec<(f64, &str)> = Vec::new();
    for cast in casts {
        let (track, scenario) = (cast.any(), cast.any().scenario);
        let mut seen = HashSet::new();
        let mut note = |first: usize, second: Partner| {
            if seen.insert((first, second)) {
                let surface = scenario.surface(first, second);
                let coefficient = surface.friction.static_coefficient();
                frictions.push((coefficient, "*μ*"));
                frictions
                    .extend(surface.anisotropy.map(|anisotropy| (anisotropy.ratio * coefficient, "*μ*")));
                if surface.friction.depends_on_slip() {
                    frictions.push((surface.friction.kinetic_coefficient(), "*μ*_{k}"));
                }
            }
        };
        if track.contacts.is_empty() {
            cast.series.iter().for_each(|series| note(series.track.body, Partner::Ground));
        }
        for k in 0..track.reports.len() {
            track.contacts.of_step(k).iter().for_each(|contact| note(contact.first, contact.second));
        }
    }
    frictions.retain(|(friction, _)| *friction > 0.0);
    // Where one surface slides by the coefficient by which another one rests, a border is told once.
    frictions.sort_unstable_by(|(a, of_a), (b, of_b)| a.total_cmp(b).then(of_a.cmp(of_b)));
    frictions.dedup_by_key(|(friction, _)| *friction);
    frictions.truncate(MOST_BORDERS);
    frictions
}

/// The forces of all contacts that carry one; those of the bodies where contacts are not told apart.
fn forces<const D: usize>(cast: &Cast<'_, '_, D>) -> Vec<Force> {
    let track = cast.any();
    let steps = 0..track.reports.len();
    let mut forces: Vec<Force> = if track.contacts.is_empty() {
        let along = |force: &Vector<D>| if D == 2 { force[0] } else { tangential(force).norm() };
        let of_step = |track: Track<'_, D>, k: usize| {
            let force = &track.steps[k].force;
            let mode = match Doing::of_body(track, k) {
                Doing::Open => Some(ContactMode::Open),
                Doing::Slip => Some(ContactMode::Slip),
                Doing::Stick => Some(ContactMode::Stick),
                Doing::Touch => None,
            };
            Force { normal: normal(force), tangential: along(force), mode }
        };
        let tracks = cast.series.iter().map(|series| series.track);
        tracks.flat_map(|track| (0..track.steps.len()).map(move |k| of_step(track, k))).collect()
    } else {
        let contacts = steps.flat_map(|k| track.contacts.of_step(k));
        contacts
            .map(|contact| {
                let normal = contact.force.dot(&contact.normal);
                let rest = contact.force - contact.normal * normal;
                let (n, along) = (&contact.normal, rest.norm());
                let signed = if D == 2 { rest[0] * n[D - 1] - rest[D - 1] * n[0] } else { along };
                Force { normal, tangential: signed, mode: Some(contact.mode) }
            })
            .collect()
    };
    // What does not touch has the tolerance of a solver for a force, whatever its size.
    forces.retain(|force| force.mode != Some(ContactMode::Open));
    let largest =
        forces.iter().map(|force| force.normal.abs()).filter(|size| size.is_finite()).fold(0.0, f64::max);
    // Less than this is the tolerance of a solver.
    forces.retain(|force| {
        force.normal.is_finite() && force.tangential.is_finite() && force.normal.abs() > 1e-6 * largest
    });
    forces
}

//! The motion of a scenario by several steppers, as the page shows it: curves, contacts and the scene.

use serde::Serialize;

use super::{grid::Grid, number::Column, scene::Scene};
use crate::{
    metrics::{BodyMode, Energy, Touching, max_error, pairs_of},
    model::{Attitude, Orientation, State, axis_names},
    plot::{self, Series, Style, hexadecimal},
    trajectory::{Track, Trajectory, turning_columns},
};

/// Numbers of a motion that a page holds, about.
const NUMBERS: usize = 40_000;
/// Instants that a page shows at least, however many bodies and steppers there are.
const LEAST_POINTS: usize = 60;
/// Most bodies that a page shows.
const MOST_BODIES: usize = 30;
/// Most rows of contact modes of one stepper.
const MOST_ROWS: usize = 12;
/// Significant digits of the curves, and of the reference from which the others are differences.
pub(super) const DIGITS: i32 = 6;
pub(super) const REFERENCE_DIGITS: i32 = 10;
/// What is less than this share of the largest number of its kind is rounding, and is written as 0: two thirds of a page would be
/// digits of it.
const ROUNDING: f64 = 1e-10;
/// The same of contacts, which are arrows in a picture.
const INVISIBLE: f64 = 1e-6;

/// The motion of a scenario by several steppers, all over the same time grid.
///
/// Written as JSON it is what [`Page::motion`](super::Page::motion) shows and what the live page asks for. The
/// series come with the exact motion first, if there is one; then the values of the others are differences from
/// it, so that both the curves and their distance are sharp.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Motion {
    /// Of the scenario.
    pub(super) name: String,
    /// Names of the coordinates.
    pub(super) axes: &'static [&'static str],
    /// Steps of the whole run, and the length of one in s.
    pub(super) steps: usize,
    pub(super) step: f64,
    /// Times in s of the instants that are shown.
    pub(super) time: Column,
    pub(super) scene: Scene,
    /// Names of what is known of a body at an instant; forces, where they are known, are means up to the next
    /// instant.
    pub(super) columns: Vec<&'static str>,
    /// Range of the panel of force along every axis, where impacts leave it.
    pub(super) force_ranges: Vec<Option<(f64, f64)>>,
    /// Whether values are differences from the first series.
    pub(super) relative: bool,
    pub(super) series: Vec<MotionSeries>,
}

/// The motion by one stepper.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct MotionSeries {
    pub(super) label: String,
    pub(super) colour: String,
    pub(super) dash: Vec<f64>,
    pub(super) width: f64,
    pub(super) reference: bool,
    /// Largest distance from the exact motion in m.
    pub(super) error: Option<f64>,
    /// Median time of a step in s, if it is told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cost: Option<f64>,
    /// What this stepper makes nothing of, and how it ended if not well.
    pub(super) remarks: Vec<String>,
    /// By body and column.
    pub(super) values: Vec<Vec<Column>>,
    pub(super) energy: Column,
    pub(super) modes: Vec<ModeRow>,
    /// By instant, the contacts one after the other: point, normal and force, where contacts are told apart.
    pub(super) contacts: Vec<Column>,
}

/// What one contact does over time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct ModeRow {
    label: String,
    /// Time in s at which a mode begins, and the mode; the last entry is the end of the run.
    spans: Vec<(f64, &'static str)>,
}

impl Motion {
    /// The motions of one scenario with their labels, of which there has to be one at least, at as many instants as
    /// a page can hold.
    pub fn of<'a, const D: usize>(
        trajectories: impl IntoIterator<Item = (String, &'a Trajectory<D>)>,
    ) -> Option<Self> {
        Self::build(&trajectories.into_iter().collect::<Vec<_>>(), None)
    }

    /// The same at about so many instants.
    pub fn with_points<'a, const D: usize>(
        trajectories: impl IntoIterator<Item = (String, &'a Trajectory<D>)>,
        points: usize,
    ) -> Option<Self> {
        Self::build(&trajectories.into_iter().collect::<Vec<_>>(), Some(points))
    }

    /// The same with what a step took, which differs from run to run.
    #[must_use]
    pub fn with_costs(mut self, costs: &[(String, f64)]) -> Self {
        for series in &mut self.series {
            series.cost = costs.iter().find(|(label, _)| *label == series.label).map(|(_, cost)| *cost);
        }
        self
    }

    fn build<const D: usize>(
        trajectories: &[(String, &Trajectory<D>)],
        points: Option<usize>,
    ) -> Option<Self> {
        let first = trajectories.first()?.1;
        let scenario = &first.scenario;
        let bodies = shown_bodies(scenario.bodies.len());
        let turns = scenario.has_turning_bodies();
        let mut columns = columns_of_motion::<D>(turns);
        columns.extend(columns_of_force::<D>());
        let styles = styles(trajectories);
        // A sketch of a long run keeps every n-th state.
        let steps = scenario.time().steps / first.stride;
        let points = points.unwrap_or_else(|| {
            let columns = trajectories.len() * (bodies.len() * columns.len() + 1);
            (NUMBERS / columns).clamp(LEAST_POINTS, steps.max(LEAST_POINTS))
        });
        let grid = Grid::new(steps, points);
        let mut of_steppers: Vec<MotionSeries> = styles
            .iter()
            .map(|(label, style, trajectory)| MotionSeries::new(label, style, trajectory, &bodies, &grid))
            .collect();
        let relative = of_steppers.len() > 1 && of_steppers[0].reference;
        if let (true, [reference, others @ ..]) = (relative, of_steppers.as_mut_slice()) {
            let exact = styles[0].2;
            for (series, (.., trajectory)) in others.iter_mut().zip(&styles[1..]) {
                series.subtract(reference);
                let errors = trajectory.tracks().zip(exact.tracks()).map(|(a, b)| max_error(a, b).amax());
                series.error = Some(errors.fold(0.0, f64::max));
            }
            reference.set_digits(REFERENCE_DIGITS);
        }
        forget_rounding(&mut of_steppers, &columns, D);
        let series: Vec<Series<'_, D>> =
            Series::labelled(trajectories.iter().map(|(label, trajectory)| (label.clone(), *trajectory)));
        Some(Self {
            name: scenario.name.clone(),
            axes: axis_names::<D>(),
            steps: scenario.time().steps,
            step: scenario.step,
            time: Column { values: grid.indices.iter().map(|&k| first.time(k)).collect(), digits: 12 },
            scene: Scene::of(scenario, &bodies),
            columns,
            force_ranges: (0..D).map(|axis| plot::force_range(&series, axis)).collect(),
            relative,
            series: of_steppers,
        })
    }
}

/// Sets to 0 what is rounding beside the other numbers of its kind, of all bodies and steppers.
fn forget_rounding(series: &mut [MotionSeries], columns: &[&str], dimension: usize) {
    let kinds: Vec<char> = columns.iter().map(|column| kind(column)).collect();
    for of_kind in ['x', 'a', 'q', 'v', 's', 'w', 'f'] {
        let is_of_kind = |(place, _): &(usize, &mut Column)| kinds[*place] == of_kind;
        let all = series.iter_mut().flat_map(|series| &mut series.values);
        let numbers = all.flat_map(|body| body.iter_mut().enumerate().filter(is_of_kind));
        forget_below(ROUNDING, numbers.flat_map(|(_, column)| &mut column.values).collect());
    }
    for part in 0..3 {
        let contacts = series.iter_mut().flat_map(|series| &mut series.contacts);
        let numbers = contacts.flat_map(|contacts| {
            let parts = contacts.values.chunks_mut(dimension);
            parts.enumerate().filter(move |(place, _)| place % 3 == part).flat_map(|(_, numbers)| numbers)
        });
        forget_below(INVISIBLE, numbers.collect());
    }
}

/// What kind of quantity a column is; those of a kind are in the same unit.
fn kind(column: &str) -> char {
    match column {
        "x" | "y" | "z" => 'x',
        other => other.chars().next().unwrap_or_default(),
    }
}

fn forget_below(share: f64, numbers: Vec<&mut f64>) {
    let sizes = numbers.iter().map(|number| number.abs()).filter(|size| size.is_finite());
    let least = share * sizes.fold(0.0, f64::max);
    numbers.into_iter().filter(|number| number.abs() < least).for_each(|number| *number = 0.0);
}

/// Which of `count` bodies are shown: an even selection where there are too many.
fn shown_bodies(count: usize) -> Vec<usize> {
    let shown = count.min(MOST_BODIES);
    (0..shown).map(|place| place * (count - 1) / (shown - 1).max(1)).collect()
}

/// What is known of how a body moves at an instant.
pub(super) fn columns_of_motion<const D: usize>(turns: bool) -> Vec<&'static str> {
    let (position, velocity): (&[_], &[_]) =
        if D == 2 { (&["x", "z"], &["vx", "vz"]) } else { (&["x", "y", "z"], &["vx", "vy", "vz"]) };
    let [turn, spin, _] = turning_columns::<D>(turns);
    [position, turn, velocity, spin].concat()
}

/// The forces of contacts on a body.
fn columns_of_force<const D: usize>() -> &'static [&'static str] {
    if D == 2 { &["fx", "fz"] } else { &["fx", "fy", "fz"] }
}

type Styled<'a, const D: usize> = (String, Style, &'a Trajectory<D>);

/// The trajectories in the order and with the styles of the pictures.
fn styles<'a, const D: usize>(trajectories: &[(String, &'a Trajectory<D>)]) -> Vec<Styled<'a, D>> {
    let labelled = |(label, trajectory): &(String, &'a Trajectory<D>)| (label.clone(), *trajectory);
    let series = Series::labelled(trajectories.iter().map(labelled));
    let first = series.into_iter().filter(|series| series.track.body == 0);
    let styled = first.filter_map(|series| {
        let same = |(label, trajectory): &&(String, &'a Trajectory<D>)| {
            *label == series.label && trajectory.stepper == series.track.stepper
        };
        let (label, trajectory) = trajectories.iter().find(same)?;
        Some((label.clone(), series.style, *trajectory))
    });
    styled.collect()
}

impl MotionSeries {
    fn new<const D: usize>(
        label: &str,
        style: &Style,
        trajectory: &Trajectory<D>,
        bodies: &[usize],
        grid: &Grid,
    ) -> Self {
        let steps = trajectory.steps.len();
        let tracks: Vec<_> = trajectory.tracks().collect();
        let column = |values: Vec<f64>| Column { values, digits: DIGITS };
        let mut remarks: Vec<String> = trajectory.ignored().iter().map(ToString::to_string).collect();
        remarks.extend(
            trajectory
                .first_failure
                .as_ref()
                .map(|failure| format!("a step failed at t = {} s: {}", failure.time, failure.error)),
        );
        Self {
            label: label.to_owned(),
            colour: hexadecimal(style.colour),
            dash: style.dash.to_vec(),
            width: style.width,
            reference: *style == Style::REFERENCE,
            error: None,
            cost: None,
            remarks,
            values: bodies
                .iter()
                .map(|&body| values(trajectory.track(body), grid).into_iter().map(column).collect())
                .collect(),
            energy: column(
                Energy::over_time(&tracks, grid.within(steps)).iter().map(Energy::total).collect(),
            ),
            modes: modes(trajectory),
            contacts: contacts(trajectory, grid),
        }
    }

    /// Turns the values into differences from those of the `reference`.
    pub(super) fn subtract(&mut self, reference: &Self) {
        let columns = self.values.iter_mut().flatten().chain([&mut self.energy]);
        for (column, reference) in columns.zip(reference.values.iter().flatten().chain([&reference.energy])) {
            for (value, reference) in column.values.iter_mut().zip(&reference.values) {
                *value -= reference;
            }
        }
    }

    pub(super) fn set_digits(&mut self, digits: i32) {
        let columns = self.values.iter_mut().flatten();
        columns.chain([&mut self.energy]).for_each(|column| column.digits = digits);
    }
}

/// The columns of one body: of its motion, and of the forces on it.
fn values<const D: usize>(track: Track<'_, D>, grid: &Grid) -> Vec<Vec<f64>> {
    let steps = track.steps.len();
    let places: Vec<usize> = grid.within(steps).collect();
    let mut columns = values_of_motion(track.states, track.attitudes, &places);
    columns.extend((0..D).map(|axis| {
        let mean = |span: std::ops::Range<usize>| {
            let count = span.len() as f64;
            track.steps[span].iter().map(|step| step.force[axis]).sum::<f64>() / count
        };
        grid.spans(steps).map(mean).collect()
    }));
    columns
}

/// The columns of a motion at some of its states, in the order of [`columns_of_motion`].
pub(super) fn values_of_motion<const D: usize>(
    states: &[State<D>],
    attitudes: &[Attitude],
    places: &[usize],
) -> Vec<Vec<f64>> {
    let column = |value: &dyn Fn(usize) -> f64| places.iter().map(|&place| value(place)).collect();
    let (turn_parts, spin_parts) = match (attitudes.is_empty(), D) {
        (true, _) => (0, 0),
        (false, 2) => (1, 1),
        (false, _) => (4, 3),
    };
    let mut columns: Vec<Vec<f64>> = (0..D).map(|axis| column(&|k| states[k].position[axis])).collect();
    columns.extend((0..turn_parts).map(|part| column(&|k| turn(&attitudes[k], part))));
    columns.extend((0..D).map(|axis| column(&|k| states[k].velocity[axis])));
    columns.extend((0..spin_parts).map(|part| column(&|k| attitudes[k].spin[part])));
    columns
}

/// A number of how a body is turned.
fn turn(attitude: &Attitude, part: usize) -> f64 {
    match &attitude.orientation {
        Orientation::Angle(angle) => *angle,
        // nalgebra keeps the real part last.
        Orientation::Quaternion(quaternion) => quaternion.coords[(part + 3) % 4],
    }
}

/// What every contact does: of a single point what it does itself, of bodies what every pair that touches does.
fn modes<const D: usize>(trajectory: &Trajectory<D>) -> Vec<ModeRow> {
    let scenario = &trajectory.scenario;
    let steps = trajectory.steps.len();
    if scenario.layout().is_point() {
        let track = trajectory.track(0);
        let mode = |k| BodyMode::of(track, k).map_or("", BodyMode::as_str);
        return vec![ModeRow { label: String::new(), spans: spans(trajectory, (0..steps).map(mode)) }];
    }
    let tracks: Vec<_> = trajectory.tracks().collect();
    let row = |pair: Touching| ModeRow {
        label: pair.name(tracks[0]),
        spans: spans(trajectory, (0..steps).map(|k| pair.doing(&tracks, k).as_str())),
    };
    pairs_of(&tracks).into_iter().take(MOST_ROWS).map(row).collect()
}

/// Where the modes of the steps change.
fn spans<const D: usize>(
    trajectory: &Trajectory<D>,
    modes: impl Iterator<Item = &'static str>,
) -> Vec<(f64, &'static str)> {
    let mut spans: Vec<(f64, &'static str)> = Vec::new();
    for (k, mode) in modes.enumerate() {
        if spans.last().is_none_or(|(_, last)| *last != mode) {
            spans.push((trajectory.time(k), mode));
        }
    }
    spans.push((trajectory.time(trajectory.steps.len()), ""));
    spans
}

/// The contacts in force at every instant, as what moves by forces feels them.
fn contacts<const D: usize>(trajectory: &Trajectory<D>, grid: &Grid) -> Vec<Column> {
    if trajectory.contacts.is_empty() {
        return Vec::new();
    }
    let of_step = |k: usize| {
        let contacts = trajectory.contacts.of_step(k).iter();
        let touching = contacts.filter(|contact| contact.force.iter().any(|part| *part != 0.0));
        let felt = touching.map(|contact| contact.as_felt(|body| trajectory.scenario.bodies[body].fixed));
        let numbers = felt.flat_map(|contact| {
            [contact.point, contact.normal, contact.force].into_iter().flat_map(|part| {
                let components: [f64; D] = part.into();
                components
            })
        });
        Column { values: numbers.collect(), digits: 4 }
    };
    grid.spans(trajectory.steps.len()).map(|span| of_step(span.start)).collect()
}

use super::{PoseError, Prediction, Predictor, StepperErrors};
use crate::{
    model::{Attitude, Orientation, Vector},
    plot::{Area, Axis, Figure, Marker, Panel, Point, Solid, Style, View, outline, palette},
};

/// Classes of a histogram.
const CLASSES: usize = 15;
/// Share of the errors that a histogram shows; the rest counts in its last class.
const SHOWN: f64 = 0.98;
/// Part of a class that is shown behind the last, so that its bar ends within the frame.
const BEYOND: f64 = 0.5;
/// Points in time of the picture of errors over time.
const INSTANTS: usize = 200;

/// Poses of a picture of a toss, and steppers at most that it shows.
const POSES: usize = 6;
const SHOWN_STEPPERS: usize = 3;
/// Filling of measured poses.
const MEASURED: (u8, u8, u8) = (217, 217, 217);

/// One kind of error: its name and unit, the factor to that unit, and how it is taken.
struct Kind {
    name: &'static str,
    unit: &'static str,
    factor: f64,
    of: fn(&PoseError) -> f64,
}

fn kinds<const D: usize>(predictor: &Predictor<D>) -> Vec<Kind> {
    let is_point = predictor.scenario().bodies[predictor.moving()].shape.size().is_none();
    let distance: fn(&PoseError) -> f64 = |error| error.distance;
    let position = match is_point {
        true => Kind { name: "distance of the point", unit: "m", factor: 1.0, of: distance },
        false => Kind {
            name: "distance of the centres, in sizes",
            unit: "%",
            factor: 100.0 / predictor.size(),
            of: distance,
        },
    };
    let rotation =
        Kind { name: "angle between the bodies", unit: "°", factor: 1.0, of: |error| error.rotation };
    if is_point { vec![position] } else { vec![position, rotation] }
}

fn title<const D: usize>(predictor: &Predictor<D>, what: &str) -> Figure {
    let mut figure = Figure::new(format!("{}: {what}", predictor.scenario().name));
    let recording = predictor.recording();
    figure.caption = format!("{}, predicted from the start alone", recording.counted(recording.tosses.len()));
    figure
}

/// Of every stepper the number of tosses by their mean error.
pub fn error_histograms<const D: usize>(
    predictor: &Predictor<D>,
    errors: &[StepperErrors],
    predictions: &[Vec<Prediction<D>>],
) -> Figure {
    let mut figure = title(predictor, "errors of throws");
    for Kind { name, unit, factor, of } in kinds(predictor) {
        let values = |of_stepper: &Vec<Prediction<D>>| -> Vec<f64> {
            let finished = of_stepper.iter().filter(|prediction| prediction.error.is_some());
            let mean = |prediction: &Prediction<D>| {
                factor * prediction.rows.iter().map(of).sum::<f64>() / prediction.rows.len() as f64
            };
            finished.map(mean).filter(|value| value.is_finite()).collect()
        };
        let all: Vec<Vec<f64>> = predictions.iter().map(values).collect();
        let mut sorted = all.concat();
        sorted.sort_by(f64::total_cmp);
        let largest =
            sorted.get((SHOWN * sorted.len() as f64) as usize).or(sorted.last()).copied().unwrap_or(1.0);
        let width = largest.max(f64::MIN_POSITIVE) / CLASSES as f64;
        let axis = Axis::new(format!("{name}, mean over a throw"), unit)
            .range(0.0, width * (CLASSES as f64 + BEYOND));
        let mut panel = Panel::new(axis, Axis::new("throws", "").include(0.0).whole()).height(130.0);
        for (index, (errors, values)) in errors.iter().zip(&all).enumerate() {
            let style = Style::of_series(index, predictions.len());
            panel = panel.curve(errors.law.to_string(), steps(values, width), style);
        }
        figure.panels.push(panel);
    }
    figure
}

/// The outline of a histogram, from the bottom and back to it.
fn steps(values: &[f64], width: f64) -> Vec<Point> {
    let class = |value: f64| ((value / width) as usize).min(CLASSES - 1);
    let mut counts = [0_u32; CLASSES];
    values.iter().for_each(|&value| counts[class(value)] += 1);
    let tops = counts
        .iter()
        .enumerate()
        .flat_map(|(index, &count)| [index, index + 1].map(|edge| [edge as f64 * width, f64::from(count)]));
    let [first, last] = [0, CLASSES].map(|edge| [edge as f64 * width, 0.0]);
    std::iter::once(first).chain(tops).chain([last]).collect()
}

/// Of every stepper the error over time, the mean over the tosses that last as long, up to where half of them
/// have ended.
pub fn error_over_time<const D: usize>(
    predictor: &Predictor<D>,
    errors: &[StepperErrors],
    predictions: &[Vec<Prediction<D>>],
) -> Figure {
    let mut figure = Figure { shared_x: true, ..title(predictor, "errors over time") };
    figure.caption += "; means over those that last as long";
    // Where fewer than half of the throws go on, the mean is that of a few.
    let mut durations: Vec<f64> = predictor.recording().tosses.iter().map(super::Toss::duration).collect();
    durations.sort_by(f64::total_cmp);
    let end = durations.get(durations.len() / 2).copied().unwrap_or(0.0);
    for Kind { name, unit, factor, of } in kinds(predictor) {
        let axis = Axis::new(name, unit).include(0.0);
        let mut panel = Panel::new(Axis::time().range(0.0, end), axis).height(130.0);
        for (index, (errors, of_stepper)) in errors.iter().zip(predictions).enumerate() {
            let at = |instant: usize| {
                let time = end * instant as f64 / (INSTANTS - 1) as f64;
                let there = of_stepper.iter().filter_map(|prediction| {
                    let toss = &predictor.recording().tosses[prediction.toss];
                    let first = toss.states.first()?.time;
                    let row = toss.states.iter().position(|state| state.time - first >= time - 1e-9)?;
                    prediction.rows.get(row).map(of)
                });
                let values: Vec<f64> = there.collect();
                [time, factor * values.iter().sum::<f64>() / values.len() as f64]
            };
            let points = (0..INSTANTS).map(at).collect();
            panel = panel.curve(errors.law.to_string(), points, Style::of_series(index, predictions.len()));
        }
        figure.panels.push(panel);
    }
    figure
}

/// Measured and predicted poses of the toss number `index`, from 0, at equal intervals: from the side, and in
/// space from two sides and from above. The first three steppers are shown.
pub fn toss_poses<const D: usize>(
    predictor: &Predictor<D>,
    errors: &[StepperErrors],
    predictions: &[Vec<Prediction<D>>],
    index: usize,
) -> Figure {
    let toss = &predictor.recording().tosses[index];
    let mut figure = Figure::new(format!("{}: toss {}", predictor.scenario().name, toss.number));
    let shown = errors.len().min(SHOWN_STEPPERS);
    let rows: Vec<usize> = (0..POSES).map(|pose| pose * (toss.states.len() - 1) / (POSES - 1)).collect();
    figure.caption = format!("every {:.2} s", toss.duration() / (POSES - 1) as f64);
    if shown < errors.len() {
        figure.caption += &format!("; the first {shown} of {} steppers", errors.len());
    }
    let axes = if D == 2 { vec![(0, 1)] } else { vec![(0, 2), (1, 2), (0, 1)] };
    for (panel, (across, up)) in axes.into_iter().enumerate() {
        let view = View::<D>::along_axes(across, up);
        let [x, y] = view.labels.clone().map(|label| Axis::new(label, "m"));
        let mut drawn = Panel::new(x, y).height(220.0);
        drawn.true_to_scale = true;
        if up + 1 == D {
            drawn.solids.push(Solid::GROUND);
        }
        let label =
            |name: &str, is_first: bool| if panel == 0 && is_first { name.to_owned() } else { String::new() };
        for (place, &row) in rows.iter().enumerate() {
            let measured = &toss.states[row];
            let style = Style::line(palette::BLACK).with_width(0.7);
            let label = label("measured", place == 0);
            draw_pose(
                &mut drawn,
                predictor,
                &view,
                (measured.state.position, measured.attitude),
                style,
                label,
                true,
            );
        }
        for (stepper, (errors, of_stepper)) in errors.iter().zip(predictions).take(shown).enumerate() {
            let style = Style { width: 1.4, ..Style::of_series(stepper, shown) };
            for (place, &row) in rows.iter().enumerate() {
                let Some((state, attitude)) = of_stepper.get(index).and_then(|one| one.states.get(row))
                else {
                    continue;
                };
                let label = label(&errors.law.to_string(), place == 0);
                draw_pose(&mut drawn, predictor, &view, (state.position, *attitude), style, label, false);
            }
        }
        figure.panels.push(drawn);
    }
    figure
}

/// The faces of the body at a pose that the view shows; a point as a marker.
fn draw_pose<const D: usize>(
    panel: &mut Panel,
    predictor: &Predictor<D>,
    view: &View<D>,
    (position, attitude): (Vector<D>, Option<Attitude>),
    style: Style,
    mut label: String,
    is_filled: bool,
) {
    let shape = &predictor.scenario().bodies[predictor.moving()].shape;
    let orientation = attitude.map_or_else(Orientation::upright::<D>, |attitude| attitude.orientation);
    for face in outline(shape, &position, &orientation, view) {
        if face.corners.len() == 1 {
            let marker = if is_filled { Marker::Disc } else { Marker::Circle };
            let style = Style::markers(style.colour, marker);
            panel.curves.push(crate::plot::Curve {
                label: std::mem::take(&mut label),
                points: face.corners,
                style,
            });
            continue;
        }
        panel.areas.push(Area {
            label: std::mem::take(&mut label),
            corners: face.corners,
            fill: is_filled.then_some(MEASURED),
            outline: style,
            marks: face.marks,
        });
    }
}

/// Which toss to show where none is asked for: the one whose error is the median of the first stepper's.
pub fn typical_toss<const D: usize>(predictions: &[Vec<Prediction<D>>]) -> usize {
    let finished = predictions.first().into_iter().flatten();
    let mut errors: Vec<(f64, usize)> =
        finished.filter_map(|prediction| Some((prediction.error?.position, prediction.toss))).collect();
    errors.sort_by(|a, b| a.0.total_cmp(&b.0));
    errors.get(errors.len() / 2).map_or(0, |(_, toss)| *toss)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_histogram_ends_where_it_begins_at_the_bottom_and_counts_what_is_beyond_in_its_last_class() {
        let outline = steps(&[0.5, 0.6, 100.0], 1.0);
        let end = CLASSES as f64;
        assert_eq!(outline[..3], [[0.0, 0.0], [0.0, 2.0], [1.0, 2.0]]);
        assert_eq!(outline[outline.len() - 3..], [[end - 1.0, 1.0], [end, 1.0], [end, 0.0]]);
    }
}

use super::drawable;
use crate::{
    learn::{
        data::{BlockGenerator, Selection},
        input::{BlockData, LearnError, Progress, report},
    },
    plot::{Axis, Figure, Marker, Panel, Point, Style},
};

/// Numbers of samples from which systems of `M` and `W` are learned in pictures.
pub const COUNTS: [usize; 10] = [4, 6, 8, 10, 13, 17, 22, 30, 50, 100];
/// Data sets for each of [`COUNTS`].
pub const SEEDS: u64 = 5;
/// Distance between the strokes of two learners, where numbers of samples are one apart.
const BESIDE: f64 = 0.14;
const MARKERS: [Marker; 4] = [Marker::Disc, Marker::Square, Marker::Up, Marker::Circle];

/// The error from so many samples, drawn with a seed.
pub type ErrorOf<'a> = dyn Fn(usize, u64, &mut Progress<'_>) -> Result<f64, LearnError> + 'a;

/// A way to learn, whose error depends on how much it is given.
pub struct Learner<'a> {
    /// What the legend says.
    pub label: String,
    /// The error from so many samples, drawn with this seed.
    pub error: Box<ErrorOf<'a>>,
}

/// The error over the number of samples: the median of several data sets as a curve, from the least
/// to the largest as a stroke.
///
/// # Errors
/// [`LearnError::Interrupted`] if `progress` said to stop. What cannot be learned is a gap.
pub fn learning_curve(
    title: &str,
    error: Axis,
    learners: &[Learner<'_>],
    counts: &[usize],
    seeds: u64,
    progress: &mut Progress<'_>,
) -> Result<Figure, LearnError> {
    // Equally spaced, so that every number has room for its label.
    let numbers = Axis::new("number of samples", "").names(counts.iter().map(usize::to_string));
    let mut panel = Panel::new(numbers, error.log());
    let steps = (learners.len() * counts.len()).max(1) as f64;
    let mut done = 0.0;
    for (index, learner) in learners.iter().enumerate() {
        let (mut medians, mut ranges): (Vec<Point>, Vec<Point>) = Default::default();
        let aside = BESIDE * (index as f64 - 0.5 * (learners.len() as f64 - 1.0));
        for (place, &count) in counts.iter().enumerate() {
            let mut errors = Vec::new();
            for seed in 0..seeds {
                report(progress, done / steps)?;
                match (learner.error)(count, seed, &mut |_| progress(done / steps)) {
                    Ok(error) => errors.extend(drawable(error)),
                    Err(LearnError::Interrupted) => return Err(LearnError::Interrupted),
                    Err(_) => {}
                }
            }
            done += 1.0;
            errors.sort_by(f64::total_cmp);
            if let (Some(low), Some(high)) = (errors.first(), errors.last()) {
                let x = place as f64 + aside;
                medians.push([x, errors[errors.len() / 2]]);
                ranges.extend([[x, *low], [x, *high], [f64::NAN, f64::NAN]]);
            }
        }
        let style = Style::of_series(index, learners.len());
        panel = panel.curve("", ranges, style.with_dash(&[]).with_width(0.8));
        panel = panel.curve(&learner.label, medians, style.with_marker(MARKERS[index % MARKERS.len()]));
    }
    let mut figure = Figure::new(title);
    figure.caption = format!("median and range of {seeds} data sets");
    figure.panels.push(panel);
    Ok(figure)
}

/// Learners from steps of the block, one for every choice of the forces of sticking steps.
pub fn learners_by_selection<'a>(
    generator: BlockGenerator,
    error: &'a dyn Fn(BlockData, &mut Progress<'_>) -> Result<f64, LearnError>,
) -> Vec<Learner<'a>> {
    let learner = |selection: Selection| Learner {
        label: format!("sticking forces: {}", selection.as_str()),
        error: Box::new(move |count, seed, progress| {
            let generator = BlockGenerator { selection, ..generator };
            error(BlockData::drawn(generator, count, seed), progress)
        }),
    };
    Selection::ALL.map(learner).into()
}

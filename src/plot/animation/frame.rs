use super::{
    super::{
        backend::Pixels,
        canvas::Canvas,
        decimate::{by_distance, straighten},
        error::PlotError,
        geometry::{Point, clip},
        impact::load,
        layout::Layout,
        series::Series,
        text::{Text, TextRole},
        theme::{Colour, INK, Marker, NOTE_SIZE, Style, WHITE, palette},
        ticks::with_prefix,
        write::refused,
    },
    timing::Timing,
};
use crate::{model::Vector, trajectory::Track};

/// Length of the arrow of a force as large as the load, and of the longest arrow.
const LOAD_ARROW: f64 = 32.0;
const LONGEST_ARROW: f64 = 2.0 * LOAD_ARROW;
const HEAD_LENGTH: f64 = 7.0;
const HEAD_HALF_WIDTH: f64 = 3.4;
const SHAFT_WIDTH: f64 = 2.0;
/// Radius of the point: the first is drawn largest, so that others on it stay visible.
const RADIUS: f64 = 4.6;
const TRAIL_WIDTH: f64 = 1.5;
/// Where the second half of the line under the title begins.
const FORCE_TEXT: f64 = 150.0;

/// Everything that moves, ready to be drawn at any instant.
pub(super) struct Stage<'a, const D: usize> {
    series: &'a [Series<'a, D>],
    layout: &'a Layout,
    timing: &'a Timing,
    /// Trails per view and series: points of the picture with the index of their state.
    trails: Vec<Vec<Vec<(usize, Point)>>>,
    views: &'a [(usize, usize)],
    /// Contact force in N that the ground bears at rest.
    load: f64,
}

impl<'a, const D: usize> Stage<'a, D> {
    pub(super) fn new(
        series: &'a [Series<'a, D>],
        layout: &'a Layout,
        views: &'a [(usize, usize)],
        timing: &'a Timing,
    ) -> Self {
        let trails = layout.panels.iter().zip(views).map(|(panel, &(across, up))| {
            let trail = |series: &Series<'_, D>| {
                let states = &series.track.states;
                let place =
                    states.iter().map(|state| panel.place([state.position[across], state.position[up]]));
                by_distance(place, [0.2, 0.2])
            };
            series.iter().map(trail).collect()
        });
        let load = series.iter().map(|series| load(series.track)).fold(0.0, f64::max);
        Self { series, layout, timing, trails: trails.collect(), views, load }
    }

    /// Colour of the arrow of a single trajectory's force.
    pub(super) fn force_colour(&self) -> Option<Colour> {
        (self.series.len() == 1).then_some(palette::VERMILLION)
    }

    pub(super) fn draw(&self, frame: usize, pixels: &mut Pixels) -> Result<(), PlotError> {
        let canvas = &mut Canvas::new(pixels, self.layout.width);
        let time = self.timing.at(frame);
        for (view, panel) in self.layout.panels.iter().enumerate() {
            for (trail, series) in self.trails[view].iter().zip(self.series) {
                let now = step_at(series.track, time);
                let done = trail.iter().take_while(|(index, _)| *index <= now).map(|(_, point)| *point);
                let style = Style { width: TRAIL_WIDTH.min(series.style.width), ..series.style };
                for part in clip(done, &panel.frame.grown(1.0)) {
                    let part = straighten(&part, 0.1);
                    canvas.line(&part, style.width, style.dash, style.colour).map_err(refused)?;
                }
            }
            for (index, series) in self.series.iter().enumerate() {
                let now = step_at(series.track, time);
                let Some(state) = series.track.states.get(now) else { continue };
                let (across, up) = self.views[view];
                let at = panel.place([state.position[across], state.position[up]]);
                if !panel.frame.grown(1.0).has(at) {
                    continue;
                }
                if up + 1 == D {
                    let force = self.mean_force(series.track, frame);
                    let colour = self.force_colour().unwrap_or(series.style.colour);
                    self.draw_force(canvas, at, [force[across], force[up]], colour)?;
                }
                let radius = RADIUS - 2.8 * index as f64 / self.series.len() as f64;
                if index == 0 {
                    canvas.marker(Marker::Disc, at, radius + 0.8, WHITE).map_err(refused)?;
                }
                canvas.marker(Marker::Disc, at, radius, series.style.colour).map_err(refused)?;
            }
        }
        self.draw_caption(canvas, frame)
    }

    /// Mean contact force over the time since the frame before.
    fn mean_force(&self, track: Track<'_, D>, frame: usize) -> Vector<D> {
        let now = step_at(track, self.timing.at(frame));
        let before = frame.checked_sub(1).map_or(0, |frame| step_at(track, self.timing.at(frame)));
        let steps = track.steps.get(before..now).unwrap_or_default();
        let sum = steps.iter().fold(Vector::zeros(), |sum, step| sum + step.force);
        if steps.is_empty() {
            track.steps.get(now).map_or(sum, |step| step.force)
        } else {
            sum / steps.len() as f64
        }
    }

    /// An arrow from the point; one that is cut at the longest length has two heads.
    fn draw_force(
        &self,
        canvas: &mut Canvas<'_, Pixels>,
        [x, y]: Point,
        force: Point,
        colour: Colour,
    ) -> Result<(), PlotError> {
        let size = force[0].hypot(force[1]);
        let length = LOAD_ARROW * size / self.load;
        if !(length > 1.0 && size.is_finite()) {
            return Ok(());
        }
        let is_cut = length > LONGEST_ARROW;
        let length = length.clamp(1.6 * HEAD_LENGTH, LONGEST_ARROW);
        let along = [force[0] / size, -force[1] / size];
        let at = |s: f64, side: f64| [x + s * along[0] - side * along[1], y + s * along[1] + side * along[0]];
        let neck = length - HEAD_LENGTH;
        canvas.line(&[[x, y], at(neck, 0.0)], SHAFT_WIDTH, &[], colour).map_err(refused)?;
        for back in if is_cut { &[0.0, HEAD_LENGTH][..] } else { &[0.0] } {
            let head =
                [at(length - back, 0.0), at(neck - back, HEAD_HALF_WIDTH), at(neck - back, -HEAD_HALF_WIDTH)];
            canvas.fill(&head, colour).map_err(refused)?;
        }
        Ok(())
    }

    /// Time, and for a single trajectory the size of the force.
    fn draw_caption(&self, canvas: &mut Canvas<'_, Pixels>, frame: usize) -> Result<(), PlotError> {
        let decimals = (-self.timing.interval.log10()).ceil().clamp(0.0, 12.0) as usize;
        let y = self.layout.caption;
        let left = self.layout.panels.first().map_or(0.0, |panel| panel.frame.left);
        let time = format!("*t* = {:.decimals$} s", self.timing.at(frame));
        let mut texts = vec![Text::new(&time, NOTE_SIZE, TextRole::Caption).at([left, y])];
        if let [only] = self.series {
            let force = self.mean_force(only.track, frame).norm();
            let label = format!("contact force {}", with_prefix(force, "N"));
            texts.push(Text::new(&label, NOTE_SIZE, TextRole::Caption).at([FORCE_TEXT, y]));
        }
        texts.iter().try_for_each(|text| canvas.text(text, INK)).map_err(refused)
    }
}

/// The last state at or before a time.
fn step_at<const D: usize>(track: Track<'_, D>, time: f64) -> usize {
    // A relative slack: the times of frames are not exact multiples of the step.
    let index = (time / track.scenario.step * (1.0 + 1e-9)).floor() as usize;
    index.min(track.states.len().saturating_sub(1))
}

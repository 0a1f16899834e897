use super::{
    super::{
        backend::Pixels,
        canvas::Canvas,
        decimate::{by_distance, straighten},
        draw::draw_curve,
        error::PlotError,
        geometry::{Point, clip},
        layout::Layout,
        scene::{
            Cast, FORCE_COLOUR, Links, Look, View, casts, forces_of_steps, has_outlines, links, load_of, pose,
        },
        series::Series,
        text::{Text, TextRole},
        theme::{Colour, INK, Marker, NOTE_SIZE, Style, WHITE, palette},
        ticks::with_prefix,
        write::refused,
    },
    timing::Timing,
};
use crate::{model::Vector, trajectory::Track};

/// Radius of the point: the first is drawn largest, so that others on it stay visible.
const RADIUS: f64 = 4.6;
const TRAIL_WIDTH: f64 = 1.5;
/// Width of the trail of a body, and of the outlines of several that lie on each other.
const CENTRE_WIDTH: f64 = 0.7;
const OUTLINE_WIDTH: f64 = 1.6;
/// Where the second half of the line under the title begins.
const FORCE_TEXT: f64 = 150.0;

/// Everything that moves, ready to be drawn at any instant.
pub(super) struct Stage<'a, const D: usize> {
    series: &'a [Series<'a, D>],
    casts: Vec<Cast<'a, 'a, D>>,
    layout: &'a Layout,
    timing: &'a Timing,
    /// Trails per view and series: points of the picture with the index of their state.
    trails: Vec<Vec<Vec<(usize, Point)>>>,
    views: &'a [View<D>],
    with_outlines: bool,
    /// Contact force in N that the ground bears at rest.
    load: f64,
}

impl<'a, const D: usize> Stage<'a, D> {
    pub(super) fn new(
        series: &'a [Series<'a, D>],
        layout: &'a Layout,
        views: &'a [View<D>],
        timing: &'a Timing,
    ) -> Self {
        let trails = layout.panels.iter().zip(views).map(|(panel, view)| {
            let trail = |series: &Series<'_, D>| {
                let place =
                    series.track.states.iter().map(|state| panel.place(view.project(&state.position)));
                by_distance(place, [0.2, 0.2])
            };
            series.iter().map(trail).collect()
        });
        let mut casts = casts(series);
        let with_outlines = series.first().is_some_and(|series| has_outlines(series.track.scenario));
        if with_outlines {
            // The reference is thin, and lies over all others.
            casts.sort_by_key(|cast| cast.series[0].style == Style::REFERENCE);
        }
        let load = load_of(&casts);
        Self { series, layout, timing, trails: trails.collect(), views, with_outlines, load, casts }
    }

    /// Colour of the arrow of a single trajectory's force.
    pub(super) fn force_colour(&self) -> Option<Colour> {
        (self.casts.len() == 1).then_some(FORCE_COLOUR)
    }

    /// The colours in which bodies are filled.
    pub(super) fn fillings(&self) -> Vec<Colour> {
        if !self.with_outlines || self.casts.len() > 1 {
            return Vec::new();
        }
        let styles = self.series.iter().map(|series| series.style).chain([Style::line(palette::GREY)]);
        let mut fillings: Vec<Colour> = styles.flat_map(Look::fillings::<D>).collect();
        fillings.sort_unstable();
        fillings.dedup();
        fillings
    }

    pub(super) fn draw(&self, frame: usize, pixels: &mut Pixels) -> Result<(), PlotError> {
        let canvas = &mut Canvas::new(pixels, self.layout.width);
        for (view, (panel, sight)) in self.layout.panels.iter().zip(self.views).enumerate() {
            self.draw_trails(canvas, view, frame)?;
            for cast in &self.casts {
                if self.with_outlines {
                    self.draw_bodies(canvas, cast, view, frame)?;
                } else {
                    self.draw_points(canvas, cast, view, frame)?;
                }
                if sight.shows_height() {
                    let colour = self.force_colour().unwrap_or(cast.series[0].style.colour);
                    let steps = self.steps_before(cast.any(), frame);
                    let arrows = forces_of_steps(cast, steps, sight, (self.load, colour), false);
                    arrows.iter().try_for_each(|arrow| arrow.draw(canvas, panel)).map_err(refused)?;
                }
            }
        }
        self.draw_caption(canvas, frame)
    }

    fn draw_trails(
        &self,
        canvas: &mut Canvas<'_, Pixels>,
        view: usize,
        frame: usize,
    ) -> Result<(), PlotError> {
        let panel = &self.layout.panels[view];
        let width = if self.with_outlines { CENTRE_WIDTH } else { TRAIL_WIDTH };
        for (trail, series) in self.trails[view].iter().zip(self.series) {
            let now = step_at(series.track, self.timing.at(frame));
            let done = trail.iter().take_while(|(index, _)| *index <= now).map(|(_, point)| *point);
            let style = Style { width: width.min(series.style.width), ..series.style };
            for part in clip(done, &panel.frame.grown(1.0)) {
                let part = straighten(&part, 0.1);
                canvas.line(&part, style.width, style.dash, style.colour).map_err(refused)?;
            }
        }
        Ok(())
    }

    fn draw_bodies(
        &self,
        canvas: &mut Canvas<'_, Pixels>,
        cast: &Cast<'_, '_, D>,
        view: usize,
        frame: usize,
    ) -> Result<(), PlotError> {
        let (panel, sight) = (&self.layout.panels[view], &self.views[view]);
        let is_single = self.casts.len() == 1;
        let look = if is_single { Look::Solid } else { Look::Outlined };
        let now = step_at(cast.any(), self.timing.at(frame));
        let colour = if is_single { INK } else { cast.series[0].style.colour };
        let Links { springs, rigid } = links(cast, now, sight, colour, 1.0);
        springs.iter().try_for_each(|spring| draw_curve(canvas, spring, panel)).map_err(refused)?;
        for series in cast.farthest_first(now, sight) {
            let style = Style { width: OUTLINE_WIDTH.min(series.style.width), dash: &[], ..series.style };
            let (areas, marker) = pose(series.track, now, sight, style, look);
            areas.iter().try_for_each(|area| area.draw(canvas, panel)).map_err(refused)?;
            marker.iter().try_for_each(|marker| draw_curve(canvas, marker, panel)).map_err(refused)?;
        }
        rigid.iter().try_for_each(|link| draw_curve(canvas, link, panel)).map_err(refused)
    }

    fn draw_points(
        &self,
        canvas: &mut Canvas<'_, Pixels>,
        cast: &Cast<'_, '_, D>,
        view: usize,
        frame: usize,
    ) -> Result<(), PlotError> {
        let (panel, sight) = (&self.layout.panels[view], &self.views[view]);
        for member in cast.series {
            let now = step_at(member.track, self.timing.at(frame));
            let Some(state) = member.track.states.get(now) else { continue };
            let at = panel.place(sight.project(&state.position));
            if !panel.frame.grown(1.0).has(at) {
                continue;
            }
            let index = self.series.iter().position(|series| std::ptr::eq(series, member)).unwrap_or(0);
            let radius = RADIUS - 2.8 * index as f64 / self.series.len() as f64;
            if index == 0 {
                canvas.marker(Marker::Disc, at, radius + 0.8, WHITE).map_err(refused)?;
            }
            canvas.marker(Marker::Disc, at, radius, member.style.colour).map_err(refused)?;
        }
        Ok(())
    }

    /// The steps since the frame before; the one to come if there are none.
    fn steps_before(&self, track: Track<'_, D>, frame: usize) -> std::ops::Range<usize> {
        let now = step_at(track, self.timing.at(frame));
        let before = frame.checked_sub(1).map_or(0, |frame| step_at(track, self.timing.at(frame)));
        if before < now { before..now } else { now..(now + 1).min(track.reports.len()) }
    }

    /// Mean contact force over the time since the frame before.
    fn mean_force(&self, track: Track<'_, D>, frame: usize) -> Vector<D> {
        let steps = track.steps.get(self.steps_before(track, frame)).unwrap_or_default();
        let sum = steps.iter().fold(Vector::zeros(), |sum, step| sum + step.force);
        if steps.is_empty() { sum } else { sum / steps.len() as f64 }
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
pub(super) fn step_at<const D: usize>(track: Track<'_, D>, time: f64) -> usize {
    // A relative slack: the times of frames are not exact multiples of the step.
    let index = (time / track.interval() * (1.0 + 1e-9)).floor() as usize;
    index.min(track.states.len().saturating_sub(1))
}

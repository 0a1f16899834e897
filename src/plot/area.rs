//! Outlines of bodies.

use plotters_backend::DrawingBackend;

use super::{
    canvas::{Canvas, Drawn},
    decimate::straighten,
    geometry::{Point, clip, clip_to},
    panel_layout::PanelLayout,
    theme::{Colour, Style},
};

/// The outline of a body, filled or not, with the lines on it.
#[derive(Debug, Clone, PartialEq)]
pub struct Area {
    /// What the legend says; nothing if empty.
    pub label: String,
    /// The corners; two of them are a stroke.
    pub corners: Vec<Point>,
    /// What it is filled with, if with anything.
    pub fill: Option<Colour>,
    /// How its outline is drawn.
    pub outline: Style,
    /// Lines on it, drawn as its outline is, but thinner.
    pub marks: Vec<Vec<Point>>,
}

/// Width of a stroke over that of an outline.
const STROKE_WIDTH: f64 = 2.4;

/// A curve may be off by this much after points on a line are dropped.
const TOLERANCE: f64 = 0.03;

impl Area {
    pub(super) fn draw<B: DrawingBackend>(
        &self,
        canvas: &mut Canvas<'_, B>,
        place: &PanelLayout,
    ) -> Drawn<B> {
        let mut corners: Vec<Point> = self.corners.iter().map(|&corner| place.place(corner)).collect();
        if !corners.iter().flatten().all(|coordinate| coordinate.is_finite()) {
            return Ok(());
        }
        let frame = place.frame;
        if let Some(colour) = self.fill.filter(|_| corners.len() > 2) {
            let inside = clip_to(&corners, &frame);
            if inside.len() > 2 {
                canvas.fill(&inside, colour)?;
            }
        }
        let style = self.outline;
        let mut line = |points: &[Point], width: f64| {
            clip(points.iter().copied(), &frame).iter().try_for_each(|part| {
                canvas.line(&straighten(part, TOLERANCE), width, style.dash, style.colour)
            })
        };
        let is_stroke = corners.len() == 2;
        // Beyond its first corner, so that the last one is round too.
        corners.extend_from_within(..corners.len().min(2));
        if is_stroke {
            line(&corners[..2], STROKE_WIDTH * style.width)?;
        } else {
            line(&corners, style.width)?;
        }
        for mark in &self.marks {
            let mark: Vec<Point> = mark.iter().map(|&point| place.place(point)).collect();
            line(&mark, 0.7 * style.width)?;
        }
        Ok(())
    }
}

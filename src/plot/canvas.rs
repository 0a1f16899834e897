use plotters::style::{FontDesc, FontFamily, FontTransform, RGBColor, ShapeStyle, TextStyle};
use plotters_backend::{BackendCoord, DrawingBackend, DrawingErrorKind};

use super::{
    dash,
    font::{FAMILY, LINE_HEIGHT},
    geometry::{Point, Rect},
    text::Text,
    theme::{Colour, Marker},
};

/// What drawing answers.
pub(super) type Drawn<B> = Result<(), DrawingErrorKind<<B as DrawingBackend>::ErrorType>>;

/// A plotters backend in the units of a picture.
pub(super) struct Canvas<'a, B> {
    backend: &'a mut B,
    scale: f64,
}

impl<'a, B: DrawingBackend> Canvas<'a, B> {
    /// The whole of `backend`, `width` units wide.
    pub(super) fn new(backend: &'a mut B, width: f64) -> Self {
        let scale = f64::from(backend.get_size().0) / width;
        Self { backend, scale }
    }

    fn coordinates(&self, [x, y]: Point) -> BackendCoord {
        // `as` saturates, and what is drawn is cut to its frame before.
        ((x * self.scale).round() as i32, (y * self.scale).round() as i32)
    }

    fn length(&self, length: f64) -> u32 {
        ((length * self.scale).round() as u32).max(1)
    }

    /// Draws a line through points, in dashes if `pattern` has any.
    pub(super) fn line(&mut self, points: &[Point], width: f64, pattern: &[f64], colour: Colour) -> Drawn<B> {
        let style = ShapeStyle { color: rgb(colour).into(), filled: false, stroke_width: self.length(width) };
        for piece in dash::cut(points, pattern) {
            let piece: Vec<_> = piece.into_iter().map(|point| self.coordinates(point)).collect();
            self.backend.draw_path(piece, &style)?;
        }
        Ok(())
    }

    /// Fills a polygon.
    pub(super) fn fill(&mut self, corners: &[Point], colour: Colour) -> Drawn<B> {
        let style = ShapeStyle { color: rgb(colour).into(), filled: true, stroke_width: 0 };
        let corners: Vec<_> = corners.iter().map(|&corner| self.coordinates(corner)).collect();
        self.backend.fill_polygon(corners, &style)
    }

    /// Outlines a rectangle.
    pub(super) fn outline(&mut self, rect: &Rect, width: f64, colour: Colour) -> Drawn<B> {
        let style = ShapeStyle { color: rgb(colour).into(), filled: false, stroke_width: self.length(width) };
        let upper_left = self.coordinates([rect.left, rect.top]);
        let lower_right = self.coordinates([rect.right, rect.bottom]);
        self.backend.draw_rect(upper_left, lower_right, &style, false)
    }

    /// Draws a marker about 2 `radius` wide.
    pub(super) fn marker(&mut self, marker: Marker, at: Point, radius: f64, colour: Colour) -> Drawn<B> {
        let [x, y] = at;
        match marker {
            Marker::Disc => self.disc(at, radius, colour),
            Marker::Circle => {
                self.disc(at, radius, colour)?;
                self.disc(at, 0.6 * radius, super::theme::WHITE)
            }
            Marker::Square => {
                let side = 0.9 * radius;
                let rect = Rect { left: x - side, top: y - side, right: x + side, bottom: y + side };
                self.fill(&rect.corners(), colour)
            }
            Marker::Up | Marker::Down => {
                let tip = if marker == Marker::Up { -1.15 * radius } else { 1.15 * radius };
                self.fill(&[[x, y + tip], [x - radius, y - 0.75 * tip], [x + radius, y - 0.75 * tip]], colour)
            }
        }
    }

    fn disc(&mut self, at: Point, radius: f64, colour: Colour) -> Drawn<B> {
        let style = ShapeStyle { color: rgb(colour).into(), filled: true, stroke_width: 0 };
        let (centre, radius) = (self.coordinates(at), self.length(radius));
        self.backend.draw_circle(centre, radius, &style, true)
    }

    /// Writes a text at its place.
    pub(super) fn text(&mut self, text: &Text, colour: Colour) -> Drawn<B> {
        for run in &text.line.runs {
            let along = run.start * text.size;
            let rise = run.rise * text.size;
            // plotters puts the baseline half a line below the top of the box, which it anchors.
            let line_height = run.size * text.size * LINE_HEIGHT;
            let up = 0.5 * line_height + rise;
            let [x, y] = text.start;
            let (at, transform) = if text.is_turned {
                ([x - up, y - along], FontTransform::Rotate270)
            } else {
                ([x + along, y - up], FontTransform::None)
            };
            let font = FontDesc::new(FontFamily::Name(FAMILY), line_height * self.scale, run.face.style());
            let colour = rgb(colour);
            let style = TextStyle::from(font.transform(transform)).color(&colour);
            let at = self.coordinates(at);
            self.backend.draw_text(&run.text, &style, at)?;
        }
        Ok(())
    }
}

fn rgb((red, green, blue): Colour) -> RGBColor {
    RGBColor(red, green, blue)
}

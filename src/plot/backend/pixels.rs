use plotters_backend::{BackendColor, BackendCoord, BackendStyle, BackendTextStyle};
use tiny_skia::{Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, Transform};

use super::{
    super::font::Segment,
    SUBUNITS, glyphs,
    sheet::{Ink, Sheet},
};

/// A picture of pixels with anti-aliased lines, fillings and glyphs.
pub(in super::super) type Pixels = Sheet<PixelsInk>;

/// What is drawn so far.
#[derive(Clone)]
pub(in super::super) struct PixelsInk {
    map: Pixmap,
}

impl Pixels {
    /// A white picture; `None` if it has no pixels or too many to hold.
    pub(in super::super) fn new(width: u32, height: u32) -> Option<Self> {
        let mut map = Pixmap::new(width, height)?;
        map.fill(Color::WHITE);
        Some(Sheet(PixelsInk { map }))
    }

    /// Width and height in pixels.
    pub(in super::super) fn dimensions(&self) -> (u32, u32) {
        (self.0.map.width(), self.0.map.height())
    }

    /// Red, green and blue of every pixel, row by row.
    pub(in super::super) fn rgb(&self) -> impl Iterator<Item = [u8; 3]> {
        // The background is opaque, so that premultiplied colours are the colours.
        self.0.map.pixels().iter().map(|pixel| [pixel.red(), pixel.green(), pixel.blue()])
    }

    /// Becomes a copy of `other`, which has the same dimensions, without allocating.
    pub(in super::super) fn copy_from(&mut self, other: &Self) {
        self.0.map.data_mut().copy_from_slice(other.0.map.data());
    }
}

impl PixelsInk {
    fn fill_path(&mut self, color: BackendColor, path: Option<Path>) {
        if let Some(path) = path {
            self.map.fill_path(&path, &paint(color), FillRule::Winding, to_pixels(), None);
        }
    }

    fn stroke_path(&mut self, style: &impl BackendStyle, path: Option<Path>) {
        if let Some(path) = path {
            let stroke = Stroke {
                width: style.stroke_width() as f32,
                line_cap: LineCap::Butt,
                line_join: LineJoin::Round,
                ..Stroke::default()
            };
            self.map.stroke_path(&path, &paint(style.color()), &stroke, to_pixels(), None);
        }
    }
}

fn paint(BackendColor { rgb: (red, green, blue), alpha }: BackendColor) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color_rgba8(red, green, blue, (alpha * 255.0).round() as u8);
    paint
}

fn to_pixels() -> Transform {
    let scale = (1.0 / SUBUNITS) as f32;
    Transform::from_scale(scale, scale)
}

fn polyline(points: impl IntoIterator<Item = BackendCoord>, close: bool) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for (index, (x, y)) in points.into_iter().enumerate() {
        if index == 0 {
            builder.move_to(x as f32, y as f32);
        } else {
            builder.line_to(x as f32, y as f32);
        }
    }
    if close {
        builder.close();
    }
    builder.finish()
}

impl Ink for PixelsInk {
    fn size(&self) -> (u32, u32) {
        let scale = SUBUNITS as u32;
        (self.map.width() * scale, self.map.height() * scale)
    }

    fn stroke(
        &mut self,
        style: &impl BackendStyle,
        points: impl IntoIterator<Item = BackendCoord>,
        is_closed: bool,
    ) {
        self.stroke_path(style, polyline(points, is_closed));
    }

    fn fill(&mut self, color: BackendColor, corners: impl IntoIterator<Item = BackendCoord>) {
        self.fill_path(color, polyline(corners, true));
    }

    fn circle(&mut self, (x, y): BackendCoord, radius: u32, style: &impl BackendStyle, is_filled: bool) {
        let path = PathBuilder::from_circle(x as f32, y as f32, radius as f32);
        if is_filled {
            self.fill_path(style.color(), path);
        } else {
            self.stroke_path(style, path);
        }
    }

    fn write(&mut self, text: &str, style: &impl BackendTextStyle, position: BackendCoord) {
        let mut builder = PathBuilder::new();
        let single = |[x, y]: [f64; 2]| (x as f32, y as f32);
        glyphs::outline(text, style, position, |segment| match segment {
            Segment::Move(p) => {
                let (x, y) = single(p);
                builder.move_to(x, y);
            }
            Segment::Line(p) => {
                let (x, y) = single(p);
                builder.line_to(x, y);
            }
            Segment::Quad(c, p) => {
                let ((cx, cy), (x, y)) = (single(c), single(p));
                builder.quad_to(cx, cy, x, y);
            }
            Segment::Cubic(c, d, p) => {
                let ((cx, cy), (dx, dy), (x, y)) = (single(c), single(d), single(p));
                builder.cubic_to(cx, cy, dx, dy, x, y);
            }
            Segment::Close => builder.close(),
        });
        self.fill_path(style.color(), builder.finish());
    }
}

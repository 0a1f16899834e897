use plotters::style::FontTransform;
use plotters_backend::{
    BackendCoord, BackendTextStyle,
    text_anchor::{HPos, VPos},
};

use super::super::font::{Face, LINE_HEIGHT, Segment};

/// Where a text stands, in backend coordinates: as plotters' own backends place it, in a box of the text's width,
/// anchored at a position, the baseline half a line height below its top.
pub(super) struct Placement {
    pub face: Face,
    /// Type size.
    pub size: f64,
    left: f64,
    baseline: f64,
    transform: FontTransform,
    position: [f64; 2],
}

impl Placement {
    pub(super) fn of<S: BackendTextStyle>(text: &str, style: &S, position: BackendCoord) -> Self {
        let face = Face::of(style.style());
        let size = style.size() / LINE_HEIGHT;
        let box_height = style.size() / 1.24;
        let left = match style.anchor().h_pos {
            HPos::Left => 0.0,
            HPos::Center => -0.5 * face.width(text) * size,
            HPos::Right => -face.width(text) * size,
        };
        let top = match style.anchor().v_pos {
            VPos::Top => 0.0,
            VPos::Center => -0.5 * box_height,
            VPos::Bottom => -box_height,
        };
        let position = [f64::from(position.0), f64::from(position.1)];
        Self { face, size, left, baseline: top + 0.5 * style.size(), transform: style.transform(), position }
    }

    /// Where a point of an outline lies, given in units of the type size from the start of the baseline.
    pub(super) fn place(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let (x, y) = (self.left + x * self.size, self.baseline - y * self.size);
        let (x, y) = match self.transform {
            FontTransform::None => (x, y),
            FontTransform::Rotate90 => (-y, x),
            FontTransform::Rotate180 => (-x, -y),
            FontTransform::Rotate270 => (y, -x),
        };
        [self.position[0] + x, self.position[1] + y]
    }
}

/// Gives the outline of a text in backend coordinates.
pub(super) fn outline<S: BackendTextStyle>(
    text: &str,
    style: &S,
    position: BackendCoord,
    mut draw: impl FnMut(Segment),
) {
    let placement = Placement::of(text, style, position);
    let place = |point| placement.place(point);
    placement.face.outline(text, |segment| {
        draw(match segment {
            Segment::Move(p) => Segment::Move(place(p)),
            Segment::Line(p) => Segment::Line(place(p)),
            Segment::Quad(c, p) => Segment::Quad(place(c), place(p)),
            Segment::Cubic(c, d, p) => Segment::Cubic(place(c), place(d), place(p)),
            Segment::Close => Segment::Close,
        });
    });
}

use plotters::style::FontTransform;
use plotters_backend::{
    BackendCoord, BackendTextStyle,
    text_anchor::{HPos, VPos},
};

use super::super::font::{Face, LINE_HEIGHT, Segment};

/// Gives the outline of a text in backend coordinates, placed as plotters' own backends place it:
/// a box of the text's width, anchored at `position`, the baseline half a line height below its top.
pub(super) fn outline<S: BackendTextStyle>(
    text: &str,
    style: &S,
    position: BackendCoord,
    mut draw: impl FnMut(Segment),
) {
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
    let baseline = top + 0.5 * style.size();
    let (x0, y0) = (f64::from(position.0), f64::from(position.1));
    let transform = style.transform();
    let place = |[x, y]: [f64; 2]| {
        let (x, y) = (left + x * size, baseline - y * size);
        let (x, y) = match transform {
            FontTransform::None => (x, y),
            FontTransform::Rotate90 => (-y, x),
            FontTransform::Rotate180 => (-x, -y),
            FontTransform::Rotate270 => (y, -x),
        };
        [x0 + x, y0 + y]
    };
    face.outline(text, |segment| {
        draw(match segment {
            Segment::Move(p) => Segment::Move(place(p)),
            Segment::Line(p) => Segment::Line(place(p)),
            Segment::Quad(c, p) => Segment::Quad(place(c), place(p)),
            Segment::Cubic(c, d, p) => Segment::Cubic(place(c), place(d), place(p)),
            Segment::Close => Segment::Close,
        });
    });
}

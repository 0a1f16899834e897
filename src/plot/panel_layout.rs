use super::{
    geometry::{Point, Rect},
    ruler::Ruler,
};

/// The frame and the axes of a panel.
#[derive(Debug, Clone, PartialEq)]
pub struct PanelLayout {
    /// The frame around the data.
    pub frame: Rect,
    /// The horizontal axis.
    pub x: Ruler,
    /// The vertical axis.
    pub y: Ruler,
}

impl PanelLayout {
    /// Where a point of the data lies in the picture; not a number where it has no place.
    pub fn place(&self, [x, y]: Point) -> Point {
        [
            self.frame.left + self.x.fraction(x) * self.frame.width(),
            self.frame.bottom - self.y.fraction(y) * self.frame.height(),
        ]
    }
}

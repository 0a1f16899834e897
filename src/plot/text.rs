use super::{
    geometry::{Point, Rect},
    markup::{self, Line},
};

/// A text of a picture with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Text {
    /// What it says, as markup.
    pub label: String,
    /// What it is for.
    pub role: TextRole,
    /// Size of the type.
    pub size: f64,
    /// Whether it runs upwards.
    pub is_turned: bool,
    /// Left end of the baseline; lower end if turned.
    pub start: Point,
    /// The box around its ink.
    pub rect: Rect,
    pub(super) line: Line,
}

/// What a text is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextRole {
    /// The title of the picture.
    Title,
    /// The line under the title.
    Caption,
    /// An entry of the legend.
    Legend,
    /// The heading of an axis.
    Heading,
    /// The label of a tick.
    Tick,
    /// A note inside a panel.
    Note,
}

impl Text {
    pub(super) fn new(label: &str, size: f64, role: TextRole) -> Self {
        let line = markup::set(label);
        let rect = Rect { left: 0.0, top: 0.0, right: 0.0, bottom: 0.0 };
        Self { label: label.to_owned(), role, size, is_turned: false, start: [0.0, 0.0], rect, line }
            .at([0.0, 0.0])
    }

    pub(super) fn width(&self) -> f64 {
        self.line.width * self.size
    }

    /// The same in a type small enough for `room`.
    pub(super) fn fit_into(mut self, room: f64) -> Self {
        if self.width() > room {
            self.size *= room / self.width();
        }
        self
    }

    /// The same, running upwards.
    pub(super) fn turned(mut self) -> Self {
        self.is_turned = true;
        self
    }

    /// Starts at a point of its baseline.
    pub(super) fn at(mut self, start: Point) -> Self {
        self.start = start;
        let [x, y] = start;
        let (above, below) = (self.line.extent.above * self.size, self.line.extent.below * self.size);
        self.rect = if self.is_turned {
            Rect { left: x - above, right: x + below, top: y - self.width(), bottom: y }
        } else {
            Rect { left: x, right: x + self.width(), top: y - above, bottom: y + below }
        };
        self
    }

    pub(super) fn centred_at(self, [x, y]: Point) -> Self {
        let half = 0.5 * self.width();
        if self.is_turned { self.at([x, y + half]) } else { self.at([x - half, y]) }
    }

    pub(super) fn ending_at(self, [x, y]: Point) -> Self {
        let width = self.width();
        self.at([x - width, y])
    }
}

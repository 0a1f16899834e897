use super::theme::{TICK_SIZE, WIDTH};

/// Points per mm.
const POINTS_PER_MM: f64 = 72.0 / 25.4;

/// How large a picture is in print.
///
/// All lengths of a picture but its width follow the size of its type: a wider picture has more room for the
/// same lines and letters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrintSize {
    /// Width in mm.
    pub width: f64,
    /// Size of the numbers at the axes in points (1/72 inch); titles are a little larger.
    pub font: f64,
}

impl PrintSize {
    /// Widths in mm of a column of a journal and of both.
    pub const SINGLE_COLUMN: f64 = 88.0;
    /// See [`PrintSize::SINGLE_COLUMN`].
    pub const DOUBLE_COLUMN: f64 = 180.0;
    /// The usual size of type in points: the smallest that is still read with ease.
    pub const FONT: f64 = Self::SINGLE_COLUMN * POINTS_PER_MM / WIDTH * TICK_SIZE;

    /// Points of a unit of the picture.
    pub(super) fn unit(&self) -> f64 {
        self.font / TICK_SIZE
    }

    /// Width in units of the picture.
    pub(super) fn units(&self) -> f64 {
        // Rounded, so that the usual width is what it says.
        (self.width * POINTS_PER_MM / self.unit() * 1e6).round() / 1e6
    }

    /// What heights of panels grow by in a wider picture, so that its proportions stay pleasant.
    pub(super) fn growth(&self) -> f64 {
        (self.units() / WIDTH).sqrt().clamp(1.0, 1.6)
    }

    /// mm of a unit of the picture.
    pub(super) fn unit_in_mm(&self) -> f64 {
        self.unit() / POINTS_PER_MM
    }
}

/// A column of a journal, in the usual type.
impl Default for PrintSize {
    fn default() -> Self {
        Self { width: Self::SINGLE_COLUMN, font: Self::FONT }
    }
}

//! Sizes, colours and line styles of every picture.
//!
//! Lengths are in units of a picture 400 units wide. Printed at the width of a journal column
//! (88 mm) a unit is 0.62 pt, so that the smallest type is 6.2 pt.

/// Width of every picture.
pub(super) const WIDTH: f64 = 400.0;
/// Pixels per unit in a PNG: 1440 pixels wide.
pub(super) const PNG_SCALE: f64 = 3.6;

/// Type sizes.
pub(super) const TITLE_SIZE: f64 = 12.0;
pub(super) const LABEL_SIZE: f64 = 11.0;
pub(super) const TICK_SIZE: f64 = 10.0;
pub(super) const NOTE_SIZE: f64 = 10.0;

/// Line widths.
pub(super) const CURVE_WIDTH: f64 = 1.5;
pub(super) const FRAME_WIDTH: f64 = 0.7;
pub(super) const GRID_WIDTH: f64 = 0.5;

/// A colour, red, green and blue.
pub type Colour = (u8, u8, u8);

/// A colour as HTML and SVG have it.
pub(crate) fn hexadecimal((red, green, blue): Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

pub(super) const WHITE: Colour = (255, 255, 255);
pub(super) const INK: Colour = (0, 0, 0);
pub(super) const GRID: Colour = (226, 226, 226);
pub(super) const GROUND: Colour = (214, 209, 202);

/// A colour between two: `share` of `ink` on `paper`.
pub(super) fn mix(paper: Colour, ink: Colour, share: f64) -> Colour {
    let mix = |a: u8, b: u8| (f64::from(a) + share * (f64::from(b) - f64::from(a))).round() as u8;
    (mix(paper.0, ink.0), mix(paper.1, ink.1), mix(paper.2, ink.2))
}

/// The palette of Okabe and Ito (Color Universal Design, 2008), which readers with any of the
/// common colour deficiencies can tell apart. Its yellow is left out: thin lines of it vanish on
/// white paper; the grey of its later editions takes the place.
pub mod palette {
    use super::Colour;
    /// Black.
    pub const BLACK: Colour = (0, 0, 0);
    /// Orange.
    pub const ORANGE: Colour = (230, 159, 0);
    /// Sky blue.
    pub const SKY_BLUE: Colour = (86, 180, 233);
    /// Bluish green.
    pub const GREEN: Colour = (0, 158, 115);
    /// Blue.
    pub const BLUE: Colour = (0, 114, 178);
    /// Vermillion.
    pub const VERMILLION: Colour = (213, 94, 0);
    /// Reddish purple.
    pub const PURPLE: Colour = (204, 121, 167);
    /// Grey.
    pub const GREY: Colour = (128, 128, 128);
}

/// Lengths of dashes and gaps by turns; empty for a solid line.
pub type Dash = &'static [f64];

/// Dash patterns that stay apart in black and white.
const DASHES: [Dash; 6] =
    [&[7.0, 3.0], &[1.5, 2.2], &[7.0, 2.2, 1.5, 2.2], &[3.6, 2.2], &[11.0, 2.5, 3.5, 2.5], &[2.5, 3.5]];

/// In the order in which few of them differ most, for every kind of colour vision.
const SERIES_COLOURS: [Colour; 7] = [
    palette::BLUE,
    palette::ORANGE,
    palette::VERMILLION,
    palette::SKY_BLUE,
    palette::GREEN,
    palette::PURPLE,
    palette::GREY,
];

/// How a curve is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Style {
    /// Colour of line and markers.
    pub colour: Colour,
    /// Line width; 0 draws no line.
    pub width: f64,
    /// Dash pattern.
    pub dash: Dash,
    /// Drawn at every point of the curve.
    pub marker: Option<Marker>,
}

/// Shapes of markers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marker {
    /// A filled disc.
    Disc,
    /// A circle, white inside.
    Circle,
    /// A filled square.
    Square,
    /// A filled triangle that points up.
    Up,
    /// A filled triangle that points down.
    Down,
}

impl Style {
    /// A solid line of the usual width.
    pub const fn line(colour: Colour) -> Self {
        Self { colour, width: CURVE_WIDTH, dash: &[], marker: None }
    }

    /// Markers without a line.
    pub const fn markers(colour: Colour, marker: Marker) -> Self {
        Self { colour, width: 0.0, dash: &[], marker: Some(marker) }
    }

    /// The reference that others are compared with: a thin black line, drawn over all others, which are broader.
    pub const REFERENCE: Self = Self { colour: palette::BLACK, width: 0.8, dash: &[], marker: None };

    /// Style `index` of `count` curves in one panel.
    ///
    /// Colours differ first; with them dashes, which stay apart in black and white; and later curves are thinner.
    /// Where curves lie on each other they take turns besides.
    pub fn of_series(index: usize, count: usize) -> Self {
        let share = if count > 1 { index.min(count - 1) as f64 / (count - 1) as f64 } else { 0.5 };
        Self {
            colour: SERIES_COLOURS[index % SERIES_COLOURS.len()],
            width: 2.2 - share,
            // Only the undermost is solid: it would hide what lies under it.
            dash: index.checked_sub(1).map_or(&[], |index| DASHES[index % DASHES.len()]),
            marker: None,
        }
    }

    /// The same with markers at the points.
    pub const fn with_marker(mut self, marker: Marker) -> Self {
        self.marker = Some(marker);
        self
    }

    /// The same with another width.
    pub const fn with_width(mut self, width: f64) -> Self {
        self.width = width;
        self
    }

    /// The same with dashes.
    pub const fn with_dash(mut self, dash: Dash) -> Self {
        self.dash = dash;
        self
    }
}

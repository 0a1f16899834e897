//! Two backends for plotters that keep what its own give up: fractions of a pixel, and text that
//! looks the same everywhere.
//!
//! plotters' coordinates are whole numbers. Both backends count in fractions of their own unit
//! ([`SUBUNITS`]), and both draw text as the outlines of the typeface in [`super::font`]: no
//! viewer needs the font, and LaTeX and Inkscape get paths.

mod glyphs;
mod pixels;
mod svg;

pub(super) use pixels::Pixels;
pub(super) use svg::Svg;

/// Coordinates per pixel, or per unit of an SVG file.
pub(super) const SUBUNITS: f64 = 32.0;

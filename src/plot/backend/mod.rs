//! Three backends for plotters that keep what its own give up: fractions of a pixel, and text that
//! looks the same everywhere.
//!
//! plotters' coordinates are whole numbers. All backends count in fractions of their own unit
//! ([`SUBUNITS`]), and all take the typeface in [`super::font`]: PNG and SVG as outlines, so that no
//! viewer needs the font, and LaTeX and Inkscape get paths; PDF as a font that it brings along, so
//! that its text can be searched.

mod glyphs;
mod path_data;
mod pdf;
mod pixels;
mod sheet;
mod svg;

pub(super) use pdf::Pdf;
pub(super) use pixels::Pixels;
pub(super) use svg::Svg;

/// Coordinates per pixel, or per unit of an SVG file.
pub(super) const SUBUNITS: f64 = 32.0;

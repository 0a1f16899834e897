//! The typeface that is shipped with the program, its measures and its outlines.

use std::sync::LazyLock;

use ab_glyph::{Font as _, FontRef, OutlineCurve};
use plotters::style::{FontStyle, register_font};

/// Family name under which plotters knows the typeface.
pub(super) const FAMILY: &str = "stickslip-sans";

/// Height of a line over the size of the type: plotters gives font sizes as line heights.
pub(super) const LINE_HEIGHT: f64 = (1901.0 + 483.0) / 2048.0;

const UPRIGHT: &[u8] = include_bytes!("../../assets/fonts/DejaVuSans-subset.ttf");
const ITALIC: &[u8] = include_bytes!("../../assets/fonts/DejaVuSans-Oblique-subset.ttf");

/// A face of the typeface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Face {
    Upright,
    /// For quantities: the letters of formulas.
    Italic,
}

/// A piece of an outline, in units of the type size, y upwards from the baseline.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Segment {
    Move([f64; 2]),
    Line([f64; 2]),
    Quad([f64; 2], [f64; 2]),
    Cubic([f64; 2], [f64; 2], [f64; 2]),
    Close,
}

/// How far ink reaches above and below the baseline, in units of the type size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Extent {
    pub above: f64,
    pub below: f64,
}

struct Faces {
    upright: FontRef<'static>,
    italic: FontRef<'static>,
}

/// Both faces, parsed once. They are part of the program, so that they parse is a property of the
/// build and not of any input.
static FACES: LazyLock<Faces> = LazyLock::new(|| {
    let parse = |bytes| FontRef::try_from_slice(bytes).expect("the typeface in assets/fonts is whole");
    for (style, bytes) in
        [(FontStyle::Normal, UPRIGHT), (FontStyle::Italic, ITALIC), (FontStyle::Oblique, ITALIC)]
    {
        // For plotters' own backends; ours draw outlines. Fails only where parsing fails.
        let _ = register_font(FAMILY, style, bytes);
    }
    Faces { upright: parse(UPRIGHT), italic: parse(ITALIC) }
});

impl Face {
    pub(super) fn of(style: FontStyle) -> Self {
        match style {
            FontStyle::Italic | FontStyle::Oblique => Self::Italic,
            FontStyle::Normal | FontStyle::Bold => Self::Upright,
        }
    }

    pub(super) fn style(self) -> FontStyle {
        match self {
            Self::Upright => FontStyle::Normal,
            Self::Italic => FontStyle::Italic,
        }
    }

    fn font(self) -> &'static FontRef<'static> {
        match self {
            Self::Upright => &FACES.upright,
            Self::Italic => &FACES.italic,
        }
    }

    /// The face as it is shipped.
    pub(super) fn bytes(self) -> &'static [u8] {
        match self {
            Self::Upright => UPRIGHT,
            Self::Italic => ITALIC,
        }
    }

    fn units_per_em(self) -> f64 {
        self.font().units_per_em().map_or(2048.0, f64::from)
    }

    /// Width of `text` in units of the type size.
    pub(super) fn width(self, text: &str) -> f64 {
        self.glyphs(text).last().map_or(0.0, |(_, start, advance)| start + advance)
    }

    /// How far the ink of `text` reaches above and below the baseline.
    pub(super) fn extent(self, text: &str) -> Extent {
        let em = self.units_per_em();
        let mut extent = Extent { above: 0.0, below: 0.0 };
        for (glyph, _, _) in self.glyphs(text) {
            if let Some(outline) = self.font().outline(glyph) {
                // ab_glyph's rectangle has the top of the glyph in `min` or `max` alike.
                let (low, high) = (f64::from(outline.bounds.min.y), f64::from(outline.bounds.max.y));
                extent.above = extent.above.max(low.max(high) / em);
                extent.below = extent.below.max(-low.min(high) / em);
            }
        }
        extent
    }

    /// Gives the outline of `text` to `draw`, piece by piece.
    pub(super) fn outline(self, text: &str, mut draw: impl FnMut(Segment)) {
        let em = self.units_per_em();
        for (glyph, start, _) in self.glyphs(text) {
            let Some(outline) = self.font().outline(glyph) else { continue };
            let place = |point: ab_glyph::Point| [start + f64::from(point.x) / em, f64::from(point.y) / em];
            let mut end = None;
            for curve in outline.curves {
                let (from, segment, to) = match curve {
                    OutlineCurve::Line(p, q) => (p, Segment::Line(place(q)), q),
                    OutlineCurve::Quad(p, c, q) => (p, Segment::Quad(place(c), place(q)), q),
                    OutlineCurve::Cubic(p, c, d, q) => (p, Segment::Cubic(place(c), place(d), place(q)), q),
                };
                if end != Some(from) {
                    if end.is_some() {
                        draw(Segment::Close);
                    }
                    draw(Segment::Move(place(from)));
                }
                draw(segment);
                end = Some(to);
            }
            if end.is_some() {
                draw(Segment::Close);
            }
        }
    }

    /// Glyphs of `text` with their start and advance in units of the type size, kerned.
    pub(super) fn glyphs(self, text: &str) -> impl Iterator<Item = (ab_glyph::GlyphId, f64, f64)> {
        let font = self.font();
        let em = self.units_per_em();
        let mut pen = 0.0;
        let mut previous = None;
        text.chars().map(move |character| {
            let glyph = font.glyph_id(character);
            if let Some(previous) = previous {
                pen += f64::from(font.kern_unscaled(previous, glyph)) / em;
            }
            previous = Some(glyph);
            let advance = f64::from(font.h_advance_unscaled(glyph)) / em;
            let start = pen;
            pen += advance;
            (glyph, start, advance)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_of_the_labels_has_a_glyph() {
        for character in "0123456789−×·±≤≥≈°µ–—…Δλμφγ→|()/=,.".chars() {
            assert_ne!(Face::Upright.font().glyph_id(character).0, 0, "{character}");
        }
        for character in "abcdefghijklmnopqrstuvwxyzFUNλμφγΔ".chars() {
            assert_ne!(Face::Italic.font().glyph_id(character).0, 0, "{character}");
        }
    }

    #[test]
    fn ink_of_a_descender_reaches_below_the_baseline() {
        assert!(Face::Upright.extent("g").below > 0.15);
        assert!(Face::Upright.extent("12").below < 0.03);
        assert!((Face::Upright.extent("1").above - 0.729).abs() < 0.02);
    }

    #[test]
    fn outlines_are_closed_contours() {
        let mut open = 0;
        Face::Upright.outline("8o", |segment| match segment {
            Segment::Move(_) => open += 1,
            Segment::Close => open -= 1,
            _ => assert_eq!(open, 1),
        });
        assert_eq!(open, 0);
    }
}

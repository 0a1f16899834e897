use super::{
    super::{
        backend::Pixels,
        theme::{Colour, mix},
    },
    encode::Indexed,
};

/// Shades from each background to the inks of axes and texts, and to those of curves.
const TEXT_SHADES: usize = 14;
const CURVE_SHADES: usize = 8;
/// Colours of a GIF, less the one that stands for "as before".
const MOST_COLOURS: usize = 255;

/// Maps colours to a palette made of a picture's own few colours and the shades between them.
///
/// A palette known in advance costs a table look-up per pixel, does not flicker from frame to
/// frame, and gives the same file every time.
pub(super) struct Quantiser {
    palette: Vec<Colour>,
    /// Nearest colour of the palette for every colour of 5 bits a channel.
    nearest: Vec<u8>,
}

impl Quantiser {
    /// A palette of `papers`, of `texts` and `inks` shaded onto each of them, and of `fillings`.
    pub(super) fn new(
        papers: &[Colour],
        texts: &[Colour],
        fillings: &[Colour],
        inks: impl Iterator<Item = Colour>,
    ) -> Self {
        let mut palette: Vec<Colour> = [papers, fillings].concat();
        let mut inks: Vec<Colour> = inks.collect();
        inks.sort_unstable();
        inks.dedup();
        let text = texts.iter().map(|&ink| (ink, TEXT_SHADES));
        let shaded = text.chain(inks.iter().map(|&ink| (ink, CURVE_SHADES)));
        for (ink, shades) in shaded {
            for paper in papers {
                palette.extend((1..=shades).map(|k| mix(*paper, ink, k as f64 / shades as f64)));
            }
        }
        let mut seen = std::collections::HashSet::new();
        palette.retain(|colour| seen.insert(*colour));
        palette.truncate(MOST_COLOURS);
        let mut nearest: Vec<u8> =
            (0..1 << 15).map(|key| nearest_index(&palette, representative(key))).collect();
        // Plain paper and ink keep their colours, though others share their key.
        for colour in fillings.iter().chain(papers).chain(texts).chain(&inks) {
            nearest[key(*colour)] = nearest_index(&palette, *colour);
        }
        Self { palette, nearest }
    }

    pub(super) fn palette(&self) -> &[Colour] {
        &self.palette
    }

    pub(super) fn indices(&self, pixels: &Pixels) -> Indexed {
        pixels.rgb().map(|[red, green, blue]| self.nearest[key((red, green, blue))]).collect()
    }
}

/// The upper 5 bits of each channel.
fn key((red, green, blue): Colour) -> usize {
    (usize::from(red >> 3) << 10) | (usize::from(green >> 3) << 5) | usize::from(blue >> 3)
}

/// The colour a key of 5 bits a channel stands for.
fn representative(key: u16) -> Colour {
    let widen = |bits: u16| ((bits << 3) | (bits >> 2)) as u8;
    (widen((key >> 10) & 31), widen((key >> 5) & 31), widen(key & 31))
}

fn nearest_index(palette: &[Colour], colour: Colour) -> u8 {
    let distance = |other: &Colour| {
        let difference = |a: u8, b: u8| (i32::from(a) - i32::from(b)).pow(2);
        difference(other.0, colour.0) + difference(other.1, colour.1) + difference(other.2, colour.2)
    };
    let nearest = palette.iter().enumerate().min_by_key(|(_, other)| distance(other));
    nearest.map_or(0, |(index, _)| index as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_palette_keeps_its_own_colours_and_fits() {
        let inks = (0..40).map(|k| (k * 6, 255 - k * 6, 128));
        let quantiser = Quantiser::new(&[(255, 255, 255), (214, 209, 202)], &[(0, 0, 0)], &[(9, 9, 9)], inks);
        assert!(quantiser.palette().len() <= MOST_COLOURS);
        assert_eq!(quantiser.palette()[0], (255, 255, 255));
        assert_eq!(quantiser.nearest[(1 << 15) - 1], 0);
    }
}

//! Colours for values: a scale that readers with any colour vision can order, also in grey.

use super::theme::Colour;

/// The scale `viridis` (S. van der Walt and N. Smith, Matplotlib, 2015) at nine equal distances; its
/// lightness rises evenly.
const VIRIDIS: [Colour; 9] = [
    (68, 1, 84),
    (71, 44, 122),
    (59, 81, 139),
    (44, 113, 142),
    (33, 144, 141),
    (39, 173, 129),
    (92, 200, 99),
    (170, 220, 50),
    (253, 231, 37),
];

/// The colour of the place `share`, 0 to 1, on the scale; of 0 for what is not a number.
pub fn colour_of_share(share: f64) -> Colour {
    let place = if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) } * (VIRIDIS.len() - 1) as f64;
    let below = (place as usize).min(VIRIDIS.len() - 2);
    let rest = place - below as f64;
    let mix = |low: u8, high: u8| (f64::from(low) + rest * (f64::from(high) - f64::from(low))).round() as u8;
    let (low, high) = (VIRIDIS[below], VIRIDIS[below + 1]);
    (mix(low.0, high.0), mix(low.1, high.1), mix(low.2, high.2))
}

#[cfg(test)]
mod tests {
    use super::{VIRIDIS, colour_of_share};

    #[test]
    fn the_ends_and_the_middle_are_those_of_the_scale() {
        assert_eq!(colour_of_share(0.0), VIRIDIS[0]);
        assert_eq!(colour_of_share(0.5), VIRIDIS[4]);
        assert_eq!(colour_of_share(1.0), VIRIDIS[8]);
        assert_eq!(colour_of_share(f64::NAN), VIRIDIS[0]);
        assert_eq!(colour_of_share(7.0), VIRIDIS[8]);
    }

    /// The relative luminance of sRGB (IEC 61966-2-1).
    #[test]
    fn every_colour_is_lighter_than_the_one_before() {
        let linear = |part: u8| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        let luminance = |share: f64| {
            let (red, green, blue) = colour_of_share(share);
            0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
        };
        let all: Vec<f64> = (0..=64).map(|k| luminance(f64::from(k) / 64.0)).collect();
        assert!(all.windows(2).all(|pair| pair[0] < pair[1]), "{all:?}");
    }
}

//! The derivative of the exact motion of one body in the plane, by differences.

use super::BodyGradients;
use crate::{gradient::Input, scenario::Scenario};

/// Changes of an input over which differences are taken, as parts of its natural size, until one bends little.
const CHANGES: [f64; 3] = [1e-4, 1e-5, 1e-6];

/// How much a difference may change when it is halved, as a part of the largest: more is a kink of the motion.
const SAME: f64 = 1e-3;

/// Part of the largest entry of a derivative, per natural size, that all are measured by at least.
const FLOOR: f64 = 1e-3;

/// The derivative of the end of the exact motion with respect to `input`.
///
/// Events end at roots, whose derivatives the motion does not carry: central differences over `h` and `h/2`,
/// extrapolated.
///
/// # Errors
/// Why there is none: the motion is not known there, or has a kink.
pub(super) fn exact_slopes<const D: usize>(scenario: &Scenario<D>, input: Input) -> Result<Vec<f64>, String>
where
    Scenario<D>: BodyGradients,
{
    let size = input.natural_size(scenario);
    let difference = |h: f64| -> Result<Vec<f64>, String> {
        let end = |change: f64| input.shifted(scenario, change).exact_end();
        let (after, before) = (end(h)?, end(-h)?);
        Ok(after.iter().zip(&before).map(|(after, before)| (after - before) / (2.0 * h)).collect())
    };
    for change in CHANGES {
        let h = change * size;
        let (whole, half) = (difference(h)?, difference(0.5 * h)?);
        let largest = half.iter().fold(FLOOR / size, |largest, slope| largest.max(slope.abs()));
        if whole.iter().zip(&half).all(|(whole, half)| (whole - half).abs() <= SAME * largest) {
            return Ok(whole.iter().zip(&half).map(|(whole, half)| half + (half - whole) / 3.0).collect());
        }
    }
    Err("its differences to both sides do not agree, the motion has a kink there".to_owned())
}

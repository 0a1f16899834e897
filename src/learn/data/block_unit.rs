//! A unit of velocity that the data themselves give.

use super::BlockSample;

/// The largest velocity without friction in the units that [`unit`] gives is between this and twice this.
const ORDINARY: f64 = 3.0;

/// The unit, m/s, in which steps have ordinary sizes: the power of two in which the largest velocity that a step would
/// lead to without friction is from 3 to 6, as in the notes. Starts and tolerances in this unit do not depend on that of
/// the data, and a power of two changes no digit.
pub(in crate::learn) fn unit(samples: &[BlockSample]) -> f64 {
    let largest =
        |of: fn(&BlockSample) -> f64| samples.iter().map(|sample| of(sample).abs()).fold(0.0, f64::max);
    let sizes = [largest(BlockSample::free_velocity), largest(|sample| sample.next_velocity)];
    let size = sizes.into_iter().find(|size| *size > 0.0).unwrap_or(ORDINARY);
    let unit = (size / ORDINARY).log2().floor().exp2();
    if unit.is_normal() { unit } else { 1.0 }
}

impl BlockSample {
    /// The step with all velocities, the push and the forces over a `unit` in m/s.
    #[must_use]
    pub(in crate::learn) fn in_units_of(&self, unit: f64) -> Self {
        Self {
            velocity: self.velocity / unit,
            push: self.push / unit,
            next_velocity: self.next_velocity / unit,
            lambda: self.lambda.map(|lambda| lambda / unit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::data::BlockGenerator;

    #[test]
    fn the_unit_follows_the_data_and_is_one_for_those_of_the_notes() {
        let step = |free: f64| [BlockSample { velocity: 0.0, push: free, next_velocity: 0.0, lambda: None }];
        for (free, expected) in [(3.0, 1.0), (-5.9, 1.0), (6.0, 2.0), (0.8, 0.25), (3e-4, 2_f64.powi(-14))] {
            assert_eq!(unit(&step(free)), expected, "{free}");
        }
        assert_eq!(unit(&step(0.0)), 1.0);
        assert_eq!(unit(&BlockGenerator::default().generate(50, 1)), 1.0);
    }
}

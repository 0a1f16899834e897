use super::quality::NOTHING;

/// What a gradient is held against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reference {
    /// The gradient of the exact motion.
    Motion,
    /// A corrected gradient, or another of steps, which is itself a little off.
    Steps,
}

impl Reference {
    /// Part of the largest entry below which an entry is measured by that part: of what should be nothing, nothing is 2 %
    /// off. Against the motion it is so small that what is called right hardly depends on which inputs were asked for.
    fn small_entry(self) -> f64 {
        match self {
            Self::Motion => 2e-3,
            Self::Steps => 2e-2,
        }
    }
}

/// The relative deviation of each entry of a gradient from `reference`, both scaled by the natural sizes
/// of the inputs. An entry below a five-hundredth of the largest one is measured by that much; where the reference is
/// one of [`Reference::Steps`], below a fiftieth.
pub fn deviations(gradient: &[f64], reference: &[f64], sizes: &[f64], held_against: Reference) -> Vec<f64> {
    let largest = reference.iter().zip(sizes).map(|(entry, size)| (entry * size).abs()).fold(0.0, f64::max);
    let floor = (held_against.small_entry() * largest).max(NOTHING);
    gradient
        .iter()
        .zip(reference)
        .zip(sizes)
        .map(|((entry, reference), size)| {
            (entry - reference).abs() * size / (reference * size).abs().max(floor)
        })
        .collect()
}

/// The same where the reference is known of some inputs only.
pub(super) fn known_deviations(
    gradient: &[f64],
    reference: &[Option<f64>],
    sizes: &[f64],
    held_against: Reference,
) -> Vec<Option<f64>> {
    let known: Vec<usize> = (0..reference.len()).filter(|index| reference[*index].is_some()).collect();
    let of = |values: &[f64]| -> Vec<f64> { known.iter().map(|index| values[*index]).collect() };
    let references: Vec<f64> = reference.iter().copied().flatten().collect();
    let mut all = vec![None; gradient.len()];
    for (index, deviation) in
        known.iter().zip(deviations(&of(gradient), &references, &of(sizes), held_against))
    {
        all[*index] = Some(deviation);
    }
    all
}

/// What the gradient of a result can be held against, per input, as far as it is known.
pub(super) struct References {
    /// The gradient of the exact motion.
    pub motion: Vec<Option<f64>>,
    /// That of steps which are held to be better.
    pub steps: Vec<Option<f64>>,
}

impl References {
    /// How far a gradient is off, per input: from that of the motion, which is what is wanted, and from steps only where
    /// it is not known, as they are themselves a little off, and more than that where they are long.
    pub fn biases(&self, gradient: &[f64], sizes: &[f64]) -> Vec<Option<f64>> {
        let by_motion = known_deviations(gradient, &self.motion, sizes, Reference::Motion);
        let by_steps = known_deviations(gradient, &self.steps, sizes, Reference::Steps);
        by_motion.into_iter().zip(by_steps).map(|(motion, steps)| motion.or(steps)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gradient_is_held_against_steps_only_where_the_motion_is_not_known() {
        let references =
            References { motion: vec![Some(1.0), None, None], steps: vec![Some(2.0), Some(2.0), None] };
        let biases = references.biases(&[1.5, 1.5, 1.5], &[1.0; 3]);
        assert_eq!(biases, [Some(0.5), Some(0.25), None]);
    }
}

use super::GridStep;
use crate::{
    model::State,
    stepper::derivative::{MarginKind, Margins, StepRates},
};

/// Where a branch of a step changes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sight {
    /// How far away, without sign; infinite if no branch depends on the input.
    pub distance: f64,
    /// Number of the step.
    pub step: usize,
    /// Time at its start in s.
    pub time: f64,
    /// The branch.
    pub kind: Option<MarginKind>,
}

impl Default for Sight {
    fn default() -> Self {
        Self { distance: f64::INFINITY, step: 0, time: 0.0, kind: None }
    }
}

/// The change of an input at which the first branch of a step changes: within it the gradient is that of one smooth
/// function. A run tells it to first order; a [`GradientStudy`](super::GradientStudy) looks there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearest {
    /// The change, with its sign, in the unit of the input ([`Input::unit`](super::Input::unit)); infinite if no branch
    /// depends on the input.
    pub distance: f64,
    /// The nearest change upwards, and that downwards.
    sides: [Sight; 2],
    /// Number of the step that changes.
    pub step: usize,
    /// Time at its start in s.
    pub time: f64,
    /// The branch.
    pub kind: Option<MarginKind>,
}

impl Default for Nearest {
    fn default() -> Self {
        Self { distance: f64::INFINITY, sides: [Sight::default(); 2], step: 0, time: 0.0, kind: None }
    }
}

/// Largest change of an input for a difference on the same branch, as a part of its natural size.
const LARGEST_CHANGE: f64 = 1e-6;

impl Nearest {
    pub(super) fn look<const D: usize>(
        &mut self,
        step: &GridStep,
        margins: &Margins<D>,
        change: &State<D>,
        rates: &StepRates<D>,
    ) {
        for margin in margins.iter() {
            self.see(step, margin.kind, margin.distance(change, rates));
        }
    }

    /// Sees a branch of a step that changes at `distance`.
    pub(super) fn see(&mut self, step: &GridStep, kind: MarginKind, distance: f64) {
        let side = &mut self.sides[usize::from(distance < 0.0)];
        if distance.abs() < side.distance {
            *side = Sight { distance: distance.abs(), step: step.index, time: step.time, kind: Some(kind) };
        }
        if distance.abs() < self.distance.abs() {
            *self = Self { distance, step: step.index, time: step.time, kind: Some(kind), sides: self.sides };
        }
    }

    /// What is nearest upwards, and downwards.
    pub(super) fn sides(&self) -> [Sight; 2] {
        self.sides
    }

    /// What is nearest where one looked to either side.
    pub(super) fn of_sides(sides: [Sight; 2]) -> Self {
        let downwards = sides[1].distance < sides[0].distance;
        let Sight { distance, step, time, kind } = sides[usize::from(downwards)];
        Self { distance: if downwards { -distance } else { distance }, sides, step, time, kind }
    }

    /// The change of an input of that natural size for differences on the same branch; `None` on a kink.
    pub(super) fn difference_step(&self, size: f64) -> Option<f64> {
        let change = (LARGEST_CHANGE * size).min(self.distance.abs() / 3.0);
        (change > 0.0).then_some(change)
    }

    /// How far apart the nearest kinks upwards and downwards are; `None` if there is none on a side.
    pub fn spacing(&self) -> Option<f64> {
        let spacing = self.sides[0].distance + self.sides[1].distance;
        spacing.is_finite().then_some(spacing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(distances: &[f64]) -> Nearest {
        let mut nearest = Nearest::default();
        for (index, &distance) in distances.iter().enumerate() {
            let step = GridStep { index, elapsed: 0.0, share: 1.0, time: 0.0, h: 1e-3 };
            nearest.see(&step, MarginKind::Contact, distance);
        }
        nearest
    }

    #[test]
    fn the_spacing_of_kinks_is_from_the_nearest_below_to_the_nearest_above() {
        let nearest = seen(&[0.5, -0.2, 0.3, -0.4, 0.7]);
        assert_eq!((nearest.distance, nearest.step), (-0.2, 1));
        assert_eq!(nearest.spacing(), Some(0.5));
        assert_eq!(Nearest::of_sides(nearest.sides()), nearest);
        assert_eq!(seen(&[0.5, 0.3]).spacing(), None, "there is none below");
        assert_eq!(seen(&[-0.5]).spacing(), None, "there is none above");
        assert_eq!(seen(&[]).spacing(), None);
    }

    #[test]
    fn differences_keep_within_the_nearest_kink() {
        assert_eq!(seen(&[]).difference_step(2.0), Some(2e-6));
        assert_eq!(seen(&[0.5, -0.3e-6]).difference_step(2.0), Some(0.1e-6));
        assert_eq!(seen(&[0.0]).difference_step(2.0), None, "on a kink there is none");
    }
}

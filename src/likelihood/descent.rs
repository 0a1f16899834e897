//! The minimum of a mean loss by damped Newton steps.

use nalgebra::{DMatrix, DVector};

use super::{Bound, block::next_damping, damped_step::damped_step, search::Interrupted};

/// Most steps of one descent.
const MOST_STEPS: usize = 40;
/// Damping of the first step.
const CAREFUL: f64 = 1e-1;
/// Least damping that is told from none.
const NONE: f64 = 1e-6;
/// Damping beyond which no step gets any further.
const STUCK: f64 = 1e8;

/// The losses of all throws with some parameters, and how their mean changes.
#[derive(Debug, Clone, PartialEq)]
pub struct Slopes {
    /// In the order of the throws.
    pub losses: Vec<f64>,
    /// Derivative of the mean loss by each parameter.
    pub gradient: DVector<f64>,
    /// Its curvature, positive semidefinite.
    pub curvature: DMatrix<f64>,
}

impl Slopes {
    fn mean(&self) -> f64 {
        self.losses.iter().sum::<f64>() / self.losses.len() as f64
    }
}

/// Where a descent ended.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Bottom {
    pub parameters: Vec<f64>,
    /// Whether no step is expected to gain anything.
    pub converged: bool,
}

/// Descends from `start` until a step is expected to gain less than `flat` of the mean loss. Steps are taken only
/// where they gain. `None` where there are no slopes at the start.
pub(super) fn descend_by_slopes(
    start: &[f64],
    (bounds, held, flat): (&[Bound], Option<usize>, f64),
    mut slopes: impl FnMut(&[f64]) -> Result<Option<Slopes>, Interrupted>,
) -> Result<Option<Bottom>, Interrupted> {
    let finite = |slopes: &Slopes| {
        slopes.mean().is_finite()
            && slopes.gradient.iter().chain(slopes.curvature.iter()).all(|entry| entry.is_finite())
    };
    let Some(mut here) = slopes(start)?.filter(finite) else { return Ok(None) };
    let mut bottom = Bottom { parameters: start.to_vec(), converged: false };
    let (mut damping, mut growth) = (CAREFUL, 2.0);
    for _ in 0..MOST_STEPS {
        let free = (bounds, held, damping);
        let Some(step) = damped_step(&bottom.parameters, &here.gradient, &here.curvature, free) else {
            bottom.converged = true;
            break;
        };
        let values = bottom.parameters.iter().zip(step.iter()).zip(bounds);
        let candidate: Vec<f64> = values.map(|((value, step), bound)| bound.clamp(value + step)).collect();
        let taken = DVector::from_iterator(
            candidate.len(),
            candidate.iter().zip(&bottom.parameters).map(|(to, from)| to - from),
        );
        let expected = -here.gradient.dot(&taken) - 0.5 * taken.dot(&(&here.curvature * &taken));
        let is_small = expected <= flat * here.mean();
        if candidate == bottom.parameters || is_small && damping <= CAREFUL {
            bottom.converged = true;
            break;
        }
        match slopes(&candidate)?.filter(finite) {
            Some(there) if there.mean() < here.mean() => {
                here = there;
                bottom.parameters = candidate;
                damping = if damping <= NONE { 0.0 } else { 0.1 * damping };
                growth = 2.0;
            }
            _ if is_small || damping > STUCK => break,
            _ => damping = next_damping(damping, &mut growth),
        }
    }
    Ok(Some(bottom))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The mean distance of points on a line and of one parameter, the others without effect.
    fn distances(places: &'static [f64]) -> impl FnMut(&[f64]) -> Result<Option<Slopes>, Interrupted> {
        |parameters: &[f64]| {
            let count = places.len() as f64;
            // Rounded corners, so that there is a curvature.
            let errors = places.iter().map(|place| parameters[0] - place);
            let losses: Vec<f64> = errors.clone().map(|error| error.hypot(0.1)).collect();
            let slope: f64 = errors.clone().map(|error| error / error.hypot(0.1)).sum();
            let bend: f64 = errors.map(|error| 0.01 / error.hypot(0.1).powi(3)).sum();
            let mut gradient = DVector::zeros(parameters.len());
            let mut curvature = DMatrix::zeros(parameters.len(), parameters.len());
            gradient[0] = slope / count;
            curvature[(0, 0)] = bend / count;
            Ok(Some(Slopes { losses, gradient, curvature }))
        }
    }

    #[test]
    fn the_median_is_found_between_its_bounds_and_at_them() {
        let places = &[-0.5, 0.1, 0.2, 0.3, 0.9];
        let bounds = [Bound::between(-2.0, 2.0), Bound::between(0.0, 1.0)];
        let free = (&bounds[..], None, 1e-10);
        let bottom = descend_by_slopes(&[1.5, 0.5], free, distances(places)).unwrap().unwrap();
        assert!(bottom.converged && (bottom.parameters[0] - 0.2).abs() < 1e-4, "{bottom:?}");
        assert_eq!(bottom.parameters[1], 0.5);
        let bounds = [Bound::between(0.6, 2.0), Bound::between(0.0, 1.0)];
        let bottom =
            descend_by_slopes(&[1.5, 0.5], (&bounds, None, 1e-10), distances(places)).unwrap().unwrap();
        assert!(bottom.converged && bottom.parameters[0] == 0.6, "{bottom:?}");
        let bottom =
            descend_by_slopes(&[1.5, 0.5], (&bounds, Some(0), 1e-10), distances(places)).unwrap().unwrap();
        assert_eq!(bottom, Bottom { parameters: vec![1.5, 0.5], converged: true });
    }

    #[test]
    fn slopes_that_point_uphill_lead_nowhere_and_say_so() {
        let mut right = distances(&[0.2, 0.3]);
        let wrong = |parameters: &[f64]| {
            let slopes = right(parameters)?;
            Ok(slopes.map(|slopes| Slopes { gradient: -slopes.gradient, ..slopes }))
        };
        let bounds = [Bound::between(-2.0, 2.0)];
        let bottom = descend_by_slopes(&[1.5], (&bounds, None, 1e-6), wrong).unwrap().unwrap();
        assert_eq!(bottom, Bottom { parameters: vec![1.5], converged: false });
        let none = descend_by_slopes(&[1.5], (&bounds, None, 1e-6), |_: &[f64]| Ok(None)).unwrap();
        assert!(none.is_none());
    }
}

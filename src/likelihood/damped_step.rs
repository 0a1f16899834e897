//! A damped Newton step within bounds.

use nalgebra::{DMatrix, DVector};

use super::{Bound, block::damp};

/// The damped step of those parameters that are free to move: neither held, nor at a bound that the
/// gradient presses against, nor without any curvature. `None` if there is none.
pub(super) fn damped_step(
    parameters: &[f64],
    gradient: &DVector<f64>,
    curvature: &DMatrix<f64>,
    (bounds, held, damping): (&[Bound], Option<usize>, f64),
) -> Option<DVector<f64>> {
    let count = bounds.len();
    let mut free: Vec<usize> = (0..count)
        .filter(|&index| Some(index) != held && curvature[(index, index)] > 0.0)
        .filter(|&index| {
            let (value, slope) = (parameters[index], gradient[index]);
            !(value <= bounds[index].lower && slope > 0.0 || value >= bounds[index].far && slope < 0.0)
        })
        .collect();
    loop {
        if free.is_empty() {
            return None;
        }
        let mut matrix =
            DMatrix::from_fn(free.len(), free.len(), |row, column| curvature[(free[row], free[column])]);
        damp(&mut matrix, damping);
        let slope = DVector::from_iterator(free.len(), free.iter().map(|&index| gradient[index]));
        let part = match matrix.clone().cholesky() {
            Some(factor) => -factor.solve(&slope),
            // The Schur complement of a block may be negative by rounding.
            None => -slope.component_div(&matrix.diagonal().map(|entry| entry.abs().max(f64::MIN_POSITIVE))),
        };
        // A parameter at its bound that the step would take beyond it is held there.
        let blocked = (0..free.len()).find(|&place| {
            let (value, bound) = (parameters[free[place]], bounds[free[place]]);
            value <= bound.lower && part[place] < 0.0 || value >= bound.far && part[place] > 0.0
        });
        match blocked {
            Some(place) => {
                free.remove(place);
            }
            None => {
                let mut step = DVector::zeros(count);
                free.iter().zip(part.iter()).for_each(|(&index, part)| step[index] = *part);
                return Some(step);
            }
        }
    }
}

use nalgebra::SMatrix;

/// Position and velocity as the two columns of a matrix.
pub(super) type Phase<const D: usize> = SMatrix<f64, D, 2>;

/// Numbers of substeps of the successive midpoint rules.
const SUBSTEPS: [usize; 10] = [2, 4, 6, 8, 10, 12, 14, 16, 18, 20];

/// One step of `y' = f(s, y)` from `s` to `s + h` by extrapolation of Gragg's modified midpoint rule
/// (Bulirsch and Stoer), to an error below `tolerance` in the larger of position and velocity error
/// (each measured by the caller's `norm`); `None` if twenty substeps are not enough.
pub(super) fn extrapolated_step<const D: usize>(
    y: &Phase<D>,
    s: f64,
    h: f64,
    rate: impl Fn(f64, &Phase<D>) -> Phase<D>,
    norm: impl Fn(&Phase<D>) -> f64,
    tolerance: f64,
) -> Option<Phase<D>> {
    // Row j of Neville's triangle, built in place over row j - 1.
    let mut row = [Phase::<D>::zeros(); SUBSTEPS.len()];
    let mut last_error = f64::INFINITY;
    for (j, &substeps) in SUBSTEPS.iter().enumerate() {
        let mut above = row[0];
        row[0] = modified_midpoint(y, s, h, substeps, &rate);
        for k in 1..=j {
            let ratio = substeps as f64 / SUBSTEPS[j - k] as f64;
            let correction = (row[k - 1] - above) / (ratio * ratio - 1.0);
            let refined = row[k - 1] + correction;
            above = std::mem::replace(&mut row[k], refined);
        }
        if j > 0 {
            let error = norm(&(row[j] - row[j - 1]));
            if error <= tolerance {
                return Some(row[j]);
            }
            // Rounding sets a floor; there the error no longer falls.
            if error >= last_error && error <= 100.0 * tolerance {
                return Some(row[j]);
            }
            last_error = error;
        }
    }
    None
}

fn modified_midpoint<const D: usize>(
    y: &Phase<D>,
    s: f64,
    h: f64,
    substeps: usize,
    rate: &impl Fn(f64, &Phase<D>) -> Phase<D>,
) -> Phase<D> {
    let part = h / substeps as f64;
    let mut before = *y;
    let mut now = y + rate(s, y) * part;
    for i in 1..substeps {
        let after = before + rate(s + i as f64 * part, &now) * (2.0 * part);
        before = std::mem::replace(&mut now, after);
    }
    (now + before + rate(s + h, &now) * part) * 0.5
}

#[cfg(test)]
mod tests {
    use super::{Phase, extrapolated_step};

    #[test]
    fn circular_motion_to_the_last_digits() {
        let y = Phase::<2>::new(1.0, 0.0, 0.0, 1.0);
        let rate = |_: f64, y: &Phase<2>| Phase::<2>::from_columns(&[y.column(1).into(), (-y.column(0))]);
        let end = extrapolated_step(&y, 0.0, 1.0, rate, |e| e.norm(), 1e-15).unwrap();
        let (sin, cos) = 1.0_f64.sin_cos();
        assert!((end - Phase::<2>::new(cos, -sin, sin, cos)).norm() < 1e-14);
    }
}

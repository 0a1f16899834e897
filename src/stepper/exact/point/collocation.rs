//! Collocation at Radau's points: the tables of the method that integrates sliding motions.

use std::sync::OnceLock;

use nalgebra::{SMatrix, SVector};

/// Number of collocation points in an interval.
pub(super) const POINTS: usize = 8;

/// Tables of the collocation method on the interval from 0 to 1 (Radau IIA; Hairer and Wanner, Solving
/// Ordinary Differential Equations II, 1996, IV.5). It is exact for motions whose rate is a polynomial of
/// degree `POINTS - 1`, of order `2 POINTS - 1` at the end of the interval, and damps what relaxes within
/// it however fast that is.
pub(super) struct Radau {
    /// The points, the last of which is 1.
    pub points: [f64; POINTS],
    /// Row `i` makes integrals from 0 to the point `i` of values at the points.
    pub integrals: SMatrix<f64, POINTS, POINTS>,
    /// Makes the last two coefficients of the Legendre series of values at the points: what they are large
    /// by, a polynomial cannot follow.
    pub tail: SMatrix<f64, 2, POINTS>,
}

impl Radau {
    pub fn tables() -> &'static Self {
        static TABLES: OnceLock<Radau> = OnceLock::new();
        TABLES.get_or_init(Self::new)
    }

    fn new() -> Self {
        let points = points();
        let values = SMatrix::<f64, POINTS, POINTS>::from_fn(|i, k| legendre(k, 2.0 * points[i] - 1.0));
        let coefficients = values.try_inverse().expect("the points differ");
        let antiderivatives = SMatrix::<f64, POINTS, POINTS>::from_fn(|i, k| {
            let x = 2.0 * points[i] - 1.0;
            match k {
                0 => points[i],
                _ => (legendre(k + 1, x) - legendre(k - 1, x)) / (2 * (2 * k + 1)) as f64,
            }
        });
        Self {
            points,
            integrals: antiderivatives * coefficients,
            tail: coefficients.fixed_rows::<2>(POINTS - 2).into(),
        }
    }

    /// The size of the part of values at the points that a polynomial cannot follow.
    pub fn tail_of(&self, values: &SVector<f64, POINTS>) -> f64 {
        (self.tail * values).amax()
    }
}

/// The roots of `P_{s-1}(2 t - 1) - P_s(2 t - 1)` in the interval from 0 to 1, in order.
fn points() -> [f64; POINTS] {
    /// Fine enough to tell the roots apart.
    const CELLS: usize = 1000;
    let function = |t: f64| legendre(POINTS - 1, 2.0 * t - 1.0) - legendre(POINTS, 2.0 * t - 1.0);
    let mut points = [1.0; POINTS];
    let mut found = 0;
    for cell in 0..CELLS {
        let [mut low, mut high] = [cell, cell + 1].map(|edge| (edge as f64 - 0.5) / CELLS as f64);
        // The root at 1 is known.
        if function(low) * function(high) >= 0.0 || found == POINTS - 1 {
            continue;
        }
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if function(low) * function(middle) <= 0.0 { high = middle } else { low = middle }
        }
        points[found] = 0.5 * (low + high);
        found += 1;
    }
    points
}

/// Legendre's polynomial of this degree.
fn legendre(degree: usize, x: f64) -> f64 {
    let (mut before, mut now) = (0.0, 1.0);
    for k in 0..degree {
        let next = ((2 * k + 1) as f64 * x * now - k as f64 * before) / (k + 1) as f64;
        (before, now) = (now, next);
    }
    now
}

#[cfg(test)]
mod tests {
    use super::{POINTS, Radau};

    #[test]
    fn integrals_are_exact_for_polynomials_and_at_the_end_for_twice_their_degree() {
        let tables = Radau::tables();
        for power in 0..2 * POINTS - 1 {
            let values =
                nalgebra::SVector::<f64, POINTS>::from_fn(|i, _| tables.points[i].powi(power as i32));
            let integrals = tables.integrals * values;
            let from = if power < POINTS { 0 } else { POINTS - 1 };
            for i in from..POINTS {
                let exact = tables.points[i].powi(power as i32 + 1) / (power + 1) as f64;
                assert!((integrals[i] - exact).abs() < 1e-14, "t^{power} to {}", tables.points[i]);
            }
        }
    }

    #[test]
    fn what_relaxes_fast_is_damped() {
        // y' = z y over one interval: the last stage tends to 0 as z goes to minus infinity.
        let tables = Radau::tables();
        for z in [-1e2, -1e4, -1e8] {
            let matrix = nalgebra::SMatrix::<f64, POINTS, POINTS>::identity() - tables.integrals * z;
            let stages = matrix.lu().solve(&nalgebra::SVector::repeat(1.0)).unwrap();
            assert!(stages[POINTS - 1].abs() < 20.0 / z.abs(), "{z}: {}", stages[POINTS - 1]);
        }
    }
}

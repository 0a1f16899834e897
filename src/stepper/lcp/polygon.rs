use std::f64::consts::TAU;

/// A regular polygon of unit directions `d_1 .. d_k` in the plane, `k` even, in opposite pairs; the
/// first points along `x`.
#[derive(Debug, Clone, PartialEq)]
pub struct Polygon {
    directions: Vec<[f64; 2]>,
}

impl Polygon {
    /// The polygon of `k` directions; an odd number is rounded up.
    pub fn new(k: usize) -> Self {
        let half = k.div_ceil(2).max(1);
        let first: Vec<[f64; 2]> = (0..half)
            .map(|i| (TAU * i as f64 / (2 * half) as f64).sin_cos())
            .map(|(sin, cos)| [clean(cos), clean(sin)])
            .collect();
        let opposite: Vec<[f64; 2]> = first.iter().map(|[x, y]| [-x, -y]).collect();
        Self { directions: [first, opposite].concat() }
    }

    /// The directions.
    pub fn directions(&self) -> &[[f64; 2]] {
        &self.directions
    }

    /// `d_i . d_j`, without the rounding that a right angle leaves.
    pub fn cosine(&self, i: usize, j: usize) -> f64 {
        let ([a, b], [c, d]) = (self.directions[i], self.directions[j]);
        clean(a * c + b * d)
    }

    /// `d_i . v` for every direction.
    pub fn components(&self, v: [f64; 2]) -> impl Iterator<Item = f64> {
        self.directions.iter().map(move |[x, y]| x * v[0] + y * v[1])
    }

    /// `sum_i weight_i d_i`.
    pub fn combine(&self, weights: impl IntoIterator<Item = f64>) -> [f64; 2] {
        self.directions
            .iter()
            .zip(weights)
            .fold([0.0, 0.0], |[x, y], (d, weight)| [x + weight * d[0], y + weight * d[1]])
    }
}

/// Zero where a sum of products of sines and cosines is rounding of zero.
fn clean(value: f64) -> f64 {
    if value.abs() < 1e-15 { 0.0 } else { value }
}

//! Complete elliptic integrals, in which large swings and free rotation have their periods.

use std::f64::consts::FRAC_PI_2;

/// K(k) of the square of the modulus, below 1, by the arithmetic-geometric mean (Gauss; DLMF 19.8.5).
pub fn complete_elliptic_integral(modulus_squared: f64) -> f64 {
    let (mut arithmetic, mut geometric) = (1.0, (1.0 - modulus_squared).sqrt());
    // The number of right digits doubles: 40 times is more than any modulus below 1 takes.
    for _ in 0..40 {
        (arithmetic, geometric) = (0.5 * (arithmetic + geometric), (arithmetic * geometric).sqrt());
    }
    FRAC_PI_2 / arithmetic
}

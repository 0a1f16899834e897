//! The friction cone `K = {|r_t| <= mu r_n}`, its projection, and the natural map of Coulomb's law.
//! Vectors hold the normal component first.

use nalgebra::SVector;

/// `|x_t|`, the size of the tangential part of `x = (normal, tangential...)`.
#[inline(always)]
pub fn tangential_norm<const D: usize>(x: &SVector<f64, D>) -> f64 {
    if D == 2 {
        return x[1].abs();
    }
    let mut sum = 0.0;
    for i in 1..D {
        sum += x[i] * x[i];
    }
    sum.sqrt()
}

/// `x_t`: the vector without its normal component.
#[inline(always)]
pub fn tangential_part<const D: usize>(x: &SVector<f64, D>) -> SVector<f64, D> {
    let mut tangential = *x;
    tangential[0] = 0.0;
    tangential
}

/// `P_K`: the point closest to `x` of the friction cone `K = {|r_t| <= mu r_n}`.
#[inline(always)]
pub fn project<const D: usize>(friction: f64, x: &SVector<f64, D>) -> SVector<f64, D> {
    let radius = tangential_norm(x);
    let normal = x[0];
    // The sign of the normal part counts where there is no friction and nothing along the tangents.
    if radius <= friction * normal && normal >= 0.0 {
        return *x;
    }
    // In the polar cone, or `mu = 0` and nothing presses.
    if friction * radius + normal <= 0.0 {
        return SVector::zeros();
    }
    let on_surface = (friction * radius + normal) / (1.0 + friction * friction);
    let mut projected = x * (friction * on_surface / radius);
    projected[0] = on_surface;
    projected
}

/// `u + mu |u_t| n`: the relative velocity after De Saxce's change of variables, with which exact
/// Coulomb friction reads `K* contains u~`, `r in K`, `r . u~ = 0`.
#[inline(always)]
pub fn augmented<const D: usize>(friction: f64, velocity: &SVector<f64, D>) -> SVector<f64, D> {
    let mut augmented = *velocity;
    augmented[0] += friction * tangential_norm(velocity);
    augmented
}

/// The natural map `r - P_K(r - rho u~)` of one contact: zero exactly at impulses and velocities
/// that fulfil Coulomb's law (De Saxce and Feng 1998; Acary and Brogliato 2008).
#[inline(always)]
pub fn natural_map<const D: usize>(
    friction: f64,
    impulse: &SVector<f64, D>,
    velocity: &SVector<f64, D>,
    rho: f64,
) -> SVector<f64, D> {
    impulse - project(friction, &(impulse - augmented(friction, velocity) * rho))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_of_the_cone_stay_and_points_of_the_polar_cone_go_to_the_apex() {
        let inside = SVector::<f64, 3>::new(1.0, 0.3, 0.4);
        assert_eq!(project(0.5, &inside), inside);
        let polar = SVector::<f64, 3>::new(-1.0, 0.3, 0.4);
        assert_eq!(project(0.5, &polar), SVector::<f64, 3>::zeros());
        assert_eq!(project(0.0, &SVector::<f64, 2>::new(-2.0, 0.0)), SVector::<f64, 2>::zeros());
        let above = SVector::<f64, 2>::new(-1.0, 3.0);
        assert_eq!(project(0.0, &above), SVector::<f64, 2>::zeros());
        assert_eq!(project(0.0, &SVector::<f64, 2>::new(2.0, 3.0)), SVector::<f64, 2>::new(2.0, 0.0));
    }

    #[test]
    fn the_error_of_a_projection_is_orthogonal_to_the_cone() {
        let x = SVector::<f64, 3>::new(0.2, 3.0, -4.0);
        let projected = project(0.7, &x);
        assert!((projected.dot(&(x - projected))).abs() < 1e-14);
        assert!((tangential_norm(&projected) - 0.7 * projected[0]).abs() < 1e-14);
    }

    #[test]
    fn the_natural_map_vanishes_for_stick_slip_and_flight_only() {
        let mu = 0.5;
        let zero = |r: [f64; 2], u: [f64; 2]| natural_map(mu, &r.into(), &u.into(), 3.0).norm() < 1e-15;
        assert!(zero([1.0, 0.2], [0.0, 0.0]));
        assert!(zero([1.0, -0.5], [0.0, 2.0]));
        assert!(zero([0.0, 0.0], [1.0, 2.0]));
        // Friction along the slip, below the cone's surface while slipping, pressing while parting.
        assert!(!zero([1.0, 0.5], [0.0, 2.0]));
        assert!(!zero([1.0, -0.4], [0.0, 2.0]));
        assert!(!zero([1.0, 0.0], [0.1, 0.0]));
    }
}

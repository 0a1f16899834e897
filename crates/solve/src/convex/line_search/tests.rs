//! The step length is the root of the derivative, against bisection down to rounding.

use rand::{RngExt, SeedableRng, rngs::StdRng};

use super::{Direction, LONGEST_STEP, Ray, Scratch, minimize};
use crate::convex::{FrictionCone, Regularization, Vector, evaluation::Reaction};

/// Rays whose contacts change region on the way, more often than not.
fn rays<const D: usize>(rng: &mut StdRng) -> Vec<Ray<D, FrictionCone>> {
    let count = rng.random_range(1..6);
    (0..count)
        .map(|_| {
            let regularization = Regularization {
                tangential: 10f64.powf(rng.random_range(-4.0..0.0)),
                normal: 10f64.powf(rng.random_range(-2.0..0.0)),
            };
            let cone = FrictionCone::new(rng.random_range(0.0..2.0), regularization);
            let velocity_change = Vector::<D>::from_fn(|_, _| rng.random_range(-1.0..1.0));
            let start = cone.unscale(&Vector::<D>::from_fn(|_, _| rng.random_range(-1.0..1.0)));
            let reaction = Reaction { unprojected: start, projection: cone.project(&start) };
            Ray::new(cone, reaction, velocity_change)
        })
        .collect()
}

fn bisected<const D: usize>(direction: &Direction<'_, D, FrictionCone>) -> f64 {
    let (mut low, mut high) = (0.0, LONGEST_STEP);
    if direction.slope_at(high) <= 0.0 {
        return high;
    }
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if direction.slope_at(middle) > 0.0 { high = middle } else { low = middle }
    }
    0.5 * (low + high)
}

/// Largest distance from the bisected root over the searches, and how many are within 1e-12.
fn searches<const D: usize>(seed: u64) -> (f64, usize, u32) {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut scratch = Scratch::default();
    let (mut largest, mut close, mut evaluations) = (0.0_f64, 0, 0);
    for _ in 0..5_000 {
        let rays = rays::<D>(&mut rng);
        // A derivative that vanishes between 0 and a bit beyond the longest step.
        let mut direction = Direction { slope: 0.0, curvature: rng.random_range(0.1..10.0), rays: &rays };
        direction.slope = -direction.slope_at(rng.random_range(0.01..1.6));
        let minimum = minimize(&direction, &mut scratch);
        if D == 2 && minimum.evaluations == 0 {
            // Nothing bends on the way: then the caller's Newton step is exact, but this slope is not its own.
            continue;
        }
        let error = (minimum.alpha - bisected(&direction)).abs();
        largest = largest.max(error);
        close += usize::from(error <= 1e-12);
        evaluations = evaluations.max(minimum.evaluations);
    }
    (largest, close, evaluations)
}

#[test]
fn with_one_tangential_direction_the_root_is_exact() {
    let (largest, close, _) = searches::<2>(40);
    assert!(largest <= 1e-12, "{largest:e}");
    assert!(close > 3_000, "{close} searches over a border");
}

#[test]
fn with_two_tangential_directions_the_root_is_found_to_the_tolerance_and_mostly_to_rounding() {
    let (largest, close, evaluations) = searches::<3>(41);
    // A last Newton step over a border of two regions is good to the tolerance only.
    assert!(largest <= 1.5e-8, "{largest:e}");
    assert!(close >= 4_900, "{close} of 5000 within 1e-12");
    assert!(evaluations <= 60, "{evaluations}");
}

//! The cone `K = {|r_g| <= r_n for both groups}` of scaled rows, its projection, and the natural map of the law.

use nalgebra::SMatrix;

use super::{GROUPS, ROWS, Rows};

/// How much the rows of a contact answer to impulses along them: of the normal, and a mean of each group; all positive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::contact) struct Weights([f64; 3]);

impl Weights {
    /// The same for all.
    pub const EVEN: Self = Self([1.0; 3]);

    /// Of the normal row, and of the rows of both groups.
    pub const fn new(parts: [f64; 3]) -> Self {
        Self(parts)
    }

    /// Those by which a step along each part of the law does not go too far: the traces of the parts of the contact's own
    /// Delassus operator, per row of theirs, times the number of its rows.
    pub fn of(own: &SMatrix<f64, ROWS, ROWS>) -> Self {
        let mean = |places: std::ops::Range<usize>| {
            let entries = places.map(|row| own[(row, row)]).filter(|entry| *entry > 0.0);
            let (sum, count) = entries.fold((0.0, 0), |(sum, count), entry| (sum + entry, count + 1));
            (if count > 0 { sum / f64::from(count) } else { 1.0 }, count)
        };
        let parts = [0..1, GROUPS[0].clone(), GROUPS[1].clone()].map(mean);
        let rows = f64::from(parts.iter().map(|(_, count)| count).sum::<i32>());
        Self(parts.map(|(mean, _)| rows * mean))
    }

    /// The weight of every row.
    pub fn of_rows(&self) -> Rows {
        Rows::from_fn(|row, _| self.0[part_of(row)])
    }
}

/// 0 for the normal row, 1 and 2 for those of the groups.
fn part_of(row: usize) -> usize {
    usize::from(row >= GROUPS[0].start) + usize::from(row >= GROUPS[1].start)
}

/// `|x_g|`.
pub(in crate::contact) fn group_norm(x: &Rows, group: usize) -> f64 {
    GROUPS[group].clone().map(|row| x[row] * x[row]).sum::<f64>().sqrt()
}

/// The normal component of the projection, 0 at least, and the size of `x_g` in both groups.
///
/// The distance squared is convex in the normal component `N`, and its slope takes in a group as soon as `|x_g| > N`.
fn shared_radius(x: &Rows, Weights(weights): &Weights) -> (f64, [f64; 2]) {
    let sizes = [0, 1].map(|group| group_norm(x, group));
    let (mut moment, mut weight, mut radius) = (weights[0] * x[0], weights[0], x[0]);
    let larger = usize::from(sizes[1] > sizes[0]);
    for group in [larger, 1 - larger] {
        if sizes[group] > radius {
            moment += weights[group + 1] * sizes[group];
            weight += weights[group + 1];
            radius = moment / weight;
        }
    }
    (radius.max(0.0), sizes)
}

/// The point of `K` that is closest to `x`, differences counting with the `weights` of their rows.
pub(in crate::contact) fn project(x: &Rows, weights: &Weights) -> Rows {
    let (radius, sizes) = shared_radius(x, weights);
    let mut projected = *x;
    projected[0] = radius;
    for (group, size) in sizes.into_iter().enumerate() {
        if size > radius {
            GROUPS[group].clone().for_each(|row| projected[row] *= radius / size);
        }
    }
    projected
}

/// A derivative of the projection at `x`.
pub(in crate::contact) fn projection_derivative(x: &Rows, weights: &Weights) -> SMatrix<f64, ROWS, ROWS> {
    let (radius, sizes) = shared_radius(x, weights);
    let mut derivative = SMatrix::<f64, ROWS, ROWS>::zeros();
    if radius == 0.0 {
        return derivative;
    }
    let weights = weights.of_rows();
    // How the radius answers to x.
    let mut slope = Rows::zeros();
    slope[0] = weights[0];
    let mut weight = weights[0];
    for (group, size) in sizes.into_iter().enumerate().filter(|(_, size)| *size > radius) {
        GROUPS[group].clone().for_each(|row| slope[row] = weights[row] * x[row] / size);
        weight += weights[GROUPS[group].start];
    }
    slope /= weight;
    derivative.set_row(0, &slope.transpose());
    for (group, size) in sizes.into_iter().enumerate() {
        for i in GROUPS[group].clone() {
            if size <= radius {
                derivative[(i, i)] = 1.0;
                continue;
            }
            let along = x[i] / size;
            for j in GROUPS[group].clone() {
                derivative[(i, j)] = radius / size * (f64::from(i == j) - along * x[j] / size);
            }
            for j in 0..ROWS {
                derivative[(i, j)] += along * slope[j];
            }
        }
    }
    derivative
}

/// `u~ = u + n sum_g |u_g|`.
pub(in crate::contact) fn augmented(velocity: &Rows) -> Rows {
    let mut augmented = *velocity;
    augmented[0] += group_norm(velocity, 0) + group_norm(velocity, 1);
    augmented
}

/// The natural map `r - P_K(r - u~/w)` of one contact, zero exactly where its law is fulfilled.
pub(in crate::contact) fn natural_map(impulse: &Rows, velocity: &Rows, weights: &Weights) -> Rows {
    let free = impulse - augmented(velocity).component_div(&weights.of_rows());
    impulse - project(&free, weights)
}

/// The natural map `r - P_K(r - rho u~)` with the same weight for all rows, by which solutions are judged.
pub(in crate::contact) fn evenly_missed(impulse: &Rows, velocity: &Rows, rho: f64) -> Rows {
    impulse - project(&(impulse - augmented(velocity) * rho), &Weights::EVEN)
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng, rngs::StdRng};

    use super::*;

    fn random(rng: &mut StdRng) -> (Rows, Weights) {
        let x = Rows::from_fn(|_, _| rng.random_range(-2.0..2.0));
        (x, Weights([0; 3].map(|_| rng.random_range(0.05..20.0))))
    }

    /// What no point of the cone is closer than: the error is in the polar cone, and orthogonal to the projection.
    #[test]
    fn the_projection_is_the_closest_point() {
        let mut rng = StdRng::seed_from_u64(5);
        let mut seen = [0; 4];
        for _ in 0..2000 {
            let (x, weights) = random(&mut rng);
            let projected = project(&x, &weights);
            let error = (x - projected).component_mul(&weights.of_rows());
            assert!(error.dot(&projected).abs() < 1e-12 * error.norm().max(1.0), "{x}");
            // Polar: e_n + sum |e_g| <= 0.
            assert!(error[0] + group_norm(&error, 0) + group_norm(&error, 1) < 1e-12 * error.norm().max(1.0));
            let clipped = [0, 1].map(|group| group_norm(&x, group) > projected[0]);
            seen[usize::from(clipped[0]) + 2 * usize::from(clipped[1])] += 1;
            assert!((0..2).all(|group| group_norm(&projected, group) <= projected[0] * (1.0 + 1e-15)));
        }
        assert!(seen.iter().all(|count| *count > 20), "{seen:?}");
    }

    #[test]
    fn the_derivative_agrees_with_differences_and_is_symmetric() {
        let mut rng = StdRng::seed_from_u64(6);
        let mut worst = 0.0_f64;
        for _ in 0..300 {
            let (x, weights) = random(&mut rng);
            let derivative = projection_derivative(&x, &weights);
            for k in 0..ROWS {
                let mut step = Rows::zeros();
                step[k] = 1e-6;
                let slope = (project(&(x + step), &weights) - project(&(x - step), &weights)) / 2e-6;
                // Beside a kink the difference is none.
                let error = (slope - derivative.column(k)).amax();
                worst = worst.max(if error < 1e-3 { error } else { 0.0 });
            }
            let weighted = SMatrix::<f64, ROWS, ROWS>::from_diagonal(&weights.of_rows()) * derivative;
            assert!((weighted - weighted.transpose()).amax() < 1e-12 * weighted.amax().max(1.0));
            assert!(weighted.symmetric_eigenvalues().min() > -1e-9 * weighted.amax().max(1.0));
        }
        assert!(worst < 1e-7, "{worst}");
    }

    /// Sticks, slides, drills while it slides, rolls, or parts; and not along its friction, or with less than all of it.
    #[test]
    fn the_natural_map_vanishes_where_the_law_holds() {
        let zero =
            |r: [f64; 6], u: [f64; 6]| natural_map(&r.into(), &u.into(), &Weights::EVEN).norm() < 1e-15;
        assert!(zero([1.0, 0.3, 0.1, 0.5, -0.6, 0.7], [0.0; 6]));
        assert!(zero([1.0, -0.6, 0.0, -0.8, 0.1, 0.0], [0.0, 3.0, 0.0, 4.0, 0.0, 0.0]));
        assert!(zero([2.0, 0.3, 0.0, 0.1, 0.0, 2.0], [0.0, 0.0, 0.0, 0.0, 0.0, -5.0]));
        assert!(zero([0.0; 6], [1.0, 3.0, 0.0, 2.0, 1.0, 1.0]));
        assert!(!zero([1.0, -1.0, 0.0, -1.0, 0.0, 0.0], [0.0, 3.0, 0.0, 4.0, 0.0, 0.0]));
        assert!(!zero([1.0, 0.0, 0.0, 0.0, 0.5, 0.0], [0.0, 0.0, 0.0, 0.0, -1.0, 0.0]));
    }
}

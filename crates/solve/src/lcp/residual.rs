use nalgebra::{DefaultAllocator, Dim, OVector, allocator::Allocator};

use super::{Problem, yardstick::Yardstick};

/// Largest relative residual of a solution that is called solved. Direct solvers reach 1e-15; a
/// wrong basis shows as a residual near 1.
pub const RESIDUAL_TOLERANCE: f64 = 1e-10;

/// The relative residual of `z`, with `w = M z + q` written out on the way.
///
/// Row by row it is `|w_i|` where `z_i > 0` (or free) and `max(0, -w_i)` where `z_i = 0`, divided
/// by the size of the terms that make up `w_i`, `|q_i| + sum_j |M_ij z_j|`; the largest row counts.
/// So `z` solves exactly a problem whose entries differ from the given ones by at most this
/// fraction (the componentwise backward error of Oettli and Prager), whatever the units of rows and
/// columns.
///
/// Two limits keep it meaningful: the size is at least 1e-4 and at most 1e6 times the largest entry
/// of `q` in the units of the row, and entries of `q` below 1e-14 of the largest count as zero. The
/// residual is infinite when a `z_i` that must not be is negative, or a number is not finite.
pub fn residual<D: Dim>(problem: &Problem<D>, z: &OVector<f64, D>, w: &mut OVector<f64, D>) -> f64
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    let mut yardstick = Yardstick::new(problem.dim());
    yardstick.set(problem);
    measured_residual(problem, &yardstick, z, w)
}

/// [`residual`] with the measure of the problem taken before.
#[inline]
pub(super) fn measured_residual<D: Dim>(
    problem: &Problem<D>,
    yardstick: &Yardstick<D>,
    z: &OVector<f64, D>,
    w: &mut OVector<f64, D>,
) -> f64
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    let n = problem.size();
    let mut largest = 0.0_f64;
    for i in 0..n {
        let mut sum = 0.0;
        let mut terms = yardstick.q[i].abs();
        for j in 0..n {
            let term = problem.m[(i, j)] * z[j];
            sum += term;
            terms += term.abs();
        }
        w[i] = sum + problem.q[i];
        sum += yardstick.q[i];
        let is_free = i < problem.free;
        let violation = if is_free || z[i] > 0.0 { sum.abs() } else { (-sum).max(0.0) };
        let admissible = terms.is_finite() && (is_free || z[i] >= 0.0);
        if !admissible {
            largest = f64::INFINITY;
        } else if violation > 0.0 {
            largest = largest.max(violation / yardstick.size(i, terms));
        }
    }
    largest
}

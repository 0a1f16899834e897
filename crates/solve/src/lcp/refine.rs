use nalgebra::{DefaultAllocator, Dim, OVector, allocator::Allocator};

use super::{Problem, elimination::LinearSystem};

/// Solves `w_i = 0` for `i` in `rows` by changing `z_j` for `j` in `columns`, starting from the
/// given `z`. Returns whether the rows determine the change; where they do not, the unknowns that
/// they leave open stay as they are. `tolerance` is that of [`LinearSystem::solve`].
///
/// Started from zero this solves one complementary basis; started from a solution it removes the
/// rounding of the path that led there.
pub(super) fn solve_on_support<D: Dim>(
    system: &mut LinearSystem<D>,
    problem: &Problem<D>,
    q: &OVector<f64, D>,
    rows: impl Fn(usize) -> bool,
    columns: impl Fn(usize) -> bool,
    tolerance: f64,
    z: &mut OVector<f64, D>,
) -> bool
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    let n = problem.size();
    let (mut height, mut width) = (0, 0);
    for i in (0..n).filter(|&i| rows(i)) {
        system.b[height] = -(0..n).fold(q[i], |sum, j| sum + problem.m[(i, j)] * z[j]);
        height += 1;
    }
    for j in (0..n).filter(|&j| columns(j)) {
        for (row, i) in (0..n).filter(|&i| rows(i)).enumerate() {
            system.a[(row, width)] = problem.m[(i, j)];
        }
        width += 1;
    }
    let rank = system.solve(height, width, tolerance);
    for (column, j) in (0..n).filter(|&j| columns(j)).enumerate() {
        z[j] += system.x[column];
    }
    rank == width
}

/// Sets the entries that must not be negative, and are by rounding, to zero.
pub(super) fn clamp<D: Dim>(problem: &Problem<D>, z: &mut OVector<f64, D>)
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    for i in problem.free()..problem.size() {
        z[i] = z[i].max(0.0);
    }
}

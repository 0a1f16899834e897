use nalgebra::{DefaultAllocator, Dim, OVector, allocator::Allocator};

use super::dictionary::{Dictionary, Variable};

/// What counts as zero on data scaled to a largest entry of 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Tolerances {
    /// A basic variable that would be left with less than this reaches zero together with the one that
    /// leaves: a tie.
    pub tie: f64,
    /// Entries of the entering column below this fraction of its largest one are rounding of zero.
    pub zero: f64,
}

impl Tolerances {
    /// No more than rounding.
    pub const TIGHT: Self = Self { tie: 2e-15, zero: 1e-13 };
    /// What pivoting leaves of a zero in problems of deficient rank.
    pub const WIDE: Self = Self { tie: 1e-9, zero: 1e-7 };
    /// In between.
    pub const MIDDLE: Self = Self { tie: 1e-12, zero: 1e-9 };
}

/// The row whose basic variable leaves when `z0` enters: the one that `z0` has to lift most. Of
/// equal rows the lexicographically smallest is the last.
#[inline]
pub(super) fn most_negative_row<D: Dim>(
    dictionary: &Dictionary<D>,
    free: usize,
    tolerances: &Tolerances,
) -> usize
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    let cover = |i: usize| -dictionary.spare[i];
    let rows = free..dictionary.rhs.nrows();
    let least = rows.clone().map(|i| dictionary.rhs[i] / cover(i)).fold(f64::INFINITY, f64::min);
    rows.rev().find(|&i| dictionary.rhs[i] - least * cover(i) <= tolerances.tie).unwrap_or(free)
}

/// The row whose basic variable reaches zero first as the entering variable grows; `None` when none
/// ever does (a ray).
///
/// Ties go to `z0`, which ends the path, and else to the lexicographically smallest row of
/// `[rhs, B^-1]`: this rule is what keeps degenerate paths from cycling (Cottle, Pang and Stone,
/// The Linear Complementarity Problem, section 4.9).
#[inline]
pub(super) fn leaving_row<D: Dim>(
    dictionary: &Dictionary<D>,
    free: usize,
    tolerances: &Tolerances,
) -> Option<usize>
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    let Dictionary { entering, rhs, .. } = dictionary;
    let n = entering.nrows();
    let larger = |largest: f64, entry: &f64| if entry.abs() > largest { entry.abs() } else { largest };
    let zero = tolerances.zero * entering.iter().fold(0.0, larger);

    let mut least = f64::INFINITY;
    let mut leaving = None;
    for i in free..n {
        let bound = if rhs[i] > 0.0 { rhs[i] } else { 0.0 };
        let ratio = if entering[i] > zero { bound / entering[i] } else { f64::INFINITY };
        if ratio < least {
            least = ratio;
            leaving = Some(i);
        }
    }
    let is_tied = |i: usize| entering[i] > zero && rhs[i] - least * entering[i] <= tolerances.tie;
    let tied: u32 = (free..n).map(|i| u32::from(is_tied(i))).sum();
    if tied <= 1 { leaving } else { Some(break_tie(dictionary, free, tolerances, is_tied)) }
}

/// The row that leaves of those that `is_tied` names.
#[cold]
fn break_tie<D: Dim>(
    dictionary: &Dictionary<D>,
    free: usize,
    tolerances: &Tolerances,
    is_tied: impl Fn(usize) -> bool,
) -> usize
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    let mut rows = free..dictionary.rhs.nrows();
    let cover = rows.find(|&i| is_tied(i) && dictionary.basic[i] == Variable::Cover);
    cover.unwrap_or_else(|| lexicographic_minimum(dictionary, free, tolerances, is_tied))
}

/// Of the rows that `is_tied` names, the one with the smallest row of `B^-1` divided by its entry
/// of the entering column. Column `j` of `B^-1` is what became of the column of `w_j`.
fn lexicographic_minimum<D: Dim>(
    dictionary: &Dictionary<D>,
    free: usize,
    tolerances: &Tolerances,
    is_tied: impl Fn(usize) -> bool,
) -> usize
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    let n = dictionary.rhs.nrows();
    let mut tied: OVector<bool, D> = dictionary.holds_z.map_with_location(|i, _, _| i >= free && is_tied(i));
    for j in free..n {
        let entry = |i: usize| inverse_entry(dictionary, i, j);
        let ratio = |i: usize| entry(i) / dictionary.entering[i];
        let least = (free..n).filter(|&i| tied[i]).map(ratio).fold(f64::INFINITY, f64::min);
        for i in free..n {
            let rest = entry(i) - least * dictionary.entering[i];
            tied[i] = tied[i] && rest <= tolerances.tie * entry(i).abs().max(1.0);
        }
        if tied.iter().filter(|&&tied| tied).count() == 1 {
            break;
        }
    }
    tied.iter().position(|&tied| tied).unwrap_or(free)
}

/// Entry `(i, j)` of the inverse of the basis.
fn inverse_entry<D: Dim>(dictionary: &Dictionary<D>, i: usize, j: usize) -> f64
where
    DefaultAllocator: Allocator<D, D> + Allocator<D>,
{
    if !dictionary.holds_z[j] {
        dictionary.block[(i, j)]
    } else if dictionary.spare_variable == Variable::W(j) {
        dictionary.spare[i]
    } else if dictionary.basic[i] == Variable::W(j) {
        1.0
    } else {
        0.0
    }
}

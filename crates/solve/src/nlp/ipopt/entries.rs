//! The structure of a program in the form that IPOPT reads.

use std::ffi::c_int;

/// What IPOPT takes for infinite, and more.
const INFINITE_BOUND: f64 = 1e20;

/// Places of the entries of a sparse matrix.
pub(super) struct Entries {
    pub rows: Vec<c_int>,
    pub columns: Vec<c_int>,
}

impl Entries {
    pub fn new(entries: &[(usize, usize)]) -> Self {
        let (rows, columns) = entries.iter().map(|&(row, column)| (row as c_int, column as c_int)).unzip();
        Self { rows, columns }
    }
}

/// Replaces infinities by numbers that IPOPT takes for infinite; whether the bounds leave room and
/// are numbers.
pub(super) fn make_admissible(lower: &mut [f64], upper: &mut [f64]) -> bool {
    let mut pairs = lower.iter().zip(upper.iter());
    let leave_room = pairs.all(|(&low, &high)| low <= high && low < INFINITE_BOUND && high > -INFINITE_BOUND);
    for bound in lower.iter_mut().chain(upper) {
        *bound = bound.clamp(-INFINITE_BOUND, INFINITE_BOUND);
    }
    leave_room
}

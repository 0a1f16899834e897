//! The sparse factorisation of the KKT matrix that the C++ side (`sparse_kkt.hpp`) calls.

use std::{
    ffi::{c_int, c_longlong},
    ptr, slice,
};

use crate::nlp::sparse::SparseLdl;

/// Threshold of the pivots at first, as of IPOPT's interface to MUMPS: IPOPT refines its solutions
/// and asks for a larger one where that does not help.
const FIRST_THRESHOLD: f64 = 1e-6;

/// # Safety
/// `starts` has `order + 1` entries, and `columns` as many as the last of them says.
#[unsafe(no_mangle)]
unsafe extern "C" fn stickslip_sparse_ldl_new(
    order: c_int,
    starts: *const c_int,
    columns: *const c_int,
) -> *mut SparseLdl {
    let numbers = |numbers: &[c_int]| numbers.iter().map(|number| number.unsigned_abs() as usize).collect();
    // SAFETY: the C++ side passes IPOPT's own arrays, of these lengths.
    let starts: Vec<usize> =
        numbers(unsafe { slice::from_raw_parts(starts, order.unsigned_abs() as usize + 1) });
    let count = starts.last().copied().unwrap_or(0);
    // SAFETY: as above.
    let columns: Vec<usize> = numbers(unsafe { slice::from_raw_parts(columns, count) });
    SparseLdl::new(&starts, &columns).map_or(ptr::null_mut(), |mut ldl| {
        ldl.set_threshold(FIRST_THRESHOLD);
        Box::into_raw(Box::new(ldl))
    })
}

/// # Safety
/// `ldl` comes from `stickslip_sparse_ldl_new` and is not used again.
#[unsafe(no_mangle)]
unsafe extern "C" fn stickslip_sparse_ldl_free(ldl: *mut SparseLdl) {
    // SAFETY: the pointer came out of a box, and this is its last use.
    drop(unsafe { Box::from_raw(ldl) });
}

/// # Safety
/// `ldl` comes from `stickslip_sparse_ldl_new`; the values may be used until the next call with it.
#[unsafe(no_mangle)]
unsafe extern "C" fn stickslip_sparse_ldl_values(ldl: *mut SparseLdl) -> *mut f64 {
    // SAFETY: the C++ side owns `ldl` alone.
    unsafe { &mut *ldl }.values_mut().as_mut_ptr()
}

/// # Safety
/// `ldl` comes from `stickslip_sparse_ldl_new`.
#[unsafe(no_mangle)]
unsafe extern "C" fn stickslip_sparse_ldl_factor(ldl: *mut SparseLdl) -> c_int {
    // SAFETY: the C++ side owns `ldl` alone, and no longer uses the values that it wrote.
    unsafe { &mut *ldl }.factor().map_or(-1, |inertia| inertia.negative as c_int)
}

/// # Safety
/// `ldl` comes from `stickslip_sparse_ldl_new`.
#[unsafe(no_mangle)]
unsafe extern "C" fn stickslip_sparse_ldl_entries(ldl: *const SparseLdl) -> c_longlong {
    // SAFETY: the C++ side owns `ldl` alone, and does not change it meanwhile.
    unsafe { &*ldl }.factor_entries() as c_longlong
}

/// # Safety
/// `ldl` comes from `stickslip_sparse_ldl_new` and is factored; `b` has as many entries as it has
/// rows.
#[unsafe(no_mangle)]
unsafe extern "C" fn stickslip_sparse_ldl_solve(ldl: *mut SparseLdl, b: *mut f64) {
    // SAFETY: the C++ side owns `ldl` alone.
    let ldl = unsafe { &mut *ldl };
    // SAFETY: the C++ side's right-hand side is as long as the order that it has set.
    let b = unsafe { slice::from_raw_parts_mut(b, ldl.order()) };
    ldl.solve(b);
}

/// # Safety
/// `ldl` comes from `stickslip_sparse_ldl_new`.
#[unsafe(no_mangle)]
unsafe extern "C" fn stickslip_sparse_ldl_increase_quality(ldl: *mut SparseLdl) -> c_int {
    // SAFETY: the C++ side owns `ldl` alone.
    let ldl = unsafe { &mut *ldl };
    let before = ldl.threshold();
    ldl.set_threshold(before.sqrt());
    c_int::from(ldl.threshold() > before)
}

//! The factorisation of the KKT matrix that the C++ side (`dense_kkt.hpp`) calls.

use std::{ffi::c_int, slice};

use crate::nlp::BunchKaufman;

#[unsafe(no_mangle)]
extern "C" fn stickslip_ldl_new() -> *mut BunchKaufman {
    Box::into_raw(Box::default())
}

/// # Safety
/// `ldl` comes from `stickslip_ldl_new` and is not used again.
#[unsafe(no_mangle)]
unsafe extern "C" fn stickslip_ldl_free(ldl: *mut BunchKaufman) {
    // SAFETY: the pointer came out of a box, and this is its last use.
    drop(unsafe { Box::from_raw(ldl) });
}

/// # Safety
/// `ldl` comes from `stickslip_ldl_new`; the matrix may be used until the next call with `ldl`.
#[unsafe(no_mangle)]
unsafe extern "C" fn stickslip_ldl_reset(ldl: *mut BunchKaufman, order: c_int) -> *mut f64 {
    // SAFETY: the C++ side owns `ldl` alone, and holds no matrix of it during this call.
    let ldl = unsafe { &mut *ldl };
    ldl.reset(order.unsigned_abs() as usize);
    ldl.matrix_mut().as_mut_ptr()
}

/// # Safety
/// `ldl` comes from `stickslip_ldl_new`.
#[unsafe(no_mangle)]
unsafe extern "C" fn stickslip_ldl_factor(ldl: *mut BunchKaufman) -> c_int {
    // SAFETY: the C++ side owns `ldl` alone, and no longer uses the matrix that it filled.
    let ldl = unsafe { &mut *ldl };
    ldl.factor().map_or(-1, |inertia| inertia.negative as c_int)
}

/// # Safety
/// `ldl` comes from `stickslip_ldl_new` and is factored; `b` has as many entries as it has rows.
#[unsafe(no_mangle)]
unsafe extern "C" fn stickslip_ldl_solve(ldl: *const BunchKaufman, b: *mut f64) {
    // SAFETY: the C++ side owns `ldl` alone and does not change it meanwhile.
    let ldl = unsafe { &*ldl };
    if ldl.order() > 0 {
        // SAFETY: the C++ side's right-hand side is as long as the order that it has set.
        ldl.solve(unsafe { slice::from_raw_parts_mut(b, ldl.order()) });
    }
}

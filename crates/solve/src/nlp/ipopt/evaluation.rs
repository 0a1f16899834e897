//! Evaluations of a program on behalf of IPOPT: raw pointers in, no panic out.

use std::{
    ffi::{c_int, c_void},
    slice,
};

use nalgebra::SVector;

use super::guard::Guard;
use crate::nlp::{Nlp, Sparsity, derivatives};

/// What the evaluations of one solve share.
pub(super) struct Evaluation<'a, const N: usize, const M: usize, P> {
    pub problem: &'a P,
    pub sparsity: &'a Sparsity<N, M>,
    pub guard: Guard,
}

/// # Safety
/// `values` points to `K` numbers, or anywhere if `K` is zero.
unsafe fn vector<const K: usize>(values: *const f64) -> SVector<f64, K> {
    // SAFETY: index < K, and the caller vouches for K numbers.
    SVector::from_fn(|index, _| unsafe { *values.add(index) })
}

/// # Safety
/// `values` points to `length` numbers that nobody else uses, or anywhere if `length` is zero.
unsafe fn slice_mut<'a>(values: *mut f64, length: usize) -> &'a mut [f64] {
    if length == 0 {
        return &mut [];
    }
    // SAFETY: the caller vouches for `length` numbers.
    unsafe { slice::from_raw_parts_mut(values, length) }
}

// What follows are the callbacks of `ffi::Program`. Each is called during a solve only, with the
// context of that solve, which nothing else uses meanwhile, and with arrays of IPOPT of the sizes
// that the program gave: this is the safety argument of every block.

/// # Safety
/// See above: `x` of length `N`, `value` of length 1.
pub(super) unsafe extern "C" fn objective<const N: usize, const M: usize, P: Nlp<N, M>>(
    context: *mut c_void,
    x: *const f64,
    value: *mut f64,
) -> c_int {
    // SAFETY: the context and the arrays are as described above.
    let (this, x, value) =
        unsafe { (&mut *context.cast::<Evaluation<N, M, P>>(), vector(x), slice_mut(value, 1)) };
    this.guard.run(value, |value| value[0] = this.problem.objective(&x))
}

/// # Safety
/// See above: `x` and `values` of length `N`.
pub(super) unsafe extern "C" fn gradient<const N: usize, const M: usize, P: Nlp<N, M>>(
    context: *mut c_void,
    x: *const f64,
    values: *mut f64,
) -> c_int {
    // SAFETY: the context and the arrays are as described above.
    let (this, x, values) =
        unsafe { (&mut *context.cast::<Evaluation<N, M, P>>(), vector(x), slice_mut(values, N)) };
    this.guard.run(values, |values| {
        values.copy_from_slice(derivatives::objective_gradient(this.problem, &x).as_slice());
    })
}

/// # Safety
/// See above: `x` of length `N`, `values` of length `M`.
pub(super) unsafe extern "C" fn values<const N: usize, const M: usize, P: Nlp<N, M>>(
    context: *mut c_void,
    x: *const f64,
    values: *mut f64,
) -> c_int {
    // SAFETY: the context and the arrays are as described above.
    let (this, x, values) =
        unsafe { (&mut *context.cast::<Evaluation<N, M, P>>(), vector(x), slice_mut(values, M)) };
    this.guard.run(values, |values| values.copy_from_slice(this.problem.constraints(&x).as_slice()))
}

/// # Safety
/// See above: `x` of length `N`, `values` as long as the Jacobian has entries.
pub(super) unsafe extern "C" fn jacobian<const N: usize, const M: usize, P: Nlp<N, M>>(
    context: *mut c_void,
    x: *const f64,
    values: *mut f64,
) -> c_int {
    // SAFETY: the context and `x` are as described above.
    let (this, x) = unsafe { (&mut *context.cast::<Evaluation<N, M, P>>(), vector(x)) };
    // SAFETY: IPOPT was told this number of entries.
    let values = unsafe { slice_mut(values, this.sparsity.jacobian().len()) };
    this.guard.run(values, |values| derivatives::jacobian_values(this.problem, &x, this.sparsity, values))
}

/// # Safety
/// See above: `x` of length `N`, `y` of length `M`, `values` as long as the Hessian has entries.
pub(super) unsafe extern "C" fn hessian<const N: usize, const M: usize, P: Nlp<N, M>>(
    context: *mut c_void,
    x: *const f64,
    sigma: f64,
    y: *const f64,
    values: *mut f64,
) -> c_int {
    // SAFETY: the context, `x` and `y` are as described above.
    let (this, x, y) = unsafe { (&mut *context.cast::<Evaluation<N, M, P>>(), vector(x), vector(y)) };
    // SAFETY: IPOPT was told this number of entries.
    let values = unsafe { slice_mut(values, this.sparsity.hessian().len()) };
    this.guard.run(values, |values| {
        derivatives::hessian_values(this.problem, &x, sigma, &y, this.sparsity, values);
    })
}

/// # Safety
/// See above.
pub(super) unsafe extern "C" fn keep_going<const N: usize, const M: usize, P: Nlp<N, M>>(
    context: *mut c_void,
) -> c_int {
    // SAFETY: the context is as described above.
    let this = unsafe { &*context.cast::<Evaluation<N, M, P>>() };
    this.guard.keep_going()
}

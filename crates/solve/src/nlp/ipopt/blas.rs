//! The twelve BLAS routines that IPOPT links to, with the semantics of the reference BLAS.
//!
//! IPOPT's own vectors call the first seven, on a few dozen numbers; the matrix routines serve its
//! dense matrices, which appear in its quasi-Newton methods only, so they are written for reading.
//! Matrices are stored by columns. The names and the passing of every argument by pointer are
//! Fortran's; the lengths of character arguments, which Fortran compilers append, are not read.
//!
//! # Safety
//! All routines ask for what the BLAS reference asks for, and IPOPT heeds it: pointers to the
//! scalars, arrays that cover the lengths, strides and leading dimensions given, and results that
//! do not overlap the arguments. This is the safety argument of every block below.

use std::ffi::c_int;

/// A vector of numbers that are `stride` apart.
struct Vector {
    first: *mut f64,
    stride: isize,
    length: isize,
}

impl Vector {
    /// With a negative stride, the first number is the last in memory.
    fn new(length: c_int, start: *const f64, stride: c_int) -> Self {
        let (length, stride) = (length.max(0) as isize, stride as isize);
        let first =
            if stride < 0 && length > 0 { start.wrapping_offset((1 - length) * stride) } else { start };
        Self { first: first.cast_mut(), stride, length }
    }

    /// Where the number of this index, counted from 0, is stored.
    fn at(&self, index: isize) -> *mut f64 {
        self.first.wrapping_offset(index * self.stride)
    }

    fn places(&self) -> impl Iterator<Item = *mut f64> {
        (0..self.length).map(|index| self.at(index))
    }
}

/// A matrix `op(A)`, which is `A` or its transpose.
struct Matrix {
    start: *mut f64,
    row_stride: isize,
    column_stride: isize,
}

impl Matrix {
    /// `operation` is `N` for the matrix itself, `T` or `C` for its transpose.
    fn new(operation: u8, start: *const f64, leading: c_int) -> Self {
        let (start, leading) = (start.cast_mut(), leading as isize);
        if is(operation, b'N') {
            Self { start, row_stride: 1, column_stride: leading }
        } else {
            Self { start, row_stride: leading, column_stride: 1 }
        }
    }

    fn at(&self, row: isize, column: isize) -> *mut f64 {
        self.start.wrapping_offset(row * self.row_stride + column * self.column_stride)
    }
}

/// Whether a character argument is the given capital letter, in either case.
fn is(argument: u8, letter: u8) -> bool {
    argument.eq_ignore_ascii_case(&letter)
}

/// `beta y`, where `beta = 0` clears even what is not a number.
fn scaled(beta: f64, y: f64) -> f64 {
    if beta == 0.0 { 0.0 } else { beta * y }
}

/// `x^T y`.
///
/// # Safety
/// See the module.
#[unsafe(no_mangle)]
unsafe extern "C" fn stickslip_ddot(
    n: *const c_int,
    x: *const f64,
    x_stride: *const c_int,
    y: *const f64,
    y_stride: *const c_int,
) -> f64 {
    // SAFETY: see the module.
    unsafe {
        let (x, y) = (Vector::new(*n, x, *x_stride), Vector::new(*n, y, *y_stride));
        x.places().zip(y.places()).map(|(x, y)| *x * *y).sum()
    }
}

/// `|x|_2`, scaled so that no square overflows.
///
/// # Safety
/// See the module.
#[unsafe(no_mangle)]
unsafe extern "C" fn stickslip_dnrm2(n: *const c_int, x: *const f64, x_stride: *const c_int) -> f64 {
    // SAFETY: see the module.
    unsafe {
        let (mut scale, mut sum) = (0.0, 1.0);
        for x in Vector::new(*n, x, *x_stride).places() {
            let size = (*x).abs();
            if size.is_nan() {
                return size;
            }
            if scale < size {
                sum = 1.0 + sum * (scale / size) * (scale / size);
                scale = size;
            } else if size > 0.0 {
                sum += (size / scale) * (size / scale);
            }
        }
        if f64::is_infinite(scale) { scale } else { scale * sum.sqrt() }
    }
}

/// `|x|_1`.
///
/// # Safety
/// See the module.
#[unsafe(no_mangle)]
unsafe extern "C" fn stickslip_dasum(n: *const c_int, x: *const f64, x_stride: *const c_int) -> f64 {
    // SAFETY: see the module.
    unsafe { Vector::new(*n, x, *x_stride).places().map(|x| (*x).abs()).sum() }
}

/// Index, counted from 1, of the first number of the largest modulus; 0 if there is none.
///
/// # Safety
/// See the module.
#[unsafe(no_mangle)]
unsafe extern "C" fn stickslip_idamax(n: *const c_int, x: *const f64, x_stride: *const c_int) -> c_int {
    // SAFETY: see the module.
    unsafe {
        let (mut index, mut largest) = (0, f64::NEG_INFINITY);
        for (position, x) in (1..).zip(Vector::new(*n, x, *x_stride).places()) {
            if (*x).abs() > largest || index == 0 {
                (index, largest) = (position, (*x).abs());
            }
        }
        index
    }
}

/// `y <- x`.
///
/// # Safety
/// See the module.
#[unsafe(no_mangle)]
unsafe extern "C" fn stickslip_dcopy(
    n: *const c_int,
    x: *const f64,
    x_stride: *const c_int,
    y: *mut f64,
    y_stride: *const c_int,
) {
    // SAFETY: see the module.
    unsafe {
        let (x, y) = (Vector::new(*n, x, *x_stride), Vector::new(*n, y, *y_stride));
        x.places().zip(y.places()).for_each(|(x, y)| *y = *x);
    }
}

/// `y <- y + alpha x`.
///
/// # Safety
/// See the module.
#[unsafe(no_mangle)]
unsafe extern "C" fn stickslip_daxpy(
    n: *const c_int,
    alpha: *const f64,
    x: *const f64,
    x_stride: *const c_int,
    y: *mut f64,
    y_stride: *const c_int,
) {
    // SAFETY: see the module.
    unsafe {
        let (alpha, x, y) = (*alpha, Vector::new(*n, x, *x_stride), Vector::new(*n, y, *y_stride));
        x.places().zip(y.places()).for_each(|(x, y)| *y += alpha * *x);
    }
}

/// `x <- alpha x`.
///
/// # Safety
/// See the module.
#[unsafe(no_mangle)]
unsafe extern "C" fn stickslip_dscal(
    n: *const c_int,
    alpha: *const f64,
    x: *mut f64,
    x_stride: *const c_int,
) {
    // SAFETY: see the module.
    unsafe {
        let alpha = *alpha;
        Vector::new(*n, x, *x_stride).places().for_each(|x| *x *= alpha);
    }
}

/// `y <- alpha op(A) x + beta y` with a matrix `A` of `m` rows and `n` columns.
///
/// # Safety
/// See the module.
#[unsafe(no_mangle)]
unsafe extern "C" fn stickslip_dgemv(
    operation: *const u8,
    m: *const c_int,
    n: *const c_int,
    alpha: *const f64,
    a: *const f64,
    a_leading: *const c_int,
    x: *const f64,
    x_stride: *const c_int,
    beta: *const f64,
    y: *mut f64,
    y_stride: *const c_int,
) {
    // SAFETY: see the module.
    unsafe {
        let (rows, columns) = if is(*operation, b'N') { (*m, *n) } else { (*n, *m) };
        let a = Matrix::new(*operation, a, *a_leading);
        let (x, y) = (Vector::new(columns, x, *x_stride), Vector::new(rows, y, *y_stride));
        for row in 0..y.length {
            let product: f64 = (0..x.length).map(|column| *a.at(row, column) * *x.at(column)).sum();
            *y.at(row) = *alpha * product + scaled(*beta, *y.at(row));
        }
    }
}

/// `y <- alpha A x + beta y` with a symmetric `A`, of which one triangle is read.
///
/// # Safety
/// See the module.
#[unsafe(no_mangle)]
unsafe extern "C" fn stickslip_dsymv(
    triangle: *const u8,
    n: *const c_int,
    alpha: *const f64,
    a: *const f64,
    a_leading: *const c_int,
    x: *const f64,
    x_stride: *const c_int,
    beta: *const f64,
    y: *mut f64,
    y_stride: *const c_int,
) {
    // SAFETY: see the module.
    unsafe {
        // The lower triangle, or the upper one seen transposed.
        let lower = Matrix::new(if is(*triangle, b'L') { b'N' } else { b'T' }, a, *a_leading);
        let (x, y) = (Vector::new(*n, x, *x_stride), Vector::new(*n, y, *y_stride));
        for row in 0..y.length {
            let entry = |column: isize| *lower.at(row.max(column), row.min(column));
            let product: f64 = (0..x.length).map(|column| entry(column) * *x.at(column)).sum();
            *y.at(row) = *alpha * product + scaled(*beta, *y.at(row));
        }
    }
}

/// `C <- alpha op(A) op(B) + beta C` with `C` of `m` rows and `n` columns and `k` inner terms.
///
/// # Safety
/// See the module.
#[unsafe(no_mangle)]
unsafe extern "C" fn stickslip_dgemm(
    a_operation: *const u8,
    b_operation: *const u8,
    m: *const c_int,
    n: *const c_int,
    k: *const c_int,
    alpha: *const f64,
    a: *const f64,
    a_leading: *const c_int,
    b: *const f64,
    b_leading: *const c_int,
    beta: *const f64,
    c: *mut f64,
    c_leading: *const c_int,
) {
    // SAFETY: see the module.
    unsafe {
        let a = Matrix::new(*a_operation, a, *a_leading);
        let b = Matrix::new(*b_operation, b, *b_leading);
        let c = Matrix::new(b'N', c, *c_leading);
        for column in 0..*n as isize {
            for row in 0..*m as isize {
                let product: f64 = (0..*k as isize).map(|i| *a.at(row, i) * *b.at(i, column)).sum();
                *c.at(row, column) = *alpha * product + scaled(*beta, *c.at(row, column));
            }
        }
    }
}

/// One triangle of `C <- alpha op(A) op(A)^T + beta C` with `C` of `n` rows and `k` inner terms.
///
/// # Safety
/// See the module.
#[unsafe(no_mangle)]
unsafe extern "C" fn stickslip_dsyrk(
    triangle: *const u8,
    operation: *const u8,
    n: *const c_int,
    k: *const c_int,
    alpha: *const f64,
    a: *const f64,
    a_leading: *const c_int,
    beta: *const f64,
    c: *mut f64,
    c_leading: *const c_int,
) {
    // SAFETY: see the module.
    unsafe {
        let a = Matrix::new(*operation, a, *a_leading);
        let lower = Matrix::new(if is(*triangle, b'L') { b'N' } else { b'T' }, c, *c_leading);
        for column in 0..*n as isize {
            for row in column..*n as isize {
                let product: f64 = (0..*k as isize).map(|i| *a.at(row, i) * *a.at(column, i)).sum();
                *lower.at(row, column) = *alpha * product + scaled(*beta, *lower.at(row, column));
            }
        }
    }
}

/// Solution `X` of `op(A) X = alpha B` or `X op(A) = alpha B`, in the place of the matrix `B` of
/// `m` rows and `n` columns, with a triangular `A`.
///
/// # Safety
/// See the module.
#[unsafe(no_mangle)]
unsafe extern "C" fn stickslip_dtrsm(
    side: *const u8,
    triangle: *const u8,
    operation: *const u8,
    diagonal: *const u8,
    m: *const c_int,
    n: *const c_int,
    alpha: *const f64,
    a: *const f64,
    a_leading: *const c_int,
    b: *mut f64,
    b_leading: *const c_int,
) {
    // SAFETY: see the module.
    unsafe {
        // X op(A) = B is op(A)^T X^T = B^T.
        let is_left = is(*side, b'L');
        let is_transposed = is(*operation, b'N') != is_left;
        let a = Matrix::new(if is_transposed { b'T' } else { b'N' }, a, *a_leading);
        let b = Matrix::new(if is_left { b'N' } else { b'T' }, b, *b_leading);
        let (order, columns) = if is_left { (*m, *n) } else { (*n, *m) };
        let order = order as isize;
        let is_lower = is(*triangle, b'L') != is_transposed;
        for column in 0..columns as isize {
            for step in 0..order {
                let row = if is_lower { step } else { order - 1 - step };
                let known = if is_lower { 0..row } else { row + 1..order };
                let sum: f64 = known.map(|i| *a.at(row, i) * *b.at(i, column)).sum();
                let pivot = if is(*diagonal, b'U') { 1.0 } else { *a.at(row, row) };
                *b.at(row, column) = (*alpha * *b.at(row, column) - sum) / pivot;
            }
        }
    }
}

#[cfg(test)]
mod tests;

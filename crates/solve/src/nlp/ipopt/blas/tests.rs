//! Against nalgebra, over every variant of the matrix routines.

use nalgebra::{SMatrix, SVector, matrix, vector};

use super::*;

const A: SMatrix<f64, 3, 3> = matrix![2.0, -1.0, 0.5; 3.0, 4.0, -2.0; -0.25, 1.5, 8.0];
const B: SMatrix<f64, 3, 3> = matrix![1.0, 2.0, 3.0; -4.0, 5.0, 0.5; 7.0, -8.0, 9.0];
const THREE: c_int = 3;
const ONE: c_int = 1;

fn operated(operation: u8, matrix: SMatrix<f64, 3, 3>) -> SMatrix<f64, 3, 3> {
    if operation == b'N' { matrix } else { matrix.transpose() }
}

fn triangle(letter: u8, matrix: SMatrix<f64, 3, 3>) -> SMatrix<f64, 3, 3> {
    if letter == b'L' { matrix.lower_triangle() } else { matrix.upper_triangle() }
}

#[test]
fn strides_may_be_negative_or_zero() {
    let (x, y) = ([1.0, 2.0, 3.0, 4.0], [10.0, 20.0]);
    let (two, minus_one, zero) = (2, -1, 0);
    // SAFETY: two numbers of each array are read or written, within their lengths.
    unsafe {
        assert_eq!(stickslip_ddot(&two, x.as_ptr(), &two, y.as_ptr(), &minus_one), 1.0 * 20.0 + 3.0 * 10.0);
        let mut sum = y;
        stickslip_daxpy(&two, &0.5, x.as_ptr(), &zero, sum.as_mut_ptr(), &ONE);
        assert_eq!(sum, [10.5, 20.5]);
        let mut copy = [0.0; 2];
        stickslip_dcopy(&two, x.as_ptr(), &minus_one, copy.as_mut_ptr(), &ONE);
        assert_eq!(copy, [2.0, 1.0]);
        assert_eq!(stickslip_ddot(&zero, x.as_ptr(), &ONE, y.as_ptr(), &ONE), 0.0);
    }
}

#[test]
fn norms() {
    let x = [3e200, -4e200, 0.0];
    // SAFETY: three numbers are read.
    unsafe {
        assert!((stickslip_dnrm2(&THREE, x.as_ptr(), &ONE) / 5e200 - 1.0).abs() < 1e-15);
        assert_eq!(stickslip_dasum(&THREE, x.as_ptr(), &ONE), 7e200);
        assert_eq!(stickslip_idamax(&THREE, x.as_ptr(), &ONE), 2);
        assert_eq!(stickslip_idamax(&0, x.as_ptr(), &ONE), 0);
        assert_eq!(stickslip_dnrm2(&0, x.as_ptr(), &ONE), 0.0);
        assert!(stickslip_dnrm2(&THREE, [1.0, f64::NAN, 2.0].as_ptr(), &ONE).is_nan());
    }
}

#[test]
fn products_with_vectors() {
    let x = vector![1.0, -2.0, 3.0];
    for (operation, letter) in [(b'N', b'L'), (b'T', b'U')] {
        let mut y = vector![1.0, 1.0, f64::NAN];
        // SAFETY: the matrix has three rows and columns, the vectors three entries.
        unsafe {
            stickslip_dgemv(
                &operation,
                &THREE,
                &THREE,
                &2.0,
                A.as_ptr(),
                &THREE,
                x.as_ptr(),
                &ONE,
                &0.0,
                y.as_mut_ptr(),
                &ONE,
            );
        }
        assert_eq!(y, operated(operation, A) * x * 2.0);

        let mut y = SVector::<f64, 3>::repeat(1.0);
        // SAFETY: as above.
        unsafe {
            stickslip_dsymv(
                &letter,
                &THREE,
                &2.0,
                A.as_ptr(),
                &THREE,
                x.as_ptr(),
                &ONE,
                &3.0,
                y.as_mut_ptr(),
                &ONE,
            );
        }
        let half = triangle(letter, A);
        let symmetric = half + half.transpose() - SMatrix::from_diagonal(&A.diagonal());
        assert_eq!(y, symmetric * x * 2.0 + SVector::repeat(3.0));
    }
}

#[test]
fn products_of_matrices() {
    for a in [b'N', b'T'] {
        for b in [b'N', b'T'] {
            let mut c = SMatrix::<f64, 3, 3>::identity();
            // SAFETY: all matrices have three rows and columns.
            unsafe {
                stickslip_dgemm(
                    &a,
                    &b,
                    &THREE,
                    &THREE,
                    &THREE,
                    &2.0,
                    A.as_ptr(),
                    &THREE,
                    B.as_ptr(),
                    &THREE,
                    &3.0,
                    c.as_mut_ptr(),
                    &THREE,
                );
            }
            assert!((c - (operated(a, A) * operated(b, B) * 2.0 + SMatrix::identity() * 3.0)).amax() < 1e-12);
        }
        for letter in [b'L', b'U'] {
            let mut c = SMatrix::<f64, 3, 3>::zeros();
            // SAFETY: both matrices have three rows and columns.
            unsafe {
                stickslip_dsyrk(
                    &letter,
                    &a,
                    &THREE,
                    &THREE,
                    &2.0,
                    A.as_ptr(),
                    &THREE,
                    &1.0,
                    c.as_mut_ptr(),
                    &THREE,
                );
            }
            let product = operated(a, A) * operated(a, A).transpose() * 2.0;
            assert!((c - triangle(letter, product)).amax() < 1e-12);
        }
    }
}

#[test]
fn triangular_solves() {
    for side in [b'L', b'R'] {
        for letter in [b'L', b'U'] {
            for operation in [b'N', b'T'] {
                for diagonal in [b'N', b'U'] {
                    let mut x = B;
                    // SAFETY: both matrices have three rows and columns.
                    unsafe {
                        stickslip_dtrsm(
                            &side,
                            &letter,
                            &operation,
                            &diagonal,
                            &THREE,
                            &THREE,
                            &2.0,
                            A.as_ptr(),
                            &THREE,
                            x.as_mut_ptr(),
                            &THREE,
                        );
                    }
                    let mut factor = triangle(letter, A);
                    if diagonal == b'U' {
                        factor.fill_diagonal(1.0);
                    }
                    let factor = operated(operation, factor);
                    let product = if side == b'L' { factor * x } else { x * factor };
                    assert!((product - B * 2.0).amax() < 1e-11, "{product}");
                }
            }
        }
    }
}

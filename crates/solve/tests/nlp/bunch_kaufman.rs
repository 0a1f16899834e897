use nalgebra::{DMatrix, DVector, dmatrix};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use stickslip_solve::nlp::{BunchKaufman, Inertia, Singular};

fn factor(matrix: &DMatrix<f64>) -> (BunchKaufman, Result<Inertia, Singular>) {
    let mut ldl = BunchKaufman::new(matrix.nrows());
    ldl.matrix_mut().copy_from_slice(matrix.lower_triangle().as_slice());
    let inertia = ldl.factor();
    (ldl, inertia)
}

/// A random symmetric matrix, or a KKT matrix `[H J^T; J -delta I]` whose diagonal spans many
/// orders of magnitude, as in the last iterations of an interior-point method.
fn random_matrix(order: usize, is_kkt: bool, random: &mut StdRng) -> DMatrix<f64> {
    let variables = if is_kkt { order - order / 3 } else { order };
    let mut matrix = DMatrix::zeros(order, order);
    for row in 0..order {
        for column in 0..=row {
            if column < variables && random.random_bool(0.7) {
                let entry = random.random_range(-1.0..1.0);
                (matrix[(row, column)], matrix[(column, row)]) = (entry, entry);
            }
        }
    }
    if is_kkt {
        for variable in 0..variables {
            matrix[(variable, variable)] += 10f64.powf(random.random_range(-6.0..8.0));
        }
        for constraint in variables..order {
            matrix[(constraint, constraint)] = -1e-8;
        }
    }
    matrix
}

#[test]
fn inertia_and_solution_agree_with_eigenvalues_and_products() {
    let mut random = StdRng::seed_from_u64(1977);
    let mut checked = 0;
    for case in 0..3000 {
        let order = 1 + case % 24;
        let matrix = random_matrix(order, case % 2 == 0, &mut random);
        let eigenvalues = matrix.clone().symmetric_eigen().eigenvalues;
        let (least, greatest) = (eigenvalues.abs().min(), eigenvalues.amax());
        if least <= 1e-12 * greatest {
            continue; // the eigenvalue solver itself cannot tell the sign
        }
        let (ldl, inertia) = factor(&matrix);
        let negative = eigenvalues.iter().filter(|value| **value < 0.0).count();
        assert_eq!(inertia, Ok(Inertia { positive: order - negative, negative }), "{matrix}");

        let expected = DVector::from_fn(order, |_, _| random.random_range(-1.0..1.0));
        let mut solution = &matrix * &expected;
        let right_hand_side = solution.clone();
        ldl.solve(solution.as_mut_slice());
        let error = (&matrix * &solution - right_hand_side).amax();
        assert!(error <= 1e-13 * greatest * solution.amax().max(1.0), "backward error {error:e} of {matrix}");
        checked += 1;
    }
    assert!(checked > 2500, "only {checked} matrices were regular");
}

#[test]
fn chooses_blocks_of_two_rows_where_the_diagonal_vanishes() {
    let matrix = dmatrix![
        0.0, 0.0, 0.0, 1.0;
        0.0, 0.0, 2.0, 0.0;
        0.0, 2.0, 0.0, 0.0;
        1.0, 0.0, 0.0, 0.0];
    let (ldl, inertia) = factor(&matrix);
    assert_eq!(inertia, Ok(Inertia { positive: 2, negative: 2 }));
    let mut x = [4.0, 6.0, 4.0, 1.0];
    ldl.solve(&mut x);
    assert_eq!(x, [1.0, 2.0, 3.0, 4.0]);
}

#[test]
fn refuses_singular_matrices() {
    let zero = DMatrix::zeros(3, 3);
    assert_eq!(factor(&zero).1, Err(Singular { column: 0 }));
    let rank_one = DMatrix::from_element(4, 4, 2.0);
    assert_eq!(factor(&rank_one).1, Err(Singular { column: 1 }));
    let repeated_constraint = dmatrix![
        1.0, 0.0, 1.0, 1.0;
        0.0, 1.0, 1.0, 1.0;
        1.0, 1.0, 0.0, 0.0;
        1.0, 1.0, 0.0, 0.0];
    assert_eq!(factor(&repeated_constraint).1, Err(Singular { column: 3 }));
}

#[test]
fn refuses_what_is_not_finite() {
    for poison in [f64::NAN, f64::INFINITY] {
        let mut matrix = DMatrix::identity(5, 5);
        (matrix[(3, 2)], matrix[(2, 3)]) = (poison, poison);
        assert!(factor(&matrix).1.is_err());
        let mut matrix = DMatrix::identity(5, 5);
        matrix[(4, 4)] = poison;
        assert!(factor(&matrix).1.is_err());
    }
}

#[test]
fn can_be_used_again_with_another_order() {
    let mut ldl = BunchKaufman::new(3);
    ldl.reset(0);
    assert_eq!(ldl.factor(), Ok(Inertia { positive: 0, negative: 0 }));
    ldl.reset(1);
    assert_eq!(ldl.matrix_mut(), [0.0]);
    ldl.matrix_mut()[0] = -4.0;
    assert_eq!(ldl.factor(), Ok(Inertia { positive: 0, negative: 1 }));
    let mut x = [2.0];
    ldl.solve(&mut x);
    assert_eq!(x, [-0.5]);
}

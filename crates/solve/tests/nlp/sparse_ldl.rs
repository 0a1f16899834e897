use nalgebra::{DMatrix, DVector};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use stickslip_solve::nlp::{BunchKaufman, Inertia, sparse::SparseLdl};

/// A sparse KKT matrix `[H J^T; J -D]`: few entries per row, diagonals over many orders of
/// magnitude, and zeros on part of the diagonal.
fn random_matrix(variables: usize, constraints: usize, random: &mut StdRng) -> DMatrix<f64> {
    let order = variables + constraints;
    let mut matrix = DMatrix::zeros(order, order);
    let mut set = |row: usize, column: usize, value: f64| {
        (matrix[(row, column)], matrix[(column, row)]) = (value, value);
    };
    for variable in 0..variables {
        set(variable, variable, 10f64.powf(random.random_range(-9.0..6.0)));
        let other = random.random_range(0..variables);
        if other != variable {
            set(variable, other, random.random_range(-1.0..1.0));
        }
    }
    for constraint in 0..constraints {
        let row = variables + constraint;
        // One entry of its own keeps the rows independent.
        set(row, constraint, random.random_range(0.5..1.0));
        set(row, random.random_range(0..variables), random.random_range(0.5..1.0));
        set(row, 0, 1.0);
        if random.random_bool(0.5) {
            set(row, row, -10f64.powf(random.random_range(-9.0..0.0)));
        }
    }
    matrix
}

fn sparse(matrix: &DMatrix<f64>) -> SparseLdl {
    let (mut starts, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
    for row in 0..matrix.nrows() {
        for column in (row..matrix.ncols()).filter(|&column| matrix[(row, column)] != 0.0) {
            columns.push(column);
            values.push(matrix[(row, column)]);
        }
        starts.push(columns.len());
    }
    let mut ldl = SparseLdl::new(&starts, &columns).expect("an upper triangle");
    ldl.values_mut().copy_from_slice(&values);
    ldl
}

fn dense_inertia(matrix: &DMatrix<f64>) -> Inertia {
    let mut ldl = BunchKaufman::new(matrix.nrows());
    ldl.matrix_mut().copy_from_slice(matrix.lower_triangle().as_slice());
    ldl.factor().expect("a regular matrix")
}

/// Asserts that inertia and solution are those of the dense factorisation.
#[track_caller]
fn assert_agrees_with_dense(matrix: &DMatrix<f64>, random: &mut StdRng, what: &str) {
    let mut ldl = sparse(matrix);
    assert_eq!(ldl.factor(), Ok(dense_inertia(matrix)), "{what}");
    let solution = DVector::from_fn(matrix.nrows(), |_, _| random.random_range(-1.0..1.0));
    let right = matrix * &solution;
    let mut x = right.clone();
    ldl.solve(x.as_mut_slice());
    let residual = (matrix * &x - &right).amax() / (matrix.amax() * x.amax() + right.amax());
    assert!(residual < 1e-12, "{what}: relative residual {residual:e}");
}

#[test]
fn kkt_matrices_have_the_inertia_and_solution_of_the_dense_factorisation() {
    let mut random = StdRng::seed_from_u64(7);
    for trial in 0..200 {
        let variables = random.random_range(3..80);
        let matrix = random_matrix(variables, variables / 2, &mut random);
        assert_agrees_with_dense(&matrix, &mut random, &format!("trial {trial}"));
    }
}

#[test]
fn so_have_indefinite_matrices_of_no_structure_from_sparse_to_full() {
    let mut random = StdRng::seed_from_u64(8);
    for trial in 0..100 {
        let order = random.random_range(1..60);
        let density = random.random_range(0.02..1.0);
        let mut matrix = DMatrix::zeros(order, order);
        for row in 0..order {
            // A diagonal that is mostly too small to be a pivot keeps the matrix regular.
            matrix[(row, row)] =
                random.random_range(-0.1..0.1) + if random.random_bool(0.5) { 0.2 } else { -0.2 };
            for column in (0..row).filter(|_| random.random_bool(density)).collect::<Vec<_>>() {
                let value = random.random_range(-1.0..1.0);
                (matrix[(row, column)], matrix[(column, row)]) = (value, value);
            }
        }
        assert_agrees_with_dense(&matrix, &mut random, &format!("trial {trial}, order {order}"));
    }
}

#[test]
fn rows_of_very_different_size_do_not_change_the_inertia() {
    let mut random = StdRng::seed_from_u64(9);
    for trial in 0..100 {
        let matrix = random_matrix(30, 15, &mut random);
        let inertia = sparse(&matrix).factor().expect("a regular matrix");
        let scale = DVector::from_fn(45, |_, _| 10f64.powf(random.random_range(-8.0..8.0)));
        let scaled =
            DMatrix::from_fn(45, 45, |row, column| scale[row] * matrix[(row, column)] * scale[column]);
        assert_eq!(sparse(&scaled).factor(), Ok(inertia), "trial {trial}");
    }
}

#[test]
fn many_blocks_that_meet_in_one_row_are_factored_apart() {
    // As a dense matrix this would take 10^11 operations; block by block it takes milliseconds.
    let (blocks, size) = (500, 12);
    let order = blocks * size + 1;
    let (mut starts, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
    for row in 0..order - 1 {
        for column in row..(row / size + 1) * size {
            columns.push(column);
            values.push(if row == column { 0.0 } else { 1.0 + ((row * 7 + column) % 5) as f64 });
        }
        columns.push(order - 1);
        values.push(0.5);
        starts.push(columns.len());
    }
    columns.push(order - 1);
    values.push(1.0);
    starts.push(columns.len());
    let mut ldl = SparseLdl::new(&starts, &columns).expect("an upper triangle");
    for _ in 0..20 {
        ldl.values_mut().copy_from_slice(&values);
        let inertia = ldl.factor().expect("a regular matrix");
        assert_eq!(inertia.positive + inertia.negative, order);
    }
}

#[test]
fn a_matrix_with_a_zero_diagonal_needs_pivots_of_two_rows() {
    // Any elimination by single pivots would divide by zero at once.
    let pairs = 50;
    let mut matrix = DMatrix::zeros(2 * pairs, 2 * pairs);
    for pair in 0..pairs {
        matrix[(pair, pairs + pair)] = 1.0 + pair as f64;
        matrix[(pairs + pair, pair)] = 1.0 + pair as f64;
    }
    assert_eq!(sparse(&matrix).factor(), Ok(Inertia { positive: pairs, negative: pairs }));
}

#[test]
fn dependent_rows_are_found_singular() {
    let mut matrix = DMatrix::identity(6, 6);
    for (row, column) in [(0, 5), (5, 0)] {
        matrix[(row, column)] = 1.0;
    }
    assert!(sparse(&matrix).factor().is_err());
    assert!(sparse(&DMatrix::from_element(3, 3, 1.0)).factor().is_err(), "rank one");
    let mut ldl = SparseLdl::new(&[0, 1, 2], &[0, 1]).expect("an upper triangle");
    ldl.values_mut().copy_from_slice(&[1.0, 0.0]);
    assert!(ldl.factor().is_err(), "a row of zeros");
}

#[test]
fn constraints_that_repeat_each_other_make_a_kkt_matrix_singular() {
    let mut random = StdRng::seed_from_u64(10);
    for trial in 0..50 {
        let variables = random.random_range(4..40);
        let order = variables + 3;
        let mut matrix = DMatrix::zeros(order, order);
        for variable in 0..variables {
            matrix[(variable, variable)] = random.random_range(1.0..10.0);
            for (row, factor) in [(variables, 1.0), (variables + 1, -1.0), (variables + 2, 0.0)] {
                let value = random.random_range(0.5..1.5) + factor;
                (matrix[(row, variable)], matrix[(variable, row)]) = (value, value);
            }
            // The last constraint is the sum of the two before it.
            let value = matrix[(variables, variable)] + matrix[(variables + 1, variable)];
            (matrix[(order - 1, variable)], matrix[(variable, order - 1)]) = (value, value);
        }
        assert!(sparse(&matrix).factor().is_err(), "trial {trial}");
    }
}

#[test]
fn one_analysis_serves_many_values_even_after_a_singular_matrix() {
    let mut ldl = SparseLdl::new(&[0, 2, 3], &[0, 1, 1]).expect("an upper triangle");
    for (values, inertia) in [
        ([2.0, 1.0, 3.0], Some((2, 0))),
        ([1.0, 1.0, 1.0], None),
        ([0.0, 1.0, 0.0], Some((1, 1))),
        ([-2.0, 1.0, -3.0], Some((0, 2))),
    ] {
        ldl.values_mut().copy_from_slice(&values);
        let found = ldl.factor().ok().map(|inertia| (inertia.positive, inertia.negative));
        assert_eq!(found, inertia, "{values:?}");
    }
}

#[test]
fn what_is_not_finite_is_refused() {
    let mut ldl = sparse(&DMatrix::identity(3, 3));
    ldl.values_mut()[1] = f64::NAN;
    assert!(ldl.factor().is_err());
}

#[test]
fn a_pattern_that_is_no_upper_triangle_is_refused() {
    assert!(SparseLdl::new(&[], &[]).is_err(), "no rows at all");
    assert!(SparseLdl::new(&[0, 1, 2], &[0, 0]).is_err(), "an entry below the diagonal");
    assert!(SparseLdl::new(&[0, 2, 3], &[1, 0, 1]).is_err(), "columns that do not ascend");
    assert!(SparseLdl::new(&[0, 1], &[0, 1]).is_err(), "more columns than rows have");
}

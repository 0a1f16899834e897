//! Contact problems as text: JSON, and the files of Siconos' own tests.

use std::{fs, path::PathBuf};

use nalgebra::{DMatrix, DVector};
use stickslip_base::random::Random;
use stickslip_contact::contact::{AnswerStatus, AnyDenseProblem, Method, ProblemFormat};

fn read(text: &str) -> AnyDenseProblem {
    AnyDenseProblem::from_text(text).unwrap_or_else(|error| panic!("{error}"))
}

/// A problem of the test suite of Siconos.
fn of_siconos(name: &str) -> AnyDenseProblem {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/siconos");
    read(&fs::read_to_string(folder.join(name)).unwrap())
}

/// `W` row by row, `q`, `mu` and what resists rolling.
fn numbers(problem: &AnyDenseProblem) -> Vec<f64> {
    let (w, q, mu) = problem.parts();
    let rolling = problem.rolling().unwrap_or_default();
    w.transpose().iter().chain(q).chain(mu).chain(rolling).copied().collect()
}

/// A problem of contacts of which some have nothing to do with each other, and of numbers of all sizes.
fn random_problem((dimension, rolls): (u64, bool), contacts: usize, random: &mut Random) -> AnyDenseProblem {
    let rows_per_contact = if rolls { 2 * dimension as usize - 1 } else { dimension as usize };
    let rows = rows_per_contact * contacts;
    let mut wild = || random.normal(1.0) * 10.0_f64.powf(30.0 * random.normal(1.0));
    let mut w = DMatrix::from_fn(rows, rows, |i, j| {
        if (i / rows_per_contact + j / rows_per_contact) % 3 == 1 { 0.0 } else { wild() }
    });
    (0..rows).for_each(|row| w[(row, row)] = 1.0 + wild().abs().min(1e6));
    w[(0, 1)] = -0.0;
    w[(1, 0)] = f64::MIN_POSITIVE / 3.0;
    let q = DVector::from_fn(rows, |_, _| wild().clamp(-1e30, 1e30));
    let mu = (0..contacts).map(|_| wild().abs()).collect();
    let rolling = rolls.then(|| (0..contacts).map(|_| wild().abs()).collect());
    AnyDenseProblem::new(dimension, w, q, mu, rolling).expect("numbers in range")
}

#[test]
fn what_is_written_reads_back_to_the_last_bit_in_every_format() {
    let mut random = Random::seeded(48);
    for kind in [(2, false), (3, false), (2, true), (3, true)] {
        for contacts in [1, 2, 7] {
            let problem = random_problem(kind, contacts, &mut random);
            let bits = |problem: &AnyDenseProblem| -> Vec<u64> {
                numbers(problem).iter().map(|number| number.to_bits()).collect()
            };
            for format in ProblemFormat::ALL {
                let again = read(&problem.to_text(format));
                assert_eq!((again.dimension(), again.rolling().is_some()), kind, "{format}");
                assert_eq!(bits(&again), bits(&problem), "{format}, {contacts} contacts");
            }
        }
    }
}

#[test]
fn formats_are_known_by_their_names() {
    for format in ProblemFormat::ALL {
        assert_eq!(format.to_string().parse(), Ok(format));
    }
    let unknown = "hdf5".parse::<ProblemFormat>().unwrap_err().to_string();
    assert!(unknown.contains("`hdf5`") && unknown.contains("siconos:triplet"), "{unknown}");
}

/// Entries of a dense matrix stand column after column, which files with a matrix that is not quite symmetric tell.
#[test]
fn a_dense_matrix_of_siconos_is_read_column_by_column() {
    let problem = of_siconos("FC2D_SliderCrankLagrangian00000.dat");
    let AnyDenseProblem::Planar(problem) = problem else { panic!("two rows per contact") };
    assert_eq!(
        problem.w.row(0).iter().take(2).copied().collect::<Vec<_>>(),
        [936.561002225357, -464.2662921766746]
    );
    assert_eq!(problem.w[(1, 0)], -464.2665883420583);
    assert_eq!(
        problem.q.as_slice(),
        [-1.1790873099657895, -8.407368208001527, -1.1790873099657895, -8.407368208001527]
    );
    assert_eq!(problem.friction, [0.01, 0.01]);
}

#[test]
fn sparse_blocks_of_siconos_are_read_column_by_column() {
    let AnyDenseProblem::Spatial(problem) = of_siconos("Confeti-ex13-4contact-Fc3D-SBM.dat") else {
        panic!("three rows per contact")
    };
    // Block 1 is that of contacts 0 and 1, block 4 its mirror image.
    assert_eq!(
        [problem.w[(0, 3)], problem.w[(1, 3)], problem.w[(0, 4)]],
        [-4.820218e-06, 4.025661e-05, -5.809880e-06]
    );
    assert_eq!(problem.w, problem.w.transpose());
    assert_eq!(problem.friction, [0.04; 4]);
}

/// Two contacts in the plane whose matrix is not symmetric, in all storages of Siconos, the sparse ones printed by CSparse.
#[test]
fn all_storages_of_siconos_say_the_same() {
    let ends = "-1 2 -3 4\n0.5 0.25\n";
    let sparse = |origin: usize, rest: &str| {
        format!(
            "2\n2\n2\n4\n4\n{origin}\nCSparse Version 3.1.9, May 4, 2016.  Copyright (c) T. Davis\n{rest}{ends}"
        )
    };
    let triplet = "triplet: 4-by-4, nzmax: 9 nnz: 6\n    0 0 : 4\n    1 1 : 2\n    2 2 : 5\n    3 3 : 2\n    0 2 : -1\n    0 2 : -0.5\n";
    let columns = "4-by-4, nzmax: 9 nnz: 5, 1-norm: 6.5\n    col 0 : locations 0 to 0\n      0 : 4\n    col 1 : locations 1 to 1\n\
                   \x20     1 : 2\n    col 2 : locations 2 to 3\n      2 : 5\n      0 : -1.5\n    col 3 : locations 4 to 4\n      3 : 2\n";
    let rows = "4-by-4, nzmax: 5 nnz: 5, 1-norm: 5\n    col 0 : locations 0 to 1\n      0 : 4\n      2 : -1.5\n\
                \x20   col 1 : locations 2 to 2\n      1 : 2\n    col 2 : locations 3 to 3\n      2 : 5\n\
                \x20   col 3 : locations 4 to 4\n      3 : 2\n";
    let blocks = "2\n2\n1\n4\n4\n3\n2\n2\n2\t4\t\n2\t4\t\n3\n3\n0\t2\t3\t\n0\t1\t1\t\n0\n4\n0\n0\n2\n1\n-1.5\n0\n0\n0\n2\n5\n0\n0\n2\n";
    let texts = [
        format!("2 2 0 4 4 4 4  4 0 0 0  0 2 0 0  -1.5 0 5 0  0 0 0 2 {ends}"),
        format!("{blocks}{ends}"),
        sparse(1, triplet),
        sparse(2, columns),
        sparse(3, rows),
    ];
    let w = DMatrix::from_row_slice(
        4,
        4,
        &[4.0, 0.0, -1.5, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 5.0, 0.0, 0.0, 0.0, 0.0, 2.0],
    );
    let q = DVector::from_vec(vec![-1.0, 2.0, -3.0, 4.0]);
    let expected = AnyDenseProblem::new(2, w, q, vec![0.5, 0.25], None).unwrap();
    for text in texts {
        assert_eq!(read(&text), expected, "{text}");
    }
    // Older files end with a flag.
    assert_eq!(read(&format!("{blocks}{ends}0\n")), expected);
}

/// Faults are told with their line, what stands there and what should.
#[test]
fn faulty_files_of_siconos_are_refused_with_the_line() {
    let good = "3\n1\n0\n3\n3\n3\t3\n1 0 0\n0 1 0\n0 0 1\n-1 1 3\n0.1\n";
    read(good);
    let cases = [
        (good.replacen('3', "4", 1), "line 1: 4, but 2, 3 or 5 rows per contact"),
        (good.replacen("3\n1", "3\nx", 1), "line 2: `x`, but the number of contacts"),
        (good.replacen("3\n1", "3\n0", 1), "line 4: 3 rows of the matrix, but a matrix of 0 rows"),
        (
            good.replacen("3\n1", "3\n99999999999", 1),
            "line 2: 99999999999, but a number of contacts up to 5461",
        ),
        (
            good.replacen("3\n1", "3\n999", 1),
            "line 2: a file that is too short, but 2997 numbers of q at least",
        ),
        (good.replacen("1\n0", "1\n7", 1), "line 3: 7, but the storage of the matrix"),
        (good.replacen("0\n3", "0\n39", 1), "line 4: 39 rows of the matrix, but a matrix of 3 rows"),
        (
            good.replacen("0 1 0", "0 nan 0", 1),
            "line 8: `nan`, but number 5 of 9 of the matrix, a finite number",
        ),
        (good.replacen("0 1 0", "0 1e999 0", 1), "line 8: `1e999`"),
        (good.replacen("0 1 0", "0 -1 0", 1), "begins in line 3: `W` holds -1 in row 2"),
        (good.replacen("-1 1 3", "-1 1", 1), "line 11: the file ends, but number 1 of 1 of mu"),
        (good.replacen("0.1", "-0.1", 1), "`mu` of contact 1 is -0.1"),
        (good.replacen("0.1", "0.1 2 3", 1), "line 11: more numbers follow"),
        ("2\n2\n0\n4\n4\n4 4\n1".to_owned(), "line 6: a file that is too short, but 4 times 4 numbers"),
        ("2 1 2 2 2 4\n".to_owned(), "4, but 1 (triplet), 2 (columns) or 3 (rows)"),
        (
            "2\n1\n2\n2\n2\n1\nCSparse\ntriplet: 3-by-3, nzmax: 1 nnz: 1\n".to_owned(),
            "line 8: `3-by-3,`, but `2-by-2,`",
        ),
        (
            "2\n1\n2\n2\n2\n1\nCSparse\ntriplet: 2-by-2, nzmax: 1 nnz: 1\n 2 0 : 1\n".to_owned(),
            "line 9: 2, but the row of an entry, from 0 and below 2",
        ),
        (
            "2\n1\n1\n2\n2\n1\n1\n1\n3\n2\n".to_owned(),
            "line 9: 3, but where rows 1 of 1 of blocks end, 1 to 2",
        ),
        (
            "2\n1\n1\n2\n2\n1\n1\n1\n2\n2\n2\n1\n0 1\n1\n".to_owned(),
            "line 14: 1, but the column of block 0, from 0 and below 1",
        ),
        (
            "2\n1\n1\n2\n2\n1\n1\n1\n2\n2\n2\n1\n0 1\n0\n7\n".to_owned(),
            "line 15: 7, but 0, the number of the next block",
        ),
    ];
    for (text, expected) in cases {
        let error = AnyDenseProblem::from_text(&text).expect_err(&text);
        assert!(error.to_string().contains(expected), "{text}\n{error}");
        assert!(!error.remedy().is_empty());
    }
}

/// A problem with the masses of the bodies beside the rows of the contacts is another one, which is said.
#[test]
fn a_global_problem_is_told_from_a_local_one() {
    let matrix = "0\n6\n6\n6 6\n1 0 0 0 0 0 0 1 0 0 0 0 0 0 1 0 0 0 0 0 0 1 0 0 0 0 0 0 1 0 0 0 0 0 0 1\n";
    let text = format!("3\n1\n{matrix}{matrix}");
    let error = AnyDenseProblem::from_text(&text).unwrap_err();
    assert!(error.to_string().contains("6 rows of the matrix, but a matrix of 3 rows"), "{error}");
    assert!(error.remedy().contains("W = H' M^-1 H"), "{}", error.remedy());
}

/// The problems of the test suite of Siconos are in its convention: normal first, positive where a contact opens, reaction in
/// the cone. Solutions keep gaps and cones, and friction is against the slip.
#[test]
fn problems_of_siconos_are_solved() {
    for (name, method) in [
        ("FC2D_SliderCrankLagrangian00000.dat", Method::Lcp),
        ("FrictionContact3D_RR_1c.dat", Method::Cone),
        ("Confeti-ex13-4contact-Fc3D-SBM.dat", Method::Cone),
        ("Rover4516.dat", Method::Cone),
        ("RFC3D_sphere_2.dat", Method::Cone),
        ("RFC3D_cube_1.dat", Method::Cone),
    ] {
        let problem = of_siconos(name);
        for method in [method, Method::Nlp] {
            let (answer, failure) = problem.solve(method, 1e-8);
            assert_eq!(answer.status, AnswerStatus::Solved, "{name} by {method}: {failure:?}");
            assert_law(&problem, &answer.r, name);
        }
    }
}

/// Coulomb's law, and that of rolling, row by row: nothing of the solvers is asked.
fn assert_law(problem: &AnyDenseProblem, r: &[f64], name: &str) {
    let (w, q, mu) = problem.parts();
    let rows = problem.rows_per_contact();
    let impulses = DVector::from_column_slice(r);
    let u = w * &impulses + q;
    let bound = 1e-7 * q.amax().max(r.iter().fold(0.0_f64, |largest, r| largest.max(r.abs())));
    for (contact, mu) in mu.iter().enumerate() {
        let place = rows * contact;
        let (normal, opening) = (r[place], u[place]);
        assert!(
            normal >= -bound && opening >= -bound && (normal * opening).abs() <= bound * bound.max(1.0),
            "{name}"
        );
        let tangents = problem.dimension() as usize;
        let groups = [(1..tangents, *mu)].into_iter();
        let rolling = problem.rolling().map(|rolling| (tangents..rows, rolling[contact]));
        for (part, coefficient) in groups.chain(rolling) {
            let force: Vec<f64> = part.clone().map(|row| r[place + row]).collect();
            let slip: Vec<f64> = part.map(|row| u[place + row]).collect();
            let size = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
            let most = coefficient * normal;
            assert!(size(&force) <= most + bound, "{name}: contact {contact}");
            let power: f64 = force.iter().zip(&slip).map(|(r, u)| r * u).sum();
            assert!(
                (power + most * size(&slip)).abs() <= bound * bound.max(1.0),
                "{name}: contact {contact}: {power}"
            );
        }
    }
}

/// One contact whose rows have nothing to do with each other: pressed by 1 it slides against `mu r_n` and rolls against
/// `rho r_n`.
#[test]
fn a_contact_that_slides_and_rolls_has_a_closed_form() {
    let rolling = |q: [f64; 5]| {
        let (w, q) = (DMatrix::identity(5, 5), DVector::from_column_slice(&q));
        AnyDenseProblem::new(3, w, q, vec![0.5], Some(vec![0.2])).unwrap()
    };
    let cases = [
        // Slides along (3, 4) and rolls about the second axis.
        ([-1.0, 3.0, 4.0, 0.0, -7.0], [1.0, -0.3, -0.4, 0.0, 0.2], [0.0, 2.7, 3.6, 0.0, -6.8]),
        // Sticks and rolls.
        ([-1.0, 0.2, 0.1, 3.0, 0.0], [1.0, -0.2, -0.1, -0.2, 0.0], [0.0, 0.0, 0.0, 2.8, 0.0]),
        // Slides and does not roll.
        ([-2.0, 0.0, 2.0, 0.3, -0.2], [2.0, 0.0, -1.0, -0.3, 0.2], [0.0, 0.0, 1.0, 0.0, 0.0]),
        // Opens.
        ([1.0, 2.0, 0.0, 3.0, 0.0], [0.0; 5], [1.0, 2.0, 0.0, 3.0, 0.0]),
    ];
    for (q, r, u) in cases {
        for method in [Method::Nlp, Method::Lcp, Method::Cone] {
            let (answer, failure) = rolling(q).solve(method, 1e-8);
            assert!(failure.is_none(), "{method}: {failure:?}");
            let near = |found: &[f64], expected: &[f64]| {
                found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-7)
            };
            // The polygon of `lcp` has a corner along what a contact would do without impulses.
            assert!(near(&answer.r, &r) && near(&answer.u, &u), "{method}: {answer:?}");
            assert!(answer.residual < 1e-7, "{method}: {}", answer.residual);
        }
        let (answer, failure) = rolling(q).solve(Method::Convex, 1e-6);
        assert_eq!(answer.status, AnswerStatus::Unsolved);
        assert!(failure.unwrap().to_string().contains("take `nlp`, `lcp` or `cone`"));
    }
}

/// The same in the plane, where `lcp` is exact: it slides and rolls.
#[test]
fn rolling_in_the_plane_has_a_closed_form() {
    let (w, q) = (DMatrix::identity(3, 3), DVector::from_vec(vec![-2.0, 3.0, -4.0]));
    let problem = AnyDenseProblem::new(2, w, q, vec![0.5], Some(vec![0.25])).unwrap();
    for method in [Method::Nlp, Method::Lcp, Method::Cone] {
        let (answer, failure) = problem.solve(method, 1e-8);
        assert_eq!(answer.status, AnswerStatus::Solved, "{method}: {failure:?}");
        let near =
            |found: &[f64], expected: [f64; 3]| found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-7);
        assert!(
            near(&answer.r, [2.0, -1.0, 0.5]) && near(&answer.u, [0.0, 2.0, -3.5]),
            "{method}: {answer:?}"
        );
    }
}

/// Without anything that resists rolling the first three rows are a problem of their own.
#[test]
fn rolling_without_resistance_changes_nothing() {
    let rolling = of_siconos("RFC3D_cube_1.dat");
    let (w, q, mu) = rolling.parts();
    let kept = [0, 1, 2, 5, 6, 7];
    let w = DMatrix::from_fn(6, 6, |i, j| w[(kept[i], kept[j])]);
    let q = DVector::from_fn(6, |i, _| q[kept[i]]);
    let plain = AnyDenseProblem::new(3, w, q, mu.to_vec(), None).unwrap();
    let (of_rolling, _) = rolling.solve(Method::Cone, 1e-10);
    let (of_plain, _) = plain.solve(Method::Cone, 1e-10);
    for (place, row) in kept.into_iter().enumerate() {
        assert!((of_rolling.u[row] - of_plain.u[place]).abs() < 1e-7, "{of_rolling:?} {of_plain:?}");
    }
}

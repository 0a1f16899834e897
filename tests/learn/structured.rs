use crate::support::{assert_note, learn, parameter, parameter_error};

#[test]
fn one_normalisation_is_enough_with_random_forces() {
    for seed in 0..5 {
        let findings = learn("structured", 300, seed, &[]);
        assert!(parameter_error(&findings) <= 2.7e-5, "seed {seed}: {:e}", parameter_error(&findings));
        assert_eq!(findings.measures["unique"], true);
    }
}

#[test]
fn and_with_biases_in_the_first_two_rows() {
    for seed in 0..5 {
        let findings = learn("structured", 300, seed, &["biases=true"]);
        assert!(parameter_error(&findings) <= 9e-6, "seed {seed}: {:e}", parameter_error(&findings));
    }
}

#[test]
fn the_learned_matrix_is_semidefinite_plus_skew() {
    let findings = learn("structured", 300, 0, &[]);
    let eigenvalues = findings.measures["eigenvalues_of_symmetric_part"].as_array().expect("a list");
    assert!(
        eigenvalues.iter().all(|value| value.as_f64().is_some_and(|value| value > -1e-9)),
        "{eigenvalues:?}"
    );
}

#[test]
fn smallest_forces_do_not_tell_how_they_couple() {
    let findings = learn("structured", 300, 0, &["selection=min"]);
    assert!(parameter_error(&findings) > 0.4);
    // Semidefiniteness bounds the coupling: |M12 + M21| <= 2.
    for name in ["M12", "M21"] {
        let coupling = parameter(&findings, name);
        let [low, high] = coupling.interval.expect("the optimal face was explored");
        assert!(
            !coupling.identifiable && (low + 1.0).abs() < 1e-4 && (high - 3.0).abs() < 1e-4,
            "[{low}, {high}]"
        );
    }
    assert_note(&findings, "degenerate: systems that differ in M12 in [-1.0000, 3.0000]");
}

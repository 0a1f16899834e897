use crate::support::{assert_note, learn, measure, parameter, parameter_error};

#[test]
fn thirty_steps_with_random_forces_give_the_system_exactly() {
    for seed in 0..10 {
        let findings = learn("linear-program", 30, seed, &[]);
        assert!(parameter_error(&findings) <= 1e-12, "seed {seed}: {:e}", parameter_error(&findings));
        assert_eq!(findings.measures["unique"], true);
    }
}

#[test]
fn twenty_thousand_steps_do_so_too() {
    let findings = learn("linear-program", 20_000, 0, &[]);
    assert!(parameter_error(&findings) <= 1e-12, "{:e}", parameter_error(&findings));
    assert_eq!(findings.measures["unique"], true);
}

/// Names of the coefficients that the data leave free.
fn free_coefficients(settings: &[&str]) -> Vec<String> {
    let findings = learn("linear-program", 300, 1, settings);
    let free = findings.parameters.iter().filter(|(_, parameter)| !parameter.identifiable);
    free.map(|(name, _)| name.clone()).collect()
}

#[test]
fn saturated_forces_with_biases_are_degenerate_and_named_as_such() {
    let settings = ["selection=saturated"];
    // A multiple of row 3, which vanishes in every step, may be added to rows 1 and 2.
    assert_eq!(free_coefficients(&settings), ["M11", "M12", "M21", "M22", "W13", "W23"]);
    let findings = learn("linear-program", 300, 1, &settings);
    assert_note(&findings, "degenerate: systems that differ in M11 in [");
    assert!(parameter(&findings, "W31").identifiable);
}

#[test]
fn saturated_forces_without_biases_are_not() {
    assert_eq!(free_coefficients(&["selection=saturated", "biases=false"]), [""; 0]);
}

#[test]
fn smallest_forces_leave_the_coupling_free_above_the_truth() {
    assert_eq!(free_coefficients(&["selection=min"]), ["M12", "M21"]);
    let findings = learn("linear-program", 300, 1, &["selection=min"]);
    let [low, high] = parameter(&findings, "M12").interval.expect("the optimal face was explored");
    assert!((low + 1.0).abs() < 1e-6 && high == f64::INFINITY, "[{low}, {high}]");
}

#[test]
fn a_margin_does_not_exclude_the_zero_matrix() {
    let findings = learn("linear-program", 300, 0, &["eps=0.1", "fixed_entries=false"]);
    let (found, trivial) = (measure(&findings, "violation"), measure(&findings, "violation_of_zero_matrix"));
    assert!((found - trivial).abs() < 1e-6 * trivial, "{found} against {trivial}");
    assert_note(&findings, "M = 0, q = eps costs no more than the best system");
}

#[test]
fn a_penalty_on_magnitudes_shrinks_the_system_to_zero() {
    let findings = learn("linear-program", 300, 0, &["l1=1", "fixed_entries=false"]);
    assert!(findings.parameters.iter().all(|(_, parameter)| parameter.learned.abs() < 1e-12));
}

#[test]
fn units_of_the_data_do_not_matter() {
    let findings = learn("linear-program", 100, 3, &["friction=1e-4", "range=3e-4"]);
    assert!((parameter(&findings, "W33").learned - 1e-4).abs() < 1e-14);
    assert!((parameter(&findings, "M12").learned + 1.0).abs() < 1e-9);
}

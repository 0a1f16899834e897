use crate::support::{assert_note, learn, parameter, parameter_error, request_with_data, run};

#[test]
fn nine_steps_determine_the_system_exactly() {
    for seed in 0..10 {
        let findings = learn("slack", 9, seed, &[]);
        // f = [s - mu, -s - mu], G = I; the condition of nine random steps costs a few digits.
        assert!(findings.error < 1e-12, "seed {seed}: test error {:e}", findings.error);
        assert!(parameter_error(&findings) < 1e-11, "seed {seed}: {:e}", parameter_error(&findings));
        assert!(findings.parameters.iter().all(|(_, parameter)| parameter.identifiable));
    }
}

#[test]
fn thirty_steps_reach_rounding() {
    let findings = learn("slack", 30, 0, &[]);
    assert!(findings.error < 7e-14, "{:e}", findings.error);
    assert!((parameter(&findings, "G11").learned - 1.0).abs() < 1e-13);
}

#[test]
fn six_steps_are_not_enough_and_the_result_says_what_is() {
    for seed in 0..10 {
        let findings = learn("slack", 6, seed, &[]);
        assert!(findings.error > 0.1, "seed {seed}: test error {:e}", findings.error);
        assert_note(
            &findings,
            "6 steps determine 6 of the 9 coefficients of each output: give 9 steps or more",
        );
    }
}

#[test]
fn steps_of_one_kind_are_not_told_to_be_too_few() {
    let sticking: String =
        (0..50).map(|k| format!("{},{},0\n", 0.01 * f64::from(k), 0.3 - 0.02 * f64::from(k))).collect();
    let (_, findings) = run(request_with_data("slack", &format!("v,u,v_next\n{sticking}"), &[]));
    assert_note(&findings, "give steps that slide to the left and that slide to the right too");
    let right: String = (0..50)
        .map(|k| format!("{},2,{}\n", 0.01 * f64::from(k * k % 37), 1.0 + 0.01 * f64::from(k * k % 37)))
        .collect();
    let (_, findings) = run(request_with_data("slack", &format!("v,u,v_next\n{right}"), &[]));
    assert_note(&findings, "give steps that slide to the left and that stick too");
}

#[test]
fn another_friction_is_found_as_exactly() {
    let findings = learn("slack", 9, 1, &["friction=0.3"]);
    assert!((parameter(&findings, "f1").learned + 0.3).abs() < 1e-11);
}

use stickslip::learn::data::BlockGenerator;

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

/// With a file, lambda' is computed from v_next and a friction that was assumed: velocities that are off by 100 m/s give the
/// same coefficients.
#[test]
fn data_from_a_file_give_back_the_friction_that_was_assumed_and_the_result_says_so() {
    for (friction, off) in [(0.6, 0.0), (0.6, 100.0), (1.0, 0.0)] {
        let rows: String = BlockGenerator::default()
            .generate(40, 1)
            .iter()
            .map(|step| format!("{:?},{:?},{:?}\n", step.velocity, step.push, step.next_velocity + off))
            .collect();
        let setting = format!("friction={friction}");
        let data = format!("v,u,v_next\n{rows}");
        let (result, findings) = run(request_with_data("slack", &data, &[setting.as_str()]));
        for (name, parameter) in &findings.parameters {
            assert!(!parameter.identifiable, "{name} is what was assumed: {parameter:?}");
            assert!(parameter.reason.as_ref().is_some_and(|reason| reason.contains("assumed")));
        }
        assert_note(&findings, &format!("a friction of {friction} m/s was assumed"));
        assert!(result.error_measure.contains("which was computed from them"), "{}", result.error_measure);
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

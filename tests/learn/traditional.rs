use crate::support::{
    assert_nothing_is_claimed, learn, noisy_forces, number, parameter_error, request_with_data, run,
};

#[test]
fn thirty_steps_give_four_decimals() {
    for seed in 0..5 {
        let findings = learn("traditional", 30, seed, &["adam_samples=0"]);
        assert!(parameter_error(&findings) < 5e-5, "seed {seed}: {:e}", parameter_error(&findings));
    }
}

/// Error of one pass of Adam.
fn adam_error(samples: usize, seed: u64) -> f64 {
    let setting = format!("adam_samples={samples}");
    number(&learn("traditional", 30, seed, &[&setting]).measures["adam"]["error"])
}

#[test]
fn ten_thousand_steps_are_too_few_for_one_pass_of_stochastic_gradients() {
    for seed in 0..5 {
        let error = adam_error(10_000, seed);
        assert!((0.5..=1.1).contains(&error), "seed {seed}: {error}");
    }
}

#[test]
fn a_hundred_thousand_are_enough_for_it() {
    for seed in 0..5 {
        let error = adam_error(100_000, seed);
        assert!((3e-4..=0.04).contains(&error), "seed {seed}: {error}");
    }
}

#[test]
fn smallest_forces_leave_coefficients_free_which_are_named() {
    let findings = learn("traditional", 30, 0, &["selection=min", "adam_samples=0"]);
    let free: Vec<_> =
        findings.parameters.iter().filter(|(_, p)| !p.identifiable).map(|(name, _)| name.as_str()).collect();
    assert_eq!(free, ["M12", "M21"], "never both forces at once");
}

#[test]
fn of_noisy_forces_no_coefficient_is_said_to_be_determined() {
    for experiment in ["traditional", "linear-program"] {
        let (_, findings) = run(request_with_data(experiment, &noisy_forces(100, 3), &[]));
        assert_nothing_is_claimed(
            &findings,
            "no system has the right zeros in every step: the data are noisy",
        );
    }
}

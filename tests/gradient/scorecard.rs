//! How wrong the gradient of each stepper is, as the step goes to zero: relative to the exact one, rms
//! over sixteen step phases. Some do not converge, and that is the point.

use stickslip::{
    gradient::{ExactGradient, GradientOptions, Grid, Input},
    scenario::Scenario,
    watch::Watch,
};

use crate::{
    steppers::Make,
    support::{Stepped, corrected, divided, reference, relative_error, smoothed, states, stepper},
};

/// The inputs of the reference figures of a scenario.
fn inputs(name: &str) -> Vec<Input> {
    let text = std::fs::read_to_string("tests/data/gradients/gradients.csv").unwrap();
    let mut inputs: Vec<Input> = Vec::new();
    for line in text.lines() {
        let cells: Vec<&str> = line.split(',').collect();
        if cells[0] == name {
            let input = cells[2].parse().unwrap();
            if !inputs.contains(&input) {
                inputs.push(input);
            }
        }
    }
    inputs
}

/// The rms error over sixteen step phases.
fn error(name: &str, dt: f64, make: Make) -> f64 {
    let scenario = Scenario { step: dt, ..reference(name) };
    let inputs = inputs(name);
    let truth = ExactGradient::new(&scenario, &inputs, Grid::new(scenario.time()), &Watch::none()).unwrap();
    let stepped = make(&scenario);
    let square = |k: usize| {
        let grid = Grid::shifted(scenario.time(), (k as f64 + 0.5) / 16.0);
        let options = GradientOptions { grid, ..GradientOptions::of(&scenario) };
        let run = stepped.tangents(&inputs, &options, &Watch::none()).unwrap();
        relative_error(&scenario, &inputs, &states(&run), &truth.tangents).powi(2)
    };
    ((0..16).map(square).sum::<f64>() / 16.0).sqrt()
}

const SCENARIOS: [&str; 4] = ["throw-slide", "throw-stick", "bounce-air", "reverse"];

/// The errors at one step, one per scenario, against those on record: within a factor of 1.5, or below
/// what counts as zero.
#[track_caller]
fn assert_card(what: &str, dt: f64, make: Make, record: [f64; 4]) {
    for (name, expected) in SCENARIOS.into_iter().zip(record) {
        let error = error(name, dt, make);
        let agrees =
            if expected == 0.0 { error < 1e-12 } else { (expected / 1.5..expected * 1.5).contains(&error) };
        assert!(agrees, "{what} on {name} at {dt} s: {error:.2e}, on record {expected:e}");
    }
}

#[test]
fn gap_level_steppers_miss_sticking_landings_rebounds_and_reversals_at_any_step() {
    for (dt, slide) in [(1e-2, 3e-3), (1e-3, 3e-4), (1e-4, 3e-5)] {
        assert_card("lcp", dt, &|scenario| stepper(scenario, "lcp"), [slide, 0.15, 0.81, 0.47]);
        // The program on its central path near the end is the same law.
        assert_card("nlp", dt, &|scenario| smoothed(scenario, 1e-8), [slide, 0.15, 0.81, 0.47]);
    }
}

#[test]
fn without_a_gap_the_height_survives_the_landing() {
    for dt in [1e-2, 1e-3, 1e-4] {
        assert_card(
            "lcp:anitescu",
            dt,
            &|scenario| stepper(scenario, "lcp:anitescu"),
            [0.86, 3.2, 0.81, 0.47],
        );
    }
}

#[test]
fn compliant_contact_has_an_error_of_its_model() {
    let convex: Make = &|scenario| stepper(scenario, "convex");
    assert_card("convex", 1e-2, convex, [3.0, 0.22, 20.0, 0.46]);
    assert_card("convex", 1e-3, convex, [8e-3, 0.22, 1.0, 0.46]);
    assert_card("convex", 1e-4, convex, [6e-3, 0.22, 1.0, 0.46]);
    let smooth: Make = &|scenario| stepper(scenario, "smooth");
    assert_card("smooth", 1e-3, smooth, [4e-3, 2e-2, 1.0, 0.47]);
    assert_card("smooth", 1e-4, smooth, [5e-3, 1e-2, 1.0, 0.52]);
}

#[test]
fn resets_at_the_crossing_are_first_order_but_for_the_reversal() {
    for (dt, errors) in [(1e-2, [3e-3, 1e-2, 8e-3]), (1e-3, [3e-4, 1e-3, 8e-4]), (1e-4, [3e-5, 1e-4, 8e-5])] {
        let [slide, stick, air] = errors;
        assert_card("hybrid", dt, &|scenario| stepper(scenario, "hybrid"), [slide, stick, air, 0.47]);
    }
}

#[test]
fn the_corrected_gradient_is_first_order() {
    for (dt, errors) in [(1e-2, [2e-3, 1e-2, 2e-2]), (1e-3, [2e-4, 1e-3, 2e-3]), (1e-4, [2e-5, 1e-4, 2e-4])] {
        let [slide, stick, air] = errors;
        assert_card("corrected", dt, &|scenario| corrected(scenario, "lcp"), [slide, stick, air, 0.0]);
    }
}

#[test]
fn divided_steps_are_first_order() {
    let records = [
        (1e-2, [6e-3, 1e-2, 8e-3, 7e-3]),
        (1e-3, [6e-4, 1e-3, 8e-4, 8e-4]),
        (1e-4, [6e-5, 1e-4, 8e-5, 7e-5]),
    ];
    for (dt, record) in records {
        assert_card("sub-stepped", dt, &|scenario| divided(scenario, "lcp"), record);
    }
}

#[test]
fn smoothing_helps_where_the_point_turns_and_harms_where_it_lands() {
    let smoothed: Make = &|scenario| smoothed(scenario, 0.1);
    assert_card("nlp, kappa .1", 1e-2, smoothed, [0.06, 0.1, 1.0, 0.2]);
    assert_card("nlp, kappa .1", 1e-3, smoothed, [0.05, 0.1, 0.8, 0.04]);
    assert_card("nlp, kappa .1", 1e-4, smoothed, [0.06, 0.1, 0.8, 0.02]);
}

#[test]
fn the_remedies_are_first_order_on_the_other_scenarios_too() {
    let others = [
        "slide-stop",
        "throw-stop",
        "push-coast",
        "push-held",
        "bounce-rest",
        "bounce-three",
        "lift-off",
        "throw-up-left",
    ];
    for name in others {
        for (what, make) in
            [("corrected", &corrected as &dyn Fn(&Scenario<2>, &str) -> Stepped), ("sub-stepped", &divided)]
        {
            let coarse = error(name, 1e-2, &|scenario| make(scenario, "lcp"));
            let fine = error(name, 1e-3, &|scenario| make(scenario, "lcp"));
            assert!(fine <= 8e-3, "{what} on {name}: {fine:.2e}");
            assert!(fine <= 0.2 * coarse + 1e-9, "{what} on {name}: {coarse:.2e}, {fine:.2e}");
        }
    }
}

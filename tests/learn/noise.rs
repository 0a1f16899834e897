use stickslip::learn::noise::{PerturbedStep, bias_error, weight_error};

use crate::support::{learn_default, measure, number};

#[test]
fn at_rest_noise_on_everything_leaves_a_quarter_of_the_draws_sticking() {
    let findings = learn_default("noise", &[]);
    for row in findings.measures["sticking_by_noise"].as_array().expect("a list") {
        let (sigma, share) = (number(&row["sigma"]), number(&row["at_rest"]));
        if sigma <= 0.3 {
            assert!((0.24..0.26).contains(&share), "sigma {sigma}: {share}");
        } else if sigma == 3.0 {
            assert!((share - 0.21).abs() < 0.015, "sigma {sigma}: {share}");
        }
        assert_eq!(number(&row["at_rest_noise_on_m"]), 1.0, "noise on M alone changes nothing");
    }
}

#[test]
fn under_a_push_it_never_sticks_exactly_and_rarely_within_a_tolerance() {
    let findings = learn_default("noise", &[]);
    let rows = findings.measures["sticking_by_noise"].as_array().expect("a list").iter();
    let within: Vec<f64> = rows
        .map(|row| {
            assert_eq!(number(&row["pushed"]), 0.0);
            number(&row["pushed_within_tolerance"])
        })
        .collect();
    // The 0.1 % of the notes, within the scatter of 20,000 draws.
    assert!(within.iter().all(|share| (3e-4..2e-3).contains(share)), "{within:?}");
}

#[test]
fn of_single_entries_four_matter_to_a_push_and_their_mirror_images_to_the_opposite() {
    let findings = learn_default("noise", &[]);
    let share = |entry: &str, push: &str| number(&findings.measures["sticking_by_entry"][entry][push]);
    for (entry, mirrored) in [("M22", "M11"), ("q2", "q1")] {
        assert_eq!((share(entry, "pushed_right"), share(mirrored, "pushed_left")), (0.0, 0.0), "{entry}");
    }
    // It sticks for one sign of the noise: half of 300 draws, +- 3 standard deviations.
    for (entry, mirrored) in [("M12", "M21"), ("q1", "q2")] {
        for share in [share(entry, "pushed_right"), share(mirrored, "pushed_left")] {
            assert!((share - 0.5).abs() < 0.09, "{entry}: {share}");
        }
    }
    for entry in ["M11", "M13", "M21", "M23", "M31", "M32", "M33", "q3"] {
        assert_eq!(share(entry, "pushed_right"), 1.0, "{entry}");
    }
}

#[test]
fn a_bias_moves_the_block_at_half_its_size() {
    let mut step = PerturbedStep::exact(0.0);
    step.q.x -= 0.3;
    let prediction = step.predict().expect("a solution");
    assert!((prediction.velocity - 0.15).abs() < 1e-15 && (prediction.gamma - 0.15).abs() < 1e-15);
    assert!(bias_error(&[0.01, 0.1, 1.0, 1.999, 2.5, 4.0]) < 1e-14);
}

#[test]
fn unequal_weights_of_the_push_move_it_at_half_their_difference() {
    assert!(weight_error(&[(1.0, 1.2), (1.0, 1.0), (1.0, 0.7), (0.5, 0.9)], 0.5) < 1e-14);
}

#[test]
fn the_result_says_how_well_the_formulas_hold() {
    let findings = learn_default("noise", &[]);
    assert!(findings.error < 1e-12);
    assert!(measure(&findings, "bias_formula_error") < 1e-12);
}

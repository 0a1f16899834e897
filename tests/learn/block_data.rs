use stickslip::learn::data::{BlockGenerator, BlockSample, Selection};

fn generate(selection: Selection) -> Vec<BlockSample> {
    BlockGenerator { selection, ..BlockGenerator::default() }.generate(2000, 3)
}

/// `lambda_plus + lambda_minus` of the steps that stick, with the least that sticking takes, `|s|`.
fn sticking_friction(selection: Selection) -> Vec<(f64, f64)> {
    let samples = generate(selection);
    let sticking = samples.iter().filter(|sample| sample.next_velocity == 0.0);
    sticking
        .map(|sample| {
            let lambda = sample.lambda.expect("generated steps have forces");
            (lambda.x + lambda.y, sample.free_velocity().abs())
        })
        .collect()
}

#[test]
fn every_selection_solves_the_complementarity_problem_of_the_step() {
    for selection in Selection::ALL {
        for sample in generate(selection) {
            let lambda = sample.lambda.expect("generated steps have forces");
            let free = sample.free_velocity();
            let slack = [
                free + lambda.x - lambda.y + lambda.z,
                -free - lambda.x + lambda.y + lambda.z,
                1.0 - lambda.x - lambda.y,
            ];
            for (force, slack) in lambda.iter().zip(slack) {
                assert!(*force >= 0.0 && slack >= -1e-15, "{selection:?}: {sample:?}");
                assert!((force * slack).abs() <= 1e-14, "{selection:?}: {sample:?}");
            }
            let expected = free.signum() * (free.abs() - 1.0).max(0.0);
            assert_eq!(sample.next_velocity, expected);
        }
    }
}

#[test]
fn a_third_of_the_steps_goes_each_way_and_less_than_a_third_sticks() {
    let samples = generate(Selection::Random);
    let share = |class: fn(f64) -> bool| {
        samples.iter().filter(|sample| class(sample.next_velocity)).count() as f64 / samples.len() as f64
    };
    // |s| < 1 for the sum of two uniform numbers up to 3: 1 - (5/6)^2 = 31 %.
    for (share, expected) in
        [(share(|v| v < 0.0), 0.347), (share(|v| v == 0.0), 0.306), (share(|v| v > 0.0), 0.347)]
    {
        assert!((share - expected).abs() < 0.03, "{share} instead of {expected}");
    }
}

#[test]
fn the_smallest_friction_is_all_to_one_side() {
    for (friction, least) in sticking_friction(Selection::Min) {
        assert_eq!(friction, least);
    }
}

#[test]
fn saturated_friction_is_all_that_there_is() {
    for (friction, _) in sticking_friction(Selection::Saturated) {
        assert!((friction - 1.0).abs() < 1e-15);
    }
}

#[test]
fn random_friction_lies_anywhere_in_between() {
    let between = sticking_friction(Selection::Random).into_iter();
    let shares: Vec<f64> = between.map(|(friction, least)| (friction - least) / (1.0 - least)).collect();
    assert!(shares.iter().all(|share| (-1e-12..=1.0 + 1e-12).contains(share)));
    for third in 0..3 {
        let (low, high) = (f64::from(third) / 3.0, f64::from(third + 1) / 3.0);
        let part =
            shares.iter().filter(|share| (low..high).contains(*share)).count() as f64 / shares.len() as f64;
        assert!((part - 1.0 / 3.0).abs() < 0.08, "{part} of the shares between {low} and {high}");
    }
}

#[test]
fn noise_is_on_the_measured_velocity_only() {
    let noisy = BlockGenerator { noise: 0.1, ..BlockGenerator::default() }.generate(2000, 3);
    let exact = generate(Selection::Random);
    let mut squares = 0.0;
    for (noisy, exact) in noisy.iter().zip(&exact) {
        squares += (noisy.next_velocity - exact.next_velocity).powi(2);
        assert_eq!((noisy.velocity, noisy.push, noisy.lambda), (exact.velocity, exact.push, exact.lambda));
    }
    assert!(((squares / 2000.0).sqrt() - 0.1).abs() < 0.01);
}

#[test]
fn a_seed_gives_the_same_data_every_time() {
    let generator = BlockGenerator::default();
    assert_eq!(generator.generate(50, 7), generator.generate(50, 7));
    assert_ne!(generator.generate(50, 7), generator.generate(50, 8));
}

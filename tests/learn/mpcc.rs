use std::ops::ControlFlow;

use stickslip::{
    learn::{
        data::{BlockGenerator, BlockSample},
        mpcc::{RelaxedProgram, follow},
    },
    nlp::{IpoptOptions, SparseIpopt},
};

use crate::support::{assert_note, learn, mean, parameter, root_mean_square, starts_and_ends};

#[test]
fn one_sliding_step_is_enough_from_any_start() {
    let findings = learn("mpcc", 1, 0, &["starts=[0.2, 3, 8, 12, 30]"]);
    for (start, end) in starts_and_ends(&findings, "paths") {
        assert!((end - 1.0).abs() < 1e-6, "from {start} to {end}");
    }
}

#[test]
fn the_friction_of_the_relaxed_programs_approaches_the_truth_with_the_relaxation() {
    let samples = BlockGenerator::default().generate(50, 2);
    let path = follow(&samples, 3.0, 1e-8, &mut |_| ControlFlow::Continue(())).expect("the path is followed");
    assert_eq!(path.stopped, None);
    let relaxations: Vec<f64> = path.frictions.iter().map(|(relaxation, _)| *relaxation).collect();
    assert_eq!(relaxations, [1.0, 0.1, 0.01, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8]);
    let errors: Vec<f64> = path.frictions.iter().map(|(_, friction)| (friction - 1.0).abs()).collect();
    assert!(errors[..7].windows(2).all(|pair| pair[1] < pair[0]), "{errors:?}");
    assert!(errors[8] < 1e-6, "{errors:?}");
    assert!(path.squared_error < 1e-10 && path.iterations < 700, "{path:?}");
}

#[test]
fn a_relaxation_that_is_no_number_and_data_without_steps_have_an_end() {
    let samples = BlockGenerator::default().generate(3, 2);
    let last = |samples: &[BlockSample], last: f64| {
        let path = follow(samples, 3.0, last, &mut |_| ControlFlow::Continue(()));
        path.expect("the path is followed").frictions.last().copied().expect("it has a point")
    };
    assert_eq!(last(&samples, 2.0).0, 1.0);
    assert!(last(&samples, f64::NAN).0.is_finite());
    assert_eq!(last(&[], 1e-8), (1e-8, 3.0));
}

#[test]
fn two_hundred_steps_give_the_friction() {
    for seed in 0..3 {
        let findings = learn("mpcc", 200, seed, &[]);
        assert!(findings.error < 1e-6, "seed {seed}: {:e}", findings.error);
        assert!(parameter(&findings, "friction").identifiable);
        assert_eq!(findings.notes, [""; 0]);
    }
}

#[test]
#[ignore = "long: some seconds, on a busy machine more"]
fn two_thousand_steps_give_it_too() {
    let findings = learn("mpcc", 2000, 0, &[]);
    assert!(findings.error < 1e-6, "{:e}", findings.error);
}

#[test]
#[ignore = "long: twenty programs of 200 steps"]
fn with_noise_it_is_found_within_the_error_of_the_mean() {
    let learned: Vec<f64> = (0..20)
        .map(|seed| {
            let findings = learn("mpcc", 200, seed, &["noise=0.2"]);
            let friction = parameter(&findings, "friction");
            assert!(friction.identifiable && friction.interval.is_some());
            friction.learned
        })
        .collect();
    let middle = mean(&learned);
    let scatter = root_mean_square(&learned.iter().map(|friction| friction - middle).collect::<Vec<_>>());
    // .997 +- .021: the mean of about 140 sliding steps scatters by .2/sqrt(140) = .017.
    assert!((middle - 0.997).abs() < 0.01, "mean {middle}");
    assert!((scatter - 0.021).abs() < 0.006, "scatter {scatter}");
}

#[test]
fn with_noise_the_interval_holds_the_truth_in_most_cases() {
    let inside = (0..8).filter(|seed| {
        let findings = learn("mpcc", 50, *seed, &["noise=0.2"]);
        let [low, high] = parameter(&findings, "friction").interval.expect("noise gives an interval");
        (low..high).contains(&1.0)
    });
    assert!(inside.count() >= 6);
}

#[test]
fn sticking_steps_give_a_lower_bound_and_the_result_says_so() {
    // |s| < 0.8 in every step.
    for (count, seed) in [(5, 0), (5, 1), (20, 2), (20, 3), (50, 4)] {
        let findings = learn("mpcc", count, seed, &["range=0.4"]);
        let friction = parameter(&findings, "friction");
        assert!(!friction.identifiable && friction.learned < 0.81, "seed {seed}: {}", friction.learned);
        assert_note(&findings, "friction is not determined: every step sticks, which any friction above");
        assert_eq!(findings.notes.len(), 1, "the path was followed to its end: {:?}", findings.notes);
    }
}

#[test]
fn the_dense_and_the_sparse_factorisation_lead_to_the_same_solution() {
    // N steps have 15 N + 1 rows, and the dense factorisation takes up to 150.
    for count in [9, 12] {
        let samples = BlockGenerator::default().generate(count, 4);
        let program = RelaxedProgram { samples: &samples, relaxation: 1e-4 };
        let options = IpoptOptions { tolerance: 1e-9, ..IpoptOptions::default() };
        let mut solver = SparseIpopt::new(&program, &options).expect("good options");
        let solution = solver.solve(&program, &program.start(2.0), None);
        assert!(solution.status.is_success(), "{count} steps: {}", solution.status);
        assert!(solution.residuals.max() < 1e-8, "{count} steps: {:?}", solution.residuals);
        assert!((solution.x[0] - 1.0).abs() < 1e-3, "{count} steps: {}", solution.x[0]);
    }
}

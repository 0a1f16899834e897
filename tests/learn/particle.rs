use stickslip::learn::data::{PointGenerator, write_point_csv};

use crate::support::{
    assert_note, learn, mean, measure, number, parameter, request_with_data, root_mean_square, run,
};

/// Errors of friction and restitution over many data sets of `throws` throws.
struct Errors {
    friction: Vec<f64>,
    restitution: Vec<f64>,
    /// Data sets that do not determine the friction; they are left out of `friction`.
    undetermined: usize,
}

fn errors(throws: usize, settings: &[&str]) -> Errors {
    let mut errors = Errors { friction: Vec::new(), restitution: Vec::new(), undetermined: 0 };
    for seed in 0..200 {
        let findings = learn("particle", throws, seed, settings);
        let (friction, restitution) = (parameter(&findings, "friction"), parameter(&findings, "restitution"));
        if friction.identifiable {
            errors.friction.push(friction.learned - 0.4);
        } else {
            errors.undetermined += 1;
        }
        errors.restitution.push(restitution.learned - 0.5);
    }
    errors
}

#[test]
fn errors_shrink_with_the_number_of_throws() {
    for (throws, friction, restitution) in [(1, 0.099, 0.007), (3, 0.007, 0.005), (10, 0.003, 0.003)] {
        let errors = errors(throws, &[]);
        let (of_friction, of_restitution) =
            (root_mean_square(&errors.friction), root_mean_square(&errors.restitution));
        assert!(of_friction <= friction, "{throws} throws: RMSE of mu {of_friction}");
        assert!(of_restitution <= restitution, "{throws} throws: RMSE of e {of_restitution}");
    }
}

#[test]
fn one_throw_often_leaves_the_friction_open_and_ten_never_do() {
    assert!((40..120).contains(&errors(1, &[]).undetermined));
    assert_eq!(errors(10, &[]).undetermined, 0);
}

#[test]
fn contacts_may_be_taken_from_heights_and_at_little_noise_from_velocities() {
    for contacts in ["contacts=known", "contacts=height", "contacts=velocity"] {
        let errors = errors(10, &[contacts]);
        let (of_friction, of_restitution) = (mean(&errors.friction), mean(&errors.restitution));
        assert!(of_friction.abs() < 1e-3 && of_restitution.abs() < 1e-3, "{contacts}");
    }
}

#[test]
fn at_more_noise_contacts_taken_from_velocities_bias_the_result() {
    let bias = |contacts: &str| {
        let errors = errors(10, &[contacts, "velocity_noise=0.1"]);
        (mean(&errors.friction), mean(&errors.restitution))
    };
    let (known, guessed) = (bias("contacts=known"), bias("contacts=velocity"));
    assert!(known.0.abs() < 2e-3 && known.1.abs() < 1.5e-3, "{known:?}");
    assert!(guessed.0 < -5e-3 && guessed.1 > 1.5e-3, "{guessed:?}");
}

#[test]
fn confidence_intervals_hold_the_truth_in_about_95_percent() {
    let (mut inside, mut all) = (0, 0);
    for seed in 0..200 {
        let findings = learn("particle", 10, seed, &[]);
        for (_, parameter) in &findings.parameters {
            let [low, high] = parameter.interval.expect("ten throws determine both");
            inside += usize::from(parameter.r#true.is_some_and(|truth| (low..=high).contains(&truth)));
            all += 1;
        }
    }
    let share = inside as f64 / all as f64;
    assert!((0.9..=0.99).contains(&share), "{share}");
}

#[test]
fn a_throw_whose_slip_ends_in_its_first_impact_says_that_it_only_bounds_the_friction() {
    // Seed 0 throws slowly sideways.
    for method in ["method=one-step", "method=shooting"] {
        let findings = learn("particle", 1, 0, &[method]);
        let friction = parameter(&findings, "friction");
        assert!(!friction.identifiable && friction.interval.is_none(), "{method}");
        assert!(parameter(&findings, "restitution").identifiable, "{method}");
        assert_note(&findings, "friction is not determined: slip ends in the contacts that there are");
    }
}

#[test]
fn a_throw_that_never_lands_determines_nothing_and_says_so() {
    let findings = learn("particle", 1, 0, &["duration=0.05"]);
    assert!(findings.parameters.iter().all(|(_, parameter)| !parameter.identifiable));
    assert_note(&findings, "friction is not determined: no contact changes the slip");
    assert_note(&findings, "restitution is not determined: no rebound is fast enough");
}

#[test]
fn shooting_needs_many_starts_and_its_best_is_closer_than_single_steps() {
    let (mut by_shooting, mut by_steps) = (Vec::new(), Vec::new());
    let mut local_minima = 0;
    for seed in 0..10 {
        let findings = learn("particle", 3, seed, &["method=shooting"]);
        let searches = findings.measures["searches"].as_array().expect("a list");
        let costs: Vec<f64> = searches.iter().map(|search| number(&search["cost"])).collect();
        let best = costs.iter().copied().fold(f64::INFINITY, f64::min);
        local_minima += costs.iter().filter(|cost| **cost > 1.1 * best).count();
        by_shooting.push(parameter(&findings, "restitution").learned - 0.5);
        by_steps.push(parameter(&learn("particle", 3, seed, &[]), "restitution").learned - 0.5);
        assert!(
            (measure(&findings, "residual_rms") - 0.02).abs() < 0.002,
            "seed {seed}: the noise is left over"
        );
    }
    assert!(local_minima > 0, "every start led to the same minimum, so one would be enough");
    assert!(root_mean_square(&by_shooting) < root_mean_square(&by_steps));
}

#[test]
fn without_noise_both_parameters_are_found_to_rounding() {
    let findings = learn("particle", 3, 1, &["velocity_noise=0"]);
    assert!(findings.error < 1e-12, "{:e}", findings.error);
}

#[test]
fn throws_may_be_measured_at_intervals_of_their_own() {
    let exact = PointGenerator { velocity_noise: 0.0, ..PointGenerator::default() };
    let mut throws = exact.generate(3, 1);
    throws.extend(PointGenerator { step: 0.05, ..exact }.generate(1, 2));
    let mut csv = Vec::new();
    write_point_csv(&throws, &mut csv).expect("a vector takes everything");
    let csv = String::from_utf8(csv).expect("CSV is text");
    let (_, findings) = run(request_with_data("particle", &csv, &[]));
    let friction = parameter(&findings, "friction");
    assert!((friction.learned - 0.4).abs() < 1e-12 && friction.identifiable, "{friction:?}");
}

#[test]
fn where_there_is_no_friction_it_is_found_to_be_zero_within_its_interval() {
    for seed in 0..20 {
        let findings = learn("particle", 10, seed, &["friction=0"]);
        let (friction, restitution) = (parameter(&findings, "friction"), parameter(&findings, "restitution"));
        assert!((0.0..0.01).contains(&friction.learned), "seed {seed}: {friction:?}");
        assert!(friction.identifiable && restitution.identifiable, "seed {seed}: {:?}", findings.notes);
        assert!((restitution.learned - 0.5).abs() < 0.02, "seed {seed}: {restitution:?}");
        assert_eq!(findings.notes, [""; 0], "seed {seed}");
    }
}

#[test]
fn without_noise_either_the_absence_of_friction_is_exact() {
    let findings = learn("particle", 3, 1, &["friction=0", "velocity_noise=0"]);
    let friction = parameter(&findings, "friction");
    assert!(friction.learned.abs() < 1e-12 && friction.identifiable, "{friction:?}: {:?}", findings.notes);
}

#[test]
fn an_interval_as_wide_as_all_restitutions_determines_none() {
    let findings = learn("particle", 1, 1, &["velocity_noise=1"]);
    let restitution = parameter(&findings, "restitution");
    assert!(!restitution.identifiable && restitution.interval.is_none(), "{restitution:?}");
    assert_note(&findings, "restitution is not determined: no rebound is fast enough to tell it from noise");
    let friction = parameter(&findings, "friction").interval;
    assert!(friction.is_none_or(|[low, _]| low >= 0.0), "{friction:?}");
}

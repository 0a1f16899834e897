use stickslip::learn::{
    LearnError,
    bilevel::{ClosedForm, Form, GAMMA, Inner, Outer, force_sensitivity},
    data::{BlockGenerator, BlockSample, Random},
};

use crate::support::{
    assert_note, learn_default, measure, parameter, request_with_data, run, starts_and_ends,
};

const HARD: Inner = Inner { prediction: 1.0, complementarity: 1.0, form: Form::Hard, regularisation: 1e-9 };

/// The step of the notes: `v = 1`, `u = 2`, `v' = 2` at friction 1.
const SLIDING: BlockSample = BlockSample { velocity: 1.0, push: 2.0, next_velocity: 2.0, lambda: None };

fn value(inner: Inner, friction: f64) -> f64 {
    Outer { samples: &[SLIDING], inner }.evaluate(friction).expect("the inner program is solved").0
}

#[test]
fn the_outer_value_has_three_pieces() {
    for index in 0..200 {
        let mu = 0.05 * f64::from(index);
        let expected = if mu <= 5.0 / 3.0 {
            (mu - 1.0).powi(2)
        } else if mu <= 7.0 {
            4.0 - (7.0 - mu).powi(2) / 8.0
        } else {
            4.0
        };
        assert!((value(HARD, mu) - expected).abs() < 1e-8, "mu {mu}: {}", value(HARD, mu));
    }
}

#[test]
fn the_velocity_of_the_inner_problem_is_a_cut_off_soft_threshold() {
    let mut random = Random::seeded(1);
    for _ in 0..300 {
        let (velocity, push) = (random.uniform(-3.0, 3.0), random.uniform(-3.0, 3.0));
        let sample = BlockGenerator::default().step(velocity, push, 0.0, random.normal(0.3));
        let (a1, a2, mu) = (random.uniform(0.2, 3.0), random.uniform(0.2, 3.0), random.uniform(0.0, 8.0));
        let inner = Inner { prediction: a1, complementarity: a2, ..HARD };
        let closed = ClosedForm::new(&sample, mu, a1, a2);
        let solved = inner.program(&sample, mu).solve().expect("the inner program is solved");
        assert!(
            (solved.value - closed.value).abs() < 1e-7 * (1.0 + closed.value.abs()),
            "{sample:?} at {mu}"
        );
        let velocity = sample.free_velocity() + solved.x[0] - solved.x[1];
        assert!((velocity - closed.velocity).abs() < 1e-4, "{sample:?} at {mu}: {velocity} {closed:?}");
        assert!((solved.x[GAMMA] - closed.velocity.abs()).abs() < 1e-4, "gamma = |v|");
    }
}

#[test]
fn gamma_vanishes_at_the_friction_of_the_formula_in_twenty_settings() {
    let mut random = Random::seeded(2);
    for _ in 0..20 {
        let friction = random.uniform(0.2, 2.0);
        let (velocity, push) = (random.uniform(1.0, 3.0), random.uniform(1.5, 3.0));
        let (a1, a2) = (random.uniform(0.5, 2.0), random.uniform(0.5, 2.0));
        let settings = [
            format!("friction={friction}"),
            format!("velocity={velocity}"),
            format!("push={push}"),
            format!("prediction_weight={a1}"),
            format!("complementarity_weight={a2}"),
            "starts=1".to_owned(),
        ];
        let settings = settings.each_ref().map(String::as_str);
        let found = measure(&learn_default("bilevel", &settings), "vanishing_friction");
        let (free, next) = (velocity + push, velocity + push - friction);
        let expected = free + 2.0 * a1 / a2 * next;
        assert!((found - expected).abs() < 5e-3, "{settings:?}: {found} instead of {expected}");
    }
}

/// Compares the gradient with central differences at random steps and frictions, and returns the
/// share of the comparisons that were not at a kink.
fn compare_with_differences(form: Form) -> f64 {
    const WIDTH: f64 = 1e-4;
    let samples = BlockGenerator { noise: 0.1, ..BlockGenerator::default() }.generate(100, 6);
    let mut random = Random::seeded(3);
    let mut compared = 0;
    for sample in &samples {
        let outer = Outer { samples: std::slice::from_ref(sample), inner: Inner { form, ..HARD } };
        let evaluate = |mu: f64| outer.evaluate(mu).expect("the inner program is solved");
        let friction = random.uniform(0.1, 8.0);
        let (value, slope) = evaluate(friction);
        let (above, below) = (evaluate(friction + WIDTH).0, evaluate(friction - WIDTH).0);
        let (right, left) = ((above - value) / WIDTH, (value - below) / WIDTH);
        if (right - left).abs() > 1e-2 {
            continue; // a kink in between
        }
        compared += 1;
        let difference = 0.5 * (right + left);
        assert!((slope - difference).abs() < 1e-4, "{sample:?} at {friction}: {slope} against {difference}");
    }
    f64::from(compared) / samples.len() as f64
}

#[test]
fn the_gradient_is_that_of_differences_away_from_the_kinks() {
    let sliding = |one_sided| Form::Sliding { weight: 1.0, one_sided };
    for form in [Form::Hard, Form::Hinge { weight: 3.0 }, sliding(false), sliding(true)] {
        assert!(compare_with_differences(form) > 0.9, "{form:?}");
    }
}

#[test]
fn the_derivative_of_the_forces_is_that_of_differences() {
    let at = |mu: f64| force_sensitivity(&HARD, &SLIDING, mu).expect("the inner program is solved");
    for friction in [0.5, 1.0, 1.5, 2.5, 4.0, 6.5] {
        let slope = at(friction).1.expect("no kink here");
        let (above, below) = (at(friction + 1e-4).0, at(friction - 1e-4).0);
        // Of the two friction forces only the difference is determined.
        let net = |x: &nalgebra::DVector<f64>| x[0] - x[1];
        let difference = (net(&above) - net(&below)) / 2e-4;
        assert!(
            (net(&slope) - difference).abs() < 1e-4,
            "mu {friction}: {} against {difference}",
            net(&slope)
        );
        let difference = (above[GAMMA] - below[GAMMA]) / 2e-4;
        assert!((slope[GAMMA] - difference).abs() < 1e-4, "mu {friction}");
    }
}

#[test]
fn the_hessian_for_solvers_that_halve_it_is_singular() {
    let mut eigenvalues = HARD.program(&SLIDING, 1.0).hessian.symmetric_eigenvalues().as_slice().to_vec();
    eigenvalues.sort_by(f64::total_cmp);
    for (eigenvalue, expected) in eigenvalues.into_iter().zip([0.0, 0.0, 8.0]) {
        assert!((eigenvalue - expected).abs() < 1e-12, "{eigenvalue} instead of {expected}");
    }
}

#[test]
fn descent_arrives_from_below_the_vanishing_friction_and_stays_above_it() {
    let findings = learn_default("bilevel", &["starts=[0.2, 3, 5, 6.99, 7.01, 8, 12]"]);
    for (start, end) in starts_and_ends(&findings, "descents") {
        let expected = if start < 7.0 { 1.0 } else { start };
        assert!((end - expected).abs() < 5e-6, "from {start} to {end}");
    }
    assert_note(&findings, "descent from 7.01, 8, 12 stays behind");
}

#[test]
fn a_step_that_sticks_does_not_determine_the_friction() {
    let findings = learn_default("bilevel", &["velocity=0.2", "push=0.3"]);
    assert!(!findings.parameters[0].1.identifiable);
    assert_note(&findings, "steps that stick say only that the friction is large enough");
}

#[test]
fn data_without_friction_determine_that_there_is_none() {
    let (_, findings) = run(request_with_data("bilevel", "v,u,v_next\n1,2,3\n0.5,1,1.5\n-1,-1,-2\n", &[]));
    let friction = parameter(&findings, "friction");
    assert!(friction.learned < 1e-5 && friction.identifiable, "{friction:?}: {:?}", findings.notes);
    assert!(findings.notes.iter().all(|note| !note.contains("steps that stick")), "{:?}", findings.notes);
}

#[test]
fn data_that_never_move_determine_nothing() {
    let (_, findings) = run(request_with_data("bilevel", "v,u,v_next\n0,0,0\n", &["starts=0"]));
    let friction = parameter(&findings, "friction");
    assert!(friction.learned < 0.1 && !friction.identifiable, "{friction:?}");
}

#[test]
fn a_descent_that_runs_out_of_steps_says_so_and_blames_nothing_else() {
    let findings = learn_default("bilevel", &["rate=0.001", "most_steps=20", "starts=[3]"]);
    assert_note(&findings, "descent from 3 was not finished after 20 steps, at a gradient of");
    assert_eq!(findings.notes.len(), 1, "{:?}", findings.notes);
    assert_eq!(findings.measures["descents"][0]["converged"], false);
    assert_eq!(findings.measures["descents"][0]["steps"], 20);
}

#[test]
fn a_value_that_is_not_finite_is_an_error() {
    let sample = BlockSample { next_velocity: f64::NAN, ..SLIDING };
    let outer = Outer { samples: &[sample], inner: HARD };
    assert!(matches!(outer.evaluate(1.0), Err(LearnError::QuadraticProgram { .. })));
}

/// Each noisy step has a kink of its own, and the value is least at one of them, where no gradient vanishes.
#[test]
fn a_descent_ends_at_a_kink_that_the_value_is_least_at() {
    let mut random = Random::seeded(5);
    let mut text = "v,u,v_next\n".to_owned();
    for _ in 0..200 {
        let (velocity, push) = (random.uniform(-2.0, 2.0), random.uniform(-3.0, 3.0));
        let sample = BlockGenerator::default().step(velocity, push, 0.0, random.normal(0.02));
        text += &format!("{velocity},{push},{}\n", sample.next_velocity);
    }
    let (_, findings) = run(request_with_data("bilevel", &text, &["starts=[0.2, 2]"]));
    let friction = parameter(&findings, "friction");
    assert!((friction.learned - 1.0).abs() < 0.05, "{friction:?}");
    for descent in findings.measures["descents"].as_array().expect("a list") {
        assert_eq!(descent["converged"], true, "{descent}");
        assert!(descent["steps"].as_u64().expect("a number") < 2_000, "{descent}");
    }
    assert!(findings.notes.iter().all(|note| !note.contains("not finished")), "{:?}", findings.notes);
}

//! What a likelihood has to look like for its parameter to be called determined.

use std::ops::ControlFlow;

use stickslip::likelihood::{Bound, Doubt, Estimate, Fit, Normal, Problem, Search};

/// One parameter whose residuals are given with their derivatives.
struct Likelihood<F> {
    bounds: [Bound; 1],
    residuals: F,
}

impl<F: Fn(f64) -> Vec<(f64, f64)>> Problem for Likelihood<F> {
    fn bounds(&self) -> &[Bound] {
        &self.bounds
    }

    fn blocks(&self) -> usize {
        1
    }

    fn start(&self, _: usize) -> Vec<f64> {
        Vec::new()
    }

    fn evaluate(&self, _: usize, parameters: &[f64], _: &[f64], normal: &mut Normal) {
        for (residual, slope) in (self.residuals)(parameters[0]) {
            normal.add(residual, &[slope]);
        }
    }
}

fn estimate(bound: Bound, starts: &[f64], residuals: impl Fn(f64) -> Vec<(f64, f64)>) -> Estimate {
    let problem = Likelihood { bounds: [bound], residuals };
    let starts: Vec<Vec<f64>> = starts.iter().map(|start| vec![*start]).collect();
    let mut watch = || ControlFlow::Continue(());
    let mut search = Search::new(&problem, &mut watch);
    let mut fit = Fit::search(&mut search, &starts).expect("not interrupted").expect("a minimum");
    fit.estimates(&mut search, f64::INFINITY).expect("not interrupted")[0]
}

const WIDE: Bound = Bound { lower: -3.0, upper: 3.0, far: 3.0, scale: 0.01 };

/// A minimum at 1, and another at -1 that is worse by `(2 tilt)^2`.
fn two_minima(tilt: f64) -> Estimate {
    estimate(WIDE, &[0.8, -0.8], |x| vec![((x * x - 1.0) / 0.05, 2.0 * x / 0.05), (tilt * (x - 1.0), tilt)])
}

#[test]
fn a_parabola_determines_its_parameter_and_the_interval_is_that_of_normal_errors() {
    let found = estimate(Bound::between(0.0, 3.0), &[0.2, 2.0], |x| vec![((x - 1.0) / 0.05, 1.0 / 0.05)]);
    assert_eq!(found.doubt, None);
    assert!((found.value - 1.0).abs() < 1e-6);
    for (end, sign) in found.interval.into_iter().zip([-1.0, 1.0]) {
        assert!((end - (1.0 + sign * 1.96 * 0.05)).abs() < 2e-3, "{found:?}");
    }
}

#[test]
fn a_second_minimum_that_the_data_admit_is_in_the_interval_and_nothing_is_determined() {
    let found = two_minima(0.3);
    assert!(
        matches!(found.doubt, Some(Doubt::Elsewhere { value, .. }) if (value + 1.0).abs() < 0.1),
        "{found:?}"
    );
    assert!(found.interval[0] < -0.9 && found.interval[1] > 1.0, "{found:?}");
}

#[test]
fn a_start_that_ends_elsewhere_contradicts_until_it_is_ruled_out_by_five_standard_deviations() {
    let doubted = two_minima(2.0);
    assert!(
        matches!(doubted.doubt, Some(Doubt::Elsewhere { rise, .. }) if rise > 3.84 && rise < 25.0),
        "{doubted:?}"
    );
    assert!(doubted.interval[0] > 0.5, "no more than 95 % are claimed: {doubted:?}");
    assert_eq!(two_minima(4.0).doubt, None);
}

#[test]
fn a_kink_is_not_determined() {
    let kink = |x: f64| {
        let residual = ((x - 1.0).abs() / 0.05 + 1e-12).sqrt();
        vec![(residual, (x - 1.0).signum() / (0.1 * residual))]
    };
    assert_eq!(estimate(WIDE, &[1.0], kink).doubt, Some(Doubt::Kink));
}

#[test]
fn a_likelihood_without_end_or_without_slope_is_not_determined() {
    let open = Bound::above(0.0, 100.0, 0.1);
    let found = estimate(open, &[2.0], |x| {
        vec![((1.0 - x).max(0.0) / 0.05, if x < 1.0 { -1.0 / 0.05 } else { 0.0 })]
    });
    assert!(matches!(found.doubt, Some(Doubt::OpenAbove(low)) if (low - 1.0).abs() < 0.05), "{found:?}");
    assert!(found.interval[1].is_infinite());
    assert_eq!(estimate(open, &[2.0], |_| vec![(1.0, 0.0)]).doubt, Some(Doubt::Silent));
}

/// Steep up to two standard deviations, and ten times as flat beyond: no value up to 2.5 is ruled out by five.
#[test]
fn a_side_that_flattens_beyond_the_interval_is_not_determined() {
    let flattens = |x: f64| {
        let (r, slope) = ((x - 1.0) / 0.05, 1.0 / 0.05);
        vec![if r < 2.2 { (r, slope) } else { (2.2 + 0.1 * (r - 2.2), 0.1 * slope) }]
    };
    let found = estimate(WIDE, &[0.9], flattens);
    assert!(
        matches!(found.doubt, Some(Doubt::Lopsided { high, .. }) if (high - 2.51).abs() < 0.05),
        "{found:?}"
    );
    assert!((found.interval[1] - 1.098).abs() < 2e-3, "{found:?}");
}

#[test]
fn an_interval_over_more_than_half_of_what_is_possible_determines_nothing() {
    let of = |deviation: f64| {
        estimate(Bound::between(0.0, 3.0), &[1.0], move |x| vec![((x - 1.5) / deviation, 1.0 / deviation)])
    };
    assert_eq!(of(0.3).doubt, None);
    assert_eq!(of(0.5).doubt, Some(Doubt::Wide));
}

/// A rise that ends at three standard deviations: the interval is closed, and what lies far beyond is in doubt.
#[test]
fn however_large_a_value_contradicts_unless_it_is_ruled_out_by_five_standard_deviations() {
    let up_to = |most: f64| {
        estimate(Bound::above(0.0, 100.0, 0.1), &[1.02], move |x| {
            let r = (x - 1.0) / 0.05;
            vec![if r < most { (r, 1.0 / 0.05) } else { (most, 0.0) }]
        })
    };
    let found = up_to(3.0);
    let far =
        |doubt| matches!(doubt, Some(Doubt::Elsewhere { value, rise }) if value.is_infinite() && rise == 9.0);
    assert!(far(found.doubt) && found.interval[1] < 1.1, "{found:?}");
    assert_eq!(up_to(6.0).doubt, None);
}

/// Against the tables of Student's t: few data give wider intervals.
#[test]
fn intervals_are_as_wide_as_students_t_says() {
    let table = [
        (1.0, 12.7062, 1e-3),
        (2.0, 4.3027, 1e-3),
        (3.0, 3.1824, 4e-3),
        (4.0, 2.7764, 1e-3),
        (5.0, 2.5706, 1e-3),
        (7.0, 2.3646, 1e-3),
        (10.0, 2.2281, 1e-3),
        (30.0, 2.0423, 1e-3),
        (f64::INFINITY, 1.95996, 1e-3),
    ];
    for (freedom, expected, tolerance) in table {
        let found = stickslip::likelihood::quantile(freedom);
        assert!((found - expected).abs() < tolerance, "{freedom}: {found}");
    }
}

use super::{
    Cell, Report, Table,
    perturbation::{Answers, Disturbed},
};
use crate::{
    plot::{Axis, Figure, Marker, Panel, Style, palette},
    random::Random,
};

/// Noise on all numbers.
const SIGMAS: [f64; 7] = [1e-3, 1e-2, 3e-2, 0.1, 0.3, 1.0, 3.0];
const TRIALS: u64 = 200_000;
/// Trials against a push, of which one in a thousand counts.
const PUSHED_TRIALS: u64 = 1_000_000;
/// The push that friction ought to hold.
const PUSH: f64 = 0.5;
/// Noise on single numbers, and trials of each, as in the notes.
const SINGLE_SIGMA: f64 = 0.1;
const SINGLE_TRIALS: u64 = 300;

/// Noise on the numbers of the traditional problem (notes 3.2 and their `lcp_study`).
pub(super) fn run(seed: u64) -> Report {
    let mut table = Table::new([
        "disturbed",
        "sigma",
        "push",
        "trials",
        "sticks_percent",
        "within_tolerance_percent",
        "unsolved_percent",
        "expected",
    ]);
    let mut random = Random::seeded(seed);
    let mut at_rest = Vec::new();
    let mut pushed = Vec::new();
    for sigma in SIGMAS {
        let answers = Answers::of(Disturbed::Everything, sigma, 0.0, TRIALS, &mut random);
        at_rest.push([sigma, answers.percent(answers.sticks)]);
        let expected = if sigma <= 0.3 { "25 % = P(q1, q2 >= 0)" } else { "fewer: q3 turns negative too" };
        table.rows.push(row(Disturbed::Everything, sigma, 0.0, &answers, expected));
    }
    for sigma in SIGMAS.into_iter().filter(|&sigma| sigma <= 0.1) {
        let answers = Answers::of(Disturbed::Everything, sigma, PUSH, PUSHED_TRIALS, &mut random);
        pushed.push([sigma, answers.percent(answers.nearly_sticks)]);
        let expected = "never exactly; 0.1 % within 1e-3 sigma";
        table.rows.push(row(Disturbed::Everything, sigma, PUSH, &answers, expected));
    }
    for sigma in [0.1, 0.3] {
        let answers = Answers::of(Disturbed::Matrix, sigma, 0.0, TRIALS, &mut random);
        table.rows.push(row(Disturbed::Matrix, sigma, 0.0, &answers, "100 %: z = 0 solves it"));
        let answers = Answers::of(Disturbed::Vector, sigma, 0.0, TRIALS, &mut random);
        table.rows.push(row(Disturbed::Vector, sigma, 0.0, &answers, "25 % = P(q1, q2 >= 0)"));
    }
    for push in [PUSH, -PUSH] {
        for disturbed in Disturbed::entries() {
            let answers = Answers::of(disturbed, SINGLE_SIGMA, push, SINGLE_TRIALS, &mut random);
            table.rows.push(row(disturbed, SINGLE_SIGMA, push, &answers, expected_of_entry(disturbed, push)));
        }
    }
    let findings = vec![
        "At rest without a push the block sticks in a quarter of the trials, whatever the noise: when q1 and q2 \
         happen to be positive, z = 0. Noise on M alone changes nothing."
            .to_owned(),
        "Against a push it never sticks exactly, for friction would have to be -u to the last digit; the notes' \
         0.1 % of the trials is the share of velocities below a tolerance of 1e-3 sigma."
            .to_owned(),
        "Of single numbers, those of the row of the friction force at work destroy sticking: M22 and q2 for u > 0 \
         always, M12 and q1 in half of the trials, by the sign of the error; mirrored for u < 0."
            .to_owned(),
    ];
    Report { findings, table, figures: vec![("sticking".to_owned(), picture(at_rest, pushed))] }
}

fn row(disturbed: Disturbed, sigma: f64, push: f64, answers: &Answers, expected: &str) -> Vec<Cell> {
    vec![
        disturbed.name().into(),
        sigma.into(),
        push.into(),
        answers.trials.into(),
        answers.percent(answers.sticks).into(),
        answers.percent(answers.nearly_sticks).into(),
        answers.percent(answers.unsolved).into(),
        expected.into(),
    ]
}

/// What a single disturbed number does to a block that is pushed to the right (or, mirrored, to the
/// left).
fn expected_of_entry(disturbed: Disturbed, push: f64) -> &'static str {
    let mirrored = |i: usize| if push > 0.0 || i > 1 { i } else { 1 - i };
    match disturbed {
        Disturbed::Entry(i, j) if (mirrored(i), mirrored(j)) == (1, 1) => "0 %",
        Disturbed::Constant(i) if mirrored(i) == 1 => "0 %",
        Disturbed::Entry(i, j) if (mirrored(i), mirrored(j)) == (0, 1) => "half",
        Disturbed::Constant(i) if mirrored(i) == 0 => "half",
        _ => "100 %",
    }
}

fn picture(at_rest: Vec<[f64; 2]>, pushed: Vec<[f64; 2]>) -> Figure {
    let sigma = || Axis::new("noise *σ*", "").log();
    let at_rest_style = Style::line(palette::BLUE).with_marker(Marker::Disc);
    let pushed_style = Style::line(palette::VERMILLION).with_marker(Marker::Square);
    let mut figure = Figure::new("Sticking under noise on all of *M* and *q*");
    figure.caption = format!("{TRIALS} trials each without a push, {PUSHED_TRIALS} against it");
    figure.panels = vec![
        Panel::new(sigma(), Axis::new("exactly at rest", "%").range(0.0, 30.0)).height(130.0).curve(
            "no push",
            at_rest,
            at_rest_style,
        ),
        Panel::new(sigma(), Axis::new("|*v*| ≤ 10^{−3}*σ*", "%").range(0.0, 0.2)).height(130.0).curve(
            "push of half the friction",
            pushed,
            pushed_style,
        ),
    ];
    figure
}

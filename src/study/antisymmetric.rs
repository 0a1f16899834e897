use super::{Report, Table};
use crate::{
    lcp::{Lcp, Lemke},
    plot::{Axis, Figure, Panel, Style},
    stepper::lcp::{BlockFormulation, TraditionalFormulation},
};

/// Weights of the push in the first and the second row.
const WEIGHTS: [f64; 5] = [0.5, 0.8, 1.0, 1.2, 1.5];
/// Pushes, in units of the friction `mu m g`.
const PUSHES: [f64; 2] = [0.3, -0.3];

/// Weights `alpha1`, `alpha2` of the push in the two friction rows of a block at rest,
/// `dt = m = mu m g = 1` (notes 3.2.2).
pub(super) fn run() -> Report {
    let mut table = Table::new([
        "alpha1",
        "alpha2",
        "push",
        "v",
        "gamma",
        "expected_v",
        "expected_gamma",
        "largest_difference",
    ]);
    for push in PUSHES {
        for alpha1 in WEIGHTS {
            for alpha2 in WEIGHTS {
                let found = solve(alpha1, alpha2, push);
                let expected = expected(alpha1, alpha2, push);
                let difference = (found[0] - expected[0]).abs().max((found[1] - expected[1]).abs());
                let numbers =
                    [alpha1, alpha2, push, found[0], found[1], expected[0], expected[1], difference];
                table.rows.push(numbers.map(Into::into).to_vec());
            }
        }
    }
    let findings = vec![
        "gamma = max(0, (alpha2 - alpha1) u/2): the block loses its sticking, as the notes say, where alpha2 > \
         alpha1 under a push to the right."
            .to_owned(),
        "Even with gamma = 0 it creeps unless the weight of the row at work is 1: v = u (1 - alpha2) for u > 0, \
         u (1 - alpha1) for u < 0; otherwise v = u (1 - (alpha1 + alpha2)/2)."
            .to_owned(),
    ];
    Report { findings, table, figures: vec![("weights".to_owned(), picture())] }
}

/// `v` and `gamma`; the block itself feels the whole push.
fn solve(alpha1: f64, alpha2: f64, push: f64) -> [f64; 2] {
    let mut problem: Lcp<3> = TraditionalFormulation::problem(0.0, 1.0);
    (problem.q[0], problem.q[1]) = (alpha1 * push, -alpha2 * push);
    let z = Lemke::default().solve(&problem).z;
    [push + z[0] - z[1], z[2]]
}

fn expected(alpha1: f64, alpha2: f64, push: f64) -> [f64; 2] {
    let gamma = 0.5 * (alpha2 - alpha1) * push;
    if gamma > 0.0 {
        [push * (1.0 - 0.5 * (alpha1 + alpha2)), gamma]
    } else {
        let at_work = if push > 0.0 { alpha2 } else { alpha1 };
        [push * (1.0 - at_work), 0.0]
    }
}

fn picture() -> Figure {
    let push = PUSHES[0];
    let mut velocity = Panel::new(Axis::new("*α*_{2}", ""), Axis::new("*v*/*u*", "")).height(130.0);
    let mut bound = Panel::new(Axis::new("*α*_{2}", ""), Axis::new("*γ*/*u*", "")).height(130.0);
    for (index, alpha1) in WEIGHTS.into_iter().enumerate() {
        let curve = |which: usize| {
            let alphas = (0..=100).map(|k| 0.5 + 0.01 * f64::from(k));
            alphas.map(|alpha2| [alpha2, solve(alpha1, alpha2, push)[which] / push]).collect::<Vec<_>>()
        };
        let style = Style::of_series(index, WEIGHTS.len());
        velocity = velocity.curve(format!("*α*_{{1}} = {alpha1}"), curve(0), style);
        bound = bound.curve("", curve(1), style);
    }
    let mut figure = Figure::new("A pushed block whose rows weigh the push differently");
    figure.caption = format!("push of {push} of the friction, from rest");
    figure.shared_x = true;
    figure.panels = vec![velocity, bound];
    figure
}

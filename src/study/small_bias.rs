use nalgebra::Vector3;

use super::{Report, Table};
use crate::{
    lcp::{Lcp, Lemke, residual},
    plot::{Axis, Figure, Panel, Style, palette},
    stepper::lcp::{BlockFormulation, TraditionalFormulation},
};

/// Errors `eps` of `q1`, below and beyond `2 mu g dt = 2`.
const BIASES: [f64; 9] = [1e-6, 1e-3, 0.1, 0.5, 1.0, 1.9, 2.0, 2.5, 4.0];

/// A small error `-eps` in `q1` of a block at rest, `dt = m = mu m g = 1` (notes 3.2.1).
pub(super) fn run() -> Report {
    let mut table = Table::new([
        "eps",
        "v",
        "gamma",
        "lambda_plus",
        "lambda_minus",
        "expected_v",
        "expected_gamma",
        "expected_lambda_plus",
        "expected_lambda_minus",
        "largest_difference",
        "residual_of_the_notes_split",
    ]);
    for eps in BIASES {
        let z = Lemke::default().solve(&problem(eps)).z;
        let found = [z[0] - z[1], z[2], z[0], z[1]];
        let expected = expected(eps);
        let differences = found.iter().zip(&expected).map(|(a, b)| (a - b).abs());
        // The notes take lambda+ = mu m g, lambda- = 0 with gamma = eps/2.
        let notes = Vector3::new(1.0, 0.0, 0.5 * eps);
        let mut row: Vec<_> = std::iter::once(eps).chain(found).chain(expected).map(Into::into).collect();
        row.push(differences.fold(0.0, f64::max).into());
        row.push(residual(&problem(eps), &notes, &mut Vector3::zeros()).into());
        table.rows.push(row);
    }
    let findings = vec![
        "An error of eps in q1 lets the block creep at v = gamma = eps/2 while eps <= 2 mu g dt; beyond, \
         v = mu g dt and gamma = eps - mu g dt."
            .to_owned(),
        "Both friction forces are then at work, lambda+- = (mu m g +- m eps/(2 dt))/2; the split of the notes, \
         lambda+ = mu m g and lambda- = 0, is no solution before eps = 2 mu g dt (last column)."
            .to_owned(),
    ];
    Report { findings, table, figures: vec![("response".to_owned(), picture())] }
}

fn problem(eps: f64) -> Lcp<3> {
    let mut problem = TraditionalFormulation::problem(0.0, 1.0);
    problem.q[0] -= eps;
    problem
}

/// `v`, `gamma`, `lambda+`, `lambda-` in closed form.
fn expected(eps: f64) -> [f64; 4] {
    if eps <= 2.0 {
        [0.5 * eps, 0.5 * eps, 0.5 + 0.25 * eps, 0.5 - 0.25 * eps]
    } else {
        [1.0, eps - 1.0, 1.0, 0.0]
    }
}

fn picture() -> Figure {
    let curve = |read: &dyn Fn(&Vector3<f64>) -> f64| {
        let eps = (1..=200).map(|k| 0.02 * f64::from(k));
        eps.map(|eps| [eps, read(&Lemke::default().solve(&problem(eps)).z)]).collect::<Vec<_>>()
    };
    let dashed = |colour| Style::line(colour).with_dash(&[5.0, 3.0]);
    let mut figure = Figure::new("A block at rest with an error of −*ε* in *q*_{1}");
    figure.caption = "*dt* = *m* = *μmg* = 1".to_owned();
    figure.shared_x = true;
    figure.panels = vec![
        Panel::new(Axis::new("*ε*", "m/s"), Axis::new("velocity", "m/s"))
            .height(120.0)
            .curve("*v*", curve(&|z| z[0] - z[1]), Style::line(palette::BLUE))
            .curve("*γ*", curve(&|z| z[2]), dashed(palette::VERMILLION)),
        Panel::new(Axis::new("*ε*", "m/s"), Axis::new("friction", "N"))
            .height(120.0)
            .curve("*λ*_{+}", curve(&|z| z[0]), Style::line(palette::SKY_BLUE))
            .curve("*λ*_{−}", curve(&|z| z[1]), dashed(palette::ORANGE)),
    ];
    figure
}

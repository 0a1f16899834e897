use crate::{
    compare::{Comparison, quantity::significant},
    gradient::{GradientRow, GradientStudy, Input, Quality},
    report::Page,
};

/// The gradients of the final place, a table per coordinate: a row per stepper and method, a column per number.
pub(super) fn gradients<const D: usize>(page: &mut Page, comparison: &Comparison<D>, study: &GradientStudy) {
    page.section("Gradients");
    let against = if comparison.scenario.layout().is_point() {
        "the exact motion's, which stands in the first row where there is one"
    } else {
        "that of the exact motion, which stands in the first row where it is known, else the corrected ones, which take \
         impacts as the motion does"
    };
    page.paragraph(&format!(
        "How the end of the motion changes with the numbers of the scenario, in units of the one per unit of the \
         other, by the derivative of each stepper's own steps (raw) and by that of the motion through its events \
         (corrected). The derivative of a formula need not be that of the motion, however small the step: a figure \
         is called biased where it is more than 2 % off {against}, one-sided where it is another for smaller values of \
         the number than for larger ones, indeterminate where it depends on how contacts share more than they need, \
         contradicted where differences of the same steps say otherwise, unchecked where there is nothing to hold it against, as where several contacts hit at once, zero where nothing \
         changes with the number, and exploding where it grew on the \
         way beyond what a landing does."
    ));
    let outputs = study.distinct(|row| row.of.as_str());
    let inputs = study.distinct(|row| row.wrt);
    let mut header = vec!["".to_owned()];
    header.extend(inputs.iter().map(ToString::to_string));
    for of in outputs {
        let (exact, others): (Vec<&GradientRow>, Vec<&GradientRow>) =
            study.rows.iter().filter(|row| row.of == of).partition(|row| row.stepper.is_exact());
        let rows: Vec<&GradientRow> = exact.into_iter().chain(others).collect();
        let of_model = |a: &&GradientRow, b: &&GradientRow| (a.stepper, a.method) == (b.stepper, b.method);
        let lines = rows.chunk_by(of_model).map(|rows| {
            let name = match rows[0].stepper {
                stepper if stepper.is_exact() => stepper.to_string(),
                stepper => format!("{stepper}, {}", rows[0].method),
            };
            let cell = |input: &Input| {
                let row = rows.iter().find(|row| row.wrt == *input);
                row.map_or("–".to_owned(), |row| shown(row))
            };
            std::iter::once(name).chain(inputs.iter().map(cell)).collect()
        });
        let of_bodies =
            (!comparison.scenario.layout().is_point()).then(|| exact_of_bodies(&rows, &inputs)).flatten();
        page.table(&format!("Derivatives of {of}."), &header, of_bodies.into_iter().chain(lines));
    }
    for without in &study.without_exact {
        page.paragraph(&format!("No exact derivative with respect to {}: {}.", without.wrt, without.reason));
    }
    for left in study.left_out.iter().filter(|left| left.method == crate::gradient::Method::Raw) {
        page.paragraph(&format!("Left out here: {}.", left.reason));
    }
}

/// The derivatives of the exact motion of bodies, which no stepper of theirs takes; `None` if none is known.
fn exact_of_bodies(rows: &[&GradientRow], inputs: &[Input]) -> Option<Vec<String>> {
    let exact = |input: &Input| rows.iter().find(|row| row.wrt == *input).and_then(|row| row.exact);
    let cell = |input: &Input| exact(input).map_or("–".to_owned(), significant);
    let is_known = inputs.iter().any(|input| exact(input).is_some());
    is_known.then(|| std::iter::once("exact".to_owned()).chain(inputs.iter().map(cell)).collect())
}

fn shown(row: &GradientRow) -> String {
    let figure = significant(row.gradient);
    match row.quality {
        Quality::Ok => figure,
        // A zero says so itself.
        Quality::Zero if row.gradient == 0.0 => figure,
        quality => format!("{figure} {}", quality.as_str()),
    }
}

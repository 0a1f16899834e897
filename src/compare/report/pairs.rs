use crate::{
    compare::{Comparison, Parting, quantity::quantity},
    report::Page,
    stepper::StepperName,
};

/// Where the pairs part: a row per pair that does, in the order of time, and a sentence on the others.
///
/// Of steppers that are alike only the first has rows: the others part where it does.
pub(super) fn pairs<const D: usize>(
    page: &mut Page,
    comparison: &Comparison<D>,
    partings: &[Parting],
    tolerance: f64,
) {
    let shown: Vec<StepperName> =
        comparison.alike().iter().map(|group| group.entry.trajectory.stepper).collect();
    let partings = partings.iter().filter(|pair| pair.steppers.iter().all(|name| shown.contains(name)));
    let (mut parted, together): (Vec<&Parting>, Vec<&Parting>) = partings.partition(|pair| pair.at.is_some());
    let tolerance = quantity(tolerance, "m");
    if parted.is_empty() && together.is_empty() {
        page.paragraph("There are no two models to compare.");
        return;
    }
    let is_all = parted.is_empty();
    if !is_all {
        parted.sort_by_key(|pair| pair.at.map(|at| at.step));
        let header =
            ["pair", "step", "time [s]", "one does", "other does", "distance then", "largest distance"]
                .map(str::to_owned);
        let rows = parted.into_iter().filter_map(|pair| {
            let at = pair.at?;
            let [a, b] = pair.steppers;
            Some(vec![
                format!("{a} – {b}"),
                at.step.to_string(),
                format!("{:.6}", at.time),
                at.modes[0].to_string(),
                at.modes[1].to_string(),
                quantity(at.distance, "m"),
                quantity(pair.max_distance, "m"),
            ])
        });
        let caption = format!(
            "For every pair, the first step after which the two are more than {tolerance} apart, what each of them \
             does in it, and how far apart they get."
        );
        page.table(&caption, &header, rows);
    }
    let farthest = together.iter().max_by(|a, b| a.max_distance.total_cmp(&b.max_distance));
    if let Some(Parting { steppers: [a, b], max_distance, .. }) = farthest {
        let (who, verb) = match (together.len(), is_all) {
            (1, true) => ("The two".to_owned(), "stay"),
            (1, false) => ("The other pair".to_owned(), "stays"),
            (count, true) => (format!("All {count} pairs"), "stay"),
            (count, false) => (format!("The other {count} pairs"), "stay"),
        };
        page.paragraph(&format!(
            "{who} {verb} within {tolerance} of each other; farthest apart are {a} and {b}, by {}.",
            quantity(*max_distance, "m")
        ));
    }
    if !comparison.scenario.layout().is_point() {
        page.paragraph(
            "How far apart two models are is the distance of the two places of a point of a body, a corner or one of the \
             rim, where it is largest.",
        );
    }
    if shown.len() < comparison.entries.len() {
        page.paragraph("Of steppers that are alike only the first is listed; partings.csv has every pair.");
    }
}

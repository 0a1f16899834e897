use crate::{
    compare::{Comparison, quantity::quantity},
    provenance::Provenance,
    report::Page,
};

/// The one section of the report that differs from run to run: what a step took, and where the result comes from.
pub(super) fn cost<const D: usize>(
    page: &mut Page,
    comparison: &Comparison<D>,
    provenance: Option<&Provenance>,
) {
    page.provenance("Cost and provenance", provenance, |page| {
        let seconds = |seconds: f64| quantity(seconds, "s");
        let rows = comparison.entries.iter().map(|entry| {
            let trajectory = &entry.trajectory;
            vec![
                trajectory.stepper.to_string(),
                seconds(entry.merit.step_microseconds * 1e-6),
                seconds(trajectory.wall_seconds),
            ]
        });
        let header = ["stepper", "median step", "whole run"].map(str::to_owned);
        page.table("Wall time, all steppers at once.", &header, rows);
        if let Some(check) = &comparison.cross_check {
            page.paragraph(&check.cost());
        }
        let groups = comparison.alike();
        let costs = groups.iter().map(|group| (group.label(), group.entry.merit.step_microseconds * 1e-6));
        page.costs(&costs.collect::<Vec<_>>());
    });
}

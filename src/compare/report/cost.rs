use super::Page;
use crate::{
    compare::{Comparison, quantity::quantity},
    provenance::Provenance,
};

/// The one section of the report that differs from run to run: what a step took, and where the result comes from.
pub(super) fn cost<const D: usize>(
    page: &mut Page,
    comparison: &Comparison<D>,
    provenance: Option<&Provenance>,
) {
    page.raw("<section class=\"cost\">\n");
    page.element("h2", "Cost and provenance");
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
        page.element("p", &check.cost());
    }
    if let Some(provenance) = provenance {
        let machine = &provenance.machine;
        let overrides = match provenance.overrides.as_slice() {
            [] => "none".to_owned(),
            overrides => overrides.join(", "),
        };
        let rows = [
            ("command", provenance.command.clone()),
            ("overrides", overrides),
            ("version", env!("CARGO_PKG_VERSION").to_owned()),
            ("started", provenance.started.clone()),
            ("system", machine.os.clone()),
            ("processor", format!("{}, {} threads", machine.cpu, machine.threads)),
        ];
        let rows = rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]);
        page.raw("<div class=\"words\">\n");
        page.table("Where this report comes from.", &["".to_owned(), "".to_owned()], rows);
        page.raw("</div>\n");
    }
    page.raw("</section>\n");
}

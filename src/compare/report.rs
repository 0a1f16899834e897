//! The report of a comparison: one page of HTML with everything in it, which opens from disk.

use base64::{Engine, prelude::BASE64_STANDARD};

use super::{
    Comparison, Entry, Matched, Merit, Parting, paragraph,
    paragraph::{quantity, significant},
    table::ending,
};
use crate::model::axis_names;

/// Style of the page.
const CSS: &str = include_str!("report.css");

/// A picture of the report.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// What it shows, in a line.
    pub title: String,
    /// Media type, for example `image/svg+xml`.
    pub media_type: &'static str,
    /// The file.
    pub data: Vec<u8>,
}

/// Writes the report: pictures, the table of merits, a [`paragraph`] per stepper, the exact events,
/// where the pairs part by more than `tolerance` m, what was matched, and the scenario.
pub fn report<const D: usize>(
    comparison: &Comparison<D>,
    partings: &[Parting],
    tolerance: f64,
    matched: Option<&Matched<D>>,
    pictures: &[Picture],
) -> String {
    let scenario = &comparison.scenario;
    let mut page = Page::default();
    page.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    page.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    page.raw("<link rel=\"icon\" href=\"data:,\">\n");
    page.element("title", &format!("{}: contact models side by side", scenario.name));
    page.raw("<style>\n").raw(CSS).raw("</style>\n</head>\n<body>\n");
    page.element("h1", &format!("{}: contact models side by side", scenario.name));
    page.element("p", &introduction(comparison));
    page.element("h2", "What each model does here");
    paragraphs(&mut page, comparison);
    page.element("h2", "Figures of merit");
    merits(&mut page, comparison);
    page.element("h2", "Pictures");
    for picture in pictures {
        figure(&mut page, picture);
    }
    events(&mut page, comparison);
    page.element("h2", "Where the models part");
    parting_table(&mut page, partings, tolerance);
    if let Some(matched) = matched {
        page.element("h2", "Matched settings");
        matching(&mut page, matched);
    }
    page.element("h2", "Scenario");
    page.element("pre", &scenario.to_toml());
    page.raw("</body>\n</html>\n");
    page.text
}

fn introduction<const D: usize>(comparison: &Comparison<D>) -> String {
    let scenario = &comparison.scenario;
    let time = scenario.time();
    let truth = if comparison.truth.is_some() {
        "Errors are distances from the event-driven exact solution."
    } else {
        "There is no exact solution for this scenario, so that errors are left out."
    };
    format!(
        "{} of motion in {} steps of {}, a mass of {} on ground with friction {} and restitution {}. {truth}",
        quantity(time.at(time.steps), "s"),
        time.steps,
        quantity(scenario.step, "s"),
        quantity(scenario.particle.mass * 1e3, "g"),
        scenario.ground.friction,
        scenario.ground.restitution,
    )
}

fn paragraphs<const D: usize>(page: &mut Page, comparison: &Comparison<D>) {
    page.raw("<dl>\n");
    for entry in &comparison.entries {
        page.element("dt", entry.trajectory.stepper.as_str());
        page.element("dd", &paragraph(entry, comparison.truth.as_ref()));
    }
    for refusal in &comparison.refused {
        page.element("dt", refusal.stepper.as_str());
        page.element("dd", &format!("Does not admit this scenario: {}; {}.", refusal.reason, refusal.remedy));
    }
    page.raw("</dl>\n");
}

/// One figure of merit of a stepper.
type Figure<const D: usize> = fn(&Merit<D>) -> Option<f64>;

/// A column per stepper: eight of them still fit on the page.
fn merits<const D: usize>(page: &mut Page, comparison: &Comparison<D>) {
    let entries = &comparison.entries;
    let show = |value: Option<f64>| value.map_or("–".to_owned(), significant);
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut row = |label: String, cell: &dyn Fn(&Entry<D>) -> String| {
        rows.push(std::iter::once(label).chain(entries.iter().map(cell)).collect());
    };
    row("run".to_owned(), &|entry| ending(entry.trajectory.ending).to_owned());
    for (i, axis) in axis_names::<D>().iter().enumerate() {
        row(format!("final {axis} [m]"), &|entry| micrometres(entry.merit.metrics.final_position[i]));
    }
    for (i, axis) in axis_names::<D>().iter().enumerate() {
        row(format!("largest error in {axis} [m]"), &|entry| {
            show(entry.merit.metrics.max_error.map(|error| error[i]))
        });
    }
    let merits: [(&str, Figure<D>); 11] = [
        ("comes to rest [s]", |merit| merit.metrics.stop_time),
        ("penetration [m]", |merit| Some(merit.metrics.max_penetration)),
        ("impulse error, first impact [%]", |merit| merit.impulse_error.map(|error| 100.0 * error)),
        ("deceleration error, sliding [%]", |merit| merit.deceleration_error.map(|error| 100.0 * error)),
        ("drift after the stop [m]", |merit| merit.drift_after_stop),
        ("energy gain in a step [J]", |merit| Some(merit.metrics.max_energy_gain)),
        ("normal force noise [N]", |merit| Some(merit.metrics.force_noise)),
        ("complementarity", |merit| merit.max_complementarity),
        ("cone violation [N]", |merit| Some(merit.max_cone_violation)),
        ("iterations, worst step", |merit| Some(f64::from(merit.iterations_max))),
        ("time per step [µs]", |merit| Some(merit.step_microseconds)),
    ];
    for (label, value) in merits {
        row(label.to_owned(), &|entry| show(value(&entry.merit)));
    }
    let header = std::iter::once(String::new());
    let header: Vec<String> =
        header.chain(entries.iter().map(|entry| entry.trajectory.stepper.to_string())).collect();
    page.table(&header, rows.into_iter());
}

/// A length in m to the micrometre, without a minus sign before zero.
fn micrometres(value: f64) -> String {
    format!("{:.6}", (value * 1e6).round() / 1e6 + 0.0)
}

fn figure(page: &mut Page, picture: &Picture) {
    let data = BASE64_STANDARD.encode(&picture.data);
    page.raw("<figure>\n<img alt=\"").text(&picture.title);
    page.raw("\" src=\"data:").raw(picture.media_type).raw(";base64,").raw(&data).raw("\">\n");
    page.element("figcaption", &picture.title);
    page.raw("</figure>\n");
}

fn events<const D: usize>(page: &mut Page, comparison: &Comparison<D>) {
    /// A train of bounces has more than a reader wants to see.
    const MOST: usize = 40;
    let Some(truth) = &comparison.truth else { return };
    page.element("h2", "Events of the exact motion");
    if truth.events.is_empty() {
        page.element("p", "None: the point stays in one mode of motion.");
        return;
    }
    let header = ["time [s]", "event", "impulse [N s]"].map(str::to_owned);
    let rows = truth.events.iter().take(MOST).map(|event| {
        let impulse = event.impulse.iter().map(|value| significant(*value)).collect::<Vec<_>>().join(", ");
        let impulse = if event.impulse.norm() > 0.0 { format!("({impulse})") } else { String::new() };
        vec![format!("{:.9}", event.time), event.kind.to_string(), impulse]
    });
    page.table(&header, rows);
    if truth.events.len() > MOST {
        page.element("p", &format!("The first {MOST} of {} events.", truth.events.len()));
    }
}

fn parting_table(page: &mut Page, partings: &[Parting], tolerance: f64) {
    page.element(
        "p",
        &format!(
            "For every pair, the first step after which the two are more than {} apart, and what each does in it.",
            quantity(tolerance, "m")
        ),
    );
    let header = ["pair", "step", "time [s]", "distance", "modes", "largest distance"].map(str::to_owned);
    let rows = partings.iter().map(|parting| {
        let [a, b] = parting.steppers;
        let mut row = vec![format!("{a} / {b}")];
        row.extend(match &parting.at {
            Some(at) => [
                at.step.to_string(),
                format!("{:.6}", at.time),
                quantity(at.distance, "m"),
                format!("{} / {}", at.modes[0], at.modes[1]),
            ],
            None => ["never".to_owned(), String::new(), String::new(), String::new()],
        });
        row.push(quantity(parting.max_distance, "m"));
        row
    });
    page.table(&header, rows);
}

fn matching<const D: usize>(page: &mut Page, matched: &Matched<D>) {
    page.element("p", &matched.to_string());
    let header = ["stepper", "settings", "rest depth", "measured restitution"].map(str::to_owned);
    let rows = matched.choices.iter().map(|choice| {
        let settings = choice.settings.iter();
        let settings = settings.map(|(key, value, unit)| format!("{key} = {} {unit}", significant(*value)));
        vec![
            choice.stepper.to_string(),
            settings.collect::<Vec<_>>().join(", "),
            quantity(choice.rest_depth, "m"),
            significant(choice.restitution),
        ]
    });
    page.table(&header, rows);
}

/// The page as it grows.
#[derive(Default)]
struct Page {
    text: String,
}

impl Page {
    fn raw(&mut self, html: &str) -> &mut Self {
        self.text.push_str(html);
        self
    }

    fn text(&mut self, text: &str) -> &mut Self {
        for c in text.chars() {
            match c {
                '&' => self.text.push_str("&amp;"),
                '<' => self.text.push_str("&lt;"),
                '>' => self.text.push_str("&gt;"),
                '"' => self.text.push_str("&quot;"),
                c => self.text.push(c),
            }
        }
        self
    }

    fn element(&mut self, name: &str, text: &str) {
        self.raw("<").raw(name).raw(">").text(text).raw("</").raw(name).raw(">\n");
    }

    fn table(&mut self, header: &[String], rows: impl Iterator<Item = Vec<String>>) {
        self.raw("<div class=\"table\"><table>\n<tr>");
        for cell in header {
            self.element("th", cell);
        }
        self.raw("</tr>\n");
        for row in rows {
            self.raw("<tr>");
            for cell in row {
                self.element("td", &cell);
            }
            self.raw("</tr>\n");
        }
        self.raw("</table></div>\n");
    }
}

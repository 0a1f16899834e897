//! Sweep files: from TOML to a checked sweep, or to everything that is wrong with the file.

mod border;
mod grid;
mod held_against;
mod keys;
mod sample;

use std::{io::Read, path::Path};

use super::plan::{Axis, Base, Border, Sweep};
use super::sample::Sample;
use crate::{
    scenario::{
        InvalidScenario, ScenarioError,
        read::{FileKind, Node, Reader, Source, Table, Value, locate, parse_document, read_text, text_of},
    },
    stepper::StepperName,
};

/// Name of a sweep without a file that gives itself none.
const NAMELESS: &str = "sweep";

const TOP: [&str; 7] = ["name", "scenario", "steppers", "metrics", "grid", "sample", "border"];

/// Reads the sweep file at `path`; the scenario that it names is looked for from the file's folder.
///
/// # Errors
/// [`ScenarioError`] with everything that is wrong with the sweep file, its scenario, or the values
/// that the sweep gives to keys of the scenario, each tried by itself.
pub fn read_sweep(path: &Path) -> Result<Sweep, ScenarioError> {
    let text = read_text(path, FileKind::Sweep)?;
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let folder = path.parent().unwrap_or(Path::new(""));
    parse_sweep(&path.display().to_string(), &text, &stem, folder)
}

/// Reads a sweep from an open file, which `name` stands for in messages; it is called `sweep` where it gives itself no
/// name, and its scenario is looked for from the working folder.
///
/// # Errors
/// As for [`read_sweep`].
pub fn read_sweep_from(input: impl Read, name: &str) -> Result<Sweep, ScenarioError> {
    let text = text_of(input, Path::new(name), FileKind::Sweep)?;
    parse_sweep(name, &text, NAMELESS, Path::new(""))
}

/// Reads a sweep from `text`; `path` stands for the file in messages, `stem` for the sweep's name
/// where the text has none, and the scenario is looked for from `folder`.
///
/// # Errors
/// As for [`read_sweep`].
pub fn parse_sweep(path: &str, text: &str, stem: &str, folder: &Path) -> Result<Sweep, ScenarioError> {
    parse(path, text, stem, Place::Below(folder))
}

/// Reads a sweep from `text`, as [`Sweep::to_toml`] writes it, over a scenario that is at hand: what a sweep
/// needs to be computed on a machine that has none of its files.
///
/// # Errors
/// As for [`read_sweep`].
pub fn parse_sweep_of(base: &Base, text: &str) -> Result<Sweep, ScenarioError> {
    parse("<sweep>", text, NAMELESS, Place::AtHand(base))
}

/// Where the scenario of a sweep is.
enum Place<'a> {
    /// In a file, whose name counts from a folder.
    Below(&'a Path),
    /// Here.
    AtHand(&'a Base),
}

fn parse(path: &str, text: &str, stem: &str, place: Place<'_>) -> Result<Sweep, ScenarioError> {
    let invalid = |findings| {
        let problems = locate(text, findings);
        ScenarioError::from(InvalidScenario { path: path.to_owned(), text: text.to_owned(), problems })
    };
    let (root, findings) = parse_document(text);
    let Some(root) = root else { return Err(invalid(findings)) };
    if let Value::Table(top) = &root.value
        && let Some(refusal) = FileKind::Sweep.refusal(top)
    {
        return Err(invalid(vec![refusal]));
    }
    let mut reader = Reader { text, file: "a sweep file", findings };
    let draft = reader.draft(&root, stem);
    let Some(draft) = draft.filter(|_| reader.findings.is_empty()) else {
        return Err(invalid(reader.findings));
    };
    let base = match place {
        Place::AtHand(base) => base.clone(),
        Place::Below(folder) => {
            let file = folder.join(&draft.scenario);
            let help = "name the file of the scenario that is varied";
            let named = (file.as_path(), Path::new(path), FileKind::Sweep);
            let Some(text) = reader.named_scenario(&draft.scenario_source, named, help) else {
                return Err(invalid(reader.findings));
            };
            Base::new(file.display().to_string(), text)
        }
    };
    let base_scenario = base.with(&[])?;
    reader.try_values(&base, &draft);
    let metrics = reader.metrics(&base_scenario, &draft);
    let runs = "the number of runs is the product of the number of values of every key of [grid], the count \
                of [sample] and the number of steppers";
    let Draft { name, steppers, grid, sample, borders, .. } = draft;
    let grid = grid.into_iter().map(|(axis, _)| axis).collect();
    let sweep = Sweep::new(name, base, steppers, grid, sample.map(|(sample, _)| sample), metrics);
    if sweep.is_none() {
        let message = format!("the sweep has no run, or more than {}", Sweep::MAX_RUNS);
        reader.fault(&Source::File(0..0), "grid", message, runs);
    }
    match sweep.map(|sweep| sweep.with_borders(borders)) {
        Some(sweep) if reader.findings.is_empty() => Ok(sweep),
        _ => Err(invalid(reader.findings)),
    }
}

/// A sweep whose keys and values are not yet held against its scenario.
struct Draft {
    name: String,
    scenario: String,
    scenario_source: Source,
    steppers: Vec<StepperName>,
    grid: Vec<(Axis, Vec<Source>)>,
    sample: Option<(Sample, Vec<Source>)>,
    metrics: Option<Vec<(String, Source)>>,
    borders: Vec<Border>,
}

impl Reader<'_> {
    fn draft(&mut self, root: &Node, stem: &str) -> Option<Draft> {
        let Value::Table(top) = &root.value else { return None };
        self.known_keys(top, "", &TOP);
        let name = match top.get("name") {
            Some(node) => self.word(node, "name", "name = \"friction-by-step\""),
            None => Some(stem.to_owned()),
        };
        if let Some(name) = &name
            && (name.is_empty()
                || name.len() > 100
                || !name.bytes().all(|c| matches!(c, b'a'..=b'z' | b'0'..=b'9' | b'-')))
        {
            let source = top.get("name").map_or(Source::File(0..0), |node| node.source.clone());
            let message =
                format!("`name` is \"{}\", but must be made of a-z, 0-9 and -", name.escape_default());
            self.fault(
                &source,
                "name",
                message,
                "it names the output folder; without `name` it is the file's name",
            );
        }
        let example = "scenario = \"slide.toml\"";
        let scenario = match top.get("scenario") {
            Some(node) => self.word(node, "scenario", example).map(|path| (path, node.source.clone())),
            None => {
                let help = format!("add `{example}`, the file that is varied, as seen from the sweep file");
                self.fault(&root.source, "scenario", "the key `scenario` is missing", help);
                None
            }
        };
        let steppers = self.steppers(top);
        let metrics = top.get("metrics").map(|node| {
            let example = "metrics = [\"final_x\", \"stop_time\"]";
            self.words(node, "metrics", example)
        });
        let grid = top.get("grid").map(|node| self.grid(node)).unwrap_or_default();
        let sample = top.get("sample").and_then(|node| self.sample(node));
        if grid.is_empty() && sample.is_none() && self.findings.is_empty() {
            let help = "add [grid] with lists of values, or [sample] with ranges, for example\n\
                        [grid]\n\"ground.friction\" = [0.1, 0.2, 0.3]";
            self.fault(&root.source, "grid", "the sweep varies no key", help);
        }
        for (range, source) in sample.iter().flat_map(|(sample, sources)| sample.ranges.iter().zip(sources)) {
            if grid.iter().any(|(axis, _)| axis.key == range.key) {
                let message = format!("`{}` is in [grid] and in [sample]", range.key);
                self.fault(source, &range.key, message, "give it in one of them");
            }
        }
        let keys = grid.iter().map(|(axis, _)| axis.key.as_str());
        let sampled = sample.iter().flat_map(|(sample, _)| &sample.ranges).map(|range| range.key.as_str());
        let keys: Vec<&str> = keys.chain(sampled).collect();
        let borders = top.get("border").map(|node| self.borders(node, &keys)).unwrap_or_default();
        let (scenario, scenario_source) = scenario?;
        Some(Draft { name: name?, scenario, scenario_source, steppers, grid, sample, metrics, borders })
    }

    fn steppers(&mut self, top: &Table) -> Vec<StepperName> {
        let Some(node) = top.get("steppers") else { return vec![StepperName::NLP] };
        let mut steppers = Vec::new();
        for (word, source) in self.words(node, "steppers", "steppers = [\"nlp\", \"lcp\"]") {
            match word.parse::<StepperName>() {
                Ok(name) if steppers.contains(&name) => {
                    self.fault(&source, "steppers", format!("`{name}` is named twice"), "name it once");
                }
                Ok(name) => steppers.push(name),
                Err(error) => self.fault(
                    &source,
                    "steppers",
                    error.to_string(),
                    "`stickslip run --help` lists the steppers",
                ),
            }
        }
        steppers
    }
}

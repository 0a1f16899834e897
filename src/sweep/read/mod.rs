//! Sweep files: from TOML to a checked sweep, or to everything that is wrong with the file.

mod border;

use std::path::Path;

use super::{
    design::Design,
    measure::metric_names,
    plan::{Axis, Base, Border, Method, Range, Sample, Scaling, Sweep},
};
use crate::{
    decimal::twelve_digits,
    scenario::{
        AnyScenario, InvalidScenario, Override, ScenarioError,
        read::{Finding, Node, Source, Table, Value, as_written, closest, locate, parse_document, read_text},
    },
    stepper::StepperName,
};

const TOP: [&str; 7] = ["name", "scenario", "steppers", "metrics", "grid", "sample", "border"];
const SAMPLE: [&str; 4] = ["method", "count", "seed", "keys"];
const RANGE: [&str; 3] = ["min", "max", "scale"];
const SPACED: [&str; 4] = ["min", "max", "scale", "count"];
/// Most values of one key of a grid.
const MAX_VALUES: usize = 100_000;

/// Reads the sweep file at `path`; the scenario that it names is looked for from the file's folder.
///
/// # Errors
/// [`ScenarioError`] with everything that is wrong with the sweep file, its scenario, or the values
/// that the sweep gives to keys of the scenario, each tried by itself.
pub fn read_sweep(path: &Path) -> Result<Sweep, ScenarioError> {
    let text = read_text(path)?;
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let folder = path.parent().unwrap_or(Path::new(""));
    parse_sweep(&path.display().to_string(), &text, &stem, folder)
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
    parse("<sweep>", text, "sweep", Place::AtHand(base))
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
    let mut reader = Reader { text, findings };
    let draft = reader.draft(&root, stem);
    let Some(draft) = draft.filter(|_| reader.findings.is_empty()) else {
        return Err(invalid(reader.findings));
    };
    let base = match place {
        Place::AtHand(base) => base.clone(),
        Place::Below(folder) => {
            let file = folder.join(&draft.scenario);
            match read_text(&file) {
                Ok(text) => Base::new(file.display().to_string(), text),
                // A faulty scenario is told about in its own text; a missing one where it is named.
                Err(error) => {
                    let message = format!("`scenario` names `{}`: {}", file.display(), error.fault);
                    reader.fault(&draft.scenario_source, "scenario", message, &error.help);
                    return Err(invalid(reader.findings));
                }
            }
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

struct Reader<'a> {
    text: &'a str,
    findings: Vec<Finding>,
}

impl Reader<'_> {
    fn fault(&mut self, source: &Source, key: &str, message: impl Into<String>, help: impl Into<String>) {
        self.findings.push(Finding {
            source: source.clone(),
            key: Some(key.to_owned()),
            message: message.into(),
            help: help.into(),
        });
    }

    fn wrong_type(&mut self, node: &Node, key: &str, wanted: &str, example: &str) {
        let found = format!("{} {}", node.value.kind(), as_written(self.text, node));
        let message = format!("`{key}` must be {wanted}, found {}", found.trim_end());
        self.fault(&node.source, key, message, format!("write it like {example}"));
    }

    /// Reports the keys of `table` that are not `known`.
    fn known_keys(&mut self, table: &Table, path: &str, known: &[&str]) {
        for (key, (source, _)) in &table.0 {
            if !known.contains(&key.as_str()) {
                let home = if path.is_empty() { "the top of a sweep file" } else { path };
                let list = format!("the keys of {home} are {}", known.join(", "));
                let help = match closest(key, known.iter().copied()) {
                    Some(close) => format!("did you mean `{close}`? ({list})"),
                    None => format!("remove it ({list})"),
                };
                self.fault(source, key, format!("unknown key `{key}`"), help);
            }
        }
    }

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

    fn word(&mut self, node: &Node, key: &str, example: &str) -> Option<String> {
        if let Value::Text(text) = &node.value {
            return Some(text.clone());
        }
        self.wrong_type(node, key, "a string in quotes", example);
        None
    }

    /// A list of strings, each with its place.
    fn words(&mut self, node: &Node, key: &str, example: &str) -> Vec<(String, Source)> {
        let Value::List(list) = &node.value else {
            self.wrong_type(node, key, "a list of strings", example);
            return Vec::new();
        };
        if list.is_empty() {
            self.fault(&node.source, key, format!("`{key}` is empty"), format!("write it like {example}"));
        }
        list.iter().filter_map(|node| Some((self.word(node, key, example)?, node.source.clone()))).collect()
    }

    fn steppers(&mut self, top: &Table) -> Vec<StepperName> {
        let Some(node) = top.get("steppers") else { return vec![StepperName::NlpRelaxed] };
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

    fn grid(&mut self, node: &Node) -> Vec<(Axis, Vec<Source>)> {
        let example = "\"ground.friction\" = [0.1, 0.2, 0.3]";
        let Value::Table(table) = &node.value else {
            self.wrong_type(node, "grid", "a table", "[grid] on a line of its own");
            return Vec::new();
        };
        let mut axes = Vec::new();
        for (key, source, node) in leaves(table) {
            if !self.is_key(&key, &source) {
                continue;
            }
            let axis = match &node.value {
                Value::List(list) => {
                    let values = list.iter().map(|node| as_written(self.text, node).to_owned()).collect();
                    Some((
                        Axis { key: key.clone(), values },
                        list.iter().map(|node| node.source.clone()).collect(),
                    ))
                }
                Value::Table(table) => self.spaced(&key, node, table),
                _ => {
                    self.wrong_type(node, &key, "a list of values, or { min, max, count }", example);
                    None
                }
            };
            let Some((axis, sources)): Option<(Axis, Vec<Source>)> = axis else { continue };
            if axis.values.is_empty() || axis.values.len() > MAX_VALUES {
                let message =
                    format!("`{key}` has {} values, but must have 1 to {MAX_VALUES}", axis.values.len());
                self.fault(&node.source, &key, message, format!("write it like {example}"));
                continue;
            }
            let twice =
                (1..axis.values.len()).find(|&place| axis.values[..place].contains(&axis.values[place]));
            if axis.values.len() < 1000
                && let Some(place) = twice
            {
                let message = format!("`{key}` has the value {} twice", axis.values[place]);
                self.fault(&sources[place.min(sources.len() - 1)], &key, message, "remove one of them");
            }
            axes.push((axis, sources));
        }
        axes
    }

    /// Values at equal distances, `{ min, max, count, scale }`.
    fn spaced(&mut self, key: &str, node: &Node, table: &Table) -> Option<(Axis, Vec<Source>)> {
        self.known_keys(table, &format!("a range of [grid], `{key}`"), &SPACED);
        let range = self.range(key, node, table)?;
        let count = self.whole(table, node, &format!("{key}.count"), "count", 2..=MAX_VALUES as u64)?;
        let value = |i: u64| {
            let u = i as f64 / (count - 1) as f64;
            // 0.1 + 0.5 * 0.1 is 0.15000000000000002; the middle of 0.1 and 0.2 is written 0.15.
            let value = twelve_digits(range.scaling.between(range.min, range.max, u));
            format!("{:?}", value.clamp(range.min, range.max))
        };
        let values = (0..count).map(value).collect();
        Some((Axis { key: key.to_owned(), values }, vec![node.source.clone()]))
    }

    fn sample(&mut self, node: &Node) -> Option<(Sample, Vec<Source>)> {
        let Value::Table(table) = &node.value else {
            self.wrong_type(node, "sample", "a table", "[sample] on a line of its own");
            return None;
        };
        self.known_keys(table, "[sample]", &SAMPLE);
        let method = match table.get("method") {
            None => Some(Method::Sobol),
            Some(node) => {
                let word = self.word(node, "sample.method", "method = \"sobol\"");
                let method =
                    word.as_deref().map(|word| Method::ALL.into_iter().find(|one| one.as_str() == word));
                if let (Some(None), Some(word)) = (&method, &word) {
                    let names = Method::ALL.map(|method| format!("\"{}\"", method.as_str())).join(", ");
                    let message = format!(
                        "`sample.method` is \"{}\", but must be one of {names}",
                        word.escape_default()
                    );
                    let close = closest(word, Method::ALL.into_iter().map(Method::as_str));
                    let help = close.map_or("choose one of them".to_owned(), |close| {
                        format!("did you mean \"{close}\"?")
                    });
                    self.fault(&node.source, "sample.method", message, help);
                }
                method.flatten()
            }
        };
        let count = self.whole(table, node, "sample.count", "count", 1..=Design::MAX_POINTS as u64);
        let seed = match table.get("seed") {
            None => Some(1),
            Some(_) => self.whole(table, node, "sample.seed", "seed", 0..=i64::MAX as u64),
        };
        let Some(keys) = table.get("keys") else {
            let help = "open [sample.keys] and give ranges, for example\n\
                        \"ground.friction\" = { min = 0.0, max = 1.0 }";
            self.fault(&node.source, "sample.keys", "the table [sample.keys] is missing", help);
            return None;
        };
        let Value::Table(keys_table) = &keys.value else {
            self.wrong_type(keys, "sample.keys", "a table", "[sample.keys] on a line of its own");
            return None;
        };
        let (mut ranges, mut sources) = (Vec::new(), Vec::new());
        for (key, source, node) in leaves(keys_table) {
            if !self.is_key(&key, &source) {
                continue;
            }
            let Value::Table(table) = &node.value else {
                self.wrong_type(node, &key, "a range", &format!("\"{key}\" = {{ min = 0.0, max = 1.0 }}"));
                continue;
            };
            self.known_keys(table, &format!("a range of [sample.keys], `{key}`"), &RANGE);
            if let Some(range) = self.range(&key, node, table) {
                ranges.push(range);
                sources.push(node.source.clone());
            }
        }
        if ranges.is_empty() || ranges.len() > Design::MAX_COLUMNS {
            if self.findings.is_empty() {
                let message = format!(
                    "[sample.keys] has {} ranges, but must have 1 to {}",
                    ranges.len(),
                    Design::MAX_COLUMNS
                );
                let help = "write them like \"ground.friction\" = { min = 0.0, max = 1.0 }";
                self.fault(&keys.source, "sample.keys", message, help);
            }
            return None;
        }
        let sample = Sample { method: method?, count: usize::try_from(count?).ok()?, seed: seed?, ranges };
        Some((sample, sources))
    }

    /// `{ min, max, scale }`.
    fn range(&mut self, key: &str, node: &Node, table: &Table) -> Option<Range> {
        let mut end = |name: &str| {
            let Some(node) = table.get(name) else {
                let help = format!("write it like \"{key}\" = {{ min = 0.0, max = 1.0 }}");
                self.fault(&node.source, key, format!("the range of `{key}` has no `{name}`"), help);
                return None;
            };
            match node.value {
                Value::Float(number) | Value::Integer(_, number) if number.is_finite() => {
                    Some((number, matches!(node.value, Value::Integer(..))))
                }
                _ => {
                    self.wrong_type(
                        node,
                        &format!("{key}.{name}"),
                        "a finite number",
                        &format!("{name} = 0.5"),
                    );
                    None
                }
            }
        };
        let (min, max) = (end("min"), end("max"));
        let scaling = match table.get("scale").map(|node| (node, &node.value)) {
            None => Scaling::Linear,
            Some((_, Value::Text(text))) if text == "linear" => Scaling::Linear,
            Some((_, Value::Text(text))) if text == "log" => Scaling::Logarithmic,
            Some((node, _)) => {
                let name = format!("{key}.scale");
                self.wrong_type(node, &name, "\"linear\" or \"log\"", "scale = \"log\"");
                return None;
            }
        };
        let ((min, min_is_whole), (max, max_is_whole)) = (min?, max?);
        if min >= max {
            let message = format!("the range of `{key}` goes from {min} to {max}");
            self.fault(&node.source, key, message, "`max` has to be above `min`");
            return None;
        }
        if scaling == Scaling::Logarithmic && min <= 0.0 {
            let message = format!("the range of `{key}` begins at {min}, which has no logarithm");
            self.fault(&node.source, key, message, "let it begin above 0, or leave `scale` out");
            return None;
        }
        let whole = min_is_whole && max_is_whole;
        Some(Range { key: key.to_owned(), min, max, scaling, whole })
    }

    fn whole(
        &mut self,
        table: &Table,
        around: &Node,
        full: &str,
        key: &str,
        allowed: std::ops::RangeInclusive<u64>,
    ) -> Option<u64> {
        let (low, high) = (allowed.start(), allowed.end());
        let wanted = format!("a whole number from {low} to {high}");
        let Some(node) = table.get(key) else {
            let message = format!("the key `{full}` is missing");
            self.fault(&around.source, full, message, format!("add `{key}`, {wanted}"));
            return None;
        };
        let value = match node.value {
            Value::Integer(Some(whole), _) => {
                u64::try_from(whole).ok().filter(|whole| allowed.contains(whole))
            }
            _ => None,
        };
        if value.is_none() {
            self.wrong_type(node, full, &wanted, &format!("{key} = {}", (*low).max(100)));
        }
        value
    }

    /// Whether `key` has the form of a scenario's key; reports it otherwise.
    fn is_key(&mut self, key: &str, source: &Source) -> bool {
        let outcome = Override::parse(&format!("{key}=0"));
        if let Err(error) = &outcome {
            self.fault(source, key, error.to_string(), "keys are written as for --set");
        }
        outcome.is_ok()
    }

    /// Holds every value of the grid and both ends of every range against the rules of the scenario,
    /// each alone; combinations that are not valid become rows of the table.
    fn try_values(&mut self, base: &Base, draft: &Draft) {
        let mut attempts: Vec<(&str, String, &Source)> = Vec::new();
        for (axis, sources) in &draft.grid {
            let at = |place: usize| &sources[place.min(sources.len() - 1)];
            attempts.extend(
                axis.values.iter().enumerate().map(|(place, value)| (&*axis.key, value.clone(), at(place))),
            );
        }
        for (range, source) in
            draft.sample.iter().flat_map(|(sample, sources)| sample.ranges.iter().zip(sources))
        {
            attempts.push((&range.key, range.value(0.0), source));
            attempts.push((&range.key, range.value(1.0 - f64::EPSILON), source));
        }
        for (key, value, source) in attempts {
            let argument = format!("{key}={value}");
            let outcome = match Override::parse(&argument) {
                Err(error) => Err((error.to_string(), String::new())),
                Ok(_) => match base.with(&[(key.to_owned(), value)]) {
                    Ok(_) => Ok(()),
                    Err(ScenarioError::Invalid(invalid)) => Err(invalid.problems.first().map_or_else(
                        || ("it is not valid".to_owned(), String::new()),
                        |problem| (problem.message.clone(), problem.help.clone()),
                    )),
                    Err(error) => Err((error.to_string(), String::new())),
                },
            };
            if let Err((message, help)) = outcome {
                let help = if help.is_empty() { "change the value or the key".to_owned() } else { help };
                self.fault(
                    source,
                    key,
                    format!("{argument} does not fit `{}`: {message}", base.path()),
                    help,
                );
            }
        }
    }

    /// The metrics that are kept: those named, or all that the steppers give.
    fn metrics(&mut self, scenario: &AnyScenario, draft: &Draft) -> Vec<String> {
        let mut known: Vec<String> = Vec::new();
        for stepper in &draft.steppers {
            for name in metric_names(scenario, *stepper) {
                if !known.contains(&name) {
                    known.push(name);
                }
            }
        }
        let Some(chosen) = &draft.metrics else { return known };
        let mut names: Vec<String> = Vec::new();
        for (name, source) in chosen {
            if names.contains(name) {
                self.fault(source, "metrics", format!("`{name}` is named twice"), "name it once");
            } else if !known.contains(name) {
                let list = known.join(", ");
                let help = match closest(name, known.iter().map(String::as_str)) {
                    Some(close) => format!("did you mean `{close}`? (there are {list})"),
                    None => format!("there are {list}"),
                };
                let message = format!("no stepper of the sweep gives the metric `{}`", name.escape_default());
                self.fault(source, "metrics", message, help);
            } else {
                names.push(name.clone());
            }
        }
        names
    }
}

/// Whether a table is a range rather than a part of a dotted key.
fn is_range(table: &Table) -> bool {
    table.0.keys().any(|key| SPACED.contains(&key.as_str()))
}

/// The values of a table by their full keys: `"ground.friction" = ...` and `ground.friction = ...`
/// are the same; a table is a value where it is a range.
fn leaves(table: &Table) -> Vec<(String, Source, &Node)> {
    let mut found = Vec::new();
    for (key, (source, node)) in &table.0 {
        match &node.value {
            Value::Table(inner) if !is_range(inner) => {
                let inner = leaves(inner);
                found.extend(
                    inner.into_iter().map(|(rest, source, node)| (format!("{key}.{rest}"), source, node)),
                );
            }
            _ => found.push((key.clone(), source.clone(), node)),
        }
    }
    // In the order of the file, which is the one of the digits of a run's number.
    found.sort_by_key(|(_, _, node)| match &node.source {
        Source::File(span) => span.start,
        Source::Override(..) => usize::MAX,
    });
    found
}

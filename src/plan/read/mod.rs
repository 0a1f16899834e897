//! Plan files: from TOML to a checked task, or to everything that is wrong with the file.

mod admission;
mod control;
mod keep;
mod numbers;
mod start_from;
mod states;

use std::{io::Read, path::Path};

use super::task::{AimedModel, Cost, Goal, Interval, PlanTask};
use crate::scenario::{
    AnyScenario, Choice, InvalidScenario, Override, Scenario, ScenarioError,
    read::{
        FileKind, KeyPath, Node, Reader, Segment, Source, Table, Value, closest, locate, make,
        parse_document, read_text, text_of, top_keys,
    },
};

/// Keys of a plan file; what else stands in one without `scenario` is the scenario.
const TOP: [&str; 13] = [
    "name",
    "scenario",
    "steps",
    "duration",
    "cost",
    "aim",
    "starts",
    "start_from",
    "seed",
    "control",
    "start",
    "goal",
    "keep",
];

/// Most steps of a plan.
pub const MOST_STEPS: usize = 2000;
/// Most direct starts.
const MOST_STARTS: u64 = 1000;
/// Longest duration in s.
const LONGEST: f64 = 1e6;

/// Reads the plan file at `path`, with some keys set from outside: its own, and those of its scenario, which like the pushes of
/// `start_from` is looked for from the file's folder.
///
/// # Errors
/// [`ScenarioError`] with everything that is wrong with the plan or its scenario.
pub fn read_plan(path: &Path, overrides: &[Override]) -> Result<PlanTask, ScenarioError> {
    let text = read_text(path, FileKind::Plan)?;
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let folder = path.parent().unwrap_or(Path::new(""));
    parse_plan(&path.display().to_string(), &text, &stem, folder, overrides)
}

/// Reads a plan from an open file, which `name` stands for in messages; it is called `plan` where it gives itself no name, and
/// the files that it names are looked for from the working folder.
///
/// # Errors
/// As for [`read_plan`].
pub fn read_plan_from(
    input: impl Read,
    name: &str,
    overrides: &[Override],
) -> Result<PlanTask, ScenarioError> {
    let text = text_of(input, Path::new(name), FileKind::Plan)?;
    parse_plan(name, &text, "plan", Path::new(""), overrides)
}

/// Reads a plan from `text`; `path` stands for the file in messages, `stem` for the name of the plan where the text has none,
/// and the files that it names are looked for from `folder`.
///
/// # Errors
/// As for [`read_plan`].
pub fn parse_plan(
    path: &str,
    text: &str,
    stem: &str,
    folder: &Path,
    overrides: &[Override],
) -> Result<PlanTask, ScenarioError> {
    let invalid = |findings| {
        let problems = locate(text, findings);
        ScenarioError::from(InvalidScenario { path: path.to_owned(), text: text.to_owned(), problems })
    };
    let (root, findings) = parse_document(text);
    let Some(mut root) = root else { return Err(invalid(findings)) };
    let mut reader = Reader { text, file: "a plan file", findings };
    let (own, of_scenario) = divided(overrides, &root);
    for one in &own {
        if let Err(obstacle) = one.apply(&mut root) {
            let (source, key) = (one.source(), one.key().to_string());
            reader.fault(source, &key, obstacle.message, obstacle.help);
        }
    }
    let Value::Table(top) = &root.value else { return Err(invalid(reader.findings)) };
    if let Some(refusal) = FileKind::Plan.refusal(top) {
        return Err(invalid(vec![refusal]));
    }
    let heading = reader.heading(top, stem);
    if !reader.findings.is_empty() {
        return Err(invalid(reader.findings));
    }
    let (scenario, place) = match top.get("scenario") {
        Some(node) => {
            reader.known_keys(top, "", &TOP);
            let example = "scenario = \"slide.toml\"";
            let Some(file) = reader.word(node, "scenario", example) else {
                return Err(invalid(reader.findings));
            };
            let file = folder.join(file);
            let help = "name the file of the scenario that is planned in";
            let named = (file.as_path(), Path::new(path), FileKind::Plan);
            let Some(text) = reader.named_scenario(&node.source, named, help) else {
                return Err(invalid(reader.findings));
            };
            let scenario = crate::scenario::parse_scenario(&file.display().to_string(), &text, &of_scenario)?;
            (scenario, Place::Named(node.source.clone()))
        }
        None if top.get("step").is_some() => {
            let source = top.get("step").map_or(root.source.clone(), |node| node.source.clone());
            let message = "`step` is given, and that of a plan is its `duration` over its `steps`";
            reader.fault(&source, "step", message, "remove it");
            return Err(invalid(reader.findings));
        }
        None if reader.misspelt_keys(top) => return Err(invalid(reader.findings)),
        None => (inline(path, text, &root, top, &heading, &of_scenario)?, Place::Inline),
    };
    let place = Placed { root: &root, place, folder };
    let Some(scenario) = reader.admitted(scenario, &place) else { return Err(invalid(reader.findings)) };
    let task = reader.task(top, scenario, heading, &place);
    match task {
        Some(task) if reader.findings.is_empty() => Ok(task),
        _ => Err(invalid(reader.findings)),
    }
}

/// Where the scenario of a plan stands.
enum Place {
    /// In a file, that is named here.
    Named(Source),
    /// In the plan file.
    Inline,
}

/// The document of a plan, for telling where a key of its scenario is.
struct Placed<'a> {
    root: &'a Node,
    place: Place,
    /// Where the files that it names are looked for.
    folder: &'a Path,
}

impl Placed<'_> {
    /// Where a key of the scenario stands, or where its file is named.
    fn of(&self, key: &str) -> Source {
        match (&self.place, KeyPath::parse(key)) {
            (Place::Named(source), _) => source.clone(),
            (Place::Inline, Some(key)) => self.root.nearest(&key).source.clone(),
            (Place::Inline, None) => self.root.source.clone(),
        }
    }
}

/// Overrides of the plan itself, and those of its scenario.
fn divided(overrides: &[Override], root: &Node) -> (Vec<Override>, Vec<Override>) {
    let is_inline = matches!(&root.value, Value::Table(top) if top.get("scenario").is_none());
    let is_own = |one: &&Override| {
        let Some(Segment::Key(first)) = one.key().0.first() else { return false };
        TOP.contains(&first.as_str()) || is_inline
    };
    let (own, others): (Vec<&Override>, Vec<&Override>) = overrides.iter().partition(is_own);
    (own.into_iter().cloned().collect(), others.into_iter().cloned().collect())
}

/// The numbers at the top of a plan file.
struct Heading {
    name: String,
    steps: usize,
    duration: Option<(Interval, Source)>,
    cost: Cost,
    aim: AimedModel,
    starts: usize,
    seed: u64,
}

/// The scenario whose tables stand in the plan file: the name and the time grid are those of the plan.
fn inline(
    path: &str,
    text: &str,
    root: &Node,
    top: &Table,
    heading: &Heading,
    overrides: &[Override],
) -> Result<AnyScenario, ScenarioError> {
    let mut table = Table::default();
    for (key, entry) in &top.0 {
        if !TOP.contains(&key.as_str()) {
            table.0.insert(key.clone(), entry.clone());
        }
    }
    let longest = heading.duration.as_ref().map(|(duration, _)| duration[1]);
    let mut number = |key: &str, value: f64| {
        let source = top.get(key).map_or(root.source.clone(), |node| node.source.clone());
        let node = Node { value: Value::Float(value), source: source.clone() };
        table.0.insert(key.to_owned(), (source, node));
    };
    if let Some(longest) = longest {
        number("duration", longest);
    }
    number("step", longest.unwrap_or(1.0) / heading.steps as f64);
    let name = Node { value: Value::Text(heading.name.clone()), source: root.source.clone() };
    table.0.insert("name".to_owned(), (root.source.clone(), name));
    let root = Node { value: Value::Table(table), source: root.source.clone() };
    make(path, text, Some(root), Vec::new(), overrides)
}

impl Reader<'_> {
    /// Reports keys beside those of a plan that no scenario has, and that one of a plan is meant by; whether there are any.
    fn misspelt_keys(&mut self, top: &Table) -> bool {
        let before = self.findings.len();
        let of_scenario = top_keys();
        let known: Vec<&str> = TOP.into_iter().chain(of_scenario.iter().copied()).collect();
        for (key, (source, _)) in top.0.iter().filter(|(key, _)| !known.contains(&key.as_str())) {
            let meant = closest(key, known.iter().copied()).filter(|meant| TOP.contains(meant));
            let Some(meant) = meant else { continue };
            let list = TOP.join(", ");
            let help = format!(
                "did you mean `{meant}`? (the keys of a plan are {list}; those of its scenario stand beside them)"
            );
            self.fault(source, key, format!("unknown key `{key}`"), help);
        }
        self.findings.len() > before
    }

    fn heading(&mut self, top: &Table, stem: &str) -> Heading {
        let name = match top.get("name") {
            Some(node) => self.word(node, "name", "name = \"push-block\"").unwrap_or_default(),
            None => stem.to_owned(),
        };
        let fits = |c: u8| matches!(c, b'a'..=b'z' | b'0'..=b'9' | b'-');
        if name.is_empty() || name.len() > 100 || !name.bytes().all(fits) {
            let source = top.get("name").map_or(Source::File(0..0), |node| node.source.clone());
            let message =
                format!("`name` is \"{}\", but must be made of a-z, 0-9 and -", name.escape_default());
            let help = "it names the output folder; without `name` it is the file's name";
            self.fault(&source, "name", message, help);
        }
        let whole =
            |reader: &mut Self, key: &str, allowed: std::ops::RangeInclusive<u64>, default: u64| match top
                .get(key)
            {
                Some(node) => reader.whole(top, node, key, key, allowed).unwrap_or(default),
                None => default,
            };
        let steps = whole(self, "steps", 1..=MOST_STEPS as u64, 40);
        let starts = whole(self, "starts", 0..=MOST_STARTS, 8);
        let seed = whole(self, "seed", 0..=i64::MAX as u64, 1);
        let duration = top.get("duration").and_then(|node| {
            let interval =
                self.interval(node, "duration", "duration = 1.0, or [0.1, 5.0] to have it chosen")?;
            if interval[0] > 0.0 && interval[1] <= LONGEST {
                return Some((interval, node.source.clone()));
            }
            let message = format!("`duration` is {}, but must be above 0 and at most 1e6 s", shown(interval));
            self.fault(&node.source, "duration", message, "give the time that the motion takes, in s");
            None
        });
        let cost = match top.get("cost") {
            Some(node) => self.choice(node, "cost").unwrap_or(Cost::Effort),
            None => Cost::Effort,
        };
        let aim = match top.get("aim") {
            Some(node) => self.choice(node, "aim").unwrap_or(AimedModel::Plan),
            None => AimedModel::Plan,
        };
        Heading { name, steps: steps as usize, duration, cost, aim, starts: starts as usize, seed }
    }

    fn choice<C: Choice>(&mut self, node: &Node, key: &str) -> Option<C> {
        let words = C::words();
        let word = self.word(node, key, &format!("{key} = \"{}\"", words[0]))?;
        let found = C::named(&word);
        if found.is_none() {
            let list = words.join(", ");
            let help = match closest(&word, words.iter().copied()) {
                Some(close) => format!("did you mean \"{close}\"? (there are {list})"),
                None => format!("choose from {list}"),
            };
            let message = format!("`{key}` is \"{}\", which is none of its words", word.escape_default());
            self.fault(&node.source, key, message, help);
        }
        found
    }

    fn task(
        &mut self,
        top: &Table,
        mut scenario: Scenario<2>,
        heading: Heading,
        place: &Placed<'_>,
    ) -> Option<PlanTask> {
        let Heading { name, steps, duration, cost, aim, starts, seed } = heading;
        let duration_source = duration.as_ref().map(|(_, source)| source.clone());
        let duration = duration.map_or([scenario.duration; 2], |(duration, _)| duration);
        let controls = top.get("control").map(|node| self.controls(node, &scenario)).unwrap_or_default();
        let start = self.starts(top.get("start"), &scenario);
        let goals: Vec<Goal> = top.get("goal").map(|node| self.goals(node, &scenario)).unwrap_or_default();
        let keeps = top.get("keep").map(|node| self.keeps(node, &scenario)).unwrap_or_default();
        scenario.name.clone_from(&name);
        scenario.duration = duration[1];
        scenario.step = duration[1] / steps as f64;
        let mut task = PlanTask {
            name,
            scenario,
            steps,
            duration,
            cost,
            aim,
            starts,
            seed,
            start_from: None,
            controls,
            start,
            goals,
            keeps,
        };
        if self.findings.is_empty() {
            self.hold_together(top, &task, duration_source, place);
        }
        // Only in a plan without a fault it is known what of the pushes can be, and what they do.
        if let (true, Some(node)) = (self.findings.is_empty(), top.get("start_from")) {
            task.start_from = self.start_from(node, place.folder, &task);
        }
        Some(task)
    }
}

/// An interval as it is written.
fn shown([low, high]: Interval) -> String {
    if low == high { format!("{low}") } else { format!("[{low}, {high}]") }
}

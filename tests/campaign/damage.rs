//! Damaged files: each is read or refused with a reason, and what is read is valid.

use std::{
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use stickslip::{
    contact::{AnyDenseProblem, ProblemFormat},
    lcp,
    learn::{DataFile, Request},
    scenario::{Override, ScenarioError, parse_scenario},
    sweep::{Part, parse_sweep},
    trajectory::Replay,
};

use crate::{
    budget::{Budget, Draw},
    finds::Finds,
    meaningful_pieces::PIECES,
};

/// Reading takes no longer, however the file is damaged.
const LONGEST: Duration = Duration::from_secs(2);

/// Numbers at the edges of what is allowed, and beyond.
const NUMBERS: [&str; 16] = [
    "0",
    "-0.0",
    "1",
    "-1",
    "2",
    "1e-12",
    "1e12",
    "1e6",
    "1e-300",
    "1e300",
    "1e309",
    "5e-324",
    "0.1",
    "100000000",
    "4294967296",
    "3",
];

/// What a file is to be read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Scenario,
    Override,
    Sweep,
    Replay,
    LcpProblem,
    ContactProblem,
    BlockData,
    PointData,
    Part,
}

#[derive(Debug, Default)]
pub struct Tally {
    files: usize,
    accepted: usize,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} damaged files, of which {} are valid all the same", self.files, self.accepted)
    }
}

pub fn campaign(budget: &Budget, finds: &mut Finds) -> Tally {
    let corpus = corpus();
    let mut tally = Tally::default();
    for (_, mut draw) in budget.draws() {
        let (kind, text) = draw.one_of(&corpus);
        let text = damaged(&text, &mut draw);
        tally.files += 1;
        let begun = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| read(kind, &text)));
        let fault = match outcome {
            Ok(Ok(accepted)) => {
                tally.accepted += usize::from(accepted);
                (begun.elapsed() > LONGEST).then(|| format!("it takes {:?} to read", begun.elapsed()))
            }
            Ok(Err(fault)) => Some(fault),
            Err(_) => Some("the reader panics".to_owned()),
        };
        if let Some(fault) = fault {
            let still = |text: &str| {
                catch_unwind(AssertUnwindSafe(|| read(kind, text))).map_or(true, |outcome| outcome.is_err())
            };
            let small = shortened(&text, still);
            finds.add(&format!("{kind:?}"), "txt", &fault, small.as_bytes());
        }
    }
    tally
}

/// Files that are well, of every kind.
fn corpus() -> Vec<(Kind, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = |folder: &str, extension: &str| {
        let entries = std::fs::read_dir(root.join(folder)).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|end| end == extension));
        paths.sort();
        paths
            .iter()
            .filter_map(|path| std::fs::read_to_string(path).ok())
            .filter(|text| text.len() < 20_000)
            .collect::<Vec<_>>()
    };
    let scenarios = files("examples/scenarios", "toml");
    let mut corpus: Vec<(Kind, String)> = Vec::new();
    for text in &scenarios {
        if let Ok(scenario) = parse_scenario("example.toml", text, &[]) {
            corpus.push((Kind::Scenario, scenario.to_toml()));
        }
    }
    corpus.extend(scenarios.into_iter().map(|text| (Kind::Scenario, text)));
    corpus.extend(files("examples/sweeps", "toml").into_iter().map(|text| (Kind::Sweep, text)));
    let rays = files("tests/data/contact-rays", "json");
    let read = rays.iter().filter_map(|text| AnyDenseProblem::from_text(text).ok());
    let written = read.flat_map(|problem| ProblemFormat::ALL.map(|format| problem.to_text(format)));
    corpus.extend(written.map(|text| (Kind::ContactProblem, text)));
    corpus.extend(files("tests/data/siconos", "dat").into_iter().map(|text| (Kind::ContactProblem, text)));
    let first_lines =
        |text: &String| text.lines().take(12).map(|line| format!("{line}\n")).collect::<String>();
    for text in files("examples/data", "csv") {
        let kind = if text.contains("throw,") { Kind::PointData } else { Kind::BlockData };
        corpus.push((kind, first_lines(&text)));
    }
    corpus.extend(
        [
            (Kind::Override, "ground.friction=0.3"),
            (Kind::Override, "push[0].force=[1.0, 2.0]"),
            (Kind::Override, "stepper.convex.stiffness=1e8"),
            (Kind::LcpProblem, r#"{"M": [[2.0, 1.0], [1.0, 2.0]], "q": [-5.0, -6.0]}"#),
            (Kind::Part, "# sweep 0123456789abcdef version 0.1.0\nrun,id,stepper\n0,a,nlp\n# rows 1\n"),
            (Kind::Replay, REPLAY),
        ]
        .map(|(kind, text)| (kind, text.to_owned())),
    );
    corpus
}

const REPLAY: &str = r#"{
  "version": "0.1.0",
  "scenario": "name = \"slide\"\nduration = 1.2\nstep = 0.001\n[particle]\nmass = 10.0\nposition = [0.0, 1.0]\nvelocity = [1.0, 0.0]\n",
  "stepper": "nlp:seed", "index": 0, "time": 0.0,
  "bodies": [{ "position": [0.0, 1.0], "velocity": [1.0, 0.0], "push": [0.0, 0.0] }],
  "dt": 0.001, "memory": [], "reason": "none"
}"#;

/// Some edits that know what lines, numbers and words are.
pub fn damaged(text: &str, draw: &mut Draw) -> String {
    let mut text = text.to_owned();
    for _ in 0..1 + draw.below(4) {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        match draw.below(9) {
            0 if !lines.is_empty() => drop(lines.remove(draw.below(lines.len()))),
            1 if !lines.is_empty() => {
                let line = draw.one_of(&lines);
                lines.insert(draw.below(lines.len() + 1), line);
            }
            2 if lines.len() > 1 => {
                let (a, b) = (draw.below(lines.len()), draw.below(lines.len()));
                lines.swap(a, b);
            }
            3 | 4 => {
                text = with_other_number(&text, draw);
                continue;
            }
            5 => {
                let place = boundary(&text, draw.below(text.len() + 1));
                text.truncate(place);
                continue;
            }
            6 => {
                let (from, to) = (boundary(&text, draw.below(text.len() + 1)), draw.below(12));
                let to = boundary(&text, (from + to).min(text.len()));
                text.replace_range(from..to.max(from), "");
                continue;
            }
            _ => {
                let place = boundary(&text, draw.below(text.len() + 1));
                text.insert_str(place, draw.one_of(&PIECES));
                continue;
            }
        }
        text = lines.join("\n") + "\n";
    }
    text
}

fn with_other_number(text: &str, draw: &mut Draw) -> String {
    let is_part = |byte: u8| byte.is_ascii_digit() || b".eE+-".contains(&byte);
    let bytes = text.as_bytes();
    let starts: Vec<usize> = (0..bytes.len())
        .filter(|&i| bytes[i].is_ascii_digit() && (i == 0 || !is_part(bytes[i - 1])))
        .collect();
    if starts.is_empty() {
        return text.to_owned();
    }
    let start = draw.one_of(&starts);
    let end = (start..bytes.len()).find(|&i| !is_part(bytes[i])).unwrap_or(bytes.len());
    format!("{}{}{}", &text[..start], draw.one_of(&NUMBERS), &text[end..])
}

fn boundary(text: &str, mut place: usize) -> usize {
    while !text.is_char_boundary(place) {
        place -= 1;
    }
    place
}

/// A text with fewer lines that still shows the fault.
fn shortened(text: &str, still: impl Fn(&str) -> bool) -> String {
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut place = 0;
    while place < lines.len() {
        let mut fewer = lines.clone();
        fewer.remove(place);
        if still(&fewer.concat()) { lines = fewer } else { place += 1 }
    }
    lines.concat()
}

/// Whether a file is valid; an error if the reader breaks its word.
fn read(kind: Kind, text: &str) -> Result<bool, String> {
    let refused = |message: String| {
        if message.trim().is_empty() { Err("a refusal without a reason".to_owned()) } else { Ok(false) }
    };
    match kind {
        Kind::Scenario => scenario(text, &[]),
        Kind::Override => match Override::parse(text) {
            Ok(one) => {
                let valid = "name = \"a\"\nduration = 1.0\nstep = 1e-2\n[particle]\nmass = 1.0\nposition = [0.0, 0.0]\n\
                             velocity = [0.0, 0.0]\n[[push]]\nforce = [0.0, 0.0]\n";
                scenario(valid, &[one])
            }
            Err(error) => refused(error.to_string()),
        },
        Kind::Sweep => {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/sweeps");
            match parse_sweep("sweep.toml", text, "sweep", &folder) {
                Ok(sweep) => {
                    let last = sweep.runs().checked_sub(1).ok_or("a sweep without a run")?;
                    (sweep.run(last).number == last)
                        .then_some(true)
                        .ok_or("a run with another number".to_owned())
                }
                Err(error) => refused(error.to_string()),
            }
        }
        Kind::Replay => match Replay::parse(text) {
            Ok(replay) => scenario(&replay.scenario, &[]),
            Err(error) => refused(error.to_string()),
        },
        Kind::LcpProblem => match lcp::problem_from_json(text) {
            Ok(problem) if problem.q.iter().all(|value| value.is_finite()) => Ok(true),
            Ok(_) => Err("a problem that is not finite is accepted".to_owned()),
            Err(error) => refused(error.to_string()),
        },
        Kind::ContactProblem => match AnyDenseProblem::from_text(text) {
            Ok(problem) => {
                let again = AnyDenseProblem::from_text(&problem.to_text(ProblemFormat::Json));
                let is_same = again.is_ok_and(|again| again == problem);
                is_same.then_some(true).ok_or("what is written reads back as another problem".to_owned())
            }
            Err(error) => refused(error.to_string()),
        },
        Kind::BlockData | Kind::PointData => {
            let (name, settings) = match kind {
                Kind::BlockData => ("bilevel", Vec::new()),
                _ => ("particle", vec!["contacts=height".to_owned()]),
            };
            let request = Request {
                experiment: name.parse().map_err(|_| "no such experiment".to_owned())?,
                data: Some(DataFile { name: "data.csv".to_owned(), text: text.to_owned() }),
                samples: None,
                seed: 1,
                settings,
            };
            match request.prepare() {
                Ok(_) => Ok(true),
                Err(error) => refused(error.to_string()),
            }
        }
        Kind::Part => match Part::parse(text, 1) {
            Ok(_) => Ok(true),
            Err(damage) => refused(damage.to_string()),
        },
    }
}

fn scenario(text: &str, overrides: &[Override]) -> Result<bool, String> {
    match parse_scenario("damaged.toml", text, overrides) {
        Ok(scenario) => {
            scenario
                .check()
                .map_err(|violation| format!("an invalid scenario is accepted: {violation:?}"))?;
            let again = scenario.to_toml();
            match parse_scenario("again.toml", &again, &[]) {
                // The names that bodies have by default are written.
                Ok(same) if same.to_toml() == again => Ok(true),
                Ok(_) => Err("what is written reads back as another scenario".to_owned()),
                Err(error) => Err(format!("what is written is refused: {error}")),
            }
        }
        Err(ScenarioError::Invalid(invalid)) => {
            let told = invalid.problems.iter().flat_map(|problem| [&problem.message, &problem.help]);
            let mut count = 0;
            for text in told {
                count += 1;
                if text.is_empty() || text.chars().any(char::is_control) {
                    return Err(format!("a message that is empty or controls the terminal: {text:?}"));
                }
            }
            if count == 0 { Err("a refusal without a reason".to_owned()) } else { Ok(false) }
        }
        Err(ScenarioError::File(error)) => Err(format!("a text is no file: {error}")),
    }
}

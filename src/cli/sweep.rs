use std::{
    fs, io,
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

use clap::Args;
use stickslip::{
    plot::Figure,
    stepper::StepperName,
    sweep::{
        Collection, CollectionError, Damage, Ending, Manifest, Shard, Share, ShareError, Store, StoreError,
        Sweep, Taken, WorkError, as_cell, collect, read_sweep, read_sweep_from,
    },
};

use super::{
    error::CliError,
    figures::FigureSize,
    input_file::is_standard_input,
    memory,
    outdated::remove_if_there,
    progress::Amount,
    report_page::{REPORT, Report},
    session::Session,
    sweep_pictures::{self, PICTURES},
    table::counted,
    whole_number::whole_number,
};

/// Arguments of `stickslip sweep`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Sweep file (TOML); `-` reads standard input, and its scenario is looked for from the working folder
    #[arg(value_name = "SWEEP.toml", required_unless_present = "collect")]
    sweep: Option<PathBuf>,
    /// Compute only share I, from 0, of N equal ones, each with its part of every stepper and value
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
    /// Threads [default: one per processor]
    #[arg(long, value_name = "K", value_parser = whole_number::<NonZeroUsize>("at least 1"))]
    workers: Option<NonZeroUsize>,
    /// Say what would be computed, and compute nothing
    #[arg(long)]
    dry_run: bool,
    /// Folder for results; the sweep goes to OUTPUT/<name>/
    #[arg(long, short, default_value = "output")]
    output: PathBuf,
    /// Write the table of what lies in FOLDER, and compute nothing
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["sweep", "shard", "workers", "dry_run", "output"])]
    collect: Option<PathBuf>,
    /// Draw no picture
    #[arg(long)]
    no_plots: bool,
    #[command(flatten)]
    size: FigureSize,
}

const EXAMPLES: &str = "\
Examples:
  stickslip sweep examples/sweeps/friction-by-step.toml
  stickslip sweep examples/sweeps/friction-by-step.toml --dry-run
  stickslip sweep SWEEP.toml --shard 0/4       the first of four shares of the work, on any machine
  stickslip sweep --collect output/friction-by-step

A sweep file names a scenario, steppers, and the keys that vary:

  scenario = \"../scenarios/slide.toml\"
  steppers = [\"nlp\", \"lcp\"]
  metrics = [\"final_x\", \"stop_time\"]   # optional: all of summary.json's without it
  [grid]                                # every combination
  step = [1e-2, 1e-3]
  \"ground.friction\" = { min = 0.05, max = 0.5, count = 10 }
  [sample]                              # times a design over ranges
  method = \"sobol\"                      # or random, latin-hypercube
  count = 100
  [sample.keys]
  \"particle.mass\" = { min = 0.1, max = 10.0, scale = \"log\" }
  [[border]]                            # optional: a known curve, drawn over the maps of two keys
  label = \"mu = w/h\"
  keys = [\"body[0].size[0]\", \"ground.friction\"]
  points = [[0.1, 0.1], [0.9, 0.9]]

Finished runs are stored about once a second in files that are never touched again. The same command goes on
after Ctrl-C, a kill or a crash; shares of the work need nothing but the same folder.";

/// Most runs that a dry run shows.
const SHOWN: u64 = 8;

/// Runs the command.
pub fn run(arguments: &Arguments, session: &Session) -> Result<(), CliError> {
    arguments.size.check(!arguments.no_plots)?;
    match (&arguments.collect, &arguments.sweep) {
        (Some(folder), _) => {
            let store = Store::open(folder).map_err(unusable)?;
            report(&store, arguments, session, Vec::new())
        }
        (None, Some(file)) if is_standard_input(file) => {
            compute(arguments, read_sweep_from(io::stdin(), "standard input")?, session)
        }
        (None, Some(file)) => compute(arguments, read_sweep(file)?, session),
        // The parser has asked for one of them.
        (None, None) => Err(CliError::input("no sweep was given", "name a sweep file")),
    }
}

fn compute(arguments: &Arguments, sweep: Sweep, session: &Session) -> Result<(), CliError> {
    let folder = arguments.output.join(&sweep.name);
    let ignored = sweep.ignored();
    let told = |(stepper, ignored): &(StepperName, String)| format!("stepper `{stepper}`: {ignored}");
    session.warn("", &ignored.iter().map(told).collect::<Vec<_>>(), &[]);
    if arguments.dry_run {
        return show(arguments, &sweep, &folder, session);
    }
    let shard = arguments.shard;
    memory::require_room()?;
    memory::require_runs(sweep.runs(), shard)?;
    let share = Share::take(sweep, &arguments.output, shard).map_err(not_had)?;
    share.damaged().iter().for_each(|(file, damage)| session.alert(&set_aside(file, *damage)));
    let (sweep, missing) = (share.sweep(), share.missing().len());
    let mut lines = Vec::new();
    if missing > 0 {
        let outcome = session.execute(&sweep.name, Amount::Runs(missing), |watch| {
            share.compute(arguments.workers, |progress| watch.reach(progress.finished))
        });
        let (ending, progress) = outcome.map_err(|error| failed(&error, &folder))?;
        if ending == Ending::Interrupted {
            return Err(CliError::Interrupted(format!(
                "{} of {missing} runs of this share are stored in `{}`; the same command goes on from there",
                progress.stored,
                folder.join("parts").display()
            )));
        }
        let workers = counted(share.workers(arguments.workers), "worker");
        lines.push(format!("computed {} with {workers}", counted(progress.stored, "run")));
    }
    lines.extend(ignored.iter().map(|(stepper, ignored)| format!("not as written: {stepper}: {ignored}")));
    if shard.count == 1 {
        return report(share.store(), arguments, session, lines);
    }
    lines.push(format!("share {shard} of {} runs is done", sweep.runs()));
    lines.push(format!("when all are: stickslip sweep --collect {}", folder.display()));
    session
        .print(&lines, &serde_json::json!({ "sweep": sweep.name, "shard": shard.to_string(), "done": true }))
}

/// Collects what is stored, and says what that is.
fn report(
    store: &Store,
    arguments: &Arguments,
    session: &Session,
    mut lines: Vec<String>,
) -> Result<(), CliError> {
    let provenance = |scenario: &str| Some(session.provenance(scenario.to_owned(), &[]));
    let Collection { manifest, written, columns } =
        collect(store, provenance).map_err(|error| match error {
            CollectionError::Store(error) => unusable(error),
            CollectionError::Conflict { ref file, .. } => CliError::failed(
                error.to_string(),
                format!("remove `{}` and run the sweep again: what it held is computed anew", file.display()),
            ),
        })?;
    manifest.damaged.iter().for_each(|(file, damage)| session.alert(&set_aside(file, *damage)));
    let Manifest { runs, done, failed, refused, ref missing, .. } = manifest;
    lines.push(format!(
        "{done} of {runs} runs are in the table, of which {failed} failed and {refused} were refused"
    ));
    if !missing.is_empty() {
        let ranges: Vec<String> = missing
            .iter()
            .take(5)
            .map(|[first, last]| if first == last { first.to_string() } else { format!("{first}-{last}") })
            .collect();
        let more = if missing.len() > ranges.len() { " and more" } else { "" };
        session.alert(&format!(
            "{} runs are missing ({}{more}): run the sweep again, or its other shards",
            runs - done,
            ranges.join(", ")
        ));
    }
    let mut pictures = Vec::new();
    let mut files = "table.csv, timings.csv, manifest.json".to_owned();
    sweep_pictures::remove(store)?;
    remove_if_there(&store.folder().join(REPORT))?;
    if !arguments.no_plots {
        let drawn = sweep_pictures::draw(session, store, &columns, &arguments.size)?;
        files += &format!(", {} pictures (SVG, PNG, PDF and CSV) in {PICTURES}/, {REPORT}", drawn.len());
        pictures = drawn;
    }
    lines.push(format!("wrote {}: {files}", store.folder().display()));
    if !arguments.no_plots {
        let figures: Vec<(&str, &Figure)> =
            pictures.iter().map(|picture| (picture.title.as_str(), &picture.figure)).collect();
        let sweep = store.sweep();
        let resolved = format!("{}\n# The scenario:\n{}", manifest.file, store.scenario());
        let report = Report {
            title: format!("{sweep}: a sweep"),
            introduction: format!(
                "{done} of {runs} runs of one scenario with other values of its keys, of which {failed} failed and \
                 {refused} were refused. The scenario itself stands below; table.csv has a row per run."
            ),
            motion: None,
            figures: &figures,
            settings: None,
            lines: &lines,
            provenance: &session.provenance(resolved, &[]),
        };
        report.write(store.folder())?;
    }
    session.print(&lines, &written)
}

/// What a sweep would compute.
fn show(arguments: &Arguments, sweep: &Sweep, folder: &Path, session: &Session) -> Result<(), CliError> {
    let numbers = || arguments.shard.numbers(sweep.runs());
    let count = arguments.shard.size(sweep.runs());
    let mut lines = vec![format!("{} runs of `{}` with {}", sweep.runs(), sweep.base.path(), list(sweep))];
    if arguments.shard.count > 1 {
        lines.push(format!("share {} has {count} of them", arguments.shard));
    }
    for number in numbers().take(SHOWN as usize) {
        let run = sweep.run(number);
        let settings: Vec<String> =
            run.settings.iter().map(|(key, value)| format!("{key} = {}", as_cell(value))).collect();
        lines.push(format!("  {number}: {} with {}", run.stepper, settings.join(", ")));
    }
    if count > SHOWN {
        lines.push("  ...".to_owned());
    }
    lines.push(format!("metrics: {}", sweep.metrics.join(", ")));
    let is_begun = fs::exists(folder.join("plan.json")).unwrap_or(false);
    lines.push(format!(
        "nothing was computed; results {} {}",
        if is_begun { "of an earlier call lie in" } else { "would go to" },
        folder.display()
    ));
    session.print(
        &lines,
        &serde_json::json!({ "sweep": sweep.name, "runs": sweep.runs(), "metrics": sweep.metrics }),
    )
}

fn list(sweep: &Sweep) -> String {
    let steppers: Vec<String> = sweep.steppers.iter().map(|name| format!("`{name}`")).collect();
    steppers.join(", ")
}

fn set_aside(file: &Path, damage: Damage) -> String {
    format!("a part was damaged, its runs count as missing ({damage}); it is now `{}`", file.display())
}

fn unusable(error: StoreError) -> CliError {
    let help = match &error {
        StoreError::OtherSweep { .. } => {
            "give the sweep another `name` or --output, or remove the folder if its results are not wanted"
        }
        StoreError::OtherVersion { .. } => {
            "go on with that version, give another --output, or remove the folder to begin anew"
        }
        StoreError::ForeignPart { .. } => "move that file away; nothing else was touched",
        StoreError::NoSweep { .. } => {
            "name the folder OUTPUT/<name> of a sweep, in which plan.json and parts/ lie"
        }
        StoreError::DamagedPlan { .. } => {
            "remove that file and run the sweep again from its own file: what is stored is kept, as every part says \
             itself whose it is"
        }
        StoreError::Changed { .. } => "run the sweep again: what the part held is computed anew",
        StoreError::Unreadable { .. } => "check the folder and its permissions",
        StoreError::Unwritable(error) if error.wants_room() => {
            let help = "make room, or raise the limit that `ulimit -f` shows, and give the same command again: what is \
                        stored is intact";
            return CliError::failed(error.to_string(), help);
        }
        StoreError::Unwritable(error) => return CliError::unwritable(error),
    };
    CliError::input(error.to_string(), help)
}

fn not_had(error: ShareError) -> CliError {
    match error {
        ShareError::Store(error) => unusable(error),
        ShareError::Taken(Taken::Unwritable(error)) => CliError::unwritable(&error),
        ShareError::Taken(error @ Taken::ByAnother { .. }) => {
            CliError::input(error.to_string(), "wait for it, or give this one another share: --shard I/N")
        }
    }
}

fn failed(error: &WorkError, folder: &Path) -> CliError {
    let remedy = match error {
        WorkError::Write(error) if error.wants_room() => {
            "make room, or raise the limit that `ulimit -f` shows,"
        }
        WorkError::Write(_) => "see that the folder can be written to",
        WorkError::Workers { .. } => "ask for fewer --workers",
    };
    CliError::failed(
        error.to_string(),
        format!(
            "what was stored before is intact in `{}`; {remedy} and give the same command to go on",
            folder.join("parts").display()
        ),
    )
}

//! `stickslip plan`.

use std::{
    io,
    path::{Path, PathBuf},
};

use clap::Args;
use stickslip::{
    atomic_file::write_atomically,
    plan::{
        COMPONENTS, Found, FoundPlan, PlanTask, Proof, Replay, Search, amount, key, picture, plan_summary,
        played, read_plan, read_plan_from, replay, search, write_plan, write_pushes, write_refinements,
        write_replays, write_starts,
    },
    report::Motion,
    stepper::{BuildStepper, StepperName},
    watch::Watch,
};

use super::{
    error::CliError,
    figures::{FigureSize, files_of},
    folder::Folder,
    input_file::is_standard_input,
    outdated::remove_if_there,
    output::SUMMARY,
    progress::Amount,
    report_page::{REPORT, Report},
    scenario::overrides,
    session::{Session, TIMINGS},
    table::{aligned, counted, significant},
};

const PLAN: &str = "plan.csv";
const PUSHES: &str = "pushes.csv";
const SCENARIO: &str = "plan.toml";
const STARTS: &str = "starts.csv";
const REFINE: &str = "refine.csv";
const REPLAY: &str = "replay.csv";
const PICTURES: [&str; 3] = ["path", "pushes", "modes"];

/// Arguments of `stickslip plan`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Plan file (TOML); `-` reads standard input, and its scenario is looked for from the working folder
    #[arg(value_name = "PLAN.toml")]
    plan: PathBuf,
    /// Override one key of the plan or of its scenario, with the same checks; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    overrides: Vec<String>,
    /// Folder for results; the plan goes to OUTPUT/<name>/plan/
    #[arg(long, short, default_value = "output")]
    output: PathBuf,
    /// Draw no picture, and write no report.html
    #[arg(long)]
    no_plots: bool,
    #[command(flatten)]
    size: FigureSize,
}

const EXAMPLES: &str = "\
Examples:
  stickslip plan examples/plans/push-block.toml
  stickslip plan examples/plans/throw-to-spot.toml --set steps=40
  stickslip run output/push-block/plan/plan.toml --stepper exact

A plan file names a scenario (or holds its tables), what may push, and where bodies have to be at the end:

  scenario = \"../scenarios/slide.toml\"
  steps = 40
  duration = 1.0                      # s; [0.1, 5.0] has it chosen
  cost = \"effort\"                     # or impulse, time, start
  [[control]]
  force = [[-20, 20], [0, 0]]         # N, bounds along x and z
  [goal]
  position = [1.0, nan]               # m; nan leaves a component open
  velocity = [0.0, 0.0]

Which contacts close, slip and stick is found with the pushes. Several starts are tried with few steps, and the best is
halved until it has all. It is then played by nlp, lcp, convex and exact; docs/plan.md has the mathematics.

Writes plan.csv, pushes.csv, plan.toml (a scenario that runs by itself), starts.csv, refine.csv, replay.csv,
summary.json, timings.json, pictures and report.html. Exit status 1 where there is no plan (the nearest end is
told), or where lcp and nlp at its step do not follow it to 1e-5 m.";

/// Runs the command.
pub fn run(arguments: &Arguments, session: &Session) -> Result<(), CliError> {
    arguments.size.check(!arguments.no_plots)?;
    let overrides = overrides(&arguments.overrides)?;
    let task = if is_standard_input(&arguments.plan) {
        read_plan_from(io::stdin(), "standard input", &overrides)?
    } else {
        read_plan(&arguments.plan, &overrides)?
    };
    // The steps of a plan are those of lcp.
    let honours = task.scenario.stepper(StepperName::LCP)?.honours();
    session.warn(
        StepperName::LCP.as_str(),
        &task.scenario.warnings(&honours),
        &task.scenario.ignored(&honours),
    );
    let folder = Folder::of_command(session, &arguments.output, &task.name, "plan")?;
    let search = session.execute(&task.name, Amount::Runs(amount(&task)), |watch| search(&task, watch));
    let search = search.map_err(|error| {
        CliError::failed(error.to_string(), "this is a defect of the program; please report it")
    })?;
    // To play a plan is part of saving it: what was found when the user interrupts is played whole, however long that takes, and
    // only a second signal ends it.
    let replays = search.found.as_ref().map(|found| replay(&found.plan, &Watch::none())).unwrap_or_default();
    if search.steps != task.steps {
        let given = task.steps;
        session.note(&format!(
            "{given} steps are taken as {}, which can be halved to those of the starts",
            search.steps
        ));
    }
    for name in PICTURES.into_iter().flat_map(files_of).chain([REPORT.to_owned()]) {
        remove_if_there(&folder.file(&name))?;
    }
    let summary = plan_summary(&task, &search, &replays);
    let played = search.found.as_ref().map(|found| found.plan.scenario());
    let resolved = played.as_ref().unwrap_or(&task.scenario).to_toml();
    let provenance = session.provenance(resolved, &arguments.overrides);
    let summary = session.record(folder.path(), SUMMARY, &summary, &provenance)?;
    write_atomically(&folder.file(STARTS), |out| write_starts(&search, out))?;
    write_atomically(&folder.file(REFINE), |out| write_refinements(&search, out))?;
    let mut written = [SUMMARY, TIMINGS, STARTS, REFINE].map(str::to_owned).to_vec();
    let Some(found) = &search.found else {
        for name in [PLAN, PUSHES, SCENARIO, REPLAY] {
            remove_if_there(&folder.file(name))?;
        }
        return Err(nothing(&task, &search, &folder));
    };
    let plan = &found.plan;
    write_atomically(&folder.file(PLAN), |out| write_plan(plan, out))?;
    write_atomically(&folder.file(PUSHES), |out| write_pushes(plan, out))?;
    write_atomically(&folder.file(REPLAY), |out| write_replays(plan, &replays, out))?;
    folder.write(SCENARIO, provenance.resolved.as_bytes())?;
    written.extend([PLAN, PUSHES, SCENARIO, REPLAY].map(str::to_owned));
    let draws = !arguments.no_plots && search.finished;
    let mut lines = lines(&task, &search, found, &replays);
    if draws {
        let mut figures = Vec::new();
        for (name, caption, figure) in pictures(plan, &replays) {
            let figure = arguments.size.apply(figure);
            folder.write_figure(name, &figure)?;
            written.extend(files_of(name));
            figures.push((caption, figure));
        }
        written.push(REPORT.to_owned());
        lines.push(format!("wrote {}: {}", folder.path().display(), written.join(", ")));
        let figures: Vec<_> = figures.iter().map(|(caption, figure)| (*caption, figure)).collect();
        let report = Report {
            title: format!("{}: plan", task.name),
            introduction: format!("A plan of {} s in {}.", plan.duration, counted(plan.task.steps, "step")),
            motion: Motion::of(played_at(plan, &replays)).map(|motion| (motion, &figures[..1])),
            figures: &figures,
            settings: None,
            lines: &lines,
            provenance: &provenance,
        };
        report.write(folder.path())?;
    } else {
        lines.push(format!("wrote {}: {}", folder.path().display(), written.join(", ")));
    }
    session.print(&lines, &summary)?;
    if !search.finished {
        return Err(CliError::Interrupted(format!(
            "the best plan so far is in `{}`, of {}; more starts and steps were to come",
            folder.path().display(),
            counted(plan.task.steps, "step")
        )));
    }
    proved(&search, found, &replays, &folder)
}

/// The motions at the step of the plan, and the exact one.
fn played_at<'a>(
    plan: &FoundPlan,
    replays: &'a [Replay],
) -> Vec<(String, &'a stickslip::trajectory::Trajectory<2>)> {
    let at_step = replays.iter().filter(|replay| replay.step == plan.step());
    at_step
        .filter_map(|replay| Some((key(plan, replay), &replay.outcome.as_ref().ok()?.trajectory)))
        .collect()
}

fn pictures(
    plan: &FoundPlan,
    replays: &[Replay],
) -> Vec<(&'static str, &'static str, stickslip::plot::Figure)> {
    let mut pictures = Vec::new();
    if !played(replays).is_empty() {
        pictures.push(("path", "The plan as the contact models play it.", picture::paths(plan, replays)));
        pictures.push(("modes", "What the contacts do.", picture::modes(plan, replays)));
    }
    pictures.push(("pushes", "What the plan pushes with, held over each step.", picture::pushes(plan)));
    pictures
}

fn lines(task: &PlanTask, search: &Search, found: &Found, replays: &[Replay]) -> Vec<String> {
    let Found { plan, kkt, verdict, complementarity, .. } = found;
    let [good, tried] = search.starts();
    let mut lines = vec![
        format!(
            "{}: cost {} {}, {} s in {}",
            task.name,
            significant(plan.cost),
            task.cost.unit(),
            significant(plan.duration),
            counted(plan.task.steps, "step")
        ),
        format!("  {good} of {} led to a plan", counted(tried, "start")),
        format!("  {verdict}: first-order conditions to {kkt:.1e}, complementarity to {complementarity:.1e}"),
    ];
    if let Some(aimed) = &search.aimed {
        lines.push(format!(
            "  aimed by {}: misses {} in units of the plan",
            aimed.model,
            aimed.misses.iter().map(|miss| significant(*miss)).collect::<Vec<_>>().join(", ")
        ));
    }
    if plan.stands_still() {
        lines.push(
            "  nothing is pushed: a stationary point of the cost, which more `starts`, a larger `weight`, or a goal without one \
             may lead away from"
                .to_owned(),
        );
    }
    if !search.finished {
        lines.push("  not finished: interrupted".to_owned());
    }
    let mut rows = vec![["replay by", "from the plan", "worst miss", ""].map(str::to_owned).to_vec()];
    for replay in replays {
        let name = key(plan, replay);
        rows.push(match &replay.outcome {
            Ok(played) => {
                let worst = played.misses.iter().max_by(|a, b| a.2.abs().total_cmp(&b.2.abs()));
                let miss = worst.map_or("-".to_owned(), |(body, component, miss)| {
                    let name = plan.task.scenario.body_name(*body);
                    format!("{} in {name}.{}", significant(*miss), COMPONENTS[*component])
                });
                let mode = played
                    .first_other_mode
                    .map_or_else(String::new, |step| format!("contacts differ from step {step}"));
                vec![name, format!("{} m", significant(played.distance)), miss, mode]
            }
            Err(reason) => vec![name, "-".to_owned(), "-".to_owned(), reason.clone()],
        });
    }
    lines.push(String::new());
    lines.extend(aligned(&rows).iter().map(|line| format!("  {line}")));
    lines.push(String::new());
    lines
}

/// Whether the plan is what it is to be.
fn proved(search: &Search, found: &Found, replays: &[Replay], folder: &Folder<'_>) -> Result<(), CliError> {
    let plan = &found.plan;
    if plan.task.steps < search.steps {
        return Err(CliError::failed(
            format!(
                "no plan of {} was found: the one that is written has {}, and halving those led nowhere",
                counted(search.steps, "step"),
                plan.task.steps
            ),
            format!(
                "see {}; few steps reach a little further than many: give the pushes more room, more `duration` or a nearer \
                 goal, or take more `starts`",
                folder.file(REFINE).display()
            ),
        ));
    }
    if let Some((step, candidate)) = found.off_face {
        let (first, second) = plan.candidates[candidate];
        let scenario = &plan.task.scenario;
        return Err(CliError::failed(
            format!(
                "in step {step} {} pushes {} beyond the end of the face that it is in front of at the start",
                scenario.body_name(first),
                scenario.partner_name(second)
            ),
            "a plan knows one face of each polygon: start in front of another one, or keep the disc off the end by [[keep]]",
        ));
    }
    let Proof { is_followed, is_at_goal } = Proof::of(plan, replays, search.aimed.as_ref());
    let table = folder.file(REPLAY).display().to_string();
    if !is_followed {
        let faithful = replays.iter().filter(|replay| replay.is_faithful(plan));
        let said = faithful.filter_map(|replay| match &replay.outcome {
            Ok(played) if played.distance <= stickslip::plan::CLOSE => None,
            Ok(played) => Some(format!(
                "{} is up to {} m from it{}",
                key(plan, replay),
                significant(played.distance),
                played
                    .first_other_mode
                    .map_or_else(String::new, |step| format!(", contacts differ from step {step}"))
            )),
            Err(reason) => Some(format!("{}: {reason}", key(plan, replay))),
        });
        return Err(CliError::failed(
            format!("the plan is not what the models play: {}", said.collect::<Vec<_>>().join("; ")),
            format!("see {table}; take more `steps`, or more `starts`"),
        ));
    }
    if !is_at_goal {
        let (message, help) = match &search.aimed {
            Some(aimed) => (
                format!("{} still misses the goal after {} passes", aimed.model, aimed.misses.len() - 1),
                format!("see {table}; take more `steps`, or leave out `aim`"),
            ),
            None => (
                "the end of the plan misses the goal by more than `within`".to_owned(),
                format!("see {table}; take more `starts`"),
            ),
        };
        return Err(CliError::failed(message, help));
    }
    Ok(())
}

/// Where no start led to a plan.
fn nothing(task: &PlanTask, search: &Search, folder: &Folder<'_>) -> CliError {
    if !search.finished {
        return CliError::Interrupted(format!(
            "no plan was found yet; {} says what was tried",
            shown(folder, STARTS)
        ));
    }
    let Some(nearest) = &search.nearest else {
        return CliError::failed(
            format!("no start led to a plan; {} says how each ended", shown(folder, STARTS)),
            "take more `starts` or fewer `steps`, or give the pushes more room",
        );
    };
    let last = nearest.states.last().cloned().unwrap_or_default();
    let misses = nearest.misses(&last).into_iter().map(|(body, component, miss)| {
        let reached = last[body][component];
        format!(
            "{}.{} = {} for {}",
            task.scenario.body_name(body),
            COMPONENTS[component],
            significant(reached),
            significant(reached - miss)
        )
    });
    CliError::failed(
        format!(
            "no plan; the nearest end that was found, in {}, is {}",
            counted(nearest.task.steps, "step"),
            misses.collect::<Vec<_>>().join(", ")
        ),
        "give the pushes more room, more `duration`, or another goal; few steps reach a little further than the motion does",
    )
}

fn shown(folder: &Folder<'_>, name: &str) -> String {
    let file: &Path = &folder.file(name);
    format!("`{}`", file.display())
}

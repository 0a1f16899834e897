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
        played, read_plan, read_plan_from,
        relaxation::{Attempt, ITERATIONS},
        replay, search, write_plan, write_pushes, write_refinements, write_replays, write_starts,
    },
    report::Motion,
    scenario::Choice as _,
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
const PICTURES: [&str; 4] = ["path", "pushes", "modes", "starts"];

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
    let search = session.execute(&task.name, Amount::Solves(amount(&task)), |watch| search(&task, watch));
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
    let folder = folder.open()?;
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
        for (name, caption, figure) in pictures(&search, plan, &replays) {
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
    search: &Search,
    plan: &FoundPlan,
    replays: &[Replay],
) -> Vec<(&'static str, &'static str, stickslip::plot::Figure)> {
    let mut pictures = Vec::new();
    if !played(replays).is_empty() {
        pictures.push(("path", "The plan as the contact models play it.", picture::paths(plan, replays)));
        pictures.push(("modes", "What the contacts do.", picture::modes(plan, replays)));
    }
    pictures.push(("pushes", "What the plan pushes with, held over each step.", picture::pushes(plan)));
    pictures.push(("starts", "What each start led to.", picture::starts(plan, search)));
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
        solver_line(search),
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
    // A reason is a sentence, which would push the column away.
    let mut reasons = Vec::new();
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
            Err(reason) => {
                reasons.push(format!("  {name}: {reason}"));
                vec![name, "-".to_owned(), "-".to_owned(), String::new()]
            }
        });
    }
    lines.push(String::new());
    lines.extend(aligned(&rows).iter().map(|line| format!("  {line}")));
    lines.extend(reasons);
    lines.push(String::new());
    lines
}

/// What solves at the most steps took.
fn solver_line(search: &Search) -> String {
    let (steps, work) = search.work().pop().unwrap_or_default();
    format!(
        "  solver, at {}: {}, {:.2} ms each; {} in the factor",
        counted(steps, "step"),
        counted(work.iterations as usize, "iteration"),
        1e3 * work.seconds_per_iteration(),
        if work.factor_entries == 1 {
            "1 entry".to_owned()
        } else {
            format!("{} entries", work.factor_entries)
        }
    )
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
    let Proof { is_followed, is_at_goal, model, missed } = Proof::of(plan, replays, search.aimed.as_ref());
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
        return Err(misses_the_goal(plan, model, missed, &table));
    }
    Ok(())
}

/// Where the plan is played, and ends elsewhere.
fn misses_the_goal(
    plan: &FoundPlan,
    model: Option<StepperName>,
    missed: Option<(usize, usize, f64)>,
    table: &str,
) -> CliError {
    let Some((body, component, miss)) = missed else {
        return CliError::failed(
            format!("no model plays the plan that `aim = \"{}\"` could ask for", plan.task.aim.as_str()),
            format!("see {table}; leave out `aim`"),
        );
    };
    let who = model.map_or_else(|| "the end of the plan".to_owned(), |model| model.to_string());
    let what = format!("{}.{}", plan.task.scenario.body_name(body), COMPONENTS[component]);
    let message = format!(
        "{who} misses the goal by more than `within`: {what} by {} {}",
        significant(miss),
        unit(component)
    );
    let help = match model {
        None => "take more `starts`",
        Some(_) => "take more `steps`, a larger `within`, or leave out `aim`; rest is not aimed at",
    };
    CliError::failed(message, format!("see {table}; {help}"))
}

/// The unit of a component of a state.
fn unit(component: usize) -> &'static str {
    ["m", "m", "rad", "m/s", "m/s", "rad/s"][component]
}

/// Where no start led to a plan.
fn nothing(task: &PlanTask, search: &Search, folder: &Folder<'_>) -> CliError {
    if !search.finished {
        return CliError::Interrupted(format!(
            "no plan was found yet; {} says what was tried",
            shown(folder, STARTS)
        ));
    }
    let limit = search.at_limit().map(at_limit);
    let Some(nearest) = &search.nearest else {
        let said = limit.unwrap_or_else(|| "no start led to a plan".to_owned());
        return CliError::failed(
            format!("{said}; {} says how each ended", shown(folder, STARTS)),
            search.advice(task),
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
            "{}; the nearest end that was found, in {}, is {}",
            limit.unwrap_or_else(|| "no plan".to_owned()),
            counted(nearest.task.steps, "step"),
            misses.collect::<Vec<_>>().join(", ")
        ),
        search.advice(task),
    )
}

/// That every start ended at the limit of iterations, and what was left of the one that came nearest to a plan.
fn at_limit(nearest: &Attempt) -> String {
    let row = nearest.worst_row.as_ref().map_or_else(String::new, |row| {
        let step = row.step.map_or_else(String::new, |step| format!(" in step {step}"));
        format!(", the best of them {:.1e} off{step} in {}", row.miss, row.says)
    });
    format!("no plan: every start ended at the limit of {ITERATIONS} iterations{row}")
}

fn shown(folder: &Folder<'_>, name: &str) -> String {
    let file: &Path = &folder.file(name);
    format!("`{}`", file.display())
}

#[cfg(test)]
mod tests {
    use stickslip::{
        nlp::SolveStatus,
        plan::{Work, WorstRow, relaxation::Kind},
    };

    use super::*;

    #[test]
    fn where_the_limit_of_iterations_ends_all_starts_the_row_that_is_left_is_named() {
        let attempt = |step: Option<usize>| Attempt {
            kind: Kind::Direct,
            steps: 10,
            seed: 1,
            status: SolveStatus::IterationLimit,
            work: Work::default(),
            relaxation: 1e-8,
            cost: 1.0,
            infeasibility: 0.0123,
            worst_row: Some(WorstRow { step, says: "the gap of box and ground".to_owned(), miss: 0.0123 }),
            point: None,
        };
        let limit = "no plan: every start ended at the limit of 400 iterations, the best of them";
        assert_eq!(
            at_limit(&attempt(Some(7))),
            format!("{limit} 1.2e-2 off in step 7 in the gap of box and ground")
        );
        assert_eq!(at_limit(&attempt(None)), format!("{limit} 1.2e-2 off in the gap of box and ground"));
    }
}

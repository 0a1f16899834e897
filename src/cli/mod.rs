//! The command-line program. The subcommands, a file each: read, call the library, write, print.

mod compare;
mod compare_pictures;
mod contact;
mod convergence;
mod documents;
mod ends;
mod error;
mod excerpt;
mod execute;
mod explain;
mod export;
mod figures;
mod file_size_limit;
mod fit;
mod folder;
mod folder_lock;
mod gradient;
mod gradient_picture;
mod import;
mod input_file;
mod interrupt;
mod lcp;
mod learn;
mod measurements;
mod memory;
mod origin;
mod outdated;
mod output;
#[cfg(feature = "ipopt")]
mod plan;
mod predict;
mod printable;
mod problem_file;
mod progress;
mod recording;
mod recording_check;
mod replay;
mod report_page;
mod run;
mod run_record;
mod scenario;
mod scorecard;
mod serve;
mod session;
mod shell;
mod stepper_arguments;
mod stepper_name;
mod study;
mod sweep;
mod sweep_pictures;
mod table;
mod whole_number;

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    io::{self, Write},
};

use clap::{Arg, ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand, parser::ValueSource};

use self::{
    origin::Origin,
    session::{Session, SessionArguments},
};

/// Simulate points and rigid bodies in contact with friction, by nonlinear-program time stepping and by every other way.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100, arg_required_else_help = true, after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    session: SessionArguments,
}

const EXAMPLES: &str = "\
Examples:
  stickslip run examples/scenarios/slide.toml
  stickslip run examples/scenarios/bounce.toml --set ground.restitution=0.9
  stickslip compare examples/scenarios/slide.toml
  stickslip convergence examples/scenarios/slide.toml --steppers nlp,hybrid
  stickslip learn bilevel
  stickslip plan examples/plans/push-block.toml

Exit status: 0 done, 1 a simulation or solve failed, 2 bad input or usage, 130 interrupted.";

const SCHEMA_EXAMPLES: &str = "\
Examples:
  stickslip schema > scenario.schema.json

The ranges of single numbers are in it; what two values have to do with each other a run checks before anything runs.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Simulate a scenario with one stepper; write its trajectory, summary and pictures
    Run(run::Arguments),
    /// Run several steppers on one scenario, measure them against the truth, and write a report
    Compare(compare::Arguments),
    /// Repeat a scenario at several steps and fit the orders of convergence
    Convergence(convergence::Arguments),
    /// Solve contact problems from files
    Contact(contact::Arguments),
    /// Differentiate the end of a scenario with respect to its numbers, and say what each gradient is worth
    Gradient(gradient::Arguments),
    /// Solve linear complementarity problems from files
    Lcp(lcp::Arguments),
    /// Learn contact parameters from data: the experiments of the LCP notes, and a thrown point
    Learn(learn::Arguments),
    /// Predict recorded throws with one contact model or many, and measure how far off they are
    Predict(predict::Arguments),
    /// Find the parameters that predict recorded throws best, and say what the throws determine
    Fit(fit::Arguments),
    /// Look at a recording before anything is predicted of it
    Recording(recording_check::Arguments),
    /// Find pushes that bring bodies to a goal through contact, and have the models play them
    #[cfg(feature = "ipopt")]
    Plan(plan::Arguments),
    /// Repeat a study of the LCP notes
    Study(study::Arguments),
    /// Run a scenario over a grid and a sample of its keys; resumable, in shares on many machines
    Sweep(sweep::Arguments),
    /// Say which model gets which phenomenon right: stopping distances, tipping, bounces, arches, paradoxes
    Scorecard(scorecard::Arguments),
    /// Write a scenario as a scene of MuJoCo (MJCF) or of Gazebo and Drake (SDF)
    Export(export::Arguments),
    /// Read a model of MuJoCo (MJCF) or of ROS (URDF) as a scenario
    Import(import::Arguments),
    /// Open a live page of a scenario, whose numbers can be turned at
    Serve(serve::Arguments),
    /// Say what a key of scenario files or a stepper is
    Explain(explain::Arguments),
    /// Print the JSON Schema of scenario files, for editors and other programs
    #[command(after_help = SCHEMA_EXAMPLES)]
    Schema,
    /// Print a script that completes the command line in a shell
    Completions(documents::CompletionArguments),
    /// Print the manual page, or write those of all commands
    Man(documents::ManArguments),
}

/// Runs the program with `arguments`, the name of the program first: runs the command, reports errors on
/// standard error, and gives the exit status.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let (Arguments { command, session }, changes_results) = match parsed(&arguments) {
        Ok(parsed) => parsed,
        Err(error) => return usage(&error),
    };
    file_size_limit::make_an_error();
    interrupt::listen();
    let session = Session::new(session, Origin::of_call(arguments, changes_results));
    let outcome = match command {
        Command::Export(_)
        | Command::Import(_)
        | Command::Explain(_)
        | Command::Completions(_)
        | Command::Man(_)
            if session.is_json() =>
        {
            Err(session::prints_no_json())
        }
        Command::Run(arguments) => run::run(&arguments, &session),
        Command::Compare(arguments) => compare::run(&arguments, &session),
        Command::Convergence(arguments) => convergence::run(&arguments, &session),
        Command::Contact(arguments) => contact::run(&arguments, &session),
        Command::Gradient(arguments) => gradient::run(&arguments, &session),
        Command::Lcp(arguments) => lcp::run(&arguments, &session),
        Command::Learn(arguments) => learn::run(&arguments, &session),
        Command::Predict(arguments) => predict::run(&arguments, &session),
        Command::Fit(arguments) => fit::run(&arguments, &session),
        Command::Recording(arguments) => recording_check::run(&arguments, &session),
        #[cfg(feature = "ipopt")]
        Command::Plan(arguments) => plan::run(&arguments, &session),
        Command::Study(arguments) => study::run(&arguments, &session),
        Command::Sweep(arguments) => sweep::run(&arguments, &session),
        Command::Export(arguments) => export::run(&arguments, &session),
        Command::Scorecard(arguments) => scorecard::run(&arguments, &session),
        Command::Import(arguments) => import::run(&arguments, &session),
        Command::Serve(arguments) => serve::run(&arguments, &session),
        Command::Explain(arguments) => explain::run(&arguments, &session),
        Command::Schema => explain::schema(&session),
        Command::Completions(arguments) => documents::completions(&arguments, Arguments::command(), &session),
        Command::Man(arguments) => documents::man(&arguments, Arguments::command(), &session),
    };
    match outcome {
        Ok(()) => 0,
        Err(error) => error.report(),
    }
}

/// The arguments as they were meant, and those that change results by their names.
fn parsed(arguments: &[OsString]) -> Result<(Arguments, BTreeMap<String, Vec<String>>), clap::Error> {
    let mut command = taking_negative_numbers(Arguments::command());
    let mut found = command.try_get_matches_from_mut(arguments)?;
    let changes_results = changes_results(&command, &found);
    let arguments =
        Arguments::from_arg_matches_mut(&mut found).map_err(|error| error.format(&mut command))?;
    Ok((arguments, changes_results))
}

/// Arguments that change where results go, which pictures are drawn of them and what is told of them, and not the results.
const OF_SHOWING: [&str; 11] = [
    "output",
    "no-plots",
    "quiet",
    "json",
    "figure-width",
    "font-size",
    "no-title",
    "panels",
    "impact",
    "toss",
    "accept-overlap",
];

/// The arguments of the innermost command that differ from their defaults and change results, each with the values given.
fn changes_results(command: &clap::Command, found: &ArgMatches) -> BTreeMap<String, Vec<String>> {
    if let Some((name, inner)) = found.subcommand()
        && let Some(command) = command.find_subcommand(name)
    {
        return changes_results(command, inner);
    }
    let given = |arg: &Arg| {
        let name = arg.get_long().unwrap_or(arg.get_id().as_str());
        let is_given = found.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine);
        if !is_given || OF_SHOWING.contains(&name) {
            return None;
        }
        let values: Vec<&OsStr> = found.get_raw(arg.get_id().as_str())?.collect();
        let is_default = arg.get_default_values().iter().map(OsStr::new).eq(values.iter().copied());
        let values = values.into_iter().map(|value| value.to_string_lossy().into_owned()).collect();
        (!is_default).then(|| (name.to_owned(), values))
    };
    command.get_arguments().filter_map(given).collect()
}

/// The command with options that take `-1` for the value it is, whose range they tell, and not for an option.
fn taking_negative_numbers(command: clap::Command) -> clap::Command {
    let has_value = |arg: &Arg| !arg.is_positional() && arg.get_action().takes_values();
    command
        .mut_args(|arg| if has_value(&arg) { arg.allow_negative_numbers(true) } else { arg })
        .mut_subcommands(taking_negative_numbers)
}

/// Prints help, the version or what is wrong with the usage, and gives the exit status.
fn usage(error: &clap::Error) -> u8 {
    let plain = error.to_string();
    let shown = printable::message(&plain);
    // What was typed comes back in the message; colours would have to be told from it.
    let printed = if shown == plain { error.print() } else { write!(io::stderr(), "{shown}") };
    // A closed output leaves nobody to tell.
    drop(printed);
    if error.use_stderr() { 2 } else { 0 }
}

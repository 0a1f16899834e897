use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};
use stickslip::contact::{AnswerStatus, AnyDenseProblem, Method, ProblemFormat};

use super::{
    error::CliError,
    input_file::InputFile,
    problem_file,
    session::{Session, prints_no_json},
};

/// Arguments of `stickslip contact`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Solve one contact problem from a file
    Solve(SolveArguments),
    /// Write a contact problem in another format
    Convert(ConvertArguments),
}

/// Arguments of `stickslip contact solve`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
struct SolveArguments {
    /// File with the problem: JSON, {"dimension": 2|3, "W": [[...]], "q": [...], "mu": [...]}, or a text file of
    /// Siconos (fc2d, fc3d, with rolling or without); `-` reads standard input
    problem: PathBuf,
    /// Solver
    #[arg(long, value_enum, default_value_t = Choice::Nlp)]
    solver: Choice,
    /// Bound on the residuals of Coulomb's law; convex: of its own law, 1e-6 at least
    #[arg(long, default_value_t = 1e-8, value_parser = tolerance)]
    tolerance: f64,
}

/// Arguments of `stickslip contact convert`.
#[derive(Debug, Args)]
#[command(after_help = CONVERT_EXAMPLES)]
struct ConvertArguments {
    /// File with the problem, as `stickslip contact solve` takes it; `-` reads standard input
    problem: PathBuf,
    /// Format: json, siconos (sparse blocks), siconos:dense or siconos:triplet
    #[arg(long, value_name = "FORMAT", value_parser = str::parse::<ProblemFormat>)]
    format: ProblemFormat,
}

/// The solvers by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Choice {
    /// Structured interior point, exact Coulomb friction
    Nlp,
    /// Pivoting; exact in the plane, a pyramid in space
    Lcp,
    /// Projected Gauss-Seidel, exact Coulomb friction
    Cone,
    /// The associated law, a convex program
    Convex,
    /// All of them
    All,
}

const EXAMPLES: &str = "\
Finds r in the friction cones K with u = W r + q, v = u + mu |u_t| n in the dual cones and v.r = 0;
rows of a contact are normal, tangent(s). With \"rolling\": [...] those of rolling follow, one in the
plane, two in space about the tangents; |r_w| <= rolling r_n, v = u + (mu |u_t| + rolling |u_w|) n.
Prints {\"status\", \"solver\", \"r\", \"u\", \"residual\", \"iterations\", \"seconds\"} as JSON,
residual = |r - P_K(r - v)|/|q|; `--solver all` prints a list.

Examples:
  stickslip contact solve wedge.json
  stickslip contact solve Capsules-i122-1617.dat --solver cone
  echo '{\"dimension\": 2, \"W\": [[1, 0], [0, 1]], \"q\": [-1, 2], \"mu\": [0.5]}' |
    stickslip contact solve -
  stickslip contact convert wedge.json --format siconos > wedge.dat

Status: solved (to the tolerance, in two measures: the residual, and one that does not depend on
units; a contact with mu > 1 that closes counts in both with |u_n|/sqrt(2) at least), approximate,
relaxed (a model solved a law of its own, as convex does, and lcp in space), unsolved.
Exit status 0 for solved and for relaxed, whose residual says how far it is from Coulomb's law; 1 for
the others, and for `--solver all` where none is solved.";

const CONVERT_EXAMPLES: &str = "\
Examples:
  stickslip contact convert wedge.json --format siconos > wedge.dat
  stickslip contact convert Rover1040.dat --format json > rover.json

The problem goes to standard output. All numbers read back as the same, to the last bit. Siconos
reads it by frictionContact_new_from_filename or rollingFrictionContact_new_from_filename; its
version 4.4 solves rolling problems from siconos:dense or siconos:triplet alone, and planar ones
not from siconos:triplet. FCLIB's HDF5 is read and written by Python's stickslip.contact.";

fn tolerance(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value < 1.0 => Ok(value),
        _ => Err(format!("`{text}` is no tolerance; give a number between 0 and 1, such as 1e-8")),
    }
}

/// Runs the command.
pub fn run(arguments: &Arguments, session: &Session) -> Result<(), CliError> {
    match &arguments.command {
        Command::Solve(arguments) => {
            let (name, problem) = read(&arguments.problem)?;
            solve(&name, arguments, &problem, session)
        }
        Command::Convert(arguments) => {
            if session.is_json() && arguments.format != ProblemFormat::Json {
                return Err(prints_no_json());
            }
            let (_, problem) = read(&arguments.problem)?;
            session.print_result(&problem.to_text(arguments.format))
        }
    }
}

/// The problem of a file, and the name of the file for messages.
fn read(path: &Path) -> Result<(String, AnyDenseProblem), CliError> {
    if path.extension().is_some_and(|extension| extension == "hdf5" || extension == "h5") {
        return Err(CliError::input(
            format!("{}: HDF5 of FCLIB is read in Python", path.display()),
            "stickslip.contact.read(path).solve(), or stickslip.contact.write(\"problem.dat\", ...) to have it as text",
        ));
    }
    let InputFile { name, text } = problem_file::read(path)?;
    match AnyDenseProblem::from_text(&text) {
        Ok(problem) => Ok((name, problem)),
        Err(error) => Err(CliError::input(format!("{name}: {error}"), error.remedy())),
    }
}

impl Choice {
    fn methods(self) -> Vec<Method> {
        match self {
            Self::Nlp => vec![Method::Nlp],
            Self::Lcp => vec![Method::Lcp],
            Self::Cone => vec![Method::Cone],
            Self::Convex => vec![Method::Convex],
            Self::All => Method::ALL.to_vec(),
        }
    }
}

fn solve(
    name: &str,
    arguments: &SolveArguments,
    problem: &AnyDenseProblem,
    session: &Session,
) -> Result<(), CliError> {
    let doubts: Vec<String> = problem.doubts().iter().map(ToString::to_string).collect();
    doubts.iter().for_each(|doubt| session.alert(&format!("{name}: {doubt}")));
    let mut answers = Vec::new();
    let mut reasons = Vec::new();
    for method in arguments.solver.methods() {
        let (mut answer, failure) = problem.solve(method, arguments.tolerance);
        answer.doubts.clone_from(&doubts);
        if let Some(failure) = failure {
            reasons.push(format!("{method}: {failure}"));
        } else if answer.status == AnswerStatus::Approximate {
            let residual = answer.residual;
            reasons.push(format!("{method}: approximate only, residual {residual:.1e}"));
        }
        answers.push(answer);
    }
    session.print_solution(match &answers[..] {
        [answer] => serde_json::to_string_pretty(answer),
        answers => serde_json::to_string_pretty(answers),
    })?;
    let is_done = |status| matches!(status, AnswerStatus::Solved | AnswerStatus::Relaxed);
    let done = if arguments.solver == Choice::All {
        answers.iter().any(|answer| answer.status == AnswerStatus::Solved)
    } else {
        answers.iter().all(|answer| is_done(answer.status))
    };
    if done {
        return Ok(());
    }
    let help = if !doubts.is_empty() {
        "check W: with one that no mechanical system has, there may be no solution"
    } else if arguments.solver == Choice::All {
        "try a larger --tolerance; a problem with much friction may have no solution"
    } else if arguments.solver == Choice::Convex {
        "try --solver nlp, or a larger --tolerance; where no impulses keep the contacts apart there is no solution"
    } else {
        "try --solver all, or a larger --tolerance; a problem with much friction may have no solution"
    };
    Err(CliError::failed(format!("{name}: {}", reasons.join("; ")), help))
}

use std::{path::PathBuf, time::Instant};

use clap::{Args, Subcommand, ValueEnum};
use stickslip::contact::{
    Answer, AnswerStatus, DenseProblem, DenseSolution, Method, ProblemFile, problem_from_json,
};

use super::{error::CliError, input_file::InputFile, problem_file, session::Session};

/// Arguments of `stickslip contact`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Solve one contact problem from a JSON file
    Solve(SolveArguments),
}

/// Arguments of `stickslip contact solve`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
struct SolveArguments {
    /// JSON file with the problem, {"dimension": 2|3, "W": [[...]], "q": [...], "mu": [...]}; `-` reads
    /// standard input
    problem: PathBuf,
    /// Solver
    #[arg(long, value_enum, default_value_t = Choice::Nlp)]
    solver: Choice,
    /// Bound on the residuals of Coulomb's law; convex: of its own law, 1e-6 at least
    #[arg(long, default_value_t = 1e-8, value_parser = tolerance)]
    tolerance: f64,
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
rows of a contact are normal, tangent(s). Prints {\"status\", \"solver\", \"r\", \"u\", \"residual\",
\"iterations\", \"seconds\"} as JSON, residual = |r - P_K(r - v)|/|q|; `--solver all` prints a list.

Examples:
  stickslip contact solve wedge.json
  echo '{\"dimension\": 2, \"W\": [[1, 0], [0, 1]], \"q\": [-1, 2], \"mu\": [0.5]}' |
    stickslip contact solve -

Status: solved (to the tolerance, in two measures: the residual, and one that does not depend on
units; a contact with mu > 1 that closes counts in both with |u_n|/sqrt(2) at least), approximate,
relaxed (a model solved a law of its own, as convex does, and lcp in space), unsolved.
Exit status 0 for solved and for relaxed, whose residual says how far it is from Coulomb's law; 1 for
the others, and for `--solver all` where none is solved.";

fn tolerance(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value < 1.0 => Ok(value),
        _ => Err(format!("`{text}` is no tolerance; give a number between 0 and 1, such as 1e-8")),
    }
}

/// Runs the command.
pub fn run(arguments: &Arguments, session: &Session) -> Result<(), CliError> {
    let Command::Solve(arguments) = &arguments.command;
    let InputFile { name, text } = problem_file::read(&arguments.problem)?;
    let problem = problem_from_json(&text).map_err(|error| {
        CliError::input(
            format!("{name}: {error}"),
            r#"for example {"dimension": 2, "W": [[1, 0], [0, 1]], "q": [-1, 2], "mu": [0.5]}"#,
        )
    })?;
    match problem {
        ProblemFile::Planar(problem) => solve::<2, 3>(&name, arguments, &problem, session),
        ProblemFile::Spatial(problem) => solve::<3, 6>(&name, arguments, &problem, session),
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

fn solve<const D: usize, const N: usize>(
    name: &str,
    arguments: &SolveArguments,
    problem: &DenseProblem<D>,
    session: &Session,
) -> Result<(), CliError> {
    let doubts: Vec<String> = problem.doubts().iter().map(ToString::to_string).collect();
    doubts.iter().for_each(|doubt| session.alert(&format!("{name}: {doubt}")));
    let mut answers = Vec::new();
    let mut reasons = Vec::new();
    for method in arguments.solver.methods() {
        let mut solver = method.solver::<D, N>(arguments.tolerance);
        let mut solution = DenseSolution::default();
        let start = Instant::now();
        let outcome = solver.solve_dense(problem, &mut solution);
        let seconds = start.elapsed().as_secs_f64();
        let answer = Answer::new(solver.name(), problem, &outcome, &solution, seconds, doubts.clone());
        if let Err(failure) = &outcome {
            reasons.push(format!("{}: {failure}", solver.name()));
        } else if answer.status == AnswerStatus::Approximate {
            let residual = answer.residual;
            reasons.push(format!("{}: approximate only, residual {residual:.1e}", solver.name()));
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

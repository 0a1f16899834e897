use std::path::PathBuf;

use clap::{Args, Subcommand};
use stickslip::lcp::{
    GaussSeidel, MAX_ENUMERATED, Method, Solver, Status, problem_from_json, solution_to_json,
};

use super::{error::CliError, input_file::InputFile, problem_file, session::Session};

/// Arguments of `stickslip lcp`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Solve one problem from a JSON file
    Solve(SolveArguments),
}

/// Arguments of `stickslip lcp solve`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
struct SolveArguments {
    /// JSON file with the problem, {"M": [[...], ...], "q": [...]}; `-` reads standard input
    problem: PathBuf,
    /// Solver: lemke, enumeration, interior-point or gauss-seidel
    #[arg(long, default_value = "lemke", value_parser = str::parse::<Method>)]
    solver: Method,
}

const EXAMPLES: &str = "\
Finds z >= 0 with w = M z + q >= 0 and z'w = 0, and prints
{\"status\", \"z\", \"w\", \"residual\", \"pivots\"} as JSON. With \"free\": k in the problem, the first k
unknowns have no sign and their rows are equations.

Examples:
  stickslip lcp solve contact.json
  echo '{\"M\": [[2, 1], [1, 2]], \"q\": [-1, -1]}' | stickslip lcp solve - --solver interior-point

Where every path of lemke ends in a ray and nothing is proved, up to 12 unknowns are enumerated, more get
other paths and the interior-point method.

Status: solved, no-solution (proved), ray (none found, nothing proved), iteration-limit,
residual-too-large, not-applicable. All but solved exit with 1.";

/// Runs the command.
pub fn run(arguments: &Arguments, session: &Session) -> Result<(), CliError> {
    let Command::Solve(arguments) = &arguments.command;
    solve(arguments, session)
}

fn solve(arguments: &SolveArguments, session: &Session) -> Result<(), CliError> {
    let InputFile { name, text } = problem_file::read(&arguments.problem)?;
    let problem = problem_from_json(&text).map_err(|error| {
        CliError::input(format!("{name}: {error}"), r#"for example {"M": [[2, 1], [1, 2]], "q": [-1, -1]}"#)
    })?;
    let solution = Solver::new(arguments.solver, problem.dim()).solve_persistently(&problem);
    session.print_solution(solution_to_json(&solution))?;
    if solution.is_solved() {
        return Ok(());
    }
    let (status, residual) = (solution.status, solution.residual);
    let message = format!("{name}: {status}: {}; residual {residual:.1e}", status.explain());
    let help = match (arguments.solver, status, GaussSeidel::obstacle(&problem)) {
        (Method::GaussSeidel, Status::NotApplicable, Some(row)) => {
            format!("M[{row}][{row}] (counting from 0) must be positive; try --solver lemke")
        }
        (Method::Enumeration, Status::NotApplicable, _) => {
            format!("enumeration takes at most {MAX_ENUMERATED} unknowns; try --solver lemke")
        }
        (_, Status::NoSolution, _) => "no z >= 0 fulfils the conditions; check M and q".to_owned(),
        (Method::Lemke, ..) => "try --solver interior-point, or enumeration for a small problem".to_owned(),
        _ => "try --solver lemke".to_owned(),
    };
    Err(CliError::failed(message, help))
}

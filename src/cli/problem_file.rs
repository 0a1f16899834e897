use std::path::Path;

use super::{
    error::CliError,
    input_file::{self, InputFile, Kind},
};

/// A file with a problem to be solved.
const PROBLEM_FILE: Kind = Kind { name: "problem file", extension: "json", max_bytes: 100_000_000 };

/// The text of a problem from a file, or from standard input for `-`.
pub fn read(path: &Path) -> Result<InputFile, CliError> {
    input_file::read(path, PROBLEM_FILE)
}

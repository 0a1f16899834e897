//! The command-line program; see `stickslip --help`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(stickslip::cli::run(std::env::args_os()))
}

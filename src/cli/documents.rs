//! What shells and manuals are told of the command line: completions and manual pages.

use std::path::PathBuf;

use clap::{Args, Command};
use clap_complete::Shell;
use stickslip::atomic_file::{create_output_folder, write_atomically};

use super::{error::CliError, session::Session};

/// Arguments of `stickslip completions`.
#[derive(Debug, Args)]
#[command(after_help = COMPLETION_EXAMPLES)]
pub struct CompletionArguments {
    /// Shell
    #[arg(value_enum)]
    shell: Shell,
}

const COMPLETION_EXAMPLES: &str = "\
Prints a script that makes a shell complete commands, options and names at the tab key.

Examples:
  stickslip completions bash > ~/.local/share/bash-completion/completions/stickslip
  stickslip completions zsh > ~/.zfunc/_stickslip
  stickslip completions fish > ~/.config/fish/completions/stickslip.fish";

/// Runs `stickslip completions`.
pub fn completions(
    arguments: &CompletionArguments,
    mut program: Command,
    session: &Session,
) -> Result<(), CliError> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut program, "stickslip", &mut script);
    session.print_result(&String::from_utf8_lossy(&script))
}

/// Arguments of `stickslip man`.
#[derive(Debug, Args)]
#[command(after_help = MAN_EXAMPLES)]
pub struct ManArguments {
    /// Write a page for the program and one for every command into this folder, instead of printing the first
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

const MAN_EXAMPLES: &str = "\
Examples:
  stickslip man | man -l -
  stickslip man --output ~/.local/share/man/man1";

/// Runs `stickslip man`.
pub fn man(arguments: &ManArguments, mut program: Command, session: &Session) -> Result<(), CliError> {
    let Some(folder) = &arguments.output else {
        return session.print_result(&String::from_utf8_lossy(&page(&program)?));
    };
    create_output_folder(folder).map_err(|error| CliError::unwritable(&error))?;
    // Commands learn from the program what they share, and their full names.
    program.build();
    let mut written = Vec::new();
    write_pages(&program, folder, &mut written)?;
    session.print_result(&format!("wrote {}: {}\n", folder.display(), written.join(", ")))
}

fn write_pages(
    command: &Command,
    folder: &std::path::Path,
    written: &mut Vec<String>,
) -> Result<(), CliError> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    let file = format!("{name}.1");
    let page = page(command)?;
    write_atomically(&folder.join(&file), |out| out.write_all(&page))?;
    written.push(file);
    let shown =
        command.get_subcommands().filter(|command| !command.is_hide_set() && command.get_name() != "help");
    shown.into_iter().try_for_each(|command| write_pages(command, folder, written))
}

fn page(command: &Command) -> Result<Vec<u8>, CliError> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page).map_err(|error| {
        CliError::failed(
            format!("the manual page is not written: {error}"),
            "this is a defect; please report it",
        )
    })?;
    Ok(page)
}

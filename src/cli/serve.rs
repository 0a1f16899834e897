//! `stickslip serve`: the live page.

use std::io;

use clap::Args;
use stickslip::serve::{LiveScenario, Server};

use super::{
    error::CliError,
    interrupt::{self, Phase},
    scenario::ScenarioArguments,
    session::Session,
    whole_number::whole_number,
};

/// Arguments of `stickslip serve`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    scenario: ScenarioArguments,
    /// Port on 127.0.0.1; 0 takes any that is free
    #[arg(long, default_value = "0", value_parser = whole_number::<u16>("from 0 to 65535"))]
    port: u16,
}

const EXAMPLES: &str = "\
Examples:
  stickslip serve examples/scenarios/slide.toml
  stickslip serve examples/scenarios/tipping-box.toml --port 8080

Prints the address of the page; open it in a browser on this machine, and end it with Ctrl-C. No other machine
can reach it, and no other page is answered. The page saves what it shows as a scenario file.";

/// Runs the command.
pub fn run(arguments: &Arguments, session: &Session) -> Result<(), CliError> {
    let scenario = LiveScenario::new(arguments.scenario.read()?);
    let server = Server::bind(scenario, arguments.port).map_err(|error| {
        let port = arguments.port;
        let help = match error.kind() {
            io::ErrorKind::AddrInUse => {
                "another program has it; choose another with --port, or leave the option out"
            }
            io::ErrorKind::PermissionDenied => {
                "ports below 1024 are reserved; choose one above, or leave the option out"
            }
            _ => "leave the option out for any port that is free",
        };
        CliError::input(format!("127.0.0.1:{port} cannot be listened to: {error}"), help)
    })?;
    let address = format!("http://{}/", server.address());
    session.print(std::slice::from_ref(&address), &serde_json::json!({ "address": address }))?;
    session.note("open the address in a browser on this machine; Ctrl-C ends the page");
    Phase::Working.enter();
    server.run(interrupt::requested);
    Phase::Saving.enter();
    Ok(())
}

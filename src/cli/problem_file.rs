use std::{
    fs,
    io::{self, Read},
    path::Path,
};

use super::error::CliError;

/// The text of a problem from a file, or from standard input for `-`.
pub fn read(path: &Path) -> Result<String, CliError> {
    let text = if path.as_os_str() == "-" {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text).map(|_| text)
    } else {
        fs::read_to_string(path)
    };
    text.map_err(|error| {
        CliError::input(format!("cannot read `{}`: {error}", path.display()), "check the path")
    })
}

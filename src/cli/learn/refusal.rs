use stickslip::learn::{DataFile, InputError};

use super::super::{
    error::{CliError, Fault},
    measurements,
};

/// What is wrong with the input, in words, and with the place in the data file where there is one.
pub fn refusal(error: InputError, data: Option<DataFile>) -> CliError {
    let message = match &data {
        Some(file) => format!("{}: {error}", file.name),
        None => error.to_string(),
    };
    let help = match error {
        InputError::Settings(faults) => {
            let faults = faults
                .into_iter()
                .map(|fault| Fault::new(format!("--set {}: {}", fault.argument, fault.message), fault.help));
            return CliError::Input(faults.collect());
        }
        InputError::Data(invalid) => {
            return measurements::refusal(invalid, &data.map(|file| file.text).unwrap_or_default());
        }
        InputError::Samples { given, least, most, .. } if given > most => {
            format!("ask for {least} to {most} with --samples, or give a data file with at most {most}")
        }
        InputError::Samples { least, .. } => {
            format!("ask for at least {least} with --samples, or give a data file with as many")
        }
        InputError::SamplesOfFile { .. } => "leave out --samples, or --data".to_owned(),
        InputError::ForcesMissing { .. } => {
            "add the columns, or learn the friction without them: `stickslip learn bilevel --data FILE.csv`"
                .to_owned()
        }
        InputError::FlagsMissing => "for example --set contacts=height".to_owned(),
        InputError::Unsuited(_) => "`stickslip learn --help` says what each experiment takes".to_owned(),
    };
    CliError::input(message, help)
}

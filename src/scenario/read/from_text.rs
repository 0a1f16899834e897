//! Scenarios from their text alone, by whoever knows how many coordinates they have.

use std::str::FromStr;

use super::{Finding, InvalidScenario, ScenarioError, Source, locate, parse_scenario};
use crate::scenario::{AnyScenario, Scenario};

/// What stands for the path in messages. Files that the text names are looked for in the current folder.
const NAME: &str = "scenario";

/// The scenario in a vertical plane whose file would hold this text; see [`parse_scenario`].
impl FromStr for Scenario<2> {
    type Err = ScenarioError;

    fn from_str(text: &str) -> Result<Self, ScenarioError> {
        of_dimension(text, "in a vertical plane, with two-component vectors (x, z)")
    }
}

/// The scenario with three coordinates whose file would hold this text; see [`parse_scenario`].
impl FromStr for Scenario<3> {
    type Err = ScenarioError;

    fn from_str(text: &str) -> Result<Self, ScenarioError> {
        of_dimension(text, "with three-component vectors (x, y, z)")
    }
}

fn of_dimension<S: TryFrom<AnyScenario, Error = AnyScenario>>(
    text: &str,
    wanted: &str,
) -> Result<S, ScenarioError> {
    parse_scenario(NAME, text, &[])?.try_into().map_err(|other: AnyScenario| {
        let finding = Finding {
            source: Source::File(0..0),
            key: None,
            message: format!(
                "the vectors of this scenario have {} components, and one {wanted} is asked for",
                other.dimension()
            ),
            help: format!("give a scenario {wanted}, or read it as either with `parse_scenario`"),
        };
        let problems = locate(text, vec![finding]);
        InvalidScenario { path: NAME.to_owned(), text: text.to_owned(), problems }.into()
    })
}

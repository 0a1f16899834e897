//! Scenarios: what a file says, what overrides change, what is allowed, and that nothing is lost
//! on the way to a file and back.

mod arbitrary;
mod bodies;
mod examples;
mod files;
mod lenses;
mod overrides;
mod parts;
mod round_trip;
mod systems;
mod values;

use stickslip::scenario::{AnyScenario, Override, Scenario, parse_scenario};

/// A scenario of required keys only.
const MINIMAL: &str = r#"
name = "minimal"
duration = 1.0
step = 0.01

[particle]
mass = 2.0
position = [0.0, 1.0]
velocity = [3.0, 0.0]

[ground]
friction = 0.5
"#;

/// Reads `text` with the overrides `settings`; both have to be valid.
fn read(text: &str, settings: &[&str]) -> AnyScenario {
    let overrides: Vec<Override> =
        settings.iter().map(|setting| setting.parse().expect("an override")).collect();
    parse_scenario("test.toml", text, &overrides).unwrap_or_else(|error| panic!("{error}"))
}

/// The scenario in a vertical plane that `text` holds.
fn in_plane(text: &str, settings: &[&str]) -> Scenario<2> {
    match read(text, settings) {
        AnyScenario::InPlane(scenario) => scenario,
        other => panic!("this scenario should be one in a vertical plane: {other:?}"),
    }
}

/// The scenario over a plane that `text` holds.
fn over_plane(text: &str, settings: &[&str]) -> Scenario<3> {
    match read(text, settings) {
        AnyScenario::OverPlane(scenario) => scenario,
        other => panic!("this scenario should be one over a plane: {other:?}"),
    }
}

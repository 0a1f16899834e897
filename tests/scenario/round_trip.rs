//! A scenario written to a file reads back as the same scenario, bit for bit.

use proptest::prelude::*;
use stickslip::scenario::{Scenario, parse_scenario};

use crate::{MINIMAL, arbitrary, in_plane};

/// `PartialEq` takes 0.0 and -0.0 for the same; the text of a float does not.
fn assert_same<const D: usize>(read: &Scenario<D>, written: &Scenario<D>) -> Result<(), TestCaseError> {
    prop_assert_eq!(read, written);
    prop_assert_eq!(format!("{read:?}"), format!("{written:?}"));
    Ok(())
}

proptest! {
    #[test]
    fn in_a_vertical_plane(scenario in arbitrary::scenario::<2>()) {
        prop_assert_eq!(scenario.check(), Ok(()));
        let read = parse_scenario("written", &scenario.to_toml(), &[]);
        let read = read.map_err(|error| TestCaseError::fail(error.to_string()))?;
        let stickslip::scenario::AnyScenario::InPlane(read) = read else {
            return Err(TestCaseError::fail("read back over a plane"));
        };
        assert_same(&read, &scenario)?;
    }

    #[test]
    fn over_a_plane(scenario in arbitrary::scenario::<3>()) {
        prop_assert_eq!(scenario.check(), Ok(()));
        let read = parse_scenario("written", &scenario.to_toml(), &[]);
        let read = read.map_err(|error| TestCaseError::fail(error.to_string()))?;
        let stickslip::scenario::AnyScenario::OverPlane(read) = read else {
            return Err(TestCaseError::fail("read back in a vertical plane"));
        };
        assert_same(&read, &scenario)?;
    }
}

#[test]
fn the_text_is_one_that_a_person_would_write() {
    let text = in_plane(MINIMAL, &["step=1e-4", "stepper.nlp.tolerance=1e-8"]).to_toml();
    for line in ["name = \"minimal\"", "step = 1e-4", "gravity = 9.81", "beta = 1.0", "gated = false"] {
        assert!(text.lines().any(|written| written == line), "no line {line:?} in\n{text}");
    }
    assert!(text.contains("[stepper.nlp]\ntolerance = 1e-8\nwarm_start = true\n"));
}

#[test]
fn a_scenario_that_breaks_the_rules_does_not_pass_by_being_written() {
    let mut scenario = in_plane(MINIMAL, &[]);
    scenario.name = "no \"good\" \\ name\n".to_owned();
    scenario.gravity = f64::NAN;
    scenario.bodies[0].mass = f64::INFINITY;
    let error = parse_scenario("written", &scenario.to_toml(), &[]).unwrap_err().to_string();
    for key in ["`name`", "`gravity`", "`particle.mass`"] {
        assert!(error.contains(key), "{key} is not named in\n{error}");
    }
}

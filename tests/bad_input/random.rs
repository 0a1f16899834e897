//! Random damage: whatever the text, the reader neither panics nor lets an invalid scenario pass.

use proptest::{collection::vec, prelude::*, sample::select};
use stickslip::scenario::{InvalidScenario, Override, Place, ScenarioError, parse_scenario};

use crate::{NAME, VALID, meaningful_pieces::PIECES};

fn damaged() -> impl Strategy<Value = String> {
    let edit = (any::<prop::sample::Index>(), 0_usize..8, vec(select(&PIECES[..]), 0..3));
    vec(edit, 1..6).prop_map(|edits| {
        let mut characters: Vec<char> = VALID.chars().collect();
        for (place, removed, inserted) in edits {
            let start = place.index(characters.len() + 1);
            let end = (start + removed).min(characters.len());
            characters.splice(start..end, inserted.concat().chars());
        }
        characters.into_iter().collect()
    })
}

fn shuffled_lines() -> impl Strategy<Value = String> {
    let lines: Vec<&str> = VALID.lines().collect();
    vec(select(lines), 0..60).prop_map(|lines| lines.join("\n"))
}

/// What holds of every refusal.
fn check_refusal(invalid: &InvalidScenario, text: &str) -> Result<(), TestCaseError> {
    prop_assert!(!invalid.problems.is_empty());
    prop_assert!(!invalid.to_string().is_empty());
    for problem in &invalid.problems {
        prop_assert!(!problem.message.is_empty() && !problem.help.is_empty());
        prop_assert!(problem.message.chars().chain(problem.help.chars()).all(|c| !c.is_control()));
        if let Place::Text { span, line, column } = &problem.place {
            prop_assert!(span.start <= span.end && span.end <= text.len());
            prop_assert!((1..=text.split('\n').count()).contains(line));
            prop_assert!(*column >= 1);
        }
    }
    Ok(())
}

fn check_reading(text: &str, overrides: &[Override]) -> Result<(), TestCaseError> {
    match parse_scenario(NAME, text, overrides) {
        Ok(scenario) => prop_assert_eq!(scenario.check(), Ok(())),
        Err(ScenarioError::Invalid(invalid)) => check_refusal(&invalid, text)?,
        Err(ScenarioError::File(error)) => return Err(TestCaseError::fail(error.to_string())),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn random_bytes_are_survived(bytes in vec(any::<u8>(), 0..200)) {
        check_reading(&String::from_utf8_lossy(&bytes), &[])?;
    }

    #[test]
    fn random_pieces_are_survived(pieces in vec(select(&PIECES[..]), 0..60)) {
        check_reading(&pieces.concat(), &[])?;
    }

    #[test]
    fn a_damaged_scenario_is_survived(text in damaged()) {
        check_reading(&text, &[])?;
    }

    #[test]
    fn lines_in_any_order_and_number_are_survived(text in shuffled_lines()) {
        check_reading(&text, &[])?;
    }

    #[test]
    fn random_overrides_are_survived(pieces in vec(select(&PIECES[..]), 0..8), text in ".{0,20}") {
        for argument in [pieces.concat(), text.clone(), format!("push[0].{text}"), format!("step={text}")] {
            if let Ok(one) = Override::parse(&argument) {
                check_reading(VALID, &[one])?;
            }
        }
    }
}

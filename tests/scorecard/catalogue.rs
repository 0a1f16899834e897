//! What every phenomenon has, and what the card makes of them.

use std::collections::HashSet;

use stickslip::{
    scorecard::{
        Group, Outcome, Score, Scorecard, Thresholds, Verdict, named, onset, phenomena, table, write_csv,
    },
    stepper::{Roster, StepperName},
    watch::Watch,
};

#[test]
fn there_are_thirty_phenomena_and_more_each_with_a_name_of_its_own() {
    let all = phenomena();
    assert!(all.len() >= 30, "{}", all.len());
    let names: HashSet<_> = all.iter().map(|phenomenon| phenomenon.name).collect();
    assert_eq!(names.len(), all.len());
}

#[test]
fn each_says_what_happens_what_is_true_and_why_its_thresholds_are_what_they_are() {
    for phenomenon in phenomena() {
        let name = phenomenon.name;
        assert!(name.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{name}");
        for text in
            [phenomenon.title, phenomenon.happens, phenomenon.formula, phenomenon.source, phenomenon.measure]
        {
            assert!(!text.trim().is_empty(), "{name}");
        }
        let Thresholds { right, off, why } = phenomenon.thresholds;
        assert!(0.0 < right && right < off && !why.is_empty(), "{name}");
        assert!(phenomenon.truth.is_finite() && !phenomenon.unit.is_empty(), "{name}");
        assert!(!phenomenon.failing.why.is_empty(), "{name}");
    }
}

#[test]
fn they_come_in_the_order_of_their_groups() {
    let places: Vec<_> = phenomena()
        .iter()
        .map(|phenomenon| Group::ALL.iter().position(|group| *group == phenomenon.group).unwrap())
        .collect();
    assert!(places.is_sorted(), "{places:?}");
}

#[test]
fn a_verdict_is_by_the_distance_from_the_truth() {
    let thresholds = Thresholds { right: 0.1, off: 1.0, why: "" };
    let verdicts = [2.05, 1.95, 1.0, 3.1, f64::NAN, f64::INFINITY].map(|value| thresholds.judge(value, 2.0));
    use Verdict::{Off, Right, Wrong};
    assert_eq!(verdicts, [Right, Right, Off, Wrong, Wrong, Wrong]);
}

#[test]
fn an_onset_lies_between_the_last_without_and_the_first_with() {
    assert_eq!(onset(&[1.0, 2.0, 3.0], &[false, false, true]), 2.5);
    assert!(onset(&[1.0, 2.0, 3.0], &[false, false, false]).is_nan());
    assert!(onset(&[1.0, 2.0, 3.0], &[true, true, true]).is_nan());
    assert!(onset(&[1.0, 2.0, 3.0], &[false, true, false]).is_nan());
}

#[test]
fn phenomena_are_chosen_by_name_and_a_wrong_name_gets_a_suggestion() {
    let two = named(&["rocking".to_owned(), "stopping-distance".to_owned()]).unwrap();
    assert_eq!(
        two.iter().map(|phenomenon| phenomenon.name).collect::<Vec<_>>(),
        ["stopping-distance", "rocking"]
    );
    let error = named(&["stoping-distance".to_owned()]).unwrap_err();
    assert!(error.to_string().contains("did you mean `stopping-distance`?"), "{error}");
}

/// A small card: its table, its CSV, and the same scores whatever the order of the work.
#[test]
fn a_card_has_a_row_per_phenomenon_model_and_step() {
    let steppers = [StepperName::LCP, StepperName::HYBRID];
    let run = || {
        let phenomena = named(&["stopping-distance".to_owned(), "front-load".to_owned()]).unwrap();
        Scorecard::run(phenomena, &steppers, &[1e-2, 1e-3], &Watch::none()).unwrap()
    };
    let card = run();
    assert_eq!(card.scores, run().scores);
    assert_eq!(card.score(0, 0, 0).verdict, Verdict::Off);
    assert_eq!(card.score(0, 0, 1).verdict, Verdict::Right);
    assert!(matches!(card.score(1, 1, 0).outcome, Outcome::Refused { .. }));
    assert_eq!(card.tally(1, 1), [1, 0, 0, 1]);
    let mut csv = Vec::new();
    write_csv(&card, &mut csv).unwrap();
    let csv = String::from_utf8(csv).unwrap();
    let lines: Vec<_> = csv.lines().collect();
    assert_eq!(lines[0], "phenomenon,stepper,step,measure,unit,truth,value,verdict");
    assert_eq!(lines.len(), 1 + 2 * 2 * 2);
    assert!(
        lines[8].starts_with("front-load,hybrid,0.001,") && lines[8].ends_with(",,refused"),
        "{}",
        lines[8]
    );
    let table = table(&card);
    assert!(table.iter().any(|line| line.trim_end() == "  stopping-distance  oR   oR"), "{table:#?}");
}

#[test]
fn the_tallies_of_a_card_stand_apart_from_their_labels() {
    let phenomena = named(&["ladder".to_owned()]).unwrap();
    let card = Scorecard::run(phenomena, &[StepperName::HYBRID], &[1e-3, 2.5e-4], &Watch::none()).unwrap();
    let table = table(&card);
    for label in ["  right at 1e-3    ", "  right at 2.5e-4  "] {
        let line = table.iter().find(|line| line.starts_with(label));
        assert!(line.is_some_and(|line| line[label.len()..].parse::<usize>().is_ok()), "{table:#?}");
    }
}

#[test]
fn a_watch_stops_it() {
    let stopped = Watch::new(|_| std::ops::ControlFlow::Break(()));
    assert!(Scorecard::run(phenomena(), &Roster::Scorecard.steppers(), &[1e-2], &stopped).is_none());
}

/// A motion that was not finished is nothing to measure, and a refusal is no answer.
#[test]
fn what_failed_is_wrong_and_what_was_refused_is_neither_right_nor_wrong() {
    let reason = || "for a reason".to_owned();
    for phenomenon in phenomena() {
        let verdict = |outcome| Score::of(&phenomenon, outcome).verdict;
        assert_eq!(verdict(Outcome::Failed { reason: reason() }), Verdict::Wrong);
        assert_eq!(verdict(Outcome::Refused { reason: reason() }), Verdict::Refused);
        assert_eq!(verdict(Outcome::Measured(f64::NAN)), Verdict::Wrong);
        assert_eq!(verdict(Outcome::Measured(phenomenon.truth)), Verdict::Right);
    }
}

//! Small bias and antisymmetric weights have closed forms.

use stickslip::study::Study;

use crate::{number, numbers, rows};

#[test]
fn a_small_bias_makes_the_block_creep_at_half_of_it() {
    let report = Study::SmallBias.run(1);
    assert!(numbers(&report, "largest_difference").iter().all(|difference| *difference <= 1e-14));
    for row in &report.table.rows {
        let value = |name| number(&report.table, row, name);
        let eps = value("eps");
        let expected = if eps <= 2.0 { 0.5 * eps } else { 1.0 };
        assert!((value("v") - expected).abs() <= 1e-14, "eps = {eps}");
        let notes = value("residual_of_the_notes_split");
        assert_eq!(notes == 0.0, eps == 2.0, "the notes' split at eps = {eps} has the residual {notes}");
    }
}

#[test]
fn antisymmetric_weights_follow_their_formula() {
    let report = Study::Antisymmetric.run(1);
    assert_eq!(report.table.rows.len(), 50);
    assert!(numbers(&report, "largest_difference").iter().all(|difference| *difference <= 1e-14));
    // Where alpha2 > alpha1 the block no longer sticks under a push to the right, as the notes say.
    let lost = report.table.rows.iter().filter(|row| {
        let value = |name| number(&report.table, row, name);
        value("push") > 0.0 && value("alpha2") > value("alpha1") && value("gamma") > 0.0
    });
    assert_eq!(lost.count(), 10);
    assert!(rows(&report.table, "alpha1", "1").is_empty(), "numbers are not words");
}

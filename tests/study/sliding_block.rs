//! Lemma 2.1 and the summed-velocity identity over random steps.

use stickslip::study::Study;

use crate::numbers;

#[test]
fn lemma_and_identity_hold_over_four_times_thirty_thousand_steps() {
    let report = Study::SlidingBlock.run(1);
    assert_eq!(numbers(&report, "steps"), [30_000.0; 4]);
    assert_eq!(numbers(&report, "max_product_of_parts"), [0.0; 4], "lemma 2.1 is exact");
    assert!(numbers(&report, "max_identity_error").iter().all(|error| *error <= 1e-15));
    for other in ["traditional_differs", "mixed_differs", "belbute_peres_differs"] {
        assert!(numbers(&report, other).iter().all(|difference| *difference <= 1e-14), "{other}");
    }
    // The blocks both stick and slide, or the study would show nothing.
    assert!(numbers(&report, "sticking_percent").iter().all(|percent| (5.0..99.5).contains(percent)));
}

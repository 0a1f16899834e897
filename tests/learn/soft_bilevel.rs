use crate::support::{learn_default, measure, starts_and_ends};

#[test]
fn gamma_vanishes_at_the_ratio_of_the_weights_or_where_it_does_with_hard_constraints() {
    for (hinge, complementarity) in
        [(1.0, 1.0), (3.0, 1.0), (6.0, 1.0), (9.0, 1.0), (30.0, 1.0), (2.0, 0.5), (4.0, 2.0)]
    {
        let settings = [
            format!("hinge_weight={hinge}"),
            format!("complementarity_weight={complementarity}"),
            "starts=1".into(),
        ];
        let settings = settings.each_ref().map(String::as_str);
        let found = measure(&learn_default("soft-bilevel", &settings), "vanishing_friction");
        // s = 3, v' = 2: the hard constraint ends at 7 for equal weights.
        let expected = f64::min(hinge / complementarity, 3.0 + 4.0 / complementarity);
        assert!((found - expected).abs() < 5e-3, "{settings:?}: {found} instead of {expected}");
    }
}

#[test]
fn descent_stays_from_there_on() {
    let findings =
        learn_default("soft-bilevel", &["hinge_weight=3", "starts=[0.2, 2, 2.99, 3.01, 6.99, 12]"]);
    for (start, end) in starts_and_ends(&findings, "descents") {
        let expected = if start < 3.0 { 1.0 } else { start };
        assert!((end - expected).abs() < 5e-6, "from {start} to {end}");
    }
}

#[test]
fn friction_never_goes_below_zero_on_the_way() {
    let findings = learn_default("soft-bilevel", &["starts=[0, 0.01]", "rate=1.5", "most_steps=50"]);
    assert!(starts_and_ends(&findings, "descents").iter().all(|(_, end)| *end >= 0.0));
}

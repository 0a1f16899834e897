use stickslip::learn::{
    bilevel::{Form, Inner, Outer, Settings},
    data::BlockGenerator,
};

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
    let samples = BlockGenerator { friction: 0.2, ..BlockGenerator::default() }.generate(3, 1);
    let form = Form::Hinge { weight: 10.0 };
    let inner = Inner { prediction: 1.0, complementarity: 1.0, form, regularisation: 1e-9 };
    let outer = Outer { samples: &samples, inner };
    let settings = Settings { rate: 1.5, tolerance: 1e-7, most_steps: 50 };
    let paths = [0.0, 0.01, 1.0].map(|start| outer.descend(start, &settings).expect("it descends").path);
    assert!(paths.iter().flatten().all(|friction| *friction >= 0.0), "{paths:?}");
    assert!(paths.iter().any(|path| path[1..].contains(&0.0)), "none came to the bound: {paths:?}");
}

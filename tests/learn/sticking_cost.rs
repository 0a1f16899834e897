use stickslip::learn::{
    bilevel::{Form, Inner, Outer},
    data::BlockSample,
};

use crate::support::{learn_default, starts_and_ends};

const SLIDING: BlockSample = BlockSample { velocity: 1.0, push: 2.0, next_velocity: 2.0, lambda: None };

#[test]
fn as_written_it_costs_nothing_because_equal_forces_in_both_directions_pay_it_off() {
    let value = |form: Form, friction: f64| {
        let inner = Inner { prediction: 1.0, complementarity: 1.0, form, regularisation: 1e-9 };
        Outer { samples: &[SLIDING], inner }.evaluate(friction).expect("the inner program is solved").0
    };
    for friction in [0.3, 1.0, 1.5, 3.0, 6.0, 9.0, 30.0] {
        let written = value(Form::Sliding { weight: 1.0, one_sided: false }, friction);
        assert!((written - value(Form::Hard, friction)).abs() < 1e-7, "mu {friction}");
    }
}

#[test]
fn as_written_descent_stays_where_it_does_without_the_cost() {
    let findings = learn_default("sticking-cost", &["one_sided=false", "starts=[3, 8, 12, 30]"]);
    for (start, end) in starts_and_ends(&findings, "descents") {
        let expected = if start < 7.0 { 1.0 } else { start };
        assert!((end - expected).abs() < 5e-6, "from {start} to {end}");
    }
}

#[test]
fn without_force_in_the_direction_of_motion_descent_arrives_from_anywhere() {
    let findings = learn_default("sticking-cost", &["starts=[3, 8, 12, 30]"]);
    for (start, end) in starts_and_ends(&findings, "descents") {
        assert!((end - 1.0).abs() < 5e-5, "from {start} to {end}");
    }
    assert_eq!(findings.notes, [""; 0]);
}

//! What is said of data that do not follow what is learned.

use stickslip::learn::data::Random;

use crate::support::{assert_note, parameter, request_with_data, run};

#[cfg(feature = "ipopt")]
const OF_VELOCITIES: [&str; 4] = ["bilevel", "soft-bilevel", "sticking-cost", "mpcc"];
#[cfg(not(feature = "ipopt"))]
const OF_VELOCITIES: [&str; 3] = ["bilevel", "soft-bilevel", "sticking-cost"];

/// Fifty steps whose velocity afterwards is a function of that without friction.
fn steps(next: impl Fn(f64) -> f64) -> String {
    let mut random = Random::seeded(9);
    let step = |_| {
        let (velocity, push) = (random.uniform(-3.0, 3.0), random.uniform(-3.0, 3.0));
        format!("{velocity:?},{push:?},{:?}\n", next(velocity + push))
    };
    std::iter::once("v,u,v_next\n".to_owned()).chain((0..50).map(step)).collect()
}

#[test]
fn steps_without_dry_friction_determine_none_by_any_method() {
    let drag = steps(|free| 0.6 * free);
    let lopsided = steps(|free| if free > 0.0 { (free - 1.0).max(0.0) } else { (free + 0.5).min(0.0) });
    for data in [drag, lopsided] {
        for experiment in OF_VELOCITIES {
            let (result, findings) = run(request_with_data(experiment, &data, &["starts=[0.5]"]));
            let friction = parameter(&findings, "friction");
            assert!(!friction.identifiable && friction.interval.is_none(), "{experiment}: {friction:?}");
            assert!(
                friction.reason.as_ref().is_some_and(|reason| reason.contains("do not follow dry friction"))
            );
            assert_note(&findings, "friction is not determined: the data do not follow dry friction");
            assert!(result.intervals.starts_with("none"), "{experiment}: {}", result.intervals);
        }
    }
}

#[test]
fn steps_of_dry_friction_with_noise_keep_their_interval() {
    let mut random = Random::seeded(4);
    let noise: Vec<f64> = (0..50).map(|_| random.normal(0.05)).collect();
    let mut noise = noise.into_iter();
    let noise = std::cell::RefCell::new(&mut noise);
    let data = steps(|free| {
        free.signum() * (free.abs() - 1.0).max(0.0) + noise.borrow_mut().next().expect("one for each step")
    });
    for experiment in OF_VELOCITIES {
        let (_, findings) = run(request_with_data(experiment, &data, &["starts=[0.5]"]));
        let friction = parameter(&findings, "friction");
        let [low, high] = friction.interval.unwrap_or_else(|| panic!("{experiment}: {:?}", findings.notes));
        assert!(low < 1.0 && 1.0 < high && friction.level == Some(0.95), "{experiment}: {friction:?}");
    }
}

//! What is said of data that say nothing, or that do not follow what is learned.

use stickslip::learn::data::{PointGenerator, Random, write_point_csv};

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

/// Throws straight down slip by what the noise says only, so that any friction explains them.
#[test]
fn throws_without_slip_leave_the_friction_open_and_determine_the_restitution() {
    let generator = PointGenerator { friction: 0.3, restitution: 0.6, ..PointGenerator::default() };
    let (mut sets, mut silent) = (0, 0);
    for seed in 0..20 {
        let mut throws = generator.generate(5, seed);
        let mut random = Random::seeded(100 + seed);
        for state in throws.iter_mut().flatten() {
            state.position.x = random.normal(generator.position_noise);
            state.velocity.x = random.normal(generator.velocity_noise);
        }
        let mut csv = Vec::new();
        write_point_csv(&throws, &mut csv).expect("memory takes it");
        let csv = String::from_utf8(csv).expect("CSV is text");
        for method in ["method=one-step", "method=shooting"] {
            let (_, findings) = run(request_with_data("particle", &csv, &["contacts=height", method]));
            let friction = parameter(&findings, "friction");
            let [low, high] = friction.interval.expect("noisy data have an interval");
            let line = format!("{method}, seed {seed}: {friction:?}");
            assert!(low < 0.01 && high.is_infinite() && !friction.identifiable, "{line}");
            assert_note(&findings, "friction is not determined");
            sets += 1;
            silent +=
                usize::from(friction.interval == Some([0.0, f64::INFINITY]) && friction.learned.is_nan());
            let restitution = parameter(&findings, "restitution");
            let [low, high] = restitution.interval.expect("noisy data have an interval");
            assert!(low > 0.5 && high < 0.7, "{method}, seed {seed}: {restitution:?}");
        }
    }
    assert!(silent >= sets - 2, "{silent} of {sets} say nothing about the friction");
}

//! What is said of data that say nothing, or that do not follow what is learned.

use stickslip::learn::data::{PointGenerator, Random};

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

/// Dry friction of 0.6 m/s with noise of 5 cm/s, and every number of it `factor` times as large.
fn scaled_steps(factor: f64) -> String {
    let mut random = Random::seeded(11);
    let step = |_| {
        let (velocity, push) = (random.uniform(-2.0, 2.0), random.uniform(-2.0, 2.0));
        let free: f64 = velocity + push;
        let next = free.signum() * (free.abs() - 0.6).max(0.0) + random.normal(0.05);
        format!("{:?},{:?},{:?}\n", velocity * factor, push * factor, next * factor)
    };
    std::iter::once("v,u,v_next\n".to_owned()).chain((0..40).map(step)).collect()
}

#[test]
fn what_is_learned_does_not_depend_on_the_unit_of_the_data() {
    for experiment in OF_VELOCITIES {
        let learn = |factor: f64| {
            let (result, findings) = run(request_with_data(experiment, &scaled_steps(factor), &[]));
            (parameter(&findings, "friction").clone(), result.error, findings.notes.len())
        };
        let (friction, error, notes) = learn(1.0);
        let [low, high] = friction.interval.unwrap_or_else(|| panic!("{experiment}: {friction:?}"));
        // The unit that the data give is a power of two, so that starts are where they were for such a factor only.
        for (factor, is_power) in [(2.0_f64.powi(-17), true), (1e-5, false), (1e4, false)] {
            let (scaled, of_scaled, as_many) = learn(factor);
            let line = format!("{experiment}, {factor}: {scaled:?} beside {friction:?}");
            let close = |one: f64, other: f64| (one - factor * other).abs() < 1e-3 * factor * other.abs();
            let [from, to] = scaled.interval.unwrap_or_else(|| panic!("{line}"));
            assert!(close(scaled.learned, friction.learned) && close(from, low) && close(to, high), "{line}");
            assert!(close(of_scaled, error), "{line}: {of_scaled} beside {error}");
            assert_eq!(scaled.identifiable, friction.identifiable, "{line}");
            assert!(!is_power || as_many == notes, "{line}: {as_many} notes in the place of {notes}");
        }
    }
}

/// A push of the wrong sign: the steps slide, whatever the friction.
#[test]
fn steps_that_no_friction_explains_are_not_said_to_stick() {
    let wrong: String = scaled_steps(1.0)
        .lines()
        .skip(1)
        .map(|line| {
            let [v, u, next]: [f64; 3] = line
                .split(',')
                .map(|part| part.parse().expect("a number"))
                .collect::<Vec<_>>()
                .try_into()
                .expect("three");
            format!("{v},{},{next}\n", -u)
        })
        .collect();
    let faster = "1,2,5\n1,1,4\n-1,-2,-5\n0.4,1,3\n1,0,2.1\n".to_owned();
    for (data, why) in [(wrong, "unit of u"), (faster, "no friction explains the data")] {
        for experiment in OF_VELOCITIES {
            let (_, findings) =
                run(request_with_data(experiment, &format!("v,u,v_next\n{data}"), &["starts=[0.5]"]));
            let friction = parameter(&findings, "friction");
            assert!(!friction.identifiable && friction.interval.is_none(), "{experiment}: {friction:?}");
            assert_note(&findings, why);
            assert!(
                findings.notes.iter().all(|note| !note.contains("stick")),
                "{experiment}: {:?}",
                findings.notes
            );
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
        for row in throws.tosses.iter_mut().flat_map(|toss| &mut toss.states) {
            row.state.position.x = random.normal(generator.position_noise);
            row.state.velocity.x = random.normal(generator.velocity_noise);
        }
        let mut csv = Vec::new();
        throws.write_point_csv(&mut csv).expect("memory takes it");
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

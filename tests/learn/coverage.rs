//! How often the intervals of `particle` hold the truth, and that no verdict is far off it.
//!
//! The data are samples of the continuous motion, with noise of 2 cm/s on velocities and 1 mm on positions.

use std::thread;

use stickslip::learn::Parameter;

use crate::support::{learn, parameter};

/// What happened to one parameter in many data sets.
#[derive(Debug, Default, Clone, Copy)]
struct Tally {
    sets: usize,
    /// Sets that are called no motion of a point, though they are one: they have no intervals.
    misfits: usize,
    /// Intervals that hold the truth.
    inside: usize,
    /// Verdicts that the data determine it.
    determined: usize,
    /// Of these the largest distance from the truth, in widths of the interval.
    farthest: f64,
}

impl Tally {
    fn count(&mut self, parameter: &Parameter) {
        self.sets += 1;
        let (Some([low, high]), Some(truth)) = (parameter.interval, parameter.r#true) else {
            assert!(!parameter.identifiable, "noisy data have an interval: {parameter:?}");
            self.misfits += 1;
            return;
        };
        assert_eq!(parameter.level, Some(0.95));
        self.inside += usize::from(low <= truth && truth <= high);
        if parameter.identifiable {
            assert!(low <= parameter.learned && parameter.learned <= high && high.is_finite());
            self.determined += 1;
            self.farthest = self.farthest.max((parameter.learned - truth).abs() / (high - low));
        }
    }

    fn add(&mut self, other: &Self) {
        self.sets += other.sets;
        self.misfits += other.misfits;
        self.inside += other.inside;
        self.determined += other.determined;
        self.farthest = self.farthest.max(other.farthest);
    }

    fn share(&self) -> f64 {
        self.inside as f64 / (self.sets - self.misfits) as f64
    }
}

/// Learns from data sets of so many throws with the `seeds`, on two threads.
fn tally(throws: usize, seeds: std::ops::Range<u64>, settings: &[&str]) -> [Tally; 2] {
    let part = |odd: u64| {
        let mut tallies = [Tally::default(); 2];
        for seed in seeds.clone().filter(|seed| seed % 2 == odd) {
            let findings = learn("particle", throws, seed, settings);
            tallies[0].count(parameter(&findings, "friction"));
            tallies[1].count(parameter(&findings, "restitution"));
        }
        tallies
    };
    let [mut even, odd] = thread::scope(|scope| {
        [0, 1].map(|odd| scope.spawn(move || part(odd))).map(|worker| worker.join().expect("no panic"))
    });
    even[0].add(&odd[0]);
    even[1].add(&odd[1]);
    even
}

const METHODS: [&str; 2] = ["method=one-step", "method=shooting"];
const CONTACTS: [&str; 3] = ["contacts=known", "contacts=height", "contacts=velocity"];

/// As the long test below, with so few data sets that only a gross error is seen: of 40 intervals at 95 %,
/// fewer than 33 hold the truth once in ten thousand times.
#[test]
fn intervals_hold_the_truth_in_most_of_a_few_data_sets() {
    for (method, contacts, throws) in [
        ("method=one-step", "contacts=known", 1),
        ("method=one-step", "contacts=height", 3),
        ("method=shooting", "contacts=height", 3),
    ] {
        for (name, tally) in
            ["friction", "restitution"].into_iter().zip(tally(throws, 0..40, &[method, contacts]))
        {
            let line = format!("{method} {contacts} throws={throws} {name}: {tally:?}");
            assert!(tally.inside >= 33 && tally.farthest <= 4.0 && tally.misfits <= 1, "{line}");
            assert!(tally.determined >= if throws == 1 { 12 } else { 30 }, "{line}");
        }
    }
}

/// The seeds of the long test begin here, or where `STICKSLIP_FIRST_SEED` says. Of 200 intervals at 95 % fewer than 184
/// hold the truth once in forty times: with other seeds, judge several lots together.
const FIRST_SEED: u64 = 1000;

#[test]
#[ignore = "long: 3600 fits, a few minutes"]
fn intervals_hold_the_truth_in_92_to_98_of_100_data_sets() {
    let first = match std::env::var("STICKSLIP_FIRST_SEED") {
        Ok(text) => text.parse().expect("a whole number"),
        Err(_) => FIRST_SEED,
    };
    println!("seeds from {first}");
    let mut wrong = Vec::new();
    for method in METHODS {
        for contacts in CONTACTS {
            for throws in [1, 3, 10] {
                let tallies = tally(throws, first..first + 200, &[method, contacts]);
                for (name, tally) in ["friction", "restitution"].into_iter().zip(&tallies) {
                    let line = format!("{method} {contacts} throws={throws} {name}: {tally:?}");
                    println!("{line}");
                    let is_wrong = !(0.92..=0.98).contains(&tally.share());
                    if is_wrong || tally.farthest > 4.0 || tally.misfits > 3 {
                        wrong.push(line);
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

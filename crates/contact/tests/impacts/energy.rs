//! No impact makes energy: heaps, stacks and chains that touch, with whatever velocities.

use nalgebra::{SVector, Vector2};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use stickslip_contact::{
    contact::LawSolved,
    world::{Impacts, RigidBody, Scene, StepFailure, Surface, Surfaces},
};

use crate::{
    random_scenes::{falling_box, heap_of_discs, in_space, in_the_plane, with_forces},
    scenes::{Model, Stepped, energy, energy_in_space, models, step, try_step},
};

const ALL: [Impacts; 3] = [Impacts::OneStage, Impacts::TwoStage, Impacts::Incremental];

/// Of the kinetic energy before the impact, what impulses may add: what the cap takes for no work. Interior points end at a tolerance,
/// and leave some of it in one impact of ten thousand.
const NO_WORK: f64 = 1e-9;

/// The same by the velocities after it, which sweeps leave further from what impulses make of them.
const fn missed_momentum(model: &str) -> f64 {
    if model.as_bytes()[0] == b'c' { 1e-7 } else { 1e-9 }
}

/// Impulse in N s from which on a contact counts as taking part in an impact.
const TAKES_PART: f64 = 1e-6;

/// Of the kinetic energy before an impact, what contacts may add to it beyond what forces do in its step. Forces that change
/// velocities by a hundredth act on what blows have left, which counts as done by these.
const fn by_forces(impacts: Impacts) -> f64 {
    if matches!(impacts, Impacts::Incremental) { 1.5e-2 } else { 1e-9 }
}

/// Scenes that have a hundred thousand contacts in impacts by the three laws.
const MANY: usize = 10_000;

const A_HUNDRED_THOUSAND: usize = 100_000;

/// What impacts by one law and one model did.
#[derive(Debug, Default, Clone, Copy)]
struct Tally {
    impacts: usize,
    /// Contacts in impacts, all together.
    contacts: usize,
    /// Most contacts in one.
    most: usize,
    capped: usize,
    unended: usize,
    /// Steps for which a model found no solution to vouch for.
    failed: usize,
    /// The most energy in one beyond what forces did, by its velocities, over that before.
    gained: f64,
    /// The most work of contacts on bodies in one beyond its rounding, over the same.
    work: f64,
}

impl Tally {
    fn and(&self, other: &Self) -> Self {
        Self {
            impacts: self.impacts + other.impacts,
            contacts: self.contacts + other.contacts,
            most: self.most.max(other.most),
            capped: self.capped + other.capped,
            unended: self.unended + other.unended,
            failed: self.failed + other.failed,
            gained: self.gained.max(other.gained),
            work: self.work.max(other.work),
        }
    }

    fn add<P, const D: usize, const N: usize>(
        &mut self,
        stepped: &Result<Stepped<P, D, N>, StepFailure>,
        [before, after]: [f64; 2],
    ) {
        let Ok(stepped) = stepped else {
            self.failed += 1;
            return;
        };
        let contacts = stepped.impulses.iter().filter(|impulse| impulse[0] > TAKES_PART).count();
        if contacts == 0 {
            return;
        }
        self.impacts += 1;
        self.contacts += contacts;
        self.most = self.most.max(contacts);
        self.gained = self.gained.max((after - before + stepped.carried - stepped.forced) / before);
        self.work = self.work.max((stepped.work - stepped.rounding) / before);
        if let Some(impact) = stepped.report.impact {
            self.capped += usize::from(impact.is_capped());
            self.unended += usize::from(!impact.is_ended);
        }
    }
}

/// Parts of a batch that are stepped at once.
const PARTS: u64 = 4;

/// Steps random scenes once each by a model and every law, for each of which there is a tally.
fn tallies<B: RigidBody<D, N>, const D: usize, const N: usize>(
    model: Model<D, N>,
    (seed, count): (u64, usize),
    random_scene: impl Fn(&mut StdRng) -> Scene<B, D> + Sync,
    energy: impl Fn(&Scene<B, D>, &[SVector<f64, N>]) -> f64 + Sync,
) -> [Tally; 3] {
    let part = |number: u64| {
        let mut random = StdRng::seed_from_u64(PARTS * seed + number);
        let mut tallies = [Tally::default(); 3];
        for _ in 0..count / PARTS as usize {
            let scene = random_scene(&mut random);
            let before = energy(&scene, &scene.initial_motion().velocities);
            for (impacts, tally) in ALL.into_iter().zip(&mut tallies) {
                let stepped = try_step(&scene, model(), impacts);
                let after = stepped.as_ref().map_or(f64::NAN, |stepped| energy(&scene, &stepped.struck));
                tally.add(&stepped, [before, after]);
            }
        }
        tallies
    };
    std::thread::scope(|scope| {
        let part = &part;
        let parts: Vec<_> = (0..PARTS).map(|number| scope.spawn(move || part(number))).collect();
        let parts = parts.into_iter().map(|part| part.join().expect("all scenes"));
        parts.fold([Tally::default(); 3], |sum, part| std::array::from_fn(|law| sum[law].and(&part[law])))
    })
}

/// Prints what impacts by one model did, and returns how many contacts took part in them.
fn shown(name: &str, tallies: &[Tally; 3]) -> usize {
    for (impacts, tally) in ALL.into_iter().zip(tallies) {
        println!("{name}, {impacts:?}: {tally:?}");
    }
    tallies.iter().map(|tally| tally.contacts).sum()
}

/// Asserts that a model gained nothing by any law in more than `contacts` contacts of impacts.
fn assert_no_gain(name: &str, tallies: &[Tally; 3], contacts: usize) {
    let all = shown(name, tallies);
    assert!(all > contacts, "{name}: {all} contacts in impacts");
    for (impacts, tally) in ALL.into_iter().zip(tallies) {
        let is_kept = tally.work < NO_WORK && tally.gained < missed_momentum(name);
        assert!(is_kept, "{name}, {impacts:?}: {tally:?}");
        assert!(1000 * tally.failed <= tally.impacts, "{name}, {impacts:?}: {tally:?}");
        assert!(tally.most >= 10, "{name}, {impacts:?}: {tally:?}");
    }
    assert!(tallies.iter().any(|tally| tally.capped > 0), "{name}: {tallies:?}");
}

fn assert_no_gain_in_the_plane(number: usize, batch: (u64, usize), contacts: usize) {
    let (name, model) = models()[number];
    assert_no_gain(name, &tallies(model, batch, in_the_plane, energy), contacts);
}

fn assert_no_gain_in_space(number: usize, batch: (u64, usize), contacts: usize) {
    let (name, model) = models()[number];
    assert_no_gain(name, &tallies(model, batch, in_space, energy_in_space), contacts);
}

#[test]
fn impacts_in_the_plane_gain_nothing() {
    (0..3).for_each(|number| assert_no_gain_in_the_plane(number, (11, 300), 2_500));
}

#[test]
fn impacts_in_space_gain_nothing() {
    (0..3).for_each(|number| assert_no_gain_in_space(number, (12, 150), 1_400));
}

#[test]
#[ignore = "takes a minute"]
fn a_hundred_thousand_contacts_by_lcp_gain_nothing() {
    assert_no_gain_in_the_plane(0, (21, MANY), A_HUNDRED_THOUSAND);
}

#[test]
#[ignore = "takes a minute"]
fn a_hundred_thousand_contacts_by_nlp_gain_nothing() {
    assert_no_gain_in_the_plane(1, (22, MANY), A_HUNDRED_THOUSAND);
}

#[test]
#[ignore = "takes a minute"]
fn a_hundred_thousand_contacts_by_cone_gain_nothing() {
    assert_no_gain_in_the_plane(2, (23, MANY), A_HUNDRED_THOUSAND);
}

#[test]
#[ignore = "takes a minute"]
fn forty_thousand_contacts_in_space_gain_nothing() {
    (0..3).for_each(|number| assert_no_gain_in_space(number, (24, 1_400), 13_334));
}

/// Gravity and springs do work in the step of an impact; what contacts add to that is asked for.
fn forces_leave_little(counts: [usize; 2]) {
    for number in 0..3 {
        let (name, model) = models()[number];
        let scene = |random: &mut StdRng| with_forces(in_the_plane(random), random);
        let plane = tallies(model, (31, counts[0]), scene, energy);
        let (_, model) = models()[number];
        let scene = |random: &mut StdRng| with_forces(in_space(random), random);
        let space = tallies(model, (32, counts[1]), scene, energy_in_space);
        for tallies in [plane, space] {
            shown(name, &tallies);
            for (impacts, tally) in ALL.into_iter().zip(&tallies) {
                assert!(tally.work < by_forces(impacts), "{name}, {impacts:?}: {tally:?}");
                assert!(1000 * tally.failed <= tally.impacts, "{name}, {impacts:?}: {tally:?}");
            }
        }
    }
}

#[test]
fn forces_in_the_step_of_an_impact_leave_little_beyond_what_they_do() {
    forces_leave_little([200, 100]);
}

#[test]
#[ignore = "takes a minute"]
fn forces_in_many_steps_with_impacts_leave_little_beyond_what_they_do() {
    forces_leave_little([2_000, 500]);
}

/// What does not rebound is not held back, whatever forces do in the step: here gravity pulls at what friction stops.
#[test]
fn what_lands_without_a_rebound_is_left_alone() {
    let mut random = StdRng::seed_from_u64(14);
    for index in 0..300 {
        let mut scene = heap_of_discs(&mut random);
        scene.gravity = Vector2::new(random.random_range(-40.0..40.0), -9.81);
        scene.surfaces = Surfaces::uniform(Surface::new(random.random_range(0.0..1.0), 0.0));
        let (name, model) = models()[index % 3];
        for impacts in ALL {
            let report = step(&scene, model(), impacts).report;
            let share = report.impact.map_or(1.0, |impact| impact.share);
            assert!(
                share == 1.0 && report.law != LawSolved::Capped,
                "{index}, {name}, {impacts:?}: {report:?}"
            );
        }
    }
}

/// The angular momentum of a box is kept while its axes turn with it, by 10 mrad in the step.
#[test]
fn boxes_that_turn_in_the_step_of_their_impact_gain_little_by_it() {
    let mut random = StdRng::seed_from_u64(13);
    for index in 0..150 {
        let scene = falling_box(&mut random);
        let before = energy_in_space(&scene, &[scene.bodies[0].twist]);
        let (name, model) = models()[index % 3];
        for impacts in ALL {
            let stepped = step(&scene, model(), impacts);
            let gained = energy_in_space(&scene, &stepped.motion.velocities) / before - 1.0;
            assert!(gained < 1e-2, "{index}, {name}, {impacts:?}: {gained:e}, {:?}", stepped.report);
        }
    }
}

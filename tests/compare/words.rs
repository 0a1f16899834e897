//! Sentences of the report are said only where they are true.

use stickslip::{
    compare::{Comparison, CrossCheck, Merit, match_compliant, measured_impact, paragraph, partings, report},
    gradient::{ExactGradient, Grid, Input},
    metrics::{max_energy_created, max_energy_gain, stop_time},
    scenario::Scenario,
    stepper::StepperName,
    watch::Watch,
};

use crate::{assert_close, compare, slide};

const NLP: StepperName = StepperName::NLP;
const LCP: StepperName = StepperName::LCP;
const CONE: StepperName = StepperName::CONE;
const CONVEX: StepperName = StepperName::CONVEX;
const HYBRID: StepperName = StepperName::HYBRID;
const SMOOTH: StepperName = StepperName::SMOOTH;
const EXACT: StepperName = StepperName::EXACT;

fn read(text: &str) -> Scenario<2> {
    format!("name = \"words\"\n{text}").parse().expect("a scenario in a vertical plane")
}

/// What is said of a stepper.
fn said(comparison: &Comparison<2>, name: StepperName) -> String {
    let entry = comparison.entries.iter().find(|entry| entry.trajectory.stepper == name).expect("it ran");
    paragraph(entry, comparison.truth.as_ref())
}

fn page(comparison: &Comparison<2>) -> String {
    report(comparison, &partings(comparison, 1e-3), 1e-3, None, &[], None)
}

/// A crate of 5 kg that is set down at rest on a belt, which runs 0.2 m above the ground.
const BELT: &str = "duration = 0.6\nstep = 1e-3\n\
    [[body]]\nname = \"crate\"\nshape = \"box\"\nsize = [0.4, 0.3]\nmass = 5.0\nposition = [0.0, 0.35]\n\
    [ground]\nfriction = 0.3\n\
    [[wall]]\nnormal = [0.0, 1.0]\noffset = 0.2\nvelocity = 1.0\n";

#[test]
fn the_work_of_a_belt_is_no_energy_out_of_nothing() {
    let comparison = compare(&read(BELT), &[NLP, LCP]);
    for entry in &comparison.entries {
        let trajectory = &entry.trajectory;
        let name = trajectory.stepper;
        // It takes the crate along: mu m g v dt = 14.7 mJ in a step.
        let speed = trajectory.final_state(0).velocity[0];
        assert_close(speed, 1.0, 1e-6, "the speed of the belt");
        let gain = entry.merit.metrics.max_energy_gain();
        assert!(gain < 1e-6, "{name} gains {gain} J");
        assert_eq!(gain, max_energy_gain(trajectory.track(0)), "{name}");
        assert!(!said(&comparison, name).contains("Gains"), "{}", said(&comparison, name));
        // Half of the work of the belt is what slipping turns into heat.
        let kinetic = 0.5 * 5.0 * speed * speed;
        let created: f64 = max_energy_created(trajectory);
        assert!(created < 1e-3 * kinetic, "{name}: {created} J");
    }
}

const COLLISION: &str = "duration = 1.0\nstep = 1e-3\ngravity = 0.0\n\
    [[body]]\nname = \"a\"\nshape = \"disc\"\nsize = 0.11\nmass = 2.6\nposition = [0.0, 5.0]\nvelocity = [1.3, 0.0]\n\
    [[body]]\nname = \"b\"\nshape = \"disc\"\nsize = 0.11\nmass = 2.6\nposition = [1.0, 5.0]\n\
    [ground]\nfriction = 0.3\n";

#[test]
fn where_no_ground_is_touched_it_gives_nothing_back() {
    let text = said(&compare(&read(COLLISION), &[SMOOTH]), SMOOTH);
    assert!(text.contains("A contact gives back up to") && !text.contains("The ground"), "{text}");
}

/// Two points and a spring in the air: nothing ever touches.
const SPRING: &str = "duration = 0.5\nstep = 1e-2\n\
    [[particle]]\nmass = 1.0\nposition = [0.0, 10.0]\nvelocity = [1.0, 0.0]\n\
    [[particle]]\nmass = 1.0\nposition = [1.0, 10.0]\nvelocity = [0.0, 0.0]\n\
    [ground]\nfriction = 0.3\n[[spring]]\nparticles = [0, 1]\nstiffness = 100.0\n";

#[test]
fn energy_that_comes_from_nowhere_is_not_called_stored() {
    let mut comparison = compare(&read(COLLISION), &[SMOOTH]);
    // From the middle on both go twice as fast.
    let mut gaining = comparison.entries.remove(0).trajectory;
    for body in &mut gaining.bodies {
        body.states[990..].iter_mut().for_each(|state| state.velocity *= 2.0);
    }
    let merit = Merit::of(&gaining, None);
    comparison.entries.push(stickslip::compare::Entry { trajectory: gaining, merit, detection: None });
    let text = said(&comparison, SMOOTH);
    assert!(text.contains("Creates energy") && !text.contains("stored"), "{text}");
}

const BACKSPIN: &str = "duration = 0.5\nstep = 1e-3\n\
    [[body]]\nname = \"disc\"\nshape = \"disc\"\nsize = 0.1\nmass = 1.0\nposition = [0.0, 0.1]\nvelocity = [1.0, 0.0]\n\
    spin = 30.0\n[ground]\nfriction = 0.3\n";

#[test]
fn of_a_body_that_slides_and_rolls_nobody_says_that_nothing_happens() {
    let comparison = compare(&read(BACKSPIN), &[NLP, EXACT]);
    let text = said(&comparison, EXACT);
    assert!(text.starts_with("The reference.") && !text.contains("Nothing happens"), "{text}");
    let page = page(&comparison);
    assert!(page.contains("Events are recorded of points only") && !page.contains("one mode of motion"));
}

/// A particle that slides at 5 m/s in steps of 10 ms.
fn glide() -> Scenario<2> {
    read(
        "duration = 0.5\nstep = 1e-2\n[particle]\nmass = 1.0\nposition = [0.0, 0.0]\nvelocity = [5.0, 0.0]\n\
         [ground]\nfriction = 0.3\n",
    )
}

#[test]
fn the_nearest_model_is_that_at_the_least_distance_in_space() {
    // The convex model is 5.6 and 5.7 mm off along the axes, and 8.04 mm in all; the rigid one 7.36 mm.
    let comparison = compare(&glide(), &[LCP, CONVEX, EXACT]);
    let page = page(&comparison);
    assert!(
        page.contains("lcp is 7.36 mm away from it, the nearest of all; the farthest, convex, gets 8.04")
    );
    let convex = said(&comparison, CONVEX);
    assert!(
        convex.contains("Ends 8.04 mm from the exact motion; the largest distance is 8.04 mm, at"),
        "{convex}"
    );
}

#[test]
fn what_slides_at_the_end_does_not_rest() {
    let comparison = compare(&glide(), &[CONVEX, EXACT]);
    let text = said(&comparison, CONVEX);
    assert!(text.contains("Ends at z = -5.74 mm, below") && !text.contains("Rests"), "{text}");
}

#[test]
fn micrometres_are_measured_by_micrometres() {
    let tiny = "duration = 5e-4\nstep = 1e-5\n[particle]\nmass = 1e-9\nposition = [0.0, 5e-8]\nvelocity = [3e-4, -1e-3]\n\
        [ground]\nfriction = 0.4\nrestitution = 0.5\n";
    let comparison = compare(&read(tiny), &[HYBRID, NLP, SMOOTH, EXACT]);
    for name in [HYBRID, NLP, SMOOTH] {
        let text = said(&comparison, name);
        assert!(!text.contains("Follows the exact motion"), "{name}: {text}");
    }
    let smooth = said(&comparison, SMOOTH);
    assert!(smooth.contains("Penetrates the ground"), "{smooth}");
    // What is right to rounding is still said to be.
    let mut resting = slide();
    (resting.bodies[0].position[1], resting.bodies[0].velocity[0], resting.duration) = (0.0, 0.0, 0.1);
    let text = said(&compare(&resting, &[LCP, EXACT]), LCP);
    assert!(text.contains("Follows the exact motion"), "{text}");
}

#[test]
fn nothing_that_friction_cannot_stop_has_stopped() {
    let slow = |friction: f64| {
        read(&format!(
            "duration = 20.0\nstep = 1e-2\n[particle]\nmass = 1.0\nposition = [0.0, 0.0]\nvelocity = [9e-4, 0.0]\n\
             [ground]\nfriction = {friction:?}\n"
        ))
    };
    let comparison = compare(&slow(0.0), &[LCP, CONVEX, EXACT]);
    // What is right to the last digit is the nearest, too.
    assert!(page(&comparison).contains("To within rounding, lcp follows it; the farthest, convex, gets"));
    for entry in &comparison.entries {
        let name = entry.trajectory.stepper;
        assert_eq!(entry.merit.metrics.stop_time(), None, "{name}");
        assert_eq!(stop_time(entry.trajectory.track(0)), None, "{name}");
        let text = said(&comparison, name);
        assert!(!text.contains("Creeps") && !text.contains("drift"), "{name}: {text}");
        assert!(!text.contains("should stick"), "{name}: {text}");
    }
    // With friction it stops in the first step.
    let stopped = compare(&slow(0.3), &[LCP]);
    assert_close(stopped.entries[0].merit.metrics.stop_time().expect("it stops"), 0.0, 1e-12, "stop time");
}

#[test]
fn what_is_thrown_up_does_not_stop_where_it_turns() {
    // At its highest place at the end, exactly: everything is a binary fraction.
    let thrown = read(
        "duration = 0.5\nstep = 0.125\ngravity = 10.0\n[particle]\nmass = 1.0\nposition = [0.0, 0.0]\n\
         velocity = [0.0, 5.0]\n[ground]\nfriction = 0.3\n",
    );
    for entry in &compare(&thrown, &[LCP, HYBRID, EXACT]).entries {
        let end = entry.trajectory.bodies[0].states.last().expect("it moves");
        assert_eq!(end.velocity.norm(), 0.0, "{}", entry.trajectory.stepper);
        assert_eq!(entry.merit.metrics.stop_time(), None, "{}", entry.trajectory.stepper);
    }
    let inputs = [Input::Velocity(1)];
    let exact = ExactGradient::new(&thrown, &inputs, Grid::new(thrown.time()), &Watch::none());
    assert_eq!(exact.expect("there are no pushes").stop, None);
}

#[test]
fn solvers_that_part_are_said_to() {
    let trajectory = compare(&slide(), &[NLP]).entries.remove(0).trajectory;
    let check = |by: f64| {
        let mut other = trajectory.clone();
        other.bodies[0].states[700].position[0] += by;
        CrossCheck::of(&trajectory, &other).expect("both have a solver")
    };
    let (near, far, none) = (check(1e-6), check(3e-3), check(f64::NAN));
    assert!(!near.parts && near.to_string().contains("the motions are at most"), "{near}");
    assert!(far.parts && none.parts);
    let text = far.to_string();
    assert!(
        text.contains("the motions part, and get at most 3.00 mm") && text.contains("several solutions"),
        "{text}"
    );
}

#[test]
fn a_matched_restitution_is_not_ignored() {
    let mut ball = slide();
    ball.bodies[0].velocity[0] = 0.0;
    ball.ground.restitution = 0.5;
    let matched = match_compliant(&ball, &Watch::none()).expect("it matches");
    let mut comparison = compare(&matched.scenario, &[SMOOTH, CONVEX, EXACT]);
    assert!(said(&comparison, CONVEX).contains("is ignored"));
    matched.credit(&mut comparison);
    for name in [SMOOTH, CONVEX] {
        assert!(!said(&comparison, name).contains("is ignored"), "{}", said(&comparison, name));
    }
    // Of which speeds rebound alike, it says what holds.
    let [slowest, fastest] = matched.alike;
    let text = matched.to_string();
    assert!(slowest < matched.speed && matched.speed < fastest, "{text}");
    assert!(!text.contains("any speed") && text.contains("alike, to within 0.03, from"), "{text}");
    let off = |speed: f64| {
        let off = matched.choices.iter().map(|choice| {
            let there = measured_impact(&matched.scenario, choice.stepper, speed).expect("an impact");
            (there.restitution - choice.impact.restitution).abs()
        });
        off.fold(0.0, f64::max)
    };
    assert!(off(slowest) <= 0.03 && off(fastest) <= 0.03, "{text}");
    assert!(off(0.5 * slowest) > 0.03, "{text}: the next slower ones differ");
}

#[test]
fn one_step_is_no_steps() {
    let mut once = glide();
    once.duration = once.step;
    assert!(page(&compare(&once, &[LCP, CONE, EXACT])).contains(" in 1 step of 10 ms."));
}

/// A point that is pressed to the ground with 5 N, with this gravity.
fn pressed(gravity: f64) -> Scenario<2> {
    read(&format!(
        "duration = 0.1\nstep = 1e-3\ngravity = {gravity:?}\n[particle]\nmass = 1.0\nposition = [0.0, 0.0]\n\
         velocity = [0.0, 0.0]\n[ground]\nfriction = 0.3\n[[push]]\nforce = [0.0, -5.0]\n"
    ))
}

#[test]
fn without_a_weight_nothing_is_measured_by_it() {
    for (gravity, of) in [(9.81, "% of the weight"), (0.0, "% of the mean normal force")] {
        let mut comparison = compare(&pressed(gravity), &[LCP]);
        let mut noisy = comparison.entries.remove(0).trajectory;
        for (k, record) in noisy.bodies[0].steps.iter_mut().enumerate() {
            record.force[1] += if k % 2 == 0 { 0.5 } else { -0.5 };
        }
        let merit = Merit::of(&noisy, None);
        comparison.entries.push(stickslip::compare::Entry { trajectory: noisy, merit, detection: None });
        let text = said(&comparison, LCP);
        assert!(text.contains("has a noise of") && text.contains(of) && !text.contains("inf"), "{text}");
    }
    let quiet = compare(&pressed(0.0), &[LCP]);
    assert!(!said(&quiet, LCP).contains("noise"), "{}", said(&quiet, LCP));
}

/// The exact motion of the slide, moved by so many metres along the ground, as those of two steppers.
fn moved(by: [f64; 3]) -> Comparison<2> {
    let mut comparison = compare(&slide(), &[LCP, CONVEX, NLP, EXACT]);
    let truth = comparison.truth.clone().expect("an exact motion");
    for (entry, by) in comparison.entries.iter_mut().zip(by) {
        let stepper = entry.trajectory.stepper;
        entry.trajectory = truth.trajectory.clone();
        entry.trajectory.stepper = stepper;
        entry.trajectory.bodies[0].states[1..].iter_mut().for_each(|state| state.position[0] += by);
        entry.merit = Merit::of(&entry.trajectory, Some(&truth));
    }
    comparison
}

#[test]
fn of_several_that_are_equally_near_none_is_the_nearest() {
    for (by, told) in [
        ([1e-3, -1e-3, 1e-3], "At their worst, all models are 1.00 mm away from it."),
        (
            [1e-3, 2e-3, -1e-3],
            "At their worst, no model stays nearer to it than 1.00 mm; the farthest, convex, gets 2.00 mm away.",
        ),
        ([0.0, 1e-16, -1e-16], "To within rounding, all models follow it."),
    ] {
        let page = page(&moved(by));
        let start = page.find(" Errors are distances").expect("an introduction");
        assert!(page.contains(told) && !page.contains("nearest of all"), "{}", &page[start..start + 400]);
    }
}

#[test]
fn what_stops_late_does_not_creep() {
    let comparison = compare(&slide(), &[EXACT]);
    let truth = comparison.truth.expect("an exact motion");
    let late = |states: usize| {
        // It stands still in the air for a while before it falls, and so stops later.
        let mut late = truth.trajectory.clone();
        late.stepper = HYBRID;
        let motion = &mut late.bodies[0];
        let last = motion.states.len() - 1;
        for k in (0..=last).rev() {
            motion.states[k] = motion.states[k.saturating_sub(states)];
        }
        let merit = Merit::of(&late, Some(&truth));
        let drift = merit.drift_after_stop;
        let entry = stickslip::compare::Entry { trajectory: late, merit, detection: None };
        (drift, paragraph(&entry, Some(&truth)))
    };
    // The exact motion stops at 1.02 s of 1.2 s.
    let (drift, text) = late(100);
    assert_close(drift.expect("it stops in time"), 0.0, 1e-12, "drift");
    assert!(!text.contains("Creeps"), "{text}");
    let (drift, text) = late(150);
    assert!(drift.is_none() && !text.contains("Creeps"), "{text}");
    let (drift, text) = late(300);
    assert!(drift.expect("it never stops") > 1e-3 && text.contains("Slides on for"), "{text}");
}

#[test]
fn the_place_of_many_is_called_that_of_their_centre_of_mass() {
    let [many, one] = [SPRING, BELT].map(|text| page(&compare(&read(text), &[SMOOTH, CONVEX])));
    assert!(many.contains("centre of mass x [m]") && !many.contains("final x [m]"));
    assert!(one.contains("final x [m]") && !one.contains("centre of mass x [m]"));
}

#[test]
fn rounding_is_no_distance_from_the_mean() {
    let spring = read(SPRING);
    let mut comparison = Comparison::<2>::run(
        &spring,
        &[SMOOTH, CONVEX],
        stickslip::simulate::OnFailure::Stop,
        &Watch::none(),
    );
    for (position, told) in [(2e-15, "to within rounding."), (2e-9, "get up to 2.00 nm from the mean")] {
        for entry in &mut comparison.entries {
            let deviation = entry.merit.deviation.as_mut().expect("no exact motion");
            (deviation.position, deviation.angle) = (position, None);
        }
        let text = said(&comparison, SMOOTH);
        assert!(text.contains(told) && !text.contains("pm"), "{text}");
    }
}

#[test]
fn what_still_bounces_at_the_end_does_not_rest_and_has_no_drift() {
    // At steps of 10 ms the spring under the point is so soft that it swings out for longer than the run.
    let scenario = read(
        "duration = 0.9\nstep = 1e-2\n[particle]\nmass = 0.37\nposition = [0.0, 0.31]\nvelocity = [1.3, 0.2]\n\
         [ground]\nfriction = 0.23\nrestitution = 0.45\n",
    );
    let comparison = compare(&scenario, &[SMOOTH, HYBRID, EXACT]);
    let merit = |name| {
        let mut entries = comparison.entries.iter();
        &entries.find(|entry| entry.trajectory.stepper == name).expect("it ran").merit
    };
    assert_eq!((merit(SMOOTH).metrics.stop_time(), merit(SMOOTH).drift_after_stop), (None, None));
    let text = said(&comparison, SMOOTH);
    assert!(text.contains("Ends at z = -10.4 mm, below the surface"), "{text}");
    assert!(!text.contains("Rests") && !text.contains("stop"), "{text}");
    assert_eq!(merit(HYBRID).drift_after_stop, Some(0.0));
    assert!(said(&comparison, HYBRID).contains("Does not drift after the stop."));
}

use stickslip::{
    compare::{Entry, default_families, paragraph, write_metrics},
    scenario::Push,
    stepper::StepperName,
};

use crate::{assert_close, compare, published, slide};

const NLP: StepperName = StepperName::NLP;
const LCP: StepperName = StepperName::LCP;
const HYBRID: StepperName = StepperName::HYBRID;
const SMOOTH: StepperName = StepperName::SMOOTH;
const EXACT: StepperName = StepperName::EXACT;

const NAMES: [StepperName; 4] = [NLP, HYBRID, SMOOTH, EXACT];

fn entry(entries: &[Entry<2>], name: StepperName) -> &Entry<2> {
    entries.iter().find(|entry| entry.trajectory.stepper == name).unwrap()
}

#[test]
fn slide_is_measured_as_it_is() {
    let comparison = compare(&published(slide()), &NAMES);
    let merit = |name| &entry(&comparison.entries, name).merit;

    // First order: the error at the end is dt vx0/2.
    for name in [NLP, HYBRID] {
        assert_close(merit(name).metrics.max_error.unwrap()[0], 5e-4, 5e-6, "x error");
        assert_close(merit(name).impulse_error.unwrap(), 0.0, 1e-6, "impulse error");
        assert_close(merit(name).deceleration_error.unwrap(), 0.0, 1e-4, "deceleration error");
        assert_close(merit(name).drift_after_stop.unwrap(), 0.0, 1e-9, "drift");
    }
    let smooth = merit(SMOOTH);
    assert_close(smooth.metrics.max_error.unwrap()[1], 0.0133, 1e-4, "rest height");
    assert!(smooth.impulse_error.unwrap().abs() > 1e-3);
    // Explicit Euler gains m g^2 dt^2/2 in a step of free flight.
    assert_close(merit(HYBRID).metrics.max_energy_gain(), 10.0 * 9.81 * 9.81 * 0.5e-6, 1e-9, "energy gain");
    let exact = merit(EXACT);
    // The reference has no error, and a time step's complementarity is no law of steppers that resolve
    // the instant of an impact; all others are held to the same measure.
    assert_eq!(exact.metrics.max_error, None);
    for (name, measured) in [(EXACT, false), (HYBRID, false), (NLP, true), (SMOOTH, true)] {
        assert_eq!(merit(name).metrics.max_complementarity().is_some(), measured, "{name}");
    }
}

/// What slides from 2 m/s stops after v^2/(2 mu g); what is put on a belt slips on it by the same; what rolls does not slip.
#[test]
fn the_way_of_a_slip_is_that_of_the_surfaces_on_each_other() {
    let way = |scenario: &stickslip::scenario::Scenario<2>, name| {
        let comparison = compare(scenario, &[name]);
        comparison.entries[0].merit.metrics.get("slip_distance").expect("something touches")
    };
    let in_plane = |text: &str| match stickslip::scenario::parse_scenario("slip.toml", text, &[]) {
        Ok(stickslip::scenario::AnyScenario::InPlane(scenario)) => scenario,
        other => panic!("{other:?}"),
    };
    let expected = 4.0 / (2.0 * 0.5 * 9.81);
    let ground = "name = \"slip\"\nduration = 1.0\nstep = 1e-3\n[ground]\nfriction = 0.5\n";
    let body = |shape: &str, height: f64, rest: &str| {
        in_plane(&format!("{ground}[[body]]\n{shape}\nmass = 1.0\nposition = [0.0, {height}]\n{rest}"))
    };
    let point =
        in_plane(&format!("{ground}[particle]\nmass = 1.0\nposition = [0.0, 0.0]\nvelocity = [2.0, 0.0]\n"));
    let block = body("shape = \"box\"\nsize = [0.4, 0.1]", 0.05, "velocity = [2.0, 0.0]");
    let belt = "[[wall]]\nnormal = [0.0, 1.0]\noffset = 1.0\nvelocity = 2.0";
    let carried = body("shape = \"box\"\nsize = [0.4, 0.1]", 1.05, belt);
    let disc = body("shape = \"disc\"\nsize = 0.1", 0.1, "velocity = [2.0, 0.0]\nspin = -20.0");
    for name in [NLP, LCP, StepperName::CONE] {
        for scenario in [&point, &block, &carried] {
            // By rows of the end of a step the speeds of the steps add up to half a step less.
            assert_close(way(scenario, name), expected, 2.0 * 1e-3, "way");
        }
        let rolls = way(&disc, name);
        assert!(rolls < 1e-6, "{name}: what rolls slips by {rolls} m");
    }
    assert_close(way(&point, EXACT), expected, 2.0 * 1e-3, "way of the exact motion");
}

#[test]
fn steps_that_are_divided_at_impacts_are_not_held_to_the_complementarity_of_a_whole_one() {
    let mut scenario = slide();
    scenario.ground.restitution = 0.45;
    scenario.steppers.lcp.time_of_impact = true;
    let comparison = compare(&scenario, &[LCP]);
    assert_eq!(comparison.entries[0].merit.metrics.max_complementarity(), None);
}

#[test]
fn creep_and_wrong_friction_are_seen() {
    // A creeping trajectory, made from an exact one.
    let mut comparison = compare(&slide(), &[EXACT]);
    let truth = comparison.truth.take().unwrap();
    let mut creeping = truth.trajectory.clone();
    creeping.stepper = HYBRID;
    for (k, state) in creeping.bodies[0].states.iter_mut().enumerate() {
        state.position[0] += 1e-6 * k as f64;
        if (460..1019).contains(&k) {
            state.velocity[0] *= 1.1;
        }
    }
    let merit = stickslip::compare::Merit::of(&creeping, Some(&truth));
    // From 50 ms after the stop at 1.02 s to 1.2 s are 130 steps.
    assert_close(merit.drift_after_stop.unwrap(), 130e-6, 1e-9, "drift");
    assert_close(merit.deceleration_error.unwrap(), -0.1, 1e-9, "deceleration error");
    let text = paragraph(&Entry { trajectory: creeping, merit, detection: None }, Some(&truth));
    assert!(text.contains("Creeps 130 µm") && text.contains("a rate that is 10.0 % off"), "{text}");
}

#[test]
fn paragraphs_name_the_artefacts() {
    let comparison = compare(&published(slide()), &NAMES);
    let text = |name| paragraph(entry(&comparison.entries, name), comparison.truth.as_ref());
    assert!(text(SMOOTH).contains("Rests at z = 13.3 mm, above the ground"), "{}", text(SMOOTH));
    assert!(text(HYBRID).contains("Gains up to 481 µJ"), "{}", text(HYBRID));
    assert!(text(NLP).contains("Does not drift"), "{}", text(NLP));
    assert!(text(EXACT).contains("impact at 0.451524 s, sliding stops at 1.019368 s"), "{}", text(EXACT));
}

#[test]
fn default_is_every_family_that_admits_the_scenario() {
    let mut scenario = published(slide());
    scenario.duration = 0.1;
    scenario.step = 5e-3;
    let comparison = compare(&scenario, &default_families(&scenario));
    let ran: Vec<_> = comparison.entries.iter().map(|entry| entry.trajectory.stepper).collect();
    assert!(ran.contains(&NLP) && ran.contains(&HYBRID) && ran.contains(&EXACT), "{ran:?}");
    assert!(!ran.contains(&SMOOTH));
    let refusal = comparison.refused.iter().find(|refusal| refusal.stepper == SMOOTH).unwrap();
    assert!(refusal.reason.contains("stable"), "{refusal}");
}

#[test]
fn failed_stepper_does_not_stop_the_others() {
    let mut scenario = slide();
    scenario.step = 1.5e-3;
    scenario.steppers.smooth.law =
        stickslip::scenario::SmoothLaw::HuntCrossley { stiffness: None, damping: None };
    scenario.pushes = vec![Push::constant([0.0, -1e6])];
    let comparison = compare(&scenario, &[SMOOTH, HYBRID, EXACT]);
    assert_eq!(comparison.entries.len(), 3);
    let smooth = entry(&comparison.entries, SMOOTH);
    assert!(smooth.trajectory.first_failure.is_some());
    let text = paragraph(smooth, comparison.truth.as_ref());
    assert!(text.starts_with("Ends at step"), "{text}");
    assert_eq!(entry(&comparison.entries, HYBRID).trajectory.steps.len(), 800);
}

#[test]
fn metrics_table_has_a_row_per_stepper() {
    let comparison = compare(&slide(), &[HYBRID, EXACT]);
    let mut text = Vec::new();
    write_metrics(&comparison, &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[0].starts_with("stepper,ending,steps,final_x,final_z,stop_time,max_error_x,max_error_z,"));
    assert!(lines[1].starts_with("hybrid,complete,1200,0.61018"), "{}", lines[1]);
    assert!(lines.iter().all(|line| line.split(',').count() == lines[0].split(',').count()));
}

//! Which solvers and settings the models of bodies take, and what they say of the others.

use stickslip::{
    scenario::{LcpSolverChoice, NlpSolverChoice, Pair, Partner, RestitutionLaw, Scenario, Wall},
    simulate::simulate,
    stepper::{BuildStepper, StepperName},
};

use crate::scenes::{difference, example, run};

/// IPOPT on the relaxed program and the structured interior point share nothing but the law.
#[cfg(feature = "ipopt")]
#[test]
fn nlp_by_ipopt_is_nlp_by_the_structured_solver() {
    for (name, duration) in [("rod-drop", "0.34"), ("tipping-box", "0.1"), ("stack", "0.02")] {
        let scenario = example(name, &[&format!("duration={duration}")]);
        let structured = run(&scenario, StepperName::NLP);
        let mut by_ipopt = scenario.clone();
        by_ipopt.steppers.nlp.solver = Some(NlpSolverChoice::Ipopt);
        let ipopt = run(&by_ipopt, StepperName::NLP);
        assert_eq!(ipopt.solver.as_ref().map(|solver| solver.name.as_str()), Some("IPOPT"));
        assert!(ipopt.steps.iter().any(|step| step.report.iterations > 0));
        let off = difference(&structured, &ipopt);
        assert!(off < 1e-5, "{name}: {off:e}");
    }
}

/// Sweeps, and impulses that all contacts find at once.
#[test]
fn the_parts_of_cone_by_themselves_move_bodies_as_cone_does() {
    for (name, duration) in [("rod-drop", "0.34"), ("tipping-box", "0.1"), ("stack", "0.1")] {
        let scenario = example(name, &[&format!("duration={duration}")]);
        let [whole, sweeps, directions] =
            ["cone", "cone:gauss-seidel", "cone:alternating-directions"].map(|stepper| {
                let trajectory = run(&scenario, stepper.parse().expect("a stepper"));
                assert_eq!(trajectory.failed_steps(), 0, "{name} by {stepper}");
                trajectory
            });
        for part in [&sweeps, &directions] {
            let off = difference(&whole, part);
            assert!(off < 1e-6, "{name} by {}: {off:e}", part.stepper);
        }
    }
}

#[test]
fn interior_point_of_a_point_refuses_bodies_and_names_the_solvers_that_do_not() {
    let mut scenario = example("rod-drop", &[]);
    scenario.steppers.nlp.solver = Some(NlpSolverChoice::InteriorPoint);
    let refusal = scenario.stepper(StepperName::NLP).err().unwrap().to_string();
    for word in ["interior-point", "single point", "\"structured\"", "\"ipopt\""] {
        assert!(refusal.contains(word), "{refusal}");
    }
}

#[test]
fn settings_that_bodies_have_no_use_for_are_named() {
    let mut scenario = example("rod-drop", &["duration=0.002"]);
    scenario.steppers.nlp.warm_start = false;
    scenario.steppers.lcp.solver = Some(LcpSolverChoice::Enumeration);
    scenario.steppers.lcp.restitution = RestitutionLaw::Poisson;
    let ignored = |name: StepperName| -> Vec<&str> {
        let mut stepper = scenario.stepper(name).unwrap();
        let ignored = simulate(&scenario, stepper.as_mut()).ignored();
        ignored.iter().map(|ignored| ignored.key).collect()
    };
    assert_eq!(ignored(StepperName::NLP), ["stepper.nlp.warm_start"]);
    assert_eq!(ignored(StepperName::LCP), ["stepper.lcp.solver", "stepper.lcp.restitution"]);
    assert!(ignored(StepperName::CONE).is_empty());
}

#[test]
fn restitution_of_a_wall_or_a_pair_that_stiffness_decides_is_named() {
    let mut scenario = example("rod-drop", &["duration=0.002"]);
    let named = |scenario: &Scenario<2>, name: StepperName| -> Vec<(&str, String)> {
        let mut stepper = scenario.stepper(name).unwrap();
        let ignored = simulate(scenario, stepper.as_mut()).ignored();
        ignored.into_iter().map(|ignored| (ignored.key, ignored.value)).collect()
    };
    scenario.ground.restitution = 0.0;
    scenario.walls =
        vec![Wall::new([1.0, 0.0], -9.0), Wall { restitution: Some(0.7), ..Wall::new([-1.0, 0.0], -9.0) }];
    let ground = Partner::Ground;
    scenario.pairs = vec![Pair { restitution: Some(0.8), ..Pair::between(0, ground) }];
    for name in [StepperName::CONVEX, StepperName::SMOOTH] {
        let expected = [("wall.restitution", "0.7".to_owned()), ("pair.restitution", "0.8".to_owned())];
        assert_eq!(named(&scenario, name), expected, "{name}");
    }
    assert!(named(&scenario, StepperName::NLP).is_empty());
    scenario.walls[1].restitution = Some(0.0);
    scenario.pairs.clear();
    assert!(named(&scenario, StepperName::CONVEX).is_empty());
}

//! What is compared by default, and what is taken together.

use stickslip::{
    compare::{Comparison, default_steppers, default_tolerance},
    scenario::{Push, Scenario},
    stepper::StepperName,
};

use crate::{compare, slide};

const NLP: StepperName = StepperName::NLP;
const LCP: StepperName = StepperName::LCP;
const LCP_ANITESCU: StepperName = StepperName::LCP_ANITESCU;
const LCP_FALLING_BLOCK: StepperName = StepperName::LCP_FALLING_BLOCK;
const LCP_FORWARD: StepperName = StepperName::LCP_FORWARD;
const LCP_DIRECT: StepperName = StepperName::LCP_DIRECT;
const LCP_DIRECT2: StepperName = StepperName::LCP_DIRECT2;
const LCP_TRADITIONAL: StepperName = StepperName::LCP_TRADITIONAL;
const LCP_MIXED: StepperName = StepperName::LCP_MIXED;
const LCP_BELBUTE_PERES: StepperName = StepperName::LCP_BELBUTE_PERES;
const LCP_POLYHEDRAL: StepperName = StepperName::LCP_POLYHEDRAL;
const LCP_FIXED_POINT: StepperName = StepperName::LCP_FIXED_POINT;
const CONVEX: StepperName = StepperName::CONVEX;
const HYBRID: StepperName = StepperName::HYBRID;
const SMOOTH: StepperName = StepperName::SMOOTH;
const EXACT: StepperName = StepperName::EXACT;

/// At rest on the ground, then pushed hard enough to slide.
fn pushed() -> Scenario<2> {
    let mut scenario = slide();
    scenario.bodies[0].position[1] = 0.0;
    scenario.bodies[0].velocity[0] = 0.0;
    scenario.duration = 0.3;
    scenario.pushes = vec![Push { from: Some(0.05), ..Push::constant([15.0, 0.0]) }];
    scenario
}

fn names<const D: usize>(comparison: &Comparison<D>) -> Vec<StepperName> {
    comparison.entries.iter().map(|entry| entry.trajectory.stepper).collect()
}

#[test]
fn block_on_the_ground_is_compared_by_every_formulation_for_blocks() {
    let mut comparison = compare(&pushed(), &default_steppers(&pushed()));
    comparison.set_failed_formulations_aside();
    assert_eq!(
        names(&comparison),
        [
            NLP,
            LCP,
            LCP_ANITESCU,
            LCP_FORWARD,
            LCP_DIRECT,
            LCP_TRADITIONAL,
            LCP_MIXED,
            LCP_BELBUTE_PERES,
            CONVEX,
            HYBRID,
            SMOOTH,
            EXACT
        ]
    );
    let reason = |name| {
        let refused = comparison.refused.iter().find(|refusal| refusal.stepper == name);
        refused.map_or_else(|| panic!("{name} is not refused"), |refusal| refusal.reason.clone())
    };
    assert!(reason(LCP_FALLING_BLOCK).contains("no horizontal motion"));
    assert!(reason(LCP_POLYHEDRAL).contains("over a plane"));
    let infeasible = reason(LCP_DIRECT2);
    assert!(infeasible.contains("t = 0.05 s") && infeasible.contains("infeasible"), "{infeasible}");
}

#[test]
fn point_over_a_plane_is_compared_by_every_formulation_for_planes() {
    let mut scenario = Scenario::<3>::new("over-a-plane");
    scenario.duration = 0.2;
    scenario.bodies[0].velocity = [1.0, 0.3, 0.0].into();
    scenario.ground.friction = 0.1;
    let comparison = compare(&scenario, &default_steppers(&scenario));
    let of_bodies_too = [NLP, LCP, StepperName::LCP_ANITESCU];
    let expected = [LCP_POLYHEDRAL, LCP_FIXED_POINT, CONVEX, HYBRID, SMOOTH, EXACT];
    assert_eq!(names(&comparison), [&of_bodies_too[..], &expected].concat());
    assert!(comparison.refused.iter().any(|refusal| refusal.stepper == LCP_DIRECT2));
}

#[test]
fn failure_of_a_family_is_not_set_aside() {
    let mut scenario = slide();
    scenario.step = 1.5e-3;
    scenario.steppers.smooth.law =
        stickslip::scenario::SmoothLaw::HuntCrossley { stiffness: None, damping: None };
    scenario.pushes = vec![Push::constant([0.0, -1e6])];
    let mut comparison = compare(&scenario, &[SMOOTH, EXACT]);
    comparison.set_failed_formulations_aside();
    assert_eq!(names(&comparison), [SMOOTH, EXACT]);
}

#[test]
fn formulations_with_one_solution_are_taken_together_and_families_are_not() {
    let comparison = compare(&pushed(), &default_steppers(&pushed()));
    let groups = comparison.alike();
    let lcp = groups.iter().find(|group| group.entry.trajectory.stepper == LCP).unwrap();
    assert_eq!(lcp.label(), "lcp and 6 others");
    assert_eq!(
        comparison.note_on_alike(),
        "on the curve of lcp: anitescu, forward, direct, traditional, mixed, belbute-peres"
    );
    assert!(lcp.max_distance() < 1e-9);
    for name in [NLP, CONVEX, HYBRID, EXACT] {
        let group = groups.iter().find(|group| group.entry.trajectory.stepper == name).unwrap();
        assert_eq!(group.label(), name.to_string());
    }
}

#[test]
fn formulation_that_differs_at_the_impact_has_a_curve_of_its_own() {
    let comparison = compare(&slide(), &[LCP, LCP_ANITESCU, LCP_BELBUTE_PERES]);
    let groups = comparison.alike();
    let labels: Vec<String> = groups.iter().map(|group| group.label()).collect();
    assert_eq!(labels, ["lcp, belbute-peres", "lcp:anitescu"]);
}

#[test]
fn default_tolerance_is_the_way_of_the_fastest_step() {
    let tolerance = default_tolerance(&compare(&slide(), &[HYBRID, EXACT]));
    // 1 ms at the speed before the impact, hypot(1, 4.43) m/s.
    assert!((tolerance - 4.54e-3).abs() < 1e-5, "{tolerance}");
    let mut at_rest = pushed();
    at_rest.pushes.clear();
    assert!(default_tolerance(&compare(&at_rest, &[HYBRID, EXACT])) > 0.0);
}

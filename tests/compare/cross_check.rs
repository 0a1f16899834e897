//! The two solvers of `nlp` against each other.

use stickslip::{
    compare::{Comparison, CrossCheck},
    model::Vector,
    scenario::{Body, NlpSolverChoice, Push, Scenario, Shape},
    stepper::StepperName,
};

use crate::{compare, slide};

const NLP: StepperName = StepperName::NLP;
const HYBRID: StepperName = StepperName::HYBRID;

fn checked<const D: usize>(comparison: &Comparison<D>) -> &CrossCheck {
    comparison.cross_check.as_ref().expect("nlp is among the steppers")
}

#[test]
fn the_chosen_solver_comes_first_and_the_other_checks_it() {
    let mut scenario = slide();
    for (choice, names) in [
        (None, ["IPOPT", "interior-point"]),
        (Some(NlpSolverChoice::Ipopt), ["IPOPT", "interior-point"]),
        (Some(NlpSolverChoice::InteriorPoint), ["interior-point", "IPOPT"]),
    ] {
        scenario.steppers.nlp.solver = choice;
        let comparison = compare(&scenario, &[HYBRID, NLP]);
        let check = checked(&comparison);
        assert_eq!(check.runs.each_ref().map(|run| run.solver.name.as_str()), names);
        assert_eq!(comparison.entries[1].trajectory.solver.as_ref(), Some(&check.runs[0].solver));
        assert!(check.runs.iter().all(|run| run.rescued == 0 && run.failed == 0));
    }
}

#[test]
fn they_agree_in_a_plane_and_over_a_plane_to_their_tolerance() {
    let mut pushed = slide();
    pushed.pushes =
        vec![Push::constant([4.0, 0.0]), Push { frequency: Some(3.0), ..Push::constant([20.0, 0.0]) }];
    let check = compare(&pushed, &[NLP]).cross_check.expect("nlp is among the steppers");
    assert!(check.max_position < 1e-7 && check.max_velocity < 1e-6, "{check}");

    let mut scenario = Scenario::<3>::new("over-a-plane");
    scenario.duration = 0.5;
    scenario.bodies[0].position[2] = 0.2;
    scenario.bodies[0].velocity = [1.0, 0.3, 0.0].into();
    scenario.ground.friction = 0.1;
    let comparison = compare(&scenario, &[NLP]);
    let check = checked(&comparison);
    assert!(check.max_position < 1e-7 && check.max_velocity < 1e-6, "{check}");
}

#[test]
fn differences_are_seen_and_told() {
    let trajectory = compare(&slide(), &[NLP]).entries.remove(0).trajectory;
    let mut other = trajectory.clone();
    other.bodies[0].states[700].position[0] += 3e-3;
    other.bodies[0].states[800].velocity[1] -= 2e-2;
    other.bodies[0].steps[900].force += Vector::<2>::new(3.0, 4.0);
    let check = CrossCheck::of(&trajectory, &other).expect("both have a solver");
    assert!((check.max_position - 3e-3).abs() < 1e-12 && (check.time - 0.7).abs() < 1e-12);
    assert!((check.max_velocity - 2e-2).abs() < 1e-12 && (check.max_force - 5.0).abs() < 1e-12);
    assert!(check.to_string().contains("at most 3.00 mm and 20.0 mm/s apart"), "{check}");

    other.bodies[0].states[100].position[0] = f64::NAN;
    assert!(CrossCheck::of(&trajectory, &other).is_some_and(|check| check.max_position.is_nan()));
    other.solver = None;
    assert_eq!(CrossCheck::of(&trajectory, &other), None);
}

#[test]
fn without_nlp_there_is_nothing_to_check() {
    assert_eq!(compare(&slide(), &[HYBRID]).cross_check, None);
}

/// A general solver takes few bodies, and agrees with the structured one; many would hold up the comparison.
#[test]
fn few_bodies_are_cross_checked_by_ipopt_and_many_are_not() {
    let disc = |index: u32| Body {
        shape: Shape::Ball { radius: 0.1 },
        ..Body::point(1.0, [0.3 * f64::from(index), 0.1], [1.0, 0.0])
    };
    let mut scenario = Scenario { duration: 0.05, ..slide() };
    scenario.bodies = vec![disc(0)];
    let comparison = compare(&scenario, &[NLP]);
    let check = checked(&comparison);
    let names = check.runs.each_ref().map(|run| run.solver.name.as_str());
    assert_eq!(names, ["structured interior point", "IPOPT"]);
    assert!(check.max_position < 1e-6 && check.max_velocity < 1e-5, "{check}");
    scenario.bodies = (0..5).map(disc).collect();
    assert!(compare(&scenario, &[NLP]).cross_check.is_none());
}

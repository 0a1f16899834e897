//! What `--set KEY=VALUE` changes.

use stickslip::{
    model::Vector,
    scenario::{ConvexSolver, NlpSolverChoice, Push},
};

use crate::{MINIMAL, in_plane, over_plane};

#[test]
fn an_override_replaces_one_value_and_leaves_the_others() {
    let mut expected = in_plane(MINIMAL, &[]);
    expected.ground.friction = 0.3;
    assert_eq!(in_plane(MINIMAL, &["ground.friction=0.3"]), expected);
}

#[test]
fn an_override_adds_keys_and_tables_that_the_file_leaves_out() {
    let scenario = in_plane(MINIMAL, &["gravity=1.62", "stepper.convex.stiffness=1e8"]);
    assert_eq!(scenario.gravity, 1.62);
    assert_eq!(scenario.steppers.convex.stiffness, Some(1e8));
}

#[test]
fn a_later_override_wins() {
    assert_eq!(in_plane(MINIMAL, &["step=0.5", "step=0.25"]).step, 0.25);
}

#[test]
fn words_need_no_quotes() {
    let settings = ["stepper.nlp.solver=interior-point", "stepper.convex.solver=\"dual\"", "name=moon-2"];
    let scenario = in_plane(MINIMAL, &settings);
    assert_eq!(scenario.steppers.nlp.solver, Some(NlpSolverChoice::InteriorPoint));
    assert_eq!(scenario.steppers.convex.solver, ConvexSolver::Dual);
    assert_eq!(scenario.name, "moon-2");
}

#[test]
fn spaces_around_the_equals_sign_do_not_matter() {
    assert_eq!(in_plane(MINIMAL, &[" ground.friction = 0.3 "]).ground.friction, 0.3);
}

#[test]
fn truth_values_and_whole_numbers_keep_their_type() {
    let scenario = in_plane(MINIMAL, &["stepper.convex.gated=false", "stepper.lcp.directions=12", "step=1"]);
    assert!(!scenario.steppers.convex.gated);
    assert_eq!(scenario.steppers.lcp.directions, Some(12));
    assert_eq!(scenario.step, 1.0);
}

#[test]
fn vectors_are_replaced_whole_or_by_component() {
    assert_eq!(
        in_plane(MINIMAL, &["particle.position=[0, 2.5]"]).bodies[0].position,
        Vector::from([0.0, 2.5])
    );
    assert_eq!(in_plane(MINIMAL, &["particle.position[1]=4"]).bodies[0].position, Vector::from([0.0, 4.0]));
    let over = over_plane(MINIMAL, &["particle.position=[0,1,2]", "particle.velocity=[0,0,0]"]);
    assert_eq!(over.bodies[0].position, Vector::from([0.0, 1.0, 2.0]));
}

#[test]
fn a_push_is_named_by_its_place_in_the_file() {
    let text = format!("{MINIMAL}[[push]]\nforce = [1, 0]\n[[push]]\nforce = [2, 0]\n");
    let pushes = in_plane(&text, &["push[1].force=[5, 0]", "push[0].to=0.5"]).pushes;
    assert_eq!(pushes[0], Push { to: Some(0.5), ..Push::constant([1.0, 0.0]) });
    assert_eq!(pushes[1], Push::constant([5.0, 0.0]));
    assert_eq!(in_plane(&text, &["push=[]"]).pushes, []);
    let replaced = in_plane(&text, &["push=[{force=[7, 0]}]"]).pushes;
    assert_eq!(replaced, [Push::constant([7.0, 0.0])]);
}

#[test]
fn an_override_repairs_a_faulty_file() {
    let broken = MINIMAL.replace("mass = 2.0", "mass = -2.0");
    assert_eq!(in_plane(&broken, &["particle.mass=2"]), in_plane(MINIMAL, &[]));
}

//! What is said of a point that is no plan.

use stickslip::plan::{Program, Slot, Sought, WorstRow, straight};
use stickslip::{nlp::sparse::SparseNlp, random::Random};

use super::support::{PUSHED_BY_FINGER, PUSHED_POINT, task};

/// The variables of a start, with one local variable of a step set to what no row admits.
fn with_fault(program: &Program, step: usize, local: usize) -> Vec<f64> {
    let mut x = straight(program, &mut Random::seeded(1));
    let Slot::Variable(variable) = program.slots(step)[local] else { panic!("it is fixed") };
    x[variable] = 1e6;
    x
}

#[test]
fn the_row_that_is_missed_by_most_is_named_with_its_step() {
    let program = Program::new(&task(PUSHED_BY_FINGER), Sought::Cost);
    let layout = program.rows.layout();
    let contact = layout.contacts.last().copied().expect("a contact");
    let said = |step: usize, local: usize| {
        let worst = WorstRow::of(&program, &with_fault(&program, step, local)).expect("a row that is missed");
        assert!(worst.miss > 1e3, "{worst:?}");
        (worst.step, worst.says)
    };
    // A gap that is a million lengths wide while the contact is loaded.
    let (step, says) = said(7, contact + 1);
    assert!(step == Some(7) && says.ends_with("of finger and box"), "{step:?} {says}");
    // The place at the end of a step enters the next one too, and gaps, which are linear in it.
    let (step, says) = said(19, layout.place_after);
    assert_eq!((step, says.as_str()), (Some(19), "the change of box.x"));
    let (step, says) = said(19, layout.velocity_after);
    assert!(step == Some(19) && says.contains("box"), "{step:?} {says}");
}

#[test]
fn a_goal_that_is_missed_is_of_no_step() {
    let program = Program::new(&task(PUSHED_POINT), Sought::Cost);
    let mut x = vec![0.0; program.variables()];
    for goal in program.goals() {
        x[goal.variable] = goal.target;
    }
    let goal = program.goals().iter().find(|goal| goal.component == 0).expect("a goal of x");
    x[goal.variable] += 0.5;
    let worst = WorstRow::of(&program, &x).expect("a row that is missed");
    // The place at the end is that of the start, so that the step to it is missed by more.
    assert_eq!((worst.step, worst.says.as_str()), (Some(19), "the change of body-0.x"));
    x.fill(0.0);
    let worst = WorstRow::of(&program, &x).expect("a row that is missed");
    assert_eq!((worst.step, worst.says.as_str()), (None, "the goal of body-0.x"));
    assert!((worst.miss - 1.0).abs() < 1e-12, "{worst:?}");
}

//! What is said of plans, where it must be and where it must not.

use stickslip::{
    nlp::sparse::SparseNlp,
    plan::{
        Branch, Found, Mode, Polished, Program, Sought, Verdict, polish,
        relaxation::{self, Beginning, Point},
        roll_out, search,
    },
    watch::Watch,
};

use super::support::{PUSHED_POINT, ROLLED_DISC, THROWN_POINT, task};

fn found(text: &str) -> Found {
    let found = search(&task(text), &Watch::none()).expect("IPOPT starts").found.expect("a plan");
    println!(
        "{} {:e} {:e} {:?} {}",
        found.verdict, found.kkt, found.complementarity, found.switches, found.plan.cost
    );
    found
}

#[test]
fn optima_with_curvature_in_all_directions_are_called_that() {
    let waits = PUSHED_POINT.replace("duration = 1.0", "duration = 2.0");
    let lifts = PUSHED_POINT
        .replace("friction = 0.3", "friction = 1.0")
        .replace("[[-20, 20], 0]", "[[-40, 40], [-40, 40]]");
    for text in [&waits, &lifts, THROWN_POINT, ROLLED_DISC] {
        let Found { verdict, kkt, complementarity, .. } = found(text);
        assert_eq!(verdict, Verdict::LocalOptimum, "{text}");
        assert!(kkt < 1e-6 && complementarity < 1e-14, "{kkt} {complementarity}\n{text}");
    }
}

#[test]
fn a_plan_that_is_not_determined_is_not_called_an_optimum() {
    // Two pushes at one point: only their sum matters but for their squares, which time does not price.
    let text = PUSHED_POINT
        .replace("duration = 1.0", "duration = [0.1, 5.0]\ncost = \"time\"")
        .replace("[goal]", "[[control]]\nforce = [[-20, 20], 0]\n[goal]");
    let Found { verdict, .. } = found(&text);
    assert_ne!(verdict, Verdict::LocalOptimum);
}

/// A push of 80 steps, and a point of it.
fn push_of_80_steps() -> Program {
    Program::new(
        &task(&PUSHED_POINT.replace("steps = 20", "steps = 80").replace("starts = 2", "starts = 0")),
        Sought::Cost,
    )
}

/// What is made of a point on its branch.
fn polished(program: &Program, point: &Point) -> Polished {
    let polished = polish(program, point, &Watch::none()).expect("IPOPT starts");
    polished.expect("a plan on its branch")
}

/// The objectives of the best plans that have another mode in one step: the step, the mode, the objective.
fn neighbours(program: &Program, x: &[f64]) -> Vec<(usize, Mode, f64)> {
    let branch = Branch::nearest(program, x);
    let mut found = Vec::new();
    for step in 0..program.task.steps {
        for mode in [Mode::Forward, Mode::Stick, Mode::Backward] {
            let mut other = branch.clone();
            if std::mem::replace(&mut other.0[step][0], mode) == mode {
                continue;
            }
            let (neighbour, x) = other.program(program, x);
            let start = Point { multipliers: relaxation::zeros(&neighbour), x };
            let beginning = Beginning { barrier: 1e-2, push: 1e-3, warm: false, exact: true };
            let solution = relaxation::solve(&neighbour, &start, beginning, &Watch::none());
            let solution = solution.expect("IPOPT starts");
            if relaxation::is_plan(&solution) {
                found.push((step, mode, neighbour.objective(&solution.x)));
            }
        }
    }
    found
}

/// Where the point comes to rest, friction and slip are both at their ends, and the goal asks for the same rest, so that several
/// multipliers belong to one plan: with some of them neither side gains, with others one does until it is tried. Whichever is
/// said, it is true: none of the plans with another mode in one step is cheaper.
#[test]
fn no_switch_of_one_step_makes_the_best_push_cheaper() {
    let program = push_of_80_steps();
    let plan = search(&program.task, &Watch::none()).expect("IPOPT starts").found.expect("a plan").plan;
    let x = roll_out(&program, &plan, &Watch::none()).expect("the simulator gets through");
    let start = Point { multipliers: relaxation::zeros(&program), x };
    let Polished { x, certificate, .. } = polished(&program, &start);
    let said = [Verdict::LocalOptimum, Verdict::NoSingleSwitchHelps];
    assert!(said.contains(&certificate.verdict), "{certificate:?}");
    let own = program.objective(&x);
    let neighbours = neighbours(&program, &x);
    assert!(neighbours.len() > 70, "{}", neighbours.len());
    for (step, mode, cost) in neighbours {
        assert!(cost > own - 1e-9, "{mode:?} in step {step}: {cost} for {own}");
    }
}

/// Optimal is such a plan among those near it. One that waits for a step is: a push that is less than friction moves nothing.
/// That it does not wait is cheaper, and further away.
#[test]
fn a_push_that_waits_for_a_step_is_a_local_optimum_too() {
    let program = push_of_80_steps();
    let attempt = relaxation::homotopy(&program, 1, &Watch::none()).expect("IPOPT starts");
    let Polished { x, certificate, .. } = polished(&program, &attempt.point.expect("a plan"));
    assert_eq!(certificate.verdict, Verdict::LocalOptimum);
    let [friction, ..] = program.contact_variables(0)[0].friction.expect("friction");
    assert!(x[friction].abs() < 0.1, "the push of the first step is far from what moves it: {}", x[friction]);
    let own = program.objective(&x);
    let cheaper: Vec<_> =
        neighbours(&program, &x).into_iter().filter(|(.., cost)| *cost < own - 1e-9).collect();
    assert!(matches!(cheaper[..], [(0, Mode::Forward, _)]), "{cheaper:?} for {own}");
}

/// Full push and full brake: what is left is at its bounds, but for what corners and pushes share.
#[test]
fn least_time_is_not_called_an_optimum_with_curvature() {
    let text = PUSHED_POINT
        .replace("duration = 1.0", "duration = [0.1, 5.0]\ncost = \"time\"")
        .replace("[[-20, 20], 0]", "[[-10, 10], 0]")
        .replace("steps = 20", "steps = 80");
    assert!(matches!(found(&text).verdict, Verdict::Flat(_)));
}

//! How many of random starts lead to a plan, and to the best that is known.

use stickslip::{
    plan::{
        Program, Sought,
        relaxation::{Attempt, direct, homotopy, seeds},
    },
    watch::Watch,
};

use super::support::{PUSHED_BY_FINGER, PUSHED_POINT, THROWN_POINT, TIPPED_BOX, task};

/// The best costs that are known at 20 steps, of this program or another implementation.
const PROBLEMS: [(&str, &str, f64); 4] = [
    ("P1, a point pushed along the ground", PUSHED_POINT, 20.69132),
    ("P2, a point thrown to a spot", THROWN_POINT, 7.87439),
    ("P4, a box tipped over", TIPPED_BOX, 25.12584),
    ("P5, a box moved by a finger", PUSHED_BY_FINGER, 9.797),
];

/// Of `count` starts: those that led to a plan, those of them within 1 % of the best that is known, and iterations in the median.
struct Tally {
    plans: usize,
    best: usize,
    iterations: u32,
}

fn tally(best: f64, attempts: &[Attempt]) -> Tally {
    let plans: Vec<_> = attempts.iter().filter(|attempt| attempt.point.is_some()).collect();
    let mut iterations: Vec<u32> = attempts.iter().map(|attempt| attempt.work.iterations).collect();
    iterations.sort_unstable();
    Tally {
        plans: plans.len(),
        best: plans.iter().filter(|attempt| attempt.cost <= 1.01 * best).count(),
        iterations: iterations[iterations.len() / 2],
    }
}

fn tallies(text: &str, best: f64, count: usize) -> [Tally; 2] {
    let task = task(text);
    let program = Program::new(&task, Sought::Cost);
    let watch = Watch::none();
    let by = |solve: fn(&Program, u64, &Watch<'_>) -> Result<Attempt, stickslip::nlp::IpoptError>| {
        let attempts: Vec<Attempt> = seeds(task.seed, count)
            .map(|seed| solve(&program, seed, &watch).expect("IPOPT starts"))
            .collect();
        tally(best, &attempts)
    };
    [by(homotopy), by(direct)]
}

#[test]
fn the_homotopy_reaches_the_best_plan_of_a_push_from_any_start() {
    let [homotopy, direct] = tallies(PUSHED_POINT, 20.69132, 10);
    assert_eq!((homotopy.plans, homotopy.best), (10, 10));
    assert!(direct.plans >= 7, "{}", direct.plans);
}

/// The table of `docs/plan.md`.
#[test]
#[ignore = "minutes: cargo test --release --test plan -- --ignored --nocapture hundred_starts"]
fn success_of_a_hundred_starts() {
    const COUNT: usize = 100;
    println!(
        "| problem, 20 steps | homotopy: plans | best | iterations | direct: plans | best | iterations |"
    );
    println!("|---|---|---|---|---|---|---|");
    for (name, text, best) in PROBLEMS {
        let [homotopy, direct] = tallies(text, best, COUNT);
        let cells = [&homotopy, &direct]
            .map(|Tally { plans, best, iterations }| format!("{plans} | {best} | {iterations}"));
        println!("| {name} | {} | {} |", cells[0], cells[1]);
        assert!(homotopy.plans >= 95, "{name}: {}", homotopy.plans);
    }
}

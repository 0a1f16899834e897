//! One solver for many solves, one per thread.

use std::thread;

use nalgebra::vector;
use stickslip_solve::nlp::{Bounds, Ipopt, IpoptOptions, NlpSolution, NlpSolver, SolveStatus, Start};

use crate::programs::{ContactStep, HockSchittkowski71, Linear};

fn sliding(free_slip: f64) -> ContactStep {
    ContactStep { free_velocity: [free_slip, -1.0], gap: 0.0, friction: 0.1 }
}

#[test]
fn warm_starts_take_fewer_iterations_to_the_same_point() {
    let mut solver = Ipopt::new(&sliding(50.0), &IpoptOptions::default()).expect("the options are valid");
    let first = solver.solve(&sliding(50.0), &Start::cold(sliding(50.0).start()));
    let next = sliding(49.9);
    let cold = solver.solve(&next, &Start::cold(next.start()));
    let warm = solver.solve(&next, &Start::warm(&first));
    assert_eq!([cold.status, warm.status], [SolveStatus::Solved; 2]);
    assert!(
        warm.iterations <= 6 && warm.iterations < cold.iterations,
        "{} {}",
        warm.iterations,
        cold.iterations
    );
    assert!((warm.x.xy() - cold.x.xy()).amax() < 1e-6, "{} {}", warm.x, cold.x);
}

#[test]
fn earlier_solves_leave_no_trace_in_later_ones() {
    let mut solver = Ipopt::new(&sliding(50.0), &IpoptOptions::default()).expect("the options are valid");
    let mut cold = |slip: f64| solver.solve(&sliding(slip), &Start::cold(sliding(slip).start()));
    let first = cold(50.0);
    cold(-0.01);
    assert_eq!(cold(50.0), first, "after another cold start");
    solver.solve(&sliding(49.0), &Start::warm(&first));
    assert_eq!(
        solver.solve(&sliding(50.0), &Start::cold(sliding(50.0).start())),
        first,
        "after a warm start"
    );
}

#[test]
fn bounds_may_change_between_solves() {
    let mut program = Linear::BOUNDED;
    let mut solver = Ipopt::new(&program, &IpoptOptions::default()).expect("the options are valid");
    let start = Start::cold(vector![1.0, 1.0, 1.0]);
    let mut minimiser = |program: &Linear| {
        let solution = solver.solve(program, &start);
        assert_eq!(solution.status, SolveStatus::Solved);
        solution.x
    };
    assert!((minimiser(&program) - vector![1.6, 1.2, 0.0]).amax() < 1e-6);
    program.bounds.upper[0] = 1.0;
    assert!((minimiser(&program) - vector![1.0, 1.5, 0.0]).amax() < 1e-6, "a new upper bound");
    program.bounds = Bounds::new([0.5, 0.0, 0.25], [0.5, f64::INFINITY, 0.25]);
    assert!((minimiser(&program) - vector![0.5, 1.625, 0.25]).amax() < 1e-6, "two variables fixed");
    program = Linear { lower: 4.0, cost: [1.0, 1.0, 1.0], ..Linear::BOUNDED };
    assert!((minimiser(&program) - vector![0.0, 2.0, 0.0]).amax() < 1e-6, "an inequality made an equality");
    assert!((minimiser(&Linear::BOUNDED) - vector![1.6, 1.2, 0.0]).amax() < 1e-6, "back to the first");
}

#[test]
fn threads_with_a_solver_each_find_the_same_as_one() {
    let slide = || -> Vec<NlpSolution<7, 7>> {
        let mut solver = Ipopt::new(&sliding(1.0), &IpoptOptions::default()).expect("the options are valid");
        let steps = (0..100).map(|step| sliding(5.0 - 0.1 * f64::from(step)));
        steps.map(|step| solver.solve(&step, &Start::cold(step.start()))).collect()
    };
    let alone = slide();
    assert!(alone.iter().all(|solution| solution.status == SolveStatus::Solved));
    thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(slide)).collect();
        for thread in threads {
            assert_eq!(thread.join().expect("no thread panics"), alone);
        }
    });
}

#[test]
fn several_solvers_on_one_thread_do_not_disturb_each_other() {
    let options = IpoptOptions::default();
    let mut contact = Ipopt::new(&sliding(3.0), &options).expect("the options are valid");
    let mut hs71 = Ipopt::new(&HockSchittkowski71, &options).expect("the options are valid");
    let start = Start::cold(HockSchittkowski71::START.into());
    let (alone, first) = (
        hs71.solve(&HockSchittkowski71, &start),
        contact.solve(&sliding(3.0), &Start::cold(sliding(3.0).start())),
    );
    for _ in 0..3 {
        assert_eq!(hs71.solve(&HockSchittkowski71, &start), alone);
        assert_eq!(contact.solve(&sliding(3.0), &Start::cold(sliding(3.0).start())), first);
    }
}

#[test]
fn solver_that_moves_from_thread_to_thread_finds_the_same_as_one_that_stays() {
    fn solves(solver: &mut Ipopt<7, 7, ContactStep>, first: &NlpSolution<7, 7>) -> [NlpSolution<7, 7>; 2] {
        let next = sliding(49.9);
        [solver.solve(&next, &Start::warm(first)), solver.solve(&next, &Start::cold(next.start()))]
    }
    let mut solver = Ipopt::new(&sliding(50.0), &IpoptOptions::default()).expect("the options are valid");
    let first = solver.solve(&sliding(50.0), &Start::cold(sliding(50.0).start()));
    let stayed = solves(&mut solver, &first);
    for _ in 0..3 {
        let moved = thread::spawn(move || {
            let found = solves(&mut solver, &first);
            (solver, found)
        });
        let found;
        (solver, found) = moved.join().expect("no thread panics");
        assert_eq!(found, stayed);
        assert_eq!(solves(&mut solver, &first), stayed, "back home");
    }
}

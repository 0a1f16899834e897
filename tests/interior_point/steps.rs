use crate::step_program::StepProgram;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use stickslip::model::{Body, State, Vector, closed_form_step};
use stickslip::nlp::{
    InteriorPoint, InteriorPointOptions, Ipopt, IpoptOptions, NlpSolution, NlpSolver, SolveStatus, Start,
};

/// A random body, state and push, and the length of the step.
fn random_step(rng: &mut StdRng) -> (Body<2>, State<2>, Vector<2>, f64) {
    let dt = 10f64.powf(rng.random_range(-4.0..-2.0));
    let body = Body {
        mass: 10f64.powf(rng.random_range(-3.0..4.0)),
        friction: if rng.random_bool(0.1) { 0.0 } else { rng.random_range(0.0..5.0) },
        restitution: if rng.random_bool(0.5) { 0.0 } else { rng.random_range(0.0..1.0) },
        gravity: Vector::from([0.0, -9.81]),
    };
    let height = if rng.random_bool(0.7) { 0.0 } else { 10f64.powf(rng.random_range(-6.0..0.3)) };
    let speed = |rng: &mut StdRng| {
        let sign = if rng.random_bool(0.5) { 1.0 } else { -1.0 };
        sign * if rng.random_bool(0.3) { rng.random_range(0.0..0.02) } else { rng.random_range(0.0..20.0) }
    };
    let vx = if rng.random_bool(0.1) { 0.0 } else { speed(rng) };
    let vz = if rng.random_bool(0.3) { 0.0 } else { speed(rng) };
    let state = State { position: Vector::from([0.0, height]), velocity: Vector::from([vx, vz]) };
    let weight = body.mass * 9.81;
    let push = if rng.random_bool(0.5) {
        Vector::zeros()
    } else {
        Vector::from([rng.random_range(-2.0..2.0) * weight, rng.random_range(-2.0..2.0) * weight])
    };
    (body, state, push, dt)
}

/// Largest difference of the velocities of two solutions, relative to the larger of one unit and
/// the largest velocity of the step.
fn difference(program: &StepProgram, a: &NlpSolution<7, 7>, b: [f64; 2]) -> f64 {
    let size = 1f64.max(program.free[0].abs()).max(program.free[1].abs());
    (a.x[0] - b[0]).abs().max((a.x[1] - b[1]).abs()) / size
}

#[test]
fn report() {
    let mut rng = StdRng::seed_from_u64(1);
    let (body, state, push, dt) = random_step(&mut rng);
    let first = StepProgram::new(&body, &state, &push, dt);
    let mut own = InteriorPoint::new(&first, InteriorPointOptions::default());
    let mut ipopt = Ipopt::new(&first, &IpoptOptions::default()).expect("valid options");
    let (mut own_failed, mut ipopt_failed, mut worst, mut worst_cf, mut its, mut n) =
        (0, 0, 0f64, 0f64, 0, 0);
    let mut histogram = [0; 12];
    for i in 0..2000 {
        let (body, state, push, dt) = random_step(&mut rng);
        let program = StepProgram::new(&body, &state, &push, dt);
        let start = Start::cold(program.start());
        let a = own.solve(&program, &start);
        let b = ipopt.solve(&program, &start);
        let exact = closed_form_step(&body, &state, &push, dt).state.velocity / program.unit;
        own_failed += u32::from(a.status != SolveStatus::Solved);
        ipopt_failed += u32::from(b.status != SolveStatus::Solved);
        if a.status == SolveStatus::Solved && b.status == SolveStatus::Solved {
            let d = difference(&program, &a, [b.x[0], b.x[1]]);
            let bin = (-d.max(1e-16).log10()).floor().clamp(0.0, 11.0) as usize;
            histogram[bin] += 1;
            worst = worst.max(d);
            if d > 1e-8 {
                println!(
                    "{i} d {d:.1e} its {} {} cf {:.1e} {:.1e} {program:?}",
                    a.iterations,
                    b.iterations,
                    difference(&program, &a, [exact[0], exact[1]]),
                    difference(&program, &b, [exact[0], exact[1]])
                );
            }
        } else {
            println!(
                "{i} {:?} {:?} its {} {} {:?} {program:?}",
                a.status, b.status, a.iterations, b.iterations, a.residuals
            );
        }
        worst_cf = worst_cf.max(difference(&program, &a, [exact[0], exact[1]]));
        its += a.iterations;
        n += 1;
    }
    println!(
        "own failed {own_failed} ipopt failed {ipopt_failed} worst {worst:e} cf {worst_cf:e} its {} hist {histogram:?}",
        its as f64 / n as f64
    );
}

//! Heaps of balls whose contacts slide, drill and roll.

use nalgebra::{SVector, UnitQuaternion, Vector3};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use stickslip_contact::{
    contact::{
        Accuracy, AlternatingDirections, ContactModel, ContactProblem, ExactCone, Friction, Solution,
        SolveFailure, StewartTrinkle, Structured, TurningFriction, Yardstick,
    },
    world::{Demands, Impacts, StepProblem, Surface, TurningLaw, spatial},
};

/// The contact problem of balls that touch, one on the other, at random velocities.
fn heap(rng: &mut StdRng) -> ContactProblem<3, 6> {
    let radius = 0.1;
    let mut bodies = Vec::new();
    for (x, y, level) in [(0.0, 0.0, 0), (0.2, 0.0, 0), (0.1, 0.1732, 0), (0.1, 0.0577, 1)] {
        let height = radius + f64::from(level) * 0.1633;
        let shape = spatial::Shape::sphere(radius).expect("a sphere");
        let pose =
            spatial::Pose { position: Vector3::new(x, y, height), orientation: UnitQuaternion::identity() };
        let twist =
            SVector::<f64, 6>::from_fn(|i, _| rng.random_range(-1.0..1.0) * if i < 3 { 0.3 } else { 3.0 });
        bodies.push(spatial::Body { twist, ..spatial::Body::new(shape, rng.random_range(0.5..2.0), pose) });
    }
    let surface = Surface {
        friction: Friction::coulomb(rng.random_range(0.1..0.8)),
        turning: TurningLaw {
            torsional: rng.random_range(0.001..0.05),
            rolling: rng.random_range(0.0..0.02),
        },
        restitution: 0.0,
    };
    let scene = spatial::Scene::over_ground(bodies, surface, 9.81);
    let motion = scene.initial_motion();
    let mut step = StepProblem::default();
    let demands = Demands {
        posing: ContactModel::<3, 6>::posing(&Structured::<3, 6>::default()),
        impacts: Impacts::OneStage,
        horizon: 1e-2,
        reach: 0.0,
    };
    step.pose(&scene, &motion, &[SVector::zeros(); 4], 1e-2, demands);
    step.contact
}

/// What the law says, written out for one contact after the other, and not as the models have it.
fn largest_miss(problem: &ContactProblem<3, 6>, solution: &Solution<3, 6>) -> f64 {
    let mut worst = 0.0_f64;
    for (place, TurningFriction { contact, torsional, rolling, .. }) in problem.turning.iter().enumerate() {
        let (own, r) = (&problem.contacts[*contact], &solution.impulses[*contact]);
        let (torque, w) = (&solution.turning[place], problem.spin(place, &solution.velocity));
        let u = problem.relative_velocity(own, &solution.velocity);
        worst = worst.max(-u[0]).max(-r[0]).max((r[0] * u[0]).abs());
        let share =
            ((r[1].powi(2) + r[2].powi(2)) / own.friction.powi(2) + (torque[0] / torsional).powi(2)).sqrt();
        worst = worst.max(share - r[0]);
        let size = (own.friction.powi(2) * (u[1].powi(2) + u[2].powi(2)) + (torsional * w[0]).powi(2)).sqrt();
        // What friction takes of the energy is all that it can.
        worst = worst.max((r[1] * u[1] + r[2] * u[2] + torque[0] * w[0] + r[0] * size).abs());
        let (rolls, resists) = (w[1].hypot(w[2]), torque[1].hypot(torque[2]));
        worst = worst.max(resists - rolling * r[0]);
        worst = worst.max((torque[1] * w[1] + torque[2] * w[2] + rolling * r[0] * rolls).abs());
    }
    worst
}

#[test]
fn paths_and_sweeps_find_solutions_of_the_law() {
    let mut rng = StdRng::seed_from_u64(11);
    let (mut contacts, mut alike) = (0, 0);
    for trial in 0..60 {
        let problem = heap(&mut rng);
        contacts += problem.contacts.len();
        let mut velocities = Vec::new();
        let models: [Box<dyn ContactModel<3, 6>>; 2] =
            [Box::new(Structured::default()), Box::new(ExactCone::default())];
        for mut model in models {
            let mut solution = Solution::default();
            let report = match model.solve(&problem, &mut solution) {
                Ok(report) => report,
                Err(failure) => panic!("{trial}, {}: {failure}", model.name()),
            };
            assert_eq!(report.accuracy, Accuracy::Certified, "{trial}, {}: {report:?}", model.name());
            let miss = largest_miss(&problem, &solution);
            assert!(miss < 1e-7, "{trial}, {}: {miss} {report:?}", model.name());
            velocities.push(solution.velocity);
        }
        let apart = velocities[0].iter().zip(&velocities[1]).map(|(a, b)| (a - b).amax()).fold(0.0, f64::max);
        alike += u32::from(apart < 1e-5);
    }
    assert!(contacts > 300, "{contacts}");
    // Friction leaves more than one solution now and then.
    assert!(alike >= 55, "{alike}");
}

#[test]
fn the_complementarity_problem_keeps_gaps_and_loses_energy() {
    let mut rng = StdRng::seed_from_u64(12);
    for trial in 0..20 {
        let problem = heap(&mut rng);
        let mut solution = Solution::default();
        let report = StewartTrinkle::default().solve(&problem, &mut solution).expect("a solution");
        let mut work = 0.0;
        for (place, turning) in problem.turning.iter().enumerate() {
            let contact = &problem.contacts[turning.contact];
            let r = &solution.impulses[turning.contact];
            let u = problem.relative_velocity(contact, &solution.velocity);
            assert!(u[0] > -1e-7 && r[0] > -1e-7, "{trial}: {u} {r} {report:?}");
            let of_friction = r[1] * u[1] + r[2] * u[2];
            work += of_friction + solution.turning[place].dot(&problem.spin(place, &solution.velocity));
        }
        assert!(work < 1e-9, "{trial}: {work}");
    }
}

#[test]
fn a_candidate_that_misses_the_law_has_a_residual() {
    let problem = heap(&mut StdRng::seed_from_u64(13));
    let mut solution = Solution::default();
    Structured::default().solve(&problem, &mut solution).expect("a solution");
    let mut yardstick = Yardstick::default();
    yardstick.set(&problem);
    assert!(yardstick.residuals_of_bodies(&problem, &solution).max() < 1e-8);
    for place in 0..problem.turning.len() {
        if solution.impulses[problem.turning[place].contact][0] < 1e-3 {
            continue;
        }
        let mut other = solution.clone();
        other.turning[place] *= 1.1;
        problem.follow(&mut other);
        assert!(yardstick.residuals_of_bodies(&problem, &other).max() > 1e-6, "{place}");
    }
}

#[test]
fn models_that_know_sliding_alone_refuse_what_resists_turning() {
    let problem = heap(&mut StdRng::seed_from_u64(14));
    let refused = AlternatingDirections::default().solve(&problem, &mut Solution::default());
    assert!(matches!(refused, Err(SolveFailure::Refused { .. })), "{refused:?}");
    let mut faulty = problem;
    faulty.turning[0].rolling = -1.0;
    let refused = Structured::default().solve(&faulty, &mut Solution::default());
    assert!(refused.is_err_and(|failure| failure.to_string().contains("turning friction")));
}

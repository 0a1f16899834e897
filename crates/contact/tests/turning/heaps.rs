//! Heaps of balls whose contacts slide, drill and roll.

use nalgebra::{SVector, UnitQuaternion, Vector3};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use stickslip_contact::{
    contact::{
        Accuracy, AlternatingDirections, ContactModel, ContactProblem, ExactCone, Friction, FrictionGroups,
        Relaxed, Solution, SolveFailure, StewartTrinkle, Structured, Yardstick,
    },
    world::{Anisotropy, Demands, Impacts, StepProblem, Surface, TurningLaw, spatial},
};

/// The contact problem of balls that touch, one on the other, at random velocities, with friction that `differs` across an axis
/// or not.
fn heap(rng: &mut StdRng, differs: bool) -> ContactProblem<3, 6> {
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
        anisotropy: differs.then(|| Anisotropy {
            ratio: rng.random_range(0.2..3.0),
            axis: Vector3::from_fn(|_, _| rng.random_range(-1.0..1.0)),
            carrier: None,
        }),
        restitution: 0.0,
    };
    let scene = spatial::Scene::over_ground(bodies, surface, 9.81);
    let motion = scene.initial_motion();
    let mut step = StepProblem::default();
    let demands = Demands {
        posing: ContactModel::<3, 6>::posing(&Structured::<3, 6>::default()),
        acts_ahead: true,
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
    for (place, groups) in problem.groups.iter().enumerate() {
        let FrictionGroups { contact, torsional, rolling, across, .. } = groups;
        let (own, r) = (&problem.contacts[*contact], &solution.impulses[*contact]);
        let (torque, w) = (&solution.turning[place], problem.spin(place, &solution.velocity));
        let u = problem.relative_velocity(own, &solution.velocity);
        worst = worst.max(-u[0]).max(-r[0]).max((r[0] * u[0]).abs());
        let [[cos, sin], [along, beside]] = match across {
            Some(across) => [across.axis, [own.friction, own.friction * across.ratio]],
            None => [[1.0, 0.0], [own.friction; 2]],
        };
        let turned = |x: &SVector<f64, 3>| [cos * x[1] + sin * x[2], cos * x[2] - sin * x[1]];
        let (forces, slips) = (turned(r), turned(&u));
        let of_drilling = (torque[0] / torsional).powi(2);
        let share = ((forces[0] / along).powi(2) + (forces[1] / beside).powi(2) + of_drilling).sqrt();
        worst = worst.max(share - r[0]);
        let of_drilling = (torsional * w[0]).powi(2);
        let size = ((along * slips[0]).powi(2) + (beside * slips[1]).powi(2) + of_drilling).sqrt();
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
        let problem = heap(&mut rng, trial % 2 == 1);
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

/// The program with relaxed complementarity that a general solver takes has a ball for each group.
#[test]
fn a_general_solver_finds_solutions_of_the_law() {
    let mut rng = StdRng::seed_from_u64(15);
    let mut solved = 0;
    for trial in 0..30 {
        let problem = heap(&mut rng, trial % 2 == 1);
        let mut solution = Solution::default();
        let Ok(report) = Relaxed::default().solve(&problem, &mut solution) else { continue };
        solved += 1;
        assert!(report.residuals.max() < 1e-4, "{trial}: {report:?}");
        let miss = largest_miss(&problem, &solution);
        assert!(miss < 1e-4, "{trial}: {miss} {report:?}");
    }
    // On problems of nine contacts it loses its way now and then.
    assert!(solved >= 27, "{solved} of 30");
}

#[test]
fn two_thousand_heaps_are_solved() {
    let mut rng = StdRng::seed_from_u64(16);
    let (mut iterations, mut rungs) = (Vec::new(), [0; 4]);
    for trial in 0..2000 {
        let problem = heap(&mut rng, trial % 4 == 3);
        let mut solution = Solution::default();
        let report = match Structured::default().solve(&problem, &mut solution) {
            Ok(report) => report,
            Err(failure) => panic!("{trial}: {failure}"),
        };
        assert_eq!(report.accuracy, Accuracy::Certified, "{trial}: {report:?}");
        iterations.push(report.iterations);
        rungs[report.rung.min(3) as usize] += 1;
    }
    iterations.sort_unstable();
    assert!(iterations[1000] <= 20, "{} iterations in the middle", iterations[1000]);
    // The ladder is there for few.
    assert!(rungs[0] > 1900, "{rungs:?}");
    eprintln!("median {} iterations, most {}, rungs {rungs:?}", iterations[1000], iterations[1999]);
}

#[test]
fn the_complementarity_problem_keeps_gaps_and_loses_energy() {
    let mut rng = StdRng::seed_from_u64(12);
    for trial in 0..20 {
        let problem = heap(&mut rng, trial % 2 == 1);
        let mut solution = Solution::default();
        let report = StewartTrinkle::default().solve(&problem, &mut solution).expect("a solution");
        let mut work = 0.0;
        for (place, turning) in problem.groups.iter().enumerate() {
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
    let problem = heap(&mut StdRng::seed_from_u64(13), true);
    let mut solution = Solution::default();
    Structured::default().solve(&problem, &mut solution).expect("a solution");
    let mut yardstick = Yardstick::default();
    yardstick.set(&problem);
    assert!(yardstick.residuals_of_bodies(&problem, &solution).max() < 1e-8);
    for place in 0..problem.groups.len() {
        if solution.impulses[problem.groups[place].contact][0] < 1e-3 {
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
    let problem = heap(&mut StdRng::seed_from_u64(14), false);
    let refused = AlternatingDirections::default().solve(&problem, &mut Solution::default());
    assert!(matches!(refused, Err(SolveFailure::Refused { .. })), "{refused:?}");
    let mut faulty = problem;
    faulty.groups[0].rolling = -1.0;
    let refused = Structured::default().solve(&faulty, &mut Solution::default());
    assert!(refused.is_err_and(|failure| failure.to_string().contains("groups of friction")));
}

//! Contact as a linear complementarity problem.

use nalgebra::{SMatrix, SVector};
use stickslip_contact::contact::{
    Accuracy, Anitescu, Contact, ContactModel, ContactProblem, DenseSolution, DenseSolver, FrictionPolygon,
    GaussSeidel, Link, Posing, Solution, SolveFailure, StewartTrinkle, StewartTrinkleSettings,
};

use crate::samples::samples;

/// Two of the samples (restitution, high friction) end in rays.
#[test]
fn pivoting_certifies_samples_in_the_plane_to_rounding() {
    let mut certified = 0;
    for sample in samples().iter().filter(|sample| sample.dimension == 2) {
        let (dense, mut solution) = (sample.problem::<2, 3>().delassus(), DenseSolution::default());
        match StewartTrinkle::<2, 3>::default().solve_dense(&dense, &mut solution) {
            Ok(report) => {
                assert_eq!(report.accuracy, Accuracy::Certified, "{}", sample.name);
                assert!(report.residuals.max() < 1e-10, "{}: {:?}", sample.name, report.residuals);
                certified += 1;
            }
            Err(failure) => assert!(failure.to_string().contains("ray"), "{}: {failure}", sample.name),
        }
    }
    assert!(certified >= 13, "{certified} of 15");
}

/// The error of a pyramid that is not turned with the slip falls with the number of its sides, and the report
/// does not hide it.
#[test]
fn a_finer_pyramid_comes_closer_to_the_cone() {
    let sample = samples().into_iter().find(|sample| sample.name.contains("chain-3d-12")).unwrap();
    let problem = sample.problem::<3, 6>();
    let mut errors = Vec::new();
    for directions in [4, 32] {
        let settings = StewartTrinkleSettings {
            directions,
            polygon: FrictionPolygon::Fixed,
            ..StewartTrinkleSettings::default()
        };
        let report = StewartTrinkle::new(settings).solve(&problem, &mut Solution::default()).unwrap();
        assert_eq!(report.accuracy, Accuracy::OwnLaw);
        errors.push(report.residuals.scaled);
    }
    assert!(errors[1] > 1e-6 && errors[1] < 0.3 * errors[0], "{errors:?}");
}

/// Two bodies of a sample tied together: pivoting and sweeps agree on velocities.
#[test]
fn rods_and_springs_are_honoured() {
    let sample = samples().into_iter().find(|sample| sample.name.contains("chain-2d-10")).unwrap();
    for (compliance, partner) in [(0.0, 1), (2.0, 2)] {
        let mut problem = sample.problem::<2, 3>();
        let row = SVector::<f64, 3>::new(0.6, 0.8, 0.1);
        problem.links.push(Link {
            bodies: [Some(0), Some(partner)],
            jacobian: [row, -row],
            bias: 1e-3,
            terms: 0.0,
            compliance,
            bounds: Link::<3>::UNBOUNDED,
        });
        let (mut pivoted, mut swept) = (Solution::default(), Solution::default());
        let report = StewartTrinkle::default().solve(&problem, &mut pivoted).unwrap();
        assert_eq!(report.accuracy, Accuracy::Certified);
        GaussSeidel::default().solve(&problem, &mut swept).unwrap();
        for (a, b) in pivoted.velocity.iter().zip(&swept.velocity) {
            assert!((a - b).amax() < 1e-8, "{a} {b}");
        }
        let rate = row.dot(&(pivoted.velocity[0] - pivoted.velocity[partner])) + 1e-3;
        assert!((rate + compliance * pivoted.link_impulses[0]).abs() < 1e-12);
    }
}

/// Restitution in a wedge with much friction can leave the problem without a solution.
#[test]
fn what_has_no_solution_is_solved_without_restitution_and_said_to_be() {
    let mut problem = samples()[6].problem::<2, 3>();
    // A point between two steep walls, mu = 3: each asks to be left at 1 m/s.
    problem.free_velocity = vec![SVector::zeros()];
    problem.inverse_mass = vec![SMatrix::identity()];
    problem.contacts.truncate(2);
    for (contact, x) in problem.contacts.iter_mut().zip([1.0, -1.0]) {
        contact.bodies = [Some(0), None];
        contact.jacobian = [SMatrix::<f64, 2, 3>::new(x, 0.0, 0.0, 0.0, x, 0.0), SMatrix::zeros()];
        contact.friction = 3.0;
        contact.bias = -1.0;
        contact.surface_velocity = SVector::zeros();
    }
    let mut solution = Solution::default();
    let report = StewartTrinkle::default().solve(&problem, &mut solution).unwrap();
    assert_eq!(report.accuracy, Accuracy::OwnLaw);
    assert!(report.residuals.scaled > 0.1);
    assert!(solution.velocity[0].amax() < 1e-12);
}

#[test]
fn anitescu_takes_touching_contacts_only() {
    let mut problem = samples()[6].problem::<2, 3>();
    let mut model = Anitescu::default();
    assert_eq!(ContactModel::<2, 3>::posing(&model), Posing::VelocityLevel);
    problem.contacts.iter_mut().for_each(|contact| contact.bias = contact.bias.min(0.0));
    let report = model.solve(&problem, &mut Solution::default()).unwrap();
    assert_eq!(report.accuracy, Accuracy::Certified);
    problem.contacts[1].gap = 1e-3;
    let failure = model.solve(&problem, &mut Solution::default()).unwrap_err();
    assert!(matches!(failure, SolveFailure::Refused { .. }), "{failure}");
}

/// Boxes one upon the other that touch along their faces at as many points as one likes: two points would carry the same,
/// so that pivots meet zeros that rounding has made large.
#[test]
fn towers_on_more_points_than_they_need_are_solved_in_the_plane() {
    let (boxes, points) = ([5, 10, 20], [3, 4, 8]);
    for (count, along, friction) in boxes.into_iter().flat_map(|count| {
        points
            .into_iter()
            .flat_map(move |along| [0.1, 0.5, 1.0, 5.0].map(|friction| (count, along, friction)))
    }) {
        let mut problem = ContactProblem::<2, 3>::empty(1e-2);
        for index in 0..count {
            // Pushed a little, each otherwise.
            let sideways = 0.01 * f64::from(index * 7 % 5) - 0.02;
            problem.free_velocity.push(SVector::from([sideways, -0.0981, 0.003 * f64::from(index % 3)]));
            problem.inverse_mass.push(SMatrix::from_diagonal(&SVector::from([1.0, 1.0, 6.0])));
            for point in 0..along {
                let x = f64::from(point) / f64::from(along - 1) - 0.5;
                let below = (index > 0).then(|| index as usize - 1);
                let at = |z: f64, sign: f64| SMatrix::<f64, 2, 3>::new(0.0, 1.0, x, 1.0, 0.0, -z) * sign;
                problem.contacts.push(Contact {
                    bodies: [Some(index as usize), below],
                    jacobian: [at(-0.5, 1.0), if below.is_some() { at(0.5, -1.0) } else { SMatrix::zeros() }],
                    friction,
                    bias: 0.0,
                    surface_velocity: SVector::zeros(),
                    restitution: 0.0,
                    gap: 0.0,
                });
            }
        }
        let mut solution = DenseSolution::default();
        let report = StewartTrinkle::<2, 3>::default().solve_dense(&problem.delassus(), &mut solution);
        let report =
            report.unwrap_or_else(|failure| panic!("{count} boxes, {along} points, {friction}: {failure}"));
        assert!(report.residuals.max() < 1e-8, "{count} {along} {friction}: {:?}", report.residuals);
    }
}

//! Many contacts as a linear complementarity problem, over the graph of the bodies.

use nalgebra::{SMatrix, SVector};
use stickslip_contact::contact::{
    Accuracy, Contact, ContactModel, ContactProblem, FrictionPolygon, Link, Solution, StewartTrinkle,
    StewartTrinkleSettings, Structured, Yardstick,
};
use stickslip_solve::lcp::Method;

use crate::{
    generator::{Kind, Recipe},
    rods::add_rods,
    stacks::Stack,
};

fn model<const D: usize, const N: usize>(solver: Option<Method>) -> StewartTrinkle<D, N> {
    let polygon = FrictionPolygon::Fixed;
    StewartTrinkle::new(StewartTrinkleSettings { directions: 4, polygon, solver, ..Default::default() })
}

/// By how much a solution misses the law of friction in squares `|r_1| + |r_2| <= mu r_n` (in the plane `|r_1| <= mu r_n`), by its
/// words, each contact in its own units: it does not pull, nor close, nor push apart what parts, its friction is within
/// the square, and of all in the square it takes the most work from the slip.
fn miss_of_squares<const D: usize, const N: usize>(
    problem: &ContactProblem<D, N>,
    solution: &Solution<D, N>,
) -> f64 {
    let mut yardstick = Yardstick::default();
    yardstick.set(problem);
    let contacts = problem.contacts.iter().zip(&solution.impulses).zip(yardstick.weights());
    contacts.fold(0.0, |worst: f64, ((contact, r), weight)| {
        let unit = yardstick.unit() * weight.sqrt();
        let (r, u) = (r * (weight / unit), problem.relative_velocity(contact, &solution.velocity) / unit);
        let (push, slip) = (r.rows_range(1..), u.rows_range(1..));
        let (bound, spent) = (contact.friction * r[0], push.lp_norm(1));
        let size = r.amax().max(u.amax()).max(1.0);
        let misses = [
            -r[0] / size,
            -u[0] / size,
            r[0].min(u[0]) / size,
            (spent - bound) / size,
            (push.dot(&slip) + bound * slip.amax()) / (size * size),
        ];
        misses
            .into_iter()
            .fold(worst, |worst, miss| if miss.is_nan() { f64::INFINITY } else { worst.max(miss) })
    })
}

/// Towers, walls, chains and heaps whose masses differ by up to a million: how many the first path solves, and how far from the
/// law all are.
fn check_set<const D: usize, const N: usize>(kind: Kind) -> (usize, usize) {
    let (mut first, mut all) = (0, 0);
    for index in 0..12_u64 {
        let recipe = Recipe {
            kind,
            contacts: [30, 60, 100][index as usize / 4],
            friction: [0.2, 0.5, 0.8][index as usize % 3],
            restitution: 0.0,
            mass_ratio: [1.0, 1e2, 1e4, 1e6][index as usize % 4],
            agitation: [0.0, 1.0][index as usize % 2],
            seed: 500 + index,
        };
        let problem = recipe.problem::<D, N>();
        let mut solution = Solution::default();
        let report = model::<D, N>(None).solve(&problem, &mut solution);
        let report = report.unwrap_or_else(|failure| panic!("{recipe:?}: {failure}"));
        let miss = miss_of_squares(&problem, &solution);
        assert!(miss < 1e-8, "{recipe:?}: {miss:.1e} after {report:?}");
        if recipe.mass_ratio < 1e6 {
            first += usize::from(report.rung == 0 && report.iterations < 60);
            all += 1;
        }
    }
    (first, all)
}

#[test]
fn stacks_are_solved_whatever_their_masses_and_up_to_ten_thousand_by_the_first_path() {
    for kind in [Kind::Tower, Kind::Wall, Kind::Chain, Kind::Pile, Kind::Graph] {
        for (first, all) in [check_set::<2, 3>(kind), check_set::<3, 6>(kind)] {
            assert!(first + 1 >= all, "{kind:?}: {first} of {all}");
        }
    }
}

/// With friction there may be several motions, and the two find different ones of some of these; without there is one.
#[test]
fn paths_and_pivots_both_keep_the_law_and_find_the_same_motion_where_there_is_one() {
    for index in 0..8 {
        let recipe = |friction| Recipe {
            kind: [Kind::Tower, Kind::Wall][index as usize % 2],
            contacts: 24,
            friction,
            restitution: 0.0,
            mass_ratio: [1.0, 100.0][index as usize / 4],
            agitation: 1.0,
            seed: 700 + index,
        };
        fn motions<const D: usize, const N: usize>(recipe: &Recipe) -> [Vec<SVector<f64, N>>; 2] {
            [None, Some(Method::Lemke)].map(|solver| {
                let mut solution = Solution::default();
                let problem = recipe.problem();
                let report = model::<D, N>(solver).solve(&problem, &mut solution).unwrap();
                assert_ne!(report.accuracy, Accuracy::Approximate);
                let miss = miss_of_squares(&problem, &solution);
                assert!(miss < 1e-9, "{recipe:?}, {solver:?}: {miss:.1e}");
                solution.velocity
            })
        }
        let _ = (motions::<2, 3>(&recipe(0.15)), motions::<3, 6>(&recipe(0.15)));
        let agree = |worst: f64| assert!(worst < 1e-8, "{:?}: {worst:.1e} m/s apart", recipe(0.0));
        let [a, b] = motions::<2, 3>(&recipe(0.0));
        agree(a.iter().zip(&b).map(|(a, b)| (a - b).amax()).fold(0.0, f64::max));
        let [a, b] = motions::<3, 6>(&recipe(0.0));
        agree(a.iter().zip(&b).map(|(a, b)| (a - b).amax()).fold(0.0, f64::max));
    }
}

/// In the plane two directions are the whole circle.
#[test]
fn in_the_plane_stacks_are_certified_to_rounding() {
    let mut masses = [1.0; 12];
    for heavy in [1.0, 1e2, 1e4, 1e6] {
        masses[11] = heavy;
        let problem = Stack::<2>::tower(&masses).problem::<3>(0.5, 0.01, 1);
        let report = StewartTrinkle::default().solve(&problem, &mut Solution::default()).unwrap();
        assert_eq!(report.accuracy, Accuracy::Certified, "{heavy}");
        // Above, rounding of the proximal term is that of a body a million times as heavy as what it stands on.
        if heavy < 1e6 {
            assert_eq!(report.rung, 0, "{heavy}");
            assert!(report.residuals.max() < 1e-9, "{heavy}: {report:?}");
        }
    }
}

/// Four corners of a face, stacked: their loads are open, and those near the interior point are the same whatever rounding does.
#[test]
fn a_step_at_rest_is_one_linear_system_with_the_basis_of_the_step_before() {
    let mut masses = [1.0; 10];
    masses[9] = 1e4;
    for stack in [Stack::<3>::tower(&[1.0; 10]), Stack::tower(&masses), Stack::pyramid(5)] {
        let mut lcp = model::<3, 6>(None);
        let mut solution = Solution::default();
        let cold = lcp.solve(&stack.problem(0.5, 0.0, 0), &mut solution).unwrap();
        assert!(cold.iterations > 1 && cold.iterations < 30, "{cold:?}");
        let memory = lcp.memory();
        let next = stack.problem(0.5, 1e-4, 7);
        let mut warm = Solution::default();
        let report = lcp.solve(&next, &mut warm).unwrap();
        assert_eq!((report.iterations, report.rung), (1, 0));
        assert!(miss_of_squares(&next, &warm) < 1e-9);
        let loads = warm.impulses.iter().map(|r| r[0]);
        assert!(loads.fold(f64::INFINITY, f64::min) > 0.0, "every corner carries something");
        // What is taken out and put back leads to the same numbers.
        let (mut other, mut again) = (model::<3, 6>(None), Solution::default());
        other.restore(&memory);
        other.solve(&next, &mut again).unwrap();
        assert_eq!(again, warm);
    }
}

/// A basis that does not hold any more is given up.
#[test]
fn a_kick_after_rest_is_solved_as_from_nothing() {
    let stack = Stack::<3>::pyramid(4);
    let mut lcp = model::<3, 6>(None);
    lcp.solve(&stack.problem(0.5, 0.0, 0), &mut Solution::default()).unwrap();
    let kicked = stack.problem::<6>(0.5, 20.0, 3);
    let mut solution = Solution::default();
    let report = lcp.solve(&kicked, &mut solution).unwrap();
    assert!(report.iterations > 1, "{report:?}");
    assert!(miss_of_squares(&kicked, &solution) < 1e-8);
}

#[test]
fn a_memory_that_does_not_fit_counts_as_none() {
    let stack = Stack::<2>::tower(&[1.0; 8]);
    let problem = stack.problem::<3>(0.5, 0.1, 0);
    let mut fresh = Solution::default();
    model::<2, 3>(None).solve(&problem, &mut fresh).unwrap();
    for memory in
        [vec![], vec![3.0], vec![-1.0, 2.0], vec![f64::NAN; 5], vec![1e300; 3], vec![0.0; 9], vec![7.0; 90]]
    {
        let mut lcp = model::<2, 3>(None);
        lcp.restore(&memory);
        let mut solution = Solution::default();
        lcp.solve(&problem, &mut solution).unwrap();
        for (a, b) in solution.velocity.iter().zip(&fresh.velocity) {
            assert!((a - b).amax() < 1e-10, "{memory:?}");
        }
    }
}

/// Friction that does not act has no shares.
#[test]
fn contacts_without_friction_stand_beside_others() {
    let mut problem = Stack::<3>::tower(&[1.0; 6]).problem::<6>(0.4, 0.5, 2);
    problem.contacts.iter_mut().step_by(2).for_each(|contact| contact.friction = 0.0);
    let mut solution = Solution::default();
    let report = model::<3, 6>(None).solve(&problem, &mut solution).unwrap();
    assert_eq!(report.rung, 0);
    assert!(miss_of_squares(&problem, &solution) < 1e-9);
    assert!(solution.impulses.iter().step_by(2).all(|r| r[1] == 0.0 && r[2] == 0.0));
}

/// Rods and springs are rows of the same linear system.
#[test]
fn rods_between_stacked_bodies_are_kept() {
    for compliance in [0.0, 0.3] {
        let mut problem = Stack::<2>::tower(&[1.0; 9]).problem::<3>(0.3, 1.0, 4);
        let row = SVector::<f64, 3>::new(0.8, 0.6, 0.2);
        add_rods(&mut problem, row, [(0, Some(4)), (7, None)], (2e-3, compliance));
        let (mut solution, mut exact) = (Solution::default(), Solution::default());
        let report = StewartTrinkle::default().solve(&problem, &mut solution).unwrap();
        assert_eq!((report.accuracy, report.rung), (Accuracy::Certified, 0));
        assert!(report.iterations < 60, "{report:?}");
        let rate = row.dot(&(solution.velocity[0] - solution.velocity[4])) + 2e-3;
        assert!((rate + compliance * solution.link_impulses[0]).abs() < 1e-12);
        Structured::default().solve(&problem, &mut exact).unwrap();
        for (a, b) in solution.velocity.iter().zip(&exact.velocity) {
            assert!((a - b).amax() < 1e-7, "{a} {b}");
        }
    }
}

/// Rods of 1 m and 1 kg in hinges, one after the other, the first in a hinge of the world, each at an angle of its own, after 1 ms
/// of gravity; if it touches, the end of the last is on a floor with friction 0.5 and comes with 0.3 m/s obliquely.
fn hinged_rods(count: usize, touches: bool) -> ContactProblem<2, 3> {
    let dt = 1e-3;
    let rod = SMatrix::from_diagonal(&SVector::<f64, 3>::new(1.0, 1.0, 12.0));
    let arms: Vec<_> =
        (0..count).map(|i| (0.7 * i as f64).sin()).map(|angle| [angle.cos(), angle.sin()]).collect();
    // How fast a point at half the arm, before or behind the centre, moves along x or z by (x', z', angle').
    let row = |[x, z]: [f64; 2], side: f64, axis: usize| match axis {
        0 => SVector::<f64, 3>::new(1.0, 0.0, -0.5 * side * z),
        _ => SVector::<f64, 3>::new(0.0, 1.0, 0.5 * side * x),
    };
    let mut links = Vec::new();
    for (i, arm) in arms.iter().enumerate() {
        for axis in 0..2 {
            let before = i.checked_sub(1);
            let other = before.map_or_else(SVector::zeros, |before| -row(arms[before], 1.0, axis));
            let (bodies, jacobian) = ([Some(i), before], [row(*arm, -1.0, axis), other]);
            let bounds = Link::<3>::UNBOUNDED;
            links.push(Link { bodies, jacobian, bias: 0.0, terms: 0.0, compliance: 0.0, bounds });
        }
    }
    let end = arms[count - 1];
    let jacobian =
        SMatrix::<f64, 2, 3>::from_rows(&[row(end, 1.0, 1).transpose(), row(end, 1.0, 0).transpose()]);
    let contact = Contact {
        bodies: [Some(count - 1), None],
        jacobian: [jacobian, SMatrix::zeros()],
        friction: 0.5,
        bias: 0.0,
        surface_velocity: SVector::zeros(),
        restitution: 0.0,
        gap: 0.0,
    };
    let mut free_velocity = vec![SVector::<f64, 3>::new(0.0, -9.81 * dt, 0.0); count];
    free_velocity[count - 1] += SVector::<f64, 3>::new(0.2, -0.3, 0.1);
    ContactProblem {
        free_velocity,
        inverse_mass: vec![rod; count],
        contacts: if touches { vec![contact] } else { Vec::new() },
        links,
        ..ContactProblem::empty(dt)
    }
}

/// The dense elimination of the links, by which pivoting goes, takes the cube of their number.
#[test]
fn what_many_links_join_moves_over_the_graph_of_the_bodies_as_it_does_by_pivoting() {
    for (count, touches) in [(12, false), (12, true), (60, false), (60, true)] {
        let problem = hinged_rods(count, touches);
        let mut solutions = [None, Some(Method::Lemke)].map(|solver| {
            let mut solution = Solution::default();
            let report = model::<2, 3>(solver).solve(&problem, &mut solution);
            let report = report.unwrap_or_else(|failure| panic!("{count} {touches} {solver:?}: {failure}"));
            assert_eq!(report.accuracy, Accuracy::Certified);
            (report, solution)
        });
        let [(graph, own), (_, by_pivots)] = &mut solutions;
        assert!(graph.iterations > 0 && graph.rung == 0, "{count} {touches}: {graph:?}");
        let apart = own.velocity.iter().zip(&by_pivots.velocity).map(|(a, b)| (a - b).amax());
        assert!(apart.fold(0.0, f64::max) < 1e-10, "{count} {touches}");
        let pushes = own.impulses.iter().zip(&by_pivots.impulses).map(|(a, b)| (a - b).amax());
        assert!(pushes.fold(0.0, f64::max) < 1e-10, "{count} {touches}");
        if touches {
            assert!(own.impulses[0][0] > 1e-3, "it strikes the floor");
        }
    }
}

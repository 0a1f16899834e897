//! The structured interior point.

use nalgebra::{SMatrix, SVector};
use stickslip_contact::contact::{
    Accuracy, ContactModel, DenseSolution, DenseSolver, Report, Solution, SolveFailure, StewartTrinkle,
    Structured, StructuredSettings, TOLERANCE, Yardstick,
};

use crate::{
    generator::{Kind, Recipe},
    rods::add_rods,
    samples::{Sample, samples},
    stacks::Stack,
};

/// Solves a sample by its bodies and by its Delassus operator.
fn both_forms(sample: &Sample, settings: StructuredSettings) -> [Result<Report, SolveFailure>; 2] {
    fn of<const D: usize, const N: usize>(
        sample: &Sample,
        settings: StructuredSettings,
    ) -> [Result<Report, SolveFailure>; 2] {
        let problem = sample.problem::<D, N>();
        let mut model = Structured::<D, N>::new(settings);
        [
            model.solve(&problem, &mut Solution::default()),
            model.solve_dense(&problem.delassus(), &mut DenseSolution::default()),
        ]
    }
    if sample.dimension == 2 { of::<2, 3>(sample, settings) } else { of::<3, 6>(sample, settings) }
}

#[test]
fn every_sample_is_certified_by_bodies_and_by_operator() {
    for sample in samples() {
        for result in both_forms(&sample, StructuredSettings::default()) {
            let report = result.unwrap_or_else(|failure| panic!("{}: {failure}", sample.name));
            assert_eq!(report.accuracy, Accuracy::Certified, "{}: {report:?}", sample.name);
        }
    }
}

/// One problem of a campaign, in the plane and in space in turn.
fn solve(recipe: &Recipe, settings: StructuredSettings) -> Result<Report, SolveFailure> {
    let is_planar = recipe.seed.is_multiple_of(2);
    if is_planar {
        Structured::<2, 3>::new(settings).solve(&recipe.problem(), &mut Solution::default())
    } else {
        Structured::<3, 6>::new(settings).solve(&recipe.problem(), &mut Solution::default())
    }
}

/// What became of a campaign.
#[derive(Debug, Default)]
struct Tally {
    /// Certified by the first path alone.
    first: usize,
    /// Certified by the ladder.
    all: usize,
    /// Not certified although friction is at most 1.
    low_friction_left: Vec<(Recipe, Result<Report, SolveFailure>)>,
}

fn tally(count: u64, campaign: u64) -> Tally {
    let is_certified = |result: &Result<Report, SolveFailure>| {
        result.as_ref().is_ok_and(|report| report.accuracy == Accuracy::Certified)
    };
    let mut tally = Tally::default();
    for recipe in (0..count).map(|index| Recipe::random(index, campaign)) {
        let alone = StructuredSettings { ladder: false, ..StructuredSettings::default() };
        tally.first += usize::from(is_certified(&solve(&recipe, alone)));
        let result = solve(&recipe, StructuredSettings::default());
        if is_certified(&result) {
            tally.all += 1;
        } else if recipe.friction <= 1.0 {
            tally.low_friction_left.push((recipe, result));
        }
    }
    tally
}

#[test]
fn random_problems_are_certified() {
    let tally = tally(120, 7);
    assert!(tally.first >= 114 && tally.all >= 119, "{tally:?}");
    assert!(tally.low_friction_left.is_empty(), "{tally:?}");
}

/// Of 2,000 problems one with friction below 1 is known to be left, at 3e-5: a chain of boxes in
/// space whose masses differ by 671.
#[test]
#[ignore = "half a minute"]
fn many_random_problems_are_certified() {
    let mut low_friction_left = 0;
    for campaign in [1, 2, 3, 4, 5] {
        let tally = tally(400, campaign);
        println!("campaign {campaign}: {tally:?}");
        assert!(tally.first >= 384 && tally.all >= 396, "{tally:?}");
        low_friction_left += tally.low_friction_left.len();
    }
    assert!(low_friction_left <= 1);
}

/// Their paths fold: `tau` has to grow between two folds, or the path never gets past the first.
#[test]
fn paths_that_fold_back_are_followed() {
    let alone = StructuredSettings { ladder: false, ..StructuredSettings::default() };
    for (index, campaign) in [(117, 1), (36, 3), (255, 5), (69, 2), (54, 5)] {
        let recipe = Recipe::random(index, campaign);
        let report = solve(&recipe, alone).unwrap_or_else(|failure| panic!("{recipe:?}: {failure}"));
        assert_eq!(report.accuracy, Accuracy::Certified, "{recipe:?}: {report:?}");
    }
}

/// Impulses at the foot are thousands of times those at the top, and the softest motion of all bodies answers to them
/// millions of times more than the stiffest: neither the curvature of a step nor the proximal term may show in it.
#[test]
fn a_tower_of_two_thousand_storeys_is_certified_by_the_first_path() {
    let alone = StructuredSettings { ladder: false, ..StructuredSettings::default() };
    let recipe = Recipe {
        kind: Kind::Tower,
        contacts: 4096,
        friction: 0.5,
        restitution: 0.0,
        mass_ratio: 1.0,
        agitation: 1.0,
        seed: 5,
    };
    let report = Structured::<2, 3>::new(alone).solve(&recipe.problem(), &mut Solution::default()).unwrap();
    assert_eq!(report.accuracy, Accuracy::Certified, "{report:?}");
    assert!(report.iterations < 100, "{report:?}");
}

/// The two linear systems are one: what answers the one answers the other, and velocities agree where forces need
/// not. (Among many contacts of bodies of unlike mass a step may have several solutions, exact to rounding, though
/// friction is little.)
#[test]
fn bodies_and_operator_have_the_same_answers() {
    let (mut yardstick, mut agreeing) = (Yardstick::default(), 0);
    for index in 0..40 {
        let recipe = Recipe { contacts: 4 + index as usize, friction: 0.1, ..Recipe::random(index, 11) };
        let problem = recipe.problem::<3, 6>();
        let delassus = problem.delassus();
        let mut model = Structured::<3, 6>::default();
        let (mut solution, mut dense) = (Solution::default(), DenseSolution::default());
        model.solve(&problem, &mut solution).unwrap();
        model.solve_dense(&delassus, &mut dense).unwrap();

        let mut of_operator = Vec::new();
        let mut of_bodies = Solution { impulses: dense.impulses.clone(), ..Solution::default() };
        problem.follow(&mut of_bodies);
        yardstick.set(&problem);
        let residuals = yardstick.residuals_of_bodies(&problem, &of_bodies);
        assert!(yardstick.accepts(&residuals, TOLERANCE), "{recipe:?}: {residuals:?}");
        delassus.velocities(&solution.impulses, &mut of_operator);
        yardstick.set_dense(&delassus);
        let pairs = solution.impulses.iter().copied().zip(of_operator);
        let residuals = yardstick.residuals(pairs);
        assert!(yardstick.accepts(&residuals, TOLERANCE), "{recipe:?}: {residuals:?}");

        let scale = problem.free_velocity.iter().map(|velocity| velocity.amax()).fold(0.0, f64::max);
        let largest =
            problem.contacts.iter().zip(&dense.velocities).fold(0.0_f64, |largest, (contact, u)| {
                largest.max((problem.relative_velocity(contact, &solution.velocity) - u).amax())
            });
        agreeing += usize::from(largest < 1e-5 * scale);
    }
    assert!(agreeing >= 38, "{agreeing} of 40");
}

/// A point between two walls that ask to be left faster than it can: no solution exists.
#[test]
fn what_has_no_solution_is_a_failure() {
    let mut problem = Recipe { contacts: 4, ..Recipe::random(0, 1) }.problem::<2, 3>();
    problem.contacts.truncate(2);
    for (contact, x) in problem.contacts.iter_mut().zip([1.0, -1.0]) {
        contact.bodies = [Some(0), None];
        contact.jacobian = [SMatrix::<f64, 2, 3>::new(x, 0.0, 0.0, 0.0, x, 0.0), SMatrix::zeros()];
        contact.bias = -1.0;
    }
    let failure = Structured::default().solve(&problem, &mut Solution::default()).unwrap_err();
    let SolveFailure::Unsolved { residuals, .. } = failure else { panic!("{failure}") };
    assert!(residuals.scaled > 0.1 && residuals.scaled.is_finite());
}

#[test]
fn rods_and_springs_are_honoured() {
    let recipe = Recipe { kind: Kind::Chain, contacts: 30, friction: 0.1, ..Recipe::random(2, 3) };
    for compliance in [0.0, 0.5] {
        let mut problem = recipe.problem::<2, 3>();
        let row = SVector::<f64, 3>::new(0.6, 0.8, 0.1);
        add_rods(&mut problem, row, [(0, Some(3)), (1, None)], (1e-3, compliance));
        let (mut solution, mut pivoted) = (Solution::default(), Solution::default());
        let report = Structured::default().solve(&problem, &mut solution).unwrap();
        assert_eq!(report.accuracy, Accuracy::Certified);
        let rate = row.dot(&(solution.velocity[0] - solution.velocity[3])) + 1e-3;
        assert!((rate + compliance * solution.link_impulses[0]).abs() < 1e-9);
        let report = StewartTrinkle::default().solve(&problem, &mut pivoted).unwrap();
        assert_eq!(report.accuracy, Accuracy::Certified);
        for (a, b) in solution.velocity.iter().zip(&pivoted.velocity) {
            assert!((a - b).amax() < 1e-6, "{a} {b}");
        }
    }
}

#[test]
fn few_contacts_gain_from_a_guess_and_many_ignore_it() {
    let recipe =
        Recipe { kind: Kind::Tower, contacts: 4, friction: 0.5, agitation: 1.0, ..Recipe::random(1, 3) };
    let problem = recipe.problem::<3, 6>();
    assert_eq!(problem.contacts.len(), 4);
    let mut model = Structured::default();
    let mut solution = Solution::default();
    let cold = model.solve(&problem, &mut solution).unwrap();
    solution.is_guess = true;
    let mut moved = problem.clone();
    moved.free_velocity[0][0] += 1e-3 * moved.free_velocity[0].amax();
    let warm = model.solve(&moved, &mut solution).unwrap();
    assert!(warm.iterations < cold.iterations, "{warm:?} {cold:?}");
    assert_eq!(warm.accuracy, Accuracy::Certified);
}

#[test]
fn the_same_problem_has_the_same_answer_to_the_last_bit() {
    let recipe = Recipe { contacts: 100, ..Recipe::random(8, 5) };
    let mut answers = Vec::new();
    let mut model = Structured::<3, 6>::default();
    for _ in 0..2 {
        let mut solution = Solution::default();
        model.solve(&recipe.problem(), &mut solution).unwrap();
        // Another problem in between leaves no trace.
        let _ = model.solve(&Recipe::random(3, 5).problem(), &mut Solution::default());
        answers.push(solution);
    }
    assert_eq!(answers[0], answers[1]);
}

#[test]
fn without_contacts_nothing_changes() {
    let mut problem = Recipe::random(1, 1).problem::<3, 6>();
    problem.contacts.clear();
    let mut solution = Solution::default();
    let report = Structured::default().solve(&problem, &mut solution).unwrap();
    assert_eq!(report.iterations, 0);
    assert_eq!(solution.velocity, problem.free_velocity);
}

#[test]
fn bodies_at_rest_take_one_factorisation_whatever_was_solved_before() {
    let mut heavy = vec![1.0; 10];
    heavy[9] = 1e4;
    for stack in [Stack::<3>::tower(&[1.0; 10]), Stack::tower(&heavy), Stack::pyramid(5)] {
        let problem = stack.problem::<6>(0.5, 1e-6, 0);
        let mut model = Structured::default();
        let mut solution = Solution::default();
        let report = model.solve(&problem, &mut solution).unwrap();
        assert_eq!((report.iterations, report.rung), (1, 0));
        assert!(report.residuals.max() <= 1e-10, "{report:?}");
        let fastest = solution.velocity.iter().map(|velocity| velocity.amax()).fold(0.0, f64::max);
        assert!(fastest <= 1e-9 * problem.velocity_unit, "{fastest:e}");

        let impulses = solution.impulses.clone();
        model.solve(&stack.problem(0.5, 1.0, 7), &mut solution).unwrap();
        model.solve(&problem, &mut solution).unwrap();
        assert_eq!(solution.impulses, impulses);
    }
}

#[test]
fn a_tower_that_a_push_tips_over_is_not_held() {
    let mut problem = Stack::<3>::tower(&[1.0; 10]).problem::<6>(0.5, 0.0, 0);
    let push = 0.2 * problem.velocity_unit;
    problem.free_velocity.iter_mut().for_each(|velocity| velocity[0] += push);
    let mut solution = Solution::default();
    let report = Structured::default().solve(&problem, &mut solution).unwrap();
    assert_eq!(report.accuracy, Accuracy::Certified);
    let fastest = solution.velocity.iter().map(|velocity| velocity[0]).fold(0.0, f64::max);
    assert!(fastest > 0.05 * problem.velocity_unit, "{fastest:e}");
}

//! What nothing joins is solved apart, and the pieces are solved as if there were nothing else.

use stickslip_contact::contact::{
    Accuracy, AlternatingDirections, ContactModel, ContactProblem, FailureKind, GaussSeidel, Islands, Report,
    Solution, SolveFailure, StewartTrinkle, Structured, TOLERANCE,
};

use crate::generator::{Kind, Recipe};

type Make = fn() -> Box<dyn ContactModel<3, 6>>;

const MODELS: [Make; 4] = [
    || Box::new(Structured::default()),
    || Box::new(AlternatingDirections::default()),
    || Box::new(GaussSeidel::default()),
    || Box::new(StewartTrinkle::default()),
];

fn tower(contacts: usize, seed: u64) -> ContactProblem<3, 6> {
    Recipe { kind: Kind::Tower, contacts, friction: 0.5, ..Recipe::random(seed, 5) }.problem()
}

/// The problems side by side, their contacts in turn.
fn beside(problems: &[ContactProblem<3, 6>]) -> ContactProblem<3, 6> {
    let mut whole = ContactProblem::empty(problems[0].time_step);
    let longest = problems.iter().map(|problem| problem.contacts.len()).max().unwrap();
    let mut first_bodies = Vec::new();
    for problem in problems {
        first_bodies.push(whole.bodies());
        whole.free_velocity.extend(&problem.free_velocity);
        whole.inverse_mass.extend(&problem.inverse_mass);
    }
    for index in 0..longest {
        for (problem, first) in problems.iter().zip(&first_bodies) {
            if let Some(contact) = problem.contacts.get(index) {
                let mut contact = *contact;
                contact.bodies = contact.bodies.map(|body| body.map(|body| body + first));
                whole.contacts.push(contact);
            }
        }
    }
    whole
}

fn solve(
    model: &mut dyn ContactModel<3, 6>,
    problem: &ContactProblem<3, 6>,
) -> (Result<Report, SolveFailure>, Solution<3, 6>) {
    let mut solution = Solution::default();
    (model.solve(problem, &mut solution), solution)
}

#[test]
fn each_piece_is_solved_as_if_it_were_alone() {
    let problems = [tower(8, 1), tower(4, 2), tower(12, 3)];
    let whole = beside(&problems);
    for make in MODELS {
        let (report, solution) = solve(&mut Islands::new(make), &whole);
        let report = report.unwrap();
        let (mut first, mut iterations) = (0, 0);
        for problem in &problems {
            let (alone, own) = solve(&mut *make(), problem);
            let alone = alone.unwrap();
            iterations += alone.iterations;
            assert_eq!(report.accuracy, alone.accuracy);
            if report.accuracy == Accuracy::Certified {
                assert!(report.residuals.scaled <= TOLERANCE, "{report:?}");
            }
            assert_eq!(solution.velocity[first..first + problem.bodies()], own.velocity, "bit for bit");
            first += problem.bodies();
        }
        assert_eq!(report.iterations, iterations);
    }
}

#[test]
fn a_body_in_free_flight_changes_no_bit_of_the_others() {
    for contacts in [4, 8] {
        let small = tower(contacts, 1);
        let mut beside_flight = small.clone();
        beside_flight.free_velocity.push(nalgebra::SVector::<f64, 6>::repeat(100.0));
        beside_flight.inverse_mass.push(nalgebra::SMatrix::<f64, 6, 6>::identity() * 1e-6);
        for make in MODELS {
            let (alone, own) = solve(&mut *make(), &small);
            let (report, solution) = solve(&mut Islands::new(make), &beside_flight);
            assert_eq!(report.unwrap().iterations, alone.unwrap().iterations);
            assert_eq!(solution.impulses, own.impulses);
            assert_eq!(solution.velocity[..small.bodies()], own.velocity);
            assert_eq!(solution.velocity[small.bodies()], nalgebra::SVector::<f64, 6>::repeat(100.0));
        }
    }
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    let problems: Vec<_> = (0..24).map(|seed| tower(4 + seed as usize % 9, seed)).collect();
    let whole = beside(&problems);
    let with_threads = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| solve(&mut Islands::new(MODELS[0]), &whole)).1
    };
    let one = with_threads(1);
    for threads in [2, 5] {
        assert_eq!(with_threads(threads), one, "{threads} threads");
    }
}

#[test]
fn a_body_that_cannot_move_joins_nothing() {
    let mut shared = beside(&[tower(4, 1), tower(4, 2)]);
    let apart = solve(&mut Islands::new(MODELS[0]), &shared).1;
    let wall = shared.bodies();
    shared.free_velocity.push(nalgebra::SVector::zeros());
    shared.inverse_mass.push(nalgebra::SMatrix::zeros());
    for contact in &mut shared.contacts {
        for body in &mut contact.bodies {
            *body = Some(body.unwrap_or(wall));
        }
    }
    let (report, solution) = solve(&mut Islands::new(MODELS[0]), &shared);
    report.unwrap();
    assert_eq!(solution.impulses, apart.impulses);
    assert_eq!(solution.velocity[..wall], apart.velocity);
    assert_eq!(solution.velocity[wall].amax(), 0.0);
}

#[test]
fn a_piece_that_fails_is_named_and_the_others_are_kept() {
    /// Solves what has fewer than five contacts, and leaves zero for the rest.
    struct UpToFour(Structured<3, 6>);
    impl ContactModel<3, 6> for UpToFour {
        fn name(&self) -> &str {
            "up-to-four"
        }
        fn solve(
            &mut self,
            problem: &ContactProblem<3, 6>,
            solution: &mut Solution<3, 6>,
        ) -> Result<Report, SolveFailure> {
            let report = self.0.solve(problem, solution)?;
            if problem.contacts.len() < 5 {
                return Ok(report);
            }
            solution.impulses.iter_mut().for_each(|impulse| impulse.fill(0.0));
            solution.velocity.clone_from(&problem.free_velocity);
            let (iterations, residuals) = (report.iterations, report.residuals);
            let kind = FailureKind::NotConverged;
            Err(SolveFailure::Unsolved { kind, reason: "too many".to_owned(), iterations, residuals })
        }
    }
    let (small, large) = (tower(4, 1), tower(8, 2));
    let make = || Box::new(UpToFour(Structured::default())) as Box<dyn ContactModel<3, 6>>;
    let (outcome, solution) = solve(&mut Islands::new(make), &beside(&[small.clone(), large]));
    let Err(SolveFailure::Unsolved { reason, residuals, .. }) = outcome else { panic!("{outcome:?}") };
    assert_eq!(reason, "too many");
    assert!(residuals.scaled > 1e-3, "measured anew on the whole: {residuals:?}");
    let (_, alone) = solve(&mut Structured::default(), &small);
    assert_eq!(solution.velocity[..small.bodies()], alone.velocity);
}

//! How many solves a step takes where friction depends on the slip: a contact is released once and turns once, and most do
//! neither.

use std::sync::{Arc, Mutex};

use nalgebra::SVector;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use stickslip_contact::{
    contact::{
        ContactModel, ContactProblem, ExactCone, Friction, Hold, Posing, Report, Solution, SolveFailure,
        StewartTrinkle, Structured,
    },
    world::{Impacts, Plane, Surface, TimeStepper, TurningLaw, planar},
};

const DT: f64 = 1e-3;

/// How often stages were solved: how many took one solve, two, and so on.
type Counts = Arc<Mutex<Vec<u32>>>;

/// A model that counts how often it is asked the same but for the friction.
struct Counted {
    model: Box<dyn ContactModel<2, 3>>,
    before: ContactProblem<2, 3>,
    solves: usize,
    counts: Counts,
}

impl ContactModel<2, 3> for Counted {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn posing(&self) -> Posing {
        self.model.posing()
    }

    fn solve(
        &mut self,
        problem: &ContactProblem<2, 3>,
        solution: &mut Solution<2, 3>,
    ) -> Result<Report, SolveFailure> {
        let mut bare = problem.clone();
        bare.contacts.iter_mut().for_each(|contact| contact.friction = 0.0);
        let mut counts = self.counts.lock().expect("one thread");
        if bare == self.before {
            counts[self.solves] -= 1;
        } else {
            (self.before, self.solves) = (bare, 0);
        }
        self.solves += 1;
        let room = counts.len().max(self.solves + 1);
        counts.resize(room, 0);
        counts[self.solves] += 1;
        drop(counts);
        self.model.solve(problem, solution)
    }
}

/// A model that, before it is asked anything, tries on each stage what a step takes whose coefficients are those of the slip in its
/// end: all contacts at rest at first, then each with the coefficient of the slip that the solve before left, until none changes.
struct Iterated {
    model: Box<dyn ContactModel<2, 3>>,
    law: Friction,
    before: ContactProblem<2, 3>,
    counts: Counts,
}

/// How many solves coefficients that are iterated are given.
const GIVEN_UP: usize = 40;

impl Iterated {
    /// The solves of a stage, up to [`GIVEN_UP`].
    fn solves(&mut self, problem: &ContactProblem<2, 3>) -> usize {
        let mut own = problem.clone();
        own.contacts.iter_mut().for_each(|contact| contact.friction = self.law.coefficient(Hold::Static));
        for solves in 1..GIVEN_UP {
            let mut solution = Solution::default();
            self.model.solve(&own, &mut solution).expect("a solution");
            let mut changed = 0.0_f64;
            for index in 0..own.contacts.len() {
                let contact = &own.contacts[index];
                if solution.impulses[index][0] * own.normal_response(contact) < 1e-9 {
                    continue;
                }
                let slip = own.relative_velocity(contact, &solution.velocity)[1].abs();
                let hold = if slip > 1e-7 { Hold::Kinetic(slip) } else { Hold::Static };
                let coefficient = self.law.coefficient(hold);
                changed = changed.max((coefficient - contact.friction).abs());
                own.contacts[index].friction = coefficient;
            }
            if changed < 1e-6 {
                return solves;
            }
        }
        GIVEN_UP
    }
}

impl ContactModel<2, 3> for Iterated {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn posing(&self) -> Posing {
        self.model.posing()
    }

    fn solve(
        &mut self,
        problem: &ContactProblem<2, 3>,
        solution: &mut Solution<2, 3>,
    ) -> Result<Report, SolveFailure> {
        let mut bare = problem.clone();
        bare.contacts.iter_mut().for_each(|contact| contact.friction = 0.0);
        if bare != self.before {
            self.before = bare;
            let solves = self.solves(problem);
            let mut counts = self.counts.lock().expect("one thread");
            let room = counts.len().max(solves + 1);
            counts.resize(room, 0);
            counts[solves] += 1;
        }
        self.model.solve(problem, solution)
    }
}

/// Eight discs of random sizes, places and velocities that fall into a trough.
fn pile(rng: &mut StdRng, surface: Surface) -> planar::Scene {
    let discs = (0..8).map(|number| {
        let radius = rng.random_range(0.04..0.08);
        let place =
            [0.18 * f64::from(number % 2) + rng.random_range(0.0..0.02), 0.1 + 0.18 * f64::from(number / 2)];
        let shape = planar::Shape::disc(radius).expect("a disc");
        let twist = [rng.random_range(-1.0..1.0), rng.random_range(-1.0..0.0), rng.random_range(-10.0..10.0)];
        let body =
            planar::Body::new(shape, rng.random_range(0.5..2.0), planar::Pose::new(place[0], place[1], 0.0));
        planar::Body { twist: twist.into(), ..body }
    });
    let mut scene = planar::Scene::over_ground(discs.collect(), surface, 9.81);
    let wall = |side: f64| Plane {
        normal: [side, 0.0].into(),
        offset: if side > 0.0 { -0.1 } else { -0.3 },
        ..Plane::ground()
    };
    scene.walls = vec![wall(1.0), wall(-1.0)];
    scene
}

/// Laws that jump, fall gradually, grow, and all of them, with and without rolling.
fn laws() -> Vec<Surface> {
    let of = |friction: Friction, rolling: f64| Surface {
        friction,
        turning: TurningLaw { torsional: 0.0, rolling },
        ..Surface::default()
    };
    vec![
        of(Friction::static_and_kinetic(0.4, 0.25), 0.0),
        of(Friction::static_and_kinetic(0.5, 0.1), 0.0),
        of(Friction::static_and_kinetic(0.4, 0.25).with_speed(0.1, 0.1), 0.0),
        of(Friction::static_and_kinetic(0.6, 0.2).with_speed(0.02, 0.0), 0.0),
        of(Friction::coulomb(0.3).with_speed(0.0, 0.5), 0.0),
        of(Friction::static_and_kinetic(0.4, 0.25), 0.002),
    ]
}

/// Four solves in a stage of a step at most, 1.25 on average, over 900 steps of a pile for each law and model. Every one ends.
#[test]
fn the_passes_of_a_step_end_soon() {
    let models: [fn() -> Box<dyn ContactModel<2, 3>>; 3] = [
        || Box::new(Structured::default()),
        || Box::new(ExactCone::default()),
        || Box::new(StewartTrinkle::default()),
    ];
    for (number, surface) in laws().into_iter().enumerate() {
        for make in models {
            let mut rng = StdRng::seed_from_u64(31 + number as u64);
            let scene = pile(&mut rng, surface);
            let counts = Counts::default();
            let (model, before) = (make(), ContactProblem::empty(DT));
            let name = model.name().to_owned();
            let counted = Counted { model, before, solves: 0, counts: counts.clone() };
            let mut stepper = TimeStepper::new(Box::new(counted), Impacts::OneStage);
            let mut motion = scene.initial_motion();
            for step in 0..900 {
                if let Err(failure) = stepper.step(&scene, &mut motion, &[SVector::zeros(); 8], DT) {
                    panic!("{name}, law {number}, step {step}: {failure}");
                }
            }
            let counts = counts.lock().expect("one thread").clone();
            let stages: u32 = counts.iter().sum();
            let solves: usize =
                counts.iter().enumerate().map(|(solves, count)| solves * *count as usize).sum();
            let (most, mean) = (counts.len() - 1, solves as f64 / f64::from(stages));
            eprintln!("{name}, law {number}: mean {mean:.3}, stages by solves {counts:?}");
            assert!(stages > 850, "{name}, law {number}: {counts:?}");
            assert!(
                most <= 4 && mean < 1.25,
                "{name}, law {number}: mean {mean}, stages by solves {counts:?}"
            );
        }
    }
}

/// Why coefficients are no unknowns of a step: those of the slip in its end, iterated in the same piles, take dozens of solves where
/// friction falls steeply, as what one contact does changes the load and the slip of others. Ours never take more than four.
#[test]
fn coefficients_that_are_iterated_take_many_solves() {
    let (mut most, mut long) = (0, 0);
    for (number, surface) in laws().into_iter().take(4).enumerate() {
        let scene = pile(&mut StdRng::seed_from_u64(31 + number as u64), surface);
        let counts = Counts::default();
        let (model, before) = (Box::new(Structured::default()), ContactProblem::empty(DT));
        let tried = Iterated { model, law: surface.friction, before, counts: counts.clone() };
        let mut stepper = TimeStepper::new(Box::new(tried), Impacts::OneStage);
        let mut motion = scene.initial_motion();
        for step in 0..900 {
            if let Err(failure) = stepper.step(&scene, &mut motion, &[SVector::zeros(); 8], DT) {
                panic!("law {number}, step {step}: {failure}");
            }
        }
        let counts = counts.lock().expect("one thread").clone();
        most = most.max(counts.len() - 1);
        long += counts.iter().skip(5).sum::<u32>();
        eprintln!("law {number}: stages by solves {counts:?}");
    }
    assert!(most > 11 && long > 100, "{most} solves at most, {long} stages of more than four");
}

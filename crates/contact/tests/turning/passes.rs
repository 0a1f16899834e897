//! How many solves a step takes where friction depends on the slip: a contact is released once and turns once, and most do
//! neither.

use std::sync::{Arc, Mutex};

use nalgebra::SVector;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use stickslip_contact::{
    contact::{
        ContactModel, ContactProblem, ExactCone, Friction, Posing, Report, Solution, SolveFailure,
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

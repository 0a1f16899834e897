//! The motion of a step is held against what touches, whatever model took it.

use stickslip_contact::{
    contact::{
        Accuracy, ContactModel, ContactProblem, Posing, Report, Solution, SolveFailure, StewartTrinkle,
        StewartTrinkleSettings,
    },
    world::{Certificate, Surface, planar},
};

use crate::scenes::{MODELS, disc, fixed, lcp, moving, rectangle, run, scene};

/// A model whose contacts carry nothing.
struct Idle(Posing);

impl<const D: usize, const N: usize> ContactModel<D, N> for Idle {
    fn name(&self) -> &str {
        "idle"
    }

    fn posing(&self) -> Posing {
        self.0
    }

    fn solve(
        &mut self,
        problem: &ContactProblem<D, N>,
        solution: &mut Solution<D, N>,
    ) -> Result<Report, SolveFailure> {
        solution.prepare(problem.contacts.len(), problem.links.len());
        solution.velocity.clone_from(&problem.free_velocity);
        Ok(Report::unmeasured(Accuracy::OwnLaw, 0))
    }
}

/// A model that solves the law of contact with all gaps closed.
struct Early(StewartTrinkle<2, 3>);

impl ContactModel<2, 3> for Early {
    fn name(&self) -> &str {
        "early"
    }

    fn solve(
        &mut self,
        problem: &ContactProblem<2, 3>,
        solution: &mut Solution<2, 3>,
    ) -> Result<Report, SolveFailure> {
        let mut closed = problem.clone();
        closed.contacts.iter_mut().for_each(|contact| contact.bias = contact.bias.min(0.0));
        self.0.solve(&closed, solution)
    }
}

fn certificates(
    bodies: Vec<planar::Body>,
    model: Box<dyn ContactModel<2, 3>>,
    steps: usize,
) -> Vec<Certificate> {
    let run = run(&scene(bodies, Surface::new(0.3, 0.0), 9.81), model, 1e-3, steps);
    run.passages.iter().map(|passage| passage.certificate.expect("every step is judged")).collect()
}

#[test]
fn what_sinks_into_the_ground_is_told_with_its_depth() {
    for posing in [Posing::GapLevel, Posing::VelocityLevel, Posing::Compliant] {
        let bodies = vec![moving(rectangle(0.2, 0.2), [0.0, 0.1, 0.0], [0.0, -0.5, 0.0])];
        for (step, certificate) in certificates(bodies, Box::new(Idle(posing)), 3).into_iter().enumerate() {
            let steps = step as f64 + 1.0;
            let fallen = 1e-3 * steps * 0.5 + 1e-6 * 9.81 * 0.5 * steps * (steps + 1.0);
            assert!((certificate.overlaps - fallen).abs() < 1e-12, "{posing:?}: {certificate:?} {fallen}");
            assert!(!certificate.is_kept() && certificate.pushes_across == 0.0);
        }
    }
}

#[test]
fn what_flies_through_a_plate_within_a_step_is_told_with_the_depth_of_its_way() {
    let plate = || fixed(rectangle(1.0, 0.001), [0.0, 5.0, 0.0]);
    // It is 30 mm over the plate, and goes 60 mm in a step.
    let bodies = vec![plate(), moving(disc(0.01), [0.0, 5.0405, 0.0], [0.0, -60.0, 0.0])];
    let certificates = certificates(bodies, Box::new(Idle(Posing::Compliant)), 2);
    // As deep as the disc and the plate can be in each other along the normal of the plate.
    assert!(certificates[0].overlaps > 0.005 && certificates[0].overlaps < 0.012, "{:?}", certificates[0]);
    assert!(certificates[1].is_kept(), "{:?}", certificates[1]);
}

#[test]
fn who_pushes_across_a_gap_is_told_with_the_gap() {
    let early = || Box::new(Early(StewartTrinkle::new(StewartTrinkleSettings::default())));
    // It would fall 0.01 mm in the step, and is held 0.012 mm over the ground.
    let bodies = vec![moving(rectangle(0.2, 0.2), [0.0, 0.1 + 1.2e-5, 0.0], [0.0; 3])];
    let held = certificates(bodies.clone(), early(), 1)[0];
    assert!((held.pushes_across - 1.2e-5).abs() < 1e-12 && held.overlaps == 0.0, "{held:?}");
    // By the law of contact it falls.
    assert!(certificates(bodies, lcp(), 1)[0].is_kept());
}

/// A box that stands on the ground and was deep in it at the start is not told again and again.
#[test]
fn an_overlap_of_the_start_is_nobodys_fault() {
    let bodies = vec![
        moving(rectangle(0.2, 0.2), [0.0, 0.099, 0.0], [0.0; 3]),
        moving(rectangle(0.2, 0.2), [0.0, 0.2985, 0.0], [0.0; 3]),
    ];
    for certificate in certificates(bodies, lcp(), 50) {
        assert!(certificate.is_kept(), "{certificate:?}");
    }
}

/// A box falls on its edge beside a disc: the impact throws the other edge down, which was out of reach.
#[test]
fn a_corner_that_an_impact_throws_at_the_ground_ends_there() {
    for hit in [-40.0, -80.0] {
        let bodies = vec![
            moving(rectangle(0.4, 0.02), [0.0, 0.0102, 1e-3], [0.0; 3]),
            moving(disc(0.05), [0.15, 0.0702 + 0.01, 0.0], [0.0, hit, 0.0]),
        ];
        for certificate in certificates(bodies, lcp(), 5) {
            assert!(certificate.is_kept(), "{hit}: {certificate:?}");
        }
    }
}

/// A plank slides, all but flat, over the edge of a table at x = 0. The edge bears on ever another place of the plank, nearer by the
/// tilt times the slip, which no contact of the start of the step sees.
#[test]
fn what_slides_over_an_edge_with_a_hair_of_tilt_does_not_sink_into_it() {
    // The tilt, where its front end is, its width and height in m, and its velocity.
    let planks = [
        (3.487e-5, 9.372e-2, [0.219_317_66, 0.062_736_2], 3.2e-9, [2.653_337, -0.014_007, -0.036_142]),
        (3.135_77e-4, 4.059_75e-2, [0.311_81, 0.258_08], -1.51e-8, [2.400_43, -4.91e-4, -0.043_232]),
        (2.747e-5, 9.814_8e-3, [0.278_13, 0.077_869], -2.31e-8, [2.595_88, 0.005_382, -0.038_745]),
        (1.682_4e-4, 3.366_9e-2, [0.233_32, 0.089_426], -4.38e-8, [2.051_23, 0.010_455, -0.049_758]),
        (6.646_5e-4, 4.798_26e-2, [0.364_26, 0.085_932], -7.32e-8, [2.262_32, -0.006_77, -0.046_148]),
    ];
    for (name, model) in MODELS {
        for (tilt, front, [width, height], gap, velocity) in planks {
            let place = [front - 0.5 * width, 1.0 + 0.5 * (height + width * tilt) + gap, -tilt];
            let bodies = vec![
                fixed(rectangle(1.0, 1.0), [-0.5, 0.5, 0.0]),
                moving(rectangle(width, height), place, velocity),
            ];
            let run = run(&scene(bodies, Surface::new(0.3, 0.0), 9.81), model(), 2e-3, 5);
            assert_eq!(run.uncertified(), [], "{name}, tilt {tilt}");
        }
    }
}

//! Steps with several solutions, and with none that is determined.

use nalgebra::Vector2;
use stickslip::{
    contact::{
        GaussSeidel,
        detector::{Detection, Mode, detect},
    },
    world::{
        Impacts, Surface, TimeStepper,
        planar::{Body, Pose, Scene, Shape, Twist},
    },
};

use crate::stepping::{cone, lcp, nlp};

/// Takes one step by complementarity and finds all solutions of its problem.
fn detection(scene: &Scene, force: Twist, dt: f64) -> (Detection<3>, Twist) {
    let mut stepper = TimeStepper::new(lcp(), Impacts::OneStage);
    let mut motion = scene.initial_motion();
    stepper.step(scene, &mut motion, &vec![force; scene.bodies.len()], dt).unwrap();
    (detect(&stepper.problem().contact).unwrap(), motion.velocities[0])
}

/// A rod that slides on its lower end, 1.1 rad steep, at friction 2: Painleve's paradox.
fn painleve() -> Scene {
    let angle = 1.1_f64;
    let body = Body {
        twist: Twist::new(-1.0, 0.0, 0.0),
        ..Body::new(Shape::rod(1.0).unwrap(), 1.0, Pose::new(0.0, 0.5 * angle.sin(), angle))
    };
    Scene::over_ground(vec![body], Surface::new(2.0, 0.0), 9.81)
}

#[test]
fn painleves_rod_sticks_by_an_impulse_that_does_not_vanish_with_the_step() {
    for (dt, expected) in [(1e-3, 0.31148), (1e-4, 0.30402)] {
        let (found, _) = detection(&painleve(), Twist::zeros(), dt);
        let [only] = found.alternatives.as_slice() else { panic!("{found:?}") };
        assert_eq!(only.modes, [Mode::Stick]);
        assert!((only.impulses[0][0] - expected).abs() < 1e-5, "{only:?}");
    }
}

#[test]
fn pulled_up_painleves_rod_has_three_motions() {
    let pull = Twist::new(0.0, 2.0 * 9.81, 0.0);
    let (found, taken) = detection(&painleve(), pull, 1e-3);
    let mut impulses: Vec<(Mode, f64)> =
        found.alternatives.iter().map(|other| (other.modes[0], other.impulses[0][0])).collect();
    impulses.sort_by(|a, b| a.1.total_cmp(&b.1));
    let expected = [(Mode::Open, 0.0), (Mode::SlideBackward, 0.012137), (Mode::Stick, 0.29489)];
    assert_eq!(impulses.len(), 3, "{impulses:?}");
    for ((mode, impulse), (expected_mode, expected)) in impulses.iter().zip(expected) {
        assert_eq!(*mode, expected_mode);
        assert!((impulse - expected).abs() < 2e-6, "{impulses:?}");
    }
    assert!((taken.z - 0.0).abs() < 1e-12, "complementarity lets it open: {taken:?}");
}

#[test]
fn a_table_has_one_motion_and_indeterminate_forces() {
    let corners = [(-0.6, -0.2), (-0.2, -0.2), (0.2, -0.2), (0.6, -0.2), (0.6, 0.2), (-0.6, 0.2)];
    let corners: Vec<_> = corners.iter().map(|&(x, z)| Vector2::new(x, z).into()).collect();
    let body = Body::new(Shape::polygon(&corners).unwrap(), 2.0, Pose::new(0.0, 0.2, 0.0));
    let scene = Scene::over_ground(vec![body], Surface::new(0.5, 0.0), 9.81);
    let (found, _) = detection(&scene, Twist::new(3.0, 0.0, 0.0), 1e-3);
    let [only] = found.alternatives.as_slice() else { panic!("{found:?}") };
    assert!(found.forces_are_indeterminate && only.impulses_are_indeterminate);
}

/// Four legs carry a table of twice its height that is pushed at a quarter of its weight: the motion, the sum of
/// the forces and their moment are determined, their shares are not, and a basic solution has two of them.
#[test]
fn shares_of_four_legs_are_open_and_their_wrench_is_not() {
    let legs = [-0.6, -0.2, 0.2, 0.6];
    let corners = legs.map(|x| (x, -0.3)).into_iter().chain([(0.6, 0.3), (-0.6, 0.3)]);
    let corners: Vec<_> = corners.map(|(x, z)| Vector2::new(x, z).into()).collect();
    let body = Body::new(Shape::polygon(&corners).unwrap(), 2.0, Pose::new(0.0, 0.3, 0.0));
    let weight = 2.0 * 9.81;
    let scene = Scene::over_ground(vec![body], Surface::new(0.5, 0.0), 9.81);
    for model in [lcp, nlp, cone] {
        let mut stepper = TimeStepper::new(model(), Impacts::OneStage);
        let mut motion = scene.initial_motion();
        stepper.step(&scene, &mut motion, &[Twist::new(0.25 * weight, 0.0, 0.0)], 1e-3).unwrap();
        assert!(motion.velocities[0].amax() < 1e-8, "{:?}", motion.velocities[0]);
        let (touches, impulses) = (&stepper.problem().touches, &stepper.solution().impulses);
        let shares: Vec<(f64, f64)> =
            touches.iter().zip(impulses).map(|(touch, r)| (touch.point.x, r[0] / (1e-3 * weight))).collect();
        let sum: f64 = shares.iter().map(|(_, share)| share).sum();
        let moment: f64 = shares.iter().map(|(x, share)| x * share).sum();
        assert!((sum - 1.0).abs() < 1e-5 && (moment - 0.25 * 0.3).abs() < 1e-5, "{shares:?}");
        if stepper.name() == "lcp" {
            for ((_, share), expected) in shares.iter().zip([0.0, 0.3125, 0.6875, 0.0]) {
                assert!((share - expected).abs() < 1e-10, "{shares:?}");
            }
        }
    }
}

/// Its rows depend on each other, but sliding on both corners leaves the forces no choice; at rest friction may
/// squeeze the corners towards each other as it likes.
#[test]
fn forces_of_a_box_are_determined_while_it_slides_and_not_at_rest() {
    for (speed, indeterminate) in [(1.0, false), (0.0, true)] {
        let body = Body {
            twist: Twist::new(speed, 0.0, 0.0),
            ..Body::new(Shape::rectangle(0.5, 0.5).unwrap(), 1.0, Pose::new(0.0, 0.25, 0.0))
        };
        let scene = Scene::over_ground(vec![body], Surface::new(0.3, 0.0), 9.81);
        let (found, _) = detection(&scene, Twist::zeros(), 1e-3);
        let [only] = found.alternatives.as_slice() else { panic!("{found:?}") };
        assert!(found.forces_are_indeterminate);
        assert_eq!(only.impulses_are_indeterminate, indeterminate, "{found:?}");
    }
}

#[test]
fn a_thrown_rod_has_one_motion_and_determined_forces() {
    let body = Body {
        twist: Twist::new(1.0, -2.0, 0.0),
        ..Body::new(Shape::rod(1.0).unwrap(), 1.0, Pose::new(0.0, 0.5 * 0.7_f64.sin(), 0.7))
    };
    let scene = Scene::over_ground(vec![body], Surface::new(0.3, 0.0), 9.81);
    let (found, taken) = detection(&scene, Twist::zeros(), 1e-3);
    let [only] = found.alternatives.as_slice() else { panic!("{found:?}") };
    assert!(!found.forces_are_indeterminate && !only.impulses_are_indeterminate);
    assert!((only.velocity[0] - taken).amax() < 1e-12);
}

#[test]
fn more_contacts_than_can_be_tried_are_said_to_be() {
    let discs = (0..5).map(|i| Body::new(Shape::disc(0.1).unwrap(), 1.0, Pose::new(f64::from(i), 0.1, 0.0)));
    let scene = Scene::over_ground(discs.collect(), Surface::default(), 9.81);
    let mut stepper = TimeStepper::new(Box::new(GaussSeidel::default()), Impacts::OneStage);
    stepper.step(&scene, &mut scene.initial_motion(), &[Twist::zeros(); 5], 1e-3).unwrap();
    assert_eq!(detect(&stepper.problem().contact).unwrap_err().contacts, 5);
}

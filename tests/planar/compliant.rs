//! Models with a compliance of their own: convex contacts and penalty forces.

use stickslip::{
    contact::{Accuracy, ContactModel},
    scenario::ConvexSettings,
    stepper::{ConvexBodies, PenaltyBodies, PenaltyLaw},
    world::{
        Impacts, Surface, TimeStepper,
        planar::{Body, Pose, Scene, Shape, Twist},
    },
};

use crate::{
    cases, data,
    stepping::{error, order, run},
};

fn convex(settings: ConvexSettings) -> Box<dyn ContactModel<2, 3>> {
    Box::new(ConvexBodies::new(settings))
}

fn ungated() -> ConvexSettings {
    ConvexSettings { gated: false, ..ConvexSettings::PUBLISHED }
}

#[test]
fn convex_contacts_give_the_velocities_of_the_reference() {
    for step in data::steps() {
        let mut stepper = TimeStepper::new(convex(ungated()), Impacts::OneStage);
        let mut motion = step.scene.initial_motion();
        let forces = vec![Twist::zeros(); step.scene.bodies.len()];
        let report = stepper.step(&step.scene, &mut motion, &forces, step.dt).unwrap();
        assert_eq!(report.accuracy, Accuracy::OwnLaw);
        assert!(report.iterations <= 9, "{}: {} iterations", step.kind, report.iterations);
        let unit = step.convex_velocity.amax().max(step.dt * 9.81);
        for (body, velocity) in motion.velocities.iter().enumerate() {
            let off = (velocity - step.convex_velocity.fixed_rows::<3>(3 * body)).amax() / unit;
            assert!(off < 1e-8, "{} {body}: {off:e}", step.kind);
        }
    }
}

/// Gated contacts of 10 MN/m make what slides fast hop: a disc with backspin by 38 mm, a braking box by centimetres.
#[test]
fn stiff_gated_contacts_hop() {
    for (name, least, most) in [("disc-backspin", 0.037, 0.039), ("box-decel-tip", 0.02, 0.03)] {
        let case = cases::all().into_iter().find(|case| case.name == name).unwrap();
        let steps = (case.duration() / 1e-3) as usize;
        let motions = run(&case.scene, convex(ConvexSettings::PUBLISHED), Impacts::OneStage, 1e-3, steps);
        let lowest = |pose: &Pose| match &case.scene.bodies[0].shape {
            Shape::Disc { radius } => pose.position.y - radius,
            Shape::Compound(_) => unreachable!("no body here has parts"),
            Shape::Polygon(polygon) => {
                let heights = polygon.corners().iter().map(|corner| pose.position.y + pose.rotate(corner).y);
                heights.fold(f64::INFINITY, f64::min)
            }
        };
        let hop = motions.iter().map(|motion| lowest(&motion.poses[0])).fold(0.0, f64::max);
        assert!((least..most).contains(&hop), "{name}: {hop}");
    }
}

fn resting_box() -> Scene {
    let body = Body::new(Shape::rectangle(0.4, 0.2).unwrap(), 2.0, Pose::new(0.0, 0.1, 0.0));
    Scene::over_ground(vec![body], Surface::new(0.5, 0.0), 9.81)
}

/// Two contacts of stiffness `k` carry the weight: the box sinks by `m g/(2 k)` under penalty forces.
#[test]
fn penalty_contacts_carry_a_box_at_the_depth_of_their_springs() {
    let stiffness = 2e4;
    let motions = run(
        &resting_box(),
        Box::new(PenaltyBodies::new(PenaltyLaw::HuntCrossley { stiffness, damping: 10.0 })),
        Impacts::OneStage,
        1e-3,
        3000,
    );
    let last = motions.last().unwrap();
    let depth = 0.1 - last.poses[0].position.y;
    assert!((depth - 2.0 * 9.81 / (2.0 * stiffness)).abs() < 1e-6, "{depth}");
    assert!(last.velocities[0].amax() < 1e-3);
}

#[test]
fn convex_contacts_carry_a_box_at_the_depth_of_their_compliance() {
    let settings = ConvexSettings { stiffness: Some(1e5), ..ConvexSettings::PUBLISHED };
    let motions = run(&resting_box(), convex(settings), Impacts::OneStage, 1e-3, 2000);
    let depth = 0.1 - motions.last().unwrap().poses[0].position.y;
    assert!((depth - 2.0 * 9.81 / (2.0 * 1e5)).abs() < 1e-6, "{depth}");
}

/// The default springs are as stiff as the step resolves: bodies rest ever less deep.
#[test]
fn default_penalty_contacts_sink_in_with_the_square_of_the_step() {
    let depth = |dt: f64| {
        let law = PenaltyLaw::KelvinVoigt { stiffness: None, damping: None };
        let motions = run(&resting_box(), Box::new(PenaltyBodies::new(law)), Impacts::OneStage, dt, 2000);
        0.1 - motions.last().unwrap().poses[0].position.y
    };
    let (coarse, fine) = (depth(2e-3), depth(1e-3));
    assert!(fine > 0.0 && (coarse / fine - 4.0).abs() < 1e-3, "{coarse} {fine}");
}

/// Friction that sticks holds a box under a push; the explicit forces do not let it creep.
#[test]
fn penalty_friction_sticks_without_creeping() {
    let scene = resting_box();
    let mut stepper = TimeStepper::new(
        Box::new(PenaltyBodies::new(PenaltyLaw::HuntCrossley { stiffness: 2e4, damping: 10.0 })),
        Impacts::OneStage,
    );
    let mut motion = scene.initial_motion();
    let mut push = |motion: &mut _, steps| {
        for _ in 0..steps {
            stepper.step(&scene, motion, &[Twist::new(5.0, 0.0, 0.0)], 1e-3).unwrap();
        }
    };
    // It first leans into its springs.
    push(&mut motion, 4000);
    let start = motion.poses[0].position.x;
    push(&mut motion, 1000);
    assert!((motion.poses[0].position.x - start).abs() < 1e-9, "{}", motion.poses[0].position.x - start);
}

#[test]
fn penalty_forces_too_stiff_for_the_step_are_refused_with_the_step_that_would_do() {
    let scene = resting_box();
    let mut stepper = TimeStepper::new(
        Box::new(PenaltyBodies::new(PenaltyLaw::HuntCrossley { stiffness: 1e8, damping: 10.0 })),
        Impacts::OneStage,
    );
    let mut motion = scene.initial_motion();
    let failure = (0..1000)
        .find_map(|_| stepper.step(&scene, &mut motion, &[Twist::zeros()], 1e-2).err())
        .expect("a failure");
    assert!(failure.to_string().contains("stable only in steps below"), "{failure}");
}

/// Compliant models come closer to the rigid motion as the step shrinks and stiffness grows, but hop while
/// sliding fast: no better than this.
#[test]
fn convex_contacts_follow_a_sliding_box_within_their_compliance() {
    let case = cases::all().swap_remove(0);
    let errors = [4e-3, 1e-3].map(|dt| {
        error(&case.scene, convex(ConvexSettings::PUBLISHED), Impacts::OneStage, dt, case.duration())
    });
    assert!(errors[1] < 2e-2 && order(&[4e-3, 1e-3], &errors) > 0.0, "{errors:?}");
}

/// A box that is thrown, tumbles and comes to rest on two corners, whose friction is nearly redundant then.
#[test]
fn penalty_contacts_move_a_box_alike_whatever_it_weighs() {
    let run_of = |mass: f64| {
        let body = Body {
            twist: Twist::new(1.0, 0.0, 3.0),
            ..Body::new(Shape::rectangle(0.2, 0.2).unwrap(), mass, Pose::new(0.0, 0.3, 0.3))
        };
        let scene = Scene::over_ground(vec![body], Surface::new(0.3, 0.0), 9.81);
        let law = PenaltyLaw::KelvinVoigt { stiffness: None, damping: None };
        run(&scene, Box::new(PenaltyBodies::new(law)), Impacts::OneStage, 1e-3, 1000).pop().unwrap()
    };
    let ordinary = run_of(1.0);
    for mass in [1e-12, 1e-9, 1e-3, 1e6] {
        let light = run_of(mass);
        let apart = (light.poses[0].position - ordinary.poses[0].position).norm();
        assert!(apart < 1e-7, "{mass} kg: {apart}");
    }
}

//! Errors and orders against the exact motion.

use stickslip::{
    contact::ContactModel,
    stepper::exact::planar::ExactBody,
    world::{
        Impacts, Surface,
        planar::{Body, Pose, Scene, Shape, Twist},
    },
};

use crate::{
    cases::{self, Case},
    stepping::{anitescu, cone, distance, error, lcp, nlp, order, run},
};

const STEPS: [f64; 5] = [8e-3, 4e-3, 2e-3, 1e-3, 5e-4];

fn errors(case: &Case, model: fn() -> Box<dyn ContactModel<2, 3>>, impacts: Impacts) -> [f64; 5] {
    STEPS.map(|dt| error(&case.scene, model(), impacts, dt, case.duration()))
}

/// The errors at a step of 1 ms are those that another implementation of the same steps has, and the order
/// is one.
#[test]
fn rigid_models_are_of_first_order() {
    let expected = [
        ("box-slide", 5.0e-4),
        ("disc-backspin", 1.67e-2),
        ("disc-bowling", 3.33e-3),
        ("box-decel-tip", 1.03e-3),
        ("rod-drop", 2.8e-3),
        ("rod-pivot-mu0.2", 2.54e-3),
        ("rod-pivot-mu0.5", 1.87e-3),
    ];
    let cases = cases::all();
    for (name, expected) in expected {
        let case = cases.iter().find(|case| case.name == name).expect(name);
        for (model, make) in [("lcp", lcp as fn() -> _), ("cone", cone), ("nlp", nlp)] {
            let errors = errors(case, make, Impacts::OneStage);
            let order = order(&STEPS, &errors);
            assert!((errors[3] / expected - 1.0).abs() < 0.02, "{name} {model}: {errors:?}");
            assert!((0.95..1.05).contains(&order), "{name} {model}: {order}, {errors:?}");
        }
    }
}

#[test]
fn flight_is_late_by_half_a_step() {
    let (dt, duration) = (1e-3, 0.4);
    let body = Body {
        twist: Twist::new(1.0, 2.0, 3.0),
        ..Body::new(Shape::rod(1.0).unwrap(), 1.0, Pose::new(0.0, 3.0, 0.3))
    };
    let scene = Scene::over_ground(vec![body], Surface::default(), 9.81);
    let motions = run(&scene, lcp(), Impacts::OneStage, dt, 400);
    let (pose, twist) = (motions[400].poses[0], motions[400].velocities[0]);
    assert_eq!(twist.z, 3.0);
    let height = 3.0 + 2.0 * duration - 0.5 * 9.81 * duration * duration;
    assert!((height - pose.position.y - 0.5 * 9.81 * duration * dt).abs() < 1e-12);
}

#[test]
fn a_box_that_tips_on_a_slope() {
    let scene = cases::box_on_slope((0.4, 1.0), cases::SLOPE, 0.8);
    let errors = STEPS.map(|dt| error(&scene, lcp(), Impacts::OneStage, dt, 0.5));
    let order = order(&STEPS, &errors);
    assert!((errors[3] / 8.3e-4 - 1.0).abs() < 0.02, "{errors:?}");
    assert!((0.95..1.05).contains(&order), "{order}, {errors:?}");
}

/// `tan a <= min(mu, w/h)` rests; beyond `mu` it slides flat, beyond `w/h` it tips.
#[test]
fn a_box_on_a_slope_rests_slides_or_tips_at_the_thresholds() {
    let angle = 0.4_f64;
    let (less, more) = (0.99 * angle.tan(), 1.01 * angle.tan());
    for model in [lcp, cone] {
        let end = |width: f64, friction: f64| {
            let scene = cases::box_on_slope((width, 1.0), angle, friction);
            let motion = run(&scene, model(), Impacts::OneStage, 1e-3, 300).pop().unwrap();
            (motion.poses[0], motion.velocities[0])
        };
        let (rest, velocity) = end(more, more);
        assert!(rest.position.x.abs() < 1e-9 && velocity.amax() < 1e-6, "{rest:?}");
        let (slid, velocity) = end(more, 0.2);
        let speed = 0.3 * 9.81 * (angle.sin() - 0.2 * angle.cos());
        assert!(slid.angle.abs() < 1e-9 && (velocity.x - speed).abs() < 1e-6, "{slid:?}");
        assert!(end(less, more).0.angle < -1e-4);
    }
}

/// The impulse of an impact in which slip would reverse: in one stage it does not depend on when within the
/// step the body lands, in two it does.
#[test]
fn reversing_impacts_converge_in_one_stage_only() {
    let case = cases::box_reverse();
    let landing = {
        let mut exact = ExactBody::new(&case.scene).unwrap();
        exact.follow(case.duration()).unwrap();
        exact.events()[0]
    };
    let speed = {
        // Of the corner that lands, just before.
        let mut exact = ExactBody::new(&case.scene).unwrap();
        exact.follow(landing.time - 1e-9).unwrap();
        let state = exact.state();
        let Shape::Polygon(polygon) = &case.scene.bodies[0].shape else { panic!("a box") };
        let arms = polygon.corners().iter().map(|corner| state.pose.rotate(corner));
        let arm = arms.min_by(|a, b| a.y.total_cmp(&b.y)).unwrap();
        (state.twist.y + state.twist.z * arm.x).abs()
    };
    let spread = |dt: f64, impacts: Impacts| {
        let spins = (0..8).map(|phase| {
            let mut scene = case.scene.clone();
            scene.bodies[0].pose.position.y += f64::from(phase) / 8.0 * dt * speed;
            let motions = run(&scene, lcp(), impacts, dt, ((landing.time + 0.1) / dt) as usize);
            // The impact step is the one in which the spin jumps; read 15 ms after its end.
            let hit = (1..motions.len())
                .find(|k| (motions[*k].velocities[0].z - motions[k - 1].velocities[0].z).abs() > 0.5)
                .expect("an impact");
            motions[hit + (15e-3 / dt).round() as usize].velocities[0].z
        });
        spins.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), spin| (low.min(spin), high.max(spin)))
    };
    let (low, high) = spread(1e-3, Impacts::OneStage);
    assert!(low > 0.575 && high < 0.602, "{low} {high}");
    let (low, high) = spread(2.5e-4, Impacts::OneStage);
    assert!(low > 0.585 && high < 0.596, "{low} {high}");
    let (low, high) = spread(1e-3, Impacts::TwoStage);
    assert!(high - low > 0.4, "{low} {high}");
}

/// Inelastic impact without friction: `p = v/(1 + 3 cos^2)`.
#[test]
fn a_frictionless_rod_drops() {
    let (angle, speed) = (0.7_f64, 3.0);
    let body = Body {
        twist: Twist::new(0.0, -speed, 0.0),
        ..Body::new(Shape::rod(1.0).unwrap(), 1.0, Pose::new(0.0, 0.5 * angle.sin(), angle))
    };
    for restitution in [0.0, 0.5] {
        let scene = Scene::over_ground(vec![body.clone()], Surface::new(0.0, restitution), 9.81);
        let motion = run(&scene, lcp(), Impacts::OneStage, 1e-6, 1).pop().unwrap();
        let impulse = (1.0 + restitution) * speed / (1.0 + 3.0 * angle.cos().powi(2));
        assert!((motion.velocities[0].y + speed - impulse).abs() < 1e-4);
        assert!((motion.velocities[0].z + 6.0 * impulse * angle.cos()).abs() < 1e-4);
    }
}

/// Peaks of the tilt of a rocking block: the exact ones are .084338, .072055, .062075.
#[test]
fn a_rocking_block_loses_too_much_in_coarse_steps() {
    let scene = cases::rocking_block();
    let peaks = |model: fn() -> Box<dyn ContactModel<2, 3>>, dt: f64| -> Vec<f64> {
        let motions = run(&scene, model(), Impacts::OneStage, dt, (2.0 / dt) as usize);
        let tilts: Vec<f64> = motions.iter().map(|motion| motion.poses[0].angle.abs()).collect();
        tilts
            .windows(3)
            .filter(|tilt| tilt[1] >= tilt[0] && tilt[1] > tilt[2] && tilt[1] > 0.02)
            .map(|tilt| tilt[1])
            .collect()
    };
    let expected = [
        (lcp as fn() -> _, 1e-3, [0.08210, 0.06868, 0.05778]),
        (lcp, 5e-4, [0.08309, 0.07013, 0.05977]),
        (anitescu, 1e-3, [0.08415, 0.07106, 0.06060]),
    ];
    for (model, dt, expected) in expected {
        let found = peaks(model, dt);
        assert_eq!(found.len(), 3, "{found:?}");
        for (peak, expected) in found.iter().zip(expected) {
            assert!((peak - expected).abs() < 3e-4, "{dt}: {found:?} {expected:?}");
        }
    }
}

/// Impacts in two stages end at other velocities than in one, and converge no faster.
#[test]
fn velocities_after_an_impact_are_exact_in_one_stage() {
    let case = cases::all().into_iter().find(|case| case.name == "rod-throw").unwrap();
    let end = |impacts| {
        let motions = run(&case.scene, lcp(), impacts, 1e-3, (case.duration() / 1e-3) as usize);
        let mut exact = ExactBody::new(&case.scene).unwrap();
        let time = (motions.len() - 1) as f64 * 1e-3;
        exact.follow(time).unwrap();
        (motions.last().unwrap().velocities[0] - exact.state().twist).amax()
    };
    let (one, two) = (end(Impacts::OneStage), end(Impacts::TwoStage));
    assert!(one < 1e-5 && two > 1e-3, "{one:e} {two:e}");
}

/// Through an impact in which slip would reverse, solved in two stages.
#[test]
fn relaxed_and_exact_complementarity_take_the_same_way_through_a_reversing_impact() {
    let case = cases::box_reverse();
    let steps = (case.duration() / 1e-3) as usize;
    let [a, b] = [lcp(), nlp()].map(|model| run(&case.scene, model, Impacts::OneStage, 1e-3, steps));
    let off = a.iter().zip(&b).map(|(a, b)| distance(&a.poses[0], &b.poses[0])).fold(0.0, f64::max);
    assert!(off < 3e-6, "{off:e}");
}

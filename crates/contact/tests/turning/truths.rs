//! Rolling and drilling friction against closed forms, by every model that knows them.

use nalgebra::{SVector, UnitQuaternion, Vector3};
use stickslip_contact::{
    contact::{
        Accuracy, Anitescu, ContactModel, ExactCone, Friction, GaussSeidel, Islands, StewartTrinkle,
        Structured,
    },
    world::{Impacts, Motion, RigidBody, Scene, Surface, TimeStepper, TurningLaw, planar, spatial},
};

const DT: f64 = 1e-3;
const G: f64 = 9.81;
const RADIUS: f64 = 0.1;

pub fn models<const D: usize, const N: usize>() -> Vec<Box<dyn ContactModel<D, N>>> {
    vec![
        Box::new(Islands::new(|| Box::new(ExactCone::default()))),
        Box::new(GaussSeidel::default()),
        Box::new(Islands::new(|| Box::new(Structured::default()))),
        Box::new(StewartTrinkle::default()),
        Box::new(Anitescu::default()),
    ]
}

fn surface(friction: Friction, torsional: f64, rolling: f64) -> Surface {
    Surface { friction, turning: TurningLaw { torsional, rolling }, ..Surface::default() }
}

/// A ball of 1 kg on level ground, rolling, sliding and spinning like this.
fn ball(velocity: f64, spin: [f64; 3], surface: Surface) -> spatial::Scene {
    let shape = spatial::Shape::sphere(RADIUS).expect("a sphere");
    let pose =
        spatial::Pose { position: Vector3::new(0.0, 0.0, RADIUS), orientation: UnitQuaternion::identity() };
    let twist = SVector::from([velocity, 0.0, 0.0, spin[0], spin[1], spin[2]]);
    let body = spatial::Body { twist, ..spatial::Body::new(shape, 1.0, pose) };
    spatial::Scene::over_ground(vec![body], surface, G)
}

/// A disc of 1 kg on level ground. In the plane a disc that rolls forward spins backwards.
fn disc(velocity: f64, spin: f64, surface: Surface) -> planar::Scene {
    let shape = planar::Shape::disc(RADIUS).expect("a disc");
    let pose = planar::Pose::new(0.0, RADIUS, 0.0);
    let body = planar::Body { twist: [velocity, 0.0, spin].into(), ..planar::Body::new(shape, 1.0, pose) };
    planar::Scene::over_ground(vec![body], surface, G)
}

/// Velocities after every step until `duration`, spins in the axes of the world, and the place in the end along x.
fn run<B: RigidBody<D, N>, const D: usize, const N: usize>(
    scene: &Scene<B, D>,
    model: Box<dyn ContactModel<D, N>>,
    duration: f64,
) -> (Vec<SVector<f64, N>>, f64) {
    let mut stepper = TimeStepper::new(model, Impacts::OneStage);
    let mut motion: Motion<B::Pose<f64>, N> = scene.initial_motion();
    let mut velocities = Vec::new();
    for _ in 0..(duration / DT).round() as usize {
        let report = match stepper.step(scene, &mut motion, &[SVector::zeros()], DT) {
            Ok(report) => report,
            Err(failure) => panic!("{}: {failure}", stepper.name()),
        };
        let is_exact = !stepper.name().starts_with("lcp");
        assert!(!is_exact || report.accuracy == Accuracy::Certified, "{}: {report:?}", stepper.name());
        let (mut velocity, turn) = (motion.velocities[0], B::placement(&motion.poses[0]).turn);
        if N == 2 * D {
            let spin = turn * velocity.fixed_rows::<D>(D);
            velocity.fixed_rows_mut::<D>(D).copy_from(&spin);
        }
        velocities.push(velocity);
    }
    (velocities, B::position(&motion.poses[0])[0])
}

/// When a speed of more than 1e-6 was last had.
fn stop<const N: usize>(velocities: &[SVector<f64, N>], speed: impl Fn(&SVector<f64, N>) -> f64) -> f64 {
    velocities
        .iter()
        .rposition(|velocity| speed(velocity).abs() > 1e-6)
        .map_or(0.0, |last| DT * (last + 1) as f64)
}

#[track_caller]
fn assert_close(name: &str, found: f64, truth: f64, tolerance: f64) {
    assert!((found - truth).abs() <= tolerance, "{name}: {found} for {truth}");
}

#[test]
fn a_rolling_ball_loses_its_speed_evenly_and_rests() {
    let scene = ball(0.5, [0.0, 5.0, 0.0], surface(Friction::coulomb(0.5), 0.0, 0.002));
    for model in models() {
        let name = model.name().to_owned();
        let (velocities, way) = run(&scene, model, 4.0);
        assert_close(&name, stop(&velocities, |v| v[0]), 3.567788, 2.0 * DT);
        assert_close(&name, way, 0.891947, 0.5 * DT);
        // a = 5/7 rho g/R: it rolls all the while.
        assert_close(&name, velocities[999][0], 0.5 - 5.0 / 7.0 * 0.002 * G / RADIUS, 1e-6);
        assert_close(&name, velocities[999][4] * RADIUS, velocities[999][0], 1e-6);
    }
}

#[test]
fn a_rolling_disc_loses_its_speed_evenly_and_rests() {
    // Nothing drills in the plane.
    let scene = disc(0.5, -5.0, surface(Friction::coulomb(0.5), 0.3, 0.002));
    for model in models() {
        let name = model.name().to_owned();
        let (velocities, way) = run(&scene, model, 4.0);
        assert_close(&name, stop(&velocities, |v| v[0]), 3.822630, 2.0 * DT);
        assert_close(&name, way, 0.955657, 0.5 * DT);
    }
}

#[test]
fn a_ball_rests_on_a_slope_up_to_its_rolling_angle_and_then_rolls() {
    let threshold = (0.002_f64 / RADIUS).atan();
    assert!((threshold.to_degrees() - 1.145763).abs() < 1e-6);
    for (tan, acceleration) in [(0.98 * 0.02, 0.0), (0.04, 0.140031)] {
        let angle = f64::atan(tan);
        let mut scene = ball(0.0, [0.0; 3], surface(Friction::coulomb(0.5), 0.0, 0.002));
        scene.gravity = Vector3::new(G * angle.sin(), 0.0, -G * angle.cos());
        for model in models() {
            let name = model.name().to_owned();
            let (velocities, _) = run(&scene, model, 0.5);
            assert_close(&name, velocities[499][0], 0.5 * acceleration, 1e-6);
        }
    }
}

#[test]
fn a_ball_that_slides_begins_to_roll_and_rests() {
    let scene = ball(1.0, [0.0; 3], surface(Friction::coulomb(0.3), 0.0, 0.002));
    for model in models() {
        let name = model.name().to_owned();
        let (velocities, way) = run(&scene, model, 5.6);
        let slides = velocities.iter().filter(|v| (v[0] - v[4] * RADIUS).abs() > 1e-6).count();
        assert_close(&name, slides as f64 * DT, 0.101937, 2.0 * DT);
        assert_close(&name, velocities[slides][0], 0.7, 2.0 * DT);
        assert_close(&name, way, 1.834862, DT);
    }
}

#[test]
fn a_ball_that_spins_on_the_spot_comes_to_rest() {
    let scene = ball(0.0, [0.0, 0.0, 20.0], surface(Friction::coulomb(0.3), 0.005, 0.0));
    for model in models() {
        let name = model.name().to_owned();
        let (velocities, _) = run(&scene, model, 1.7);
        assert_close(&name, stop(&velocities, |v| v[5]), 1.630989, 2.0 * DT);
        assert_close(&name, velocities[999][5], 20.0 * (1.0 - 1.0 / 1.630989), 1e-4);
    }
}

/// Sliding and drilling share a patch, so that both stop at once: with separate limits it would be .0971 and .2297 s.
#[test]
fn sliding_and_drilling_end_together() {
    let torsional = 0.3 * RADIUS * 1.4_f64.sqrt();
    let scene = ball(1.0, [0.0, 0.0, 20.0], surface(Friction::coulomb(0.3), torsional, 0.0));
    for model in models() {
        let name = model.name().to_owned();
        let is_polygon = name.starts_with("lcp");
        let (velocities, _) = run(&scene, model, 0.4);
        let slip = |v: &SVector<f64, 6>| v[0] - v[4] * RADIUS;
        let ends = [stop(&velocities, slip), stop(&velocities, |v| v[5])];
        let truth = f64::hypot(0.3, torsional * 20.0) / (3.5 * 0.3 * 0.3 * G);
        // The polygon has three axes both ways, one of them along the slip, and follows the ellipsoid.
        ends.into_iter().for_each(|end| assert_close(&name, end, truth, 2.0 * DT));
        let way: f64 = velocities[..(truth / DT) as usize].iter().map(|v| v[0] * DT).sum();
        assert_close(&name, way, 6.0 / 7.0 * truth, 2.0 * DT);
        if !is_polygon {
            let at = |step: usize| slip(&velocities[step]) / (velocities[step][5] / 20.0);
            assert_close(&name, at(100), 1.0, 0.02);
        }
    }
}

/// What has begun to slide drills with less too: both fall by the same part.
#[test]
fn drilling_falls_with_the_friction_of_motion() {
    let law = Friction::static_and_kinetic(0.4, 0.2);
    let scene = ball(0.0, [0.0, 0.0, 20.0], surface(law, 0.005, 0.0));
    for model in models() {
        let name = model.name().to_owned();
        let (velocities, _) = run(&scene, model, 0.5);
        let rate = 2.5 * 0.5 * 0.005 * G / (RADIUS * RADIUS);
        assert_close(&name, velocities[499][5], 20.0 - 0.5 * rate, 1e-4);
    }
}

/// No steps that a scene without these lengths would not have: what resists nothing is not there.
#[test]
fn lengths_of_zero_change_nothing() {
    let law = Friction::coulomb(0.3);
    let with = ball(1.0, [0.0, 0.0, 20.0], surface(law, 0.0, 0.0));
    let without = spatial::Scene {
        surfaces: stickslip_contact::world::Surfaces::uniform(Surface::new(0.3, 0.0)),
        ..with.clone()
    };
    for (first, second) in models().into_iter().zip(models()) {
        assert_eq!(run(&with, first, 0.3), run(&without, second, 0.3));
    }
}

/// What slides one way rolls another, and rolling friction acts against that.
#[test]
fn rolling_friction_acts_against_rolling_while_the_contact_slides() {
    let scene = ball(2.0, [3.0, 3.0, 0.0], surface(Friction::coulomb(0.2), 0.0, 0.01));
    for model in models() {
        let name = model.name().to_owned();
        let (velocities, _) = run(&scene, model, 0.05);
        // In fine steps: friction mu m g against the slip, and rho m g against what rolls.
        let (dt, inertia) = (1e-6, 0.4 * RADIUS * RADIUS);
        let mut truth = SVector::<f64, 6>::from([2.0, 0.0, 0.0, 3.0, 3.0, 0.0]);
        for _ in 0..50_000 {
            let slip = [truth[0] - RADIUS * truth[4], truth[1] + RADIUS * truth[3]];
            let along = slip.map(|part| -0.2 * G * part / slip[0].hypot(slip[1]));
            let rolls = truth[3].hypot(truth[4]);
            let change = [
                along[0],
                along[1],
                0.0,
                (RADIUS * along[1] - 0.01 * G * truth[3] / rolls) / inertia,
                (-RADIUS * along[0] - 0.01 * G * truth[4] / rolls) / inertia,
                0.0,
            ];
            truth += SVector::from(change) * dt;
        }
        let off = (velocities.last().expect("steps") - truth).amax();
        assert!(off < 0.02, "{name}: {off}: {} {truth}", velocities.last().expect("steps"));
    }
}

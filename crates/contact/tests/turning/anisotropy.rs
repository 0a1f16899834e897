//! Friction that differs across an axis, against closed forms, by every model that knows it.
//!
//! With `S = diag(mu, mu_2)` along and across the axis a point that slides loses `dv = -g S^2 v/|S v| dt`: the parts of its
//! velocity stay on the curve `v_1 ~ v_2^(mu^2/mu_2^2)`.

use std::collections::BTreeMap;

use nalgebra::{SVector, UnitQuaternion, Vector3};
use stickslip_contact::{
    contact::{Accuracy, Friction, Relaxed},
    world::{
        Anisotropy, Impacts, Motion, Particles, Partner, Plane, Surface, Surfaces, TimeStepper, spatial,
    },
};

use crate::truths::models;

const G: f64 = 9.81;
/// Along the axis and across it.
const COEFFICIENTS: [f64; 2] = [0.2, 0.4];

/// A law with these coefficients along and across an axis.
fn surface(friction: Friction, axis: [f64; 3], carrier: Option<usize>) -> Surface {
    let ratio = COEFFICIENTS[1] / COEFFICIENTS[0];
    let anisotropy = Some(Anisotropy { ratio, axis: axis.into(), carrier });
    Surface { friction, anisotropy, ..Surface::default() }
}

/// A point of 2 kg on level ground, where gravity pulls like this.
fn point(surface: Surface, gravity: [f64; 3]) -> Particles<3> {
    Particles {
        masses: vec![Some(2.0)],
        courses: BTreeMap::new(),
        gravity: gravity.into(),
        planes: vec![(Partner::Ground, Plane::ground())],
        surfaces: Surfaces::uniform(surface),
        beads: Vec::new(),
        joints: Vec::new(),
    }
}

/// Places and velocities of the point after every step.
fn slide(
    world: &Particles<3>,
    stepper: &mut TimeStepper<3, 3>,
    velocity: [f64; 3],
    (duration, dt): (f64, f64),
) -> Vec<[Vector3<f64>; 2]> {
    let mut motion = Motion { poses: vec![Vector3::zeros()], velocities: vec![velocity.into()] };
    let steps = (0..(duration / dt).round() as usize).map(|_| {
        let report = match stepper.step(world, &mut motion, &[SVector::zeros()], dt) {
            Ok(report) => report,
            Err(failure) => panic!("{}: {failure}", stepper.name()),
        };
        let is_exact = !stepper.name().starts_with("lcp");
        assert!(!is_exact || report.accuracy == Accuracy::Certified, "{}: {report:?}", stepper.name());
        [motion.poses[0], motion.velocities[0]]
    });
    steps.collect()
}

/// When it came to rest, and where.
fn rest(path: &[[Vector3<f64>; 2]], dt: f64) -> (f64, Vector3<f64>) {
    let last = path.iter().rposition(|[_, velocity]| velocity.norm() > 1e-6).expect("it moves");
    (dt * (last + 1) as f64, path[path.len() - 1][0])
}

/// From (1, 1) along and across the axis.
const STOP: f64 = 0.617488;
const PLACE: [f64; 2] = [0.347649, 0.167073];

#[test]
fn a_slide_bends_towards_the_axis_of_less_friction_and_ends_where_it_should() {
    let law = Friction::coulomb(COEFFICIENTS[0]);
    let turned = |x: [f64; 2], angle: f64| {
        let (sin, cos) = angle.sin_cos();
        [cos * x[0] - sin * x[1], cos * x[1] + sin * x[0], 0.0]
    };
    for angle in [0.0_f64, 0.7] {
        let world = point(surface(law, turned([3.0, 0.0], angle), None), [0.0, 0.0, -G]);
        for model in models() {
            let mut stepper = TimeStepper::new(model, Impacts::OneStage);
            let is_polygon = stepper.name().starts_with("lcp");
            let found = [1e-3, 2.5e-4].map(|dt| {
                let path = slide(&world, &mut stepper, turned([1.0, 1.0], angle), (0.7, dt));
                rest(&path, dt)
            });
            let miss = found.map(|(time, place)| {
                let truth = Vector3::from(turned(PLACE, angle));
                ((time - STOP).abs(), (place - truth).norm())
            });
            let name = stepper.name();
            if is_polygon {
                // A polygon of eight corners, the first along the scaled slip.
                assert!(miss[1].0 < 0.01 && miss[1].1 < 0.01, "{name}, {angle}: {miss:?}");
                continue;
            }
            assert!(miss[0].0 <= 2e-3 && miss[0].1 < 2e-3, "{name}, {angle}: {miss:?}");
            assert!(miss[1].1 < 0.35 * miss[0].1, "first order: {name}, {angle}: {miss:?}");
        }
    }
}

/// Friction is an ellipse: what pulls at an angle to the axis is held up to `|S^-1 f| = N`, and what slips does not slip along the
/// pull but closer to the axis of less friction.
#[test]
fn a_slope_at_an_angle_to_the_axis_holds_up_to_the_ellipse() {
    let law = Friction::coulomb(COEFFICIENTS[0]);
    let way = Vector3::new(0.6, 0.8, 0.0);
    let steepest = 1.0 / (way[0] / COEFFICIENTS[0]).hypot(way[1] / COEFFICIENTS[1]);
    for (share, slips) in [(0.9, false), (0.99, false), (1.01, true)] {
        let (sin, cos) = f64::atan(share * steepest).sin_cos();
        let gravity = [G * sin * way[0], G * sin * way[1], -G * cos];
        let world = point(surface(law, [1.0, 0.0, 0.0], None), gravity);
        for model in models() {
            let mut stepper = TimeStepper::new(model, Impacts::OneStage);
            let name = stepper.name().to_owned();
            // A polygon of eight corners holds cos(pi/8) of the ellipse at least.
            if name.starts_with("lcp") && share > 0.9 {
                continue;
            }
            let path = slide(&world, &mut stepper, [0.0; 3], (0.2, 1e-3));
            let velocity = path[199][1];
            if slips {
                assert!(velocity.norm() > 1e-3, "{name}: {velocity}");
                assert!(velocity[1] / velocity[0] < 0.9 * way[1] / way[0], "{name}: {velocity}");
            } else {
                assert!(velocity.norm() < 1e-9, "{name}, {share}: {velocity}");
            }
        }
    }
}

/// Both coefficients fall by the same part as a slide begins: along the axis and across it the law is that of one coefficient.
#[test]
fn the_friction_of_motion_falls_in_all_directions() {
    let law = Friction::static_and_kinetic(COEFFICIENTS[0], 0.5 * COEFFICIENTS[0]);
    let world = point(surface(law, [1.0, 0.0, 0.0], None), [0.0, 0.0, -G]);
    for (velocity, coefficient) in [([1.0, 0.0, 0.0], 0.1), ([0.0, 1.0, 0.0], 0.2)] {
        for model in models() {
            let mut stepper = TimeStepper::new(model, Impacts::OneStage);
            let path = slide(&world, &mut stepper, velocity, (0.2, 1e-3));
            let (name, speed) = (stepper.name(), path[199][1].norm());
            assert!((speed - (1.0 - 0.2 * coefficient * G)).abs() < 1e-9, "{name}: {speed}");
        }
    }
}

/// The same coefficient across as along is Coulomb's law, though it is solved in groups.
#[test]
fn a_ratio_of_one_is_friction_with_one_coefficient() {
    let plain = point(Surface::new(0.3, 0.0), [1.0, 0.5, -G]);
    let anisotropy = Anisotropy { ratio: 1.0, axis: Vector3::new(0.3, 0.8, 0.0), carrier: None };
    let surface = Surface { anisotropy: Some(anisotropy), ..Surface::new(0.3, 0.0) };
    let grouped = point(surface, [1.0, 0.5, -G]);
    for (first, second) in models().into_iter().zip(models()) {
        let mut steppers = [first, second].map(|model| TimeStepper::new(model, Impacts::OneStage));
        if steppers[0].name().starts_with("lcp") {
            // Polygons that begin in different directions.
            continue;
        }
        let [first, second] = [&plain, &grouped].map(|world| {
            let stepper = if std::ptr::eq(world, &plain) { &mut steppers[0] } else { &mut steppers[1] };
            slide(world, stepper, [1.0, -0.4, 0.0], (0.5, 1e-3))
        });
        let apart = first.iter().zip(&second).map(|(a, b)| (a[1] - b[1]).norm()).fold(0.0, f64::max);
        assert!(apart < 1e-8, "{}: {apart}", steppers[0].name());
    }
}

/// A skate: the axis of a body points elsewhere once the body has turned, by a general solver too.
#[test]
fn the_axis_turns_with_its_carrier() {
    let shape = spatial::Shape::sphere(0.1).expect("a sphere");
    let upright = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), 0.5);
    let run = |carrier: Option<usize>, axis: [f64; 3]| {
        let pose = spatial::Pose { position: Vector3::new(0.0, 0.0, 0.1), orientation: upright };
        let twist = SVector::from([1.0, 0.3, 0.0, 0.0, 0.0, 0.0]);
        let body = spatial::Body { twist, ..spatial::Body::new(shape.clone(), 1.0, pose) };
        let surface = surface(Friction::coulomb(COEFFICIENTS[0]), axis, carrier);
        let scene = spatial::Scene::over_ground(vec![body], surface, G);
        let mut motion = scene.initial_motion();
        let mut stepper = TimeStepper::new(Box::new(Relaxed::default()), Impacts::OneStage);
        stepper.step(&scene, &mut motion, &[SVector::zeros()], 1e-3).expect("a step");
        motion.velocities[0]
    };
    let (sin, cos) = 0.5_f64.sin_cos();
    let carried = run(Some(0), [1.0, 0.0, 0.0]);
    let of_the_world = run(None, [cos, sin, 0.0]);
    assert!((carried - of_the_world).amax() < 1e-9, "{carried} {of_the_world}");
    assert!((carried - run(None, [1.0, 0.0, 0.0])).amax() > 1e-4, "the axis matters");
}

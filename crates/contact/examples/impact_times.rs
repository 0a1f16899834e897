//! What a step costs whose impact is followed over its impulse, beside one that is taken in one stage.
//!
//! `cargo run --release -p stickslip-contact --example impact_times`

#[path = "../tests/impacts/scenes.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod scenes;

use std::time::Instant;

use nalgebra::{SVector, UnitQuaternion, Vector3};
use stickslip_contact::world::{Impacts, RigidBody, Scene, Surface, TimeStepper, planar, spatial};

use scenes::{Model, body, disc, models, plane, space};

/// Seconds of the fastest of so many rounds of steps that begin with the same impact.
fn fastest<B: RigidBody<D, N>, const D: usize, const N: usize>(
    scene: &Scene<B, D>,
    impacts: Impacts,
    model: Model<D, N>,
) -> f64 {
    const ROUNDS: usize = 100;
    let forces = vec![SVector::zeros(); scene.bodies.len()];
    let mut stepper = TimeStepper::new(model(), impacts);
    let start = scene.initial_motion();
    let round = |stepper: &mut TimeStepper<D, N>| {
        let started = Instant::now();
        for _ in 0..STEPS {
            let mut motion = start.clone();
            assert!(stepper.step(scene, &mut motion, &forces, 1e-3).is_ok());
        }
        started.elapsed().as_secs_f64()
    };
    (0..ROUNDS).map(|_| round(&mut stepper)).fold(f64::INFINITY, f64::min)
}

/// Steps of a round.
const STEPS: usize = 20;

/// Boxes apart from each other that come down on a corner, with spin.
fn boxes(count: usize) -> spatial::Scene {
    let one = |place: usize| {
        let turned = 0.7 + 0.1 * place as f64;
        let axis = nalgebra::Unit::new_normalize(Vector3::new(1.0, 0.3 * turned, 0.2));
        let mut pose = spatial::Pose::upright(place as f64, 0.0, 0.0);
        pose.orientation = UnitQuaternion::from_axis_angle(&axis, turned);
        let corner = |k: usize| {
            let side = |bit: usize, half: f64| if k >> bit & 1 == 1 { half } else { -half };
            pose.orientation * Vector3::new(side(0, 0.15), side(1, 0.1), side(2, 0.05))
        };
        pose.position.z = -(0..8).map(|k| corner(k).z).fold(f64::INFINITY, f64::min);
        let shape = spatial::Shape::cuboid([0.3, 0.2, 0.1]).expect("a box");
        let twist = SVector::from([1.0, 0.5, -2.0, 3.0, -1.0, 2.0]);
        spatial::Body { twist, ..spatial::Body::new(shape, 1.0, pose) }
    };
    space((0..count).map(one).collect(), Surface::new(0.3, 0.5))
}

/// What one stage and following cost by every model.
fn compare<B: RigidBody<D, N>, const D: usize, const N: usize>(what: &str, scene: &Scene<B, D>) {
    for (name, model) in models() {
        let [one, followed] =
            [Impacts::OneStage, Impacts::Incremental].map(|impacts| fastest(scene, impacts, model));
        let [one, followed] = [one, followed].map(|seconds| seconds / STEPS as f64 * 1e6);
        println!("{what} by {name}: {one:.2} us and {followed:.2} us, {:.2}", followed / one);
    }
}

fn main() {
    let rod =
        || body(planar::Shape::rod(1.0).expect("a rod"), [0.0, 0.5 * 0.7_f64.sin(), 0.7], [1.0, -2.0, 0.0]);
    let flat = || body(planar::Shape::rectangle(0.4, 0.2).expect("a box"), [0.0, 0.1, 0.0], [1.0, -1.0, 0.0]);
    let row =
        || (0..4).map(|place| disc(0.2 * f64::from(place), if place == 0 { 1.0 } else { 0.0 })).collect();
    let scenes = [
        ("a rod", plane(vec![rod()], Surface::new(0.3, 0.5))),
        ("a box that lands flat", plane(vec![flat()], Surface::new(0.3, 0.5))),
        ("a row of four discs", plane(row(), Surface::new(0.3, 1.0))),
    ];
    for (what, scene) in &scenes {
        compare(what, scene);
    }
    for count in [1, 20, 200] {
        compare(&format!("{count} boxes in space"), &boxes(count));
    }
}

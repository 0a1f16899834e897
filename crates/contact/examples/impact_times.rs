//! What a step costs whose impact is followed over its impulse, beside one that is taken in one stage.
//!
//! `cargo run --release -p stickslip-contact --example impact_times`

#[path = "../tests/impacts/scenes.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod scenes;

use std::time::Instant;

use nalgebra::SVector;
use stickslip_contact::world::{Impacts, Surface, TimeStepper, planar};

use scenes::{Model, body, disc, models, plane};

/// Seconds of the fastest of so many rounds of steps that begin with the same impact.
fn fastest(scene: &planar::Scene, impacts: Impacts, model: Model<2, 3>) -> f64 {
    const ROUNDS: usize = 200;
    const STEPS: usize = 20;
    let forces = vec![SVector::zeros(); scene.bodies.len()];
    let mut stepper = TimeStepper::new(model(), impacts);
    let start = scene.initial_motion();
    let round = |stepper: &mut TimeStepper<2, 3>| {
        let started = Instant::now();
        for _ in 0..STEPS {
            let mut motion = start.clone();
            assert!(stepper.step(scene, &mut motion, &forces, 1e-3).is_ok());
        }
        started.elapsed().as_secs_f64()
    };
    (0..ROUNDS).map(|_| round(&mut stepper)).fold(f64::INFINITY, f64::min)
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
        for (name, model) in models() {
            let [one, followed] =
                [Impacts::OneStage, Impacts::Incremental].map(|impacts| fastest(scene, impacts, model));
            let ratio = followed / one;
            println!(
                "{what} by {name}: {:.2} us and {:.2} us, {ratio:.2}",
                one / 20.0 * 1e6,
                followed / 20.0 * 1e6
            );
        }
    }
}

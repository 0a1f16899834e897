//! A cube that slides on the ground and comes to rest, by the models of bodies in space.

use std::error::Error;

use nalgebra::Matrix3;
use serde::Deserialize;
use serde_json::json;
use stickslip::{
    contact::{AlternatingDirections, ContactModel, StewartTrinkle, StewartTrinkleSettings, Structured},
    scenario::ConvexSettings,
    stepper::ConvexBodies,
    world::{
        Impacts, Surface, TimeStepper,
        spatial::{Body, Pose, Scene, Shape, Twist},
    },
};

use crate::{clock::Samples, measurement::Measurement};

/// Runs of which each is a sample.
const RUNS: usize = 10;

/// The cube flat on the ground.
#[derive(Debug, Deserialize)]
pub struct CubeProblem {
    half_width: f64,
    mass: f64,
    inertia: f64,
    friction: f64,
    gravity: f64,
    dt: f64,
    steps: usize,
    speed: f64,
}

/// Measures one row.
pub fn measure(row: &str, problem: &CubeProblem) -> Result<Measurement, Box<dyn Error>> {
    let model: Box<dyn ContactModel<3, 6>> = match row {
        "convex" => Box::new(ConvexBodies::new(ConvexSettings::default())),
        "lcp" => {
            Box::new(StewartTrinkle::new(StewartTrinkleSettings { directions: 4, ..Default::default() }))
        }
        "nlp" => Box::new(Structured::default()),
        "cone" => Box::new(AlternatingDirections::default()),
        _ => return Err(format!("there is no row `{row}`").into()),
    };
    let body = Body {
        inertia: Matrix3::from_diagonal_element(problem.inertia),
        twist: Twist::new(problem.speed, 0.0, 0.0, 0.0, 0.0, 0.0),
        ..Body::new(
            Shape::cuboid([2.0 * problem.half_width; 3])?,
            problem.mass,
            Pose::upright(0.0, 0.0, problem.half_width),
        )
    };
    let surface = Surface::new(problem.friction, 0.0);
    let scene = Scene::over_ground(vec![body], surface, problem.gravity);
    let mut stepper = TimeStepper::new(model, Impacts::OneStage);
    let mut samples = Samples::default();
    let mut motion = scene.initial_motion();
    let mut contacts = 0;
    for _ in 0..RUNS {
        motion = scene.initial_motion();
        contacts = 0;
        samples.take(problem.steps, || {
            for _ in 0..problem.steps {
                stepper.step(&scene, &mut motion, &[Twist::zeros()], problem.dt)?;
                contacts += stepper.problem().touches.len();
            }
            Ok::<(), Box<dyn Error>>(())
        })?;
    }
    let end: [f64; 3] = motion.poses[0].position.into();
    Ok(Measurement { samples, result: json!({ "states": [end], "contacts": contacts }) })
}

//! Running a scene by a contact model.

use stickslip::{
    contact::{Anitescu, ContactModel, GaussSeidel, StewartTrinkle, Structured},
    stepper::exact::planar::ExactBody,
    world::{
        Impacts, Motion, TimeStepper,
        planar::{Pose, Scene, Twist},
    },
};

pub fn lcp() -> Box<dyn ContactModel<2, 3>> {
    Box::new(StewartTrinkle::default())
}

pub fn anitescu() -> Box<dyn ContactModel<2, 3>> {
    Box::new(Anitescu::default())
}

pub fn nlp() -> Box<dyn ContactModel<2, 3>> {
    Box::new(Structured::default())
}

pub fn cone() -> Box<dyn ContactModel<2, 3>> {
    Box::new(GaussSeidel::default())
}

/// The motions after every step, the start included.
pub fn run(
    scene: &Scene,
    model: Box<dyn ContactModel<2, 3>>,
    impacts: Impacts,
    dt: f64,
    steps: usize,
) -> Vec<Motion<Pose, 3>> {
    let mut stepper = TimeStepper::new(model, impacts);
    let forces = vec![Twist::zeros(); scene.bodies.len()];
    let mut motion = scene.initial_motion();
    let mut motions = vec![motion.clone()];
    for step in 0..steps {
        if let Err(failure) = stepper.step(scene, &mut motion, &forces, dt) {
            panic!("step {step} of {}: {failure}", stepper.name());
        }
        motions.push(motion.clone());
    }
    motions
}

/// Largest difference of the poses.
pub fn distance(a: &Pose, b: &Pose) -> f64 {
    (a.position - b.position).amax().max((a.angle - b.angle).abs())
}

/// Largest difference from the exact motion over `duration` s.
pub fn error(
    scene: &Scene,
    model: Box<dyn ContactModel<2, 3>>,
    impacts: Impacts,
    dt: f64,
    duration: f64,
) -> f64 {
    let steps = (duration / dt * (1.0 + 1e-12)).floor() as usize;
    let mut exact = ExactBody::new(scene).unwrap();
    let motions = run(scene, model, impacts, dt, steps);
    let differences = motions.iter().enumerate().map(|(step, motion)| {
        exact.follow(step as f64 * dt).unwrap();
        distance(&motion.poses[0], &exact.state().pose)
    });
    differences.fold(0.0, f64::max)
}

/// The order of convergence that fits errors over steps best, in the sense of least squares of logarithms.
pub fn order(steps: &[f64], errors: &[f64]) -> f64 {
    let n = steps.len() as f64;
    let logs = || steps.iter().zip(errors).map(|(dt, error)| (dt.ln(), error.ln()));
    let (mean_x, mean_y) = logs().fold((0.0, 0.0), |(x, y), (a, b)| (x + a / n, y + b / n));
    let (xy, xx) = logs().fold((0.0, 0.0), |(xy, xx), (x, y)| {
        (xy + (x - mean_x) * (y - mean_y), xx + (x - mean_x) * (x - mean_x))
    });
    xy / xx
}

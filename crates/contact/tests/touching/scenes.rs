//! Scenes, and their runs.

use nalgebra::{SVector, Vector2, Vector3};
use stickslip_contact::{
    contact::{
        ContactModel, Islands, StewartTrinkle, StewartTrinkleSettings, Structured, StructuredSettings,
    },
    world::{Certificate, Impacts, Motion, Passage, RigidBody, Scene, Surface, TimeStepper, planar, spatial},
};

/// A model of the plane.
pub type Model<const D: usize, const N: usize> = fn() -> Box<dyn ContactModel<D, N>>;

pub fn lcp<const D: usize, const N: usize>() -> Box<dyn ContactModel<D, N>> {
    Box::new(Islands::new(|| Box::new(StewartTrinkle::new(StewartTrinkleSettings::default()))))
}

pub fn nlp<const D: usize, const N: usize>() -> Box<dyn ContactModel<D, N>> {
    Box::new(Islands::new(|| Box::new(Structured::new(StructuredSettings::default()))))
}

pub const MODELS: [(&str, Model<2, 3>); 2] = [("lcp", lcp), ("nlp", nlp)];
pub const MODELS_IN_SPACE: [(&str, Model<3, 6>); 2] = [("lcp", lcp), ("nlp", nlp)];

/// What a run came to.
pub struct Run<P, const N: usize> {
    pub motions: Vec<Motion<P, N>>,
    pub passages: Vec<Passage>,
}

impl<P, const N: usize> Run<P, N> {
    pub fn end(&self) -> &Motion<P, N> {
        self.motions.last().expect("a start")
    }

    /// Solves beyond the first, per step.
    pub fn extra_solves(&self) -> f64 {
        self.passages.iter().map(|passage| f64::from(passage.extra_solves)).sum::<f64>()
            / self.passages.len() as f64
    }

    /// The steps whose motion is not that of their contacts, and what is wrong with it.
    pub fn uncertified(&self) -> Vec<(usize, Certificate)> {
        let steps = self
            .passages
            .iter()
            .map(|passage| passage.certificate.expect("every step is judged"))
            .enumerate();
        steps.filter(|(_, certificate)| !certificate.is_kept()).collect()
    }
}

/// Takes `steps` steps of `dt` s.
pub fn run<B: RigidBody<D, N>, const D: usize, const N: usize>(
    scene: &Scene<B, D>,
    model: Box<dyn ContactModel<D, N>>,
    dt: f64,
    steps: usize,
) -> Run<B::Pose<f64>, N> {
    let mut stepper = TimeStepper::new(model, Impacts::OneStage);
    let mut motion = scene.initial_motion();
    let forces = vec![SVector::zeros(); scene.bodies.len()];
    let mut run = Run { motions: vec![motion.clone()], passages: Vec::new() };
    for step in 0..steps {
        if let Err(failure) = stepper.step(scene, &mut motion, &forces, dt) {
            panic!("step {step}: {failure}");
        }
        run.motions.push(motion.clone());
        run.passages.push(stepper.passage());
    }
    run
}

/// A body in the plane at `(x, z, angle)` that moves.
pub fn moving(shape: planar::Shape, pose: [f64; 3], velocity: [f64; 3]) -> planar::Body {
    let pose = planar::Pose::new(pose[0], pose[1], pose[2]);
    planar::Body { twist: velocity.into(), ..planar::Body::new(shape, 1.0, pose) }
}

/// A body in the plane that stays where it is.
pub fn fixed(shape: planar::Shape, pose: [f64; 3]) -> planar::Body {
    planar::Body { fixed: true, ..moving(shape, pose, [0.0; 3]) }
}

pub fn rectangle(width: f64, height: f64) -> planar::Shape {
    planar::Shape::rectangle(width, height).expect("a rectangle")
}

pub fn disc(radius: f64) -> planar::Shape {
    planar::Shape::disc(radius).expect("a disc")
}

/// Nine boxes of 1 m side by side, from -0.5 m on, their tops at 1 m.
pub fn tiles() -> Vec<planar::Body> {
    (0..9).map(|i| fixed(rectangle(1.0, 1.0), [f64::from(i), 0.5, 0.0])).collect()
}

pub fn scene(bodies: Vec<planar::Body>, surface: Surface, gravity: f64) -> planar::Scene {
    planar::Scene {
        gravity: Vector2::new(0.0, -gravity),
        ..planar::Scene::over_ground(bodies, surface, gravity)
    }
}

pub fn in_space(bodies: Vec<spatial::Body>, surface: Surface, gravity: f64) -> spatial::Scene {
    spatial::Scene::over_ground(bodies, surface, gravity)
}

/// A body in space, not turned.
pub fn solid(
    shape: spatial::Shape,
    mass: f64,
    place: [f64; 3],
    velocity: [f64; 3],
    is_fixed: bool,
) -> spatial::Body {
    let mut body = spatial::Body::new(shape, mass, spatial::Pose::upright(place[0], place[1], place[2]));
    body.twist.fixed_rows_mut::<3>(0).copy_from(&Vector3::from(velocity));
    body.fixed = is_fixed;
    body
}

pub fn cuboid(widths: [f64; 3]) -> spatial::Shape {
    spatial::Shape::cuboid(widths).expect("a box")
}

pub fn sphere(radius: f64) -> spatial::Shape {
    spatial::Shape::sphere(radius).expect("a sphere")
}

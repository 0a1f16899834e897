//! Single steps of bodies without forces.

use nalgebra::{SVector, Vector2};
use stickslip_contact::{
    contact::{
        ContactModel, GaussSeidel, GaussSeidelSettings, Islands, StewartTrinkle, StewartTrinkleSettings,
        Structured, StructuredSettings,
    },
    world::{
        ImpactReport, Impacts, Motion, RigidBody, Scene, StepFailure, StepReport, Surface, TimeStepper,
        planar, spatial,
    },
};

pub type Model<const D: usize, const N: usize> = fn() -> Box<dyn ContactModel<D, N>>;

fn lcp<const D: usize, const N: usize>() -> Box<dyn ContactModel<D, N>> {
    Box::new(Islands::new(|| Box::new(StewartTrinkle::new(StewartTrinkleSettings::default()))))
}

fn nlp<const D: usize, const N: usize>() -> Box<dyn ContactModel<D, N>> {
    Box::new(Islands::new(|| Box::new(Structured::new(StructuredSettings::default()))))
}

fn cone<const D: usize, const N: usize>() -> Box<dyn ContactModel<D, N>> {
    Box::new(Islands::new(|| Box::new(GaussSeidel::new(GaussSeidelSettings::default()))))
}

/// The models that take impacts in complementarity, each by itself.
pub fn models<const D: usize, const N: usize>() -> [(&'static str, Model<D, N>); 3] {
    [("lcp", lcp), ("nlp", nlp), ("cone", cone)]
}

/// What a step led to.
pub struct Stepped<P, const D: usize, const N: usize> {
    pub motion: Motion<P, N>,
    pub report: StepReport,
    /// Of the contacts that carried an impulse.
    pub impulses: Vec<SVector<f64, D>>,
    /// Velocities that the impact leaves, in the axes at the start of the step.
    pub struck: Vec<SVector<f64, N>>,
    /// What the impulses of contacts do to the bodies, `1/2 sum r . (u_k + u+)`, in J.
    pub work: f64,
    /// How far rounding may be off in it, in J: a rod that holds two bodies around a third lets impulses be as large as one likes.
    pub rounding: f64,
    /// What they do to moving surfaces, in J.
    pub carried: f64,
    /// What forces do to the bodies, those that turn the axes of a body in it included, `1/2 sum M (v_f - v_k) . (v_k + v+)`, in J.
    pub forced: f64,
}

impl<P, const D: usize, const N: usize> Stepped<P, D, N> {
    pub fn impact(&self) -> ImpactReport {
        self.report.impact.expect("an impact")
    }

    /// The only impulse.
    pub fn impulse(&self) -> SVector<f64, D> {
        let [impulse] = *self.impulses.as_slice() else { panic!("{} impulses", self.impulses.len()) };
        impulse
    }
}

/// One step of 1 ms.
pub fn step<B: RigidBody<D, N>, const D: usize, const N: usize>(
    scene: &Scene<B, D>,
    model: Box<dyn ContactModel<D, N>>,
    impacts: Impacts,
) -> Stepped<B::Pose<f64>, D, N> {
    try_step(scene, model, impacts).unwrap_or_else(|failure| panic!("{failure}"))
}

/// One step of 1 ms, or why there is none.
pub fn try_step<B: RigidBody<D, N>, const D: usize, const N: usize>(
    scene: &Scene<B, D>,
    model: Box<dyn ContactModel<D, N>>,
    impacts: Impacts,
) -> Result<Stepped<B::Pose<f64>, D, N>, StepFailure> {
    let mut stepper = TimeStepper::new(model, impacts);
    let mut motion = scene.initial_motion();
    let start = motion.velocities.clone();
    let forces = vec![SVector::zeros(); scene.bodies.len()];
    let report = stepper.step(scene, &mut motion, &forces, 1e-3)?;
    let solution = stepper.solution();
    let touches = stepper.problem().touches.iter().zip(&solution.impulses);
    let (mut work, mut rounding, mut carried) = (0.0, 0.0, 0.0);
    for (touch, impulse) in touches {
        let ends = [&start, &solution.velocity].map(|velocities| touch.relative_velocity(velocities));
        work += 0.5 * impulse.dot(&(ends[0] + ends[1]));
        rounding += f64::EPSILON * impulse.norm() * ends[0].norm().max(ends[1].norm());
        carried += impulse.dot(&touch.surface_velocity);
    }
    let impulses = solution.impulses.iter().filter(|impulse| impulse[0] > 0.0).copied().collect();
    let struck = solution.velocity.clone();
    let problem = &stepper.problem().contact;
    let mut forced = 0.0;
    for (body, (before, after)) in start.iter().zip(&struck).enumerate() {
        if let Some(mass) = problem.inverse_mass[body].try_inverse() {
            forced += 0.5 * (mass * (problem.free_velocity[body] - before)).dot(&(before + after));
        }
    }
    Ok(Stepped { motion, report, impulses, struck, work, rounding, carried, forced })
}

/// A scene in the plane without gravity.
pub fn plane(bodies: Vec<planar::Body>, surface: Surface) -> planar::Scene {
    planar::Scene { gravity: Vector2::zeros(), ..planar::Scene::over_ground(bodies, surface, 0.0) }
}

/// A scene in space without gravity.
pub fn space(bodies: Vec<spatial::Body>, surface: Surface) -> spatial::Scene {
    spatial::Scene::over_ground(bodies, surface, 0.0)
}

/// A body of 1 kg in the plane.
pub fn body(shape: planar::Shape, pose: [f64; 3], twist: [f64; 3]) -> planar::Body {
    let pose = planar::Pose::new(pose[0], pose[1], pose[2]);
    planar::Body { twist: twist.into(), ..planar::Body::new(shape, 1.0, pose) }
}

pub fn disc(x: f64, velocity: f64) -> planar::Body {
    body(planar::Shape::disc(0.1).expect("a disc"), [x, 5.0, 0.0], [velocity, 0.0, 0.0])
}

/// Kinetic energy in J of bodies in the plane.
pub fn energy(scene: &planar::Scene, velocities: &[SVector<f64, 3>]) -> f64 {
    let of = |(body, twist): (&planar::Body, &SVector<f64, 3>)| {
        0.5 * (body.mass * twist.xy().norm_squared() + body.inertia * twist[2] * twist[2])
    };
    scene.bodies.iter().zip(velocities).filter(|(body, _)| !body.fixed).map(of).sum()
}

/// Kinetic energy in J of bodies in space, not turned at the start.
pub fn energy_in_space(scene: &spatial::Scene, velocities: &[SVector<f64, 6>]) -> f64 {
    let of = |(body, twist): (&spatial::Body, &SVector<f64, 6>)| {
        let (along, spin) = (twist.fixed_rows::<3>(0), twist.fixed_rows::<3>(3));
        0.5 * (body.mass * along.norm_squared() + spin.dot(&(body.inertia * spin)))
    };
    scene.bodies.iter().zip(velocities).map(of).sum()
}

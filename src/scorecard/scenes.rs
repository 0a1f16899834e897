//! Bodies and scenarios as the phenomena need them.

use nalgebra::Vector2;

use super::{Adjustment, Failing};
use crate::{
    model::{Orientation, Spin},
    scenario::{Body, Ground, NlpSolverChoice, Push, Scenario, Shape},
    stepper::StepperName,
};

/// Gravity of every scenario in m/s^2, unless it says otherwise.
pub const GRAVITY: f64 = 9.81;

/// A point of 1 kg over the ground. `nlp` solves its programs by the crate's own interior-point method, which
/// takes a thirtieth of IPOPT's time for the same motion.
pub fn point(name: &str, duration: f64, start: ([f64; 2], [f64; 2]), ground: Ground) -> Scenario<2> {
    let (position, velocity) = start;
    let mut scenario = over_ground(name, duration, vec![Body::point(1.0, position, velocity)], ground);
    scenario.steppers.nlp.solver = Some(NlpSolverChoice::InteriorPoint);
    scenario
}

/// Bodies over the ground.
pub fn over_ground<const D: usize>(
    name: &str,
    duration: f64,
    bodies: Vec<Body<D>>,
    ground: Ground,
) -> Scenario<D> {
    Scenario { duration, bodies, ground, ..Scenario::new(name) }
}

/// Level ground.
pub fn level(friction: f64, restitution: f64) -> Ground {
    Ground { friction, restitution, slope: 0.0 }
}

/// Sloping ground, `slope` in degrees.
pub fn sloping(friction: f64, slope: f64) -> Ground {
    Ground { friction, restitution: 0.0, slope }
}

/// A body of 1 kg at rest, turned by `angle` in rad.
pub fn solid(shape: Shape<2>, position: [f64; 2], angle: f64) -> Body<2> {
    Body { shape, orientation: Orientation::Angle(angle), ..Body::point(1.0, position, [0.0, 0.0]) }
}

/// A rectangle.
pub fn rectangle(width: f64, height: f64) -> Shape<2> {
    Shape::Box { size: Vector2::new(width, height) }
}

/// The body with a velocity and a spin.
pub fn moving(body: Body<2>, velocity: [f64; 2], spin: f64) -> Body<2> {
    Body { velocity: velocity.into(), spin: Spin::new(spin, 0.0, 0.0), ..body }
}

/// A constant force on one body.
pub fn push_on(body: usize, force: [f64; 2]) -> Push<2> {
    Push { body: Some(body), ..Push::constant(force) }
}

/// Compliant contact whose friction is so regularised that it hardly holds anything.
pub const WITHOUT_FRICTION: Failing = Failing {
    stepper: StepperName::Convex,
    step: 1e-3,
    settings: Some(Adjustment {
        text: "stepper.convex.sigma=1e3",
        apply: |settings| settings.convex.sigma = 1e3,
    }),
    why: "so regularised, friction is viscous: it takes a second to stop anything",
};

/// The models of rigid contact that end impacts at the ends of steps.
pub const RIGID: &[StepperName] =
    &[StepperName::NlpRelaxed, StepperName::LcpStewartTrinkle, StepperName::LcpAnitescu, StepperName::Cone];

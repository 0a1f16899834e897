//! Bodies and scenarios as the phenomena need them.

use nalgebra::Vector2;

use super::{Adjustment, Failing, Remark, Thresholds};
use crate::{
    contact::FrictionPolygon,
    model::{Orientation, Spin},
    scenario::{Body, Ground, NlpSolverChoice, Push, Scenario, Shape},
    stepper::StepperName,
    world::Impacts,
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
    Ground { friction, restitution, ..Ground::default() }
}

/// Sloping ground, `slope` in degrees.
pub fn sloping(friction: f64, slope: f64) -> Ground {
    Ground { friction, slope, ..Ground::default() }
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

/// A ball of 1 kg on the ground that moves along it.
pub fn rolling_ball(radius: f64, speed: f64, spin: [f64; 3]) -> Body<3> {
    Body {
        shape: Shape::Ball { radius },
        spin: Spin::from(spin),
        ..Body::point(1.0, [0.0, 0.0, radius], [speed, 0.0, 0.0])
    }
}

/// A constant force on one body.
pub fn push_on(body: usize, force: [f64; 2]) -> Push<2> {
    Push { body: Some(body), ..Push::constant(force) }
}

/// Compliant contact whose friction is so regularised that it hardly holds anything.
pub const WITHOUT_FRICTION: Failing = Failing {
    stepper: StepperName::CONVEX,
    step: 1e-3,
    settings: Some(Adjustment {
        text: "stepper.convex.sigma=1e3",
        apply: |settings| settings.convex.sigma = 1e3,
    }),
    why: "so regularised, friction is viscous: it takes a second to stop anything",
};

/// Pyramids of friction whose edges lie along the axes of the ground.
pub const FIXED_PYRAMID: Failing = Failing {
    stepper: StepperName::LCP,
    step: 1e-3,
    settings: Some(Adjustment {
        text: "stepper.lcp.polygon=fixed",
        apply: |settings| settings.lcp.polygon = FrictionPolygon::Fixed,
    }),
    why: "a pyramid whose edges are fixed to the axes pulls sideways, and with another strength",
};

/// Regularised friction under a load.
pub const CREEPS: Failing = Failing {
    stepper: StepperName::CONVEX,
    step: 1e-3,
    settings: None,
    why: "its friction slips a little in every step to carry a load",
};

/// Coulomb's law on the impulse of the whole impact.
pub const WHOLE_IMPULSE: Failing = Failing {
    stepper: StepperName::NLP,
    step: 1e-3,
    settings: Some(Adjustment {
        text: "stepper.impacts=one-stage",
        apply: |settings| settings.impacts = Some(Impacts::OneStage),
    }),
    why: "it is told to apply the law of Coulomb to the impulse of the whole impact, as Moreau does",
};

/// Why [`StepperName::LCP_ANITESCU`] does not follow impacts.
pub const ANITESCU_IS_MOREAU: Remark = Remark {
    steppers: &[StepperName::LCP_ANITESCU],
    why: "It puts the law of Coulomb on the impulse of the whole impact, as Moreau does, and gets his value.",
};

/// Why regularised friction holds nothing quite still.
pub const REGULARISED: Remark = Remark {
    steppers: &[StepperName::CONVEX],
    why: "Its friction is regularised: to carry a load it has to slip a little in every step.",
};

/// Why penalty forces on bodies do not rebound as they should.
pub const DAMPERS_FOLLOW_THE_STEP: Remark = Remark {
    steppers: &[StepperName::SMOOTH],
    why: "Its dampers for bodies follow the step, not the coefficient of restitution.",
};

/// How far rigid bodies may enter each other or leave where they stand.
pub const ROUGHNESS: Thresholds = Thresholds {
    right: 1e-5,
    off: 1e-3,
    why: "10 micrometres is the roughness of a machined surface; a millimetre is seen.",
};

/// Multiples of a critical value below and above it.
pub const SHARES: [f64; 6] = [0.9, 0.95, 0.98, 1.02, 1.05, 1.1];

/// The models of rigid contact that end impacts at the ends of steps.
pub const RIGID: &[StepperName] =
    &[StepperName::NLP, StepperName::LCP, StepperName::LCP_ANITESCU, StepperName::CONE];

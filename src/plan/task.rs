//! What a plan is asked for.

use super::given_start::GivenPushes;
use crate::{
    model::Number,
    scenario::{AnyScenario, Choice, Scenario},
    stepper::StepperName,
};

/// The lower and the upper end of what a number may be; equal ends fix it.
pub type Interval = [f64; 2];

/// Components of a state of a body in the plane: `x`, `z`, angle, then their rates.
pub const COMPONENTS: [&str; 6] = ["x", "z", "angle", "vx", "vz", "spin"];

/// What a plan is asked for: bodies, what may push them, where they have to be at the end, and at what cost.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanTask {
    /// Name, `[a-z0-9-]+`; names the output folder.
    pub name: String,
    /// What moves, with its own pushes; its duration and step are those of the plan where the duration is given.
    pub scenario: Scenario<2>,
    /// Number `N` of steps.
    pub steps: usize,
    /// Duration in s; free where the ends differ.
    pub duration: Interval,
    /// What is made least.
    pub cost: Cost,
    /// Whose end has to be at the goal.
    pub aim: AimedModel,
    /// How many direct solves are tried beside the homotopy.
    pub starts: usize,
    /// Seed of the starts.
    pub seed: u64,
    /// Pushes whose motion starts are made of, in the place of the straight way to the goal.
    pub start_from: Option<GivenPushes>,
    /// What may push.
    pub controls: Vec<Control>,
    /// The components of the state of every body at the start, in the order of [`COMPONENTS`].
    pub start: Vec<[Interval; 6]>,
    /// Where bodies have to be at the end.
    pub goals: Vec<Goal>,
    /// Where centres of bodies have to stay.
    pub keeps: Vec<Keep>,
}

/// A force and a torque that the plan chooses, held over each step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Control {
    /// On which body.
    pub body: usize,
    /// Where it acts, in m in the axes of the body.
    pub point: [f64; 2],
    /// Bounds of the force in N.
    pub force: [Interval; 2],
    /// Bounds of the torque in N m.
    pub torque: Interval,
}

impl Control {
    /// The bounds of force and torque.
    pub fn bounds(&self) -> [Interval; 3] {
        [self.force[0], self.force[1], self.torque]
    }
}

/// Where a body has to be at the end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Goal {
    /// Which body.
    pub body: usize,
    /// The components that are asked for, in the order of [`COMPONENTS`].
    pub target: [Option<f64>; 6],
    /// By how much each may be missed, in units of the plan.
    pub within: f64,
    /// If given, the end is no constraint: so many times the squared miss of each component, in SI units, are part of the cost.
    pub weight: Option<[f64; 6]>,
    /// So many times the squared miss of each component, in SI units, are part of the cost at the end of every step, times its
    /// length in s.
    pub running_weight: [f64; 6],
}

/// `constant + linear.x + x' quadratic x >= 0` for the centre `x` of a body at the end of every step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Keep {
    /// Which body.
    pub body: usize,
    /// The constant.
    pub constant: f64,
    /// Factors of the coordinates, per m.
    pub linear: [f64; 2],
    /// Factors of their products, per m^2.
    pub quadratic: [[f64; 2]; 2],
}

impl Keep {
    /// What has to be at least 0, with the centre of the body at `place` in m.
    pub fn value<S: Number>(&self, place: [S; 2]) -> S {
        let mut sum = S::constant(self.constant);
        for axis in 0..2 {
            sum += place[axis] * self.linear[axis];
            for other in 0..2 {
                sum += place[axis] * place[other] * self.quadratic[axis][other];
            }
        }
        sum
    }

    /// The size of its slope there, per m.
    pub fn slope(&self, [x, z]: [f64; 2]) -> f64 {
        let Self { linear, quadratic: [[xx, xz], [zx, zz]], .. } = self;
        (linear[0] + 2.0 * xx * x + (xz + zx) * z).hypot(linear[1] + (xz + zx) * x + 2.0 * zz * z)
    }
}

/// What a plan makes least.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cost {
    /// `sum h |u|^2` in N^2 s, torques divided by the length of the plan.
    Effort,
    /// `sum h |u|`, the components of the pushes each by itself, in N s.
    Impulse,
    /// The duration in s.
    Time,
    /// `sum v^2 + (I/m) w^2` of the bodies at the start, in m^2/s^2.
    Start,
}

impl Choice for Cost {
    const ALL: &'static [Self] = &[Self::Effort, Self::Impulse, Self::Time, Self::Start];

    fn as_str(self) -> &'static str {
        match self {
            Self::Effort => "effort",
            Self::Impulse => "impulse",
            Self::Time => "time",
            Self::Start => "start",
        }
    }
}

/// Whose end has to be at the goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AimedModel {
    /// That of the plan, whose steps are those of `lcp`.
    Plan,
    /// The exact motion; where it does not play the plan, that of `lcp` at a tenth of the step.
    Exact,
    /// That of `lcp` at a tenth of the step.
    Lcp,
}

impl Choice for AimedModel {
    const ALL: &'static [Self] = &[Self::Plan, Self::Exact, Self::Lcp];

    fn as_str(self) -> &'static str {
        match self {
            Self::Plan => "plan",
            Self::Exact => "exact",
            Self::Lcp => "lcp",
        }
    }
}

impl AimedModel {
    /// The models whose end it may be, the first of them that plays the plan; none where it is that of the plan itself.
    pub fn models(self) -> &'static [StepperName] {
        match self {
            Self::Plan => &[],
            Self::Exact => &[StepperName::EXACT, StepperName::LCP],
            Self::Lcp => &[StepperName::LCP],
        }
    }
}

impl Cost {
    /// Its unit.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Effort => "N^2 s",
            Self::Impulse => "N s",
            Self::Time => "s",
            Self::Start => "m^2/s^2",
        }
    }
}

impl PlanTask {
    /// Whether the plan chooses its duration.
    pub fn has_free_duration(&self) -> bool {
        self.duration[0] < self.duration[1]
    }

    /// The same task over `steps` steps.
    #[must_use]
    pub fn with_steps(&self, steps: usize) -> Self {
        Self { steps, ..self.clone() }
    }

    /// The same task of a scenario in either dimension, if it is one in the plane.
    pub(super) fn planar(scenario: AnyScenario) -> Option<Scenario<2>> {
        scenario.try_into().ok()
    }

    /// Whether body `body` turns.
    pub fn turns(&self, body: usize) -> bool {
        self.scenario.bodies[body].shape != crate::scenario::Shape::Point
    }
}

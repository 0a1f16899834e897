use super::ignores::FIXED_POINT;
use super::{Polygon, impact::Impact};
use crate::{
    contact::{FailureKind, Friction},
    model::{PointMass, Vector},
    scenario::{FixedPointStart, Scenario},
    stepper::{
        Honours, PointInput, PointStepper, Refusal, SolveReport, SolverInfo, Step, StepError, StepFailure,
        StepStatus, StepperName, admission::single_point, point_friction::PointPasses,
    },
    world::Partner,
};

/// Sweeps before the iteration counts as not converging.
const MAX_SWEEPS: u32 = 1000;
/// How far the velocity may be off the guessed direction, relative to `h + |p|`, to have converged.
const TOLERANCE: f64 = 1e-13;

/// How a fixed-point iteration went; see [`iterate`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FixedPointIteration {
    /// The last velocity in m/s.
    pub velocity: [f64; 2],
    /// Sweeps made.
    pub sweeps: u32,
    /// How far the last velocity is off the direction that its friction was computed with, in m/s.
    pub mismatch: f64,
    /// Whether the mismatch fell below 1e-13 of `h + |p|`.
    pub converged: bool,
}

/// The notes' generalisation of the direct formulation to a plane (2.4), made concrete.
///
/// The velocity is split into parts `V_i >= 0` along the `k` directions of `polygon`. With the
/// direction of sliding `u` guessed, each part has its own share of friction,
///
/// ```text
/// 0 <= V_i  |  V_i - d_i . p + h max(0, d_i . u) >= 0,     v = (4/k) sum_i V_i d_i,
/// ```
///
/// an LCP whose matrix is the identity, so that `V_i = max(0, -q_i)`. Then `u = v/|v|`, and again.
/// `p` is the velocity without friction, `h` the most that friction can change it, both in m/s, and
/// `start` points in the first direction; if it is zero, `p` stands in.
///
/// From `start = p` the first sweep gives the exact velocity `p max(0, 1 - h/|p|)`. From elsewhere
/// an error in `u` is multiplied by `-h/(|p| - h)` in each sweep: the iteration converges for
/// `|p| > 2h` only, and where the block ought to stick it rarely finds out.
pub fn iterate(polygon: &Polygon, p: [f64; 2], h: f64, start: [f64; 2]) -> FixedPointIteration {
    let tolerance = TOLERANCE * (h + norm(p));
    let mut direction = unit(start).or_else(|| unit(p)).unwrap_or([0.0, 0.0]);
    let mut sweeps = 0;
    loop {
        sweeps += 1;
        let velocity = sweep(polygon, p, h, direction);
        let speed = norm(velocity);
        let mismatch = norm([velocity[0] - speed * direction[0], velocity[1] - speed * direction[1]]);
        let converged = mismatch <= tolerance;
        if converged || sweeps == MAX_SWEEPS {
            return FixedPointIteration { velocity, sweeps, mismatch, converged };
        }
        direction = unit(velocity).unwrap_or(direction);
    }
}

fn sweep(polygon: &Polygon, p: [f64; 2], h: f64, direction: [f64; 2]) -> [f64; 2] {
    let parts = polygon
        .components(p)
        .zip(polygon.components(direction))
        .map(|(along, ahead)| (along - h * ahead.max(0.0)).max(0.0));
    let [x, y] = polygon.combine(parts);
    let share = 4.0 / polygon.directions().len() as f64;
    [share * x, share * y]
}

fn norm([x, y]: [f64; 2]) -> f64 {
    x.hypot(y)
}

fn unit(v: [f64; 2]) -> Option<[f64; 2]> {
    let length = norm(v);
    (length > 0.0).then(|| [v[0] / length, v[1] / length])
}

/// Steps a point over a plane by [`iterate`], after a normal impulse in closed form.
///
/// `[stepper.lcp] fixed_point_start` chooses the first direction: that of the velocity without
/// friction, or of the velocity before the step, as the notes have it. An iteration that does not
/// converge fails the step. Where friction depends on the slip, a step is iterated in passes
/// ([`FrictionPass`](crate::contact::FrictionPass)).
pub struct FixedPoint {
    body: PointMass<3>,
    friction: Friction,
    impact: Impact,
    polygon: Polygon,
    start: FixedPointStart,
}

impl FixedPoint {
    const NAME: StepperName = StepperName::LCP_FIXED_POINT;

    /// A stepper for `scenario`, with `[stepper.lcp] directions` directions; every scenario over a
    /// plane is admitted.
    ///
    /// # Errors
    /// None so far.
    pub fn new(scenario: &Scenario<3>) -> Result<Self, Refusal> {
        let settings = &scenario.steppers.lcp;
        Ok(Self {
            body: single_point(scenario, Self::NAME)?,
            friction: scenario.surface(0, Partner::Ground).friction,
            impact: Impact { law: settings.restitution },
            polygon: Polygon::new(settings.directions_of_point()),
            start: settings.fixed_point_start,
        })
    }
}

impl PointStepper<3> for FixedPoint {
    fn name(&self) -> StepperName {
        Self::NAME
    }

    fn honours(&self) -> Honours {
        Honours { ignores: FIXED_POINT, ..Honours::default() }
    }

    fn solver(&self) -> Option<SolverInfo> {
        let name = "fixed-point iteration".to_owned();
        Some(SolverInfo { name, version: env!("CARGO_PKG_VERSION").to_owned() })
    }

    fn step(&mut self, input: &PointInput<3>) -> Result<Step<3>, StepError<3>> {
        let Self { body, friction, impact, polygon, start } = self;
        let free = body.free_velocity(&input.state, &input.push, input.dt);
        let gap = impact.gap(body, &input.state, free[2], input.dt);
        let compression = (-(free[2] + gap)).max(0.0);
        let normal = compression + impact.restored(body, compression, input.dt).unwrap_or(0.0);
        let p = [free[0], free[1]];
        let start = match start {
            FixedPointStart::FreeVelocity => p,
            FixedPointStart::PreviousVelocity => [input.state.velocity[0], input.state.velocity[1]],
        };
        let mut passes = PointPasses::new(*friction, body, input, &free);
        let mut sweeps = 0;
        let (velocity, iteration, h) = loop {
            let h = passes.coefficient() * normal;
            let iteration = if h > 0.0 {
                iterate(polygon, p, h, start)
            } else {
                FixedPointIteration { velocity: p, sweeps: 0, mismatch: 0.0, converged: true }
            };
            sweeps += iteration.sweeps;
            let [x, y] = iteration.velocity;
            let velocity = Vector::<3>::new(x, y, free[2] + normal);
            if !iteration.converged || !passes.revise(&velocity) {
                break (velocity, iteration, h);
            }
        };
        let unit = body.gravity_norm() * input.dt;
        let residual = iteration.mismatch / if unit > 0.0 { unit } else { 1.0 };
        let status = if iteration.converged { StepStatus::Solved } else { StepStatus::Failed };
        let report = SolveReport { status, iterations: sweeps, residual, is_approximate: false, nlp: None };
        let step = Step::from_free(&free, input.state.advance(velocity, input.dt), body.mass, report);
        if iteration.converged {
            return Ok(step);
        }
        let reason = format!(
            "the fixed-point iteration did not converge in {} sweeps, its velocity is still off its direction by {:.1e} m/s; it \
             needs a free sliding speed above 2 mu p_z/m = {} m/s, and this one is {} m/s; set \
             stepper.lcp.fixed_point_start = \"free-velocity\" or use stepper `lcp:polyhedral`",
            iteration.sweeps,
            iteration.mismatch,
            2.0 * h,
            norm(p)
        );
        Err(StepError::with_candidate(StepFailure::new(FailureKind::NotConverged, reason), step))
    }
}

use nalgebra::{DMatrix, DVector, Dyn};

use super::ignores::POLYHEDRAL;
use super::{Polygon, contact_solver::ContactSolver, impact::Impact, pyramid::Pyramid};
use crate::{
    contact::Friction,
    lcp::{DynamicLcp, ProblemError},
    model::{PointMass, Vector, tangential},
    scenario::Scenario,
    stepper::{
        Honours, PointInput, PointStepper, Refusal, SolverInfo, Step, StepError, StepperName, UsedSettings,
        admission::single_point,
        derivative::{
            LocalInput, Margins, NoDerivative, StepDerivative, contact_margins, explicit_derivative,
        },
        point_friction::PointPasses,
    },
    world::Partner,
};

/// Stewart and Trinkle's stepper for a point over a plane, friction spanned by the `k` directions of
/// a [`Polygon`] (LCP notes 2.4).
///
/// Unknowns `(lambda_n, beta_1 .. beta_k, gamma)`, `v = free + sum_i beta_i d_i`:
///
/// ```text
/// 0 <= lambda_n |  v_z + c >= 0
/// 0 <= beta_i   |  gamma + d_i . v >= 0
/// 0 <= gamma    |  mu lambda_n - sum_i beta_i >= 0
/// ```
///
/// The friction cone becomes a pyramid: friction is up to `1 - cos(pi/k)` too weak between two
/// directions, and not quite opposite to the motion. Where friction depends on the slip, a step is solved in passes
/// ([`FrictionPass`](crate::contact::FrictionPass)).
pub struct Polyhedral {
    body: PointMass<3>,
    friction: Friction,
    impact: Impact,
    polygon: Polygon,
    problem: DynamicLcp,
    solver: ContactSolver<Dyn>,
}

impl Polyhedral {
    const NAME: StepperName = StepperName::LCP_POLYHEDRAL;

    /// A stepper for `scenario`, with `[stepper.lcp] directions` directions.
    ///
    /// # Errors
    /// [`Refusal`] if enumeration was chosen for more directions than it takes.
    pub fn new(scenario: &Scenario<3>) -> Result<Self, Refusal> {
        let settings = &scenario.steppers.lcp;
        let body = single_point(scenario, StepperName::LCP_POLYHEDRAL)?;
        let polygon = Polygon::new(settings.directions_of_point());
        let problem = polygon_problem(&polygon, body.friction).map_err(|error| Refusal {
            stepper: Self::NAME,
            reason: error.to_string(),
            remedy: "check ground.friction".to_owned(),
        })?;
        let n = problem.size();
        let solver = ContactSolver::new(settings.solver_of_point(), Self::NAME, Dyn(n), n)?;
        let friction = scenario.surface(0, Partner::Ground).friction;
        Ok(Self { body, friction, impact: Impact { law: settings.restitution }, polygon, problem, solver })
    }

    /// Loads the problem of one phase: the normal row's constant and the free sliding velocity.
    fn load(&mut self, normal: f64, slip: [f64; 2]) {
        let k = self.polygon.directions().len();
        self.problem.q[0] = normal;
        for (i, component) in self.polygon.components(slip).enumerate() {
            self.problem.q[1 + i] = component;
        }
        self.problem.q[1 + k] = 0.0;
    }

    /// The velocity after both phases of the step with one coefficient of friction.
    fn solve(&mut self, coefficient: f64, (free, gap): (&Vector<3>, f64), dt: f64) -> Vector<3> {
        let last = self.problem.size() - 1;
        self.problem.m[(last, 0)] = coefficient;
        let slip = [free[0], free[1]];
        self.load(free[2] + gap, slip);
        self.solver.solve_again(&self.problem);
        let velocity = self.read_velocity(free, 0.0 - gap);
        let compression = self.solver.solution.z[0];
        if let Some(rebound) = self.impact.restored(&self.body, compression, dt)
            && self.solver.solution.is_solved()
        {
            // The whole impulse is known: the row of the normal force only has to return it.
            self.load(-(compression + rebound), slip);
            self.solver.solve_again(&self.problem);
            return self.read_velocity(free, free[2] + compression + rebound);
        }
        velocity
    }

    fn read_velocity(&self, free: &Vector<3>, normal_velocity: f64) -> Vector<3> {
        let k = self.polygon.directions().len();
        let z = &self.solver.solution.z;
        if z[0] <= 0.0 {
            return *free;
        }
        let mut velocity = tangential(free);
        if z[1 + k] > 0.0 {
            let [x, y] = self.polygon.combine(z.iter().skip(1).copied());
            velocity += Vector::<3>::new(x, y, 0.0);
        } else {
            velocity.fill(0.0);
        }
        velocity[2] = normal_velocity;
        velocity
    }
}

/// The matrix of the problem, with `q = 0`.
fn polygon_problem(polygon: &Polygon, friction: f64) -> Result<DynamicLcp, ProblemError> {
    let k = polygon.directions().len();
    let n = k + 2;
    let m = DMatrix::from_fn(n, n, |i, j| match (i, j) {
        (0, 0) => 1.0,
        (_, 0) if i == n - 1 => friction,
        (0, _) | (_, 0) => 0.0,
        _ if i <= k && j <= k => polygon.cosine(i - 1, j - 1),
        _ if i <= k => 1.0,
        _ if j <= k => -1.0,
        _ => 0.0,
    });
    DynamicLcp::new(m, DVector::zeros(n))
}

impl PointStepper<3> for Polyhedral {
    fn name(&self) -> StepperName {
        Self::NAME
    }

    fn honours(&self) -> Honours {
        Honours { ignores: POLYHEDRAL, ..Honours::default() }
    }

    fn solver(&self) -> Option<SolverInfo> {
        Some(self.solver.info())
    }

    fn settings(&self) -> UsedSettings {
        UsedSettings::default().with("stepper.lcp.directions", self.polygon.directions().len())
    }

    fn step(&mut self, input: &PointInput<3>) -> Result<Step<3>, StepError<3>> {
        let free = self.body.free_velocity(&input.state, &input.push, input.dt);
        let gap = self.impact.gap(&self.body, &input.state, free[2], input.dt);
        let mut passes = PointPasses::new(self.friction, &self.body, input, &free);
        self.solver.begin();
        let velocity = loop {
            let velocity = self.solve(passes.coefficient(), (&free, gap), input.dt);
            if !self.solver.solution.is_solved() || !passes.revise(&velocity) {
                break velocity;
            }
        };
        self.solver.conclude(&self.body, input, &free, velocity, || None)
    }

    fn step_derivative(
        &self,
        input: &PointInput<3>,
        step: &Step<3>,
    ) -> Result<StepDerivative<3>, NoDerivative> {
        self.impact.require_newton(&self.body, self.name())?;
        if self.friction.depends_on_slip() {
            let reason = "friction on a polygon that depends on the slip is not differentiated".to_owned();
            return Err(NoDerivative { stepper: self.name(), reason });
        }
        let pyramid = Pyramid::of(&self.polygon, &self.body, step);
        let after = pyramid.after(&LocalInput::new(&self.body, input));
        Ok(StepDerivative::Explicit(explicit_derivative(&after)))
    }

    fn margins(&self, input: &PointInput<3>, step: &Step<3>) -> Margins<3> {
        let mut margins = contact_margins(&LocalInput::new(&self.body, input));
        Pyramid::of(&self.polygon, &self.body, step).margins(&self.body, input, &mut margins);
        margins
    }

    fn set_verbose(&mut self, verbose: bool) {
        self.solver.verbose = verbose;
    }
}

//! A single point that a contact model of bodies moves, and the derivative of its steps by the law of their one contact.
//!
//! With the velocity `v_f` that the point would have without the contact, its mass `m`, the frame `J` of the contact and
//! its impulse `r`, a stage of a step is
//!
//! ```text
//! v+ = v_f + J' r/m,   law(u, r) = 0 with u = J v+ + c n
//! ```
//!
//! What the gradients of bodies solve for any number of contacts is here a system of two or three equations on the stack.

use nalgebra::{SMatrix, SVector};

use super::{Bodies, Choice, Choose, divided_point::divided, particles};
use crate::{
    contact::{ContactProblem, Friction, Hold, LinearLaw, Solution},
    decimal::rounded,
    model::{PointMass, State, Vector, magnitude, tangential},
    scenario::{Partner, Scenario},
    stepper::{
        Honours, Moved, PointInput, PointStepper, Refusal, SolverInfo, Step, StepError, StepInput, Stepper,
        StepperName, UsedSettings,
        admission::single_point,
        derivative::{
            LocalDual, LocalInput, MarginKind, Margins, NoDerivative, StepDerivative, explicit_derivative,
            rigid_margins,
        },
    },
    world::{ContactHold, Particles, Rebound, SlipOf, StepProblem},
};

/// What a model knows of a point beyond the contact problems of its steps.
pub(in crate::stepper) trait PointLaw<const D: usize>: Send {
    /// The numbers that it chose for the point from the start of the scenario, as [`LinearLaw::chosen`] has them.
    fn chosen(&self, local: &LocalInput<D>) -> [LocalDual; 2];

    /// How far the step from `local` is from taking another branch; its friction is the number that held.
    fn margins(&self, local: &LocalInput<D>) -> Margins<D>;
}

/// A contact model of bodies at work on a single point over the ground.
pub(in crate::stepper) struct ContactPoint<const D: usize> {
    body: PointMass<D>,
    friction: Friction,
    bodies: Bodies<Particles<D>, D, D>,
    law: Box<dyn PointLaw<D>>,
    /// Whether steps are divided at landings and the ends of slides.
    divides: bool,
    moved: Moved<D>,
    /// The laws of the contact in the solves of the last step, where they have derivatives, those of a stage one after the
    /// other; none in flight.
    linear: Vec<LinearLaw<D>>,
    is_linear: bool,
}

/// What a step begins with, in dual numbers.
struct Start<'a, const D: usize> {
    local: &'a LocalInput<D>,
    /// The change of the velocity without contact.
    free: Vector<D, LocalDual>,
    /// The changes of the gap and of the velocity along the normal.
    gap: LocalDual,
    approach: LocalDual,
    restitution: LocalDual,
}

impl<'a, const D: usize> Start<'a, D> {
    fn of(local: &'a LocalInput<D>) -> Self {
        Self {
            local,
            free: local.body.free_velocity(&local.state, &local.push, local.dt).map(change),
            gap: change(local.state.height()),
            approach: change(local.state.velocity[D - 1]),
            restitution: change(local.body.restitution),
        }
    }

    /// The change of what has these derivatives with respect to gap, approach and restitution.
    fn along(&self, [by_gap, by_approach, by_restitution]: [f64; 3]) -> LocalDual {
        self.gap * by_gap + self.approach * by_approach + self.restitution * by_restitution
    }
}

/// A number without its value: what changes of it.
fn change(number: LocalDual) -> LocalDual {
    number - number.re
}

fn times<const D: usize>(matrix: &SMatrix<f64, D, D>, vector: &Vector<D, LocalDual>) -> Vector<D, LocalDual> {
    let none = LocalDual::from_re(0.0);
    Vector::from_fn(|i, _| (0..D).fold(none, |sum, j| sum + vector[j] * matrix[(i, j)]))
}

/// What decides whether a point slips in the stage of an impact that ends on the ground, in m/s.
fn slip_until_the_ground<const D: usize>(LocalInput { body, state, push, dt }: &LocalInput<D>) -> LocalDual {
    let free = body.free_velocity(state, push, *dt);
    magnitude(&tangential(&free)) + body.friction * (free[D - 1] + state.height() / *dt)
}

/// Coulomb's law of a rigid contact, which knows no more than the contact problem.
pub(in crate::stepper) struct RigidLaw;

impl<const D: usize> PointLaw<D> for RigidLaw {
    fn chosen(&self, _local: &LocalInput<D>) -> [LocalDual; 2] {
        [LocalDual::from_re(0.0); 2]
    }

    fn margins(&self, local: &LocalInput<D>) -> Margins<D> {
        rigid_margins(local)
    }
}

impl<const D: usize> ContactPoint<D> {
    /// The model `name` for a scenario of a single point; `law` gives what it knows of the point.
    ///
    /// # Errors
    /// [`Refusal`] if there is anything else than one point, or the model does not admit it.
    pub fn boxed<L: PointLaw<D> + 'static>(
        scenario: &Scenario<D>,
        name: StepperName,
        law: impl FnOnce(&Scenario<D>) -> L,
    ) -> Result<Box<dyn PointStepper<D>>, Refusal>
    where
        Choice<D, D>: Choose<D>,
    {
        let body = single_point(scenario, name)?;
        let choice = Choice::of(scenario, name)?;
        Ok(Box::new(Self {
            body,
            friction: scenario.surface(0, Partner::Ground).friction,
            divides: choice.divides,
            bodies: Bodies::new(particles(scenario), choice, scenario),
            law: Box::new(law(scenario)),
            moved: Moved::start(scenario),
            linear: Vec::new(),
            is_linear: false,
        }))
    }

    /// The stage of the last step that moved the point.
    fn moving_stage(&self) -> (&StepProblem<D, D>, &Solution<D, D>, bool) {
        let stepper = &self.bodies.stepper;
        let is_first = stepper.had_impact() && !stepper.has_thrown();
        (stepper.moving_problem(), stepper.moving_solution(), is_first)
    }

    /// The coefficients of friction in the solves of that stage, where they depend on the slip; none elsewhere.
    fn coefficients(&self, local: &LocalInput<D>) -> Vec<LocalDual> {
        let moving = self.moving_stage();
        let (problem, _, is_first_of_two) = moving;
        let solves = problem.friction_solves(is_first_of_two);
        if !self.is_linear || solves.holds.is_empty() {
            return Vec::new();
        }
        let laws = self.linear.get(..solves.earlier.len() + 1);
        let stage = laws.and_then(|laws| self.stage(&Start::of(local), moving, laws));
        stage.map_or_else(Vec::new, |(_, coefficients)| coefficients)
    }

    /// The stages of the last step: what moved the point and, after an impact, what gave it its velocity.
    fn stages(&self) -> impl Iterator<Item = (&StepProblem<D, D>, &Solution<D, D>, bool)> {
        let stepper = &self.bodies.stepper;
        let is_split = stepper.had_impact() || stepper.has_thrown();
        std::iter::once(self.moving_stage())
            .chain(is_split.then(|| (stepper.problem(), stepper.solution(), false)))
    }

    /// The velocity after a stage and the coefficient of friction in each of its solves, in dual numbers; `laws` are those of
    /// its solves. `None` where equations are singular.
    fn stage(
        &self,
        at: &Start<'_, D>,
        (problem, solution, is_first_of_two): (&StepProblem<D, D>, &Solution<D, D>, bool),
        laws: &[LinearLaw<D>],
    ) -> Option<(Vector<D, LocalDual>, Vec<LocalDual>)> {
        let solves = problem.friction_solves(is_first_of_two);
        let (mut slips, mut coefficients) = (Vec::new(), Vec::new());
        let all = solves.earlier.iter().map(|solve| (&solve.holds, &solve.solution));
        let all = all.chain([(&solves.holds, solution)]);
        let mut velocity = None;
        for ((holds, solution), law) in all.zip(laws) {
            let coefficient = match holds.first() {
                None => at.local.body.friction,
                Some(held) => self.coefficient(at.local, held, &slips)?,
            };
            let after = self.solve(at, (problem, solution, is_first_of_two), law, coefficient)?;
            if !holds.is_empty() {
                slips.push(magnitude(&tangential(&after)));
                coefficients.push(coefficient);
            }
            velocity = Some(after);
        }
        Some((velocity?, coefficients))
    }

    /// The coefficient in a solve in which the contact is held like this, after solves that left it with these `slips`.
    fn coefficient(
        &self,
        local: &LocalInput<D>,
        held: &ContactHold,
        slips: &[LocalDual],
    ) -> Option<LocalDual> {
        let hold = match (held.hold, held.slip_of) {
            (Hold::Static, _) => Hold::Static,
            (Hold::Kinetic(_), SlipOf::Start) => Hold::Kinetic(magnitude(&tangential(&local.state.velocity))),
            (Hold::Kinetic(_), SlipOf::Solve(number)) => Hold::Kinetic(*slips.get(number)?),
            (Hold::Kinetic(_), SlipOf::Lost) => return None,
        };
        Some(local.law(&self.friction).coefficient(hold))
    }

    /// The velocity after a solve with this coefficient of friction.
    fn solve(
        &self,
        at: &Start<'_, D>,
        (problem, solution, is_first_of_two): (&StepProblem<D, D>, &Solution<D, D>, bool),
        law: &LinearLaw<D>,
        friction: LocalDual,
    ) -> Option<Vector<D, LocalDual>> {
        let impulse = solution.impulses.first()?;
        let jacobian = &problem.contact.contacts.first()?.jacobian[0];
        let by_mass = change(LocalDual::from_re(1.0) / at.local.body.mass);
        let free = times(jacobian, &at.free);
        let bias = at.along(problem.bias_slopes(0, is_first_of_two));
        // The change of the relative velocity where the impulse does not change.
        let mut relative = free + impulse.map(|r| by_mass * r);
        relative[0] += bias;
        let (friction, of_response) = (change(friction), by_mass * law.response.1.trace());
        let chosen = self.law.chosen(at.local).map(change);
        // With `dr = m (du - dw)`, in the relative velocity: what the law holds does not change at all, while the velocity
        // that an impulse leads to is a difference, of which rounding is left.
        let of_impulse = law.impulse * self.body.mass;
        let mut off = times(&law.free, &free) - times(&of_impulse, &relative);
        for i in 0..D {
            off[i] += friction * law.friction[i]
                + at.gap * law.gap[i]
                + at.approach * law.approach[i]
                + of_response * law.response.0[i]
                + chosen[0] * law.chosen[0][i]
                + chosen[1] * law.chosen[1][i];
        }
        let mut gained = -times(&(law.velocity + of_impulse).try_inverse()?, &off);
        gained[0] -= bias;
        let velocity = solution.velocity.first()?.map(LocalDual::from_re);
        // The rows of a point's contact are at right angles and of length one.
        Some(velocity + times(&jacobian.transpose(), &gained))
    }

    /// The state after the last step, which had a contact; `None` where the equations are singular.
    fn after(&self, local: &LocalInput<D>) -> Option<State<D, LocalDual>> {
        let at = Start::of(local);
        let mut laws = &self.linear[..];
        let mut stages = self.stages().map(|stage| {
            let (problem, _, is_first_of_two) = stage;
            let count = problem.friction_solves(is_first_of_two).earlier.len() + 1;
            let (own, others) = laws.split_at_checked(count)?;
            laws = others;
            self.stage(&at, stage, own).map(|(velocity, _)| velocity)
        });
        let first = stages.next()??;
        let Some(last) = stages.next() else { return Some(local.state.advance(first, local.dt)) };
        let (last, mut way) = (last?, first);
        if let Some(Some(rebound)) = self.bodies.stepper.rebounds().first() {
            way += (last - first) * self.share(&at, rebound, [&first, &last]);
        }
        Some(State { position: local.state.position + way * local.dt, velocity: last })
    }

    /// The share `(phi+ - g_1)/(g_2 - g_1)` of a rebound, with the gaps `g` that the two stages lead to.
    fn share(&self, at: &Start<'_, D>, rebound: &Rebound, stages: [&Vector<D, LocalDual>; 2]) -> LocalDual {
        let share = LocalDual::from_re(rebound.share);
        if rebound.share <= 0.0 || rebound.share >= 1.0 {
            return share;
        }
        let wanted = at.along(self.bodies.stepper.problem().slopes_of_gap_after_rebound(rebound.contact));
        let [first, second] = stages.map(|velocity| velocity[D - 1] * at.local.dt);
        let ways = second - first;
        share + (wanted - at.gap - change(first) - change(ways) * share) / ways.re
    }
}

impl<const D: usize> PointStepper<D> for ContactPoint<D> {
    fn name(&self) -> StepperName {
        self.bodies.name()
    }

    fn solver(&self) -> Option<SolverInfo> {
        self.bodies.solver()
    }

    fn settings(&self) -> UsedSettings {
        self.bodies.settings()
    }

    fn honours(&self) -> Honours {
        self.bodies.honours()
    }

    fn step(&mut self, input: &PointInput<D>) -> Result<Step<D>, StepError<D>> {
        let &PointInput { index, time, state, push, dt } = input;
        let (states, forces): ([State<D>; 1], [SVector<f64, D>; 1]) = ([state], [push]);
        let whole =
            StepInput { index, time, dt, states: &states, attitudes: &[], forces: &forces, torques: &[] };
        let taken = self.bodies.step(&whole, &mut self.moved);
        let step =
            |report| Step { state: self.moved.states[0], contact_impulse: self.moved.impulses[0], report };
        let report = taken.map_err(|failure| StepError {
            candidate: failure.candidate.map(|report| Box::new(step(report))),
            failure: Box::new(failure),
        })?;
        let step = step(report);
        let mut linear = std::mem::take(&mut self.linear);
        linear.clear();
        let model = self.bodies.stepper.model();
        self.is_linear = !self.divides
            && self.stages().all(|(problem, solution, is_first_of_two)| {
                let mut linearise = |posed: &ContactProblem<D, D>, solution: &Solution<D, D>| {
                    model.linearise(posed, solution, &[state.velocity], &mut linear)
                };
                let earlier = &problem.friction_solves(is_first_of_two).earlier;
                earlier
                    .iter()
                    .all(|solve| linearise(&problem.of_solve(is_first_of_two, &solve.holds), &solve.solution))
                    && linearise(&problem.of_stage(is_first_of_two), solution)
            });
        self.linear = linear;
        Ok(step)
    }

    fn recall(&mut self, input: &PointInput<D>) -> Result<(), StepError<D>> {
        self.step(input).map(drop)
    }

    /// Of the last step alone.
    fn step_derivative(
        &self,
        input: &PointInput<D>,
        _step: &Step<D>,
    ) -> Result<StepDerivative<D>, NoDerivative> {
        let none = |reason: &str| {
            let reason = format!("{reason} at t = {} s", rounded(input.time, 12));
            Err(NoDerivative { stepper: self.name(), reason })
        };
        if self.divides {
            let (after, _) = divided(&LocalInput::new(&self.body, input));
            return Ok(StepDerivative::Explicit(explicit_derivative(&after)));
        }
        if self.bodies.stepper.problem().touches.is_empty() {
            return Ok(StepDerivative::Flight);
        }
        if self.moved.impact.is_some_and(|impact| impact.is_capped()) {
            return none("the rebound was reduced so that it makes no energy, and has none");
        }
        if !self.is_linear {
            return none("the law of its contact has none");
        }
        match self.after(&LocalInput::new(&self.body, input)) {
            Some(after) => Ok(StepDerivative::Explicit(explicit_derivative(&after))),
            None => none("its equations are singular"),
        }
    }

    fn divides_steps(&self) -> bool {
        self.divides
    }

    fn margins(&self, input: &PointInput<D>, _step: &Step<D>) -> Margins<D> {
        if self.divides {
            return divided(&LocalInput::new(&self.body, input)).1;
        }
        let mut local = LocalInput::new(&self.body, input);
        let at_rest = local.body.friction;
        let coefficients = self.coefficients(&local);
        if let Some(coefficient) = coefficients.last() {
            local.body.friction = *coefficient;
        }
        let mut margins = self.law.margins(&local);
        if self.bodies.stepper.had_impact() {
            margins.push(MarginKind::Slip, slip_until_the_ground(&local));
        }
        if coefficients.len() > 1 {
            // What was released, or turned round, is so where the first solve has no slip.
            let first = LocalInput { body: PointMass { friction: coefficients[0], ..local.body }, ..local };
            let all = self.law.margins(&first);
            let slip = all.iter().filter(|margin| margin.kind == MarginKind::Slip);
            slip.for_each(|margin| margins.add(*margin));
        }
        let (problem, _, is_first_of_two) = self.moving_stage();
        if let Some(held) = problem.friction_solves(is_first_of_two).holds.first() {
            let slip = magnitude(&tangential(&local.state.velocity));
            if slip.re > 0.0 && held.zone > 0.0 {
                margins.push(MarginKind::Slip, slip - at_rest / at_rest.re * held.zone);
            }
        }
        margins
    }

    fn reset(&mut self) {
        self.bodies.reset();
    }

    fn memory(&self) -> Vec<f64> {
        self.bodies.memory()
    }

    fn restore(&mut self, memory: &[f64]) {
        self.bodies.restore(memory);
    }

    fn set_verbose(&mut self, verbose: bool) {
        self.bodies.set_verbose(verbose);
    }
}

use super::{
    Honours, PointInput, PointStepper, SolveReport, SolverInfo, Step, StepError, StepStatus, StepperName,
    UsedSettings,
    derivative::{
        LocalDual, LocalInput, MarginKind, Margins, NoDerivative, StepDerivative, explicit_derivative,
    },
};
use crate::model::{Number, PointMass, State, Vector, shrink};

/// Parts of a step shorter than this, as a part of the whole, are not solved for: nothing happens in
/// them.
const SHORTEST_PART: f64 = 1e-9;

/// A gap-level stepper in the plane that divides its steps at events: a landing, and the end of a
/// slide.
///
/// With `a = g - uz/m` and the velocity `vf` that the step would end with in flight, a point that would
/// reach the ground lands after `tau = z/(-vfz)`, at the velocity `vz - a (tau + dt/2)`: a velocity of
/// semi-implicit Euler lags behind the motion that its positions sample by `a dt/2`. The stepper
/// that is divided solves the impact, and the contact in the rest of the step; after a rebound the rest
/// is flight, `z+ = r (w - a r/2)`, `vz+ = w - a r + a dt/2` with `w` the speed of the rebound. A slide that
/// would end within the step ends where friction and push say, and what is left of the step starts from
/// rest.
///
/// First order like the stepper itself, but without the kinks that the sampling of impacts and stops
/// gives to its results, so that its derivative is first order too.
pub struct TimeOfImpact {
    inner: Box<dyn PointStepper<2>>,
    body: PointMass<2>,
}

impl TimeOfImpact {
    /// Divides the steps of `inner`, which moves `body`.
    pub fn new(inner: Box<dyn PointStepper<2>>, body: PointMass<2>) -> Self {
        Self { inner, body }
    }
}

/// Who solves the parts of a step that are in contact.
trait ContactLaw<N> {
    /// Why a part cannot be solved.
    type Error;

    /// The velocity along the ground after an impact with the velocity `(slip, -speed)`.
    fn impact(&mut self, slip: N, speed: N) -> Result<N, Self::Error>;

    /// The velocity along the ground after `duration` s in contact, `vx` before.
    fn ground(&mut self, vx: N, duration: N) -> Result<N, Self::Error>;

    /// Sees a quantity that decides a branch.
    fn branch(&mut self, _kind: MarginKind, _value: N) {}
}

/// The division of one step.
struct Division<N> {
    body: PointMass<2, N>,
    /// Acceleration along the ground, and towards it.
    along: N,
    down: N,
    dt: N,
}

impl<N: Number> Division<N> {
    fn new(body: PointMass<2, N>, push: &Vector<2, N>, dt: N) -> Self {
        let acceleration = push / body.mass + body.gravity;
        Self { body, along: acceleration[0], down: -acceleration[1], dt }
    }

    fn rebounds(&self, speed: N) -> N {
        self.body.restitution * speed + self.body.gravity[1] * self.dt * 2.0
    }

    fn advance<L: ContactLaw<N>>(&self, state: &State<2, N>, law: &mut L) -> Result<State<2, N>, L::Error> {
        let ([x, z], [vx, vz]) = (state.position.data.0[0], state.velocity.data.0[0]);
        let free = vz - self.down * self.dt;
        let reached = z + free * self.dt;
        law.branch(MarginKind::Contact, reached);
        if reached.re() > 0.0 || free.re() >= 0.0 {
            let velocity = Vector::<2, N>::new(vx + self.along * self.dt, free);
            return Ok(state.advance(velocity, self.dt));
        }
        if z.re() <= 0.0 && vz.re() >= 0.0 {
            return self.on_ground(x, vx, self.dt, law);
        }
        let after = -z / free;
        let speed = self.down * (after + self.dt * 0.5) - vz;
        let (x, slip) = (x + vx * after, vx + self.along * after);
        let left = self.dt - after;
        let rebounds = self.rebounds(speed);
        if self.body.restitution.re() > 0.0 {
            law.branch(MarginKind::Rebound, rebounds);
        }
        let e = if rebounds.re() > 0.0 { self.body.restitution } else { N::zero() };
        law.branch(MarginKind::Slip, slip.abs() - self.body.friction * (e + 1.0) * speed);
        let kept = law.impact(slip, speed)?;
        if rebounds.re() <= 0.0 {
            return self.on_ground(x, kept, left, law);
        }
        let up = e * speed;
        let vx = kept + self.along * left;
        Ok(State {
            position: Vector::<2, N>::new(x + vx * left, (up - self.down * left * 0.5) * left),
            velocity: Vector::<2, N>::new(vx, up - self.down * left + self.down * self.dt * 0.5),
        })
    }

    fn on_ground<L: ContactLaw<N>>(
        &self,
        x: N,
        vx: N,
        duration: N,
        law: &mut L,
    ) -> Result<State<2, N>, L::Error> {
        let limit = self.body.friction * self.down;
        let mut duration = duration;
        let mut slip = vx;
        let mut rests = vx.re() == 0.0;
        if !rests {
            let slowing = limit - self.along * vx.re().signum();
            if slowing.re() > 0.0 {
                law.branch(MarginKind::Stop, vx.abs() - slowing * duration);
                let stop = vx.abs() / slowing;
                if stop.re() < duration.re() {
                    // Until the stop the position of semi-implicit Euler does not change.
                    duration -= stop;
                    slip = N::zero();
                    rests = true;
                }
            }
        }
        if rests {
            law.branch(MarginKind::Slip, self.along.abs() - limit);
        }
        let vx = law.ground(slip, duration)?;
        Ok(State {
            position: Vector::<2, N>::new(x + vx * duration, N::zero()),
            velocity: Vector::<2, N>::new(vx, N::zero()),
        })
    }
}

/// The stepper that is divided, as the law of contact.
struct Solver<'a> {
    inner: &'a mut dyn PointStepper<2>,
    body: &'a PointMass<2>,
    input: &'a PointInput<2>,
    report: SolveReport,
}

impl Solver<'_> {
    fn solve(&mut self, velocity: Vector<2>, push: Vector<2>, dt: f64) -> Result<f64, StepError<2>> {
        let state = State { position: Vector::zeros(), velocity };
        let step = self.inner.step(&PointInput { state, push, dt, ..*self.input })?;
        let SolveReport { status, iterations, residual, nlp } = step.report;
        if status != StepStatus::Solved {
            self.report.status = status;
        }
        self.report.iterations += iterations;
        self.report.residual = self.report.residual.max(residual);
        self.report.nlp = nlp.or(self.report.nlp);
        Ok(step.state.velocity[0])
    }
}

impl ContactLaw<f64> for Solver<'_> {
    type Error = StepError<2>;

    fn impact(&mut self, slip: f64, speed: f64) -> Result<f64, StepError<2>> {
        // With the weight carried, what is left of a step on the ground is the impact.
        let weight = self.body.gravity * -self.body.mass;
        self.solve(Vector::<2>::new(slip, -speed), weight, self.input.dt)
    }

    fn ground(&mut self, vx: f64, duration: f64) -> Result<f64, StepError<2>> {
        if duration <= SHORTEST_PART * self.input.dt {
            return Ok(vx);
        }
        self.solve(Vector::<2>::new(vx, 0.0), self.input.push, duration)
    }
}

/// The closed form of the rigid contact, with its margins.
struct ClosedForm<'a, N> {
    division: &'a Division<N>,
    margins: Margins<2>,
}

impl ContactLaw<LocalDual> for ClosedForm<'_, LocalDual> {
    type Error = std::convert::Infallible;

    fn impact(&mut self, slip: LocalDual, speed: LocalDual) -> Result<LocalDual, Self::Error> {
        let Division { body, .. } = self.division;
        let e =
            if self.division.rebounds(speed).re > 0.0 { body.restitution } else { LocalDual::from_re(0.0) };
        Ok(shrink(slip, body.friction * (e + 1.0) * speed))
    }

    fn ground(&mut self, vx: LocalDual, duration: LocalDual) -> Result<LocalDual, Self::Error> {
        let Division { body, along, down, .. } = self.division;
        Ok(shrink(vx + *along * duration, body.friction * down * duration))
    }

    fn branch(&mut self, kind: MarginKind, value: LocalDual) {
        self.margins.push(kind, value);
    }
}

impl TimeOfImpact {
    /// The step in dual numbers, and its margins.
    fn lifted(&self, input: &PointInput<2>) -> (State<2, LocalDual>, Margins<2>) {
        let LocalInput { body, state, push, dt } = LocalInput::new(&self.body, input);
        let division = Division::new(body, &push, dt);
        let mut law = ClosedForm { division: &division, margins: Margins::default() };
        let Ok(after) = division.advance(&state, &mut law);
        (after, law.margins)
    }
}

impl PointStepper<2> for TimeOfImpact {
    fn name(&self) -> StepperName {
        self.inner.name()
    }

    fn solver(&self) -> Option<SolverInfo> {
        self.inner.solver()
    }

    fn settings(&self) -> UsedSettings {
        self.inner.settings()
    }

    fn honours(&self) -> Honours {
        Honours { impacts_within_steps: true, ..self.inner.honours() }
    }

    fn step(&mut self, input: &PointInput<2>) -> Result<Step<2>, StepError<2>> {
        let division = Division::new(self.body, &input.push, input.dt);
        let report = SolveReport::CLOSED_FORM;
        let mut law = Solver { inner: self.inner.as_mut(), body: &self.body, input, report };
        let state = division.advance(&input.state, &mut law)?;
        let report = law.report;
        let free = self.body.free_velocity(&input.state, &input.push, input.dt);
        Ok(Step::from_free(&free, state, self.body.mass, report))
    }

    fn divides_steps(&self) -> bool {
        true
    }

    fn step_derivative(
        &self,
        input: &PointInput<2>,
        _step: &Step<2>,
    ) -> Result<StepDerivative<2>, NoDerivative> {
        Ok(StepDerivative::Explicit(explicit_derivative(&self.lifted(input).0)))
    }

    fn margins(&self, input: &PointInput<2>, _step: &Step<2>) -> Margins<2> {
        self.lifted(input).1
    }

    fn reset(&mut self) {
        self.inner.reset();
    }

    fn memory(&self) -> Vec<f64> {
        self.inner.memory()
    }

    fn restore(&mut self, memory: &[f64]) {
        self.inner.restore(memory);
    }

    fn set_verbose(&mut self, verbose: bool) {
        self.inner.set_verbose(verbose);
    }
}

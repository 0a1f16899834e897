use super::{
    Honours, PointInput, PointStepper, SolveReport, SolverInfo, Step, StepError, StepStatus, StepperName,
    UsedSettings,
    derivative::{
        LocalDual, LocalInput, MarginKind, Margins, NoDerivative, StepDerivative, explicit_derivative,
    },
};
use crate::{
    model::{Number, PointMass, State, Vector, shrink},
    world::{ContactLaw, Divided, Division},
};

/// A gap-level stepper in the plane that divides its steps at events: a landing, and the end of a
/// slide; see [`Division`].
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

fn division<N: Number>(body: &PointMass<2, N>, push: &Vector<2, N>, dt: N) -> Division<2, N> {
    Division {
        friction: body.friction,
        restitution: body.restitution,
        least_rebound: -body.gravity[1] * dt * 2.0,
        acceleration: push / body.mass + body.gravity,
        dt,
    }
}

/// The state after a divided step from this place.
fn arrived<N: Number>(place: &Vector<2, N>, divided: &Divided<2, N>) -> State<2, N> {
    let Divided { way, velocity } = divided;
    State { position: Vector::<2, N>::new(place[0] + way[0], way[1]), velocity: *velocity }
}

/// The stepper that is divided, as the law of contact.
struct Solver<'a> {
    inner: &'a mut dyn PointStepper<2>,
    body: &'a PointMass<2>,
    input: &'a PointInput<2>,
    division: &'a Division<2>,
    report: SolveReport,
}

impl Solver<'_> {
    fn solve(&mut self, velocity: Vector<2>, push: Vector<2>, dt: f64) -> Result<Vector<2>, StepError<2>> {
        let state = State { position: Vector::zeros(), velocity };
        let step = self.inner.step(&PointInput { state, push, dt, ..*self.input })?;
        let SolveReport { status, iterations, residual, nlp } = step.report;
        if status != StepStatus::Solved {
            self.report.status = status;
        }
        self.report.iterations += iterations;
        self.report.residual = self.report.residual.max(residual);
        self.report.nlp = nlp.or(self.report.nlp);
        Ok(Vector::<2>::new(step.state.velocity[0], 0.0))
    }
}

impl ContactLaw<2, f64> for Solver<'_> {
    type Error = StepError<2>;

    fn impact(&mut self, slip: Vector<2>, speed: f64) -> Result<Vector<2>, StepError<2>> {
        // With the weight carried, what is left of a step on the ground is the impact.
        let weight = self.body.gravity * -self.body.mass;
        self.solve(Vector::<2>::new(slip[0], -speed), weight, self.input.dt)
    }

    fn ground(&mut self, slip: Vector<2>, duration: f64) -> Result<Vector<2>, StepError<2>> {
        if self.division.is_negligible(duration) {
            return Ok(slip);
        }
        self.solve(slip, self.input.push, duration)
    }
}

/// The closed form of the rigid contact, with its margins.
struct ClosedForm<'a> {
    division: &'a Division<2, LocalDual>,
    margins: Margins<2>,
}

impl ContactLaw<2, LocalDual> for ClosedForm<'_> {
    type Error = std::convert::Infallible;

    fn impact(
        &mut self,
        slip: Vector<2, LocalDual>,
        speed: LocalDual,
    ) -> Result<Vector<2, LocalDual>, Self::Error> {
        let (e, _) = self.division.rebound(speed);
        let kept = shrink(slip[0], self.division.friction * (e + 1.0) * speed);
        Ok(Vector::<2, LocalDual>::new(kept, LocalDual::from_re(0.0)))
    }

    fn ground(
        &mut self,
        slip: Vector<2, LocalDual>,
        duration: LocalDual,
    ) -> Result<Vector<2, LocalDual>, Self::Error> {
        let Division { friction, acceleration, .. } = self.division;
        let free = slip[0] + acceleration[0] * duration;
        let kept = shrink(free, *friction * -acceleration[1] * duration);
        Ok(Vector::<2, LocalDual>::new(kept, LocalDual::from_re(0.0)))
    }

    fn branch(&mut self, kind: MarginKind, value: LocalDual) {
        self.margins.push(kind, value);
    }
}

impl TimeOfImpact {
    /// The step in dual numbers, and its margins.
    fn lifted(&self, input: &PointInput<2>) -> (State<2, LocalDual>, Margins<2>) {
        let LocalInput { body, state, push, dt } = LocalInput::new(&self.body, input);
        let division = division(&body, &push, dt);
        let mut law = ClosedForm { division: &division, margins: Margins::default() };
        let Ok(divided) = division.advance(state.height(), &state.velocity, &mut law);
        (arrived(&state.position, &divided), law.margins)
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
        let division = division(&self.body, &input.push, input.dt);
        let report = SolveReport::CLOSED_FORM;
        let inner = self.inner.as_mut();
        let mut law = Solver { inner, body: &self.body, input, division: &division, report };
        let State { position, velocity } = input.state;
        let divided = division.advance(position[1], &velocity, &mut law)?;
        let (state, report) = (arrived(&position, &divided), law.report);
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

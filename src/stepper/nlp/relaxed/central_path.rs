use crate::{
    model::{Number, PointMass, State, Vector, gap_velocity, magnitude, tangential},
    scenario::Scenario,
    stepper::{
        PointInput, PointStepper, SolveReport, Step, StepError, StepperName,
        derivative::{LocalInput, Margins, NoDerivative, StepDerivative, explicit_derivative, rigid_margins},
    },
};

/// How far the two complementarity products of the program are from zero: `p_z (gap + v_z)` in
/// m^2/s^2, `lambda (1 - |b|)` in m/s.
///
/// A barrier method ends at `kappa = 1.5 tau` times the units of the program, `tau` its last
/// barrier parameter: both products count twice in the barrier, once with their own factors and once
/// with the slack.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Complementarity<N = f64> {
    /// Of the normal impulse and the gap.
    pub normal: N,
    /// Of the sliding speed and what is left of the friction cone.
    pub friction: N,
}

/// The velocity after a step on the central path of the relaxed program: the one solution of its
/// Karush-Kuhn-Tucker conditions at a barrier parameter, after elimination of the multipliers.
///
/// `p (free_z + gap + p) = kappa_n` gives the normal impulse per mass `p`, and with `h = mu p` and
/// `V = |free_t|` the use of friction `b` is the root of `V = b (kappa_t/(1 - b) + h)` below 1.
pub fn central_path<const D: usize, N: Number>(
    free: &Vector<D, N>,
    gap: N,
    friction: N,
    kappa: Complementarity<N>,
) -> Vector<D, N> {
    let closing = free[D - 1] + gap;
    let root = (closing * closing + kappa.normal * 4.0).sqrt();
    let p = if closing.re() > 0.0 { kappa.normal * 2.0 / (closing + root) } else { (root - closing) * 0.5 };
    let slip = tangential(free);
    let speed = magnitude(&slip);
    let h = friction * p;
    let k = kappa.friction;
    // With q the larger root of q^2 - 2 (V + k + h) q + 4 h V, what is left of the slip is 1 - 2 h/q; both
    // forms of q - 2 h are the same, each without cancellation where it is used.
    let room = h - speed;
    let root = (room * room + (speed + h) * k * 2.0 + k * k).sqrt();
    let left =
        if room.re() > 0.0 { ((speed + h) * k * 2.0 + k * k) / (root + room) + k } else { root - room + k };
    let whole = left + h * 2.0;
    let mut velocity = if whole.re() > 0.0 { slip * (left / whole) } else { slip };
    velocity[D - 1] = free[D - 1] + p;
    velocity
}

/// The relaxed program at a smoothing `kappa` that does not vanish: steps on the central path instead
/// of to its end, a smooth function of their input but for the switch to a rebound.
///
/// `p_z (gap + v_z) = kappa (g dt)^2` and `lambda (1 - |b|) = kappa g dt`. Contact then acts at a
/// distance and friction before it slips, so that derivatives point somewhere where those of the
/// rigid law vanish; the motion itself is shifted. Without the cap on the gap that the program has,
/// which this smoothing would feel.
#[derive(Debug, Clone)]
pub struct SmoothedNlp<const D: usize> {
    body: PointMass<D>,
    kappa: f64,
}

impl<const D: usize> SmoothedNlp<D> {
    /// The smoothed stepper of `scenario`; `kappa` is positive, and up to 0.3 a moderate change of the
    /// motion.
    pub fn new(scenario: &Scenario<D>, kappa: f64) -> Self {
        Self { body: scenario.point(0), kappa }
    }

    /// The law of motion, in any numbers.
    fn advance<N: Number>(
        &self,
        body: &PointMass<D, N>,
        state: &State<D, N>,
        push: &Vector<D, N>,
        dt: N,
    ) -> State<D, N> {
        let free = body.free_velocity(state, push, dt);
        let gap = gap_velocity(body, state, free[D - 1], dt);
        let unit = body.gravity_norm() * dt;
        let kappa = Complementarity { normal: unit * unit * self.kappa, friction: unit * self.kappa };
        state.advance(central_path(&free, gap, body.friction, kappa), dt)
    }
}

impl<const D: usize> PointStepper<D> for SmoothedNlp<D> {
    fn name(&self) -> StepperName {
        StepperName::NLP
    }

    fn step(&mut self, input: &PointInput<D>) -> Result<Step<D>, StepError<D>> {
        let free = self.body.free_velocity(&input.state, &input.push, input.dt);
        let state = self.advance(&self.body, &input.state, &input.push, input.dt);
        Ok(Step::from_free(&free, state, self.body.mass, SolveReport::CLOSED_FORM))
    }

    fn step_derivative(
        &self,
        input: &PointInput<D>,
        _step: &Step<D>,
    ) -> Result<StepDerivative<D>, NoDerivative> {
        let LocalInput { body, state, push, dt } = LocalInput::new(&self.body, input);
        let after = self.advance(&body, &state, &push, dt);
        Ok(StepDerivative::Explicit(explicit_derivative(&after)))
    }

    fn margins(&self, input: &PointInput<D>, _step: &Step<D>) -> Margins<D> {
        rigid_margins(&LocalInput::new(&self.body, input))
    }
}

use super::{Problem, Vector, line_search::Ray};

/// The cost, its gradient and the norms of the stopping criterion at one velocity.
#[derive(Debug, Clone, Default)]
pub(super) struct Evaluation<const N: usize> {
    /// `l(v)`; every term is a square, so nothing cancels.
    pub cost: f64,
    /// `A (v - v*) - J' gamma`, equalities included in `J' gamma`.
    pub gradient: Vec<Vector<N>>,
    /// `|D gradient|` with `D = diag(A)^-1/2`.
    pub gradient_norm: f64,
    /// `max(|D A v|, |D J' gamma|)`.
    pub momentum_norm: f64,
    /// The diagonal of `D^2 = diag(A)^-1`.
    weights: Vec<Vector<N>>,
}

impl<const N: usize> Evaluation<N> {
    /// Sets the norm of the stopping criterion.
    pub fn set_weights<const D: usize>(&mut self, problem: &Problem<D, N>) {
        self.weights.clear();
        self.weights.extend(problem.inertia.iter().map(|inertia| inertia.diagonal().map(|a| 1.0 / a)));
    }

    /// Evaluates at `v` after [`Evaluation::set_weights`]; `rays` are those of the `active` contacts and get their `start` and
    /// `projection`.
    pub fn update<const D: usize>(
        &mut self,
        problem: &Problem<D, N>,
        active: &[usize],
        v: &[Vector<N>],
        rays: &mut [Ray<D>],
    ) {
        let mut cost = 0.0;
        // First the gradient holds -J' gamma alone.
        self.gradient.clear();
        self.gradient.resize(v.len(), Vector::zeros());
        for equality in &problem.equalities {
            let deviation = equality.reference - equality.jacobian.apply(v)[0];
            let impulse = equality.stiffness * deviation;
            cost += impulse * deviation;
            equality.jacobian.subtract_transposed(&Vector::<1>::new(impulse), &mut self.gradient);
        }
        for (&index, ray) in active.iter().zip(rays) {
            let contact = &problem.contacts[index];
            ray.start = contact.unprojected(v);
            ray.projection = contact.cone.project(&ray.start);
            let impulse = &ray.projection.impulse;
            cost += contact.cone.norm_squared(impulse);
            contact.jacobian.subtract_transposed(impulse, &mut self.gradient);
        }
        let (mut gradient_norm, mut impulse_norm, mut momentum_norm) = (0.0, 0.0, 0.0);
        let weighted_square = |x: &Vector<N>, weight: &Vector<N>| x.component_mul(x).dot(weight);
        let bodies = problem.inertia.iter().zip(&problem.free_velocity).zip(v).zip(&self.weights);
        for ((((inertia, v_star), v), weight), gradient) in bodies.zip(&mut self.gradient) {
            let change = v - v_star;
            let momentum_change = inertia * change;
            cost += change.dot(&momentum_change);
            momentum_norm += weighted_square(&(inertia * v), weight);
            impulse_norm += weighted_square(gradient, weight);
            *gradient += momentum_change;
            gradient_norm += weighted_square(gradient, weight);
        }
        self.cost = 0.5 * cost;
        self.gradient_norm = gradient_norm.sqrt();
        self.momentum_norm = f64::max(momentum_norm, impulse_norm).sqrt();
    }

    /// Whether every number is finite.
    pub fn is_finite(&self) -> bool {
        self.cost.is_finite() && self.gradient_norm.is_finite() && self.momentum_norm.is_finite()
    }
}

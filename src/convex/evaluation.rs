use super::{Problem, Vector, line_search::Ray};

/// The cost, its gradient and the norms of the stopping criterion at one velocity.
#[derive(Debug, Clone, Default)]
pub(super) struct Evaluation<const D: usize> {
    /// `l(v)`; every term is a square, so nothing cancels.
    pub cost: f64,
    /// `A (v - v*) - J' gamma`, equalities included in `J' gamma`.
    pub gradient: Vec<Vector<D>>,
    /// `|D gradient|` with `D = diag(A)^-1/2`.
    pub gradient_norm: f64,
    /// `max(|D A v|, |D J' gamma|)`.
    pub momentum_norm: f64,
}

impl<const D: usize> Evaluation<D> {
    /// Evaluates at `v`; `rays` are those of the `active` contacts and get their `start` and
    /// `projection`.
    pub fn update(&mut self, problem: &Problem<D>, active: &[usize], v: &[Vector<D>], rays: &mut [Ray<D>]) {
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
        let blocks = problem.inertia.iter().zip(&problem.free_velocity).zip(v).zip(&mut self.gradient);
        for (((inertia, v_star), v), gradient) in blocks {
            let change = v - v_star;
            let momentum_change = inertia * change;
            let momentum = inertia * v;
            cost += change.dot(&momentum_change);
            for i in 0..D {
                let weight = 1.0 / inertia[(i, i)];
                impulse_norm += gradient[i] * gradient[i] * weight;
                momentum_norm += momentum[i] * momentum[i] * weight;
                gradient[i] += momentum_change[i];
                gradient_norm += gradient[i] * gradient[i] * weight;
            }
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

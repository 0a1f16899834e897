use super::{Cone, Problem, Projection, Region, Vector};
use crate::rows;

/// One active contact at one velocity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Reaction<const D: usize> {
    /// `y`, the impulse before projection.
    pub unprojected: Vector<D>,
    /// Its projection.
    pub projection: Projection<D>,
}

impl<const D: usize> Reaction<D> {
    /// None, to be filled in.
    pub const fn none() -> Self {
        let zero = Vector::from_array_storage(nalgebra::ArrayStorage([[0.0; D]]));
        Self { unprojected: zero, projection: Projection { impulse: zero, region: Region::Open } }
    }
}

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
    /// Whether each block of `A` is diagonal, as it is for most bodies: in their principal axes.
    are_diagonal: Vec<bool>,
}

impl<const N: usize> Evaluation<N> {
    /// Sets the norm of the stopping criterion, and how momenta are computed.
    pub fn set_weights<const D: usize, C>(&mut self, problem: &Problem<D, N, C>) {
        self.weights.clear();
        self.weights.extend(problem.inertia.iter().map(|inertia| inertia.diagonal().map(|a| 1.0 / a)));
        self.are_diagonal.clear();
        self.are_diagonal.extend(problem.inertia.iter().map(rows::is_diagonal));
    }

    /// Evaluates at `v` after [`Evaluation::set_weights`], with the `reactions` of the `active` contacts.
    pub fn update<const D: usize, C: Cone<D>>(
        &mut self,
        problem: &Problem<D, N, C>,
        active: &[usize],
        v: &[Vector<N>],
        reactions: &mut [Reaction<D>],
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
        // The square roots of one contact need not be waited for by the next.
        for (&index, reaction) in active.iter().zip(reactions.iter_mut()) {
            let contact = &problem.contacts[index];
            reaction.unprojected = contact.unprojected(v);
            reaction.projection = contact.cone.project(&reaction.unprojected);
        }
        for (&index, reaction) in active.iter().zip(reactions) {
            let contact = &problem.contacts[index];
            if reaction.projection.region != Region::Open {
                let impulse = &reaction.projection.impulse;
                cost += contact.cone.norm_squared(impulse);
                contact.jacobian.subtract_transposed(impulse, &mut self.gradient);
            }
        }
        let (mut gradient_norm, mut impulse_norm, mut momentum_norm) = (0.0, 0.0, 0.0);
        let weighted_square = |x: &Vector<N>, weight: &Vector<N>| x.component_mul(x).dot(weight);
        let bodies = problem.inertia.iter().zip(&problem.free_velocity).zip(v);
        let bodies = bodies.zip(self.weights.iter().zip(&self.are_diagonal));
        for ((((inertia, v_star), v), (weight, &is_diagonal)), gradient) in bodies.zip(&mut self.gradient) {
            let momentum = |v: &Vector<N>| match is_diagonal {
                true => Vector::from_fn(|i, _| inertia[(i, i)] * v[i]),
                false => rows::times(inertia, v),
            };
            let change = v - v_star;
            let momentum_change = momentum(&change);
            cost += change.dot(&momentum_change);
            momentum_norm += weighted_square(&momentum(v), weight);
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

use nalgebra::SVector;

use super::{RelaxedProgram, program::full_use};

/// Size of both members of a complementary pair, in units of the solver's tolerance, up to which their
/// product says well enough which of them is zero.
const SETTLED: f64 = 10.0;

/// What solving the equations of the active constraints makes of a solution.
pub(super) struct Polished<const N: usize> {
    pub y: SVector<f64, N>,
    /// [`RelaxedProgram::residual`] of `y`.
    pub residual: f64,
}

impl<const T: usize> RelaxedProgram<T> {
    /// The solution to rounding, where the relaxed complementarity of `y` is not as good as it seems.
    ///
    /// A product `a b <= tolerance` leaves an error of `tolerance` in the one that is zero if the other is
    /// of order one, but of its root where both are to be zero: of a point that is neither pressed nor
    /// lifted (no gravity, a push that balances the weight), or that friction just holds (`mu` the tangent
    /// of the slope). Such an error is one of velocity, and the point would drift. So the equations that
    /// are left when one of each pair is zero are solved, for each of the three modes of a point: they are
    /// linear. The mode whose solution has the least residual counts, if that is less than the residual
    /// of `y`.
    pub(super) fn polished<const N: usize>(
        &self,
        y: &SVector<f64, N>,
        residual: f64,
        tolerance: f64,
    ) -> Option<Polished<N>> {
        if self.is_settled(y, SETTLED * tolerance) {
            return None;
        }
        let candidates = [self.in_flight(), self.sticking(), self.slipping()].into_iter().flatten();
        let polished = candidates.map(|y| Polished { residual: self.residual(&y), y });
        polished.filter(|it| it.residual < residual).min_by(|a, b| a.residual.total_cmp(&b.residual))
    }

    /// Whether one of each complementary pair is at most `limit`.
    fn is_settled<const N: usize>(&self, y: &SVector<f64, N>, limit: f64) -> bool {
        let (normal_velocity, impulse, lambda) = (y[T], y[2 * T + 1], y[2 * T + 4]);
        let reserve = 1.0 - self.smooth_norm(&y.fixed_rows::<T>(T + 1).into_owned());
        impulse.min(self.gap + normal_velocity) <= limit
            && (lambda / self.speed_scale()).min(reserve) <= limit
    }

    /// No impulse.
    fn in_flight<const N: usize>(&self) -> Option<SVector<f64, N>> {
        Some(self.solution(self.free_tangential, self.free_normal, 0.0, self.against_the_motion()))
    }

    /// On the ground, at rest along it.
    fn sticking<const N: usize>(&self) -> Option<SVector<f64, N>> {
        let impulse = self.closing_impulse()?;
        let available = self.impulse_ratio * self.friction * impulse;
        let direction = match self.free_tangential.norm() {
            0.0 => SVector::zeros(),
            needed if needed <= available * self.full_use() => self.free_tangential / -available,
            _ => return None,
        };
        Some(self.solution(SVector::zeros(), -self.gap, impulse, direction))
    }

    /// On the ground, with all of the friction in use.
    fn slipping<const N: usize>(&self) -> Option<SVector<f64, N>> {
        let impulse = self.closing_impulse()?;
        let direction = self.against_the_motion();
        let velocity = self.free_tangential + direction * (self.impulse_ratio * self.friction * impulse);
        let goes_on = velocity.dot(&self.free_tangential) > 0.0;
        goes_on.then(|| self.solution(velocity, -self.gap, impulse, direction))
    }

    /// The impulse that ends the step on the ground, if it pushes.
    fn closing_impulse(&self) -> Option<f64> {
        let impulse = -(self.gap + self.free_normal) / self.impulse_ratio;
        (impulse >= 0.0).then_some(impulse)
    }

    /// Friction against the free motion, all of it; none where there is no such motion.
    fn against_the_motion(&self) -> SVector<f64, T> {
        let speed = self.free_tangential.norm();
        if speed > 0.0 { self.free_tangential * (-self.full_use() / speed) } else { SVector::zeros() }
    }

    fn full_use(&self) -> f64 {
        full_use(self.epsilon)
    }

    /// The unknowns, without slack; `lambda` is what `v_t + lambda b = 0` leaves.
    fn solution<const N: usize>(
        &self,
        velocity: SVector<f64, T>,
        normal_velocity: f64,
        impulse: f64,
        direction: SVector<f64, T>,
    ) -> SVector<f64, N> {
        let mut y = SVector::<f64, N>::zeros();
        y.fixed_rows_mut::<T>(0).copy_from(&velocity);
        y[T] = normal_velocity;
        y.fixed_rows_mut::<T>(T + 1).copy_from(&direction);
        y[2 * T + 1] = impulse;
        let square = direction.norm_squared();
        y[2 * T + 4] = if square > 0.0 { (-velocity.dot(&direction) / square).max(0.0) } else { 0.0 };
        y
    }
}

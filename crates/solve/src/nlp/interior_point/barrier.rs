use super::search::Search;

/// The barrier problem counts as solved at `E_mu <= kappa_epsilon mu`; then
/// `mu <- max(tolerance/10, min(kappa_mu mu, mu^theta_mu))` with `theta_mu = 3/2` (Waechter and
/// Biegler, eq. 7).
const KAPPA_EPSILON: f64 = 10.0;
const KAPPA_MU: f64 = 0.2;

impl<const N: usize, const M: usize> Search<'_, N, M> {
    /// Smallest barrier parameter: what makes both the scaled error and the complementarity of the
    /// program as written small enough.
    fn smallest_barrier(&self) -> f64 {
        let unscaled = self.options.residual_tolerance * self.program.scaling.objective;
        self.options.tolerance.min(unscaled) / (KAPPA_EPSILON + 1.0)
    }

    /// Lowers the barrier parameter as often as the current iterate solves its barrier problem.
    pub fn lower_barrier(&mut self) {
        let smallest = self.smallest_barrier();
        let mut force = self.tiny_steps > 0;
        let mut has_changed = false;
        while self.mu > smallest && (force || self.error(self.mu).max() <= KAPPA_EPSILON * self.mu) {
            force = false;
            has_changed = true;
            self.tiny_steps = 0;
            self.mu = (KAPPA_MU * self.mu).min(self.mu * self.mu.sqrt()).max(smallest);
            self.barrier_changed();
        }
        if has_changed {
            self.filter.reset();
            self.dismiss_watchdog();
            self.values.phi = self.barrier_function(&self.iterate.primal(), self.values.objective);
        }
    }

    /// The objective of the restoration depends on the barrier parameter.
    fn barrier_changed(&mut self) {
        if self.phase.is_restoration() {
            let x = self.iterate.x.value;
            self.values.objective = self.phase.objective(self.values.program_objective, &x, self.mu);
            self.phase.gradient(self.program, &x, self.mu, &mut self.first_order.gradient);
            self.refresh_first_order();
        }
    }
}

use super::search::Search;

/// The barrier problem counts as solved at `E_mu <= kappa_epsilon mu`; then
/// `mu <- max(tolerance/10, min(kappa_mu mu, mu^theta_mu))` (Waechter and Biegler, eq. 7).
const KAPPA_EPSILON: f64 = 10.0;
const KAPPA_MU: f64 = 0.2;
const THETA_MU: f64 = 1.5;

impl<const N: usize, const M: usize> Search<'_, N, M> {
    /// Smallest barrier parameter: what makes both the scaled error and the complementarity of the
    /// program as written small enough.
    fn smallest_barrier(&self) -> f64 {
        let unscaled = self.options.residual_tolerance * self.program.scaling.objective;
        self.options.tolerance.min(unscaled) / (KAPPA_EPSILON + 1.0)
    }

    /// Lowers the barrier parameter as often as the current iterate solves its barrier problem.
    #[inline(never)]
    pub fn lower_barrier(&mut self) {
        let mut force = self.tiny_steps > 0;
        while self.mu > self.smallest_barrier()
            && (force || self.error(self.mu).max() <= KAPPA_EPSILON * self.mu)
        {
            force = false;
            self.tiny_steps = 0;
            self.mu = (KAPPA_MU * self.mu).min(self.mu.powf(THETA_MU)).max(self.smallest_barrier());
            self.filter.reset();
            self.dismiss_watchdog();
            self.barrier_changed();
        }
    }

    /// Brings what depends on the barrier parameter up to date.
    pub fn barrier_changed(&mut self) {
        if self.phase.is_restoration() {
            let (x, mu) = (self.iterate.x.value, self.mu);
            self.values.objective = self.phase.objective(0.0, &x, mu);
            self.gradient = self.phase.gradient(self.program, &x, mu);
        }
        self.values.phi = self.barrier_function(&self.iterate, self.values.objective);
    }
}

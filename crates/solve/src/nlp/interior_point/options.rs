/// Settings of [`InteriorPoint`](super::InteriorPoint). The defaults are IPOPT's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InteriorPointOptions {
    /// Tolerance of the scaled optimality error, above 0. Smaller than `1e-10` is rarely within
    /// what rounding allows.
    pub tolerance: f64,
    /// Looser tolerance: a point that meets it for 15 iterations, or where the method can go no
    /// further, is reported as [`SolvedToAcceptableLevel`](crate::nlp::SolveStatus).
    pub acceptable_tolerance: f64,
    /// Largest residual of the program as it was written, recomputed independently, for which a
    /// solution counts as solved. It has to leave room above `tolerance`, because the program is
    /// scaled and its bounds are relaxed.
    pub residual_tolerance: f64,
    /// The same for a solution to the acceptable tolerance.
    pub acceptable_residual_tolerance: f64,
    /// Iterations after which a solve is given up.
    pub max_iterations: u32,
    /// The same for a warm start. From a good start a solve takes a handful; one that takes many
    /// times that is better begun anew, cold.
    pub warm_max_iterations: u32,
    /// Barrier parameter `mu` at a cold start. Raise it for programs whose start is far off.
    pub initial_barrier: f64,
    /// Barrier parameter at a warm start. The smaller, the fewer iterations from a good start, and
    /// the more of them from a bad one.
    pub warm_start_barrier: f64,
    /// Every bound is moved outwards by this much, relative to `max(1, |bound|)`, so that a program
    /// whose feasible set has no interior can be solved. Results violate bounds by up to as much.
    pub bound_relaxation: f64,
}

impl Default for InteriorPointOptions {
    fn default() -> Self {
        Self {
            tolerance: 1e-8,
            acceptable_tolerance: 1e-6,
            residual_tolerance: 1e-6,
            acceptable_residual_tolerance: 1e-4,
            max_iterations: 3000,
            warm_max_iterations: 3000,
            initial_barrier: 0.1,
            warm_start_barrier: 1e-8,
            bound_relaxation: 1e-8,
        }
    }
}

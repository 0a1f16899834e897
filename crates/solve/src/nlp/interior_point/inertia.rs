/// First and smallest perturbation of the Hessian, and the largest that is tried.
const FIRST: f64 = 1e-4;
const SMALLEST: f64 = 1e-20;
const LARGEST: f64 = 1e20;

/// Perturbation `delta_c` of the constraint block where the Jacobian is rank deficient:
/// `1e-8 mu^(1/4)`.
const RANK_DEFICIENT: f64 = 1e-8;

/// What the last factorisation showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// As many positive eigenvalues as variables and negative ones as constraints.
    Correct,
    /// Singular, or too few negative eigenvalues: the Jacobian lacks rank.
    Singular,
    /// Too many negative eigenvalues: the Hessian is not positive definite on the constraints.
    Indefinite,
}

/// Heuristic of Waechter and Biegler (Algorithm IC) for the perturbations `delta_w` of the Hessian
/// and `delta_c` of the constraint block that give the linear system the inertia of a minimum.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct InertiaCorrection {
    pub delta_w: f64,
    pub delta_c: f64,
    /// The last `delta_w` that was needed in this solve.
    last: f64,
}

impl InertiaCorrection {
    /// Starts a new system without perturbation.
    pub fn restart(&mut self) {
        self.delta_w = 0.0;
        self.delta_c = 0.0;
    }

    /// The next perturbation after `verdict`; `false` if none is left to try.
    pub fn increase(&mut self, verdict: Verdict, mu: f64) -> bool {
        if verdict == Verdict::Singular && self.delta_c == 0.0 {
            self.delta_c = RANK_DEFICIENT * mu.powf(0.25);
            return true;
        }
        self.delta_w = if self.delta_w == 0.0 {
            if self.last == 0.0 { FIRST } else { (self.last / 3.0).max(SMALLEST) }
        } else if self.last == 0.0 {
            self.delta_w * 100.0
        } else {
            self.delta_w * 8.0
        };
        self.delta_w <= LARGEST
    }

    /// Remembers what was needed.
    pub fn accept(&mut self) {
        if self.delta_w > 0.0 {
            self.last = self.delta_w;
        }
    }
}

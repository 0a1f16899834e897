use std::f64::consts::PI;

use crate::{
    contact::FrictionPolygon,
    world::{Impacts, JointClosing},
};

/// Settings of every stepper family; each one has a default.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StepperSettings {
    /// How the steppers of rigid bodies take impacts; `None`: as [`Scenario::impacts`](super::Scenario::impacts) says.
    pub impacts: Option<Impacts>,
    /// Where steps leave joints and rods; `None`: as they are to first order.
    pub joints: Option<JointClosing>,
    /// `[stepper.nlp]`
    pub nlp: NlpSettings,
    /// `[stepper.lcp]`
    pub lcp: LcpSettings,
    /// `[stepper.convex]`
    pub convex: ConvexSettings,
    /// `[stepper.smooth]`
    pub smooth: SmoothSettings,
}

/// Settings of the nonlinear-program steppers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NlpSettings {
    /// Solver tolerance (scaled). 1e-6 is still enough for the relaxed formulation, 1e-4 is not.
    /// `None` leaves each formulation its own: 1e-8 for `relaxed`, 1e-4 for `seed`.
    pub tolerance: Option<f64>,
    /// Smoothing `epsilon` of the square root, `sqrt(y + epsilon^2) - epsilon`.
    /// `None`: 1e-6 for `relaxed`, 1e-4 for `seed`.
    pub epsilon: Option<f64>,
    /// Which solver works on the program; `None`: [`NlpSolverChoice::default_for_point`] or
    /// [`NlpSolverChoice::default_for_bodies`]. For a point the other one stands by to rescue a step of `relaxed`; `seed` knows IPOPT only, and no rescue.
    pub solver: Option<NlpSolverChoice>,
    /// Start a step from the solution of the one before; a cold start follows where that fails.
    pub warm_start: bool,
    /// Divide a step at a landing and at the end of a slide, so that results depend smoothly on the
    /// scenario; see [`Division`](crate::world::Division).
    pub time_of_impact: bool,
}

impl Default for NlpSettings {
    fn default() -> Self {
        Self { tolerance: None, epsilon: None, solver: None, warm_start: true, time_of_impact: false }
    }
}

/// Solvers of the step's nonlinear program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NlpSolverChoice {
    /// IPOPT, compiled into the program.
    Ipopt,
    /// The crate's own interior-point method, some thirty times faster than IPOPT on these programs.
    InteriorPoint,
    /// The interior-point method that knows the structure of many contacts, for several bodies.
    Structured,
}

impl NlpSolverChoice {
    /// The solver of the steps of several bodies where none is named; with
    /// [`NlpSolverChoice::default_for_point`] the one rule on that.
    ///
    /// Among many contacts a general solver loses its way; the structured one does not. IPOPT is its
    /// cross-check where they are few.
    pub const fn default_for_bodies() -> Self {
        Self::Structured
    }

    /// The solver of the steps of a point where none is named; with
    /// [`NlpSolverChoice::default_for_bodies`] the one rule on that.
    ///
    /// A point is stepped by IPOPT: a general solver that the field knows, on a program that it
    /// solves without fail. The crate's own method is for whoever wants the speed, rescues, and is
    /// the cross-check of a comparison; built without the feature `ipopt`, the crate has nothing else.
    pub const fn default_for_point() -> Self {
        if Self::Ipopt.is_built_in() { Self::Ipopt } else { Self::InteriorPoint }
    }

    /// Whether the crate was built with it.
    pub const fn is_built_in(self) -> bool {
        match self {
            Self::Ipopt => cfg!(feature = "ipopt"),
            Self::InteriorPoint | Self::Structured => true,
        }
    }

    /// The other of the two that step a point: what rescues and cross-checks this one.
    pub const fn other_for_point(self) -> Self {
        match self {
            Self::Ipopt => Self::InteriorPoint,
            Self::InteriorPoint | Self::Structured => Self::Ipopt,
        }
    }

    /// The other of the two that step bodies: what cross-checks this one.
    pub const fn other_for_bodies(self) -> Self {
        match self {
            Self::Ipopt => Self::Structured,
            Self::InteriorPoint | Self::Structured => Self::Ipopt,
        }
    }
}

/// Settings of the linear-complementarity steppers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LcpSettings {
    /// Which solver works on the complementarity problem. `None`: Lemke's method, and of many contacts or links of bodies a structured
    /// interior point before it.
    pub solver: Option<LcpSolverChoice>,
    /// Number of directions of the friction polygon in space, even, at least 4. `None`: 8 for a point, whose
    /// polygon is fixed, and 4 for bodies.
    pub directions: Option<usize>,
    /// How the friction polygons of bodies in space are turned.
    pub polygon: FrictionPolygon,
    /// Which law of impact the formulations with a free normal force follow.
    pub restitution: RestitutionLaw,
    /// Where the fixed-point iteration over a plane takes its first direction of sliding from.
    pub fixed_point_start: FixedPointStart,
    /// Divide a step at a landing and at the end of a slide; `lcp` itself only, in the plane.
    pub time_of_impact: bool,
}

impl LcpSettings {
    /// The solver of a point.
    pub fn solver_of_point(&self) -> LcpSolverChoice {
        self.solver.unwrap_or(LcpSolverChoice::Lemke)
    }

    /// Directions of the fixed polygon of a point over a plane.
    pub fn directions_of_point(&self) -> usize {
        self.directions.unwrap_or(8)
    }

    /// Directions of the polygons of bodies in space.
    pub fn directions_of_bodies(&self) -> usize {
        self.directions.unwrap_or(4)
    }
}

impl Default for LcpSettings {
    fn default() -> Self {
        Self {
            solver: None,
            directions: None,
            polygon: FrictionPolygon::Aligned,
            restitution: RestitutionLaw::Newton,
            fixed_point_start: FixedPointStart::FreeVelocity,
            time_of_impact: false,
        }
    }
}

/// Solvers of a linear complementarity problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LcpSolverChoice {
    /// Lemke's pivoting method with a lexicographic rule.
    Lemke,
    /// All complementary bases in turn; for small problems.
    Enumeration,
    /// Primal-dual interior point.
    InteriorPoint,
}

/// Laws of impact of the linear-complementarity steppers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RestitutionLaw {
    /// Newton: the normal velocity is reversed, `vz+ = -e vz`.
    Newton,
    /// Poisson: the impulse of compression returns, `p_z = (1 + e) p_compression`.
    Poisson,
}

/// First direction of sliding of the fixed-point iteration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FixedPointStart {
    /// The direction of the velocity without friction; the first sweep is then exact.
    FreeVelocity,
    /// The direction of the velocity before the step, as the LCP notes have it; converges only
    /// while friction takes less than half of the speed.
    PreviousVelocity,
}

/// Settings of the convex compliant stepper.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConvexSettings {
    /// Stiffness `k` in N/m. `None`: as stiff as the step can tell, but for ground on which the point
    /// starts so fast that the lift of convex friction would throw it off; see
    /// [`stepper::convex`](crate::stepper::convex).
    pub stiffness: Option<f64>,
    /// Dissipation time `tau_d` in s. `None`: `beta dt/pi`, critical damping of the stiffest ground that
    /// the step can tell.
    pub dissipation_time: Option<f64>,
    /// Near-rigid regularisation `beta`.
    pub beta: f64,
    /// Stiction regularisation `sigma`.
    pub sigma: f64,
    /// Contacts act only where the gap is negative.
    pub gated: bool,
    /// How the Delassus operator of a contact is measured.
    pub delassus_norm: DelassusNorm,
    /// Which solver works on the convex program.
    pub solver: ConvexSolver,
}

impl ConvexSettings {
    /// The published parameters, which suit about 10 kg in steps of 1 ms:
    /// `[stepper.convex] preset = "published"`.
    pub const PUBLISHED: Self = Self {
        stiffness: Some(1e7),
        dissipation_time: Some(0.02),
        beta: 1.0,
        sigma: 1e-3,
        gated: true,
        delassus_norm: DelassusNorm::Planar,
        solver: ConvexSolver::Newton,
    };

    /// The dissipation time in s in steps of `dt` s.
    pub fn dissipation_time_at(&self, dt: f64) -> f64 {
        self.dissipation_time.unwrap_or(self.beta * dt / PI)
    }
}

impl Default for ConvexSettings {
    /// What scales with mass, gravity, step and speed: `preset = "scaled"`.
    fn default() -> Self {
        Self { stiffness: None, dissipation_time: None, gated: false, ..Self::PUBLISHED }
    }
}

/// Where the settings of a compliant stepper start from, before single ones are set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preset {
    /// They scale with mass, gravity, step and speed.
    Scaled,
    /// The numbers of the publication, whatever the scenario.
    Published,
}

/// The norm of the Delassus operator that scales the regularisation of the convex stepper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DelassusNorm {
    /// `w = |W|_F/2`, the two dimensions of the plane x-z; `1/(m sqrt 2)` for a point.
    Planar,
    /// `w = |W|_F/3` over three dimensions, as Drake has it; `1/(m sqrt 3)` for a point.
    Spatial,
}

/// Solvers of the convex program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConvexSolver {
    /// Newton's method on the primal, unconstrained problem with an exact line search.
    Newton,
    /// The dual cone program through a general-purpose solver, as an independent check.
    Dual,
}

/// Settings of the penalty stepper.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SmoothSettings {
    /// The law of the normal force.
    pub law: SmoothLaw,
}

impl Default for SmoothSettings {
    fn default() -> Self {
        Self { law: SmoothLaw::SCALED }
    }
}

/// Laws of the normal force of the penalty stepper.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SmoothLaw {
    /// The law of the blog's repository: `s(z) (1 - damping/k vz)` with a `tanh` profile.
    Tanh {
        /// Force scale in N.
        amplitude: f64,
        /// Inverse length scale of the profile in 1/m.
        sharpness: f64,
        /// Damping in s/m.
        damping: f64,
    },
    /// A linear spring and damper, never pulling: the law of Kelvin and Voigt. Its restitution is the same
    /// at every speed.
    KelvinVoigt {
        /// Stiffness in N/m; `None`: `m (0.3/dt)^2`, as stiff as the step resolves.
        stiffness: Option<f64>,
        /// Damping in N s/m; `None`: what gives the scenario's restitution.
        damping: Option<f64>,
    },
    /// Hunt and Crossley's spring and damper in physical units.
    HuntCrossley {
        /// Stiffness in N/m; `None` scales with the weight.
        stiffness: Option<f64>,
        /// Damping factor in s/m; `None` takes the default.
        damping: Option<f64>,
    },
}

impl SmoothLaw {
    /// The law of Kelvin and Voigt with parameters that scale with mass, step and restitution.
    pub const SCALED: Self = Self::KelvinVoigt { stiffness: None, damping: None };

    /// The law of the blog's repository with its own numbers, which fit a point of about 10 kg.
    pub const TANH: Self = Self::Tanh { amplitude: 1500.0, sharpness: 100.0, damping: 0.1 };
}

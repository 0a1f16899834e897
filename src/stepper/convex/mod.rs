//! Compliant contact as a convex program: the primal, unconstrained formulation.
//!
//! The ground is a spring of stiffness `k` with a damper of relaxation time `tau_d`, friction is
//! regularised, and the impulse `gamma` of a step follows from the velocity `v+` at its end:
//!
//! ```text
//! v+ = v_free + gamma/m
//! gamma = P(-R^-1 (v+ - vhat)),   vhat = (0, -z/(dt + tau_d))
//! R_t = sigma w,   R_n = max(beta^2 w/(4 pi^2), 1/(dt k (dt + tau_d)))
//! ```
//!
//! with `P` the projection onto the friction cone in the norm `R` and `w` the mean of the Delassus
//! operator, `1/(m sqrt 2)` for a point in the plane. Where the ground is stiffer than the step can
//! resolve, `R_n` takes its near-rigid value.
//!
//! What is convex is not quite Coulomb's law, and a user should know how it differs:
//!
//! - A resting point sinks in by `(dt + tau_d) R_n m g dt`, which is `m g/k` if not near-rigid.
//! - A sticking point creeps at `sigma w F_t dt`.
//! - A sliding point glides on a layer: `v_n - vhat_n + R_n (1 + mu^2 R_t/R_n) gamma_n = mu |v_t|`,
//!   so that it rides `(dt + tau_d) mu |v_t|` above the depth at which it would rest.
//! - There is no coefficient of restitution: what an impact dissipates follows from `tau_d` and `k`,
//!   and `ground.restitution` is not used.
//! - With `gated = true` contacts act only below the ground. A point that fell in by `phi` within its
//!   step of impact is pushed out again at up to `|phi|/(dt + tau_d)`: take `tau_d` much larger than
//!   `dt`. And as the layer on which it glides lies above the ground, a sliding point touches down
//!   again and again: its friction is Coulomb's in the mean only. With `gated = false` the damper acts
//!   at a distance, up to `(dt + tau_d) |v_n|` above the ground.
//!
//! Two presets, of which single settings depart:
//!
//! - `published`: `k = 1e7 N/m`, `tau_d = 20 ms`, gated, what suits 10 kg in steps of 1 ms. Elsewhere
//!   it is another ground: 1 g on it is rigid and hops, 10 t sinks in by 1 cm.
//! - `scaled`, the default, does what the step allows for any mass, gravity and speed. The ground is as
//!   stiff as the step can tell (`k` infinite, so that `R_n` has its near-rigid value: a period of `beta`
//!   steps), critically damped at that stiffness, `tau_d = 2/omega = beta dt/pi` (Castro, Permenter and
//!   Han, "An unconstrained convex formulation of compliant contact", IEEE Transactions on Robotics
//!   39(2), 2023), and not gated, so that impacts do not pop out and a sliding point glides quietly. All
//!   its lengths are then of the order of the step: the resting depth `(1 + beta/pi) beta^2 g dt^2/(4
//!   pi^2 sqrt 2)`, the layer `(1 + beta/pi) mu |v_t| dt`. Ground that a point starts on already sliding
//!   is softened just as much as keeps the lift from throwing it off (by `mu |v_t| dt (1 + beta/pi)` of
//!   depth at rest), again of the order of the step.

mod answer;
mod bodies;
mod compliance;
mod derivative;
mod dual;
mod point;
mod program;
mod rows;
mod steady;

/// In space `w = |W|_F/3` whatever the setting says.
pub(super) const DELASSUS_NORM: (&str, &str) = (
    "stepper.convex.delassus_norm",
    "a contact in space has three directions, which `w` is always the mean of; in a vertical plane the norm counts two \
     of them or three",
);

pub use bodies::ConvexBodies;
pub(crate) use compliance::Compliance;
pub(super) use dual::info as dual_solver;
pub(super) use rows::ROWS;

//! Contact with friction, of points and rigid bodies, by nonlinear-program time stepping and by every other way to
//! do it.
//!
//! A [`Scenario`](scenario::Scenario) says what moves: bodies over frictional ground, their start, what
//! joins and pushes them, the time grid. A [`Stepper`](stepper::Stepper) is a contact model: it
//! maps the state at `t_k` to the state at `t_{k+1}`. [`simulate`](simulate::simulate) runs one on
//! the other and gives a [`Trajectory`](trajectory::Trajectory), which [`metrics`] measures and
//! [`plot`] draws.
//!
//! ```
//! use stickslip::{
//!     scenario::{Ground, Body, Scenario},
//!     simulate::simulate,
//!     stepper::{BuildStepper, StepperName},
//! };
//!
//! // Thrown forward from 10 cm, the point lands, slides, and ends at x = 0.387 m after 0.5 s.
//! let scenario = Scenario {
//!     duration: 0.5,
//!     bodies: vec![Body::point(10.0, [0.0, 0.1], [1.0, 0.0])],
//!     ground: Ground { friction: 0.1, ..Ground::default() },
//!     ..Scenario::new("thrown")
//! };
//! let mut stepper = scenario.stepper(StepperName::NLP)?;
//! let trajectory = simulate(&scenario, stepper.as_mut());
//! assert!((trajectory.final_state(0).position[0] - 0.38738).abs() < 1e-3);
//! # Ok::<(), stickslip::stepper::Refusal>(())
//! ```
//!
//! # Steppers
//!
//! | name | contact model |
//! |---|---|
//! | `nlp` | relaxed complementarity as a nonlinear program per step, solved by IPOPT or the crate's own interior-point method |
//! | `nlp:seed` | the program of the blog post that started this crate, as published |
//! | `lcp`, `lcp:...` | linear complementarity problems: Stewart-Trinkle, Anitescu, and the forms of the LCP notes |
//! | `cone` | exact Coulomb friction of many contacts by projected Gauss-Seidel |
//! | `convex` | compliant contact as an unconstrained convex problem (SAP) |
//! | `hybrid` | guards and resets |
//! | `smooth` | penalty forces |
//! | `exact` | event-driven closed forms: the truth that the others are measured against |
//!
//! # Layers
//!
//! The mathematics ([`nlp`], [`lcp`], [`convex`]) knows no physics and can be used on its own: write
//! a program once, generic over the number type, and [`nlp::InteriorPoint`] or [`nlp::Ipopt`]
//! solves it with derivatives by dual numbers.
//!
//! [`contact`] is the contact problem of one step and the models that solve it, [`world`] finds where
//! bodies touch, makes that problem and moves the bodies by its solution; neither knows of files.
//! [`model`] and [`scenario`] say what there is and what pushes it. [`stepper`] turns a scenario into a
//! world with a model that solves its steps, or into a closed form; [`simulate`] loops, and
//! [`trajectory`] keeps what happened, from which everything else is measured and drawn.
//!
//! # Features
//!
//! `ipopt` (default): IPOPT, compiled into whatever links the crate. Everything else works without;
//! `nlp` is then solved by the crate's own method. `cli` (default): the command-line program.
//!
//! Units are SI throughout. Coordinates are the ground's own, the height last. The rows of a contact are
//! its own too: in [`contact`] and [`world`] the normal first, then the tangents; in [`convex`], as in the papers on
//! SAP, the tangents first and the normal last.
//!
#![doc = include_str!("../SOURCES.md")]
#![warn(missing_docs)]

/// The program uses the crate as any other program does.
#[cfg(feature = "cli")]
extern crate self as stickslip;

#[cfg(feature = "cli")]
pub mod cli;
pub mod compare;
pub mod explain;
pub mod export;
pub mod fit;
pub mod gradient;
pub mod learn;
pub mod likelihood;
mod measured_table;
pub mod metrics;
#[cfg(feature = "ipopt")]
pub mod plan;
pub mod plot;
pub mod predict;
pub mod prelude;
pub mod provenance;
pub mod report;
pub mod results;
pub mod scenario;
pub mod scorecard;
pub mod serve;
pub mod simulate;
pub mod stepper;
pub mod study;
pub mod sweep;
pub mod trajectory;
mod warnings;

#[doc(inline)]
pub use stickslip_base::{atomic_file, model, random, watch};
#[doc(inline)]
pub use stickslip_contact::{contact, world};
#[doc(inline)]
pub use stickslip_import as import;
#[doc(inline)]
pub use stickslip_solve::{convex, lcp, nlp};

#[cfg(test)]
use stickslip_base::fault;
use stickslip_base::{decimal, json_fault, rows, spelling, wording};

/// The linear algebra of the public interface, so that a contact model of one's own names the same types.
pub use nalgebra;
/// The dual numbers by which [`nlp`] takes derivatives of programs.
pub use num_dual;

/// The Rust of the guide has to compile and run like any other example.
#[cfg(doctest)]
#[doc = include_str!("../docs/embedding.md")]
struct Guide;

//! Solvers that know no physics: nonlinear programs ([`nlp`]), linear complementarity problems ([`lcp`]), and the convex
//! problem of compliant contact ([`convex`]).
//!
//! The crate `stickslip` shows all of it under the same names.
//!
//! # Features
//!
//! `ipopt` (default): IPOPT, compiled into whatever links the crate.

#![warn(missing_docs)]

#[cfg(feature = "ipopt")]
extern crate ipopt_src as _; // links the static library that the backend in `nlp` calls

pub mod convex;
pub mod lcp;
pub mod nlp;

#[cfg(test)]
use stickslip_base::random;
use stickslip_base::{fault, json_fault, rows};

//! Contact with friction, step by step: the contact problem and the models that solve it ([`contact`]), the bodies that
//! pose it and move by its solution ([`world`]). Nothing here knows of files.
//!
//! The crate `stickslip` shows all of it under the same names.
//!
//! # Features
//!
//! `ipopt` (default): the relaxed contact problem as a program that IPOPT solves.

#![warn(missing_docs)]

pub mod contact;
pub mod world;

#[cfg(test)]
use stickslip_base::fault;
use stickslip_base::{json_fault, model, random, rows};
use stickslip_solve::{convex, lcp, nlp};

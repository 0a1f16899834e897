//! What every layer of stickslip speaks: vectors, states and numbers with derivatives ([`model`]), numbers and words as
//! texts, words that were meant, progress, random numbers that a seed fixes, files that are whole or absent.
//!
//! A crate for stickslip's own use; the crate `stickslip` shows what of it is for others.

#![warn(missing_docs)]

pub mod atomic_file;
pub mod decimal;
pub mod fault;
pub mod json_fault;
pub mod model;
pub mod random;
pub mod rows;
pub mod spelling;
pub mod watch;
pub mod wording;

//! Contact problems and the models that solve them.

mod allocation;
mod gauss_seidel;
mod generator;
mod polyhedral;
mod problems;
#[cfg(feature = "ipopt")]
mod relaxed;
mod samples;
mod structured;

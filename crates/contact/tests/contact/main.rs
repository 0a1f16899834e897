//! Contact problems and the models that solve them.

mod allocation;
mod associated;
#[path = "../../../../tests/counting_allocator/mod.rs"]
mod counting_allocator;
mod gauss_seidel;
mod generator;
mod islands;
mod polyhedral;
mod problems;
#[cfg(feature = "ipopt")]
mod relaxed;
mod residuals;
mod samples;
mod structured;

//! Contact problems and the models that solve them.

mod allocation;
mod alternating_directions;
mod associated;
mod bounded_links;
#[path = "../../../../tests/counting_allocator/mod.rs"]
mod counting_allocator;
mod gauss_seidel;
mod generator;
mod islands;
mod polyhedral;
mod polyhedral_stacks;
mod problem_text;
mod problems;
#[cfg(feature = "ipopt")]
mod relaxed;
mod residuals;
mod rods;
mod samples;
mod stacks;
mod structured;

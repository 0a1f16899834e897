//! Linear complementarity problems: what every solver promises.

mod allocation;
mod contact_problems;
#[path = "../../../../tests/counting_allocator/mod.rs"]
mod counting_allocator;
mod json_files;
mod judge;
mod large_problems;
mod mixed_problems;
mod must_survive;
mod random_matrices;
mod residuals;
mod solvers;

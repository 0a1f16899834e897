//! Linear complementarity problems: what every solver promises.

mod allocation;
mod contact_problems;
mod json_files;
mod judge;
mod large_problems;
mod mixed_problems;
mod must_survive;
mod random_matrices;
mod solvers;

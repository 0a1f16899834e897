//! The interior-point method on the program of the contact step: against IPOPT, against the closed
//! form, warm and cold, and on programs that have no solution.

mod allocation;
#[path = "../../../../tests/counting_allocator/mod.rs"]
mod counting_allocator;
mod failures;
mod step_program;
mod steps;

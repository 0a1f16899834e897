//! Nonlinear programs: derivatives, sparsity, factorisation, independent check, and the solver.

mod bunch_kaufman;
mod derivatives;
mod failures;
mod isolation;
mod options;
mod programs;
mod residuals;
mod reuse;
mod solutions;
mod sparse_ldl;
mod sparse_programs;
mod sparsity;
mod stacked_steps;

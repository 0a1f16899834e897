//! Nonlinear programs: derivatives, sparsity, independent check, and the solver.

mod derivatives;
mod programs;
mod residuals;
mod sparsity;

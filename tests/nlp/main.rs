//! Nonlinear programs: derivatives, sparsity, independent check, and the solver.

mod bunch_kaufman;
mod derivatives;
mod programs;
mod residuals;
mod sparsity;

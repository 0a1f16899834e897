//! Contact problems and the models that solve them.

mod gauss_seidel;
mod polyhedral;
mod problems;
mod samples;

//! Contact problems and the models that solve them.

mod gauss_seidel;
mod problems;
mod samples;

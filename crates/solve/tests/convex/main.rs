//! The convex contact problem: projection, derivatives, minimisation and its independent checks.

mod cone;
mod derivatives;
mod dual;
mod isotropic;
mod newton;
mod problems;
mod residuals;
mod sparse;

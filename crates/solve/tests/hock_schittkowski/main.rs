//! The collection of Hock and Schittkowski: first the data, then the solvers on it.

mod collection;
mod data;
mod solvers;

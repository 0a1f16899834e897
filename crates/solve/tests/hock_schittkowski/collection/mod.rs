//! The test problems of W. Hock and K. Schittkowski, *Test Examples for Nonlinear Programming
//! Codes*, Lecture Notes in Economics and Mathematical Systems 187, Springer 1981.
//!
//! Every problem is an [`Nlp`] with the start point of the book and an optimum: the book's, with
//! the digits of K. Schittkowski's later validation (*An Updated Set of 306 Test Problems for
//! Nonlinear Programming with Validated Optimal Solutions*, University of Bayreuth 2010) where the
//! book prints fewer. A comment says where they differ from the book.
//!
//! Of the numbers 1 to 119 these are absent: 82, 94 and 115 (the book has none), 58 (the later
//! collections disagree on its bounds), 67 (fixed-point loops inside the functions), 68 and 69
//! (normal distribution function), 87 (discontinuous objective), 88 to 92 (one optimal-control
//! problem five times, with an infinite series cut off).
//!
//! Indices start at 0 here and at 1 in the book.

#[macro_use]
mod problem;
mod numbers_001_to_024;
mod numbers_025_to_050;
mod numbers_051_to_066;
mod numbers_070_to_079;
mod numbers_080_to_099;
mod numbers_100_to_109;
mod numbers_110_to_119;

pub use problem::{Problem, Visitor};

/// Shows every problem to `visitor`, in the order of the book.
pub fn visit_all(visitor: &mut impl Visitor) {
    numbers_001_to_024::visit(visitor);
    numbers_025_to_050::visit(visitor);
    numbers_051_to_066::visit(visitor);
    numbers_070_to_079::visit(visitor);
    numbers_080_to_099::visit(visitor);
    numbers_100_to_109::visit(visitor);
    numbers_110_to_119::visit(visitor);
}

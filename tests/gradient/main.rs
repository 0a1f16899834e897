//! Gradients of whole runs: against closed forms, against differences, against each other, and the
//! truth about which of them are wrong.

mod bodies;
mod exact;
mod over_plane;
mod random;
mod scorecard;
mod steppers;
mod support;

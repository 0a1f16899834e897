//! Gradients of whole runs: against closed forms, against differences, against each other, and the
//! truth about which of them are wrong.

#[path = "../counting_allocator/mod.rs"]
mod counting_allocator;

mod after_event;
mod bodies;
mod exact;
mod flags;
mod friction_laws;
mod grouped_friction;
mod held_impacts;
mod joints;
mod memory;
mod on_a_kink;
mod over_plane;
mod own_steps;
mod random;
mod scorecard;
mod sharing;
mod steppers;
mod study;
mod support;

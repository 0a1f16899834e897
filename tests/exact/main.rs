//! The event-driven stepper is the truth that the others are measured against; here it is measured
//! against closed forms, against itself and against the rigid closed-form step.

mod balls;
mod bouncing;
mod convergence;
mod derivatives;
mod events;
mod far;
mod friction_laws;
mod invariants;
mod loads;
mod meetings;
mod plane;
mod pushes;
mod random;
mod support;
mod thrown;
mod walls;

//! Rigid bodies in space: shapes, contact finding, steps, and what is known of their motion.

mod agreement;
mod data;
mod finding;
mod flight;
mod joints;
mod polyhedra;
mod recorded_throws;
mod rocking;
mod scenes;
mod shapes;
mod sliding;
mod spin_in_impacts;
mod stepping;
mod tipping;

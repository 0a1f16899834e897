//! Rigid bodies in the plane: shapes, contact finding, steps, and what is known of their motion.

mod campaign;
mod cases;
mod compliant;
mod convergence;
mod data;
mod detector;
mod exact;
mod finding;
mod joints;
mod penetration;
mod restitution;
mod shapes;
mod static_friction;
mod stepping;
mod steps;
mod thrown;
mod trajectories;

//! Scenarios of many bodies, by every model that moves them.

#[path = "../counting_allocator/mod.rs"]
mod counting_allocator;
mod detection;
mod large_scenes;
mod links;
mod measures;
mod own_model;
mod particles;
mod scenes;
mod solvers;
mod thin;

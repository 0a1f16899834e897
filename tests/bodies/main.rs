//! Scenarios of many bodies, by every model that moves them.

mod alike;
mod blows;
mod bounded_links;
#[path = "../counting_allocator/mod.rs"]
mod counting_allocator;
mod detection;
mod driven;
mod impacts;
mod joints;
mod large_scenes;
mod links;
mod measures;
mod mechanisms;
mod own_model;
mod particles;
mod scenes;
mod solvers;
mod thin;
mod touching;

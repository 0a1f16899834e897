//! Scenarios of many bodies, by every model that moves them.

mod detection;
mod measures;
mod own_model;
mod particles;
mod scenes;
mod solvers;

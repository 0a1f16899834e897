//! Scenarios of many bodies, by every model that moves them.

mod particles;
mod scenes;

//! Impacts in which bodies turn, several contacts take part, or both.

mod energy;
mod finely;
mod laws;
mod pivots;
mod random_scenes;
mod rods;
mod rows_of_balls;
mod scenes;
mod single_in_space;

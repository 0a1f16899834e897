//! What is learned from data, by experiment.

mod direct;
mod slack;
mod support;

//! What is learned from data, by experiment.

mod direct;
mod explore;
mod slack;
mod support;

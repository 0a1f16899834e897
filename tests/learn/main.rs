//! What is learned from data, by experiment, with the figures that each is to reach.

mod bilevel;
mod block_data;
mod break_away;
mod coverage;
mod direct;
mod files;
mod fitted_cubes;
mod fitted_throws;
mod linear_program;
mod misfit;
mod mpcc;
mod noise;
mod particle;
mod point_data;
mod requests;
mod slack;
mod soft_bilevel;
mod sticking_cost;
mod structured;
mod support;
mod traditional;
mod verdicts;

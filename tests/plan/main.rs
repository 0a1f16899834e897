//! Plans: the files that ask for them, the program, and what is found.
#![cfg(feature = "ipopt")]

mod aim;
mod certificate;
mod derivatives;
mod faults;
mod files;
mod halving;
mod known_optima;
#[path = "../meaningful_pieces/mod.rs"]
mod meaningful_pieces;
mod push_box;
mod replay;
mod start_from;
mod starts;
mod support;
mod worst_row;

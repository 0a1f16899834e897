//! Plans: the files that ask for them, the program, and what is found.
#![cfg(feature = "ipopt")]

mod aim;
mod certificate;
mod derivatives;
mod files;
mod halving;
mod known_optima;
mod push_box;
mod replay;
mod support;

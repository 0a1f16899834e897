//! The scorecard: every truth by a second way, every threshold able to fail; and scenes for other programs.

mod catalogue;
mod command;
mod export;
mod failing;
mod second_ways;
mod statics;

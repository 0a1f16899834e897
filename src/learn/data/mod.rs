//! Data sets: steps of a sliding block and throws of a point, generated or read from CSV.

mod block;
mod block_csv;
mod block_unit;
mod evenly_measured;
mod point;

pub use crate::{
    measured_table::{DataFault, InvalidData},
    random::Random,
};
pub use block::{BlockGenerator, BlockSample, Selection};
pub use block_csv::{read_block_csv, write_block_csv};
pub(super) use block_unit::unit;
pub(super) use evenly_measured::evenly_measured;
pub use point::PointGenerator;

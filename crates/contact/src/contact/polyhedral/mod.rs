//! Contact with polyhedral friction as a linear complementarity problem.

mod anitescu;
mod basis;
mod interior_point;
mod linear;
mod modes;
mod polygon;
mod program;
mod proximal;
mod pyramid;
mod stewart_trinkle;

pub use anitescu::Anitescu;
pub use polygon::FrictionPolygon;
pub use stewart_trinkle::{StewartTrinkle, StewartTrinkleSettings};

pub(super) use program::PolyhedralProgram;

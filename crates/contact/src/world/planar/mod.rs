//! Rigid bodies in a vertical plane: convex polygons, rods, discs, and bodies of several of them, over planes and on
//! each other.
//!
//! A pose is `(x, z, theta)`, theta counter-clockwise (from x towards z); a velocity `(vx, vz,
//! omega)`. A point at the arm `r` from the centre of mass moves at `(vx - omega r_z, vz + omega
//! r_x)`. A contact has a unit normal `n` from its second partner into its first and the tangent `t =
//! (n_z, -n_x)`; its row along a direction `d` is `(d_x, d_z, r_x d_z - r_z d_x)`.

mod body;
mod compound;
mod disc_contact;
mod outline;
mod polygon_contact;
mod pose;
mod shape;

pub use body::Body;
pub use compound::{Compound, Member, Part};
pub use pose::{Pose, Twist};
pub use shape::{Polygon, Shape, ShapeError};

/// Planar bodies over a ground, between walls, and on each other.
pub type Scene = super::Scene<Body, 2>;

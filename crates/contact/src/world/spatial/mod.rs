//! Rigid bodies in space: boxes, spheres, capsules, cylinders, convex polyhedra, and bodies of several of them, over planes and on
//! each other.
//!
//! A pose is a position and a unit quaternion `Q` from body to world; a velocity `(v, w)` holds that of
//! the centre of mass in the axes of the world and the spin in the axes of the body. A point at the arm
//! `r`, in the axes of the world, moves at `v + (Q w) x r`. Without contacts the angular momentum stays
//! where it is, by the implicit midpoint ([`FreeRotation`]), whose mean spin `w_m` is the free velocity of a step. Contacts,
//! joints and pushes add `dw` to it in the axes at the start, the body turns by `exp(dt (w_m + dw))`, and its angular
//! momentum in the world changes by `Q I dw`: the spin at the end is `I^-1 Q+' Q I (w + dw)`.

mod body;
mod capsule;
mod capsule_contact;
mod compound;
mod cylinder;
mod cylinder_contact;
mod cylinder_hull;
mod cylinder_pair;
mod edge_contact;
mod face_contact;
mod facing_faces;
mod hull;
mod outline;
mod placed_cylinder;
mod polyhedron;
mod pose;
mod rotation;
mod shape;
mod sphere_contact;

pub use body::Body;
pub use capsule::Capsule;
pub use compound::{Compound, Member, Part};
pub use cylinder::Cylinder;
pub use outline::Outline;
pub use polyhedron::{Edge, Face, Polyhedron};
pub use pose::{Pose, Twist};
pub use rotation::FreeRotation;
pub use shape::{Shape, ShapeError};

/// Bodies in space over a ground, between walls, and on each other.
pub type Scene = super::Scene<Body, 3>;

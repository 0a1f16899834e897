//! What is drawn of a scenario: bodies as they are, ground and walls, rods and springs, contact forces.

mod cast;
mod contacts;
mod floor;
mod links;
mod outline;
mod poses;
mod stage;
mod view;
mod walls;

pub(super) use cast::{Cast, casts};
pub(super) use contacts::{FORCE_COLOUR, forces_of_steps, load_of};
pub(super) use floor::floor;
pub(super) use links::{Links, links};
pub use outline::{Face, outline};
use poses::room;
pub(super) use poses::{Look, pose, reach, turn};
pub(super) use stage::{has_outlines, instants, solids};
pub use view::View;
pub(super) use view::views;
pub(super) use walls::walls;

//! Plans: pushes and starts that bring bodies to a goal, through contact.
//!
//! The step of the simulator, stacked in time with the contact sequence free, is a nonlinear program with complementarity
//! constraints (contact-implicit trajectory optimisation: Posa, Cantu and Tedrake 2014). Its steps are [`StepRows`], with
//! exact derivatives by dual numbers in one block per step; [`Program`] stacks them for IPOPT. It is solved by Scholtes'
//! homotopy and by direct solves from several starts ([`relaxation`]), with few steps, which are then halved ([`search()`]), each
//! from the motion that the simulator makes of the pushes ([`roll_out()`]). What comes out is played by the program's own steppers
//! ([`replay()`]), at whose word it stands or falls.

mod aim;
mod block;
mod branch;
mod branch_descent;
mod candidates;
mod certificate;
mod files;
mod found;
mod given_start;
mod meeting;
mod nearest;
pub mod picture;
mod program;
mod proof;
mod pushed;
pub mod read;
pub mod relaxation;
mod replay;
mod roll_out;
mod search;
mod starts;
mod state;
mod step_rows;
mod stretch;
mod summary;
mod task;
mod units;
mod work;
mod worst_row;

pub use aim::Aimed;
pub use branch::{Branch, Mode};
pub use branch_descent::{Polished, polish};
pub use candidates::{Candidate, Geometry};
pub use certificate::{Certificate, Verdict};
pub use files::{push_names, write_plan, write_pushes, write_refinements, write_replays, write_starts};
pub use found::{FoundPlan, PlannedContact};
pub use given_start::{GivenPushes, PushWindow, given_start};
pub use picture::played;
pub use program::{GoalRow, Program, Slot, Sought};
pub use proof::{CLOSE, Proof};
pub use read::{parse_plan, read_plan, read_plan_from};
pub use replay::{Played, Replay, replay};
pub use roll_out::roll_out;
pub use search::{Found, Refinement, Search, amount, levels, search};
pub use starts::{perturbed, straight};
pub use step_rows::{Given, Layout, StepRows, Way};
pub use summary::{key, plan_summary};
pub use task::{AimedModel, COMPONENTS, Control, Cost, Goal, Interval, Keep, PlanTask};
pub use units::Units;
pub use work::Work;
pub use worst_row::WorstRow;

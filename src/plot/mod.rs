//! Pictures of trajectories: time histories, paths, comparisons, animations.
//!
//! Every picture is a [`Figure`] of [`Panel`]s with axes and curves, under one title and one
//! legend that lies outside the panels. A figure is drawn on any plotters backend, or written as
//! SVG, PNG or PDF through the backends here, which need no font and no other thing installed; what it
//! shows is written as CSV.

mod animation;
mod area;
mod arrow;
mod axis;
mod backend;
mod canvas;
mod coincide;
mod colour_map;
mod comparison;
mod dash;
mod data;
mod decimate;
mod draw;
mod energy;
mod error;
mod figure;
mod floor;
mod font;
mod force;
mod force_range;
mod friction_cone;
mod geometry;
mod heat_map;
mod history;
mod impact;
mod impulse_plane;
mod layout;
mod markup;
mod matrix;
mod modes;
mod panel_layout;
mod path;
mod phase;
mod print;
mod ruler;
mod scale;
mod scene;
mod series;
mod signal;
mod solid;
mod text;
mod theme;
mod ticks;
mod write;

pub use animation::animation;
pub use area::Area;
pub use arrow::Arrow;
pub use axis::Axis;
pub use colour_map::colour_of_share;
pub use comparison::{Convergence, bars, convergence, error_history};
pub use energy::{energy, energy_overlay};
pub use error::PlotError;
pub use figure::{Bar, Cell, Curve, Figure, Panel, Spike};
pub use floor::Floor;
pub use force::{force_closeup, force_range};
pub use friction_cone::{friction_cone, friction_cone_overlay};
pub use geometry::{Point, Rect};
pub use heat_map::{Ladder, heat_map, key_of_colours};
pub use history::{history, history_overlay};
pub use impulse_plane::impulse_plane;
pub use layout::Layout;
pub(crate) use markup::plain;
pub use matrix::{Field, Filling, Matrix, MatrixGroup};
pub use modes::{contact_modes, contact_modes_overlay};
pub use panel_layout::PanelLayout;
pub use path::{path, path_overlay};
pub use phase::{phase_portrait, phase_portrait_overlay};
pub use print::PrintSize;
pub use ruler::Ruler;
pub use scale::Scale;
pub use scene::{Face, View, outline};
pub use series::Series;
pub use solid::{Solid, SolidSurface};
pub use text::{Text, TextRole};
pub(crate) use theme::hexadecimal;
pub use theme::{Colour, Dash, Marker, Style, palette};
pub use ticks::Tick;

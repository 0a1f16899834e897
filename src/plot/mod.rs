//! Pictures of trajectories: time histories, paths, comparisons, animations.
//!
//! Every picture is a [`Figure`] of [`Panel`]s with axes and curves, under one title and one
//! legend that lies outside the panels. A figure is drawn on any plotters backend, or written as
//! SVG or PNG through the two backends here, which need no font and no other thing installed.

mod animation;
mod axis;
mod backend;
mod canvas;
mod comparison;
mod dash;
mod decimate;
mod draw;
mod error;
mod figure;
mod font;
mod force;
mod force_range;
mod geometry;
mod history;
mod impact;
mod layout;
mod markup;
mod path;
mod ruler;
mod series;
mod signal;
mod text;
mod theme;
mod ticks;
mod write;

pub use animation::animation;
pub use axis::{Axis, Scale};
pub use comparison::{Convergence, bars, convergence, error_history};
pub use error::PlotError;
pub use figure::{Bar, Curve, Figure, Panel, Spike};
pub use force::force_closeup;
pub use geometry::{Point, Rect};
pub use history::{history, history_overlay};
pub use layout::{Layout, PanelLayout};
pub use path::{path, path_overlay};
pub use ruler::Ruler;
pub use series::Series;
pub use text::{Text, TextRole};
pub use theme::{Colour, Dash, Marker, Style, palette};
pub use ticks::Tick;

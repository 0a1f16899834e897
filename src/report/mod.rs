//! Pages of HTML that answer back: one file with everything in it, which opens from disk.
//!
//! A [`Page`] grows from top to bottom: sections, paragraphs, tables, pictures. Two things of it are alive:
//! [`Page::motion`] shows the [`Motion`] of a scenario by several steppers, and [`Page::figure`] any
//! [`Figure`](crate::plot::Figure) that is made of curves, with zoom, a legend that toggles, and export. Where
//! scripts are off, and in print, the pictures that were given stand in for them.
//!
//! ```
//! use stickslip::{
//!     plot::{Axis, Figure, Panel, Style, palette},
//!     report::Page,
//! };
//!
//! let mut page = Page::new("A throw", "How far a thrown point flies.");
//! page.section("Height");
//! let panel = Panel::new(Axis::time(), Axis::new("*z*", "m"))
//!     .curve("thrown", vec![[0.0, 1.0], [0.2, 0.8], [0.4, 0.2]], Style::line(palette::BLUE));
//! let figure = Figure { panels: vec![panel], ..Figure::new("A throw") };
//! page.figure("Height over time.", &figure)?;
//! let html = page.finish();
//! assert!(html.contains("Height over time."));
//! # Ok::<(), stickslip::plot::PlotError>(())
//! ```

mod asset;
mod chart;
mod grid;
mod motion;
mod number;
mod page;
mod scene;
mod throw;

pub(crate) use asset::{PROGRAM, STYLE};
pub use motion::Motion;
pub use page::{Page, Picture};

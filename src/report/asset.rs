//! What every page has in it: its style and its program, which draws charts with uPlot.

/// Style of the page and of its charts.
pub(crate) const STYLE: &str = concat!(
    include_str!("assets/report.css"),
    include_str!("assets/interactive.css"),
    include_str!("assets/uplot.min.css"),
    "\n"
);

/// The program: uPlot, then our own parts in the order in which they need one another.
pub(crate) const PROGRAM: &str = concat!(
    "/*\n",
    include_str!("assets/LICENSE-uPlot.txt"),
    "*/\n",
    include_str!("assets/uplot.min.js"),
    include_str!("assets/pen.js"),
    include_str!("assets/chart.js"),
    include_str!("assets/export.js"),
    include_str!("assets/curves.js"),
    include_str!("assets/camera.js"),
    include_str!("assets/solid.js"),
    include_str!("assets/scene.js"),
    include_str!("assets/tabs.js"),
    include_str!("assets/motion.js"),
    include_str!("assets/live.js"),
    include_str!("assets/start.js"),
);

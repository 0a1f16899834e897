//! The curves of a picture as the page's own charts take them.

use serde::Serialize;

use super::number::Column;
use crate::plot::{Axis, Curve, Figure, Panel, Scale, hexadecimal, plain};

/// Significant digits of the points.
const DIGITS: i32 = 6;

/// A picture as data.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Chart {
    title: String,
    panels: Vec<ChartPanel>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct ChartPanel {
    x: ChartAxis,
    y: ChartAxis,
    /// Height over width of a picture 400 wide.
    height: f64,
    /// Whether a unit is as long upwards as sideways.
    equal: bool,
    curves: Vec<ChartCurve>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct ChartAxis {
    label: String,
    log: bool,
    range: Option<(f64, f64)>,
    names: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct ChartCurve {
    label: String,
    colour: String,
    width: f64,
    dash: Vec<f64>,
    markers: bool,
    x: Column,
    y: Column,
}

impl Chart {
    /// The data of a picture that is made of curves; `None` for one that has anything else to show.
    pub fn of(figure: &Figure) -> Option<Self> {
        let is_of_curves = |panel: &Panel| {
            let others = panel.bars.len() + panel.cells.len() + panel.solids.len() + panel.areas.len();
            others == 0 && !panel.curves.is_empty()
        };
        if !figure.panels.iter().all(is_of_curves) {
            return None;
        }
        Some(Self { title: plain(&figure.title), panels: figure.panels.iter().map(ChartPanel::of).collect() })
    }
}

impl ChartPanel {
    fn of(panel: &Panel) -> Self {
        Self {
            x: ChartAxis::of(&panel.x),
            y: ChartAxis::of(&panel.y),
            height: panel.height,
            equal: panel.true_to_scale,
            curves: panel.curves.iter().map(ChartCurve::of).collect(),
        }
    }
}

impl ChartAxis {
    fn of(axis: &Axis) -> Self {
        let unit = if axis.unit.is_empty() { String::new() } else { format!(" ({})", plain(&axis.unit)) };
        Self {
            label: plain(&axis.label) + &unit,
            log: axis.scale == Scale::Log,
            range: axis.range,
            names: axis.names.iter().map(|name| plain(name)).collect(),
        }
    }
}

impl ChartCurve {
    fn of(curve: &Curve) -> Self {
        let column = |part: usize| Column {
            values: curve.points.iter().map(|point| point[part]).collect(),
            digits: DIGITS,
        };
        Self {
            label: plain(&curve.label),
            colour: hexadecimal(curve.style.colour),
            width: curve.style.width,
            dash: curve.style.dash.to_vec(),
            markers: curve.style.marker.is_some(),
            x: column(0),
            y: column(1),
        }
    }
}

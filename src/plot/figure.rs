//! What a picture shows, independent of how and where it is drawn.

use super::{
    area::Area,
    arrow::Arrow,
    axis::Axis,
    floor::Floor,
    geometry::Point,
    print::PrintSize,
    solid::Solid,
    theme::{Colour, Style},
};

/// A picture: panels on top of each other under one title and one legend.
///
/// The legend is made of the labels of outlines, curves, arrows and spikes, each label once.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Figure {
    /// One line over everything.
    pub title: String,
    /// Whether the title is left out of the picture; files carry it all the same, for readers that do not see them.
    pub hides_title: bool,
    /// A line under the title, in smaller type; nothing if empty.
    pub caption: String,
    /// From top to bottom.
    pub panels: Vec<Panel>,
    /// Whether all panels have the x axis of the last one, which alone is labelled.
    pub shared_x: bool,
    /// Names that the legend has in this order, whichever of them is drawn first.
    pub names: Vec<String>,
    /// How large it is in print.
    pub print: PrintSize,
}

/// A pair of axes and what is drawn between them.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// Height of the frame, in units of a picture 400 wide; in a wider one it is a little higher.
    pub height: f64,
    /// Whether a metre is as long upwards as sideways. The height then follows from the data, with
    /// `height` as the largest; data that would not be seen that way are drawn to fit.
    pub true_to_scale: bool,
    /// Points to show in any case.
    pub include: Vec<Point>,
    /// Coloured rectangles, under everything else.
    pub cells: Vec<Cell>,
    /// Ground and walls, under everything but those.
    pub solids: Vec<Solid>,
    /// The ground of an oblique view, under everything too.
    pub floor: Floor,
    /// Lines under the outlines: springs.
    pub behind: Vec<Curve>,
    /// Outlines of bodies, the first one undermost.
    pub areas: Vec<Area>,
    /// Forces, over everything.
    pub arrows: Vec<Arrow>,
    /// Lines and markers over the outlines, the first one undermost.
    pub curves: Vec<Curve>,
    /// Values beyond the range, marked at the edge of the frame.
    pub spikes: Vec<Spike>,
    /// Bars.
    pub bars: Vec<Bar>,
    /// What stands in the panel if there is nothing to show.
    pub empty_note: String,
}

/// A rectangle of the data, filled with a colour: one field of a map.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cell {
    /// From where to where along the horizontal axis.
    pub x: (f64, f64),
    /// From where to where along the vertical axis.
    pub y: (f64, f64),
    /// Its colour.
    pub colour: Colour,
    /// The two coordinates and the value that it stands for; none in a key of colours.
    pub datum: Option<[f64; 3]>,
}

/// A line through points, markers at points, or both.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// What the legend says; nothing if empty.
    pub label: String,
    /// The points; one that is not finite leaves a gap.
    pub points: Vec<Point>,
    /// How it is drawn.
    pub style: Style,
}

/// A value far beyond the range of the vertical axis: an arrowhead at the edge of the frame with
/// the value beside it, where there is room.
#[derive(Debug, Clone, PartialEq)]
pub struct Spike {
    /// Where, along the horizontal axis.
    pub x: f64,
    /// The value that is out of range; its sign says at which edge, and the largest get their
    /// labels first.
    pub value: f64,
    /// What stands beside the arrowhead; nothing if empty.
    pub note: String,
    /// What the legend says; nothing if empty.
    pub label: String,
    /// Colour of the arrowhead.
    pub colour: Colour,
}

/// A bar from the edge of the frame (or from zero) to a value.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    /// Place along the vertical axis, on which bars lie; bars are 0.7 high.
    pub place: f64,
    /// Value along the horizontal axis.
    pub value: f64,
    /// Colour of the bar.
    pub colour: Colour,
}

impl Figure {
    /// A picture without panels.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    /// Adds a remark to the caption; nothing if it is empty.
    #[must_use]
    pub fn remark(mut self, remark: &str) -> Self {
        if !(self.caption.is_empty() || remark.is_empty()) {
            self.caption += "; ";
        }
        self.caption += remark;
        self
    }

    /// The entries of the legend, each label once, in the order of appearance but for the names, which keep theirs.
    pub(super) fn legend(&self) -> Vec<LegendEntry<'_>> {
        let mut entries: Vec<LegendEntry<'_>> = Vec::new();
        let areas = self.panels.iter().flat_map(|panel| &panel.areas);
        let areas = areas.map(|area| (area.label.as_str(), Sample::Area(area.fill, area.outline)));
        let arrows = self.panels.iter().flat_map(|panel| &panel.arrows);
        let arrows = arrows.map(|arrow| (arrow.label.as_str(), Sample::Arrow(arrow.colour)));
        let curves = self.panels.iter().flat_map(|panel| &panel.curves);
        let curves = curves.map(|curve| (curve.label.as_str(), Sample::Curve(curve.style)));
        let spikes = self.panels.iter().flat_map(|panel| &panel.spikes);
        let spikes = spikes.map(|spike| (spike.label.as_str(), Sample::Spike(spike.colour)));
        for (label, sample) in areas.chain(curves).chain(arrows).chain(spikes) {
            if !label.is_empty() && entries.iter().all(|entry| entry.label != label) {
                entries.push(LegendEntry { label, sample });
            }
        }
        let place = |entry: &LegendEntry<'_>| self.names.iter().position(|name| name == entry.label);
        let mut named: Vec<LegendEntry<'_>> =
            entries.iter().copied().filter(|entry| place(entry).is_some()).collect();
        named.sort_by_key(place);
        let slots = entries.iter_mut().filter(|entry| place(entry).is_some());
        slots.zip(named).for_each(|(slot, entry)| *slot = entry);
        entries
    }
}

/// A line of the legend.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct LegendEntry<'a> {
    pub label: &'a str,
    pub sample: Sample,
}

/// What stands before the label of a legend.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Sample {
    Curve(Style),
    Area(Option<Colour>, Style),
    Arrow(Colour),
    Spike(Colour),
}

impl Panel {
    /// An empty panel of a height that suits a picture with one panel.
    pub fn new(x: Axis, y: Axis) -> Self {
        Self {
            x,
            y,
            height: 220.0,
            true_to_scale: false,
            include: Vec::new(),
            cells: Vec::new(),
            solids: Vec::new(),
            floor: Floor::default(),
            behind: Vec::new(),
            areas: Vec::new(),
            arrows: Vec::new(),
            curves: Vec::new(),
            spikes: Vec::new(),
            bars: Vec::new(),
            empty_note: "nothing to show".to_owned(),
        }
    }

    /// Adds a curve.
    #[must_use]
    pub fn curve(mut self, label: impl Into<String>, points: Vec<Point>, style: Style) -> Self {
        self.curves.push(Curve { label: label.into(), points, style });
        self
    }

    /// Sets the height of the frame.
    #[must_use]
    pub fn height(mut self, height: f64) -> Self {
        self.height = height;
        self
    }

    /// The points that are to be seen: those of cells, outlines, curves and bars, and others that were named.
    pub(super) fn points(&self) -> impl Iterator<Item = Point> {
        let cells = self.cells.iter().flat_map(|cell| [[cell.x.0, cell.y.0], [cell.x.1, cell.y.1]]);
        let curves = self.behind.iter().chain(&self.curves).flat_map(|curve| curve.points.iter().copied());
        let bars = self.bars.iter().map(|bar| [bar.value, bar.place]);
        let areas = self.areas.iter().flat_map(|area| area.corners.iter().copied());
        let notes = self.floor.notes.iter().map(|(at, _)| *at);
        let floor = self.floor.corners.iter().chain(self.floor.scale.as_flattened()).copied();
        let others = self.include.iter().copied().chain(floor).chain(notes);
        cells
            .chain(areas)
            .chain(curves)
            .chain(bars)
            .chain(others)
            .filter(|&[x, y]| self.x.admits(x) && self.y.admits(y))
    }
}

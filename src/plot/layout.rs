//! Where everything in a picture is: frames, rulers, texts and the legend.

use super::{
    axis::{Axis, Ruler},
    figure::{Figure, LegendEntry, Panel, Sample},
    geometry::{Point, Rect},
    markup,
    text::{Text, TextRole},
    theme::{Colour, INK, LABEL_SIZE, NOTE_SIZE, TICK_SIZE, TITLE_SIZE, WIDTH},
};

/// Free space at the edge of a picture.
const MARGIN: f64 = 7.0;
/// Between panels that share their x axis.
const SHARED_GAP: f64 = 9.0;
/// Between a panel's labels and the panel below.
const PANEL_GAP: f64 = 8.0;
/// Between a frame and its tick labels.
const TICK_GAP: f64 = 4.0;
/// Between tick labels and the heading of the axis.
const HEADING_GAP: f64 = 5.0;
/// Length of a sample of a line in the legend.
const SAMPLE_WIDTH: f64 = 26.0;
/// Between a sample and its label, and between entries.
const SAMPLE_GAP: f64 = 5.0;
const ENTRY_GAP: f64 = 13.0;
/// Height of a row of the legend.
const LEGEND_ROW: f64 = 14.0;
/// Length of the arrowhead of a spike, and of the space between it and its note.
pub(super) const SPIKE_LENGTH: f64 = 6.0;
const SPIKE_GAP: f64 = 4.5;
/// Aspect ratios of data that are drawn true to scale.
const TRUE_ASPECTS: std::ops::RangeInclusive<f64> = 0.04..=8.0;
const SMALLEST_HEIGHT: f64 = 70.0;

/// Where everything in a picture is.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// Width of the picture.
    pub width: f64,
    /// Height of the picture.
    pub height: f64,
    /// The panels, in the order of the figure.
    pub panels: Vec<PanelLayout>,
    /// The box around the legend, if there is one.
    pub legend: Option<Rect>,
    /// Every text with its place.
    pub texts: Vec<Text>,
    /// Where the samples of the legend's entries are.
    pub(super) samples: Vec<(Rect, Sample)>,
    /// Left end of the baseline of the caption.
    pub(super) caption: Point,
}

/// The frame and the axes of a panel.
#[derive(Debug, Clone, PartialEq)]
pub struct PanelLayout {
    /// The frame around the data.
    pub frame: Rect,
    /// The horizontal axis.
    pub x: Ruler,
    /// The vertical axis.
    pub y: Ruler,
}

impl PanelLayout {
    /// Where a point of the data lies in the picture; not a number where it has no place.
    pub fn place(&self, [x, y]: Point) -> Point {
        [
            self.frame.left + self.x.fraction(x) * self.frame.width(),
            self.frame.bottom - self.y.fraction(y) * self.frame.height(),
        ]
    }
}

impl Figure {
    /// Decides where everything is.
    pub fn layout(&self) -> Layout {
        let mut layout = Layout {
            width: WIDTH,
            height: 0.0,
            panels: Vec::with_capacity(self.panels.len()),
            legend: None,
            texts: Vec::new(),
            samples: Vec::new(),
            caption: [MARGIN, 0.0],
        };
        let mut top = layout.set_head(self);
        top = layout.set_legend(&self.legend(), top);
        layout.set_panels(self, top);
        layout
    }

    /// The horizontal axis of panel `index`.
    fn x_axis(&self, index: usize) -> &Axis {
        let own = &self.panels[index];
        &self.panels.last().filter(|_| self.shared_x).unwrap_or(own).x
    }

    /// Ranges of the horizontal axes of all panels with frames of a given width.
    fn x_ranges(&self, y_ranges: &[(f64, f64)], width: f64) -> Vec<(f64, f64)> {
        let own = |index: usize| {
            let panels = if self.shared_x { &self.panels[..] } else { &self.panels[index..=index] };
            self.x_axis(index).fit(panels.iter().flat_map(Panel::points).map(|[x, _]| x))
        };
        let ranges: Vec<_> = (0..self.panels.len()).map(own).collect();
        if !self.shared_x {
            return ranges;
        }
        // True scale may widen the range of one panel, and with it that of all.
        let panels = self.panels.iter().zip(ranges.iter().zip(y_ranges));
        let widened = panels.map(|(panel, (&x, &y))| panel.proportions(width, x, y).1);
        let union = widened.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        vec![union.unwrap_or((0.0, 1.0)); ranges.len()]
    }

    /// How far the last label of a horizontal axis may reach beyond the frame.
    fn overhang(&self, width: f64) -> f64 {
        let y_ranges: Vec<_> = self.panels.iter().map(Panel::fit_y).collect();
        let ranges = self.x_ranges(&y_ranges, width);
        let reach = ranges.iter().enumerate().flat_map(|(index, &range)| {
            let ruler = spaced_ruler(self.x_axis(index), range, width);
            let place = |at| (1.0 - ruler.fraction(at)) * width;
            let labels = ruler.ticks.iter().filter_map(|tick| Some((place(tick.at), tick.label.as_ref()?)));
            labels.map(|(free, label)| 0.5 * markup::set(label).width * TICK_SIZE - free).collect::<Vec<_>>()
        });
        (reach.fold(0.0, f64::max) - 0.5 * MARGIN).max(0.0) + 2.0
    }
}

impl Layout {
    /// Title and caption; gives the height used.
    fn set_head(&mut self, figure: &Figure) -> f64 {
        let mut top = MARGIN;
        for (text, size, role) in
            [(&figure.title, TITLE_SIZE, TextRole::Title), (&figure.caption, NOTE_SIZE, TextRole::Caption)]
        {
            if text.is_empty() {
                continue;
            }
            let baseline = top + 0.8 * size;
            let text = Text::new(text, size, role).fit_into(WIDTH - 2.0 * MARGIN);
            if role == TextRole::Caption {
                self.caption = [MARGIN, baseline];
            }
            self.texts.push(text.centred_at([0.5 * WIDTH, baseline]));
            top += 1.35 * size;
        }
        top
    }

    /// The legend, in rows under the title; gives where it ends.
    fn set_legend(&mut self, entries: &[LegendEntry<'_>], top: f64) -> f64 {
        let room = WIDTH - 2.0 * MARGIN;
        let offset = SAMPLE_WIDTH + SAMPLE_GAP;
        let label = |entry: &LegendEntry<'_>| {
            Text::new(entry.label, NOTE_SIZE, TextRole::Legend).fit_into(room - offset)
        };
        let Some(widest) = entries.iter().map(|entry| label(entry).width()).reduce(f64::max) else {
            return top + 4.0;
        };
        let row: f64 = entries.iter().map(|entry| offset + label(entry).width() + ENTRY_GAP).sum();
        if row - ENTRY_GAP <= room {
            let left = 0.5 * (WIDTH - row + ENTRY_GAP);
            let mut x = left;
            for entry in entries {
                x += self.set_entry(entry, label(entry), [x, top + 0.5 * LEGEND_ROW]) + ENTRY_GAP;
            }
            self.legend = Some(Rect { left, right: x - ENTRY_GAP, top, bottom: top + LEGEND_ROW });
            return top + LEGEND_ROW + 6.0;
        }
        let pitch = offset + widest + ENTRY_GAP;
        let columns = (((room + ENTRY_GAP) / pitch).floor() as usize).clamp(1, entries.len());
        let rows = entries.len().div_ceil(columns);
        // As even as the rows allow: 5 entries in rows of 3 and 2, not of 4 and 1.
        let columns = entries.len().div_ceil(rows);
        let width = columns as f64 * pitch - ENTRY_GAP;
        let left = 0.5 * (WIDTH - width);
        for (index, entry) in entries.iter().enumerate() {
            let x = left + (index % columns) as f64 * pitch;
            let middle = top + LEGEND_ROW * ((index / columns) as f64 + 0.5);
            self.set_entry(entry, label(entry), [x, middle]);
        }
        let bottom = top + LEGEND_ROW * rows as f64;
        self.legend = Some(Rect { left, right: left + width, top, bottom });
        bottom + 6.0
    }

    /// An entry of the legend that starts at a point, which is its middle height; gives its width.
    fn set_entry(&mut self, entry: &LegendEntry<'_>, label: Text, [x, middle]: Point) -> f64 {
        let offset = SAMPLE_WIDTH + SAMPLE_GAP;
        let sample = Rect { left: x, right: x + SAMPLE_WIDTH, top: middle - 4.0, bottom: middle + 4.0 };
        self.samples.push((sample, entry.sample));
        let width = offset + label.width();
        self.texts.push(label.at([x + offset, middle + 0.36 * NOTE_SIZE]));
        width
    }

    fn set_panels(&mut self, figure: &Figure, mut top: f64) {
        let y_ranges: Vec<_> = figure.panels.iter().map(Panel::fit_y).collect();
        let left = MARGIN + left_margin(figure, &y_ranges);
        let right = WIDTH - MARGIN - figure.overhang(WIDTH - MARGIN - left);
        let x_ranges = figure.x_ranges(&y_ranges, right - left);
        let gap = if figure.shared_x { SHARED_GAP } else { 2.0 * SHARED_GAP };
        for (index, panel) in figure.panels.iter().enumerate() {
            let (height, x_range, y_range) =
                panel.proportions(right - left, x_ranges[index], y_ranges[index]);
            let frame = Rect { left, right, top, bottom: top + height };
            let x = spaced_ruler(figure.x_axis(index), x_range, frame.width());
            let y = panel.y.ruler(y_range, labels_in(height));
            let place = PanelLayout { frame, x, y };
            self.set_y_labels(&place, gap);
            top = if index + 1 == figure.panels.len() || !figure.shared_x {
                self.set_x_labels(&place) + PANEL_GAP
            } else {
                frame.bottom + SHARED_GAP
            };
            self.set_spike_notes(panel, &place);
            self.panels.push(place);
        }
        self.height = (top - PANEL_GAP + MARGIN).ceil();
    }

    fn set_y_labels(&mut self, panel: &PanelLayout, gap: f64) {
        let frame = panel.frame;
        for tick in &panel.y.ticks {
            let y = frame.bottom - panel.y.fraction(tick.at) * frame.height();
            if let Some(label) = &tick.label {
                let text = Text::new(label, TICK_SIZE, TextRole::Tick);
                self.texts.push(text.ending_at([frame.left - TICK_GAP, y + 0.36 * TICK_SIZE]));
            }
        }
        let heading = Text::new(&panel.y.heading, LABEL_SIZE, TextRole::Heading);
        let heading = heading.fit_into(frame.height() + gap - 2.0).turned();
        let middle = 0.5 * (frame.top + frame.bottom);
        self.texts.push(heading.centred_at([MARGIN + 0.85 * LABEL_SIZE, middle]));
    }

    /// Labels and heading under a panel; gives where they end.
    fn set_x_labels(&mut self, panel: &PanelLayout) -> f64 {
        let frame = panel.frame;
        let baseline = frame.bottom + TICK_GAP + 0.85 * TICK_SIZE;
        for tick in &panel.x.ticks {
            let x = frame.left + panel.x.fraction(tick.at) * frame.width();
            if let Some(label) = &tick.label {
                let text = Text::new(label, TICK_SIZE, TextRole::Tick);
                self.texts.push(text.centred_at([x, baseline]));
            }
        }
        let heading = Text::new(&panel.x.heading, LABEL_SIZE, TextRole::Heading).fit_into(frame.width());
        let baseline = baseline + HEADING_GAP + 0.85 * LABEL_SIZE;
        self.texts.push(heading.centred_at([0.5 * (frame.left + frame.right), baseline]));
        baseline + 0.3 * LABEL_SIZE
    }

    /// Notes beside the arrowheads of spikes, the largest first; those without room are left out.
    fn set_spike_notes(&mut self, panel: &Panel, layout: &PanelLayout) {
        let mut spikes: Vec<_> = panel.spikes.iter().filter(|spike| !spike.note.is_empty()).collect();
        spikes.sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs()));
        let mut taken: Vec<Rect> =
            panel.spikes.iter().map(|spike| spike_box(layout, spike.x, spike.value)).collect();
        for spike in spikes {
            let head = spike_box(layout, spike.x, spike.value);
            let text = Text::new(&spike.note, NOTE_SIZE, TextRole::Note);
            // Clear of the edges and of the ticks at the lower one.
            let (highest, lowest) = (layout.frame.top + 3.0 + 0.76 * NOTE_SIZE, layout.frame.bottom - 6.0);
            let middle = 0.5 * (head.top + head.bottom);
            let baseline = (middle + 0.36 * NOTE_SIZE).max(highest).min(lowest);
            let x = 0.5 * (head.left + head.right);
            let right_of = text.clone().at([x + SPIKE_GAP, baseline]);
            let left_of = text.ending_at([x - SPIKE_GAP, baseline]);
            let fits = |text: &Text| {
                layout.frame.contains(&text.rect) && !taken.iter().any(|other| other.overlaps(&text.rect))
            };
            if let Some(text) = [right_of, left_of].into_iter().find(fits) {
                taken.push(text.rect.grown(1.0));
                self.texts.push(text);
            }
        }
    }
}

/// The arrowhead of a spike at the upper or lower edge of a frame.
pub(super) fn spike_box(panel: &PanelLayout, x: f64, value: f64) -> Rect {
    let frame = panel.frame;
    let x = frame.left + panel.x.fraction(x).clamp(0.0, 1.0) * frame.width();
    let top = if value >= 0.0 { frame.top + 1.5 } else { frame.bottom - 1.5 - SPIKE_LENGTH };
    Rect { left: x - 2.6, right: x + 2.6, top, bottom: top + SPIKE_LENGTH }
}

/// Space left of the frames: heading, the widest tick label, gaps.
fn left_margin(figure: &Figure, y_ranges: &[(f64, f64)]) -> f64 {
    let rulers = figure.panels.iter().zip(y_ranges);
    let labels = rulers.flat_map(|(panel, &range)| panel.y.ruler(range, labels_in(panel.height)).ticks);
    let widest = labels
        .filter_map(|tick| tick.label)
        .map(|label| markup::set(&label).width * TICK_SIZE)
        .fold(0.0, f64::max);
    LABEL_SIZE + HEADING_GAP + widest + TICK_GAP
}

/// How many tick labels fit into a height.
fn labels_in(height: f64) -> usize {
    ((height / 17.0) as usize).clamp(2, 8)
}

/// The horizontal ruler with as many labels as fit beside each other.
fn spaced_ruler(axis: &Axis, range: (f64, f64), width: f64) -> Ruler {
    let fits = |ruler: &Ruler| {
        let mut free = f64::NEG_INFINITY;
        ruler.ticks.iter().filter_map(|tick| Some((tick.at, tick.label.as_ref()?))).all(|(at, label)| {
            let half = 0.5 * markup::set(label).width * TICK_SIZE;
            let middle = ruler.fraction(at) * width;
            let clear = middle - half > free;
            free = middle + half + TICK_SIZE * 0.7;
            clear
        })
    };
    let rulers = (2..=8).rev().map(|most| axis.ruler(range, most));
    rulers.into_iter().find(fits).unwrap_or_else(|| axis.ruler(range, 2))
}

impl Panel {
    fn fit_y(&self) -> (f64, f64) {
        self.y.fit(self.points().map(|[_, y]| y))
    }

    /// Height of the frame and both ranges, true to scale where asked for and readable.
    fn proportions(&self, width: f64, x: (f64, f64), y: (f64, f64)) -> (f64, (f64, f64), (f64, f64)) {
        let (dx, dy) = (x.1 - x.0, y.1 - y.0);
        if !self.true_to_scale || !TRUE_ASPECTS.contains(&(dy / dx)) {
            return (self.height, x, y);
        }
        let grown = |(low, high): (f64, f64), by: f64| (low - 0.5 * by, high + 0.5 * by);
        let natural = width * dy / dx;
        let height = natural.clamp(SMALLEST_HEIGHT.min(self.height), self.height);
        if natural > height {
            (height, grown(x, dy * width / height - dx), y)
        } else {
            // The ground stays at the bottom: the room goes above.
            (height, x, (y.0, y.0 + dx * height / width))
        }
    }
}

/// Colour of all texts.
pub(super) const TEXT_COLOUR: Colour = INK;

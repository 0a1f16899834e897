use super::{
    super::{
        axis::Axis,
        figure::{Figure, Panel},
        geometry::Rect,
        markup,
        panel_layout::PanelLayout,
        ruler::Ruler,
        theme::TICK_SIZE,
    },
    MARGIN,
    labels::{HEIGHT_BELOW, SHARED_GAP, space_left_of},
};

/// Between a panel's labels and the panel below.
const PANEL_GAP: f64 = 8.0;
/// Ratios of height to width of data that are drawn true to scale.
const TRUE_ASPECTS: std::ops::RangeInclusive<f64> = 0.04..=8.0;
/// Height of a frame that is drawn true to scale, at least.
const SMALLEST_HEIGHT: f64 = 70.0;
/// The least space right of the frames, beside the margin.
const RIGHT_SPACE: f64 = 2.0;

type Range = (f64, f64);

/// Frames and axes of all panels from `top` down, and where their labels end.
///
/// How wide the frames can be depends on the labels, and how many labels there are on the frames:
/// the space for labels grows until it is enough.
pub(super) fn frames(figure: &Figure, top: f64) -> (Vec<PanelLayout>, f64) {
    let (mut left, mut right) = (0.0, RIGHT_SPACE);
    let whole = figure.print.units();
    loop {
        let sides = (MARGIN + left, whole - MARGIN - right);
        let (panels, bottom) = frames_between(figure, sides, top);
        let needed_left = panels.iter().map(space_left_of).fold(0.0, f64::max);
        let labelled = panels.iter().enumerate().filter(|(index, _)| figure.has_x_labels(*index));
        let needed_right = labelled.map(|(_, panel)| overhang(panel)).fold(RIGHT_SPACE, f64::max);
        let is_enough = needed_left <= left && needed_right <= right;
        if is_enough || left + right > 0.6 * whole {
            return (panels, bottom);
        }
        // A little more than needed, so that this ends.
        left = f64::max(left, needed_left + 0.5);
        right = f64::max(right, needed_right);
    }
}

fn frames_between(figure: &Figure, (left, right): Range, mut top: f64) -> (Vec<PanelLayout>, f64) {
    let width = right - left;
    let y_ranges: Vec<_> =
        figure.panels.iter().map(|panel| panel.y.fit(panel.points().map(|[_, y]| y))).collect();
    let x_ranges = x_ranges(figure, &y_ranges, width);
    let mut panels = Vec::with_capacity(figure.panels.len());
    let mut bottom = top;
    for (index, panel) in figure.panels.iter().enumerate() {
        let most = figure.print.growth() * panel.height;
        let (height, x_range, y_range) = proportions(panel, (width, most), x_ranges[index], y_ranges[index]);
        let x = spaced_ruler(x_axis(figure, index), x_range, width);
        let mut y = panel.y.ruler(y_range, labels_in(height));
        if panel.points().next().is_none() {
            y.ticks.clear();
        }
        bottom = top + height;
        panels.push(PanelLayout { frame: Rect { left, right, top, bottom }, x, y });
        if figure.has_x_labels(index) {
            bottom += HEIGHT_BELOW;
            top = bottom + PANEL_GAP;
        } else {
            top = bottom + SHARED_GAP;
        }
    }
    (panels, bottom)
}

fn x_axis(figure: &Figure, index: usize) -> &Axis {
    let own = &figure.panels[index];
    &figure.panels.last().filter(|_| figure.shared_x).unwrap_or(own).x
}

/// Ranges of the horizontal axes.
fn x_ranges(figure: &Figure, y_ranges: &[Range], width: f64) -> Vec<Range> {
    let range = |index: usize| {
        let panels = if figure.shared_x { &figure.panels[..] } else { &figure.panels[index..=index] };
        x_axis(figure, index).fit(panels.iter().flat_map(Panel::points).map(|[x, _]| x))
    };
    if !figure.shared_x {
        return (0..figure.panels.len()).map(range).collect();
    }
    // True scale may widen the range of one panel, and with it that of all.
    let own = if figure.panels.is_empty() { (0.0, 1.0) } else { range(0) };
    let panels = figure.panels.iter().zip(y_ranges);
    let growth = figure.print.growth();
    let widened = panels.map(|(panel, &y)| proportions(panel, (width, growth * panel.height), own, y).1);
    let union = widened.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or(own);
    vec![union; figure.panels.len()]
}

/// Height of a frame, `most` or less, and both ranges, true to scale where asked for and readable.
fn proportions(panel: &Panel, (width, most): (f64, f64), x: Range, y: Range) -> (f64, Range, Range) {
    let (dx, dy) = (x.1 - x.0, y.1 - y.0);
    if !panel.true_to_scale || !TRUE_ASPECTS.contains(&(dy / dx)) {
        return (most, x, y);
    }
    let natural = width * dy / dx;
    let height = natural.clamp(SMALLEST_HEIGHT.min(most), most);
    if natural > height {
        let growth = 0.5 * (dy * width / height - dx);
        (height, (x.0 - growth, x.1 + growth), y)
    } else {
        // The ground stays at the bottom: the room goes above.
        (height, x, (y.0, y.0 + dx * height / width))
    }
}

/// How many tick labels fit into a height.
fn labels_in(height: f64) -> usize {
    ((height / 17.0) as usize).clamp(2, 8)
}

/// The horizontal ruler with as many labels as fit beside each other.
fn spaced_ruler(axis: &Axis, range: Range, width: f64) -> Ruler {
    let fits = |ruler: &Ruler| {
        let mut free = f64::NEG_INFINITY;
        ruler.labels().all(|(at, label)| {
            let half = half_width(label);
            let middle = ruler.fraction(at) * width;
            let is_clear = middle - half > free;
            free = middle + half + 0.7 * TICK_SIZE;
            is_clear
        })
    };
    let rulers = (2..=8).rev().map(|most| axis.ruler(range, most));
    rulers.into_iter().find(fits).unwrap_or_else(|| axis.ruler(range, 2))
}

/// How far the labels of the horizontal axis reach beyond the frame, into the margin and further.
fn overhang(panel: &PanelLayout) -> f64 {
    let reach = panel
        .x
        .labels()
        .map(|(at, label)| half_width(label) - (1.0 - panel.x.fraction(at)) * panel.frame.width());
    reach.fold(0.0, f64::max) - 0.6 * MARGIN
}

fn half_width(label: &str) -> f64 {
    0.5 * markup::set(label).width * TICK_SIZE
}

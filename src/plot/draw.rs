use plotters_backend::DrawingBackend;

use super::{
    canvas::{Canvas, Drawn},
    coincide::{Stretch, share},
    decimate::straighten,
    figure::{Curve, Figure, Panel, Sample},
    geometry::{Point, Rect, clip},
    layout::{Layout, spike_box},
    panel_layout::PanelLayout,
    theme::{CURVE_WIDTH, FRAME_WIDTH, GRID, GRID_WIDTH, INK, Marker, Style},
};

/// Lengths of major and minor ticks, inside the frame.
const TICK: f64 = 3.5;
const MINOR_TICK: f64 = 2.0;
const MARKER_RADIUS: f64 = 2.6;
/// By how much a cell reaches under the next one.
const SEAM: f64 = 0.3;
/// A line that is longer fills its panel with noise, in which dashes say nothing and take room.
const LONGEST_DASHED: f64 = 5000.0;
/// A curve that is longer takes no turns, of which nothing would be seen either.
const LONGEST_SHARED: f64 = 4.0 * LONGEST_DASHED;
/// Whatever has any length is drawn as long as this: a pixel of a PNG.
const SHORTEST: f64 = 0.3;
/// A curve may be off by this much after points on a line are dropped: a tenth of a pixel.
const TOLERANCE: f64 = 0.03;

impl Figure {
    /// Draws the picture on any plotters backend, over its whole width; the height should be in the
    /// proportion of [`Figure::layout`].
    ///
    /// Backends that count in whole pixels draw it as well as those allow; [`Figure::write_svg`]
    /// and [`Figure::write_png`] do not have that limit.
    ///
    /// # Errors
    /// Whatever the backend answers.
    pub fn draw<B: DrawingBackend>(&self, backend: &mut B) -> Drawn<B> {
        self.draw_as(&self.layout(), backend)
    }

    pub(super) fn draw_as<B: DrawingBackend>(&self, layout: &Layout, backend: &mut B) -> Drawn<B> {
        let canvas = &mut Canvas::new(backend, layout.width);
        for (panel, place) in self.panels.iter().zip(&layout.panels) {
            draw_background(canvas, panel, place)?;
            draw_cells(canvas, panel, place)?;
            draw_bars(canvas, panel, place)?;
            panel.behind.iter().try_for_each(|curve| draw_curve(canvas, curve, place))?;
            panel.areas.iter().try_for_each(|area| area.draw(canvas, place))?;
            draw_curves(canvas, panel, place)?;
            panel.arrows.iter().try_for_each(|arrow| arrow.draw(canvas, place))?;
            draw_spikes(canvas, panel, place)?;
            draw_frame(canvas, place)?;
        }
        for (rect, sample) in &layout.samples {
            draw_sample(canvas, rect, sample)?;
        }
        layout.texts.iter().try_for_each(|text| canvas.text(text, INK))
    }
}

fn draw_background<B: DrawingBackend>(
    canvas: &mut Canvas<'_, B>,
    panel: &Panel,
    place: &PanelLayout,
) -> Drawn<B> {
    let frame = place.frame;
    panel.floor.draw(canvas, place)?;
    panel.solids.iter().try_for_each(|solid| solid.fill(canvas, place))?;
    for tick in place.x.ticks.iter().filter(|tick| tick.label.is_some()) {
        let x = place.place([tick.at, place.y.low])[0];
        canvas.line(&[[x, frame.top], [x, frame.bottom]], GRID_WIDTH, &[], GRID)?;
    }
    for tick in place.y.ticks.iter().filter(|tick| tick.label.is_some()) {
        let y = place.place([place.x.low, tick.at])[1];
        canvas.line(&[[frame.left, y], [frame.right, y]], GRID_WIDTH, &[], GRID)?;
    }
    panel.solids.iter().try_for_each(|solid| solid.outline(canvas, place, &panel.solids))
}

fn draw_cells<B: DrawingBackend>(canvas: &mut Canvas<'_, B>, panel: &Panel, place: &PanelLayout) -> Drawn<B> {
    let frame = place.frame;
    for cell in &panel.cells {
        let [left, bottom] = place.place([cell.x.0, cell.y.0]);
        let [right, top] = place.place([cell.x.1, cell.y.1]);
        // A little under its neighbours, so that no white shows between them.
        let rect = Rect {
            left: left.max(frame.left),
            right: (right + SEAM).min(frame.right),
            top: (top - SEAM).max(frame.top),
            bottom: bottom.min(frame.bottom),
        };
        if rect.width() > 0.0 && rect.height() > 0.0 {
            canvas.fill(&rect.corners(), cell.colour)?;
        }
    }
    Ok(())
}

fn draw_bars<B: DrawingBackend>(canvas: &mut Canvas<'_, B>, panel: &Panel, place: &PanelLayout) -> Drawn<B> {
    let frame = place.frame;
    for bar in &panel.bars {
        let zero = place.x.fraction(0.0);
        let from = frame.left + if zero.is_finite() { zero.clamp(0.0, 1.0) } else { 0.0 } * frame.width();
        let [x, top] = place.place([bar.value, bar.place + 0.35]);
        let [_, bottom] = place.place([bar.value, bar.place - 0.35]);
        if x.is_finite() {
            let to = x.clamp(frame.left, frame.right);
            let rect = Rect { left: from.min(to), right: from.max(to), top, bottom };
            canvas.fill(&rect.corners(), bar.colour)?;
        }
    }
    Ok(())
}

/// The curves of a panel in their order, the reference over all others. Those that lie on each other take turns.
fn draw_curves<B: DrawingBackend>(
    canvas: &mut Canvas<'_, B>,
    panel: &Panel,
    place: &PanelLayout,
) -> Drawn<B> {
    let (references, others): (Vec<&Curve>, Vec<&Curve>) =
        panel.curves.iter().partition(|curve| curve.style == Style::REFERENCE);
    if others.iter().filter(|curve| takes_turns(panel, curve)).count() < 2 {
        return others.iter().chain(&references).try_for_each(|curve| draw_curve(canvas, curve, place));
    }
    let shared: Vec<Vec<Vec<Point>>> = (others.iter())
        .map(|curve| if takes_turns(panel, curve) { strokes(curve, place) } else { Vec::new() })
        .map(|strokes| if is_noise(&strokes) { Vec::new() } else { strokes })
        .collect();
    for ((curve, strokes), stretches) in others.iter().zip(&shared).zip(share(&shared)) {
        if strokes.is_empty() {
            draw_curve(canvas, curve, place)?;
            continue;
        }
        for Stretch { points, is_alone } in stretches {
            let style = if is_alone { curve.style } else { curve.style.with_dash(&[]) };
            draw_stroke(canvas, &straighten(&points, TOLERANCE), &style)?;
        }
        draw_markers(canvas, curve, place)?;
    }
    references.iter().try_for_each(|curve| draw_curve(canvas, curve, place))
}

/// Whether a curve shares its place with those that lie on it. Lines without a name do not, nor do the rows of a
/// picture, in which bars end where others begin.
fn takes_turns(panel: &Panel, curve: &Curve) -> bool {
    let is_row = !panel.y.names.is_empty();
    curve.style.width > 0.0 && !curve.label.is_empty() && curve.points.len() > 2 && !is_row
}

pub(super) fn draw_curve<B: DrawingBackend>(
    canvas: &mut Canvas<'_, B>,
    curve: &Curve,
    place: &PanelLayout,
) -> Drawn<B> {
    if curve.style.width > 0.0 {
        strokes(curve, place).iter().try_for_each(|stroke| draw_stroke(canvas, stroke, &curve.style))?;
    }
    draw_markers(canvas, curve, place)
}

/// The parts of a curve within the frame.
fn strokes(curve: &Curve, place: &PanelLayout) -> Vec<Vec<Point>> {
    let points = curve.points.iter().map(|&point| place.place(point));
    clip(points, &place.frame).iter().map(|part| straighten(part, TOLERANCE)).collect()
}

/// Whether parts of a curve are together too long for turns.
fn is_noise(strokes: &[Vec<Point>]) -> bool {
    strokes.iter().map(|stroke| length(stroke)).sum::<f64>() > LONGEST_SHARED
}

fn length(points: &[Point]) -> f64 {
    points.windows(2).map(|pair| (pair[1][0] - pair[0][0]).hypot(pair[1][1] - pair[0][1])).sum()
}

fn draw_markers<B: DrawingBackend>(
    canvas: &mut Canvas<'_, B>,
    curve: &Curve,
    place: &PanelLayout,
) -> Drawn<B> {
    if let Some(marker) = curve.style.marker {
        let near = place.frame.grown(0.5);
        let points = curve.points.iter().map(|&point| place.place(point));
        for point in points.filter(|&point| near.has(point)) {
            canvas.marker(marker, point, MARKER_RADIUS, curve.style.colour)?;
        }
    }
    Ok(())
}

/// A line, or a dot where a line has no length.
fn draw_stroke<B: DrawingBackend>(canvas: &mut Canvas<'_, B>, points: &[Point], style: &Style) -> Drawn<B> {
    match points {
        [] => Ok(()),
        [first, rest @ ..] if rest.iter().all(|point| point == first) => {
            canvas.marker(Marker::Disc, *first, 0.7 * style.width, style.colour)
        }
        _ if length(points) < SHORTEST => canvas.line(&lengthened(points), style.width, &[], style.colour),
        _ => {
            let dash = if length(points) > LONGEST_DASHED { &[] } else { style.dash };
            canvas.line(points, style.width, dash, style.colour)
        }
    }
}

/// A line as short as can be seen in the place of a shorter one.
fn lengthened(points: &[Point]) -> [Point; 2] {
    let (from, to) = (points[0], points[points.len() - 1]);
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    let span = dx.hypot(dy);
    let [x, y] = if span > 0.0 { [dx / span, dy / span] } else { [1.0, 0.0] };
    let middle = [0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1])];
    [-0.5 * SHORTEST, 0.5 * SHORTEST].map(|way| [middle[0] + way * x, middle[1] + way * y])
}

fn draw_spikes<B: DrawingBackend>(
    canvas: &mut Canvas<'_, B>,
    panel: &Panel,
    place: &PanelLayout,
) -> Drawn<B> {
    panel.spikes.iter().try_for_each(|spike| {
        let head = spike_box(place, spike.x, spike.value);
        draw_arrowhead(canvas, &head, spike.value >= 0.0, spike.colour)
    })
}

fn draw_arrowhead<B: DrawingBackend>(
    canvas: &mut Canvas<'_, B>,
    head: &Rect,
    is_up: bool,
    colour: (u8, u8, u8),
) -> Drawn<B> {
    let middle = 0.5 * (head.left + head.right);
    let (tip, base) = if is_up { (head.top, head.bottom) } else { (head.bottom, head.top) };
    canvas.fill(&[[middle, tip], [head.right, base], [head.left, base]], colour)
}

fn draw_frame<B: DrawingBackend>(canvas: &mut Canvas<'_, B>, place: &PanelLayout) -> Drawn<B> {
    let frame = place.frame;
    for tick in &place.x.ticks {
        let x = place.place([tick.at, place.y.low])[0];
        let length = if tick.label.is_some() { TICK } else { MINOR_TICK };
        canvas.line(&[[x, frame.bottom], [x, frame.bottom - length]], FRAME_WIDTH, &[], INK)?;
    }
    for tick in &place.y.ticks {
        let y = place.place([place.x.low, tick.at])[1];
        let length = if tick.label.is_some() { TICK } else { MINOR_TICK };
        canvas.line(&[[frame.left, y], [frame.left + length, y]], FRAME_WIDTH, &[], INK)?;
    }
    canvas.outline(&frame, FRAME_WIDTH, INK)
}

fn draw_sample<B: DrawingBackend>(canvas: &mut Canvas<'_, B>, rect: &Rect, sample: &Sample) -> Drawn<B> {
    let middle = [0.5 * (rect.left + rect.right), 0.5 * (rect.top + rect.bottom)];
    match sample {
        Sample::Curve(style) => {
            if style.width > 0.0 {
                let ends = [[rect.left, middle[1]], [rect.right, middle[1]]];
                canvas.line(&ends, style.width.max(0.6 * CURVE_WIDTH), style.dash, style.colour)?;
            }
            match style.marker {
                Some(marker) => canvas.marker(marker, middle, MARKER_RADIUS, style.colour),
                None => Ok(()),
            }
        }
        Sample::Area(fill, outline) => {
            let side = 4.0;
            let swatch = Rect {
                left: middle[0] - 2.0 * side,
                right: middle[0] + 2.0 * side,
                top: middle[1] - side,
                bottom: middle[1] + side,
            };
            if let Some(colour) = fill {
                canvas.fill(&swatch.corners(), *colour)?;
            }
            let corners = swatch.corners();
            let around = [corners[0], corners[1], corners[2], corners[3], corners[0], corners[1]];
            canvas.line(&around, outline.width, outline.dash, outline.colour)
        }
        Sample::Arrow(colour) => {
            canvas.line(&[[rect.left + 2.0, middle[1]], [rect.right - 7.0, middle[1]]], 2.0, &[], *colour)?;
            let tip = rect.right - 1.0;
            canvas.fill(
                &[[tip, middle[1]], [tip - 7.0, middle[1] - 3.4], [tip - 7.0, middle[1] + 3.4]],
                *colour,
            )
        }
        Sample::Spike(colour) => {
            let head = Rect {
                left: middle[0] - 2.6,
                right: middle[0] + 2.6,
                top: middle[1] - 3.0,
                bottom: middle[1] + 3.0,
            };
            draw_arrowhead(canvas, &head, true, *colour)
        }
    }
}

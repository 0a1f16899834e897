use plotters_backend::DrawingBackend;

use super::{
    canvas::{Canvas, Drawn},
    decimate::straighten,
    figure::{Curve, Figure, Panel, Sample},
    geometry::{Point, Rect, clip},
    layout::{Layout, PanelLayout, TEXT_COLOUR, spike_box},
    theme::{CURVE_WIDTH, FRAME_WIDTH, GRID, GRID_WIDTH, GROUND, INK, Marker, Style},
};

/// Lengths of major and minor ticks, inside the frame.
const TICK: f64 = 3.5;
const MINOR_TICK: f64 = 2.0;
const MARKER_RADIUS: f64 = 2.6;
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
            draw_bars(canvas, panel, place)?;
            for curve in &panel.curves {
                draw_curve(canvas, curve, place)?;
            }
            draw_spikes(canvas, panel, place)?;
            draw_frame(canvas, place)?;
        }
        for (rect, sample) in &layout.samples {
            draw_sample(canvas, rect, sample)?;
        }
        layout.texts.iter().try_for_each(|text| canvas.text(text, TEXT_COLOUR))
    }
}

fn draw_background<B: DrawingBackend>(
    canvas: &mut Canvas<'_, B>,
    panel: &Panel,
    place: &PanelLayout,
) -> Drawn<B> {
    let frame = place.frame;
    let surface = place.place([place.x.low, 0.0])[1];
    if panel.ground && surface <= frame.bottom {
        let ground = Rect { top: surface.max(frame.top), ..frame };
        canvas.fill(&ground.corners(), GROUND)?;
    }
    for tick in place.x.ticks.iter().filter(|tick| tick.label.is_some()) {
        let x = place.place([tick.at, place.y.low])[0];
        canvas.line(&[[x, frame.top], [x, frame.bottom]], GRID_WIDTH, &[], GRID)?;
    }
    for tick in place.y.ticks.iter().filter(|tick| tick.label.is_some()) {
        let y = place.place([place.x.low, tick.at])[1];
        canvas.line(&[[frame.left, y], [frame.right, y]], GRID_WIDTH, &[], GRID)?;
    }
    if panel.ground && (frame.top..=frame.bottom).contains(&surface) {
        canvas.line(&[[frame.left, surface], [frame.right, surface]], 1.0, &[], INK)?;
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

pub(super) fn draw_curve<B: DrawingBackend>(
    canvas: &mut Canvas<'_, B>,
    curve: &Curve,
    place: &PanelLayout,
) -> Drawn<B> {
    let points: Vec<Point> = curve.points.iter().map(|&point| place.place(point)).collect();
    if curve.style.width > 0.0 {
        for part in clip(points.iter().copied(), &place.frame) {
            draw_stroke(canvas, &straighten(&part, TOLERANCE), &curve.style)?;
        }
    }
    if let Some(marker) = curve.style.marker {
        let near = place.frame.grown(0.5);
        for &point in points.iter().filter(|&&point| near.has(point)) {
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
        _ => canvas.line(points, style.width, style.dash, style.colour),
    }
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

//! Ground and walls: half-planes that nothing can be in.

use plotters_backend::DrawingBackend;

use super::{
    canvas::{Canvas, Drawn},
    geometry::{Point, clip, clip_polygon},
    panel_layout::PanelLayout,
    scale::Scale,
    theme::{GROUND, INK},
};

/// Width of a surface, and of the strokes that hatch a wall.
const SURFACE_WIDTH: f64 = 1.0;
const HATCH_WIDTH: f64 = 0.6;
/// Between strokes, and how far they reach into the wall.
const HATCH_SPACING: f64 = 6.0;
const HATCH_DEPTH: f64 = 5.0;
/// Between the arrowheads on a moving surface, and their size.
const DRIFT_SPACING: f64 = 26.0;
const DRIFT_SIZE: f64 = 4.0;

/// Everything at `normal . (x, y) <= offset`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Solid {
    /// Unit vector out of it.
    pub normal: Point,
    /// Distance of its surface from the origin along the normal, in the unit of the axes.
    pub offset: f64,
    /// What its surface looks like.
    pub surface: SolidSurface,
}

/// What the surface of a solid looks like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SolidSurface {
    /// A line: the ground.
    Plain,
    /// Hatched: a wall.
    Hatched,
    /// Arrowheads along `(n_y, -n_x)`, or against it: a conveyor.
    Moving {
        /// Whether it moves against `(n_y, -n_x)`.
        is_backward: bool,
    },
}

impl Solid {
    /// The ground below `y = 0`.
    pub const GROUND: Self = Self { normal: [0.0, 1.0], offset: 0.0, surface: SolidSurface::Plain };

    /// What of it a panel shows, in the units of the data.
    fn shown(&self, place: &PanelLayout) -> Vec<Point> {
        if place.x.scale != Scale::Linear || place.y.scale != Scale::Linear {
            return Vec::new();
        }
        let (x, y) = (&place.x, &place.y);
        let corners = [[x.low, y.low], [x.high, y.low], [x.high, y.high], [x.low, y.high]];
        clip_polygon(&corners, |point| self.offset - self.height(point))
    }

    fn height(&self, point: Point) -> f64 {
        self.normal[0] * point[0] + self.normal[1] * point[1]
    }

    pub(super) fn fill<B: DrawingBackend>(
        &self,
        canvas: &mut Canvas<'_, B>,
        place: &PanelLayout,
    ) -> Drawn<B> {
        let corners: Vec<Point> = self.shown(place).into_iter().map(|corner| place.place(corner)).collect();
        if corners.len() < 3 { Ok(()) } else { canvas.fill(&corners, GROUND) }
    }

    /// Draws the surface where it is outside all `others`.
    pub(super) fn outline<B: DrawingBackend>(
        &self,
        canvas: &mut Canvas<'_, B>,
        place: &PanelLayout,
        others: &[Self],
    ) -> Drawn<B> {
        let slack = 1e-9 * ((place.x.high - place.x.low).hypot(place.y.high - place.y.low));
        let is_on = |corner: &&Point| (self.height(**corner) - self.offset).abs() <= slack;
        let shown = self.shown(place);
        let mut ends = shown.iter().filter(is_on);
        let (Some(&from), Some(&to)) = (ends.next(), ends.next_back()) else { return Ok(()) };
        let outside = |segment: Option<(Point, Point)>, other: &Self| {
            let (from, to) = segment?;
            let height = |point: Point| other.height(point) - other.offset + slack;
            let (a, b) = (height(from), height(to));
            let middle = || {
                let share = a / (a - b);
                [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])]
            };
            match (a >= 0.0, b >= 0.0) {
                (true, true) => Some((from, to)),
                (true, false) => Some((from, middle())),
                (false, true) => Some((middle(), to)),
                (false, false) => None,
            }
        };
        let Some((from, to)) = others.iter().fold(Some((from, to)), outside) else { return Ok(()) };
        let (from, to) = (place.place(from), place.place(to));
        canvas.line(&[from, to], SURFACE_WIDTH, &[], INK)?;
        let length = (to[0] - from[0]).hypot(to[1] - from[1]);
        if length < 1.0 {
            return Ok(());
        }
        let along = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
        // Into the solid; y runs downwards here.
        let mut inwards = [-along[1], along[0]];
        let [nx, ny] = [
            self.normal[0] * place.frame.width() / (place.x.high - place.x.low).max(f64::MIN_POSITIVE),
            -self.normal[1] * place.frame.height() / (place.y.high - place.y.low).max(f64::MIN_POSITIVE),
        ];
        if inwards[0] * nx + inwards[1] * ny > 0.0 {
            inwards = inwards.map(|part| -part);
        }
        let at = |s: f64, depth: f64| {
            [from[0] + s * along[0] + depth * inwards[0], from[1] + s * along[1] + depth * inwards[1]]
        };
        match self.surface {
            SolidSurface::Plain => Ok(()),
            SolidSurface::Hatched => {
                let count = (length / HATCH_SPACING) as usize;
                (0..=count).try_for_each(|k| {
                    let s = k as f64 * HATCH_SPACING;
                    let stroke = [at(s, 0.0), at(s - HATCH_DEPTH, HATCH_DEPTH)];
                    clip(stroke, &place.frame)
                        .iter()
                        .try_for_each(|part| canvas.line(part, HATCH_WIDTH, &[], INK))
                })
            }
            SolidSurface::Moving { is_backward } => {
                // The tangent (n_y, -n_x) has the solid to its right.
                let is_right = along[0] * inwards[1] - along[1] * inwards[0] > 0.0;
                let forward = if is_right == is_backward { -1.0 } else { 1.0 };
                let count = (length / DRIFT_SPACING) as usize;
                (0..count).try_for_each(|k| {
                    let s = (k as f64 + 0.5) * DRIFT_SPACING;
                    let tip = forward * DRIFT_SIZE;
                    let head =
                        [at(s, 1.5), at(s + tip, 1.5 + 0.6 * DRIFT_SIZE), at(s, 1.5 + 1.2 * DRIFT_SIZE)];
                    clip(head, &place.frame)
                        .iter()
                        .try_for_each(|part| canvas.line(part, SURFACE_WIDTH, &[], INK))
                })
            }
        }
    }
}

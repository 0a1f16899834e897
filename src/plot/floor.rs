//! The ground of an oblique view: squares on which distances can be read.

use plotters_backend::DrawingBackend;

use super::{
    area::Area,
    canvas::{Canvas, Drawn},
    geometry::Point,
    panel_layout::PanelLayout,
    theme::{FRAME_WIDTH, GROUND, INK, Style, WHITE, mix},
};

/// How dark the ground is beside that of a view from the side: what lies on it is to stand out.
const SHADE: f64 = 0.45;
const LINE_WIDTH: f64 = 0.5;

/// A piece of ground with lines on it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Floor {
    /// Its corners, in order.
    pub corners: Vec<Point>,
    /// Lines on it, from side to side.
    pub lines: Vec<[Point; 2]>,
    /// A scale of heights: its axis and its marks.
    pub scale: Vec<[Point; 2]>,
    /// What stands beside it, as markup, and where: the names of its sides and the numbers at their ends and heights.
    pub notes: Vec<(Point, String)>,
}

impl Floor {
    pub(super) fn draw<B: DrawingBackend>(
        &self,
        canvas: &mut Canvas<'_, B>,
        place: &PanelLayout,
    ) -> Drawn<B> {
        if self.corners.is_empty() {
            return Ok(());
        }
        let ground = mix(WHITE, GROUND, SHADE);
        let piece = |corners: Vec<Point>, colour, width: f64| Area {
            label: String::new(),
            corners,
            fill: Some(ground),
            outline: Style::line(colour).with_width(width),
            marks: Vec::new(),
        };
        piece(self.corners.clone(), INK, FRAME_WIDTH).draw(canvas, place)?;
        // A stroke of two corners is drawn broader than an outline.
        let line =
            |[from, to]: &[Point; 2]| piece(vec![*from, *to], GROUND, 0.4 * LINE_WIDTH).draw(canvas, place);
        self.lines.iter().try_for_each(line)?;
        self.scale.iter().try_for_each(|ends| {
            let ends = ends.map(|end| place.place(end));
            canvas.line(&ends, FRAME_WIDTH, &[], INK)
        })
    }
}

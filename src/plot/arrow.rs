//! Forces as arrows.

use plotters_backend::DrawingBackend;

use super::{
    canvas::{Canvas, Drawn},
    geometry::{Point, clip, clip_to},
    panel_layout::PanelLayout,
    theme::{Colour, palette},
};

/// Length of the arrow of a force as large as the load, and of the longest arrow.
const LOAD_ARROW: f64 = 32.0;
const LONGEST_ARROW: f64 = 2.0 * LOAD_ARROW;
const HEAD_LENGTH: f64 = 7.0;
const SHORTEST_ARROW: f64 = 1.6 * HEAD_LENGTH;
const HEAD_HALF_WIDTH: f64 = 3.4;
const SHAFT_WIDTH: f64 = 2.0;
const CONE_WIDTH: f64 = 0.8;
/// Length of the sides of a friction cone.
const CONE_LENGTH: f64 = 26.0;

/// A force at a point: an arrow as long as the force is large beside the `load`, twice that at most.
#[derive(Debug, Clone, PartialEq)]
pub struct Arrow {
    /// What the legend says; nothing if empty.
    pub label: String,
    /// Where it acts.
    pub at: Point,
    /// The force.
    pub force: Point,
    /// The force whose arrow has the usual length.
    pub load: f64,
    /// Its colour.
    pub colour: Colour,
    /// The sides of the friction cone at that point, as directions; drawn under the arrow.
    pub cone: Option<[Point; 2]>,
}

impl Arrow {
    /// Draws it; one that is cut, at the longest length or at the frame, has two heads.
    pub(super) fn draw<B: DrawingBackend>(
        &self,
        canvas: &mut Canvas<'_, B>,
        place: &PanelLayout,
    ) -> Drawn<B> {
        let [x, y] = place.place(self.at);
        let frame = place.frame.grown(1.0);
        if !frame.has([x, y]) {
            return Ok(());
        }
        for side in self.cone.iter().flatten() {
            let end = [x + CONE_LENGTH * side[0], y - CONE_LENGTH * side[1]];
            for part in clip([[x, y], end], &frame) {
                canvas.line(&part, CONE_WIDTH, &[2.0, 1.5], palette::GREY)?;
            }
        }
        let size = self.force[0].hypot(self.force[1]);
        let length = LOAD_ARROW * size / self.load;
        if !(length > 1.0 && size.is_finite()) {
            return Ok(());
        }
        let along = [self.force[0] / size, -self.force[1] / size];
        let longest = LONGEST_ARROW.min(place.frame.room([x, y], along));
        let is_cut = length > longest;
        let length = length.min(longest).max(SHORTEST_ARROW);
        // At the edge of the frame it ends where it would begin.
        let start = (longest - length).min(0.0);
        let at = |s: f64, side: f64| {
            let s = start + s;
            [x + s * along[0] - side * along[1], y + s * along[1] + side * along[0]]
        };
        let neck = length - HEAD_LENGTH;
        for part in clip([at(0.0, 0.0), at(neck, 0.0)], &frame) {
            canvas.line(&part, SHAFT_WIDTH, &[], self.colour)?;
        }
        for back in if is_cut { &[0.0, HEAD_LENGTH][..] } else { &[0.0] } {
            let head =
                [at(length - back, 0.0), at(neck - back, HEAD_HALF_WIDTH), at(neck - back, -HEAD_HALF_WIDTH)];
            let head = clip_to(&head, &frame);
            if head.len() > 2 {
                canvas.fill(&head, self.colour)?;
            }
        }
        Ok(())
    }
}

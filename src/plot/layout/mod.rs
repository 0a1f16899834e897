//! Where everything in a picture is: frames, axes, texts and the legend.

mod frames;
mod labels;
mod legend;

use super::{
    figure::{Figure, Sample},
    geometry::Rect,
    panel_layout::PanelLayout,
    text::Text,
};
pub(super) use labels::spike_box;

/// Free space at the edge of a picture.
const MARGIN: f64 = 7.0;

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
    /// Height of the baseline of the caption.
    pub(super) caption: f64,
}

impl Figure {
    /// Decides where everything is.
    pub fn layout(&self) -> Layout {
        let mut layout = Layout {
            width: self.print.units(),
            height: 0.0,
            panels: Vec::new(),
            legend: None,
            texts: Vec::new(),
            samples: Vec::new(),
            caption: 0.0,
        };
        let top = layout.set_head(self);
        let top = layout.set_legend(&self.legend(), top);
        let (panels, bottom) = frames::frames(self, top);
        for (index, (panel, place)) in self.panels.iter().zip(&panels).enumerate() {
            layout.set_y_labels(place, self.shared_x);
            if self.has_x_labels(index) {
                layout.set_x_labels(place);
            }
            layout.set_spike_notes(panel, place);
            layout.set_floor_notes(panel, place);
            layout.set_empty_note(panel, place);
        }
        layout.panels = panels;
        layout.height = (bottom + MARGIN).ceil();
        layout
    }

    /// Whether panel `index` has numbers under it.
    fn has_x_labels(&self, index: usize) -> bool {
        !self.shared_x || index + 1 == self.panels.len()
    }
}

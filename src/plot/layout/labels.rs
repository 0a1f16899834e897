use super::{
    super::{
        figure::{Figure, Panel},
        geometry::Rect,
        markup,
        panel_layout::PanelLayout,
        text::{Text, TextRole},
        theme::{LABEL_SIZE, NOTE_SIZE, TICK_SIZE, TITLE_SIZE},
    },
    Layout, MARGIN,
};

/// Between panels that share their x axis.
pub(super) const SHARED_GAP: f64 = 9.0;
/// Between a frame and its tick labels.
const TICK_GAP: f64 = 4.0;
/// Between tick labels and the heading of the axis.
const HEADING_GAP: f64 = 5.0;
/// From the middle of a line of digits to its baseline, over the size of the type.
pub(super) const HALF_DIGIT: f64 = 0.36;
/// Height of the labels and the heading under a panel.
pub(super) const HEIGHT_BELOW: f64 = TICK_GAP + 0.85 * TICK_SIZE + HEADING_GAP + 1.15 * LABEL_SIZE;

/// Length and half width of the arrowhead of a spike, its distance from the edge of the frame, and
/// between its middle and its note.
const SPIKE_LENGTH: f64 = 6.0;
const SPIKE_HALF_WIDTH: f64 = 2.6;
const SPIKE_INSET: f64 = 1.5;
const NOTE_DISTANCE: f64 = 4.5;
/// Between a note and the edge of the frame, at least.
const NOTE_RIM: f64 = 1.5;

impl Layout {
    /// Title and caption; gives where they end.
    pub(super) fn set_head(&mut self, figure: &Figure) -> f64 {
        let mut top = MARGIN;
        for (text, size, role) in
            [(&figure.title, TITLE_SIZE, TextRole::Title), (&figure.caption, NOTE_SIZE, TextRole::Caption)]
        {
            if text.is_empty() || (role == TextRole::Title && figure.hides_title) {
                continue;
            }
            let baseline = top + 0.8 * size;
            if role == TextRole::Caption {
                self.caption = baseline;
            }
            let text = Text::new(text, size, role).fit_into(self.width - 2.0 * MARGIN);
            self.texts.push(text.centred_at([0.5 * self.width, baseline]));
            top += 1.35 * size;
        }
        top
    }

    /// Labels and heading left of a panel.
    pub(super) fn set_y_labels(&mut self, panel: &PanelLayout, is_stacked: bool) {
        let frame = panel.frame;
        let room_left = frame.left - TICK_GAP - HEADING_GAP - LABEL_SIZE - MARGIN;
        for (at, label) in panel.y.labels() {
            let [_, y] = panel.place([panel.x.low, at]);
            let text = Text::new(label, TICK_SIZE, TextRole::Tick).fit_into(room_left);
            self.texts.push(text.ending_at([frame.left - TICK_GAP, y + HALF_DIGIT * TICK_SIZE]));
        }
        let room = frame.height() + if is_stacked { 0.2 * SHARED_GAP } else { 0.0 };
        let heading = Text::new(&panel.y.heading, LABEL_SIZE, TextRole::Heading).fit_into(room).turned();
        let middle = 0.5 * (frame.top + frame.bottom);
        self.texts.push(heading.centred_at([MARGIN + 0.85 * LABEL_SIZE, middle]));
    }

    /// Labels and heading under a panel.
    pub(super) fn set_x_labels(&mut self, panel: &PanelLayout) {
        let frame = panel.frame;
        let baseline = frame.bottom + TICK_GAP + 0.85 * TICK_SIZE;
        for (at, label) in panel.x.labels() {
            let [x, _] = panel.place([at, panel.y.low]);
            self.texts.push(Text::new(label, TICK_SIZE, TextRole::Tick).centred_at([x, baseline]));
        }
        let heading = Text::new(&panel.x.heading, LABEL_SIZE, TextRole::Heading).fit_into(frame.width());
        let baseline = baseline + HEADING_GAP + 0.85 * LABEL_SIZE;
        self.texts.push(heading.centred_at([0.5 * (frame.left + frame.right), baseline]));
    }

    /// Notes beside the arrowheads of spikes, the largest first; those without room are left out.
    pub(super) fn set_spike_notes(&mut self, panel: &Panel, place: &PanelLayout) {
        let head = |x: f64, value: f64| spike_box(place, x, value);
        let mut taken: Vec<Rect> = panel.spikes.iter().map(|spike| head(spike.x, spike.value)).collect();
        let mut spikes: Vec<_> = panel.spikes.iter().filter(|spike| !spike.note.is_empty()).collect();
        spikes.sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs()));
        // Clear of the edges, and of the ticks at the lower one.
        let (highest, lowest) = (place.frame.top + 3.0 + 0.76 * NOTE_SIZE, place.frame.bottom - 6.0);
        for spike in spikes {
            let head = head(spike.x, spike.value);
            let middle = 0.5 * (head.top + head.bottom);
            let baseline = (middle + HALF_DIGIT * NOTE_SIZE).max(highest).min(lowest);
            let x = 0.5 * (head.left + head.right);
            let text = Text::new(&spike.note, NOTE_SIZE, TextRole::Note);
            let right_of = text.clone().at([x + NOTE_DISTANCE, baseline]);
            let left_of = text.ending_at([x - NOTE_DISTANCE, baseline]);
            let fits = |text: &Text| {
                place.frame.contains(&text.rect) && !taken.iter().any(|other| other.overlaps(&text.rect))
            };
            if let Some(text) = [right_of, left_of].into_iter().find(fits) {
                taken.push(text.rect.grown(1.0));
                self.texts.push(text);
            }
        }
    }

    /// What stands beside the ground of an oblique view.
    pub(super) fn set_floor_notes(&mut self, panel: &Panel, place: &PanelLayout) {
        for (at, note) in &panel.floor.notes {
            let [x, y] = place.place(*at);
            let text = Text::new(note, NOTE_SIZE, TextRole::Note);
            // At the edge of the frame it is moved into it.
            let (least, most) =
                (place.frame.left + 0.5 * text.width(), place.frame.right - 0.5 * text.width());
            let x = x.min(most - NOTE_RIM).max(least + NOTE_RIM);
            let text = text.centred_at([x, y + HALF_DIGIT * NOTE_SIZE]);
            let is_free = self.texts.iter().all(|other| !other.rect.overlaps(&text.rect));
            if place.frame.contains(&text.rect) && is_free {
                self.texts.push(text);
            }
        }
    }

    /// What a panel says where there is nothing to show.
    pub(super) fn set_empty_note(&mut self, panel: &Panel, place: &PanelLayout) {
        if panel.points().next().is_none() && !panel.empty_note.is_empty() {
            let frame = place.frame;
            let middle = [0.5 * (frame.left + frame.right), 0.5 * (frame.top + frame.bottom)];
            let text = Text::new(&panel.empty_note, NOTE_SIZE, TextRole::Note).fit_into(frame.width());
            self.texts.push(text.centred_at(middle));
        }
    }
}

/// The arrowhead of a spike at the upper or lower edge of a frame.
pub(in super::super) fn spike_box(panel: &PanelLayout, x: f64, value: f64) -> Rect {
    let frame = panel.frame;
    let x = frame.left + panel.x.fraction(x).clamp(0.0, 1.0) * frame.width();
    let top = if value >= 0.0 { frame.top + SPIKE_INSET } else { frame.bottom - SPIKE_INSET - SPIKE_LENGTH };
    Rect { left: x - SPIKE_HALF_WIDTH, right: x + SPIKE_HALF_WIDTH, top, bottom: top + SPIKE_LENGTH }
}

/// Space that a panel needs left of its frame: heading, the widest tick label, gaps.
pub(super) fn space_left_of(panel: &PanelLayout) -> f64 {
    let widths = panel.y.labels().map(|(_, label)| markup::set(label).width * TICK_SIZE);
    LABEL_SIZE + HEADING_GAP + widths.fold(0.0, f64::max) + TICK_GAP
}

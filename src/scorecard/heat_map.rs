use super::{Score, Scorecard, Verdict};
use crate::plot::{Field, Filling, Matrix, MatrixGroup, palette};

impl Verdict {
    /// How it is drawn: in colours that readers with any of the common colour deficiencies tell apart, and in
    /// shapes that differ without colours.
    fn field(self) -> Field {
        let (colour, filling) = match self {
            Self::Right => (palette::BLUE, Filling::Whole),
            Self::Off => (palette::ORANGE, Filling::Half),
            Self::Wrong => (palette::VERMILLION, Filling::Crossed),
            Self::Refused => (palette::GREY, Filling::Dot),
        };
        Field { colour, filling }
    }
}

/// Phenomena by models: in each cell a field per step, the longest step first.
pub fn heat_map(card: &Scorecard, caption: &str) -> Matrix {
    let steps: Vec<String> = card.steps.iter().map(|step| format!("{step:e}")).collect();
    let mut groups: Vec<MatrixGroup> = Vec::new();
    for (index, phenomenon) in card.phenomena.iter().enumerate() {
        let title = phenomenon.group.title();
        if groups.last().is_none_or(|group| group.title != title) {
            groups.push(MatrixGroup { title: title.to_owned(), rows: Vec::new() });
        }
        let cell = |model: usize| {
            let of_step = |step: usize| Score::field(card.score(index, model, step));
            (0..card.steps.len()).map(of_step).collect()
        };
        if let Some(group) = groups.last_mut() {
            group.rows.push((phenomenon.title.to_owned(), (0..card.models.len()).map(cell).collect()));
        }
    }
    let mut lines = vec![format!("in each cell at steps of {} s, from left to right", steps.join(", "))];
    lines.extend((!caption.is_empty()).then(|| caption.to_owned()));
    Matrix {
        title: "Which model gets which phenomenon right".to_owned(),
        caption: lines,
        columns: card.models.clone(),
        groups,
        legend: Verdict::ALL.iter().map(|verdict| (verdict.field(), verdict.to_string())).collect(),
    }
}

impl Score {
    fn field(&self) -> Field {
        self.verdict.field()
    }
}

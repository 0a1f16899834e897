//! Tables of coloured cells: rows in groups, columns, and in each cell a field per case.

use std::path::Path;

use plotters_backend::DrawingBackend;

use super::{
    backend::{Pixels, Svg},
    canvas::{Canvas, Drawn},
    error::PlotError,
    geometry::Rect,
    markup,
    text::{Text, TextRole},
    theme::{Colour, GRID_WIDTH, INK, NOTE_SIZE, PNG_SCALE, TICK_SIZE, TITLE_SIZE, WHITE, WIDTH},
    write::{encode_png, refused},
};
use crate::atomic_file::write_atomically;

/// Height of a row and of the heading of a group, gap between cells, margin around everything.
const ROW: f64 = 10.5;
const GROUP: f64 = 15.0;
const GAP: f64 = 2.0;
const MARGIN: f64 = 7.0;
/// Size of the labels of rows.
const LABEL: f64 = 8.5;

/// A table of cells.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Matrix {
    /// One line over everything.
    pub title: String,
    /// Lines under the title, in smaller type.
    pub caption: Vec<String>,
    /// Headings of the columns; a column without one is a gap.
    pub columns: Vec<String>,
    /// The rows.
    pub groups: Vec<MatrixGroup>,
    /// What the fields mean.
    pub legend: Vec<(Field, String)>,
}

/// Rows under a heading.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MatrixGroup {
    /// The heading.
    pub title: String,
    /// The rows: a label each, and the fields of every column's cell from left to right.
    pub rows: Vec<(String, Vec<Vec<Field>>)>,
}

/// A field of a cell. Fields differ in shape as well as in colour, for readers without colours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Field {
    /// Colour of the field.
    pub colour: Colour,
    /// How it is filled.
    pub filling: Filling,
}

/// How a field is filled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filling {
    /// Wholly.
    Whole,
    /// Its lower half.
    Half,
    /// Wholly, and crossed out.
    Crossed,
    /// A dot in its middle.
    Dot,
}

/// A matrix with everything in its place.
struct Placed {
    height: f64,
    texts: Vec<Text>,
    fields: Vec<(Rect, Field)>,
    rules: Vec<[[f64; 2]; 2]>,
}

impl Matrix {
    /// The picture as an SVG document.
    ///
    /// # Errors
    /// [`PlotError::Draw`] if a shape cannot be drawn.
    pub fn to_svg(&self) -> Result<String, PlotError> {
        let placed = self.place();
        let mut svg = Svg::new(WIDTH, placed.height, None, &markup::plain(&self.title));
        placed.draw(&mut svg).map_err(refused)?;
        Ok(svg.finish())
    }

    /// Writes the picture as PNG, 1440 pixels wide.
    ///
    /// # Errors
    /// [`PlotError`] if the file cannot be written, or the picture is too large to draw.
    pub fn write_png(&self, path: &Path) -> Result<(), PlotError> {
        let placed = self.place();
        let [width, height] = [WIDTH, placed.height].map(|length| (length * PNG_SCALE).round() as u32);
        let mut pixels = Pixels::new(width, height).ok_or(PlotError::TooLarge { width, height })?;
        placed.draw(&mut pixels).map_err(refused)?;
        Ok(write_atomically(path, |out| encode_png(&pixels, out))?)
    }

    fn place(&self) -> Placed {
        let (mut texts, mut fields, mut rules) = (Vec::new(), Vec::new(), Vec::new());
        let mut y = MARGIN + TITLE_SIZE;
        texts.push(
            Text::new(&self.title, TITLE_SIZE, TextRole::Title)
                .fit_into(WIDTH - 2.0 * MARGIN)
                .at([MARGIN, y]),
        );
        for line in &self.caption {
            y += 1.25 * NOTE_SIZE;
            let text = Text::new(line, NOTE_SIZE, TextRole::Caption);
            texts.push(text.fit_into(WIDTH - 2.0 * MARGIN).at([MARGIN, y]));
        }
        y += 0.7 * NOTE_SIZE;
        let mut x = MARGIN;
        for (field, label) in &self.legend {
            fields.push((Rect { left: x, top: y, right: x + 9.0, bottom: y + 8.0 }, *field));
            let text = Text::new(label, NOTE_SIZE, TextRole::Legend).at([x + 12.0, y + 7.5]);
            x = text.rect.right + 12.0;
            texts.push(text);
        }
        y += 8.0 + NOTE_SIZE;

        let labels = self
            .groups
            .iter()
            .flat_map(|group| &group.rows)
            .map(|(label, _)| Text::new(label, LABEL, TextRole::Tick).width());
        let left = MARGIN + labels.fold(0.0, f64::max) + 6.0;
        let gaps = self.columns.iter().filter(|column| column.is_empty()).count() as f64;
        let count = self.columns.len() as f64 - 0.6 * gaps;
        let pitch = (WIDTH - MARGIN - left) / count.max(1.0);
        let mut starts = Vec::new();
        let mut start = left;
        for column in &self.columns {
            starts.push(start);
            start += if column.is_empty() { 0.4 * pitch } else { pitch };
        }
        let headings: Vec<_> =
            self.columns.iter().map(|column| Text::new(column, TICK_SIZE, TextRole::Heading)).collect();
        // Side by side where there is room, upwards otherwise.
        let upright = headings.iter().any(|heading| heading.width() > pitch - 1.0);
        let tallest = headings.iter().map(Text::width).fold(0.0, f64::max);
        y += if upright { tallest } else { TICK_SIZE };
        for (heading, start) in headings.into_iter().zip(&starts) {
            let middle = start + 0.5 * (pitch - GAP);
            texts.push(if upright {
                heading.turned().at([middle + 0.35 * TICK_SIZE, y])
            } else {
                heading.centred_at([middle, y])
            });
        }
        y += 3.0;
        for group in &self.groups {
            rules.push([[MARGIN, y + 3.0], [WIDTH - MARGIN, y + 3.0]]);
            y += GROUP;
            texts.push(Text::new(&group.title, TICK_SIZE, TextRole::Heading).at([MARGIN, y - 1.0]));
            y += 2.0;
            for (label, cells) in &group.rows {
                let baseline = y + 0.5 * ROW + 0.33 * LABEL;
                texts.push(Text::new(label, LABEL, TextRole::Tick).ending_at([left - 4.0, baseline]));
                for (cell, start) in cells.iter().zip(&starts) {
                    let width = (pitch - GAP) / cell.len().max(1) as f64;
                    for (index, field) in cell.iter().enumerate() {
                        let from = start + width * index as f64;
                        let rect = Rect {
                            left: from,
                            top: y + 0.6,
                            right: from + width - 0.6,
                            bottom: y + ROW - 0.6,
                        };
                        fields.push((rect, *field));
                    }
                }
                y += ROW;
            }
        }
        Placed { height: y + MARGIN, texts, fields, rules }
    }
}

impl Placed {
    fn draw<B: DrawingBackend>(&self, backend: &mut B) -> Drawn<B> {
        let canvas = &mut Canvas::new(backend, WIDTH);
        for rule in &self.rules {
            canvas.line(rule, GRID_WIDTH, &[], INK)?;
        }
        for (rect, Field { colour, filling }) in &self.fields {
            match filling {
                Filling::Whole => canvas.fill(&rect.corners(), *colour)?,
                Filling::Half => {
                    let half = Rect { top: 0.5 * (rect.top + rect.bottom), ..*rect };
                    canvas.fill(&half.corners(), *colour)?;
                }
                Filling::Crossed => {
                    canvas.fill(&rect.corners(), *colour)?;
                    let [upper_left, upper_right, lower_right, lower_left] = rect.corners();
                    canvas.line(&[upper_left, lower_right], 0.8, &[], WHITE)?;
                    canvas.line(&[upper_right, lower_left], 0.8, &[], WHITE)?;
                }
                Filling::Dot => {
                    let [x, y] = [0.5 * (rect.left + rect.right), 0.5 * (rect.top + rect.bottom)];
                    let dot = Rect { left: x - 1.0, right: x + 1.0, top: y - 1.0, bottom: y + 1.0 };
                    canvas.fill(&dot.corners(), *colour)?;
                }
            }
        }
        self.texts.iter().try_for_each(|text| canvas.text(text, INK))
    }
}

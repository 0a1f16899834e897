//! Labels with the letters of formulas: `*v*_{*x*} (m/s)` sets v in italics with an index x.

use super::font::{Extent, Face};

/// Size of an index or an exponent over the size of the line.
const SCRIPT_SIZE: f64 = 0.72;
/// How far an index is lowered and an exponent raised, in units of the type size of the line.
const INDEX_DROP: f64 = 0.17;
const EXPONENT_RISE: f64 = 0.36;

/// A stretch of text in one face and size; lengths in units of the type size of the line.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Run {
    pub text: String,
    pub face: Face,
    pub size: f64,
    /// Start along the baseline.
    pub start: f64,
    /// How far above the baseline of the line.
    pub rise: f64,
}

/// A label, set as runs.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Line {
    pub runs: Vec<Run>,
    pub width: f64,
    pub extent: Extent,
}

/// Sets a label: `*...*` italics, `_{...}` index, `^{...}` exponent. An unclosed mark runs to the
/// end of the label.
pub(super) fn set(label: &str) -> Line {
    let mut setter = Setter::default();
    let mut characters = label.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '*' => setter.switch(|state| state.italic = !state.italic),
            '_' | '^' if characters.peek() == Some(&'{') => {
                characters.next();
                let script = if character == '_' { Script::Index } else { Script::Exponent };
                setter.switch(|state| state.script = script);
            }
            '}' if setter.state.script != Script::None => {
                setter.switch(|state| state.script = Script::None);
            }
            _ => setter.text.push(character),
        }
    }
    setter.finish()
}

/// The label without its marks, as a reader would say it.
pub(crate) fn plain(label: &str) -> String {
    set(label).runs.into_iter().map(|run| run.text).collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
enum Script {
    #[default]
    None,
    Index,
    Exponent,
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Setting {
    italic: bool,
    script: Script,
}

#[derive(Default)]
struct Setter {
    runs: Vec<Run>,
    text: String,
    state: Setting,
    pen: f64,
}

impl Setter {
    fn switch(&mut self, change: impl FnOnce(&mut Setting)) {
        self.flush();
        change(&mut self.state);
    }

    fn flush(&mut self) {
        if self.text.is_empty() {
            return;
        }
        let face = if self.state.italic { Face::Italic } else { Face::Upright };
        let (size, rise) = match self.state.script {
            Script::None => (1.0, 0.0),
            Script::Index => (SCRIPT_SIZE, -INDEX_DROP),
            Script::Exponent => (SCRIPT_SIZE, EXPONENT_RISE),
        };
        let text = std::mem::take(&mut self.text);
        let width = face.width(&text) * size;
        self.runs.push(Run { text, face, size, start: self.pen, rise });
        self.pen += width;
    }

    fn finish(mut self) -> Line {
        self.flush();
        let mut extent = Extent { above: 0.0, below: 0.0 };
        for run in &self.runs {
            let ink = run.face.extent(&run.text);
            extent.above = extent.above.max(ink.above * run.size + run.rise);
            extent.below = extent.below.max(ink.below * run.size - run.rise);
        }
        Line { runs: self.runs, width: self.pen, extent }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_is_smaller_and_lower() {
        let line = set("*v*_{*x*} (m/s)");
        let texts: Vec<_> = line.runs.iter().map(|run| run.text.as_str()).collect();
        assert_eq!(texts, ["v", "x", " (m/s)"]);
        assert_eq!(line.runs[0].face, Face::Italic);
        assert!(line.runs[1].rise < 0.0 && line.runs[1].size < 1.0);
        assert_eq!(line.runs[2].face, Face::Upright);
        assert_eq!(plain("10^{−3} m"), "10−3 m");
    }

    #[test]
    fn names_with_underscores_and_braces_stay_as_they_are() {
        assert_eq!(plain("max_error {a}"), "max_error {a}");
    }
}

//! What the files of results hold, and what the words of printed tables say: every column, key and figure of merit with its
//! unit and its meaning.

mod documents;
mod figures;
mod tables;
mod words;

use std::fmt::Write as _;

use self::{
    documents::documents,
    figures::{figures, metrics_table},
    tables::tables,
    words::WORDS,
};

/// A file of results.
pub struct ResultFile {
    /// Its name; a word in capitals in it stands for any text.
    pub name: &'static str,
    /// The command that writes it.
    pub command: &'static str,
    /// What it is made of.
    pub holds: Holds,
    /// Its columns or keys, some of which are there only where they mean something.
    pub columns: Vec<Column>,
}

/// What a file of results is made of.
pub enum Holds {
    /// Rows of a table, each of which is this.
    Rows(&'static str),
    /// Keys of a JSON object.
    Keys,
}

/// A column or a key, or several that belong together.
pub struct Column {
    /// The names, in the plane and in space; a word in capitals in one stands for any text.
    pub names: Vec<String>,
    /// The unit; empty for words and pure numbers.
    pub unit: &'static str,
    /// What it says.
    pub meaning: &'static str,
}

fn column(names: &[&str], unit: &'static str, meaning: &'static str) -> Column {
    Column { names: names.iter().map(|&name| name.to_owned()).collect(), unit, meaning }
}

impl ResultFile {
    fn table(name: &'static str, command: &'static str, row: &'static str, columns: Vec<Column>) -> Self {
        Self { name, command, holds: Holds::Rows(row), columns }
    }

    fn document(name: &'static str, command: &'static str, columns: Vec<Column>) -> Self {
        Self { name, command, holds: Holds::Keys, columns }
    }

    /// Whether it has a column or key of that name.
    pub fn documents(&self, name: &str) -> bool {
        self.columns.iter().flat_map(|column| &column.names).any(|known| stands_for(known, name))
    }

    /// Whether a file of that name is one of these.
    pub fn is_called(&self, name: &str) -> bool {
        stands_for(self.name, name)
    }
}

/// All files, in the order of the commands, tables first.
pub fn files() -> Vec<ResultFile> {
    let mut files = tables();
    files.push(metrics_table());
    files.extend(documents());
    files
}

/// Whether a name is one that the pattern stands for: a word in capitals in it is any text, though never all of it.
fn stands_for(pattern: &str, name: &str) -> bool {
    let Some(start) = pattern.find(|letter: char| letter.is_ascii_uppercase()) else {
        return pattern == name;
    };
    let (before, rest) = pattern.split_at(start);
    let after = rest.trim_start_matches(|letter: char| letter.is_ascii_uppercase());
    let Some(left) = name.strip_prefix(before) else { return false };
    if left.is_empty() || (before.is_empty() && after.is_empty()) {
        return false;
    }
    let mut ends = left.char_indices().skip(1).map(|(place, _)| place).chain([left.len()]);
    ends.any(|end| if after.is_empty() { end == left.len() } else { stands_for(after, &left[end..]) })
}

/// All that is known of a file, a column, a key, a figure of merit or a printed word of exactly that name; none if there is
/// none.
pub(crate) fn explain(subject: &str) -> Option<String> {
    told(subject, |known, asked| known == asked)
}

/// The same of names that stand for others, as `BODY.x` for those of all bodies.
pub(crate) fn explain_like(subject: &str) -> Option<String> {
    told(subject, stands_for)
}

fn told(subject: &str, is: impl Fn(&str, &str) -> bool) -> Option<String> {
    let mut text = String::new();
    for file in files() {
        if is(file.name, subject) {
            write_file(&file, &mut text);
        }
        for column in file.columns.iter().filter(|column| column.names.iter().any(|name| is(name, subject))) {
            // What every summary says would be said of it once for every command.
            let of = format!("{} of {}", file.name, file.command);
            let _ = writeln!(text, "{subject} in {of}: {}{}", column.meaning, in_unit(column.unit));
        }
    }
    let word = subject.to_lowercase();
    for figure in figures() {
        if figure.is(subject) {
            let _ = writeln!(
                text,
                "{subject}, a figure of {}: {}{}",
                figure.place,
                figure.meaning,
                in_unit(figure.unit)
            );
        } else if figure.is_called(&word) {
            let _ = writeln!(
                text,
                "{word}, which files call {}: {}{}",
                figure.key,
                figure.meaning,
                in_unit(figure.unit)
            );
        }
    }
    for known in WORDS.iter().filter(|known| known.word == word) {
        let _ = writeln!(text, "{word}, printed by {}: {}", known.commands, known.meaning);
    }
    (!text.is_empty()).then_some(text)
}

/// Every name that [`explain`] knows.
pub(crate) fn names() -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for file in files() {
        names.push(file.name.to_owned());
        names.extend(file.columns.into_iter().flat_map(|column| column.names));
    }
    for figure in figures() {
        names.push(figure.key.to_owned());
        names.extend(figure.printed().filter(|label| !label.contains('{')).map(str::to_owned));
    }
    names.extend(WORDS.iter().map(|known| known.word.to_owned()));
    names
}

/// The page of all files, figures and words, in Markdown.
pub fn page() -> String {
    let mut text = String::from(
        "# What the files of results hold\n\nPrinted by `stickslip explain results`. `stickslip explain NAME` tells of one file, \
         column, key, figure or printed word. Columns are there where they mean something; an empty field is a number that is \
         not known. Vectors have `_x, _y, _z` or `x, y, z`, in the plane without y. A word in capitals stands for any name.\n",
    );
    for file in files() {
        let (what, rows) = match file.holds {
            Holds::Rows(row) => ("column", format!(" A row is {row}.")),
            Holds::Keys => ("key", String::new()),
        };
        let _ = write!(text, "\n## {}, by {}\n", file.name, file.command);
        if !rows.is_empty() {
            let _ = write!(text, "\n{}\n", rows.trim_start());
        }
        if !file.columns.is_empty() {
            let _ = write!(text, "\n| {what} | unit | |\n|---|---|---|\n");
        }
        for column in file.columns {
            let names = column.names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            let _ = writeln!(text, "| {names} | {} | {} |", column.unit, column.meaning);
        }
    }
    text += "\n## Figures of merit\n\nUnder `metrics` of `summary.json`, in `metrics.csv` of a comparison, as metrics of a sweep; what \
             has an axis gets `_x` and so on. Printed tables call them as the last column says.\n\n\
             | figure | unit | of | | printed as |\n|---|---|---|---|---|\n";
    for figure in figures() {
        let mut labels: Vec<String> = figure.printed().map(|label| label.replace("{axis}", "x")).collect();
        labels.dedup();
        let (key, unit, place, meaning) = (figure.key, figure.unit, figure.place, figure.meaning);
        let _ = writeln!(text, "| `{key}` | {unit} | {place} | {meaning} | {} |", labels.join(", "));
    }
    text += "\n## Printed words\n\n| word | by | |\n|---|---|---|\n";
    for known in WORDS {
        let _ = writeln!(text, "| {} | {} | {} |", known.word, known.commands, known.meaning);
    }
    text
}

fn write_file(file: &ResultFile, text: &mut String) {
    let rows = match file.holds {
        Holds::Rows(row) => format!(": a row is {row}"),
        Holds::Keys => String::new(),
    };
    let _ = writeln!(text, "{}, by {}{rows}", file.name, file.command);
    for column in &file.columns {
        let _ = writeln!(text, "  {}: {}{}", column.names.join(", "), column.meaning, in_unit(column.unit));
    }
}

fn in_unit(unit: &str) -> String {
    if unit.is_empty() { String::new() } else { format!(" [{unit}]") }
}

#[cfg(test)]
mod tests {
    use super::stands_for;

    #[test]
    fn a_word_in_capitals_stands_for_any_text_but_not_for_all_of_a_name() {
        for (pattern, name) in [
            ("BODY.x", "body-0.x"),
            ("control-N.fx", "control-12.fx"),
            ("miss.BODY.COMPONENT", "miss.box.vx"),
            ("FIGURE-data.csv", "path-data.csv"),
            ("gap", "gap"),
        ] {
            assert!(stands_for(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [
            ("BODY.x", ".x"),
            ("BODY.x", "x"),
            ("KEY", "anything"),
            ("gap", "gap_end"),
            ("control-N.fx", "control-.fx"),
        ] {
            assert!(!stands_for(pattern, name), "{pattern} {name}");
        }
    }
}

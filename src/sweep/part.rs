//! A part: a file of finished rows that tells by itself whether it is whole, and of which sweep.
//!
//! It is a CSV file between two lines that begin with `#`. The first one names the sweep, the
//! version and the shard; the last one counts the rows and has the checksum of everything before it.

use super::{Identity, Row, plan::Shard, store::csv_line};

const HEAD: &str = "# stickslip sweep ";
const FOOT: &str = "# rows ";

/// The rows of one part.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// The sweep.
    pub sweep: String,
    /// The version that wrote it.
    pub version: String,
    /// The rows.
    pub rows: Vec<Row>,
}

/// Why the text of a part is not what was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// The last line is not that of a part.
    #[error("it is cut: its last line is missing")]
    Cut,
    /// The checksum is another one.
    #[error("its checksum does not match: bytes were changed")]
    Changed,
    /// The checksum is right and the text is still none.
    #[error("it is not a part of a sweep")]
    Foreign,
}

impl Part {
    /// The text of a part with these rows, sorted by their numbers.
    pub fn text(sweep: &Identity, shard: Shard, columns: &[String], rows: &[Row]) -> String {
        let mut body = format!("{HEAD}{} version {} shard {shard}\n", sweep.as_str(), Identity::VERSION);
        body.push_str(&csv_line(columns));
        rows.iter().for_each(|row| body.push_str(&csv_line(&row.cells())));
        let checksum = Identity::of_text(&body);
        format!("{body}{FOOT}{} checksum {}\n", rows.len(), checksum.as_str())
    }

    /// Reads the text of a part of a sweep over `keys` keys.
    ///
    /// # Errors
    /// [`Damage`] if it is not as it was written.
    pub fn parse(text: &str, keys: usize) -> Result<Self, Damage> {
        let foot = text
            .strip_suffix('\n')
            .and_then(|text| text.rfind('\n'))
            .map(|end| end + 1)
            .ok_or(Damage::Cut)?;
        let (body, last) = text.split_at(foot);
        let (count, checksum) = last
            .trim_end()
            .strip_prefix(FOOT)
            .and_then(|rest| rest.split_once(" checksum "))
            .ok_or(Damage::Cut)?;
        if checksum != Identity::of_text(body).as_str() {
            return Err(Damage::Changed);
        }
        let (head, table) = body.split_once('\n').ok_or(Damage::Foreign)?;
        let (sweep, rest) =
            head.strip_prefix(HEAD).and_then(|rest| rest.split_once(" version ")).ok_or(Damage::Foreign)?;
        let (version, _) = rest.split_once(" shard ").ok_or(Damage::Foreign)?;
        let rows: Option<Vec<Row>> = csv::Reader::from_reader(table.as_bytes())
            .records()
            .map(|record| Row::of_cells(&record.ok()?.iter().collect::<Vec<_>>(), keys))
            .collect();
        let rows = rows.filter(|rows| count.parse() == Ok(rows.len())).ok_or(Damage::Foreign)?;
        Ok(Self { sweep: sweep.to_owned(), version: version.to_owned(), rows })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::RunStatus;

    fn row(number: u64) -> Row {
        Row {
            number,
            id: "ab".into(),
            stepper: "nlp".into(),
            values: vec!["[1.0, 2.0]".into()],
            metrics: vec!["0.25".into(), String::new()],
            status: RunStatus::Failed,
            reason: "step 3: \"no\",\nnone".into(),
            seconds: 0.5,
            step_microseconds: f64::NAN,
        }
    }

    fn text() -> String {
        let columns = Row::columns(["key"].into_iter(), &["a".into(), "b".into()]);
        Part::text(&Identity::of_text("sweep"), Shard { index: 1, count: 3 }, &columns, &[row(1), row(4)])
    }

    #[test]
    fn a_part_reads_back_as_it_was_written() {
        let part = Part::parse(&text(), 1).unwrap();
        assert_eq!(part.sweep, Identity::of_text("sweep").as_str());
        assert_eq!(part.version, Identity::VERSION);
        assert_eq!(part.rows.len(), 2);
        assert_eq!(part.rows[1].cells(), row(4).cells());
    }

    #[test]
    fn every_cut_and_every_changed_byte_is_seen() {
        let text = text();
        for end in 0..text.len() {
            assert!(Part::parse(&text[..end], 1).is_err(), "cut at {end}");
        }
        for place in 0..text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[place] ^= 1;
            if let Ok(changed) = String::from_utf8(bytes) {
                assert!(Part::parse(&changed, 1).is_err(), "changed at {place}");
            }
        }
    }
}

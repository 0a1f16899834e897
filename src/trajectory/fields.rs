use std::io::{self, BufWriter, Write};

use crate::decimal::NumberText;

/// Writes CSV field by field, numbers at full precision, without taking memory.
pub(super) struct Fields<W: Write> {
    out: BufWriter<W>,
    is_first: bool,
    number: NumberText,
    count: itoa::Buffer,
}

impl<W: Write> Fields<W> {
    /// Writes the header.
    pub fn new(header: &[String], out: W) -> io::Result<Self> {
        let out = BufWriter::new(out);
        let mut fields = Self { out, is_first: true, number: NumberText::new(), count: itoa::Buffer::new() };
        header.iter().try_for_each(|name| fields.text(name))?;
        fields.end_row()?;
        Ok(fields)
    }

    /// A text without commas, quotes and ends of lines, or one that is [`quoted`].
    pub fn text(&mut self, text: &str) -> io::Result<()> {
        self.separate()?;
        self.out.write_all(text.as_bytes())
    }

    /// A count; empty where there is none.
    pub fn count(&mut self, count: Option<usize>) -> io::Result<()> {
        self.separate()?;
        count.map_or(Ok(()), |count| self.out.write_all(self.count.format(count).as_bytes()))
    }

    /// A number; empty where there is none.
    pub fn number(&mut self, value: Option<f64>) -> io::Result<()> {
        self.separate()?;
        value.map_or(Ok(()), |value| self.out.write_all(self.number.of(value).as_bytes()))
    }

    pub fn end_row(&mut self) -> io::Result<()> {
        self.is_first = true;
        self.out.write_all(b"\n")
    }

    fn separate(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.is_first) { Ok(()) } else { self.out.write_all(b",") }
    }

    /// The file, to which the last rows may not be written out yet.
    pub fn file(&self) -> &W {
        self.out.get_ref()
    }

    /// Writes out what is still kept back.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// The file with all rows written out.
    pub fn into_file(self) -> io::Result<W> {
        self.out.into_inner().map_err(io::IntoInnerError::into_error)
    }
}

/// A text as a field of CSV: in quotes where it needs them.
pub(super) fn quoted(text: &str) -> String {
    let mut csv = csv::Writer::from_writer(Vec::new());
    // Nothing can go wrong in memory, and quotes change nothing about what is UTF-8.
    let row = csv.write_record([text, ""]).ok().and_then(|()| csv.into_inner().ok());
    let row = row.and_then(|row| String::from_utf8(row).ok()).unwrap_or_default();
    row.strip_suffix(",\n").unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_where_they_would_read_as_something_else() {
        let names = [
            ("", ""),
            ("cube", "cube"),
            ("a b", "a b"),
            ("a,b", "\"a,b\""),
            ("5\"", "\"5\"\"\""),
            ("a\nb", "\"a\nb\""),
        ];
        for (name, text) in names {
            assert_eq!(quoted(name), text);
        }
    }

    #[test]
    fn rows_read_back_as_they_were_written() {
        let mut fields = Fields::new(&["name", "count", "number"].map(str::to_owned), Vec::new()).unwrap();
        fields.text(&quoted("a,\"b\"")).unwrap();
        fields.count(Some(12)).unwrap();
        fields.number(Some(-0.1)).unwrap();
        fields.end_row().unwrap();
        fields.text("").unwrap();
        fields.count(None).unwrap();
        fields.number(None).unwrap();
        fields.end_row().unwrap();
        let file = fields.into_file().unwrap();
        assert_eq!(file, b"name,count,number\n\"a,\"\"b\"\"\",12,-0.1\n,,\n");
        let rows = csv::Reader::from_reader(file.as_slice()).into_records().map(Result::unwrap);
        let rows: Vec<Vec<String>> = rows.map(|row| row.iter().map(str::to_owned).collect()).collect();
        assert_eq!(rows, [["a,\"b\"", "12", "-0.1"], ["", "", ""]]);
    }
}

use std::io::{self, Write};

use super::number::NumberText;

/// Writes CSV field by field, numbers at full precision, without taking memory.
pub(super) struct Fields<W: Write> {
    csv: csv::Writer<W>,
    number: NumberText,
    count: itoa::Buffer,
}

impl<W: Write> Fields<W> {
    /// Writes the header.
    pub fn new(header: &[String], out: W) -> io::Result<Self> {
        let mut csv = csv::WriterBuilder::new().flexible(true).from_writer(out);
        csv.write_record(header)?;
        Ok(Self { csv, number: NumberText::new(), count: itoa::Buffer::new() })
    }

    pub fn text(&mut self, text: &str) -> io::Result<()> {
        Ok(self.csv.write_field(text)?)
    }

    /// A count; empty where there is none.
    pub fn count(&mut self, count: Option<usize>) -> io::Result<()> {
        Ok(self.csv.write_field(count.map_or("", |count| self.count.format(count)))?)
    }

    /// A number; empty where there is none.
    pub fn number(&mut self, value: Option<f64>) -> io::Result<()> {
        Ok(self.csv.write_field(value.map_or("", |value| self.number.of(value)))?)
    }

    pub fn end_row(&mut self) -> io::Result<()> {
        Ok(self.csv.write_record(None::<&[u8]>)?)
    }

    /// The file, to which the last rows may not be written out yet.
    pub fn file(&self) -> &W {
        self.csv.get_ref()
    }

    /// Writes out what is still kept back.
    pub fn flush(&mut self) -> io::Result<()> {
        self.csv.flush()
    }

    /// The file with all rows written out.
    pub fn into_file(self) -> io::Result<W> {
        self.csv.into_inner().map_err(csv::IntoInnerError::into_error)
    }
}

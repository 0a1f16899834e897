use std::io::{self, Write};

use super::fields::Fields;

/// Writes a file of CSV as a run goes on; `C` is what its rows are made of.
///
/// Rows are kept back until there are enough of them, or until they are asked for.
pub struct CsvWriter<C, W: Write> {
    pub(super) columns: C,
    pub(super) fields: Fields<W>,
}

impl<C, W: Write> CsvWriter<C, W> {
    /// The file, to which the last rows may not be written out yet.
    pub fn file(&self) -> &W {
        self.fields.file()
    }

    /// Writes out what is still kept back.
    ///
    /// # Errors
    /// Whatever the file answers.
    pub fn flush(&mut self) -> io::Result<()> {
        self.fields.flush()
    }

    /// The file with all rows written out.
    ///
    /// # Errors
    /// Whatever the file answers.
    pub fn into_file(self) -> io::Result<W> {
        self.fields.into_file()
    }
}

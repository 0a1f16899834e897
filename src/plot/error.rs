use crate::atomic_file::WriteError;

/// A picture that could not be made.
#[derive(Debug, thiserror::Error)]
pub enum PlotError {
    /// The file could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The picture has more pixels than fit into memory.
    #[error("a picture of {width} x {height} pixels is too large; draw fewer panels")]
    TooLarge {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
    },
    /// The typeface could not be embedded.
    #[error("cannot embed the typeface in a PDF: {0}")]
    Font(#[from] subsetter::Error),
    /// The drawing library refused a shape or a text.
    #[error("cannot draw: {0}")]
    Draw(String),
}

use std::{convert::Infallible, io, path::Path};

use plotters_backend::DrawingErrorKind;

use super::{
    backend::{Pdf, Pixels, Svg},
    error::PlotError,
    figure::Figure,
    layout::Layout,
    markup,
    print::PrintSize,
    theme::PNG_SCALE,
};
use crate::atomic_file::write_atomically;

impl Figure {
    /// Writes the picture as SVG. Text is drawn as outlines, so that it looks the same in every
    /// viewer and needs no font.
    ///
    /// # Errors
    /// [`PlotError`] if the file cannot be written.
    pub fn write_svg(&self, path: &Path) -> Result<(), PlotError> {
        let text = self.to_svg()?;
        Ok(write_atomically(path, |out| out.write_all(text.as_bytes()))?)
    }

    /// Writes the picture as PDF: one page of its size in print, with text that can be searched and the glyphs
    /// that it takes.
    ///
    /// # Errors
    /// [`PlotError`] if the file cannot be written.
    pub fn write_pdf(&self, path: &Path) -> Result<(), PlotError> {
        let bytes = self.to_pdf()?;
        Ok(write_atomically(path, |out| out.write_all(&bytes))?)
    }

    /// The picture as a PDF document.
    ///
    /// # Errors
    /// [`PlotError`] if a shape cannot be drawn or the typeface not be embedded.
    pub fn to_pdf(&self) -> Result<Vec<u8>, PlotError> {
        let layout = self.layout();
        let unit = self.print.unit();
        let mut pdf = Pdf::new(layout.width, layout.height, unit, &markup::plain(&self.title));
        self.draw_as(&layout, &mut pdf).map_err(refused)?;
        Ok(pdf.finish()?)
    }

    /// Writes the picture as PNG, 1440 pixels wide in its usual size.
    ///
    /// # Errors
    /// [`PlotError`] if the file cannot be written, or the picture is too large to draw.
    pub fn write_png(&self, path: &Path) -> Result<(), PlotError> {
        let pixels = self.to_pixels(&self.layout(), PNG_SCALE)?;
        Ok(write_atomically(path, |out| encode_png(&pixels, out))?)
    }

    /// The picture as an SVG document.
    ///
    /// # Errors
    /// [`PlotError::Draw`] if a shape cannot be drawn.
    pub fn to_svg(&self) -> Result<String, PlotError> {
        let layout = self.layout();
        // In its usual size it may be as large as a page makes it.
        let unit = (self.print != PrintSize::default()).then(|| self.print.unit_in_mm());
        let mut svg = Svg::new(layout.width, layout.height, unit, &markup::plain(&self.title));
        self.draw_as(&layout, &mut svg).map_err(refused)?;
        Ok(svg.finish())
    }

    pub(super) fn to_pixels(&self, layout: &Layout, scale: f64) -> Result<Pixels, PlotError> {
        let width = (layout.width * scale).round() as u32;
        let height = (layout.height * scale).round() as u32;
        let mut pixels = Pixels::new(width, height).ok_or(PlotError::TooLarge { width, height })?;
        self.draw_as(layout, &mut pixels).map_err(refused)?;
        Ok(pixels)
    }
}

/// What is left of a drawing error where the backend itself has none.
pub(super) fn refused(error: DrawingErrorKind<Infallible>) -> PlotError {
    PlotError::Draw(error.to_string())
}

pub(super) fn encode_png(pixels: &Pixels, out: impl io::Write) -> io::Result<()> {
    let (width, height) = pixels.dimensions();
    let mut encoder = png::Encoder::new(out, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    let data: Vec<u8> = pixels.rgb().flatten().collect();
    let mut writer = encoder.write_header().map_err(io::Error::other)?;
    writer.write_image_data(&data).map_err(io::Error::other)?;
    writer.finish().map_err(io::Error::other)
}

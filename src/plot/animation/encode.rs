use std::{
    borrow::Cow,
    io::{self, Write},
};

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};

use super::{super::theme::Colour, timing::Timing};

/// A frame as indices into the palette, row by row.
pub(super) type Indexed = Vec<u8>;

/// Writes the frames, of each only the rectangle that differs from the one before, and in that
/// rectangle only the pixels that differ.
pub(super) fn write_gif(
    out: &mut dyn Write,
    (width, height): (u32, u32),
    palette: &[Colour],
    frames: &[Indexed],
    timing: &Timing,
) -> io::Result<()> {
    let side = |length: u32| u16::try_from(length).map_err(io::Error::other);
    let size = (side(width)?, side(height)?);
    let colours: Vec<u8> = palette.iter().flat_map(|&(red, green, blue)| [red, green, blue]).collect();
    // The palette leaves the last index free.
    let unchanged = u8::MAX;
    let mut encoder = Encoder::new(out, size.0, size.1, &padded(colours)).map_err(failed)?;
    encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
    let mut previous: Option<&Indexed> = None;
    for (index, pixels) in frames.iter().enumerate() {
        let mut frame = match previous {
            None => {
                Frame { width: size.0, height: size.1, buffer: Cow::Borrowed(pixels), ..Frame::default() }
            }
            Some(previous) => difference(previous, pixels, usize::from(size.0), unchanged),
        };
        frame.delay = timing.delay(index);
        frame.dispose = DisposalMethod::Keep;
        encoder.write_frame(&frame).map_err(failed)?;
        previous = Some(pixels);
    }
    Ok(())
}

/// A table of 256 colours, black after the last.
fn padded(mut colours: Vec<u8>) -> Vec<u8> {
    colours.resize(3 * 256, 0);
    colours
}

fn failed(error: EncodingError) -> io::Error {
    match error {
        EncodingError::Io(error) => error,
        other => io::Error::other(other),
    }
}

/// The smallest rectangle around the pixels that differ; a single pixel if none does.
fn difference(previous: &[u8], current: &[u8], width: usize, unchanged: u8) -> Frame<'static> {
    let rows = previous.chunks_exact(width).zip(current.chunks_exact(width));
    let mut rows_changed = rows.clone().enumerate().filter(|(_, (a, b))| a != b).map(|(row, _)| row);
    let top = rows_changed.next().unwrap_or(0);
    let bottom = rows_changed.next_back().unwrap_or(top);
    let (mut left, mut right) = (width - 1, 0);
    for (before, after) in rows.clone().skip(top).take(bottom + 1 - top) {
        let mut differs = before.iter().zip(after).map(|(a, b)| a != b);
        left = left.min(differs.clone().position(|differs| differs).unwrap_or(left));
        right = right.max(differs.rposition(|differs| differs).unwrap_or(0));
    }
    let left = left.min(right);
    let mut buffer = Vec::with_capacity((right + 1 - left) * (bottom + 1 - top));
    for (before, after) in rows.skip(top).take(bottom + 1 - top) {
        let pairs = before[left..=right].iter().zip(&after[left..=right]);
        buffer.extend(pairs.map(|(a, b)| if a == b { unchanged } else { *b }));
    }
    // All of these are smaller than the picture, whose sides are known to fit.
    Frame {
        left: left as u16,
        top: top as u16,
        width: (right + 1 - left) as u16,
        height: (bottom + 1 - top) as u16,
        transparent: Some(unchanged),
        buffer: Cow::Owned(buffer),
        ..Frame::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_holds_only_what_changed() {
        let before = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        let mut after = before;
        after[5] = 7;
        after[10] = 8;
        let frame = difference(&before, &after, 4, 255);
        assert_eq!((frame.left, frame.top, frame.width, frame.height), (1, 1, 2, 2));
        assert_eq!(*frame.buffer, [7, 255, 255, 8]);
    }

    #[test]
    fn a_frame_without_change_is_one_pixel() {
        let frame = difference(&[3; 6], &[3; 6], 3, 255);
        assert_eq!((frame.width, frame.height, &*frame.buffer), (1, 1, &[255][..]));
    }
}

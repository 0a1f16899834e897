use std::convert::Infallible;

use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

/// What a kind of picture is made of: strokes, fillings and texts, which cannot fail.
pub trait Ink {
    /// Width and height in backend coordinates.
    fn size(&self) -> (u32, u32);

    /// Draws a line through the points, back to the first if it is closed.
    fn stroke(
        &mut self,
        style: &impl BackendStyle,
        points: impl IntoIterator<Item = BackendCoord>,
        is_closed: bool,
    );

    /// Fills the polygon with these corners.
    fn fill(&mut self, color: BackendColor, corners: impl IntoIterator<Item = BackendCoord>);

    /// Draws a circle, filled or as a line.
    fn circle(&mut self, centre: BackendCoord, radius: u32, style: &impl BackendStyle, is_filled: bool);

    /// Writes a text.
    fn write(&mut self, text: &str, style: &impl BackendTextStyle, position: BackendCoord);
}

/// A picture that plotters draws with some [`Ink`].
#[derive(Clone)]
pub struct Sheet<I>(pub(super) I);

impl<T: Ink> DrawingBackend for Sheet<T> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.0.size()
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, color: BackendColor) -> Drawn {
        self.0.fill(color, [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]);
        Ok(())
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Drawn {
        self.draw_path([from, to], style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        (left, top): BackendCoord,
        (right, bottom): BackendCoord,
        style: &S,
        is_filled: bool,
    ) -> Drawn {
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
        if is_filled {
            self.0.fill(style.color(), corners);
        } else {
            self.0.stroke(style, corners, true);
        }
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        self.0.stroke(style, path, false);
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        centre: BackendCoord,
        radius: u32,
        style: &S,
        is_filled: bool,
    ) -> Drawn {
        self.0.circle(centre, radius, style, is_filled);
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        vertices: I,
        style: &S,
    ) -> Drawn {
        self.0.fill(style.color(), vertices);
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, position: BackendCoord) -> Drawn {
        self.0.write(text, style, position);
        Ok(())
    }
}

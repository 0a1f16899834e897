use std::fmt::Write as _;

use plotters_backend::BackendCoord;

/// Path data of an SVG in the making, in whole numbers: starts are absolute, steps relative, and a command is said again
/// only where it changes. Curves of letters are most of a figure, and half as long this way.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct PathData {
    text: String,
    at: BackendCoord,
    /// The command that the next numbers would belong to.
    command: Option<char>,
}

impl PathData {
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    pub(super) fn move_to(&mut self, to: BackendCoord) {
        // Writing to a string cannot fail.
        let _ = write!(self.text, "M{} {}", to.0, to.1);
        self.at = to;
        self.command = None;
    }

    /// A straight line; nothing where it has no length.
    pub(super) fn line_to(&mut self, to: BackendCoord) {
        match (to.0 - self.at.0, to.1 - self.at.1) {
            (0, 0) => {}
            (dx, 0) => self.add('h', &[dx]),
            (0, dy) => self.add('v', &[dy]),
            (dx, dy) => self.add('l', &[dx, dy]),
        }
        self.at = to;
    }

    /// A curve of second or third order: control points, then its end.
    pub(super) fn curve_to<const N: usize>(&mut self, points: [BackendCoord; N]) {
        let from = self.at;
        let steps = points.map(|(x, y)| [x - from.0, y - from.1]);
        self.add(if N == 2 { 'q' } else { 'c' }, steps.as_flattened());
        self.at = points[N - 1];
    }

    pub(super) fn close(&mut self) {
        self.text.push('z');
        self.command = None;
    }

    /// A line through points, closed or not; a dot where it has no length.
    pub(super) fn polyline(&mut self, points: impl IntoIterator<Item = BackendCoord>, is_closed: bool) {
        let mut points = points.into_iter();
        let Some(first) = points.next() else { return };
        self.move_to(first);
        points.for_each(|point| self.line_to(point));
        if self.command.is_none() {
            self.add('h', &[0]);
        }
        if is_closed {
            self.close();
        }
    }

    fn add(&mut self, command: char, numbers: &[i32]) {
        let mut is_separate = self.command != Some(command);
        if is_separate {
            self.text.push(command);
            self.command = Some(command);
        }
        for &number in numbers {
            if !is_separate && number >= 0 {
                self.text.push(' ');
            }
            is_separate = false;
            let _ = write!(self.text, "{number}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::PathData;

    fn written(draw: impl FnOnce(&mut PathData)) -> String {
        let mut data = PathData::default();
        draw(&mut data);
        data.as_str().to_owned()
    }

    #[test]
    fn a_polyline_starts_where_it_is_and_goes_on_by_steps() {
        let corners = [(10, 20), (13, 20), (13, 20), (13, 15), (20, 30), (18, 29), (18, 29)];
        assert_eq!(written(|data| data.polyline(corners, false)), "M10 20h3v-5l7 15-2-1");
        assert_eq!(written(|data| data.polyline([(1, 2), (4, 6), (1, 6)], true)), "M1 2l3 4h-3z");
        assert_eq!(written(|data| data.polyline([(5, 5), (5, 5)], false)), "M5 5h0");
        assert_eq!(written(|data| data.polyline([], true)), "");
    }

    #[test]
    fn curves_are_relative_to_their_start_and_name_their_command_once() {
        let two = written(|data| {
            data.move_to((100, 100));
            data.curve_to([(110, 100), (110, 90)]);
            data.curve_to([(110, 80), (100, 80)]);
            data.close();
        });
        assert_eq!(two, "M100 100q10 0 10-10 0-10-10-10z");
        let cubic = written(|data| {
            data.move_to((0, 0));
            data.curve_to([(1, 2), (3, 4), (5, 6)]);
            data.line_to((5, 9));
        });
        assert_eq!(cubic, "M0 0c1 2 3 4 5 6v3");
    }
}

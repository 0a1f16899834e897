use super::{super::geometry::Point, DISTANCE, piece::Piece};

/// Side of a cell.
const SIDE: f64 = 2.0;

/// Which pieces are near a point: squares of a grid with the pieces in each.
pub(super) struct Cells {
    corner: Point,
    columns: usize,
    pieces: Vec<Vec<usize>>,
}

impl Cells {
    pub(super) fn of(pieces: &[Piece]) -> Self {
        let points = || pieces.iter().flat_map(|piece| [piece.from, piece.to]);
        let corner = [0, 1].map(|axis| points().map(|point| point[axis]).fold(f64::INFINITY, f64::min));
        let cell = |point: Point| [0, 1].map(|axis| ((point[axis] - corner[axis]) / SIDE).max(0.0) as usize);
        let size = points()
            .map(cell)
            .fold([0, 0], |size, cell| [size[0].max(cell[0] + 1), size[1].max(cell[1] + 1)]);
        let mut cells = Self { corner, columns: size[0], pieces: vec![Vec::new(); size[0] * size[1]] };
        for (index, piece) in pieces.iter().enumerate() {
            let low = [0, 1].map(|axis| piece.from[axis].min(piece.to[axis]));
            let high = [0, 1].map(|axis| piece.from[axis].max(piece.to[axis]));
            for cell in cells.within(low, high) {
                cells.pieces[cell].push(index);
            }
        }
        cells
    }

    /// The numbers of all pieces within the distance of a point, some of them twice, and of others.
    pub(super) fn around(&self, [x, y]: Point) -> impl Iterator<Item = usize> {
        let cells = self.within([x - DISTANCE, y - DISTANCE], [x + DISTANCE, y + DISTANCE]);
        cells.flat_map(|cell| self.pieces[cell].iter().copied())
    }

    /// The cells that a rectangle has a part in.
    fn within(&self, low: Point, high: Point) -> impl Iterator<Item = usize> + use<> {
        let columns = self.columns;
        let rows = self.pieces.len() / columns.max(1);
        let [from, to] = [low, high]
            .map(|point| [0, 1].map(|axis| ((point[axis] - self.corner[axis]) / SIDE).max(0.0) as usize));
        let last = [columns, rows].map(|count| count.saturating_sub(1));
        (from[1]..=to[1].min(last[1]))
            .flat_map(move |row| (from[0]..=to[0].min(last[0])).map(move |column| row * columns + column))
    }
}

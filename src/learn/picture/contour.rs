use crate::plot::Point;

/// The lines at which a function of two variables has the value `level`, as pieces with gaps
/// between them.
///
/// `values[row][column]` is the function at `(xs[column], ys[row])`. In every cell of the grid the
/// line joins the points of its edges at which linear interpolation gives the level (marching
/// squares); cells with a corner that is not finite have none.
pub fn contour(xs: &[f64], ys: &[f64], values: &[Vec<f64>], level: f64) -> Vec<Point> {
    let mut line = Vec::new();
    for (row, pair) in ys.windows(2).enumerate() {
        for (column, edge) in xs.windows(2).enumerate() {
            let corners = [
                ([edge[0], pair[0]], values[row][column]),
                ([edge[1], pair[0]], values[row][column + 1]),
                ([edge[1], pair[1]], values[row + 1][column + 1]),
                ([edge[0], pair[1]], values[row + 1][column]),
            ];
            if corners.iter().all(|(_, value)| value.is_finite()) {
                let crossings: Vec<Point> =
                    (0..4).filter_map(|k| crossing(corners[k], corners[(k + 1) % 4], level)).collect();
                // Two, or four in a saddle, where neighbours are joined.
                for piece in crossings.chunks_exact(2) {
                    line.extend([piece[0], piece[1], [f64::NAN, f64::NAN]]);
                }
            }
        }
    }
    line
}

fn crossing((from, low): (Point, f64), (to, high): (Point, f64), level: f64) -> Option<Point> {
    if (low < level) == (high < level) {
        return None;
    }
    let share = (level - low) / (high - low);
    Some([from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_circle_is_found() {
        let grid: Vec<f64> = (-20..=20).map(|k| 0.1 * f64::from(k)).collect();
        let values: Vec<Vec<f64>> =
            grid.iter().map(|y| grid.iter().map(|x| x * x + y * y).collect()).collect();
        let line = contour(&grid, &grid, &values, 1.0);
        let points: Vec<&Point> = line.iter().filter(|point| point[0].is_finite()).collect();
        assert!(points.len() > 80, "{}", points.len());
        assert!(points.iter().all(|[x, y]| (x.hypot(*y) - 1.0).abs() < 2e-3));
    }
}

use super::geometry::Point;

/// Cuts a polyline into dashes of the given lengths, dash and gap by turns, that run through its
/// corners.
pub(super) fn cut(points: &[Point], pattern: &[f64]) -> Vec<Vec<Point>> {
    if pattern.is_empty() || points.len() < 2 {
        return vec![points.to_vec()];
    }
    let mut dashes = Vec::new();
    let mut dash = vec![points[0]];
    let mut turn = 0;
    let mut left = pattern[0];
    for pair in points.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let length = (to[0] - from[0]).hypot(to[1] - from[1]);
        let mut done = 0.0;
        while length - done > left {
            done += left;
            let share = done / length;
            let corner = [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])];
            if turn % 2 == 0 {
                dash.push(corner);
                dashes.push(std::mem::take(&mut dash));
            } else {
                dash = vec![corner];
            }
            turn += 1;
            left = pattern[turn % pattern.len()];
        }
        left -= length - done;
        if turn % 2 == 0 {
            dash.push(to);
        }
    }
    if dash.len() > 1 {
        dashes.push(dash);
    }
    dashes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_go_around_corners() {
        let dashes = cut(&[[0.0, 0.0], [3.0, 0.0], [3.0, 4.0]], &[2.0, 0.5]);
        assert_eq!(dashes[0], [[0.0, 0.0], [2.0, 0.0]]);
        assert_eq!(dashes[1], [[2.5, 0.0], [3.0, 0.0], [3.0, 1.5]]);
        assert_eq!(dashes[2], [[3.0, 2.0], [3.0, 4.0]]);
    }
}

//! Which instants of a motion a page shows.

use std::ops::Range;

/// Some of the instants `t_0 ... t_steps` of a run: the first, the last, and as many between as a page can hold.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Grid {
    /// Indices of states, growing.
    pub indices: Vec<usize>,
}

impl Grid {
    /// About `points` instants of `steps` steps, at equal distances but for the last.
    pub fn new(steps: usize, points: usize) -> Self {
        let stride = steps.div_ceil(points.max(2) - 1).max(1);
        let mut indices: Vec<usize> = (0..=steps).step_by(stride).collect();
        if indices.last() != Some(&steps) {
            indices.push(steps);
        }
        Self { indices }
    }

    /// The instants that a run has which took only `steps` steps.
    pub fn within(&self, steps: usize) -> impl Iterator<Item = usize> {
        self.indices.iter().copied().take_while(move |&index| index <= steps)
    }

    /// The steps between every instant and the next, of a run which took `steps` steps.
    pub fn spans(&self, steps: usize) -> impl Iterator<Item = Range<usize>> {
        self.indices.windows(2).map(|pair| pair[0]..pair[1]).take_while(move |span| span.end <= steps)
    }
}

#[cfg(test)]
mod tests {
    use super::Grid;

    #[test]
    fn the_ends_are_always_there_and_no_more_points_than_asked_for() {
        for (steps, points) in [(1, 2), (7, 3), (1200, 600), (1200, 5000), (100_000, 400)] {
            let grid = Grid::new(steps, points);
            assert_eq!((grid.indices[0], *grid.indices.last().expect("points")), (0, steps));
            assert!(grid.indices.len() <= points.max(2) + 1, "{steps} steps, {points} points");
            assert_eq!(grid.spans(steps).map(|span| span.len()).sum::<usize>(), steps);
        }
    }
}

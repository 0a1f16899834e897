//! Which parts of bodies are near enough to each other to be looked at closely.

use nalgebra::SVector;
use rstar::{
    AABB, RTree,
    primitives::{GeomWithData, Rectangle},
};

use super::BodyPart;

/// Balls from which on a tree finds pairs sooner than looking at all of them.
const TREE_FROM: usize = 48;

/// A ball around all points of a part of a body, and as much more as it may come nearer to others in a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ball<const D: usize> {
    pub centre: SVector<f64, D>,
    pub radius: f64,
    /// The part; two of one body are no pair.
    pub of: BodyPart,
    /// Whether the body stays where it is; two such bodies are no pair.
    pub is_fixed: bool,
}

impl<const D: usize> Ball<D> {
    fn meets(&self, other: &Self) -> bool {
        let apart = (self.centre - other.centre).norm() > self.radius + other.radius;
        !(apart || self.is_fixed && other.is_fixed || self.of.body == other.of.body)
    }

    fn bounds(&self) -> Rectangle<[f64; D]> {
        let corner = |side: f64| self.centre.map(|x| x + side * self.radius).into();
        Rectangle::from_aabb(AABB::from_corners(corner(-1.0), corner(1.0)))
    }
}

/// All pairs of balls of different bodies that overlap, by their places, the smaller number first, in ascending order.
pub(super) fn pairs<const D: usize>(balls: &[Ball<D>]) -> Vec<(usize, usize)> {
    let is_finite = |ball: &Ball<D>| ball.radius.is_finite() && ball.centre.iter().all(|x| x.is_finite());
    if balls.len() < TREE_FROM || !balls.iter().all(is_finite) {
        let later = |first| (first + 1..balls.len()).map(move |second| (first, second));
        let all = (0..balls.len()).flat_map(later);
        return all.filter(|&(first, second)| balls[first].meets(&balls[second])).collect();
    }
    let leaves = balls.iter().enumerate().map(|(place, ball)| GeomWithData::new(ball.bounds(), place));
    let tree = RTree::bulk_load(leaves.collect());
    let mut found: Vec<(usize, usize)> = tree
        .intersection_candidates_with_other_tree(&tree)
        .map(|(first, second)| (first.data, second.data))
        .filter(|&(first, second)| first < second && balls[first].meets(&balls[second]))
        .collect();
    found.sort_unstable();
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn every_pair<const D: usize>(balls: &[Ball<D>]) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        for first in 0..balls.len() {
            for second in first + 1..balls.len() {
                if balls[first].meets(&balls[second]) {
                    found.push((first, second));
                }
            }
        }
        found
    }

    proptest! {
        #[test]
        fn the_tree_finds_the_pairs_that_looking_at_all_finds(
            numbers in prop::collection::vec((-3.0..3.0, -3.0..3.0, -3.0..3.0, 0.0..0.6, any::<bool>()), TREE_FROM..200)
        ) {
            let ball = |(i, &(x, y, z, radius, is_fixed)): (usize, &(f64, f64, f64, f64, bool))| {
                // Two parts a body.
                let of = BodyPart { body: i / 2, part: i % 2 };
                Ball { centre: SVector::<f64, 3>::new(x, y, z), radius, of, is_fixed }
            };
            let balls: Vec<_> = numbers.iter().enumerate().map(ball).collect();
            prop_assert_eq!(pairs(&balls), every_pair(&balls));
        }
    }

    #[test]
    fn balls_that_just_touch_are_a_pair() {
        let ball = |i: usize| Ball {
            centre: SVector::<f64, 2>::new(i as f64, 0.0),
            radius: 0.5,
            of: BodyPart::whole(i),
            is_fixed: false,
        };
        let balls: Vec<_> = (0..2 * TREE_FROM).map(ball).collect();
        let neighbours: Vec<_> = (1..balls.len()).map(|i| (i - 1, i)).collect();
        assert_eq!(pairs(&balls), neighbours);
    }

    #[test]
    fn a_body_that_has_left_all_numbers_stops_nothing() {
        let ball = |i: usize| Ball {
            centre: SVector::<f64, 2>::new(if i == 7 { f64::NAN } else { i as f64 }, 0.0),
            radius: 0.5,
            of: BodyPart::whole(i),
            is_fixed: false,
        };
        let balls: Vec<_> = (0..2 * TREE_FROM).map(ball).collect();
        assert!(pairs(&balls).contains(&(0, 1)));
    }
}

//! Points in the unit cube: random, Latin hypercube, Sobol.

use std::sync::Arc;

use sobol::{Sobol, params::JoeKuoD6};

use super::sample::{Method, Sample};
use crate::random::{Random, below_one, latin_hypercube};

/// Coordinates in `[0, 1)`, a row per point of a sample and a column per key.
#[derive(Debug, Clone, Default)]
pub struct Design {
    columns: usize,
    coordinates: Arc<[f64]>,
}

impl Design {
    /// Most sampled keys: as many as have direction numbers in the table of Joe and Kuo that is used.
    pub const MAX_COLUMNS: usize = 100;
    /// Most points of a sample.
    pub const MAX_POINTS: usize = 10_000_000;

    /// The points of `sample`; one without coordinates where nothing is sampled.
    pub fn new(sample: Option<&Sample>) -> Self {
        let Some(sample) = sample else { return Self::default() };
        let columns = sample.ranges.len();
        let coordinates = match sample.method {
            Method::Random => random(sample.count, columns, sample.seed),
            Method::LatinHypercube => latin_hypercube(sample.count, columns, sample.seed),
            Method::Sobol => shifted_sobol(sample.count, columns, sample.seed),
        };
        Self { columns, coordinates: coordinates.into() }
    }

    /// The coordinates of the point `index`.
    pub fn point(&self, index: usize) -> impl Iterator<Item = f64> {
        self.coordinates[index * self.columns..(index + 1) * self.columns].iter().copied()
    }
}

fn random(count: usize, columns: usize, seed: u64) -> Vec<f64> {
    let mut random = Random::seeded(seed);
    (0..count * columns).map(|_| random.uniform(0.0, 1.0)).collect()
}

/// Sobol's sequence, every column shifted modulo 1 by a random number (Cranley and Patterson 1976),
/// which keeps its discrepancy and lets seeds differ.
fn shifted_sobol(count: usize, columns: usize, seed: u64) -> Vec<f64> {
    let mut random = Random::seeded(seed);
    let shift: Vec<f64> = (0..columns).map(|_| random.uniform(0.0, 1.0)).collect();
    Sobol::<f64>::new(columns, &JoeKuoD6::minimal())
        .take(count)
        .flat_map(|point| {
            point.into_iter().zip(&shift).map(|(u, s)| below_one((u + s).fract())).collect::<Vec<_>>()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::{Range, Scaling};

    fn design(method: Method, count: usize, columns: usize, seed: u64) -> Design {
        let range =
            |i| Range { key: format!("k{i}"), min: 0.0, max: 1.0, scaling: Scaling::Linear, whole: false };
        let ranges = (0..columns).map(range).collect();
        Design::new(Some(&Sample { method, count, seed, ranges }))
    }

    #[test]
    fn every_coordinate_lies_in_the_unit_interval_and_depends_on_the_seed() {
        for method in Method::ALL {
            let (one, same, other) = (
                design(method, 257, Design::MAX_COLUMNS, 1),
                design(method, 257, Design::MAX_COLUMNS, 1),
                design(method, 257, Design::MAX_COLUMNS, 2),
            );
            assert_eq!(one.coordinates.len(), 257 * Design::MAX_COLUMNS);
            assert!(one.coordinates.iter().all(|u| (0.0..1.0).contains(u)));
            assert_eq!(one.coordinates, same.coordinates);
            assert_ne!(one.coordinates, other.coordinates);
        }
    }

    #[test]
    fn a_latin_hypercube_has_one_point_in_every_stratum_of_every_column() {
        let design = design(Method::LatinHypercube, 100, 5, 7);
        for column in 0..5 {
            let mut strata: Vec<usize> =
                (0..100).map(|i| (design.point(i).nth(column).unwrap() * 100.0) as usize).collect();
            strata.sort_unstable();
            assert!(strata.into_iter().eq(0..100));
        }
    }

    /// The first 2^m points of a Sobol sequence are balanced: each of 2^m intervals of a column has one.
    #[test]
    fn sobol_points_are_balanced_in_every_column_and_cover_the_square_evenly() {
        let design = design(Method::Sobol, 256, 2, 3);
        // The shift moves the grid of intervals, so that at most two points meet in one.
        for column in 0..2 {
            let mut counts = [0; 256];
            for i in 0..256 {
                counts[(design.point(i).nth(column).unwrap() * 256.0) as usize] += 1;
            }
            assert!(counts.into_iter().all(|count| count <= 2));
        }
        let mut cells = [[0; 4]; 4];
        for i in 0..256 {
            let place: Vec<usize> = design.point(i).map(|u| (u * 4.0) as usize).collect();
            cells[place[0]][place[1]] += 1;
        }
        assert!(cells.as_flattened().iter().all(|count| (13..=19).contains(count)), "{cells:?}");
    }
}

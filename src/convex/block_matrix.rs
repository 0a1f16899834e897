use std::collections::HashMap;

use nalgebra::{DMatrix, SMatrix};

use super::{Block, Jacobian};
use crate::rows;

/// Which off-diagonal blocks of a symmetric block matrix may be nonzero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// Number of diagonal blocks.
    blocks: usize,
    /// Pairs `(row, column)` with `row > column`, each once.
    edges: Vec<(usize, usize)>,
}

impl Pattern {
    /// The pattern of `blocks` blocks that the `couplings` fill, and for each coupling the index of
    /// its edge (`None` where it touches a single block).
    pub fn new(
        blocks: usize,
        couplings: impl Iterator<Item = (usize, Option<usize>)>,
    ) -> (Self, Vec<Option<usize>>) {
        let mut edges = Vec::new();
        let mut index = HashMap::new();
        let edge_of = couplings
            .map(|(first, second)| {
                second.map(|second| {
                    let edge = (first.max(second), first.min(second));
                    *index.entry(edge).or_insert_with(|| {
                        edges.push(edge);
                        edges.len() - 1
                    })
                })
            })
            .collect();
        (Self { blocks, edges }, edge_of)
    }

    /// Number of diagonal blocks.
    pub fn blocks(&self) -> usize {
        self.blocks
    }

    /// The coupled pairs `(row, column)`, `row > column`.
    pub fn edges(&self) -> &[(usize, usize)] {
        &self.edges
    }
}

/// A symmetric matrix of `D x D` blocks; the lower triangle is stored.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BlockMatrix<const D: usize> {
    /// The diagonal blocks.
    pub diagonal: Vec<Block<D>>,
    /// The blocks of [`Pattern::edges`], in its order.
    pub lower: Vec<Block<D>>,
}

impl<const D: usize> BlockMatrix<D> {
    /// The matrix with the given diagonal and zero elsewhere on `pattern`.
    pub fn reset(&mut self, diagonal: &[Block<D>], pattern: &Pattern) {
        self.diagonal.clear();
        self.diagonal.extend_from_slice(diagonal);
        self.lower.clear();
        self.lower.resize(pattern.edges.len(), Block::zeros());
    }

    /// Becomes a copy of `other`.
    pub fn copy_from(&mut self, other: &Self) {
        self.diagonal.clone_from(&other.diagonal);
        self.lower.clone_from(&other.lower);
    }

    /// The whole matrix, both triangles.
    pub fn to_dense(&self, pattern: &Pattern) -> DMatrix<f64> {
        let mut dense = DMatrix::zeros(D * pattern.blocks, D * pattern.blocks);
        for (block, diagonal) in self.diagonal.iter().enumerate() {
            dense.fixed_view_mut::<D, D>(D * block, D * block).copy_from(diagonal);
        }
        for (&(row, column), lower) in pattern.edges.iter().zip(&self.lower) {
            dense.fixed_view_mut::<D, D>(D * row, D * column).copy_from(lower);
            dense.fixed_view_mut::<D, D>(D * column, D * row).copy_from(&lower.transpose());
        }
        dense
    }

    /// Adds `J' G J` of a symmetric `G`; `edge` is the one that the two blocks of `J` share.
    #[inline]
    pub fn add_congruence<const ROWS: usize>(
        &mut self,
        jacobian: &Jacobian<ROWS, D>,
        g: &SMatrix<f64, ROWS, ROWS>,
        edge: Option<usize>,
    ) {
        let first = &jacobian.first;
        let g_first = rows::mapped(g, &first.matrix);
        add_symmetric(&mut self.diagonal[first.block], &first.matrix, &g_first);
        if let (Some(second), Some(edge)) = (&jacobian.second, edge) {
            add_symmetric(&mut self.diagonal[second.block], &second.matrix, &rows::mapped(g, &second.matrix));
            let second_first = second.matrix.tr_mul(&g_first);
            self.lower[edge] +=
                if second.block > first.block { second_first } else { second_first.transpose() };
        }
    }
}

/// Adds `J' (G J)` of a symmetric `G`, of which one triangle has to be computed.
#[inline(always)]
fn add_symmetric<const ROWS: usize, const D: usize>(
    block: &mut Block<D>,
    j_rows: &SMatrix<f64, ROWS, D>,
    g_rows: &SMatrix<f64, ROWS, D>,
) {
    for j in 0..D {
        for i in j..D {
            let mut entry = j_rows[(0, i)] * g_rows[(0, j)];
            for row in 1..ROWS {
                entry += j_rows[(row, i)] * g_rows[(row, j)];
            }
            block[(i, j)] += entry;
            if i > j {
                block[(j, i)] += entry;
            }
        }
    }
}

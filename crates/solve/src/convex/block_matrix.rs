use std::collections::HashMap;

use nalgebra::{DMatrix, SMatrix};

use super::{Block, Jacobian, jacobian::add_combination};

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

/// A symmetric matrix of `D x D` blocks, of which the lower triangle counts.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BlockMatrix<const D: usize> {
    /// The diagonal blocks; what is above their diagonals does not count.
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

    /// The whole matrix, both triangles.
    pub fn to_dense(&self, pattern: &Pattern) -> DMatrix<f64> {
        let mut dense = DMatrix::zeros(D * pattern.blocks, D * pattern.blocks);
        for (block, diagonal) in self.diagonal.iter().enumerate() {
            let whole = Block::<D>::from_fn(|i, j| diagonal[(i.max(j), i.min(j))]);
            dense.fixed_view_mut::<D, D>(D * block, D * block).copy_from(&whole);
        }
        for (&(row, column), lower) in pattern.edges.iter().zip(&self.lower) {
            dense.fixed_view_mut::<D, D>(D * row, D * column).copy_from(lower);
            dense.fixed_view_mut::<D, D>(D * column, D * row).copy_from(&lower.transpose());
        }
        dense
    }

    /// Adds `J' G J` of a symmetric `G`; `edge` is the one that the two blocks of `J` share.
    #[inline(never)] // By itself it is formed two entries at a time, whatever is around it.
    pub fn add_congruence<const ROWS: usize>(
        &mut self,
        jacobian: &Jacobian<ROWS, D>,
        g: &SMatrix<f64, ROWS, ROWS>,
        edge: Option<usize>,
    ) {
        let Jacobian { first, second } = jacobian;
        let first_g = first.transposed_mapped(g);
        add_lower(&mut self.diagonal[first.block], &first_g, &first.transposed);
        if let (Some(second), Some(edge)) = (second, edge) {
            let second_g = second.transposed_mapped(g);
            add_lower(&mut self.diagonal[second.block], &second_g, &second.transposed);
            if second.block > first.block {
                add_product(&mut self.lower[edge], &second_g, &first.transposed);
            } else {
                add_product(&mut self.lower[edge], &first_g, &second.transposed);
            }
        }
    }
}

/// Adds the lower triangle of `A B'`, and what of the rest makes pairs of its entries.
#[inline(always)]
pub(super) fn add_lower<const ROWS: usize, const D: usize>(
    block: &mut Block<D>,
    a: &SMatrix<f64, D, ROWS>,
    b: &SMatrix<f64, D, ROWS>,
) {
    for (j, column) in block.data.0.iter_mut().enumerate() {
        add_combination(a, &row(b, j), column, j - j % 2);
    }
}

/// Adds `A B'`.
#[inline(always)]
pub(super) fn add_product<const ROWS: usize, const D: usize>(
    block: &mut Block<D>,
    a: &SMatrix<f64, D, ROWS>,
    b: &SMatrix<f64, D, ROWS>,
) {
    for (j, column) in block.data.0.iter_mut().enumerate() {
        add_combination(a, &row(b, j), column, 0);
    }
}

/// Row `j`.
#[inline(always)]
fn row<const ROWS: usize, const D: usize>(matrix: &SMatrix<f64, D, ROWS>, j: usize) -> [f64; ROWS] {
    matrix.data.0.map(|column| column[j])
}

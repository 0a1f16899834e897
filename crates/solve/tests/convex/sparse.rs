//! The block sparse Cholesky factorisation against dense linear algebra.

use nalgebra::DVector;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use stickslip_solve::convex::{Block, BlockMatrix, Cholesky, Jacobian, NotPositiveDefinite, Pattern, Vector};

use crate::problems;

/// A random positive definite matrix over the couplings.
fn random_matrix(rng: &mut StdRng, blocks: usize, pairs: &[(usize, usize)]) -> (Pattern, BlockMatrix<3>) {
    let couplings = pairs.iter().map(|&(first, second)| (first, Some(second)));
    let (pattern, edges) = Pattern::new(blocks, couplings);
    let masses: Vec<_> =
        (0..blocks).map(|_| Block::<3>::identity() * 10f64.powf(rng.random_range(-3.0..3.0))).collect();
    let mut matrix = BlockMatrix::default();
    matrix.reset(&masses, &pattern);
    for (&(first, second), &edge) in pairs.iter().zip(&edges) {
        let row = problems::vector::<3>(rng).transpose();
        let stiffness = Block::<1>::new(10f64.powf(rng.random_range(-2.0..4.0)));
        matrix.add_congruence(&Jacobian::difference(first, second, row), &stiffness, edge);
    }
    (pattern, matrix)
}

fn assert_solves(rng: &mut StdRng, pattern: &Pattern, matrix: &BlockMatrix<3>) {
    let b = problems::velocities::<3>(rng, pattern.blocks());
    let mut x = b.clone();
    let mut cholesky = Cholesky::new(pattern);
    cholesky.factor(matrix).expect("positive definite");
    cholesky.solve(&mut x);
    let flat = |blocks: &[Vector<3>]| {
        DVector::from_iterator(3 * blocks.len(), blocks.iter().flat_map(|block| block.iter().copied()))
    };
    let dense = matrix.to_dense(pattern);
    let residual = (&dense * flat(&x) - flat(&b)).amax();
    let scale = dense.amax() * flat(&x).amax();
    assert!(residual <= 1e-14 * scale * pattern.blocks() as f64, "{residual:e} of {scale:e}");
}

#[test]
fn random_graphs_are_solved_to_rounding() {
    let mut rng = StdRng::seed_from_u64(10);
    for _ in 0..200 {
        let blocks = rng.random_range(2..25);
        let pairs: Vec<_> = (0..rng.random_range(0..3 * blocks))
            .map(|_| (rng.random_range(0..blocks), rng.random_range(0..blocks)))
            .filter(|(first, second)| first != second)
            .collect();
        let (pattern, matrix) = random_matrix(&mut rng, blocks, &pairs);
        assert_solves(&mut rng, &pattern, &matrix);
    }
}

#[test]
fn a_chain_a_ring_a_star_and_a_grid_are_solved_to_rounding() {
    let mut rng = StdRng::seed_from_u64(11);
    let chain: Vec<_> = (1..60).map(|i| (i - 1, i)).collect();
    let ring: Vec<_> = (0..60).map(|i| ((i + 1) % 60, i)).collect();
    let star: Vec<_> = (1..60).map(|i| (0, i)).collect();
    let right = (0..64).filter(|i| i % 8 != 7).map(|i| (i, i + 1));
    let grid: Vec<_> = right.chain((0..56).map(|i| (i, i + 8))).collect();
    for (blocks, pairs) in [(60, chain), (60, ring), (60, star), (64, grid)] {
        let (pattern, matrix) = random_matrix(&mut rng, blocks, &pairs);
        assert_solves(&mut rng, &pattern, &matrix);
    }
}

#[test]
fn a_matrix_that_is_not_positive_definite_is_refused() {
    let (pattern, _) = Pattern::new(2, [(0, Some(1))].into_iter());
    for value in [-1.0, 0.0, f64::NAN, f64::INFINITY] {
        let mut matrix = BlockMatrix::<2>::default();
        matrix.reset(&[Block::identity(), Block::identity() * value], &pattern);
        assert_eq!(Cholesky::new(&pattern).factor(&matrix), Err(NotPositiveDefinite), "{value}");
    }
}

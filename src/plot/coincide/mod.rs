//! Curves that lie on each other take turns, so that each is seen.
//!
//! A piece of a curve is left out only where strokes that are drawn whole cover it: whatever the turns say, all
//! curves together are drawn wherever one of them is.

mod cells;
mod piece;
#[cfg(test)]
mod tests;

use self::{
    cells::Cells,
    piece::{Piece, pieces_of},
};
use super::geometry::Point;

/// Length of a turn, and the shortest stretch that is shared: curves that cross or touch do not lie on each other.
const TURN: f64 = 7.0;
/// What is nowhere farther from a curve lies on it.
const DISTANCE: f64 = 0.8;
/// A stroke that ends may leave so much to the next one: half a pixel of a PNG.
const SEAM: f64 = 0.15;

/// A part of a curve that is drawn.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Stretch {
    pub points: Vec<Point>,
    /// Whether no other curve lies on it.
    pub is_alone: bool,
}

/// Who draws a piece of a curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Drawn {
    Alone,
    ByTurn,
    ByOthers,
}

/// What is drawn of each of several curves, which may be in several parts.
pub(super) fn share(curves: &[Vec<Vec<Point>>]) -> Vec<Vec<Stretch>> {
    let pieces = pieces_of(curves);
    let cells = Cells::of(&pieces);
    let company = company(&pieces, &cells, curves.len());
    let mut drawn: Vec<Drawn> =
        pieces.iter().zip(&company).map(|(piece, company)| by_turn(piece, company)).collect();
    // Who lies on whom depends on whom one asks, and turns go by: what nobody took is drawn after all.
    for index in 0..pieces.len() {
        if drawn[index] == Drawn::ByOthers && !is_covered(&pieces, &cells, &drawn, index) {
            drawn[index] = Drawn::ByTurn;
        }
    }
    let mut stretches = vec![Vec::new(); curves.len()];
    let indices: Vec<usize> = (0..pieces.len()).collect();
    for run in indices.chunk_by(|&a, &b| pieces[a].part == pieces[b].part && drawn[a] == drawn[b]) {
        let (first, state) = (&pieces[run[0]], drawn[run[0]]);
        if state != Drawn::ByOthers {
            let points =
                std::iter::once(first.from).chain(run.iter().map(|&index| pieces[index].to)).collect();
            stretches[first.curve].push(Stretch { points, is_alone: state == Drawn::Alone });
        }
    }
    stretches
}

/// For every piece and curve, whether the curve lies on the piece, for as long as a turn at least.
fn company(pieces: &[Piece], cells: &Cells, count: usize) -> Vec<Vec<bool>> {
    let mut is_near = vec![false; count];
    let mut company: Vec<Vec<bool>> = (pieces.iter())
        .map(|piece| {
            let mut company = vec![true; count];
            for at in piece.samples() {
                is_near.fill(false);
                for other in cells.around(at).map(|other| &pieces[other]) {
                    let curve = other.curve;
                    is_near[curve] = is_near[curve] || company[curve] && other.has(at);
                }
                company.iter_mut().zip(&is_near).for_each(|(stays, is_near)| *stays &= is_near);
            }
            company
        })
        .collect();
    for curve in 0..count {
        for index in in_passing(pieces, &company, curve) {
            company[index][curve] = false;
        }
    }
    company
}

/// The pieces that a curve lies on for less than a turn.
fn in_passing(pieces: &[Piece], company: &[Vec<bool>], curve: usize) -> Vec<usize> {
    let indices: Vec<usize> = (0..pieces.len()).collect();
    let runs =
        indices.chunk_by(|&a, &b| pieces[a].part == pieces[b].part && company[a][curve] == company[b][curve]);
    runs.filter(|run| run.iter().map(|&index| pieces[index].length()).sum::<f64>() < TURN)
        .flatten()
        .copied()
        .collect()
}

/// Whether it is the piece's turn among those that lie on it; of each `company` says whether it does.
fn by_turn(piece: &Piece, company: &[bool]) -> Drawn {
    let others = || company.iter().enumerate().filter(|&(other, &is_near)| is_near && other != piece.curve);
    let size = 1 + others().count();
    let rank = others().filter(|&(other, _)| other < piece.curve).count();
    match size {
        1 => Drawn::Alone,
        _ if piece.turn % size == rank => Drawn::ByTurn,
        _ => Drawn::ByOthers,
    }
}

/// Whether strokes lie on the whole of a piece. Those of curves that are alone do not count: they may have dashes.
fn is_covered(pieces: &[Piece], cells: &Cells, drawn: &[Drawn], index: usize) -> bool {
    let is_stroke = |other: usize| drawn[other] == Drawn::ByTurn;
    let goes_on = |other: usize, next: Option<usize>| {
        next.is_some_and(|next| {
            pieces.get(next).is_some_and(|piece| piece.part == pieces[other].part) && is_stroke(next)
        })
    };
    let covers = |other: usize, at: Point| {
        let (before, after) = pieces[other].overshoot(at);
        pieces[other].has(at)
            && (before < SEAM || goes_on(other, other.checked_sub(1)))
            && (after < SEAM || goes_on(other, Some(other + 1)))
    };
    pieces[index].samples().all(|at| cells.around(at).any(|other| is_stroke(other) && covers(other, at)))
}

use super::{
    elimination::Elimination,
    front::{Eliminated, Front, STABLE_THRESHOLD},
};
use crate::nlp::{Inertia, Singular};

/// Most passes of scaling; each halves the decades between every row's largest entry and one.
const SCALING_PASSES: usize = 10;
/// Largest entry of a row, or one over it, that is near enough to one.
const BALANCED: f64 = 2.0;

/// Sparse factorisation `P S A S P^T = L D L^T` of a symmetric indefinite matrix, with its inertia.
///
/// The multifrontal method (Duff and Reid 1983): unknowns are eliminated in the order of
/// approximate minimum degree, in small dense matrices along the elimination tree, by pivots of one
/// or two rows. A pivot that would be unstable is put off and passed on to the parent, so that the
/// factorisation is as stable as a dense one with threshold pivoting. `S` scales the rows.
///
/// ```
/// # use stickslip_solve as stickslip;
/// use stickslip::nlp::sparse::SparseLdl;
///
/// // [[2, 1, .], [1, ., 3], [., 3, .]], upper triangle by rows
/// let mut ldl = SparseLdl::new(&[0, 2, 4, 5], &[0, 1, 1, 2, 2])?;
/// ldl.values_mut().copy_from_slice(&[2.0, 1.0, 0.0, 3.0, 0.0]);
/// let inertia = ldl.factor()?;
/// assert_eq!((inertia.positive, inertia.negative), (2, 1));
/// let mut x = [3.0, 4.0, 3.0];
/// ldl.solve(&mut x);
/// assert!(x.iter().all(|x| (x - 1.0).abs() < 1e-14));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct SparseLdl {
    starts: Vec<usize>,
    columns: Vec<usize>,
    values: Vec<f64>,
    elimination: Elimination,
    /// Entries that each node assembles: place in the values, and the two unknowns.
    entries: Vec<Vec<(usize, usize, usize)>>,
    scale: Vec<f64>,
    threshold: f64,
    /// One of each node.
    factors: Vec<Eliminated>,
    is_factored: bool,
    work: Vec<f64>,
    /// The part of a right-hand side that belongs to a node.
    own: Vec<f64>,
}

/// Row starts and columns that describe no upper triangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the pattern is no upper triangle by rows: starts must ascend from 0 to the number of columns, and the columns \
     of a row ascend from its diagonal on"
)]
pub struct SparsePatternError;

impl SparseLdl {
    /// Analyses a pattern: the upper triangle by rows, with the columns of row `i` in
    /// `columns[starts[i]..starts[i + 1]]`, ascending.
    ///
    /// # Errors
    /// [`SparsePatternError`] if it is none.
    pub fn new(starts: &[usize], columns: &[usize]) -> Result<Self, SparsePatternError> {
        let order = starts.len().checked_sub(1).ok_or(SparsePatternError)?;
        let ascends = starts.windows(2).all(|pair| pair[0] <= pair[1]);
        if starts[0] != 0 || !ascends || starts[order] != columns.len() {
            return Err(SparsePatternError);
        }
        for row in 0..order {
            let of_row = &columns[starts[row]..starts[row + 1]];
            let in_range = of_row.iter().all(|&column| (row..order).contains(&column));
            if !in_range || of_row.windows(2).any(|pair| pair[0] >= pair[1]) {
                return Err(SparsePatternError);
            }
        }
        let elimination = Elimination::new(starts, columns).ok_or(SparsePatternError)?;
        let mut entries = vec![Vec::new(); elimination.nodes.len()];
        for row in 0..order {
            let range = starts[row]..starts[row + 1];
            for (place, &column) in range.clone().zip(&columns[range]) {
                let (a, b) = (elimination.places[row], elimination.places[column]);
                entries[elimination.node_of[a.min(b)]].push((place, a, b));
            }
        }
        let factors = vec![Eliminated::default(); elimination.nodes.len()];
        Ok(Self {
            starts: starts.to_vec(),
            columns: columns.to_vec(),
            values: vec![0.0; columns.len()],
            elimination,
            entries,
            scale: vec![1.0; order],
            threshold: STABLE_THRESHOLD,
            factors,
            is_factored: false,
            work: vec![0.0; order],
            own: Vec::new(),
        })
    }

    /// Sets the smallest ratio of a pivot to the other entries of its column, above 0 and at most 0.1,
    /// the default.
    ///
    /// A smaller one puts off fewer pivots, which matters where many of them would meet in one large
    /// dense matrix, and loses digits of the solution: to be used with iterative refinement. Below the
    /// default a dense matrix passes on at most as many unknowns as are left in it besides them; where
    /// more would be, the threshold is lower there.
    pub fn set_threshold(&mut self, threshold: f64) {
        self.threshold = threshold.clamp(f64::MIN_POSITIVE, STABLE_THRESHOLD);
    }

    /// The threshold in force.
    pub fn threshold(&self) -> f64 {
        self.threshold
    }

    /// Number of rows.
    pub fn order(&self) -> usize {
        self.scale.len()
    }

    /// Entries of the lower triangular factor with its diagonal, as far as the last [`factor`](Self::factor) came: those that
    /// elimination fills in are among them, and the zeros that unknowns eliminated together store.
    pub fn factor_entries(&self) -> usize {
        self.factors.iter().map(Eliminated::entries).sum()
    }

    /// The values of the entries, in the order of the pattern, to be written before
    /// [`factor`](Self::factor).
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// Factors the matrix.
    ///
    /// # Errors
    /// [`Singular`] if an entry is not finite or no pivot is left; the factors are then of no use.
    pub fn factor(&mut self) -> Result<Inertia, Singular> {
        self.is_factored = false;
        if !self.values.iter().all(|value| value.is_finite()) {
            return Err(Singular { column: 0 });
        }
        self.rescale();
        let nodes = &self.elimination.nodes;
        let mut waiting: Vec<Vec<Front>> = vec![Vec::new(); nodes.len()];
        // Fronts that were added to others, whose memory serves the next.
        let mut spent: Vec<Front> = Vec::new();
        let mut local = vec![0; self.order()];
        // The largest entry of a scaled row is near one.
        let mut sizes = vec![1.0; self.order()];
        let (mut negative, mut done) = (0, 0);
        for (index, node) in nodes.iter().enumerate() {
            let children = std::mem::take(&mut waiting[index]);
            let eliminated = &mut self.factors[index];
            let mut front = Front {
                unknowns: std::mem::take(&mut eliminated.unknowns),
                complete: 0,
                matrix: std::mem::take(&mut eliminated.lower),
            };
            let delayed = children.iter().flat_map(|child| child.unknowns[..child.complete].iter());
            front.unknowns.clear();
            front.unknowns.extend(node.pivots.iter().chain(delayed));
            front.complete = front.unknowns.len();
            front.unknowns.extend(&node.border);
            front.unknowns.iter().enumerate().for_each(|(place, &unknown)| local[unknown] = place);
            front.clear();
            for &(place, a, b) in &self.entries[index] {
                front.add(local[a], local[b], self.values[place] * self.scale_at(a) * self.scale_at(b));
            }
            for child in children {
                front.add_front(&child, &local);
                spent.push(child);
            }
            let eliminated = &mut self.factors[index];
            let rest = spent.pop().unwrap_or_default();
            let rest = front
                .eliminate(self.threshold, &mut sizes, eliminated, rest)
                .ok_or(Singular { column: done })?;
            negative += eliminated.pivots.iter().map(|pivot| pivot.negative()).sum::<usize>();
            done += eliminated.count;
            match node.parent {
                Some(parent) => waiting[parent].push(rest),
                None if rest.complete > 0 => return Err(Singular { column: done }),
                None => {}
            }
        }
        self.is_factored = true;
        Ok(Inertia { positive: done - negative, negative })
    }

    /// Solves `A x = b` in place, after a successful [`factor`](Self::factor).
    ///
    /// # Panics
    /// If `b` is not as long as the matrix has rows, or the last matrix was singular.
    pub fn solve(&mut self, b: &mut [f64]) {
        assert!(self.is_factored, "solve needs a matrix that was factored");
        assert_eq!(b.len(), self.order(), "right-hand side and matrix must have the same number of rows");
        let Self { elimination, scale, factors, work, own, .. } = self;
        let places = &elimination.places;
        for ((&place, scale), value) in places.iter().zip(&*scale).zip(&*b) {
            work[place] = value * scale;
        }
        factors.iter().for_each(|node| node.forward(work, own));
        factors.iter().for_each(|node| node.diagonal(work));
        factors.iter().rev().for_each(|node| node.backward(work, own));
        for ((&place, scale), value) in places.iter().zip(&*scale).zip(b) {
            *value = work[place] * scale;
        }
    }

    /// Scale of the unknown at a place of the order of elimination.
    fn scale_at(&self, place: usize) -> f64 {
        self.scale[self.elimination.unknowns[place]]
    }

    /// Symmetric scaling that brings the largest entry of every row near one: each pass divides by
    /// its root (Ruiz 2001) where it is not near enough.
    fn rescale(&mut self) {
        let Self { starts, columns, values, scale, work: largest, .. } = self;
        scale.fill(1.0);
        for _ in 0..SCALING_PASSES {
            largest.fill(0.0);
            for row in 0..scale.len() {
                let range = starts[row]..starts[row + 1];
                let (of_row, mut of_this) = (scale[row], 0.0);
                for (&column, value) in columns[range.clone()].iter().zip(&values[range]) {
                    let size = (value * of_row * scale[column]).abs();
                    of_this = if size > of_this { size } else { of_this };
                    let of_other = &mut largest[column];
                    *of_other = if size > *of_other { size } else { *of_other };
                }
                largest[row] = largest[row].max(of_this);
            }
            let mut is_balanced = true;
            for (scale, &largest) in scale.iter_mut().zip(&*largest) {
                if largest > 0.0 && !(1.0 / BALANCED..=BALANCED).contains(&largest) {
                    is_balanced = false;
                    *scale /= largest.sqrt();
                }
            }
            if is_balanced {
                break;
            }
        }
    }
}

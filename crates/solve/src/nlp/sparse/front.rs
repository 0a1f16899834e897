//! Dense symmetric matrices of which some unknowns are eliminated by stable pivots.

/// Pivots below this share of the largest entry of the front are rounding; the matrix is scaled to a
/// largest entry of one, so that a larger one has grown on the way.
const ROUNDING: f64 = 1e-14;

/// A dense matrix over some of the unknowns.
#[derive(Debug, Clone)]
pub(super) struct Front {
    /// The unknowns of its rows: first those that can be eliminated here.
    pub unknowns: Vec<usize>,
    /// How many of them can be eliminated here, because all their entries are there.
    pub complete: usize,
    /// Both triangles, by columns.
    pub matrix: Vec<f64>,
}

/// An eliminated block of one or two unknowns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Pivot {
    /// The diagonal entry.
    Single(f64),
    /// First diagonal entry, the entry between, second diagonal entry.
    Double(f64, f64, f64),
}

/// How small a pivot may be, against the other entries of its column and by itself.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Limits {
    threshold: f64,
    rounding: f64,
}

/// Where a pivot was found.
enum Choice {
    Single(usize),
    Double(usize, usize),
}

/// What elimination left.
#[derive(Debug, Clone)]
pub(super) struct Eliminated {
    /// The unknowns, the eliminated ones first.
    pub unknowns: Vec<usize>,
    /// Eliminated blocks, in order.
    pub pivots: Vec<Pivot>,
    /// Number of eliminated unknowns.
    pub count: usize,
    /// Columns of the unit lower triangular factor for the eliminated unknowns, each with a row
    /// for every unknown of the front.
    pub lower: Vec<f64>,
}

impl Front {
    /// A zero matrix over `unknowns`.
    pub fn new(unknowns: Vec<usize>, complete: usize) -> Self {
        let order = unknowns.len();
        Self { unknowns, complete, matrix: vec![0.0; order * order] }
    }

    fn order(&self) -> usize {
        self.unknowns.len()
    }

    fn at(&self, row: usize, column: usize) -> f64 {
        self.matrix[row + column * self.unknowns.len()]
    }

    /// Adds to an entry and its mirror image.
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        let order = self.order();
        self.matrix[row + column * order] += value;
        if row != column {
            self.matrix[column + row * order] += value;
        }
    }

    /// Eliminates what stable pivots allow, and gives the factors and the rest: a front over the
    /// other unknowns, those that could have been eliminated first.
    ///
    /// A pivot must not be smaller than `threshold` times the largest other entry of its column,
    /// which bounds the growth of entries by `1 + 1/threshold` per elimination (Duff and Reid 1983).
    pub fn eliminate(mut self, threshold: f64) -> (Eliminated, Self) {
        let mut pivots = Vec::new();
        let mut done = 0;
        let largest = self.matrix.iter().fold(1.0_f64, |largest, entry| largest.max(entry.abs()));
        let limits = Limits { threshold, rounding: ROUNDING * largest };
        while let Some(choice) = self.choose(done, limits) {
            match choice {
                Choice::Single(column) => {
                    self.exchange(done, column);
                    pivots.push(self.eliminate_single(done));
                    done += 1;
                }
                Choice::Double(first, second) => {
                    self.exchange(done, first);
                    // The exchange may have moved the second.
                    self.exchange(done + 1, if second == done { first } else { second });
                    pivots.push(self.eliminate_double(done));
                    done += 2;
                }
            }
        }
        let order = self.order();
        let rest = (done..order).flat_map(|column| {
            let start = column * order;
            self.matrix[start + done..start + order].iter().copied()
        });
        let rest = Self {
            unknowns: self.unknowns[done..].to_vec(),
            complete: self.complete - done,
            matrix: rest.collect(),
        };
        self.matrix.truncate(done * order);
        (Eliminated { unknowns: self.unknowns, pivots, count: done, lower: self.matrix }, rest)
    }

    /// A pivot among the unknowns that can be eliminated, the first that is within the limits.
    fn choose(&self, done: usize, limits: Limits) -> Option<Choice> {
        (done..self.complete).find_map(|column| {
            let others = (done..self.order()).filter(|&row| row != column);
            let largest = others.map(|row| self.at(row, column).abs()).fold(0.0, f64::max);
            let diagonal = self.at(column, column).abs();
            if diagonal > limits.rounding && diagonal >= limits.threshold * largest {
                return Some(Choice::Single(column));
            }
            let partners = (done..self.complete).filter(|&row| row != column);
            let partner =
                partners.max_by(|&a, &b| self.at(a, column).abs().total_cmp(&self.at(b, column).abs()))?;
            self.is_stable(done, column, partner, limits).then_some(Choice::Double(column, partner))
        })
    }

    /// Whether the inverse of the block times the largest other entries of its columns stays below
    /// the inverse of the threshold.
    fn is_stable(&self, done: usize, first: usize, second: usize, limits: Limits) -> bool {
        let (a, b, c) = (self.at(first, first), self.at(second, first), self.at(second, second));
        let determinant = a * c - b * b;
        // Cancellation in the determinant would make it, and its sign, rounding.
        if b.abs() <= limits.rounding || determinant.abs() <= 1e-10 * (a * c).abs().max(b * b) {
            return false;
        }
        let largest = |column: usize| {
            let others = (done..self.order()).filter(|&row| row != first && row != second);
            others.map(|row| self.at(row, column).abs()).fold(0.0, f64::max)
        };
        let (of_first, of_second) = (largest(first), largest(second));
        let bound = determinant.abs() / limits.threshold;
        c.abs() * of_first + b.abs() * of_second <= bound && b.abs() * of_first + a.abs() * of_second <= bound
    }

    fn exchange(&mut self, a: usize, b: usize) {
        if a == b {
            return;
        }
        let order = self.order();
        self.unknowns.swap(a, b);
        for column in 0..order {
            self.matrix.swap(a + column * order, b + column * order);
        }
        let (low, high) = (a.min(b), a.max(b));
        let (head, tail) = self.matrix.split_at_mut(high * order);
        head[low * order..(low + 1) * order].swap_with_slice(&mut tail[..order]);
    }

    fn eliminate_single(&mut self, k: usize) -> Pivot {
        let order = self.order();
        let pivot = self.at(k, k);
        #[cfg(test)]
        let pivot = pivot * crate::fault::of_pivot();
        let (head, tail) = self.matrix.split_at_mut((k + 1) * order);
        let column = &mut head[k * order..];
        for trailing in tail.chunks_exact_mut(order) {
            let factor = trailing[k] / pivot;
            if factor != 0.0 {
                for (entry, of_pivot) in trailing[k + 1..].iter_mut().zip(&column[k + 1..]) {
                    *entry -= factor * of_pivot;
                }
            }
        }
        column[k + 1..].iter_mut().for_each(|entry| *entry /= pivot);
        Pivot::Single(pivot)
    }

    fn eliminate_double(&mut self, k: usize) -> Pivot {
        let order = self.order();
        let (a, b, c) = (self.at(k, k), self.at(k + 1, k), self.at(k + 1, k + 1));
        #[cfg(test)]
        let a = a * crate::fault::of_pivot();
        let determinant = a * c - b * b;
        let (head, tail) = self.matrix.split_at_mut((k + 2) * order);
        let (first, second) = head[k * order..].split_at_mut(order);
        for trailing in tail.chunks_exact_mut(order) {
            let (x, y) = (trailing[k], trailing[k + 1]);
            let (on_first, on_second) = ((c * x - b * y) / determinant, (a * y - b * x) / determinant);
            if on_first != 0.0 || on_second != 0.0 {
                let columns = first[k + 2..].iter().zip(&second[k + 2..]);
                for (entry, (x, y)) in trailing[k + 2..].iter_mut().zip(columns) {
                    *entry -= on_first * x + on_second * y;
                }
            }
        }
        for (x, y) in first[k + 2..].iter_mut().zip(&mut second[k + 2..]) {
            (*x, *y) = ((c * *x - b * *y) / determinant, (a * *y - b * *x) / determinant);
        }
        // Inside the block the factor is the unit matrix.
        first[k + 1] = 0.0;
        Pivot::Double(a, b, c)
    }
}

impl Pivot {
    /// Number of negative eigenvalues.
    pub fn negative(self) -> usize {
        match self {
            Self::Single(d) => usize::from(d < 0.0),
            Self::Double(a, b, c) if a * c - b * b < 0.0 => 1,
            Self::Double(a, _, _) => {
                if a < 0.0 {
                    2
                } else {
                    0
                }
            }
        }
    }
}

impl Eliminated {
    /// Solves with the lower factor, in the numbering of unknowns: `x <- L^-1 x`.
    pub fn forward(&self, x: &mut [f64]) {
        let order = self.unknowns.len();
        for (k, column) in self.lower.chunks_exact(order.max(1)).enumerate() {
            let value = x[self.unknowns[k]];
            if value != 0.0 {
                for (&unknown, factor) in self.unknowns[k + 1..].iter().zip(&column[k + 1..]) {
                    x[unknown] -= factor * value;
                }
            }
        }
    }

    /// Solves with the pivots: `x <- D^-1 x`.
    pub fn diagonal(&self, x: &mut [f64]) {
        let mut unknowns = self.unknowns.iter();
        for pivot in &self.pivots {
            match (*pivot, unknowns.next()) {
                (Pivot::Single(d), Some(&k)) => x[k] /= d,
                (Pivot::Double(a, b, c), Some(&k)) => {
                    let Some(&l) = unknowns.next() else { return };
                    let determinant = a * c - b * b;
                    (x[k], x[l]) = ((c * x[k] - b * x[l]) / determinant, (a * x[l] - b * x[k]) / determinant);
                }
                (_, None) => return,
            }
        }
    }

    /// Solves with the transposed factor: `x <- L^-T x`.
    pub fn backward(&self, x: &mut [f64]) {
        let order = self.unknowns.len();
        for (k, column) in self.lower.chunks_exact(order.max(1)).enumerate().rev() {
            let terms = self.unknowns[k + 1..].iter().zip(&column[k + 1..]);
            let sum: f64 = terms.map(|(&unknown, factor)| factor * x[unknown]).sum();
            x[self.unknowns[k]] -= sum;
        }
    }
}

//! Dense symmetric matrices of which some unknowns are eliminated by stable pivots.

/// Pivots below this share of the largest number that was ever added to their column are rounding.
const ROUNDING: f64 = 1e-14;

/// Threshold of the pivots that keeps nearly all digits.
pub(super) const STABLE_THRESHOLD: f64 = 0.1;
/// Factor by which the threshold is lowered where too many unknowns would be put off.
const RELAXATION: f64 = 0.1;
/// A threshold below which it makes no difference.
const LEAST_THRESHOLD: f64 = 1e-13;

/// A dense matrix over some of the unknowns.
#[derive(Debug, Clone, Default)]
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

/// Where a pivot was found.
enum Choice {
    Single(usize),
    Double(usize, usize),
    /// Nothing but rounding is left of a column: the matrix is singular.
    Zero,
}

/// What elimination left.
#[derive(Debug, Clone, Default)]
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

impl Eliminated {
    /// Entries of its columns of the factor, the diagonal included.
    pub fn entries(&self) -> usize {
        let rows = self.unknowns.len();
        (0..self.count).map(|column| rows - column).sum()
    }
}

impl Front {
    /// Makes it a zero matrix over its `unknowns`.
    pub fn clear(&mut self) {
        self.matrix.clear();
        self.matrix.resize(self.order() * self.order(), 0.0);
    }

    fn order(&self) -> usize {
        self.unknowns.len()
    }

    fn column(&self, column: usize) -> &[f64] {
        let order = self.order();
        &self.matrix[column * order..(column + 1) * order]
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

    /// Adds a front over some of its unknowns, whose place here `local` says.
    pub fn add_front(&mut self, other: &Self, local: &[usize]) {
        let order = self.order();
        for (column, &unknown) in other.unknowns.iter().enumerate() {
            let start = local[unknown] * order;
            let target = &mut self.matrix[start..start + order];
            for (&unknown, value) in other.unknowns.iter().zip(other.column(column)) {
                target[local[unknown]] += value;
            }
        }
    }

    /// Eliminates what stable pivots allow, and puts the factors into `eliminated` and into `rest` a
    /// front over the other unknowns, those that could have been eliminated first; whatever memory the
    /// two have is used again. Nothing if the matrix is singular.
    ///
    /// A pivot must not be smaller than `threshold` times the largest other entry of its column,
    /// which bounds the growth of entries by `1 + 1/threshold` per elimination (Duff and Reid 1983),
    /// nor be the rounding of `sizes`: the largest number that was added to the column of every unknown
    /// so far, which elimination brings up to date. A small pivot in a column of small numbers is
    /// exact, however far others have grown: to put it off would carry it, and all like it, to the root.
    ///
    /// Those that are put off meet what is eliminated later in the columns of the border alone, so that no
    /// more of them than the border has can find a partner there. Where more are left the threshold is
    /// lowered, if it is below [`STABLE_THRESHOLD`]: fronts stay small, at the price of digits.
    pub fn eliminate(
        mut self,
        threshold: f64,
        sizes: &mut [f64],
        eliminated: &mut Eliminated,
        mut rest: Self,
    ) -> Option<Self> {
        eliminated.pivots.clear();
        let (mut done, mut from) = (0, 0);
        let border = self.order() - self.complete;
        let mut limit = threshold;
        loop {
            match self.choose(done, from.clamp(done, self.complete), limit, sizes) {
                Some(Choice::Single(column)) => {
                    from = column + 1;
                    self.exchange(done, column);
                    eliminated.pivots.push(self.eliminate_single(done, sizes));
                    done += 1;
                }
                Some(Choice::Double(first, second)) => {
                    from = first + 1;
                    self.exchange(done, first);
                    // The exchange may have moved the second.
                    self.exchange(done + 1, if second == done { first } else { second });
                    eliminated.pivots.push(self.eliminate_double(done, sizes));
                    done += 2;
                }
                Some(Choice::Zero) => return None,
                None if self.complete - done > border
                    && border > 0
                    && threshold < STABLE_THRESHOLD
                    && limit > LEAST_THRESHOLD =>
                {
                    limit *= RELAXATION;
                }
                None => break,
            }
        }
        rest.matrix.clear();
        for column in done..self.order() {
            rest.matrix.extend_from_slice(&self.column(column)[done..]);
        }
        rest.unknowns.clear();
        rest.unknowns.extend_from_slice(&self.unknowns[done..]);
        rest.complete = self.complete - done;
        self.matrix.truncate(done * self.order());
        eliminated.count = done;
        (eliminated.unknowns, eliminated.lower) = (self.unknowns, self.matrix);
        Some(rest)
    }

    /// A pivot among the unknowns that can be eliminated: the first that will do, from the one at `from` on and then from
    /// the first on. What did not do before is looked at again after all others.
    fn choose(&self, done: usize, from: usize, threshold: f64, sizes: &[f64]) -> Option<Choice> {
        (from..self.complete).chain(done..from).find_map(|column| {
            let entries = &self.column(column)[done..];
            let at = column - done;
            let (before, after) = (&entries[..at], &entries[at + 1..]);
            let (diagonal, others) = (entries[at].abs(), largest(before).max(largest(after)));
            let rounding = ROUNDING * sizes[self.unknowns[column]];
            if diagonal > rounding && diagonal >= threshold * others {
                return Some(Choice::Single(column));
            }
            if diagonal.max(others) <= rounding {
                return Some(Choice::Zero);
            }
            let partner = self.partner(done, column)?;
            self.is_stable(done, [column, partner], threshold, sizes)
                .then_some(Choice::Double(column, partner))
        })
    }

    /// The unknown that can be eliminated with the largest entry in a column.
    fn partner(&self, done: usize, column: usize) -> Option<usize> {
        let mut found: Option<(usize, f64)> = None;
        for (row, entry) in (done..).zip(&self.column(column)[done..self.complete]) {
            if row != column && found.is_none_or(|(_, largest)| entry.abs() >= largest) {
                found = Some((row, entry.abs()));
            }
        }
        found.map(|(row, _)| row)
    }

    /// Whether the inverse of the block times the largest other entries of its columns stays below
    /// the inverse of the threshold.
    fn is_stable(&self, done: usize, [first, second]: [usize; 2], threshold: f64, sizes: &[f64]) -> bool {
        let (a, b, c) = (self.at(first, first), self.at(second, first), self.at(second, second));
        let determinant = a * c - b * b;
        let size = sizes[self.unknowns[first]].min(sizes[self.unknowns[second]]);
        // Cancellation in the determinant would make it, and its sign, rounding.
        if b.abs() <= ROUNDING * size || determinant.abs() <= 1e-10 * (a * c).abs().max(b * b) {
            return false;
        }
        let (low, high) = (first.min(second), first.max(second));
        let others = |column: usize| {
            let entries = self.column(column);
            [&entries[done..low], &entries[low + 1..high], &entries[high + 1..]]
                .into_iter()
                .map(largest)
                .fold(0.0, f64::max)
        };
        let (of_first, of_second) = (others(first), others(second));
        let bound = determinant.abs() / threshold;
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

    fn eliminate_single(&mut self, k: usize, sizes: &mut [f64]) -> Pivot {
        let order = self.order();
        let pivot = self.at(k, k);
        #[cfg(test)]
        let pivot = pivot * crate::fault::of_pivot();
        let (head, tail) = self.matrix.split_at_mut((k + 1) * order);
        let column = &mut head[k * order..];
        let largest = largest(&column[k + 1..]);
        for (trailing, &unknown) in tail.chunks_exact_mut(order).zip(&self.unknowns[k + 1..]) {
            let factor = trailing[k] / pivot;
            if factor != 0.0 {
                sizes[unknown] = sizes[unknown].max(factor.abs() * largest);
                for (entry, of_pivot) in trailing[k + 1..].iter_mut().zip(&column[k + 1..]) {
                    *entry -= factor * of_pivot;
                }
            }
        }
        column[k + 1..].iter_mut().for_each(|entry| *entry /= pivot);
        Pivot::Single(pivot)
    }

    fn eliminate_double(&mut self, k: usize, sizes: &mut [f64]) -> Pivot {
        let order = self.order();
        let (a, b, c) = (self.at(k, k), self.at(k + 1, k), self.at(k + 1, k + 1));
        #[cfg(test)]
        let a = a * crate::fault::of_pivot();
        let determinant = a * c - b * b;
        let (head, tail) = self.matrix.split_at_mut((k + 2) * order);
        let (first, second) = head[k * order..].split_at_mut(order);
        let (of_first, of_second) = (largest(&first[k + 2..]), largest(&second[k + 2..]));
        for (trailing, &unknown) in tail.chunks_exact_mut(order).zip(&self.unknowns[k + 2..]) {
            let (x, y) = (trailing[k], trailing[k + 1]);
            let (on_first, on_second) = ((c * x - b * y) / determinant, (a * y - b * x) / determinant);
            if on_first != 0.0 || on_second != 0.0 {
                let added = (on_first.abs() * of_first).max(on_second.abs() * of_second);
                sizes[unknown] = sizes[unknown].max(added);
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

/// The largest size of an entry. Four at a time, which the processor compares at once.
fn largest(entries: &[f64]) -> f64 {
    let larger = |a: f64, b: f64| if b > a { b } else { a };
    let (fours, rest) = entries.as_chunks::<4>();
    let mut found = [0.0; 4];
    for four in fours {
        for (found, entry) in found.iter_mut().zip(four) {
            *found = larger(*found, entry.abs());
        }
    }
    rest.iter().map(|entry| entry.abs()).chain(found).fold(0.0, larger)
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
    /// Solves with the lower factor, in the numbering of unknowns: `x <- L^-1 x`. `own` is memory for
    /// the part of `x` that is the node's.
    pub fn forward(&self, x: &mut [f64], own: &mut Vec<f64>) {
        self.gather(x, own);
        for (k, column) in self.lower.chunks_exact(self.unknowns.len().max(1)).enumerate() {
            let value = own[k];
            if value != 0.0 {
                for (entry, factor) in own[k + 1..].iter_mut().zip(&column[k + 1..]) {
                    *entry -= factor * value;
                }
            }
        }
        for (&unknown, value) in self.unknowns.iter().zip(own) {
            x[unknown] = *value;
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
    pub fn backward(&self, x: &mut [f64], own: &mut Vec<f64>) {
        self.gather(x, own);
        for (k, column) in self.lower.chunks_exact(self.unknowns.len().max(1)).enumerate().rev() {
            let terms = own[k + 1..].iter().zip(&column[k + 1..]);
            let sum: f64 = terms.map(|(entry, factor)| factor * entry).sum();
            own[k] -= sum;
        }
        for (&unknown, value) in self.unknowns[..self.count].iter().zip(own) {
            x[unknown] = *value;
        }
    }

    fn gather(&self, x: &[f64], own: &mut Vec<f64>) {
        own.clear();
        own.extend(self.unknowns.iter().map(|&unknown| x[unknown]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A front of which the first `complete` unknowns can be eliminated, and what is left of it.
    fn rest(complete: usize, matrix: &[&[f64]], threshold: f64, sizes: &mut [f64]) -> Option<Front> {
        let unknowns = (0..matrix.len()).collect();
        let front = Front { unknowns, complete, matrix: matrix.concat() };
        front.eliminate(threshold, sizes, &mut Eliminated::default(), Front::default())
    }

    #[test]
    fn a_small_pivot_in_a_column_of_small_numbers_is_taken_however_far_others_have_grown() {
        let matrix: [&[f64]; 3] = [&[1e-9, 0.0, 0.0], &[0.0, 1e9, 0.0], &[0.0, 0.0, 1.0]];
        let rest = rest(2, &matrix, 1e-6, &mut [1.0, 1e9, 1.0]).expect("a regular matrix");
        assert_eq!((rest.complete, rest.unknowns), (0, vec![2]));
    }

    #[test]
    fn the_same_pivot_in_a_column_that_had_large_numbers_is_their_rounding() {
        let matrix: [&[f64]; 2] = [&[1e-9, 0.5], &[0.5, 1.0]];
        let rest = rest(1, &matrix, 1e-10, &mut [1e9, 1.0]).expect("a partner may come");
        assert_eq!((rest.complete, rest.unknowns), (1, vec![0, 1]));
    }

    #[test]
    fn elimination_remembers_how_large_numbers_were_that_have_gone() {
        // 1e8 comes of the first pivot, 1e-8, and the second has it taken off again.
        let matrix: [&[f64]; 3] = [&[1e-8, 1.0, 0.0], &[1.0, 1e8 + 1.0, 0.0], &[0.0, 0.0, 1.0]];
        let mut sizes = [1.0; 3];
        rest(1, &matrix, 1e-10, &mut sizes).expect("a regular matrix");
        assert_eq!(sizes, [1.0, 1e8, 1.0]);
    }

    #[test]
    fn a_column_of_which_rounding_is_left_makes_the_matrix_singular_at_once() {
        let matrix: [&[f64]; 2] = [&[1e-17, 1e-16], &[1e-16, 1.0]];
        assert!(rest(1, &matrix, 1e-6, &mut [1.0; 2]).is_none());
    }

    #[test]
    fn no_more_unknowns_are_put_off_than_the_border_has_unless_all_digits_are_wanted() {
        // Twenty pivots of 1e-9 beside entries of one in two columns of the border.
        let order = 22;
        let entry = |row: usize, column: usize| match (row.min(column), row.max(column)) {
            (low, high) if low == high => {
                if low < 20 {
                    -1e-9
                } else {
                    1.0
                }
            }
            (low, high) if low < 20 && high >= 20 => 1.0 / (1 + low + high) as f64 + 0.5,
            _ => 0.0,
        };
        let columns: Vec<Vec<f64>> =
            (0..order).map(|column| (0..order).map(|row| entry(row, column)).collect()).collect();
        let columns: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
        let left = |threshold: f64| rest(20, &columns, threshold, &mut [1.0; 22]).expect("regular").complete;
        assert_eq!(left(STABLE_THRESHOLD), 20);
        assert!(left(1e-6) <= 2, "{}", left(1e-6));
    }
}

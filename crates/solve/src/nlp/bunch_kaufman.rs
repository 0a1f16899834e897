use std::fmt;

/// Pivoting threshold `(1 + sqrt 17)/8`, which minimises the bound on element growth.
pub(super) const ALPHA: f64 = 0.640_388_203_202_208;

/// Dense factorisation `P A P^T = L D L^T` of a symmetric indefinite matrix, with its inertia.
///
/// `L` is unit lower triangular, `D` has blocks of one and two rows, chosen by partial pivoting
/// (Bunch and Kaufman 1977; the algorithm of LAPACK's `dsytf2` on the lower triangle). By
/// Sylvester's law the inertia of `A` is that of `D`, and a two-row block always has one
/// eigenvalue of either sign, so it comes at no cost. Memory is kept between factorisations.
///
/// ```
/// # use stickslip_solve as stickslip;
/// use stickslip::nlp::BunchKaufman;
///
/// let mut ldl = BunchKaufman::new(2);
/// ldl.matrix_mut().copy_from_slice(&[0.0, 2.0, 0.0, 3.0]); // by columns; the upper triangle is not read
/// let inertia = ldl.factor()?;
/// assert_eq!((inertia.positive, inertia.negative), (1, 1));
/// let mut x = [2.0, 5.0];
/// ldl.solve(&mut x);
/// assert!(x.iter().all(|entry| (entry - 1.0).abs() < 1e-15));
/// # Ok::<(), stickslip::nlp::Singular>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct BunchKaufman {
    order: usize,
    /// By columns: before factoring the lower triangle of `A`, then `L` and `D` in its place.
    matrix: Vec<f64>,
    pivots: Vec<Pivot>,
}

/// How one row was eliminated, and the row that it was exchanged with before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pivot {
    /// A block of one row.
    Single { exchanged: usize },
    /// One row of a block of two; the second of them was exchanged.
    Double { exchanged: usize },
}

/// Numbers of positive and negative eigenvalues of a regular matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Inertia {
    /// Positive eigenvalues.
    pub positive: usize,
    /// Negative eigenvalues.
    pub negative: usize,
}

/// The matrix is singular to working precision, or has an entry that is not finite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub struct Singular {
    /// The elimination step that found no pivot.
    pub column: usize,
}

impl fmt::Display for Singular {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the matrix is singular or not finite: no pivot in elimination step {}", self.column)
    }
}

impl BunchKaufman {
    /// Room for matrices of `order` rows, all zero.
    pub fn new(order: usize) -> Self {
        let mut this = Self::default();
        this.reset(order);
        this
    }

    /// Changes the order, and sets the matrix to zero.
    pub fn reset(&mut self, order: usize) {
        self.order = order;
        self.matrix.clear();
        self.matrix.resize(order * order, 0.0);
        self.pivots.resize(order, Pivot::Single { exchanged: 0 });
    }

    /// Number of rows.
    pub fn order(&self) -> usize {
        self.order
    }

    /// The matrix by columns, to be written before [`factor`](Self::factor), which overwrites it.
    /// Only the lower triangle is read.
    pub fn matrix_mut(&mut self) -> &mut [f64] {
        &mut self.matrix
    }

    /// Factors the matrix in place.
    ///
    /// # Errors
    /// [`Singular`] if a pivot column vanishes or is not finite; the factors are then of no use.
    pub fn factor(&mut self) -> Result<Inertia, Singular> {
        let mut negative = 0;
        let mut k = 0;
        while k < self.order {
            let singular = Singular { column: k };
            match self.choose_pivot(k).ok_or(singular)? {
                pivot @ Pivot::Single { exchanged } => {
                    self.exchange(k, k, exchanged);
                    negative += usize::from(self.matrix[k + k * self.order] < 0.0);
                    self.eliminate_single(k).ok_or(singular)?;
                    self.pivots[k] = pivot;
                    k += 1;
                }
                pivot @ Pivot::Double { exchanged } => {
                    self.exchange(k, k + 1, exchanged);
                    negative += 1;
                    self.eliminate_double(k).ok_or(singular)?;
                    self.pivots[k] = pivot;
                    self.pivots[k + 1] = pivot;
                    k += 2;
                }
            }
        }
        Ok(Inertia { positive: self.order - negative, negative })
    }

    /// The pivot of the remaining matrix (rows and columns from `k`); `None` without one.
    fn choose_pivot(&self, k: usize) -> Option<Pivot> {
        let (n, a) = (self.order, &self.matrix);
        let diagonal = a[k + k * n].abs();
        let (mut row, mut largest) = (k, 0.0);
        for (i, entry) in a[k * n + k + 1..(k + 1) * n].iter().enumerate() {
            if entry.abs() > largest {
                (row, largest) = (k + 1 + i, entry.abs());
            }
        }
        let size = diagonal.max(largest);
        if !(size > 0.0 && size.is_finite()) {
            return None;
        }
        if diagonal >= ALPHA * largest {
            return Some(Pivot::Single { exchanged: k });
        }
        let left = (k..row).map(|j| a[row + j * n].abs());
        let below = a[row * n + row + 1..(row + 1) * n].iter().map(|entry| entry.abs());
        let largest_in_row = left.chain(below).fold(0.0, f64::max);
        Some(if diagonal >= ALPHA * largest * (largest / largest_in_row) {
            Pivot::Single { exchanged: k }
        } else if a[row + row * n].abs() >= ALPHA * largest_in_row {
            Pivot::Single { exchanged: row }
        } else {
            Pivot::Double { exchanged: row }
        })
    }

    /// Exchanges rows and columns `p` and `q >= p` of the remaining matrix, which starts at `k`.
    fn exchange(&mut self, k: usize, p: usize, q: usize) {
        if p == q {
            return;
        }
        let (n, a) = (self.order, &mut self.matrix);
        for i in q + 1..n {
            a.swap(i + p * n, i + q * n);
        }
        for j in p + 1..q {
            a.swap(j + p * n, q + j * n);
        }
        a.swap(p + p * n, q + q * n);
        for j in k..p {
            a.swap(p + j * n, q + j * n);
        }
    }

    /// Subtracts the outer product of column `k` from what remains, and scales the column to `L`.
    fn eliminate_single(&mut self, k: usize) -> Option<()> {
        let n = self.order;
        let (done, remaining) = self.matrix.split_at_mut((k + 1) * n);
        let column = &mut done[k * n..];
        #[cfg(test)]
        (column[k] *= crate::fault::of_pivot());
        let inverse = 1.0 / column[k];
        if !inverse.is_finite() {
            return None;
        }
        for (offset, target) in remaining.chunks_exact_mut(n).enumerate() {
            let j = k + 1 + offset;
            let factor = column[j] * inverse;
            if factor != 0.0 {
                for (entry, pivot_entry) in target[j..].iter_mut().zip(&column[j..]) {
                    *entry -= factor * pivot_entry;
                }
            }
        }
        for entry in &mut column[k + 1..] {
            *entry *= inverse;
        }
        Some(())
    }

    /// The same with the two columns `k` and `k + 1`: each row of `L` is the row of the columns
    /// times the inverse of the block, computed as LAPACK does so that it cannot overflow early.
    fn eliminate_double(&mut self, k: usize) -> Option<()> {
        let n = self.order;
        let (done, remaining) = self.matrix.split_at_mut((k + 2) * n);
        let (first, second) = done[k * n..].split_at_mut(n);
        #[cfg(test)]
        (first[k] *= crate::fault::of_pivot());
        let off_diagonal = first[k + 1];
        let (d11, d22) = (second[k + 1] / off_diagonal, first[k] / off_diagonal);
        let scale = 1.0 / ((d11 * d22 - 1.0) * off_diagonal);
        if !scale.is_finite() {
            return None;
        }
        for (offset, target) in remaining.chunks_exact_mut(n).enumerate() {
            let j = k + 2 + offset;
            let l_first = scale * (d11 * first[j] - second[j]);
            let l_second = scale * (d22 * second[j] - first[j]);
            if l_first != 0.0 || l_second != 0.0 {
                let columns = first[j..].iter().zip(&second[j..]);
                for (entry, (a, b)) in target[j..].iter_mut().zip(columns) {
                    *entry -= a * l_first + b * l_second;
                }
            }
            (first[j], second[j]) = (l_first, l_second);
        }
        Some(())
    }

    /// Solves `A x = b` in place with the factors of the last successful
    /// [`factor`](Self::factor).
    ///
    /// # Panics
    /// If `b` is not as long as the matrix has rows.
    pub fn solve(&self, b: &mut [f64]) {
        assert_eq!(b.len(), self.order, "right-hand side and matrix must have the same number of rows");
        self.solve_lower(b);
        self.solve_upper(b);
    }

    /// `b <- D^-1 L^-1 P b`.
    fn solve_lower(&self, b: &mut [f64]) {
        let n = self.order;
        let mut k = 0;
        while k < n {
            let first = &self.matrix[k * n..(k + 1) * n];
            match self.pivots[k] {
                Pivot::Single { exchanged } => {
                    b.swap(k, exchanged);
                    let value = b[k];
                    for (entry, factor) in b[k + 1..].iter_mut().zip(&first[k + 1..]) {
                        *entry -= factor * value;
                    }
                    b[k] = value / first[k];
                    k += 1;
                }
                Pivot::Double { exchanged } => {
                    let second = &self.matrix[(k + 1) * n..(k + 2) * n];
                    b.swap(k + 1, exchanged);
                    let (u, v) = (b[k], b[k + 1]);
                    let factors = first[k + 2..].iter().zip(&second[k + 2..]);
                    for (entry, (p, q)) in b[k + 2..].iter_mut().zip(factors) {
                        *entry -= p * u + q * v;
                    }
                    let off_diagonal = first[k + 1];
                    let (d11, d22) = (second[k + 1] / off_diagonal, first[k] / off_diagonal);
                    let scale = 1.0 / ((d11 * d22 - 1.0) * off_diagonal);
                    b[k] = scale * (d11 * u - v);
                    b[k + 1] = scale * (d22 * v - u);
                    k += 2;
                }
            }
        }
    }

    /// `b <- P^T L^-T b`.
    fn solve_upper(&self, b: &mut [f64]) {
        let n = self.order;
        let dot = |column: usize, from: usize, b: &[f64]| -> f64 {
            self.matrix[column * n + from..(column + 1) * n].iter().zip(&b[from..]).map(|(l, x)| l * x).sum()
        };
        let mut end = n;
        while end > 0 {
            let k = end - 1;
            match self.pivots[k] {
                Pivot::Single { exchanged } => {
                    b[k] -= dot(k, end, b);
                    b.swap(k, exchanged);
                    end -= 1;
                }
                Pivot::Double { exchanged } => {
                    b[k] -= dot(k, end, b);
                    b[k - 1] -= dot(k - 1, end, b);
                    b.swap(k, exchanged);
                    end -= 2;
                }
            }
        }
    }
}

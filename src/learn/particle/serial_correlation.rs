//! Whether what a fit leaves of places and velocities goes on from state to state, as noise does not.
//!
//! Drag, a gravity that is another, or impacts of another law move the measured from the fitted motion to one side for many
//! states, by much less than the noise perhaps. So the products of residuals of the same component up to a few states
//! apart are summed, `T = r'Br`. If the data are the motion with independent noise of unit variance, the residuals are
//! `r = P e`, where `P = 1 - QQ'` takes out what the starts of the stretches follow, and `T` has the mean `tr BP` and the
//! variance `2 tr BPBP` (Durbin and Watson 1950; Ljung and Box 1978 sum the squares of such products instead, which
//! for products of one sign are seen less).

use nalgebra::{DMatrix, DVector};

use super::{
    fit::ThrowFit,
    throws::{Kind, Throws},
};

/// How many states two residuals may be apart.
const APART: usize = 10;
/// Standard deviations beyond which what goes on is no chance; sums of squares go beyond more often than normal variables.
const IMPROBABLE: f64 = 5.0;
/// The components: places and velocities, each sideways and up.
const COMPONENTS: [(Kind, &str); 4] = [
    (Kind::Position(0), "places along x"),
    (Kind::Position(1), "heights"),
    (Kind::Velocity(0), "velocities along x"),
    (Kind::Velocity(1), "vertical velocities"),
];

/// A sum of products with its mean and variance under independent noise.
#[derive(Debug, Default, Clone, Copy)]
struct Products {
    sum: f64,
    mean: f64,
    variance: f64,
}

impl Products {
    /// How far beyond its mean it is, in standard deviations; 0 without any products.
    fn deviations(&self) -> f64 {
        if self.variance > 0.0 { (self.sum - self.mean) / self.variance.sqrt() } else { 0.0 }
    }
}

/// The component of which a fit leaves most that goes on, with by how many standard deviations, where that is no chance.
pub(super) fn what_goes_on(fit: &ThrowFit) -> Option<(&'static str, f64)> {
    let best = &fit.fit.best;
    let mut products = [Products::default(); COMPONENTS.len()];
    for (block, unknowns) in best.unknowns.iter().enumerate() {
        let residuals = Residuals::of(&fit.throws, block, &best.parameters, unknowns);
        for (sum, (kind, _)) in products.iter_mut().zip(COMPONENTS) {
            let of_stretch = residuals.products(kind);
            sum.sum += of_stretch.sum;
            sum.mean += of_stretch.mean;
            sum.variance += of_stretch.variance;
        }
    }
    let found = products.iter().zip(COMPONENTS).map(|(products, (_, name))| (name, products.deviations()));
    found.max_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, deviations)| *deviations > IMPROBABLE)
}

/// The residuals of a stretch, and what they may follow.
struct Residuals {
    kinds: Vec<Kind>,
    values: DVector<f64>,
    /// Orthonormal columns that span the derivatives by the start: as many rows as there are values.
    followed: DMatrix<f64>,
}

impl Residuals {
    fn of(throws: &Throws, block: usize, parameters: &[f64], unknowns: &[f64]) -> Self {
        let (mut kinds, mut values, mut slopes) = (Vec::new(), Vec::new(), Vec::new());
        throws.residuals(block, parameters, unknowns, |kind, residual, slope| {
            kinds.push(kind);
            values.push(residual);
            slopes.extend_from_slice(&slope[parameters.len()..]);
        });
        let followed = DMatrix::from_row_slice(values.len(), unknowns.len(), &slopes).qr().q();
        Self { kinds, values: values.into(), followed }
    }

    /// The products of residuals of one kind.
    fn products(&self, kind: Kind) -> Products {
        let rows: Vec<usize> = (0..self.kinds.len()).filter(|&row| self.kinds[row] == kind).collect();
        let near = |place: usize| {
            (place.saturating_sub(APART)..(place + APART + 1).min(rows.len()))
                .filter(move |other| *other != place)
        };
        // Half the sum over all that are near on either side is what `B` makes of a vector.
        let half_of_near = |vector: &dyn Fn(usize) -> f64, place: usize| {
            0.5 * near(place).map(|other| vector(rows[other])).sum::<f64>()
        };
        let columns = self.followed.ncols();
        let mut moved = DMatrix::zeros(rows.len(), columns);
        for place in 0..rows.len() {
            for column in 0..columns {
                moved[(place, column)] = half_of_near(&|row| self.followed[(row, column)], place);
            }
        }
        let followed =
            DMatrix::from_fn(rows.len(), columns, |place, column| self.followed[(rows[place], column)]);
        let both = followed.tr_mul(&moved);
        let squares = 0.25 * (0..rows.len()).map(|place| near(place).count() as f64).sum::<f64>();
        Products {
            sum: (0..rows.len())
                .map(|place| self.values[rows[place]] * half_of_near(&|row| self.values[row], place))
                .sum(),
            mean: -both.trace(),
            variance: 2.0 * (squares - 2.0 * moved.norm_squared() + both.norm_squared()).max(0.0),
        }
    }
}

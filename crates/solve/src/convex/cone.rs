use std::{fmt, ops::Range};

use super::{Block, Vector};

/// A closed convex cone of the impulses of one contact, `|gamma_g| <= mu gamma_n` for each of some groups of tangential rows,
/// under the norm of a diagonal regularisation `R`.
///
/// Vectors hold the tangential components first and the normal one last.
pub trait Cone<const D: usize>: Copy + fmt::Debug {
    /// Whether the projection is piecewise linear along a ray, with pieces that end at [`Cone::crossings`].
    const IS_PIECEWISE_LINEAR: bool;

    /// A cone to be written over.
    fn blank() -> Self;

    /// Whether all parameters are finite numbers within their ranges.
    fn is_valid(&self) -> bool;

    /// `mu`.
    fn friction(&self) -> f64;

    /// The groups of tangential rows.
    fn groups(&self) -> impl Iterator<Item = Range<usize>>;

    /// `R x`.
    fn scale(&self, x: &Vector<D>) -> Vector<D>;

    /// `R^-1 x`.
    fn unscale(&self, x: &Vector<D>) -> Vector<D>;

    /// `|x|_R^2`.
    #[inline]
    fn norm_squared(&self, x: &Vector<D>) -> f64 {
        x.dot(&self.scale(x))
    }

    /// The projection `P(y)` onto the cone in the norm R.
    fn project(&self, y: &Vector<D>) -> Projection<D>;

    /// `G = (dP/dy) R^-1`, symmetric and positive semidefinite: minus the derivative of the impulse with respect to the
    /// contact velocity; that of one of the pieces where they meet.
    fn stiffness(&self, y: &Vector<D>, projection: &Projection<D>) -> Block<D>;

    /// Whether the projections of `start`, which is given, and `end` are of one linear piece; asked where there are pieces.
    fn is_one_piece(&self, start: (&Vector<D>, &Projection<D>), end: &Vector<D>) -> bool;

    /// The `alpha` at which `start + alpha direction` may leave a piece; asked where there are pieces.
    fn crossings(&self, start: &Vector<D>, direction: &Vector<D>) -> [f64; 4];
}

/// The friction cone `|gamma_t| <= mu gamma_n` of one contact under the norm of its
/// regularisation, `|gamma|_R^2 = R_t |gamma_t|^2 + R_n gamma_n^2`.
///
/// Vectors hold the tangential components first and the normal one last.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrictionCone {
    friction: f64,
    regularization: Regularization,
    /// `mu_hat = mu R_t/R_n`: the slope of the polar cone in the norm R.
    mu_hat: f64,
    /// `f = 1/(1 + mu mu_hat)`.
    shrink: f64,
    /// `1/R_t` and `1/R_n`.
    inverse: Regularization,
}

/// The diagonal of `R`: how much velocity one unit of impulse may miss the contact law by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Regularization {
    /// `R_t`, the same in every tangential direction; positive.
    pub tangential: f64,
    /// `R_n`; positive.
    pub normal: f64,
}

/// Where an unprojected impulse lies, and so which piece of the projection applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Region {
    /// In the friction cone: the contact sticks and the impulse stays as it is.
    Stick,
    /// Outside both cones: the contact slides and the impulse goes to the surface of the cone.
    Slide,
    /// In the polar cone: the contact is open and the impulse is zero.
    Open,
}

/// A projected impulse and the piece of the projection that gave it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Projection<const D: usize> {
    /// The point of the cone closest to `y` in the norm R.
    pub impulse: Vector<D>,
    /// Where `y` lies.
    pub region: Region,
}

impl FrictionCone {
    /// The cone of friction coefficient `mu >= 0` under the norm of `regularization`.
    pub fn new(friction: f64, regularization: Regularization) -> Self {
        let Regularization { tangential, normal } = regularization;
        let inverse = Regularization { tangential: 1.0 / tangential, normal: 1.0 / normal };
        let mu_hat = friction * tangential * inverse.normal;
        Self { friction, regularization, mu_hat, shrink: 1.0 / (1.0 + friction * mu_hat), inverse }
    }

    /// Friction coefficient `mu`.
    pub fn friction(&self) -> f64 {
        self.friction
    }

    /// The diagonal of `R`.
    pub fn regularization(&self) -> Regularization {
        self.regularization
    }

    fn is_in_range(&self) -> bool {
        let Regularization { tangential, normal } = self.regularization;
        // Their inverses and ratio must not overflow either.
        let positive = |value: f64| value.is_normal() && value > 0.0 && (1.0 / value).is_finite();
        self.friction >= 0.0 && self.mu_hat.is_finite() && positive(tangential) && positive(normal)
    }

    /// `R x`.
    #[inline]
    pub fn scale<const D: usize>(&self, x: &Vector<D>) -> Vector<D> {
        let mut scaled = x * self.regularization.tangential;
        scaled[D - 1] = x[D - 1] * self.regularization.normal;
        scaled
    }

    /// `R^-1 x`.
    #[inline]
    pub fn unscale<const D: usize>(&self, x: &Vector<D>) -> Vector<D> {
        let mut unscaled = x * self.inverse.tangential;
        unscaled[D - 1] = x[D - 1] * self.inverse.normal;
        unscaled
    }

    /// `|x|_R^2`.
    #[inline]
    pub fn norm_squared<const D: usize>(&self, x: &Vector<D>) -> f64 {
        x.dot(&self.scale(x))
    }

    /// Where `y` lies: `|y_t| <= mu y_n` sticks, `y_n <= -mu_hat |y_t|` is open, the rest slides.
    pub fn region<const D: usize>(&self, y: &Vector<D>) -> Region {
        self.region_at(tangential_norm(y), y[D - 1])
    }

    #[inline(always)]
    fn region_at(&self, radius: f64, normal: f64) -> Region {
        // The sign of y_n counts for mu = 0, where the cone is a ray and |y_t| = 0 on both sides of it.
        if radius <= self.friction * normal && normal >= 0.0 {
            Region::Stick
        } else if normal <= -self.mu_hat * radius {
            Region::Open
        } else {
            Region::Slide
        }
    }

    /// The projection `P(y)` onto the cone in the norm R.
    #[inline]
    pub fn project<const D: usize>(&self, y: &Vector<D>) -> Projection<D> {
        let radius = tangential_norm(y);
        let region = self.region_at(radius, y[D - 1]);
        let impulse = match region {
            Region::Stick => *y,
            Region::Open => Vector::zeros(),
            Region::Slide => {
                let normal = self.shrink * (y[D - 1] + self.mu_hat * radius);
                let mut impulse = y * (self.friction * normal / radius);
                impulse[D - 1] = normal;
                impulse
            }
        };
        Projection { impulse, region }
    }

    /// `G = (dP/dy) R^-1`, symmetric and positive semidefinite: minus the derivative of the
    /// impulse with respect to the contact velocity. On the border of two regions it is the
    /// derivative of the one that `projection` names.
    #[inline]
    pub fn stiffness<const D: usize>(&self, y: &Vector<D>, projection: &Projection<D>) -> Block<D> {
        let Regularization { tangential, normal } = self.inverse;
        let mut stiffness = Block::zeros();
        match projection.region {
            Region::Open => {}
            Region::Stick => {
                for i in 0..D - 1 {
                    stiffness[(i, i)] = tangential;
                }
                stiffness[(D - 1, D - 1)] = normal;
            }
            Region::Slide => {
                let per_radius = 1.0 / tangential_norm(y);
                let direction = y * per_radius;
                let along_normal = self.shrink * normal;
                let turning = if D == 2 {
                    0.0 // a single tangential direction cannot turn
                } else {
                    self.friction * projection.impulse[D - 1] * tangential * per_radius
                };
                let along_tangent = self.friction * self.friction * along_normal - turning;
                stiffness[(D - 1, D - 1)] = along_normal;
                for i in 0..D - 1 {
                    let coupling = self.friction * direction[i] * along_normal;
                    stiffness[(i, D - 1)] = coupling;
                    stiffness[(D - 1, i)] = coupling;
                    for j in 0..D - 1 {
                        stiffness[(i, j)] = along_tangent * direction[i] * direction[j];
                    }
                    stiffness[(i, i)] += turning;
                }
            }
        }
        stiffness
    }
}

impl<const D: usize> Cone<D> for FrictionCone {
    const IS_PIECEWISE_LINEAR: bool = D == 2;

    fn blank() -> Self {
        Self::new(0.0, Regularization { tangential: 1.0, normal: 1.0 })
    }

    fn is_valid(&self) -> bool {
        self.is_in_range()
    }

    fn friction(&self) -> f64 {
        self.friction
    }

    fn groups(&self) -> impl Iterator<Item = Range<usize>> {
        std::iter::once(0..D - 1)
    }

    #[inline]
    fn scale(&self, x: &Vector<D>) -> Vector<D> {
        Self::scale(self, x)
    }

    #[inline]
    fn unscale(&self, x: &Vector<D>) -> Vector<D> {
        Self::unscale(self, x)
    }

    #[inline]
    fn project(&self, y: &Vector<D>) -> Projection<D> {
        Self::project(self, y)
    }

    #[inline]
    fn stiffness(&self, y: &Vector<D>, projection: &Projection<D>) -> Block<D> {
        Self::stiffness(self, y, projection)
    }

    /// Every region is convex, and so is each half of the sliding one.
    fn is_one_piece(&self, (start, projection): (&Vector<D>, &Projection<D>), end: &Vector<D>) -> bool {
        let region = self.region(end);
        region == projection.region && (region != Region::Slide || end[0] * start[0] > 0.0)
    }

    /// Where it crosses a border of two regions, `y_t = +-mu y_n` or `y_n = -+mu_hat y_t`.
    fn crossings(&self, start: &Vector<D>, direction: &Vector<D>) -> [f64; 4] {
        let (mu, mu_hat) = (self.friction, self.mu_hat);
        let (y_t, y_n) = (start[0], start[D - 1]);
        let (dy_t, dy_n) = (direction[0], direction[D - 1]);
        let borders = [
            (y_t - mu * y_n, dy_t - mu * dy_n),
            (y_t + mu * y_n, dy_t + mu * dy_n),
            (y_n + mu_hat * y_t, dy_n + mu_hat * dy_t),
            (y_n - mu_hat * y_t, dy_n - mu_hat * dy_t),
        ];
        borders.map(|(value, rate)| -value / rate)
    }
}

/// `|y_t|`.
#[inline(always)]
pub(super) fn tangential_norm<const D: usize>(y: &Vector<D>) -> f64 {
    if D == 2 { y[0].abs() } else { y.as_slice()[..D - 1].iter().map(|y_t| y_t * y_t).sum::<f64>().sqrt() }
}

use super::{Block, Vector};

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

    /// `mu_hat = mu R_t/R_n`.
    pub(super) fn mu_hat(&self) -> f64 {
        self.mu_hat
    }

    /// Whether all parameters are finite numbers within their ranges.
    pub(super) fn is_valid(&self) -> bool {
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

/// `|y_t|`.
#[inline(always)]
pub(super) fn tangential_norm<const D: usize>(y: &Vector<D>) -> f64 {
    if D == 2 { y[0].abs() } else { y.as_slice()[..D - 1].iter().map(|y_t| y_t * y_t).sum::<f64>().sqrt() }
}

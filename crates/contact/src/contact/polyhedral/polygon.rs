use nalgebra::SVector;

/// How the polygon that stands for the circle of friction in space is turned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum FrictionPolygon {
    /// One direction of each contact is that in which it would slip without any contact, in every step
    /// anew. A body that slides straight is braked along its way, however few directions there are.
    #[default]
    Aligned,
    /// One direction is the first tangent of the contact. Friction prefers the directions, and bends slides
    /// towards them.
    Fixed,
}

impl FrictionPolygon {
    /// The unit directions of a contact whose relative velocity without contacts is `free`, normal first, of a
    /// polygon with these `corners`; their normal component is 0. In the plane there are two, whatever the corners.
    pub(super) fn directions<'a, const D: usize>(
        self,
        corners: &'a [Corner],
        free: &SVector<f64, D>,
    ) -> impl Iterator<Item = SVector<f64, D>> + 'a {
        let slip = if D > 2 { free[1].hypot(free[D - 1]) } else { 0.0 };
        let (cos, sin) = match self {
            Self::Aligned if slip > 0.0 => (free[1] / slip, free[D - 1] / slip),
            Self::Aligned | Self::Fixed => (1.0, 0.0),
        };
        corners.iter().map(move |corner| {
            let mut direction = SVector::<f64, D>::zeros();
            if D > 2 {
                direction[1] = cos * corner.cos - sin * corner.sin;
                direction[D - 1] = sin * corner.cos + cos * corner.sin;
            } else {
                direction[1] = corner.cos;
            }
            direction
        })
    }

    /// The derivative of the angle by which the directions are turned with respect to `free`, in rad per m/s;
    /// `None` where it has none, without a slip to be along.
    pub(super) fn turning<const D: usize>(self, free: &SVector<f64, D>) -> Option<SVector<f64, D>> {
        let mut turning = SVector::zeros();
        if self == Self::Aligned && D > 2 {
            let squared = free[1] * free[1] + free[D - 1] * free[D - 1];
            if squared == 0.0 {
                return None;
            }
            turning[1] = -free[D - 1] / squared;
            turning[D - 1] = free[1] / squared;
        }
        Some(turning)
    }
}

/// A corner of a regular polygon around the origin, on the unit circle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Corner {
    cos: f64,
    sin: f64,
}

impl Corner {
    /// The corners of the polygon that has `count` of them, the first on the first axis.
    pub fn regular(count: usize) -> Vec<Self> {
        let corner = |j: usize| {
            let (sin, cos) = (std::f64::consts::TAU * j as f64 / count as f64).sin_cos();
            Self { cos, sin }
        };
        (0..count).map(corner).collect()
    }
}

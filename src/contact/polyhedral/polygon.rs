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
    /// The `count` unit directions of a contact whose relative velocity without contacts is `free`, normal
    /// first; their normal component is 0. In the plane there are two, whatever the count.
    pub(super) fn directions<const D: usize>(
        self,
        count: usize,
        free: &SVector<f64, D>,
    ) -> impl Iterator<Item = SVector<f64, D>> {
        let turned = match self {
            Self::Aligned if D > 2 => free[D - 1].atan2(free[1]),
            Self::Aligned | Self::Fixed => 0.0,
        };
        (0..if D == 2 { 2 } else { count }).map(move |j| {
            let mut direction = SVector::<f64, D>::zeros();
            if D == 2 {
                direction[1] = if j == 0 { 1.0 } else { -1.0 };
            } else {
                let (sin, cos) = (turned + std::f64::consts::TAU * j as f64 / count as f64).sin_cos();
                direction[1] = cos;
                direction[D - 1] = sin;
            }
            direction
        })
    }
}

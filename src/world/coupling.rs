use nalgebra::{SMatrix, SVector};

use crate::contact::Link;

/// Points of two bodies that a rod or a spring joins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coupling<const D: usize> {
    /// The bodies.
    pub bodies: [usize; 2],
    /// The points in m, in the axes of the bodies about their centres of mass.
    pub points: [SVector<f64, D>; 2],
    /// Its length at rest in m.
    pub length: f64,
    /// What it does about a deviation.
    pub law: CouplingLaw,
}

/// What a coupling does about a deviation from its length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CouplingLaw {
    /// It allows none.
    Rigid,
    /// It pulls back.
    Elastic {
        /// Stiffness in N/m.
        stiffness: f64,
        /// Damping in N s/m.
        damping: f64,
    },
}

impl<const D: usize> Coupling<D> {
    /// The row of a step of `dt` s between points at these `places`, whose velocities follow from those of
    /// their bodies by these `maps`: its direction is that at the start of the step, a deviation is undone at
    /// its end. `None` where it does nothing.
    pub(super) fn link<const N: usize>(
        &self,
        places: [SVector<f64, D>; 2],
        maps: [SMatrix<f64, D, N>; 2],
        dt: f64,
    ) -> Option<Link<N>> {
        let (distance, direction) = separation(&places[0], &places[1]);
        let deviation = distance - self.length;
        let (bias, compliance) = match self.law {
            CouplingLaw::Rigid => (deviation / dt, 0.0),
            CouplingLaw::Elastic { stiffness, damping } => {
                let implicit = dt * stiffness + damping;
                if implicit <= 0.0 {
                    return None;
                }
                (stiffness * deviation / implicit, 1.0 / (dt * implicit))
            }
        };
        let [first, second] = self.bodies;
        let jacobian = [maps[0].tr_mul(&direction), -maps[1].tr_mul(&direction)];
        Some(Link { bodies: [Some(first), Some(second)], jacobian, bias, compliance })
    }
}

/// Distance of two points, and the direction from the second to the first; upwards where they are in one
/// place.
pub(super) fn separation<const D: usize>(
    first: &SVector<f64, D>,
    second: &SVector<f64, D>,
) -> (f64, SVector<f64, D>) {
    let line = first - second;
    let distance = line.norm();
    if distance > 0.0 {
        (distance, line / distance)
    } else {
        (0.0, SVector::from_fn(|i, _| f64::from(i == D - 1)))
    }
}

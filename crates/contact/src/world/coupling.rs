use nalgebra::{SMatrix, SVector};

use crate::{contact::Link, model::Real};

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
    /// The link of a step of `dt` s between points at these `places`, whose velocities follow from those of
    /// their bodies by these `maps`: its direction is that at the start of the step, a deviation is undone at
    /// its end. `None` where it does nothing.
    pub(super) fn link<const N: usize>(
        &self,
        places: [SVector<f64, D>; 2],
        maps: [SMatrix<f64, D, N>; 2],
        dt: f64,
    ) -> Option<Link<N>> {
        let (jacobian, bias, compliance) = self.rows(places, maps, dt)?;
        let [first, second] = self.bodies;
        let largest = places.iter().map(|place| place.amax()).fold(self.length, f64::max);
        let terms = match self.law {
            CouplingLaw::Rigid => largest / dt,
            CouplingLaw::Elastic { stiffness, damping } => stiffness * largest / (dt * stiffness + damping),
        };
        Some(Link { bodies: [Some(first), Some(second)], jacobian, bias, terms, compliance })
    }

    /// The rows for the two bodies, the bias and the compliance of the link.
    pub(super) fn rows<const N: usize, S: Real>(
        &self,
        places: [SVector<S, D>; 2],
        maps: [SMatrix<S, D, N>; 2],
        dt: f64,
    ) -> Option<([SVector<S, N>; 2], S, f64)> {
        let (distance, direction) = separation(&places[0], &places[1]);
        let deviation = distance - S::constant(self.length);
        let (bias, compliance) = match self.law {
            CouplingLaw::Rigid => (deviation / S::constant(dt), 0.0),
            CouplingLaw::Elastic { stiffness, damping } => {
                let implicit = dt * stiffness + damping;
                if implicit <= 0.0 {
                    return None;
                }
                (S::constant(stiffness) * deviation / S::constant(implicit), 1.0 / (dt * implicit))
            }
        };
        Some(([maps[0].tr_mul(&direction), -maps[1].tr_mul(&direction)], bias, compliance))
    }
}

/// Distance of two points, and the direction from the second to the first; upwards where they are in one
/// place.
pub(super) fn separation<const D: usize, S: Real>(
    first: &SVector<S, D>,
    second: &SVector<S, D>,
) -> (S, SVector<S, D>) {
    let line = first - second;
    let distance = line.norm();
    if distance.value() > 0.0 {
        (distance, line / distance)
    } else {
        (S::zero(), SVector::from_fn(|i, _| S::constant(f64::from(i == D - 1))))
    }
}

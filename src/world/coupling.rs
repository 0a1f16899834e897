use nalgebra::SVector;

use crate::{contact::Link, model::Real};

/// Two bodies whose centres of mass a rod or a spring joins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coupling {
    /// The bodies.
    pub bodies: [usize; 2],
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

impl Coupling {
    /// The row of a step of `dt` s between bodies at these positions: its direction is that at the start
    /// of the step, a deviation is undone at its end. `None` where it does nothing.
    pub(super) fn link<const D: usize, const N: usize>(
        &self,
        positions: [SVector<f64, D>; 2],
        dt: f64,
    ) -> Option<Link<N>> {
        let (row, bias, compliance) = self.row(positions, dt)?;
        let [first, second] = self.bodies;
        Some(Link { bodies: [Some(first), Some(second)], jacobian: [row, -row], bias, compliance })
    }

    /// The row for the first body, the bias and the compliance of the link.
    pub(super) fn row<const D: usize, const N: usize, S: Real>(
        &self,
        positions: [SVector<S, D>; 2],
        dt: f64,
    ) -> Option<(SVector<S, N>, S, f64)> {
        let (distance, direction) = separation(&positions[0], &positions[1]);
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
        // The velocities of a body begin with those of its centre of mass.
        Some((SVector::from_fn(|i, _| direction.get(i).copied().unwrap_or(S::zero())), bias, compliance))
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

//! What decides the branches of a step.

use nalgebra::RowDVector;

use crate::stepper::derivative::MarginKind;

/// A quantity whose sign decides a branch of a step.
#[derive(Debug, Clone)]
pub struct BodyMargin {
    /// Which branch.
    pub kind: MarginKind,
    /// How far it is from changing sign.
    pub value: f64,
    /// Its derivative: displacements, velocities, inputs.
    pub row: RowDVector<f64>,
}

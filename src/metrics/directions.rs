use nalgebra::SMatrix;

use crate::{
    contact::Across,
    model::Vector,
    world::{Surface, contact_frame},
};

/// Where the friction of a contact differs across an axis: forces and slips as large as they count beside those along it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Directions<const D: usize> {
    frame: SMatrix<f64, D, D>,
    across: Across,
}

impl<const D: usize> Directions<D> {
    /// Those of a contact with this `normal`; `carried` takes a vector in the axes of a body into those of the world. `None` where
    /// friction is the same in all directions.
    pub fn of(
        surface: &Surface,
        normal: &Vector<D>,
        carried: impl FnOnce(Option<usize>, &Vector<D>) -> Vector<D>,
    ) -> Option<Self> {
        let (anisotropy, frame) = (surface.anisotropy?, contact_frame(normal));
        let across = anisotropy.at(&frame, |axis| carried(anisotropy.carrier, axis))?;
        Some(Self { frame, across })
    }

    /// Those of a point on the ground.
    pub fn on_ground(surface: &Surface) -> Option<Self> {
        let up = Vector::from_fn(|axis, _| f64::from(axis == D - 1));
        Self::of(surface, &up, |_, axis| *axis)
    }

    /// The friction of a force, along the axis and across it: its size is `mu` times the load at most.
    pub fn friction(&self, force: &Vector<D>) -> Vector<D> {
        self.along_surface(&self.across.used(&(self.frame * force)))
    }

    /// The slip of a velocity, along the axis and across it: against it, of the size that friction goes by.
    pub fn slip(&self, velocity: &Vector<D>) -> Vector<D> {
        self.along_surface(&self.across.slip(&(self.frame * velocity)))
    }

    fn along_surface(&self, components: &Vector<D>) -> Vector<D> {
        let mut along = *components;
        along[0] = 0.0;
        along
    }
}

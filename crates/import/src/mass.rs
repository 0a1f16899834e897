use nalgebra::{Isometry3, Matrix3, Vector3};

/// Mass, where its centre is, and how it is spread.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct MassProperties {
    /// In kg.
    pub mass: f64,
    /// In m.
    pub centre: Vector3<f64>,
    /// About the centre, in kg m^2.
    pub inertia: Matrix3<f64>,
}

impl MassProperties {
    pub fn zero() -> Self {
        Self { mass: 0.0, centre: Vector3::zeros(), inertia: Matrix3::zeros() }
    }

    /// The same in the axes in which `pose` places its own.
    pub fn placed(&self, pose: &Isometry3<f64>) -> Self {
        let turn = pose.rotation.to_rotation_matrix();
        Self {
            mass: self.mass,
            centre: pose * nalgebra::Point3::from(self.centre) - nalgebra::Point3::origin(),
            inertia: turn * self.inertia * turn.transpose(),
        }
    }

    /// Mass and inertia by so much more.
    pub fn scaled(&self, by: f64) -> Self {
        Self { mass: self.mass * by, centre: self.centre, inertia: self.inertia * by }
    }

    /// The same with a mass, and moments about its principal axes, that are no less than these.
    pub fn at_least(&self, mass: f64, moment: f64) -> Self {
        let mut principal = self.inertia.symmetric_eigen();
        let inertia = if principal.eigenvalues.min() < moment {
            principal.eigenvalues.apply(|own| *own = own.max(moment));
            principal.recompose()
        } else {
            self.inertia
        };
        Self { mass: self.mass.max(mass), inertia, ..*self }
    }

    /// What several are together (Steiner's theorem).
    pub fn sum(all: impl IntoIterator<Item = Self>) -> Self {
        let all: Vec<Self> = all.into_iter().collect();
        let mass: f64 = all.iter().map(|one| one.mass).sum();
        if mass <= 0.0 {
            return all.first().copied().unwrap_or(Self::zero());
        }
        let centre = all.iter().map(|one| one.centre * (one.mass / mass)).sum::<Vector3<f64>>();
        let about_centre = |one: &Self| one.inertia + steiner(one.mass, &(one.centre - centre));
        Self { mass, centre, inertia: all.iter().map(about_centre).sum() }
    }
}

/// What a point of `mass` at `arm` adds to an inertia.
pub(crate) fn steiner(mass: f64, arm: &Vector3<f64>) -> Matrix3<f64> {
    (Matrix3::from_diagonal_element(arm.norm_squared()) - arm * arm.transpose()) * mass
}

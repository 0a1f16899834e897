use nalgebra::SVector;

/// Friction that is not the same in all directions of a contact in space: along an axis of its tangents by the coefficient of the
/// contact, across it by another one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Across {
    /// Cosine and sine of the angle from the first tangent to the axis.
    pub axis: [f64; 2],
    /// The coefficient across the axis over that along it, at least 0.
    pub ratio: f64,
}

impl Across {
    /// The components of a vector `(n, t1, t2)` along the normal, along the axis and across it.
    pub fn turned<const D: usize>(&self, x: &SVector<f64, D>) -> SVector<f64, D> {
        let [cos, sin] = self.axis;
        let mut turned = *x;
        (turned[1], turned[2]) = (cos * x[1] + sin * x[2], cos * x[2] - sin * x[1]);
        turned
    }

    /// The vector `(n, t1, t2)` of these components.
    pub fn turned_back<const D: usize>(&self, x: &SVector<f64, D>) -> SVector<f64, D> {
        let [cos, sin] = self.axis;
        Self { axis: [cos, -sin], ..*self }.turned(x)
    }

    /// The components of an impulse, those across the axis as large as they were along it with the same share of its friction:
    /// infinite where there is none.
    pub fn used<const D: usize>(&self, impulse: &SVector<f64, D>) -> SVector<f64, D> {
        let mut used = self.turned(impulse);
        if used[2] != 0.0 {
            used[2] /= self.ratio;
        }
        used
    }

    /// The components of a velocity, that across the axis as fast as it counts beside the other: `|S u|/mu` is its size.
    pub fn slip<const D: usize>(&self, velocity: &SVector<f64, D>) -> SVector<f64, D> {
        let mut slip = self.turned(velocity);
        slip[2] *= self.ratio;
        slip
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::Vector3;

    use super::*;

    #[test]
    fn what_is_turned_and_turned_back_is_the_same() {
        let across = Across { axis: [0.6, 0.8], ratio: 2.0 };
        let x = Vector3::new(1.0, 2.0, -3.0);
        assert!((across.turned_back(&across.turned(&x)) - x).amax() < 1e-15);
        // Along its axis a vector has no component across it.
        let along = across.turned(&Vector3::new(0.5, 0.6, 0.8));
        assert!((along - Vector3::new(0.5, 1.0, 0.0)).amax() < 1e-15, "{along}");
    }

    #[test]
    fn friction_and_slip_count_by_the_coefficients_of_their_directions() {
        let across = Across { axis: [0.0, 1.0], ratio: 0.5 };
        // The axis is the second tangent: what lies along the first is across it.
        assert_eq!(across.used(&Vector3::new(1.0, 0.1, 0.2)), Vector3::new(1.0, 0.2, -0.2));
        assert_eq!(across.slip(&Vector3::new(0.0, 2.0, 0.0)), Vector3::new(0.0, 0.0, -1.0));
        let without = Across { ratio: 0.0, ..across };
        assert_eq!(without.used(&Vector3::new(1.0, 0.0, 0.2))[2], 0.0);
        assert!(without.used(&Vector3::new(1.0, 0.1, 0.0))[2].is_infinite());
    }
}

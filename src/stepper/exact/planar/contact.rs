//! Kinematics and forces of what touches.

use nalgebra::{Matrix2, SMatrix, Vector2};

use super::{BodyState, ExactBody, Phase, Slip};
use crate::world::planar::{Pose, Shape, Twist};

/// Response of a sliding point to its normal force below which it counts as none.
const LEAST_RESPONSE: f64 = 1e-4;

impl ExactBody {
    /// Number of points that may touch: corners, or 1 for a disc.
    pub(super) fn features(&self) -> usize {
        match &self.shape {
            Shape::Polygon(polygon) => polygon.corners().len(),
            Shape::Disc { .. } => 1,
            // Refused before.
            Shape::Compound(_) => 0,
        }
    }

    pub(super) fn tangent(&self) -> Vector2<f64> {
        Vector2::new(self.plane.normal.y, -self.plane.normal.x)
    }

    /// From the centre of mass to the point.
    pub(super) fn arm(&self, feature: usize, pose: &Pose) -> Vector2<f64> {
        match &self.shape {
            Shape::Polygon(polygon) => pose.rotate(&polygon.corners()[feature]),
            Shape::Disc { radius } => -self.plane.normal * *radius,
            Shape::Compound(_) => Vector2::zeros(),
        }
    }

    /// Height of the point over the ground in m.
    pub(super) fn height(&self, feature: usize, pose: &Pose) -> f64 {
        self.plane.normal.dot(&(pose.position + self.arm(feature, pose))) - self.plane.offset
    }

    /// Rows of the point's velocity along normal and tangent.
    pub(super) fn rows(&self, feature: usize, pose: &Pose) -> SMatrix<f64, 2, 3> {
        let (n, t, r) = (self.plane.normal, self.tangent(), self.arm(feature, pose));
        SMatrix::<f64, 2, 3>::new(n.x, n.y, r.perp(&n), t.x, t.y, r.perp(&t))
    }

    /// Velocity of the point relative to the ground's surface, along normal and tangent.
    pub(super) fn velocity(&self, feature: usize, state: &BodyState) -> Vector2<f64> {
        self.rows(feature, &state.pose) * state.twist - self.plane.velocity
    }

    /// `M^-1` times a wrench.
    pub(super) fn respond(&self, wrench: &Twist) -> Twist {
        Twist::new(wrench.x / self.mass, wrench.y / self.mass, wrench.z / self.inertia)
    }

    /// `W = J M^-1 J'`.
    pub(super) fn delassus(&self, rows: &SMatrix<f64, 2, 3>) -> Matrix2<f64> {
        let inverse = Twist::new(1.0 / self.mass, 1.0 / self.mass, 1.0 / self.inertia);
        rows * SMatrix::from_diagonal(&inverse) * rows.transpose()
    }

    /// Acceleration by gravity and the loads alone.
    fn fall(&self) -> Twist {
        Twist::new(self.pull.x, self.pull.y, self.torque / self.inertia)
    }

    /// Acceleration of the point without a contact force. A corner is drawn towards the centre by its
    /// rotation; the lowest point of a disc is another one of its points at every instant.
    pub(super) fn free_acceleration(&self, feature: usize, state: &BodyState) -> Vector2<f64> {
        let along = self.rows(feature, &state.pose) * self.fall();
        match &self.shape {
            Shape::Disc { .. } | Shape::Compound(_) => along,
            Shape::Polygon(_) => {
                let (r, spin) = (self.arm(feature, &state.pose), state.twist.z);
                along - Vector2::new(self.plane.normal.dot(&r), self.tangent().dot(&r)) * (spin * spin)
            }
        }
    }

    /// The contact force (normal, tangential) in N that keeps the point on the ground, and sticking or
    /// sliding.
    pub(super) fn point_force(&self, feature: usize, slip: Slip, state: &BodyState) -> Vector2<f64> {
        let w = self.delassus(&self.rows(feature, &state.pose));
        let free = self.free_acceleration(feature, state);
        match slip {
            Slip::Stick => w.lu().solve(&-free).unwrap_or_else(Vector2::zeros),
            Slip::Slide(sign) => {
                let friction = self.sliding_friction(sign * self.velocity(feature, state).y);
                let along = Vector2::new(1.0, -friction * sign);
                along * (-free.x / (w.m11 + w.m12 * along.y))
            }
        }
    }

    /// How much the normal acceleration of a sliding point answers to its normal force, `m (W_nn - mu s W_nt)`: 1 where
    /// the body does not turn by it.
    pub(super) fn sliding_response(&self, feature: usize, sign: f64, state: &BodyState) -> f64 {
        let w = self.delassus(&self.rows(feature, &state.pose));
        let friction = self.sliding_friction(sign * self.velocity(feature, state).y);
        self.mass * (w.m11 - friction * sign * w.m12)
    }

    /// Whether a sliding point is in Painleve's paradox, or on the border to it, where its force grows without bound
    /// (Genot and Brogliato 1999) and neither lifting off nor jamming follows from the laws.
    pub(super) fn is_paradoxical(&self, feature: usize, sign: f64, state: &BodyState) -> bool {
        self.sliding_response(feature, sign, state) <= LEAST_RESPONSE
    }

    /// The whole force on a flat side that ends at this corner, along normal and tangent, in N.
    pub(super) fn flat_force(&self, corner: usize, slip: Slip, state: &BodyState) -> Vector2<f64> {
        let weight = -self.mass * self.pull.dot(&self.plane.normal);
        let tangential = match slip {
            Slip::Stick => -self.mass * self.pull.dot(&self.tangent()),
            Slip::Slide(sign) => {
                -self.sliding_friction(sign * self.velocity(corner, state).y) * sign * weight
            }
        };
        Vector2::new(weight, tangential)
    }

    /// How a `force` (or impulse) on a flat side is carried by its two corners, while a `torque` turns the body: the
    /// normal parts, without which it would turn.
    pub(super) fn divided(
        &self,
        corners: [usize; 2],
        (force, torque): (&Vector2<f64>, f64),
        pose: &Pose,
    ) -> [f64; 2] {
        let [first, second] = corners.map(|corner| self.rows(corner, pose));
        // Torques: N1 a1 + N2 a2 + f_t b + torque = 0, N1 + N2 = N.
        let (a1, a2, b) = (first[(0, 2)], second[(0, 2)], first[(1, 2)]);
        let of_first = -(force.y * b + force.x * a2 + torque) / (a1 - a2);
        [of_first, force.x - of_first]
    }

    /// Acceleration in a phase.
    pub(super) fn acceleration(&self, phase: Phase, state: &BodyState) -> Twist {
        match phase {
            Phase::Flight => self.fall(),
            Phase::Point(feature, slip) => {
                let force = self.point_force(feature, slip, state);
                self.fall() + self.respond(&self.rows(feature, &state.pose).tr_mul(&force))
            }
            Phase::Flat([corner, _], slip) => {
                let force = self.flat_force(corner, slip, state);
                let total = self.pull + (self.plane.normal * force.x + self.tangent() * force.y) / self.mass;
                Twist::new(total.x, total.y, 0.0)
            }
        }
    }

    /// Takes off what an integration has drifted from the ground, and from sticking.
    pub(super) fn projected(&self, phase: Phase, mut state: BodyState) -> BodyState {
        let (feature, slip) = match phase {
            Phase::Flight => return state,
            Phase::Point(feature, slip) => (feature, slip),
            Phase::Flat([feature, _], slip) => {
                state.twist.z = 0.0;
                (feature, slip)
            }
        };
        let height = self.height(feature, &state.pose);
        state.pose.position -= self.plane.normal * height;
        let u = self.velocity(feature, &state);
        let mut change = -self.plane.normal * u.x;
        if slip == Slip::Stick {
            change -= self.tangent() * u.y;
        }
        state.twist.x += change.x;
        state.twist.y += change.y;
        state
    }
}

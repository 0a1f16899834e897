//! The derivative of a step whose friction is spanned by the directions of a polygon.

use super::Polygon;
use crate::{
    model::{PointMass, State, Vector, gap_velocity, tangential},
    stepper::{
        PointInput, Step,
        derivative::{LocalDual, LocalInput, MarginKind, Margins},
    },
};

/// Part of the limit of friction within which an impulse is at a corner of the polygon.
const AT: f64 = 1e-8;

/// Which face of the pyramid of friction a step is on.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Face {
    /// No contact.
    Open,
    /// Within the polygon, nearest to the edge with this normal.
    Stick(Vector<3>),
    /// At the corner along this direction, whose neighbours are those.
    Corner(Vector<3>, [Vector<3>; 2]),
    /// On the edge between two corners: its normal, and half of the edge.
    Edge(Vector<3>, Vector<3>),
}

/// The law of a step over the plane by a [`Polygon`], to first order:
///
/// ```text
/// v_t = f_t + mu p d_a                       at a corner,
/// v_t = m (m . f_t + mu p cos(pi/k))         on an edge with the normal m,   p = -(f_z + gap)
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pyramid {
    face: Face,
    /// `cos(pi/k)`: the distance of an edge over that of a corner.
    cosine: f64,
}

impl Pyramid {
    /// The face that `step` is on.
    pub fn of(polygon: &Polygon, body: &PointMass<3>, step: &Step<3>) -> Self {
        let cosine = (std::f64::consts::PI / polygon.directions().len() as f64).cos();
        Self { face: Self::face(polygon, body, step), cosine }
    }

    fn face(polygon: &Polygon, body: &PointMass<3>, step: &Step<3>) -> Face {
        let p = step.contact_impulse[2] / body.mass;
        if p <= 0.0 {
            return Face::Open;
        }
        let friction = tangential(&step.contact_impulse) / body.mass;
        let [first, second] = most_along(polygon, &friction, &[]);
        let middle = first + second;
        let length = middle.norm();
        let normal = if length > 0.0 { middle / length } else { first };
        if tangential(&step.state.velocity).norm() == 0.0 {
            return Face::Stick(normal);
        }
        let limit = body.friction * p;
        if (friction - first * limit).norm() <= AT * limit {
            return Face::Corner(first, most_along(polygon, &first, &[first]));
        }
        Face::Edge(normal, (first - second) * 0.5)
    }

    /// The state after the step, with its derivatives.
    pub fn after(&self, local: &LocalInput<3>) -> State<3, LocalDual> {
        let LocalInput { body, state, push, dt } = *local;
        let free = body.free_velocity(&state, &push, dt);
        let gap = gap_velocity(&body, &state, free[2], dt);
        let limit = body.friction * -(free[2] + gap);
        let velocity = match self.face {
            Face::Open => free,
            Face::Stick(_) => {
                Vector::<3, LocalDual>::new(LocalDual::from_re(0.0), LocalDual::from_re(0.0), -gap)
            }
            Face::Corner(direction, _) => {
                let along = direction.map(LocalDual::from);
                let mut velocity = tangential(&free) + along * limit;
                velocity[2] = -gap;
                velocity
            }
            Face::Edge(normal, _) => {
                let normal = normal.map(LocalDual::from);
                let mut velocity = normal * (normal.dot(&free) + limit * self.cosine);
                velocity[2] = -gap;
                velocity
            }
        };
        state.advance(velocity, dt)
    }

    /// What decides the face, in place of the end of the slip of the cone.
    pub fn margins(&self, body: &PointMass<3>, input: &PointInput<3>, margins: &mut Margins<3>) {
        if body.friction == 0.0 {
            return;
        }
        let local = LocalInput::new(body, input);
        let after = tangential(&self.after(&local).velocity);
        let free = local.body.free_velocity(&local.state, &local.push, local.dt);
        let gap = gap_velocity(&local.body, &local.state, free[2], local.dt);
        let limit = local.body.friction * -(free[2] + gap);
        let friction = after - tangential(&free);
        let along =
            |direction: &Vector<3>, vector: &Vector<3, LocalDual>| direction.map(LocalDual::from).dot(vector);
        match self.face {
            Face::Open => {}
            Face::Stick(normal) => {
                margins.push(MarginKind::Slip, limit * self.cosine - along(&normal, &friction));
            }
            Face::Corner(direction, around) => {
                for other in around {
                    margins.push(MarginKind::Slip, along(&(other - direction), &after));
                }
            }
            Face::Edge(normal, half) => {
                margins.push(MarginKind::Slip, -along(&normal, &after));
                // The shares of both corners.
                let length = half.norm_squared();
                for side in [half, -half] {
                    let share = limit * 0.5 + along(&side, &friction) / (2.0 * length);
                    margins.push(MarginKind::Slip, share);
                }
            }
        }
    }
}

/// The two directions of the polygon that lie most along a vector, `without` some; the same twice where there is but
/// one.
fn most_along(polygon: &Polygon, along: &Vector<3>, without: &[Vector<3>]) -> [Vector<3>; 2] {
    let most = |without: &dyn Fn(&Vector<3>) -> bool| {
        let directions = polygon.directions().iter().map(|[x, y]| Vector::<3>::new(*x, *y, 0.0));
        let left = directions.filter(|direction| !without(direction));
        left.max_by(|a, b| a.dot(along).total_cmp(&b.dot(along)))
    };
    let first = most(&|direction| without.contains(direction)).unwrap_or(*along);
    let second = most(&|direction| without.contains(direction) || *direction == first);
    [first, second.unwrap_or(first)]
}

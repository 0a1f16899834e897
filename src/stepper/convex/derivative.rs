use nalgebra::{SMatrix, SVector};

use super::compliance::{Compliance, Rigidity};
use crate::{
    contact::{Branch, Corner, LinearLaw, friction_cone::tangential_part},
    convex::{FrictionCone, Projection, Region, Regularization},
    model::{Vector, tangential},
};

/// Minus the derivative of the impulse with respect to the relative velocity. Without friction what does not move is held
/// by nothing.
fn tangent_stiffness<const D: usize>(
    cone: &FrictionCone,
    y: &Vector<D>,
    projection: &Projection<D>,
) -> SMatrix<f64, D, D> {
    let mut stiffness = cone.stiffness(y, projection);
    if cone.friction() == 0.0 {
        let normal = stiffness[(D - 1, D - 1)];
        stiffness.fill(0.0);
        stiffness[(D - 1, D - 1)] = normal;
    }
    stiffness
}

/// The derivative of the impulse with respect to `R_n`, from its Hessian `G` and that of the projection of `y` with
/// respect to `R_t/R_n`.
fn by_normal<const D: usize>(
    cone: &FrictionCone,
    y: &Vector<D>,
    stiffness: &SMatrix<f64, D, D>,
    by_ratio: &Vector<D>,
) -> Vector<D> {
    let Regularization { tangential, normal } = cone.regularization();
    stiffness.column(D - 1) * -y[D - 1] - by_ratio * (tangential / (normal * normal))
}

/// The derivatives of the projection of `y` with respect to the friction coefficient and to `R_t/R_n`.
fn projection_slopes<const D: usize>(
    cone: &FrictionCone,
    y: &Vector<D>,
    projection: &Projection<D>,
) -> [Vector<D>; 2] {
    if projection.region != Region::Slide {
        return [Vector::zeros(), Vector::zeros()];
    }
    let mu = cone.friction();
    let ratio = cone.regularization().tangential / cone.regularization().normal;
    let radius = tangential(y).norm();
    let direction = tangential(y) / radius;
    let normal = projection.impulse[D - 1];
    let shrink = 1.0 / (1.0 + mu * mu * ratio);
    let along = |change: f64, direct: f64| {
        let mut change_of = direction * (direct + mu * change);
        change_of[D - 1] = change;
        change_of
    };
    [
        along(shrink * ratio * (radius - 2.0 * mu * normal), normal),
        along(shrink * mu * (radius - mu * normal), 0.0),
    ]
}

/// The law of a compliant contact of bodies at the relative velocity `u`, with `w` its own Delassus operator, all
/// with the normal first; `weight` scales its rows.
///
/// `dr = G (dvhat - du) + gamma_mu dmu + gamma_w dlog w + gamma_s ds`, both regularisations in proportion to `w`, or
/// that of friction alone, and the other one the softness `s` that was chosen for the start, if it was.
pub(super) fn linear_law<const D: usize>(
    (compliance, cone, softness): (&Compliance, &FrictionCone, f64),
    (gap, u): (f64, &Vector<D>),
    w: &SMatrix<f64, D, D>,
    (dt, weight): (f64, f64),
) -> LinearLaw<D> {
    let tangents_first = |v: &Vector<D>| Vector::from_fn(|i, _| v[(i + 1) % D]);
    let normal_first = |v: &Vector<D>| Vector::from_fn(|i, _| v[(i + D - 1) % D]);
    let mut reference = -tangents_first(u);
    reference[D - 1] += compliance.reference(gap, dt);
    let y = cone.unscale(&reference);
    let projection = cone.project(&y);
    let thresholds = thresholds((compliance, cone), u, &normal_first(&projection.impulse), dt);
    let branch = match projection.region {
        Region::Open => return LinearLaw { thresholds, ..LinearLaw::open() },
        Region::Stick => Branch::Stick,
        Region::Slide => Branch::Slip,
    };
    let stiffness: SMatrix<f64, D, D> = tangent_stiffness(cone, &y, &projection);
    let [by_friction, by_ratio] = projection_slopes(cone, &y, &projection);
    let (source, near_rigid, slope) = compliance.scaling(cone, w);
    let mut softened = reference;
    let (mut by_size, mut by_softness) = (Vector::zeros(), Vector::zeros());
    if source != Rigidity::NearRigid {
        softened[D - 1] = 0.0;
        by_size = by_ratio * (cone.regularization().tangential / cone.regularization().normal);
        if source == Rigidity::Softened {
            by_softness = by_normal(cone, &y, &stiffness, &by_ratio);
        }
    }
    by_size -= stiffness * softened;
    let turned =
        |m: &SMatrix<f64, D, D>| SMatrix::<f64, D, D>::from_fn(|i, j| m[((i + D - 1) % D, (j + D - 1) % D)]);
    let by_gap = stiffness.column(D - 1) * compliance.reference(1.0, dt);
    LinearLaw {
        branch,
        velocity: turned(&stiffness) * weight,
        impulse: SMatrix::identity() * weight,
        friction: normal_first(&by_friction) * -weight,
        gap: normal_first(&by_gap) * -weight,
        approach: Vector::zeros(),
        response: (normal_first(&by_size) * -weight, slope),
        chosen: [normal_first(&by_softness) * -weight, SVector::zeros()],
        thresholds,
        choice: (softness != 0.0).then_some([near_rigid, softness]),
        ..LinearLaw::open()
    }
}

/// Where a contact of bodies with the relative velocity `u` and the impulse `r`, both with the normal first, opens, and
/// where it begins to slide: `vhat_n - u_n + mu |u_t|` and `|u_t| - mu R_t r_n` go through zero there.
fn thresholds<const D: usize>(
    (compliance, cone): (&Compliance, &FrictionCone),
    u: &Vector<D>,
    r: &Vector<D>,
    dt: f64,
) -> [Option<Corner<D>>; 2] {
    let slip = tangential_part(u);
    let speed = slip.norm();
    let along = if speed > 0.0 { slip / speed } else { Vector::zeros() };
    let (mu, softness) = (cone.friction(), cone.regularization().tangential);
    let unit = |value: f64| Vector::<D>::from_fn(|i, _| if i == 0 { value } else { 0.0 });
    let none = Vector::zeros();
    let opening = Corner {
        velocity: along * mu - unit(1.0),
        impulse: none,
        gap: compliance.reference(1.0, dt),
        friction: speed,
        free: none,
    };
    let sliding = Corner {
        velocity: along,
        impulse: unit(-mu * softness),
        gap: 0.0,
        friction: -softness * r[0],
        free: none,
    };
    [Some(opening), Some(sliding)]
}

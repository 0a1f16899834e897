use nalgebra::SMatrix;

use super::compliance::Compliance;
use crate::{
    contact::{Branch, LinearLaw},
    convex::{FrictionCone, IsotropicContact, Projection, Region},
    model::{PointMass, Vector, magnitude, tangential},
    stepper::{
        PointInput,
        derivative::{ContactDerivative, GapSource, LocalInput, MarginKind, Margins},
    },
};

/// The derivative of the compliant contact law of a point at the solution `v` of its program.
///
/// The gradient of the cost vanishes, `m (v - v*) = gamma(v)`, so that with the Hessian
/// `H = m I + G`, `G = -d gamma/d v`,
///
/// ```text
/// dv = H^-1 (m dv* + G dvhat + gamma_mu dmu + (gamma_m - (v - v*)) dm)
/// ```
///
/// A compliance that was chosen from the start of the scenario counts as a setting, which stays.
pub(super) fn contact_derivative<const D: usize>(
    compliance: &Compliance,
    contact: &IsotropicContact<D>,
    velocity: &Vector<D>,
    dt: f64,
) -> Option<ContactDerivative<D>> {
    let mass = 1.0 / contact.delassus;
    let cone = &contact.cone;
    let y = cone.unscale(&(contact.reference - velocity));
    let projection = cone.project(&y);
    let stiffness: SMatrix<f64, D, D> = cone.stiffness(&y, &projection);
    let inverse = (SMatrix::<f64, D, D>::identity() * mass + stiffness).try_inverse()?;

    let [by_friction, by_ratio] = projection_slopes(cone, &y, &projection);
    // Both regularisations are in proportion to 1/m; a compliant one is not.
    let rigid = compliance.is_near_rigid::<D>(cone, contact.delassus);
    let mut softened = cone.scale(&y) / mass;
    let mut by_mass = -(velocity - contact.free_velocity);
    if !rigid {
        softened[D - 1] = 0.0;
        let ratio = cone.regularization().tangential / cone.regularization().normal;
        by_mass -= by_ratio * (ratio / mass);
    }
    by_mass += stiffness * softened;

    Some(ContactDerivative {
        free: inverse * mass,
        // vhat_n = -(z/dt) dt/(dt + tau_d).
        gap: inverse * stiffness.column(D - 1) * compliance.reference(dt, dt),
        friction: inverse * by_friction,
        mass: inverse * by_mass,
        source: GapSource::Height,
    })
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
/// `dr = G (dvhat - du) + gamma_mu dmu + gamma_w dlog w`, both regularisations in proportion to `w`, or that of
/// friction alone.
pub(super) fn linear_law<const D: usize>(
    (compliance, cone): (&Compliance, &FrictionCone),
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
    let branch = match projection.region {
        Region::Open => return LinearLaw::open(),
        Region::Stick => Branch::Stick,
        Region::Slide => Branch::Slip,
    };
    let stiffness: SMatrix<f64, D, D> = cone.stiffness(&y, &projection);
    let [by_friction, by_ratio] = projection_slopes(cone, &y, &projection);
    let (rigid, slope) = compliance.scaling(cone, w);
    let mut softened = reference;
    let mut by_size = Vector::zeros();
    if !rigid {
        softened[D - 1] = 0.0;
        by_size = by_ratio * (cone.regularization().tangential / cone.regularization().normal);
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
        ..LinearLaw::open()
    }
}

/// Whether the contact acts, slips, or is open.
pub(super) fn margins<const D: usize>(
    compliance: &Compliance,
    cone: &FrictionCone,
    body: &PointMass<D>,
    input: &PointInput<D>,
) -> Margins<D> {
    let softness = |r: f64| 1.0 + r * body.mass;
    let tangential_softness = softness(cone.regularization().tangential);
    let normal_softness = softness(cone.regularization().normal);
    let local = LocalInput::new(body, input);
    let mut margins = Margins::default();
    if compliance.is_gated() {
        margins.push(MarginKind::Contact, local.state.height());
    }
    if !compliance.is_active(input.state.height()) {
        return margins;
    }
    let free = local.body.free_velocity(&local.state, &local.push, local.dt);
    let closing = local.state.height() * compliance.reference(1.0, input.dt) - free[D - 1];
    let slip = magnitude(&tangential(&free));
    let mu = local.body.friction;
    margins.push(MarginKind::Slip, slip / tangential_softness - mu * closing / normal_softness);
    margins.push(MarginKind::Pull, closing + mu * slip);
    margins
}

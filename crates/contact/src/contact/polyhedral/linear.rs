//! The law of contacts with polygons for circles of friction, to first order, from the basis of the solution.

use nalgebra::SVector;

use super::{FrictionPolygon, polygon::Corner as PolygonCorner};
use crate::contact::{
    Branch, Contact, ContactProblem, Corner, LinearLaw, Solution, friction_cone::tangential_part,
    linear_law::slight_velocity,
};

/// Part of the limit of friction within which an impulse is at a corner or on an edge of the polygon.
const AT: f64 = 1e-8;

/// A tangential vector turned by a right angle.
fn turned<const D: usize>(vector: &SVector<f64, D>) -> SVector<f64, D> {
    let mut turned = SVector::zeros();
    turned[1] = -vector[D - 1];
    turned[D - 1] = vector[1];
    turned
}

/// The law of every contact in space at a solution; `None` where it has no derivative, or the solution is not one of
/// the complementarity problem.
///
/// A contact that slips uses its friction `r_t = sum_j beta_j d_j`, `sum_j beta_j = mu p`, along one direction, which
/// is most against the slip `u_t`, or along two, and then slips at right angles to the edge between them. With the
/// angle `theta` by which [`FrictionPolygon::Aligned`] turns all directions
///
/// ```text
/// dr_t = mu dp d_a + p dmu d_a + mu p d_a' dtheta                                       along one,
/// m . dr_t + r_t . m' dtheta = cos(pi/k) (p dmu + mu dp),   e . du_t + u_t . e' dtheta = 0   along two
/// ```
///
/// with the normal `m` of the edge, `e = m'`, and `'` a turn by a right angle.
pub(super) fn polygonal<const D: usize, const N: usize>(
    problem: &ContactProblem<D, N>,
    solution: &Solution<D, N>,
    count: usize,
    polygon: FrictionPolygon,
) -> Option<Vec<LinearLaw<D>>> {
    let slight = slight_velocity(problem);
    let contacts = problem.contacts.iter().zip(&solution.impulses);
    contacts
        .map(|(contact, r)| of_contact(problem, solution, (contact, r), (count, polygon), slight))
        .collect()
}

fn of_contact<const D: usize, const N: usize>(
    problem: &ContactProblem<D, N>,
    solution: &Solution<D, N>,
    (contact, r): (&Contact<D, N>, &SVector<f64, D>),
    (count, polygon): (usize, FrictionPolygon),
    slight: f64,
) -> Option<LinearLaw<D>> {
    let weight = problem.mean_response(contact);
    if weight * r[0] <= slight {
        return Some(LinearLaw::open());
    }
    let u = problem.relative_velocity(contact, &solution.velocity);
    let mut law = LinearLaw::pressed(contact.friction, (r, &u), weight, slight);
    if contact.friction == 0.0 {
        return Some(law);
    }
    let f = problem.relative_velocity(contact, &problem.free_velocity);
    let turning = polygon.turning(&f);
    let directions: Vec<SVector<f64, D>> = polygon.directions(&PolygonCorner::regular(count), &f).collect();
    let neighbour = |a: usize, by: usize| directions[(a + by) % count];
    let nearest = |vector: &SVector<f64, D>| {
        let along = |j: &usize| directions[*j].dot(vector);
        (0..count).max_by(|a, b| along(a).total_cmp(&along(b))).unwrap_or(0)
    };
    let (mu, p) = (contact.friction, r[0]);
    let (limit, cosine) = (mu * p, (std::f64::consts::PI / count as f64).cos());
    let a = nearest(r);
    // The neighbour of `a` to whose side the impulse leans.
    let b =
        [1, count - 1].into_iter().map(|by| neighbour(a, by)).max_by(|x, y| x.dot(r).total_cmp(&y.dot(r)))?;
    let a_direction = directions[a];
    let middle = (a_direction + b).normalize();
    let along_edge = turned(&middle);
    let no_turning = SVector::zeros();
    if law.branch == Branch::Stick {
        // A hold does not ask how the polygon is turned, but its end does.
        let turning = turning.unwrap_or(no_turning);
        let mut impulse = -middle;
        impulse[0] = mu * cosine;
        law.corners[0] = Some(Corner {
            velocity: SVector::zeros(),
            impulse,
            gap: 0.0,
            friction: cosine * p,
            free: turning * -turned(&middle).dot(r),
        });
        return Some(law);
    }
    // The directions are those of the slip without contacts, which there is none, or which links take part in.
    let turning = turning.filter(|turning| problem.links.is_empty() || turning.amax() == 0.0)?;
    let row = |law: &mut LinearLaw<D>, row: usize, vector: &SVector<f64, D>, of_impulse: bool| {
        for j in 1..D {
            law.velocity[(row, j)] = if of_impulse { 0.0 } else { vector[j] };
            law.impulse[(row, j)] = if of_impulse { weight * vector[j] } else { 0.0 };
        }
    };
    let (tangential, slip) = (tangential_part(r), tangential_part(&u));
    if (tangential - a_direction * limit).norm() <= AT * limit {
        let across = turned(&a_direction);
        for i in 1..D {
            let mut axis = SVector::zeros();
            axis[i] = 1.0;
            row(&mut law, i, &axis, true);
            law.impulse[(i, 0)] = -weight * mu * a_direction[i];
            law.friction[i] = -weight * p * a_direction[i];
            for j in 1..D {
                law.free[(i, j)] = -weight * limit * across[i] * turning[j];
            }
        }
        for (corner, by) in law.corners.iter_mut().zip([1, count - 1]) {
            let apart = neighbour(a, by) - a_direction;
            *corner = Some(Corner {
                velocity: apart,
                impulse: SVector::zeros(),
                gap: 0.0,
                friction: 0.0,
                free: turning * turned(&apart).dot(&slip),
            });
        }
        return Some(law);
    }
    if (middle.dot(&tangential) - cosine * limit).abs() > AT * limit {
        return None;
    }
    let (first, second) = (1, D - 1);
    row(&mut law, first, &middle, true);
    law.impulse[(first, 0)] = -weight * mu * cosine;
    law.friction = SVector::zeros();
    law.friction[first] = -weight * p * cosine;
    row(&mut law, second, &along_edge, false);
    law.impulse[(second, 0)] = 0.0;
    for j in 1..D {
        law.free[(first, j)] = weight * along_edge.dot(&tangential) * turning[j];
        law.free[(second, j)] = turned(&along_edge).dot(&slip) * turning[j];
    }
    // beta_a, beta_b and gamma.
    let half = (1.0 - cosine * cosine).sqrt();
    let side = if along_edge.dot(&a_direction) > 0.0 { 1.0 } else { -1.0 };
    for (corner, side) in law.corners.iter_mut().zip([side, -side]) {
        let share = middle / (2.0 * cosine) + along_edge * (side / (2.0 * half));
        *corner = Some(Corner {
            velocity: SVector::zeros(),
            impulse: share,
            gap: 0.0,
            friction: 0.0,
            free: turning * turned(&share).dot(&tangential),
        });
    }
    law.corners[2] = Some(Corner {
        velocity: -middle,
        impulse: SVector::zeros(),
        gap: 0.0,
        friction: 0.0,
        free: turning * -along_edge.dot(&slip),
    });
    Some(law)
}

//! Friction under given normal impulses, after Tresca, together with links.
//!
//! ```text
//! min 1/2 |M^(1/2) (v - v_n)|^2 + sum limit_i |u_t,i|    and every link its equation
//! ```
//!
//! `v_n` are the velocities after the normal impulses, and `limit_i = mu_i r_n,i`.

use clarabel::solver::{DefaultSolver, IPSolver, SecondOrderConeT, SupportedConeT, ZeroConeT};
use nalgebra::{SMatrix, SVector};

use crate::{
    contact::{ContactProblem, FailureKind, Residuals, SolveFailure},
    convex::{STEP_FRACTIONS, Triplets, accurate},
    rows::root,
};

/// Sweeps before the program is handed to an interior-point method, and again after it. Few are needed but where
/// long chains are dragged along: neither friction nor links change the normal forces.
const MOST_SWEEPS: u32 = 1000;

/// Change of a velocity in a sweep, relative to the largest one of the step, below which the sweeps have ended.
const CONVERGED: f64 = 1e-12;

/// The same of the interior-point method's answer: what is asked for, and what is taken where masses differ so much that it
/// has no more digits.
const GOOD: f64 = 1e-9;
const TAKEN: f64 = 1e-6;

/// Settles the tangential impulses and those of the links by projected Gauss-Seidel; `velocity` is that of all impulses
/// on entry and on return. The number of sweeps and iterations.
///
/// # Errors
/// [`FailureKind::NotConverged`] where neither the sweeps nor the interior-point method end.
pub(super) fn settle<const D: usize, const N: usize>(
    problem: &ContactProblem<D, N>,
    impulses: &mut [SVector<f64, D>],
    link_impulses: &mut [f64],
    velocity: &mut Vec<SVector<f64, N>>,
) -> Result<u32, SolveFailure> {
    // With the trace of the tangential rows' response.
    let acting: Vec<(usize, f64)> = (problem.contacts.iter().enumerate())
        .filter(|(index, contact)| impulses[*index][0] > 0.0 && contact.friction > 0.0)
        .map(|(index, contact)| (index, problem.delassus_trace(contact) - problem.normal_response(contact)))
        .collect();
    if acting.is_empty() && link_impulses.is_empty() {
        return Ok(0);
    }
    // At rest velocities are rounding of what they are the sums of.
    let terms = problem.links.iter().map(|link| link.terms);
    let velocities = problem.free_velocity.iter().chain(velocity.iter()).map(|v| v.amax());
    let largest = velocities.chain(terms).fold(0.0, f64::max);
    let (mut iterations, mut change) = sweep(problem, &acting, largest, impulses, link_impulses, velocity);
    // How little slow sweeps change says nothing of how far they have to go; after the interior-point method it does.
    let (mut fractions, mut bound) = (STEP_FRACTIONS.into_iter(), CONVERGED);
    while change > bound * largest
        && let Some(step_fraction) = fractions.next()
    {
        iterations += minimise(problem, &acting, (largest, step_fraction), impulses, link_impulses);
        problem.velocities(impulses, link_impulses, velocity);
        let further;
        (further, change) = sweep(problem, &acting, largest, impulses, link_impulses, velocity);
        iterations += further;
        bound = GOOD;
    }
    if change <= TAKEN * largest {
        return Ok(iterations);
    }
    let reason = format!(
        "friction and links did not settle: the last sweep still changed a velocity by {change:.1e} m/s"
    );
    let (kind, residuals) = (FailureKind::NotConverged, Residuals::INFINITE);
    Err(SolveFailure::Unsolved { kind, reason, iterations, residuals })
}

/// Sweeps over friction and links; how many, and what the last one changed, in m/s.
fn sweep<const D: usize, const N: usize>(
    problem: &ContactProblem<D, N>,
    acting: &[(usize, f64)],
    largest: f64,
    impulses: &mut [SVector<f64, D>],
    link_impulses: &mut [f64],
    velocity: &mut [SVector<f64, N>],
) -> (u32, f64) {
    let mut change = 0.0_f64;
    for sweep in 1..=MOST_SWEEPS {
        change = 0.0;
        for &(index, response) in acting {
            let contact = &problem.contacts[index];
            let slip = problem.relative_velocity(contact, velocity);
            let limit = contact.friction * impulses[index][0];
            let mut tangential = impulses[index] - slip / response;
            tangential[0] = 0.0;
            let size = tangential.norm();
            if size > limit {
                tangential *= limit / size;
            }
            let mut step = tangential - impulses[index];
            step[0] = 0.0;
            impulses[index] += step;
            change = change.max(step.amax() * response);
            for (body, jacobian) in contact.bodies.iter().zip(&contact.jacobian) {
                if let Some(body) = *body {
                    velocity[body] += problem.inverse_mass[body] * jacobian.tr_mul(&step);
                }
            }
        }
        for (link, impulse) in problem.links.iter().zip(link_impulses.iter_mut()) {
            let response = problem.link_response(link);
            let miss = problem.link_rate(link, velocity) + link.compliance * *impulse;
            let step = -miss / response;
            *impulse += step;
            change = change.max(miss.abs());
            for (body, row) in link.bodies.iter().zip(&link.jacobian) {
                if let Some(body) = *body {
                    velocity[body] += problem.inverse_mass[body] * row * step;
                }
            }
        }
        if change <= CONVERGED * largest {
            return (sweep, change);
        }
    }
    (MOST_SWEEPS, change)
}

/// Takes tangential impulses and those of the links from the whole program, with `v - v_n = C x` where `C C' = M^-1`, in
/// units of the `largest` velocity and of the largest response to an impulse, so that it is the same for bodies of any
/// mass; its multipliers are the impulses. Leaves them where there is no solution. The number of iterations.
fn minimise<const D: usize, const N: usize>(
    problem: &ContactProblem<D, N>,
    acting: &[(usize, f64)],
    (largest, step_fraction): (f64, f64),
    impulses: &mut [SVector<f64, D>],
    link_impulses: &mut [f64],
) -> u32 {
    let of_links = problem.links.iter().map(|link| problem.link_response(link));
    let response = acting.iter().map(|(_, response)| *response).chain(of_links).fold(0.0, f64::max);
    let scale = 1.0 / response.sqrt();
    let roots: Vec<SMatrix<f64, N, N>> =
        problem.inverse_mass.iter().map(|inverse| root(inverse) * scale).collect();
    let mut pressed = impulses.to_vec();
    for impulse in &mut pressed {
        impulse.rows_mut(1, D - 1).fill(0.0);
    }
    let (bodies, links) = (N * problem.bodies(), problem.links.len());
    let mut start = Vec::new();
    problem.velocities(&pressed, &vec![0.0; links], &mut start);
    // The unknowns: x, one for the compliance of each link, and a bound of |u_t| for each contact.
    let unknowns = bodies + links + acting.len();
    let (mut quadratic, mut constraints) = (Triplets::default(), Triplets::default());
    let (mut linear, mut limits) = (vec![0.0; unknowns], Vec::new());
    for index in 0..bodies + links {
        quadratic.push(index, index, 1.0);
    }
    for (row, link) in problem.links.iter().enumerate() {
        for (body, jacobian) in link.bodies.iter().zip(&link.jacobian) {
            let Some(body) = *body else { continue };
            let scaled = roots[body].tr_mul(jacobian);
            scaled.iter().enumerate().for_each(|(k, &entry)| constraints.push(row, N * body + k, entry));
        }
        constraints.push(row, bodies + row, link.compliance.sqrt() * scale);
        limits.push(-problem.link_rate(link, &start) / largest);
    }
    let mut cones: Vec<SupportedConeT<f64>> = vec![ZeroConeT(links)];
    for (k, &(index, _)) in acting.iter().enumerate() {
        let (contact, row, bound) = (&problem.contacts[index], limits.len(), bodies + links + k);
        linear[bound] = contact.friction * impulses[index][0] * response / largest;
        constraints.push(row, bound, -1.0);
        for (body, jacobian) in contact.bodies.iter().zip(&contact.jacobian) {
            let Some(body) = *body else { continue };
            let scaled = jacobian * roots[body];
            for tangent in 1..D {
                for column in 0..N {
                    constraints.push(row + tangent, N * body + column, -scaled[(tangent, column)]);
                }
            }
        }
        let slip = problem.relative_velocity(contact, &start) / largest;
        limits.push(0.0);
        limits.extend(slip.iter().skip(1));
        cones.push(SecondOrderConeT(D));
    }
    let (quadratic, constraints) =
        (quadratic.build(unknowns, unknowns), constraints.build(limits.len(), unknowns));
    let Ok(settings) = accurate(step_fraction) else { return 0 };
    let Ok(mut solver) = DefaultSolver::new(&quadratic, &linear, &constraints, &limits, &cones, settings)
    else {
        return 0;
    };
    solver.solve();
    let multipliers = &solver.solution.z;
    if multipliers.iter().all(|multiplier| multiplier.is_finite()) {
        for (impulse, multiplier) in link_impulses.iter_mut().zip(multipliers) {
            *impulse = -multiplier * (largest / response);
        }
        for (&(index, _), of_contact) in acting.iter().zip(multipliers[links..].chunks_exact(D)) {
            for tangent in 1..D {
                impulses[index][tangent] = of_contact[tangent] * (largest / response);
            }
        }
    }
    solver.solution.iterations
}

//! Friction under given normal impulses, after Tresca, together with links.
//!
//! ```text
//! min 1/2 |M^(1/2) (v - v_n)|^2 + sum limit_b |u_b|    and every link its equation
//! ```
//!
//! `v_n` are the velocities after the normal impulses, and `u_b` some rows of a contact whose impulse is no larger than a limit:
//! its tangents, `mu r_n`, or in scaled rows one of the groups of what slides, drills and rolls, `r_n`.

use std::ops::Range;

use clarabel::solver::{DefaultSolver, IPSolver, SecondOrderConeT, SupportedConeT, ZeroConeT};
use nalgebra::{SMatrix, SVector};

use crate::{
    contact::{
        ContactProblem, FailureKind, Residuals, SolveFailure,
        groups::{GROUPS, ROWS},
    },
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

/// Rows of a contact whose impulse lies in a ball.
#[derive(Debug, Clone)]
pub(super) struct Ball {
    contact: usize,
    rows: Range<usize>,
    /// The trace of their response in 1/kg.
    response: f64,
    /// Its radius in N s.
    limit: f64,
}

/// The friction along the tangents of all contacts that press.
pub(super) fn sliding<const D: usize, const N: usize>(
    problem: &ContactProblem<D, N>,
    impulses: &[SVector<f64, D>],
) -> Vec<Ball> {
    (problem.contacts.iter().enumerate())
        .filter(|(index, contact)| impulses[*index][0] > 0.0 && contact.friction > 0.0)
        .map(|(index, contact)| Ball {
            contact: index,
            rows: 1..D,
            response: problem.delassus_trace(contact) - problem.normal_response(contact),
            limit: contact.friction * impulses[index][0],
        })
        .collect()
}

/// The friction of the groups of all contacts that press, in scaled rows.
pub(super) fn of_groups<const N: usize>(
    problem: &ContactProblem<ROWS, N>,
    impulses: &[SVector<f64, ROWS>],
) -> Vec<Ball> {
    let mut balls = Vec::new();
    for (index, contact) in problem.contacts.iter().enumerate() {
        let (limit, own) = (impulses[index][0], problem.own_delassus(contact));
        for rows in GROUPS {
            let response = rows.clone().map(|row| own[(row, row)]).sum::<f64>();
            if limit > 0.0 && response > 0.0 {
                balls.push(Ball { contact: index, rows, response, limit });
            }
        }
    }
    balls
}

/// These rows alone.
fn only<const D: usize>(mut x: SVector<f64, D>, rows: &Range<usize>) -> SVector<f64, D> {
    (0..D).filter(|row| !rows.contains(row)).for_each(|row| x[row] = 0.0);
    x
}

/// Settles the tangential impulses and those of the links by projected Gauss-Seidel; `velocity` is that of all impulses
/// on entry and on return. The number of sweeps and iterations.
///
/// # Errors
/// [`FailureKind::NotConverged`] where neither the sweeps nor the interior-point method end.
pub(super) fn settle<const D: usize, const N: usize>(
    problem: &ContactProblem<D, N>,
    acting: &[Ball],
    impulses: &mut [SVector<f64, D>],
    link_impulses: &mut [f64],
    velocity: &mut Vec<SVector<f64, N>>,
) -> Result<u32, SolveFailure> {
    if acting.is_empty() && link_impulses.is_empty() {
        return Ok(0);
    }
    // At rest velocities are rounding of what they are the sums of.
    let terms = problem.links.iter().map(|link| link.terms);
    let velocities = problem.free_velocity.iter().chain(velocity.iter()).map(|v| v.amax());
    let largest = velocities.chain(terms).fold(0.0, f64::max);
    let (mut iterations, mut change) = sweep(problem, acting, largest, impulses, link_impulses, velocity);
    // How little slow sweeps change says nothing of how far they have to go; after the interior-point method it does.
    let (mut fractions, mut bound) = (STEP_FRACTIONS.into_iter(), CONVERGED);
    while change > bound * largest
        && let Some(step_fraction) = fractions.next()
    {
        iterations += minimise(problem, acting, (largest, step_fraction), impulses, link_impulses);
        problem.velocities(impulses, link_impulses, velocity);
        let further;
        (further, change) = sweep(problem, acting, largest, impulses, link_impulses, velocity);
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
    acting: &[Ball],
    largest: f64,
    impulses: &mut [SVector<f64, D>],
    link_impulses: &mut [f64],
    velocity: &mut [SVector<f64, N>],
) -> (u32, f64) {
    let mut change = 0.0_f64;
    for sweep in 1..=MOST_SWEEPS {
        change = 0.0;
        for Ball { contact: index, rows, response, limit } in acting {
            let (index, response) = (*index, *response);
            let contact = &problem.contacts[index];
            let slip = problem.relative_velocity(contact, velocity);
            let mut tangential = only(impulses[index] - slip / response, rows);
            let size = tangential.norm();
            if size > *limit {
                tangential *= limit / size;
            }
            let step = only(tangential - impulses[index], rows);
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
    acting: &[Ball],
    (largest, step_fraction): (f64, f64),
    impulses: &mut [SVector<f64, D>],
    link_impulses: &mut [f64],
) -> u32 {
    let of_links = problem.links.iter().map(|link| problem.link_response(link));
    let response = acting.iter().map(|ball| ball.response).chain(of_links).fold(0.0, f64::max);
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
    // The unknowns: x, one for the compliance of each link, and a bound of |u_b| for each ball.
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
    for (k, ball) in acting.iter().enumerate() {
        let (contact, row, bound) = (&problem.contacts[ball.contact], limits.len(), bodies + links + k);
        linear[bound] = ball.limit * response / largest;
        constraints.push(row, bound, -1.0);
        for (body, jacobian) in contact.bodies.iter().zip(&contact.jacobian) {
            let Some(body) = *body else { continue };
            let scaled = jacobian * roots[body];
            for (place, tangent) in ball.rows.clone().enumerate() {
                for column in 0..N {
                    constraints.push(row + 1 + place, N * body + column, -scaled[(tangent, column)]);
                }
            }
        }
        let slip = problem.relative_velocity(contact, &start) / largest;
        limits.push(0.0);
        limits.extend(&slip.as_slice()[ball.rows.clone()]);
        cones.push(SecondOrderConeT(1 + ball.rows.len()));
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
        let mut first = links;
        for ball in acting {
            for (place, tangent) in ball.rows.clone().enumerate() {
                impulses[ball.contact][tangent] = multipliers[first + 1 + place] * (largest / response);
            }
            first += 1 + ball.rows.len();
        }
    }
    solver.solution.iterations
}

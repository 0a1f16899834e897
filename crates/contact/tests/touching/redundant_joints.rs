//! Loops of hinges whose rows depend on each other.

use nalgebra::{Isometry3, SMatrix, SVector, Translation3, UnitQuaternion, Vector3};
use stickslip_contact::{
    contact::{Accuracy, ContactModel, ContactProblem, Link, Solution, Structured},
    world::{redundant_links, soften_links},
};

const DT: f64 = 1e-3;

/// A hinge at a point about an axis, between bodies at these places; the world is `None`.
fn hinge(
    bodies: [Option<usize>; 2],
    places: &[Vector3<f64>],
    (point, axis): (Vector3<f64>, Vector3<f64>),
    links: &mut Vec<Link<6>>,
) {
    let across = axis.cross(&if axis.x.abs() < 0.5 { Vector3::x() } else { Vector3::y() }).normalize();
    let rows = [Vector3::x(), Vector3::y(), Vector3::z()]
        .map(|along| (along, true))
        .into_iter()
        .chain([across, axis.cross(&across)].map(|turn| (turn, false)));
    for (direction, is_place) in rows {
        let row = |body: Option<usize>, sign: f64| {
            let Some(body) = body else { return SVector::zeros() };
            let (linear, turning) = match is_place {
                true => (direction, (point - places[body]).cross(&direction)),
                false => (Vector3::zeros(), direction),
            };
            SVector::<f64, 6>::from_iterator(linear.iter().chain(&turning).map(|entry| sign * entry))
        };
        let jacobian = [row(bodies[0], -1.0), row(bodies[1], 1.0)];
        links.push(Link {
            bodies,
            jacobian,
            bias: 0.0,
            terms: 0.0,
            compliance: 0.0,
            bounds: Link::<6>::UNBOUNDED,
        });
    }
}

/// Three rods of 1 kg that four hinges join to a loop with the world, falling; the last hinge is left out where it is open.
fn loop_of(hinges: &[(Vector3<f64>, Vector3<f64>)], is_open: bool) -> ContactProblem<3, 6> {
    let mut problem = ContactProblem::empty(DT);
    let places: Vec<_> = hinges.windows(2).map(|pair| (pair[0].0 + pair[1].0) / 2.0).collect();
    for _ in &places {
        problem.free_velocity.push(SVector::from([0.0, 0.0, -9.81 * DT, 0.0, 0.0, 0.0]));
        problem.inverse_mass.push(SMatrix::from_diagonal(&[1.0, 1.0, 1.0, 12.0, 12.0, 100.0].into()));
    }
    let count = hinges.len();
    for (index, hinge_at) in hinges.iter().enumerate().take(count - usize::from(is_open)) {
        let bodies = [index.checked_sub(1), (index + 1 < count).then_some(index)];
        hinge(bodies, &places, *hinge_at, &mut problem.links);
    }
    problem
}

/// The hinges of Bennett's linkage (1903): opposite rods have the same length and twist, `sin(alpha)/a = sin(beta)/b`.
fn bennett() -> Vec<(Vector3<f64>, Vector3<f64>)> {
    let (a, alpha, beta) = (1.0, 0.7_f64, 1.1_f64);
    let b = a * beta.sin() / alpha.sin();
    let first = 1.0_f64;
    let second =
        2.0 * ((((alpha + beta) / 2.0).sin() / ((beta - alpha) / 2.0).sin()) / (first / 2.0).tan()).atan();
    let turns = [first, second, -first, -second];
    let mut frame = Isometry3::identity();
    let mut hinges = Vec::new();
    for (turn, (length, twist)) in turns.into_iter().zip([(a, alpha), (b, beta), (a, alpha), (b, beta)]) {
        hinges.push((frame.translation.vector, frame * Vector3::z()));
        frame *= UnitQuaternion::from_axis_angle(&Vector3::z_axis(), turn);
        frame *= Translation3::new(length, 0.0, 0.0);
        frame *= UnitQuaternion::from_axis_angle(&Vector3::x_axis(), twist);
    }
    assert!(frame.translation.vector.norm() < 1e-12 && frame.rotation.angle() < 1e-12, "it closes: {frame}");
    hinges
}

#[test]
fn a_bennett_linkage_is_redundant_and_its_forces_stay_bounded() {
    let mut problem = loop_of(&bennett(), false);
    assert_eq!(problem.links.len(), 20);
    let redundant = redundant_links(&problem.inverse_mass, &problem.links);
    assert!(redundant.iter().all(|row| *row), "{redundant:?}");
    soften_links(&problem.inverse_mass, &redundant, &mut problem.links);
    let mut solution = Solution::default();
    let report = Structured::default().solve(&problem, &mut solution).unwrap();
    assert_eq!(report.accuracy, Accuracy::Certified);
    let largest = solution.link_impulses.iter().fold(0.0_f64, |largest, l| largest.max(l.abs())) / DT;
    assert!(largest < 500.0, "three rods of 1 kg: {largest} N");
    // It moves, as one with 17 rows does, and does not fall freely.
    let moves = solution.velocity.iter().map(|velocity| velocity.amax()).fold(0.0, f64::max);
    assert!(moves > 1e-4 && solution.velocity[0][2] > -9.81 * DT, "{moves}");
}

#[test]
fn four_parallel_hinges_in_space_are_redundant_and_chains_are_not() {
    let places = [[0.0, 0.0], [0.1, 0.2], [0.4, 0.3], [0.5, 0.0]];
    let parallel = places.map(|[x, z]| (Vector3::new(x, 0.0, z), Vector3::y()));
    let closed = loop_of(&parallel, false);
    assert!(redundant_links(&closed.inverse_mass, &closed.links).iter().all(|row| *row));
    for hinges in [bennett(), parallel.to_vec()] {
        let open = loop_of(&hinges, true);
        assert!(redundant_links(&open.inverse_mass, &open.links).iter().all(|row| !row));
    }
    // What gives way by itself is no rigid row.
    let mut soft = closed;
    soft.links.iter_mut().for_each(|link| link.compliance = 0.1);
    assert!(redundant_links(&soft.inverse_mass, &soft.links).iter().all(|row| !row));
}

#[test]
fn a_four_bar_in_the_plane_is_exact() {
    let places = [[0.0, 0.0], [0.1, 0.2], [0.4, 0.3], [0.5, 0.0]].map(|[x, z]| nalgebra::Vector2::new(x, z));
    let middles: Vec<_> = places.windows(2).map(|pair| (pair[0] + pair[1]) / 2.0).collect();
    let inverse_mass = vec![SMatrix::<f64, 3, 3>::from_diagonal(&[1.0, 1.0, 12.0].into()); 3];
    let mut links = Vec::new();
    for (index, place) in places.iter().enumerate() {
        for axis in 0..2 {
            let row = |body: Option<usize>, sign: f64| {
                let Some(body) = body else { return SVector::zeros() };
                let arm = place - middles[body];
                let mut row = SVector::<f64, 3>::zeros();
                row[axis] = sign;
                row[2] = sign * [-arm.y, arm.x][axis];
                row
            };
            let bodies = [index.checked_sub(1), (index < 3).then_some(index)];
            let jacobian = [row(bodies[0], -1.0), row(bodies[1], 1.0)];
            let (bias, terms, compliance) = (0.0, 0.0, 0.0);
            links.push(Link { bodies, jacobian, bias, terms, compliance, bounds: Link::<3>::UNBOUNDED });
        }
    }
    assert!(redundant_links(&inverse_mass, &links).iter().all(|row| !row));
}

/// Rows that hold one place of a body to the next one's, `arm` away from the middle of either, in the plane.
fn hinge_rows(bodies: [Option<usize>; 2], arm: f64) -> [Link<3>; 2] {
    [0, 1].map(|axis| {
        let mut jacobian = [SVector::<f64, 3>::zeros(); 2];
        for (row, sign) in jacobian.iter_mut().zip([-1.0, 1.0]) {
            row[axis] = sign;
            row[2] = if axis == 1 { -arm } else { 0.0 };
        }
        for (row, body) in jacobian.iter_mut().zip(bodies) {
            if body.is_none() {
                row.fill(0.0);
            }
        }
        let (bias, terms, compliance) = (0.0, 0.0, 0.0);
        Link { bodies, jacobian, bias, terms, compliance, bounds: Link::<3>::UNBOUNDED }
    })
}

#[test]
fn only_the_loop_of_what_hangs_on_it_is_redundant() {
    let inverse_mass = vec![SMatrix::<f64, 3, 3>::from_diagonal(&[1.0, 1.0, 12.0].into()); 4];
    let doubled =
        [[None, Some(0)], [None, Some(0)], [Some(0), Some(1)], [Some(1), Some(2)], [Some(2), Some(3)]];
    let links: Vec<_> = doubled.into_iter().flat_map(|bodies| hinge_rows(bodies, 0.5)).collect();
    let redundant = redundant_links(&inverse_mass, &links);
    assert_eq!(redundant, [[true; 4].as_slice(), &[false; 6]].concat());
}

#[test]
fn a_chain_of_thousands_of_hinges_is_not_redundant_however_many_rows_it_has() {
    let count = 3000;
    let inverse_mass = vec![SMatrix::<f64, 3, 3>::from_diagonal(&[1.0, 1.0, 12.0].into()); count];
    let links: Vec<_> =
        (0..count).flat_map(|index| hinge_rows([index.checked_sub(1), Some(index)], 0.5)).collect();
    assert!(redundant_links(&inverse_mass, &links).iter().all(|row| !row));
}

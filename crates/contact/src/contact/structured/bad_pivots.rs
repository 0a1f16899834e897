//! A pivot that went wrong gives no wrong impulses: they are held against Coulomb's law afterwards.

use nalgebra::{SMatrix, SVector};

use super::Structured;
use crate::{
    contact::{
        Accuracy, Contact, ContactModel, ContactProblem, DenseSolution, DenseSolver, Report, Solution,
        SolveFailure,
    },
    fault::{FACTORS, in_pivots},
    random::Random,
};

/// Three bodies on the ground and against each other, by rows at random.
fn problem<const D: usize, const N: usize>() -> ContactProblem<D, N> {
    let mut random = Random::seeded(11);
    let mut number = move || random.normal(1.0);
    let mut problem = ContactProblem::empty(1.0);
    for _ in 0..3 {
        problem.free_velocity.push(SVector::from_fn(|_, _| number()));
        problem.inverse_mass.push(SMatrix::identity() * (0.1 + number().powi(2)));
    }
    for index in 0..5 {
        problem.contacts.push(Contact {
            bodies: [Some(index % 3), if index < 3 { None } else { Some((index + 1) % 3) }],
            jacobian: [0; 2].map(|_| SMatrix::from_fn(|_, _| number())),
            friction: 0.5,
            bias: 0.0,
            surface_velocity: SVector::zeros(),
            restitution: 0.0,
            gap: 0.0,
        });
    }
    problem
}

/// Whether impulses and relative velocities fulfil Coulomb's law, by its words, to a millionth of the largest.
fn is_right<const D: usize>(friction: f64, pairs: &[(SVector<f64, D>, SVector<f64, D>)]) -> bool {
    let largest =
        |of: fn(&(SVector<f64, D>, SVector<f64, D>)) -> f64| pairs.iter().map(of).fold(1.0, f64::max);
    let (impulse, velocity) = (largest(|pair| pair.0.amax()), largest(|pair| pair.1.amax()));
    pairs.iter().all(|(r, u)| {
        let [push, slip] = [r, u].map(|v| v.rows(1, D - 1).into_owned());
        let limit = friction * r[0];
        [
            -r[0] / impulse,
            -u[0] / velocity,
            r[0] * u[0] / (impulse * velocity),
            (push.norm() - limit) / impulse,
            slip.norm() * (limit - push.norm()) / (impulse * velocity),
            (slip.dot(&push) + slip.norm() * push.norm()) / (impulse * velocity),
        ]
        .iter()
        .all(|miss| *miss < 1e-6)
    })
}

type Answer<const D: usize> = (Result<Report, SolveFailure>, Vec<(SVector<f64, D>, SVector<f64, D>)>);

fn by_bodies<const D: usize, const N: usize>(problem: &ContactProblem<D, N>) -> Answer<D> {
    let mut solution = Solution::default();
    let answer = Structured::<D, N>::default().solve(problem, &mut solution);
    let velocities =
        problem.contacts.iter().map(|contact| problem.relative_velocity(contact, &solution.velocity));
    (answer, solution.impulses.iter().copied().zip(velocities).collect())
}

fn by_operator<const D: usize, const N: usize>(problem: &ContactProblem<D, N>) -> Answer<D> {
    let mut solution = DenseSolution::default();
    let answer = Structured::<D, N>::default().solve_dense(&problem.delassus(), &mut solution);
    (answer, solution.impulses.into_iter().zip(solution.velocities).collect())
}

/// Tries every fault; gives how many answers were certified, and of how many.
fn certified<const D: usize>(solve: impl Fn() -> Answer<D>) -> [usize; 2] {
    let (answer, pairs) = solve();
    assert!(answer.is_ok() && is_right(0.5, &pairs), "without a fault it is solved");
    let mut counts = [0; 2];
    for factor in FACTORS {
        for numbers in [0..1, 4..5, 20..21, 0..20, 0..usize::MAX, 9..usize::MAX] {
            let ((answer, pairs), met) = in_pivots(numbers.clone(), factor, &solve);
            assert!(met > 0, "there is no pivot {numbers:?}");
            counts[1] += 1;
            if answer.is_ok_and(|report| report.accuracy == Accuracy::Certified) {
                assert!(is_right(0.5, &pairs), "pivots {numbers:?} times {factor}: wrong, and certified");
                counts[0] += 1;
            }
        }
    }
    counts
}

#[test]
fn whatever_pivots_go_wrong_no_wrong_impulse_is_certified() {
    let planar = problem::<2, 3>();
    let spatial = problem::<3, 6>();
    for [certified, count] in [
        certified(|| by_bodies(&planar)),
        certified(|| by_bodies(&spatial)),
        certified(|| by_operator(&planar)),
        certified(|| by_operator(&spatial)),
    ] {
        assert!(2 * certified > count, "the ladder mends {certified} of {count} only");
    }
}

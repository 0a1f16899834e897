//! The relaxed program by IPOPT against the structured interior point.

use stickslip_contact::contact::{Accuracy, ContactModel, Relaxed, Solution, Structured};

use crate::generator::{Kind, Recipe};

/// How many of `count` problems IPOPT certifies to its tolerance; where it does, velocities agree. The
/// kinds are such that forces are determinate: a body on four legs that slip apart has many answers.
fn agreement<const D: usize, const N: usize>(count: u64, kinds: &[Kind]) -> usize {
    let mut certified = 0;
    for index in 0..count {
        let kind = kinds[index as usize % kinds.len()];
        let recipe = Recipe {
            kind,
            contacts: 4 + index as usize % 7,
            friction: 0.1,
            restitution: 0.0,
            mass_ratio: 3.0,
            agitation: 1.0,
            seed: index,
        };
        let problem = recipe.problem::<D, N>();
        let (mut relaxed, mut structured) = (Solution::default(), Solution::default());
        Structured::default().solve(&problem, &mut structured).unwrap();
        let Ok(report) = Relaxed::default().solve(&problem, &mut relaxed) else { continue };
        if report.accuracy != Accuracy::Certified {
            continue;
        }
        certified += 1;
        let largest = problem.free_velocity.iter().fold(0.0_f64, |largest, v| largest.max(v.amax()));
        for (a, b) in relaxed.velocity.iter().zip(&structured.velocity) {
            assert!((a - b).amax() < 1e-3 * largest, "{recipe:?}: {a} {b}");
        }
    }
    certified
}

#[test]
fn ipopt_agrees_on_few_contacts_in_the_plane() {
    let certified = agreement::<2, 3>(20, &[Kind::Tower, Kind::Pile]);
    assert!(certified >= 18, "{certified} of 20");
}

#[test]
fn ipopt_agrees_on_few_contacts_in_space() {
    let certified = agreement::<3, 6>(12, &[Kind::Pile]);
    assert!(certified >= 9, "{certified} of 12");
}

//! Whether a contact whose friction at rest is not that in motion sticks or slides as its law says, judged for both.

use nalgebra::SVector;

use super::{
    ContactProblem, Residuals, Solution, Yardstick,
    friction_cone::{project, tangential_part},
    groups::{self, GROUPS, Grouped, ROWS},
};

/// How a contact was held in the last solve of a stage, where its friction has more than one coefficient.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Held {
    /// Which contact it is.
    pub contact: usize,
    /// The coefficient `mu_s` up to which it sticks.
    pub at_rest: f64,
    /// Whether it was solved with that: it sticks, or parts. Else it slides on the coefficient of the problem, or sticks.
    pub is_static: bool,
}

impl Yardstick {
    /// The residuals of a candidate as by [`Yardstick::residuals_of_bodies`], those of the contacts that are `held` the smaller
    /// ones of their branches: the natural map of the coefficient `mu` that a contact slides on, and, where it sticks,
    ///
    /// ```text
    /// (r_n - [r_n - u_n/w]+,  u_t/w,  r - P_K r)     with K = {|r_t| <= max(mu_s, mu) r_n}
    /// ```
    ///
    /// A contact that was held by the friction of rest may not slip on it: what it may do beside sticking is to part. `held` is in
    /// the order of the contacts.
    pub fn residuals_of_branches<const D: usize, const N: usize>(
        &self,
        problem: &ContactProblem<D, N>,
        solution: &Solution<D, N>,
        held: &[Held],
    ) -> Residuals {
        let numbers: Vec<f64> = problem.contacts.iter().map(|contact| contact.friction).collect();
        let of = |contact: usize| held.binary_search_by_key(&contact, |held| held.contact).ok();
        if problem.groups.is_empty() {
            return self.residuals_by(problem, solution, |contact, slide, r, u, rho| {
                let Some(own) = of(contact).map(|place| held[place]) else { return slide };
                let steepest = own.at_rest.max(numbers[contact]);
                own.smaller(slide, sticking(r, u, &project(steepest, r), rho), opening(r, u, rho))
            });
        }
        let grouped = Grouped::of(problem);
        let own = grouped.scaled(problem, solution);
        self.residuals_by(&grouped.problem, &own, |contact, slide, r, u, rho| {
            let Some(own) = of(contact).map(|place| held[place]) else { return slide };
            let number = numbers[contact];
            // Rows of a coefficient of 0 are not there, and tell of no sticking.
            if number == 0.0 {
                return slide;
            }
            let (mut r, mut u) = (*r, *u);
            let steeper = own.at_rest.max(number) / number;
            for row in GROUPS[0].clone() {
                r[row] /= steeper;
                u[row] *= steeper;
            }
            let nearest = groups::project(&r, &groups::Weights::EVEN);
            own.smaller(slide, sticking::<ROWS>(&r, &u, &nearest, rho), opening::<ROWS>(&r, &u, rho))
        })
    }
}

impl Held {
    /// The smaller of the squares that its branches miss by.
    fn smaller(&self, slide: f64, stick: f64, open: f64) -> f64 {
        if self.is_static { stick.min(open) } else { slide.min(stick) }
    }
}

/// The square by which impulse and velocity of a contact miss sticking; `nearest` is the impulse on the cone of rest.
fn sticking<const D: usize>(
    r: &SVector<f64, D>,
    u: &SVector<f64, D>,
    nearest: &SVector<f64, D>,
    rho: f64,
) -> f64 {
    let normal = r[0] - (r[0] - rho * u[0]).max(0.0);
    normal * normal + (tangential_part(u) * rho).norm_squared() + (r - nearest).norm_squared()
}

/// The square by which they miss a contact that parts.
fn opening<const D: usize>(r: &SVector<f64, D>, u: &SVector<f64, D>, rho: f64) -> f64 {
    r.norm_squared() + (rho * u[0].min(0.0)).powi(2)
}

#[cfg(test)]
mod tests {
    use nalgebra::{SMatrix, SVector};

    use super::*;
    use crate::contact::{Contact, FrictionGroups};

    /// A point of 1 kg on the ground that falls at 1 m/s and is driven at `slip` along it, with the coefficient `number`.
    fn problem(slip: f64, number: f64) -> ContactProblem<2, 2> {
        let mut problem = ContactProblem::empty(1e-3);
        problem.free_velocity.push([-1.0, slip].into());
        problem.inverse_mass.push(SMatrix::identity());
        problem.contacts.push(Contact {
            bodies: [Some(0), None],
            jacobian: [SMatrix::identity(), SMatrix::zeros()],
            friction: number,
            ..Contact::open()
        });
        problem
    }

    /// What impulses miss by the natural map, and by the branches of a contact with `mu_s = 0.4`.
    fn missed(problem: &ContactProblem<2, 2>, impulse: [f64; 2], is_static: bool) -> [f64; 2] {
        let mut yardstick = Yardstick::default();
        yardstick.set(problem);
        let mut solution = Solution { impulses: vec![SVector::from(impulse)], ..Solution::default() };
        solution.turning.resize(problem.groups.len(), SVector::zeros());
        problem.follow(&mut solution);
        let held = [Held { contact: 0, at_rest: 0.4, is_static }];
        [
            yardstick.residuals_of_bodies(problem, &solution).max(),
            yardstick.residuals_of_branches(problem, &solution, &held).max(),
        ]
    }

    /// A copy in which the friction is solved in groups, with something that resists turning where nothing turns.
    fn grouped(mut problem: ContactProblem<2, 2>) -> ContactProblem<2, 2> {
        problem.groups.push(FrictionGroups {
            contact: 0,
            jacobian: [SMatrix::zeros(); 2],
            torsional: 0.0,
            rolling: 0.1,
            across: None,
        });
        problem
    }

    #[test]
    fn what_sticks_between_the_coefficients_does_so_by_its_law() {
        for problem in [problem(0.3, 0.25), grouped(problem(0.3, 0.25))] {
            let [map, branches] = missed(&problem, [1.0, -0.3], false);
            assert!(map > 1e-2 && branches < 1e-15, "{map} {branches}");
        }
    }

    #[test]
    fn what_was_held_by_the_friction_of_rest_may_not_slip_on_it() {
        for problem in [problem(0.6, 0.4), grouped(problem(0.6, 0.4))] {
            let [map, branches] = missed(&problem, [1.0, -0.4], true);
            assert!(map < 1e-15 && branches > 1e-2, "{map} {branches}");
        }
    }

    #[test]
    fn nothing_sticks_beyond_the_friction_of_rest_and_what_slides_does_so_on_its_number() {
        for problem in [problem(0.6, 0.25), grouped(problem(0.6, 0.25))] {
            let [map, branches] = missed(&problem, [1.0, -0.6], false);
            assert!(map > 1e-2 && branches > 1e-2, "{map} {branches}");
            let [map, branches] = missed(&problem, [1.0, -0.25], false);
            assert!(map < 1e-15 && branches < 1e-15, "{map} {branches}");
            let [_, branches] = missed(&problem, [1.0, -0.3], false);
            assert!(branches > 1e-2, "neither slides on it nor sticks: {branches}");
        }
    }

    #[test]
    fn what_parts_may_slip() {
        let mut problem = problem(0.6, 0.4);
        problem.free_velocity[0][0] = 1.0;
        let [map, branches] = missed(&problem, [0.0, 0.0], true);
        assert!(map < 1e-15 && branches < 1e-15, "{map} {branches}");
    }
}

use nalgebra::{SMatrix, SVector};

use super::{
    compliance::Compliance,
    derivative::linear_law,
    program::{CompliantProgram, RESIDUAL_LIMIT, explain, normal_first, tangents_first},
};
use crate::{
    contact::{
        self, Accuracy, ContactModel, ContactProblem, LinearLaw, LinkLaw, Posing, Report, SingleContact,
        Solution, SolveFailure, Yardstick,
        groups::{CompliantCone, ROWS},
        has_bounded_links, solve_grouped, solve_with_bounds,
    },
    convex::{ContactSolution, FrictionCone, IsotropicContact, Status},
    scenario::{ConvexSettings, ConvexSolver, Scenario, Shape},
    stepper::UsedSettings,
};

/// Compliant contact of bodies: one convex program over the velocities of all that move.
///
/// A contact has the compliance of the [module](crate::stepper::convex), with `w = |W_i|_F/n` of its own
/// Delassus operator, and acts where the gap at the start of the step is negative; ungated, wherever a
/// step may close it. Rods are as stiff as contacts. The program is solved by Newton's method, or, where the
/// settings say so, by way of its dual. Where there are groups of friction, it is a program in their scaled
/// rows ([`groups`](crate::contact::groups)).
#[derive(Debug, Clone)]
pub struct ConvexBodies<const D: usize, const N: usize> {
    compliance: Compliance,
    choice: ConvexSolver,
    /// The least `R_n` of the contacts of a body with planes, in 1/kg.
    softness: Vec<f64>,
    yardstick: Yardstick,
    /// Of contacts that slide and stick.
    sliding: CompliantProgram<D, N, FrictionCone>,
    /// Of all contacts, in scaled rows, where some have groups of friction.
    grouped: CompliantProgram<ROWS, N, CompliantCone>,
}

impl<const D: usize, const N: usize> ConvexBodies<D, N> {
    /// A model with these settings.
    pub fn new(settings: ConvexSettings) -> Self {
        Self {
            compliance: Compliance::new(settings),
            choice: settings.solver,
            softness: Vec::new(),
            yardstick: Yardstick::default(),
            sliding: CompliantProgram::new(settings.solver),
            grouped: CompliantProgram::new(settings.solver),
        }
    }

    /// The same, on ground that is soft enough for points that start sliding as those of `scenario` do.
    #[must_use]
    pub(in crate::stepper) fn on_soft_ground(mut self, scenario: &Scenario<D>) -> Self {
        let of_body = |body: usize| {
            if scenario.bodies[body].shape != Shape::Point {
                return 0.0;
            }
            self.compliance.softness(&scenario.point(body), &scenario.initial_state(body), scenario.step)
        };
        self.softness = (0..scenario.bodies.len()).map(of_body).collect();
        self
    }

    /// Whether any body has ground that is softer than a step can tell.
    pub(in crate::stepper) fn is_softened(&self) -> bool {
        self.softness.iter().any(|softness| *softness > 0.0)
    }

    /// The figures behind the settings that a `scenario` leaves open, where one point is all there is.
    pub(in crate::stepper) fn settings_of_a_point(&self, scenario: &Scenario<D>) -> Option<UsedSettings> {
        let [body] = scenario.bodies.as_slice() else { return None };
        if body.shape != Shape::Point {
            return None;
        }
        let friction = scenario.point(0).friction;
        let (softness, dt) = (self.softness.first().copied().unwrap_or(0.0), scenario.step);
        let cone = self.compliance.cone::<D>(friction, 1.0 / body.mass, softness, dt);
        Some(self.compliance.settings(self.compliance.stiffness_of(&cone, dt), dt))
    }

    /// Solves a single contact in closed form.
    fn solve_single(
        &mut self,
        single: &SingleContact<D>,
        problem: &ContactProblem<D, N>,
        solution: &mut Solution<D, N>,
    ) -> Result<Report, SolveFailure> {
        let (dt, compliance) = (problem.time_step, &self.compliance);
        let softness = softness_at(&self.softness, &problem.contacts[0]);
        let mut reference = SVector::zeros();
        reference[D - 1] = compliance.reference(single.gap, dt);
        let contact = IsotropicContact {
            delassus: single.response,
            free_velocity: tangents_first(&single.free),
            reference,
            cone: compliance.cone::<D>(single.friction, single.response, softness, dt),
        };
        let still = ContactSolution { velocity: contact.free_velocity, impulse: SVector::zeros() };
        let answer = if compliance.is_active(single.gap) { contact.solve() } else { still };
        SingleContact::write(&normal_first(&answer.impulse), problem, solution);
        self.yardstick.set(problem);
        let of_coulomb = self.yardstick.residuals_of_bodies(problem, solution);
        let fastest = contact.free_velocity.amax().max(reference[D - 1].abs()).max(answer.velocity.amax());
        let own = if fastest > 0.0 && compliance.is_active(single.gap) {
            let impulse = answer.impulse.norm().max(fastest / single.response);
            contact.residuals(&answer).scaled(impulse, fastest)
        } else {
            0.0
        };
        if own <= RESIDUAL_LIMIT {
            let unmeasured = Report::unmeasured(Accuracy::OwnLaw, 0);
            return Ok(Report { residuals: of_coulomb, own_law: Some(own), ..unmeasured });
        }
        let (kind, reason) = explain(Status::Converged, own);
        Err(SolveFailure::Unsolved { kind, reason, iterations: 0, residuals: of_coulomb })
    }

    /// Solves a problem with groups of friction, in scaled rows.
    fn solve_in_groups(
        &mut self,
        problem: &ContactProblem<D, N>,
        solution: &mut Solution<D, N>,
    ) -> Result<Report, SolveFailure> {
        let Self { compliance, softness, grouped: program, .. } = self;
        let cone_of = |index: usize, w: &SMatrix<f64, ROWS, ROWS>| {
            let contact = &problem.contacts[index];
            let own = problem.own_delassus(contact);
            let softness = softness_at(softness, contact);
            let sliding = compliance.cone_of(contact.friction, &own, softness, problem.time_step);
            compliance.grouped_cone(&sliding, w)
        };
        solve_grouped(problem, solution, |grouped, own| program.solve(grouped, own, compliance, cone_of))
    }
}

impl<const D: usize, const N: usize> ContactModel<D, N> for ConvexBodies<D, N> {
    fn name(&self) -> &str {
        "convex"
    }

    fn posing(&self) -> Posing {
        Posing::Compliant
    }

    fn acts_ahead(&self) -> bool {
        !self.compliance.is_gated()
    }

    fn horizon(&self, dt: f64) -> f64 {
        self.compliance.horizon(dt)
    }

    fn solve(
        &mut self,
        problem: &ContactProblem<D, N>,
        solution: &mut Solution<D, N>,
    ) -> Result<Report, SolveFailure> {
        if has_bounded_links(problem) {
            return solve_with_bounds(self, problem, solution);
        }
        if !problem.groups.is_empty() {
            return self.solve_in_groups(problem, solution);
        }
        problem.check()?;
        solution.turning.clear();
        if self.choice == ConvexSolver::Newton
            && let Some(contact) = SingleContact::of(problem)
        {
            return self.solve_single(&contact, problem, solution);
        }
        let Self { compliance, softness, sliding, .. } = self;
        let dt = problem.time_step;
        sliding.solve(problem, solution, compliance, |index, w| {
            let contact = &problem.contacts[index];
            compliance.cone_of(contact.friction, w, softness_at(softness, contact), dt)
        })
    }

    fn linearise(
        &self,
        problem: &ContactProblem<D, N>,
        solution: &Solution<D, N>,
        _start: &[SVector<f64, N>],
        laws: &mut Vec<LinearLaw<D>>,
    ) -> bool {
        let dt = problem.time_step;
        let of_contact = |contact: &contact::Contact<D, N>| {
            if !self.compliance.is_active(contact.gap) {
                return LinearLaw::open();
            }
            let w = problem.own_delassus(contact);
            let softness = softness_at(&self.softness, contact);
            let cone = self.compliance.cone_of(contact.friction, &w, softness, dt);
            let u = problem.relative_velocity(contact, &solution.velocity);
            let weight = w.trace() / D as f64;
            let law = (&self.compliance, &cone, softness);
            linear_law(law, (contact.gap, &u), &w, (dt, weight))
        };
        laws.extend(problem.contacts.iter().map(of_contact));
        true
    }

    fn ends_at_the_ground(&self) -> bool {
        self.compliance.is_gated()
    }

    fn linearised_links(&self, problem: &ContactProblem<D, N>, solution: &Solution<D, N>) -> Vec<LinkLaw> {
        let dt = problem.time_step;
        let of_link = |(link, law): (&contact::Link<N>, LinkLaw)| {
            if link.compliance > 0.0 || law.is_at_bound {
                return law;
            }
            let response = problem.link_response(link);
            LinkLaw {
                is_at_bound: false,
                compliance: self.compliance.normal_regularization(response, dt),
                bias: -self.compliance.reference(dt, dt),
                response: self.compliance.normal_regularization_slope(response, dt),
            }
        };
        problem.links.iter().zip(LinkLaw::of_all(problem, solution)).map(of_link).collect()
    }
}

/// The least normal regularisation of a contact, of those of each body on the ground.
fn softness_at<const D: usize, const N: usize>(softness: &[f64], contact: &contact::Contact<D, N>) -> f64 {
    match contact.bodies {
        [Some(body), None] => softness.get(body).copied().unwrap_or(0.0),
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::{super::program::SETTINGS, *};
    use crate::{
        contact::FailureKind,
        convex::{Settings, Solver},
        fault::{FACTORS, in_pivots},
    };

    /// Three bodies on each other, sunk in a little, that are pushed to the side and down.
    fn stack() -> ContactProblem<2, 3> {
        let mut problem = ContactProblem::empty(1e-3);
        let rows = SMatrix::<f64, 2, 3>::new(0.0, 1.0, 0.1, 1.0, 0.0, -0.2);
        for (mass, push) in [(1.0, 0.3), (20.0, -0.2), (3.0, 0.5)] {
            let inertia = 0.1 * mass;
            problem
                .inverse_mass
                .push(SMatrix::from_diagonal(&[1.0 / mass, 1.0 / mass, 1.0 / inertia].into()));
            problem.free_velocity.push([push, -0.1, 0.2].into());
        }
        for upper in 0..3_usize {
            problem.contacts.push(contact::Contact {
                bodies: [Some(upper), upper.checked_sub(1)],
                jacobian: [rows, -rows],
                friction: 0.4,
                bias: 0.0,
                surface_velocity: SVector::zeros(),
                restitution: 0.0,
                gap: -1e-4,
            });
        }
        problem
    }

    fn solve(settings: Settings) -> (Result<Report, SolveFailure>, Vec<SVector<f64, 3>>) {
        let mut model = ConvexBodies::<2, 3>::new(ConvexSettings::default());
        model.sliding.set_solver(Solver::new(settings));
        let mut solution = Solution::default();
        (model.solve(&stack(), &mut solution), solution.velocity)
    }

    /// How far velocities are from the only solution.
    fn error(velocity: &[SVector<f64, 3>]) -> f64 {
        let (answer, right) = solve(SETTINGS);
        assert!(answer.is_ok());
        velocity.iter().zip(&right).map(|(v, right)| (v - right).amax()).fold(0.0, f64::max)
    }

    /// With wrong pivots it comes nearer step by step, and not to rounding at once.
    #[test]
    fn a_solver_that_is_content_too_early_is_not_believed() {
        let mut content = 0;
        for tolerance in [1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6] {
            for factor in [1.02, 1.1, 1.3, 1.5] {
                let settings = Settings { relative_tolerance: tolerance, ..SETTINGS };
                let ((answer, velocity), _) = in_pivots(0..usize::MAX, factor, || solve(settings));
                let is_right = error(&velocity) < 1e-4;
                assert!(answer.is_err() || is_right, "{tolerance:e} {factor}: {velocity:?}");
                let kind = answer.err().map(|failure| failure.kind());
                content += usize::from(kind == Some(FailureKind::Inaccurate) && !is_right);
            }
        }
        assert!(content >= 4, "{content} times");
    }

    /// Wrong pivots let it come near before it arrives.
    #[test]
    fn a_solver_that_gives_up_is_believed_however_good_its_last_guess_is() {
        let mut near = 0;
        for factor in [1.0, 1.001, 1.02] {
            let with = |settings| in_pivots(0..usize::MAX, factor, || solve(settings)).0;
            let needed = with(SETTINGS).0.expect("solved").iterations;
            for max_iterations in 1..needed {
                let (answer, velocity) = with(Settings { max_iterations, ..SETTINGS });
                let failure = answer.expect_err("the iterations ran out");
                assert_eq!(failure.kind(), FailureKind::NotConverged, "{failure}");
                near += usize::from(error(&velocity) < 1e-7);
            }
        }
        assert!(near > 0, "none of them is good");
    }

    #[test]
    fn whatever_pivots_go_wrong_no_wrong_velocity_is_passed_on() {
        let mut failed = 0;
        for factor in FACTORS {
            for numbers in [0..1, 4..5, 9..10, 0..9, 0..usize::MAX, 5..usize::MAX] {
                let ((answer, velocity), met) = in_pivots(numbers.clone(), factor, || solve(SETTINGS));
                assert!(met > 0, "there is no pivot {numbers:?}");
                let is_right = error(&velocity) < 1e-5;
                assert!(answer.is_err() || is_right, "pivots {numbers:?} times {factor}: {velocity:?}");
                failed += usize::from(answer.is_err());
            }
        }
        assert!(failed > 0, "the faults change nothing");
    }
}

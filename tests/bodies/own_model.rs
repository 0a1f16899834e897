//! Contact models of one's own: registered once, they are steppers like any other.

use std::sync::Mutex;

use stickslip::{
    compare::{
        Comparison, ConvergenceStudy, default_families, default_steppers, partings, report, write_metrics,
    },
    contact::{Accuracy, ContactModel, ContactProblem, FailureKind, Report, Solution, SolveFailure},
    metrics::{Metrics, Summary},
    nalgebra::SVector,
    plot::Series,
    scenario::{Body, Ground, Scenario},
    simulate::{OnFailure, simulate},
    stepper::{
        BuildStepper, StepperName,
        registry::{Inadmissible, NameRefused, OwnModel, register, register_model},
    },
    trajectory::{Ending, Trajectory},
    watch::Watch,
};

#[path = "../../examples/own_model.rs"]
mod example;

/// Names are those of the whole process.
static REGISTRY: Mutex<()> = Mutex::new(());

fn run<const D: usize>(scenario: &Scenario<D>, name: StepperName) -> Trajectory<D>
where
    Scenario<D>: BuildStepper<D>,
{
    simulate(scenario, scenario.stepper(name).unwrap().as_mut())
}

#[test]
fn example_runs() {
    let _guard = REGISTRY.lock();
    example::main().unwrap();
}

#[test]
fn registered_name_stands_for_the_model_wherever_a_stepper_is_named() {
    let _guard = REGISTRY.lock();
    let own = example::register().unwrap();
    assert_eq!("sequential".parse(), Ok(own));
    assert!(own.summary().contains("ten sweeps"));
    assert!(StepperName::known().contains(&own));
    let scenario = example::throw();
    assert!(default_steppers(&scenario).contains(&own) && default_families(&scenario).contains(&own));
    let (study, _) = ConvergenceStudy::run(&scenario, &[own], &[2e-3, 1e-3, 5e-4], &Watch::none());
    assert_eq!(study.steppers[0].stepper, own);
    assert!(study.steppers[0].order.unwrap() > 0.7, "{:?}", study.steppers[0].order);
}

#[test]
fn tables_reports_and_legends_have_it_under_its_own_name() {
    let _guard = REGISTRY.lock();
    let own = example::register().unwrap();
    for scenario in [example::throw(), example::stack()] {
        let names = [StepperName::LCP, own];
        let comparison = Comparison::run(&scenario, &names, OnFailure::Stop, &Watch::none());
        assert_eq!(comparison.entries.len(), 2);
        let mut metrics = Vec::new();
        write_metrics(&comparison, &mut metrics).unwrap();
        let metrics = String::from_utf8(metrics).unwrap();
        assert!(metrics.lines().any(|line| line.starts_with("sequential,")), "{metrics}");
        let page = report(&comparison, &partings(&comparison, 1e-3), 1e-3, None, &[], None);
        assert!(page.contains("<dt>sequential</dt>"));
        let series = Series::of_steppers(&comparison.trajectories());
        assert!(series.iter().any(|series| series.label == "sequential"));
        let own = &comparison.entries[1].trajectory;
        let summary = Summary::of(own, Metrics::of(own, None));
        assert_eq!(summary.stepper, "sequential");
    }
}

/// One contact whose rows answer alike is solved by the first sweep; a stack with heavy boxes on top is not.
#[test]
fn ten_sweeps_are_exact_for_a_point_and_leave_a_stack_soft() {
    let _guard = REGISTRY.lock();
    let own = example::register().unwrap();
    let [point, lcp] = [own, StepperName::LCP].map(|name| run(&example::throw(), name));
    let off = point.final_state(0).position - lcp.final_state(0).position;
    assert!(off.norm() < 1e-3, "{off}");
    assert!(point.steps.iter().all(|step| step.report.residual < 1e-8));
    let stack = run(&example::stack(), own);
    assert!(
        stack.steps.iter().any(|step| step.report.residual > 1e-3),
        "the residual is Coulomb's, not its own"
    );
}

#[test]
fn model_without_a_form_for_bodies_refuses_them_by_name() {
    struct PointsOnly;
    impl OwnModel for PointsOnly {
        fn summary(&self) -> String {
            "points only".to_owned()
        }
        fn points_in_plane(&self, _: &Scenario<2>) -> Result<Box<dyn ContactModel<2, 2>>, Inadmissible> {
            Ok(Box::new(example::SequentialImpulses { sweeps: 1 }))
        }
    }
    let _guard = REGISTRY.lock();
    let own = register("points-only", PointsOnly).unwrap();
    assert_eq!(run(&example::throw(), own).ending, Ending::Complete);
    let refusal = example::stack().stepper(own).err().unwrap().to_string();
    assert!(refusal.contains("`points-only`") && refusal.contains("bodies in a vertical plane"), "{refusal}");
}

/// A model that reports success and gives nonsense.
#[derive(Clone, Copy)]
enum Liar {
    NoFriction,
    NotANumber,
    TooFew,
}

impl<const D: usize, const N: usize> ContactModel<D, N> for Liar {
    fn name(&self) -> &str {
        "liar"
    }

    fn solve(
        &mut self,
        problem: &ContactProblem<D, N>,
        solution: &mut Solution<D, N>,
    ) -> Result<Report, SolveFailure> {
        solution.prepare(problem.contacts.len(), problem.links.len());
        match self {
            Self::NoFriction => {
                for (contact, impulse) in problem.contacts.iter().zip(&mut solution.impulses) {
                    let u = problem.relative_velocity(contact, &problem.free_velocity);
                    impulse[0] = (-u[0] * D as f64 / problem.delassus_trace(contact)).max(0.0);
                }
            }
            Self::NotANumber => solution.impulses.fill(SVector::repeat(f64::NAN)),
            Self::TooFew => solution.impulses.clear(),
        }
        Ok(Report::unmeasured(Accuracy::Certified, 1))
    }
}

#[test]
fn word_of_a_model_is_not_taken_for_what_can_be_measured() {
    let _guard = REGISTRY.lock();
    let sliding = Scenario { bodies: vec![Body::point(1.0, [0.0, 0.0], [1.0, 0.0])], ..example::throw() };
    for (liar, complaint) in [
        (Liar::NoFriction, "claims Coulomb's law"),
        (Liar::NotANumber, "not finite"),
        (Liar::TooFew, "gave impulses for 0 contacts"),
    ] {
        let own = register_model("liar", "does not do what it says", move || liar).unwrap();
        let trajectory = run(&sliding, own);
        assert_eq!(trajectory.ending, Ending::Failed);
        let failure = trajectory.first_failure.unwrap();
        assert_eq!(failure.error.kind, FailureKind::Inaccurate);
        assert!(failure.error.to_string().contains(complaint), "{}", failure.error);
    }
    let icy = Scenario { ground: Ground::default(), ..sliding };
    let own = register_model("liar", "right on ice", || Liar::NoFriction).unwrap();
    assert_eq!(run(&icy, own).ending, Ending::Complete);
}

#[test]
fn names_of_the_crate_are_its_own() {
    let _guard = REGISTRY.lock();
    let model = || example::SequentialImpulses { sweeps: 1 };
    for taken in ["lcp", "nlp:relaxed", "lcp-anitescu"] {
        let refused = register_model(taken, "", model).unwrap_err();
        assert!(matches!(refused, NameRefused::BuiltIn { .. }), "{taken}");
    }
    for malformed in ["", "Mine", "my model", "a:b:c", "../up", "-x", "mine:"] {
        let refused = register_model(malformed, "", model).unwrap_err();
        assert_eq!(refused, NameRefused::Malformed(malformed.to_owned()));
    }
}

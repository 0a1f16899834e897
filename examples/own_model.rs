//! A contact model of one's own beside those of the crate: sequential impulses, as engines of games have them.
//! Ten sweeps over the contacts are exact for one point, and leave a stack of boxes soft.
//!
//! `cargo run --release --example own_model`

use std::path::Path;

use stickslip::{
    compare::{Comparison, paragraph},
    contact::{Accuracy, ContactModel, ContactProblem, Report, Solution, SolveFailure},
    nalgebra::SVector,
    plot::{Series, history_overlay},
    scenario::{Body, Ground, Scenario, Shape},
    simulate::OnFailure,
    stepper::{
        StepperName,
        registry::{NameRefused, register_model},
    },
    watch::Watch,
};

/// Each contact in its turn takes the impulse that stops it, and is not asked again after the last sweep.
///
/// `D` rows of a contact, `N` velocities of a body: points and bodies, in the plane and in space.
#[derive(Debug, Clone, Copy)]
pub struct SequentialImpulses {
    /// Sweeps over all contacts in a step.
    pub sweeps: u32,
}

impl<const D: usize, const N: usize> ContactModel<D, N> for SequentialImpulses {
    fn name(&self) -> &str {
        "sequential"
    }

    fn solve(
        &mut self,
        problem: &ContactProblem<D, N>,
        solution: &mut Solution<D, N>,
    ) -> Result<Report, SolveFailure> {
        solution.prepare(problem.contacts.len(), problem.links.len());
        let Solution { velocity, impulses, link_impulses, .. } = solution;
        problem.velocities(impulses, link_impulses, velocity);
        for _ in 0..self.sweeps {
            for (contact, impulse) in problem.contacts.iter().zip(impulses.iter_mut()) {
                // As much as one direction answers to an impulse in the mean: tr(J M^-1 J')/D.
                let response = problem.delassus_trace(contact) / D as f64;
                let u = problem.relative_velocity(contact, velocity);
                let before = *impulse;
                *impulse -= u / response;
                impulse[0] = impulse[0].max(0.0);
                let most = contact.friction * impulse[0];
                let tangential = impulse.rows(1, D - 1).norm();
                if tangential > most {
                    impulse.rows_mut(1, D - 1).scale_mut(most / tangential);
                }
                let change: SVector<f64, D> = *impulse - before;
                for (body, jacobian) in contact.bodies.iter().zip(&contact.jacobian) {
                    if let Some(body) = *body {
                        velocity[body] += problem.inverse_mass[body] * jacobian.tr_mul(&change);
                    }
                }
            }
            for (link, impulse) in problem.links.iter().zip(link_impulses.iter_mut()) {
                let miss = problem.link_rate(link, velocity) + link.compliance * *impulse;
                let change = -miss / problem.link_response(link);
                *impulse += change;
                for (body, row) in link.bodies.iter().zip(&link.jacobian) {
                    if let Some(body) = *body {
                        velocity[body] += problem.inverse_mass[body] * row * change;
                    }
                }
            }
        }
        // Velocities and residuals are measured by whoever asked; they need not be Coulomb's.
        Ok(Report::unmeasured(Accuracy::OwnLaw, self.sweeps))
    }
}

/// From here on `sequential` is a stepper like any other.
pub fn register() -> Result<StepperName, NameRefused> {
    register_model("sequential", "Sequential impulses, ten sweeps: soft where many contacts press.", || {
        SequentialImpulses { sweeps: 10 }
    })
}

/// A point that lands and slides.
pub fn throw() -> Scenario<2> {
    Scenario {
        duration: 1.2,
        bodies: vec![Body::point(10.0, [0.0, 1.0], [1.0, 0.0])],
        ground: Ground { friction: 0.1, ..Ground::default() },
        ..Scenario::new("own-model-throw")
    }
}

/// Boxes on boxes, the upper ones heavier.
pub fn stack() -> Scenario<2> {
    let brick = |level: u32| Body {
        shape: Shape::Box { size: [0.4, 0.2].into() },
        ..Body::point(f64::from(level), [0.0, 0.2 * f64::from(level) - 0.1], [0.0, 0.0])
    };
    Scenario {
        duration: 0.5,
        bodies: (1..=6).map(brick).collect(),
        ground: Ground { friction: 0.5, ..Ground::default() },
        ..Scenario::new("own-model-stack")
    }
}

/// Registers the model and sets it beside the others, in words and as a picture.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let own = register()?;
    std::fs::create_dir_all("output/examples")?;
    for scenario in [throw(), stack()] {
        let names = [StepperName::LCP, StepperName::CONVEX, own, StepperName::EXACT];
        let comparison = Comparison::run(&scenario, &names, OnFailure::Stop, &Watch::none());
        println!("{}", scenario.name);
        for entry in comparison.entries.iter().filter(|entry| entry.trajectory.stepper == own) {
            println!("  {own}: {}", paragraph(entry, comparison.truth.as_ref()));
        }
        let series = Series::of_steppers(&comparison.trajectories());
        let file = format!("output/examples/{}.svg", scenario.name);
        history_overlay(&series).write_svg(Path::new(&file))?;
    }
    Ok(())
}

use super::{
    Convex, Exact, Hybrid, OnePoint, PointStepper, Refusal, Smooth, Stepper, StepperName, TimeOfImpact,
    bodies::{Bodies, Choice, particles, planar_scene, spatial_scene},
    exact::{ExactBodies, ExactPoint},
    lcp::{
        Anitescu, BelbutePeres, Direct, Direct2, FallingBlock, FixedPoint, Forward, Mixed, Polyhedral,
        StewartTrinkle, Traditional,
    },
    nlp::{
        relaxed::{RelaxedInPlane, RelaxedOverPlane},
        seed::SeedStepper,
    },
    registry::OwnName,
};
use crate::scenario::{RestitutionLaw, Scenario};

/// Makes the steppers that exist for a dimension.
pub trait BuildStepper<const D: usize>: ExactBodies<D> {
    /// The stepper called `name`, ready for this scenario.
    ///
    /// # Errors
    /// [`Refusal`] if the scenario breaks a rule (see [`Scenario::check`]) or the stepper does not
    /// admit it, with the reason and what to do.
    fn stepper(&self, name: StepperName) -> Result<Box<dyn Stepper<D>>, Refusal>;

    /// The stepper called `name`, ready for this scenario of a single point.
    ///
    /// # Errors
    /// As [`BuildStepper::stepper`], and if there is more than one point.
    fn point_stepper(&self, name: StepperName) -> Result<Box<dyn PointStepper<D>>, Refusal>;
}

impl BuildStepper<2> for Scenario<2> {
    fn stepper(&self, name: StepperName) -> Result<Box<dyn Stepper<2>>, Refusal> {
        if let StepperName::Own(own) = name {
            return own_in_plane(self, own);
        }
        if name == StepperName::Exact {
            refuse_invalid(self, name)?;
            return Ok(Box::new(Exact::new(self)?));
        }
        if self.is_single_point() && name != StepperName::Cone {
            return Ok(Box::new(OnePoint(self.point_stepper(name)?)));
        }
        refuse_invalid(self, name)?;
        if !self.has_turning_bodies() {
            return of_points(self, name);
        }
        Ok(Box::new(Bodies::new(planar_scene(self, name)?, Choice::of(self, name)?)))
    }

    fn point_stepper(&self, name: StepperName) -> Result<Box<dyn PointStepper<2>>, Refusal> {
        refuse_invalid(self, name)?;
        Ok(match name {
            StepperName::NlpRelaxed => {
                divided(self, self.steppers.nlp.time_of_impact, RelaxedInPlane::new(self)?)?
            }
            StepperName::NlpSeed => Box::new(SeedStepper::new(self)?),
            StepperName::LcpStewartTrinkle => {
                divided(self, self.steppers.lcp.time_of_impact, StewartTrinkle::new(self)?)?
            }
            StepperName::LcpAnitescu => Box::new(Anitescu::new(self)?),
            StepperName::LcpFallingBlock => Box::new(FallingBlock::new(self)?),
            StepperName::LcpForward => Box::new(Forward::new(self)?),
            StepperName::LcpDirect => Box::new(Direct::new(self)?),
            StepperName::LcpDirect2 => Box::new(Direct2::new(self)?),
            StepperName::LcpTraditional => Box::new(Traditional::new(self)?),
            StepperName::LcpMixed => Box::new(Mixed::new(self)?),
            StepperName::LcpBelbutePeres => Box::new(BelbutePeres::new(self)?),
            StepperName::LcpPolyhedral | StepperName::LcpFixedPoint => return Err(over_plane_only(name)),
            StepperName::Cone | StepperName::Own(_) => return Err(of_bodies_only(name)),
            StepperName::Convex => Box::new(Convex::new(self)?),
            StepperName::Hybrid => Box::new(Hybrid::new(self)?),
            StepperName::Smooth => Box::new(Smooth::new(self)?),
            StepperName::Exact => Box::new(ExactPoint::new(self)?),
        })
    }
}

impl BuildStepper<3> for Scenario<3> {
    fn stepper(&self, name: StepperName) -> Result<Box<dyn Stepper<3>>, Refusal> {
        if let StepperName::Own(own) = name {
            return own_in_space(self, own);
        }
        if name == StepperName::Exact {
            refuse_invalid(self, name)?;
            return Ok(Box::new(Exact::new(self)?));
        }
        if self.is_single_point() && name != StepperName::Cone {
            return Ok(Box::new(OnePoint(self.point_stepper(name)?)));
        }
        refuse_invalid(self, name)?;
        if !self.has_turning_bodies() {
            return of_points(self, name);
        }
        Ok(Box::new(Bodies::new(spatial_scene(self, name)?, Choice::of(self, name)?)))
    }

    fn point_stepper(&self, name: StepperName) -> Result<Box<dyn PointStepper<3>>, Refusal> {
        refuse_invalid(self, name)?;
        Ok(match name {
            StepperName::NlpRelaxed => {
                refuse_division_over_plane(self)?;
                Box::new(RelaxedOverPlane::new(self)?)
            }
            StepperName::LcpPolyhedral => Box::new(Polyhedral::new(self)?),
            StepperName::LcpFixedPoint => Box::new(FixedPoint::new(self)?),
            StepperName::NlpSeed => return Err(in_plane_only(name, StepperName::NlpRelaxed)),
            StepperName::LcpStewartTrinkle
            | StepperName::LcpAnitescu
            | StepperName::LcpFallingBlock
            | StepperName::LcpForward
            | StepperName::LcpDirect
            | StepperName::LcpDirect2
            | StepperName::LcpTraditional
            | StepperName::LcpMixed
            | StepperName::LcpBelbutePeres => return Err(in_plane_only(name, StepperName::LcpPolyhedral)),
            StepperName::Cone | StepperName::Own(_) => return Err(of_bodies_only(name)),
            StepperName::Convex => Box::new(Convex::new(self)?),
            StepperName::Hybrid => Box::new(Hybrid::new(self)?),
            StepperName::Smooth => Box::new(Smooth::new(self)?),
            StepperName::Exact => Box::new(ExactPoint::new(self)?),
        })
    }
}

/// The steppers of several points in either dimension.
fn of_points<const D: usize>(
    scenario: &Scenario<D>,
    name: StepperName,
) -> Result<Box<dyn Stepper<D>>, Refusal> {
    Ok(Box::new(Bodies::new(particles(scenario), Choice::of(scenario, name)?)))
}

/// The stepper of a model of the user's own for a scenario in a vertical plane.
fn own_in_plane(scenario: &Scenario<2>, own: OwnName) -> Result<Box<dyn Stepper<2>>, Refusal> {
    let name = StepperName::Own(own);
    refuse_invalid(scenario, name)?;
    let turning = scenario.has_turning_bodies();
    Ok(if turning {
        let choice = Choice::own(scenario, own, |model| model.bodies_in_plane(scenario))?;
        Box::new(Bodies::new(planar_scene(scenario, name)?, choice))
    } else {
        let choice = Choice::own(scenario, own, |model| model.points_in_plane(scenario))?;
        Box::new(Bodies::new(particles(scenario), choice))
    })
}

/// The stepper of a model of the user's own for a scenario in space.
fn own_in_space(scenario: &Scenario<3>, own: OwnName) -> Result<Box<dyn Stepper<3>>, Refusal> {
    let name = StepperName::Own(own);
    refuse_invalid(scenario, name)?;
    Ok(if scenario.has_turning_bodies() {
        let choice = Choice::own(scenario, own, |model| model.bodies_in_space(scenario))?;
        Box::new(Bodies::new(spatial_scene(scenario, name)?, choice))
    } else {
        let choice = Choice::own(scenario, own, |model| model.points_in_space(scenario))?;
        Box::new(Bodies::new(particles(scenario), choice))
    })
}

/// A stepper that takes a point as one of many bodies, and has no form for a point alone.
fn of_bodies_only(stepper: StepperName) -> Refusal {
    Refusal {
        stepper,
        reason: "it steps a point as it steps many bodies, and has no form of its own for one".to_owned(),
        remedy: "use `nlp` or `lcp`".to_owned(),
    }
}

/// The stepper with its steps divided at events, where the settings say so.
fn divided(
    scenario: &Scenario<2>,
    time_of_impact: bool,
    stepper: impl PointStepper<2> + 'static,
) -> Result<Box<dyn PointStepper<2>>, Refusal> {
    if !time_of_impact {
        return Ok(Box::new(stepper));
    }
    let name = stepper.name();
    let poisson = scenario.steppers.lcp.restitution == RestitutionLaw::Poisson;
    if name == StepperName::LcpStewartTrinkle && poisson && scenario.ground.restitution != 0.0 {
        return Err(Refusal {
            stepper: name,
            reason:
                "it divides steps at impacts under Newton's law, and stepper.lcp.restitution is \"poisson\""
                    .to_owned(),
            remedy: "set stepper.lcp.restitution = \"newton\" or stepper.lcp.time_of_impact = false"
                .to_owned(),
        });
    }
    Ok(Box::new(TimeOfImpact::new(Box::new(stepper), scenario.point(0))))
}

fn refuse_division_over_plane(scenario: &Scenario<3>) -> Result<(), Refusal> {
    if !scenario.steppers.nlp.time_of_impact {
        return Ok(());
    }
    Err(Refusal {
        stepper: StepperName::NlpRelaxed,
        reason: "it divides steps at events in a vertical plane only, and this point has three coordinates"
            .to_owned(),
        remedy: "set stepper.nlp.time_of_impact = false, or give two-component vectors (x, z)".to_owned(),
    })
}

/// Scenarios from files are checked when they are read; this is for those written in code.
fn refuse_invalid<const D: usize>(scenario: &Scenario<D>, stepper: StepperName) -> Result<(), Refusal> {
    scenario.check().map_err(|violations| Refusal {
        stepper,
        reason: violations.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "),
        remedy: "correct these values".to_owned(),
    })
}

fn in_plane_only(stepper: StepperName, instead: StepperName) -> Refusal {
    Refusal {
        stepper,
        reason: "it moves points in a vertical plane, and this one has three coordinates".to_owned(),
        remedy: format!("give two-component vectors (x, z) or use stepper `{instead}`"),
    }
}

fn over_plane_only(stepper: StepperName) -> Refusal {
    Refusal {
        stepper,
        reason: "it moves points over a plane, and this one has two coordinates".to_owned(),
        remedy: format!(
            "give three-component vectors (x, y, z) or use stepper `{}`",
            StepperName::LcpStewartTrinkle
        ),
    }
}

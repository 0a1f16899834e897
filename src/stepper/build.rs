use super::{
    OnePoint, PointStepper, Refusal, Stepper, StepperName,
    admission::single_point,
    bodies::{Bodies, Choice, Choose as _, particles, planar_scene, spatial_scene},
    descriptor::{Build, PointForm},
    exact::ExactBodies,
};
use crate::{scenario::Scenario, world::Impacts};

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

macro_rules! build_stepper {
    ($($d:literal: $form:ident, $scene:ident, $elsewhere:ident;)*) => {$(
        impl BuildStepper<$d> for Scenario<$d> {
            fn stepper(&self, name: StepperName) -> Result<Box<dyn Stepper<$d>>, Refusal> {
                refuse_invalid(self, name)?;
                refuse_groups(self, name)?;
                match &name.descriptor().build {
                    Build::OfPoint(_) => {
                        single_point(self, name)?;
                        return Ok(Box::new(OnePoint(self.point_stepper(name)?)));
                    }
                    Build::Whole { whole, .. } => return (whole.$form)(self),
                    _ => {}
                }
                if self.has_turning_bodies() {
                    return Ok(Box::new(Bodies::new($scene(self, name)?, Choice::of(self, name)?, self)));
                }
                Ok(Box::new(Bodies::new(particles(self), Choice::of(self, name)?, self)))
            }

            fn point_stepper(&self, name: StepperName) -> Result<Box<dyn PointStepper<$d>>, Refusal> {
                refuse_invalid(self, name)?;
                match name.descriptor().build.point().map(|point| &point.$form) {
                    Some(PointForm::By(make)) => make(self),
                    Some(PointForm::Instead(near)) => Err($elsewhere(name, near)),
                    None => Err(of_bodies_only(name)),
                }
            }
        }
    )*};
}

build_stepper! {
    2: plane, planar_scene, over_plane_only;
    3: space, spatial_scene, in_plane_only;
}

/// A stepper that takes a point as one of many bodies, and has no form for a point alone.
fn of_bodies_only(stepper: StepperName) -> Refusal {
    Refusal {
        stepper,
        reason: "it steps a point as it steps many bodies, and has no form of its own for one".to_owned(),
        remedy: "use `nlp` or `lcp`".to_owned(),
    }
}

/// Scenarios from files are checked when they are read; this is for those written in code.
fn refuse_invalid<const D: usize>(scenario: &Scenario<D>, stepper: StepperName) -> Result<(), Refusal> {
    scenario.check().map_err(|violations| Refusal {
        stepper,
        reason: violations.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "),
        remedy: "correct these values".to_owned(),
    })
}

/// Friction against turning, and across an axis, is known to some; nobody leaves it out in silence.
fn refuse_groups<const D: usize>(scenario: &Scenario<D>, stepper: StepperName) -> Result<(), Refusal> {
    let Some(beyond) = scenario.grouped_friction() else { return Ok(()) };
    let (what, keys) = (beyond.what(), beyond.keys());
    let refusal = |reason: String, remedy: String| Err(Refusal { stepper, reason, remedy });
    let knows = |name: StepperName| name.descriptor().capabilities.grouped_friction.knows(beyond);
    if !knows(stepper) {
        let knowing = StepperName::ALL.into_iter().filter(|name| knows(*name));
        let names: Vec<String> = knowing.map(|name| format!("`{name}`")).collect();
        return refusal(
            format!("it knows friction along surfaces, the same in all directions, and here {what}"),
            format!("leave {keys} out, or use {}", names.join(", ")),
        );
    }
    if scenario.steppers.impacts == Some(Impacts::Incremental) {
        return refusal(
            format!(
                "impacts that are followed over their impulse know friction along surfaces, the same in all directions, and \
                 here {what}"
            ),
            format!("set stepper.impacts to \"one-stage\" or \"two-stage\", or leave {keys} out"),
        );
    }
    Ok(())
}

fn in_plane_only(stepper: StepperName, instead: &str) -> Refusal {
    Refusal {
        stepper,
        reason: "it moves points in a vertical plane, and this one has three coordinates".to_owned(),
        remedy: format!("give two-component vectors (x, z) or use stepper `{instead}`"),
    }
}

fn over_plane_only(stepper: StepperName, instead: &str) -> Refusal {
    Refusal {
        stepper,
        reason: "it moves points over a plane, and this one has two coordinates".to_owned(),
        remedy: format!("give three-component vectors (x, y, z) or use stepper `{instead}`"),
    }
}

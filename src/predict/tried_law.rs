use std::fmt::{self, Display};

use crate::{
    scenario::{Choice, Scenario},
    stepper::{BuildStepper, IMPACTS, Refusal, StepperName},
    world::Impacts,
};

/// By what a throw is predicted: a stepper, and the law of impacts that it takes in the place of the scenario's, if one is asked
/// for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TriedLaw {
    /// The stepper.
    pub stepper: StepperName,
    /// The law of impacts; `None` for that of the scenario.
    pub impacts: Option<Impacts>,
}

impl From<StepperName> for TriedLaw {
    fn from(stepper: StepperName) -> Self {
        Self { stepper, impacts: None }
    }
}

impl Display for TriedLaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.impacts {
            Some(impacts) => write!(f, "{} {}", self.stepper, impacts.as_str()),
            None => self.stepper.fmt(f),
        }
    }
}

impl TriedLaw {
    /// Each stepper with each law of impacts, the laws of a stepper together; a stepper that has none of them alone.
    ///
    /// # Errors
    /// [`Refusal`] if a stepper does not admit the scenario.
    pub fn each<const D: usize>(
        scenario: &Scenario<D>,
        steppers: &[StepperName],
        laws: &[Impacts],
    ) -> Result<Vec<Self>, Refusal>
    where
        Scenario<D>: BuildStepper<D>,
    {
        let mut all: Vec<Self> = Vec::new();
        for &stepper in steppers {
            let before = all.len();
            for &impacts in laws {
                let law = Self { stepper, impacts: Some(impacts) };
                let ignores = law.of_scenario(scenario.clone()).stepper(stepper)?.honours().ignores;
                if !ignores.iter().any(|(key, _)| *key == IMPACTS) && !all.contains(&law) {
                    all.push(law);
                }
            }
            if all.len() == before {
                all.push(stepper.into());
            }
        }
        Ok(all)
    }

    /// A scenario in which its law of impacts holds.
    pub(super) fn of_scenario<const D: usize>(self, mut scenario: Scenario<D>) -> Scenario<D> {
        scenario.steppers.impacts = self.impacts.or(scenario.steppers.impacts);
        scenario
    }
}

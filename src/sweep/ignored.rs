//! Settings of a sweep of which a stepper makes nothing.

use super::Sweep;
use crate::{
    scenario::{AnyScenario, Scenario},
    stepper::{BuildStepper, Ignored, StepperName},
};

/// Points of a sample that are looked at.
const POINTS: usize = 2;

impl Sweep {
    /// What its steppers make nothing of, of the scenario and of the keys that vary, each key once per stepper, in words.
    ///
    /// Of every key of the grid the first and the last value are looked at, which are not both the default, with the
    /// first of all others; of a sample the first points.
    pub fn ignored(&self) -> Vec<(StepperName, String)> {
        let mut told = Vec::new();
        for (place, &stepper) in self.steppers.iter().enumerate() {
            let mut known: Vec<&str> = Vec::new();
            let foreign = self.keys().filter_map(|key| Some((key, stepper.foreign_family(key)?)));
            told.extend(foreign.map(|(key, other)| {
                (
                    stepper,
                    format!(
                        "{key} is ignored: it is a setting of `{other}`, and runs that differ in it are alike"
                    ),
                )
            }));
            for settings in self.looked_at(place as u64) {
                let Ok(scenario) = self.base.with(&settings) else { continue };
                let ignored = match &scenario {
                    AnyScenario::InPlane(scenario) => of(scenario, stepper),
                    AnyScenario::OverPlane(scenario) => of(scenario, stepper),
                };
                for ignored in ignored {
                    if !known.contains(&ignored.key) {
                        known.push(ignored.key);
                        told.push((stepper, ignored.to_string()));
                    }
                }
            }
        }
        told
    }

    /// The settings of a few runs by the stepper at that `place`.
    fn looked_at(&self, place: u64) -> Vec<Vec<(String, String)>> {
        let first = self.run(place).settings;
        let points = self.sample.as_ref().map_or(1, |sample| sample.count.min(POINTS));
        let mut all: Vec<Vec<(String, String)>> = (0..points)
            .map(|point| self.run(place + (point * self.steppers.len()) as u64).settings)
            .collect();
        for (index, axis) in self.grid.iter().enumerate() {
            let mut settings = first.clone();
            if let (Some(setting), Some(last)) = (settings.get_mut(index), axis.values.last()) {
                setting.1.clone_from(last);
            }
            all.push(settings);
        }
        all
    }
}

fn of<const D: usize>(scenario: &Scenario<D>, name: StepperName) -> Vec<Ignored>
where
    Scenario<D>: BuildStepper<D>,
{
    scenario.stepper(name).map_or_else(|_| Vec::new(), |stepper| scenario.ignored(&stepper.honours()))
}

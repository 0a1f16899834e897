use std::fmt;

use serde::Serialize;

use crate::{
    decimal::rounded,
    stepper::{SolveReport, StepStatus},
};

/// The rescued steps of a run that are kept though their residual misses the tolerance, since no attempt came closer.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct ApproximateSteps {
    /// How many.
    pub steps: usize,
    /// Their largest residual, in the units of [`SolveReport::residual`].
    pub largest_residual: f64,
}

impl ApproximateSteps {
    /// Adds a step, if it is one of them.
    pub fn add(&mut self, report: &SolveReport) {
        if report.is_approximate && report.status == StepStatus::Rescued {
            self.steps += 1;
            self.largest_residual = self.largest_residual.max(report.residual);
        }
    }
}

impl fmt::Display for ApproximateSteps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { steps, largest_residual } = *self;
        let [miss, their] =
            if steps == 1 { ["misses", "its residual is"] } else { ["miss", "their residuals are"] };
        let largest = rounded(largest_residual, 2);
        write!(f, "{steps} {miss} the tolerance, as no attempt came closer: {their} {largest} at most")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_that_miss_the_tolerance_are_counted_and_no_others() {
        let mut counts = ApproximateSteps::default();
        let rescued = SolveReport { status: StepStatus::Rescued, residual: 1e-9, ..SolveReport::CLOSED_FORM };
        let approximate = SolveReport { residual: 3.14e-5, is_approximate: true, ..rescued };
        counts.add(&rescued);
        counts.add(&SolveReport { status: StepStatus::Failed, ..approximate });
        counts.add(&SolveReport { status: StepStatus::Uncertified, ..approximate });
        assert_eq!(counts, ApproximateSteps::default());
        counts.add(&approximate);
        assert_eq!(
            counts.to_string(),
            "1 misses the tolerance, as no attempt came closer: its residual is 0.000031 at most"
        );
        counts.add(&SolveReport { residual: 2e-6, ..approximate });
        assert_eq!((counts.steps, counts.largest_residual), (2, 3.14e-5));
    }
}

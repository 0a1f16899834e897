use super::Tangents;
use crate::scenario::Scenario;

/// The corrected gradient of rigid contact, and what is known of that of the motion by it.
#[derive(Clone)]
pub(super) struct Rigid {
    pub corrected: Tangents,
    /// What it and that of half the step lead to at first order, or of double the step where half of it has none; `None`
    /// where neither has. The step changes a corrected gradient, and no figure is right because it is as far off as that.
    pub of_motion: Option<Tangents>,
}

impl Rigid {
    /// `by_step` takes the scenario with another step.
    pub fn new<const D: usize>(
        scenario: &Scenario<D>,
        corrected: Tangents,
        by_step: impl Fn(&Scenario<D>) -> Option<Tangents>,
    ) -> Self {
        let by = |times: f64| by_step(&Scenario { step: times * scenario.step, ..scenario.clone() });
        let led_to = |fine: &Tangents, coarse: &Tangents| {
            // One that comes to rest and one that does not are no two of a row.
            let jacobian =
                (fine.end.names == coarse.end.names).then(|| 2.0 * &fine.jacobian - &coarse.jacobian)?;
            Some(Tangents { jacobian, ..fine.clone() })
        };
        let of_half = by(0.5).and_then(|halved| led_to(&halved, &corrected));
        let of_double = || {
            // Others end elsewhere.
            let is_even = scenario.time().steps.is_multiple_of(2);
            is_even.then(|| by(2.0)).flatten().and_then(|doubled| led_to(&corrected, &doubled))
        };
        let of_motion = of_half.or_else(of_double);
        Self { corrected, of_motion }
    }
}

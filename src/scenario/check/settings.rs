use std::ops::Bound::{Excluded, Included};

use super::{Violation, judge::Judge};
use crate::scenario::{ConvexSettings, LcpSettings, NlpSettings, SmoothLaw, SmoothSettings, StepperSettings};

impl StepperSettings {
    pub(super) fn check(&self, judge: &mut Judge) {
        nlp(&self.nlp, judge);
        lcp(&self.lcp, judge);
        convex(&self.convex, judge);
        smooth(&self.smooth, judge);
    }
}

fn nlp(settings: &NlpSettings, judge: &mut Judge) {
    if let Some(tolerance) = settings.tolerance {
        judge.range(
            "stepper.nlp.tolerance",
            tolerance,
            1e-14..=0.1,
            "",
            "1e-8 is a good value; below 1e-14 no solver can succeed in double precision",
        );
    }
    if let Some(epsilon) = settings.epsilon {
        judge.range(
            "stepper.nlp.epsilon",
            epsilon,
            (Excluded(0.0), Included(0.1)),
            "",
            "1e-6 is a good value; it smooths the square root of the sliding speed",
        );
    }
}

fn lcp(settings: &LcpSettings, judge: &mut Judge) {
    let Some(directions) = settings.directions else { return };
    if !(4..=360).contains(&directions) || !directions.is_multiple_of(2) {
        judge.refuse(Violation {
            key: "stepper.lcp.directions".to_owned(),
            others: Vec::new(),
            value: directions.to_string(),
            allowed: "an even number, at least 4 and at most 360".to_owned(),
            remedy: "the directions of the friction polygon come in opposite pairs; 8 is a good value"
                .to_owned(),
        });
    }
}

fn convex(settings: &ConvexSettings, judge: &mut Judge) {
    if let Some(stiffness) = settings.stiffness {
        judge.range(
            "stepper.convex.stiffness",
            stiffness,
            (Excluded(0.0), Included(1e18)),
            "N/m",
            "leave the key out for ground as stiff as the step can tell",
        );
    }
    if let Some(dissipation_time) = settings.dissipation_time {
        judge.range(
            "stepper.convex.dissipation_time",
            dissipation_time,
            0.0..=1e3,
            "s",
            "leave the key out for critical damping, 0 switches the damping off",
        );
    }
    let beta_fits = judge.range(
        "stepper.convex.beta",
        settings.beta,
        0.0..=1e3,
        "",
        "1.0 is a good value, 0 switches the near-rigid regularisation off",
    );
    if beta_fits && settings.beta == 0.0 && settings.stiffness.is_none() {
        judge.refuse(Violation {
            key: "stepper.convex.beta".to_owned(),
            others: vec!["stepper.convex.stiffness".to_owned()],
            value: "0".to_owned(),
            allowed: "greater than 0 where there is no `stepper.convex.stiffness`".to_owned(),
            remedy: "without near-rigid regularisation the ground needs a stiffness, for example 1e7"
                .to_owned(),
        });
    }
    judge.range(
        "stepper.convex.sigma",
        settings.sigma,
        (Excluded(0.0), Included(1e3)),
        "",
        "1e-3 is a good value; the creep while sticking is proportional to it",
    );
}

fn smooth(settings: &SmoothSettings, judge: &mut Judge) {
    let positive = |limit| (Excluded(0.0), Included(limit));
    match settings.law {
        SmoothLaw::Tanh { amplitude, sharpness, damping } => {
            judge.range(
                "stepper.smooth.amplitude",
                amplitude,
                positive(1e18),
                "N",
                "it has to be larger than the weight; the original has 1500.0 for 10 kg",
            );
            judge.range(
                "stepper.smooth.sharpness",
                sharpness,
                positive(1e9),
                "1/m",
                "it is one over the thickness of the soft layer; the original has 100.0",
            );
            judge.range(
                "stepper.smooth.damping",
                damping,
                0.0..=1e9,
                "s/m",
                "the original has 0.1, 0 switches the damping off",
            );
        }
        SmoothLaw::KelvinVoigt { stiffness, damping } | SmoothLaw::HuntCrossley { stiffness, damping } => {
            if let Some(stiffness) = stiffness {
                judge.range(
                    "stepper.smooth.stiffness",
                    stiffness,
                    positive(1e18),
                    "N/m",
                    "leave the key out for a value that scales with the scenario",
                );
            }
            if let Some(damping) = damping {
                judge.range(
                    "stepper.smooth.damping",
                    damping,
                    // N s/m under the law of Kelvin and Voigt, of up to 1e12 kg
                    0.0..=1e18,
                    if matches!(settings.law, SmoothLaw::KelvinVoigt { .. }) { "N s/m" } else { "s/m" },
                    "leave the key out for the default, 0 switches the damping off",
                );
            }
        }
    }
}

use super::{Violation, judge::Judge};
use crate::scenario::{
    ConvexSettings, LcpSettings, SmoothLaw, SmoothSettings, StepperSettings,
    keys::{CONVEX, LCP, NLP, Row, SMOOTH, STEPPER},
};

impl StepperSettings {
    pub(super) fn check(&self, judge: &mut Judge) {
        judge.numbers("stepper", &STEPPER, self);
        judge.numbers("stepper.nlp", &NLP, &self.nlp);
        lcp(&self.lcp, judge);
        convex(&self.convex, judge);
        smooth(&self.smooth, judge);
    }
}

fn lcp(settings: &LcpSettings, judge: &mut Judge) {
    judge.numbers("stepper.lcp", &LCP, settings);
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
    judge.numbers("stepper.convex", &CONVEX, settings);
    if settings.beta == 0.0 && settings.stiffness.is_none() {
        judge.refuse(Violation {
            key: "stepper.convex.beta".to_owned(),
            others: vec!["stepper.convex.stiffness".to_owned()],
            value: "0".to_owned(),
            allowed: "greater than 0 where there is no `stepper.convex.stiffness`".to_owned(),
            remedy: "without near-rigid regularisation the ground needs a stiffness, for example 1e7"
                .to_owned(),
        });
    }
}

fn smooth(settings: &SmoothSettings, judge: &mut Judge) {
    judge.numbers("stepper.smooth", &SMOOTH, settings);
    let mut hold = |key: &str, value: f64| {
        if let Some(key) = SMOOTH.typed_key(key) {
            judge.row(&key.row, format_args!("stepper.smooth.{}", key.row.name), value);
        }
    };
    match settings.law {
        SmoothLaw::Tanh { amplitude, sharpness, damping } => {
            hold("amplitude", amplitude);
            hold("sharpness", sharpness);
            let remedy = "the original has 0.1, 0 switches the damping off";
            judge.range("stepper.smooth.damping", damping, 0.0..=1e9, "s/m", remedy);
        }
        SmoothLaw::HuntCrossley { stiffness, damping } => {
            stiffness.into_iter().for_each(|stiffness| hold("stiffness", stiffness));
            damping.into_iter().for_each(|damping| hold("damping", damping));
        }
        SmoothLaw::KelvinVoigt { stiffness, damping } => {
            stiffness.into_iter().for_each(|stiffness| hold("stiffness", stiffness));
            if let (Some(damping), Some(key)) = (damping, SMOOTH.typed_key("damping")) {
                // In another unit, of up to 1e12 kg.
                let row = Row { unit: "N s/m", ..key.row };
                judge.row(&row, "stepper.smooth.damping", damping);
            }
        }
    }
}

//! The tables under `[stepper]`.

use super::{
    schema::{CONVEX, LCP, NLP, SMOOTH},
    walker::{Open, Walker},
};
use crate::scenario::{
    ConvexSettings, LcpSettings, NlpSettings, SmoothLaw, SmoothLawName, SmoothSettings, StepperSettings,
};

pub(super) fn settings(walker: &mut Walker<'_>, table: &Open<'_>) -> StepperSettings {
    let mut settings = StepperSettings::default();
    if let Some(table) = walker.open_inner(table, "nlp", &NLP) {
        nlp(walker, &table, &mut settings.nlp);
    }
    if let Some(table) = walker.open_inner(table, "lcp", &LCP) {
        lcp(walker, &table, &mut settings.lcp);
    }
    if let Some(table) = walker.open_inner(table, "convex", &CONVEX) {
        convex(walker, &table, &mut settings.convex);
    }
    if let Some(table) = walker.open_inner(table, "smooth", &SMOOTH) {
        smooth(walker, &table, &mut settings.smooth);
    }
    settings
}

fn nlp(walker: &mut Walker<'_>, table: &Open<'_>, settings: &mut NlpSettings) {
    settings.tolerance = walker.number(table, "tolerance");
    settings.epsilon = walker.number(table, "epsilon");
    settings.solver = walker.choice(table, "solver");
    walker.set_truth(table, "warm_start", &mut settings.warm_start);
}

fn lcp(walker: &mut Walker<'_>, table: &Open<'_>, settings: &mut LcpSettings) {
    walker.set_choice(table, "solver", &mut settings.solver);
    walker.set_count(table, "directions", &mut settings.directions);
    walker.set_choice(table, "restitution", &mut settings.restitution);
    walker.set_choice(table, "fixed_point_start", &mut settings.fixed_point_start);
}

fn convex(walker: &mut Walker<'_>, table: &Open<'_>, settings: &mut ConvexSettings) {
    walker.set_number(table, "stiffness", &mut settings.stiffness);
    walker.set_number(table, "dissipation_time", &mut settings.dissipation_time);
    walker.set_number(table, "beta", &mut settings.beta);
    walker.set_number(table, "sigma", &mut settings.sigma);
    walker.set_truth(table, "gated", &mut settings.gated);
    walker.set_choice(table, "delassus_norm", &mut settings.delassus_norm);
    walker.set_choice(table, "solver", &mut settings.solver);
}

fn smooth(walker: &mut Walker<'_>, table: &Open<'_>, settings: &mut SmoothSettings) {
    let mut name = settings.law.name();
    walker.set_choice(table, "law", &mut name);
    match name {
        SmoothLawName::Tanh => {
            if let SmoothLaw::Tanh { amplitude, sharpness, damping } = &mut settings.law {
                walker.set_number(table, "amplitude", amplitude);
                walker.set_number(table, "sharpness", sharpness);
                walker.set_number(table, "damping", damping);
            }
            walker.no_effect(
                table,
                &["stiffness"],
                "it belongs to the law \"hunt-crossley\", and the law is \"tanh\"",
                "remove it, or set law = \"hunt-crossley\"; \"tanh\" has amplitude, sharpness, damping",
            );
        }
        SmoothLawName::HuntCrossley => {
            settings.law = SmoothLaw::HuntCrossley {
                stiffness: walker.number(table, "stiffness"),
                damping: walker.number(table, "damping"),
            };
            walker.no_effect(
                table,
                &["amplitude", "sharpness"],
                "it belongs to the law \"tanh\", and the law is \"hunt-crossley\"",
                "remove it, or set law = \"tanh\"; \"hunt-crossley\" has stiffness, damping",
            );
        }
    }
}

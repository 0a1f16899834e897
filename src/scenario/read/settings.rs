//! The tables under `[stepper]`.

use super::{
    schema::{CONVEX, LCP, NLP, SMOOTH},
    walker::{Open, Walker},
};
use crate::scenario::{
    Choice, ConvexSettings, LcpSettings, NlpSettings, Preset, SmoothLaw, SmoothLawName, SmoothSettings,
    StepperSettings,
};

pub(super) fn settings(walker: &mut Walker<'_>, table: &Open<'_>) -> StepperSettings {
    let mut settings = StepperSettings::default();
    walker.set_choice(table, "impacts", &mut settings.impacts);
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
    walker.set_truth(table, "time_of_impact", &mut settings.time_of_impact);
}

fn lcp(walker: &mut Walker<'_>, table: &Open<'_>, settings: &mut LcpSettings) {
    walker.set_choice(table, "solver", &mut settings.solver);
    settings.directions = walker.count(table, "directions");
    walker.set_choice(table, "polygon", &mut settings.polygon);
    walker.set_choice(table, "restitution", &mut settings.restitution);
    walker.set_choice(table, "fixed_point_start", &mut settings.fixed_point_start);
    walker.set_truth(table, "time_of_impact", &mut settings.time_of_impact);
}

fn convex(walker: &mut Walker<'_>, table: &Open<'_>, settings: &mut ConvexSettings) {
    if let Some(Preset::Published) = walker.choice(table, "preset") {
        *settings = ConvexSettings::PUBLISHED;
    }
    settings.stiffness = walker.number(table, "stiffness").or(settings.stiffness);
    settings.dissipation_time = walker.number(table, "dissipation_time").or(settings.dissipation_time);
    walker.set_number(table, "beta", &mut settings.beta);
    walker.set_number(table, "sigma", &mut settings.sigma);
    walker.set_truth(table, "gated", &mut settings.gated);
    walker.set_choice(table, "delassus_norm", &mut settings.delassus_norm);
    walker.set_choice(table, "solver", &mut settings.solver);
}

fn smooth(walker: &mut Walker<'_>, table: &Open<'_>, settings: &mut SmoothSettings) {
    let preset = walker.choice(table, "preset");
    let named: Option<SmoothLawName> = walker.choice(table, "law");
    if preset == Some(Preset::Published) && named.is_some_and(|name| name != SmoothLawName::Tanh) {
        let why = "the published law is \"tanh\", and another one is named";
        walker.no_effect(table, &["preset"], why, "remove it, or the law");
    }
    // The keys of the published law stand for it, too.
    let is_tanh = preset == Some(Preset::Published)
        || ["amplitude", "sharpness"].iter().any(|key| table.get(key).is_some());
    let name = named.unwrap_or(if is_tanh { SmoothLawName::Tanh } else { settings.law.name() });
    settings.law = match name {
        SmoothLawName::KelvinVoigt => SmoothLaw::SCALED,
        SmoothLawName::HuntCrossley => SmoothLaw::HuntCrossley { stiffness: None, damping: None },
        SmoothLawName::Tanh => SmoothLaw::TANH,
    };
    match &mut settings.law {
        SmoothLaw::KelvinVoigt { stiffness, damping } | SmoothLaw::HuntCrossley { stiffness, damping } => {
            *stiffness = walker.number(table, "stiffness");
            *damping = walker.number(table, "damping");
        }
        SmoothLaw::Tanh { amplitude, sharpness, damping } => {
            walker.set_number(table, "amplitude", amplitude);
            walker.set_number(table, "sharpness", sharpness);
            walker.set_number(table, "damping", damping);
        }
    }
    if name == SmoothLawName::Tanh {
        walker.no_effect(
            table,
            &["stiffness"],
            "it belongs to the laws \"kelvin-voigt\" and \"hunt-crossley\", and the law is \"tanh\"",
            "remove it, or set law = \"kelvin-voigt\"; \"tanh\" has amplitude, sharpness, damping",
        );
    } else {
        let law = name.as_str();
        walker.no_effect(
            table,
            &["amplitude", "sharpness"],
            &format!("it belongs to the law \"tanh\", and the law is \"{law}\""),
            &format!("remove it, or set law = \"tanh\"; \"{law}\" has stiffness, damping"),
        );
    }
}

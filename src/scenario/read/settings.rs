//! The tables under `[stepper]`.

use super::walker::{Open, Walker};
use crate::scenario::{
    Choice, ConvexSettings, Preset, SmoothLaw, SmoothLawName, SmoothSettings, StepperSettings,
    keys::{CONVEX, LCP, NLP, SMOOTH, STEPPER},
};

pub(super) fn settings(walker: &mut Walker<'_>, table: &Open<'_>) -> StepperSettings {
    let mut settings = StepperSettings::default();
    walker.fill(table, &STEPPER, &mut settings);
    if let Some(table) = walker.open_inner(table, "nlp", &NLP) {
        walker.fill(&table, &NLP, &mut settings.nlp);
    }
    if let Some(table) = walker.open_inner(table, "lcp", &LCP) {
        walker.fill(&table, &LCP, &mut settings.lcp);
    }
    if let Some(table) = walker.open_inner(table, "convex", &CONVEX) {
        convex(walker, &table, &mut settings.convex);
    }
    if let Some(table) = walker.open_inner(table, "smooth", &SMOOTH) {
        smooth(walker, &table, &mut settings.smooth);
    }
    settings
}

fn convex(walker: &mut Walker<'_>, table: &Open<'_>, settings: &mut ConvexSettings) {
    if let Some(Preset::Published) = walker.choice(table, "preset") {
        *settings = ConvexSettings::PUBLISHED;
    }
    walker.fill(table, &CONVEX, settings);
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
            for (key, parameter) in [("amplitude", amplitude), ("sharpness", sharpness), ("damping", damping)]
            {
                *parameter = walker.number(table, key).unwrap_or(*parameter);
            }
        }
    }
    walker.fill(table, &SMOOTH, settings);
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

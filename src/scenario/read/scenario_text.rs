//! A text that is read once, of which scenarios are made that differ in some keys.

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
};

use super::{Finding, Node, Override, ScenarioError, make, parse_document};
use crate::scenario::{AnyScenario, keys::NumberKey};

/// Most bodies of all the scenarios together that are remembered: one of the largest, or many of a few.
const MAX_BODIES: usize = 100_000;

/// A text that has been taken apart, of which scenarios are made that differ in some keys.
///
/// What has been read with some settings is not read again where other settings differ from them in numbers alone: these
/// are set where they stand in the scenario, and the scenario is held against the rules as one that has been read. One
/// that is refused is read after all, for what is told about it.
///
/// ```
/// use stickslip::scenario::{Override, ScenarioText};
///
/// let text = "name = 'slide'\nduration = 1.2\nstep = 1e-3\n[ground]\nfriction = 0.1\n\
///             [particle]\nmass = 10.0\nposition = [0.0, 0.0]\nvelocity = [1.0, 0.0]\n";
/// let slide = ScenarioText::read("slide.toml", text);
/// for friction in [0.1, 0.2, 0.3] {
///     let scenario = slide.with(&[Override::of_number("ground.friction", friction)?])?;
///     assert!(scenario.to_toml().contains(&format!("friction = {friction}\n")));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct ScenarioText {
    name: String,
    text: String,
    root: Option<Node>,
    findings: Vec<Finding>,
    read: Arc<RwLock<HashMap<Pattern, Option<Arc<AnyScenario>>>>>,
}

/// Settings without their numbers.
type Pattern = Vec<String>;

impl ScenarioText {
    /// Takes `text` apart; `name` stands for its path in messages. What is wrong with it is told by [`Self::with`].
    pub fn read(name: impl Into<String>, text: impl Into<String>) -> Self {
        let (name, text) = (name.into(), text.into());
        let (root, findings) = parse_document(&text);
        Self { name, text, root, findings, read: Arc::default() }
    }

    /// The path or other name of the text.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The scenario with some of its keys set from outside; see [`parse_scenario`](super::parse_scenario).
    ///
    /// # Errors
    /// [`ScenarioError::Invalid`] with all the problems of the text and of the overrides.
    pub fn with(&self, overrides: &[Override]) -> Result<AnyScenario, ScenarioError> {
        let settings: Vec<Setting> = overrides.iter().map(Setting::of).collect();
        let pattern: Pattern = settings.iter().map(|setting| setting.pattern.clone()).collect();
        let known = self.read.read().unwrap_or_else(PoisonError::into_inner).get(&pattern).cloned();
        if let Some(Some(scenario)) = &known
            && let Some(set) = with_numbers(scenario, &settings)
            && set.check().is_ok()
        {
            return Ok(set);
        }
        let Self { name, text, root, findings, .. } = self;
        let scenario = make(name, text, root.clone(), findings.clone(), overrides)?;
        if known.is_none() {
            self.remember(pattern, &scenario, &settings);
        }
        Ok(scenario)
    }

    /// Remembers a scenario that has been read with some settings, if their numbers stand in it where their keys say; if
    /// not, that it is to be read again every time.
    fn remember(&self, pattern: Pattern, scenario: &AnyScenario, settings: &[Setting]) {
        let mut copy = scenario.clone();
        let mut stands = |(key, value): &(NumberKey, f64)| {
            copy.number_mut(*key).is_some_and(|n| n.to_bits() == value.to_bits())
        };
        let stand = settings.iter().flat_map(|setting| &setting.numbers).all(&mut stands);
        let mut read = self.read.write().unwrap_or_else(PoisonError::into_inner);
        if (read.len() + 1).saturating_mul(scenario.bodies()) <= MAX_BODIES {
            read.insert(pattern, stand.then(|| Arc::new(scenario.clone())));
        }
    }
}

/// What an override sets.
struct Setting {
    /// The override with `#` in the place of each number; as it was given where it is no number, nor a list of them.
    pattern: String,
    numbers: Vec<(NumberKey, f64)>,
}

impl Setting {
    fn of(setting: &Override) -> Self {
        match setting.numbers() {
            Some((pattern, numbers)) => Self { pattern, numbers },
            None => Self { pattern: setting.argument().to_owned(), numbers: Vec::new() },
        }
    }
}

/// A scenario with the numbers of some settings; none where it lacks one of them.
fn with_numbers(scenario: &AnyScenario, settings: &[Setting]) -> Option<AnyScenario> {
    let mut set = scenario.clone();
    for (key, value) in settings.iter().flat_map(|setting| &setting.numbers) {
        *set.number_mut(*key)? = *value;
    }
    Some(set)
}

#[cfg(test)]
mod tests {
    use super::ScenarioText;
    use crate::scenario::{Control, Override, Setting, controls};

    const SLIDE: &str = "name = \"slide\"\nduration = 1.0\nstep = 1e-3\n[[body]]\nshape = \"box\"\nsize = [0.4, 1.0]\n\
                         mass = 3.0\ninertia = 0.3\nposition = [0.0, 0.5]\n[ground]\nfriction = 0.1\n[[wall]]\n\
                         normal = [1.0, 0.0]\noffset = -2.0\n[[push]]\nforce = [1.0, 0.0]\nfrom = 0.1\n\
                         [stepper.smooth]\nlaw = \"tanh\"\n[stepper.lcp]\ndirections = 8\n";

    fn remembered(text: &ScenarioText) -> Vec<(String, bool)> {
        let read = text.read.read().expect("no panic");
        read.iter().map(|(pattern, scenario)| (pattern.join(" "), scenario.is_some())).collect()
    }

    #[test]
    fn every_number_is_set_where_it_stands_once_the_text_has_been_read() {
        let scenario = ScenarioText::read("slide", SLIDE).with(&[]).expect("a scenario");
        let written = scenario.to_toml();
        let mut set = 0;
        for Control { key, setting, .. } in controls(&scenario) {
            let Setting::Number { value: Some(value), whole: false, .. } = setting else { continue };
            let text = ScenarioText::read("slide", written.as_str());
            text.with(&[Override::of_number(&key, value).expect("a key")]).expect("a scenario");
            assert_eq!(remembered(&text), [(format!("{key}=#"), true)]);
            set += 1;
        }
        assert!(set > 25, "{set}");
    }

    #[test]
    fn whole_numbers_words_and_what_a_later_setting_replaces_are_read_anew() {
        let text = ScenarioText::read("slide", SLIDE);
        let set = |settings: &[&str]| {
            let settings: Vec<Override> =
                settings.iter().map(|text| text.parse().expect("an override")).collect();
            text.with(&settings).expect("a scenario");
        };
        set(&["stepper.lcp.directions=6"]);
        set(&["stepper.lcp.solver=lemke"]);
        set(&["ground.friction=0.3", "ground={ friction = 0.4 }"]);
        let mut found = remembered(&text);
        found.sort();
        let expected = [
            ("ground.friction=# ground={ friction = 0.4 }", false),
            ("stepper.lcp.directions=6", true),
            ("stepper.lcp.solver=lemke", true),
        ];
        assert_eq!(found, expected.map(|(pattern, is_kept)| (pattern.to_owned(), is_kept)));
    }
}

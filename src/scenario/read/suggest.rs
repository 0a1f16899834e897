//! What was meant by a key that does not exist.

use crate::scenario::keys::{Section, sections};

/// Similarity (Jaro-Winkler) from which on two words are taken for the same.
const SIMILAR: f64 = 0.8;
/// Shortest word in which a slip is recognised; in shorter ones every word is one slip from another.
const SHORTEST: usize = 3;

/// Letters and words of the literature, and the keys that stand for them here.
const SYNONYMS: [(&str, &str); 24] = [
    ("mu", "friction"),
    ("e", "restitution"),
    ("m", "mass"),
    ("g", "gravity"),
    ("dt", "step"),
    ("h", "step"),
    ("timestep", "step"),
    ("time_step", "step"),
    ("t_end", "duration"),
    ("T", "duration"),
    ("time", "duration"),
    ("x", "position"),
    ("x0", "position"),
    ("v", "velocity"),
    ("v0", "velocity"),
    ("k", "stiffness"),
    ("tau_d", "dissipation_time"),
    ("tol", "tolerance"),
    ("u", "force"),
    ("f", "force"),
    ("until", "to"),
    ("angle", "slope"),
    ("point", "particle"),
    ("bodies", "body"),
];

/// The word of `candidates` closest to `given`, if one is close.
pub(crate) fn closest<'a>(
    given: &str,
    candidates: impl IntoIterator<Item = &'a str> + Clone,
) -> Option<&'a str> {
    one_slip_away(given, candidates.clone()).or_else(|| similar(given, candidates))
}

/// The word that `given` is but for one letter, or two letters swapped.
fn one_slip_away<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let given = folded(given);
    let long_enough = given.chars().count() >= SHORTEST;
    candidates
        .into_iter()
        .find(|candidate| long_enough && strsim::osa_distance(&folded(candidate), &given) <= 1)
}

fn similar<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let given = folded(given);
    candidates
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(&folded(candidate), &given), candidate))
        .filter(|(similarity, _)| *similarity >= SIMILAR)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

/// A word without the differences that do not make another one.
fn folded(word: &str) -> String {
    word.to_lowercase().replace('-', "_")
}

/// Advice on `given`, a key that `section` does not have.
pub(super) fn unknown_key(given: &str, section: &dyn Section) -> String {
    let known = format!("the keys of {} are {}", section.title(), section.key_names());
    let names = section.rows().map(|row| row.name);
    let here = |name| format!("did you mean `{name}`?");
    let advice = synonym(given, section)
        .or_else(|| one_slip_away(given, names.clone()))
        .map(here)
        .or_else(|| elsewhere(given, section))
        .or_else(|| misspelt_elsewhere(given))
        .or_else(|| similar(given, names).map(here));
    match advice {
        Some(advice) => format!("{advice} ({known})"),
        None => format!("remove it ({known})"),
    }
}

fn synonym(given: &str, section: &dyn Section) -> Option<&'static str> {
    SYNONYMS
        .into_iter()
        .find(|(letter, name)| *letter == given && section.key(name).is_some())
        .map(|(_, name)| name)
}

/// Where a key belongs that another table has.
fn elsewhere(given: &str, here: &dyn Section) -> Option<String> {
    if here.path() == "stepper" {
        return matches!(given, "hybrid" | "exact").then(|| format!("`{given}` has no settings"));
    }
    let homes: Vec<String> = sections()
        .into_iter()
        .filter(|section| section.key(given).is_some() || synonym(given, *section).is_some())
        .map(|section| section.title())
        .collect();
    match homes.as_slice() {
        [] => None,
        [home] if here.path().is_empty() => Some(format!("it belongs in {home}")),
        [home] if home == &sections()[0].title() => {
            Some(format!("it belongs at {home}, before the first [table]"))
        }
        homes => Some(format!("it belongs in {}", homes.join(" or "))),
    }
}

/// A misspelt key of another table.
fn misspelt_elsewhere(given: &str) -> Option<String> {
    let name =
        one_slip_away(given, sections().into_iter().flat_map(|section| section.rows()).map(|row| row.name))?;
    let home = sections().into_iter().find(|section| section.key(name).is_some())?;
    Some(format!("did you mean `{name}` in {}?", home.title()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::keys::{GROUND, STEPPER, particle, top};

    #[test]
    fn a_misspelt_key_is_recognised() {
        assert!(
            unknown_key("fricton", &GROUND)
                .starts_with("did you mean `friction`? (the keys of [ground] are friction")
        );
        assert!(unknown_key("Mass", particle::<2>()).starts_with("did you mean `mass`?"));
    }

    #[test]
    fn letters_of_the_literature_are_understood() {
        assert!(unknown_key("mu", &GROUND).starts_with("did you mean `friction`?"));
        assert!(unknown_key("dt", top::<2>()).starts_with("did you mean `step`?"));
    }

    #[test]
    fn a_key_in_the_wrong_table_is_sent_home() {
        assert!(unknown_key("mass", top::<2>()).starts_with("it belongs in [particle] or [[body]] ("));
        assert!(
            unknown_key("gravity", particle::<2>())
                .starts_with("it belongs at the top of the file, before the first [table]")
        );
        assert!(unknown_key("velocty", top::<2>()).starts_with("did you mean `velocity` in [particle]?"));
        assert!(unknown_key("exact", &STEPPER).starts_with("`exact` has no settings"));
    }
}

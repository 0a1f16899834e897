//! What was meant by a word that is not known.

/// Similarity (Jaro-Winkler) from which on two words are taken for the same.
const SIMILAR: f64 = 0.8;
/// Shortest word in which a slip is recognised; in shorter ones every word is one slip from another.
const SHORTEST: usize = 3;

/// The word of `candidates` closest to `given`, if one is close.
pub fn closest<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str> + Clone) -> Option<&'a str> {
    one_slip_away(given, candidates.clone()).or_else(|| similar(given, candidates))
}

/// The word that `given` is but for two letters swapped, or else for one letter.
pub fn one_slip_away<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let given = folded(given);
    if given.chars().count() < SHORTEST {
        return None;
    }
    let near = candidates.into_iter().filter(|word| strsim::osa_distance(&folded(word), &given) <= 1);
    near.min_by_key(|word| sorted(&folded(word)) != sorted(&given))
}

/// The word that looks most like `given`, if one does.
pub fn similar<'a>(given: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let given = folded(given);
    candidates
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(&folded(candidate), &given), candidate))
        .filter(|(similarity, _)| *similarity >= SIMILAR)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

/// A word without the differences that do not make another one.
pub fn folded(word: &str) -> String {
    word.to_lowercase().replace('-', "_")
}

/// The letters of a word, in the order of the alphabet.
fn sorted(word: &str) -> Vec<char> {
    let mut letters: Vec<char> = word.chars().collect();
    letters.sort_unstable();
    letters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_slip_is_recognised_and_no_more() {
        let of = |given| one_slip_away(given, ["damping", "friction"]);
        for slip in ["dampin", "dampping", "bamping", "dapming", "Damping"] {
            assert_eq!(of(slip), Some("damping"), "{slip}");
        }
        for other in ["dampi", "gnipmad", "stiffness", ""] {
            assert_eq!(of(other), None, "{other}");
        }
    }

    #[test]
    fn letters_in_another_order_are_likelier_than_another_letter() {
        assert_eq!(one_slip_away("iyx", ["ixx", "iyy", "ixy"]), Some("ixy"));
    }

    #[test]
    fn of_short_words_nothing_is_guessed() {
        assert_eq!(one_slip_away("kq", ["kp", "kv"]), None);
    }

    #[test]
    fn what_is_no_slip_may_still_look_alike() {
        assert_eq!(closest("frictoinn", ["damping", "friction"]), Some("friction"));
        assert_eq!(closest("voltage", ["damping", "friction"]), None);
    }
}

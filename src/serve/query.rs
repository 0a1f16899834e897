//! The query of an address: changes of the scenario, and what to show.

use super::request::Fault;
use crate::{
    scenario::Override,
    stepper::{StepperName, UnknownStepper},
};

/// Most changes in one request.
const MOST_CHANGES: usize = 200;
/// Instants that a request may ask for.
const POINTS: std::ops::RangeInclusive<usize> = 2..=5000;
/// Instants if it does not say.
const DEFAULT_POINTS: usize = 600;

/// What a request asks for.
#[derive(Debug)]
pub(super) struct Query {
    /// Changes of the scenario.
    pub overrides: Vec<Override>,
    /// Steppers; the scenario's families if empty.
    pub steppers: Vec<StepperName>,
    /// Instants.
    pub points: usize,
}

impl Query {
    /// Reads what follows the question mark.
    ///
    /// # Errors
    /// A fault with the diagnostic.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let refuse = |message: String| Fault::new(422, message);
        let mut query = Self { overrides: Vec::new(), steppers: Vec::new(), points: DEFAULT_POINTS };
        let mut options = Vec::new();
        for part in text.split('&').filter(|part| !part.is_empty()) {
            let (key, value) =
                part.split_once('=').ok_or_else(|| refuse(format!("`{}` is no KEY=VALUE", shown(part))))?;
            let (key, value) = (decoded(key)?, decoded(value)?);
            let is_option = matches!(key.as_str(), "points" | "steppers");
            if is_option && options.contains(&key) {
                return Err(refuse(format!("`{key}` is given twice")));
            }
            match key.as_str() {
                "points" => {
                    query.points =
                        value.parse().ok().filter(|points| POINTS.contains(points)).ok_or_else(|| {
                            let (least, most) = (POINTS.start(), POINTS.end());
                            refuse(format!(
                                "`points` is `{}`, but must be a whole number from {least} to {most}",
                                shown(&value)
                            ))
                        })?;
                }
                "steppers" if value.split(',').all(str::is_empty) => {
                    return Err(refuse(
                        "`steppers` names none; leave it out for one of every family that can".to_owned(),
                    ));
                }
                "steppers" => {
                    for name in value.split(',').filter(|name| !name.is_empty()) {
                        let name = name.parse().map_err(|error: UnknownStepper| refuse(error.to_string()))?;
                        if !query.steppers.contains(&name) {
                            query.steppers.push(name);
                        }
                    }
                }
                _ if query.overrides.len() == MOST_CHANGES => {
                    return Err(refuse(format!("there are more than {MOST_CHANGES} changes")));
                }
                _ => {
                    let change = Override::parse(&format!("{key}={value}"));
                    let change = change.map_err(|error| refuse(error.to_string()))?;
                    // The page must not be a way to read files. The text would not tell: TOML has many ways to write a key.
                    if change.names_file() {
                        return Err(refuse(format!("`{}` names a file, which the page cannot", shown(&key))));
                    }
                    if query.overrides.iter().any(|known| known.key() == change.key()) {
                        return Err(refuse(format!("`{}` is given twice", change.key())));
                    }
                    query.overrides.push(change);
                }
            }
            if is_option {
                options.push(key);
            }
        }
        Ok(query)
    }
}

/// A text with its `%XX` and `+` resolved.
fn decoded(text: &str) -> Result<String, Fault> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let digit = |byte: Option<u8>| byte.and_then(|byte| (byte as char).to_digit(16));
                match (digit(rest.next()), digit(rest.next())) {
                    (Some(high), Some(low)) => (16 * high + low) as u8,
                    _ => {
                        return Err(Fault::new(
                            400,
                            "a % in an address is followed by two hexadecimal digits",
                        ));
                    }
                }
            }
            byte => byte,
        });
    }
    let text = String::from_utf8(bytes).map_err(|_| Fault::new(400, "the address is not UTF-8 text"))?;
    match text.chars().find(|letter| letter.is_control()) {
        Some(letter) => Err(Fault::new(
            400,
            format!("the address has the control character %{:02X}, which no value needs", u32::from(letter)),
        )),
        None => Ok(text),
    }
}

/// The beginning of what was given.
fn shown(text: &str) -> String {
    text.chars().take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::Query;

    #[test]
    fn keys_values_points_and_steppers_are_told_apart() {
        let query = Query::parse(
            "ground.friction=0.3&push%5B0%5D.force=%5B1.0%2C+2.0%5D&points=50&steppers=lcp,exact",
        )
        .expect("a query");
        let given: Vec<&str> = query.overrides.iter().map(|change| change.argument()).collect();
        assert_eq!(given, ["ground.friction=0.3", "push[0].force=[1.0, 2.0]"]);
        assert_eq!((query.points, query.steppers.len()), (50, 2));
    }

    #[test]
    fn a_value_may_have_the_word_file_in_it() {
        for text in ["name=profile", "name=file", "push=[{name=\"file\",force=[1.0,0.0]}]"] {
            let query = Query::parse(text).unwrap_or_else(|fault| panic!("{text}: {}", fault.message));
            assert_eq!(query.overrides.len(), 1, "{text}");
        }
    }

    #[test]
    fn what_is_no_query_is_refused_with_the_reason() {
        for (text, word) in [
            ("ground.friction", "KEY=VALUE"),
            ("points=1", "whole number"),
            ("points=1e9", "whole number"),
            ("steppers=nonsense", "nonsense"),
            ("push[0].file=/etc/passwd", "names a file"),
            ("push.0.file=/etc/passwd", "names a file"),
            (" push[0].file =/etc/passwd", "names a file"),
            ("push=[{ file = \"/etc/passwd\" }]", "names a file"),
            ("push=[{ 'file' = \"/etc/passwd\" }]", "names a file"),
            ("push=[{\"fi\\u006ce\"=\"/etc/passwd\"}]", "names a file"),
            ("push[0]={\"\\U00000066ile\"=\"/etc/passwd\"}", "names a file"),
            ("push=[{%22%5Cu0066ile%22=%22/etc/passwd%22}]", "names a file"),
            ("a=%zz", "hexadecimal"),
            ("a=%ff", "UTF-8"),
            ("a=%00", "control character %00"),
            ("ground.friction=0.1%0Ax=3", "control character %0A"),
            ("steppers=", "names none"),
            ("steppers=,", "names none"),
            ("=1", "not a key"),
            ("points=20&step=1e-3&points=20", "`points` is given twice"),
            ("steppers=lcp&steppers=nlp", "`steppers` is given twice"),
            ("ground.friction=0.1&ground.friction=0.2", "`ground.friction` is given twice"),
            ("push.0.force=[1.0,0.0]&push[0].force=[2.0,0.0]", "`push[0].force` is given twice"),
        ] {
            let fault = Query::parse(text).expect_err(text);
            assert!(fault.message.contains(word), "{text}: {}", fault.message);
        }
    }
}

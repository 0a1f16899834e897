use toml::{Table, Value};

use super::FitError;
use crate::{
    likelihood::{Bound, Scale},
    scenario::{
        AnyScenario, Inertia, Override, OverrideError, Scenario, ScenarioError, ScenarioText,
        keys::NumberKey,
        read::{KeyPath, require_key},
    },
};

/// The name of the height of the ground in the coordinates of the recording, m: no key of a scenario, but of
/// how it was measured.
pub const GROUND_HEIGHT: &str = "ground-height";
/// Factor to either side of a value that is searched where nothing is known about it.
const AROUND: f64 = 5.0;
/// Ratio of the ends of a range from which on equal ratios count as equally long.
const WIDE: f64 = 8.0;
/// Distance of the ends of a range below which steps through it are lost to underflow.
const NARROWEST: f64 = 1e3 * f64::MIN_POSITIVE;
/// Friction up to which is searched, at least.
const FRICTION: f64 = 1.0;
/// What of a body the recording gives.
const START: [&str; 5] = ["position", "velocity", "angle", "orientation", "spin"];
/// Height of the ground that is searched to either side, in sizes of the body.
const HEIGHT: f64 = 0.05;

/// A number of a scenario that is to be fitted.
#[derive(Debug, Clone, PartialEq)]
pub struct FitParameter {
    /// Its key, as `--set` takes it, or [`GROUND_HEIGHT`].
    pub key: String,
    /// Where the search begins, in the unit of the key; of a list, its first number.
    pub value: f64,
    /// The values that are searched, in the same unit.
    pub range: [f64; 2],
    /// Whether an end of the range is where possible values end, and not only the search.
    pub is_natural_end: [bool; 2],
    /// What stands in the scenario: a number, or lists of numbers that are scaled together.
    template: Option<Value>,
}

/// A parameter that cannot be fitted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("parameter `{key}`: {message}")]
pub struct ParameterError {
    /// The parameter, as it was given.
    pub key: String,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
}

impl FitParameter {
    /// Reads `KEY` or `KEY=LOW..HIGH`, a number of `scenario`, whose body number `moving` is of that `size`, or the
    /// height of the ground in a recording, which is `ground_height` where nothing else is known.
    ///
    /// # Errors
    /// [`ParameterError`].
    pub fn parse(
        text: &str,
        scenario: &AnyScenario,
        (moving, size): (usize, f64),
        ground_height: f64,
    ) -> Result<Self, ParameterError> {
        let (key, range) = match text.split_once('=') {
            None => (text.trim(), None),
            Some((key, range)) => (key.trim(), Some(range)),
        };
        // `a.0.b` is `a[0].b`.
        let key = KeyPath::parse(key).map_or_else(|| key.to_owned(), |path| path.to_string());
        Self::of_key(&key, range, scenario, (moving, size), ground_height)
            .map_err(|Complaint { message, help }| ParameterError { key, message, help })
    }

    fn of_key(
        key: &str,
        range: Option<&str>,
        scenario: &AnyScenario,
        (moving, size): (usize, f64),
        ground_height: f64,
    ) -> Result<Self, Complaint> {
        if key.is_empty() {
            return Err(Complaint::new(
                "a key is missing",
                "name the numbers that are fitted, separated by commas, as in ground.friction,ground.restitution",
            ));
        }
        let range = range.map(range_to_search).transpose()?;
        let text = ScenarioText::read("", scenario.to_toml());
        if key != GROUND_HEIGHT {
            refuse_unknown(key, &text)?;
        }
        refuse_what_the_recording_gives(key, moving)?;
        let template = present(key, &text, || inertia(scenario, moving));
        let present = match &template {
            None => (key == GROUND_HEIGHT).then_some(ground_height),
            Some(value) => Some(number_to_fit(value)?),
        };
        if present.is_none() && KeyPath::parse(key).as_ref().and_then(NumberKey::of).is_none() {
            return Err(Complaint::new(
                "its value is no number, and only numbers can be fitted",
                "name a key whose value is a number, or a list of numbers to be scaled together",
            ));
        }
        let natural = natural_ends(key);
        let Some(range) = range.or_else(|| {
            let number = |key: &str| present_number(key, &text);
            present.and_then(|value| default_range(key, value, size, number))
        }) else {
            let message = match present {
                Some(value) => format!("it is {value}, from which nothing follows about where to search"),
                None => {
                    "the scenario says nothing about it, so that it is unclear where to search".to_owned()
                }
            };
            let help = "give the range to search, as in stepper.convex.stiffness=1e3..1e6";
            return Err(Complaint::new(message, help));
        };
        let scale = scale(range);
        let middle = match scale {
            Scale::Linear => 0.5 * (range[0] + range[1]),
            Scale::Logarithmic => (range[0] * range[1]).sqrt(),
        };
        let value = present.filter(|value| (range[0]..=range[1]).contains(value)).unwrap_or(middle);
        let is_natural_end = [0, 1].map(|end| natural[end] == Some(range[end]));
        Ok(Self { key: key.to_owned(), value, range, is_natural_end, template })
    }

    /// What is wrong with its range, where the scenario is refused with one of its ends.
    pub(super) fn not_up_to(&self, end: f64, refusal: ScenarioError) -> FitError {
        let ScenarioError::Invalid(invalid) = &refusal else { return refusal.into() };
        let Some(problem) = invalid.problems.first() else { return refusal.into() };
        let [low, high] = self.range;
        FitError::Parameter(ParameterError {
            key: self.key.clone(),
            message: format!("{low}..{high} reaches to {end}: {}", problem.message),
            help: format!("give a range within what it may be; {}", problem.help),
        })
    }

    /// What sets the parameter to `value` in a scenario: its number, or all the numbers of its list in proportion.
    ///
    /// # Errors
    /// [`OverrideError`] if it is no key of a scenario, as the height of the ground is none.
    pub fn set_to(&self, value: f64) -> Result<Override, OverrideError> {
        match &self.template {
            Some(list @ Value::Array(_)) => {
                let factor = value / first_number(list).unwrap_or(1.0);
                Override::parse(&format!("{}={}", self.key, scaled(list, factor)))
            }
            _ => Override::of_number(&self.key, value),
        }
    }

    /// Whether it is what `key` names, in any place of a list or all of it.
    pub(super) fn is_of(&self, key: &str) -> bool {
        let parts = self.key.split('.').map(|part| part.split('[').next().unwrap_or(part));
        parts.eq(key.split('.'))
    }

    /// How long a share of the range is at a value, on the parameter's scale.
    pub(super) fn share_of_range(&self, value: f64, share: f64) -> f64 {
        let [low, high] = self.range;
        match self.scale() {
            Scale::Linear => share * (high - low),
            Scale::Logarithmic => value * share * (high.ln() - low.ln()),
        }
    }

    /// Whether it is a list of numbers that are scaled together.
    pub fn is_list(&self) -> bool {
        self.template.as_ref().is_some_and(Value::is_array)
    }

    /// The values to search, for the search.
    pub fn bound(&self) -> Bound {
        let [lower, upper] = self.range;
        let scale = match self.scale() {
            Scale::Linear => 0.01 * (upper - lower),
            Scale::Logarithmic => 0.05 * self.value,
        };
        Bound { scale, ..Bound::between(lower, upper) }
    }

    /// Which steps of it count as equally long.
    pub fn scale(&self) -> Scale {
        scale(self.range)
    }
}

fn scale([low, high]: [f64; 2]) -> Scale {
    if low > 0.0 && high / low > WIDE { Scale::Logarithmic } else { Scale::Linear }
}

/// What is wrong with a parameter, and what to do.
struct Complaint {
    message: String,
    help: String,
}

impl Complaint {
    fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { message: message.into(), help: help.into() }
    }
}

/// The range that was given.
fn range_to_search(text: &str) -> Result<[f64; 2], Complaint> {
    match parse_range(text) {
        Some([low, high]) if high - low < NARROWEST => Err(Complaint::new(
            format!("`{text}` is too narrow to be searched: its ends are {:e} apart", high - low),
            "let them be further apart, as in ground.friction=0.05..0.5",
        )),
        Some(range) => Ok(range),
        None => Err(Complaint::new(
            format!("`{text}` is no range"),
            "write the ends of what is to be searched, as in ground.friction=0.05..0.5",
        )),
    }
}

/// Refuses what is no key of a scenario, or leads nowhere in this one.
fn refuse_unknown(key: &str, text: &ScenarioText) -> Result<(), Complaint> {
    if let Some((message, help)) = misplaced(key, text) {
        return Err(Complaint { message, help });
    }
    require_key(key).map_err(|closest| {
        let help = closest.map_or_else(
            || "`stickslip explain` lists the keys of scenario files".to_owned(),
            |closest| format!("did you mean `{closest}`?"),
        );
        Complaint::new("no scenario file has such a key", help)
    })
}

/// Refuses the numbers that a recording settles.
fn refuse_what_the_recording_gives(key: &str, moving: usize) -> Result<(), Complaint> {
    const OTHERS: &str = "name a property of the body, the ground or the model";
    if let Some(why) = given_by_recording(key, moving) {
        return Err(Complaint::new(why, OTHERS));
    }
    if key == "step" {
        return Err(Complaint::new(
            "the steps are made to meet the rows of the recording, so that its number has no effect or jumps",
            format!("set the step with --set step=..., and {OTHERS}"),
        ));
    }
    Ok(())
}

/// Why a number of the scenario makes nothing of predictions, where the recording gives it: of the body number `moving`, or
/// of the whole scenario.
pub fn given_by_recording(key: &str, moving: usize) -> Option<&'static str> {
    let key = KeyPath::parse(key).map_or_else(|| key.to_owned(), |path| path.to_string());
    let of_body = [format!("body[{moving}]."), "particle.".to_owned(), format!("particle[{moving}].")];
    let of_start = of_body.iter().find_map(|body| key.strip_prefix(body.as_str()));
    if of_start.is_some_and(|name| START.contains(&name.split('[').next().unwrap_or(name))) {
        return Some("every throw starts where the recording has it, and predictions do not depend on it");
    }
    (key == "duration")
        .then_some("the recording says how long the throws last, and predictions do not depend on it")
}

/// The number that a scenario has under a key, if it has one.
fn present_number(key: &str, text: &ScenarioText) -> Option<f64> {
    first_number(&present(key, text, || None)?)
}

/// The number that the scenario has, the first of a list.
fn number_to_fit(value: &Value) -> Result<f64, Complaint> {
    let number = first_number(value).ok_or_else(|| {
        Complaint::new(
            format!("it is a {} in the scenario, and only numbers can be fitted", value.type_str()),
            "name a key whose value is a number, or a list of numbers to be scaled together",
        )
    })?;
    if value.is_array() && number == 0.0 {
        return Err(Complaint::new(
            "its first number is 0, by which nothing can be scaled",
            "name one of its numbers, as in body[0].size[1]",
        ));
    }
    Ok(number)
}

fn parse_range(text: &str) -> Option<[f64; 2]> {
    let (low, high) = text.split_once("..")?;
    let range = [low, high].map(|end| end.trim().trim_start_matches('=').parse::<f64>());
    match range {
        [Ok(low), Ok(high)] if low < high && low.is_finite() && high.is_finite() => Some([low, high]),
        _ => None,
    }
}

/// Where the values of a key end by their nature.
fn natural_ends(key: &str) -> [Option<f64>; 2] {
    match last_part(key) {
        "friction" => [Some(0.0), None],
        "restitution" => [Some(0.0), Some(1.0)],
        _ => [None, None],
    }
}

fn last_part(key: &str) -> &str {
    key.rsplit('.').next().unwrap_or(key)
}

/// Where a key is searched that stands at `value` in a scenario with bodies of that `size`; `number` gives those of other keys.
fn default_range(key: &str, value: f64, size: f64, number: impl Fn(&str) -> Option<f64>) -> Option<[f64; 2]> {
    // That in motion is at most that at rest.
    let beside = |name: &str| number(&format!("{}{name}", key.strip_suffix(last_part(key))?));
    match last_part(key) {
        GROUND_HEIGHT => Some([value - HEIGHT * size, value + HEIGHT * size]),
        "friction" => Some([beside("kinetic_friction").unwrap_or(0.0), FRICTION.max(3.0 * value)]),
        "kinetic_friction" => Some([0.0, beside("friction")?]),
        "restitution" => Some([0.0, 1.0]),
        _ if value > 0.0 => Some([value / AROUND, value * AROUND]),
        _ if value < 0.0 => Some([value * AROUND, value / AROUND]),
        _ => None,
    }
}

/// What is wrong with where a key leads in the scenario, and what to do about it: a list without a place, say.
fn misplaced(key: &str, text: &ScenarioText) -> Option<(String, String)> {
    let setting = format!("{key}=1").parse().ok()?;
    let Err(ScenarioError::Invalid(invalid)) = text.with(&[setting]) else {
        return None;
    };
    // Whether it may be 1 is another question, and unknown keys are named with the closest one.
    let problem =
        invalid.problems.into_iter().find(|problem| problem.message.starts_with("there is no `"))?;
    Some((problem.message, problem.help))
}

/// What the scenario has under a key; an `inertia` that is not written is that of the uniform body.
fn present(key: &str, text: &ScenarioText, inertia: impl Fn() -> Option<Value>) -> Option<Value> {
    let table: Table = text.text().parse().ok()?;
    let mut place = Value::Table(table);
    for part in key.split('.') {
        let (name, indices) = part.split_at(part.find('[').unwrap_or(part.len()));
        place = match place.get(name) {
            Some(value) => value.clone(),
            None if name == "inertia" => inertia()?,
            None => return None,
        };
        for index in indices.split(['[', ']']).filter(|index| !index.is_empty()) {
            place = place.get(index.parse::<usize>().ok()?)?.clone();
        }
    }
    Some(place)
}

fn inertia(scenario: &AnyScenario, moving: usize) -> Option<Value> {
    fn of<const D: usize>(scenario: &Scenario<D>, moving: usize) -> Option<Value> {
        match scenario.bodies.get(moving)?.moment_of_inertia()? {
            Inertia::Plane(moment) => Some(Value::Float(moment)),
            Inertia::Space(tensor) => {
                Some(Value::Array((0..3).map(|axis| Value::Float(tensor[(axis, axis)])).collect()))
            }
        }
    }
    match scenario {
        AnyScenario::InPlane(scenario) => of(scenario, moving),
        AnyScenario::OverPlane(scenario) => of(scenario, moving),
    }
}

fn first_number(value: &Value) -> Option<f64> {
    match value {
        Value::Float(number) => Some(*number),
        Value::Integer(number) => Some(*number as f64),
        Value::Array(list) => {
            let numbers: Option<Vec<f64>> = list.iter().map(first_number).collect();
            numbers?.first().copied()
        }
        _ => None,
    }
}

/// The text of a value with all its numbers multiplied.
fn scaled(value: &Value, factor: f64) -> String {
    match value {
        Value::Float(number) => format!("{:?}", number * factor),
        Value::Integer(number) => format!("{:?}", *number as f64 * factor),
        Value::Array(list) => {
            let parts: Vec<String> = list.iter().map(|value| scaled(value, factor)).collect();
            format!("[{}]", parts.join(", "))
        }
        // `first_number` lets nothing else pass.
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{Body, Shape};

    fn cube() -> AnyScenario {
        let body = Body {
            name: Some("cube".to_owned()),
            shape: Shape::Box { size: [0.1, 0.1, 0.1].into() },
            ..Body::point(0.4, [0.0, 0.0, 1.0], [0.0; 3])
        };
        Scenario::<3> { bodies: vec![body], ..Scenario::new("cube") }.into()
    }

    #[test]
    fn lists_are_scaled_as_a_whole_and_single_numbers_alone() {
        let parse = |text: &str| FitParameter::parse(text, &cube(), (0, 0.1), 0.02).unwrap();
        let size = parse("body[0].size");
        let set = |parameter: &FitParameter, value: f64| {
            parameter.set_to(value).expect("a setting").argument().to_owned()
        };
        assert_eq!((size.value, set(&size, 0.2).as_str()), (0.1, "body[0].size=[0.2, 0.2, 0.2]"));
        assert_eq!(set(&parse("body[0].size[2]"), 0.2), "body[0].size[2]=0.2");
        let inertia = parse("body[0].inertia");
        assert!((inertia.value - 0.4 * 0.02 / 12.0).abs() < 1e-12);
        let set = set(&inertia, 1e-3);
        assert!(set.starts_with("body[0].inertia=[0.001, 0.00"), "{set}");
    }

    #[test]
    fn ranges_are_those_given_or_those_that_are_natural() {
        let parse = |text: &str| FitParameter::parse(text, &cube(), (0, 0.1), 0.02);
        let friction = parse("ground.friction").unwrap();
        assert_eq!((friction.range, friction.is_natural_end), ([0.0, 1.0], [true, false]));
        let given = parse("ground.friction=0.05..0.5").unwrap();
        assert_eq!((given.range, given.is_natural_end), ([0.05, 0.5], [false, false]));
        assert_eq!(parse("ground.restitution").unwrap().is_natural_end, [true, true]);
        let height = parse(GROUND_HEIGHT).unwrap();
        assert!((height.range[1] - 0.025).abs() < 1e-12 && height.value == 0.02);
        let stiffness = parse("stepper.convex.stiffness=1e3..1e5").unwrap();
        assert_eq!(stiffness.scale(), Scale::Logarithmic);
        assert!((stiffness.value - 1e4).abs() < 1.0);
        for (text, words) in [
            ("ground.slope", "range"),
            ("ground.friction=0.5", "range"),
            ("ground.friction=0.5..0.1", "range"),
            ("ground.friction=0..1e-322", "too narrow"),
            ("stepper.convex.stiffness", "range"),
            ("name", "number"),
            ("body[0].velocity[1]=0..1", "where the recording has it"),
            ("duration", "the recording says"),
            ("step=1e-4..1e-2", "meet the rows"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(format!("{error} {}", error.help).contains(words), "{text}: {error}");
        }
    }
}

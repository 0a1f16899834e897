use serde::Serialize;
use toml::{Table, Value};

/// Keys of a scenario file of which a stepper makes nothing, each with the reason.
pub type Ignores = &'static [(&'static str, &'static str)];

/// Why a stepper splits no impact between steps: it ends in the step in which it begins.
pub(super) const IMPACT_IN_ONE_STEP: (&str, &str) =
    (IMPACTS, "this stepper takes every impact of a single point in one step");
/// The same: it is resolved within a step.
pub(super) const IMPACT_AT_ITS_INSTANT: (&str, &str) =
    (IMPACTS, "this stepper takes every impact at its instant, within a step");
/// The same: contacts are springs and dampers.
pub(super) const IMPACT_WITHOUT_CONDITION: (&str, &str) =
    (IMPACTS, "it poses no condition on gaps by which an impact could be split between steps");
/// The key of the law of impacts.
pub(crate) const IMPACTS: &str = "stepper.impacts";

/// What of a scenario a stepper honours, declared by each of them in one place
/// ([`PointStepper::honours`](super::PointStepper::honours)): summaries, tables and reports name what it
/// does not, and leave out what would be no measure of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Honours {
    /// It follows the push as it changes within a step, instead of holding the one sampled at `t_k`. The
    /// record of a step then has the mean push, which balances the momentum.
    pub push_within_steps: bool,
    /// It resolves the instant of an impact within a step, so that the complementarity of a whole step
    /// is not its law.
    pub impacts_within_steps: bool,
    /// By which velocity it moves a body in free flight.
    pub flight: FlightVelocity,
    /// Keys that a user could expect it to heed, and of which it makes nothing.
    pub ignores: Ignores,
    /// The directions that friction in space is bound to, where these are fixed in the axes of a contact.
    pub fixed_directions: Option<FixedDirections>,
}

/// The velocity by which a body in free flight moves through a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FlightVelocity {
    /// That at its end, as of most steppers: after a time `t` the body is `g dt t/2` below its parabola.
    #[default]
    AtEnd,
    /// The mean: the body is on its parabola.
    Mean,
    /// That at its start, explicit Euler: the body is `g dt t/2` above its parabola.
    AtStart,
}

impl FlightVelocity {
    /// How far behind its parabola a body is in flight, in s, where steps take `dt` s: after a time `t` it has fallen by
    /// `g t (t + lag)/2`.
    pub fn lag(self, dt: f64) -> f64 {
        match self {
            Self::AtEnd => dt,
            Self::Mean => 0.0,
            Self::AtStart => -dt,
        }
    }
}

/// The number of directions of a friction polygon that does not turn with the slip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FixedDirections(pub usize);

/// A value that a scenario sets and a stepper makes nothing of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ignored {
    /// Full key as in a scenario file, for example `ground.restitution`.
    pub key: &'static str,
    /// The value, as in a scenario file.
    pub value: String,
    /// Why it makes no difference.
    pub reason: &'static str,
}

impl std::fmt::Display for Ignored {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} = {} is ignored: {}", self.key, self.value, self.reason)
    }
}

/// The keys of `ignores` to which the `scenario` gives another value than the `plain` one, whose keys
/// are at their defaults; both as the text of a scenario file.
pub(crate) fn ignored(ignores: &[(&'static str, &'static str)], scenario: &str, plain: &str) -> Vec<Ignored> {
    // Both texts are our own; what could not be read would have no keys.
    let [scenario, plain] = [scenario, plain].map(|text| text.parse::<Table>().unwrap_or_default());
    let set = |key: &'static str| {
        let pairs = at(&scenario, key).into_iter().zip(at(&plain, key));
        let mut differing: Vec<String> =
            pairs.filter(|(set, plain)| set != plain).filter_map(|(set, _)| Some(written(set?))).collect();
        differing.dedup();
        (!differing.is_empty()).then(|| differing.join(", "))
    };
    let declared = ignores.iter();
    declared.filter_map(|&(key, reason)| Some(Ignored { key, value: set(key)?, reason })).collect()
}

/// A value as it stands in a file.
fn written(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{text:?}"),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Boolean(truth) => truth.to_string(),
        Value::Datetime(_) | Value::Array(_) | Value::Table(_) => "set".to_owned(),
    }
}

/// The values of a key with dots: one of a table, those of all tables of a list.
fn at<'a>(table: &'a Table, key: &str) -> Vec<Option<&'a Value>> {
    let Some((first, rest)) = key.split_once('.') else { return vec![table.get(key)] };
    match table.get(first) {
        Some(Value::Table(inner)) => at(inner, rest),
        Some(Value::Array(list)) => {
            list.iter().filter_map(Value::as_table).flat_map(|inner| at(inner, rest)).collect()
        }
        _ => vec![None],
    }
}

#[cfg(test)]
mod tests {
    use super::ignored;

    #[test]
    fn only_values_that_differ_from_the_default_are_named() {
        let plain = "[ground]\nrestitution = 0.0\nslope = 0.0\n";
        let set = "[ground]\nrestitution = 0.8\nslope = 0.0\n";
        let ignores = &[("ground.restitution", "no bounce"), ("ground.slope", "flat"), ("a.b", "absent")];
        let found = ignored(ignores, set, plain);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].to_string(), "ground.restitution = 0.8 is ignored: no bounce");
        assert!(ignored(ignores, plain, plain).is_empty());
    }

    #[test]
    fn what_is_set_in_any_table_of_a_list_is_named() {
        let plain = "[[wall]]\noffset = 0.0\n[[wall]]\noffset = 1.0\n[[wall]]\noffset = 2.0\n";
        let set =
            plain.replace("1.0\n", "1.0\nrestitution = 0.7\n").replace("2.0\n", "2.0\nrestitution = 0.4\n");
        let found = ignored(&[("wall.restitution", "no bounce")], &set, plain);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].to_string(), "wall.restitution = 0.7, 0.4 is ignored: no bounce");
        assert!(ignored(&[("wall.restitution", "no bounce")], plain, plain).is_empty());
        assert!(ignored(&[("pair.restitution", "no bounce")], &set, plain).is_empty());
    }
}

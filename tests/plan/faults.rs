//! Bad plan files at random: whatever is wrong, it is told where, with what was written and what to do, and nothing panics.

use std::path::Path;

use proptest::{collection::vec, prelude::*, sample::select};
use stickslip::{
    plan::parse_plan,
    random::Random,
    scenario::{InvalidScenario, Place, ScenarioError},
};

use super::{
    meaningful_pieces::PIECES,
    support::{PUSHED_BY_FINGER, PUSHED_POINT, ROLLED_DISC, THROWN_POINT, TIPPED_BOX},
};

const NAME: &str = "broken.toml";

/// Plans without a fault, that have every table and nearly every key between them.
fn plans() -> Vec<String> {
    let carts = std::fs::read_to_string("examples/plans/two-carts.toml").expect("an example");
    let head = "cost = \"effort\"\naim = \"plan\"\nseed = 3\n";
    let tail = "[start]\nvelocity = [[-1.0, 1.0], 0.0]\n[[keep]]\nconstant = 0.7\nlinear = [-4.0, 1.0]\nquadratic = [[4.0, 0.0], [0.0, 0.0]]\n";
    let full = format!("{head}{}{tail}", TIPPED_BOX.replace("[goal.box]", "[goal]"));
    [PUSHED_POINT, THROWN_POINT, ROLLED_DISC, TIPPED_BOX, PUSHED_BY_FINGER, &carts, &full]
        .map(str::to_owned)
        .to_vec()
}

fn refusal(text: &str) -> Result<Option<InvalidScenario>, ScenarioError> {
    match parse_plan(NAME, text, "plan", Path::new(""), &[]) {
        Ok(_) => Ok(None),
        Err(ScenarioError::Invalid(invalid)) => Ok(Some(invalid)),
        Err(other) => Err(other),
    }
}

/// A line of a plan with a fault in it.
#[derive(Debug)]
struct Fault {
    /// The line as it becomes.
    line: String,
    /// What the refusal has to name: the key, and the value where that is at fault.
    named: Vec<String>,
}

/// A fault in a line `key = value`, or in a header.
fn fault(line: &str, random: &mut Random) -> Option<Fault> {
    let Some((key, value)) = line.split_once(" = ") else {
        let header = line.trim_matches(['[', ']']);
        let is_header = line.starts_with('[') && !header.is_empty();
        return is_header
            .then(|| Fault { line: line.replace(header, &format!("{header}x")), named: Vec::new() });
    };
    let with = |value: &str, named: &[&str]| {
        let named = std::iter::once(key).chain(named.iter().copied()).map(str::to_owned).collect();
        Some(Fault { line: format!("{key} = {value}"), named })
    };
    let is_text = value.starts_with('"');
    let is_list = value.starts_with('[');
    match random.below(8) {
        0 => Some(Fault { line: format!("{key}x = {value}"), named: vec![format!("{key}x")] }),
        1 if is_text => with("17", &["17"]),
        1 => with("\"much\"", &["much"]),
        2 => with("true", &["true"]),
        3 if is_text => with("\"nothing-such!\"", &["nothing-such!"]),
        3 if is_list => with("[1.0, \"two\"]", &["two"]),
        3 => with("inf", &["inf"]),
        4 if is_list => with("[1.0]", &[]),
        4 if !is_text => with("1e400", &[]),
        4 => with("\"\"", &[]),
        5 => Some(Fault { line: format!("{key} = "), named: Vec::new() }),
        6 => Some(Fault { line: format!("{line}\n{line}"), named: vec![key.to_owned()] }),
        _ if is_list => with("[[2.0, 1.0, 0.0], [2.0, 1.0, 0.0]]", &[]),
        // Zero and less is something else where a number may be that.
        _ if ["position", "velocity", "angle", "spin", "seed", "constant"].contains(&key) || is_text => None,
        _ => with("-3.5", &["-3.5"]),
    }
}

#[test]
fn five_hundred_faults_are_each_told_on_their_line_with_key_value_and_remedy() {
    let mut random = Random::seeded(45);
    let plans = plans();
    for plan in &plans {
        assert!(refusal(plan).expect("read").is_none(), "{:?}", refusal(plan));
    }
    let mut told = 0;
    while told < 500 {
        let plan = &plans[random.below(plans.len())];
        let lines: Vec<&str> = plan.lines().collect();
        let at = random.below(lines.len());
        if lines[at].starts_with('#') {
            continue;
        }
        let Some(Fault { line: broken, named }) = fault(lines[at], &mut random) else { continue };
        let mut text = lines.clone();
        text[at] = &broken;
        let text = text.join("\n");
        let refusal = refusal(&text).expect("a fault of the text");
        let refusal = refusal.unwrap_or_else(|| panic!("taken with `{broken}` in line {}:\n{text}", at + 1));
        let shown = refusal.to_string();
        assert!(shown.contains(NAME), "{shown}");
        for problem in &refusal.problems {
            assert!(!problem.message.is_empty() && !problem.help.is_empty(), "{shown}");
        }
        // Twice the same line is a fault of either.
        let lines = at + 1..=at + broken.lines().count();
        let here = refusal.problems.iter().filter(|problem| match &problem.place {
            Place::Text { line, .. } => lines.contains(line),
            Place::Override(_) => false,
        });
        let here: Vec<String> =
            here.map(|problem| format!("{}\n{}", problem.message, problem.help)).collect();
        assert!(!here.is_empty(), "not told in line {}: `{broken}`\n{shown}", at + 1);
        for word in &named {
            assert!(
                here.iter().any(|said| said.contains(word)),
                "{word:?} is not named: `{broken}`\n{shown}"
            );
        }
        told += 1;
    }
}

fn damaged() -> impl Strategy<Value = String> {
    let edit = (any::<prop::sample::Index>(), 0_usize..8, vec(select(&PIECES[..]), 0..3));
    (select(plans()), vec(edit, 1..6)).prop_map(|(plan, edits)| {
        let mut characters: Vec<char> = plan.chars().collect();
        for (place, removed, inserted) in edits {
            let start = place.index(characters.len() + 1);
            let end = (start + removed).min(characters.len());
            characters.splice(start..end, inserted.concat().chars());
        }
        characters.into_iter().collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn a_damaged_plan_is_survived(text in damaged()) {
        if let Ok(Some(invalid)) = refusal(&text) {
            prop_assert!(!invalid.problems.is_empty());
            for problem in &invalid.problems {
                prop_assert!(!problem.message.is_empty() && !problem.help.is_empty());
            }
        }
    }
}

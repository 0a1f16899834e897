//! `[sample]`: ranges of keys, and how points in them are drawn.

use super::{Reader, grid::leaves};
use crate::{
    scenario::read::{Node, Source, Table, Value, closest},
    sweep::{
        design::Design,
        sample::{Method, Range, Sample, Scaling},
    },
};

const SAMPLE: [&str; 4] = ["method", "count", "seed", "keys"];
const RANGE: [&str; 3] = ["min", "max", "scale"];

impl Reader<'_> {
    pub(super) fn sample(&mut self, node: &Node) -> Option<(Sample, Vec<Source>)> {
        let Value::Table(table) = &node.value else {
            self.wrong_type(node, "sample", "a table", "[sample] on a line of its own");
            return None;
        };
        self.known_keys(table, "[sample]", &SAMPLE);
        let method = match table.get("method") {
            None => Some(Method::Sobol),
            Some(node) => {
                let word = self.word(node, "sample.method", "method = \"sobol\"");
                let method =
                    word.as_deref().map(|word| Method::ALL.into_iter().find(|one| one.as_str() == word));
                if let (Some(None), Some(word)) = (&method, &word) {
                    let names = Method::ALL.map(|method| format!("\"{}\"", method.as_str())).join(", ");
                    let message = format!(
                        "`sample.method` is \"{}\", but must be one of {names}",
                        word.escape_default()
                    );
                    let close = closest(word, Method::ALL.into_iter().map(Method::as_str));
                    let help = close.map_or("choose one of them".to_owned(), |close| {
                        format!("did you mean \"{close}\"?")
                    });
                    self.fault(&node.source, "sample.method", message, help);
                }
                method.flatten()
            }
        };
        let count = self.whole(table, node, "sample.count", "count", 1..=Design::MAX_POINTS as u64);
        let seed = match table.get("seed") {
            None => Some(1),
            Some(_) => self.whole(table, node, "sample.seed", "seed", 0..=i64::MAX as u64),
        };
        let Some(keys) = table.get("keys") else {
            let help = "open [sample.keys] and give ranges, for example\n\
                        \"ground.friction\" = { min = 0.0, max = 1.0 }";
            self.fault(&node.source, "sample.keys", "the table [sample.keys] is missing", help);
            return None;
        };
        let Value::Table(keys_table) = &keys.value else {
            self.wrong_type(keys, "sample.keys", "a table", "[sample.keys] on a line of its own");
            return None;
        };
        let (mut ranges, mut sources) = (Vec::<Range>::new(), Vec::new());
        for (key, source, node) in leaves(keys_table) {
            let known = ranges.iter().map(|range| range.key.as_str());
            let Some(key) = self.key_of(&key, &source, known) else { continue };
            let Value::Table(table) = &node.value else {
                self.wrong_type(node, &key, "a range", &format!("\"{key}\" = {{ min = 0.0, max = 1.0 }}"));
                continue;
            };
            self.known_keys(table, &format!("a range of [sample.keys], `{key}`"), &RANGE);
            if let Some(range) = self.range(&key, node, table) {
                ranges.push(range);
                sources.push(node.source.clone());
            }
        }
        if ranges.is_empty() || ranges.len() > Design::MAX_COLUMNS {
            if self.findings.is_empty() {
                let message = format!(
                    "[sample.keys] has {} ranges, but must have 1 to {}",
                    ranges.len(),
                    Design::MAX_COLUMNS
                );
                let help = "write them like \"ground.friction\" = { min = 0.0, max = 1.0 }";
                self.fault(&keys.source, "sample.keys", message, help);
            }
            return None;
        }
        let sample = Sample { method: method?, count: usize::try_from(count?).ok()?, seed: seed?, ranges };
        Some((sample, sources))
    }

    /// `{ min, max, scale }`.
    pub(super) fn range(&mut self, key: &str, node: &Node, table: &Table) -> Option<Range> {
        let mut end = |name: &str| {
            let Some(node) = table.get(name) else {
                let help = format!("write it like \"{key}\" = {{ min = 0.0, max = 1.0 }}");
                self.fault(&node.source, key, format!("the range of `{key}` has no `{name}`"), help);
                return None;
            };
            match node.value {
                Value::Float(number) | Value::Integer(_, number) if number.is_finite() => {
                    Some((number, matches!(node.value, Value::Integer(..))))
                }
                _ => {
                    self.wrong_type(
                        node,
                        &format!("{key}.{name}"),
                        "a finite number",
                        &format!("{name} = 0.5"),
                    );
                    None
                }
            }
        };
        let (min, max) = (end("min"), end("max"));
        let scaling = match table.get("scale").map(|node| (node, &node.value)) {
            None => Scaling::Linear,
            Some((_, Value::Text(text))) if text == "linear" => Scaling::Linear,
            Some((_, Value::Text(text))) if text == "log" => Scaling::Logarithmic,
            Some((node, _)) => {
                let name = format!("{key}.scale");
                self.wrong_type(node, &name, "\"linear\" or \"log\"", "scale = \"log\"");
                return None;
            }
        };
        let ((min, min_is_whole), (max, max_is_whole)) = (min?, max?);
        if min >= max {
            let message = format!("the range of `{key}` goes from {min} to {max}");
            self.fault(&node.source, key, message, "`max` has to be above `min`");
            return None;
        }
        if scaling == Scaling::Logarithmic && min <= 0.0 {
            let message = format!("the range of `{key}` begins at {min}, which has no logarithm");
            self.fault(&node.source, key, message, "let it begin above 0, or leave `scale` out");
            return None;
        }
        let whole = min_is_whole && max_is_whole;
        Some(Range { key: key.to_owned(), min, max, scaling, whole })
    }
}

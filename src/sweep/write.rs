//! A sweep as the text of a sweep file.

use super::{
    plan::{Border, Sweep},
    sample::Scaling,
};

impl Sweep {
    /// The text of a sweep file with everything that the sweep's own file left to defaults. Where it is put,
    /// `scenario` still names the file as it was found.
    pub fn to_toml(&self) -> String {
        let mut text = format!("name = {}\nscenario = {}\n", string(&self.name), string(self.base.path()));
        let steppers: Vec<String> = self.steppers.iter().map(ToString::to_string).collect();
        text += &format!("steppers = {}\nmetrics = {}\n", strings(&steppers), strings(&self.metrics));
        if !self.grid.is_empty() {
            text += "\n[grid]\n";
        }
        for axis in &self.grid {
            text += &format!("{} = [{}]\n", string(&axis.key), axis.values.join(", "));
        }
        if let Some(sample) = &self.sample {
            let method = string(sample.method.as_str());
            text += &format!(
                "\n[sample]\nmethod = {method}\ncount = {}\nseed = {}\n\n[sample.keys]\n",
                sample.count, sample.seed
            );
            for range in &sample.ranges {
                let number = |value: f64| if range.whole { format!("{value}") } else { format!("{value:?}") };
                let scale = match range.scaling {
                    Scaling::Linear => "linear",
                    Scaling::Logarithmic => "log",
                };
                let (key, min, max) = (string(&range.key), number(range.min), number(range.max));
                text += &format!("{key} = {{ min = {min}, max = {max}, scale = \"{scale}\" }}\n");
            }
        }
        for Border { label, keys, points } in &self.borders {
            text += &format!("\n[[border]]\nlabel = {}\nkeys = {}\n", string(label), strings(keys));
            text += &format!("points = {points:?}\n");
        }
        text
    }
}

/// A string of TOML, whose escapes are those of JSON.
fn string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn strings(list: &[String]) -> String {
    let list: Vec<String> = list.iter().map(|text| string(text)).collect();
    format!("[{}]", list.join(", "))
}

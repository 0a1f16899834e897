//! What an experiment found, in the form of its result file.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Map, Value};

use super::{
    data::{BlockSample, write_block_csv},
    least_squares::Minimum,
};
use crate::{
    likelihood::{Doubt, Estimate},
    predict::Recording,
};

/// A learned parameter.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Parameter {
    /// The value that was learned.
    pub learned: f64,
    /// The value that the data were generated with; `None` for data from elsewhere.
    pub r#true: Option<f64>,
    /// Whether the data determine it.
    pub identifiable: bool,
    /// The values that explain the data equally well, where they are an interval; or, with a `level`, the
    /// confidence interval of noisy data. Infinite where nothing limits it, which JSON writes as `null`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<[f64; 2]>,
    /// The probability with which such an interval holds the truth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<f64>,
    /// Why the data do not determine it, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl Parameter {
    /// A parameter without interval.
    pub fn new(learned: f64, truth: Option<f64>, identifiable: bool) -> Self {
        Self { learned, r#true: truth, identifiable, interval: None, level: None, reason: None }
    }

    /// A parameter that the data determine.
    pub fn identified(learned: f64, truth: Option<f64>) -> Self {
        Self::new(learned, truth, true)
    }

    /// What noisy data say about a parameter; `doubt`, in words, is what speaks against it beside what the
    /// estimate itself knows.
    pub fn estimated(estimate: &Estimate, truth: Option<f64>, doubt: Option<String>) -> Self {
        let reason = doubt.or_else(|| estimate.doubt.map(|doubt| doubt.to_string()));
        Self {
            learned: if estimate.doubt == Some(Doubt::Silent) { f64::NAN } else { estimate.value },
            r#true: truth,
            identifiable: reason.is_none(),
            interval: Some(estimate.interval),
            level: Some(estimate.level),
            reason,
        }
    }
}

/// The data that an experiment learned from.
#[derive(Debug, Clone, PartialEq)]
pub enum DataSet {
    /// Steps of a sliding block.
    Block(Vec<BlockSample>),
    /// Throws of a point.
    Point(Recording<2>),
    /// Outcomes of an experiment that makes its own data.
    Table {
        /// Names of the columns.
        header: Vec<String>,
        /// Rows of fields.
        rows: Vec<Vec<String>>,
        /// Number of draws behind each outcome.
        samples: usize,
    },
}

impl DataSet {
    /// Writes the data as CSV. [`Request::data`](super::Request::data) takes it again, but for a table:
    /// an experiment that makes its own data takes no file.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Block(samples) => write_block_csv(samples, out),
            Self::Point(recording) => recording.write_point_csv(out),
            Self::Table { header, rows, .. } => {
                let mut writer = csv::Writer::from_writer(out);
                std::iter::once(header).chain(rows).try_for_each(|row| writer.write_record(row))?;
                writer.flush()
            }
        }
    }
}

/// What an experiment found.
#[derive(Debug, Clone)]
pub struct Findings {
    /// The data.
    pub data: DataSet,
    /// Learned parameters by name, in the order of presentation.
    pub parameters: Vec<(String, Parameter)>,
    /// The error; not a number where nothing could be learned.
    pub error: f64,
    /// What `error` measures, with its unit.
    pub error_measure: &'static str,
    /// What else was measured.
    pub measures: Map<String, Value>,
    /// Sentences for the reader: what the data cannot tell, what failed and why.
    pub notes: Vec<String>,
}

impl Findings {
    /// Nothing found yet from `data`.
    pub fn new(data: DataSet) -> Self {
        Self {
            data,
            parameters: Vec::new(),
            error: f64::NAN,
            error_measure: "nothing: it was not measured",
            measures: Map::new(),
            notes: Vec::new(),
        }
    }

    /// Sets the error and what it measures.
    pub fn set_error(&mut self, error: f64, measure: &'static str) {
        self.error = error;
        self.error_measure = measure;
    }

    /// Adds a parameter.
    pub fn parameter(&mut self, name: impl Into<String>, parameter: Parameter) {
        self.parameters.push((name.into(), parameter));
    }

    /// Adds a measure.
    pub fn measure(&mut self, name: &str, value: impl Into<Value>) {
        self.measures.insert(name.to_owned(), value.into());
    }

    /// Says so if the fit that is reported did not converge.
    pub fn note_unfinished(&mut self, minimum: &Minimum) {
        if !minimum.converged {
            self.notes.push(format!(
                "the least-squares fit did not converge in {} evaluations: what was learned is the best point that it \
                 saw, not a minimum; look for values in the data that are far from the others",
                minimum.evaluations
            ));
        }
    }

    /// What the intervals of the parameters mean, in words, or that there are none.
    pub fn intervals(&self) -> &'static str {
        let parameters = || self.parameters.iter().map(|(_, parameter)| parameter);
        if parameters().any(|parameter| parameter.level.is_some()) {
            "confidence intervals: they hold the truth with the probability that stands beside each"
        } else if parameters().any(|parameter| parameter.interval.is_some()) {
            "not of confidence: the values that fulfil the equations of exact data equally well; noise is not accounted for"
        } else {
            "none: nothing is said about how uncertain a value is, only whether the data determine it"
        }
    }

    /// A parameter by its name.
    pub fn learned(&self, name: &str) -> Option<&Parameter> {
        self.parameters.iter().find(|(known, _)| known == name).map(|(_, parameter)| parameter)
    }
}

/// The result file of an experiment.
#[derive(Debug, Clone, Serialize)]
pub struct LearnResult {
    /// Name of the experiment.
    pub experiment: &'static str,
    /// Number of samples: steps of the block, or throws of the point.
    pub samples: usize,
    /// Seed of everything random.
    pub seed: u64,
    /// Learned parameters by name.
    pub parameters: Map<String, Value>,
    /// What their intervals mean, or that there are none.
    pub intervals: &'static str,
    /// The error; not a number (`null`) where nothing could be learned.
    pub error: f64,
    /// What `error` measures, with its unit.
    pub error_measure: &'static str,
    /// Time that learning took, s.
    pub seconds: f64,
    /// Settings in force.
    pub settings: Map<String, Value>,
    /// Sentences for the reader.
    pub notes: Vec<String>,
    /// What else was measured.
    #[serde(flatten)]
    pub measures: Map<String, Value>,
}

impl LearnResult {
    /// What was asked for, with all settings in force, as TOML.
    pub fn resolved(&self) -> String {
        let mut text = format!(
            "experiment = \"{}\"\nsamples = {}\nseed = {}\n\n[settings]\n",
            self.experiment, self.samples, self.seed
        );
        for (key, value) in &self.settings {
            // Numbers, words and lists of them are written alike in JSON and in TOML; only TOML has infinity and
            // no null, which JSON puts in its place.
            if value.is_null() {
                text += &format!("# {key} has no finite value\n");
            } else {
                text += &format!("{key} = {value}\n");
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{DMatrix, DVector};

    use super::*;
    use crate::learn::least_squares::{Settings, minimise};

    #[test]
    fn intervals_are_called_what_they_are() {
        let with = |parameter: Parameter| {
            let mut findings = Findings::new(DataSet::Block(Vec::new()));
            findings.parameter("friction", parameter);
            findings.intervals()
        };
        let plain = Parameter::identified(1.0, None);
        assert!(with(plain.clone()).starts_with("none"));
        let exact = Parameter { interval: Some([1.0, 1.0]), ..plain.clone() };
        assert!(with(exact.clone()).starts_with("not of confidence"));
        assert!(with(Parameter { level: Some(0.95), ..exact }).starts_with("confidence"));
    }

    #[test]
    fn whatever_speaks_against_a_parameter_makes_it_not_identifiable() {
        let estimate = |doubt| Estimate { value: 0.3, interval: [0.2, 0.4], level: 0.95, doubt };
        let sure = Parameter::estimated(&estimate(None), None, None);
        assert!(sure.identifiable && sure.reason.is_none() && sure.learned == 0.3);
        let doubted = Parameter::estimated(&estimate(Some(Doubt::Kink)), None, None);
        assert!(!doubted.identifiable && doubted.reason.is_some());
        let silent = Parameter::estimated(&estimate(Some(Doubt::Silent)), None, None);
        assert!(!silent.identifiable && silent.learned.is_nan(), "there is no value to give");
        let from_outside = Parameter::estimated(&estimate(None), None, Some("few throws".to_owned()));
        assert!(!from_outside.identifiable);
        assert_eq!(from_outside.reason.as_deref(), Some("few throws"));
    }

    #[test]
    fn only_a_fit_that_ran_out_of_evaluations_is_noted() {
        let parabola = |x: &DVector<f64>| {
            let slope = DMatrix::from_element(1, 1, 2.0 * x[0]);
            (DVector::from_element(1, x[0] * x[0] + 1.0), slope)
        };
        let notes = |max_evaluations: usize| {
            let settings = Settings { max_evaluations, ..Settings::default() };
            let mut findings = Findings::new(DataSet::Block(Vec::new()));
            findings.note_unfinished(&minimise(&parabola, DVector::from_element(1, 3.0), &settings));
            findings.notes
        };
        assert!(notes(3)[0].starts_with("the least-squares fit did not converge in 3 evaluations"));
        assert_eq!(notes(500), [""; 0]);
    }
}

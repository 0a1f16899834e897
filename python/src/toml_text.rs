//! Python values as TOML, so that a mapping is read by the same rules, with the same messages, as a file.

use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyBool, PyDict, PyFloat, PyInt, PyString},
};

/// Most lists and mappings inside each other: what a scenario holds has a few.
const MOST_LEVELS: usize = 32;

/// A mapping as the text of a TOML file, a line per key.
pub fn document(mapping: &Bound<'_, PyAny>) -> PyResult<String> {
    let mut text = String::new();
    for item in mapping.call_method0("items")?.try_iter()? {
        let (key, value) = entry(&item?)?;
        if !value.is_none() {
            text.push_str(&format!("{} = {}\n", quoted(&key), self::value(&value)?));
        }
    }
    Ok(text)
}

/// A key, which has to be a string, and its value.
fn entry<'py>(item: &Bound<'py, PyAny>) -> PyResult<(String, Bound<'py, PyAny>)> {
    let (key, value): (Bound<'py, PyAny>, Bound<'py, PyAny>) = item.extract()?;
    match key.extract() {
        Ok(key) => Ok((key, value)),
        Err(_) => {
            Err(PyTypeError::new_err(format!("the keys of a scenario are strings, not {}", key.repr()?)))
        }
    }
}

/// A value as TOML on one line.
fn value(value: &Bound<'_, PyAny>) -> PyResult<String> {
    value_within(value, MOST_LEVELS)
}

/// A value as TOML on one line, with so many `levels` inside each other at most: a list may hold itself, and an
/// overflow of the stack cannot be caught.
fn value_within(value: &Bound<'_, PyAny>, levels: usize) -> PyResult<String> {
    let inside = |inner: &Bound<'_, PyAny>| match levels.checked_sub(1) {
        Some(levels) => value_within(inner, levels),
        None => Err(PyTypeError::new_err("a scenario is not nested that deeply")),
    };
    if value.is_instance_of::<PyBool>() {
        return Ok(if value.is_truthy()? { "true" } else { "false" }.to_owned());
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(quoted(text.to_str()?));
    }
    if value.is_instance_of::<PyInt>() {
        return Ok(value.str()?.to_str()?.to_owned());
    }
    if value.is_instance_of::<PyFloat>() {
        return Ok(number(value.extract()?));
    }
    if value.hasattr("items")? {
        let mut entries = Vec::new();
        for item in value.call_method0("items")?.try_iter()? {
            let (key, inner) = entry(&item?)?;
            if !inner.is_none() {
                entries.push(format!("{} = {}", quoted(&key), inside(&inner)?));
            }
        }
        return Ok(format!("{{ {} }}", entries.join(", ")));
    }
    // NumPy's arrays and scalars have Python's values.
    if value.hasattr("tolist")? {
        return inside(&value.call_method0("tolist")?);
    }
    if value.hasattr("__fspath__")? {
        return inside(&value.call_method0("__fspath__")?);
    }
    if let Ok(items) = value.try_iter() {
        let items: PyResult<Vec<String>> = items.map(|item| inside(&item?)).collect();
        return Ok(format!("[{}]", items?.join(", ")));
    }
    let kind = value.get_type().name()?;
    Err(PyTypeError::new_err(format!(
        "a scenario holds numbers, strings, booleans, lists and mappings, not {kind}"
    )))
}

/// The overrides of a call: a mapping of keys to values, or strings `KEY=VALUE`.
pub fn overrides(set: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<String>> {
    let Some(set) = set.filter(|set| !set.is_none()) else { return Ok(Vec::new()) };
    if let Ok(mapping) = set.cast::<PyDict>() {
        return mapping
            .iter()
            .map(|(key, value)| Ok(format!("{}={}", key.extract::<String>()?, self::value(&value)?)))
            .collect();
    }
    if set.is_instance_of::<PyString>() {
        return Ok(vec![set.extract()?]);
    }
    set.try_iter()?.map(|item| item?.extract()).collect()
}

/// The settings of an experiment: like [`overrides`], but words stand without quotes.
pub fn settings(set: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<String>> {
    let Some(mapping) = set.and_then(|set| set.cast::<PyDict>().ok()) else { return overrides(set) };
    let setting = |(key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        let word = value.cast::<PyString>().map(|word| word.to_string());
        let value = word.map_or_else(|_| self::value(&value), Ok)?;
        Ok(format!("{}={value}", key.extract::<String>()?))
    };
    mapping.iter().map(setting).collect()
}

fn number(value: f64) -> String {
    if value.is_nan() {
        "nan".to_owned()
    } else if value.is_infinite() {
        if value > 0.0 { "inf" } else { "-inf" }.to_owned()
    } else {
        format!("{value:?}")
    }
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            c if c.is_control() => quoted.push_str(&format!("\\u{:04X}", c as u32)),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

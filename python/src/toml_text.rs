//! Python values as TOML, so that a mapping is read by the same rules, with the same messages, as a file.

use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyBool, PyFloat, PyInt, PyString},
};

/// Most lists and mappings inside each other: what a scenario holds has a few.
const MOST_LEVELS: usize = 32;

/// A mapping as the text of a TOML file, a line per key.
pub fn document(mapping: &Bound<'_, PyAny>) -> PyResult<String> {
    let mut text = String::new();
    for (key, value) in entries(mapping)?.unwrap_or_default() {
        if !value.is_none() {
            text.push_str(&format!("{} = {}\n", quoted(&key), self::value(&value)?));
        }
    }
    Ok(text)
}

/// A key and its value.
type Entry<'py> = (String, Bound<'py, PyAny>);

/// The keys and values of a mapping of any kind; `None` for what is none.
fn entries<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Vec<Entry<'py>>>> {
    if !object.hasattr("items")? {
        return Ok(None);
    }
    let items = object.call_method0("items")?;
    items.try_iter()?.map(|item| entry(&item?)).collect::<PyResult<_>>().map(Some)
}

/// A key, which has to be a string, and its value.
fn entry<'py>(item: &Bound<'py, PyAny>) -> PyResult<Entry<'py>> {
    let (key, value): (Bound<'py, PyAny>, Bound<'py, PyAny>) = item.extract()?;
    match key.extract() {
        Ok(key) => Ok((key, value)),
        Err(_) => Err(PyTypeError::new_err(format!("keys are strings, not {}", key.repr()?))),
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
    if let Some(entries) = entries(value)? {
        let mut written = Vec::new();
        for (key, inner) in entries {
            if !inner.is_none() {
                written.push(format!("{} = {}", quoted(&key), inside(&inner)?));
            }
        }
        return Ok(format!("{{ {} }}", written.join(", ")));
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
    if let Some(entries) = entries(set)? {
        return entries.iter().map(|(key, value)| Ok(format!("{key}={}", self::value(value)?))).collect();
    }
    if set.is_instance_of::<PyString>() {
        return Ok(vec![set.extract()?]);
    }
    set.try_iter()?.map(|item| item?.extract()).collect()
}

/// The settings of an experiment: like [`overrides`], but words stand without quotes.
pub fn settings(set: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<String>> {
    let Some(entries) = set.map(entries).transpose()?.flatten() else { return overrides(set) };
    let setting = |(key, value): &Entry<'_>| {
        let word = value.cast::<PyString>().map(|word| word.to_string());
        let value = word.map_or_else(|_| self::value(value), Ok)?;
        Ok(format!("{key}={value}"))
    };
    entries.iter().map(setting).collect()
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

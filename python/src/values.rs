//! Python's values as TOML and back: what a scene holds.

use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyMapping, PySequence, PyString},
};
use toml::{Table, Value};

/// How deep values may be nested: a dict may hold itself.
const MAX_DEPTH: usize = 64;

/// A value of Python as TOML; `path` is where it stands, for messages.
///
/// # Errors
/// A type that scenes do not have, or an integer beyond 64 bits.
pub fn to_toml(value: &Bound<'_, PyAny>, path: &str) -> PyResult<Value> {
    at_depth(value, path, 0)
}

fn at_depth(value: &Bound<'_, PyAny>, path: &str, depth: usize) -> PyResult<Value> {
    if depth > MAX_DEPTH {
        let start: String = path.chars().take(80).collect();
        return Err(PyValueError::new_err(format!("{start}…: values are nested more than {MAX_DEPTH} deep")));
    }
    if value.is_instance_of::<PyBool>() {
        return Ok(Value::Boolean(value.extract()?));
    }
    if value.is_instance_of::<PyString>() {
        return Ok(Value::String(value.extract()?));
    }
    if value.is_instance_of::<PyInt>() {
        let beyond = |_| PyValueError::new_err(format!("{path}: {value} has more than 64 bits"));
        return value.extract().map(Value::Integer).map_err(beyond);
    }
    if value.is_instance_of::<PyFloat>() {
        return Ok(Value::Float(value.extract()?));
    }
    if let Ok(mapping) = value.cast::<PyMapping>() {
        return table_at(mapping, path, depth).map(Value::Table);
    }
    // Arrays and numbers of numpy become lists and numbers of Python.
    if let Ok(plain) = value.call_method0("tolist") {
        return at_depth(&plain, path, depth + 1);
    }
    if let Ok(list) = value.cast::<PySequence>() {
        let entry = |i| at_depth(&list.get_item(i)?, &format!("{path}.{i}"), depth + 1);
        return (0..list.len()?).map(entry).collect::<PyResult<_>>().map(Value::Array);
    }
    if value.hasattr("__fspath__")? {
        return Ok(Value::String(value.call_method0("__fspath__")?.extract()?));
    }
    Err(PyTypeError::new_err(format!(
        "{path}: a value of type {} has no place in a scene; write a number, a text, a list or a dict",
        value.get_type().name()?
    )))
}

/// A mapping as a table; keys are texts or numbers.
///
/// # Errors
/// Those of [`to_toml`], and a key of another type.
pub fn table(mapping: &Bound<'_, PyMapping>, path: &str) -> PyResult<Table> {
    table_at(mapping, path, 0)
}

fn table_at(mapping: &Bound<'_, PyMapping>, path: &str, depth: usize) -> PyResult<Table> {
    let mut table = Table::new();
    for item in mapping.items()?.iter() {
        let (key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract()?;
        let key = key.str()?.to_string();
        let inner = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        table.insert(key, at_depth(&value, &inner, depth + 1)?);
    }
    Ok(table)
}

/// A table as a dict.
///
/// # Errors
/// Where memory is short.
pub fn to_dict<'py>(py: Python<'py>, table: &Table) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    table.iter().try_for_each(|(key, value)| dict.set_item(key, to_python(py, value)?))?;
    Ok(dict)
}

fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::String(text) => PyString::new(py, text).into_any(),
        Value::Integer(number) => number.into_pyobject(py)?.into_any(),
        Value::Float(number) => PyFloat::new(py, *number).into_any(),
        Value::Boolean(whether) => PyBool::new(py, *whether).to_owned().into_any(),
        Value::Datetime(time) => PyString::new(py, &time.to_string()).into_any(),
        Value::Array(list) => {
            let entries = list.iter().map(|entry| to_python(py, entry)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, entries)?.into_any()
        }
        Value::Table(table) => to_dict(py, table)?.into_any(),
    })
}

//! The arrays of an NPZ file of float64 numbers.

use std::{
    collections::BTreeMap,
    io::{Cursor, Read},
};
use zip::ZipArchive;

/// An array: rows × columns, one row after the other; one column where it has one dimension.
#[derive(Clone, Debug, Default)]
pub struct Array {
    /// How many columns it has.
    pub columns: usize,
    /// Its numbers.
    pub numbers: Vec<f64>,
}

impl Array {
    /// A row.
    pub fn row(&self, n: usize) -> &[f64] {
        &self.numbers[n * self.columns..(n + 1) * self.columns]
    }
}

/// The arrays of float64 by name.
///
/// # Errors
/// What cannot be read.
pub fn read(bytes: Vec<u8>) -> Result<BTreeMap<String, Array>, String> {
    let wrong = |e: &dyn std::fmt::Display| format!("the states cannot be read: {e}");
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|e| wrong(&e))?;
    let mut arrays = BTreeMap::new();
    for i in 0..archive.len() {
        let mut entry = archive.by_index(i).map_err(|e| wrong(&e))?;
        let name = entry.name().map_err(|e| wrong(&e))?.trim_end_matches(".npy").to_string();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).map_err(|e| wrong(&e))?;
        if let Some(array) = array(&bytes) {
            arrays.insert(name, array);
        }
    }
    Ok(arrays)
}

/// An array of the npy format 1.0; `None` of what is no float64.
fn array(bytes: &[u8]) -> Option<Array> {
    let length = usize::from(u16::from_le_bytes([*bytes.get(8)?, *bytes.get(9)?]));
    let header = std::str::from_utf8(bytes.get(10..10 + length)?).ok()?;
    if !header.contains("'<f8'") {
        return None;
    }
    let shape = header.split('(').nth(1)?.split(')').next()?;
    let shape: Vec<usize> = shape.split(',').filter_map(|n| n.trim().parse().ok()).collect();
    let numbers =
        bytes[10 + length..].chunks_exact(8).map(|x| f64::from_le_bytes(x.try_into().expect("8 bytes")));
    Some(Array { columns: shape.get(1).copied().unwrap_or(1), numbers: numbers.collect() })
}

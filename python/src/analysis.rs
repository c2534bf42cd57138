//! What is measured in any sound.

use hamiltone_scene::units::{self, Mismatch};
use hamiltone_study::any_sound;
use numpy::PyReadonlyArray1;
use pyo3::{exceptions::PyValueError, prelude::*};

/// Frequency (Hz), T₆₀ (s) and level (dB) of a partial, and the uncertainty of the frequency (Hz), as far as they can be measured.
type Partial = (Option<f64>, Option<f64>, Option<f64>, Option<f64>);

/// The partials of a sound near the expected frequencies (Hz, ascending).
#[pyfunction]
pub fn partials(
    py: Python<'_>,
    sound: PyReadonlyArray1<'_, f64>,
    rate: f64,
    expected: Vec<f64>,
) -> PyResult<Vec<Partial>> {
    let contiguous = |_| PyValueError::new_err("the sound must be contiguous: see numpy.ascontiguousarray");
    let sound = sound.as_slice().map_err(contiguous)?;
    let measured = py.detach(|| any_sound::partials(sound, rate, &expected));
    let row =
        |partial: any_sound::Measured| (partial.frequency, partial.t60, partial.level, partial.uncertainty);
    Ok(measured.into_iter().map(row).collect())
}

/// The value of a quantity such as `60 N` in SI units; of one in this unit, where one is given.
#[pyfunction]
#[pyo3(signature = (text, unit=None))]
pub fn quantity(text: &str, unit: Option<&str>) -> PyResult<f64> {
    units::read(text, unit.as_slice()).map_err(|error| {
        PyValueError::new_err(match error {
            // It names what cannot be read.
            Mismatch::Unreadable { .. } => error.to_string(),
            Mismatch::Unit { .. } => format!("`{text}` {error}"),
        })
    })
}

//! What is measured in any sound: frequency, decay time and level of partials, as the report measures them.

use hamiltone_report::{decay, peak::Window};
use hamiltone_scene::units::Quantity;
use numpy::PyReadonlyArray1;
use pyo3::{exceptions::PyValueError, prelude::*};

/// The longest window, samples.
const MAX_WINDOW: usize = 1 << 17;

/// Frequency (Hz), T₆₀ (s) and level (dB) of a partial, as far as they can be measured.
type Partial = (Option<f64>, Option<f64>, Option<f64>);

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
    Ok(py.detach(|| measured(sound, rate, &expected)))
}

fn measured(sound: &[f64], rate: f64, expected: &[f64]) -> Vec<Partial> {
    let Some(window) = Window::new(&sound[..sound.len().min(MAX_WINDOW)], rate) else {
        return vec![(None, None, None); expected.len()];
    };
    let of = |(i, near): (usize, &f64)| {
        let Some(peak) = window.peak_near(*near) else { return (None, None, None) };
        let others =
            expected.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, other)| (other - near).abs());
        let distance = others.fold(near.min(0.5 * rate - near), f64::min);
        let partial =
            decay::Partial { samples: sound.len() as u64, rate, frequency: peak.frequency, distance };
        let read = |part: std::ops::Range<u64>| {
            Ok::<_, std::convert::Infallible>(sound[part.start as usize..part.end as usize].to_vec())
        };
        let t60 = partial.t60(read).ok().and_then(Result::ok);
        (Some(peak.frequency), t60, Some(peak.level))
    };
    expected.iter().enumerate().map(of).collect()
}

/// The value of a quantity such as `60 N` in SI units.
#[pyfunction]
pub fn quantity(text: &str) -> PyResult<f64> {
    Quantity::parse(text).map(|quantity| quantity.value).map_err(|error| PyValueError::new_err(error.message))
}

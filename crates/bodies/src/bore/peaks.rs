//! The peaks of a bore's impedance, and how far those of its fit are from them.
//!
//!   cents = 1200 log₂ f′/f,   dB = 20 log₁₀ |Z′(f′)|/|Z(f)|
//!
//! f where |Z| is largest, f′ where |Z′| of the fit is, found on a grid and then by golden sections. A maximum that stands out by less than 0.1 dB
//! from the minimum on either side is no peak: its place says nothing.

use hamiltone_numerics::math::{log2, log10};

/// Golden sections of two intervals of a grid: 0.618³⁰ of them are left, far below the rounding of a maximum's place.
const SECTIONS: usize = 30;
/// (√5 − 1)/2.
const GOLDEN: f64 = 0.618_033_988_749_894_8;

/// dB by which a peak stands out.
const STANDS_OUT: f64 = 0.1;

/// A peak of the input impedance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Peak {
    /// Hz.
    pub frequency: f64,
    /// |Z|, Pa s/m³.
    pub impedance: f64,
    /// How much higher the fit's peak is, cents.
    pub cents: f64,
    /// How much larger |Z| of the fit is there, dB.
    pub decibels: f64,
}

/// 20 log₁₀ a/b.
pub(super) fn decibels(a: f64, b: f64) -> f64 {
    20.0 * log10(a / b)
}

/// Where a function of the frequency is largest, around point i of a grid, and its value there.
fn largest(f: &[f64], i: usize, size: impl Fn(f64) -> f64) -> (f64, f64) {
    let (mut low, mut high) = (f[i.saturating_sub(1)], f[(i + 1).min(f.len() - 1)]);
    for _ in 0..SECTIONS {
        let [left, right] = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
        if size(left) > size(right) { high = right } else { low = left }
    }
    let at = 0.5 * (low + high);
    (at, size(at))
}

/// Up from point i to a maximum of the values.
fn uphill(values: &[f64], mut i: usize) -> usize {
    loop {
        let beside = [i.saturating_sub(1), (i + 1).min(values.len() - 1)];
        match beside.into_iter().find(|k| values[*k] > values[i]) {
            Some(k) => i = k,
            None => return i,
        }
    }
}

/// Whether the maximum at point i stands out.
fn stands_out(size: &[f64], i: usize) -> bool {
    let least = |side: &mut dyn Iterator<Item = &f64>| {
        let mut low = size[i];
        // Down as long as it goes down.
        for value in side {
            if *value > low {
                break;
            }
            low = *value;
        }
        decibels(size[i], low) >= STANDS_OUT
    };
    least(&mut size[..i].iter().rev()) && least(&mut size[i + 1..].iter())
}

/// The peaks of |Z| on a grid f with these values of it and of the fit; `exact` and `fitted` give both between its points.
pub(super) fn peaks(
    f: &[f64],
    [size, own]: [&[f64]; 2],
    exact: impl Fn(f64) -> f64,
    fitted: impl Fn(f64) -> f64,
) -> Vec<Peak> {
    let tops = size.windows(3).zip(1..).filter(|(v, _)| v[1] > v[0] && v[1] >= v[2]).map(|(_, i)| i);
    tops.filter(|i| stands_out(size, *i))
        .map(|i| {
            let (frequency, impedance) = largest(f, i, &exact);
            let (at, value) = largest(f, uphill(own, i), &fitted);
            let cents = 1200.0 * log2(at / frequency);
            Peak { frequency, impedance, cents, decibels: decibels(value, impedance) }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two resonances, and the same shifted by 3 cents and 0.5 dB.
    #[test]
    fn shifted_peaks_are_measured() {
        let size = |f: f64| {
            1.0 / (1.0 + (f - 200.0).powi(2)).sqrt() + 1.0 / (1.0 + (0.1 * (f - 500.0)).powi(2)).sqrt()
        };
        let (shift, gain) = (2.0_f64.powf(3.0 / 1200.0), 10.0_f64.powf(0.025));
        let fitted = |f: f64| gain * size(f / shift);
        let f: Vec<f64> = (0..600).map(|k| 100.0 + f64::from(k)).collect();
        let values =
            [&size as &dyn Fn(f64) -> f64, &fitted].map(|s| f.iter().map(|f| s(*f)).collect::<Vec<f64>>());
        let found = peaks(&f, [&values[0], &values[1]], size, fitted);
        assert_eq!(found.len(), 2);
        for peak in found {
            assert!((peak.cents - 3.0).abs() < 1e-3 && (peak.decibels - 0.5).abs() < 1e-6, "{peak:?}");
        }
    }
}

//! Axes: the range of the data, where the ticks lie and what they say.

use super::{
    chart::Axis,
    units::{power_of_ten, prefix, superscript},
};
use hamiltone_numerics::math::{log10, pow};

/// One axis mapped to pixels.
pub struct Scale {
    /// Whether it is logarithmic.
    log: bool,
    /// The values at the two ends, logarithms of them on a logarithmic axis.
    ends: (f64, f64),
    /// The pixels at the two ends.
    pixels: (f64, f64),
    /// The tick values.
    pub ticks: Vec<f64>,
    /// What they say.
    pub labels: Vec<String>,
    /// The quantity and its unit with prefix.
    pub title: String,
    /// The labels of a linear axis are values over ten to this power.
    exponent: i32,
}

impl Scale {
    /// Lays `axis` out for the `values` it shows, about one tick every `spacing` pixels;
    /// `pad` is the part of the range left free at both ends.
    pub fn new(
        axis: &Axis,
        values: impl Iterator<Item = f64>,
        pixels: (f64, f64),
        spacing: f64,
        pad: f64,
    ) -> Self {
        let of = |v: f64| if axis.log { log10(v) } else { v };
        let shown = values.filter(|v| v.is_finite() && (!axis.log || *v > 0.0)).map(of);
        let data = shown.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
        let ends = match axis.range {
            Some((low, high)) if low != high => (of(low), of(high)),
            Some((low, high)) => padded((of(low), of(high)), pad, axis.log),
            None => padded(data, pad, axis.log),
        };
        let count = ((pixels.1 - pixels.0).abs() / spacing).max(2.0);
        let ticks = if axis.log { log_ticks(ends, count) } else { linear_ticks(ends, count) };
        let (labels, unit, exponent) =
            if axis.log { log_labels(&ticks, axis) } else { linear_labels(&ticks, axis) };
        let title = if unit.is_empty() { axis.label.clone() } else { format!("{} ({unit})", axis.label) };
        Self { log: axis.log, ends, pixels, ticks, labels, title, exponent }
    }

    /// What a script needs to label other parts of the axis: the two ends, in the unit of the labels or as logarithms,
    /// and whether they are logarithms.
    pub fn data(&self) -> String {
        let unit = if self.log { 1.0 } else { power_of_ten(self.exponent) };
        format!("{:e} {:e} {}", self.ends.0 / unit, self.ends.1 / unit, u8::from(self.log))
    }

    /// The pixel of a value; not finite where the axis cannot show it.
    pub fn at(&self, value: f64) -> f64 {
        let v = if self.log { log10(value) } else { value };
        let part = (v - self.ends.0) / (self.ends.1 - self.ends.0);
        self.pixels.0 + part * (self.pixels.1 - self.pixels.0)
    }
}

fn padded((low, high): (f64, f64), pad: f64, log: bool) -> (f64, f64) {
    if low > high {
        return (0.0, 1.0);
    }
    let span = high - low;
    if span <= 1e-13 * low.abs().max(high.abs()) {
        let half = if log || low == 0.0 { 1.0 } else { 0.5 * low.abs() };
        return (low - half, high + half);
    }
    (low - pad * span, high + pad * span)
}

/// Multiples of 1, 2 or 5 times a power of ten, at most about `count` of them.
fn linear_ticks((low, high): (f64, f64), count: f64) -> Vec<f64> {
    let raw = (high - low).abs() / count;
    let power = power_of_ten(log10(raw).floor() as i32);
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * power).find(|s| *s >= raw).unwrap_or(raw);
    let (low, high) = (low.min(high), low.max(high));
    let margin = 1e-9 * step;
    let (first, last) = (((low - margin) / step).ceil(), ((high + margin) / step).floor());
    (0..=(last - first).clamp(0.0, 1e3) as usize).map(|i| (first + i as f64) * step).collect()
}

/// Decades, thinned where they are many, with 2 and 5 between them where they are few.
fn log_ticks((low, high): (f64, f64), count: f64) -> Vec<f64> {
    let margin = 1e-9;
    let (first, last) = ((low - margin).floor() as i32, (high + margin).ceil() as i32);
    let decades = high - low;
    let every = (decades / count).ceil().max(1.0) as i32;
    let between: &[f64] = match decades / count {
        d if d <= 0.34 => &[1.0, 2.0, 5.0],
        d if d <= 0.6 => &[1.0, 3.0],
        _ => &[1.0],
    };
    if decades < 0.7 {
        return linear_ticks((pow(10.0, low), pow(10.0, high)), count);
    }
    (first..=last)
        .filter(|e| e.rem_euclid(every) == 0)
        .flat_map(|e| between.iter().map(move |m| m * power_of_ten(e)))
        .filter(|v| (low - margin..=high + margin).contains(&log10(*v)))
        .collect()
}

fn linear_labels(ticks: &[f64], axis: &Axis) -> (Vec<String>, String, i32) {
    let largest = ticks.iter().fold(0.0_f64, |a, t| a.max(t.abs()));
    let thousands = if largest > 0.0 { log10(largest * 1.000_001).div_euclid(3.0) as i32 } else { 0 };
    let (exponent, unit) = match prefix(&axis.unit, thousands) {
        Some(letter) => (3 * thousands, format!("{letter}{}", axis.unit)),
        None if (1e-2..1e5).contains(&largest) || largest == 0.0 => (0, axis.unit.clone()),
        None => (3 * thousands, format!("10{} {}", superscript(3 * thousands), axis.unit).trim_end().into()),
    };
    let scaled: Vec<f64> = ticks.iter().map(|t| t / power_of_ten(exponent)).collect();
    let step = scaled.windows(2).map(|w| (w[1] - w[0]).abs()).fold(f64::INFINITY, f64::min);
    let digits =
        if step.is_finite() { (-log10(step * 1.000_001).floor()).clamp(0.0, 9.0) as usize } else { 0 };
    (scaled.iter().map(|v| number(*v, digits)).collect(), unit, exponent)
}

fn log_labels(ticks: &[f64], axis: &Axis) -> (Vec<String>, String, i32) {
    let plain = ticks.iter().all(|t| (9e-3..1.1e6).contains(t));
    let label = |t: &f64| {
        let e = (log10(*t) + 1e-9).floor() as i32;
        let m = t / power_of_ten(e);
        match () {
            () if plain && *t >= 1000.0 => format!("{}k", short(t / 1000.0)),
            () if plain => short(*t),
            () if (m - 1.0).abs() < 1e-6 => format!("10{}", superscript(e)),
            () => format!("{}·10{}", short(m), superscript(e)),
        }
    };
    (ticks.iter().map(label).collect(), axis.unit.clone(), 0)
}

/// A number with a true minus sign, and zero without one.
fn number(v: f64, digits: usize) -> String {
    let text = format!("{:.digits$}", v.abs());
    if v < 0.0 && text.bytes().any(|b| (b'1'..=b'9').contains(&b)) { format!("−{text}") } else { text }
}

/// A number with the few digits that it needs.
fn short(v: f64) -> String {
    let text = format!("{v:.4}");
    text.trim_end_matches('0').trim_end_matches('.').into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis, values: &[f64]) -> (Vec<String>, String) {
        let scale = Scale::new(axis, values.iter().copied(), (0.0, 400.0), 80.0, 0.0);
        (scale.labels, scale.title)
    }

    #[test]
    fn ticks_are_round_and_carry_si_prefixes() {
        let (ticks, title) = labels(&Axis::new("y", "m"), &[-3.1e-4, 4.2e-4]);
        assert_eq!(
            (ticks, title),
            (vec!["−200".into(), "0".into(), "200".into(), "400".into()], "y (µm)".into())
        );
        let (ticks, title) = labels(&Axis::new("f", "Hz").log(), &[20.0, 20_000.0]);
        assert_eq!((ticks.join(" "), title), ("30 100 300 1k 3k 10k".into(), "f (Hz)".into()));
        let (ticks, _) = labels(&Axis::new("error", "").log(), &[1e-12, 1e-3]);
        assert_eq!(ticks.first().map(String::as_str), Some("10⁻¹²"));
    }

    #[test]
    fn a_range_without_width_has_finite_pixels() {
        for value in [0.0, 3.0, -1e-300] {
            let axis = Axis::new("y", "m").range(value, value);
            let scale = Scale::new(&axis, std::iter::empty(), (0.0, 400.0), 80.0, 0.0);
            assert!(scale.at(value).is_finite() && scale.labels.len() > 1, "{value}: {:?}", scale.labels);
        }
    }

    #[test]
    fn nothing_to_show_still_makes_an_axis() {
        assert!(!labels(&Axis::new("y", "m"), &[]).0.is_empty());
        assert!(!labels(&Axis::new("y", "m"), &[0.0, 0.0]).0.is_empty());
        assert!(!labels(&Axis::new("y", "m").log(), &[0.0, f64::NAN]).0.is_empty());
    }
}

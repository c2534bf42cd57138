//! What the papers share: exact solutions, measures and tables.

use hamiltone_papers::{
    balance::{drift, preservation},
    decay::Decay,
    ducceschi_2017::cubic::Cubic,
    figure::{Cell, Table},
    order,
    spectrum::{decibels, frequency, level},
};

/// (6) holds: ẏ is the slope of y and γẏ + ω₀²y that of −ẏ, by central differences of error h².
#[test]
fn solves_its_equation() {
    let decay = Decay { mass: 0.05, omega: 15708.0, gamma: 7000.0, position: -1e-4, velocity: 1.0 };
    assert_eq!(decay.at(0.0), (-1e-4, 1.0));
    let h = 1e-8;
    for t in [1e-5, 3e-4, 1e-3] {
        let ((y, v), (y1, v1), (y0, v0)) = (decay.at(t), decay.at(t + h), decay.at(t - h));
        assert!(((y1 - y0) / (2.0 * h) - v).abs() < 1e-6);
        let a = (v1 - v0) / (2.0 * h);
        assert!((a + decay.gamma * v + decay.omega * decay.omega * y).abs() < 1e-2);
    }
}

#[test]
fn a_power_is_its_exponent() {
    let cubes: Vec<(f64, f64)> = [0.1, 0.05, 0.025].map(|dt: f64| (dt, 7.0 * dt.powi(3))).into();
    assert!((order::fitted(&cubes) - 3.0).abs() < 1e-12);
}

/// ½u̇² + ¼(K/M)u⁴ keeps its value ½v₀², with u̇ by a central difference of error h².
#[test]
fn keeps_its_energy() {
    let cubic = Cubic::new(1e10, 1.0, 5.0);
    let h = 1e-7;
    for t in [0.0, 1.3e-3, 4.4e-3] {
        let v = (cubic.at(t + h) - cubic.at(t - h)) / (2.0 * h);
        let energy = 0.5 * v * v + 0.25e10 * cubic.at(t).powi(4);
        assert!((energy / 12.5 - 1.0).abs() < 1e-6, "{energy}");
    }
    let quarter = 0.25 / cubic.frequency();
    assert!((cubic.at(quarter) / cubic.amplitude - 1.0).abs() < 4.0 * f64::EPSILON);
}

fn tone(rate: f64, n: usize) -> Vec<f64> {
    let w = std::f64::consts::TAU * 113.385 / rate;
    (0..n).map(|i| (w * i as f64).sin() + 0.01 * (3.0 * w * i as f64).sin()).collect()
}

#[test]
fn finds_a_frequency_and_a_harmonic() {
    let (rate, signal) = (44100.0, tone(44100.0, 44100));
    let f = frequency(&signal, rate).unwrap();
    assert!((f / 113.385 - 1.0).abs() < 1e-8, "{f}");
    // 0.01 is −40 dB; the window leaks below 1e-3 of it.
    assert!((level(&signal, rate, 3.0 * f, f) + 40.0).abs() < 1e-2);
    let peak = decibels(&signal, rate).into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
    assert!((peak.0 - 113.0).abs() <= 1.0 && peak.1 == 0.0, "{peak:?}");
}

#[test]
fn silence_has_no_frequency() {
    assert_eq!(frequency(&[0.0; 100], 1.0), None);
}

#[test]
fn preservation_is_the_mean_step_of_k() {
    let k = [2.0, 2.5, 3.0, 2.0, 4.0];
    let mean = |n: usize| (0..=n).map(|i| (k[i + 1] - k[i]) / k[0]).sum::<f64>() / (n + 1) as f64;
    (0..4).for_each(|n| assert!((preservation(&k, n) - mean(n)).abs() < 1e-15));
    assert_eq!(drift(&k), 2.0);
}

#[test]
fn numbers_keep_six_digits() {
    let shown: Vec<String> = [0.0, 10.998_132_16, -5.995_224_5e-5, 0.857_139_22, 123_456.7]
        .map(|x: f64| Cell::from(x).to_string())
        .into();
    assert_eq!(shown, ["0", "10.9981", "-5.99522e-5", "0.857139", "123457"]);
}

#[test]
fn a_table_shows_its_cells_and_notes() {
    let mut table = Table::new("Table 1", &["method", "printed", "computed"]);
    table.row(["EC".into(), "6.20".into(), 10.998.into()]);
    table.note("the window is not given");
    let text = table.to_string();
    for part in ["Table 1", "method", "EC", "6.20", "10.9980", "· the window"] {
        assert!(text.contains(part), "{text}");
    }
}

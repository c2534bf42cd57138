//! Bores of known instruments, against an independent program and against their own fits.

use super::{stepped::Stepped, *};
use crate::modal::Mode;
use std::f64::consts::{PI, TAU};

/// Air of 20 °C and 50 % humidity, as the independent program had it.
const AIR: Air = Air {
    density: 1.1992901480965732,
    speed: 343.987773071615,
    viscosity: 1.8206e-05,
    conductivity: 0.025562,
    heat: 1012.2530673829931,
    ratio: 1.40108293863536,
};

fn bore(points: &[[f64; 2]], holes: &[Hole]) -> Bore {
    let piece = |p: &[[f64; 2]]| Piece { length: p[1][0] - p[0][0], left: p[0][1], right: p[1][1] };
    let pieces: Vec<Piece> = points.windows(2).map(piece).collect();
    Bore::new(&pieces, holes, AIR, Radiation::Unflanged).unwrap()
}

fn clarinet() -> Bore {
    bore(&[[0.0, 0.0075], [0.66, 0.0075]], &[])
}

fn conical() -> Bore {
    bore(&[[0.0, 0.0065], [0.95, 0.0305]], &[])
}

/// Two closed holes, then two open ones.
fn flute() -> Bore {
    let hole = |k: usize| Hole { at: 0.3 + 0.04 * k as f64, radius: 0.0045, height: 0.004, open: k > 1 };
    bore(&[[0.0, 0.0095], [0.46, 0.0095]], &[hole(3), hole(0), hole(1), hole(2)])
}

fn trumpet() -> Bore {
    let points = [
        [0.0, 8.4e-3],
        [0.012, 2.4195678e-3],
        [0.017734052, 1.825e-3],
        [0.083704052, 4.2e-3],
        [0.30370405, 5.82e-3],
        [1.0227041, 7.39e-3],
        [1.2977041, 14.375e-3],
        [1.4187041, 61e-3],
    ];
    bore(&points, &[])
}

/// Transmission matrices in Python with the Bessel functions of scipy, and with the same slices.
#[test]
fn impedances_are_those_of_an_independent_program() {
    for (bore, f, re, im) in [
        (clarinet(), 100.0, 6.43720648041e+05, 6.79739849311e+06),
        (clarinet(), 4000.0, 1.01890794895e+07, -3.31416272802e+05),
        (conical(), 100.0, 4.95277713059e+04, 1.66014944382e+06),
        (conical(), 4000.0, 4.04288660094e+06, 1.71959261329e+06),
        (flute(), 1000.0, 9.74188202912e+05, 5.04302662396e+06),
        (flute(), 4000.0, 3.12145313405e+05, -6.86418669263e+05),
        (trumpet(), 100.0, 3.69417892584e+06, -1.30945083901e+07),
        (trumpet(), 4000.0, 6.32185226969e+05, -4.28063880600e+06),
    ] {
        let (own, exact) = (bore.impedance(Complex::new(0.0, TAU * f)), Complex::new(re, im));
        assert!((own - exact).abs() < 1e-10 * exact.abs(), "{f} Hz: {own:?} {exact:?}");
    }
}

/// Peaks of the same program. The place of a maximum is known to the root of the rounding; of the cone it made twice as many slices.
#[test]
fn peaks_are_those_of_an_independent_program() {
    let cylinder = [[126.9656955, 78695840.89], [383.979816, 45030648.62], [641.5520316, 34387608.54]];
    let cone = [[142.8805433, 43670728.65], [299.265477, 51751674.96], [465.6933832, 44830037.14]];
    for (bore, within, peaks) in [(clarinet(), [2e-8, 1e-9], cylinder), (conical(), [1e-6, 2e-4], cone)] {
        let fit = bore.fit(1.0 / 48_000.0, 3500.0).unwrap();
        for (peak, [frequency, impedance]) in fit.peaks.iter().zip(peaks) {
            assert!((peak.frequency / frequency - 1.0).abs() < within[0], "{peak:?} {frequency}");
            assert!((peak.impedance / impedance - 1.0).abs() < within[1], "{peak:?} {impedance}");
        }
    }
}

/// The largest errors of peaks in a band: cents, dB.
fn errors(fit: &Fit, low: f64, high: f64) -> [f64; 2] {
    let of = |size: fn(&Peak) -> f64| {
        let band = fit.peaks.iter().filter(|peak| (low..high).contains(&peak.frequency));
        band.map(|peak| size(peak).abs()).fold(0.0, f64::max)
    };
    [of(|peak| peak.cents), of(|peak| peak.decibels)]
}

/// The largest error of the sound outside, dB, from its rows as a scheme reads them, and how much it is too loud above `highest`.
fn outside(bore: &Bore, fit: &Fit, dt: f64, highest: f64) -> [f64; 2] {
    let mut errors = [0.0_f64, f64::NEG_INFINITY];
    for k in 0..500 {
        let f = 30.0 * (0.45 / dt / 30.0).powf(f64::from(k) / 500.0);
        let s = Complex::new(0.0, TAU * f);
        let state = bore.line.state(s, 1.0);
        let exact = s * state.out / state.flow * (AIR.density / (4.0 * PI));
        let rows = fit.modes.iter().zip(&fit.radiated);
        let own: Complex = rows
            .map(|(mode, [alpha, beta])| {
                let [q, v] = Stepped::new(mode.omega, mode.sigma, dt).unwrap().readings(f);
                (q * *alpha + v * *beta) * (1.0 / mode.mass)
            })
            .sum();
        let decibels = 20.0 * ((own - exact).abs() / exact.abs() + 1.0).log10();
        let louder = 20.0 * (own.abs() / exact.abs()).log10();
        if f <= highest { errors[0] = errors[0].max(decibels) } else { errors[1] = errors[1].max(louder) }
    }
    errors
}

/// How near the stepped impedance comes to that of the bore at 44.1, 48 and 96 kHz: cents and dB of the peaks, and dB of the sound outside.
#[test]
fn steps_realise_the_impedance() {
    for (name, bore, highest, [cents, decibels, sound]) in [
        ("clarinet", clarinet(), 5000.0, [0.05, 0.1, 0.1]),
        ("cone", conical(), 3500.0, [0.05, 0.1, 0.1]),
        ("flute", flute(), 4000.0, [0.05, 0.1, 0.1]),
        ("cone to half of Nyquist", conical(), 11_000.0, [0.05, 0.1, 0.1]),
        ("trumpet", trumpet(), 2500.0, [2.8, 0.4, 1.0]),
    ] {
        for rate in [44_100.0, 48_000.0, 96_000.0] {
            let fit = bore.fit(1.0 / rate, highest).unwrap();
            let all = errors(&fit, 0.0, f64::INFINITY);
            let low = errors(&fit, 0.0, 700.0);
            let [outside, above] = outside(&bore, &fit, 1.0 / rate, highest);
            assert!(
                fit.modes.iter().all(|mode| mode.mass > 0.0 && mode.mass.is_finite() && mode.sigma >= 0.0)
            );
            assert!(all[0] <= cents && all[1] <= decibels, "{name} {rate}: {:#?}", fit.peaks);
            assert!(low[0] <= 0.1 && low[1] <= 0.15, "{name} {rate}: {:#?}", fit.peaks);
            assert!(outside <= sound && above <= 10.0, "{name} {rate}: {outside} {above}");
            assert!(fit.worst < 1.3, "{name} {rate}: {}", fit.worst);
            // The report's numbers are those of the public function.
            let peak = fit.peaks[0];
            let own = fit.stepped_impedance(peak.frequency, 1.0 / rate).abs();
            assert!((20.0 * (own / peak.impedance).log10() - peak.decibels).abs() < 1e-3);
        }
    }
}

/// Bores that no instrument has: every number is one, whatever the fit is worth; too many poles are refused.
#[test]
fn extremes_are_fitted_or_refused() {
    for (name, points) in [
        ("short", &[[0.0, 0.0075], [0.02, 0.0075]][..]),
        ("long", &[[0.0, 0.02], [10.0, 0.03]]),
        ("narrow", &[[0.0, 0.001], [0.6, 0.001]]),
        ("long and narrow", &[[0.0, 0.001], [5.0, 0.001]]),
        ("flaring", &[[0.0, 0.002], [0.3, 0.002], [0.35, 0.4]]),
        ("narrowing", &[[0.0, 0.05], [0.5, 0.001]]),
        ("steps", &[[0.0, 0.01], [0.2, 0.01], [0.2001, 0.004], [0.5, 0.004], [0.5001, 0.02], [0.6, 0.02]]),
    ] {
        for (rate, highest) in [(48_000.0, 5000.0), (8000.0, 2000.0), (192_000.0, 100.0)] {
            let fit = bore(points, &[]).fit(1.0 / rate, highest).unwrap();
            let finite = |mode: &Mode| mode.mass > 0.0 && mode.mass.is_finite() && mode.omega > 0.0;
            assert!(fit.modes.iter().all(finite) && fit.worst < 7.0, "{name} {rate}: {}", fit.worst);
            assert_eq!(fit.modes.len(), fit.radiated.len());
            assert!(fit.radiated.iter().flatten().all(|x| x.is_finite()), "{name} {rate}");
        }
    }
    assert!(bore(&[[0.0, 0.02], [10.0, 0.03]], &[]).fit(1.0 / 44_100.0, 11_000.0).is_err());
}

#[test]
fn what_cannot_be_is_refused() {
    let straight = [Piece { length: 0.5, left: 0.01, right: 0.01 }];
    let hole = Hole { at: 0.3, radius: 0.004, height: 0.003, open: true };
    let new = |pieces: &[Piece], holes: &[Hole]| Bore::new(pieces, holes, AIR, Radiation::Flanged);
    assert!(new(&straight, &[hole]).is_ok());
    for (complaint, parameter) in [
        (new(&[], &[]).unwrap_err(), "profile"),
        (new(&[Piece { length: -0.1, ..straight[0] }], &[]).unwrap_err(), "profile"),
        (new(&[Piece { left: f64::NAN, ..straight[0] }], &[]).unwrap_err(), "profile"),
        (new(&straight, &[Hole { at: 0.6, ..hole }]).unwrap_err(), "holes"),
        (new(&straight, &[Hole { radius: 0.02, ..hole }]).unwrap_err(), "holes"),
        (clarinet().fit(1.0 / 44_100.0, 12_000.0).unwrap_err(), "highest"),
        (clarinet().fit(1.0 / 44_100.0, f64::NAN).unwrap_err(), "highest"),
        (clarinet().fit(0.0, 5000.0).unwrap_err(), "dt"),
    ] {
        assert_eq!(complaint.parameter, parameter, "{complaint}");
    }
}

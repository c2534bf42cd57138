//! The measure of the tuning of instruments, on sounds of known partials.

use hamiltone_product::intonation::{cents, duration, frequency};
use std::f64::consts::TAU;

#[test]
fn a_decaying_partial_beside_a_stronger_one_is_found() {
    let rate = 44_100.0;
    for (f, off) in [(27.5, 20.0), (4186.0, -80.0)] {
        let about = f * 2_f64.powf(off / 1200.0);
        let count = (duration(about) * rate) as usize + 2;
        // The lowest note of a piano, far longer than here, and the highest bar of a xylophone.
        let partial = |t: f64, f: f64, a: f64| a * (-0.01 * f * t).exp() * (TAU * f * t + 0.3).sin();
        let sound = |n: usize| {
            let t = n as f64 / rate;
            partial(t, f, 1.0) + partial(t, 2.01 * f, 10.0)
        };
        let sound: Vec<f64> = (0..count).map(sound).collect();
        let error = cents(frequency(&sound, rate, about), f);
        assert!(error.abs() < 0.01, "{error} cents at {f} Hz");
    }
}

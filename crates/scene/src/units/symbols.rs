//! The symbols of units and their prefixes.

/// Symbol, powers of (kg, m, s, cycle, rad, dB), power of ten, factor.
pub(super) type Symbol = (&'static str, Powers, f64, f64);

/// Powers of (kg, m, s, cycle, rad, dB).
pub(super) type Powers = [f64; 6];

/// The units that have a symbol.
pub(super) const SYMBOLS: [Symbol; 12] = [
    ("m", [0.0, 1.0, 0.0, 0.0, 0.0, 0.0], 0.0, 1.0),
    ("g", [1.0, 0.0, 0.0, 0.0, 0.0, 0.0], -3.0, 1.0),
    ("s", [0.0, 0.0, 1.0, 0.0, 0.0, 0.0], 0.0, 1.0),
    ("min", [0.0, 0.0, 1.0, 0.0, 0.0, 0.0], 0.0, 60.0),
    ("Hz", [0.0, 0.0, -1.0, 1.0, 0.0, 0.0], 0.0, 1.0),
    ("rad", [0.0, 0.0, 0.0, 0.0, 1.0, 0.0], 0.0, 1.0),
    ("deg", [0.0, 0.0, 0.0, 0.0, 1.0, 0.0], 0.0, std::f64::consts::PI / 180.0),
    ("N", [1.0, 1.0, -2.0, 0.0, 0.0, 0.0], 0.0, 1.0),
    ("Pa", [1.0, -1.0, -2.0, 0.0, 0.0, 0.0], 0.0, 1.0),
    ("J", [1.0, 2.0, -2.0, 0.0, 0.0, 0.0], 0.0, 1.0),
    ("W", [1.0, 2.0, -3.0, 0.0, 0.0, 0.0], 0.0, 1.0),
    ("dB", [0.0, 0.0, 0.0, 0.0, 0.0, 1.0], 0.0, 1.0),
];

/// The units that have no prefix: `mmin` and `kdB` are none.
pub(super) const WITHOUT_PREFIX: [&str; 2] = ["min", "dB"];

/// Prefixes and their powers of ten.
pub(super) const PREFIXES: [(char, f64); 12] = [
    ('p', -12.0),
    ('n', -9.0),
    ('µ', -6.0),
    ('μ', -6.0),
    ('u', -6.0),
    ('m', -3.0),
    ('c', -2.0),
    ('d', -1.0),
    ('k', 3.0),
    ('M', 6.0),
    ('G', 9.0),
    ('T', 12.0),
];

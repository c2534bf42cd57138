//! Instruments at random, of sizes and materials as they are built and played, with all settings of the run at their
//! defaults.
//!
//! Strings are plucked or struck, against frets, barriers and bridges; bars, drums and plates are struck by mallets; tubes
//! take a pulse of pressure, reeds are blown, and bells are given by their modes. Numbers are drawn from ranges between
//! small and large instruments: `strings`, `bars`, `others`.

mod bars;
mod others;
mod strings;
mod text;

use crate::scenes::draw::Draw;
use text::Text;

/// The length of each sound, s.
const DURATION: f64 = 0.3;

/// What draws the parts of one kind of instrument.
type Instrument = fn(&mut Draw, &mut Text);

/// The kinds of instruments, by name.
const INSTRUMENTS: &[(&str, Instrument)] = &[
    ("plucked string", strings::plucked),
    ("struck string", strings::struck),
    ("string against an obstacle", strings::against_obstacle),
    ("prepared string", strings::prepared),
    ("two strings on a bridge", strings::on_a_bridge),
    ("struck bar", bars::struck),
    ("tine", bars::tine),
    ("drum", others::drum),
    ("plate", others::plate),
    ("bell", others::bell),
    ("tube", others::tube),
    ("reed", others::reed),
];

/// A scene: its kind, its text, and the files that it reads.
pub struct Reasonable {
    /// What it is.
    pub kind: &'static str,
    /// The scene.
    pub scene: String,
    /// Names and texts of the files beside it.
    pub files: Vec<(&'static str, String)>,
}

/// The scene of a seed.
pub fn scene(seed: u64) -> Reasonable {
    let mut draw = Draw::new(seed);
    let (kind, instrument) = *draw.any(INSTRUMENTS);
    let mut text = Text::default();
    let rate = *draw.any(&[None, None, Some(48_000), Some(96_000)]);
    let rate = rate.map(|rate: u32| format!("\nsample_rate = {rate}")).unwrap_or_default();
    text.line(&format!("hamiltone = 2\ntitle = \"{kind}\"\n[run]\nduration = {DURATION}{rate}"));
    instrument(&mut draw, &mut text);
    Reasonable { kind, scene: text.scene, files: text.files }
}

//! Dynamics as velocities, in 127ths: 16 from each to the next.

/// The velocity until a dynamic is stated: mf.
pub const DEFAULT: f64 = 80.0 / 127.0;
/// What to write instead of what is no dynamic.
pub const HELP: &str = "write ppp, pp, p, mp, mf, f, ff, fff, or a velocity from 1 to 127";

const NAMES: [(&str, u8); 8] =
    [("ppp", 16), ("pp", 32), ("p", 48), ("mp", 64), ("mf", 80), ("f", 96), ("ff", 112), ("fff", 127)];

/// The velocity of a dynamic, 0 to 1.
pub fn velocity(text: &str) -> Option<f64> {
    let named = NAMES.iter().find(|(name, _)| *name == text).map(|(_, velocity)| *velocity);
    let number = named.or_else(|| text.parse().ok().filter(|number| (1..128).contains(number)))?;
    Some(f64::from(number) / 127.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers() {
        assert_eq!(velocity("mf"), Some(DEFAULT));
        assert_eq!((velocity("fff"), velocity("127")), (Some(1.0), Some(1.0)));
        assert_eq!(velocity("1"), Some(1.0 / 127.0));
        assert!(["0", "128", "F", "", "-1", "mff"].iter().all(|text| velocity(text).is_none()));
    }
}

//! How much a scene may ask for: the one table of limits. A scene may come from anywhere; without limits a short one could
//! take all memory or run for days. Each limit has a default that no usual scene reaches, and can be raised.

/// Something that is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limited {
    /// The bytes of the scene's own text.
    Scene,
    /// The bytes of all files that a scene reads.
    Files,
    /// The bytes of a MIDI file or a score.
    Music,
    /// The bytes of a Scala file.
    Tuning,
    /// The columns of a table that a scene reads.
    Columns,
    /// The pickups.
    Pickups,
    /// The buses.
    Buses,
    /// The players of an ensemble.
    Players,
    /// The degrees of freedom.
    Coordinates,
    /// The contacts, one a point where they act along a body.
    Contacts,
    /// The internal steps per sample.
    Oversampling,
    /// The steps of the run.
    Steps,
    /// The memory of a run, bytes.
    Memory,
    /// The file of states, bytes.
    States,
    /// The threads.
    Threads,
}

/// A line of the table.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// What is limited.
    pub of: Limited,
    /// Its name, as `--limit` takes it.
    pub name: &'static str,
    /// How much is allowed unless it is raised.
    pub default: u64,
    /// Whether it counts bytes.
    pub bytes: bool,
    /// What is counted.
    pub doc: &'static str,
}

const fn limit(of: Limited, name: &'static str, default: u64, bytes: bool, doc: &'static str) -> Limit {
    Limit { of, name, default, bytes, doc }
}

/// The table.
#[rustfmt::skip]
pub const LIMITS: [Limit; 15] = [
    limit(Limited::Scene, "scene", 64_000_000, true, "the scene file"),
    limit(Limited::Files, "files", 100_000_000, true, "all tables and sounds that a scene reads, as stored and unpacked"),
    limit(Limited::Music, "music", 20_000_000, true, "a MIDI file or a score"),
    limit(Limited::Tuning, "tuning", 1_000_000, true, "a Scala file"),
    limit(Limited::Columns, "columns", 10_000, false, "columns of a table, or arrays of an NPZ file"),
    limit(Limited::Pickups, "pickups", 10_000, false, "pickups"),
    limit(Limited::Buses, "buses", 200, false, "buses: each is a file that is open during the run"),
    limit(Limited::Players, "players", 100, false, "players of an ensemble"),
    limit(Limited::Coordinates, "coordinates", 500_000, false, "degrees of freedom"),
    limit(Limited::Contacts, "contacts", 100_000, false, "contacts; along a body each of its points is one"),
    limit(Limited::Oversampling, "oversampling", 4096, false, "internal steps per sample"),
    limit(Limited::Steps, "steps", 100_000_000_000, false, "internal steps of a run"),
    limit(Limited::Memory, "memory", 8_000_000_000, true, "memory for sound, states and report of a run"),
    limit(Limited::States, "states", 2_000_000_000, true, "the file of --states"),
    limit(Limited::Threads, "threads", 256, false, "threads of --threads"),
];

/// How much is allowed.
///
/// ```
/// use hamiltone_scene::limits::{Limited, Limits};
/// let mut limits = Limits::default();
/// limits.raise("contacts=250000")?;
/// limits.raise("files=1.5GB")?;
/// assert_eq!(limits.get(Limited::Contacts), 250_000);
/// assert_eq!(limits.get(Limited::Files), 1_500_000_000);
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits([u64; LIMITS.len()]);

impl Default for Limits {
    fn default() -> Self {
        Self(LIMITS.map(|limit| limit.default))
    }
}

impl Limits {
    /// How much of this is allowed.
    pub fn get(&self, of: Limited) -> u64 {
        self.0[place(of)]
    }

    /// Takes up `NAME=VALUE`, the value a whole number or a size such as `2GB`.
    ///
    /// # Errors
    /// What cannot be read, with the names or values that are allowed.
    pub fn raise(&mut self, text: &str) -> Result<(), String> {
        let Some((name, value)) = text.split_once('=') else {
            return Err(format!("`{text}` has no `=`: write NAME=VALUE, such as contacts=250000"));
        };
        let (name, value) = (name.trim(), value.trim());
        let Some(i) = LIMITS.iter().position(|limit| limit.name == name) else {
            let names: Vec<&str> = LIMITS.iter().map(|limit| limit.name).collect();
            return Err(format!("there is no limit `{name}`; limits: {}", names.join(", ")));
        };
        self.0[i] = number(value, LIMITS[i].bytes).ok_or_else(|| {
            let example =
                if LIMITS[i].bytes { "a size above 0, such as 16GB" } else { "a whole number above 0" };
            format!("the limit `{name}` cannot be `{value}`: it takes {example}, at most {}", u64::MAX)
        })?;
        Ok(())
    }

    /// Why this much of something is refused, where it is beyond its limit, and how to go on.
    ///
    /// # Errors
    /// What is asked for and what is allowed; then what to write.
    pub fn check(&self, of: Limited, asked: u128) -> Result<(), Exceeded> {
        let limit = self.get(of);
        if asked <= u128::from(limit) {
            Ok(())
        } else {
            Err(Exceeded { limit: LIMITS[place(of)], asked, allowed: limit })
        }
    }
}

/// A limit that is exceeded.
#[derive(Clone, Copy, Debug)]
pub struct Exceeded {
    /// Which one.
    pub limit: Limit,
    /// How much was asked for, at least.
    pub asked: u128,
    /// How much is allowed.
    pub allowed: u64,
}

impl Exceeded {
    /// The amount and its limit: `60000, but at most 1000 are allowed`, for a sentence.
    pub fn amounts(&self) -> String {
        let (asked, allowed) = (self.amount(self.asked), self.amount(self.allowed.into()));
        // In three digits both may be the same.
        let more = if asked == allowed { "more than " } else { "" };
        format!("{more}{asked}, but at most {allowed} are allowed")
    }

    /// How to raise it.
    pub fn help(&self) -> String {
        let asked = match self.limit.bytes {
            true => size(rounded_up(self.asked)).replace(' ', ""),
            false => self.asked.to_string(),
        };
        format!("where that is meant, raise the limit: --limit {}={asked}", self.limit.name)
    }

    /// The limit and how to go on where something was read up to it, and how large it is, is not known.
    pub fn at_least(&self) -> String {
        let allowed = u128::from(self.allowed);
        format!(
            "has more than {}, which is the limit; give a file that ends, or raise the limit: --limit {}={}",
            self.amount(allowed),
            self.limit.name,
            size(2 * allowed).replace(' ', "")
        )
    }

    fn amount(&self, amount: u128) -> String {
        if self.limit.bytes { size(amount) } else { crate::units::plain(amount as f64) }
    }
}

impl std::fmt::Display for Exceeded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}; {}", self.amounts(), self.help())
    }
}

/// The table as text, for help.
pub fn table() -> String {
    let line = |limit: &Limit| {
        let default = if limit.bytes { size(limit.default.into()) } else { limit.default.to_string() };
        format!("  {:13}{default:>13}  {}", limit.name, limit.doc)
    };
    LIMITS.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn place(of: Limited) -> usize {
    // The table is in the order of the variants, as a test says.
    of as usize
}

const PREFIXES: [(&str, u128); 4] = [("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1000), ("B", 1)];

/// A whole number above 0, or a number of bytes with its unit.
fn number(text: &str, bytes: bool) -> Option<u64> {
    let plain = text.replace('_', "");
    let whole = plain.parse().ok();
    let sized = || {
        let (digits, factor) =
            PREFIXES.iter().find_map(|(unit, factor)| Some((plain.strip_suffix(unit)?, factor)))?;
        let number: f64 = digits.trim().parse().ok()?;
        let product = number * *factor as f64;
        (product < u64::MAX as f64).then_some(product as u64)
    };
    whole.or_else(|| if bytes { sized() } else { None }).filter(|number| *number > 0)
}

/// A number of bytes in three significant digits.
pub fn size(bytes: u128) -> String {
    let (unit, one) = PREFIXES.into_iter().find(|(_, one)| bytes >= *one).unwrap_or(("B", 1));
    let digits: f64 = format!("{:.2e}", bytes as f64 / one as f64).parse().unwrap_or_default();
    format!("{} {unit}", crate::units::plain(digits))
}

/// Not less in the digits that [`size`] shows.
fn rounded_up(bytes: u128) -> u128 {
    let digits = bytes.max(1).ilog10();
    let unit = 10_u128.pow(digits.saturating_sub(2));
    bytes.div_ceil(unit) * unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order_and_each_line_can_be_raised() {
        for (i, limit) in LIMITS.iter().enumerate() {
            assert_eq!(place(limit.of), i);
            let mut limits = Limits::default();
            assert!(limits.check(limit.of, limit.default.into()).is_ok());
            let exceeded = limits.check(limit.of, u128::from(limit.default) + 1).unwrap_err();
            let advice = exceeded.help();
            let (_, raised) = advice.split_once("--limit ").unwrap();
            limits.raise(raised).unwrap();
            assert!(limits.check(limit.of, u128::from(limit.default) + 1).is_ok(), "{raised}");
            assert!(table().contains(limit.doc));
        }
    }

    #[test]
    fn what_is_no_limit_is_named() {
        let wrong = |text: &str| Limits::default().raise(text).unwrap_err();
        assert!(wrong("contacts").contains("no `=`"));
        assert!(wrong("contact=3").contains("there is no limit `contact`; limits: scene, "));
        for text in ["contacts=0", "contacts=-1", "contacts=1e5", "contacts=2GB", "files=0GB", "files=1e99GB"]
        {
            assert!(wrong(text).contains("cannot be"), "{text}");
        }
        let one_more = Limits::default().check(Limited::Scene, 64_000_001).unwrap_err();
        assert_eq!(one_more.amounts(), "more than 64 MB, but at most 64 MB are allowed");
        let says = "has more than 64 MB, which is the limit; give a file that ends, or raise the limit: --limit scene=128MB";
        assert_eq!(one_more.at_least(), says);
        assert_eq!(size(2_345_678_901), "2.35 GB");
        assert_eq!(rounded_up(2_341_000_001), 2_350_000_000);
    }
}

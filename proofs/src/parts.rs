//! Parts at random: values for any kind of part, drawn from its own parameter table.
//!
//! Nothing here knows a kind by name, so that a new body or law is tested as soon as it is listed.

use hamiltone_core::parameter::{Absent, Column, Columns, Entry, Kind, Parameter, Range, Takes, Values};
use proptest::{collection, prelude::*, sample, strategy::Union};

/// A part at random: an entry of a catalogue with values that it accepts.
pub struct Part<T: 'static> {
    /// The entry.
    pub entry: &'static Entry<T>,
    /// Its values.
    pub values: Values,
}

impl<T> Part<T> {
    /// The part itself.
    pub fn make(&self) -> T {
        (self.entry.make)(&self.values).expect("only accepted values are drawn")
    }
}

impl<T> std::fmt::Debug for Part<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} with {:?}", self.entry.kind.name, self.values)
    }
}

/// The powers of ten between which the numbers of a unit and range are drawn.
pub type Decades = fn(unit: &str, range: &Range) -> std::ops::Range<f64>;

/// Whatever someone may write.
pub fn wide(unit: &str, _: &Range) -> std::ops::Range<f64> {
    match unit {
        "" => -1.0..1.0,
        "m" | "m/s" => -6.0..0.0,
        _ => -3.0..6.0,
    }
}

/// The sizes of musical instruments, as steps of an audio rate can follow them.
pub fn audible(unit: &str, range: &Range) -> std::ops::Range<f64> {
    match unit {
        // What cannot be 0 or negative is a size, not a displacement.
        "m" if range.min > 0.0 || (range.min == 0.0 && range.open) => -1.0..0.5,
        "kg" => -3.0..0.0,
        "kg/m^2" => -2.0..1.0,
        "Hz" => 1.0..3.7,
        "rad/s" => 2.0..4.5,
        "1/s" => -1.0..3.5,
        "s" => -2.0..1.0,
        "N/m" => 0.0..4.5,
        "Pa" => 6.0..11.0,
        "m" => -6.0..-3.0,
        "m/s" => -3.0..0.5,
        "s/m" | "N s/m" => -3.0..0.0,
        unit if unit.starts_with("N/m^") => 2.0..10.0,
        _ => -1.0..0.6,
    }
}

/// A part of any kind in a catalogue.
pub fn any_part<T: 'static>(catalogue: &'static [Entry<T>]) -> BoxedStrategy<Part<T>> {
    any_part_of(catalogue, wide)
}

/// A part of any kind in a catalogue, of these sizes.
pub fn any_part_of<T: 'static>(catalogue: &'static [Entry<T>], decades: Decades) -> BoxedStrategy<Part<T>> {
    Union::new(catalogue.iter().map(move |entry| part_of(entry, decades))).boxed()
}

/// A part of one kind.
pub fn part<T: 'static>(entry: &'static Entry<T>) -> BoxedStrategy<Part<T>> {
    part_of(entry, wide)
}

/// A part of one kind, of these sizes; alternatives are found by trying subsets of what is optional.
pub fn part_of<T: 'static>(entry: &'static Entry<T>, decades: Decades) -> BoxedStrategy<Part<T>> {
    let reason = format!("values that `{}` accepts", entry.kind.name);
    values_of(&entry.kind, decades)
        .prop_map(move |values| Part { entry, values })
        .prop_filter(reason, |part| (part.entry.make)(&part.values).is_ok())
        .boxed()
}

/// Values in range for a kind, whether or not they fit together.
pub fn values(kind: &Kind) -> BoxedStrategy<Values> {
    values_of(kind, wide)
}

/// Values of these sizes, in range for a kind, whether or not they fit together.
pub fn values_of(kind: &Kind, decades: Decades) -> BoxedStrategy<Values> {
    values_among(kind.parameters, decades)
}

fn values_among(parameters: &'static [Parameter], decades: Decades) -> BoxedStrategy<Values> {
    let start = Just(Values::defaults(parameters)).boxed();
    parameters.iter().fold(start, |values, &parameter| {
        let given = match parameter.absent {
            Absent::Required => Just(true).boxed(),
            _ => any::<bool>().boxed(),
        };
        (values, given, any_value(&parameter, decades))
            .prop_map(move |(mut values, given, value)| {
                if given {
                    value.insert(parameter.name, &mut values);
                }
                values
            })
            .boxed()
    })
}

#[derive(Clone, Debug)]
enum Drawn {
    Number(f64),
    Numbers(Vec<f64>),
    Pairs(Vec<(f64, f64)>),
    Word(&'static str),
    Columns(Columns),
    Table(Values),
    Nothing,
}

impl Drawn {
    fn insert(self, name: &'static str, values: &mut Values) {
        match self {
            Drawn::Number(x) => drop(values.numbers.insert(name, x)),
            Drawn::Numbers(list) => drop(values.lists.insert(name, list)),
            Drawn::Pairs(pairs) => drop(values.pairs.insert(name, pairs)),
            Drawn::Word(word) => drop(values.words.insert(name, word.into())),
            Drawn::Columns(columns) => drop(values.columns.insert(name, columns)),
            Drawn::Table(table) => drop(values.tables.insert(name, table)),
            Drawn::Nothing => {}
        }
    }
}

fn any_value(parameter: &Parameter, decades: Decades) -> BoxedStrategy<Drawn> {
    match parameter.takes {
        Takes::Number(unit, range) => number(unit, range, decades).prop_map(Drawn::Number).boxed(),
        Takes::Numbers(unit, range) => {
            collection::vec(number(unit, range, decades), 1..5).prop_map(Drawn::Numbers).boxed()
        }
        Takes::Pairs(x, y) => {
            let pair = (number(x, Range::NOT_NEGATIVE, decades), number(y, Range::ANY, decades));
            let sorted = |mut pairs: Vec<(f64, f64)>| {
                pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
                Drawn::Pairs(pairs)
            };
            collection::vec(pair, 2..5).prop_map(sorted).boxed()
        }
        Takes::Word(words) => sample::select(words).prop_map(Drawn::Word).boxed(),
        // No part at random reads files.
        Takes::File => Just(Drawn::Nothing).boxed(),
        Takes::Columns(columns) => any_columns(columns, decades).prop_map(Drawn::Columns).boxed(),
        Takes::Table(inner) => values_among(inner, decades).prop_map(Drawn::Table).boxed(),
    }
}

/// A file of one to five rows.
fn any_columns(columns: &'static [Column], decades: Decades) -> BoxedStrategy<Columns> {
    let column = move |column: &'static Column, rows: usize| {
        let numbers = collection::vec(number(column.unit, column.range, decades), rows);
        let at = number("m", Range::NOT_NEGATIVE, decades);
        let count = match (column.name.ends_with('='), column.required) {
            (true, _) => 0..4_usize,
            (false, true) => 1..2,
            (false, false) => 0..2,
        };
        collection::vec((at, numbers), count).prop_map(move |drawn| (column.name, drawn))
    };
    (1..6_usize)
        .prop_flat_map(move |rows| {
            (Just(rows), columns.iter().map(|own| column(own, rows)).collect::<Vec<_>>())
        })
        .prop_map(|(rows, drawn)| {
            let mut columns = Columns { rows, ..Columns::default() };
            for (name, drawn) in drawn {
                for (at, numbers) in drawn {
                    match name.ends_with('=') {
                        true => columns.numbered.push((at, numbers)),
                        false => drop(columns.named.insert(name, numbers)),
                    }
                }
            }
            columns.numbered.sort_by(|a, b| a.0.total_cmp(&b.0));
            columns.numbered.dedup_by_key(|column| column.0);
            columns
        })
        .boxed()
}

/// A number in its range, of a size that its unit makes plausible, often a round one.
fn number(unit: &str, range: Range, decades: Decades) -> BoxedStrategy<f64> {
    let exponents = decades(unit, &range);
    let signs: &[f64] = if range.min < 0.0 { &[1.0, -1.0] } else { &[1.0] };
    let least = if range.min.is_finite() { range.min } else { 0.0 };
    let offset = (exponents, sample::select(signs)).prop_map(|(e, sign)| sign * 10f64.powf(e));
    (offset, prop_oneof![Just(0.0), Just(1.0), Just(2.0)])
        .prop_map(move |(offset, per_unit)| {
            let x = least + offset;
            let round = if per_unit == 0.0 { x } else { (x * per_unit).round() / per_unit };
            [round, x, least].into_iter().find(|&x| range.holds(x)).unwrap_or(range.max)
        })
        .boxed()
}

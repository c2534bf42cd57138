//! Parts at random: values for any kind of part, drawn from its own parameter table.
//!
//! Nothing here knows a kind by name, so that a new body or law is tested as soon as it is listed.

use hamiltone_core::parameter::{
    Absent, Column, Columns, Entry, Kind, Parameter, Range, Role, Rule, Table, Takes, Value, Values,
};
use hamiltone_elements::HAIR;
use hamiltone_numerics::formula::parse;
use proptest::{collection, prelude::*, sample, strategy::Union};
use std::{cell::Cell, collections::BTreeMap};

/// A part at random: an entry of a catalogue with values that it accepts.
pub struct Part<T: 'static> {
    /// The entry.
    pub entry: &'static Entry<T>,
    /// Its values.
    pub values: Values,
    /// What was made of them when they were drawn: a search for the dimensions of a tuned bar is not repeated.
    made: Cell<Option<T>>,
}

impl<T> Part<T> {
    /// The part itself; each call gives another.
    pub fn make(&self) -> T {
        let anew = || self.entry.build(&self.values).unwrap_or_else(|complaints| panic!("{complaints}"));
        self.made.take().unwrap_or_else(anew)
    }
}

impl<T> std::fmt::Debug for Part<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} with {:?}", self.entry.kind.name, self.values)
    }
}

/// The powers of ten between which the numbers of a role and range are drawn.
pub type Decades = fn(Role, &Range) -> std::ops::Range<f64>;

/// Whatever someone may write.
pub fn wide(role: Role, _: &Range) -> std::ops::Range<f64> {
    match role {
        Role::Number | Role::Count | Role::Odd => -1.0..1.0,
        Role::Length | Role::Displacement | Role::Velocity | Role::WaveSpeed | Role::Relaxation => -6.0..0.0,
        _ => -3.0..6.0,
    }
}

/// The sizes of musical instruments, as steps of an audio rate can follow them.
pub fn audible(role: Role, range: &Range) -> std::ops::Range<f64> {
    match role {
        // What cannot be 0 or negative is a size, not a displacement.
        Role::Length | Role::Displacement if range.min > 0.0 || (range.min == 0.0 && range.open) => -1.0..0.5,
        Role::Length | Role::Displacement => -6.0..-3.0,
        Role::Mass => -3.0..0.0,
        Role::MassPerArea | Role::SurfaceDensity => -2.0..1.0,
        Role::Frequency | Role::SampleRate => 1.0..3.7,
        Role::AngularFrequency => 2.0..4.5,
        Role::Damping => -1.0..3.5,
        Role::Time => -2.0..1.0,
        Role::Relaxation => -6.0..-3.0,
        Role::Stiffness | Role::SpringStiffness | Role::SurfaceTension => 0.0..4.5,
        Role::Modulus => 6.0..11.0,
        Role::Velocity | Role::WaveSpeed => -3.0..0.5,
        Role::ContactLoss | Role::Resistance => -3.0..0.0,
        Role::PowerStiffness(_) | Role::HertzStiffness => 2.0..10.0,
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

/// A part of any kind in a catalogue, of these sizes, rarely one of a kind of which `slow` is true.
pub fn any_part_less_often<T: 'static>(
    catalogue: &'static [Entry<T>],
    decades: Decades,
    slow: fn(&Kind) -> bool,
) -> BoxedStrategy<Part<T>> {
    let weighed = |entry: &'static Entry<T>| (often(slow(&entry.kind)), part_of(entry, decades));
    Union::new_weighted(catalogue.iter().map(weighed).collect()).boxed()
}

/// A part of one kind.
pub fn part<T: 'static>(entry: &'static Entry<T>) -> BoxedStrategy<Part<T>> {
    part_of(entry, wide)
}

/// A part of one kind, of these sizes.
pub fn part_of<T: 'static>(entry: &'static Entry<T>, decades: Decades) -> BoxedStrategy<Part<T>> {
    accepted(entry, values_of(&entry.kind, decades))
}

/// The weight of a kind.
fn often(slow: bool) -> u32 {
    if slow { 1 } else { RARE as u32 }
}

/// How many sets of values that are to be rare are drawn for each that is taken.
const RARE: usize = 6;

/// A part of any kind in a catalogue, rarely one of values of which `rare` is true, and as rarely one of a kind of which `slow` is true.
pub fn any_part_but_rarely<T: 'static>(
    catalogue: &'static [Entry<T>],
    slow: fn(&Kind) -> bool,
    rare: fn(&Values) -> bool,
) -> BoxedStrategy<Part<T>> {
    let some = move |(values, number): (Values, usize)| (number == 0 || !rare(&values)).then_some(values);
    let of = move |entry: &'static Entry<T>| {
        let values = (values_of(&entry.kind, wide), 0..RARE).prop_filter_map("few that are rare", some);
        accepted(entry, values.boxed())
    };
    let weighed = |entry: &'static Entry<T>| (often(slow(&entry.kind)), of(entry));
    Union::new_weighted(catalogue.iter().map(weighed).collect()).boxed()
}

/// The part of those of these values that the kind accepts.
fn accepted<T: 'static>(entry: &'static Entry<T>, values: BoxedStrategy<Values>) -> BoxedStrategy<Part<T>> {
    let reason = format!("values that `{}` accepts", entry.kind.name);
    values
        .prop_filter_map(reason, move |values| {
            let made = entry.build(&values).ok()?;
            Some(Part { entry, values, made: Cell::new(Some(made)) })
        })
        .boxed()
}

/// Values in range for a kind that keep its rules, whether or not the kind accepts them.
pub fn values(kind: &Kind) -> BoxedStrategy<Values> {
    values_of(kind, wide)
}

/// Values of these sizes, in range for a kind, that keep its rules, whether or not the kind accepts them.
///
/// A bow that a body presses has laws of its own (`tests/bouncing.rs`): its hair is not drawn.
pub fn values_of(kind: &Kind, decades: Decades) -> BoxedStrategy<Values> {
    values_without(kind.table(), HAIR, decades)
}

/// Values of these sizes for a table of parameters that keep its rules.
pub fn values_among(table: Table<'static>, decades: Decades) -> BoxedStrategy<Values> {
    values_without(table, "", decades)
}

/// The same without one parameter.
fn values_without(table: Table<'static>, left_out: &str, decades: Decades) -> BoxedStrategy<Values> {
    let start = Just(Values::defaults(table.parameters)).boxed();
    let drawn: Vec<&Parameter> = table.parameters.iter().filter(|own| own.name != left_out).collect();
    let all = drawn.iter().fold(start, |values, &&parameter| {
        let given = match parameter.absent {
            Absent::Required => Just(true).boxed(),
            _ => any::<bool>().boxed(),
        };
        (values, given, any_value(&parameter, decades))
            .prop_map(move |(mut values, given, value)| {
                if let (true, Some(value)) = (given, value) {
                    values.set(parameter.name, value);
                }
                values
            })
            .boxed()
    });
    // What a rule asks for is drawn beside, so that it is there.
    let spare = drawn.iter().map(|parameter| any_value(parameter, decades)).collect::<Vec<_>>();
    let names: Vec<&str> = drawn.iter().map(|parameter| parameter.name).collect();
    (all, spare, any::<usize>())
        .prop_map(move |(mut values, spare, choice)| {
            let spare = |name: &str| {
                let at = names.iter().position(|own| *own == name)?;
                Some((names[at], spare[at].clone()?))
            };
            settle(&table, &mut values, &spare, choice);
            use_constants(table.parameters, &mut values);
            values
        })
        .boxed()
}

/// Changes which values are given until the rules of the table hold; `choice` says which of several ways is taken.
fn settle(
    table: &Table<'static>,
    values: &mut Values,
    spare: &dyn Fn(&str) -> Option<(&'static str, Value)>,
    choice: usize,
) {
    let give = |values: &mut Values, names: &[&str]| {
        for name in names.iter().filter(|name| !has_default(table, name)) {
            if let (false, Some((name, value))) = (values.is_given(name), spare(name)) {
                values.set(name, value);
            }
        }
    };
    for rule in table.rules {
        match *rule {
            Rule::OneOf(group) => {
                let given = |names: &&&[&str]| names.iter().any(|name| values.is_given(name));
                let chosen: Vec<&[&str]> = group.alternatives.iter().filter(given).copied().collect();
                let among = if chosen.is_empty() && group.required { group.alternatives } else { &chosen };
                let taken = among.get(choice % among.len().max(1)).copied().unwrap_or_default();
                group.names().filter(|name| !taken.contains(name)).for_each(|name| values.unset(name));
                give(values, taken);
            }
            Rule::AllButOne(groups) => {
                let left = choice % groups.len();
                for (i, names) in groups.iter().enumerate() {
                    let given = names.iter().position(|name| values.is_given(name));
                    let kept = given.unwrap_or(choice / groups.len() % names.len());
                    let unset = |(k, name): (usize, &&str)| {
                        if i == left || k != kept {
                            values.unset(name);
                        }
                    };
                    names.iter().enumerate().for_each(unset);
                    if i != left {
                        give(values, &names[kept..=kept]);
                    }
                }
            }
            Rule::AnyOf(names) if !names.iter().any(|name| values.is_given(name)) => {
                give(values, &names[choice % names.len()..][..1]);
            }
            Rule::Needs { parameter, needs } if values.is_given(parameter) => give(values, needs),
            Rule::AnyOf(_)
            | Rule::Formerly { .. }
            | Rule::Needs { .. }
            | Rule::Unused { .. }
            | Rule::OnlyWith { .. } => {}
        }
    }
    // What has no effect goes last: what is needed is there by now.
    for rule in table.rules {
        match *rule {
            Rule::Unused { parameter, beside, unless } => {
                let used = unless.is_some_and(|unless| values.is_given(unless));
                if values.is_given(beside) && !used {
                    values.unset(parameter);
                }
            }
            Rule::OnlyWith { parameters, key, word } if values.word(key) != Some(word) => {
                let whole = |path: &&&str| values.is_given(path);
                let roots: Vec<&str> =
                    parameters.iter().filter(whole).filter_map(|path| path.split('.').next()).collect();
                roots.into_iter().for_each(|name| values.unset(name));
            }
            _ => {}
        }
    }
}

/// Keeps the constants that the formula beside them uses: others are refused.
pub fn use_constants(parameters: &[Parameter], values: &mut Values) {
    let formula = parameters.iter().find(|parameter| matches!(parameter.takes, Takes::Formula(_)));
    let text = formula.and_then(|parameter| values.word(parameter.name)).unwrap_or_default();
    let steps = parse(text).unwrap_or_default();
    let kept = parameters.iter().filter_map(|parameter| {
        let constants = values.constants(parameter.name)?;
        let used = constants.iter().filter(|(name, _)| steps.iter().any(|step| step.reads(name)));
        Some((parameter.name, used.map(|(name, c)| (name.clone(), *c)).collect::<BTreeMap<String, f64>>()))
    });
    for (name, constants) in kept.collect::<Vec<_>>() {
        values.set(name, constants);
    }
}

fn has_default(table: &Table<'_>, name: &str) -> bool {
    table.find(name).is_some_and(|p| matches!(p.absent, Absent::Number(_) | Absent::Word(_)))
}

/// The first ratio of partials, and those of one to the one before it, of bars that are undercut: most of them can be reached.
const RATIOS: std::ops::Range<f64> = 2.9..4.5;
const STEPS: std::ops::Range<f64> = 2.1..2.5;

/// A value in range; `None` for files, which no part at random reads.
fn any_value(parameter: &Parameter, decades: Decades) -> BoxedStrategy<Option<Value>> {
    match parameter.takes {
        Takes::Number(role, range) => number(role, range, decades).prop_map(|x| Some(x.into())).boxed(),
        Takes::Numbers(role, range) => {
            collection::vec(number(role, range, decades), 1..5).prop_map(|list| Some(list.into())).boxed()
        }
        Takes::Ratios(range, most) => (RATIOS, collection::vec(STEPS, most), 1..=most)
            .prop_map(move |(first, steps, count)| {
                let all = steps.iter().scan(range.nearest(first), |ratio, step| {
                    let own = *ratio;
                    *ratio = range.nearest(own * step);
                    Some(own)
                });
                Some(all.take(count).collect::<Vec<f64>>().into())
            })
            .boxed(),
        Takes::Pitch => {
            number(Role::Frequency, Range::POSITIVE, decades).prop_map(|x| Some(x.into())).boxed()
        }
        Takes::Pairs(x, y) | Takes::Curve { x, y, .. } => {
            let ahead = Range { min: x.1.min.max(0.0), ..x.1 };
            let pair = (number(x.0, ahead, decades), number(y.0, y.1, decades));
            let sorted = |mut pairs: Vec<(f64, f64)>| {
                pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
                Some(pairs.into())
            };
            collection::vec(pair, 2..5).prop_map(sorted).boxed()
        }
        Takes::Word(words) => sample::select(words).prop_map(|word| Some(word.into())).boxed(),
        Takes::File => Just(None).boxed(),
        Takes::Formula(examples) => sample::select(examples).prop_map(|text| Some(text.into())).boxed(),
        Takes::Constants(names) => {
            collection::vec(number(Role::Number, Range::POSITIVE, decades), names.len())
                .prop_map(|numbers| {
                    let named = names.iter().map(|name| name.to_string()).zip(numbers);
                    Some(named.collect::<BTreeMap<String, f64>>().into())
                })
                .boxed()
        }
        Takes::Columns(columns) => any_columns(columns, decades).prop_map(|c| Some(c.into())).boxed(),
        Takes::Table(inner) => values_among(inner, decades).prop_map(|table| Some(table.into())).boxed(),
    }
}

/// A file of one to five rows.
fn any_columns(columns: &'static [Column], decades: Decades) -> BoxedStrategy<Columns> {
    let column = move |column: &'static Column, rows: usize| {
        let numbers = collection::vec(number(column.role, column.range, decades), rows);
        let at = number(Role::Length, Range::NOT_NEGATIVE, decades);
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

/// A number in its range, of a size that its role makes plausible, often a round one.
fn number(role: Role, range: Range, decades: Decades) -> BoxedStrategy<f64> {
    let exponents = decades(role, &range);
    let signs: &[f64] = if range.min < 0.0 { &[1.0, -1.0] } else { &[1.0] };
    let least = if range.min.is_finite() { range.min } else { 0.0 };
    let offset = (exponents, sample::select(signs)).prop_map(|(e, sign)| sign * 10f64.powf(e));
    (offset, prop_oneof![Just(0.0), Just(1.0), Just(2.0)])
        .prop_map(move |(offset, per_unit)| {
            let x = least + offset;
            let per_unit = if role.is_whole() { 1.0 } else { per_unit };
            let round = if per_unit == 0.0 { x } else { (x * per_unit).round() / per_unit };
            let x = if role.is_whole() { round } else { x };
            [round, x, least].into_iter().find(|&x| range.holds(x)).unwrap_or(range.max)
        })
        .boxed()
}

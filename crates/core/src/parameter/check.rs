//! How values break the rules of a table, and the rules in sentences.

use super::{
    complaint::Complaint,
    role::Role,
    rule::{OneOf, Rule},
    table::{Absent, Parameter, Table, Takes, written},
    values::Values,
};
use std::fmt::Write;

impl<'a> Table<'a> {
    /// Everything that is wrong with the values given to the table: missing parameters, numbers that are not whole and
    /// broken rules, also in tables within. Ranges were checked when the values were read.
    pub fn check(&self, values: &Values) -> Vec<Complaint> {
        let own = self.parameters.iter().flat_map(|parameter| parameter.complaints(values));
        own.chain(self.rules.iter().flat_map(|rule| rule.complaints(self.parameters, values))).collect()
    }

    /// The words that follow from what is given, for each parameter that is `open`: where a parameter is given that has an effect
    /// only with one word of it, that word; of several such parameters, that of the first rule.
    pub fn implied(&self, values: &Values, open: impl Fn(&str) -> bool) -> Vec<(&'static str, &'static str)> {
        let mut words: Vec<(&str, &str)> = Vec::new();
        for rule in self.rules {
            if let Rule::OnlyWith { parameters, key, word } = *rule
                && open(key)
                && parameters.iter().any(|path| values.is_given(path))
                && words.iter().all(|(known, _)| *known != key)
            {
                words.push((key, word));
            }
        }
        words
    }

    /// The parameters that are given, have an effect with different words of one that is `open`, and so exclude one another:
    /// one complaint that names both.
    pub fn contradictions(&self, values: &Values, open: impl Fn(&str) -> bool) -> Vec<Complaint> {
        let mut first: Vec<(&str, &str, &str)> = Vec::new();
        let mut complaints = Vec::new();
        for rule in self.rules {
            let Rule::OnlyWith { parameters, key, word } = *rule else { continue };
            for path in parameters.iter().filter(|path| open(key) && values.is_given(path)) {
                match first.iter().find(|(known, ..)| *known == key) {
                    None => first.push((key, word, path)),
                    Some((_, other, _)) if *other == word => {}
                    Some((_, other, beside)) => complaints.push(
                        Complaint::new(
                            *path,
                            format!(
                                "needs {key} = {}, but `{beside}` needs {key} = {}",
                                written(word),
                                written(other)
                            ),
                        )
                        .help(format!("leave out `{path}` or `{beside}`")),
                    ),
                }
            }
        }
        complaints
    }

    /// The parameter at a path such as `loss.d1`.
    pub fn find(&self, path: &str) -> Option<&'a Parameter> {
        let (name, rest) = path.split_once('.').unwrap_or((path, ""));
        let own = find(self.parameters, name)?;
        match own.takes {
            Takes::Table(table) if !rest.is_empty() => table.find(rest),
            _ => Some(own),
        }
    }
}

impl Parameter {
    /// What is wrong with its value among these.
    fn complaints(&self, values: &Values) -> Vec<Complaint> {
        match (self.takes, self.absent) {
            (_, Absent::Required) if !values.is_given(self.name) => {
                vec![Complaint::new(self.name, "is missing")]
            }
            (Takes::Number(role, _), _) => {
                let broken = values.number(self.name).filter(|x| role.is_whole() && x.fract() != 0.0);
                let complaint = |x| Complaint::new(self.name, format!("is {x}; it must be a whole number"));
                broken.map(complaint).into_iter().collect()
            }
            (Takes::Ratios(_, most), _) => {
                let wrong = values.list(self.name).and_then(|ratios| unordered(ratios, most));
                wrong.map(|message| Complaint::new(self.name, message)).into_iter().collect()
            }
            (Takes::Curve { x, least, .. }, _) => {
                let wrong = values.pairs(self.name).and_then(|pairs| disorder(pairs, x.0, least));
                wrong.map(|message| Complaint::new(self.name, message)).into_iter().collect()
            }
            (Takes::Table(table), _) => {
                let inner = values.table(self.name).map_or(Vec::new(), |inner| table.check(inner));
                inner.into_iter().map(|complaint| complaint.within(self.name)).collect()
            }
            _ => Vec::new(),
        }
    }
}

impl Rule {
    /// How these values break it.
    fn complaints(&self, parameters: &[Parameter], values: &Values) -> Vec<Complaint> {
        let given = |name: &str| values.is_given(name);
        let missing = |names: &[&'static str]| -> Vec<&'static str> {
            names.iter().copied().filter(|name| !given(name) && !has_default(parameters, name)).collect()
        };
        match *self {
            Rule::OneOf(group) => one_of(&group, parameters, values),
            Rule::AllButOne(groups) => all_but_one(groups, parameters, values),
            Rule::AnyOf(names) if names.iter().any(|name| given(name)) => Vec::new(),
            Rule::AnyOf(names) => {
                let names: Vec<String> = names.iter().map(|name| with_unit(parameters, name)).collect();
                vec![Complaint::new("", format!("needs {}", list(&names, "or")))]
            }
            Rule::Needs { parameter, needs } if given(parameter) => {
                let absent = |name: &str| {
                    Complaint::new(parameter, format!("needs `{name}` as well"))
                        .help(format!("add `{name}`, or leave `{parameter}` out"))
                };
                missing(needs).into_iter().map(absent).collect()
            }
            Rule::Unused { parameter, beside, unless }
                if given(parameter) && given(beside) && !unless.is_some_and(given) =>
            {
                let also = unless.map_or(String::new(), |other| format!(" without `{other}`"));
                let message = format!("has no effect beside `{beside}`{also}");
                vec![Complaint::new(parameter, message).help("leave one of them out")]
            }
            Rule::OnlyWith { parameters, key, word }
                if values.word(key) != Some(word) && values.is_readable(key) =>
            {
                let useless = |path: &&'static str| {
                    let word = written(word);
                    Complaint::new(*path, format!("has an effect only with {key} = {word}"))
                        .help(format!("add {key} = {word}, or leave `{path}` out"))
                };
                parameters.iter().filter(|path| given(path)).map(useless).collect()
            }
            Rule::Formerly { .. } | Rule::Needs { .. } | Rule::Unused { .. } | Rule::OnlyWith { .. } => {
                Vec::new()
            }
        }
    }

    /// The rule in a sentence, for `describe` and the schema.
    pub fn sentence(&self, parameters: &[Parameter]) -> String {
        let with_units = |names: &[&str]| -> Vec<String> {
            names.iter().map(|name| with_unit(parameters, name)).collect()
        };
        let plain =
            |names: &[&str]| -> Vec<String> { names.iter().map(|name| (*name).to_string()).collect() };
        match self {
            Rule::OneOf(group) => {
                let ways: Vec<String> =
                    group.alternatives.iter().map(|names| list(&with_units(names), "with")).collect();
                let count = if group.required { "one of" } else { "at most one of" };
                format!("{}, {count}: {}", group.states, ways.join(", "))
            }
            Rule::AnyOf(names) => format!("at least one of: {}", with_units(names).join(", ")),
            Rule::AllButOne(groups) => {
                format!("all but one of {}; the one left out follows", list(&ways(groups, parameters), "and"))
            }
            Rule::Formerly { parameter, meant } => {
                format!("in scenes of format 1 {parameter} means {meant}")
            }
            Rule::Needs { parameter, needs } => format!("{parameter} needs {}", list(&plain(needs), "and")),
            Rule::Unused { parameter, beside, unless } => {
                let mut text = format!("{parameter} has no effect beside {beside}");
                if let Some(unless) = unless {
                    let _ = write!(text, " without {unless}");
                }
                text
            }
            Rule::OnlyWith { parameters, key, word } => {
                format!("only with {key} = {}: {}", written(word), parameters.join(", "))
            }
        }
    }
}

/// How the values break a group.
fn one_of(group: &OneOf, parameters: &[Parameter], values: &Values) -> Vec<Complaint> {
    let given = |names: &[&'static str]| names.iter().copied().find(|name| values.is_given(name));
    let chosen: Vec<(&str, &[&str])> =
        group.alternatives.iter().filter_map(|names| Some((given(names)?, *names))).collect();
    match chosen[..] {
        [] if group.required => {
            let ways: Vec<String> = group
                .alternatives
                .iter()
                .map(|names| {
                    let names: Vec<String> = names.iter().map(|name| with_unit(parameters, name)).collect();
                    list(&names, "with")
                })
                .collect();
            vec![Complaint::new("", format!("needs {}: give one of {}", group.states, ways.join(", ")))]
        }
        [] => Vec::new(),
        [(first, names)] => names
            .iter()
            .filter(|name| !values.is_given(name) && !has_default(parameters, name))
            .map(|name| {
                Complaint::new(first, format!("needs `{name}` as well")).help(format!("add `{name}`"))
            })
            .collect(),
        [(first, _), ref others @ ..] => others
            .iter()
            .map(|(other, _)| {
                Complaint::new(*other, format!("and `{first}` both state {}", group.states))
                    .help("give one of them")
            })
            .collect(),
    }
}

/// The groups, each as its parameters: `frequency (Hz) or pitch`.
fn ways(groups: &[&[&str]], parameters: &[Parameter]) -> Vec<String> {
    let way = |names: &&[&str]| {
        let names: Vec<String> = names.iter().map(|name| with_unit(parameters, name)).collect();
        list(&names, "or")
    };
    groups.iter().map(way).collect()
}

/// How the values break the rule that all groups but one are given.
fn all_but_one(
    groups: &[&'static [&'static str]],
    parameters: &[Parameter],
    values: &Values,
) -> Vec<Complaint> {
    let given = |names: &&'static [&'static str]| -> Vec<&'static str> {
        names.iter().copied().filter(|name| values.is_given(name)).collect()
    };
    let chosen: Vec<Vec<&str>> = groups.iter().map(given).filter(|names| !names.is_empty()).collect();
    let twice = chosen.iter().filter_map(|names| match names[..] {
        [first, other, ..] => {
            let message = format!("and `{first}` both state the same");
            Some(Complaint::new(other, message).help("give one of them"))
        }
        _ => None,
    });
    let mut complaints: Vec<Complaint> = twice.collect();
    let all = list(&ways(groups, parameters), "and");
    if chosen.len() == groups.len() {
        // Of a value that cannot be read, or a name that is not spelled right, that is the mistake.
        if !chosen.iter().flatten().all(|name| values.is_readable(name)) {
            return complaints;
        }
        let (last, others) = chosen.split_last().map_or(("", &[][..]), |(last, others)| (last[0], others));
        let others: Vec<String> = others.iter().map(|names| format!("`{}`", names[0])).collect();
        let message = format!("follows from {}", list(&others, "and"));
        complaints.push(Complaint::new(last, message).help(format!("leave one of {all} out")));
    } else if chosen.len() + 1 < groups.len() {
        let message = format!("needs all but one of {all}; the one left out follows");
        complaints.push(Complaint::new("", message));
    }
    complaints
}

/// What is wrong with a list of ratios: too many, or not ascending.
fn unordered(ratios: &[f64], most: usize) -> Option<String> {
    if !(1..=most).contains(&ratios.len()) {
        return Some(format!("takes 1 to {most} ratios, not {}", ratios.len()));
    }
    let wrong = ratios.windows(2).find(|two| two[1] <= two[0])?;
    Some(format!("has {} after {}, but ratios must increase", wrong[1], wrong[0]))
}

/// What is wrong with the x of a curve's pairs: too few, or not ascending.
fn disorder(pairs: &[(f64, f64)], role: Role, least: usize) -> Option<String> {
    if pairs.len() < least {
        return Some(format!("takes {least} pairs [x, y] or more, not {}", pairs.len()));
    }
    let wrong = pairs.windows(2).find(|two| two[1].0 <= two[0].0)?;
    let (unit, before, after) = (role.symbol(), wrong[0].0, wrong[1].0);
    Some(format!("has {after} {unit} after {before} {unit}, but the first of each pair must increase"))
}

fn find<'a>(parameters: &'a [Parameter], name: &str) -> Option<&'a Parameter> {
    parameters.iter().find(|parameter| parameter.name == name)
}

fn has_default(parameters: &[Parameter], name: &str) -> bool {
    find(parameters, name).is_some_and(|p| matches!(p.absent, Absent::Number(_) | Absent::Word(_)))
}

/// `tension (N)`.
fn with_unit(parameters: &[Parameter], name: &str) -> String {
    let unit = find(parameters, name).and_then(Parameter::role).map(|role| role.symbol());
    match unit.as_deref() {
        None | Some("") => name.into(),
        Some(unit) => format!("{name} ({unit})"),
    }
}

/// `a, b or c`.
fn list(names: &[String], last: &str) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [front @ .., end] => format!("{} {last} {end}", front.join(", ")),
    }
}

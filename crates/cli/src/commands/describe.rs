//! `hamiltone describe`: equations, source, parameters with unit, range and default, and the claims of a scheme.

use crate::{exit, failure::Failure, output::say};
use hamiltone_core::{
    claims::{Balance, Claims, Contraction},
    coverage::{Coverage, Feature},
    parameter::{Absent, Column, Kind, Parameter, Range, Role, Table, Takes, written},
};
use hamiltone_scene::{
    catalogue::Category,
    document::suggest::suggest,
    resolve::{self, Frame, Key, Sections},
    units::plain,
};

/// The name under which places are described.
const PLACE: &str = "place";

/// Describes everything with this name: a kind may have the name of a section.
///
/// # Errors
/// A name that is not known.
pub fn run(name: &str) -> Result<u8, Failure> {
    let kinds = || Category::ALL.into_iter().flat_map(|c| c.kinds().into_iter().map(move |kind| (c, kind)));
    let frames = [&resolve::frames()[..], &resolve::instrument_frames()].concat();
    let mut found = false;
    for (category, kind) in kinds().filter(|(_, kind)| kind.name == name) {
        // What a drive is at the start, a gesture may be at any time: both have the same name.
        if found {
            say!("");
        }
        describe_kind(category, kind);
        found = true;
    }
    for frame in frames.iter().filter(|frame| frame.name == name) {
        if found {
            say!("");
        }
        say!("{}: {}\n", frame.header(), frame.summary);
        table(frame.keys, &frame.table());
        found = true;
    }
    if name == PLACE {
        say!("place: a point of a body, for `at` and `between`\n");
        let width = resolve::PLACES.iter().map(|(text, _)| text.chars().count() + 2).max().unwrap_or(0);
        resolve::PLACES.iter().for_each(|(text, doc)| say!("  {:width$}  {doc}", format!("\"{text}\"")));
        found = true;
    }
    if found {
        return Ok(exit::OK);
    }
    let sections = frames.iter().map(|frame| frame.name);
    let names: Vec<&str> = kinds().map(|(_, kind)| kind.name).chain(sections).chain([PLACE]).collect();
    Err(Failure::Other(format!("the name `{name}` is not known; {}", suggest(name, names, "names"))))
}

fn describe_kind(category: Category, kind: &Kind) {
    let (section, key) = category.place();
    let frame = resolve::frames().into_iter().find(|frame| frame.name == section);
    let header = frame.as_ref().map_or_else(String::new, Frame::header);
    let heading = format!("{}: {}", kind.name, kind.summary);
    wrapped(&heading, WIDTH).iter().for_each(|line| say!("{line}"));
    say!("  in {header}  {key} = \"{}\"", kind.name);
    if category == Category::Gestures {
        let lists = resolve::instrument_frames().into_iter().filter(|f| f.sections == Sections::Listed);
        let lists: Vec<String> = lists.map(|list| list.header()).collect();
        let text = format!("in an instrument {}, with `delay` in place of `time`", lists.join(" "));
        hanging(&text);
    }
    say!("");
    kind.equation.lines().flat_map(equations).for_each(|line| say!("    {line}"));
    say!("");
    let source = format!("source: {}", source(kind.source));
    wrapped(&source, WIDTH - 2).iter().for_each(|line| say!("  {line}"));
    say!("");
    if category == Category::Schemes {
        if let Some(scheme) = hamiltone_schemes::named(kind.name) {
            claims(&scheme.claims());
            coverage(scheme.coverage());
        }
        let claims = hamiltone_schemes::named(kind.name).map(|scheme| scheme.claims());
        let bounded = claims.is_some_and(|c| [c.linear, c.contact].contains(&Balance::Bounded));
        let common: &[Parameter] = if bounded { &[resolve::BALANCE_BOUND] } else { &[] };
        let options = [kind.parameters, common].concat();
        if !options.is_empty() {
            say!("  options, in [run.options]:\n");
        }
        table(&[], &Table { parameters: &options, rules: kind.rules });
    } else {
        let target = category.target(kind);
        let other = |own: &Key, frame: &Frame| {
            target.is_some_and(|target| own.name != target && frame.one_of.contains(&own.name))
        };
        let keys = |frame: &'_ Frame| -> Vec<Key> {
            let takes = |own: &&Key| own.name != key && !other(own, frame);
            let needed = |own: &Key| Key { required: own.required || target == Some(own.name), ..*own };
            frame.keys.iter().filter(takes).map(needed).collect()
        };
        let own: Vec<Key> = frame.as_ref().map(keys).unwrap_or_default();
        let (parameters, rules) = frame.map_or((&[][..], &[][..]), |frame| (frame.parameters, frame.rules));
        let (parameters, rules) = ([kind.parameters, parameters].concat(), [kind.rules, rules].concat());
        table(&own, &Table { parameters: &parameters, rules: &rules });
    }
}

/// A source with the short names of papers replaced by author and year.
fn source(source: &str) -> String {
    let papers = [
        ("C15", "Chatziioannou & van Walstijn 2015"),
        ("C19", "Chatziioannou 2019"),
        ("D17", "Ducceschi 2017"),
        ("I18", "Ishikawa, Michels & Yaguchi 2018"),
    ];
    papers.iter().fold(source.into(), |text, (short, full)| text.replace(short, full))
}

/// Keys and parameters, each with what it takes, what holds without it and what it is; then the rules between them.
fn table(keys: &[Key], table: &Table<'_>) {
    let required = |required| if required { "required" } else { "optional" };
    let keys = keys.iter().map(|key| Row {
        name: key.name.into(),
        takes: format!("such as {}; {}", key.example, required(key.required)),
        doc: key.doc.into(),
    });
    let rows: Vec<Row> = keys.chain(table.parameters.iter().flat_map(|p| rows("", p))).collect();
    let indent = 4 + rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0).min(24);
    for Row { name, takes, doc } in &rows {
        let mut lines = wrapped(takes, WIDTH - indent);
        lines.extend(wrapped(doc, WIDTH - indent));
        // A long name has a line of its own.
        if name.chars().count() + 4 > indent {
            say!("  {name}");
        } else if !lines.is_empty() {
            say!("  {name:w$}  {}", lines.remove(0), w = indent - 4);
        }
        lines.iter().for_each(|line| say!("{:indent$}{line}", ""));
    }
    let sentences = rules("", table);
    if !sentences.is_empty() {
        say!("");
    }
    sentences.iter().for_each(|sentence| hanging(sentence));
}

/// Prints a sentence, its further lines indented more than the first.
fn hanging(sentence: &str) {
    let mut lines = wrapped(sentence, WIDTH - 6).into_iter();
    say!("  {}", lines.next().unwrap_or_default());
    lines.for_each(|line| say!("      {line}"));
}

/// The widest line, in characters.
const WIDTH: usize = 100;

/// A text in lines of so many characters at most; a longer word stays whole.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.into()),
        }
    }
    lines
}

/// A line of equations, broken between them where it is too wide.
fn equations(line: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for equation in line.split_inclusive("  ") {
        match lines.last_mut() {
            Some(line) if (line.clone() + equation).trim_end().chars().count() <= WIDTH - 4 => {
                *line += equation
            }
            _ => lines.push(equation.into()),
        }
    }
    lines.into_iter().map(|line| line.trim_end().into()).collect()
}

/// A parameter or key in words.
struct Row {
    name: String,
    /// What it takes, and what holds without it.
    takes: String,
    doc: String,
}

/// The rules of a table and of those within it, in sentences.
fn rules(path: &str, table: &Table<'_>) -> Vec<String> {
    let own = table.rules.iter().map(|rule| format!("{path}{}", rule.sentence(table.parameters)));
    let inner = table.parameters.iter().filter_map(|p| match p.takes {
        Takes::Table(inner) => Some(rules(&format!("in {}: ", p.name), &inner)),
        _ => None,
    });
    own.chain(inner.flatten()).collect()
}

/// A parameter's row, and below it those of the table that it takes.
fn rows(path: &str, p: &Parameter) -> Vec<Row> {
    let name = format!("{path}{}", p.name);
    let inner = match p.takes {
        Takes::Table(inner) => inner.parameters.iter().flat_map(|p| rows(&format!("{name}."), p)).collect(),
        Takes::Columns(columns) => columns.iter().map(|column| self::column(&name, column)).collect(),
        _ => Vec::new(),
    };
    let takes = [takes(&p.takes), absent(&p.absent, &p.takes)].into_iter().filter(|text| !text.is_empty());
    let own = Row { name, takes: takes.collect::<Vec<_>>().join("; "), doc: p.doc.into() };
    [vec![own], inner].into_iter().flatten().collect()
}

/// The row of a column.
fn column(path: &str, column: &Column) -> Row {
    let numbers = takes(&Takes::Number(column.role, column.range));
    let absent = if column.required { "required" } else { "optional" };
    let more = if column.name.ends_with('=') { "…" } else { "" };
    let name = format!("{path}: column {}{more}", column.name);
    Row { name, takes: format!("{numbers}; {absent}"), doc: String::new() }
}

/// The values of a parameter, as text.
pub fn takes(takes: &Takes) -> String {
    let number = |role: Role, range: &Range| {
        let what = match (role.symbol(), role.is_whole()) {
            (unit, false) if unit.is_empty() => "number".into(),
            (unit, true) if unit.is_empty() => "whole number".into(),
            (unit, _) => unit,
        };
        let what = if *range == Range::ANY { what.into_owned() } else { format!("{what} {range}") };
        // What is accepted anyway need not be said again.
        match role.usual() {
            Some(usual) if range.min < usual.range.min || range.max > usual.range.max => {
                let from = if usual.range.min > 0.0 {
                    format!("{} to ", plain(usual.range.min))
                } else {
                    "up to ".into()
                };
                format!("{what}, usually {from}{}", plain(usual.range.max))
            }
            _ => what,
        }
    };
    match takes {
        Takes::Number(role, range) => number(*role, range),
        Takes::Numbers(role, range) => format!("list of {}", number(*role, range)),
        Takes::Ratios(range, most) => format!("list of 1 to {most} ascending numbers {range}"),
        Takes::Pitch => "note such as \"E2\", \"F#3 -14 cents\"".into(),
        Takes::Curve { x, y, .. } => {
            format!("pairs of ascending {} and {}", number(x.0, &x.1), number(y.0, &y.1))
        }
        Takes::Pairs(x, y) => format!("pairs of {} and {}", number(x.0, &x.1), number(y.0, &y.1)),
        Takes::Word(words) => words.iter().map(|word| written(word)).collect::<Vec<_>>().join(" | "),
        Takes::File => "path of a file".into(),
        Takes::Columns(_) => "path of a CSV or NPZ file".into(),
        Takes::Formula(_) => "formula of x".into(),
        Takes::Constants(_) => "table of numbers".into(),
        Takes::Table(_) => "table".into(),
    }
}

/// The value of a parameter that is not given, as text.
fn absent(absent: &Absent, takes: &Takes) -> String {
    match (absent, takes) {
        (Absent::Required, _) => "required".into(),
        (Absent::Rule, _) => String::new(),
        (Absent::Optional(then), _) => format!("otherwise {then}"),
        (Absent::Number(x), Takes::Number(role, _)) => {
            format!("default {}", format!("{x} {}", role.symbol()).trim_end())
        }
        (Absent::Number(x), _) => format!("default {x}"),
        (Absent::Word(word), _) => format!("default {}", written(word)),
    }
}

/// Prints what a scheme covers, and what it refuses.
fn coverage(coverage: Coverage) {
    let list = |covered: bool| {
        let of = Feature::ALL.into_iter().filter(|feature| coverage.features.contains(feature) == covered);
        of.map(Feature::label).collect::<Vec<_>>().join(", ")
    };
    hanging(&format!("covers: {}", list(true)));
    hanging(&format!("refuses: {}", list(false)));
}

/// Prints the claims of a scheme.
fn claims(claims: &Claims) {
    let balance = |b: Balance| match b {
        Balance::Exact { .. } => "exact, up to rounding error",
        Balance::Bounded => "bounded",
    };
    let area = match claims.contraction {
        Contraction::Conformal => "e^(−γΔt) (conformal)",
        Contraction::Pade => "(2 − γΔt)/(2 + γΔt)",
        Contraction::Gradient => "(ω²Δt²/2 + 2 − γΔt)/(ω²Δt²/2 + 2 + γΔt)",
        Contraction::Free => "no claim",
    };
    let also = match (claims.contraction_with_links, claims.contraction_with_contact) {
        (true, true) => "; with links and contacts, too",
        (true, false) => "; with links, too",
        (false, true) => "; with contacts, too",
        (false, false) => "",
    };
    say!("  claims, verified by tests:");
    let free = if claims.order_free == claims.order {
        String::new()
    } else {
        format!("; {} without damping and drives", claims.order_free)
    };
    say!("    order                     {}{free}", claims.order);
    say!("    energy balance            {}", balance(claims.linear));
    say!("    energy balance, contacts  {}", balance(claims.contact));
    say!("    phase-area contraction    {area}{also}");
    say!(
        "    stability                 {}\n",
        match claims.limit {
            Some(limit) => format!("stable for ωΔt ≤ {}", plain(limit)),
            None => "stable for every Δt".into(),
        }
    );
}

//! `hamiltone describe`: equations, source, parameters with unit, range and default, and the claims of a scheme.

use crate::{exit, failure::Failure, output::say};
use hamiltone_core::{
    claims::{Balance, Claims, Contraction},
    parameter::{Absent, Column, Kind, Parameter, Range, Takes},
};
use hamiltone_scene::{
    catalogue::Category,
    document::suggest::suggest,
    resolve::{self, Key},
    units::plain,
};

/// Describes everything with this name: a kind may have the name of a section.
///
/// # Errors
/// A name that is not known.
pub fn run(name: &str) -> Result<u8, Failure> {
    let kinds = || Category::ALL.into_iter().flat_map(|c| c.kinds().into_iter().map(move |kind| (c, kind)));
    let frames = resolve::frames();
    let mut found = false;
    for (category, kind) in kinds().filter(|(_, kind)| kind.name == name) {
        describe_kind(category, kind);
        found = true;
    }
    for frame in frames.iter().filter(|frame| frame.name == name) {
        let header = if frame.named { format!("[{}.NAME]", frame.name) } else { format!("[{}]", frame.name) };
        say!("{header}: {}\n", frame.summary);
        table(frame.keys, frame.parameters);
        found = true;
    }
    if found {
        return Ok(exit::OK);
    }
    let names: Vec<&str> = kinds().map(|(_, kind)| kind.name).chain(frames.iter().map(|f| f.name)).collect();
    Err(Failure::Other(format!("the name `{name}` is not known; {}", suggest(name, names, "names"))))
}

fn describe_kind(category: Category, kind: &Kind) {
    let (section, key) = category.place();
    let header = if section == "run" { "[run]".into() } else { format!("[{section}.NAME]") };
    say!("{}: {}", kind.name, kind.summary);
    say!("  in {header}  {key} = \"{}\"\n", kind.name);
    for line in kind.equation.lines() {
        say!("    {line}");
    }
    say!("\n  source: {}\n", source(kind.source));
    if category == Category::Schemes {
        if let Some(scheme) = hamiltone_schemes::named(kind.name) {
            claims(&scheme.claims());
        }
        let claims = hamiltone_schemes::named(kind.name).map(|scheme| scheme.claims());
        let bounded = claims.is_some_and(|c| [c.linear, c.contact].contains(&Balance::Bounded));
        let common: &[Parameter] = if bounded { &[resolve::BALANCE_BOUND] } else { &[] };
        let options = [kind.parameters, common].concat();
        if !options.is_empty() {
            say!("  options, in [run.options]:\n");
        }
        table(&[], &options);
    } else {
        let frame = resolve::frames().into_iter().find(|frame| frame.name == section);
        let keys = frame.iter().flat_map(|frame| frame.keys).filter(|own| own.name != key);
        let own: Vec<Key> = keys.copied().collect();
        let common = frame.map_or(&[][..], |frame| frame.parameters);
        table(&own, &[kind.parameters, common].concat());
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

/// A table: name, values, default, meaning.
fn table(keys: &[Key], parameters: &[Parameter]) {
    let required = |required| if required { "required" } else { "optional" };
    let keys = keys
        .iter()
        .map(|key| [key.name.into(), key.example.into(), required(key.required).into(), key.doc.into()]);
    let rows: Vec<[String; 4]> = keys.chain(parameters.iter().flat_map(|p| rows("", p))).collect();
    let width = |i: usize| rows.iter().map(|row| row[i].chars().count()).max().unwrap_or(0);
    let (a, b, c) = (width(0), width(1), width(2));
    for [name, takes, absent, doc] in &rows {
        say!("  {name:a$}  {takes:b$}  {absent:c$}  {doc}");
    }
}

/// The row of a parameter, and below it those of the table that it takes.
fn rows(path: &str, p: &Parameter) -> Vec<[String; 4]> {
    let name = format!("{path}{}", p.name);
    let inner = match p.takes {
        Takes::Table(inner) => inner.iter().flat_map(|p| rows(&format!("{name}."), p)).collect(),
        Takes::Columns(columns) => columns.iter().map(|column| self::column(&name, column)).collect(),
        _ => Vec::new(),
    };
    let own = [name, takes(&p.takes), absent(&p.absent, &p.takes), p.doc.into()];
    [vec![own], inner].concat()
}

/// The row of a column.
fn column(path: &str, column: &Column) -> [String; 4] {
    let numbers = takes(&Takes::Number(column.unit, column.range));
    let absent = if column.required { "required" } else { "optional" };
    let name = match column.name.ends_with('=') {
        true => format!("{path}: column {}…", column.name),
        false => format!("{path}: column {}", column.name),
    };
    [name, numbers, absent.into(), String::new()]
}

/// The values of a parameter, as text.
pub fn takes(takes: &Takes) -> String {
    let number = |unit: &str, range: &Range| match (unit, *range == Range::ANY) {
        ("", true) => "number".to_string(),
        ("", false) => format!("number {range}"),
        (unit, true) => unit.to_string(),
        (unit, false) => format!("{unit}, {range}"),
    };
    match takes {
        Takes::Number(unit, range) => number(unit, range),
        Takes::Numbers(unit, range) => format!("list of {}", number(unit, range)),
        Takes::Pairs(x, y) => format!("pairs of {} and {}", number(x, &Range::ANY), number(y, &Range::ANY)),
        Takes::Word(words) => words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(" | "),
        Takes::File => "path of a file".into(),
        Takes::Columns(_) => "path of a CSV or NPZ file".into(),
        Takes::Table(_) => "table".into(),
    }
}

/// The value of a parameter that is not given, as text.
fn absent(absent: &Absent, takes: &Takes) -> String {
    match (absent, takes) {
        (Absent::Required, _) => "required".into(),
        (Absent::Optional(then), _) => format!("otherwise {then}"),
        (Absent::Number(x), Takes::Number(unit, _)) if !unit.is_empty() => format!("default {x} {unit}"),
        (Absent::Number(x), _) => format!("default {x}"),
        (Absent::Word(word), _) => format!("default \"{word}\""),
    }
}

/// Prints the claims of a scheme.
fn claims(claims: &Claims) {
    let balance = |b: Balance| match b {
        Balance::Exact => "exact, up to rounding error",
        Balance::Bounded => "bounded",
    };
    let area = match claims.contraction {
        Contraction::Conformal => "e^(−γΔt), as the continuous system (conformally symplectic)",
        Contraction::Pade => "(2 − γΔt)/(2 + γΔt)",
        Contraction::Gradient => "(ω²Δt²/2 + 2 − γΔt)/(ω²Δt²/2 + 2 + γΔt)",
        Contraction::Free => "no claim",
    };
    let contact = if claims.contraction_with_contact { "; also with contacts" } else { "" };
    say!("  claims, verified by tests:");
    let free = if claims.order_free == claims.order {
        String::new()
    } else {
        format!("; {} without damping and drives", claims.order_free)
    };
    say!("    order                     {}{free}", claims.order);
    say!("    energy balance            {}", balance(claims.linear));
    say!("    energy balance, contacts  {}", balance(claims.contact));
    say!("    phase-area contraction    {area}{contact}");
    say!(
        "    stability                 {}\n",
        match claims.limit {
            Some(limit) => format!("stable for ωΔt ≤ {}", plain(limit)),
            None => "stable for every Δt".into(),
        }
    );
}

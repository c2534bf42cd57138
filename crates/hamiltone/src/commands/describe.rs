//! `hamiltone describe`: equations, source, parameters with unit, range and default, a scheme's claims.

use super::{Failure, SOUND};
use hamiltone::{
    catalogue::Category,
    resolve::{self, Key},
    scene::problem::suggest,
};
use hamiltone_core::{
    parameter::{Absent, Kind, Parameter, Range, Takes},
    scheme::{Area, Balance, Claims},
};

/// Describes everything of this name.
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
        return Ok(SOUND);
    }
    let names: Vec<&str> = kinds().map(|(_, kind)| kind.name).chain(frames.iter().map(|f| f.name)).collect();
    Err(Failure::Other(format!("there is nothing called `{name}`; {}", suggest(name, names, "names"))))
}

fn describe_kind(category: Category, kind: &Kind) {
    let (section, key) = category.place();
    let header = if section == "run" { "[run]".into() } else { format!("[{section}.NAME]") };
    say!("{}: {}", kind.name, kind.summary);
    say!("  in {header}  {key} = \"{}\"\n", kind.name);
    for line in kind.equation.lines() {
        say!("    {line}");
    }
    say!("\n  source: {}\n", kind.source);
    if category == Category::Schemes {
        if let Some(scheme) = hamiltone_schemes::named(kind.name) {
            claims(&scheme.claims());
        }
        if !kind.parameters.is_empty() {
            say!("  options, in [run.options]:\n");
        }
        table(&[], kind.parameters);
    } else {
        let own: Vec<Key> = resolve::frames()
            .iter()
            .filter(|frame| frame.name == section)
            .flat_map(|frame| frame.keys.iter().filter(|own| own.name != key).copied())
            .collect();
        table(&own, kind.parameters);
    }
}

/// Names, what they take, what holds without them, what they are.
fn table(keys: &[Key], parameters: &[Parameter]) {
    let required = |required| if required { "required" } else { "optional" };
    let keys = keys
        .iter()
        .map(|key| [key.name.into(), key.example.into(), required(key.required).into(), key.doc.into()]);
    let parameters = parameters
        .iter()
        .map(|p| [p.name.into(), takes(&p.takes), absent(&p.absent, &p.takes), p.doc.into()]);
    let rows: Vec<[String; 4]> = keys.chain(parameters).collect();
    let width = |i: usize| rows.iter().map(|row| row[i].chars().count()).max().unwrap_or(0);
    let (a, b, c) = (width(0), width(1), width(2));
    for [name, takes, absent, doc] in &rows {
        say!("  {name:a$}  {takes:b$}  {absent:c$}  {doc}");
    }
}

/// What a parameter takes, in words.
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
        Takes::Table(_) => "table".into(),
    }
}

fn absent(absent: &Absent, takes: &Takes) -> String {
    match (absent, takes) {
        (Absent::Required, _) => "required".into(),
        (Absent::Optional(then), _) => format!("else {then}"),
        (Absent::Number(x), Takes::Number(unit, _)) if !unit.is_empty() => format!("default {x} {unit}"),
        (Absent::Number(x), _) => format!("default {x}"),
        (Absent::Word(word), _) => format!("default \"{word}\""),
    }
}

fn claims(claims: &Claims) {
    let balance = |b: Balance| match b {
        Balance::Exact => "exact, to rounding",
        Balance::Bounded => "bounded",
    };
    let area = match claims.area {
        Area::Conformal => "e^(−γΔt), as the continuous system (conformal symplectic)",
        Area::Pade => "(2 − γΔt)/(2 + γΔt)",
        Area::Gradient => "(ω²Δt²/2 + 2 − γΔt)/(ω²Δt²/2 + 2 + γΔt)",
        Area::Free => "nothing is claimed",
    };
    let contact = if claims.area_with_contact { "; the same with contacts" } else { "" };
    say!("  claims, each measured by a test:");
    say!("    order                {}", claims.order);
    say!("    energy, linear       {}", balance(claims.linear));
    say!("    energy, with contact {}", balance(claims.contact));
    say!("    symplectic area      {area}{contact}");
    say!(
        "    stable               {}\n",
        match claims.limit {
            Some(limit) => format!("for ωΔt ≤ {limit}"),
            None => "for every Δt".into(),
        }
    );
}

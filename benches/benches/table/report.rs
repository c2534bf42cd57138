//! The table, its exponents, and their archive.

use crate::{case::Case, counts::Counts, measure::Measured, options::Options};
use hamiltone_benches::model::Contacts;
use hamiltone_benches::{
    archive::{self, Table},
    fit::exponent,
    machine::Machine,
};

/// What contacts add counts where it is more than this part of the step without them.
const ADDED: f64 = 0.1;

/// Larger exponents are marked: cost is to be linear.
const LINEAR: f64 = 1.1;

const COLUMNS: [&str; 17] = [
    "scheme",
    "body",
    "N",
    "state",
    "contacts",
    "active",
    "full ns",
    "flows ns",
    "each ns",
    "full/N ns",
    "each/full",
    "loop ns",
    "full/loop",
    "flows/loop",
    "loops/step",
    "prepare µs",
    "body µs",
];
const COUNTED: [&str; 4] = ["full instr/N", "flows instr/N", "loop instr/N", "full/loop instr"];

/// What the columns mean.
const NOTES: &str = "ns: processor time of a step, the least of several turns; `full`: with the energy balance as runs have it, drawn at
audit points; `flows`: with losses and supply alone; `each`: with the balance at each step. `active`: contacts that are closed, in the mean. `loop`: the plain loop of the same arithmetic, without
contacts solved or energies, `loops/step` times a step. `prepare`: from the system to the first step; `body`: from its numbers to the
system. Instructions are counted with AVX2 at most.
";

/// What was measured so far.
pub struct Report {
    counted: bool,
    rows: Vec<(Measured, Option<Counts>)>,
    left: Table,
    table: Table,
}

impl Report {
    /// An empty one, its head on the terminal.
    pub fn new(counted: bool) -> Self {
        let mut columns = COLUMNS.to_vec();
        if counted {
            columns.extend(COUNTED);
        }
        println!(
            "{:<18}{:<15}{:>5} {:<8}{:>8}{:>8}{:>11}{:>10}{:>10}{:>8}{:>9}{:>9}{:>12}{:>9}",
            "scheme",
            "body",
            "N",
            "state",
            "contacts",
            "active",
            "full ns",
            "per N",
            "each/full",
            "loop",
            "/loop",
            "flows/loop",
            "prepare µs",
            "instr/N"
        );
        Self {
            counted,
            rows: Vec::new(),
            left: Table::new("Left out", &["scheme", "body", "N", "state", "contacts", "because"]),
            table: Table::new("Steps", &columns),
        }
    }

    /// One more row.
    pub fn add(&mut self, row: Measured, counts: Option<Counts>) {
        let n = row.degrees as f64;
        let [scheme, body, _, state, contacts] = row.case.words();
        let instructions =
            counts.as_ref().map(|counts| format!("{:9.1}", counts.full / n)).unwrap_or_default();
        println!(
            "{scheme:<18}{body:<15}{:>5} {state:<8}{contacts:>8}{:>8.1}{:>11.1}{:>10.3}{:>10.2}{:>8.3}{:>9.2}{:>9.2}{:>12.1}{instructions}",
            row.degrees,
            row.active,
            row.full * 1e9,
            row.full * 1e9 / n,
            row.each / row.full,
            row.plain * 1e9 / n,
            row.full / row.plain,
            row.flows / row.plain,
            row.preparation * 1e6,
        );
        let ns = |seconds: f64| format!("{:.1}", seconds * 1e9);
        let mut cells = vec![
            scheme,
            body,
            row.degrees.to_string(),
            state,
            contacts,
            format!("{:.1}", row.active),
            ns(row.full),
            ns(row.flows),
            ns(row.each),
            format!("{:.3}", row.full * 1e9 / n),
            format!("{:.2}", row.each / row.full),
            ns(row.plain),
            format!("{:.2}", row.full / row.plain),
            format!("{:.2}", row.flows / row.plain),
            row.stages.to_string(),
            format!("{:.1}", row.preparation * 1e6),
            format!("{:.1}", row.body * 1e6),
        ];
        if let Some(Counts { full, flows, plain }) = &counts {
            cells.extend([full / n, flows / n, plain / n].map(|count| format!("{count:.1}")));
            cells.push(format!("{:.2}", full / plain));
        }
        self.table.rows.push(cells);
        self.rows.push((row, counts));
    }

    /// A case that was not measured.
    pub fn left_out(&mut self, case: &Case, why: &str) {
        let mut cells: Vec<String> = case.words().into();
        println!("left out: {}: {why}", cells.join(" "));
        cells.push(why.into());
        self.left.rows.push(cells);
    }

    /// Prints the exponents and archives all.
    pub fn finish(self, options: &Options) -> Result<(), String> {
        let mut tables = vec![self.exponents(), self.table];
        if !self.left.rows.is_empty() {
            tables.push(self.left);
        }
        println!("\n{}", tables[0].markdown());
        if !self.counted {
            println!("Instructions were not counted: --count does.");
        }
        let Some(folder) = &options.archive else { return Ok(()) };
        let written = archive::write(folder, "table", &Machine::here("table"), NOTES, &tables);
        let path = written.map_err(|error| format!("{}: {error}", folder.display()))?;
        println!("written: {}", path.display());
        Ok(())
    }

    /// Of every curve: of steps and preparations by degrees of freedom, of what contacts add to a step by their number.
    fn exponents(&self) -> Table {
        let mut table = Table::new(
            "Exponents: cost by degrees of freedom (state none) or what contacts add by their number",
            &["scheme", "body", "state", "from", "to", "step", "loop", "preparation"],
        );
        let curves = self.rows.chunk_by(|a, b| a.0.case.continues(&b.0.case));
        for curve in curves {
            let first = &curve[0].0.case;
            let by_size = first.contacts == Contacts::None;
            let of = |y: &dyn Fn(&Measured) -> f64| -> Vec<(f64, f64)> {
                let x = |row: &Measured| if by_size { row.degrees } else { row.case.count } as f64;
                curve.iter().map(|(row, _)| (x(row), y(row))).collect()
            };
            let (free, prepared) = match self.without_contacts(first) {
                Some(row) if !by_size => (row.full, row.preparation),
                None if !by_size => continue,
                _ => (0.0, 0.0),
            };
            let added = |all: Vec<(f64, f64)>, base: f64| -> Vec<(f64, f64)> {
                let above = all.into_iter().map(|(x, y)| (x, y - base));
                above.filter(|(_, y)| *y > ADDED * base).collect()
            };
            let steps = added(of(&|row| row.full), free);
            let shown = |p: Option<f64>| {
                let mark = |p| if p > LINEAR { " !" } else { "" };
                p.map_or("–".to_string(), |p| format!("{p:.2}{}", mark(p)))
            };
            let ends = of(&|row| row.full);
            let (Some(from), Some(to)) = (ends.first(), ends.last()) else { continue };
            if from.0 == to.0 {
                continue;
            }
            table.rows.push(vec![
                first.scheme.to_string(),
                first.representation.name().to_string(),
                first.contacts.name().to_string(),
                format!("{}", from.0),
                format!("{}", to.0),
                shown(exponent(&steps)),
                if by_size { shown(exponent(&of(&|row| row.plain))) } else { "–".into() },
                shown(exponent(&added(of(&|row| row.preparation), prepared))),
            ]);
        }
        table
    }

    /// The case of the same body without contacts.
    fn without_contacts(&self, case: &Case) -> Option<&Measured> {
        let same = |other: &Case| {
            (other.scheme, other.representation, other.size, other.contacts)
                == (case.scheme, case.representation, case.size, Contacts::None)
        };
        self.rows.iter().map(|(row, _)| row).find(|row| same(&row.case))
    }
}

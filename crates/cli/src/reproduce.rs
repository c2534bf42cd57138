//! Recomputes figures and tables of papers.
//!
//! Tables are returned as text, printed values beside computed ones, with notes on corrections, and are written with all digits as CSV files
//! `reproduced/<paper>/<item>.csv`; figures are written as SVG files `reproduced/<paper>/<figure>.svg`. All files are written together when all
//! are complete. Items run in parallel and are reported in the order of the catalogue, so that the text does not depend on the number of
//! threads.

use hamiltone_papers::{
    Paper, catalogue,
    figure::{self, Cell, Figure, Item, Mark, Outcome, Panel, Table, Unable},
};
use hamiltone_render::{
    SinkError,
    commit::commit,
    file::{Pending, Staged, failed},
};
use hamiltone_report::plot::{Axis, Chart, Style, svg_grid};
use hamiltone_scene::document::suggest::suggest;
use rayon::prelude::*;
use std::{
    fmt, fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

/// What to compute, and where to write it.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Every figure of every paper.
    pub all: bool,
    /// Use the duration of the paper, also where that takes more than 30 s.
    pub full: bool,
    /// The folder of the files, with a folder for each paper; `reproduced` by default.
    pub out: Option<PathBuf>,
    /// The number of items computed in parallel; by default the number of cores.
    pub threads: Option<usize>,
}

/// Why not everything could be computed.
#[derive(Debug)]
pub enum ReproduceError {
    /// There is no paper or figure of this name; the text suggests others.
    Unknown(String),
    /// The model of an item was refused.
    Unable(&'static str, &'static str, Unable),
    /// A file could not be written; then none is.
    Unwritten(SinkError),
    /// The threads could not be started.
    Threads(String),
}

impl fmt::Display for ReproduceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReproduceError::Unknown(message) => f.write_str(message),
            ReproduceError::Unable(paper, item, unable) => write!(f, "{paper} {item}: {unable}"),
            ReproduceError::Unwritten(error) => error.fmt(f),
            ReproduceError::Threads(error) => write!(f, "cannot start the threads: {error}"),
        }
    }
}

impl std::error::Error for ReproduceError {}

/// Computes one figure, all figures of a paper or all of all papers; without a paper and without `all`, lists them.
///
/// Returns the text to print.
///
/// # Errors
/// A [`ReproduceError`] where a name is unknown, an item is refused or a file cannot be written.
pub fn reproduce(
    paper: Option<&str>,
    figure: Option<&str>,
    options: &Options,
) -> Result<String, ReproduceError> {
    let items = match paper {
        Some(paper) => chosen(paper, figure)?,
        None if options.all => catalogue().iter().flat_map(|paper| paper.items).collect(),
        None => return Ok(list()),
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads.map_or(0, |threads| threads.min(items.len())))
        .build()
        .map_err(|error| ReproduceError::Threads(error.to_string()))?;
    let made: Vec<Result<Outcome, Unable>> =
        pool.install(|| items.par_iter().map(|item| (item.make)(item.effort(options.full))).collect());
    let out = options.out.as_deref().unwrap_or(Path::new("reproduced"));
    let (mut text, mut files) = (String::new(), Vec::new());
    for (item, outcome) in items.iter().zip(made) {
        let outcome = outcome.map_err(|unable| ReproduceError::Unable(item.paper, item.name, unable))?;
        text.push_str(&report(item, &outcome, out, &mut files).map_err(ReproduceError::Unwritten)?);
    }
    commit(files).map_err(ReproduceError::Unwritten)?;
    Ok(text)
}

/// The items of a paper, or the one of this name.
fn chosen(paper: &str, figure: Option<&str>) -> Result<Vec<&'static Item>, ReproduceError> {
    let papers = catalogue();
    let Some(known) = papers.iter().find(|known| known.name == paper) else {
        let names = papers.iter().map(|known| known.name);
        let hint = suggest(paper, names, "papers");
        return Err(ReproduceError::Unknown(format!("there is no paper `{paper}`; {hint}")));
    };
    let Some(figure) = figure else { return Ok(known.items.iter().collect()) };
    match known.items.iter().find(|item| item.name == figure) {
        Some(item) => Ok(vec![item]),
        None => {
            let hint = suggest(figure, known.items.iter().map(|item| item.name), "figures");
            Err(ReproduceError::Unknown(format!("{paper} has no `{figure}` here; {hint}")))
        }
    }
}

/// Every paper with its items and the time that they take.
fn list() -> String {
    let mut text = String::new();
    for Paper { name, reference, items } in catalogue() {
        text.push_str(&format!("{name}\n  {reference}\n"));
        for item in *items {
            let cost = if item.seconds <= Item::PATIENCE {
                format!("{} s", item.seconds)
            } else {
                format!("short form; {} s with --full", item.seconds)
            };
            text.push_str(&format!("    {:<8} {} ({cost})\n", item.name, item.title));
        }
        text.push('\n');
    }
    text.push_str("hamiltone reproduce PAPER [FIGURE], or --all\n");
    text
}

/// The tables as text; files of tables and figures are added to `files`.
fn report(item: &Item, outcome: &Outcome, out: &Path, files: &mut Vec<Staged>) -> Result<String, SinkError> {
    let mut text = format!("{} {}: {}\n\n", item.paper, item.name, item.title);
    let folder = out.join(item.paper);
    fs::create_dir_all(&folder).map_err(|error| failed(&folder, error))?;
    for (number, table) in outcome.tables.iter().enumerate() {
        let number = if outcome.tables.len() > 1 { format!("-{}", number + 1) } else { String::new() };
        let path = folder.join(format!("{}{number}.csv", item.name));
        files.push(Pending::create(&path)?.stage(|out| write_csv(table, out))?);
        text.push_str(&format!("{table}\n{}\n\n", path.display()));
    }
    for figure in &outcome.figures {
        let path = folder.join(format!("{}.svg", figure.name));
        files.push(Pending::create(&path)?.stage(|out| out.write_all(picture(figure).as_bytes()))?);
        text.push_str(&format!("{}: {}\n\n", path.display(), figure.caption));
    }
    Ok(text)
}

/// A table as CSV: numbers with all digits, blank cells empty, notes left out.
fn write_csv(table: &Table, out: &mut impl Write) -> io::Result<()> {
    let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(out);
    writer.write_record(&table.columns)?;
    for row in &table.rows {
        writer.write_record(row.iter().map(|cell| match cell {
            Cell::Text(text) => text.clone(),
            Cell::Number(x) => format!("{x:?}"),
            Cell::Blank => String::new(),
        }))?;
    }
    writer.flush()
}

/// A figure as SVG.
pub fn picture(figure: &Figure) -> String {
    let charts: Vec<Chart> = figure.panels.iter().map(chart).collect();
    svg_grid(&figure.title, &charts, 2)
}

fn chart(panel: &Panel) -> Chart {
    let axis = |axis: &figure::Axis| {
        let plain = Axis::new(axis.label, axis.unit);
        if axis.log { plain.log() } else { plain }
    };
    let empty = Chart::new(&panel.title, axis(&panel.x), axis(&panel.y));
    panel.series.iter().fold(empty, |chart, series| {
        let style = match series.mark {
            Mark::Line => Style::Line,
            Mark::Dashed => Style::Dashed,
            Mark::Points => Style::Points,
        };
        let (x, y) = series.points.iter().copied().unzip();
        chart.with(style, &series.name, x, y)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(paper: &str, figure: Option<&str>) -> String {
        reproduce(Some(paper), figure, &Options::default()).unwrap_err().to_string()
    }

    #[test]
    fn a_misspelt_name_is_answered_with_the_right_one() {
        assert!(failure("chatziioanou_2019", None).contains("did you mean `chatziioannou_2019`?"));
        assert!(failure("ducceschi_2017", Some("fig33")).contains("did you mean `fig3`?"));
        assert!(failure("newton_1687", None).contains("ducceschi_2017"));
    }

    #[test]
    fn the_list_names_every_figure() {
        let list = reproduce(None, None, &Options::default()).unwrap();
        for item in catalogue().iter().flat_map(|paper| paper.items) {
            assert!(list.contains(item.paper) && list.contains(item.title), "{list}");
        }
    }

    #[test]
    fn one_figure_is_a_file_and_text_alike_for_any_number_of_threads() {
        let folder = std::env::temp_dir().join(format!("hamiltone-reproduce-{}", std::process::id()));
        let make = |threads| {
            let options = Options { threads: Some(threads), out: Some(folder.clone()), ..Options::default() };
            let text = reproduce(Some("chatziioannou_vanwalstijn_2015"), None, &options).unwrap();
            let file =
                |name| fs::read_to_string(folder.join("chatziioannou_vanwalstijn_2015").join(name)).unwrap();
            (text, file("fig2.svg"), file("fig4.csv"))
        };
        let (one, two) = (make(1), make(2));
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(one, two);
        assert!(
            one.0.contains("fig4.csv") && one.1.starts_with("<svg") && one.2.contains(",2.22044604925031"),
            "{}",
            one.2
        );
    }

    #[test]
    fn tables_are_written_with_all_digits() {
        let mut table = Table::new("Table 1", &["method", "computed"]);
        table.row(["EC, printed".into(), (1.0 / 3.0).into()]);
        table.row(["SPRK".into(), Cell::Blank]);
        let mut file = Vec::new();
        write_csv(&table, &mut file).unwrap();
        assert_eq!(
            String::from_utf8(file).unwrap(),
            "method,computed\n\"EC, printed\",0.3333333333333333\nSPRK,\n"
        );
    }
}

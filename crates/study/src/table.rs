//! Tables of rows, as CSV or Parquet: the columns of all rows, in the order in which they first occur.
//!
//! | cells of a column | CSV | Parquet |
//! |---|---|---|
//! | whole numbers | as they are | INT64 |
//! | numbers | as many digits as read back to the same bits | DOUBLE |
//! | true and false | `true`, `false` | BOOLEAN |
//! | texts, or texts and numbers | as they are | UTF-8 |
//! | missing | empty | null |

use crate::features::Row;
use hamiltone_render::{
    SinkError,
    file::{Pending, Staged, check_target, failed, folder},
};
use parquet::{
    basic::{LogicalType, Repetition, Type as Physical},
    data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type},
    errors::ParquetError,
    file::{properties::WriterProperties, writer::SerializedFileWriter},
    schema::types::Type,
};
use serde_json::Value;
use std::{
    collections::HashSet,
    fs,
    io::{self, Write},
    path::Path,
    sync::Arc,
};

/// The formats of tables.
#[derive(Clone, Copy)]
enum Format {
    Csv,
    Parquet,
}

/// Checks that a table can have this name, and creates its folder.
///
/// # Errors
/// An extension of another format, and those of [`prepare`].
pub fn check(path: &Path) -> Result<(), SinkError> {
    format(path)?;
    prepare(path)
}

/// Checks that a file of this name can be written, and creates its folder.
///
/// # Errors
/// A folder or a device in place of the file, and a file or folder that cannot be created.
pub fn prepare(path: &Path) -> Result<(), SinkError> {
    check_target(path)?;
    fs::create_dir_all(folder(path)).map_err(|error| failed(path, error))?;
    // Under a temporary name, which is removed at once.
    Pending::create(path).map(drop)
}

fn format(path: &Path) -> Result<Format, SinkError> {
    match path.extension().map(|extension| extension.to_string_lossy().to_lowercase()).as_deref() {
        Some("csv") => Ok(Format::Csv),
        Some("parquet") => Ok(Format::Parquet),
        _ => Err(SinkError { path: path.into(), reason: "tables are written as .csv or .parquet".into() }),
    }
}

/// Writes a table under a temporary name.
///
/// # Errors
/// An unknown format, and errors of the file system.
pub fn stage(path: &Path, rows: &[Row]) -> Result<Staged, SinkError> {
    let format = format(path)?;
    Pending::create(path)?.stage(|out| match format {
        Format::Csv => csv(rows, out),
        Format::Parquet => parquet(rows, out).map_err(io::Error::other),
    })
}

/// The columns of all rows.
fn columns(rows: &[Row]) -> Vec<&str> {
    let (mut known, mut columns) = (HashSet::new(), Vec::new());
    for name in rows.iter().flat_map(Row::keys) {
        if known.insert(name) {
            columns.push(name.as_str());
        }
    }
    columns
}

/// A cell as a text.
fn text(cell: Option<&Value>) -> String {
    match cell {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

/// Writes a table as CSV.
///
/// # Errors
/// Those of `out`.
pub fn csv(rows: &[Row], out: impl Write) -> io::Result<()> {
    let columns = columns(rows);
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(&columns)?;
    for row in rows {
        writer.write_record(columns.iter().map(|name| text(row.get(*name))))?;
    }
    writer.flush()
}

fn parquet(rows: &[Row], out: impl Write + Send) -> Result<(), ParquetError> {
    let columns = columns(rows);
    let of = |name: &&str| {
        let cells: Vec<&Value> =
            rows.iter().filter_map(|row| row.get(*name)).filter(|cell| !cell.is_null()).collect();
        let all = |is: fn(&Value) -> bool| !cells.is_empty() && cells.iter().all(|cell| is(cell));
        match () {
            () if all(Value::is_i64) => Physical::INT64,
            () if all(Value::is_number) || cells.is_empty() => Physical::DOUBLE,
            () if all(Value::is_boolean) => Physical::BOOLEAN,
            () => Physical::BYTE_ARRAY,
        }
    };
    let field = |name: &&str| {
        let kind = of(name);
        let text = (kind == Physical::BYTE_ARRAY).then_some(LogicalType::String);
        let builder = Type::primitive_type_builder(name, kind).with_logical_type(text);
        builder.with_repetition(Repetition::OPTIONAL).build().map(Arc::new)
    };
    let fields = columns.iter().map(field).collect::<Result<Vec<_>, _>>()?;
    let schema = Arc::new(Type::group_type_builder("rows").with_fields(fields).build()?);
    // The version of a library in the file would make equal tables differ.
    let created = format!("hamiltone {}", env!("CARGO_PKG_VERSION"));
    let properties = Arc::new(WriterProperties::builder().set_created_by(created).build());
    let mut writer = SerializedFileWriter::new(out, schema, properties)?;
    let mut group = writer.next_row_group()?;
    for name in &columns {
        let cells: Vec<_> = rows.iter().map(|row| row.get(*name).filter(|cell| !cell.is_null())).collect();
        // 1 where there is a value.
        let levels: Vec<i16> = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
        let present = cells.into_iter().flatten();
        let Some(mut column) = group.next_column()? else { break };
        let levels = Some(&levels[..]);
        match of(name) {
            Physical::INT64 => {
                let numbers: Vec<i64> = present.filter_map(Value::as_i64).collect();
                column.typed::<Int64Type>().write_batch(&numbers, levels, None)?;
            }
            Physical::DOUBLE => {
                let numbers: Vec<f64> = present.filter_map(Value::as_f64).collect();
                column.typed::<DoubleType>().write_batch(&numbers, levels, None)?;
            }
            Physical::BOOLEAN => {
                let answers: Vec<bool> = present.filter_map(Value::as_bool).collect();
                column.typed::<BoolType>().write_batch(&answers, levels, None)?;
            }
            _ => {
                let texts: Vec<ByteArray> =
                    present.map(|cell| text(Some(cell)).into_bytes().into()).collect();
                column.typed::<ByteArrayType>().write_batch(&texts, levels, None)?;
            }
        }
        column.close()?;
    }
    group.close()?;
    writer.close()?;
    Ok(())
}

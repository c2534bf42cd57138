//! NPZ files: an archive with an array of little-endian float64 a column, as numpy's `savez` writes it.
//!
//! An array (npy) is `\x93NUMPY`, a version, the length of a header, the header – a dictionary with `descr`,
//! `fortran_order` and `shape` –, and the numbers. What the header says must be what there is.

use super::reading::{Reading, too_large};
use crate::limits::Limited;
use std::io::{Cursor, Read};
use zip::ZipArchive;

/// The versions of the format: 1.0, 2.0 with a longer header, 3.0 with names in UTF-8.
const VERSIONS: [u8; 3] = [1, 2, 3];

/// The arrays of a file with their names.
///
/// # Errors
/// What cannot be read, and how to write it.
pub fn read(bytes: Vec<u8>, reading: &Reading<'_>) -> Result<Vec<(String, Vec<f64>)>, String> {
    let mut zip = ZipArchive::new(Cursor::new(bytes)).map_err(|e| e.to_string())?;
    let exceeded = reading.limits().check(Limited::Columns, zip.len() as u128);
    exceeded.map_err(|exceeded| format!("it has arrays: {exceeded}"))?;
    (0..zip.len())
        .map(|i| {
            let mut file = zip.by_index(i).map_err(|e| format!("{e}; write it with numpy.savez"))?;
            let name = file.name().map_err(|e| e.to_string())?.trim_end_matches(".npy").to_string();
            let size = file.size();
            reading.count(size.into()).map_err(|exceeded| too_large(&exceeded))?;
            let mut bytes = Vec::new();
            // One more than it says tells that it says too little; it is not counted.
            file.by_ref().take(size.saturating_add(1)).read_to_end(&mut bytes).map_err(|e| e.to_string())?;
            if bytes.len() as u64 != size {
                return Err(format!("array `{name}` does not have the {size} bytes that the archive states"));
            }
            let numbers = npy(&bytes).map_err(|why| {
                format!("array `{name}` is no list of float64: {why}; write numpy.asarray(x, dtype=\"<f8\").ravel()")
            })?;
            Ok((name, numbers))
        })
        .collect()
}

/// A list of little-endian float64 of the npy format.
fn npy(bytes: &[u8]) -> Result<Vec<f64>, String> {
    let cut = || "it ends before its data".to_string();
    let rest = bytes.strip_prefix(b"\x93NUMPY").ok_or("it is no npy array")?;
    let [version, _, rest @ ..] = rest else { return Err(cut()) };
    let (length, rest) = match version {
        1 => rest.split_first_chunk::<2>().map(|(n, rest)| (usize::from(u16::from_le_bytes(*n)), rest)),
        version if VERSIONS.contains(version) => {
            rest.split_first_chunk::<4>().map(|(n, rest)| (u32::from_le_bytes(*n) as usize, rest))
        }
        version => return Err(format!("its format has version {version}, known are 1, 2 and 3")),
    }
    .ok_or_else(cut)?;
    let (header, data) = rest.split_at_checked(length).ok_or_else(cut)?;
    let header: String = std::str::from_utf8(header).map_err(|e| e.to_string())?.split_whitespace().collect();
    let entry = |key: &str| header.split_once(&format!("'{key}':")).map(|(_, value)| value);
    if !entry("descr").is_some_and(|descr| descr.starts_with("'<f8'")) {
        let descr = entry("descr").and_then(|descr| descr.split('\'').nth(1)).unwrap_or("unknown");
        return Err(format!("its type is `{descr}`, not `<f8`"));
    }
    let shape = entry("shape").and_then(|shape| shape.strip_prefix('(')?.split(')').next());
    let shape = shape.ok_or("it states no shape")?;
    let count = shape.strip_suffix(',').and_then(|count| count.parse::<usize>().ok());
    let count = count.ok_or_else(|| format!("its shape is ({shape}), not (n,)"))?;
    let (numbers, rest) = data.as_chunks::<8>();
    if numbers.len() != count || !rest.is_empty() {
        return Err(format!("its shape is ({count},), but it has {} bytes of data", data.len()));
    }
    Ok(numbers.iter().map(|chunk| f64::from_le_bytes(*chunk)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use std::io::Write;

    fn array(version: u8, header: &str, numbers: &[f64]) -> Vec<u8> {
        let length = (header.len() as u32).to_le_bytes();
        let length = if version == 1 { &length[..2] } else { &length[..] };
        let data: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
        [&b"\x93NUMPY"[..], &[version, 0], length, header.as_bytes(), &data].concat()
    }

    fn header(descr: &str, shape: &str) -> String {
        format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}          \n")
    }

    #[test]
    fn arrays_are_what_their_headers_state() {
        let numbers = [1.0, -2.5];
        for version in VERSIONS {
            assert_eq!(npy(&array(version, &header("<f8", "(2,)"), &numbers)), Ok(numbers.to_vec()));
        }
        assert_eq!(npy(&array(1, &header("<f8", "(0,)"), &[])), Ok(vec![]));
        for (version, descr, shape, says) in [
            (9, "<f8", "(2,)", "version 9"),
            (1, "<f8", "(2, 1)", "its shape is (2,1), not (n,)"),
            (1, "<f8", "(2)", "its shape is (2), not (n,)"),
            (1, "<f8", "()", "not (n,)"),
            (1, "<f8", "(3,)", "but it has 16 bytes"),
            (1, "<f8", "(1,)", "but it has 16 bytes"),
            (1, "<f4", "(2,)", "`<f4`, not `<f8`"),
            (1, ">f8", "(2,)", "`>f8`, not `<f8`"),
        ] {
            let wrong = npy(&array(version, &header(descr, shape), &numbers)).unwrap_err();
            assert!(wrong.contains(says), "{wrong}");
        }
        let whole = array(2, &header("<f8", "(2,)"), &numbers);
        assert!((0..whole.len()).all(|end| npy(&whole[..end]).is_err()), "a cut array");
    }

    /// Entries may overlap in the file, so that what they unpack to counts.
    #[test]
    fn unpacked_bytes_count() {
        let data = array(1, &header("<f8", "(1000,)"), &[0.0; 1000]);
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for name in ["a.npy", "b.npy"] {
            zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
            zip.write_all(&data).unwrap();
        }
        let file = zip.finish().unwrap().into_inner();
        let wrong = |raised: &str| {
            let mut limits = Limits::default();
            limits.raise(raised).unwrap();
            read(file.clone(), &Reading::new(&limits)).map(|arrays| arrays.len())
        };
        assert!(
            wrong("files=10000").unwrap_err().contains("--limit files=16.2kB"),
            "{:?}",
            wrong("files=10000")
        );
        assert_eq!(wrong("files=20000"), Ok(2));
        assert!(wrong("columns=1").unwrap_err().contains("2, but at most 1 are allowed"));
    }
}

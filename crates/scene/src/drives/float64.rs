//! WAV files of 64-bit floating point, which the crate that reads all others does not read.
//!
//! RIFF: chunks of a name, a size and that many bytes (and one more where the size is odd).
//! `fmt ` begins with tag, channels, rate, bytes a second, bytes a frame, bits; tag 3 is
//! floating point, and 0xFFFE puts the tag behind the first 24 bytes.

/// What such a file holds.
pub struct Float64 {
    /// Hz.
    pub rate: u32,
    /// The number of channels.
    pub channels: u16,
    /// Frame by frame.
    pub samples: Vec<f64>,
}

/// The samples of a file, where it is one of 64-bit floating point; `None` of any other.
///
/// # Errors
/// Where it has less data than it states, or a part of a frame.
pub fn read(bytes: &[u8]) -> Option<Result<Float64, String>> {
    let (riff, wave) = (bytes.get(..4)?, bytes.get(8..12)?);
    if riff != b"RIFF" || wave != b"WAVE" {
        return None;
    }
    let (mut rest, mut format) = (&bytes[12..], None);
    while let Some((head, body)) = rest.split_first_chunk::<8>() {
        let size = u32_at(head, 4)? as usize;
        match &head[..4] {
            b"fmt " => format = Some(fmt(body.get(..size)?)?),
            b"data" => {
                let (rate, channels) = format?;
                return Some(data(body, size).and_then(|samples| {
                    if samples.len() % usize::from(channels) != 0 {
                        return Err(format!("its last frame has less than {channels} channels"));
                    }
                    Ok(Float64 { rate, channels, samples })
                }));
            }
            _ => {}
        }
        rest = body.get(size + size % 2..)?;
    }
    None
}

/// The numbers of a chunk of data that states this size.
fn data(body: &[u8], size: usize) -> Result<Vec<f64>, String> {
    let stated = body.get(..size);
    let stated = stated
        .ok_or_else(|| format!("it ends early: it states {size} bytes of samples and has {}", body.len()))?;
    let (words, rest) = stated.as_chunks::<8>();
    if !rest.is_empty() {
        return Err(format!("its {size} bytes of samples are no whole number of 64-bit numbers"));
    }
    Ok(words.iter().map(|word| f64::from_le_bytes(*word)).collect())
}

/// Rate and channels of a format of 64-bit floating point.
fn fmt(body: &[u8]) -> Option<(u32, u16)> {
    let tag = match u16_at(body, 0)? {
        0xfffe => u16_at(body, 24)?,
        tag => tag,
    };
    let (channels, rate, bits) = (u16_at(body, 2)?, u32_at(body, 4)?, u16_at(body, 14)?);
    (tag == 3 && bits == 64 && channels > 0).then_some((rate, channels))
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of two frames by hand: its format chunk, a chunk that is skipped, its data.
    fn file(fmt: &[u8], data: &[u8]) -> Vec<u8> {
        let chunk = |name: &[u8; 4], body: &[u8]| {
            [&name[..], &u32::try_from(body.len()).unwrap().to_le_bytes(), body].concat()
        };
        let chunks = [chunk(b"fmt ", fmt), chunk(b"LIST", b"even"), chunk(b"data", data)].concat();
        [&chunk(b"RIFF", b"")[..], b"WAVE", &chunks].concat()
    }

    /// Tag, channels, rate 8000 Hz, bytes a second, bytes a frame, bits.
    fn plain(tag: u16, channels: u8, bits: u8) -> Vec<u8> {
        [&tag.to_le_bytes()[..], &[channels, 0, 0x40, 0x1f, 0, 0, 0, 0, 0, 0, 0, 0, bits, 0]].concat()
    }

    #[test]
    fn both_forms_of_the_header_are_read() {
        let samples = [0.1, -1e-300, 5.0, 0.3, 0.2, -7.25];
        let data: Vec<u8> = samples.iter().flat_map(|x: &f64| x.to_le_bytes()).collect();
        let extensible = [&plain(0xfffe, 3, 64)[..], &[22, 0, 64, 0, 7, 0, 0, 0, 3, 0], &[0; 14]].concat();
        for (fmt, channels) in [(plain(3, 1, 64), 1), (extensible, 3)] {
            let bytes = file(&fmt, &data);
            let back = read(&bytes).unwrap().unwrap();
            assert_eq!((back.rate, back.channels, &back.samples[..]), (8000, channels, &samples[..]));
            // A file that was cut is none, or told to be cut.
            let whole = |end: usize| read(&bytes[..end]).is_some_and(|read| read.is_ok());
            assert!(!(0..bytes.len()).any(whole));
        }
    }

    #[test]
    fn data_are_whole_frames() {
        let wrong =
            |channels: u8, bytes: usize| read(&file(&plain(3, channels, 64), &vec![0; bytes])).unwrap().err();
        assert_eq!(wrong(2, 32), None);
        assert!(wrong(1, 12).unwrap().contains("12 bytes of samples"));
        assert!(wrong(2, 24).unwrap().contains("less than 2 channels"));
    }

    #[test]
    fn other_formats_are_left_to_others() {
        assert!(read(&file(&plain(3, 1, 32), &[0; 8])).is_none());
        assert!(read(&file(&plain(1, 1, 64), &[0; 8])).is_none());
        assert!(read(b"RIFFxxxxAVI ").is_none());
    }
}

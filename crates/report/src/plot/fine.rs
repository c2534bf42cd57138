//! The points of a line for who zooms in: more than a drawing shows, few enough for a page.
//!
//! The frame is divided into equal columns, many a pixel. Each has the smallest and the largest height of the points in
//! it, as two 16-bit numbers, the lower byte first,
//!
//!   n = 65535 (y/H + 1)/3,
//!
//! y (px) from the upper end of a frame of height H: the frame and as much above and below it. A column without points
//! is (65535, 0), and one where the line is interrupted (65535, 1).

use super::{
    chart::Series,
    layout::{Layout, only_goes_right},
};
use base64::{Engine, prelude::BASE64_STANDARD};

/// Columns a pixel.
const COLUMNS_PER_PIXEL: f64 = 14.0;
/// A line of fewer points a pixel is drawn with all of them.
const DRAWN_PER_PIXEL: f64 = 1.0;

const EMPTY: [u16; 2] = [u16::MAX, 0];
const GAP: [u16; 2] = [u16::MAX, 1];

/// The columns of a line as base64; `None` where the drawing has all of its points, or it does not go to the right.
pub fn columns(series: &Series, layout: &Layout<'_>) -> Option<String> {
    let (across, down) = layout.frame;
    if !only_goes_right(series) || (series.x.len() as f64) <= DRAWN_PER_PIXEL * across {
        return None;
    }
    let count = (COLUMNS_PER_PIXEL * across) as usize;
    let mut columns = vec![EMPTY; count];
    for (x, y) in series.x.iter().zip(&series.y) {
        let at = layout.x.at(*x) / across;
        if !(0.0..=1.0).contains(&at) {
            continue;
        }
        let column = &mut columns[((at * count as f64) as usize).min(count - 1)];
        let height = 65_535.0 * (layout.y.at(*y) / down + 1.0) / 3.0;
        if height.is_finite() {
            let height = height.clamp(0.0, 65_535.0).round() as u16;
            let known = column[0] <= column[1];
            *column = if known { [column[0].min(height), column[1].max(height)] } else { [height; 2] };
        } else if *column == EMPTY {
            *column = GAP;
        }
    }
    let bytes: Vec<u8> = columns.into_iter().flatten().flat_map(u16::to_le_bytes).collect();
    Some(BASE64_STANDARD.encode(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::{Axis, Chart};

    /// The columns of a line of these values, 2 s long, as (low, high) in the unit of the values.
    fn decoded(values: &[f64], range: (f64, f64)) -> Vec<Option<(f64, f64)>> {
        let t = (0..values.len()).map(|i| 2.0 * i as f64 / (values.len() - 1) as f64).collect();
        let axes = (Axis::new("t", "s"), Axis::new("u", "m").range(range.0, range.1));
        let chart = Chart::new("", axes.0, axes.1).sized(600.0, 300.0).line("", t, values.to_vec());
        let layout = Layout::new(&chart, chart.size, 0.0);
        let bytes = BASE64_STANDARD.decode(columns(&chart.series[0], &layout).unwrap()).unwrap();
        let value = |n: u16| range.1 - (3.0 * f64::from(n) / 65_535.0 - 1.0) * (range.1 - range.0);
        let pair = |b: &[u8]| {
            let [n, m] = [0, 2].map(|i| u16::from_le_bytes([b[i], b[i + 1]]));
            (n <= m).then(|| (value(m), value(n)))
        };
        bytes.chunks(4).map(pair).collect()
    }

    /// 65535 heights over three times the range of 2: a rounding is at most 5e-5.
    #[test]
    fn every_extreme_is_in_its_column() {
        let values: Vec<f64> = (0..200_000).map(|i| (f64::from(i) * 0.37).sin()).collect();
        let columns = decoded(&values, (-1.0, 1.0));
        assert!(columns.len() > 5000 && columns.len() < 8400, "{}", columns.len());
        for (i, x) in values.iter().enumerate() {
            let column = (i as f64 / 199_999.0 * columns.len() as f64) as usize;
            let near = [column.saturating_sub(1), column, (column + 1).min(columns.len() - 1)];
            let holds =
                |c: usize| columns[c].is_some_and(|(low, high)| low - 5e-5 <= *x && *x <= high + 5e-5);
            assert!(near.into_iter().any(holds), "{i}");
        }
    }

    #[test]
    fn gaps_stay_and_few_points_need_no_columns() {
        let values: Vec<f64> =
            (0..20_000).map(|i| if (5000..15_000).contains(&i) { f64::NAN } else { 0.5 }).collect();
        let columns = decoded(&values, (0.0, 1.0));
        let holes = columns.iter().filter(|column| column.is_none()).count();
        assert!((holes as f64 / columns.len() as f64 - 0.5).abs() < 0.01, "{holes}");
        let short =
            Chart::new("", Axis::new("t", "s"), Axis::new("u", "m")).line("", vec![0.0, 1.0], vec![0.0, 1.0]);
        assert_eq!(super::columns(&short.series[0], &Layout::new(&short, short.size, 0.0)), None);
    }
}

//! Lines with more points than pixels, thinned without a visible difference.

/// A line through points in pixels, as SVG path data. Of a line from left to right it keeps the first, lowest, highest and
/// last point of each pixel column; of any other it drops points within a fraction of a pixel of the last point kept.
/// Points that are not finite interrupt the line. A line of few points has hundredths of a pixel, for who zooms in.
pub fn path(points: &[(f64, f64)]) -> String {
    let mut data = String::new();
    for run in points.split(|p| !(p.0.is_finite() && p.1.is_finite())).filter(|run| !run.is_empty()) {
        let thinned = if run.windows(2).all(|w| w[1].0 >= w[0].0) { columns(run) } else { apart(run) };
        let rounded = if thinned.len() > FEW { tenth } else { hundredth };
        data.push('M');
        thinned.iter().for_each(|(x, y)| data.push_str(&format!("{} {} ", rounded(*x), rounded(*y))));
    }
    data
}

/// A line of more points is written to tenths of a pixel.
const FEW: usize = 600;

/// A pixel to a tenth, far values held near the picture.
pub fn tenth(pixel: f64) -> f64 {
    (pixel.clamp(-1e5, 1e5) * 10.0).round() / 10.0
}

/// A pixel to a hundredth, likewise.
fn hundredth(pixel: f64) -> f64 {
    (pixel.clamp(-1e5, 1e5) * 100.0).round() / 100.0
}

fn columns(run: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut thinned = Vec::new();
    for column in run.chunk_by(|a, b| a.0.floor() == b.0.floor()) {
        let last = column.len() - 1;
        let by = |a: &usize, b: &usize| column[*a].1.total_cmp(&column[*b].1);
        let low = (0..=last).min_by(by).unwrap_or(0);
        let high = (0..=last).max_by(by).unwrap_or(0);
        let mut order = [0, low, high, last];
        order.sort_unstable();
        let distinct = (0..4).filter(|i| *i == 0 || order[*i] != order[i - 1]);
        thinned.extend(distinct.map(|i| column[order[i]]));
    }
    thinned
}

fn apart(run: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut thinned = vec![run[0]];
    for point in run {
        let last = thinned[thinned.len() - 1];
        if (point.0 - last.0).abs() + (point.1 - last.1).abs() >= 0.4 {
            thinned.push(*point);
        }
    }
    thinned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_keeps_its_extremes() {
        let mut line: Vec<_> = (0..100_000).map(|i| (i as f64 * 1e-3, 0.0)).collect();
        line[31_337].1 = 7.0;
        line[31_338].1 = -7.0;
        let thinned = columns(&line);
        assert!(thinned.len() <= 400 && thinned.contains(&line[31_337]) && thinned.contains(&line[31_338]));
        assert_eq!((thinned[0], thinned[thinned.len() - 1]), (line[0], line[99_999]));
    }

    #[test]
    fn a_gap_breaks_the_line() {
        assert_eq!(path(&[(0.0, 1.0), (f64::NAN, 0.0), (2.0, 1.0)]), "M0 1 M2 1 ");
    }
}

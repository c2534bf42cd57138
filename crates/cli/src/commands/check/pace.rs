//! How long all steps of a run take, by those that were timed.
//!
//! Steps differ: contacts are closed at first, or later, and caches fill. What is left is estimated by the second half of
//! what was timed.

/// The times of steps.
#[derive(Clone, Debug, Default)]
pub struct Pace {
    /// (steps done, seconds), ascending.
    marks: Vec<(u64, f64)>,
}

/// Marks are at least so far apart, s.
const INTERVAL: f64 = 1e-3;

impl Pace {
    /// So many steps are done after so many seconds.
    pub fn mark(&mut self, done: u64, seconds: f64) {
        // The last mark gives way to one that is close to it, but not the first.
        let before = self.marks.len().checked_sub(2).map(|i| self.marks[i].1);
        if before.is_some_and(|before| seconds - before < INTERVAL) {
            self.marks.pop();
        }
        self.marks.push((done, seconds));
    }

    /// The seconds that were timed.
    pub fn seconds(&self) -> f64 {
        self.marks.last().map_or(0.0, |mark| mark.1) - self.marks.first().map_or(0.0, |mark| mark.1)
    }

    /// The steps that were timed.
    pub fn done(&self) -> u64 {
        self.marks.last().map_or(0, |mark| mark.0)
    }

    /// The seconds that `steps` take; `None` before the first one was timed.
    pub fn total(&self, steps: u64) -> Option<f64> {
        let &(done, end) = self.marks.last().filter(|mark| mark.0 > 0)?;
        let half = self.marks.partition_point(|mark| mark.0 <= done / 2).max(1) - 1;
        let (from, begin) = self.marks[half];
        let each = (end - begin) / (done - from).max(1) as f64;
        Some(self.seconds() + each * steps.saturating_sub(done) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_goes_at_the_later_pace() {
        let mut pace = Pace::default();
        pace.mark(0, 5.0);
        assert_eq!(pace.total(100), None);
        // 10 steps of 0.1 s, then 20 of 0.02 s.
        (1..=10).for_each(|i| pace.mark(i, 5.0 + 0.1 * i as f64));
        (1..=20).for_each(|i| pace.mark(10 + i, 6.0 + 0.02 * i as f64));
        assert_eq!(pace.done(), 30);
        assert!((pace.total(130).unwrap() - (1.4 + 2.0)).abs() < 1e-12, "{:?}", pace.total(130));
        assert!((pace.total(30).unwrap() - 1.4).abs() < 1e-12);
    }

    #[test]
    fn fast_steps_do_not_pile_up() {
        let mut pace = Pace::default();
        (0..100_000).for_each(|i| pace.mark(i, 1e-6 * i as f64));
        assert!(pace.marks.len() < 200, "{}", pace.marks.len());
        assert!((pace.total(1_000_000).unwrap() - 1.0).abs() < 1e-3);
    }
}

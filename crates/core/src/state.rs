//! What a run can be started or continued from.

use crate::system::System;

/// Positions and velocities.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Motion {
    /// Positions, m.
    pub q: Vec<f64>,
    /// Velocities, m/s.
    pub v: Vec<f64>,
}

impl Motion {
    /// These positions and velocities.
    pub fn new(q: Vec<f64>, v: Vec<f64>) -> Self {
        Self { q, v }
    }

    /// The initial conditions of a system.
    pub fn initial(system: &System) -> Self {
        Self::new(system.initial.position.clone(), system.initial.velocity.clone())
    }

    /// Takes over positions, m, and velocities that are held in a `unit`, s or 1: w = unit·v.
    pub fn write(&mut self, q: &[f64], w: &[f64], unit: f64) {
        self.q.copy_from_slice(q);
        self.v.iter_mut().zip(w).for_each(|(v, w)| *v = w / unit);
    }

    /// `size` coordinates at rest at 0.
    pub fn at_rest(size: usize) -> Self {
        Self::new(vec![0.0; size], vec![0.0; size])
    }
}

/// What is asked of the state of a stepper.
pub enum State<'a> {
    /// To start at this motion as from initial conditions, the inputs having these values.
    Start(&'a Motion, &'a [f64]),
    /// To tell positions and velocities from which a start goes on.
    Tell(&'a mut Motion),
    /// The same with the velocities that outputs show: others where a method's own are what moves it and not how fast it is, as of a
    /// mode that decays within a step.
    Show(&'a mut Motion),
    /// To write down, or to take over, every number that the next step depends on: a stepper of the same system, scheme and step
    /// continues from them with the same bits.
    Complete(Archive<'a>),
}

impl State<'_> {
    /// For methods whose whole state is positions q, m, and velocities v, m/s, as they are.
    pub fn pass(self, q: &mut [f64], v: &mut [f64]) {
        match self {
            State::Start(motion, _) => {
                q.copy_from_slice(&motion.q);
                v.copy_from_slice(&motion.v);
            }
            State::Tell(motion) | State::Show(motion) => motion.write(q, v, 1.0),
            State::Complete(mut archive) => [q, v].into_iter().for_each(|x| archive.numbers(x)),
        }
    }
}

/// Goes through every number of a state in a fixed order, to write them down or to take them over: a stepper lists its
/// state once for both directions.
pub enum Archive<'a> {
    /// Appends the numbers.
    Write(&'a mut Vec<f64>),
    /// Takes the numbers from the front; what is missing leaves the state as it is.
    Read(&'a [f64]),
}

impl Archive<'_> {
    /// Numbers of a fixed count.
    pub fn numbers(&mut self, numbers: &mut [f64]) {
        match self {
            Archive::Write(all) => all.extend_from_slice(numbers),
            Archive::Read(all) => {
                if let Some((head, tail)) = all.split_at_checked(numbers.len()) {
                    numbers.copy_from_slice(head);
                    *all = tail;
                }
            }
        }
    }

    /// One number.
    pub fn number(&mut self, number: &mut f64) {
        self.numbers(std::slice::from_mut(number));
    }

    /// A count below 2³².
    pub fn count(&mut self, count: &mut u32) {
        let mut number = f64::from(*count);
        self.number(&mut number);
        // Written as a whole number: exact.
        *count = number as u32;
    }

    /// A truth value.
    pub fn flag(&mut self, flag: &mut bool) {
        let mut count = u32::from(*flag);
        self.count(&mut count);
        *flag = count != 0;
    }

    /// A count of any size, as two numbers of 32 bits each.
    pub fn long(&mut self, count: &mut u64) {
        let (mut high, mut low) = ((*count >> 32) as u32, *count as u32);
        self.count(&mut high);
        self.count(&mut low);
        *count = u64::from(high) << 32 | u64::from(low);
    }

    /// A number of things that fits into memory.
    pub fn size(&mut self, size: &mut usize) {
        let mut count = *size as u64;
        self.long(&mut count);
        *size = count as usize;
    }

    /// Numbers of any count, which is written in front of them.
    pub fn list(&mut self, numbers: &mut Vec<f64>) {
        let mut size = numbers.len();
        self.size(&mut size);
        match self {
            Archive::Write(all) => all.extend_from_slice(numbers),
            Archive::Read(all) => {
                if let Some((head, tail)) = all.split_at_checked(size) {
                    numbers.clear();
                    numbers.extend_from_slice(head);
                    *all = tail;
                }
            }
        }
    }

    /// Groups of N numbers, of any count.
    pub fn groups<const N: usize>(&mut self, groups: &mut Vec<[f64; N]>) {
        let mut numbers = groups.as_flattened().to_vec();
        self.list(&mut numbers);
        if self.reads() {
            *groups = numbers.as_chunks::<N>().0.to_vec();
        }
    }

    /// Whether nothing is left to take over.
    pub fn is_read(&self) -> bool {
        matches!(self, Archive::Read([]))
    }

    /// Whether the numbers are taken over.
    pub fn reads(&self) -> bool {
        matches!(self, Archive::Read(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is written is read back to the bit, and a reading that ends early leaves the rest as it is.
    #[test]
    fn an_archive_reads_what_it_wrote() {
        let pass = |archive: &mut Archive, (x, n, list, flag): &mut (f64, u64, Vec<f64>, bool)| {
            archive.number(x);
            archive.long(n);
            archive.list(list);
            archive.flag(flag);
        };
        for count in [0, 7, u64::from(u32::MAX), 1 << 53, u64::MAX] {
            let mut written = (-0.0, count, vec![f64::MIN_POSITIVE, f64::INFINITY, 1.0 / 3.0], true);
            let mut numbers = Vec::new();
            pass(&mut Archive::Write(&mut numbers), &mut written);
            let mut read = (1.0, 5, vec![2.0; 9], false);
            pass(&mut Archive::Read(&numbers), &mut read);
            assert!(read == written && read.0.is_sign_negative(), "{read:?}");
            let mut short = (1.0, 5, vec![2.0; 9], false);
            pass(&mut Archive::Read(&numbers[..5]), &mut short);
            assert_eq!(short, (-0.0, count, vec![2.0; 9], false));
        }
    }
}

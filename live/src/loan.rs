//! A processor is lent to the thread of a device, and comes back when that lets go of it, however it ends.

use crate::processor::Processor;
use std::{
    sync::mpsc::{Receiver, Sender, channel},
    time::Instant,
};

/// A processor that a device holds.
pub struct Loan {
    processor: Option<Box<Processor>>,
    begin: Instant,
    home: Sender<Box<Processor>>,
}

impl Loan {
    /// Lends a processor, whose times are counted from `begin`, and tells where it comes back.
    pub fn new(processor: Processor, begin: Instant) -> (Self, Receiver<Box<Processor>>) {
        let (home, back) = channel();
        (Self { processor: Some(Box::new(processor)), begin, home }, back)
    }

    /// The next frames of the device, which are asked for now.
    pub fn process(&mut self, out: &mut [f32]) {
        let now = self.begin.elapsed().as_secs_f64();
        if let Some(processor) = &mut self.processor {
            processor.process(out, now);
        }
    }
}

impl Drop for Loan {
    fn drop(&mut self) {
        // Where nobody waits for it, it is dropped.
        let _ = self.processor.take().map(|processor| self.home.send(processor));
    }
}

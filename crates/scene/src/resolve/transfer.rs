//! Transfers of an instrument: the sum of forces at pickups drives a place of another body, or is heard through an impulse
//! response, and nothing acts back.
//!
//!   f(t) = Σₚ xₚ(t)
//!
//! So a soundboard is heard that does not detune the strings on it; what it would take from them is in their losses. The work of f
//! is supplied energy of a driven body.

use super::{
    bus::{BUS_KEY, GAIN},
    frame::{Form, Frame, Key, Sections},
    stages::Sound,
};
use crate::{
    document::{problem::Problem, section::Section, suggest::suggest},
    drives::wav,
};
use hamiltone_core::{
    input::Input,
    parameter::{Absent, Parameter, Takes},
};
use hamiltone_plan::{
    Signal,
    instrument::{Response, TransferPlan, TransferTo},
    output::MAIN,
};
use std::path::{Path, PathBuf};
use toml::{Spanned, de::DeValue};

/// The section.
pub const TRANSFER: &str = "transfer";

/// `[transfer.NAME]`.
pub const FRAME: Frame = Frame {
    name: TRANSFER,
    summary: "of an instrument: the sum of forces at pickups drives a place of another body, and nothing acts back",
    sections: Sections::Named,
    keys: &[
        Key {
            name: "at",
            required: false,
            form: Form::Place,
            example: "\"board\"",
            doc: "the place of another body that is driven",
        },
        Key {
            name: "from",
            required: true,
            form: Form::Names,
            example: "[\"bridge\"]",
            doc: "the names of pickups of a force; of a copied one all copies are meant",
        },
        BUS_KEY,
    ],
    one_of: &[],
    parameters: &[
        Parameter {
            name: "impulse_response",
            takes: Takes::File,
            absent: Absent::Optional("the transfer drives the place `at`"),
            doc: "in place of `at`: a WAV file of one channel or two, at the sample rate of the performance; what is heard is the force (1 for the full scale of forces) convolved with it",
        },
        GAIN,
    ],
    rules: &[],
};

/// A force that is known when the instrument is played.
struct Silent;

impl Signal for Silent {
    fn value(&self, _: f64) -> f64 {
        0.0
    }
}

/// Whether a part is one of this name, or a copy of it: `bridge-60` or `bridge-1-12` of `bridge`.
pub fn is_copy(pickup: &str, name: &str) -> bool {
    let numbers = |rest: &str| rest.starts_with('-') && rest.chars().all(|c| c == '-' || c.is_ascii_digit());
    pickup.strip_prefix(name).is_some_and(|rest| rest.is_empty() || numbers(rest))
}

/// The name of what a part is a copy of, its own where it is none.
pub fn original(name: &str) -> &str {
    let (base, number) = name.rsplit_once('-').unwrap_or((name, ""));
    let is_number = !base.is_empty() && !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
    if is_number { original(base) } else { name }
}

impl Sound<'_> {
    /// Reads `[transfer.NAME]`, for a sound of this rate, Hz.
    pub fn transfer(&mut self, name: &str, section: &Section<'_>, sample_rate: f64) -> Option<TransferPlan> {
        let values = section.values(&FRAME.table(), &FRAME.own(), self.at(None), self.problems).sound();
        let pickups = self.sources(section);
        let values = values?;
        if let Some(path) = values.word("impulse_response") {
            let path = PathBuf::from(path);
            let gain = values.number("gain").unwrap_or(0.0);
            let response = self.response(section, &path, (gain, sample_rate));
            self.files.push(path);
            return Some(TransferPlan { pickups: pickups?, to: TransferTo::Response(response?) });
        }
        let at = self.driven_place(section)?;
        let row = self.forced_row(section, &at)?;
        let measure = at.measure()?;
        let pickups = pickups?;
        for &pickup in &pickups {
            let Some(unit) = self.pickups.get(pickup).map(|pickup| &pickup.unit) else { continue };
            if unit != measure.force() {
                let message = format!(
                    "pickup `{}` reads {unit}, but the place is driven by {}",
                    self.pickups[pickup].name,
                    measure.force()
                );
                return self.refuse(
                    section
                        .problem("from", message, "no force")
                        .help("name pickups with quantity = \"force\""),
                );
            }
        }
        let input = Input::force(format!("transfer: {name}"), row);
        let input = self.add_input(input, measure.force().into(), Box::new(Silent));
        Some(TransferPlan { pickups, to: TransferTo::Body(input) })
    }

    /// The channels of a file, and the bus that they go into.
    fn response(
        &mut self,
        section: &Section<'_>,
        path: &Path,
        (gain, sample_rate): (f64, f64),
    ) -> Option<Response> {
        const KEY: &str = "impulse_response";
        if section.table.contains_key("at") {
            return self.refuse(
                section
                    .problem(KEY, "`at` and `impulse_response` exclude one another", "only one")
                    .help("write two transfers"),
            );
        }
        let name = section.text("bus", self.problems).unwrap_or(MAIN);
        if !self.buses.contains_key(name) {
            return self.refuse(
                section
                    .problem("bus", format!("there is no bus `{name}`"), "unknown")
                    .help(format!("write \"{MAIN}\", or add a section [bus.{name}]")),
            );
        }
        self.heard.push(name.into());
        let plain = path.metadata().is_ok_and(|metadata| metadata.is_file());
        let read = if plain { wav::read(path) } else { Err("it is not a plain file".into()) };
        let wrong = |message: String, help: &str| section.problem(KEY, message, "").help(help);
        let (rate, count, samples) = match read {
            Ok(read) => read,
            Err(error) => {
                let message = format!("`{KEY}` cannot be read as WAV: {} ({error})", path.display());
                return self.refuse(wrong(message, "name a WAV file of 8 to 32-bit integers or of floats"));
            }
        };
        if count == 0 || count > 2 || samples.len() < count {
            let message = format!("`{KEY}` has {count} channels of {} samples", samples.len() / count.max(1));
            return self.refuse(wrong(message, "give one channel, or a left and a right one"));
        }
        if rate != sample_rate {
            let message = format!("`{KEY}` has {rate} samples a second, but the sound has {sample_rate}");
            return self.refuse(wrong(
                message,
                "play at its rate (--rate), or convert the file to that of the sound",
            ));
        }
        if let Some(at) = samples.iter().position(|x| !x.is_finite()) {
            let message = format!("sample {} of `{KEY}` is not a finite number", at / count);
            return self.refuse(wrong(message, "export the file again"));
        }
        let channel = |c: usize| samples.iter().skip(c).step_by(count).copied().collect();
        Some(Response { channels: (0..count).map(channel).collect(), gain, bus: name.into() })
    }

    /// The numbers of the pickups that `from` names.
    fn sources(&mut self, section: &Section<'_>) -> Option<Vec<usize>> {
        const HELP: &str = "write from = [\"bridge\"] with the names of pickups";
        let items = section.table.get("from").map(|value| (value, value.get_ref().as_array()));
        let Some((_, Some(items))) = items else {
            return self.refuse(section.problem("from", "`from` takes a list of pickups", "").help(HELP));
        };
        let mut found = Vec::new();
        for item in items.iter() {
            let name = Self::name_of(item);
            let before = found.len();
            let all = self.pickups.iter().enumerate();
            found.extend(all.filter(|(_, pickup)| is_copy(&pickup.name, name)).map(|(number, _)| number));
            if found.len() == before {
                let message = format!("{}: there is no pickup `{name}`", section.title);
                let help = suggest(name, self.pickups.iter().map(|pickup| pickup.name.as_str()), "pickups");
                return self.refuse(Problem::new(message, item.span(), "unknown").help(help));
            }
        }
        Some(found)
    }

    fn name_of<'v>(item: &'v Spanned<DeValue<'_>>) -> &'v str {
        item.get_ref().as_str().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_have_numbers() {
        let copies = ["bridge", "bridge-60", "bridge-1-12", "bridge-a", "bridges", "bridge2"];
        assert_eq!(copies.map(|name| is_copy(name, "bridge")), [true, true, true, false, false, false]);
    }
}

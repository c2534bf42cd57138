//! How pickups go into buses.
//!
//! The file that is asked for is that of
//! `main`, or of the first bus in the order of the pickups where none is in `main`.

use super::{
    bus::{BUS, BUS_KEY, Bus, GAIN, MAGNET, MAGNET_OFFSET, MUTED, Wanted},
    output::Settings,
    stages::Sound,
};
use crate::document::{problem::Problem, section::Section, suggest::suggest};
use hamiltone_core::parameter::Values;
use hamiltone_plan::{
    BusPlan, Channels, Level, OutputPlan, Pickup, PickupMix,
    magnet::Pole,
    output::{MAIN, Tremolo},
};
use std::ops::Range;

impl Sound<'_> {
    /// Reads `[bus.NAME]`.
    pub fn bus(&mut self, name: &str, section: &Section<'_>) {
        let values = section.values(&BUS.table(), &BUS.own(), self.at(None), self.problems).sound();
        let bus = values.zip(self.settings).and_then(|(values, settings)| {
            let channels = values.word("channels").map_or(settings.channels, Channels::named);
            Some(BusPlan { name: name.into(), channels, gain: values.number(GAIN.name)? })
        });
        self.buses.insert(name.into(), (bus, section.span.clone()));
    }

    /// The bus of pickups that name none, unless the scene has it.
    pub fn main_bus(&mut self) {
        let bus = self.settings.map(|settings| BusPlan {
            name: MAIN.into(),
            channels: settings.channels,
            gain: 0.0,
        });
        self.buses.entry(MAIN.into()).or_insert((bus, 0..0));
    }

    /// How a pickup of this quantity goes into the sound.
    pub fn wanted(&mut self, section: &Section<'_>, values: &Values, coupled: bool) -> Option<Wanted> {
        let name = section.text(BUS_KEY.name, self.problems).unwrap_or(MAIN);
        let bus = match name {
            MUTED => Bus::Muted,
            name if self.buses.contains_key(name) => Bus::Named(name.into()),
            name => {
                let names = self.buses.keys().map(String::as_str).chain([MUTED]);
                let help = format!("{}, or add a section [bus.{name}]", suggest(name, names, "buses"));
                let problem = section.problem(BUS_KEY.name, format!("there is no bus `{name}`"), "unknown");
                self.problems.push(problem.help(help));
                Bus::Unknown
            }
        };
        let pan = values.number("pan");
        if let (Bus::Named(name), Some(_)) = (&bus, pan)
            && let Some((Some(BusPlan { channels: channels @ (Channels::Mono | Channels::Pickups), .. }), _)) =
                self.buses.get(name)
        {
            let what = if *channels == Channels::Mono { "one channel" } else { "a channel for each pickup" };
            let message = format!("`pan` has no effect: the bus `{name}` has {what}");
            let help = format!("leave it out, or write channels = \"stereo\" in [bus.{name}] or [output]");
            self.problems.push(section.problem("pan", message, "unused").help(help));
        }
        let usual = self.settings.map_or(0.0, |settings| if coupled { settings.ac_coupling } else { 0.0 });
        Some(Wanted {
            gain: values.number(GAIN.name)?,
            pan,
            ac_coupling: values.number("ac_coupling").unwrap_or(usual),
            tremolo: values
                .table("tremolo")
                .and_then(|table| Tremolo::new(table.number("rate")?, table.number("depth")?)),
            magnet: values
                .number(MAGNET)
                .map(|distance| Pole { distance, offset: values.number(MAGNET_OFFSET).unwrap_or(0.0) }),
            bus,
            span: section.span.clone(),
        })
    }

    /// How the sound is written, when all pickups have been read: their mixes are set.
    pub fn mix(&mut self) -> Option<OutputPlan> {
        let settings = self.settings?;
        let (wanted, heard) = (std::mem::take(&mut self.wanted), std::mem::take(&mut self.heard));
        let used = wanted.iter().filter_map(|wanted| match &wanted.bus {
            Bus::Named(name) => Some(name.as_str()),
            Bus::Muted | Bus::Unknown => None,
        });
        let mut names: Vec<&str> = Vec::new();
        for name in used.chain(heard.iter().map(String::as_str)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names.sort_by_key(|name| *name != MAIN);
        self.check_buses(&names, &wanted);
        for (pickup, wanted) in self.pickups.iter_mut().zip(&wanted) {
            let Wanted { gain, ac_coupling, tremolo, magnet, .. } = *wanted;
            pickup.mix = PickupMix { gain, pan: 0.0, bus: None, ac_coupling, tremolo, magnet };
        }
        let mut buses = Vec::new();
        for (number, name) in names.iter().enumerate() {
            let bus = self.buses.get(*name)?.0.clone()?;
            let own = |wanted: &Wanted| matches!(&wanted.bus, Bus::Named(of) if of == name);
            let members: Vec<usize> = (0..wanted.len()).filter(|i| own(&wanted[*i])).collect();
            for (position, &i) in members.iter().enumerate() {
                let pan = wanted[i].pan.unwrap_or(spread(position, members.len()));
                self.pickups[i].mix = PickupMix { pan, bus: Some(number), ..self.pickups[i].mix };
            }
            self.check_units(settings.level, &bus, &members, &wanted);
            buses.push(bus);
        }
        let Settings { level, is_level_stated, format, full_scale, fade, .. } = settings;
        Some(OutputPlan { level, is_level_stated, format, full_scale, fade, buses })
    }

    /// There is a bus, and none without pickups.
    fn check_buses(&mut self, used: &[&str], wanted: &[Wanted]) {
        // One that could not be read may be meant to be heard.
        let all = wanted.len() == self.stated;
        let muted = all && used.is_empty() && wanted.iter().all(|wanted| matches!(wanted.bus, Bus::Muted));
        if let (true, Some(first)) = (muted, wanted.first()) {
            let message = "every pickup is muted: there is no sound to write";
            let help = format!("leave bus = \"{MUTED}\" out of one of them");
            self.problems.push(Problem::new(message, first.span.clone(), "").help(help));
        }
        let unused = self.buses.iter().filter(|(name, _)| *name != MAIN && !used.contains(&name.as_str()));
        let warning = |(name, (_, span)): (&String, &(_, Range<usize>))| {
            let message = format!("bus `{name}`: no pickup is in it, and it has no file");
            let help = format!("write bus = \"{name}\" in a pickup");
            Problem::new(message, span.clone(), "").help(help)
        };
        let warnings: Vec<Problem> = unused.map(warning).collect();
        self.warnings.extend(warnings);
    }

    /// SI values of several units cannot be added.
    fn check_units(&mut self, level: Level, bus: &BusPlan, members: &[usize], wanted: &[Wanted]) {
        let absolute = matches!(level, Level::Gain(_) | Level::Raw);
        let Some(first) = members.first().filter(|_| absolute && bus.channels != Channels::Pickups) else {
            return;
        };
        let unit = |i: usize| -> &Pickup { &self.pickups[i] };
        let Some(&other) = members.iter().find(|i| unit(**i).unit != unit(*first).unit) else { return };
        let message = format!(
            "the bus `{}` adds pickups in {} and in {}, which the level ({level}) keeps as SI values",
            bus.name,
            unit(*first).unit,
            unit(other).unit
        );
        let help = "write level = \"reference\" or channels = \"pickups\" in [output]";
        self.problems.push(Problem::new(message, wanted[other].span.clone(), "another unit").help(help));
    }
}

/// The pan of one of `count` pickups that are spread evenly from left to right.
fn spread(position: usize, count: usize) -> f64 {
    if count < 2 { 0.0 } else { 2.0 * position as f64 / (count - 1) as f64 - 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pickups_are_spread_from_left_to_right() {
        let pans = |count| (0..count).map(|i| spread(i, count)).collect::<Vec<f64>>();
        assert_eq!(pans(1), [0.0]);
        assert_eq!(pans(2), [-1.0, 1.0]);
        assert_eq!(pans(5), [-1.0, -0.5, 0.0, 0.5, 1.0]);
    }
}

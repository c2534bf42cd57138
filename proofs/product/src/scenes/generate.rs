//! A scene from a seed: section after section, each drawn again until the scene with it is accepted.
//!
//! One of five is of a single coordinate near the limit of its scheme, and lasts 1 to 2 s: what grows slowly near
//! ωΔt = 2 shows only then. One of six has a scheme that takes rigid contacts, and half of the contacts of such a scheme are
//! rigid, and strings with modes may stand on other bodies where the scheme takes it. One of four has a score. One of twenty has a last section that is drawn once and may be refused.

mod bridges;
mod stretched;

use super::{
    draw::Draw,
    law::{Law, is_judged},
    options::Options,
    place,
    scene::{Drawn, File, Section},
    section::{self, Wanted, extreme, instrument},
};
use hamiltone_core::{
    coverage::{Feature, Need},
    parameter::{Kind, Role, Takes, Values},
    scheme::Scheme,
};
use hamiltone_elements::BOWS;
use hamiltone_laws::parts::Decades;
use hamiltone_scene::{
    Plan,
    catalogue::Category,
    resolve::{BALANCE_BOUND, Frame, Sections, frames},
};
use std::{
    f64::consts::{PI, TAU},
    fs,
    path::Path,
};
use toml::{Table, Value};

/// How often a section is drawn before it is left out.
const TRIES: usize = 8;
/// Steps × (coordinates + 10 elements) of a scene: what a test has time for.
const WORK: f64 = 4e5;
/// The most coordinates and elements of a scene.
const SIZE: usize = 250;

/// The scene of a seed; files that it reads are written to `folder` on the way.
///
/// # Panics
/// If a file cannot be written.
pub fn scene(seed: u64, folder: &Path) -> Drawn {
    let mut builder = Builder::new(seed, folder);
    builder.bodies();
    builder.stretched();
    builder.bridges();
    builder.forces();
    builder.outputs();
    builder.finish()
}

/// The scene of a seed with a bow, a reed, lips or a jet, and gestures that play it.
///
/// # Panics
/// If a file cannot be written.
pub fn sustained(seed: u64, folder: &Path) -> Drawn {
    let mut builder = Builder::new(seed, folder);
    builder.sustained();
    builder.outputs();
    builder.finish()
}

/// How often a scheme is taken that covers bodies that stretch, besides where it is drawn anyway.
const STRETCHED: f64 = 0.1;

struct Builder<'a> {
    draw: Draw,
    folder: &'a Path,
    scene: Drawn,
    /// Of what is accepted so far.
    plan: Option<Plan>,
    /// The last first body that was refused, with its pickup and files.
    refused: Option<(Vec<Section>, Vec<File>)>,
    scheme: &'static Kind,
    decades: Decades,
    /// The kinds that are drawn, where not all are.
    only: &'static [&'static str],
    /// Whether it is of one coordinate, and lasts long.
    long: bool,
    /// Steps per second.
    rate: f64,
}

impl<'a> Builder<'a> {
    fn new(seed: u64, folder: &'a Path) -> Self {
        let mut draw = Draw::new(seed);
        let mut schemes = Category::Schemes.kinds();
        // Drawn apart, so that the others keep their numbers.
        if Draw::new(!seed).chance(0.16) {
            schemes.retain(|kind| takes_rigid(kind));
        }
        if Draw::new(seed.rotate_left(7)).chance(STRETCHED) {
            schemes.retain(|kind| takes(kind, Feature::Forms));
        }
        let scheme = *draw.any(&schemes);
        let decades: Decades = if draw.chance(0.25) { extreme } else { instrument };
        let long = draw.chance(0.2);
        let mut run = Table::new();
        run.insert("scheme".into(), scheme.name.into());
        let mut options = section::options(&mut draw, scheme);
        if draw.chance(0.1) {
            options.insert(BALANCE_BOUND.name.into(), draw.decades(-4.0, -0.01).into());
        }
        if !options.is_empty() {
            run.insert("options".into(), options.into());
        }
        let mut sample_rate = 44_100.0;
        if draw.chance(0.4) {
            sample_rate = draw.decades(3.9, 5.3).round();
            run.insert("sample_rate".into(), Value::Integer(sample_rate as i64));
        }
        let oversampling = if draw.chance(0.6) { 1 } else { draw.decades(0.3, 1.6) as i64 };
        if oversampling > 1 || draw.chance(0.1) {
            run.insert("oversampling".into(), Value::Integer(oversampling));
        }
        let duration = if long { draw.between(1.0, 2.0) } else { draw.between(0.01, 0.05) };
        run.insert("duration".into(), duration.into());
        let run = Section { group: "run", name: None, keys: run };
        let scene = Drawn { seed, sections: vec![run], files: Vec::new(), options: Options::default() };
        Self {
            draw,
            folder,
            scene,
            plan: None,
            refused: None,
            scheme,
            decades,
            only: &[],
            long,
            rate: sample_rate * oversampling as f64,
        }
    }

    /// One to four bodies. Where none is accepted, the last one stays and the scene is refused.
    fn bodies(&mut self) {
        let count = if self.long { 1 } else { 1 + self.draw.below(4) };
        for i in 0..count {
            let frame = frame("body");
            let added = self.section(&frame, format!("b{i}"), |builder, section| {
                if builder.long {
                    builder.near_limit(section);
                }
            });
            if !added && i == 0 {
                break;
            }
        }
    }

    /// A bow on a body, or a reed, lips or a jet on up to three bores, under the scheme that takes them, beside any forces.
    fn sustained(&mut self) {
        let schemes = Category::Schemes.kinds();
        self.scheme = schemes.into_iter().find(|kind| kind.name == "modal-ec").expect("the scheme");
        self.long = false;
        let run = &mut self.scene.sections[0].keys;
        run.insert("scheme".into(), self.scheme.name.into());
        run.insert("duration".into(), self.draw.between(0.01, 0.05).into());
        run.remove("options");
        let mut most = 0.0;
        let gestures: &[&str] = if self.draw.chance(0.4) {
            self.bodies();
            self.only = &BOWS;
            self.section(&frame("contact"), "player".into(), |_, _| {});
            &["bow", "draw"]
        } else {
            let bores = 1 + self.draw.below(3);
            most = (bores - 1) as f64;
            self.only = &["bore"];
            for i in 0..bores {
                self.section(&frame("body"), format!("b{i}"), |builder, section| {
                    // Lists of holes that fit each other are rare. The scene is read for every section, and many peaks take seconds to fit.
                    section.keys.remove("holes");
                    section.keys.insert("highest".into(), builder.draw.between(300.0, 1000.0).into());
                });
            }
            self.only = &["oscillator"];
            self.section(&frame("body"), "reed".into(), |_, _| {});
            // The lips of each bore but the first, now and then.
            let further = if self.draw.chance(0.5) { bores - 1 } else { 0 };
            for i in 0..further {
                self.section(&frame("body"), format!("lips{i}"), |_, _| {});
            }
            self.only = &["reed", "lips", "jet"];
            self.section(&frame("contact"), "player".into(), |_, section| {
                section.keys.insert("between".into(), vec!["reed", "b0"].into());
                section.keys.remove("air_density");
                if bores > 1 {
                    let others: Vec<String> = (1..bores).map(|i| format!("b{i}")).collect();
                    section.keys.insert("fingerings".into(), others.into());
                }
                if further > 0 {
                    let lips: Vec<String> = (0..further).map(|i| format!("lips{i}")).collect();
                    section.keys.insert("embouchures".into(), lips.into());
                }
            });
            if bores > 1 { &["blow", "embouchure", "finger"] } else { &["blow", "embouchure"] }
        };
        self.only = &[];
        for i in 0..self.draw.below(3) {
            let group = *self.draw.any(&["link", "contact", "drive"]);
            self.section(&frame(group), format!("f{i}"), |_, _| {});
        }
        self.shorten();
        let duration = self.scene.sections[0].number("duration").unwrap_or_default();
        for _ in 0..2 + self.draw.below(6) {
            self.only = std::slice::from_ref(self.draw.any(gestures));
            let (mut section, files) = self.candidate(&frame("score"), String::new());
            // Times of a curve ascend rarely.
            if section.keys.contains_key("curve") {
                continue;
            }
            section.keys.insert("time".into(), (duration * self.draw.between(0.0, 0.9)).into());
            for target in ["control", "rate", "fingering", "place"] {
                if let Some(name) = section.keys.get_mut(target) {
                    *name = "player".into();
                }
            }
            if section.keys.contains_key("bore") {
                section.keys.insert("bore".into(), self.draw.between(0.0, most).into());
            }
            // The whole scene is read once they are there, since the fits of bores take their time.
            self.scene.sections.push(section);
            self.scene.files.extend(files);
        }
        self.only = &[];
    }

    /// Links, contacts and drives, in any order.
    fn forces(&mut self) {
        if self.plan.is_none() {
            return;
        }
        let count = if self.long { self.draw.below(3) } else { 1 + self.draw.below(6) };
        for i in 0..count {
            let group = *self.draw.any(&["link", "contact", "contact", "drive", "drive"]);
            self.section(&frame(group), format!("{}{i}", &group[..1]), |_, _| {});
        }
        // Nothing would move.
        for i in 0..TRIES {
            if self.is_at_rest() {
                self.section(&frame("drive"), format!("start{i}"), |_, _| {});
            }
        }
        self.shorten();
        self.score();
        if self.draw.chance(0.05) {
            let group = *self.draw.any(&["body", "link", "contact", "drive"]);
            let (section, files) = self.candidate(&frame(group), "last".into());
            self.scene.files.extend(files);
            self.scene.sections.push(section);
        }
    }

    /// In one of four scenes some gestures within its duration.
    fn score(&mut self) {
        // Drawn apart, so that the others keep their numbers.
        let mut apart = Draw::new(self.scene.seed.rotate_left(32));
        if !apart.chance(0.25) {
            return;
        }
        std::mem::swap(&mut self.draw, &mut apart);
        let duration = self.scene.sections[0].number("duration").unwrap_or_default();
        for _ in 0..1 + self.draw.below(5) {
            self.section(&frame("score"), String::new(), |builder, section| {
                let time = duration * builder.draw.between(0.0, 1.1);
                section.keys.insert("time".into(), time.into());
                // A pull ends at its time.
                if section.text("gesture") == Some("pluck") {
                    section.keys.insert("rise".into(), (time * builder.draw.between(0.1, 1.0)).into());
                }
            });
        }
        std::mem::swap(&mut self.draw, &mut apart);
    }

    /// Whether nothing moves at t = 0 and nothing drives it.
    fn is_at_rest(&self) -> bool {
        let at_rest = |plan: &Plan| {
            let initial = &plan.system.initial;
            let still = initial.position.iter().chain(&initial.velocity).all(|x| *x == 0.0);
            still && plan.drives.is_empty()
        };
        self.plan.as_ref().is_some_and(at_rest)
    }

    fn outputs(&mut self) {
        for i in 0..self.draw.below(3) {
            self.section(&frame("pickup"), format!("p{i}"), |_, _| {});
        }
        if self.draw.chance(0.1) {
            self.section(&frame("bus"), "main".into(), |_, _| {});
        }
        if self.draw.chance(0.4) {
            let frame = frame("output");
            let wanted = Wanted { name: None, kind: None, decades: self.decades };
            let (mut section, _) = section::draw(&mut self.draw, &frame, wanted, None);
            let level = section.keys.get("level").and_then(Value::as_str).unwrap_or_default();
            if level == "raw" || level.starts_with("gain") {
                // It has an effect at other levels alone.
                section.keys.remove("full_scale");
            }
            let own = |section: &Section| section.group == "bus" && section.keys.contains_key("channels");
            let stereo = section.keys.get("channels").and_then(Value::as_str) == Some("stereo");
            if stereo && !self.scene.sections.iter().any(own) {
                self.pan();
            }
            self.scene.sections.push(section);
        }
    }

    /// Places some pickups between left and right.
    fn pan(&mut self) {
        for pickup in self.scene.sections.iter_mut().filter(|section| section.group == "pickup") {
            if self.draw.chance(0.5) {
                pickup.keys.insert(section::PAN.into(), self.draw.between(-1.0, 1.0).into());
            }
        }
    }

    fn finish(mut self) -> Drawn {
        self.scene.options = Options::draw(&mut self.draw, &self.scene.sections);
        if let (Some(every), Some(plan)) = (&mut self.scene.options.every, &self.plan) {
            *every = (*every).min(plan.steps().max(1));
        }
        self.scene
    }

    fn candidate(&mut self, frame: &Frame, name: String) -> (Section, Vec<File>) {
        let mut kinds = kinds_of(frame);
        kinds.retain(|kind| match self.only {
            [] => frame.name != "contact" || is_judged(kind.name),
            only => only.contains(&kind.name),
        });
        if frame.name == "contact" && takes_rigid(self.scheme) && self.draw.chance(0.5) {
            kinds.retain(|kind| law(kind) == Some(Law::Rigid));
        }
        let kind = (!kinds.is_empty()).then(|| *self.draw.any(&kinds));
        let name = (frame.sections == Sections::Named).then_some(name);
        let wanted = Wanted { name, kind, decades: self.decades };
        section::draw(&mut self.draw, frame, wanted, self.plan.as_ref())
    }

    /// Adds a section that is accepted, the first body with a pickup; whether there was one.
    fn section(&mut self, frame: &Frame, name: String, change: impl Fn(&mut Self, &mut Section)) -> bool {
        for _ in 0..TRIES {
            let (mut section, files) = self.candidate(frame, name.clone());
            change(self, &mut section);
            for (name, bytes) in &files {
                fs::write(self.folder.join(name), bytes).expect("a file of the scene");
            }
            let before = (self.scene.sections.len(), self.scene.files.clone());
            self.scene.sections.push(section);
            self.scene.files.extend(files);
            self.scene.files.dedup();
            let pickups = if before.0 == 1 { pickups(&name) } else { vec![None] };
            for pickup in pickups {
                self.scene.sections.truncate(before.0 + 1);
                self.scene.sections.extend(pickup);
                // Where reading a scene does not end, this is the scene.
                fs::write(self.folder.join("scene.toml"), self.scene.text()).expect("the scene");
                if let Ok(plan) = self.scene.plan(self.folder)
                    && self.fits(&plan)
                {
                    self.plan = Some(plan);
                    return true;
                }
            }
            // Without a body the scene is refused, with a reason.
            if self.plan.is_some() || before.0 > 1 {
                self.scene.sections.truncate(before.0);
                self.scene.files = before.1;
            } else if self.scene.sections.len() > before.0 {
                self.refused = Some((
                    self.scene.sections.split_off(before.0),
                    std::mem::replace(&mut self.scene.files, before.1),
                ));
            }
        }
        if let (None, Some((sections, files))) = (&self.plan, self.refused.take()) {
            self.scene.sections.extend(sections);
            self.scene.files = files;
        }
        false
    }

    fn fits(&self, plan: &Plan) -> bool {
        let size = plan.system.size() + plan.system.elements.len();
        size <= if self.long { 1 } else { SIZE } + plan.system.elements.len() * usize::from(self.long)
    }

    /// Puts a frequency where ωΔt is near the limit of the scheme, or near 2 or π, from either side.
    fn near_limit(&mut self, section: &mut Section) {
        let limit = built(self.scheme).and_then(|scheme| scheme.claims().limit);
        let limit = limit.unwrap_or(*self.draw.any(&[2.0, PI, PI / 2.0]));
        let product = match self.draw.below(3) {
            0 => limit * (1.0 - self.draw.decades(-12.0, -0.5)),
            1 => limit * (1.0 + self.draw.decades(-12.0, 1.0)),
            _ => self.draw.decades(-2.0, 0.8),
        };
        let frequency = Category::Bodies.kinds().into_iter().find(|k| Some(k.name) == section.text("kind"));
        let frequency = frequency.and_then(|kind| {
            kind.parameters.iter().find(|p| matches!(p.takes, Takes::Number(Role::Frequency, _)))
        });
        if let Some(value) = frequency.and_then(|parameter| section.keys.get_mut(parameter.name)) {
            *value = (product * self.rate / TAU).into();
        }
    }

    /// Takes a shorter duration where the run would take long.
    fn shorten(&mut self) {
        let Some(plan) = &self.plan else { return };
        let size = (plan.system.size() + 10 * plan.system.elements.len()) as f64;
        let longest = (WORK / size / self.rate).max(100.0 / plan.sample_rate);
        if let Some(Value::Float(duration)) = self.scene.sections[0].keys.get_mut("duration") {
            *duration = duration.min(longest);
        }
    }
}

/// A scheme with its defaults, where it has no option that must be given.
fn built(kind: &Kind) -> Option<Box<dyn Scheme>> {
    let entry = hamiltone_schemes::catalogue().iter().find(|entry| entry.kind.name == kind.name)?;
    entry.build(&Values::defaults(entry.kind.parameters)).ok()
}

fn takes_rigid(scheme: &Kind) -> bool {
    takes(scheme, Feature::Rigid)
}

/// Whether a scheme covers a feature.
fn takes(scheme: &Kind, feature: Feature) -> bool {
    built(scheme).is_some_and(|scheme| scheme.coverage().covers(Need::Feature(feature)))
}

/// The law of the judge that a kind of contact has.
fn law(kind: &Kind) -> Option<Law> {
    let keys = Table::from_iter([("law".to_string(), Value::from(kind.name))]);
    Law::of(&Section { group: "contact", name: None, keys }, &[])
}

/// The kinds of the sections of a frame.
fn kinds_of(frame: &Frame) -> Vec<&'static Kind> {
    let category = Category::ALL.into_iter().find(|category| category.place().0 == frame.name);
    category.map(Category::kinds).unwrap_or_default()
}

/// Pickups of a body, of which one fits whatever it is: at a point, along a line, on a surface; of any quantity.
fn pickups(body: &str) -> Vec<Option<Section>> {
    let words = frame("pickup").parameters.iter().find_map(|p| match p.takes {
        Takes::Word(words) => Some((p.name, words)),
        _ => None,
    });
    let (quantity, words) = words.expect("a pickup has a quantity");
    let pickup = |place: &str, word: &str| {
        let keys = [("at", format!("{body}{place}")), (quantity, word.to_string())];
        let keys = keys.map(|(key, text)| (key.to_string(), Value::from(text)));
        Some(Section { group: "pickup", name: Some("first".into()), keys: Table::from_iter(keys) })
    };
    ["", "@0.37", "@0.31,0.42"]
        .iter()
        .flat_map(|place| words.iter().map(move |word| pickup(place, word)))
        .collect()
}

/// The frame of this name.
///
/// # Panics
/// If there is none.
fn frame(name: &str) -> Frame {
    frames().into_iter().find(|frame| frame.name == name).expect("a section of this name")
}

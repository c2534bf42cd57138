//! Cavities: the spring of the air that a drum head encloses, alone in a kettle or with a second head.
//!
//!   V = ½ψ²,   ψ = √(ρc²/Ω) (∫∫u₁ dS − ∫∫u₂ dS)        ([`hamiltone_core::form`], linear)
//!
//! Ω (m³) is the volume of the air, u₁ and u₂ (m) the displacements of the heads in the same direction, ρ (kg/m³) the density of air and c (m/s) the speed of sound at
//! 20 °C: the pressure is the same everywhere, as it is at frequencies far below c/2 over the largest size of the cavity. The mass of the air is that of each head
//! (`air` and `depth` of a membrane). (Fletcher & Rossing 1998, §§18.1, 18.3.)

use super::{
    frame::{Form, Frame, Key, Sections},
    places::Named,
    stages::Connections,
};
use crate::document::section::Section;
use hamiltone_bodies::Air;
use hamiltone_core::{
    form,
    geometry::Place,
    parameter::{Absent, Parameter, Range, Role, Takes},
    row::Row,
};

const BETWEEN: Key = Key {
    name: "between",
    required: true,
    form: Form::Places,
    example: "[\"batter\", \"resonant\"]",
    doc: "a membrane, and the ground, or another membrane on the other side of the air",
};

/// Ω.
const VOLUME: Parameter = Parameter {
    name: "volume",
    takes: Takes::Number(Role::Volume, Range { min: 1e-6, max: 1e3, open: false }),
    absent: Absent::Required,
    doc: "Ω, of the enclosed air",
};

/// `[cavity.NAME]`.
pub const CAVITY: Frame = Frame {
    name: "cavity",
    summary: "air that one or two drum heads enclose: the spring of a kettle, or between the heads of a drum",
    sections: Sections::Named,
    keys: &[BETWEEN],
    one_of: &[],
    parameters: &[VOLUME],
    rules: &[],
};

impl Connections<'_> {
    /// Adds the form of `[cavity.NAME]`.
    pub fn cavity(&mut self, name: &str, section: &Section<'_>) {
        let values = section.values(&CAVITY.table(), &CAVITY.own(), self.at(None), self.problems).sound();
        let ends = self.between(section);
        let Some([first, second]) = ends else { return };
        let rows =
            [first, second].map(|end| end.and_then(|end| Some((self.displaced(section, &end)?, end.name))));
        let (Some(values), [Some((first, one)), Some((second, other))]) = (values, rows) else { return };
        if one == other {
            let message = format!("both ends are `{one}`: the air between them is not compressed");
            let help = "write between = [\"HEAD\", \"ground\"], or the two heads of a drum";
            self.problems.push(section.problem("between", message, "").help(help));
            return;
        }
        let air = Air::of_a_room();
        let Some(volume) = values.number(VOLUME.name) else { return };
        let root = (air.density * air.speed * air.speed / volume).sqrt();
        let linear = first.minus(&second).scaled(root);
        let (quadratic, strain) = (Vec::new(), Row::ground());
        self.system.forms.push(form::Form { name: name.into(), quadratic, linear, strain, stretch: 0.0 });
    }

    /// The row of the volume that an end displaces.
    fn displaced(&mut self, section: &Section<'_>, end: &Named) -> Option<Row> {
        if end.is_ground() {
            return Some(Row::ground());
        }
        if end.is_broken() {
            return None;
        }
        let volume = end.body().and_then(|body| body.representation.volume());
        match volume.filter(|_| end.place == Place::Whole) {
            // Most modes displace none.
            Some(row) => Some(Row::Sparse(row.entries().filter(|(_, w)| *w != 0.0).collect())),
            None => {
                let message = format!("`{}` is no drum head", end.text);
                let help = "write between = [\"HEAD\", \"ground\"] with a body of kind = \"membrane\", without a place on it";
                self.refuse(section.problem("between", message, "no head").help(help))
            }
        }
    }
}

//! Plates that stretch as they bend by more than their thickness: von Kármán's equations by modes.
//!
//!   ρh w_tt + D∇⁴w = L(w + w₀, F),   ∇⁴F = −(Eh/2) L(w, w + 2w₀),   L(f, g) = f_xx g_yy + f_yy g_xx − 2f_xy g_xy
//!
//! | symbol | meaning | unit |
//! |---|---|---|
//! | w, w₀ | displacement, and the shape at rest of a plate that is not flat and has no stress | m |
//! | F | Airy's stress function: N_xx = F_yy, N_yy = F_xx, N_xy = −F_xy | N m |
//! | E, h, ρ, D | Young's modulus, thickness, density, bending stiffness | Pa, m, kg/m³, N m |
//!
//! (von Kármán 1910; Föppl 1907; with w₀ Marguerre 1938.) With w = Σ Φᵢqᵢ and F = Σ ηₗΨₗ of functions ∇⁴Ψ = ζ⁴Ψ that meet the conditions of the
//! edge, ηₗ = −½Eh(qᵀCˡq + 2cˡ·q)/(ζₗ⁴‖Ψₗ‖²), and the energy of stretching (1/2Eh)∫(∇²F)² is a sum of squares (Touzé, Thomas & Chaigne 2002, J. Sound Vib.
//! 258, 649; Ducceschi, Touzé, Bilbao & Webb 2014, Acta Mech. 225, 213):
//!
//!   V = ½ Σ ψₗ²,   ψₗ = ½ qᵀBˡq + lˡ·q,   Bˡ = √(Eh) Cˡ/(ζₗ²‖Ψₗ‖),   lˡ = √(Eh) cˡ/(ζₗ²‖Ψₗ‖)
//!   Cˡᵢⱼ = ∫∫ Ψₗ L(Φᵢ, Φⱼ) dS,   cˡᵢ = ∫∫ Ψₗ L(Φᵢ, w₀) dS,   ‖Ψ‖² = ∫∫ Ψ² dS
//!
//! C (1/m²) is symmetric in i and j. With w₀ the part ½(l·q)² of the energy raises the frequencies of small amplitudes (`modal/coupled.rs`), and
//! (l·q)(½qᵀBq) makes them fall before they rise with the amplitude. In-plane inertia is left out. The edges are free to move in the plane of the plate; of what holds
//! them there see [`disc`], [`products`] and [`rectangle`]. Of an orthotropic plate `orthotropic.rs` has the operators of w and F; E is E₁ then.

pub(crate) mod disc;
pub(crate) mod products;
pub(crate) mod rectangle;

use hamiltone_core::{
    form::Form,
    parameter::{Absent, Complaint, Parameter, Range, Role, Rule, SWITCH, Takes, Values},
    row::Row,
};

/// The most modes of a plate: the number of coefficients grows with its square.
const MAX_MODES: usize = 500;
/// How many Ψ there may be.
const MOST_AIRY_MODES: Range = Range { min: 1.0, max: 200.0, open: false };
/// How many there are unless they are given. What the energy of one mode that moves alone, ⅛Σbₗ²q⁴, is short of by the lowest M of 200
/// Ψ is at most this, ν = 0.3, sides as 4 to 3:
///
/// | of the lowest | free disc | clamped disc | rectangle, simply supported | clamped | free |
/// |---|---|---|---|---|---|
/// | 3 modes, 0.1 % | 6 | 15 | 27 | 22 | 42 |
/// | 10 modes, 1 % | 15 | 30 | 43 | 45 | 71 |
/// | 20 modes, 1 % | 30 | 74 | 75 | 89 | 71 |
/// | 30 modes, 1 % | 51 | 105 | 116 | 119 | 87 |
const DEFAULT_AIRY_MODES: usize = 30;

/// Whether it stretches.
pub(crate) const VON_KARMAN: Parameter = Parameter {
    name: "von_karman",
    takes: Takes::Word(&SWITCH),
    absent: Absent::Word("false"),
    doc: "whether the plate stretches as it bends by more than its thickness (von Kármán 1910), so that pitches rise and energy moves to high modes: a gong, a crash; at most 500 modes, and 100 are usual",
};

/// How many modes of the stress function.
pub(crate) const AIRY_MODES: Parameter = Parameter {
    name: "airy_modes",
    takes: Takes::Number(Role::Count, MOST_AIRY_MODES),
    absent: Absent::Optional(
        "30: the three lowest modes stiffen as they should to 0.1 %, those of a free rectangle with 42",
    ),
    doc: "with von_karman, by how many of its lowest modes the stress function F is represented, a whole number",
};

/// H of a disc.
pub(crate) const RISE: Parameter = Parameter {
    name: "rise",
    takes: Takes::Number(Role::Length, Range { min: 0.0, max: 25.0, open: false }),
    absent: Absent::Number(0.0),
    doc: "with von_karman, H of a shallow spherical cap w₀ = H(1 − r²/a²) without stress at rest, at most a/4: the centre of a gong or cymbal stands off its edge",
};

/// Whether the sides of a simply supported plate are held in its plane.
pub(crate) const IN_PLANE: Parameter = Parameter {
    name: "in_plane",
    takes: Takes::Word(&["guided", "free"]),
    absent: Absent::Optional("guided where all sides are simply supported, free elsewhere"),
    doc: "with von_karman, of four simply supported sides: guided, so that they move at right angles to themselves only (F = F_nn = 0), or free of stress (F = F_n = 0), as those of all other plates: softer",
};

/// What means nothing without.
pub(crate) const RULE: Rule =
    Rule::OnlyWith { parameters: &[AIRY_MODES.name], key: VON_KARMAN.name, word: SWITCH[1] };

/// The same of a rectangle.
pub(crate) const IN_PLANE_RULE: Rule =
    Rule::OnlyWith { parameters: &[IN_PLANE.name], key: VON_KARMAN.name, word: SWITCH[1] };

/// How a plate stretches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stretches {
    /// Eh, N/m.
    pub stiffness: f64,
    /// How many Ψ.
    pub airy_modes: usize,
    /// H, m.
    pub rise: f64,
    /// Whether simply supported sides are free of stress in the plane of the plate.
    pub free: bool,
}

impl Stretches {
    /// Those of a stiffness Eh > 0 (N/m) and so many Ψ.
    ///
    /// # Errors
    /// A [`Complaint`] where Eh is not positive, or there is no Ψ or too many.
    pub fn new(stiffness: f64, airy_modes: usize) -> Result<Self, Complaint> {
        MOST_AIRY_MODES.check(AIRY_MODES.name, airy_modes as f64)?;
        let stiffness = Range::POSITIVE.check("youngs_modulus", stiffness)?;
        Ok(Self { stiffness, airy_modes, rise: 0.0, free: false })
    }

    /// Those that the values of a plate with so many modes ask for.
    ///
    /// # Errors
    /// A [`Complaint`] where it has too many modes.
    pub fn read(values: &Values, modes: usize) -> Result<Option<Self>, Complaint> {
        if values.word(VON_KARMAN.name) != Some("true") {
            return Ok(None);
        }
        let stiffness = values.required("youngs_modulus")? * values.required("thickness")?;
        let airy_modes = values.count(AIRY_MODES.name).unwrap_or(DEFAULT_AIRY_MODES);
        check(modes)?;
        let stretches = Self::new(stiffness, airy_modes)?;
        let (rise, free) =
            (values.number(RISE.name).unwrap_or(0.0), values.word(IN_PLANE.name) == Some("free"));
        Ok(Some(Self { rise, free, ..stretches }))
    }
}

/// That a cap of the radius a (m) is shallow.
///
/// # Errors
/// A [`Complaint`] where its rise is negative or above a/4.
pub(crate) fn check_rise(rise: f64, radius: f64) -> Result<(), Complaint> {
    if (0.0..=0.25 * radius).contains(&rise) {
        return Ok(());
    }
    let message = format!(
        "is {rise} m; it must be from 0 to {} m, a quarter of the radius: the equations are those of a shallow cap",
        0.25 * radius
    );
    Err(Complaint::new(RISE.name, message))
}

/// That a plate that stretches has not too many modes.
///
/// # Errors
/// A [`Complaint`] where it is otherwise.
pub(crate) fn check(modes: usize) -> Result<(), Complaint> {
    if modes > MAX_MODES {
        let message = format!(
            "is {modes}; at most {MAX_MODES} with von_karman = true: the number of coefficients grows with its square"
        );
        return Err(Complaint::new("modes", message).help("give fewer modes; 100 are usual"));
    }
    Ok(())
}

/// The form of one Ψ.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct AiryForm {
    /// B, √J/m²: (i, j, bᵢⱼ) with i ≤ j, each pair once; what symmetry makes 0 is left out.
    pub quadratic: Vec<(usize, usize, f64)>,
    /// l, √J/m.
    pub linear: Vec<(usize, f64)>,
}

impl AiryForm {
    /// The form of the coordinates from `first` on. Inputs do not strain it.
    pub fn form(&self, name: &str, first: usize) -> Form {
        Form {
            name: name.into(),
            quadratic: self.quadratic.iter().map(|(i, j, b)| (first + i, first + j, *b)).collect(),
            strain: Row::ground(),
            linear: Row::Sparse(self.linear.iter().map(|(i, l)| (first + i, *l)).collect()),
            stretch: 0.0,
        }
    }
}

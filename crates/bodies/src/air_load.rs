//! The air that a membrane moves.
//!
//!   m_ns = N (ρh + μ_out + μ_in),   N = ∫∫φ² dS                                             of the mode R(r) cos nθ, R = J_n(j r/a)
//!   μ_out = ρₐ a ∫₀^∞ H(x)² dx/G,   H(x) = ∫₀¹ R J_n(xr) r dr,   G = ∫₀¹ R² r dr
//!   μ_in = ρₐ Σ_p H(q_p)²/(G N_p γ_p tanh γ_p d),   N_p = ∫₀¹ J_n(q_p r)² r dr,   γ_p² = (q_p/a)² − (ω/c)²,   J_n′(q_p) = 0
//!
//! | symbol | meaning | unit |
//! |---|---|---|
//! | ρₐ, c | density of air and speed of sound at 20 °C | kg/m³, m/s |
//! | a, ρh | radius and mass per area of the membrane; r is a part of a | m, kg/m² |
//! | μ_out | the mass per area of air that may go anywhere beyond a wide wall around the rim: waves J_n(xr) much shorter than those in air (Lamb 1932, Hydrodynamics, §102) | kg/m² |
//! | μ_in | that of air in a rigid cylinder of depth d below the membrane: standing waves J_n(q_p r) cosh γ_p(z + d) (Morse 1948, Vibration and Sound, §28) | kg/m² |
//! | ω | the frequency of the mode, of which q₁c/a is the lowest at which the air resonates | rad/s |
//!
//! For n = 0 the air in the cylinder is compressed, too: a spring V = ½(ρₐc²/πa²d)(∫∫u dS)², a form that is linear in ψ, which couples these modes, and the mass ρₐd/3 of what moves
//! up and down with it. Each mode takes the mass along that moves with itself; what moves from one mode to another is left out, and so is what is radiated.
//!
//! T. Rossing (1982, Scientific American 247 (5); Fletcher & Rossing 1998, table 18.3) measured on a kettledrum of 65 cm the ratios of `a_kettle_tunes_its_partials` below.

use crate::{bessel, bore::Air, modal::quadrature};
use hamiltone_core::parameter::{Absent, Complaint, Parameter, Range, Role, Rule, Takes, Values};
use hamiltone_numerics::math::{jn, square, tanh};
use std::collections::BTreeMap;

/// H² falls with x⁻⁵: what lies beyond 3j + 60 is less than a part in 10⁴ of its integral.
const BEYOND: f64 = 60.0;
/// Nearer to j, as a part of it, H is G: rounding is as large as what that leaves out.
const AT_THE_ZERO: f64 = 1e-8;
/// Standing waves are counted up to so much above j: their parts fall with q⁻⁵ from j on.
const WAVES_BEYOND: f64 = 50.0;
/// The air in the cylinder is that of at most this part of its lowest resonance, near which modes of air and membrane are mixed.
const BELOW_RESONANCE: f64 = 0.7;
/// Each turn changes the frequency by less than a fifth of the one before.
const TURNS: usize = 24;

/// Whether there is air, and whether that below is enclosed.
const WORDS: [&str; 3] = ["none", "open", "closed"];

/// Where there is air.
pub(crate) const AIR: Parameter = Parameter {
    name: "air",
    takes: Takes::Word(&WORDS),
    absent: Absent::Word(WORDS[0]),
    doc: "the air that the membrane moves: none; open on both sides; closed in below, in a kettle or a drum, where `frequency` is that of the mode (1,1), which no spring of the air ([cavity]) changes",
};

/// d.
pub(crate) const DEPTH: Parameter = Parameter {
    name: "depth",
    takes: Takes::Number(Role::Length, Range { min: 1e-3, max: 2.0, open: false }),
    absent: Absent::Rule,
    doc: "with air = \"closed\", the depth of the air below the membrane: of a kettle its volume over πR², of a drum its height (the other head stands for a floor)",
};

/// What means nothing without.
pub(crate) const RULE: Rule = Rule::OnlyWith { parameters: &[DEPTH.name], key: AIR.name, word: WORDS[2] };

/// The air at a membrane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Surroundings {
    /// None.
    Vacuum,
    /// Half of all space on both sides.
    Open,
    /// Half of all space above, and a cylinder of the depth d (m) below.
    Closed(f64),
}

impl Surroundings {
    /// Those that the values of a membrane ask for.
    ///
    /// # Errors
    /// A [`Complaint`] where the depth is missing.
    pub fn read(values: &Values) -> Result<Self, Complaint> {
        match values.word(AIR.name) {
            Some("open") => Ok(Self::Open),
            Some("closed") => match values.number(DEPTH.name) {
                Some(depth) => Ok(Self::Closed(depth)),
                None => Err(Complaint::new(AIR.name, "needs `depth`").help(
                    "write the depth of the air below the membrane, such as depth = \"40 cm\": of a kettle its volume over πR²",
                )),
            },
            _ => Ok(Self::Vacuum),
        }
    }

    /// ω (rad/s) and the mass per area with their air (kg/m²) of the modes of these orders n and zeros j, ascending, of a membrane with the radius a (m), the mass per area ρh
    /// (kg/m²) and the tension (N/m).
    pub fn modes(self, modes: &[(usize, f64)], radius: f64, density: f64, tension: f64) -> Vec<(f64, f64)> {
        let omega = |zero: f64, mass: f64| (tension / mass).sqrt() / radius * zero;
        let mut enclosed = BTreeMap::new();
        if let Self::Closed(_) = self {
            // The last mode of an order has the largest zero.
            let largest: BTreeMap<usize, f64> = modes.iter().copied().collect();
            enclosed.extend(largest.into_iter().map(|(n, j)| (n, Enclosed::up_to(n, j + WAVES_BEYOND))));
        }
        let air = Air::of_a_room();
        let of = |n: usize, zero: f64| {
            let overlap = Overlap::of(n, zero);
            let per_area = air.density * radius / overlap.square_mean;
            match self {
                Self::Vacuum => (omega(zero, density), density),
                Self::Open => {
                    let mass = density + 2.0 * per_area * overlap.outside();
                    (omega(zero, mass), mass)
                }
                Self::Closed(depth) => {
                    let own = density + per_area * overlap.outside();
                    let inside = enclosed[&n].parts(&overlap, depth / radius);
                    let mass = |at: f64| own + per_area * inside(at * radius / air.speed);
                    let settled = (0..TURNS).fold(omega(zero, own), |at, _| omega(zero, mass(at)));
                    (settled, mass(settled))
                }
            }
        };
        let mut all: Vec<(f64, f64)> = Vec::with_capacity(modes.len());
        for (i, (n, zero)) in modes.iter().enumerate() {
            // cos nθ and sin nθ follow each other.
            let twin = i > 0 && modes[i - 1] == (*n, *zero);
            all.push(if twin { all[i - 1] } else { of(*n, *zero) });
        }
        all
    }
}

/// H of a mode.
struct Overlap {
    order: usize,
    zero: f64,
    /// j J_(n+1)(j), and G = ½J_(n+1)(j)².
    factor: f64,
    square_mean: f64,
}

impl Overlap {
    fn of(order: usize, zero: f64) -> Self {
        let next = jn(order as i32 + 1, zero);
        Self { order, zero, factor: zero * next, square_mean: 0.5 * square(next) }
    }

    /// H(x)².
    fn square(&self, x: f64) -> f64 {
        square(match (x - self.zero).abs() < AT_THE_ZERO * self.zero {
            true => self.square_mean,
            false => self.factor * jn(self.order as i32, x) / (square(self.zero) - square(x)),
        })
    }

    /// ∫H² dx.
    fn outside(&self) -> f64 {
        let points = quadrature::panels(3.0 * self.zero + BEYOND, &[self.zero], 1.0);
        points.iter().flatten().map(|(x, w)| w * self.square(*x)).sum()
    }
}

/// The standing waves in a cylinder that modes of one order drive: q_p and N_p.
struct Enclosed(Vec<(f64, f64)>);

impl Enclosed {
    fn up_to(order: usize, most: f64) -> Self {
        let norm = |q: f64| 0.5 * (1.0 - square(order as f64 / q)) * square(jn(order as i32, q));
        Self(bessel::extrema(order, most).into_iter().map(|q| (q, norm(q))).collect())
    }

    /// Σ H²/(N γ tanh γd) of a mode by its wave number ω a/c in free air, lengths as parts of a.
    fn parts(&self, overlap: &Overlap, depth: f64) -> impl Fn(f64) -> f64 {
        // What moves up and down as a whole has the mass of a third of the air.
        let whole = if overlap.order == 0 { 2.0 * overlap.square(0.0) * depth / 3.0 } else { 0.0 };
        let parts: Vec<(f64, f64)> = self.0.iter().map(|(q, norm)| (*q, overlap.square(*q) / norm)).collect();
        move |k: f64| {
            let k = k.min(BELOW_RESONANCE * parts[0].0);
            let of = |(q, part): &(f64, f64)| {
                let gamma = (square(*q) - square(k)).sqrt();
                part / (gamma * tanh(gamma * depth))
            };
            whole + parts.iter().map(of).sum::<f64>()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{PI, TAU};

    /// A kettledrum of Rossing (1982), 65 cm, 140 l: modes (1,1) to (5,1) as 1 : 1.51 : 1.99 : 2.44 : 2.89, in a vacuum they are as
    /// 1 : 1.34 : 1.67 : 1.98 : 2.29, and (0,1), which the spring of its air raises, at 0.85.
    #[test]
    fn a_kettle_tunes_its_partials() {
        let (radius, density, tension, depth) = (0.328, 0.262, 3990.0, 0.414);
        let circle = bessel::circle(30);
        let mode = |n: usize| {
            let (order, zero, _) = *circle.iter().find(|mode| mode.0 == n).unwrap();
            let all = Surroundings::Closed(depth).modes(&[(order, zero)], radius, density, tension);
            (zero, all[0])
        };
        let omega = |n: usize| mode(n).1.0;
        for (n, measured) in [(2, 1.51), (3, 1.99), (4, 2.44), (5, 2.89)] {
            let own = omega(n) / omega(1);
            assert!((own / measured - 1.0).abs() < 0.01, "({n},1): {own}, measured {measured}");
        }
        // Its tension is known to some percent.
        assert!((omega(1) / TAU / 150.0 - 1.0).abs() < 0.03, "{} Hz", omega(1) / TAU);
        let (zero, (still, mass)) = mode(0);
        let air = Air::of_a_room();
        let (volume, area) = (2.0 * jn(1, zero) / zero, PI * square(radius));
        let spring = air.density * square(air.speed) / (area * depth) * square(area * volume);
        let own = (square(still) + spring / (mass * area * square(jn(1, zero)))).sqrt() / omega(1);
        assert!((own / 0.85 - 1.0).abs() < 0.03, "(0,1): {own}");
    }

    /// Air that fills half of all space: an infinite membrane of the wave number k moves ρₐ/k per area of it, and a mode of many waves nearly so.
    #[test]
    fn many_waves_move_the_air_of_plane_waves() {
        let (radius, density) = (0.2, 0.3);
        let (order, zero, _) = *bessel::circle(300).iter().rfind(|mode| mode.0 == 0).unwrap();
        let (_, mass) = Surroundings::Open.modes(&[(order, zero)], radius, density, 1e3)[0];
        let plane = 2.0 * Air::of_a_room().density * radius / zero;
        // At the rim the waves end: with 10 of them that adds a tenth.
        assert!((1.0..1.15).contains(&((mass - density) / plane)), "{mass} {plane}");
    }

    /// A shallow cylinder holds little air that goes far along: of many waves, shorter than its depth, enclosed air is that of half of all space.
    #[test]
    fn short_waves_know_nothing_of_the_cylinder() {
        let mode = [(0, bessel::circle(2000).iter().rfind(|mode| mode.0 == 0).unwrap().1)];
        let mass = |air: Surroundings| air.modes(&mode, 0.2, 0.3, 1e3)[0].1 - 0.3;
        let [open, closed] = [Surroundings::Open, Surroundings::Closed(0.1)].map(mass);
        // The rim differs: a wall around it outside, one along the air inside.
        assert!((closed / open - 1.0).abs() < 0.05, "{open} {closed}");
    }
}

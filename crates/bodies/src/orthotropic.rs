//! The elasticity of a thin plate of wood or of fibres, whose directions are those of its sides.
//!
//!   h ε_x = N_x/E₁ − ν₁₂N_y/E₁,   h ε_y = N_y/E₂ − ν₁₂N_x/E₁,   h γ_xy = N_xy/G,   ν₂₁ = ν₁₂E₂/E₁
//!
//! E₁ and E₂ (Pa) Young's moduli along x and y, G (Pa) shear modulus, ν₁₂ contraction along y under tension along x, N (N/m) forces in the plane,
//! h (m) thickness. An isotropic plate has E₁ = E₂ and G = E/2(1 + ν). Of w the energy of bending is (Timoshenko & Woinowsky-Krieger 1959, chapter 11)
//!
//!   V = ½∫∫ (D₁w_xx² + 2D₃w_xx w_yy + D₂w_yy² + 4D₆w_xy²) dx dy
//!   D₁ = E₁h³/12(1 − ν₁₂ν₂₁),   D₂ = E₂h³/12(1 − ν₁₂ν₂₁),   D₃ = ν₂₁D₁,   D₆ = Gh³/12
//!
//! and with N_x = F_yy, N_y = F_xx, N_xy = −F_xy the energy of stretching is the same expression of Airy's stress function F (N m),
//!
//!   V = ½∫∫ (N_xε_x + N_yε_y + N_xyγ_xy) = (1/2E₁h) ∫∫ (a₁F_xx² + 2a₃F_xx F_yy + a₂F_yy² + 4a₆F_xy²) dx dy
//!   a₁ = E₁/E₂,   a₂ = 1,   a₃ = −ν₁₂,   a₆ = E₁/4G
//!
//! ε_x,yy + ε_y,xx = γ_xy,xy − ½L(w, w) makes a₁F_xxxx + 2(a₃ + 2a₆)F_xxyy + a₂F_yyyy = −½E₁h L(w, w) (Lekhnitskii 1968, Anisotropic plates, §§5, 90):
//! of an isotropic plate ∇⁴F.

use hamiltone_core::parameter::{Absent, Complaint, Parameter, Range, Role, Takes, Values};
use hamiltone_numerics::math::powi;

/// E₂ and G.
const MODULI: Range = Range { min: 1e7, max: 1e12, open: false };

/// E₂ or G.
pub(crate) const fn modulus(name: &'static str, absent: Absent, doc: &'static str) -> Parameter {
    Parameter { name, takes: Takes::Number(Role::Modulus, MODULI), absent, doc }
}

/// The coefficients of w_xx², w_yy², 2w_xx w_yy and 4w_xy² in twice an energy: of bending D₁, D₂, D₃, D₆, of stretching a₁, a₂, a₃, a₆.
pub(crate) type Coefficients = [f64; 4];

/// c₁α⁴ + 2(c₃ + 2c₆)α²β² + c₂β⁴: what these coefficients make of sin αx sin βy, of α² and β², 1/m².
pub(crate) fn of_waves([along, across, coupled, twist]: Coefficients, [x, y]: [f64; 2]) -> f64 {
    along * x * x + across * y * y + 2.0 * (coupled + 2.0 * twist) * x * y
}

/// An orthotropic material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orthotropic {
    /// E₁ and E₂, Pa.
    moduli: [f64; 2],
    /// G, Pa.
    shear: f64,
    /// ν₁₂.
    poisson: f64,
}

impl Orthotropic {
    /// The material of E₁, E₂ and G (Pa) and ν₁₂.
    ///
    /// # Errors
    /// A [`Complaint`] where a modulus is not positive, or ν₁₂ is not from 0 to ½ or not below √(E₁/E₂), beyond which it would have no
    /// positive energy.
    pub fn new([along, across]: [f64; 2], shear: f64, poisson: f64) -> Result<Self, Complaint> {
        let positive = |name, x| Range::POSITIVE.check(name, x);
        let moduli = [positive("youngs_modulus", along)?, positive("cross_modulus", across)?];
        let shear = positive("shear_modulus", shear)?;
        let poisson = Range { min: 0.0, max: 0.5, open: false }.check("poisson_ratio", poisson)?;
        let material = Self { moduli, shear, poisson };
        if poisson * material.other_poisson() >= 1.0 {
            let message = format!("is {poisson}; it must be below √(E₁/E₂) = {:.3}", (along / across).sqrt());
            let help = "write a smaller one, or exchange youngs_modulus and cross_modulus";
            return Err(Complaint::new("poisson_ratio", message).help(help));
        }
        Ok(material)
    }

    /// That of the values of a body. What is not given is as of an isotropic material, G of two different moduli √(E₁E₂)/2(1 + √(ν₁₂ν₂₁))
    /// (Huber 1923).
    ///
    /// # Errors
    /// A [`Complaint`] where they make none.
    pub(crate) fn read(values: &Values) -> Result<Self, Complaint> {
        let (along, poisson) = (values.required("youngs_modulus")?, values.required("poisson_ratio")?);
        let across = values.number("cross_modulus").unwrap_or(along);
        // √(ν₁₂ν₂₁) = ν₁₂√(E₂/E₁).
        let shear = (along * across).sqrt() / (2.0 * (1.0 + poisson * (across / along).sqrt()));
        Self::new([along, across], values.number("shear_modulus").unwrap_or(shear), poisson)
    }

    /// ν₂₁.
    fn other_poisson(&self) -> f64 {
        self.poisson * self.moduli[1] / self.moduli[0]
    }

    /// D₁, D₂, D₃ and D₆ of the thickness h (m), N m.
    pub(crate) fn bending(&self, h: f64) -> Coefficients {
        let other = self.other_poisson();
        let bending = |modulus: f64| modulus * powi(h, 3) / (12.0 * (1.0 - self.poisson * other));
        let [along, across] = self.moduli.map(bending);
        [along, across, along * other, self.shear * powi(h, 3) / 12.0]
    }

    /// a₁, a₂, a₃ and a₆.
    pub(crate) fn stretching(&self) -> Coefficients {
        let [along, across] = self.moduli;
        [along / across, 1.0, -self.poisson, along / (4.0 * self.shear)]
    }
}

/// D₁, D₂, D₃ and D₆ of an isotropic plate of D (N m) and ν.
pub(crate) fn isotropic_bending(bending: f64, poisson: f64) -> Coefficients {
    [bending, bending, poisson * bending, 0.5 * (1.0 - poisson) * bending]
}

/// a₁, a₂, a₃ and a₆ of an isotropic plate: of no ν between edges without force ∫∫F_xx F_yy = ∫∫F_xy².
pub(crate) const ISOTROPIC_STRETCHING: Coefficients = [1.0, 1.0, 0.0, 0.5];

/// √(D₁D₂)/ρh, (m²/s)²: κ² of losses that are stated by frequency.
pub(crate) fn kappa2([along, across, ..]: Coefficients, density: f64) -> f64 {
    if along == across { along / density } else { (along * across).sqrt() / density }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamiltone_numerics::math::square;

    /// E₁ = E₂ and G = E/2(1 + ν) are an isotropic material.
    #[test]
    fn equal_moduli_are_isotropic() {
        let (e, nu, h) = (7e10, 0.33, 1.3e-3_f64);
        let material = Orthotropic::new([e; 2], e / (2.0 * (1.0 + nu)), nu).unwrap();
        let exact = isotropic_bending(e * powi(h, 3) / (12.0 * (1.0 - square(nu))), nu);
        for (own, exact) in material.bending(h).into_iter().zip(exact) {
            assert!((own / exact - 1.0).abs() < 8.0 * f64::EPSILON, "{own} {exact}");
        }
        for waves in [[1.0, 1.0], [3.0, 7.0], [200.0, 1.0]] {
            let [own, exact] =
                [material.stretching(), ISOTROPIC_STRETCHING].map(|stretching| of_waves(stretching, waves));
            assert!((own / exact - 1.0).abs() < 8.0 * f64::EPSILON, "{own} {exact}");
        }
    }
}

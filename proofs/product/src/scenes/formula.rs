//! Potentials that scenes at random give as formulas, each with force and curvature, written here again.
//!
//!   [V, V′, V″] at x,   beyond the reach X:  V(X) + V′(X)(x − X) + V″(X)(x − X)²/2

use super::scene::Section;
use toml::Value;

/// A formula that the tables of the program show as an example, with its constants.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    text: String,
    stiffness: f64,
    length: f64,
    reach: f64,
    /// Whether it counts on both sides.
    pub both: bool,
}

impl Formula {
    /// The formula of a section; `None` of one that is not known here.
    pub fn of(section: &Section) -> Option<Self> {
        let constants = section.keys.get("constants").and_then(Value::as_table);
        let constant = |name: &str| constants?.get(name)?.as_float();
        let formula = Self {
            text: section.text("potential")?.into(),
            stiffness: constant("K").unwrap_or(f64::NAN),
            length: constant("d").unwrap_or(f64::NAN),
            reach: section.number("reach").unwrap_or(1.0),
            both: section.text("sides") == Some("both"),
        };
        formula.within(0.0)?;
        Some(formula)
    }

    /// V, V′ and V″.
    pub fn at(&self, x: f64) -> [f64; 3] {
        if x <= 0.0 && !self.both {
            return [0.0; 3];
        }
        let inside = x.clamp(-self.reach, self.reach);
        let [v, f, c] = self.within(inside).unwrap_or([f64::NAN; 3]);
        let beyond = x - inside;
        [v + beyond * (f + 0.5 * c * beyond), f + c * beyond, c]
    }

    fn within(&self, x: f64) -> Option<[f64; 3]> {
        let (k, d) = (self.stiffness, self.length);
        Some(match self.text.as_str() {
            "1e9*K*x^2.5/2.5" => [4e8 * k * x.powf(2.5), 1e9 * k * x.powf(1.5), 1.5e9 * k * x.sqrt()],
            "1e6*K*x^2*exp(x/d)" => {
                let (e, z) = (1e6 * k * (x / d).exp(), x / d);
                [e * x * x, e * x * (2.0 + z), e * (2.0 + 4.0 * z + z * z)]
            }
            "1e6*(x^2 + 3e5*x^4)/2" => {
                let (square, k) = (x * x, 1e6);
                [
                    k * square * (0.5 + 1.5e5 * square),
                    k * x * (1.0 + 6e5 * square),
                    k * (1.0 + 1.8e6 * square),
                ]
            }
            "2e5*K*d^2*sinh(x/(2*d))^2" => {
                let half = (0.5 * x / d).sinh();
                [2e5 * k * d * d * half * half, 1e5 * k * d * (x / d).sinh(), 1e5 * k * (x / d).cosh()]
            }
            "1e9*abs(x)^3" => [1e9 * x.abs().powi(3), 3e9 * x * x.abs(), 6e9 * x.abs()],
            "1e6*x^2/(1 + sqrt(1 + (x/1e-4)^2))" => {
                let root = (1.0 + (x / 1e-4).powi(2)).sqrt();
                [1e6 * x * x / (1.0 + root), 1e6 * x / root, 1e6 / root.powi(3)]
            }
            "1e8*x^2*log1p(x/1e-3)" => {
                let (log, part) = ((x / 1e-3).ln_1p(), x / (1e-3 + x));
                let curvature = 2.0 * log + 4.0 * part - part * part;
                [1e8 * x * x * log, 1e8 * x * (2.0 * log + part), 1e8 * curvature]
            }
            "1e6*K*d^2*(exp(x/d) - 1 - x/d)" => {
                let (k, z) = (1e6 * k, x / d);
                // Σ zⁿ/n! from n = 2 on, where the difference would cancel.
                let energy =
                    if z.abs() < 1.0 { sum(z, |n| 1.0 / (n + 3.0)) / 2.0 * z * z } else { z.exp_m1() - z };
                [k * d * d * energy, k * d * z.exp_m1(), k * z.exp()]
            }
            "1e6*K*d*(x - d*tanh(x/d))" => {
                let (k, z) = (1e6 * k, x / d);
                let tanh = z.tanh();
                // z cosh z − sinh z = Σ 2m z²ᵐ⁺¹/(2m+1)! from m = 1 on.
                let next = |n: f64| (n + 2.0) / ((n + 1.0) * (2.0 * n + 4.0) * (2.0 * n + 5.0));
                let energy =
                    if z.abs() < 1.0 { z * z * z / 3.0 * sum(z * z, next) / z.cosh() } else { z - tanh };
                [k * d * d * energy, k * d * tanh * tanh, 2.0 * k * tanh / z.cosh() / z.cosh()]
            }
            _ => return None,
        })
    }
}

/// Σ of thirty terms, of which the first is 1 and term n + 1 is term n times z and this factor.
fn sum(z: f64, factor: impl Fn(f64) -> f64) -> f64 {
    let next = |term: &mut f64, n: u32| {
        let this = *term;
        *term *= z * factor(f64::from(n));
        Some(this)
    };
    (0..30).scan(1.0, next).sum()
}

//! Products of a sum of squares with eight vectors side by side in lanes, and their energies.
//!
//!   p ← p + O x,   U ← U + xᵀO x,   O = Σ w c cᵀ
//!
//! through the strains c·x, as [`crate::operator`] does: differences first, weights after.

use crate::{
    lanes::LANES,
    operator::Operator,
    row::Row,
    shifted_bands::Eight,
    stencils::{Family, centred},
};

/// p += O x and U += xᵀO x.
pub(crate) fn add(operator: &Operator, x: &[Eight], p: &mut [Eight], energy: &mut Eight) {
    match operator {
        Operator::Zero => {}
        Operator::Diagonal(weights) => {
            for ((x, p), weight) in x.iter().zip(p).zip(weights) {
                for l in 0..LANES {
                    let stress = weight * x[l];
                    p[l] += stress;
                    energy[l] += stress * x[l];
                }
            }
        }
        Operator::Strains(strains) => strains.iter().for_each(|(w, row)| add_row(*w, row, x, p, energy)),
        Operator::Stencils(stencils) => {
            for family in &stencils.families {
                match family.stencil[..] {
                    [s0] => add_family([s0], family, x, p, energy),
                    [s0, s1] => add_family([s0, s1], family, x, p, energy),
                    [s0, s1, s2] => add_family([s0, s1, s2], family, x, p, energy),
                    [s0, s1, s2, s3] => add_family([s0, s1, s2, s3], family, x, p, energy),
                    [s0, s1, s2, s3, s4] => add_family([s0, s1, s2, s3, s4], family, x, p, energy),
                    [s0, s1, s2, s3, s4, s5] => add_family([s0, s1, s2, s3, s4, s5], family, x, p, energy),
                    // Longer stencils have no loop of their own.
                    _ => family.strains().for_each(|(w, row)| add_row(w, &row, x, p, energy)),
                }
            }
            stencils.ends.iter().for_each(|(w, row)| add_row(*w, row, x, p, energy));
        }
    }
}

fn add_row(weight: f64, row: &Row, x: &[Eight], p: &mut [Eight], energy: &mut Eight) {
    let mut strain = [0.0; LANES];
    row.for_each(|i, w| {
        for l in 0..LANES {
            strain[l] += w * x[i][l];
        }
    });
    let stress = strain.map(|strain| weight * strain);
    row.for_each(|i, w| {
        for l in 0..LANES {
            p[i][l] += w * stress[l];
        }
    });
    for l in 0..LANES {
        energy[l] += stress[l] * strain[l];
    }
}

fn add_family<const L: usize>(
    stencil: [f64; L],
    family: &Family,
    x: &[Eight],
    p: &mut [Eight],
    energy: &mut Eight,
) {
    // The common part and what each weight takes of the differences from it, as of a single vector.
    let (middle, sum) = (L / 2, stencil.iter().sum::<f64>());
    let differences = centred(&stencil);
    for i in 0..family.weights.count() {
        let at = family.first + i * family.stride;
        let (x, p) = (&x[at..][..L], &mut p[at..][..L]);
        let mut strain = [0.0; LANES];
        // Differences of neighbours that are nearly alike are exact; the products with each would be rounded.
        if differences {
            let common = x[middle];
            for k in 0..L {
                for l in 0..LANES {
                    strain[l] += stencil[k] * (x[k][l] - common[l]);
                }
            }
            for l in 0..LANES {
                strain[l] += sum * common[l];
            }
        } else {
            for k in 0..L {
                for l in 0..LANES {
                    strain[l] += stencil[k] * x[k][l];
                }
            }
        }
        let weight = family.weights.get(i);
        let stress = strain.map(|strain| weight * strain);
        for k in 0..L {
            for l in 0..LANES {
                p[k][l] += stencil[k] * stress[l];
            }
        }
        for l in 0..LANES {
            energy[l] += stress[l] * strain[l];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stencils::Stencils;

    /// Each lane as the product with one vector.
    #[test]
    fn lanes_agree_with_single_products() {
        let n = 30;
        let mut strains: Vec<(f64, Row)> = vec![(0.3, Row::Sparse(vec![(0, -2.1), (n - 1, 1.0)]))];
        let stencils: [&[f64]; 7] = [
            &[1.5],
            &[-3.7, 3.7],
            &[13.7, -27.4, 13.7],
            &[-0.3, 0.0, 0.3],
            &[0.1, 0.4, -0.3, 0.2],
            &[-1.0, 0.5, 0.0, 0.5, 1.0],
            &[1.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.5],
        ];
        for (k, stencil) in stencils.into_iter().enumerate() {
            for i in 0..=n - stencil.len() {
                let row = stencil.iter().enumerate().map(|(j, s)| (i + j, *s)).collect();
                strains.push((1.0 + (i * k % 5) as f64, Row::Sparse(row)));
            }
        }
        let operators = [
            Operator::Zero,
            Operator::Diagonal((0..n).map(|i| i as f64).collect()),
            Operator::Strains(strains.clone()),
            Operator::Stencils(Stencils::new(&strains)),
        ];
        let x: Vec<Eight> =
            (0..n).map(|i| std::array::from_fn(|l| (i as f64 * (0.3 + 0.1 * l as f64)).sin())).collect();
        for operator in operators {
            let (mut p, mut energy) = (vec![[0.0; LANES]; n], [0.0; LANES]);
            add(&operator, &x, &mut p, &mut energy);
            for l in 0..LANES {
                let (lane, mut single): (Vec<f64>, _) = (x.iter().map(|x| x[l]).collect(), vec![0.0; n]);
                operator.add_product(1.0, &lane, &mut single);
                let form = operator.form(&lane);
                assert!((energy[l] - form).abs() <= 1e-13 * form, "{} {form}", energy[l]);
                p.iter().zip(single).for_each(|(p, single)| assert!((p[l] - single).abs() < 1e-9));
            }
        }
    }
}

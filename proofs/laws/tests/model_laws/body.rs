//! The laws of a body: its masses, operators, initial values, rows, sample points and mode shapes.

use super::{EPS, require};
use hamiltone_core::{
    body::{Body, InitialMotion, InitialValue, Placed, Sample, Support},
    geometry::{Coordinate, Place},
    operator::Operator,
    row::Row,
    system::{Block, System},
};
use hamiltone_numerics::{banded::Band, math::square};

/// M > 0; K and R symmetric, ≥ 0, the same by product, form and band; −∇½qᵀKq the force; start and rows in place.
pub fn system_laws(system: &System, q: &[f64], p: &[f64]) -> Result<(), String> {
    let n = system.size();
    require(system.mass.iter().all(|m| m.is_finite() && *m > 0.0), || "a mass is not > 0".into())?;
    let start = &system.initial;
    require(start.position.len() == n && start.velocity.len() == n, || {
        "the start misses coordinates".into()
    })?;
    require(start.position.iter().chain(&start.velocity).all(|x| x.is_finite()), || {
        "the start is not finite".into()
    })?;
    for Block { name, dofs, stiffness, damping } in &system.blocks {
        require(dofs.end <= n, || format!("`{name}` reaches beyond the system"))?;
        for operator in [stiffness, damping] {
            operator_laws(operator, &q[dofs.clone()], &p[dofs.clone()])
                .map_err(|e| format!("`{name}`: {e}"))?;
        }
    }
    Ok(())
}

/// The operator with every weight and coefficient made positive: with |x|, what rounding is relative to.
fn absolute(operator: &Operator) -> Operator {
    match operator {
        Operator::Diagonal(k) => Operator::Diagonal(k.iter().map(|k| k.abs()).collect()),
        Operator::Strains(strains) => {
            let row = |row: &Row| Row::Sparse(row.entries().map(|(i, w)| (i, w.abs())).collect());
            Operator::Strains(strains.iter().map(|(weight, strain)| (weight.abs(), row(strain))).collect())
        }
        Operator::Stencils(lattice) => absolute(&Operator::Strains(lattice.strains().collect())),
        Operator::Zero => Operator::Zero,
    }
}

fn operator_laws(operator: &Operator, x: &[f64], y: &[f64]) -> Result<(), String> {
    let n = x.len();
    // Each coordinate, its weights and its sum: below 8 eps a coordinate of the sum of all sizes.
    let (known, sizes) = (8.0 * n as f64 * EPS, absolute(operator));
    let [ax, ay] = [x, y].map(|x| x.iter().map(|x| x.abs()).collect::<Vec<_>>());
    let product = |operator: &Operator, x: &[f64]| {
        let mut product = vec![0.0; n];
        operator.add_product(1.0, x, &mut product);
        product
    };
    let form = operator.form(x);
    require(form >= 0.0, || format!("xᵀOx = {form} < 0"))?;
    let slack = known * sizes.bilinear(&ax, &ay);
    let (xoy, yox) = (operator.bilinear(x, y), operator.bilinear(y, x));
    require((xoy - yox).abs() <= slack, || format!("xᵀOy = {xoy}, yᵀOx = {yox}"))?;
    let ox = product(operator, x);
    let force: f64 = ox.iter().zip(y).map(|(a, b)| a * b).sum();
    require((force - xoy).abs() <= slack, || format!("(Ox)ᵀy = {force}, xᵀOy = {xoy}"))?;
    // ½(x+y)ᵀO(x+y) − ½(x−y)ᵀO(x−y) = 2(Ox)ᵀy: the force is minus the gradient of the energy.
    let sum = |sign: f64| x.iter().zip(y).map(|(x, y)| x + sign * y).collect::<Vec<_>>();
    let difference = 0.5 * (operator.form(&sum(1.0)) - operator.form(&sum(-1.0)));
    let both: Vec<f64> = ax.iter().zip(&ay).map(|(x, y)| x + y).collect();
    require((difference - 2.0 * force).abs() <= known * sizes.form(&both), || {
        format!("the energy changes by {difference}, the force gives {}", 2.0 * force)
    })?;
    let mut band = Band::zero(n, operator.half_bandwidth());
    operator.assemble(1.0, 0, &mut band);
    for (i, (product, size)) in ox.iter().zip(product(&sizes, &ax)).enumerate() {
        // Beyond the band there is nothing.
        let reach = i.saturating_sub(band.half_bandwidth())..n.min(i + band.half_bandwidth() + 1);
        let row: f64 = reach.map(|j| band.get(i.max(j), i.min(j)) * x[j]).sum();
        require((row - product).abs() <= known * size, || {
            format!("row {i} of the band gives {row}, the product {product}")
        })?;
    }
    Ok(())
}

/// What a body says of its place in a system is so, also behind another body.
pub fn laws(body: &dyn Body, numbers: &[f64]) -> Result<(), String> {
    let mut system = System::default();
    system.add_dof(1.0, 0.0, 0.0);
    let placed = body.add_to(&mut system, "body").map_err(|e| e.to_string())?;
    let n = system.size();
    // What strains its forms, as longitudinal modes do, follows behind what it answers for.
    let straining: usize = system.forms.iter().map(|form| form.strain.entries().count()).sum();
    let all = 1..n - straining;
    require(placed.dofs == all, || format!("it says {:?} of its coordinates {all:?}", placed.dofs))?;
    let own = |block: &Block| placed.dofs.start <= block.dofs.start && block.dofs.end <= n;
    require(system.blocks.iter().all(own), || "a block reaches into another body".into())?;
    let mut located = 0;
    let pair = Place::Pair(Coordinate::Length(0.0), Coordinate::Fraction(0.5));
    for place in [Place::Whole, Place::Length(0.0), Place::Fraction(0.5), pair] {
        match placed.row(place) {
            Ok(row) => {
                located += 1;
                let inside = row.entries().all(|(i, w)| placed.dofs.contains(&i) && w.is_finite());
                require(inside, || format!("{place:?} reads another body"))?;
            }
            Err(message) => require(!message.is_empty(), || format!("{place:?} is refused without a word"))?,
        }
    }
    require(located > 0, || "no place on it can have a contact".into())?;
    // Rows of many modes at many points take long, and say no more than those of a few.
    if n <= 200 {
        representation_laws(&system, &placed)?;
    }
    let draw = |offset: usize| (0..n).map(|i| numbers[(offset + i) % numbers.len()]).collect::<Vec<_>>();
    system_laws(&system, &draw(0), &draw(n))
}

/// Sample points are places of the body's own; rest stays rest; mode shapes are eigenvectors, (K + Σllᵀ)φ = λMφ with the linear parts l of
/// forms, apart from each other.
fn representation_laws(system: &System, placed: &Placed) -> Result<(), String> {
    let body = placed.representation.as_ref();
    for Sample { row, at, weight } in body.samples() {
        require(weight > 0.0 && row == body.row(at), || format!("sample point {at:?} is not its place"))?;
        require(row.entries().all(|(i, _)| placed.dofs.contains(&i)), || {
            format!("{at:?} reads another body")
        })?;
    }
    let still =
        InitialMotion { at: Box::new(|_| (0.0, 0.0)), support: Support::Whole { corners: Vec::new() } };
    let rest = |value: &InitialValue| {
        placed.dofs.contains(&value.dof) && value.position == 0.0 && value.velocity == 0.0
    };
    require(body.project(&still).iter().all(rest), || "rest is projected onto a motion".into())?;
    let n = system.size();
    let shapes: Vec<Vec<f64>> = (1..=body.modes().min(4))
        .map(|k| {
            let mut shape = vec![0.0; n];
            body.mode(k).into_iter().for_each(|(dof, value)| shape[dof] = value);
            shape
        })
        .collect();
    // The rounding of a force is that of the stiffest mode of the grid, K ≤ its largest row sum.
    let mut unit = vec![0.0; n];
    let entries = placed.dofs.clone().map(|i| {
        unit[i] = 1.0;
        let bent: f64 = system.forms.iter().map(|form| square(form.linear.dot(&unit))).sum();
        let entry = system.stiffness_form(&unit, &unit) + bent;
        unit[i] = 0.0;
        entry
    });
    let known = 64.0 * EPS * entries.fold(0.0, f64::max);
    for (k, shape) in shapes.iter().enumerate() {
        let inertia = |other: &[f64]| -> f64 { (0..n).map(|i| other[i] * system.mass[i] * shape[i]).sum() };
        let own = inertia(shape);
        require(own > 0.0, || format!("mode {} moves nothing", k + 1))?;
        let mut force = vec![0.0; n];
        system.add_stiffness(1.0, shape, &mut force);
        let linear = system.forms.iter().map(|form| &form.linear);
        linear.for_each(|l| l.add_scaled(l.dot(shape), &mut force));
        let stiffness: f64 = shape.iter().zip(&force).map(|(place, force)| place * force).sum();
        let misses = (0..n).map(|i| (force[i] - stiffness / own * system.mass[i] * shape[i]).abs());
        let left = misses.fold(0.0, f64::max);
        require(left <= known, || format!("mode {} is no eigenvector: {left:e} > {known:e}", k + 1))?;
        for (j, other) in shapes.iter().enumerate().take(k) {
            require(inertia(other).abs() <= 64.0 * EPS * n as f64 * own, || {
                format!("modes {} and {} are not orthogonal", j + 1, k + 1)
            })?;
        }
    }
    Ok(())
}

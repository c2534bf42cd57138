use super::*;
use crate::sounding;
use crate::von_karman::AiryForm;
use End::{Clamped, Free, Hinged};
use hamiltone_core::parameter::Values;
use hamiltone_numerics::math::powi;

/// E, ν, ρ and h of aluminium.
const ALUMINIUM: [f64; 4] = [7e10, 0.33, 2700.0, 1e-3];

/// An isotropic plate of 40 cm by 30 cm, and the same as an orthotropic one of E₁ = E₂ and G = E/2(1 + ν).
fn two() -> [Plate; 2] {
    let [e, nu, rho, h] = ALUMINIUM;
    let bending = e * powi(h, 3) / (12.0 * (1.0 - square(nu)));
    let material = Orthotropic::new([e; 2], e / (2.0 * (1.0 + nu)), nu).unwrap();
    let isotropic = Plate::new([0.4, 0.3], rho * h, bending).unwrap().with_ends([Hinged; 2], nu).unwrap();
    [isotropic, Plate::orthotropic([0.4, 0.3], rho * h, h, material).unwrap()]
}

/// Modes and forms of an orthotropic plate of equal moduli are those of the isotropic one, simply supported by closed forms and clamped by sums:
/// to rounding, which the eigenvectors of sums multiply by the ratio of a frequency to its distance from others.
#[test]
fn equal_moduli_make_an_isotropic_plate() {
    for (end, within) in [(Hinged, 1e-13), (Clamped, 1e-10)] {
        let [own, exact] = two().map(|plate| {
            let plate = plate.with_ends([end; 2], 0.33).unwrap().with_front_and_back([end; 2]);
            plate.damped(0.1, 1e-3).unwrap().von_karman(7e7, 12).unwrap().by_modes(30).unwrap()
        });
        for (own, exact) in own.modes().iter().zip(exact.modes()) {
            assert!((own.omega / exact.omega - 1.0).abs() < within, "{own:?} {exact:?}");
            assert!((own.sigma / exact.sigma - 1.0).abs() < within, "{own:?} {exact:?}");
        }
        let largest = |modal: &Modal| {
            modal.airy.iter().flat_map(|form| &form.quadratic).map(|e| e.2.abs()).fold(0.0, f64::max)
        };
        let largest = largest(&exact);
        for (own, exact) in own.airy.iter().zip(&*exact.airy) {
            assert_eq!(own.quadratic.len(), exact.quadratic.len());
            for (own, exact) in own.quadratic.iter().zip(&exact.quadratic) {
                assert_eq!(own.0, exact.0);
                // The sign of a shape is that of its eigenvector.
                assert!((own.2.abs() - exact.2.abs()).abs() < within * largest, "{own:?} {exact:?}");
            }
        }
    }
}

/// Lévy's products and Ritz sums are two ways to the same modes: an orthotropic plate of equal moduli between clamped, free and hinged ends.
#[test]
fn sums_agree_with_closed_forms() {
    for (ends, within) in
        [([Clamped; 2], 1e-3), ([Clamped, Hinged], 1e-3), ([Free; 2], 8e-3), ([Clamped, Free], 6e-3)]
    {
        let [exact, own] = two().map(|plate| plate.with_ends(ends, 0.33).unwrap().by_modes(40).unwrap());
        for (own, exact) in own.modes().iter().zip(exact.modes()) {
            let apart = own.omega / exact.omega - 1.0;
            assert!((-1e-9..within).contains(&apart), "{ends:?} {apart:e}");
        }
    }
}

/// ω² = (D₁α⁴ + 2(D₃ + 2D₆)α²β² + D₂β⁴)/ρh and σ = ½(d₁ + d₃(α² + β²)) of wood between simply supported sides, and ζ² in the forms: b = √(E₁h) C/(ζ²‖Ψ‖)
/// against that of an isotropic plate.
#[test]
fn wood_between_simply_supported_sides() {
    let material = Orthotropic::new([11e9, 0.8e9], 0.75e9, 0.37).unwrap();
    let plate = Plate::orthotropic([0.4, 0.3], 1.2, 3e-3, material).unwrap().damped(1.0, 0.01).unwrap();
    let modal = plate.von_karman(33e6, 1).unwrap().by_modes(20).unwrap();
    let (a, b) = (square(PI / 0.4), square(PI / 0.3));
    let nu21 = 0.37 * 0.8 / 11.0;
    let h3 = 2.7e-8 / 12.0;
    let (d1, d2, d6) = (11e9 * h3 / (1.0 - 0.37 * nu21), 0.8e9 * h3 / (1.0 - 0.37 * nu21), 0.75e9 * h3);
    let exact = ((d1 * a * a + 2.0 * (nu21 * d1 + 2.0 * d6) * a * b + d2 * b * b) / 1.2).sqrt();
    let first = modal.modes()[0];
    assert!((first.omega / exact - 1.0).abs() < 1e-14, "{} {exact}", first.omega);
    assert!((first.sigma / (0.5 + 0.005 * (a + b)) - 1.0).abs() < 1e-14);
    assert!(modal.modes().windows(2).all(|two| two[0].omega <= two[1].omega));
    // 1/E₂, 1/G − 2ν₁₂/E₁ and 1/E₁ times E₁.
    let zeta2 = (11.0 / 0.8 * a * a + (11.0 / 0.75 - 0.74) * a * b + b * b).sqrt();
    let steel = Plate::new([0.4, 0.3], 1.2, d1).unwrap().von_karman(33e6, 1).unwrap().by_modes(1).unwrap();
    let [own, isotropic] = [&modal, &steel].map(|modal| modal.airy[0].quadratic[0].2);
    assert!((own * zeta2 / (isotropic * (a + b)) - 1.0).abs() < 1e-13, "{own} {isotropic}");
}

/// Wood that is clamped all round is tuned by its thickness, and G that is not given is Huber's.
#[test]
fn a_thickness_follows_from_a_pitch() {
    let values = Values::defaults(crate::plate_entry::ENTRY.kind.parameters)
        .with("length", 0.5)
        .with("width", 0.2)
        .with("youngs_modulus", 11e9)
        .with("cross_modulus", 0.8e9)
        .with("density", 400.0)
        .with("poisson_ratio", 0.37)
        .with("frequency", 220.0)
        .with("modes", 60.0);
    let clamped = ["left", "right", "front", "back"]
        .into_iter()
        .fold(values.clone(), |v, side| v.with(side, "clamped"));
    for values in [values, clamped] {
        let body = (crate::plate_entry::ENTRY.make)(&values).unwrap();
        let sounds = sounding::partials(&*body, 1).unwrap()[0];
        assert!((sounds / 220.0 - 1.0).abs() < 1e-10, "{sounds}");
        let h = body.solved()[0].value;
        let ratio = 0.8 / 11.0_f64;
        let shear = 11e9 * ratio.sqrt() / (2.0 * (1.0 + 0.37 * ratio.sqrt()));
        let same = (crate::plate_entry::ENTRY.make)(&crate::pitched::without_request(
            &values.with("shear_modulus", shear).with("thickness", h),
        ));
        let sounds = sounding::partials(&*same.unwrap(), 1).unwrap()[0];
        assert!((sounds / 220.0 - 1.0).abs() < 1e-9, "{sounds}");
    }
}

/// What is refused names the parameter.
#[test]
fn too_many_sums_and_impossible_materials_are_refused() {
    let clamped = two()[0].with_front_and_back([Clamped; 2]);
    assert_eq!(clamped.by_modes(501).unwrap_err().parameter, "modes");
    let mixed = clamped.with_ends([Clamped, Free], 0.3).unwrap().with_front_and_back([Clamped, Hinged]);
    assert_eq!(mixed.by_modes(251).unwrap_err().parameter, "modes");
    assert!(two()[0].by_modes(501).is_ok());
    assert_eq!(Orthotropic::new([1e9, 9e9], 1e9, 0.4).unwrap_err().parameter, "poisson_ratio");
}

/// The lowest mode of a simply supported plate, 30 × 21 cm, alone: q̈ = −ω²q − gq³, gh²/ω² = 0.3294 where its sides are guided in its plane (the
/// series of products of sines) and 0.1303 where they are free of stress (196 polynomials for F; 0.1302 of the program jaxdiffmodal, docs/performance.md).
#[test]
fn sides_without_stress_stiffen_less() {
    let (thickness, modulus, density, poisson) = (1e-3, 200e9, 7850.0, 0.3);
    let bending = modulus * f64::powi(thickness, 3) / (12.0 * (1.0 - poisson * poisson));
    let plate = Plate::new([0.30, 0.21], density * thickness, bending).unwrap();
    let plate = plate.von_karman(modulus * thickness, 60).unwrap();
    for (plate, expected) in [(plate, 0.3294), (plate.free_in_plane(), 0.1303)] {
        let modal = plate.by_modes(12).unwrap();
        let own = |form: &AiryForm| {
            form.quadratic.iter().filter(|(i, j, _)| (*i, *j) == (0, 0)).map(|(.., b)| b * b).sum::<f64>()
        };
        let cubic = modal.airy.iter().map(own).sum::<f64>() / (2.0 * modal.modes[0].mass);
        let ratio = cubic * thickness * thickness / square(modal.modes[0].omega);
        // 60 stress functions leave out a part in five hundred.
        assert!((ratio / expected - 1.0).abs() < 4e-3, "{ratio} {expected}");
    }
}

//! Drums, plates, bells, tubes and reeds.

use super::text::Text;
use crate::scenes::draw::Draw;
use std::f64::consts::PI;

/// A beater with a head of felt or wood.
fn beater(draw: &mut Draw, text: &mut Text, at: &str) {
    let (mass, velocity) = (draw.decades(-2.0, -1.1), draw.between(0.5, 5.0));
    let stiffness = draw.decades(4.5, 7.0);
    text.line(&format!(
        "[body.beater]\nkind = \"mass\"\nmass = {mass}\nvelocity = {velocity}\n\
         [contact.head]\nbetween = [\"beater\", \"{at}\"]\nlaw = \"power\"\nstiffness = {stiffness}\nexponent = 1.5"
    ));
}

/// A drum head.
pub fn drum(draw: &mut Draw, text: &mut Text) {
    let (radius, frequency) = (draw.between(0.1, 0.35), draw.between(60.0, 250.0));
    let (thickness, time) = (draw.between(0.15e-3, 0.35e-3), draw.between(0.3, 2.0));
    text.line(&format!(
        "[body.skin]\nkind = \"membrane\"\nradius = {radius}\nthickness = {thickness}\nfrequency = {frequency}\n\
         loss = {{ t60 = [[{frequency}, {time}], [{}, {}]] }}\n[pickup.out]\nat = \"skin@0.5,100 deg\"\nquantity = \"velocity\"",
        10.0 * frequency,
        0.3 * time
    ));
    let at = format!("skin@{:.2},20 deg", draw.between(0.1, 0.7));
    beater(draw, text, &at);
}

/// A steel or aluminium plate.
pub fn plate(draw: &mut Draw, text: &mut Text) {
    let [length, width] = [draw.between(0.15, 0.6), draw.between(0.1, 0.4)];
    let (thickness, time) = (draw.between(0.8e-3, 4e-3), draw.between(0.5, 5.0));
    let (density, modulus) = *draw.any(&[(7850.0, 200e9), (2700.0, 70e9)]);
    text.line(&format!(
        "[body.sheet]\nkind = \"plate\"\nlength = {length}\nwidth = {width}\nthickness = {thickness}\ndensity = {density}\n\
         youngs_modulus = {modulus:.0}\nloss = {{ t60 = [[200, {time}], [5000, {}]] }}\n[pickup.out]\nat = \"sheet@0.3,0.6\"\nquantity = \"velocity\"",
        0.2 * time
    ));
    let at = format!("sheet@{:.2},{:.2}", draw.between(0.2, 0.8), draw.between(0.2, 0.8));
    beater(draw, text, &at);
}

/// A bell by its modes.
pub fn bell(draw: &mut Draw, text: &mut Text) {
    let (modes, prime, mass) = (4 + draw.below(9), draw.between(100.0, 900.0), draw.decades(0.0, 2.0));
    let mut table = String::from("frequency,t60,mass\n");
    for k in 0..modes {
        let frequency = prime * (0.5 + k as f64 * draw.between(0.35, 0.65));
        let time = draw.between(1.0, 10.0) / (1.0 + k as f64);
        table.push_str(&format!("{frequency},{time},{}\n", mass * draw.between(0.5, 2.0)));
    }
    text.files.push(("bell.csv", table));
    let (weight, velocity) = (0.05 * mass, draw.between(0.3, 3.0));
    let stiffness = draw.decades(7.0, 9.3);
    text.line(&format!(
        "[body.bell]\nkind = \"modes\"\nfile = \"bell.csv\"\n[body.clapper]\nkind = \"mass\"\nmass = {weight}\nvelocity = {velocity}\n\
         [contact.blow]\nbetween = [\"clapper\", \"bell\"]\nlaw = \"power\"\nstiffness = {stiffness}\nexponent = 1.5\nloss = 0.1\n\
         [pickup.out]\nat = \"bell\"\nquantity = \"velocity\""
    ));
}

/// The air in a cylinder or cone, with a pulse of pressure at its mouth.
pub fn tube(draw: &mut Draw, text: &mut Text) {
    let (length, radius) = (draw.between(0.15, 2.0), draw.between(4e-3, 2e-2));
    let bore = match draw.chance(0.5) {
        true => format!("radius = {radius}"),
        false => format!("radius_left = {radius}\nradius_right = {}", radius * draw.between(1.2, 6.0)),
    };
    let left = *draw.any(&["open", "closed"]);
    let (damping, pulse) = (draw.between(5.0, 40.0), draw.decades(1.0, 3.0));
    text.line(&format!(
        "[body.pipe]\nkind = \"tube\"\nlength = {length}\n{bore}\nleft = \"{left}\"\ndamping = {damping}\n\
         [drive.breath]\nat = \"pipe@0.9\"\nkind = \"envelope\"\npoints = [[0, 0], [2e-4, {pulse}], [6e-4, 0]]\n\
         [pickup.out]\nat = \"pipe@0.3\"\nquantity = \"pressure\""
    ));
}

/// A reed that is blown against its lay.
pub fn reed(draw: &mut Draw, text: &mut Text) {
    let (frequency, gap) = (draw.between(1200.0, 3000.0), draw.between(0.2e-3, 0.6e-3));
    let (density, damping) = (draw.between(0.03, 0.08), draw.between(1500.0, 4000.0));
    // A part of the pressure that closes it: p = m ω² h.
    let closing = density * (2.0 * PI * frequency).powi(2) * gap;
    let (pressure, pitch) = (closing * draw.between(0.2, 1.2), draw.between(100.0, 600.0));
    text.line(&format!(
        "[body.reed]\nkind = \"oscillator\"\nmass_per_area = {density}\nfrequency = {frequency}\ndamping = {damping}\n\
         [contact.lay]\nbetween = [\"reed\", \"ground\"]\nlaw = \"power\"\ngap = {gap}\nstiffness = \"1e12 Pa/m^1.5\"\nexponent = 1.5\n\
         [drive.mouth]\nat = \"reed\"\nkind = \"harmonics\"\nfundamental = {pitch}\namplitudes = [{pressure}, {}]\nphase = \"sine\"\n\
         [pickup.out]\nat = \"reed\"\nquantity = \"displacement\"",
        0.2 * pressure
    ));
}

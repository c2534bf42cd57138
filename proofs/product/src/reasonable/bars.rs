//! Bars of xylophones, marimbas and glockenspiels on two cords, and clamped tines.

use super::text::Text;
use crate::scenes::draw::Draw;

/// ρ, kg/m³, and E, Pa, of rosewood, aluminium and steel.
const MATERIALS: [(f64, f64); 3] = [(900.0, 16e9), (2700.0, 70e9), (7850.0, 200e9)];

/// Length and thickness, m.
fn sizes(draw: &mut Draw) -> (f64, f64) {
    let length = draw.between(0.12, 0.5);
    (length, length * draw.between(0.02, 0.08))
}

fn loss(draw: &mut Draw) -> String {
    let times = [draw.decades(-0.5, 0.5), draw.decades(-1.2, -0.5)];
    format!("loss = {{ t60 = [[200, {}], [4000, {}]] }}", times[0], times[1])
}

/// A mallet with a head of rubber to wood.
fn mallet(draw: &mut Draw, text: &mut Text, at: f64) {
    let (mass, velocity) = (draw.decades(-2.2, -1.4), draw.between(0.3, 4.0));
    let (stiffness, loss) = (draw.decades(5.5, 8.0), draw.between(0.0, 0.3));
    text.line(&format!(
        "[body.mallet]\nkind = \"mass\"\nmass = {mass}\nvelocity = {velocity}\n\
         [contact.head]\nbetween = [\"mallet\", \"bar@{at:.3}\"]\nlaw = \"power\"\nstiffness = {stiffness}\nexponent = 1.5\nloss = {loss}"
    ));
}

/// A bar on two cords or a suspension, slender, thick, undercut or tuned, struck by a mallet.
pub fn struck(draw: &mut Draw, text: &mut Text) {
    let ((length, thickness), (density, modulus)) = (sizes(draw), *draw.any(&MATERIALS));
    let more = match draw.below(4) {
        0 => format!("kind = \"bar\"\n{}", loss(draw)),
        1 => format!("kind = \"timoshenko-bar\"\ndamping = {}", draw.between(3.0, 20.0)),
        2 => {
            let frequency = draw.between(120.0, 500.0);
            let (kind, loss) = match draw.chance(0.5) {
                true => ("bar", loss(draw)),
                false => ("timoshenko-bar", format!("damping = {}", draw.between(3.0, 20.0))),
            };
            let ratios = *draw.any(&["[3]", "[4]", "[4, 10]"]);
            format!("kind = \"{kind}\"\ntuning = {ratios}\nfrequency = {frequency}\n{loss}")
        }
        _ => {
            let [shallow, deep] =
                [draw.between(0.2, 0.3), draw.between(0.35, 0.45)].map(|part| part * length);
            let thin = thickness * draw.between(0.3, 0.8);
            let points = [
                (0.0, thickness),
                (shallow, thickness),
                (deep, thin),
                (length - deep, thin),
                (length - shallow, thickness),
                (length, thickness),
            ];
            let profile: Vec<String> = points.map(|(x, h)| format!("[{x}, {h}]")).to_vec();
            format!("kind = \"bar\"\nprofile = [{}]\n{}", profile.join(", "), loss(draw))
        }
    };
    // A bar of a stated frequency finds its thickness.
    let size = if more.contains("frequency") { String::new() } else { format!("thickness = {thickness}\n") };
    let (own, links) = match draw.chance(0.5) {
        true => ("suspension = {}\n", ""),
        false => (
            "",
            "[link.left]\nbetween = [\"bar@0.224\", \"ground\"]\nstiffness = 2000\n\
             [link.right]\nbetween = [\"bar@0.776\", \"ground\"]\nstiffness = 2000\n",
        ),
    };
    text.line(&format!(
        "[body.bar]\nlength = {length}\n{size}density = {density}\nyoungs_modulus = {modulus:.0}\n{own}{more}\n{links}\
         [pickup.near]\nat = \"bar@0.4\"\nquantity = \"velocity\""
    ));
    let at = draw.between(0.3, 0.7);
    mallet(draw, text, at);
}

/// A clamped tine, plucked or struck at its end.
pub fn tine(draw: &mut Draw, text: &mut Text) {
    let (length, thickness) = (draw.between(0.03, 0.2), draw.between(0.5e-3, 3e-3));
    let loss = loss(draw);
    text.line(&format!(
        "[body.bar]\nkind = \"bar\"\nleft = \"clamped\"\nlength = {length}\nthickness = {thickness}\nwidth = 0.005\n{loss}\n\
         [pickup.tip]\nat = \"bar@1\"\nquantity = \"velocity\""
    ));
    if draw.chance(0.5) {
        mallet(draw, text, 0.9);
    } else {
        let height = length * draw.between(0.005, 0.02);
        text.line(&format!("[drive.thumb]\nkind = \"pluck\"\nat = \"bar@0.95\"\nheight = {height}"));
    }
}

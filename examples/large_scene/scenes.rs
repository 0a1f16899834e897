//! Scenes of any number of bodies.

use std::fmt::Write;

/// An irregular number between -1 and 1, the same on every machine.
fn irregular(index: usize, salt: u64) -> f64 {
    let mut x = (index as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (salt << 32);
    x ^= x >> 30;
    x = x.wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x ^= x >> 27;
    (x >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

fn header(name: &str, comment: &str, duration: f64, step: f64, friction: f64) -> String {
    format!(
        "# {comment}\nname = \"{name}\"\nduration = {duration:?}\nstep = {step:?}\n\n[ground]\nfriction = {friction:?}\n"
    )
}

fn body(text: &mut String, shape: &str, mass: f64, rest: &str) {
    write!(text, "\n[[body]]\n{shape}\nmass = {mass:?}\n{rest}\n")
        .expect("a string takes all that is written");
}

/// A dry wall of `count` bricks, 20 in a row, each row half a brick further. In the plane.
pub fn wall(count: usize) -> String {
    let mut text = header("wall", "A dry wall: it stands.", 10.0, 5e-3, 0.6);
    for brick in 0..count {
        let (row, column) = (brick / 20, brick % 20);
        let x = 0.4 * column as f64 + 0.2 * (row % 2) as f64;
        let place = format!("position = [{x:?}, {:?}]", 0.1 + 0.2 * row as f64);
        body(&mut text, "shape = \"box\"\nsize = [0.4, 0.2]", 2.0, &place);
    }
    text
}

/// `count` discs of irregular size, 25 in a row, which fall into a heap. In the plane.
pub fn discs(count: usize) -> String {
    let mut text = header("discs", "Discs that fall into a heap.", 10.0, 5e-3, 0.5);
    for disc in 0..count {
        let (row, column) = (disc / 25, disc % 25);
        let radius = 0.05 * (1.0 + 0.2 * irregular(disc, 1));
        let x = 0.13 * (column as f64 - 12.0) + 0.005 * irregular(disc, 2);
        let place = format!("position = [{x:?}, {:?}]", 0.07 + 0.13 * row as f64);
        body(&mut text, &format!("shape = \"disc\"\nsize = {radius:?}"), 1000.0 * radius * radius, &place);
    }
    text
}

/// `count` cubes of 10 cm on top of each other. In space.
pub fn tower(count: usize) -> String {
    let mut text = header("tower", "Cubes on top of each other.", 1.0, 1e-3, 0.5);
    for cube in 0..count {
        let (x, y) = (2e-3 * irregular(cube, 3), 2e-3 * irregular(cube, 4));
        let place = format!("position = [{x:?}, {y:?}, {:?}]", 0.05 + 0.1 * cube as f64);
        body(&mut text, "shape = \"box\"\nsize = [0.1, 0.1, 0.1]", 1.0, &place);
    }
    text
}

/// `count` cubes of 10 cm, turned a little, in layers of 25, which fall into a heap; a single one slides from
/// 1 m/s. In space.
pub fn cubes(count: usize) -> String {
    let mut text = header("cubes", "Cubes that fall into a heap.", 2.0, 1e-3, 0.5);
    for cube in 0..count {
        let place = if count == 1 {
            "position = [0.0, 0.0, 0.05]\nvelocity = [1.0, 0.0, 0.0]".to_owned()
        } else {
            let (layer, column, row) = (cube / 25, cube % 5, cube / 5 % 5);
            let at = |k: usize, salt| 0.18 * (k as f64 - 2.0) + 0.015 * irregular(cube, salt);
            let turn = [5, 6, 7].map(|salt| 0.15 * irregular(cube, salt));
            let real = (1.0 - turn.iter().map(|part| part * part).sum::<f64>()).sqrt();
            format!(
                "position = [{:?}, {:?}, {:?}]\norientation = [{real:?}, {:?}, {:?}, {:?}]",
                at(column, 8),
                at(row, 9),
                0.09 + 0.18 * layer as f64,
                turn[0],
                turn[1],
                turn[2],
            )
        };
        body(&mut text, "shape = \"box\"\nsize = [0.1, 0.1, 0.1]", 1.0, &place);
    }
    text
}

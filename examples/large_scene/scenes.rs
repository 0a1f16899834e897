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

/// How many bodies of `count` lie along an edge of the cube of them.
fn edge(count: usize) -> usize {
    (1..).find(|side| side * side * side >= count).unwrap_or(1)
}

/// Where a body of a cube of them begins: in layers `apart` m from each other, the lowest `lowest` m high, aside by up to `astray` m,
/// turned by up to `turned` half rad about each axis.
fn in_layers(index: usize, side: usize, [apart, lowest, astray, turned]: [f64; 4]) -> String {
    let (layer, column, row) = (index / (side * side), index % side, index / side % side);
    let middle = 0.5 * (side - 1) as f64;
    let at = |k: usize, salt| apart * (k as f64 - middle) + astray * irregular(index, salt);
    let turn = [5, 6, 7].map(|salt| turned * irregular(index, salt));
    let real = (1.0 - turn.iter().map(|part| part * part).sum::<f64>()).sqrt();
    format!(
        "position = [{:?}, {:?}, {:?}]\norientation = [{real:?}, {:?}, {:?}, {:?}]",
        at(column, 8),
        at(row, 9),
        lowest + apart * layer as f64,
        turn[0],
        turn[1],
        turn[2],
    )
}

/// `count` cubes of 10 cm, turned a little, in layers as wide as they are many, which fall into a heap; a single one
/// slides from 1 m/s. In space.
pub fn cubes(count: usize) -> String {
    let mut text = header("cubes", "Cubes that fall into a heap.", 2.0, 1e-3, 0.5);
    let side = edge(count);
    for cube in 0..count {
        let place = if count == 1 {
            "position = [0.0, 0.0, 0.05]\nvelocity = [1.0, 0.0, 0.0]".to_owned()
        } else {
            in_layers(cube, side, [0.18, 0.09, 0.015, 0.15])
        };
        body(&mut text, "shape = \"box\"\nsize = [0.1, 0.1, 0.1]", 1.0, &place);
    }
    text
}

/// A gable of `count` bricks, each but those at the ground on two others, with open joints between neighbours. In space.
pub fn gable(count: usize) -> String {
    let mut text = header("gable", "A wall that is a brick shorter in every row: it stands.", 1.0, 1e-3, 0.5);
    let mut width = (1..).find(|width| width * (width + 1) / 2 >= count).unwrap_or(1);
    let (mut row, mut column) = (0, 0);
    for _ in 0..count {
        if column == width {
            (row, column, width) = (row + 1, 0, width - 1);
        }
        let x = 0.205 * (column as f64 + 0.5 * row as f64);
        let place = format!("position = [{x:?}, 0.0, {:?}]", 0.05 + 0.1 * row as f64);
        body(&mut text, "shape = \"box\"\nsize = [0.2, 0.1, 0.1]", 1.0, &place);
        column += 1;
    }
    text
}

/// A row of `count` cubes of 10 cm, face to face on ground too steep for friction, against a wall at its foot. In space.
pub fn chain(count: usize) -> String {
    let mut text = header("chain", "Cubes in a row on a slope lean on a wall.", 1.0, 1e-3, 0.5);
    text.push_str("slope = 45.0\n\n[[wall]]\nnormal = [-1.0, 0.0, 0.0]\noffset = 0.0\n");
    for cube in 0..count {
        let place = format!("position = [{:?}, 0.0, 0.05]", -0.05 - 0.1 * cube as f64);
        body(&mut text, "shape = \"box\"\nsize = [0.1, 0.1, 0.1]", 1.0, &place);
    }
    text
}

/// `count` polyhedra of 42 corners on a ball of 5 cm, turned irregularly, which fall into a pit as wide as the cube of them is.
/// Their faces and edges have many axes that are nearly parallel. In space.
pub fn polyhedra(count: usize) -> String {
    let mut text = header("polyhedra", "Polyhedra that fall into a pit.", 2.0, 2e-3, 0.5);
    let side = edge(count);
    let wide = 0.06 * side as f64;
    for normal in ["[1.0, 0.0, 0.0]", "[-1.0, 0.0, 0.0]", "[0.0, 1.0, 0.0]", "[0.0, -1.0, 0.0]"] {
        write!(text, "\n[[wall]]\nnormal = {normal}\noffset = {:?}\nfriction = 0.5\n", -wide)
            .expect("a string takes all that is written");
    }
    // A spiral of equal areas over the ball.
    let corner = |index: usize| {
        let height = 1.0 - (2 * index + 1) as f64 / 42.0;
        let (sin, cos) = (index as f64 * (3.0 - 5f64.sqrt()) * std::f64::consts::PI).sin_cos();
        let across = 0.05 * (1.0 - height * height).sqrt();
        format!("[{:?}, {:?}, {:?}]", across * cos, across * sin, 0.05 * height)
    };
    let corners = (0..42).map(corner).collect::<Vec<_>>().join(", ");
    for index in 0..count {
        let place = in_layers(index, side, [0.11, 0.06, 0.004, 0.5]);
        body(&mut text, &format!("shape = \"polyhedron\"\nsize = [{corners}]"), 1.0, &place);
    }
    text
}

/// A plate on `count - 1` cubes of 10 cm, which stand in a square; the plate is the last body. In space.
pub fn table(count: usize) -> String {
    let mut text = header("table", "A plate on cubes.", 1.0, 1e-3, 0.5);
    let legs = count.saturating_sub(1);
    let side = (1..).find(|side| side * side >= legs).unwrap_or(1);
    let at = |k: usize| 0.2 * (k as f64 - 0.5 * (side - 1) as f64);
    for leg in 0..legs {
        let place = format!("position = [{:?}, {:?}, 0.05]", at(leg % side), at(leg / side));
        body(&mut text, "shape = \"box\"\nsize = [0.1, 0.1, 0.1]", 1.0, &place);
    }
    let width = 0.2 * side as f64;
    let plate = format!("shape = \"box\"\nsize = [{width:?}, {width:?}, 0.1]");
    body(&mut text, &plate, 1.0, "position = [0.0, 0.0, 0.15]");
    text
}

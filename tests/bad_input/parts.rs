//! Faults of `[[body.part]]`, one at a time.

use super::{assert_tells, only_problem};

const PLANE: &str = r#"name = "parted"
duration = 1.0
step = 1e-3
[ground]
friction = 0.5
[[body]]
position = [0.0, 1.0]
[[body.part]]
shape = "box"
size = [0.4, 0.1]
mass = 1.0
[[body.part]]
shape = "disc"
size = 0.1
position = [0.3, 0.0]
mass = 2.0
"#;

#[track_caller]
fn told(from: &str, to: &str, key: &str, words: &[&str]) {
    assert_ne!(PLANE.replace(from, to), PLANE, "{from:?} is not there");
    assert_tells(&only_problem(&PLANE.replacen(from, to, 1), &[]), Some(key), words);
}

#[test]
fn a_part_needs_a_shape_and_a_size() {
    told("shape = \"box\"\n", "", "body[0].part[0].shape", &["missing"]);
    told("size = 0.1\n", "", "body[0].part[1].size", &["missing"]);
    told("\"disc\"", "\"point\"", "body[0].part[1].shape", &["box", "disc"]);
    told("\"disc\"", "\"sphere\"", "body[0].part[1].shape", &["disc"]);
    told("0.4, 0.1", "0.4, -0.1", "body[0].part[0].size", &["at least 1e-9"]);
}

#[test]
fn a_part_weighs_by_one_of_mass_and_density() {
    told("mass = 2.0", "mass = 2.0\ndensity = 3.0", "body[0].part[1].density", &["absent"]);
    told("mass = 2.0", "mass = 0.0", "body[0].part[1].mass", &["at least"]);
    told("mass = 2.0", "density = 0.0", "body[0].part[1].density", &["greater than 0"]);
    told("mass = 2.0\n", "", "body[0].part[1].mass", &["as that of other parts"]);
    let none = PLANE.replace("mass = 1.0\n", "").replace("mass = 2.0\n", "");
    assert_tells(&only_problem(&none, &[]), Some("body[0].mass"), &["missing"]);
}

#[test]
fn a_rod_has_no_area_to_weigh_by() {
    let rod = PLANE.replace("\"disc\"", "\"rod\"").replace("mass = 2.0", "density = 1.0");
    assert_tells(&only_problem(&rod, &[]), Some("body[0].part[1].mass"), &["rod"]);
}

#[test]
fn shape_and_size_do_not_stand_beside_parts() {
    told(
        "position = [0.0, 1.0]\n",
        "position = [0.0, 1.0]\nshape = \"box\"\nsize = [1.0, 1.0]\n",
        "body[0].shape",
        &["has no effect", "parts"],
    );
    told("position = [0.0, 1.0]\n", "position = [0.0, 1.0]\nsize = [1.0, 1.0]\n", "body[0].size", &["parts"]);
}

#[test]
fn parts_are_a_list_that_is_not_empty() {
    let empty = "name = \"x\"\nduration = 1.0\nstep = 1e-3\n[ground]\nfriction = 0.5\n[[body]]\nmass = 1.0\n\
                 position = [0.0, 1.0]\npart = []\n";
    assert_tells(&only_problem(empty, &[]), Some("body[0].part"), &["at least one"]);
}

#[test]
fn keys_of_parts_are_those_of_the_dimension() {
    told(
        "size = 0.1\n",
        "size = 0.1\norientation = [1.0, 0.0, 0.0, 0.0]\n",
        "body[0].part[1].orientation",
        &["angle"],
    );
    told("[0.3, 0.0]", "[0.3, 0.0, 0.0]", "body[0].part[1].position", &["3"]);
    told("size = 0.1\n", "size = 0.1\nfriction = 0.1\n", "body[0].part[1].friction", &["unknown"]);
}

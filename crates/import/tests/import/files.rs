//! Meshes and included files.

use std::{fs, path::Path};

use nalgebra::Vector3;
use stickslip_contact::world::spatial::Shape;
use stickslip_import::{Fate, Imported, Options, import};

use crate::{assert_note, scenario_text::Table};

/// An L of three unit cubes: 3 m^3, its centre at (5/6, 5/6, 1/2).
const CORNERS: [[f64; 2]; 6] = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];

/// The triangles of the L, counter-clockwise from outside.
fn triangles() -> Vec<[[f64; 3]; 3]> {
    let at = |corner: usize, z: f64| [CORNERS[corner % 6][0], CORNERS[corner % 6][1], z];
    let mut all = Vec::new();
    // All of the L is seen from its inner corner.
    for (a, b) in [(4, 5), (5, 0), (0, 1), (1, 2)] {
        all.push([at(3, 1.0), at(a, 1.0), at(b, 1.0)]);
        all.push([at(3, 0.0), at(b, 0.0), at(a, 0.0)]);
    }
    for side in 0..6 {
        all.push([at(side, 0.0), at(side + 1, 0.0), at(side + 1, 1.0)]);
        all.push([at(side, 0.0), at(side + 1, 1.0), at(side, 1.0)]);
    }
    all
}

fn binary_stl() -> Vec<u8> {
    // Binary files may begin as those in text do.
    let mut bytes = b"solid of six corners".to_vec();
    bytes.resize(80, b' ');
    bytes.extend((triangles().len() as u32).to_le_bytes());
    for triangle in triangles() {
        bytes.extend([0; 12]);
        bytes.extend(triangle.iter().flatten().flat_map(|part| (*part as f32).to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

fn text_stl() -> Vec<u8> {
    let mut text = "solid l\n".to_owned();
    for triangle in triangles() {
        text += "facet normal 0 0 0\nouter loop\n";
        for [x, y, z] in triangle {
            text += &format!("vertex {x:e} {y} {z}\n");
        }
        text += "endloop\nendfacet\n";
    }
    (text + "endsolid l\n").into_bytes()
}

fn obj() -> Vec<u8> {
    let mut text = "# an L\no l\n".to_owned();
    for z in [0.0, 1.0] {
        for [x, y] in CORNERS {
            text += &format!("v {x} {y} {z}\n");
        }
    }
    text += "vn 0 0 1\nf 10//1 11//1 12//1 7//1 8//1 9//1\nf 4 3 2 1 -7 -8\n";
    for side in 0..6 {
        let next = (side + 1) % 6;
        text += &format!("f {} {}/1 {}/1/1 {}\n", side + 1, next + 1, next + 7, side + 7);
    }
    text.into_bytes()
}

fn at(folder: &Path, name: &str) -> Imported {
    import(&folder.join(name), Options::default()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_mesh_weighs_as_it_is_and_touches_as_its_hull() {
    for (name, bytes) in [("l.stl", binary_stl()), ("l.STL", text_stl()), ("l.obj", obj())] {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("meshes")).unwrap();
        fs::write(folder.path().join("meshes").join(name), bytes).unwrap();
        let model = format!(
            "<mujoco><compiler meshdir=\"meshes\"/><asset>\n<mesh name=\"l\" file=\"{name}\" scale=\".1 .1 .1\"/></asset>
             <worldbody><geom type=\"plane\" size=\"1 1 1\"/><body name=\"l\" pos=\"0 0 1\"><freejoint/><geom type=\"mesh\" mesh=\"l\"/></body></worldbody></mujoco>"
        );
        fs::write(folder.path().join("model.xml"), model).unwrap();
        let imported = at(folder.path(), "model.xml");
        let l = Table::body(&imported.scenario, "l");
        l.assert("mass", &[3.0]);
        l.assert("position", &[0.5 / 6.0, 0.5 / 6.0, 1.05]);
        // Three cubes of 1 kg and 0.1 m: their own, and Steiner with arms of (1/3, 1/3), (2/3, 1/3) and (1/3, 2/3) of a side.
        let across = 3.0 * 0.01 / 6.0 + 0.01 * 6.0 / 9.0;
        let off = 0.01 * (1.0 - 2.0 - 2.0) / 9.0;
        l.assert(
            "inertia",
            &[across, -off, 0.0, -off, across, 0.0, 0.0, 0.0, 3.0 * 0.01 / 6.0 + 0.01 * 12.0 / 9.0],
        );
        // All corners but the inner two.
        assert_eq!(l.numbers("size").len(), 3 * 10, "{name}");
        assert_note(&imported, Fate::Changed, &["mesh `l`", "10 of its 12"], 2);
    }
}

#[test]
fn a_round_mesh_keeps_the_corners_that_reach_farthest() {
    let folder = tempfile::tempdir().unwrap();
    let mut text = String::new();
    for i in 0..40 {
        for j in 0..20 {
            let (a, b) = (f64::from(i) * 0.157, (f64::from(j) + 0.5) * 0.157);
            text += &format!("v {} {} {}\n", b.sin() * a.cos(), b.sin() * a.sin(), b.cos());
        }
    }
    fs::write(folder.path().join("ball.obj"), text).unwrap();
    let model = "<robot name=\"r\"><link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial>
        <collision><geometry><mesh filename=\"ball.obj\"/></geometry></collision></link></robot>";
    fs::write(folder.path().join("model.urdf"), model).unwrap();
    let imported = at(folder.path(), "model.urdf");
    let corners = Table::body(&imported.scenario, "a").numbers("size").len() / 3;
    assert!((60..=96).contains(&corners), "{corners}");
    assert_note(&imported, Fate::Changed, &["ball.obj", "of its 800", "inside of the hull"], 2);
}

/// Rims whose corners are off their planes by about what faces are told apart by, as those of files in single precision.
#[test]
fn corners_that_are_written_are_those_of_a_convex_body() {
    let folder = tempfile::tempdir().unwrap();
    let noise = |number: u32| f64::from(number.wrapping_mul(2_654_435_761) >> 8) / f64::from(1 << 24) - 0.5;
    for variant in 7..16 {
        // A vertex inside comes first, from which the corners are only half as far away as from each other.
        let mut text = "v 0 -0.03 0.055\n".to_owned();
        for corner in 0..32_u32 {
            let angle = f64::from(corner / 2) * std::f64::consts::TAU / 16.0;
            let z = if corner % 2 == 0 { 0.04 } else { 0.07 };
            let off = 4e-9 * f64::from(1 + variant % 16) * noise(variant * 1000 + corner);
            text += &format!("v {:?} {:?} {:?}\n", 0.05 * angle.cos(), 0.05 * angle.sin() - 0.03, z + off);
        }
        fs::write(folder.path().join("disc.obj"), text).unwrap();
        let model = "<robot name=\"r\"><link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial>
            <collision><geometry><mesh filename=\"disc.obj\"/></geometry></collision></link></robot>";
        fs::write(folder.path().join("model.urdf"), model).unwrap();
        let part = &Table::all(&at(folder.path(), "model.urdf").scenario, "[[body.part]]")[0];
        let corners: Vec<_> = part
            .numbers("size")
            .chunks(3)
            .map(|corner| Vector3::new(corner[0], corner[1], corner[2]))
            .collect();
        assert!(Shape::polyhedron(&corners).is_ok(), "variant {variant}");
    }
}

#[test]
fn packages_count_from_the_folders_around() {
    let folder = tempfile::tempdir().unwrap();
    let package = folder.path().join("my_robot");
    fs::create_dir_all(package.join("urdf")).unwrap();
    fs::create_dir_all(package.join("meshes")).unwrap();
    fs::write(package.join("meshes/l.stl"), binary_stl()).unwrap();
    let model = "<robot name=\"r\"><link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial>
        <collision><geometry><mesh filename=\"package://my_robot/meshes/l.stl\"/></geometry></collision>
        <collision><geometry><mesh filename=\"package://my_robot/meshes/l.ply\"/></geometry></collision></link></robot>";
    fs::write(package.join("urdf/model.urdf"), model).unwrap();
    let imported = at(&package.join("urdf"), "model.urdf");
    assert_eq!(Table::body(&imported.scenario, "a").numbers("size").len(), 30);
    assert_note(&imported, Fate::LeftOut, &["l.ply", "not read"], 3);
}

#[test]
fn included_files_stand_where_they_are_included() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("ball.xml"), "<mujocoinclude>\n<body name=\"ball\" pos=\"0 0 1\"><freejoint/><geom size=\".1\" margin=\"1\"/></body></mujocoinclude>").unwrap();
    fs::write(folder.path().join("model.xml"), "<mujoco><worldbody><geom type=\"plane\" size=\"1 1 1\"/>\n<include file=\"ball.xml\"/></worldbody></mujoco>").unwrap();
    let imported = at(folder.path(), "model.xml");
    Table::body(&imported.scenario, "ball").assert("position", &[0.0, 0.0, 1.0]);
    let note = imported.notes.iter().find(|note| note.what.contains("margin")).unwrap();
    assert!(note.places[0].file.ends_with("ball.xml") && note.places[0].line == Some(2), "{note}");
}

#[test]
fn a_file_that_includes_itself_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let model = "<mujoco>\n<include file=\"model.xml\"/><worldbody/></mujoco>";
    fs::write(folder.path().join("model.xml"), model).unwrap();
    let error = import(&folder.path().join("model.xml"), Options::default()).unwrap_err();
    assert!(error.to_string().contains("includes itself"), "{error}");
    assert_eq!(error.place.line, Some(2));
}

#[test]
fn broken_meshes_and_missing_files_name_the_line() {
    let folder = tempfile::tempdir().unwrap();
    let cases: [(&str, &[u8], &str); 6] = [
        ("gone.stl", b"", "no such file"),
        ("short.stl", &binary_stl()[..500], "says that it has"),
        ("empty.stl", b"", "neither a binary STL"),
        ("flat.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\n", "one plane"),
        ("index.obj", b"v 0 0 0\nf 1 2 3\n", "line 2"),
        ("nan.obj", b"v 0 0 nan\n", "finite"),
    ];
    for (name, bytes, words) in cases {
        if name != "gone.stl" {
            fs::write(folder.path().join(name), bytes).unwrap();
        }
        let model = format!(
            "<mujoco><asset>\n\n<mesh name=\"m\" file=\"{name}\"/></asset><worldbody><body><freejoint/><geom type=\"mesh\" mesh=\"m\"/></body></worldbody></mujoco>"
        );
        fs::write(folder.path().join("model.xml"), model).unwrap();
        let error = import(&folder.path().join("model.xml"), Options::default()).unwrap_err();
        assert!(error.to_string().contains(words), "{name}: {error}");
        assert_eq!(error.place.line, Some(3), "{name}: {error}");
        assert!(!error.remedy.is_empty());
    }
    let error = import(&folder.path().join("nothing.xml"), Options::default()).unwrap_err();
    assert!(error.to_string().contains("no such file"), "{error}");
}

/// A channel of four unit boxes on end, bent so that its ends are not seen from its middle.
fn channel() -> String {
    let corners = [[0, 0], [3, 0], [3, 3], [2, 3], [2, 1], [1, 1], [1, 3], [0, 3]];
    let mut text = String::new();
    for z in 0..2 {
        for [x, y] in corners {
            text += &format!("v {x} {y} {z}\n");
        }
    }
    // Upper faces, and lower ones the other way round: three rectangles, with the corners between them.
    for face in [[1, 6, 7, 8], [1, 2, 5, 6], [2, 3, 4, 5]] {
        let upper: Vec<String> = face.iter().map(|corner| (corner + 8).to_string()).collect();
        let lower: Vec<String> = face.iter().rev().map(ToString::to_string).collect();
        text += &format!("f {}\nf {}\n", upper.join(" "), lower.join(" "));
    }
    for side in 1..=8 {
        let next = side % 8 + 1;
        text += &format!("f {side} {next} {} {}\n", next + 8, side + 8);
    }
    text
}

#[test]
fn a_mesh_weighs_as_its_inertia_says() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("channel.obj"), channel()).unwrap();
    let weighed = |inertia: &str| {
        let model = format!(
            "<mujoco><asset><mesh name=\"m\" file=\"channel.obj\" {inertia}/></asset><worldbody><body name=\"a\"><freejoint/>
            <geom type=\"mesh\" mesh=\"m\" density=\"1\"/></body></worldbody></mujoco>"
        );
        fs::write(folder.path().join("model.xml"), model).unwrap();
        Table::body(&at(folder.path(), "model.xml").scenario, "a")
    };
    // 3 x 3 x 1 without 1 x 2 x 1.
    let exact = weighed("inertia=\"exact\"");
    exact.assert("mass", &[7.0]);
    let about_x = 9.0 * 10.0 / 12.0 + 9.0 / 49.0 - 2.0 * 5.0 / 12.0 - 2.0 * 81.0 / 196.0;
    assert!((exact.numbers("inertia")[0] - about_x).abs() < 1e-12);
    weighed("inertia=\"convex\"").assert("mass", &[9.0]);
    // Two faces of 7, and 3 + 3 + 3 outside, 2 + 1 + 2 inside, 1 + 1 at the ends.
    weighed("inertia=\"shell\"").assert("mass", &[30.0]);
    // As MuJoCo 4.0.0 compiles it, which counts what looks inwards too.
    for default in ["", "inertia=\"legacy\""] {
        let each_side = weighed(default);
        each_side.assert("mass", &[8.617540091638029]);
        each_side.assert("inertia", &[6.699129129016179, 7.461754009163805, 12.832462462349513]);
    }
}

#[test]
fn a_mesh_of_mujoco_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let counts = [4, 1, 1, 4_i32].into_iter().flat_map(i32::to_le_bytes);
    let vertices = [0, 0, 0, 6, 0, 0, 0, 6, 0, 0, 0, 6_i8];
    let normals_and_places = [0.0_f32; 5];
    let floats = vertices.into_iter().map(f32::from).chain(normals_and_places).flat_map(f32::to_le_bytes);
    let faces = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3_i32].into_iter().flat_map(i32::to_le_bytes);
    let bytes: Vec<u8> = counts.chain(floats).chain(faces).collect();
    let model = "<mujoco><asset>\n<mesh name=\"m\" file=\"m.msh\"/></asset><worldbody><body name=\"a\"><freejoint/><geom type=\"mesh\" mesh=\"m\" density=\"1\"/></body></worldbody></mujoco>";
    fs::write(folder.path().join("model.xml"), model).unwrap();
    fs::write(folder.path().join("m.msh"), &bytes).unwrap();
    let imported = at(folder.path(), "model.xml");
    Table::body(&imported.scenario, "a").assert("mass", &[36.0]);
    for (broken, words) in [(&bytes[..100], "says that it has"), (&bytes[..7], "four counts")] {
        fs::write(folder.path().join("m.msh"), broken).unwrap();
        let error = import(&folder.path().join("model.xml"), Options::default()).unwrap_err();
        assert!(error.to_string().contains(words) && error.place.line == Some(2), "{error}");
    }
}

#[test]
fn meshes_of_pictures_are_not_read() {
    // One is not there, and the other is flat.
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("flat.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\n").unwrap();
    let geoms = "<geom type=\"mesh\" mesh=\"gone\" contype=\"0\" conaffinity=\"0\"/>
        <geom type=\"mesh\" mesh=\"flat\" contype=\"0\" conaffinity=\"0\"/>";
    let write = |inertial: &str| {
        let model = format!(
            "<mujoco><asset><mesh name=\"gone\" file=\"gone.stl\"/><mesh name=\"flat\" file=\"flat.obj\"/></asset><worldbody>
            <body name=\"a\"><freejoint/>{geoms}{inertial}</body></worldbody></mujoco>"
        );
        fs::write(folder.path().join("model.xml"), model).unwrap();
    };
    write("<frame><inertial mass=\"2\" diaginertia=\"1 1 1\" pos=\"0 0 0\"/></frame>");
    Table::body(&at(folder.path(), "model.xml").scenario, "a").assert("mass", &[2.0]);
    // Without an inertia of its own the body weighs what they do.
    write("");
    assert!(import(&folder.path().join("model.xml"), Options::default()).is_err());
}

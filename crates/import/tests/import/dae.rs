//! Meshes of COLLADA.

use std::fs;

use stickslip_import::{ImportError, Imported, Options, import};

use crate::scenario_text::Table;

/// A file with this `<node>` in its scene, and a geometry `box` of 1 x 2 x 3 with its sides from the origin on, as quadrangles.
pub fn file(asset: &str, node: &str) -> String {
    let corners: Vec<String> =
        (0..8).map(|corner| format!("{} {} {}", corner & 1, corner & 2, 3 * (corner >> 2))).collect();
    format!(
        "<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\"><asset>{asset}</asset>
         <library_geometries><geometry id=\"box\"><mesh>
         <source id=\"p\"><float_array count=\"24\">{}</float_array></source>
         <vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>
         <polylist count=\"6\"><input semantic=\"NORMAL\" source=\"#n\" offset=\"1\"/><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>
         <vcount>4 4 4 4 4 4</vcount>
         <p>0 9 2 9 3 9 1 9 4 9 5 9 7 9 6 9 0 9 1 9 5 9 4 9 2 9 6 9 7 9 3 9 0 9 4 9 6 9 2 9 1 9 3 9 7 9 5 9</p></polylist>
         </mesh></geometry></library_geometries>
         <library_visual_scenes><visual_scene id=\"s\">\n{node}</visual_scene></library_visual_scenes>
         <scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>",
        corners.join(" ")
    )
}

/// A body of that mesh, which weighs what it encloses.
pub fn taken(text: &str) -> Result<Imported, ImportError> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("m.dae"), text).unwrap();
    let model = "<mujoco><asset><mesh name=\"m\" file=\"m.dae\" inertia=\"exact\"/></asset><worldbody><geom type=\"plane\" size=\"1 1 1\"/>
        <body name=\"a\" pos=\"0 0 9\"><freejoint/><geom type=\"mesh\" mesh=\"m\" density=\"1\"/></body></worldbody></mujoco>";
    fs::write(folder.path().join("model.xml"), model).unwrap();
    import(&folder.path().join("model.xml"), Options::default())
}

#[track_caller]
fn assert_box(text: &str, mass: f64, centre: [f64; 3]) {
    let imported = taken(text).unwrap_or_else(|error| panic!("{error}"));
    let body = Table::body(&imported.scenario, "a");
    body.assert("mass", &[mass]);
    body.assert("position", &[centre[0], centre[1], centre[2] + 9.0]);
}

#[test]
fn nodes_place_what_stands_in_them() {
    let instance = "<instance_geometry url=\"#box\"/>";
    assert_box(&file("", &format!("<node>{instance}</node>")), 6.0, [0.5, 1.0, 1.5]);
    // Lengths in centimetres; which way is up is left aside.
    let asset = "<unit meter=\".01\"/><up_axis>Y_UP</up_axis>";
    assert_box(&file(asset, &format!("<node>{instance}</node>")), 6e-6, [5e-3, 1e-2, 1.5e-2]);
    // The last is done first: stretched, turned by a quarter about z, and moved.
    let node = format!(
        "<node><translate>10 0 0</translate><rotate>0 0 1 90</rotate><scale>2 1 1</scale>{instance}</node>"
    );
    assert_box(&file("", &node), 12.0, [9.0, 1.0, 1.5]);
    // A node in a node, and a matrix that mirrors.
    let matrix = "<matrix>-1 0 0 0 0 1 0 0 0 0 1 5 0 0 0 1</matrix>";
    let node = format!("<node><translate>0 1 0</translate><node>{matrix}{instance}</node></node>");
    assert_box(&file("", &node), 6.0, [-0.5, 2.0, 6.5]);
    // A node that stands somewhere else.
    let node = "<node><translate>0 0 1</translate><instance_node url=\"#other\"/></node>";
    let other = format!("<library_nodes><node id=\"other\">{instance}</node></library_nodes><scene>");
    assert_box(&file("", node).replace("<scene>", &other), 6.0, [0.5, 1.0, 2.5]);
}

#[test]
fn triangles_are_read_as_polygons_are() {
    let text = file("", "<node><instance_geometry url=\"#box\"/></node>");
    let (before, after) = (text.find("<polylist").unwrap(), text.find("</mesh>").unwrap());
    let faces = "0 2 3 0 3 1 4 5 7 4 7 6 0 1 5 0 5 4 2 6 7 2 7 3 0 4 6 0 6 2 1 3 7 1 7 5";
    let triangles = format!(
        "<triangles count=\"12\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>{faces}</p></triangles>"
    );
    assert_box(&format!("{}{triangles}{}", &text[..before], &text[after..]), 6.0, [0.5, 1.0, 1.5]);
}

#[test]
fn broken_files_name_their_line() {
    let good = file("", "<node><instance_geometry url=\"#box\"/></node>");
    let endless = file("", "<node id=\"a\"><instance_node url=\"#a\"/></node>");
    let cases = [
        (good.replace("#box", "#gone"), "line 10: it names nothing"),
        (good.replace("<vcount>4", "<vcount>5"), "line 5: it has too few corners"),
        (good.replace("<p>0 9", "<p>8 9"), "line 5: a face names a vertex"),
        (good.replace("\"#p\"", "\"#q\""), "line 5: it has no positions"),
        (good.replace("<float_array count=\"24\">0", "<float_array>x"), "line 3: it has numbers alone"),
        (good.replace("<node>", "<node><scale>1 1</scale>"), "line 10: it has another number"),
        (endless, "line 10: nodes lie in each other"),
        (good.replace("</COLLADA>", ""), "it is no XML"),
    ];
    for (text, words) in cases {
        let error = taken(&text).unwrap_err().to_string();
        assert!(error.contains(words), "{error} instead of {words}");
    }
}

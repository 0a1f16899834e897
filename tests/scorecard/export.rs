//! Scenes for other programs.

use std::{io::Write, path::PathBuf, process::Command};

use roxmltree::Document;
use stickslip::{
    export::{Exported, Format, export},
    scenario::{AnyScenario, parse_scenario, read_scenario},
    world::spatial::Shape,
};

fn examples() -> Vec<PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/scenarios");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = files.filter(|path| path.extension().is_some_and(|end| end == "toml")).collect();
    files.sort();
    files
}

fn scene(text: &str) -> AnyScenario {
    parse_scenario("test", text, &[]).unwrap()
}

const BOX_ON_SLOPE: &str = r#"
name = "box"
duration = 1.0
step = 2e-3
[[body]]
name = "crate"
shape = "box"
size = [0.4, 1.0]
mass = 3.0
position = [0.1, 0.6]
angle = 0.2
velocity = [1.0, -2.0]
spin = 0.5
[[body]]
name = "anvil"
shape = "polygon"
size = [[-0.2, -0.1], [0.2, -0.1], [0.0, 0.2]]
mass = 2.0
position = [2.0, 0.1]
fixed = true
[ground]
friction = 0.3
slope = 30.0
restitution = 0.2
[[wall]]
normal = [1.0, 0.0]
offset = -2.0
velocity = 0.5
[[push]]
force = [1.0, 0.0]
"#;

fn numbers(text: &str) -> Vec<f64> {
    text.split_whitespace().map(|number| number.parse().unwrap()).collect()
}

#[test]
fn every_example_becomes_well_formed_xml_with_all_its_bodies() {
    for path in examples() {
        let scenario = read_scenario(&path, &[]).unwrap();
        let count = match &scenario {
            AnyScenario::InPlane(scenario) => scenario.bodies.len(),
            AnyScenario::OverPlane(scenario) => scenario.bodies.len(),
        };
        for format in Format::ALL {
            let Exported { text, .. } = export(&scenario, format);
            let document =
                Document::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let named = |name: &str| document.descendants().filter(|node| node.has_tag_name(name)).count();
            let found = match format {
                Format::Mjcf => named("body"),
                Format::Sdf => {
                    let link = |node: &roxmltree::Node| {
                        node.has_tag_name("link") && node.attribute("name") == Some("body")
                    };
                    document.descendants().filter(link).count()
                }
            };
            assert_eq!(found, count, "{} as {}", path.display(), format.as_str());
        }
    }
}

#[test]
fn mjcf_has_gravity_joints_pairs_and_the_start() {
    let Exported { text, .. } = export(&scene(BOX_ON_SLOPE), Format::Mjcf);
    let document = Document::parse(&text).unwrap();
    let find = |name: &str| document.descendants().filter(|node| node.has_tag_name(name)).collect::<Vec<_>>();
    let gravity = numbers(find("option")[0].attribute("gravity").unwrap());
    assert!(
        (gravity[0] - 4.905).abs() < 1e-12 && (gravity[2] + 9.81 * 30_f64.to_radians().cos()).abs() < 1e-12
    );
    assert_eq!(find("joint").len(), 3);
    let key = find("key")[0];
    assert_eq!(numbers(key.attribute("qpos").unwrap()), [0.0, 0.0, 0.2]);
    assert_eq!(numbers(key.attribute("qvel").unwrap()), [1.0, -2.0, 0.5]);
    // The crate with the ground, the wall and the anvil; the anvil is fixed and touches nothing else.
    let pairs: Vec<_> = find("pair").iter().map(|pair| pair.attribute("geom2").unwrap().to_owned()).collect();
    assert_eq!(pairs, ["ground", "wall-0", "anvil"]);
    assert!(find("pair").iter().all(|pair| numbers(pair.attribute("friction").unwrap())[0] == 0.3));
    assert_eq!(find("mesh").len(), 1);
}

#[test]
fn what_cannot_be_expressed_is_told_in_the_file_and_in_the_answer() {
    for (format, expected) in [
        (Format::Mjcf, ["push.0", "wall.0.velocity", "restitution"].as_slice()),
        (Format::Sdf, ["push.0", "wall.0.velocity", "body crate"].as_slice()),
    ] {
        let Exported { text, remarks } = export(&scene(BOX_ON_SLOPE), format);
        for what in expected {
            let remark = remarks.iter().find(|remark| remark.what == *what);
            let why = &remark.unwrap_or_else(|| panic!("{what} in {}", format.as_str())).why;
            assert!(text.contains(why.as_str()), "{what}");
        }
    }
}

#[test]
fn corners_of_a_polyhedron_count_from_its_centre_of_mass() {
    let text = |more: &str| {
        format!(
            "name = \"skew\"\nduration = 1.0\nstep = 1e-3\n[[body]]\nname = \"rock\"\nshape = \"polyhedron\"\n\
             size = [[0.1, 0.02, -0.03], [-0.12, 0.05, -0.04], [0.01, -0.11, -0.05], [0.02, 0.03, 0.13], \
             [0.05, 0.08, 0.02]]\nmass = 0.8\nposition = [0.0, 0.0, 0.4]\n{more}[ground]\nfriction = 0.4\n"
        )
    };
    let corners = |more: &str| -> Vec<[f64; 3]> {
        let Exported { text, .. } = export(&scene(&text(more)), Format::Mjcf);
        let document = Document::parse(&text).unwrap();
        let mesh = document.descendants().find(|node| node.has_tag_name("mesh")).unwrap();
        numbers(mesh.attribute("vertex").unwrap()).chunks(3).map(|at| [at[0], at[1], at[2]]).collect()
    };
    let AnyScenario::OverPlane(scenario) = scene(&text("")) else { panic!("in space") };
    let Some(Ok(Shape::Hull(hull))) = scenario.bodies[0].solid() else { panic!("a hull") };
    let centred: Vec<[f64; 3]> = hull.corners().iter().map(|&corner| corner.into()).collect();
    assert_eq!(corners(""), centred);
    // By the divergence theorem over tetrahedra of the origin and the triangles of each face.
    let (mut volume, mut moment) = (0.0, [0.0; 3]);
    for face in hull.faces() {
        let at: Vec<_> = face.corners.iter().map(|&corner| hull.corners()[corner]).collect();
        for pair in at[1..].windows(2) {
            let six = at[0].dot(&pair[0].cross(&pair[1]));
            volume += six;
            let sum = at[0] + pair[0] + pair[1];
            (0..3).for_each(|axis| moment[axis] += 0.25 * six * sum[axis]);
        }
    }
    assert!(moment.iter().all(|part| (part / volume).abs() < 1e-12), "{moment:?}");
    // With an inertia they count from where they are given.
    let given = corners("inertia = [0.01, 0.01, 0.01]\n");
    assert!(given.contains(&[0.1, 0.02, -0.03]) && given.contains(&[0.02, 0.03, 0.13]), "{given:?}");
}

#[test]
fn sdf_has_friction_and_restitution_on_both_surfaces() {
    let Exported { text, .. } = export(&scene(BOX_ON_SLOPE), Format::Sdf);
    let document = Document::parse(&text).unwrap();
    let of_model = |name: &str, value: &str| -> f64 {
        let is_named =
            |node: &roxmltree::Node| node.has_tag_name("model") && node.attribute("name") == Some(name);
        let model = document.descendants().find(is_named).unwrap_or_else(|| panic!("{name}"));
        let found =
            model.descendants().find(|node| node.has_tag_name(value)).unwrap_or_else(|| panic!("{value}"));
        found.text().unwrap().parse().unwrap()
    };
    for name in ["ground", "wall-0", "crate"] {
        assert_eq!(of_model(name, "restitution_coefficient"), 0.2, "{name}");
        assert_eq!(of_model(name, "mu"), 0.3, "{name}");
    }
}

/// A surface that moves has its velocity in the axes of its geom, which MuJoCo turns with z into the normal.
#[test]
fn a_conveyor_is_a_surface_with_a_velocity_in_mjcf() {
    let surface = |scenario: &AnyScenario| {
        let Exported { text, .. } = export(scenario, Format::Mjcf);
        let document = Document::parse(&text).unwrap();
        let wall = document.descendants().find(|node| node.attribute("name") == Some("wall-0")).unwrap();
        let ground = document.descendants().find(|node| node.attribute("name") == Some("ground")).unwrap();
        assert_eq!(ground.attribute("surfacevel"), None, "it stands still");
        numbers(wall.attribute("surfacevel").unwrap())
    };
    // Upright, with the normal along x, it runs down: z of the geom is x, and its x is -z.
    assert_eq!(surface(&scene(BOX_ON_SLOPE)), [0.5, 0.0, 0.0]);
    let belt = |normal: &str| {
        scene(&format!(
            "name = \"belt\"\nduration = 1.0\nstep = 1e-3\n[[body]]\nshape = \"sphere\"\nsize = 0.1\nmass = 1.0\n\
             position = [0.0, 0.0, 1.0]\nvelocity = [0.0, 0.0, 0.0]\n[ground]\nfriction = 0.3\n[[wall]]\n\
             normal = {normal}\noffset = -9.0\nvelocity = [0.8, -0.3]\n"
        ))
    };
    for normal in ["[0.0, 0.0, 1.0]", "[0.6, 0.0, 0.8]", "[0.0, -1.0, 0.0]"] {
        let velocity = surface(&belt(normal));
        let off = (velocity[0] - 0.8).abs() + (velocity[1] + 0.3).abs() + velocity[2].abs();
        assert!(off < 1e-12, "{normal}: {velocity:?}");
    }
    // Under a ceiling half a turn about y becomes one about x.
    assert_eq!(surface(&belt("[0.0, 0.0, -1.0]")), [-0.8, 0.3, 0.0]);
}

/// SDF has a direction of friction on a surface, MJCF none.
#[test]
fn friction_across_an_axis_is_written_or_named_as_left_out() {
    let skate = "name = \"skate\"\nduration = 1.0\nstep = 1e-3\n[[body]]\nshape = \"box\"\nsize = [0.3, 0.1, 0.02]\n\
                 mass = 1.0\nposition = [0.0, 0.0, 0.01]\nvelocity = [1.0, 0.0, 0.0]\n[ground]\nfriction = 0.02\n\
                 friction_across = 0.5\nfriction_axis = [0.0, 3.0, 0.0]\n";
    for (format, word) in [(Format::Mjcf, "left out"), (Format::Sdf, "fdir1")] {
        let Exported { text, remarks } = export(&scene(skate), format);
        let remark = remarks.iter().find(|remark| remark.what == "ground.friction_across");
        let why = &remark.unwrap_or_else(|| panic!("{}: {remarks:?}", format.as_str())).why;
        assert!(why.contains(word) && text.contains(why.as_str()), "{why}");
    }
    let values = |text: &str, tag: &str| -> Vec<Vec<f64>> {
        let document = Document::parse(text).unwrap();
        let found = document.descendants().filter(|node| node.has_tag_name(tag));
        found.map(|node| numbers(node.text().unwrap())).collect()
    };
    let Exported { text, .. } = export(&scene(skate), Format::Sdf);
    // The ground carries its axis; the body has none.
    assert_eq!(values(&text, "fdir1"), [[0.0, 1.0, 0.0]]);
    let across = values(&text, "mu2");
    assert!((across[0][0] - 0.5).abs() < 1e-15 && across[1] == [0.02], "{across:?}");
    let of_pair = "friction = 0.02\n[[pair]]\nbodies = [\"body-0\", \"ground\"]\nfriction = 0.02\nfriction_across = 0.5\n";
    let carried = skate.replace("friction = 0.02\nfriction_across = 0.5\n", of_pair);
    let Exported { text, .. } = export(&scene(&carried), Format::Sdf);
    assert_eq!(values(&text, "fdir1"), [[0.0, 1.0, 0.0]]);
    let across = values(&text, "mu2");
    assert!((across[1][0] - 0.5).abs() < 1e-15 && across[0] == [0.02], "it turns with the body: {across:?}");
}

/// MuJoCo has both lengths beside the coefficient, SDF that of drilling, as a patch.
#[test]
fn lengths_that_resist_turning_are_written_or_named() {
    let keys = "[ground]\nfriction = 0.3\ntorsional_friction = 0.005\nrolling_friction = 0.002\n";
    let scenario = scene(&BOX_ON_SLOPE.replace("[ground]\nfriction = 0.3\n", keys));
    let Exported { text, remarks } = export(&scenario, Format::Mjcf);
    let of_rolling: Vec<_> =
        remarks.iter().filter(|remark| remark.what == "ground.rolling_friction").collect();
    assert!(
        matches!(of_rolling.as_slice(), [remark] if remark.why.contains("shares one limit")),
        "{remarks:?}"
    );
    let document = Document::parse(&text).unwrap();
    let pair = document.descendants().find(|node| node.has_tag_name("pair")).unwrap();
    assert_eq!(pair.attribute("condim"), Some("6"));
    assert_eq!(numbers(pair.attribute("friction").unwrap()), [0.3, 0.3, 0.005, 0.002, 0.002]);
    let Exported { text, remarks } = export(&scenario, Format::Sdf);
    for (key, word) in [("ground.torsional_friction", "patch"), ("ground.rolling_friction", "left out")] {
        let told = remarks.iter().any(|remark| remark.what == key && remark.why.contains(word));
        assert!(told, "{key}: {remarks:?}");
    }
    let document = Document::parse(&text).unwrap();
    let radius = document.descendants().find(|node| node.has_tag_name("patch_radius")).unwrap();
    let radius: f64 = radius.text().unwrap().parse().unwrap();
    assert!((3.0 * std::f64::consts::PI / 16.0 * radius - 0.005).abs() < 1e-15, "{radius}");
}

/// A rod keeps its length in the scenario: that of its tendon in the pose of the file and the constant of the
/// constraint, `length - length0 = polycoef[0]`.
#[test]
fn a_rod_keeps_its_length_whatever_the_pose_of_the_file() {
    let in_plane = |angle: &str, length: &str| {
        format!(
            "name = \"tied\"\nduration = 1.0\nstep = 1e-3\n[[body]]\nname = \"a\"\nshape = \"box\"\nsize = [0.4, 0.2]\n\
             mass = 1.0\nposition = [0.0, 1.0]\n{angle}[[body]]\nname = \"b\"\nshape = \"disc\"\nsize = 0.1\nmass = 2.0\n\
             position = [1.0, 1.0]\n[[rod]]\nbodies = [\"a\", \"b\"]\npoints = [[0.2, 0.1], [0.0, 0.0]]\n{length}\
             [ground]\nfriction = 0.4\n"
        )
    };
    let in_space = |turn: &str| {
        format!(
            "name = \"tied\"\nduration = 1.0\nstep = 1e-3\n[[body]]\nname = \"a\"\nshape = \"box\"\nsize = [0.4, 0.2, 0.2]\n\
             mass = 1.0\nposition = [0.0, 0.0, 1.0]\n{turn}[[body]]\nname = \"b\"\nshape = \"sphere\"\nsize = 0.1\n\
             mass = 2.0\nposition = [1.0, 0.0, 1.0]\n[[rod]]\nbodies = [\"a\", \"b\"]\n\
             points = [[0.2, 0.1, 0.0], [0.0, 0.0, 0.0]]\n[ground]\nfriction = 0.4\n"
        )
    };
    let constant = |text: &str| -> Option<f64> {
        let Exported { text, .. } = export(&scene(text), Format::Mjcf);
        let document = Document::parse(&text).unwrap();
        let held = document.descendants().find(|node| {
            node.has_tag_name("tendon") && node.attribute("tendon1").is_some_and(|name| name == "rod 0")
        });
        let coefficients = numbers(held.unwrap().attribute("polycoef")?);
        assert_eq!(coefficients[1..], [0.0; 4]);
        Some(coefficients[0])
    };
    // The corner (0.2, 0.1) of a box at (0, 1), and where it is after a turn by 0.5 rad.
    let untouched = 0.8_f64.hypot(0.1);
    let (sine, cosine) = 0.5_f64.sin_cos();
    let turned = (1.0 - 0.2 * cosine + 0.1 * sine).hypot(0.2 * sine + 0.1 * cosine);
    assert_eq!(constant(&in_plane("", "")), None);
    assert!((constant(&in_plane("angle = 0.5\n", "")).unwrap() - (turned - untouched)).abs() < 1e-12);
    assert!((constant(&in_plane("", "length = 0.7\n")).unwrap() - (0.7 - untouched)).abs() < 1e-12);
    assert!(
        (constant(&in_plane("angle = 0.5\n", "length = 0.7\n")).unwrap() - (0.7 - untouched)).abs() < 1e-12
    );
    // A fixed body has its angle in the pose of the file already.
    assert_eq!(constant(&in_plane("angle = 0.5\nfixed = true\n", "")), None);
    // A quarter of a turn about x takes the corner out of the plane, at the same distance; one about z does not.
    assert_eq!(
        constant(&in_space("orientation = [0.7071067811865476, 0.7071067811865476, 0.0, 0.0]\n")),
        None
    );
    let about_z = constant(&in_space("orientation = [0.7071067811865476, 0.0, 0.0, 0.7071067811865476]\n"));
    assert!((about_z.unwrap() - (1.1_f64.hypot(0.2) - untouched)).abs() < 1e-12, "{about_z:?}");
}

/// MuJoCo itself reads every example and steps it; where there is no MuJoCo this says so and does nothing.
#[test]
fn mujoco_reads_and_steps_every_example() {
    const PROGRAM: &str = "\
import json, sys
import mujoco
for text in json.load(sys.stdin):
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    for _ in range(20):
        mujoco.mj_step(model, data)
    assert all(abs(q) < 1e3 for q in data.qpos)
print('ok')
";
    let python = std::env::var("STICKSLIP_MUJOCO_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has_mujoco = Command::new(&python).args(["-c", "import mujoco"]).output();
    if !has_mujoco.is_ok_and(|output| output.status.success()) {
        eprintln!("no MuJoCo under `{python}`: not tried (STICKSLIP_MUJOCO_PYTHON names another Python)");
        return;
    }
    let texts: Vec<_> =
        examples().iter().map(|path| export(&read_scenario(path, &[]).unwrap(), Format::Mjcf).text).collect();
    let mut child = Command::new(&python)
        .args(["-c", PROGRAM])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(serde_json::to_string(&texts).unwrap().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        String::from_utf8_lossy(&output.stdout).trim(),
        "ok",
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn names_with_hyphens_leave_the_file_well_formed() {
    for name in ["a---b", "--", "a-----", "-a--b-"] {
        let text = BOX_ON_SLOPE.replace("crate", name);
        for format in Format::ALL {
            let Exported { text, .. } = export(&scene(&text), format);
            let document = Document::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
            assert!(document.descendants().any(|node| node.attribute("name") == Some(name)), "{name}");
        }
    }
}

#[test]
fn corners_of_a_polygon_count_from_its_centre_of_mass_wherever_they_are_given() {
    let corners = "[[-0.2, -0.1], [0.2, -0.1], [0.0, 0.2]]";
    let far = "[[100000.0, 100000.0], [100000.1, 100000.0], [100000.1, 100000.1], [100000.0, 100000.1]]";
    let Exported { text, .. } = export(&scene(&BOX_ON_SLOPE.replace(corners, far)), Format::Sdf);
    let document = Document::parse(&text).unwrap();
    let points = document.descendants().filter(|node| node.has_tag_name("point"));
    let points: Vec<_> = points.flat_map(|node| numbers(node.text().unwrap())).collect();
    assert_eq!(points.len(), 2 * 4 * 2);
    assert!(points.iter().all(|part| (part.abs() - 0.05).abs() < 1e-9), "{points:?}");
}

#[test]
fn a_polyhedron_has_no_shape_in_sdf_whether_it_moves_or_not() {
    for fixed in [false, true] {
        let text = format!(
            "name = \"tetrahedron\"\nduration = 1.0\nstep = 1e-3\n[[body]]\nname = \"rock\"\nshape = \"polyhedron\"\n\
             size = [[0.1, 0.0, 0.0], [-0.1, 0.1, 0.0], [-0.1, -0.1, 0.0], [0.0, 0.0, 0.2]]\nmass = 0.8\n\
             position = [0.0, 0.0, 0.4]\nfixed = {fixed}\n[[body]]\nshape = \"sphere\"\nsize = 0.1\nmass = 1.0\n\
             position = [1.0, 0.0, 0.4]\n[ground]\nfriction = 0.4\n"
        );
        let Exported { text, remarks } = export(&scene(&text), Format::Sdf);
        assert!(!text.contains("polyline"), "{text}");
        let told: Vec<_> = remarks.iter().filter(|remark| remark.what == "body rock").collect();
        assert!(told.iter().any(|remark| remark.why.contains("it has no shape")), "{told:?}");
    }
}

const ARM: &str = r#"
name = "arm"
duration = 1.0
step = 1e-3
[[body]]
name = "base"
shape = "capsule"
size = [0.05, 0.3]
mass = 1.0
position = [0.1, 0.0, 1.0]
orientation = [0.8, 0.0, 0.6, 0.0]
[[body]]
name = "hammer"
position = [0.4, 0.1, 1.0]
orientation = [0.6, 0.8, 0.0, 0.0]
[[body.part]]
shape = "cylinder"
size = [0.02, 0.3]
mass = 0.2
[[body.part]]
shape = "box"
size = [0.05, 0.1, 0.05]
position = [0.0, 0.0, 0.15]
orientation = [0.8, 0.0, 0.0, 0.6]
mass = 0.6
[[joint]]
kind = "ball"
bodies = ["world", "base"]
point = [0.0, 0.0, 1.0]
[[joint]]
kind = "hinge"
bodies = ["base", "hammer"]
point = [0.25, 0.0, 1.0]
axis = [0.0, 1.0, 1.0]
limits = [-1.0, 1.0]
friction = 0.1
[[joint]]
kind = "slider"
bodies = ["world", "hammer"]
point = [0.4, 0.1, 1.0]
axis = [1.0, 0.0, 0.0]
[ground]
friction = 0.4
"#;

#[test]
fn mjcf_has_parts_as_geoms_and_joints_as_constraints_between_points_that_meet() {
    let scenario = scene(ARM);
    let AnyScenario::OverPlane(own) = &scenario else { panic!("in space") };
    let Exported { text, remarks } = export(&scenario, Format::Mjcf);
    let document = Document::parse(&text).unwrap();
    let all = |name: &str| document.descendants().filter(|node| node.has_tag_name(name)).collect::<Vec<_>>();
    let named = |tag: &str, name: &str| {
        all(tag)
            .into_iter()
            .find(|node| node.attribute("name") == Some(name))
            .unwrap_or_else(|| panic!("{name}"))
    };
    let capsule = named("geom", "base");
    assert_eq!((capsule.attribute("type"), capsule.attribute("size")), (Some("capsule"), Some("0.05 0.15")));
    assert_eq!(named("geom", "hammer part 0").attribute("type"), Some("cylinder"));
    assert_eq!(named("geom", "hammer part 1").attribute("type"), Some("box"));
    // Both parts with the ground; a base that a hinge joins with them touches neither.
    assert_eq!(all("pair").len(), 3);
    // A ball joint holds one point, a hinge two.
    assert_eq!((all("connect").len(), all("weld").len()), (3, 0));
    for constraint in all("connect") {
        let places = ["site1", "site2"].map(|end| {
            let site = named("site", constraint.attribute(end).unwrap());
            let at = numbers(site.attribute("pos").unwrap());
            let arm = nalgebra::Vector3::new(at[0], at[1], at[2]);
            let body = site.parent().and_then(|body| body.attribute("name"));
            match body.and_then(|name| own.bodies.iter().position(|body| body.name.as_deref() == Some(name)))
            {
                Some(body) => own.bodies[body].position + own.bodies[body].orientation.turn(&arm),
                None => arm,
            }
        });
        assert!((places[0] - places[1]).norm() < 1e-12, "{places:?}");
    }
    for what in ["joint.1.limits", "joint.1.friction", "joint.2"] {
        assert!(remarks.iter().any(|remark| remark.what == what && text.contains(&remark.why)), "{what}");
    }
    let Exported { remarks, .. } = export(&scenario, Format::Sdf);
    for what in ["joint.0", "joint.1", "joint.2", "body hammer"] {
        assert!(remarks.iter().any(|remark| remark.what == what), "{what}");
    }
}

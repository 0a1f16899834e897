//! SDFormat 1.9: <http://sdformat.org/spec?ver=1.9>.

use super::{
    Exported, Remark,
    geometry::Geometry,
    scene::{Freedom, Scene, SceneBody, ScenePair, Touched, remark},
    xml::{Xml, numbers},
};
use crate::{
    scenario::Choice,
    world::{Anisotropy, Surface},
};

/// Mass of the carriages that let a body slide along the axes, as a part of its own.
const CARRIAGE: f64 = 1e-6;

pub(super) fn write(scene: &Scene) -> Exported {
    let remarks = remarks(scene);
    let mut xml = Xml::new(&comment(scene, &remarks));
    xml.open("sdf", &[("version", "1.9".to_owned())]);
    xml.open("world", &[("name", scene.name.clone())]);
    xml.value("gravity", &numbers(scene.gravity));
    xml.open("physics", &[("name", "steps".to_owned()), ("type", "ignored".to_owned())]);
    xml.value("max_step_size", &scene.step.to_string());
    xml.value("real_time_factor", "1").close();
    for (index, plane) in scene.planes.iter().enumerate() {
        let pair = scene.pairs.iter().find(|pair| pair.second == Touched::Plane(index));
        xml.open("model", &[("name", plane.name.clone())]);
        xml.value("static", "true");
        let position = plane.normal.map(|part| part * plane.offset);
        xml.value("pose", &numbers(position.into_iter().chain([0.0; 3])));
        xml.open("link", &[("name", "surface".to_owned())]);
        xml.open("collision", &[("name", "surface".to_owned())]);
        xml.open("geometry", &[]).open("plane", &[]);
        xml.value("normal", &numbers(plane.normal)).value("size", "100 100").close().close();
        surface(&mut xml, pair, None);
        xml.close().close().close();
    }
    for (index, body) in scene.bodies.iter().enumerate() {
        let of_body = |pair: &&ScenePair| pair.first == index || pair.second == Touched::Body(index);
        write_body(&mut xml, (index, body), scene.pairs.iter().find(of_body));
    }
    Exported { text: xml.finish(), remarks }
}

fn remarks(scene: &Scene) -> Vec<Remark> {
    let mut remarks = scene.remarks.clone();
    let moves = |body: &&SceneBody| body.velocity != [0.0; 3] || body.spin != [0.0; 3];
    for body in scene.bodies.iter().filter(moves) {
        remarks.push(remark(
            format!("body {}", body.name),
            "its velocity is left out: SDF knows poses at the start and no velocities; a program that runs the scene \
             has to set them",
        ));
    }
    for plane in scene.planes.iter().filter(|plane| plane.velocity != [0.0; 3]) {
        remarks.push(remark(
            format!("{}.velocity", plane.name.replace('-', ".")),
            "the wall stands still: the format has no surface that moves along itself",
        ));
    }
    for joint in &scene.joints {
        let why = format!(
            "left out: a {} needs a tree of links, which the file does not make",
            joint.kind.as_str()
        );
        remarks.push(remark(format!("joint.{}", joint.index), why));
    }
    for body in scene.bodies.iter().filter(|body| !body.parts.is_empty()) {
        remarks.push(remark(
            format!("body {}", body.name),
            "a body of several parts: it is a sphere about all of it",
        ));
    }
    for body in &scene.bodies {
        let about_shape = match body.geometry {
            Geometry::Hull { .. } => Some("it has no shape: SDF takes polyhedra from other files only"),
            Geometry::Polygon { .. } => {
                Some("its outline is a polyline, which Gazebo reads and Drake does not")
            }
            Geometry::Sphere { .. }
            | Geometry::Capsule { .. }
            | Geometry::Cylinder { .. }
            | Geometry::Cuboid { .. } => None,
        };
        remarks.extend(about_shape.map(|why| remark(format!("body {}", body.name), why)));
        if matches!(body.freedom, Freedom::Planar | Freedom::Slides(_)) {
            remarks.push(remark(
                format!("body {}", body.name),
                format!("it moves on carriages of {CARRIAGE} of its mass: SDF has no planar joint"),
            ));
        }
    }
    for index in 0..scene.rods.len() {
        remarks.push(remark(format!("rod.{index}"), "left out: SDF has no rods between bodies"));
    }
    for index in 0..scene.springs.len() {
        remarks.push(remark(format!("spring.{index}"), "left out: SDF has no springs between bodies"));
    }
    for (table, turning) in &scene.turning {
        for (key, _) in turning.given() {
            let why = if key == "torsional_friction" {
                "it is given by the patch of contact that resists drilling as much, which Gazebo reads and Drake does not"
            } else {
                "left out: SDF has no friction against rolling"
            };
            remarks.push(remark(format!("{table}.{key}"), why));
        }
    }
    for table in &scene.across {
        remarks.push(remark(
            format!("{table}.friction_across"),
            "it is mu2, across the direction fdir1 of the surface that carries the axis, which Gazebo reads and Drake does not",
        ));
    }
    let first = scene.pairs.first().map(|pair| pair.surface);
    if scene.pairs.iter().any(|pair| Some(pair.surface) != first) {
        remarks.push(remark(
            "pair",
            "friction and restitution belong to surfaces, not to pairs of them: each surface has those of the first \
             pair that it is in",
        ));
    }
    remarks
}

fn comment(scene: &Scene, remarks: &[Remark]) -> Vec<String> {
    let mut lines = vec![format!("{}: written by stickslip {}.", scene.name, env!("CARGO_PKG_VERSION"))];
    if !remarks.is_empty() {
        lines.push("What is not as in the scenario:".to_owned());
        lines.extend(remarks.iter().map(|remark| format!("- {}: {}", remark.what, remark.why)));
    }
    lines
}

/// The law of the surface of a body, or of a plane that stands still, that of the first `pair` that it is in; none where nothing
/// touches it. The direction of friction is that of the surface that carries it.
fn surface(xml: &mut Xml, pair: Option<&ScenePair>, body: Option<usize>) {
    let Surface { friction, anisotropy, restitution, turning } =
        pair.map_or_else(Surface::default, |pair| pair.surface);
    let along = friction.static_coefficient();
    let across = anisotropy.filter(|anisotropy| anisotropy.carrier == body);
    xml.open("surface", &[]);
    xml.open("friction", &[]).open("ode", &[]);
    let mu2 = along * across.map_or(1.0, |anisotropy| anisotropy.ratio);
    xml.value("mu", &along.to_string()).value("mu2", &mu2.to_string());
    if let Some(Anisotropy { axis, .. }) = across {
        xml.value("fdir1", &numbers(axis.normalize().iter().copied()));
    }
    xml.close();
    if turning.torsional > 0.0 {
        xml.open("torsional", &[]);
        xml.value("coefficient", "1").value("use_patch_radius", "true");
        xml.value("patch_radius", &patch_radius(turning.torsional).to_string()).close();
    }
    xml.close();
    xml.open("bounce", &[]).value("restitution_coefficient", &restitution.to_string()).close();
    xml.close();
}

/// The radius in m of the patch that resists drilling by `rho_t` times the normal force, with a coefficient of 1. SDFormat takes
/// the pressure of Hertz: the torque is `3 pi/16` times the radius, the coefficient and the force.
fn patch_radius(torsional: f64) -> f64 {
    16.0 * torsional / (3.0 * std::f64::consts::PI)
}

/// Position, and roll, pitch and yaw.
fn pose(body: &SceneBody) -> String {
    let (roll, pitch, yaw) = body.rotation.euler_angles();
    numbers(body.position.into_iter().chain([roll, pitch, yaw]))
}

fn write_body(xml: &mut Xml, (index, body): (usize, &SceneBody), pair: Option<&ScenePair>) {
    xml.open("model", &[("name", body.name.clone())]);
    if body.freedom == Freedom::Fixed {
        xml.value("static", "true");
    }
    let axes: &[char] = match body.freedom {
        Freedom::Slides(axes) => axes,
        Freedom::Planar => &['x', 'z'],
        Freedom::Fixed | Freedom::Free => &[],
    };
    let mut parent = "world".to_owned();
    let turns = body.freedom == Freedom::Planar;
    for (place, axis) in axes.iter().enumerate() {
        // Without a turning joint behind it, the last one carries the body itself.
        let is_last = place + 1 == axes.len() && !turns;
        let child = if is_last { "body".to_owned() } else { format!("carriage-{axis}") };
        if !is_last {
            carriage(xml, &child, body);
        }
        let direction = match axis {
            'x' => [1.0, 0.0, 0.0],
            'y' => [0.0, 1.0, 0.0],
            _ => [0.0, 0.0, 1.0],
        };
        joint(xml, &axis.to_string(), "prismatic", (&parent, &child), direction);
        parent = child;
    }
    if turns {
        joint(xml, "angle", "revolute", (&parent, "body"), [0.0, -1.0, 0.0]);
    }
    xml.open("link", &[("name", "body".to_owned())]);
    xml.value("pose", &pose(body));
    xml.open("inertial", &[]).value("mass", &body.mass.to_string());
    inertia(xml, |row, column| body.inertia[(row, column)]);
    xml.close();
    let geometry = |xml: &mut Xml| match &body.geometry {
        Geometry::Sphere { radius, .. } => {
            xml.open("geometry", &[])
                .open("sphere", &[])
                .value("radius", &radius.to_string())
                .close()
                .close();
        }
        Geometry::Capsule { radius, length } | Geometry::Cylinder { radius, length } => {
            let word = if matches!(body.geometry, Geometry::Capsule { .. }) { "capsule" } else { "cylinder" };
            xml.open("geometry", &[])
                .open(word, &[])
                .value("radius", &radius.to_string())
                .value("length", &length.to_string())
                .close()
                .close();
        }
        Geometry::Cuboid { half } => {
            let size = numbers(half.map(|half| 2.0 * half));
            xml.open("geometry", &[]).open("box", &[]).value("size", &size).close().close();
        }
        Geometry::Polygon { corners, depth } => {
            xml.open("geometry", &[]).open("polyline", &[]);
            for &corner in corners {
                xml.value("point", &numbers(corner));
            }
            xml.value("height", &depth.to_string()).close().close();
        }
        Geometry::Hull { .. } => {}
    };
    if !matches!(body.geometry, Geometry::Hull { .. }) {
        for kind in ["collision", "visual"] {
            xml.open(kind, &[("name", "shape".to_owned())]);
            match &body.geometry {
                Geometry::Sphere { lift, .. } => {
                    xml.value("pose", &numbers([0.0, 0.0, *lift, 0.0, 0.0, 0.0]));
                }
                Geometry::Polygon { depth, .. } => {
                    // A polyline lies in x-y and grows along z: turned up about x, x stays and y becomes z.
                    xml.value(
                        "pose",
                        &numbers([0.0, 0.5 * depth, 0.0, std::f64::consts::FRAC_PI_2, 0.0, 0.0]),
                    );
                }
                Geometry::Capsule { .. }
                | Geometry::Cylinder { .. }
                | Geometry::Cuboid { .. }
                | Geometry::Hull { .. } => {}
            }
            geometry(xml);
            if kind == "collision" {
                surface(xml, pair, Some(index));
            }
            xml.close();
        }
    }
    xml.close().close();
}

fn carriage(xml: &mut Xml, name: &str, body: &SceneBody) {
    xml.open("link", &[("name", name.to_owned())]);
    xml.value("pose", &numbers(body.position.into_iter().chain([0.0; 3])));
    let mass = CARRIAGE * body.mass;
    xml.open("inertial", &[]).value("mass", &mass.to_string());
    let moment = CARRIAGE * body.inertia.trace() / 3.0;
    inertia(xml, |row, column| if row == column { moment } else { 0.0 });
    xml.close().close();
}

fn inertia(xml: &mut Xml, tensor: impl Fn(usize, usize) -> f64) {
    xml.open("inertia", &[]);
    let names = [("ixx", 0, 0), ("iyy", 1, 1), ("izz", 2, 2), ("ixy", 0, 1), ("ixz", 0, 2), ("iyz", 1, 2)];
    for (name, row, column) in names {
        xml.value(name, &tensor(row, column).to_string());
    }
    xml.close();
}

fn joint(xml: &mut Xml, name: &str, kind: &str, (parent, child): (&str, &str), axis: [f64; 3]) {
    xml.open("joint", &[("name", name.to_owned()), ("type", kind.to_owned())]);
    xml.value("parent", parent).value("child", child);
    xml.open("axis", &[]).value("xyz", &numbers(axis)).close();
    xml.close();
}

//! MJCF: <https://mujoco.readthedocs.io/en/stable/XMLreference.html>.

use nalgebra::{UnitQuaternion, Vector3};

use super::{
    Exported, Remark,
    geometry::{Geometry, ROD_THICKNESS},
    scene::{Freedom, Scene, SceneBody, SceneEnds, SceneJoint, ScenePlane, Touched, remark},
    xml::{Xml, numbers},
};
use crate::{
    scenario::{Choice, JointKind},
    world::TurningLaw,
};

/// Difference of two lengths, over one of them, that is rounding.
const SAME_LENGTH: f64 = 1e-12;

pub(super) fn write(scene: &Scene) -> Exported {
    let mut remarks = scene.remarks.clone();
    remarks.extend(scene.across.iter().map(|table| {
        remark(
            format!("{table}.friction_across"),
            "left out: the format has no axis of friction that stays with a surface, and gets the coefficient along it",
        )
    }));
    for (table, turning) in &scene.turning {
        for (key, _) in turning.given().filter(|(key, _)| *key == "rolling_friction") {
            remarks.push(remark(
                format!("{table}.{key}"),
                "it is written, and shares one limit with sliding and drilling there, where it has its own here",
            ));
        }
    }
    if scene.pairs.iter().any(|pair| pair.surface.restitution > 0.0) {
        remarks.push(remark(
            "restitution",
            "left out: contacts are springs with dampers, which solref sets, and have no coefficient of restitution",
        ));
    }
    for plane in scene.planes.iter().filter(|plane| moves(plane)) {
        remarks.push(remark(
            format!("{}.velocity", plane.name.replace('-', ".")),
            "written as surfacevel, which MuJoCo reads from version 3.11 on",
        ));
    }
    for joint in &scene.joints {
        let (what, kind) = (format!("joint.{}", joint.index), joint.kind.as_str());
        if !is_equality(joint) {
            remarks.push(remark(
                what,
                format!("left out: bodies are free here, and no equality constraint is a {kind}"),
            ));
            continue;
        }
        remarks.push(remark(
            what.clone(),
            format!("the {kind} becomes soft equality constraints between free bodies"),
        ));
        for key in &joint.acting {
            remarks.push(remark(format!("{what}.{key}"), "left out: equality constraints have none"));
        }
    }
    remarks.push(remark(
        "contact",
        "rigid contact becomes MuJoCo's soft contact with its default solref and solimp",
    ));
    let mut xml = Xml::new(&comment(scene, &remarks));
    xml.open("mujoco", &[("model", scene.name.clone())]);
    xml.leaf("compiler", &[("angle", "radian".to_owned()), ("autolimits", "true".to_owned())]);
    xml.leaf("option", &[("timestep", scene.step.to_string()), ("gravity", numbers(scene.gravity))]);
    meshes(&mut xml, scene);
    xml.open("worldbody", &[]);
    for plane in &scene.planes {
        let position = plane.normal.map(|part| part * plane.offset);
        let mut geom = vec![
            ("name", plane.name.clone()),
            ("type", "plane".to_owned()),
            ("size", "0 0 0.05".to_owned()),
            ("pos", numbers(position)),
            ("zaxis", numbers(plane.normal)),
            ("contype", "0".to_owned()),
            ("conaffinity", "0".to_owned()),
        ];
        if moves(plane) {
            geom.push(("surfacevel", numbers(along_plane(plane))));
        }
        xml.leaf("geom", &geom);
    }
    for joint in scene.joints.iter().filter(|joint| is_equality(joint)) {
        for (name, place, turn) in sites_of(joint, None) {
            write_site(&mut xml, &name, place, turn);
        }
    }
    for (index, body) in scene.bodies.iter().enumerate() {
        write_body(&mut xml, body, &ends_on(scene, index), &joints_on(scene, index));
    }
    xml.close();
    contacts(&mut xml, scene);
    joined(&mut xml, scene);
    start(&mut xml, scene);
    Exported { text: xml.finish(), remarks }
}

/// Whether the surface of a plane moves along itself.
fn moves(plane: &ScenePlane) -> bool {
    plane.velocity != [0.0; 3]
}

/// The velocity of the surface of a plane in its own axes: what those of the world become by the shortest turn of z into the
/// normal, and under a ceiling by half a turn about x.
fn along_plane(plane: &ScenePlane) -> [f64; 3] {
    let ScenePlane { normal: [x, y, z], velocity, .. } = *plane;
    let axes = if 1.0 + z <= f64::EPSILON {
        [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0]]
    } else {
        [[1.0 - x * x / (1.0 + z), -x * y / (1.0 + z), -x], [-x * y / (1.0 + z), 1.0 - y * y / (1.0 + z), -y]]
    };
    let along = axes.map(|axis| axis.iter().zip(velocity).map(|(axis, speed)| axis * speed).sum());
    [along[0], along[1], 0.0]
}

fn comment(scene: &Scene, remarks: &[Remark]) -> Vec<String> {
    let mut lines = vec![
        format!("{}: written by stickslip {}.", scene.name, env!("CARGO_PKG_VERSION")),
        "The key frame \"start\" holds positions and velocities at the start.".to_owned(),
        "What is not as in the scenario:".to_owned(),
    ];
    lines.extend(remarks.iter().map(|remark| format!("- {}: {}", remark.what, remark.why)));
    lines
}

fn meshes(xml: &mut Xml, scene: &Scene) {
    let geometries = scene.bodies.iter().flat_map(geometries);
    let hulls = geometries.filter_map(|(name, geometry, _)| Some((name, geometry.vertices()?)));
    let hulls: Vec<_> = hulls.collect();
    if hulls.is_empty() {
        return;
    }
    xml.open("asset", &[]);
    for (name, vertices) in hulls {
        let vertices = numbers(vertices.into_iter().flatten());
        xml.leaf("mesh", &[("name", format!("hull of {name}")), ("vertex", vertices)]);
    }
    xml.close();
}

/// A geometry with its name, and where it is in its body if not at its centre of mass along its axes.
type NamedGeometry<'a> = (String, &'a Geometry, Option<([f64; 3], UnitQuaternion<f64>)>);

/// The shapes of a body with their names, and of parts where they are.
fn geometries(body: &SceneBody) -> Vec<NamedGeometry<'_>> {
    if body.parts.is_empty() {
        return vec![(body.name.clone(), &body.geometry, None)];
    }
    let parts = body.parts.iter().enumerate();
    parts
        .map(|(number, part)| {
            let name = format!("{} part {number}", body.name);
            (name, &part.geometry, Some((part.position, part.rotation)))
        })
        .collect()
}

/// Whether equality constraints hold what a joint does.
fn is_equality(joint: &SceneJoint) -> bool {
    matches!(joint.kind, JointKind::Hinge | JointKind::Ball | JointKind::Weld)
}

/// A site of a joint: its name, where it is on its body, and how it is turned there.
type JointSite = (String, [f64; 3], UnitQuaternion<f64>);

/// What the site at an end of a joint is called, and at which of its points.
fn joint_site(joint: &SceneJoint, point: usize, end: usize) -> String {
    format!("joint {} point {point} end {end}", joint.index)
}

/// The sites of a joint on a body, or in the world.
fn sites_of(joint: &SceneJoint, body: Option<usize>) -> Vec<JointSite> {
    let ends = (0..2).filter(|&end| joint.bodies[end] == body);
    let of_end = |end: usize| {
        let turn = if end == 1 { joint.turn } else { UnitQuaternion::identity() };
        let points = joint.points.iter().enumerate();
        points
            .map(move |(point, places)| (joint_site(joint, point, end), places[end], turn))
            .collect::<Vec<_>>()
    };
    ends.flat_map(of_end).collect()
}

/// The sites of joints on body `index`.
fn joints_on(scene: &Scene, index: usize) -> Vec<JointSite> {
    let joints = scene.joints.iter().filter(|joint| is_equality(joint));
    joints.flat_map(|joint| sites_of(joint, Some(index))).collect()
}

fn site_size() -> (&'static str, String) {
    ("size", (1e-3_f64).max(ROD_THICKNESS).to_string())
}

fn write_site(xml: &mut Xml, name: &str, place: [f64; 3], turn: UnitQuaternion<f64>) {
    let turn = turn.quaternion();
    xml.leaf(
        "site",
        &[
            ("name", name.to_owned()),
            ("pos", numbers(place)),
            ("quat", numbers([turn.w, turn.i, turn.j, turn.k])),
            site_size(),
        ],
    );
}

/// A site where a rod or a spring is tied to a body, and its place in the axes of the body.
type Site = (String, [f64; 3]);

/// The sites on body `index` besides its centre of mass.
fn ends_on(scene: &Scene, index: usize) -> Vec<Site> {
    let mut sites = Vec::new();
    let rods = scene.rods.iter().enumerate().map(|(number, rod)| (format!("rod {number}"), &rod.ends));
    let springs = scene.springs.iter().enumerate();
    let springs = springs.map(|(number, spring)| (format!("spring {number}"), &spring.ends));
    for (name, ends) in rods.chain(springs) {
        for (end, (body, point)) in ends.iter().enumerate().filter(|(_, (body, _))| *body == index) {
            sites.extend(point.map(|point| (site_name(scene, &name, end, *body, true), point)));
        }
    }
    sites
}

/// What the site at an end of the rod or spring called `name` is called.
fn site_name(scene: &Scene, name: &str, end: usize, body: usize, is_apart: bool) -> String {
    if is_apart { format!("{name} end {end}") } else { scene.bodies[body].name.clone() }
}

fn write_body(xml: &mut Xml, body: &SceneBody, sites: &[Site], joints: &[JointSite]) {
    let mut place = vec![("name", body.name.clone()), ("pos", numbers(body.position))];
    // What moves is turned by its joints, so that these slide along the axes of the world.
    if body.freedom == Freedom::Fixed {
        let turn = body.rotation.quaternion();
        place.push(("quat", numbers([turn.w, turn.i, turn.j, turn.k])));
    }
    xml.open("body", &place);
    let inertia = &body.inertia;
    let full = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)].map(|place| inertia[place]);
    xml.leaf(
        "inertial",
        &[("pos", "0 0 0".to_owned()), ("mass", body.mass.to_string()), ("fullinertia", numbers(full))],
    );
    let slides: &[char] = match body.freedom {
        Freedom::Slides(axes) => axes,
        Freedom::Planar => &['x', 'z'],
        Freedom::Fixed | Freedom::Free => &[],
    };
    let joint = |name: &str, kind: &str, axis: &str| {
        vec![("name", format!("{} {name}", body.name)), ("type", kind.to_owned()), ("axis", axis.to_owned())]
    };
    for axis in slides {
        let direction = match axis {
            'x' => "1 0 0",
            'y' => "0 1 0",
            _ => "0 0 1",
        };
        xml.leaf("joint", &joint(&axis.to_string(), "slide", direction));
    }
    match body.freedom {
        Freedom::Planar => xml.leaf("joint", &joint("angle", "hinge", "0 -1 0")),
        Freedom::Free => xml.leaf("freejoint", &[("name", body.name.clone())]),
        Freedom::Fixed | Freedom::Slides(_) => xml,
    };
    for (name, geometry, placed) in geometries(body) {
        write_geom(xml, name, geometry, placed);
    }
    let size = site_size();
    xml.leaf("site", &[("name", body.name.clone()), size.clone()]);
    for (name, place) in sites {
        xml.leaf("site", &[("name", name.clone()), ("pos", numbers(*place)), size.clone()]);
    }
    for (name, place, turn) in joints {
        write_site(xml, name, *place, *turn);
    }
    xml.close();
}

fn write_geom(
    xml: &mut Xml,
    called: String,
    geometry: &Geometry,
    placed: Option<([f64; 3], UnitQuaternion<f64>)>,
) {
    let hull = format!("hull of {called}");
    let name = ("name", called);
    let mut geom = match geometry {
        Geometry::Sphere { radius, lift } => vec![
            name,
            ("type", "sphere".to_owned()),
            ("size", radius.to_string()),
            ("pos", numbers(placed.map_or([0.0, 0.0, *lift], |(place, _)| place))),
        ],
        Geometry::Cuboid { half } => vec![name, ("type", "box".to_owned()), ("size", numbers(*half))],
        Geometry::Capsule { radius, length } => {
            vec![name, ("type", "capsule".to_owned()), ("size", numbers([*radius, 0.5 * length]))]
        }
        Geometry::Cylinder { radius, length } => {
            vec![name, ("type", "cylinder".to_owned()), ("size", numbers([*radius, 0.5 * length]))]
        }
        Geometry::Polygon { .. } | Geometry::Hull { .. } => {
            vec![name, ("type", "mesh".to_owned()), ("mesh", hull)]
        }
    };
    if let Some((place, turn)) = placed {
        if !matches!(geometry, Geometry::Sphere { .. }) {
            geom.push(("pos", numbers(place)));
        }
        let turn = turn.quaternion();
        geom.push(("quat", numbers([turn.w, turn.i, turn.j, turn.k])));
    }
    geom.extend([("contype", "0".to_owned()), ("conaffinity", "0".to_owned())]);
    xml.leaf("geom", &geom);
}

/// Every pair that may touch, with its own friction: otherwise MuJoCo takes the larger of two.
fn contacts(xml: &mut Xml, scene: &Scene) {
    if scene.pairs.is_empty() {
        return;
    }
    xml.open("contact", &[]);
    for pair in &scene.pairs {
        let names = |body: usize| geometries(&scene.bodies[body]).into_iter().map(|(name, ..)| name);
        let seconds: Vec<String> = match pair.second {
            Touched::Body(body) => names(body).collect(),
            Touched::Plane(plane) => vec![scene.planes[plane].name.clone()],
        };
        let mut attributes = Vec::new();
        let mu = pair.surface.friction.static_coefficient();
        let TurningLaw { torsional, rolling } = pair.surface.turning;
        if torsional > 0.0 || rolling > 0.0 {
            let friction = [mu, mu, torsional, rolling, rolling];
            attributes.extend([("condim", "6".to_owned()), ("friction", numbers(friction))]);
        } else if mu > 0.0 {
            let friction = [mu, mu, 0.0, 0.0, 0.0];
            attributes.extend([("condim", "3".to_owned()), ("friction", numbers(friction))]);
        } else {
            attributes.push(("condim", "1".to_owned()));
        }
        for first in names(pair.first) {
            for second in &seconds {
                let both = [("geom1", first.clone()), ("geom2", second.clone())];
                xml.leaf("pair", &both.into_iter().chain(attributes.clone()).collect::<Vec<_>>());
            }
        }
    }
    xml.close();
}

/// Rods and springs, as tendons, and what joints hold.
fn joined(xml: &mut Xml, scene: &Scene) {
    if !(scene.rods.is_empty() && scene.springs.is_empty()) {
        tendons(xml, scene);
    }
    let joints: Vec<_> = scene.joints.iter().filter(|joint| is_equality(joint)).collect();
    if scene.rods.is_empty() && joints.is_empty() {
        return;
    }
    xml.open("equality", &[]);
    for (index, rod) in scene.rods.iter().enumerate() {
        let mut attributes = vec![("tendon1", format!("rod {index}"))];
        // A tendon is held at the length that it has with every joint at zero, and this much more.
        let longer = rod.length - length_without_turns(scene, &rod.ends);
        if longer.abs() > SAME_LENGTH * rod.length {
            attributes.push(("polycoef", numbers([longer, 0.0, 0.0, 0.0, 0.0])));
        }
        xml.leaf("tendon", &attributes);
    }
    for joint in joints {
        let word = if joint.kind == JointKind::Weld { "weld" } else { "connect" };
        for point in 0..joint.points.len() {
            let site = |end: usize| joint_site(joint, point, end);
            xml.leaf(word, &[("site1", site(0)), ("site2", site(1))]);
        }
    }
    xml.close();
}

fn tendons(xml: &mut Xml, scene: &Scene) {
    let tie = |xml: &mut Xml, name: &str, ends: &SceneEnds| {
        for (end, (body, point)) in ends.iter().enumerate() {
            xml.leaf("site", &[("site", site_name(scene, name, end, *body, point.is_some()))]);
        }
    };
    xml.open("tendon", &[]);
    for (index, rod) in scene.rods.iter().enumerate() {
        let name = format!("rod {index}");
        xml.open("spatial", &[("name", name.clone())]);
        tie(xml, &name, &rod.ends);
        xml.close();
    }
    for (index, spring) in scene.springs.iter().enumerate() {
        let name = format!("spring {index}");
        xml.open(
            "spatial",
            &[
                ("name", name.clone()),
                ("stiffness", spring.stiffness.to_string()),
                ("damping", spring.damping.to_string()),
                ("springlength", spring.length.to_string()),
            ],
        );
        tie(xml, &name, &spring.ends);
        xml.close();
    }
    xml.close();
}

/// The distance in m of two ends in the pose that the file gives bodies, before the key frame turns those that move.
fn length_without_turns(scene: &Scene, ends: &SceneEnds) -> f64 {
    let places = ends.map(|(index, point)| {
        let body = &scene.bodies[index];
        let arm = Vector3::from(point.unwrap_or_default());
        let turned = if body.freedom == Freedom::Fixed { body.rotation * arm } else { arm };
        Vector3::from(body.position) + turned
    });
    (places[0] - places[1]).norm()
}

fn start(xml: &mut Xml, scene: &Scene) {
    let (mut positions, mut velocities) = (Vec::new(), Vec::new());
    for body in &scene.bodies {
        match body.freedom {
            Freedom::Fixed => {}
            Freedom::Slides(axes) => {
                // Joints count from where the body is placed.
                positions.extend(axes.iter().map(|_| 0.0));
                velocities.extend(axes.iter().map(|axis| body.velocity[(*axis as usize) - ('x' as usize)]));
            }
            Freedom::Planar => {
                positions.extend([0.0, 0.0, body.angle]);
                velocities.extend([body.velocity[0], body.velocity[2], body.spin[0]]);
            }
            Freedom::Free => {
                let turn = body.rotation.quaternion();
                positions.extend(body.position);
                positions.extend([turn.w, turn.i, turn.j, turn.k]);
                velocities.extend(body.velocity.iter().chain(&body.spin));
            }
        }
    }
    if positions.is_empty() {
        return;
    }
    xml.open("keyframe", &[]);
    xml.leaf(
        "key",
        &[("name", "start".to_owned()), ("qpos", numbers(positions)), ("qvel", numbers(velocities))],
    );
    xml.close();
}

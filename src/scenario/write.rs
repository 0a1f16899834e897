use std::fmt::{self, Display, Write};

use super::{
    Body, Choice, DriveSetup, Ends, Inertia, JointPlace, JointSetup, Part, Push, PushTable, Scenario,
    SecondCoordinate, Shape, SlidingFriction, SmoothLaw, StepperSettings, Wall,
    keys::{self, CONTACT, CONVEX, DRIVE, DRIVE2, GROUND, Key, LCP, Lens, NLP, PAIR, SMOOTH, STEPPER, Table},
    part::mass_of,
};
use crate::{
    model::{Orientation, Spin, Vector},
    world::{Course, CourseRow, Target},
};

impl<const D: usize> Scenario<D> {
    /// The text of a scenario file that reads back as this scenario, bit for bit.
    ///
    /// Every setting is written, defaults too, so that the text keeps its meaning should a default
    /// ever change. A scenario that does not pass [`Scenario::check`] is written all the same, and
    /// refused when it is read.
    pub fn to_toml(&self) -> String {
        let mut text = Lines::default();
        text.line("name", string(&self.name));
        text.keys(keys::top(), self);
        let as_particles = self.are_particles();
        let alone = self.bodies.len() == 1 && self.pushes.iter().all(|push| push.body.is_none());
        for (index, body) in self.bodies.iter().enumerate() {
            if as_particles {
                text.header(if alone { "[particle]" } else { "[[particle]]" });
                text.keys(keys::particle(), body);
                text.line("position", vector(body.position.as_slice()));
                text.line("velocity", vector(body.velocity.as_slice()));
            } else {
                write_body(&self.body_name(index), body, &mut text);
            }
        }
        text.header(GROUND.header);
        text.keys(&GROUND, &self.ground);
        text.axis(&self.ground.sliding);
        for wall in &self.walls {
            write_wall(wall, &mut text);
        }
        for pair in &self.pairs {
            text.header(PAIR.header);
            let names = [self.body_name(pair.first), self.partner_name(pair.second)];
            text.line("bodies", format!("[{}]", names.map(|name| string(&name)).join(", ")));
            text.keys(&PAIR, pair);
            text.axis(&pair.sliding);
        }
        for push in &self.pushes {
            text.header("[[push]]");
            match push.body {
                Some(body) if as_particles => text.line("particle", body.to_string()),
                Some(body) => text.line("body", string(&self.body_name(body))),
                None => {}
            }
            write_push(push, &mut text);
        }
        let ends = |text: &mut Lines, bodies: [usize; 2]| {
            if as_particles {
                text.line("particles", format!("{bodies:?}"));
            } else {
                text.line(
                    "bodies",
                    format!("[{}]", bodies.map(|body| string(&self.body_name(body))).join(", ")),
                );
            }
        };
        let joined = |text: &mut Lines, Ends { bodies, points }: &Ends<D>| {
            ends(text, *bodies);
            if points.iter().any(|point| *point != Vector::<D>::zeros()) {
                text.line("points", rows(points.iter().map(|point| point.as_slice())));
            }
        };
        for rod in &self.rods {
            text.header("[[rod]]");
            joined(&mut text, &rod.ends);
            text.keys(keys::rod(), rod);
        }
        for spring in &self.springs {
            text.header("[[spring]]");
            joined(&mut text, &spring.ends);
            text.keys(keys::spring(), spring);
        }
        for contact in &self.contacts {
            text.header(CONTACT.header);
            ends(&mut text, contact.bodies);
            text.keys(&CONTACT, contact);
            text.axis(&contact.sliding);
        }
        for joint in &self.joints {
            self.write_joint(joint, &mut text);
        }
        write_settings(&self.steppers, &mut text);
        text.0
    }
}

impl<const D: usize> Scenario<D> {
    fn write_joint(&self, joint: &JointSetup<D>, text: &mut Lines) {
        text.header("[[joint]]");
        let names = joint.bodies.map(|body| match body {
            Some(body) => string(&self.body_name(body)),
            None => string("world"),
        });
        text.line("bodies", format!("[{}]", names.join(", ")));
        match &joint.place {
            JointPlace::At(point) => text.line("point", vector(point.as_slice())),
            JointPlace::Points(points) => {
                text.line("points", rows(points.iter().map(|point| point.as_slice())))
            }
        }
        for (key, axis) in [("axis", &joint.axis), ("axis2", &joint.axis2)] {
            if let Some(axis) = axis {
                text.line(key, vector(axis.as_slice()));
            }
        }
        if !joint.kind.has_coordinate() {
            // What acts along a coordinate has no place in these.
            text.line("kind", string(joint.kind.as_str()));
            text.line("collide", joint.collide);
            return text.line("assemble", joint.assemble);
        }
        let SecondCoordinate { limits: limits2, drive: drive2, .. } = &joint.second;
        text.keys_but(keys::joint(), joint, |key| match key {
            "restitution" => joint.limits.is_none() && limits2.is_none(),
            "start2" => joint.kind.second_coordinate().is_none(),
            _ => false,
        });
        for (key, limits) in [("limits", &joint.limits), ("limits2", limits2)] {
            if let Some(limits) = limits {
                text.line(key, vector(limits));
            }
        }
        for (drive, section) in [(&joint.drive, &DRIVE), (drive2, &DRIVE2)] {
            if let Some(drive) = drive {
                write_drive(drive, section, text);
            }
        }
    }
}

fn write_drive(drive: &DriveSetup, section: &'static Table<DriveSetup>, text: &mut Lines) {
    text.header(section.header);
    let (key, schedule) = drive.schedule();
    match schedule.rows() {
        [[0.0, value]] => text.line(key, Digits(*value)),
        table => text.line(key, rows(table.iter().map(|row| &row[..]))),
    }
    text.keys_but(section, drive, |key| match &drive.target {
        Target::Force(_) => true,
        Target::Velocity(_) => key == "kp",
        Target::Position(_) => false,
    });
}

fn write_body<const D: usize>(name: &str, body: &Body<D>, text: &mut Lines) {
    text.header("[[body]]");
    text.line("name", string(name));
    write_shape(&body.shape, text);
    // What the parts weigh by themselves follows from them, and what is driven has no mass.
    let follows = match &body.shape {
        Shape::Compound { parts } => mass_of(parts) == Some(body.mass),
        _ => false,
    } || body.motion.is_some();
    text.keys_but(keys::body(), body, |key| follows && key == "mass");
    match &body.inertia {
        _ if body.motion.is_some() => {}
        None => {}
        Some(Inertia::Plane(moment)) => text.line("inertia", Digits(*moment)),
        Some(Inertia::Space(tensor)) => {
            let tensor: [[f64; 3]; 3] = tensor.transpose().into();
            text.line("inertia", rows(tensor.iter().map(|row| &row[..])));
        }
    }
    match &body.motion {
        None => {}
        Some(Course::Steady) => text.line("motion", string("steady")),
        Some(Course::Table(table)) => {
            let turn = |row: &CourseRow<D>| match row.orientation {
                _ if body.shape == Shape::Point => Vec::new(),
                Orientation::Angle(angle) => vec![angle],
                Orientation::Quaternion(turn) => vec![turn.w, turn.i, turn.j, turn.k],
            };
            let row = |row: &CourseRow<D>| -> Vec<f64> {
                let place = std::iter::once(row.time).chain(row.position.iter().copied());
                place.chain(turn(row)).collect()
            };
            let table: Vec<Vec<f64>> = table.iter().map(row).collect();
            // Where it starts is in the table.
            return text.line("motion", rows(table.iter().map(Vec::as_slice)));
        }
    }
    text.line("position", vector(body.position.as_slice()));
    text.line("velocity", vector(body.velocity.as_slice()));
    if body.shape != Shape::Point {
        match body.orientation {
            Orientation::Angle(angle) => {
                text.line("angle", Digits(angle));
                text.line("spin", Digits(body.spin[0]));
            }
            Orientation::Quaternion(turn) => {
                text.line("orientation", vector(&[turn.w, turn.i, turn.j, turn.k]));
                text.line("spin", vector(body.spin.as_slice()));
            }
        }
    }
    if body.stays() {
        text.line("fixed", "true");
    }
    if let Shape::Compound { parts } = &body.shape {
        parts.iter().for_each(|part| write_part(part, text));
    }
}

/// What a shape is; parts have tables of their own.
fn write_shape<const D: usize>(shape: &Shape<D>, text: &mut Lines) {
    if !matches!(shape, Shape::Compound { .. }) {
        text.line("shape", string(shape.as_str()));
    }
    match shape {
        Shape::Point | Shape::Compound { .. } => {}
        Shape::Box { size } => text.line("size", vector(size.as_slice())),
        Shape::Rod { length: size } | Shape::Ball { radius: size } => text.line("size", Digits(*size)),
        Shape::Capsule { radius, length } | Shape::Cylinder { radius, length } => {
            text.line("size", vector(&[*radius, *length]));
        }
        Shape::Hull { vertices } => text.line("size", rows(vertices.iter().map(|row| row.as_slice()))),
    }
}

fn write_part<const D: usize>(part: &Part<D>, text: &mut Lines) {
    let table = keys::part::<D>();
    text.header(table.header);
    write_shape(&part.shape, text);
    text.keys(table, part);
    text.line("position", vector(part.position.as_slice()));
    match part.orientation {
        Orientation::Angle(angle) => text.line("angle", Digits(angle)),
        Orientation::Quaternion(turn) => text.line("orientation", vector(&[turn.w, turn.i, turn.j, turn.k])),
    }
}

fn write_wall<const D: usize>(wall: &Wall<D>, text: &mut Lines) {
    text.header("[[wall]]");
    text.line("normal", vector(wall.normal.as_slice()));
    text.keys(keys::wall(), wall);
    text.axis(&wall.sliding);
    text.line("velocity", if D == 2 { Digits(wall.velocity[0]).to_string() } else { vector(&wall.velocity) });
}

fn write_push<const D: usize>(push: &Push<D>, text: &mut Lines) {
    match &push.table {
        None => text.line("force", vector(push.force.as_slice())),
        Some(PushTable { rows: force, torques }) => {
            let components = if D == 2 { 1 } else { 3 };
            let torque = |row: usize| {
                torques.get(row).into_iter().flat_map(move |torque| torque.iter().copied().take(components))
            };
            let table: Vec<Vec<f64>> = force
                .iter()
                .enumerate()
                .map(|(row, (t, force))| {
                    std::iter::once(*t).chain(force.iter().copied()).chain(torque(row)).collect()
                })
                .collect();
            text.line("table", rows(table.iter().map(Vec::as_slice)));
        }
    }
    if push.torque != Spin::zeros() {
        let torque = if D == 2 { Digits(push.torque[0]).to_string() } else { vector(push.torque.as_slice()) };
        text.line("torque", torque);
    }
    if let Some(point) = &push.point {
        text.line("point", vector(point.as_slice()));
    }
    text.keys(keys::push(), push);
    if push.frequency.is_some() || push.phase != 0.0 {
        text.line("phase", Digits(push.phase));
    }
}

fn write_settings(settings: &StepperSettings, text: &mut Lines) {
    let StepperSettings { nlp, lcp, convex, smooth, .. } = settings;
    text.header(STEPPER.header);
    text.keys(&STEPPER, settings);
    text.header(NLP.header);
    text.keys(&NLP, nlp);
    text.header(LCP.header);
    text.keys(&LCP, lcp);
    text.header(CONVEX.header);
    text.keys(&CONVEX, convex);
    text.header(SMOOTH.header);
    text.keys(&SMOOTH, smooth);
    text.line("law", string(smooth.law.name().as_str()));
    match smooth.law {
        SmoothLaw::Tanh { amplitude, sharpness, damping } => {
            text.line("amplitude", Digits(amplitude));
            text.line("sharpness", Digits(sharpness));
            text.line("damping", Digits(damping));
        }
        SmoothLaw::KelvinVoigt { stiffness, damping } | SmoothLaw::HuntCrossley { stiffness, damping } => {
            text.optional("stiffness", stiffness);
            text.optional("damping", damping);
        }
    }
}

/// The text of a file as it grows.
#[derive(Default)]
struct Lines(String);

impl Lines {
    fn header(&mut self, header: &str) {
        self.0.push('\n');
        self.0.push_str(header);
        self.0.push('\n');
    }

    /// What a record has under the keys of its table, but for those that have code of their own.
    fn keys<T>(&mut self, table: &Table<T>, record: &T) {
        self.keys_but(table, record, |_| false);
    }

    /// The same without the keys that are `idle` in this record, and which the reader would not take.
    fn keys_but<T>(&mut self, table: &Table<T>, record: &T, idle: impl Fn(&str) -> bool) {
        for Key { row, lens } in table.keys.iter().filter(|key| !idle(key.row.name)) {
            match lens {
                Lens::Number(field) => self.line(row.name, Digits((field.get)(record))),
                Lens::Optional(field) => self.optional(row.name, (field.get)(record)),
                Lens::Count(field) => {
                    if let Some(count) = (field.get)(record) {
                        self.line(row.name, count);
                    }
                }
                Lens::Truth(field) => self.line(row.name, (field.get)(record)),
                Lens::Word(field) => {
                    if let Some(word) = (field.get)(record) {
                        self.line(row.name, string(word));
                    }
                }
                Lens::Numbers(_) | Lens::Own => {}
            }
        }
    }

    fn axis(&mut self, sliding: &SlidingFriction) {
        if let Some(axis) = &sliding.friction_axis {
            self.line("friction_axis", vector(axis));
        }
    }

    fn line(&mut self, key: &str, value: impl Display) {
        self.0.push_str(key);
        self.0.push_str(" = ");
        // A string takes whatever is written to it.
        let _ = write!(self.0, "{value}");
        self.0.push('\n');
    }

    fn optional(&mut self, key: &str, value: Option<f64>) {
        if let Some(value) = value {
            self.line(key, Digits(value));
        }
    }
}

/// The shortest digits that read back as the same double, as a float of TOML.
struct Digits(f64);

impl Display for Digits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(value) = self;
        if value.is_nan() {
            f.write_str("nan")
        } else if *value == 0.0 || value.is_infinite() || (1e-3..1e5).contains(&value.abs()) {
            write!(f, "{value:?}")
        } else {
            write!(f, "{value:e}")
        }
    }
}

fn vector(components: &[f64]) -> String {
    let mut list = String::from("[");
    for (index, component) in components.iter().enumerate() {
        list.push_str(if index > 0 { ", " } else { "" });
        // A string takes whatever is written to it.
        let _ = write!(list, "{}", Digits(*component));
    }
    list.push(']');
    list
}

fn rows<'a>(rows: impl Iterator<Item = &'a [f64]>) -> String {
    format!("[{}]", rows.map(vector).collect::<Vec<_>>().join(", "))
}

/// A TOML basic string.
fn string(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted += &format!("\\u{:04X}", u32::from(c)),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

//! The rules about joints.

use super::{
    MAX_DISTANCE, Violation,
    judge::{Judge, list, short},
    within,
};
use crate::{
    model::Vector,
    scenario::{
        Choice, DriveSetup, JointKind, JointPlace, JointSetup, Scenario, SecondCoordinate, Shape,
        keys::{self, DRIVE, DRIVE2, Table},
    },
    world::Target,
};

/// Largest value that a drive may follow.
const LARGEST_TARGET: f64 = 1e18;

/// How far the points of a joint may be apart at the start, in units of their distance from the centres of mass.
const APART: f64 = 1e-6;

impl<const D: usize> Scenario<D> {
    pub(super) fn check_joints(&self, judge: &mut Judge) {
        for (index, joint) in self.joints.iter().enumerate() {
            self.check_joint(&format!("joint[{index}]"), joint, judge);
        }
    }

    fn check_joint(&self, key: &str, joint: &JointSetup<D>, judge: &mut Judge) {
        let refuse = |judge: &mut Judge, name: &str, value: String, allowed: &str, remedy: &str| {
            judge.refuse(Violation {
                key: format!("{key}.{name}"),
                others: Vec::new(),
                value,
                allowed: allowed.to_owned(),
                remedy: remedy.to_owned(),
            });
        };
        let kind = format!("\"{}\"", joint.kind.as_str());
        if !joint.kind.exists_in::<D>() {
            let allowed = format!("{} in the plane", JointKind::words_of::<D>(|_| true));
            return refuse(judge, "kind", kind, &allowed, "what turns about a point in the plane is a hinge");
        }
        let named = || joint.bodies.map(|body| body.map_or("world".to_owned(), |body| self.body_name(body)));
        let exist = joint.bodies.iter().flatten().all(|body| *body < self.bodies.len());
        if !exist || joint.bodies[0] == joint.bodies[1] {
            let value = if exist { named().join(" and ") } else { format!("{:?}", joint.bodies) };
            let allowed = "two different bodies, or a body and the world";
            return refuse(judge, "bodies", value, allowed, "join it to another one");
        }
        let bodies = || joint.bodies.iter().flatten().map(|body| (*body, &self.bodies[*body]));
        if bodies().all(|(_, body)| body.fixed) {
            let allowed = "two of which one moves by what acts on it";
            let remedy = "what is fixed or driven needs no joint: remove it, or let a body move";
            refuse(judge, "bodies", named().join(" and "), allowed, remedy);
        }
        if let Some((point, _)) = bodies().find(|(_, body)| body.shape == Shape::Point) {
            let allowed = "bodies with a shape, as a point does not turn";
            let remedy = "give the point a shape, or join it by a [[rod]]";
            refuse(judge, "bodies", self.body_name(point), allowed, remedy);
        }
        if self.check_place(key, joint, judge) {
            self.check_together(key, joint, judge);
        }
        self.check_axes(key, joint, judge);
        judge.numbers(key, keys::joint(), joint);
        let JointSetup { stiffness, damping, friction, armature, .. } = *joint;
        let divided_by =
            [("stiffness", stiffness), ("damping", damping), ("friction", friction), ("armature", armature)];
        judge.not_all_but_zero(key, &divided_by);
        check_limits(key, ["limits", "start"], joint.limits, joint.start, judge);
        let SecondCoordinate { start, limits, drive } = &joint.second;
        check_limits(key, ["limits2", "start2"], *limits, *start, judge);
        let drives = [("drive", &joint.drive, &DRIVE), ("drive2", drive, &DRIVE2)];
        for (name, drive, section) in drives {
            if let Some(drive) = drive {
                check_drive(&format!("{key}.{name}"), drive, section, judge);
            }
        }
    }

    /// Whether the places are finite.
    fn check_place(&self, key: &str, joint: &JointSetup<D>, judge: &mut Judge) -> bool {
        let points: Vec<(String, &Vector<D>)> = match &joint.place {
            JointPlace::At(point) => vec![(format!("{key}.point"), point)],
            JointPlace::Points(points) => points
                .iter()
                .enumerate()
                .map(|(end, point)| (format!("{key}.points[{end}]"), point))
                .collect(),
        };
        let mut fits = true;
        for (key, point) in points {
            fits &= judge.finite(&key, point.as_slice(), "give the place in metres");
            within(&key, point.as_slice(), MAX_DISTANCE, "m", "give the place in metres", judge);
        }
        fits
    }

    /// Refuses points that are not in one place at the start.
    fn check_together(&self, key: &str, joint: &JointSetup<D>, judge: &mut Judge) {
        let places = joint.places(self);
        let apart = (places[0] - places[1]).norm();
        let arms = [0, 1].map(|end| {
            let centre = joint.bodies[end].map_or(places[end], |body| self.bodies[body].position);
            (places[end] - centre).norm()
        });
        if apart > APART * arms[0].max(arms[1]).max(f64::MIN_POSITIVE) {
            judge.refuse(Violation {
                key: format!("{key}.points"),
                others: Vec::new(),
                value: format!("{} m apart at the start", short(apart)),
                allowed: "in one place there".to_owned(),
                remedy: if self.joints.iter().any(|joint| joint.assemble) {
                    "no place of the bodies has all joints meet: change their points"
                } else {
                    "place the bodies so that they meet, or have them placed by assemble = true, or give `point`, the place in the world at the start"
                }
                .to_owned(),
            });
        }
    }

    fn check_axes(&self, key: &str, joint: &JointSetup<D>, judge: &mut Judge) {
        let axes = [("axis", &joint.axis), ("axis2", &joint.axis2)];
        for (name, axis) in axes.into_iter().take(joint.kind.axes::<D>()) {
            let Some(axis) = axis else {
                judge.refuse(Violation {
                    key: format!("{key}.{name}"),
                    others: Vec::new(),
                    value: "missing".to_owned(),
                    allowed: "a vector in the axes of the world".to_owned(),
                    remedy: format!("a {} has one", joint.kind.called()),
                });
                return;
            };
            let remedy = "give its direction in the world at the start";
            if !judge.finite(format!("{key}.{name}"), axis.as_slice(), remedy) {
                return;
            }
            if axis.norm() < 1e-12 {
                judge.refuse(Violation {
                    key: format!("{key}.{name}"),
                    others: Vec::new(),
                    value: list(axis.as_slice()),
                    allowed: "a vector that is not zero".to_owned(),
                    remedy: "give its direction in the world at the start, for example along x".to_owned(),
                });
                return;
            }
        }
        if let (JointKind::Universal, Some(first), Some(second)) = (joint.kind, &joint.axis, &joint.axis2)
            && first.dot(second).abs() > APART * first.norm() * second.norm()
        {
            judge.refuse(Violation {
                key: format!("{key}.axis2"),
                others: vec![format!("{key}.axis")],
                value: list(second.as_slice()),
                allowed: "at right angles to the axis".to_owned(),
                remedy: "the two axes of a universal joint cross at right angles".to_owned(),
            });
        }
    }
}

/// Holds the limits under a name against the value at the start under another.
fn check_limits(
    key: &str,
    [name, at_start]: [&str; 2],
    limits: Option<[f64; 2]>,
    start: f64,
    judge: &mut Judge,
) {
    let Some([low, high]) = limits else { return };
    if !judge.finite(format!("{key}.{name}"), &[low, high], "leave the key out where there are none") {
        return;
    }
    let refuse = |judge: &mut Judge, allowed: &str, remedy: String| {
        judge.refuse(Violation {
            key: format!("{key}.{name}"),
            others: vec![format!("{key}.{at_start}")],
            value: list(&[low, high]),
            allowed: allowed.to_owned(),
            remedy,
        });
    };
    if low > high {
        refuse(judge, "the least value and then the largest", format!("write {}", list(&[high, low])));
    } else if !(low..=high).contains(&start) {
        let start = short(start);
        let remedy = format!(
            "the coordinate is {start} at the start: give the value that it has there as `{at_start}`, or other limits"
        );
        refuse(judge, &format!("limits with `{at_start}` between them"), remedy);
    }
}

fn check_drive(key: &str, drive: &DriveSetup, section: &'static Table<DriveSetup>, judge: &mut Judge) {
    judge.numbers(key, section, drive);
    let limit = drive.limit.unwrap_or(0.0);
    judge.not_all_but_zero(key, &[("kp", drive.kp), ("kv", drive.kv), ("limit", limit)]);
    let (name, schedule) = drive.schedule();
    let full = format!("{key}.{name}");
    for (index, row) in schedule.rows().iter().enumerate() {
        let is_finite =
            judge.finite(format!("{full}[{index}]"), row, "a row is a time in s and the value then");
        if is_finite {
            let remedy = "give it in N, m, m/s, N m, rad or rad/s";
            judge.range(&full, row[1], -LARGEST_TARGET..=LARGEST_TARGET, "", remedy);
        }
    }
    let ascends = schedule.rows().windows(2).all(|rows| rows[0][0] < rows[1][0]);
    if schedule.rows().is_empty() || !ascends {
        judge.refuse(Violation {
            key: full,
            others: Vec::new(),
            value: if ascends { "empty".to_owned() } else { "not in order".to_owned() },
            allowed: "a number, or rows [t, value] with ascending times".to_owned(),
            remedy: "for example [[0.0, 0.0], [1.0, 1.57]]".to_owned(),
        });
    }
    let gain = match drive.target {
        Target::Force(_) => return,
        Target::Position(_) => drive.kp + drive.kv,
        Target::Velocity(_) => drive.kv,
    };
    if gain == 0.0 {
        let gain = if matches!(drive.target, Target::Velocity(_)) { "kv" } else { "kp" };
        judge.refuse(Violation {
            key: format!("{key}.{gain}"),
            others: Vec::new(),
            value: "0".to_owned(),
            allowed: "a gain by which the drive follows its target".to_owned(),
            remedy: format!("give {gain}, the force per deviation: the larger, the closer it follows"),
        });
    }
}

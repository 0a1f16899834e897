use nalgebra::{Isometry3, Point3, Translation3, Unit, UnitQuaternion, Vector3};

use crate::{
    fault::ImportError,
    mechanism::{Kind, Mechanism, WORLD},
    note::Notes,
};

/// A joint at the start.
#[derive(Debug, Clone, Copy)]
pub(super) struct JointStart {
    /// Its coordinate.
    pub coordinate: f64,
    /// In the world, in m.
    pub anchor: Vector3<f64>,
    /// A unit vector in the world.
    pub axis: Vector3<f64>,
}

/// Where everything is at the start, with gravity down.
#[derive(Debug)]
pub(super) struct Start {
    /// The axes of each link in the world.
    pub poses: Vec<Isometry3<f64>>,
    /// The joints of each link.
    pub joints: Vec<Vec<JointStart>>,
}

impl Start {
    /// All coordinates are at their reference, or at the nearest of their limits.
    pub fn of(mechanism: &Mechanism, notes: &mut Notes) -> Result<Self, ImportError> {
        let mut start = Self { poses: Vec::new(), joints: Vec::new() };
        for (index, link) in mechanism.links.iter().enumerate() {
            let mut pose = if index == WORLD {
                Isometry3::from_parts(Translation3::identity(), upright(mechanism, notes))
            } else {
                start.poses[link.parent] * link.pose
            };
            let mut joints = Vec::new();
            for joint in &link.joints {
                let mut coordinate = joint.reference;
                if let Some([low, high]) = joint.limits.filter(|_| joint.kind != Kind::Ball) {
                    if low > high {
                        let message =
                            format!("{}: the lower limit {low} is above the upper {high}", joint.called());
                        let remedy = "give the least value and then the largest";
                        return Err(ImportError::new(&joint.place, message, remedy));
                    }
                    coordinate = coordinate.clamp(low, high);
                    if coordinate != joint.reference {
                        let why = format!(
                            "it starts at its limit {coordinate:?}: {:?}, where the file has it, is outside",
                            joint.reference
                        );
                        notes.changed(&joint.place, joint.called(), why);
                    }
                }
                let anchor = (pose * Point3::from(joint.anchor)).coords;
                let axis = pose.rotation * joint.axis;
                let moved = coordinate - joint.reference;
                if joint.kind == Kind::Slide {
                    pose = Translation3::from(axis * moved) * pose;
                } else if moved != 0.0 {
                    let turn = UnitQuaternion::from_axis_angle(&Unit::new_normalize(axis), moved);
                    let about = Translation3::from(anchor);
                    pose = about * turn * about.inverse() * pose;
                }
                joints.push(JointStart { coordinate, anchor, axis });
            }
            start.poses.push(pose);
            start.joints.push(joints);
        }
        Ok(start)
    }
}

/// The turn of the world that takes gravity down.
fn upright(mechanism: &Mechanism, notes: &mut Notes) -> UnitQuaternion<f64> {
    let Some(gravity) = mechanism.gravity.try_normalize(0.0) else { return UnitQuaternion::identity() };
    let down = -Vector3::z();
    if gravity == down {
        return UnitQuaternion::identity();
    }
    notes.changed(&mechanism.place, "gravity", "everything is turned so that it points down");
    UnitQuaternion::rotation_between(&gravity, &down)
        .unwrap_or_else(|| UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::PI))
}

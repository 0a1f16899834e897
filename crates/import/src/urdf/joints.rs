//! `<joint>`.

use nalgebra::Vector3;

use crate::{
    element::Element,
    fault::ImportError,
    mechanism::{Kind, TreeJoint},
    note::{Notes, Place},
};

pub(super) fn joint_of(name: Option<&str>, place: &Place) -> TreeJoint {
    TreeJoint {
        name: name.map(str::to_owned),
        place: place.clone(),
        kind: Kind::Hinge,
        anchor: Vector3::zeros(),
        axis: Vector3::x(),
        reference: 0.0,
        limits: None,
        stiffness: 0.0,
        rest: 0.0,
        damping: 0.0,
        friction: 0.0,
        armature: 0.0,
        drive: None,
    }
}

/// What the child of a joint can do; nothing where it is fixed.
pub(super) fn tree_joint(element: &Element, notes: &mut Notes) -> Result<Vec<TreeJoint>, ImportError> {
    let kind = match element.required("type")? {
        "fixed" => return Ok(Vec::new()),
        "revolute" | "continuous" => Kind::Hinge,
        "prismatic" => Kind::Slide,
        "floating" => Kind::Free,
        other => {
            return Err(ImportError::new(
                &element.place,
                format!("{} is of type \"{other}\", for which scenarios have no joint", element.called()),
                "take revolute, continuous, prismatic, fixed or floating",
            ));
        }
    };
    let mut joint = TreeJoint { kind, ..joint_of(element.text("name"), &element.place) };
    if let Some(axis) = element.first("axis") {
        joint.axis = axis.direction("xyz", Vector3::x())?;
    }
    if let Some(dynamics) = element.first("dynamics") {
        (joint.damping, joint.friction) = (dynamics.amount("damping")?, dynamics.amount("friction")?);
    }
    let limit = element.first("limit");
    if let Some(limit) = limit {
        let [lower, upper] = [limit.number("lower")?, limit.number("upper")?];
        let has_ends = element.text("type") != Some("continuous") && kind != Kind::Free;
        if has_ends {
            joint.limits = Some([lower.unwrap_or(0.0), upper.unwrap_or(0.0)]);
        } else if lower.or(upper).is_some() {
            let why = "joints that are continuous or floating have no ends";
            notes.left_out(&limit.place, "`lower` and `upper` of <limit>", why);
        }
        let effort = limit.number("effort")?.unwrap_or(0.0);
        if effort > 0.0 {
            let why = format!(
                "it bounds a drive, and none is written, as URDF has no gains: give [joint.drive] with limit = {effort:?}"
            );
            notes.left_out(&limit.place, "`effort` of <limit>", why);
        }
        if limit.text("velocity").is_some() {
            notes.left_out(&limit.place, "`velocity` of <limit>", "rates of joints are not limited");
        }
    } else if element.text("type") == Some("revolute") {
        notes.changed(&element.place, element.called(), "it has no <limit>: it turns freely");
    }
    if let Some(mimic) = element.first("mimic") {
        let leader = mimic.text("joint").unwrap_or_default();
        let what = format!("<mimic> of {}, which follows `{leader}`", element.called());
        let why = "joints that follow others have no words: the joint moves by itself";
        notes.left_out(&mimic.place, what, why);
    }
    Ok(vec![joint])
}

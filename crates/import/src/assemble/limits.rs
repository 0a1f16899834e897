use crate::{
    mechanism::{Kind, Mechanism},
    note::Notes,
};

/// The largest value of a coordinate, in rad or m, that anything comes to in a run; limits beyond mean that there is none.
const FAR: f64 = 1e3;

/// Takes limits that nothing reaches for what they mean: beside them a step would lose its digits.
pub(super) fn within_reach(mechanism: &mut Mechanism, notes: &mut Notes) {
    for joint in mechanism.links.iter_mut().flat_map(|link| &mut link.joints) {
        let Some(limits) = joint.limits.filter(|_| matches!(joint.kind, Kind::Hinge | Kind::Slide)) else {
            continue;
        };
        let [low, high] = limits;
        // A start far out, or one that its limits take there, has them where they are.
        if low > high || joint.reference.abs() > FAR || low >= FAR || high <= -FAR {
            continue;
        }
        let near = limits.map(|limit| limit.clamp(-FAR, FAR));
        if near == limits {
            continue;
        }
        joint.limits = (low > -FAR || high < FAR).then_some(near);
        let why = match joint.limits {
            Some([low, high]) => format!("no run comes to {FAR} rad or m: limits are {low:?} and {high:?}"),
            None => format!("no run comes to {FAR} rad or m: it has no limits"),
        };
        notes.changed(&joint.place, format!("limits {low:?} and {high:?} of {}", joint.called()), why);
    }
}

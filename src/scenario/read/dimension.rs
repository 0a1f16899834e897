//! How many components vectors have: the first of them decides.

use super::{
    document::{Node, Value},
    scenario::Moving,
    walker::Open,
};
use crate::model::Vector;

/// The vector that decides on the dimension: its full key, and its length.
pub(super) type Decider = Option<(String, usize)>;

/// The vector of a file that decides: the first position, or of particles the velocity where one has no position.
pub(super) fn decider(top: &Open<'_>, moving: Moving) -> Decider {
    let (list, keys): (_, &[&str]) = match moving {
        Moving::Bodies => ("body", &["position"]),
        Moving::Particle | Moving::Particles => ("particle", &["position", "velocity"]),
    };
    let of = |name: &str, node: &Node| {
        let Value::Table(table) = &node.value else { return None };
        let length = |key: &&str| Some((format!("{name}.{key}"), components(table.get(key)?)?));
        keys.iter().find_map(length)
    };
    let node = top.get(list)?;
    match &node.value {
        Value::List(nodes) | Value::Tables(nodes) => {
            nodes.iter().enumerate().find_map(|(index, node)| of(&format!("{list}[{index}]"), node))
        }
        _ => of(list, node),
    }
}

/// How many components a vector has that is none too short or too long.
fn components(node: &Node) -> Option<usize> {
    match &node.value {
        Value::List(list) => Some(list.len()).filter(|length| (2..=3).contains(length)),
        _ => None,
    }
}

/// The vector at its full length; zero if it has another one, which has been reported.
pub(super) fn fixed<const D: usize>(vector: Option<Vec<f64>>) -> Vector<D> {
    vector
        .and_then(|components| <[f64; D]>::try_from(components).ok())
        .map_or_else(Vector::zeros, Vector::from)
}

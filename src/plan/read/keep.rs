//! `[[keep]]`: where centres of bodies have to stay.

use super::{Node, Reader, Value};
use crate::{plan::task::Keep, scenario::Scenario};

const KEYS: [&str; 4] = ["body", "constant", "linear", "quadratic"];

impl Reader<'_> {
    pub(super) fn keeps(&mut self, node: &Node, scenario: &Scenario<2>) -> Vec<Keep> {
        let mut keeps = Vec::new();
        for (index, (node, table)) in self.tables(node, "keep").into_iter().enumerate() {
            let path = format!("keep[{index}]");
            self.known_keys(table, "[[keep]]", &KEYS);
            let body = self.named_body(table, node, &path, scenario);
            let constant = table
                .get("constant")
                .map_or(Some(0.0), |node| self.number(node, &format!("{path}.constant"), "constant = 0.7"));
            let linear = table.get("linear").map_or(Some([0.0; 2]), |node| {
                self.pair(node, &format!("{path}.linear"), "linear = [-4, 1]")
            });
            let quadratic = table.get("quadratic").map_or(Some([[0.0; 2]; 2]), |node| {
                let (key, example) = (format!("{path}.quadratic"), "quadratic = [[4, 0], [0, 0]]");
                let rows = match &node.value {
                    Value::List(rows) => rows.as_slice(),
                    _ => &[],
                };
                let [first, second] = rows else {
                    self.wrong_type(node, &key, "two rows of two numbers", example);
                    return None;
                };
                Some([self.pair(first, &key, example)?, self.pair(second, &key, example)?])
            });
            let (Some(body), Some(constant), Some(linear), Some(quadratic)) =
                (body, constant, linear, quadratic)
            else {
                continue;
            };
            if linear == [0.0; 2] && quadratic == [[0.0; 2]; 2] {
                let message = format!("`{path}` does not depend on where the body is");
                self.fault(&node.source, &path, message, "give `linear`, factors of x and z, or `quadratic`");
                continue;
            }
            keeps.push(Keep { body, constant, linear, quadratic });
        }
        keeps
    }
}

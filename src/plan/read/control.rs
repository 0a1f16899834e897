//! `[[control]]`: what may push.

use super::{Node, Reader};
use crate::{plan::task::Control, scenario::Scenario};

const KEYS: [&str; 4] = ["body", "point", "force", "torque"];

impl Reader<'_> {
    pub(super) fn controls(&mut self, node: &Node, scenario: &Scenario<2>) -> Vec<Control> {
        let mut controls = Vec::new();
        for (index, (node, table)) in self.tables(node, "control").into_iter().enumerate() {
            let path = format!("control[{index}]");
            self.known_keys(table, "[[control]]", &KEYS);
            let body = self.named_body(table, node, &path, scenario);
            let point = table
                .get("point")
                .and_then(|node| self.pair(node, &format!("{path}.point"), "point = [-0.2, 0.5]"));
            let example = "force = [[-40, 40], [0, 0]]";
            let force =
                table.get("force").map(|node| self.intervals(node, &format!("{path}.force"), example));
            let torque = table
                .get("torque")
                .map(|node| self.interval(node, &format!("{path}.torque"), "torque = [-1, 1]"));
            let Some(body) = body else { continue };
            let is_point = scenario.bodies[body].shape == crate::scenario::Shape::Point;
            for key in ["point", "torque"] {
                if let (true, Some(node)) = (is_point, table.get(key)) {
                    let name = scenario.body_name(body);
                    let message =
                        format!("`{path}.{key}` is given, and {name} is a point, which does not turn");
                    self.fault(&node.source, &format!("{path}.{key}"), message, "remove it");
                }
            }
            if force.is_none() && torque.is_none() {
                let message = format!("`{path}` may push with nothing");
                self.fault(
                    &node.source,
                    &path,
                    message,
                    format!("add `{example}`, bounds in N for each axis"),
                );
                continue;
            }
            controls.push(Control {
                body,
                point: point.unwrap_or_default(),
                force: force.flatten().unwrap_or_default(),
                torque: torque.flatten().unwrap_or_default(),
            });
        }
        controls
    }
}

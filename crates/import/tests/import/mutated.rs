//! Whatever a file says, there is a scenario or an error.

use std::path::Path;

use proptest::prelude::*;
use stickslip_import::{Options, import_text};

use crate::dae;

const MJCF: &str = "<mujoco model=\"m\"><compiler angle=\"radian\" eulerseq=\"zyx\"/><option gravity=\"0 0 -9\" timestep=\".002\"/>
<default><geom density=\"100\"/><default class=\"c\"><joint damping=\"1\"/></default></default>
<asset><mesh name=\"t\" vertex=\"0 0 0 1 0 0 0 1 0 0 0 1\"/></asset>
<worldbody><geom type=\"plane\" size=\"1 1 1\"/><geom type=\"box\" size=\"1 1 1\" zaxis=\"0 1 1\"/>
<body name=\"a\" pos=\"0 0 1\" childclass=\"c\"><freejoint/><geom type=\"capsule\" fromto=\"0 0 0 1 0 0\" size=\".1\"/>
<body name=\"b\" euler=\"1 2 3\"><joint name=\"j\" axis=\"1 0 0\" range=\"-1 1\"/><joint axis=\"0 1 0\"/><geom type=\"mesh\" mesh=\"t\"/></body>
<body name=\"c\"><inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/><joint type=\"slide\" range=\"1 2\"/><site name=\"s\"/></body></body></worldbody>
<contact><exclude body1=\"a\" body2=\"c\"/></contact><equality><weld body1=\"b\" body2=\"c\"/></equality>
<actuator><position joint=\"j\" kp=\"3\" gear=\"2\" forcerange=\"-1 1\"/></actuator></mujoco>";

const URDF: &str = "<robot name=\"r\"><link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial>
<collision><origin xyz=\"0 0 1\" rpy=\"1 2 3\"/><geometry><cylinder radius=\"1\" length=\"2\"/></geometry></collision></link>
<link name=\"b\"><collision><geometry><sphere radius=\"1\"/></geometry></collision></link>
<joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/><axis xyz=\"0 1 0\"/><limit lower=\"1\" upper=\"2\" effort=\"3\"/></joint></robot>";

/// What is put in the place of something: numbers that are none, or too large, names of others, and rubbish.
const WORDS: [&str; 20] = [
    "0", "-1", "1e300", "1e-300", "1e29", "nan", "inf", "", "a", "b", "world", "free", "ball", "slide",
    "hinge", "plane", "mesh", "\"", "<", "0 0 0",
];

/// A text in which words between quotes, and single bytes, are replaced.
fn mutated(text: &str, places: &[(usize, usize, bool)]) -> String {
    let mut text = text.to_owned();
    for (place, word, is_value) in places {
        let word = WORDS[word % WORDS.len()];
        if *is_value {
            let quotes: Vec<usize> = text.match_indices('"').map(|(place, _)| place).collect();
            if quotes.len() < 2 {
                continue;
            }
            let value = place % (quotes.len() / 2);
            text.replace_range(quotes[2 * value] + 1..quotes[2 * value + 1], word);
        } else {
            let place = place % text.len();
            text.replace_range(place..place + 1, word);
        }
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn no_text_makes_it_panic(
        is_urdf: bool,
        fixed_base: bool,
        places in prop::collection::vec((0_usize..100_000, 0_usize..100, prop::bool::weighted(0.9)), 1..5),
    ) {
        let text = mutated(if is_urdf { URDF } else { MJCF }, &places);
        match import_text(&text, Path::new("model.xml"), Options { fixed_base }) {
            Ok(imported) => {
                let word = |word: &str| imported.scenario.contains(word);
                prop_assert!(word("[ground]") && !word("NaN") && !word("inf,") && !word("inf\n"), "{}", imported.scenario);
            }
            Err(error) => prop_assert!(!error.message.is_empty() && !error.remedy.is_empty()),
        }
    }

    #[test]
    fn no_mesh_of_collada_makes_it_panic(
        places in prop::collection::vec((0_usize..100_000, 0_usize..100, prop::bool::weighted(0.5)), 1..5),
    ) {
        let node = "<node id=\"n\"><matrix>-1 0 0 0 0 1 0 0 0 0 1 5 0 0 0 1</matrix><instance_geometry url=\"#box\"/></node>
            <node><rotate>0 0 1 90</rotate><scale>2 1 1</scale><instance_node url=\"#n\"/></node>";
        let text = mutated(&dae::file("<unit meter=\"1\"/>", node), &places);
        if let Err(error) = dae::taken(&text) {
            prop_assert!(!error.message.is_empty() && !error.remedy.is_empty());
        }
    }
}

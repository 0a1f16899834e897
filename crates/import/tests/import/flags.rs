use stickslip_import::{Fate, Imported};

use crate::{assert_note, imported, scenario_text::Table};

/// A ball on a hinge of the world, with a spring, limits and dry friction, and a free one, with these flags.
fn flagged(flags: &str) -> Imported {
    imported(&format!(
        "<mujoco><option>\n<flag {flags}/></option><worldbody><geom type=\"plane\" size=\"1 1 1\"/>
         <body name=\"a\" pos=\"0 0 1\"><joint name=\"j\" axis=\"0 1 0\" range=\"-9 9\" stiffness=\"2\" damping=\"1\" frictionloss=\".1\"/>
         <geom size=\".1\" pos=\".2 0 0\"/></body><body name=\"b\" pos=\"1 0 1\"><freejoint/><geom size=\".1\"/></body></worldbody>
         <equality><connect body1=\"a\" body2=\"b\" anchor=\"0 0 0\"/></equality><actuator><motor joint=\"j\"/></actuator></mujoco>"
    ))
}

#[test]
fn flags_switch_off_what_they_name() {
    let joint = |flags: &str| Table::all(&flagged(flags).scenario, "[[joint]]")[0].clone();
    let all = joint("gravity=\"enable\"");
    let keys = ["limits", "stiffness", "damping", "friction"];
    assert!(keys.iter().all(|key| all.has(key)));
    for (flag, gone) in
        [("limit", "limits"), ("spring", "stiffness"), ("damper", "damping"), ("frictionloss", "friction")]
    {
        let left = joint(&format!("{flag}=\"disable\""));
        assert_eq!(keys.map(|key| left.has(key)), keys.map(|key| key != gone), "{flag}");
    }
    let has = |flags: &str, table: &str| !Table::all(&flagged(flags).scenario, table).is_empty();
    assert!(has("", "[joint.drive]") && !has("actuation=\"disable\"", "[joint.drive]"));
    let closed = |flags: &str| flagged(flags).scenario.contains("\"ball\"");
    assert!(closed("") && !closed("equality=\"disable\""));
    Table::top(&flagged("gravity=\"disable\"").scenario).assert("gravity", &[0.0]);
    assert_note(&flagged("spring=\"disable\""), Fate::Taken, &["flag spring", "no springs"], 2);
}

#[test]
fn without_contacts_bodies_pass_and_the_ground_is_out_of_reach() {
    let imported = flagged("contact=\"disable\"");
    let pair = "[[pair]]\nbodies = [\"a\", \"b\"]\ntouch = false\n";
    assert!(imported.scenario.contains(pair), "{}", imported.scenario);
    // A fall of 2 s from 1 m is one of 20 m.
    assert!(Table::body(&imported.scenario, "b").numbers("position")[2] > 20.0);
    assert_note(&imported, Fate::LeftOut, &["a plane", "touches nothing"], 2);
}

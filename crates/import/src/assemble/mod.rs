//! From a mechanism to a scenario: where everything is at the start, what is one piece, who touches whom.

mod bodies;
mod ground;
mod joints;
mod kinematics;
mod limits;
mod names;
mod overlap;
mod pieces;
mod soundness;
mod split;
mod touching;

use crate::{
    fault::ImportError,
    mechanism::Mechanism,
    note::Notes,
    toml::{Lines, name, number, two_names, vector},
};

/// Simulated time in s, of which the formats say nothing.
const DURATION: f64 = 2.0;

/// The text of the scenario of a mechanism.
pub(crate) fn scenario(mut mechanism: Mechanism, notes: &mut Notes) -> Result<String, ImportError> {
    limits::within_reach(&mut mechanism, notes);
    split::split(&mut mechanism, notes);
    let mechanism = &mechanism;
    let start = kinematics::Start::of(mechanism, notes)?;
    let mut pieces = pieces::pieces(mechanism, &start, notes)?;
    if pieces.all.is_empty() {
        let message = "the model has no bodies that move, and no shapes that touch but planes";
        let remedy = "import the file that includes it, or give it a <body> with a joint";
        return Err(ImportError::new(&mechanism.place, message, remedy));
    }
    let joined = joints::joined(mechanism, &start, &pieces, notes);
    soundness::make_sound(&mut pieces, mechanism, &joined, notes)?;
    let floor = ground::floor(mechanism, &start, &pieces, DURATION, notes)?;
    let contacts = touching::contacts(mechanism, &pieces, &joined, &floor, notes);

    let mut text = Lines::default();
    text.comment(&format!("Imported from {} by stickslip import.", mechanism.place.file));
    text.line("name", name(&names::sanitized(&mechanism.name).unwrap_or("imported".to_owned())));
    text.line("duration", number(DURATION.max(mechanism.step)));
    text.line("step", number(mechanism.step));
    text.line("gravity", number(mechanism.gravity.norm()));
    text.header("[ground]");
    text.line("friction", number(contacts.friction));
    for wall in &floor.walls {
        text.header("[[wall]]");
        text.line("normal", vector(&*wall.normal));
        text.line("offset", number(wall.offset));
    }
    for piece in &pieces.all {
        bodies::write(piece, floor.lift, &mut text);
    }
    for (pair, friction) in &contacts.pairs {
        text.header("[[pair]]");
        text.line("bodies", two_names([&pair[0], &pair[1]]));
        text.line("friction", number(*friction));
    }
    for pair in &contacts.apart {
        text.header("[[pair]]");
        text.line("bodies", two_names([&pair[0], &pair[1]]));
        text.line("touch", false);
    }
    for joint in &joined {
        joint.write(&pieces, floor.lift, &mut text);
    }
    Ok(text.0)
}

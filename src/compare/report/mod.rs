//! The report of a comparison: one page of HTML with everything in it, which opens from disk.

mod cost;
mod gradients;
mod merits;
mod pairs;

use self::{gradients::gradients, merits::merits, pairs::pairs};
use super::{
    Alike, Comparison, Entry, Matched, Parting,
    distance::{Farthest, extent},
    paragraph,
    quantity::{given, quantity, significant},
};
use crate::{
    contact::Friction,
    model::axis_names,
    provenance::Provenance,
    report::{Motion, Page, Picture},
    scenario::Partner,
    trajectory::{Ending, Trajectory},
    wording::counted,
    world::Surface,
};

/// Distances below this share of what bodies move by, of 1 m at most, are rounding, or the tolerance of a solver.
const ROUNDING_OF_SOLVERS: f64 = 1e-9;

/// Writes the report: a [`paragraph`] per stepper, the pictures, the table of merits, where the pairs
/// part by more than `tolerance` m, the exact events, what was matched, the scenario, and at the end, in a
/// section of its own, all that differs from run to run: the time that it took and the `provenance`.
pub fn report<const D: usize>(
    comparison: &Comparison<D>,
    partings: &[Parting],
    tolerance: f64,
    matched: Option<&Matched<D>>,
    pictures: &[Picture],
    provenance: Option<&Provenance>,
) -> String {
    let name = &comparison.scenario.name;
    let mut page = Page::new(&format!("{name}: contact models side by side"), &introduction(comparison));
    page.section("What each model does here");
    let alike = comparison.alike();
    paragraphs(&mut page, comparison, &alike);
    page.section("Motion");
    let note = comparison.note_on_alike();
    if !note.is_empty() {
        page.paragraph(&format!("Motions that no picture could tell apart share a curve: {note}."));
    }
    let labelled = alike.iter().map(|group| (group.label(), &group.entry.trajectory));
    if let Some(motion) = Motion::of(labelled) {
        page.motion(&motion);
    }
    page.stand_ins(pictures);
    page.section("Figures of merit");
    merits(&mut page, comparison);
    if let Some(check) = &comparison.cross_check {
        page.paragraph(&format!("Two solvers on the same programs: {check}."));
    }
    page.section("Where the models part");
    pairs(&mut page, comparison, partings, tolerance);
    events(&mut page, comparison);
    if let Some(study) = &comparison.gradients {
        gradients(&mut page, comparison, study);
    }
    if let Some(matched) = matched {
        page.section("Matched settings");
        matching(&mut page, matched);
    }
    if !comparison.refused.is_empty() {
        page.section("Left out");
        refusals(&mut page, comparison);
    }
    page.section("Scenario");
    page.verbatim(&comparison.scenario.to_toml());
    let motions = comparison.entries.iter().map(|entry| &entry.trajectory);
    page.settings(motions.map(|motion| (motion.stepper.as_str(), &motion.settings)));
    cost::cost(&mut page, comparison, provenance);
    page.finish()
}

fn introduction<const D: usize>(comparison: &Comparison<D>) -> String {
    let scenario = &comparison.scenario;
    let time = scenario.time();
    let mut text = format!(
        "{} of motion of {} in {} of {}. {}",
        given(time.at(time.steps), "s"),
        given(scenario.counted_masses().iter().sum::<f64>() * 1e3, "g"),
        counted(time.steps, "step"),
        given(scenario.step, "s"),
        surroundings(comparison),
    );
    let Some(truth) = &comparison.truth else {
        text += " There is no exact solution for this scenario, so that errors are left out.";
        return text;
    };
    text += " Errors are distances from the exact motion, which event-driven closed forms give.";
    let errors = comparison.alike().into_iter().filter_map(|group| {
        // Only what ran to the end is measured, and not the exact motion itself.
        group.entry.merit.metrics.max_error?;
        let error = Farthest::of(&group.entry.trajectory, &truth.trajectory)?.distance;
        Some((error, group.entry.trajectory.stepper))
    });
    let mut errors: Vec<_> = errors.collect();
    errors.sort_by(|a, b| a.0.total_cmp(&b.0));
    if let [(least, nearest), (second, _), ..] = errors.as_slice()
        && let Some((most, farthest)) = errors.last()
    {
        let rounding = ROUNDING_OF_SOLVERS * extent(&truth.trajectory).min(1.0);
        let [shortest, next, longest] = [least, second, most].map(|error| quantity(*error, "m"));
        let is_complete = |entry: &Entry<D>| entry.trajectory.ending == Ending::Complete;
        let all = if comparison.entries.iter().all(is_complete) {
            "all models"
        } else {
            "all models that reach the end"
        };
        let end = format!("the farthest, {farthest}, gets {longest} away.");
        text += &if *most < rounding {
            format!(" To within rounding, {all} follow it.")
        } else if shortest == longest {
            format!(" At their worst, {all} are {longest} away from it.")
        } else if *least < rounding {
            format!(" To within rounding, {nearest} follows it; {end}")
        } else if shortest == next {
            format!(" At their worst, no model stays nearer to it than {shortest}; {end}")
        } else {
            format!(" At its worst, {nearest} is {shortest} away from it, the nearest of all; {end}")
        };
    }
    text
}

/// The coefficients of a law of friction in words: one, or that at rest, in motion, and how it changes with the slip.
fn coefficients(friction: &Friction) -> String {
    let at_rest = friction.static_coefficient();
    if !friction.depends_on_slip() {
        return at_rest.to_string();
    }
    let mut text = format!("{at_rest} at rest, {} in motion", friction.kinetic_coefficient());
    if friction.stribeck_velocity() > 0.0 {
        text += &format!(" (Stribeck velocity {})", given(friction.stribeck_velocity(), "m/s"));
    }
    if friction.viscous_coefficient() > 0.0 {
        text += &format!(" plus {} of the slip", given(friction.viscous_coefficient(), "s/m"));
    }
    text
}

/// The ground, if anything touches it, and the walls, with their values.
fn surroundings<const D: usize>(comparison: &Comparison<D>) -> String {
    /// More are only counted.
    const MOST_WALLS: usize = 3;
    let scenario = &comparison.scenario;
    let ground = scenario.ground;
    let mut sentences = Vec::new();
    if comparison.entries.iter().any(|entry| may_touch_the_ground(&entry.trajectory)) {
        let slope = match ground.slope == 0.0 {
            true => String::new(),
            false => format!(" slopes by {} degrees, and", ground.slope),
        };
        sentences.push(format!(
            "The ground{slope} has friction {} and restitution {}.",
            coefficients(&ground.surface().friction),
            ground.restitution
        ));
    } else {
        sentences.push("Nothing touches the ground.".to_owned());
    }
    match scenario.walls.len() {
        count if count > MOST_WALLS => sentences.push(format!("There are {count} walls.")),
        _ => sentences.extend(scenario.walls.iter().enumerate().map(|(index, wall)| {
            let speed = wall.velocity[0].hypot(wall.velocity[1]);
            let moves = match speed > 0.0 {
                true => format!(", whose surface moves at {},", given(speed, "m/s")),
                false => String::new(),
            };
            let Surface { friction, restitution, .. } = wall.surface(&ground);
            let name = scenario.partner_name(Partner::Wall(index));
            format!("{name}{moves} has friction {} and restitution {restitution}.", coefficients(&friction))
        })),
    }
    if !scenario.pairs.is_empty() {
        let (has, its) = if scenario.pairs.len() == 1 { ("has", "its") } else { ("have", "their") };
        sentences.push(format!("{} {has} values of {its} own.", counted(scenario.pairs.len(), "pair")));
    }
    sentences.join(" ")
}

/// Whether a motion touches the ground, as far as its contacts tell.
fn may_touch_the_ground<const D: usize>(trajectory: &Trajectory<D>) -> bool {
    if trajectory.contacts.is_empty() {
        return trajectory.tracks().any(|track| track.steps.iter().any(|step| step.force.norm() > 0.0));
    }
    let contacts = (0..trajectory.steps.len()).flat_map(|k| trajectory.contacts.of_step(k));
    contacts.into_iter().any(|contact| contact.second == Partner::Ground && contact.force.norm() > 0.0)
}

fn paragraphs<const D: usize>(page: &mut Page, comparison: &Comparison<D>, alike: &[Alike<'_, D>]) {
    page.raw("<dl>\n");
    for group in alike {
        page.raw("<div>\n");
        page.element("dt", group.entry.trajectory.stepper.as_str());
        for other in &group.others {
            page.element("dt", other.trajectory.stepper.as_str());
        }
        let mut text = paragraph(group.entry, comparison.truth.as_ref());
        if !group.others.is_empty() {
            let others = group.others.iter().map(|other| other.trajectory.stepper.to_string());
            text += &format!(
                " The same motion, to within {}, comes from {}.",
                distance_between(group.max_distance()),
                others.collect::<Vec<_>>().join(", ")
            );
        }
        page.element("dd", &text);
        page.raw("</div>\n");
    }
    page.raw("</dl>\n");
}

/// A distance of trajectories, or what it is where it is less than a length can be.
fn distance_between(distance: f64) -> String {
    /// In m.
    const ROUNDING: f64 = 1e-12;
    if distance < ROUNDING { "rounding".to_owned() } else { quantity(distance, "m") }
}

/// A row per reason, since formulations of a kind refuse for the same one.
fn refusals<const D: usize>(page: &mut Page, comparison: &Comparison<D>) {
    let mut rows: Vec<[String; 3]> = Vec::new();
    for refusal in &comparison.refused {
        let same = rows.iter_mut().find(|row| row[1] == refusal.reason && row[2] == refusal.remedy);
        match same {
            Some(row) => row[0] += &format!(", {}", refusal.stepper),
            None => rows.push([refusal.stepper.to_string(), refusal.reason.clone(), refusal.remedy.clone()]),
        }
    }
    let header = ["stepper", "why it does not admit the scenario", "what would help"].map(str::to_owned);
    page.table_of_words("Steppers that were not run.", &header, rows.into_iter().map(|row| row.to_vec()));
}

fn events<const D: usize>(page: &mut Page, comparison: &Comparison<D>) {
    /// A train of bounces has more than a reader wants to see.
    const MOST: usize = 40;
    let Some(truth) = &comparison.truth else { return };
    page.section("Events of the exact motion");
    if !comparison.scenario.layout().is_point() {
        page.paragraph("Events are recorded of points only.");
        return;
    }
    if truth.events.is_empty() {
        page.paragraph("None: the point stays in one mode of motion.");
        return;
    }
    let header = [
        "time [s]".to_owned(),
        "event".to_owned(),
        format!("impulse ({}) [N s]", axis_names::<D>().join(", ")),
    ];
    let rows = truth.events.iter().take(MOST).map(|event| {
        let impulse = event.impulse.iter().map(|value| significant(*value)).collect::<Vec<_>>().join(", ");
        let impulse = if event.impulse.norm() > 0.0 { format!("({impulse})") } else { String::new() };
        vec![format!("{:.9}", event.time), event.kind.to_string(), impulse]
    });
    let caption = "Events of the exact motion, and the impulse of the contact at the instant of each.";
    page.table(caption, &header, rows);
    if truth.events.len() > MOST {
        page.paragraph(&format!("The first {MOST} of {} events.", truth.events.len()));
    }
}

fn matching<const D: usize>(page: &mut Page, matched: &Matched<D>) {
    page.paragraph(&matched.to_string());
    let header = ["stepper", "settings", "sinks in by", "measured restitution"].map(str::to_owned);
    let rows = matched.choices.iter().map(|choice| {
        vec![
            choice.stepper.to_string(),
            choice.settings().join(", "),
            quantity(choice.impact.depth, "m"),
            significant(choice.impact.restitution),
        ]
    });
    page.table("What was chosen, and what it does.", &header, rows);
}

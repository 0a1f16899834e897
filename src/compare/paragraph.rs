use super::{
    BodyMode, Conduct, Creep, Deviation, Entry, Hop, OpenForce, Truth, compliance,
    distance::{Farthest, extent, negligible_length},
    quantity::{quantity, significant},
};
use crate::{
    metrics::{Doing, Touching, max_energy_created, step_of_max_energy_gain, stop_time},
    model::tangential,
    trajectory::{Ending, Track, Trajectory},
    wording::{capitalised, counted},
};

/// Relative errors below this are not worth a word: of the order of the step in a second of sliding.
const NEGLIGIBLE: f64 = 1e-3;

/// Distances below this share of what bodies move by, and of their coordinates, are rounding.
const ROUNDING: f64 = 1e-12;

/// Angles in rad below which bodies are turned alike but for rounding and the tolerance of solvers.
const NEGLIGIBLE_TURN: f64 = 1e-9;

/// Energies relative to the largest of the run, or to that of the speed which gravity gives in a step,
/// and forces relative to the weight, below which they are rounding or solver tolerance.
const NEGLIGIBLE_SHARE: f64 = 1e-6;

/// What a stepper's artefacts are on this scenario, in words, from measured values alone.
pub fn paragraph<const D: usize>(entry: &Entry<D>, truth: Option<&Truth<D>>) -> String {
    let mut text = Vec::new();
    text.extend(failure(&entry.trajectory));
    text.extend(entry.trajectory.warnings().into_iter().map(|warning| capitalised(&warning) + "."));
    text.extend(entry.trajectory.ignored().into_iter().map(|ignored| format!("{ignored}.")));
    if entry.trajectory.ending == Ending::Failed {
        return text.join(" ");
    }
    if entry.trajectory.stepper.is_exact() {
        text.extend(truth.map(reference));
    } else if entry.trajectory.stepper.is_recorded() {
        let negligible = negligible_length(truth.map_or(&entry.trajectory, |truth| &truth.trajectory));
        text.push(entry.trajectory.stepper.summary().into_owned());
        text.extend(distance(entry, truth, negligible));
        text.extend(entry.merit.deviation.map(|deviation| from_the_mean(entry, deviation)));
        text.extend(energy(entry));
        return text.join(" ");
    } else {
        let negligible = negligible_length(truth.map_or(&entry.trajectory, |truth| &truth.trajectory));
        let alone = entry.trajectory.scenario.layout().is_point().then(|| entry.trajectory.track(0));
        text.extend(distance(entry, truth, negligible));
        text.extend(entry.merit.deviation.map(|deviation| from_the_mean(entry, deviation)));
        text.extend(alone.and_then(|track| rest(track, truth, negligible)));
        text.extend(match alone {
            Some(_) => penetration(entry, negligible),
            None => overlap(entry, negligible),
        });
        text.extend(impact(entry));
        text.extend(alone.into_iter().flat_map(|track| compliance::artefacts(track, truth, negligible)));
        text.extend(friction(entry));
        text.extend(drift(entry, negligible));
        text.extend(energy(entry));
        text.extend(alone.and_then(|track| force(track, entry)));
        text.extend(entry.merit.conduct.iter().flat_map(|conduct| conducts(entry, conduct)));
        text.extend(law(entry));
    }
    text.extend(iterations(entry));
    text.extend(
        entry
            .detection
            .iter()
            .map(|found| format!("Solutions of its steps: {}.", found.sentences().join("; "))),
    );
    text.join(" ")
}

fn failure<const D: usize>(trajectory: &Trajectory<D>) -> Option<String> {
    let failure = trajectory.first_failure.as_ref()?;
    let verb = if trajectory.ending == Ending::Failed { "Ends" } else { "Fails first" };
    Some(format!(
        "{verb} at step {} (t = {}): {}.",
        failure.index,
        quantity(failure.time, "s"),
        failure.error
    ))
}

fn reference<const D: usize>(truth: &Truth<D>) -> String {
    if !truth.trajectory.scenario.layout().is_point() {
        return "The reference. Its events are recorded of points only.".to_owned();
    }
    let events = truth.events.len();
    let list: Vec<String> =
        truth.events.iter().take(6).map(|event| format!("{} at {:.6} s", event.kind, event.time)).collect();
    let rest = if events > list.len() { format!(" and {} more", events - list.len()) } else { String::new() };
    if events == 0 {
        "The reference. Nothing happens: the point stays in one mode of motion.".to_owned()
    } else {
        format!("The reference, with {}: {}{rest}.", counted(events, "event"), list.join(", "))
    }
}

fn distance<const D: usize>(entry: &Entry<D>, truth: Option<&Truth<D>>, negligible: f64) -> Option<String> {
    let exact = &truth?.trajectory;
    let trajectory = &entry.trajectory;
    let Farthest { body, state, distance } = Farthest::of(trajectory, exact)?;
    if distance < negligible {
        return Some("Follows the exact motion to within rounding and solver tolerance.".to_owned());
    }
    let last = trajectory.steps.len();
    let apart = trajectory.bodies.iter().zip(&exact.bodies).filter_map(|(motion, exact)| {
        Some((motion.states.get(last)?.position - exact.states.get(last)?.position).norm())
    });
    let at_end = apart.fold(0.0, f64::max);
    let mode = BodyMode::of(exact.track(body), state.saturating_sub(1)).map_or("", BodyMode::as_str);
    let end = if at_end < negligible {
        "where the exact motion ends".to_owned()
    } else {
        format!("{} from the exact motion", quantity(at_end, "m"))
    };
    Some(format!(
        "Ends {end}; the largest distance is {}, at t = {} ({mode}).",
        quantity(distance, "m"),
        quantity(trajectory.time(state), "s"),
    ))
}

/// How high a point is at the end that should be on the ground.
fn rest<const D: usize>(track: Track<'_, D>, truth: Option<&Truth<D>>, negligible: f64) -> Option<String> {
    let exact = truth?.trajectory.final_state(0);
    let last = track.steps.len().checked_sub(1)?;
    let touches = BodyMode::of(track, last) != Some(BodyMode::Flight);
    let end = track.final_state();
    let height = end.height();
    if !(exact.height() == 0.0 && touches && height.abs() > negligible) {
        return None;
    }
    let verb = if exact.velocity.norm() == 0.0 && stop_time(track).is_some() { "Rests" } else { "Ends" };
    let side = if height > 0.0 {
        "above the ground, on a force that acts at a distance"
    } else {
        "below the surface"
    };
    Some(format!("{verb} at z = {}, {side}.", quantity(height, "m")))
}

fn penetration<const D: usize>(entry: &Entry<D>, negligible: f64) -> Option<String> {
    let depth = entry.merit.metrics.max_penetration();
    (depth > negligible).then(|| format!("Penetrates the ground by up to {}.", quantity(depth, "m")))
}

/// Overlap of bodies deeper than what they fall and turn into each other within a step, which no model of time
/// steps can see.
fn overlap<const D: usize>(entry: &Entry<D>, negligible: f64) -> Option<String> {
    let scenario = &entry.trajectory.scenario;
    let fastest = |track: Track<'_, D>| {
        let rates = track.attitudes.iter().map(|attitude| attitude.spin.norm_squared());
        rates.fold(0.0, f64::max) * scenario.bodies[track.body].reach()
    };
    let turning = entry.trajectory.tracks().map(fastest).fold(0.0, f64::max);
    let unseen = (scenario.gravity + turning) * scenario.step.powi(2);
    let depth = entry.merit.metrics.max_penetration();
    (depth > unseen.max(negligible)).then(|| format!("Penetrates by up to {}.", quantity(depth, "m")))
}

fn from_the_mean<const D: usize>(entry: &Entry<D>, deviation: Deviation) -> String {
    let trajectory = &entry.trajectory;
    let who = |body: usize, time: f64| {
        format!("`{}`, at t = {}", trajectory.scenario.body_name(body), quantity(time, "s"))
    };
    let models = if deviation.counts || trajectory.stepper.is_recorded() {
        "models"
    } else {
        "other models, which it runs away from and is no part of"
    };
    // Coordinates round by their size, wherever a body starts.
    let states = trajectory.bodies.iter().flat_map(|motion| &motion.states);
    let size = states.map(|state| state.position.norm()).fold(extent(trajectory), f64::max);
    let moved = (deviation.position > ROUNDING * size).then(|| {
        format!(
            "{} from the mean of the {models} ({})",
            quantity(deviation.position, "m"),
            who(deviation.body, deviation.time)
        )
    });
    let turned = deviation.angle.filter(|largest| largest.angle > NEGLIGIBLE_TURN);
    let turned = turned.map(|largest| (quantity(largest.angle, "rad"), who(largest.body, largest.time)));
    match (moved, turned) {
        (Some(moved), None) => format!("Its centres of mass get up to {moved}."),
        (Some(moved), Some((angle, who))) => format!(
            "Its centres of mass get up to {moved}; its bodies turn up to {angle} away from it ({who})."
        ),
        (None, Some((angle, who))) => {
            format!("Its bodies turn up to {angle} away from the mean of the {models} ({who}).")
        }
        (None, None) => format!("Moves like the mean of the {models}, to within rounding."),
    }
}

/// What bodies do that rigid ones do not.
fn conducts<const D: usize>(entry: &Entry<D>, conduct: &Conduct) -> Vec<String> {
    let scenario = &entry.trajectory.scenario;
    let reference = conduct.reference;
    let hop = conduct.hop.map(|Hop { body, height, time }| {
        format!(
            "Hops: `{}` is off everything where {reference} keeps it in contact, up to {} higher, at t = {}.",
            scenario.body_name(body),
            quantity(height, "m"),
            quantity(time, "s")
        )
    });
    let creep = conduct.creep.map(|Creep { body, speed }| {
        let body = scenario.body_name(body);
        format!("Creeps: `{body}` moves at {} where it rests by {reference}.", quantity(speed, "m/s"))
    });
    let open = conduct.open_force.map(|OpenForce { first, second, difference, time }| {
        format!(
            "Its contact forces are indeterminate: at t = {} that of `{}` on `{}` is {} off another model's of the \
             same law, and the motion is the same.",
            quantity(time, "s"),
            scenario.partner_name(second),
            scenario.body_name(first),
            quantity(difference, "N")
        )
    });
    hop.into_iter().chain(creep).chain(open).collect()
}

/// How well Coulomb's law holds, whatever the model makes of it.
fn law<const D: usize>(entry: &Entry<D>) -> Option<String> {
    let residual = entry.merit.metrics.max_natural_map()?;
    Some(format!("Misses Coulomb's law by {} at most (scaled natural map).", significant(residual)))
}

fn impact<const D: usize>(entry: &Entry<D>) -> Option<String> {
    let error = entry.merit.impulse_error?;
    Some(if error.abs() < NEGLIGIBLE_SHARE {
        "Gives the first impact the right impulse.".to_owned()
    } else {
        let word = if error > 0.0 { "large" } else { "small" };
        format!("Makes the impulse around the first impact {} too {word}.", percent(error.abs()))
    })
}

fn friction<const D: usize>(entry: &Entry<D>) -> Option<String> {
    let error = entry.merit.deceleration_error?.abs();
    Some(if error < NEGLIGIBLE {
        "Slides with the right deceleration.".to_owned()
    } else {
        format!("While sliding, its speed changes at a rate that is {} off.", percent(error))
    })
}

fn drift<const D: usize>(entry: &Entry<D>, negligible: f64) -> Option<String> {
    let drift = entry.merit.drift_after_stop?;
    if drift < negligible {
        entry.merit.metrics.stop_time()?;
        return Some("Does not drift after the stop.".to_owned());
    }
    // What creeps is slower than gravity makes it in a step, as what settles.
    let scenario = &entry.trajectory.scenario;
    let speed = tangential(&entry.trajectory.final_state(0).velocity).norm();
    let slides = speed > scenario.gravity * scenario.step;
    let verb = if slides { "Slides on for" } else { "Creeps" };
    Some(format!("{verb} {} after it should rest.", quantity(drift, "m")))
}

fn energy<const D: usize>(entry: &Entry<D>) -> Option<String> {
    let scenario = &entry.trajectory.scenario;
    let largest = entry.trajectory.tracks().map(|track| {
        let body = track.point();
        let largest = track.states.iter().map(|state| body.energy(state).abs()).fold(0.0, f64::max);
        largest.max(body.mass * (body.gravity_norm() * scenario.step).powi(2))
    });
    let largest = largest.fold(0.0, f64::max);
    let gain = entry.merit.metrics.max_energy_gain();
    if gain <= NEGLIGIBLE_SHARE * largest {
        return None;
    }
    let gain = quantity(gain, "J");
    let created = max_energy_created(&entry.trajectory);
    let unknown = work_of_walls_is_unknown(&entry.trajectory);
    let pushes = if scenario.pushes.is_empty() { "nothing explains" } else { "the push does not explain" };
    let stores_energy = entry.trajectory.stepper.descriptor().capabilities.law.stores_energy() && !unknown;
    Some(match stores_energy {
        // What is compressed at the start has energy that no state tells.
        true if created > NEGLIGIBLE_SHARE * largest && starts_apart(&entry.trajectory) => {
            let explained = if scenario.pushes.is_empty() { "" } else { " and the push explains" };
            format!(
                "Creates energy: up to {} more than there was at the start{explained}, up to {gain} of it in a step.",
                quantity(created, "J")
            )
        }
        true if gains_in_contact(&entry.trajectory) => {
            let giver = if scenario.layout().is_point() { "The ground" } else { "A contact" };
            format!("{giver} gives back up to {gain} in a step, of what its compression had stored.")
        }
        _ if unknown => format!(
            "Gains up to {gain} in a step that {pushes}; the work of the moving walls is in it, since the contacts are \
             not told apart."
        ),
        _ => format!("Gains up to {gain} in a step that {pushes}."),
    })
}

/// Whether walls move, and no contact tells what force they do it with.
fn work_of_walls_is_unknown<const D: usize>(trajectory: &Trajectory<D>) -> bool {
    let moves = trajectory.scenario.walls.iter().any(|wall| wall.velocity != [0.0; 2]);
    moves && trajectory.contacts.is_empty()
}

/// Whether something touches in the step in which all bodies together gain most energy.
fn gains_in_contact<const D: usize>(trajectory: &Trajectory<D>) -> bool {
    let tracks: Vec<_> = trajectory.tracks().collect();
    step_of_max_energy_gain(trajectory).is_some_and(|k| Touching::All.doing(&tracks, k) != Doing::Open)
}

/// Whether nothing overlaps at the start.
fn starts_apart<const D: usize>(trajectory: &Trajectory<D>) -> bool {
    if trajectory.scenario.layout().is_point() {
        return trajectory.scenario.initial_state(0).height() >= 0.0;
    }
    trajectory.contacts.of_step(0).iter().all(|contact| contact.gap >= 0.0)
}

fn force<const D: usize>(track: Track<'_, D>, entry: &Entry<D>) -> Option<String> {
    /// A weight below this share of the normal force has no part in it.
    const WEIGHTLESS: f64 = 1e-3;
    let body = track.point();
    let weight = body.mass * body.gravity_norm();
    let pressing = track.steps.iter().map(|step| step.force[D - 1]).filter(|force| *force > 0.0);
    let (sum, count) = pressing.fold((0.0, 0_u32), |(sum, count), force| (sum + force, count + 1));
    let mean = sum / f64::from(count.max(1));
    let (scale, of) =
        if weight > WEIGHTLESS * mean { (weight, "weight") } else { (mean, "mean normal force") };
    let mut faults = Vec::new();
    let noise = entry.merit.metrics.force_noise()?;
    if noise > 1e-4 * scale {
        faults.push(format!(
            "its normal force has a noise of {} in sustained contact, {} of the {of}",
            quantity(noise, "N"),
            percent(noise / scale)
        ));
    }
    let violation = entry.merit.max_cone_violation?;
    let strongest = track.steps.iter().map(|step| step.force[D - 1]).fold(weight, f64::max);
    if violation > NEGLIGIBLE_SHARE * strongest {
        faults.push(format!("its force leaves the friction cone by up to {}", quantity(violation, "N")));
    }
    if faults.is_empty() { None } else { Some(capitalised(&faults.join("; and ")) + ".") }
}

fn iterations<const D: usize>(entry: &Entry<D>) -> Option<String> {
    let merit = &entry.merit;
    let median = counted(merit.iterations_median as usize, "iteration");
    (merit.iterations_max > 0).then(|| format!("A step takes {median}, at most {}.", merit.iterations_max))
}

fn percent(value: f64) -> String {
    format!("{} %", significant(100.0 * value))
}

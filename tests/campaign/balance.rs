//! Newton's second law over a step, with what rods and springs add to the recorded contact forces.

use nalgebra::{DMatrix, DVector};
use stickslip::{
    model::{Attitude, State, Vector},
    scenario::{Ends, Inertia, Partner, Scenario},
    stepper::{Contact, StepperName},
    trajectory::Passage,
};

/// Relative error that a sum of impulses may have.
const BY_ROUNDING: f64 = 1e-7;
/// What the iterations of `convex` leave of the largest momentum in a world of several bodies, which end on a residual
/// of all of them together: of momenta over the roots of masses, so that more of it may be left to a heavy body.
const BY_ITERATION: f64 = 1e-6;

/// The proximal term of the impulses along links, of columns of length one, and how often it is moved along.
const PROXIMAL: f64 = 1e-12;
const PROXIMAL_STEPS: usize = 12;

/// One component of the momentum of a body: what of its change the records leave unexplained, and what rounding
/// of it is relative to.
struct Row {
    body: usize,
    /// The mass in kg, or the moment of inertia in kg m^2.
    inertia: f64,
    unit: &'static str,
    off: f64,
    scale: f64,
}

/// `m (v+ - v) = dt (F + U + m g)` of every body that moves, in the plane that of rotation too, where some impulse
/// along each rod and each spring, as they are at the start of the step, and any in a joint may be added to the sums: it is not
/// recorded.
/// What of it does not hold, in words.
pub fn fault<const D: usize>(
    scenario: &Scenario<D>,
    stepper: StepperName,
    passage: &Passage<'_, D>,
) -> Option<String> {
    let moving = |body: &usize| !scenario.bodies[*body].fixed;
    let rows: Vec<Row> =
        (0..scenario.bodies.len()).filter(moving).flat_map(|body| rows_of(scenario, passage, body)).collect();
    let links = reactions(scenario, passage);
    let joined = along_links(&rows, &links);
    let is_iterated = stepper == StepperName::CONVEX && scenario.bodies.len() > 1;
    let largest = rows.iter().map(|row| row.scale).fold(0.0, f64::max);
    let all = rows.iter().map(|row| row.scale.powi(2) / row.inertia).sum::<f64>().sqrt();
    let iterated = |row: &Row| match is_iterated {
        true => BY_ITERATION * largest.max(all * row.inertia.sqrt()),
        false => 0.0,
    };
    // A link holds its length to the rounding of the places of its ends, whichever of its bodies that shows in.
    let linked = links.iter().flat_map(|link| link.iter().map(|(body, _)| *body)).filter(moving);
    let rounding = |body: usize| {
        let speed = f64::EPSILON * passage.states[0][body].position.amax() / scenario.step;
        16.0 * speed * scenario.bodies[body].mass
    };
    let rounded = linked.map(rounding).fold(0.0, f64::max);
    // What touches a belt is reckoned against its speed, and keeps the rounding of that when it rests.
    let belt = scenario.walls.iter().map(|wall| wall.velocity[0].hypot(wall.velocity[1])).fold(0.0, f64::max);
    let of_belt = |row: &Row| 16.0 * f64::EPSILON * belt * row.inertia.max(scenario.bodies[row.body].mass);
    rows.iter().zip(joined).find_map(|(row, (off, joined))| {
        let scale = row.scale + joined;
        let Row { body, unit, .. } = row;
        // The squares of sizes below this are zero, and so are scales made of them.
        let vanishing = f64::MIN_POSITIVE.sqrt();
        (off.is_nan() || off.abs() > BY_ROUNDING * scale + rounded + of_belt(row) + iterated(row) + vanishing)
            .then(|| format!("{:e} {unit} of body {body} come from nowhere, of {scale:e} {unit}", off.abs()))
    })
}

fn rows_of<const D: usize>(scenario: &Scenario<D>, passage: &Passage<'_, D>, index: usize) -> Vec<Row> {
    let (dt, body) = (scenario.step, &scenario.bodies[index]);
    let [before, after] = passage.states.map(|states| states[index].velocity);
    let record = &passage.records[index];
    let weight = scenario.point(index).gravity * body.mass;
    let off = (after - before) * body.mass - (record.force + record.push + weight) * dt;
    // What squeezes a light body from two sides cancels in the sum of its forces, and its rounding does not.
    let touches = |contact: &&Contact<D>| contact.first == index || contact.second == Partner::Body(index);
    let squeezes: f64 = passage.contacts.iter().filter(touches).map(|contact| contact.force.norm()).sum();
    let scale = body.mass * (before.norm() + after.norm())
        + dt * (record.force.norm().max(squeezes) + record.push.norm() + weight.norm());
    let mut rows: Vec<Row> =
        off.iter().map(|&off| Row { body: index, inertia: body.mass, unit: "N s", off, scale }).collect();
    let turning = [0, 1].map(|time| passage.attitudes[time].get(index));
    if let ([Some(before), Some(after)], Some(Inertia::Plane(moment))) = (turning, body.moment_of_inertia()) {
        let torque = passage.torques[index][0] + passage.push_torques[index][0];
        let off = moment * (after.spin[0] - before.spin[0]) - dt * torque;
        let reach = (moment / body.mass).sqrt();
        let scale = moment * (before.spin[0].abs() + after.spin[0].abs()) + scale * reach + dt * torque.abs();
        rows.push(Row { body: index, inertia: moment, unit: "N m s", off, scale });
    }
    rows
}

/// What a unit impulse between two bodies, or between one and the world, does to each of them.
type Reaction = Vec<(usize, Vec<f64>)>;

/// The impulses that rods, springs and joints may add, of which there is no record: along each rod and spring, and at each joint
/// of any direction and, in the plane, any moment.
fn reactions<const D: usize>(scenario: &Scenario<D>, passage: &Passage<'_, D>) -> Vec<Reaction> {
    let rods = scenario.rods.iter().map(|rod| rod.ends);
    let springs = scenario.springs.iter().map(|spring| spring.ends);
    let mut all: Vec<Reaction> = rods
        .chain(springs)
        .map(|ends| {
            let of_end = |end: usize, sign: f64| {
                let wrench = wrench(&ends, end, passage.states[0], passage.attitudes[0]);
                (ends.bodies[end], wrench.into_iter().map(|part| sign * part).collect())
            };
            vec![of_end(0, 1.0), of_end(1, -1.0)]
        })
        .collect();
    let turns = D == 2 && !passage.attitudes[0].is_empty();
    for joint in &scenario.joints {
        let bodies = || joint.bodies.into_iter().zip([1.0, -1.0]);
        // A moment about one place for both, so that any place does.
        let Some(place) = joint.bodies.into_iter().flatten().next() else { continue };
        let place = passage.states[0][place].position;
        for axis in 0..D {
            let of_body = |(body, sign): (Option<usize>, f64)| {
                let body = body?;
                let mut wrench = vec![0.0; D];
                wrench[axis] = sign;
                if turns {
                    let arm = place - passage.states[0][body].position;
                    wrench.push(sign * if axis == 0 { -arm[1] } else { arm[0] });
                }
                Some((body, wrench))
            };
            all.push(bodies().filter_map(of_body).collect());
        }
        if turns {
            let of_body = |(body, sign): (Option<usize>, f64)| Some((body?, vec![0.0, 0.0, sign]));
            all.push(bodies().filter_map(of_body).collect());
        }
    }
    all
}

/// Of each row what impulses along the links leave of it, at best, and the sum of what they add to it.
fn along_links(rows: &[Row], links: &[Reaction]) -> Vec<(f64, f64)> {
    let largest = rows.iter().map(|row| row.scale).fold(0.0, f64::max);
    let is_measurable = largest > f64::MIN_POSITIVE.sqrt()
        && rows.iter().all(|row| row.off.is_finite() && row.scale.is_finite());
    if links.is_empty() || !is_measurable {
        return rows.iter().map(|row| (row.off, 0.0)).collect();
    }
    // Rows are weighed by what they are relative to, but that of a body at rest is relative to nothing.
    let weight = |row: &Row| row.scale.max(1e-6 * largest);
    let mut columns = DMatrix::zeros(rows.len(), links.len());
    for (link, reaction) in links.iter().enumerate() {
        for (body, wrench) in reaction {
            let of_body = rows.iter().enumerate().filter(|(_, row)| row.body == *body);
            for ((index, row), part) in of_body.zip(wrench) {
                columns[(index, link)] = part / weight(row);
            }
        }
        let length = columns.column(link).norm();
        if length > 0.0 {
            columns.column_mut(link).unscale_mut(length);
        }
    }
    let scaled = DVector::from_iterator(rows.len(), rows.iter().map(|row| row.off / weight(row)));
    let decomposed = columns.clone().svd(true, true);
    let mut impulses = DVector::zeros(links.len());
    let mut left = scaled;
    // What a decomposition with small errors leaves is solved for again.
    for _ in 0..3 {
        let more = decomposed.solve(&left, 1e-12).expect("both sides were asked for");
        left -= &columns * &more;
        impulses += more;
    }
    // Links of which one does what others do can leave its small values to rounding. Going to the point nearest to the impulses
    // before, again and again, takes what it leaves of the others.
    let normal = columns.tr_mul(&columns) + DMatrix::identity(links.len(), links.len()) * PROXIMAL;
    if let Some(factors) = normal.cholesky() {
        for _ in 0..PROXIMAL_STEPS {
            let more = factors.solve(&columns.tr_mul(&left));
            left -= &columns * &more;
            impulses += more;
        }
    }
    let added = columns.abs() * impulses.abs();
    let of_rows = rows.iter().zip(left.iter().zip(&added));
    of_rows.map(|(row, (left, added))| (left * weight(row), added * weight(row))).collect()
}

/// Where the ends of a link are in m.
pub fn places<const D: usize>(ends: &Ends<D>, states: &[State<D>], attitudes: &[Attitude]) -> [Vector<D>; 2] {
    [0, 1].map(|end| {
        let (body, point) = (ends.bodies[end], &ends.points[end]);
        let arm = attitudes.get(body).map_or(*point, |attitude| attitude.orientation.turn(point));
        states[body].position + arm
    })
}

/// What a unit impulse along a link does to the body at one of its ends: by components, in the plane with the
/// moment about the centre of mass.
fn wrench<const D: usize>(
    ends: &Ends<D>,
    end: usize,
    states: &[State<D>],
    attitudes: &[Attitude],
) -> Vec<f64> {
    let [first, second] = places(ends, states, attitudes);
    let line = first - second;
    let distance = line.norm();
    let up = Vector::<D>::from_fn(|axis, _| f64::from(axis == D - 1));
    let along = if distance > 0.0 { line / distance } else { up };
    let mut wrench: Vec<f64> = along.iter().copied().collect();
    if D == 2 && !attitudes.is_empty() {
        let arm = [first, second][end] - states[ends.bodies[end]].position;
        wrench.push(arm[0] * along[1] - arm[1] * along[0]);
    }
    wrench
}

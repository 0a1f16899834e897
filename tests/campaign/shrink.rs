//! The smallest world that still shows a fault.

use stickslip::scenario::{Ends, Partner, Scenario};

/// `scenario` with everything taken away and made simple without which it still `shows` the fault.
pub fn shrunk<const D: usize>(
    mut scenario: Scenario<D>,
    shows: impl Fn(&Scenario<D>) -> bool,
) -> Scenario<D> {
    /// Simpler worlds that are tried in all.
    const MOST: usize = 300;
    let mut tried = 0;
    loop {
        let simpler = simpler(&scenario).into_iter().find(|candidate| {
            tried += 1;
            candidate != &scenario && tried <= MOST && candidate.check().is_ok() && shows(candidate)
        });
        match simpler {
            Some(candidate) => scenario = candidate,
            None => return scenario,
        }
    }
}

fn simpler<const D: usize>(scenario: &Scenario<D>) -> Vec<Scenario<D>> {
    let mut all = Vec::new();
    let mut change = |edit: &dyn Fn(&mut Scenario<D>)| {
        let mut candidate = scenario.clone();
        edit(&mut candidate);
        all.push(candidate);
    };
    if scenario.duration > 1.5 * scenario.step {
        change(&|s| s.duration = s.step * (0.5 * s.duration / s.step).round());
        change(&|s| s.duration -= s.step);
    }
    for index in 0..scenario.pushes.len() {
        change(&|s| drop(s.pushes.remove(index)));
        change(&|s| s.pushes[index].frequency = None);
        change(&|s| (s.pushes[index].from, s.pushes[index].to) = (None, None));
    }
    if scenario.bodies.len() > 1 {
        for index in 0..scenario.bodies.len() {
            change(&|s| remove_body(s, index));
        }
    }
    for index in 0..scenario.rods.len() {
        change(&|s| _ = s.rods.remove(index));
        change(&|s| s.rods[index].ends = Ends::centres(s.rods[index].ends.bodies));
        change(&|s| s.rods[index].length = None);
    }
    for index in 0..scenario.springs.len() {
        change(&|s| _ = s.springs.remove(index));
        change(&|s| s.springs[index].ends = Ends::centres(s.springs[index].ends.bodies));
        change(&|s| s.springs[index].length = None);
        change(&|s| s.springs[index].damping = 0.0);
        change(&|s| s.springs[index].stiffness = rounded(s.springs[index].stiffness));
    }
    for index in 0..scenario.joints.len() {
        change(&|s| _ = s.joints.remove(index));
        change(&|s| s.joints[index].limits = None);
        change(&|s| s.joints[index].drive = None);
        change(&|s| s.joints[index].second = Default::default());
        change(&|s| (s.joints[index].stiffness, s.joints[index].rest) = (0.0, 0.0));
        change(&|s| s.joints[index].damping = 0.0);
        change(&|s| s.joints[index].friction = 0.0);
        change(&|s| s.joints[index].armature = 0.0);
        change(&|s| s.joints[index].restitution = 0.0);
    }
    for index in 0..scenario.walls.len() {
        if scenario.pairs.iter().all(|pair| !matches!(pair.second, Partner::Wall(_))) {
            change(&|s| _ = s.walls.remove(index));
        }
        change(&|s| s.walls[index].velocity = [0.0; 2]);
        change(&|s| (s.walls[index].friction, s.walls[index].restitution) = (None, None));
    }
    for index in 0..scenario.pairs.len() {
        change(&|s| _ = s.pairs.remove(index));
    }
    change(&|s| s.ground.restitution = 0.0);
    change(&|s| s.ground.slope = 0.0);
    change(&|s| s.ground.friction = rounded(s.ground.friction));
    for index in 0..scenario.bodies.len() {
        change(&|s| s.bodies[index].mass = 1.0);
        change(&|s| s.bodies[index].spin = Default::default());
        for axis in 0..D {
            change(&|s| s.bodies[index].velocity[axis] = 0.0);
            change(&|s| s.bodies[index].velocity[axis] = rounded(s.bodies[index].velocity[axis]));
            change(&|s| s.bodies[index].position[axis] = 0.0);
            change(&|s| s.bodies[index].position[axis] = rounded(s.bodies[index].position[axis]));
        }
    }
    all
}

/// Takes a body away with all that is about it; the numbers of those after it move up.
fn remove_body<const D: usize>(scenario: &mut Scenario<D>, index: usize) {
    let renumbered = |body: usize| if body > index { body - 1 } else { body };
    drop(scenario.bodies.remove(index));
    scenario.pushes.retain(|push| push.body != Some(index));
    scenario.pushes.iter_mut().for_each(|push| push.body = push.body.map(renumbered));
    scenario.rods.retain(|rod| !rod.ends.bodies.contains(&index));
    scenario.rods.iter_mut().for_each(|rod| rod.ends.bodies = rod.ends.bodies.map(renumbered));
    scenario.springs.retain(|spring| !spring.ends.bodies.contains(&index));
    scenario.springs.iter_mut().for_each(|spring| spring.ends.bodies = spring.ends.bodies.map(renumbered));
    scenario.joints.retain(|joint| !joint.bodies.contains(&Some(index)));
    scenario.joints.iter_mut().for_each(|joint| joint.bodies = joint.bodies.map(|body| body.map(renumbered)));
    scenario.pairs.retain(|pair| pair.first != index && pair.second != Partner::Body(index));
    for pair in &mut scenario.pairs {
        pair.first = renumbered(pair.first);
        if let Partner::Body(other) = &mut pair.second {
            *other = renumbered(*other);
        }
    }
}

/// A number with one digit.
fn rounded(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let unit = 10_f64.powf(value.abs().log10().floor());
    (value / unit).round() * unit
}

//! The smallest world that still shows a fault.

use stickslip::scenario::Scenario;

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
    if scenario.bodies.len() > 1 && scenario.pushes.iter().all(|push| push.body.is_none()) {
        for index in 0..scenario.bodies.len() {
            change(&|s| drop(s.bodies.remove(index)));
        }
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

/// A number with one digit.
fn rounded(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let unit = 10_f64.powf(value.abs().log10().floor());
    (value / unit).round() * unit
}

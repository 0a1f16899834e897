//! Two worlds that differ in what must make no difference, or a known one.

use nalgebra::Rotation2;
use stickslip::{
    model::{State, Vector},
    scenario::{Body, Scenario},
    stepper::{BuildStepper, StepperName},
    trajectory::{Ending, Trajectory},
};

use crate::{invariants::distance, worlds::run};

/// How well two motions agree whose steps are solved to a tolerance, and those found by finitely many operations.
const BY_TOLERANCE: f64 = 1e-4;
const BY_ROUNDING: f64 = 1e-7;

/// A change of a scenario, and what becomes of its states.
struct Change<const D: usize> {
    name: &'static str,
    scenario: Scenario<D>,
    map: Box<dyn Fn(&State<D>) -> State<D>>,
}

pub fn faults<const D: usize>(trajectory: &Trajectory<D>) -> Vec<(&'static str, String)>
where
    Scenario<D>: BuildStepper<D>,
{
    let scenario = &trajectory.scenario;
    let name = trajectory.stepper;
    let mut faults = Vec::new();
    // The program as published has a tolerance and a smoothing in units of its own.
    if scenario.is_single_point() && name != StepperName::NlpSeed {
        let allowed = match name {
            StepperName::NlpRelaxed | StepperName::LcpFixedPoint | StepperName::Cone => BY_TOLERANCE,
            _ => BY_ROUNDING,
        };
        for Change { name: change, scenario, map } in changes(scenario, name) {
            match run(&scenario, name) {
                Some(changed) if changed.ending == Ending::Complete => {
                    let off = distance(trajectory, &changed, map);
                    if off > allowed {
                        faults.push((change, format!("the motions differ by {off:e} of their size")));
                    }
                }
                Some(_) => faults.push((change, "the changed world is not solved".to_owned())),
                None => faults.push((change, "the changed world is refused".to_owned())),
            }
        }
    } else if matches!(name, StepperName::NlpRelaxed | StepperName::LcpStewartTrinkle) {
        faults.extend(far_body(trajectory));
    }
    faults
}

fn changes<const D: usize>(scenario: &Scenario<D>, name: StepperName) -> Vec<Change<D>> {
    let mut changes = Vec::new();
    let body = &scenario.bodies[0];
    // The formulations of a block that slides one way know no other.
    if name != StepperName::LcpForward {
        let mut mirrored = scenario.clone();
        mirrored.bodies[0].position[0] *= -1.0;
        mirrored.bodies[0].velocity[0] *= -1.0;
        mirrored.ground.slope *= -1.0;
        mirrored.pushes.iter_mut().for_each(|push| push.force[0] *= -1.0);
        let flip = |v: &Vector<D>| Vector::<D>::from_fn(|i, _| if i == 0 { -v[i] } else { v[i] });
        changes.push(Change {
            name: "mirror",
            scenario: mirrored,
            map: Box::new(move |s| State { position: flip(&s.position), velocity: flip(&s.velocity) }),
        });
    }
    let mut moved = scenario.clone();
    moved.bodies[0].position[0] += 4.0;
    let shift = |s: &State<D>| {
        let mut position = s.position;
        position[0] += 4.0;
        State { position, ..*s }
    };
    changes.push(Change { name: "place", scenario: moved, map: Box::new(shift) });

    let mut heavier = scenario.clone();
    heavier.bodies[0].mass *= 1024.0;
    heavier.pushes.iter_mut().for_each(|push| push.force *= 1024.0);
    if body.mass * 1024.0 < 1e12 {
        changes.push(Change { name: "unit of mass", scenario: heavier, map: Box::new(|s| *s) });
    }
    let mut larger = scenario.clone();
    larger.gravity *= 4.0;
    larger.bodies[0].position *= 4.0;
    larger.bodies[0].velocity *= 4.0;
    larger.pushes.iter_mut().for_each(|push| push.force *= 4.0);
    let grow = |s: &State<D>| State { position: s.position * 4.0, velocity: s.velocity * 4.0 };
    // Where it only just slides, the sweeps of `cone` end on one side or the other.
    if name != StepperName::Cone {
        changes.push(Change { name: "unit of length", scenario: larger, map: Box::new(grow) });
    }
    // A polygon of friction has corners, which do not turn with the rest.
    if D == 3 && name != StepperName::LcpPolyhedral {
        let turn = Rotation2::new(0.7);
        let turned = move |v: &Vector<D>| {
            let across = turn * nalgebra::Vector2::new(v[0], v[1]);
            Vector::<D>::from_fn(|i, _| if i < 2 { across[i] } else { v[i] })
        };
        let mut around = scenario.clone();
        around.bodies[0].position = turned(&body.position);
        around.bodies[0].velocity = turned(&body.velocity);
        around.pushes.iter_mut().for_each(|push| push.force = turned(&push.force));
        changes.push(Change {
            name: "rotation about the vertical",
            scenario: around,
            map: Box::new(move |s| State { position: turned(&s.position), velocity: turned(&s.velocity) }),
        });
    }
    changes
}

/// A body far away, which changes nothing for the others where their motion is the only one.
fn far_body<const D: usize>(trajectory: &Trajectory<D>) -> Option<(&'static str, String)>
where
    Scenario<D>: BuildStepper<D>,
{
    let scenario = &trajectory.scenario;
    if scenario.bodies.len() > 1 {
        return None;
    }
    let mut joined = scenario.clone();
    let mut far = Body {
        velocity: Vector::zeros(),
        spin: Default::default(),
        name: None,
        ..scenario.bodies[0].clone()
    };
    far.position[0] += 1e3;
    far.position[D - 1] += 1e3;
    joined.bodies.push(far);
    let joined = run(&joined, trajectory.stepper)?;
    let off = distance(trajectory, &joined, |state| *state);
    (off > BY_TOLERANCE).then(|| ("far body", format!("the motions differ by {off:e} of their size")))
}

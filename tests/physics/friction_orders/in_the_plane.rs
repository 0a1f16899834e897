//! Belts, rods and discs in a vertical plane.

use stickslip::stepper::StepperName;

use super::{ALL, CREEPING, RIGID, Row, STEPPING, creeping, path, row, slides, stop, truth};
use crate::{
    GRAVITY,
    belt::{STIFFNESS, STRIBECK, belt, cycle},
    friction_laws::{angle_of, scenario},
    run,
};

/// A mass on a belt that sticks at first: period and half the range of its cycle, in steps of 1 ms to 12 ms and 2 %.
pub(super) fn dry_belt(
    models: &[StepperName],
    [at_rest, in_motion]: [f64; 2],
    [period, amplitude]: [f64; 2],
) -> Row {
    let name = if at_rest == 0.4 { "belt, 0.4 and 0.25" } else { "belt, 0.5 and 0.1" };
    let truths = vec![truth("T", period, 12e-3), truth("A", amplitude, 0.02 * amplitude)];
    row(name, models, truths, move |name, step| {
        let law = format!("friction = {at_rest}\nkinetic_friction = {in_motion}");
        let middle = in_motion * GRAVITY / STIFFNESS;
        cycle(&path(&belt(&law, 0.1, [0.0, 0.1], 6.0, step), name), middle, step).to_vec()
    })
}

/// The same under friction that falls with the slip and grows again.
fn stribeck_belt(
    name: &'static str,
    models: &[StepperName],
    speed: f64,
    [period, amplitude]: [f64; 2],
) -> Row {
    let truths = vec![truth("T", period, 6e-3), truth("A", amplitude, 0.02 * amplitude)];
    row(name, models, truths, move |name, step| {
        cycle(&path(&belt(STRIBECK, speed, [0.0, speed], 6.0, step), name), 0.0275, step).to_vec()
    })
}

/// A rod that falls on its foot: foot and tilt after 0.7 s.
fn rod(models: &[StepperName]) -> Row {
    let truths = vec![truth("x", 0.022_596, 1e-3), truth("tilt", 1.389_167, 5e-3)];
    row("rod on its foot", models, truths, |name, step| {
        let (length, tilt) = (1.0_f64, 0.2_f64);
        let text = format!(
            "name = \"rod\"\nduration = 0.7\nstep = {step}\n[[body]]\nshape = \"rod\"\nsize = {length}\n\
             mass = 1.0\nposition = [{}, {}]\nangle = {}\n[ground]\nfriction = 0.5\nkinetic_friction = 0.2\n",
            0.5 * length * tilt.sin(),
            0.5 * length * tilt.cos(),
            std::f64::consts::FRAC_PI_2 - tilt
        );
        let moved = run(&scenario(&text), name);
        let body = &moved.bodies[0];
        let last = body.states.len() - 1;
        let angle = angle_of(&body.attitudes[last]);
        let foot = body.states[last].position[0] - 0.5 * length * angle.cos();
        vec![foot, std::f64::consts::FRAC_PI_2 - angle]
    })
}

/// A disc that rolls out: when and where it stops.
fn disc() -> Row {
    let truths = vec![truth("t", 3.822_630, 2e-3), truth("x", 0.955_657, 1e-3)];
    row("disc rolls out", &ALL, truths, |name, step| {
        let text = format!(
            "name = \"disc\"\nduration = 4.0\nstep = {step}\n[[body]]\nshape = \"disc\"\nsize = 0.1\nmass = 1.0\n\
             position = [0.0, 0.1]\nvelocity = [0.5, 0.0]\nspin = -5.0\n[ground]\nfriction = 0.5\n\
             rolling_friction = 0.002\n"
        );
        stop(&path(&scenario(&text), name), step)
    })
}

/// Periods and amplitudes of the cycles on two coefficients.
pub(super) const DRY_CYCLES: [[f64; 2]; 2] = [[0.727_837, 0.017_791], [1.148_865, 0.040_494]];

pub(super) fn rows() -> Vec<Row> {
    let mut rows = vec![
        dry_belt(RIGID, [0.4, 0.25], DRY_CYCLES[0]),
        creeping(dry_belt(CREEPING, [0.4, 0.25], DRY_CYCLES[0])),
        dry_belt(RIGID, [0.5, 0.1], DRY_CYCLES[1]),
        creeping(dry_belt(CREEPING, [0.5, 0.1], DRY_CYCLES[1])),
        stribeck_belt("belt at 0.15 m/s, Stribeck", STEPPING, 0.15, [0.713_297, 0.024_837]),
        stribeck_belt("belt at 0.25 m/s, Stribeck", STEPPING, 0.25, [0.655_480, 0.031_954]),
    ];
    rows.extend(slides::rows());
    rows.extend([rod(&ALL), disc()]);
    rows
}

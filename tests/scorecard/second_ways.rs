//! The true value of every phenomenon, found in a second way.

use std::f64::consts::FRAC_PI_4;

use nalgebra::{Matrix2, Matrix2x3, Matrix3, SMatrix, SVector, Vector2, Vector3};
use stickslip::{
    model::State,
    scenario::{Body, Ground, Scenario},
    scorecard::{Outcome, Phenomenon, phenomena},
    simulate::simulate,
    stepper::{BuildStepper, StepperName},
    watch::Watch,
};

use crate::statics;

const GRAVITY: f64 = 9.81;

/// The measure of the motion by `stepper`.
fn by(phenomenon: &Phenomenon, stepper: StepperName, step: f64) -> f64 {
    match phenomenon.trial.run(stepper, step, None, &Watch::none()) {
        Some(Outcome::Measured(value)) => value,
        outcome => panic!("{} by {stepper}: {outcome:?}", phenomenon.name),
    }
}

/// The limit of a first-order time stepper: twice the value at half of the step less that at the step.
fn limit(phenomenon: &Phenomenon, step: f64) -> f64 {
    let value = |step| by(phenomenon, StepperName::LCP, step);
    2.0 * value(0.5 * step) - value(step)
}

/// The true value in another way than the phenomenon has it, and how far apart the two may be.
fn second_way(phenomenon: &Phenomenon) -> (f64, f64) {
    let exact = |step, tolerance| (by(phenomenon, StepperName::EXACT, step), tolerance);
    match phenomenon.name {
        // The event-driven motion, measured as every other.
        "stopping-distance" | "thrown-point" | "breaking-loose" | "reversal" | "box-down-slope" => {
            exact(1e-3, 1e-9)
        }
        "creep-on-slope" | "held-by-friction" | "fast-box" | "time-mirror" => exact(1e-3, 1e-12),
        "friction-cone" | "steady-load" => exact(1e-3, 1e-9),
        "backspin-speed" | "rolling-back" | "rolling-down" | "slipping-down" => exact(1e-3, 1e-8),
        "backspin-time" => exact(1e-3, 2e-3),
        "rebound-height" | "elastic-energy" => exact(1e-3, 2e-6),
        "end-of-bouncing" => exact(1e-4, 1e-4),
        "bounce-gradient" => exact(1e-3, 1e-6),
        "tipping-threshold" => exact(1e-3, 1e-12),
        "rocking" => exact(1e-4, 1e-6),
        // Events between phases against a time stepper that knows none.
        "tipping-while-sliding" | "falling-rod" => (limit(phenomenon, 2e-4), 2e-4),
        "painleve-rod" | "painleve-box" => (limit(phenomenon, 1e-4), 1e-4),
        "tipping-in-space" => (limit(phenomenon, 5e-4), 5e-4),
        "tipping-on-slope" => (pendulum_on_slope(), 1e-6),
        "front-load" => (load_of_two_corners(), 1e-12),
        "tilting-plane" => (angle_of_slope_that_slides(), 1e-3),
        "turntable" => (speed_of_a_circle(), 1e-6),
        "two-conveyors" => (turning_without_torque(), 1e-5),
        "disc-spin-down" => (disc_of_even_pressure(), 1e-5),
        // Three forces of a sixth of a turn to each other, and a stepper whose friction has no directions.
        "breakaway-moment" => (by(phenomenon, StepperName::CONE, 1e-3), 1e-9),
        "unstable-axis" => (flips_of_a_slab(), 1e-6),
        "spinning-top" => (precession_step_by_step(), 1e-3),
        "flush-boxes" => (stopping_from(3.0, 0.2, 2.0), 1e-9),
        "raised-edge" => (spin_by_two_impulses(), 1e-12),
        "oblique-hit" => (direction_by_impulse(), 1e-9),
        "thin-plate" => (by(phenomenon, StepperName::CONE, 1e-3), 1e-6),
        "conveyor" => (0.8 + stopping_from(-1.0, 0.3, 0.8), 1e-9),
        // Seen from a frame at the speed that the plate reaches in the end, it comes to rest.
        "tablecloth" => (0.1 * GRAVITY * 0.3 * 0.3 + stopping_from(-0.1 * GRAVITY * 0.3, 0.1, 0.3), 1e-9),
        "belt-period" => (stick_slip(0.4, 0.25, 100.0, 0.1)[0], 1e-4),
        "belt-amplitude" => (stick_slip(0.4, 0.25, 100.0, 0.1)[1], 1e-5),
        "static-angle" => (1.0, 1e-12),
        "kinetic-impact" => (by(phenomenon, StepperName::LCP, 1e-3), 1e-9),
        "kinetic-slide" | "break-away" => (limit(phenomenon, 1e-3), 1e-3),
        "stop-uphill" | "short-push" | "stribeck-stop" | "viscous-stop" => (limit(phenomenon, 2e-4), 5e-4),
        "rod-on-foot" => (limit(phenomenon, 2e-4), 5e-4),
        "ball-row" => (row_of_discs([1.0, 0.0, 0.0, 0.0])[3], 1e-12),
        "two-strike-three" => (row_of_discs([1.0, 1.0, 0.0, 0.0, 0.0])[2], 1e-12),
        "corner-shot" => (1.0, 1e-12),
        "smooth-rod" => (spin_by_impulse_and_momentum(), 1e-12),
        "slip-reversal" => (rod_on_spring(0.7, [1.0, -2.0], (0.3, 0.0)).x, 2e-3),
        "stopped-slip" => (rod_on_spring(FRAC_PI_4, [0.3, -1.0], (0.8, 0.5)).x, 2e-3),
        "painleve-impact" => (rod_on_spring(1.1, [-1.0, -0.5], (2.0, 0.5)).y, 2e-3),
        "frictional-energy" => (energy_gained_by_rod(0.7, [0.5, -1.0], (0.5, 1.0)).max(0.0), 1e-3),
        "kane-pendulum" => (pendulum_on_spring(), 2e-3),
        "ball-with-side-spin" => (by(phenomenon, StepperName::CONE, 1e-3), 1e-6),
        // Time steppers, which know neither elliptic integrals nor minimal coordinates.
        "pendulum-period" | "rubbing-door" => (limit(phenomenon, 1e-3), 1e-3),
        "double-pendulum" => (limit(phenomenon, 2e-4), 1e-3),
        "driven-fingers" => (by(phenomenon, StepperName::CONE, 1e-3), 1e-9),
        "ladder" => (statics::ladder(0.3), 1e-6),
        "arch" => (statics::arch(6, 0.15), 1e-5),
        "card-house" => (statics::card_house(), 1e-6),
        "grasp" => (statics::grasp(0.4), 1e-6),
        // What rolls out loses its energy to the moment rho m g along its way over the radius.
        "disc-rolls-out" => (0.75 * 0.5 * 0.5 / (0.002 * GRAVITY / 0.1), 1e-12),
        "ball-rolls-out" => (0.7 * 0.5 * 0.5 / (0.002 * GRAVITY / 0.1), 1e-12),
        "slide-then-roll" => (sliding_until_it_rolls(), 1e-4),
        "drilling-stop" => (by(phenomenon, StepperName::CONE, 1e-3), 2e-3),
        "rolling-threshold" | "drilling-threshold" => (by(phenomenon, StepperName::CONE, 1e-3), 1e-9),
        "drilling-slide" => (sliding_and_drilling()[0], 1e-3),
        "friction-circle" => (sliding_and_drilling()[1], 1e-6),
        "groove-threshold" => (mechanism_in_a_groove(), 1e-8),
        // A time stepper of another kind than what the formulas assume.
        "slide-direction" => (by(phenomenon, StepperName::CONE, 1e-3), 1e-6),
        "diagonal-stop" | "ball-backspin" => (limit(phenomenon, 1e-3), 1e-4),
        "ball-rolls" | "spin-down" => (limit(phenomenon, 2e-4), 1e-3),
        // Nothing moves, nothing enters: the definition of a rigid body at rest.
        "landing-depth" | "stack" | "overlap" | "near-miss" => (0.0, 1e-12),
        name => panic!("{name} has no second way"),
    }
}

#[test]
fn every_truth_is_found_in_a_second_way() {
    for phenomenon in phenomena() {
        let (value, tolerance) = second_way(&phenomenon);
        let apart = (value - phenomenon.truth).abs();
        assert!(apart <= tolerance, "{}: {value} instead of {}", phenomenon.name, phenomenon.truth);
    }
}

/// Spin of the crate whose lower corner is stopped by an edge of 0.1 mm and by the floor at once: the impulses of both that
/// leave their points at rest along their normals.
fn spin_by_two_impulses() -> f64 {
    let inertia = (0.3 * 0.3 + 0.2 * 0.2) / 12.0;
    // Torque per impulse of the edge, which pushes back, and of the floor, which pushes up.
    let arms = Vector2::new(-(0.1 - 1e-4), 0.15);
    let response = Matrix2::identity() + arms * arms.transpose() / inertia;
    let impulses = response.try_inverse().expect("regular") * Vector2::new(3.0, 0.0);
    arms.dot(&impulses) / inertia
}

/// Direction in degrees of a ball that is hit along a line of centres at 30 degrees and dragged by sliding friction.
fn direction_by_impulse() -> f64 {
    let centres = Vector2::new(0.75_f64.sqrt(), 0.5);
    let slips = Vector2::new(1.0, 0.0) - centres * centres.x;
    let impulse = centres + slips.normalize() * 0.06;
    impulse.y.atan2(impulse.x).to_degrees()
}

/// Angle in rad by which a top precesses in 1 s: Lagrange's equations for tilt and angle, with both momenta kept.
fn precession_step_by_step() -> f64 {
    let (length, across, along, spin, start) = (0.1, 0.004, 0.002, 150.0, 40_f64.to_radians());
    let about_pin = across + length * length;
    let rate: f64 = {
        let (a, b, c) = (about_pin * start.cos(), along * spin, GRAVITY * length);
        (b - (b * b - 4.0 * a * c).sqrt()) / (2.0 * a)
    };
    let upright = about_pin * rate * start.sin().powi(2) + along * spin * start.cos();
    let precesses = |tilt: f64| (upright - along * spin * tilt.cos()) / (about_pin * tilt.sin().powi(2));
    let (dt, mut tilt, mut nods, mut angle) = (1e-5, start, 0.0, 0.0);
    for _ in 0..100_000 {
        let rate = precesses(tilt);
        let torque = about_pin * rate * rate * tilt.sin() * tilt.cos() - along * spin * rate * tilt.sin()
            + GRAVITY * length * tilt.sin();
        nods += dt * torque / about_pin;
        tilt += dt * nods;
        angle += dt * rate;
    }
    angle
}

/// Period in s and amplitude in m of 1 kg on a spring that a belt drags, step by step: at the speed of the belt as long as
/// friction holds it, then by the velocity rule of Verlet until the belt has caught up.
fn stick_slip(at_rest: f64, in_motion: f64, stiffness: f64, belt: f64) -> [f64; 2] {
    let dt = 1e-6;
    let (mut x, mut v, mut sticks) = (0.0_f64, belt, true);
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    let mut releases = Vec::new();
    for k in 0..4_000_000 {
        if sticks {
            x += belt * dt;
            if stiffness * x >= at_rest * GRAVITY {
                sticks = false;
                releases.push(f64::from(k) * dt);
            }
        } else {
            let pull = |x: f64| in_motion * GRAVITY - stiffness * x;
            let before = pull(x);
            x += v * dt + 0.5 * before * dt * dt;
            v += 0.5 * (before + pull(x)) * dt;
            if v >= belt {
                (v, sticks) = (belt, true);
            }
        }
        if releases.len() > 1 {
            (low, high) = (low.min(x), high.max(x));
        }
    }
    let count = releases.len() - 1;
    [(releases[count] - releases[0]) / count as f64, 0.5 * (high - low)]
}

/// How far a ball of 0.1 m gets that is set on the ground at 1 m/s with friction 0.3 and a moment of 2 mm of its load, in steps
/// of a microsecond.
fn sliding_until_it_rolls() -> f64 {
    let (radius, friction, rolling, dt) = (0.1, 0.3, 0.002, 1e-6);
    let (mut x, mut v, mut w) = (0.0, 1.0, 0.0);
    while v > 0.0 {
        let slips = v - radius * w > 0.0;
        // Rolling, friction is what holds: it follows from v' = R w'.
        let force = if slips { friction * GRAVITY } else { 5.0 / 7.0 * rolling * GRAVITY / radius };
        v -= force * dt;
        w += 2.5 * (force * radius - rolling * GRAVITY) / (radius * radius) * dt;
        x += v * dt;
    }
    x
}

/// When a ball that slides at 1 m/s and spins at 20 rad/s has a thousandth of both left, and the slip after 0.15 s over the spin,
/// both as parts of those at the start: friction along the gradient of the ellipsoid, in steps of a microsecond.
fn sliding_and_drilling() -> [f64; 2] {
    let (radius, friction, dt) = (0.1, 0.3, 1e-6);
    let drilling = friction * radius * 1.4_f64.sqrt();
    let (mut slip, mut spin, mut steps, mut ratio) = (1.0_f64, 20.0_f64, 0, f64::NAN);
    while slip > 1e-3 || spin > 20e-3 {
        let size = (friction * slip).hypot(drilling * spin);
        slip -= 3.5 * GRAVITY * friction * friction * slip / size * dt;
        spin -= 2.5 / (radius * radius) * GRAVITY * drilling * drilling * spin / size * dt;
        steps += 1;
        if steps == 150_000 {
            ratio = slip / (spin / 20.0);
        }
    }
    [f64::from(steps) * dt, ratio]
}

/// The least push in N that moves a ball along a groove of a right angle: what the ways of moving dissipate for a speed of 1 m/s,
/// which slide and turn by a spin `w` about the level axis across.
fn mechanism_in_a_groove() -> f64 {
    let (radius, friction, drilling, rolling) = (0.1, 0.5, 0.005, 0.002);
    let part = 0.5_f64.sqrt();
    let dissipated = |w: f64| {
        let patch = (friction * (1.0 - w * radius * part)).hypot(drilling * w * part);
        2.0 * GRAVITY * part * (patch + rolling * w * part)
    };
    let (mut low, mut high) = (0.0, 30.0);
    for _ in 0..200 {
        let (first, second) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if dissipated(first) < dissipated(second) { high = second } else { low = first }
    }
    dissipated(0.5 * (low + high))
}

/// Where a point that starts at `speed` is after `duration`, by the event-driven motion.
fn stopping_from(speed: f64, friction: f64, duration: f64) -> f64 {
    let scenario = Scenario {
        duration,
        bodies: vec![Body::point(1.0, [0.0, 0.0], [speed, 0.0])],
        ground: Ground { friction, ..Ground::default() },
        ..Scenario::new("seen-from-the-belt")
    };
    let mut stepper = scenario.stepper(StepperName::EXACT).unwrap();
    let State { position, .. } = simulate(&scenario, stepper.as_mut()).final_state(0);
    position[0]
}

/// The tipping pendulum by quarter steps of Runge and Kutta.
fn pendulum_on_slope() -> f64 {
    let (width, height) = (0.4_f64, 1.0_f64);
    let arm = 0.5 * width.hypot(height);
    let rate = GRAVITY * arm / ((width * width + height * height) / 12.0 + arm * arm);
    let start = 30_f64.to_radians() - (width / height).atan();
    let slope = |state: Vector2<f64>| Vector2::new(state.y, rate * state.x.sin());
    let (mut state, steps) = (Vector2::new(start, 0.0), 2000);
    let dt = 0.5 / f64::from(steps);
    for _ in 0..steps {
        let first = slope(state);
        let second = slope(state + first * (0.5 * dt));
        let third = slope(state + second * (0.5 * dt));
        let fourth = slope(state + third * dt);
        state += (first + 2.0 * second + 2.0 * third + fourth) * (dt / 6.0);
    }
    state.x - start
}

/// `w^2 r/(mu g)` at which the acceleration of a point on a circle, a second difference of its places, is mu g.
fn speed_of_a_circle() -> f64 {
    let (radius, limit, dt) = (0.5, 0.3 * GRAVITY, 1e-5);
    let acceleration = |speed: f64| {
        let at = |time: f64| Vector2::new((speed * time).cos(), (speed * time).sin()) * radius;
        (at(dt) - 2.0 * at(0.0) + at(-dt)).norm() / (dt * dt)
    };
    let (mut low, mut high) = (0.1_f64, 10.0_f64);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if acceleration(middle) > limit { high = middle } else { low = middle }
    }
    low * low * radius / limit
}

/// The spin at which friction at eight points, two at each corner, has no torque, by bisection.
fn turning_without_torque() -> f64 {
    let torque = |spin: f64| -> f64 {
        let points = [-0.1, 0.1].iter().flat_map(|&x| [-0.2, -0.199, 0.199, 0.2].map(|y| Vector2::new(x, y)));
        points
            .map(|point: Vector2<f64>| {
                let slip = Vector2::new(-spin * point.y + 0.02 * point.y.signum(), spin * point.x);
                point.perp(&(-slip.normalize()))
            })
            .sum()
    };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if torque(middle) > 0.0 { low = middle } else { high = middle }
    }
    low
}

/// How long friction under even pressure takes to stop the lumps of the disc: its torque as a sum over thin rings.
fn disc_of_even_pressure() -> f64 {
    let (radius, spin, friction, count) = (0.1, 12.0, 0.4, 100_000);
    // Of each half of the area the mean distance from the axis, which is where its lumps are.
    let mut distances = [0.0; 2];
    for k in 0..count {
        let r = radius * (f64::from(k) + 0.5) / f64::from(count);
        // The share of the half that the thin ring has.
        let share = 2.0 * 2.0 * r / (radius * f64::from(count));
        distances[usize::from(r * r > 0.5 * radius * radius)] += share * r;
    }
    let torque = friction * GRAVITY * 0.5 * (distances[0] + distances[1]);
    let inertia = 0.5 * distances.iter().map(|distance| distance * distance).sum::<f64>();
    inertia * spin / torque
}

/// The time between two zeros of the spin about the middle axis, by Euler's equations and quarter steps of Runge and
/// Kutta.
fn flips_of_a_slab() -> f64 {
    let moments = Vector3::new(0.16 + 0.81, 0.01 + 0.81, 0.01 + 0.16) / 12.0;
    let slope = |spin: Vector3<f64>| {
        let momentum = moments.component_mul(&spin);
        momentum.cross(&spin).component_div(&moments)
    };
    let (mut spin, dt, mut zeros) = (Vector3::new(0.05, 20.0, 0.05), 1e-4, Vec::new());
    for k in 0..17_000 {
        let first = slope(spin);
        let second = slope(spin + first * (0.5 * dt));
        let third = slope(spin + second * (0.5 * dt));
        let fourth = slope(spin + third * dt);
        let next = spin + (first + 2.0 * second + 2.0 * third + fourth) * (dt / 6.0);
        if spin.y * next.y <= 0.0 {
            zeros.push(dt * (f64::from(k) + spin.y / (spin.y - next.y)));
        }
        spin = next;
    }
    zeros[1] - zeros[0]
}

/// Forces of two sliding corners from the three equations of Newton and Euler: unknown front, rear, a.
fn load_of_two_corners() -> f64 {
    let (mass, side, friction) = (1.0, 0.4, 0.4);
    let equations = Matrix3::new(
        1.0,
        1.0,
        0.0, //
        -friction,
        -friction,
        -mass, //
        0.5 * side - friction * 0.5 * side,
        -0.5 * side - friction * 0.5 * side,
        0.0,
    );
    let forces = equations.lu().solve(&Vector3::new(mass * GRAVITY, 0.0, 0.0)).unwrap();
    forces.x / (mass * GRAVITY)
}

/// The angle between the steepest slope on which the exact motion rests and the next, a thousandth of a degree on.
fn angle_of_slope_that_slides() -> f64 {
    let slides = |slope: f64| {
        let scenario = Scenario::<2> {
            duration: 0.1,
            ground: Ground { friction: 1.0, slope, restitution: 0.0, ..Ground::default() },
            ..Scenario::new("slope")
        };
        let mut stepper = scenario.stepper(StepperName::EXACT).unwrap();
        simulate(&scenario, stepper.as_mut()).final_state(0).position[0] > 0.0
    };
    let first = (0..200).map(|k| 44.9 + 1e-3 * f64::from(k)).find(|slope| slides(*slope)).unwrap();
    first - 0.5e-3
}

/// Elastic impacts of equal discs in a row, each of which exchanges two speeds, until none comes closer to the next.
fn row_of_discs<const N: usize>(mut speeds: [f64; N]) -> [f64; N] {
    while let Some(pair) = (1..N).find(|&pair| speeds[pair - 1] > speeds[pair]) {
        speeds.swap(pair - 1, pair);
    }
    speeds
}

/// Unknown: speed of the centre, spin, impulse.
fn spin_by_impulse_and_momentum() -> f64 {
    let (angle, speed, restitution) = (0.7_f64, 3.0, 0.5);
    let arm = -0.5 * angle.cos();
    let equations = Matrix3::new(
        1.0,
        0.0,
        -1.0, //
        0.0,
        1.0 / 12.0,
        -arm, //
        1.0,
        arm,
        0.0,
    );
    let after = equations.lu().solve(&Vector3::new(-speed, 0.0, restitution * speed)).unwrap();
    -after.y
}

/// The impulse, along the ground and away from it, of what runs with `start` at its point of contact into a very stiff spring with
/// Coulomb friction; `inverse` is what that point does by an impulse. Unloading, the spring is stiffer, so that it gives back the
/// square of the coefficient of restitution of its work; without restitution it is followed until the approach has ended.
fn stiff_spring(
    inverse: &Matrix2<f64>,
    start: Vector2<f64>,
    (friction, restitution): (f64, f64),
) -> Vector2<f64> {
    let (mut slip, mut depth, mut impulse) = (start, 0.0, Vector2::zeros());
    let (stiffness, dt) = (1e8, 1e-8);
    let returned = restitution * restitution;
    let mut deepest = None;
    loop {
        depth -= slip.y * dt;
        let force = match deepest {
            None => stiffness * depth,
            Some(deepest) => stiffness / returned * (depth - deepest * (1.0 - returned)),
        };
        if force < 0.0 {
            return impulse;
        }
        let normal = force * dt;
        // Friction that would end the slip in this step, or as much as there is.
        let without = slip + inverse * Vector2::new(0.0, normal);
        let tangential = (-without.x / inverse[(0, 0)]).clamp(-friction * normal, friction * normal);
        let part = Vector2::new(tangential, normal);
        slip += inverse * part;
        impulse += part;
        if slip.y >= 0.0 {
            if restitution == 0.0 {
                return impulse;
            }
            deepest.get_or_insert(depth);
        }
    }
}

/// What the lower end of a rod of 1 m and 1 kg does by an impulse, along the ground and away from it.
fn end_of_rod(angle: f64) -> Matrix2<f64> {
    let (x, z) = (-0.5 * angle.cos(), -0.5 * angle.sin());
    Matrix2::new(1.0 + 12.0 * z * z, -12.0 * x * z, -12.0 * x * z, 1.0 + 12.0 * x * x)
}

fn rod_on_spring(angle: f64, velocity: [f64; 2], law: (f64, f64)) -> Vector2<f64> {
    stiff_spring(&end_of_rod(angle), Vector2::from(velocity), law)
}

/// The energy that the rod gains in the impact as a part of that before.
fn energy_gained_by_rod(angle: f64, velocity: [f64; 2], law: (f64, f64)) -> f64 {
    let start = Vector2::from(velocity);
    let impulse = rod_on_spring(angle, velocity, law);
    // The body itself starts with the velocity of its end, for it does not spin.
    let gained = 0.5 * impulse.dot(&(2.0 * start + end_of_rod(angle) * impulse));
    gained / (0.5 * start.norm_squared())
}

/// The part of its energy that a double pendulum of two rods of 1 m and 1 kg keeps whose end strikes a stiff spring: both rods by
/// their centres and angles, held together by what impulses in their hinges do.
fn pendulum_on_spring() -> f64 {
    let arms = [20.0_f64, 30.0].map(|degrees| {
        let (sin, cos) = degrees.to_radians().sin_cos();
        Vector2::new(0.5 * sin, -0.5 * cos)
    });
    // How fast a point at `arm` from the centre of a rod moves by (x', z', angle').
    let point = |rod: usize, arm: Vector2<f64>| {
        let mut rows = SMatrix::<f64, 2, 6>::zeros();
        rows.fixed_view_mut::<2, 3>(0, 3 * rod).copy_from(&Matrix2x3::new(1.0, 0.0, -arm.y, 0.0, 1.0, arm.x));
        rows
    };
    let mut hinges = SMatrix::<f64, 4, 6>::zeros();
    hinges.fixed_rows_mut::<2>(0).copy_from(&point(0, -arms[0]));
    hinges.fixed_rows_mut::<2>(2).copy_from(&(point(0, arms[0]) - point(1, -arms[1])));
    let light = SMatrix::<f64, 6, 6>::from_diagonal(&[1.0, 1.0, 12.0, 1.0, 1.0, 12.0].into());
    let in_hinges = (hinges * light * hinges.transpose()).try_inverse().expect("independent hinges");
    let responds = light - light * hinges.transpose() * in_hinges * hinges * light;
    let end = point(1, arms[1]);
    // Rates of -0.1 and -0.2 rad/s: each hinge moves as the rod over it has it.
    let across = |arm: Vector2<f64>, rate: f64| Vector2::new(-arm.y, arm.x) * rate;
    let (upper, lower) = (across(arms[0], -0.1), across(arms[1], -0.2));
    let centre = 2.0 * upper + lower;
    let before = SVector::<f64, 6>::from([upper.x, upper.y, -0.1, centre.x, centre.y, -0.2]);
    let impulse = stiff_spring(&(end * responds * end.transpose()), end * before, (0.5, 0.5));
    let after = before + responds * end.transpose() * impulse;
    let energy =
        |velocity: &SVector<f64, 6>| velocity.component_mul(&light.diagonal().map(f64::recip)).dot(velocity);
    energy(&after) / energy(&before)
}

//! What begins at once after an event: what is stopped slides, what does not bounce parts, what rolled slips. The time of
//! the event changes with the input, and with it how long bodies have been accelerated by what holds after it rather than
//! before: `dv = R dv_before + (a_after - R a_before) dt_i`.

use stickslip::{
    gradient::{DifferentiableModels, GradientRow, Input, Method, Quality},
    scenario::Scenario,
    stepper::StepperName,
};

use crate::{
    bodies::{plane, space},
    support::studied,
};

/// Those whose impacts are corrected.
const RIGID: [StepperName; 3] = [StepperName::NLP, StepperName::LCP, StepperName::CONE];

/// How far off a figure of the steps may be at 1 ms, relative to that of the motion.
const CLOSE: f64 = 0.01;

/// The raw and the corrected gradient of the result `of` with respect to `wrt` by one stepper.
fn rows<const D: usize>(scenario: &Scenario<D>, stepper: StepperName, of: &str, wrt: &str) -> [GradientRow; 2]
where
    Scenario<D>: DifferentiableModels<D>,
{
    let inputs = [wrt.parse::<Input>().unwrap()];
    let methods = [Method::Raw, Method::Corrected];
    let study = studied(scenario, (stepper, &methods), (vec![of.to_owned()], &inputs), false);
    study.rows.try_into().unwrap_or_else(|rows| panic!("{stepper}: {rows:?}, {:?}", study.left_out))
}

/// The corrected gradient is that of the motion and `ok`; that of the steps knows no time of impact, and is `biased`.
#[track_caller]
fn the_correction_is_that_of_the_motion<const D: usize>(
    scenario: &Scenario<D>,
    steppers: &[StepperName],
    expected: &[(&str, &str, f64)],
) where
    Scenario<D>: DifferentiableModels<D>,
{
    for &stepper in steppers {
        for &(of, wrt, slope) in expected {
            let [raw, corrected] = rows(scenario, stepper, of, wrt);
            let what = format!("{} by {stepper}: {of} by {wrt} is {slope}", scenario.name);
            assert!((corrected.gradient - slope).abs() < CLOSE * slope.abs(), "{what}: {corrected:?}");
            assert_eq!(corrected.quality, Quality::Ok, "{what}: {corrected:?}");
            assert!((raw.gradient - slope).abs() > 0.05 * slope.abs(), "{what}: {raw:?}");
            assert_eq!(raw.quality, Quality::Biased, "{what}: {raw:?}");
        }
    }
}

/// Falls at 2 m/s on ground without restitution, 0.5 m below, while a push lifts it by 3 m/s^2: it comes to the ground at
/// `t_i = 1/3 s` with 1 m/s, and leaves at once, with `v = 3 (t - t_i)`.
fn lifted(body: &str) -> String {
    format!(
        "name = \"lifted\"\nduration = 0.6\nstep = 1e-3\ngravity = 0.0\n[ground]\nfriction = 0.3\n{body}mass = 1.0\n"
    )
}

/// `dt_i/dz = 1`, `dt_i/dv = 1/3 s`; at the end `dv = -3 dt_i`, `dz = -3 (0.6 - 1/3) dt_i`.
fn of_lifted<'a>([z, v]: [&'a str; 2], [height, speed]: [&'a str; 2]) -> [(&'a str, &'a str, f64); 4] {
    [(v, height, -3.0), (v, speed, -1.0), (z, height, -0.8), (z, speed, -0.8 / 3.0)]
}

#[test]
fn what_a_push_pulls_off_the_ground_as_it_lands_leaves_with_the_time_of_its_impact() {
    let push = |force: &str| format!("[[push]]\nforce = {force}\n");
    let numbers = ["body.0.position.1", "body.0.velocity.1"];
    let disc = "[[body]]\nname = \"d\"\nshape = \"disc\"\nsize = 0.1\nposition = [0.0, 0.6]\nvelocity = [0.0, -2.0]\n";
    let disc = plane(&(lifted(disc) + &push("[0.0, 3.0]")));
    the_correction_is_that_of_the_motion(&disc, &RIGID, &of_lifted(["d.final_z", "d.final_vz"], numbers));
    let numbers = ["body.0.position.2", "body.0.velocity.2"];
    let ball = "[[body]]\nname = \"d\"\nshape = \"sphere\"\nsize = 0.1\nposition = [0.0, 0.0, 0.6]\n\
                velocity = [0.0, 0.0, -2.0]\n";
    let ball = space(&(lifted(ball) + &push("[0.0, 0.0, 3.0]")));
    the_correction_is_that_of_the_motion(&ball, &RIGID, &of_lifted(["d.final_z", "d.final_vz"], numbers));
    // The exact motion of a point is known, and its raw gradient is held against that.
    let point = "[particle]\nposition = [0.0, 0.5]\nvelocity = [0.0, -2.0]\n";
    let point = plane(&(lifted(point) + &push("[0.0, 3.0]")));
    let numbers = ["particle.position.1", "particle.velocity.1"];
    the_correction_is_that_of_the_motion(&point, &RIGID[..2], &of_lifted(["final_z", "final_vz"], numbers));
}

/// A disc or ball falls on a slope of 25 degrees, where friction of .1 is enough to stop its slip in the impact, and not
/// to hold it after it.
fn on_a_steep_slope(body: &str) -> String {
    format!(
        "name = \"steep\"\nduration = 0.8\nstep = 1e-3\n[ground]\nfriction = 0.1\nslope = 25.0\n[[body]]\nname = \"d\"\n\
         size = 0.1\nmass = 1.0\n{body}[[push]]\nforce = {}\n",
        if body.contains("disc") { "[0.0, 1e-9]" } else { "[0.0, 0.0, 1e-9]" }
    )
}

/// With an inertia of `c m r^2` the impact leaves `v = v_i/(1 + c)` along the slope and rolls: of the pull `p = g sin` before
/// it `p/(1 + c)` is left, and after it there are `p - mu N`, and `mu N/c` at the rim.
#[test]
fn what_an_impact_stops_slides_at_once_where_friction_does_not_hold_it() {
    let (sin, cos) = 25.0_f64.to_radians().sin_cos();
    let (pull, friction) = (9.81 * sin, 0.1 * 9.81 * cos);
    // It falls 0.4 m from 0.9 m/s.
    let later = 1.0 / (0.9_f64.powi(2) + 2.0 * 9.81 * cos * 0.4).sqrt();
    let slopes = |c: f64| {
        let along = pull / (1.0 + c);
        [(along - (pull - friction)) * later, -(along - friction / c) / 0.1 * later]
    };
    let disc = "shape = \"disc\"\nposition = [0.0, 0.5]\nvelocity = [-0.9, -0.9]\n";
    let [velocity, spin] = slopes(0.5);
    let height = "body.0.position.1";
    let expected = [("d.final_vx", height, velocity), ("d.final_spin", height, spin)];
    the_correction_is_that_of_the_motion(&plane(&on_a_steep_slope(disc)), &RIGID, &expected);
    let ball = "shape = \"sphere\"\nposition = [0.0, 0.0, 0.5]\nvelocity = [-0.9, 0.0, -0.9]\n";
    let [velocity, _] = slopes(0.4);
    let expected = [("d.final_vx", "body.0.position.2", velocity)];
    the_correction_is_that_of_the_motion(&space(&on_a_steep_slope(ball)), &RIGID, &expected);
}

/// A disc rolls on the ground, pushed, and comes back from a smooth wall with the spin that it had: it slips.
#[test]
fn what_rolled_up_to_an_impact_slips_after_it() {
    let (speed, push, friction) = (1.5, 2.0, 0.3 * 9.81);
    let scenario = plane(&format!(
        "name = \"rolling\"\nduration = 0.35\nstep = 1e-3\n[ground]\nfriction = 0.3\n[[wall]]\nnormal = [-1.0, 0.0]\n\
         offset = -0.4\nfriction = 0.0\nrestitution = 1.0\n[[body]]\nname = \"d\"\nshape = \"disc\"\nsize = 0.1\n\
         mass = 1.0\nposition = [0.0, 0.1]\nvelocity = [{speed}, 0.0]\nspin = {}\n[[push]]\nforce = [{push}, 0.0]\n",
        -speed / 0.1
    ));
    // Rolling takes a third of the push; 0.3 m on it hits.
    let rolling = 2.0 / 3.0 * push;
    let earlier = -1.0 / f64::hypot(speed, (2.0 * rolling * 0.3_f64).sqrt());
    let expected = [
        ("d.final_vx", "body.0.position.0", -(rolling + push + friction) * earlier),
        ("d.final_spin", "body.0.position.0", -(rolling / 0.1 + 2.0 * friction / 0.1) * earlier),
    ];
    the_correction_is_that_of_the_motion(&scenario, &RIGID, &expected);
}

/// What is thrown up a slope of 25 degrees slips, stops and slips down again. Friction turns: `u' = p + k F` before and
/// `p - k F` after, with `k` of 1 for a point, and `1 + 1/c` for an inertia of `c m r^2`.
#[test]
fn slip_that_turns_around_grows_by_the_ratio_of_what_accelerates_it() {
    let (sin, cos) = 25.0_f64.to_radians().sin_cos();
    let (pull, friction) = (9.81 * sin, 0.1 * 9.81 * cos);
    let slope = |c: f64| 1.0 - 2.0 * friction / (pull + (1.0 + 1.0 / c) * friction);
    let on_slope = |body: &str| {
        plane(&format!(
            "name = \"up\"\nduration = 0.5\nstep = 1e-3\n[ground]\nfriction = 0.1\nslope = 25.0\n{body}"
        ))
    };
    let disc = on_slope(
        "[[body]]\nname = \"d\"\nshape = \"disc\"\nsize = 0.1\nmass = 1.0\nposition = [0.0, 0.1]\n\
         velocity = [-1.0, 0.0]\n",
    );
    let expected = [("d.final_vx", "body.0.velocity.0", slope(0.5))];
    the_correction_is_that_of_the_motion(&disc, &RIGID, &expected);
    let points = on_slope(
        "[[particle]]\nmass = 1.0\nposition = [0.0, 0.0]\nvelocity = [-1.0, 0.0]\n\
         [[particle]]\nmass = 1.0\nposition = [9.0, 0.0]\nvelocity = [0.0, 0.0]\n",
    );
    let expected = [("body-0.final_vx", "particle.0.velocity.0", slope(f64::INFINITY))];
    the_correction_is_that_of_the_motion(&points, &RIGID, &expected);
    let ball = space(
        "name = \"up\"\nduration = 0.5\nstep = 1e-3\n[ground]\nfriction = 0.1\nslope = 25.0\n[[body]]\nname = \"d\"\n\
         shape = \"sphere\"\nsize = 0.1\nmass = 1.0\nposition = [0.0, 0.0, 0.1]\nvelocity = [-1.0, 0.0, 0.0]\n",
    );
    let expected = [("d.final_vx", "body.0.velocity.0", slope(0.4))];
    the_correction_is_that_of_the_motion(&ball, &RIGID, &expected);
}

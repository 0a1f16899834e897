//! Friction that differs at rest and in motion, falls with the slip (Stribeck) or grows with it (viscous), against closed
//! forms. Steps of a rigid model are off by their length: times by 2 dt, places by dt v.

use stickslip::{
    gradient::{FrictionQuantity, Input},
    metrics::Metrics,
    model::{Attitude, Orientation},
    scenario::{AnyScenario, Scenario, parse_scenario},
    simulate::simulate,
    stepper::{BuildStepper, Honours, StepperName},
    trajectory::{Ending, Trajectory},
};

const G: f64 = 9.81;
const DT: f64 = 1e-3;

/// The models that hold what sticks.
pub const RIGID: [StepperName; 4] =
    [StepperName::NLP, StepperName::LCP, StepperName::LCP_ANITESCU, StepperName::CONE];
/// Those that let it creep. The springs of `smooth` ring, and what nearly slips goes off when they let go: it is not asked
/// to hold.
const COMPLIANT: [StepperName; 2] = [StepperName::CONVEX, StepperName::SMOOTH];

pub fn scenario(text: &str) -> Scenario<2> {
    match parse_scenario("law.toml", text, &[]) {
        Ok(AnyScenario::InPlane(scenario)) => scenario,
        Ok(AnyScenario::OverPlane(_)) => panic!("in space: {text}"),
        Err(error) => panic!("{error:?}"),
    }
}

fn run(scenario: &Scenario<2>, name: StepperName) -> Trajectory<2> {
    let mut stepper = scenario.stepper(name).unwrap_or_else(|refusal| panic!("{refusal}"));
    let trajectory = simulate(scenario, stepper.as_mut());
    assert_eq!(trajectory.ending, Ending::Complete, "{name}: {:?}", trajectory.first_failure);
    trajectory
}

/// Place and velocity along the ground of the first body after each step.
pub fn along(scenario: &Scenario<2>, name: StepperName) -> Vec<[f64; 2]> {
    let states = &run(scenario, name).bodies[0].states;
    states.iter().map(|state| [state.position[0], state.velocity[0]]).collect()
}

/// A point of 1 kg on a ground with these keys, `more` behind them.
pub fn point(velocity: f64, duration: f64, ground: &str, more: &str) -> Scenario<2> {
    scenario(&format!(
        "name = \"law\"\nduration = {duration}\nstep = {DT}\n[particle]\nmass = 1.0\nposition = [0.0, 0.0]\n\
         velocity = [{velocity}, 0.0]\n[ground]\n{ground}\n{more}"
    ))
}

/// A box of 1 kg on the same ground, on two contacts.
pub fn crate_on(velocity: f64, duration: f64, ground: &str, more: &str) -> Scenario<2> {
    scenario(&format!(
        "name = \"law\"\nduration = {duration}\nstep = {DT}\n[[body]]\nshape = \"box\"\nsize = [0.4, 0.1]\n\
         mass = 1.0\nposition = [0.0, 0.05]\nvelocity = [{velocity}, 0.0]\n[ground]\n{ground}\n{more}"
    ))
}

pub const DRY: &str = "friction = 0.4\nkinetic_friction = 0.25";

pub fn angle_of(attitude: &Attitude) -> f64 {
    match attitude.orientation {
        Orientation::Angle(angle) => angle,
        Orientation::Quaternion(_) => panic!("in space"),
    }
}

/// When and where what slides comes to rest for good.
fn stop(path: &[[f64; 2]]) -> (f64, f64) {
    let moves = |[_, v]: &[f64; 2]| v.abs() > 1e-3;
    let last = path.iter().rposition(moves).expect("it slides");
    assert!(last + 1 < path.len(), "it does not stop");
    ((last + 1) as f64 * DT, path[path.len() - 1][0])
}

#[track_caller]
fn assert_near(actual: f64, expected: f64, tolerance: f64, what: impl std::fmt::Display) {
    assert!((actual - expected).abs() <= tolerance, "{what}: {actual}, expected {expected} +- {tolerance:e}");
}

/// It slips at atan 0.4 = 21.801409 degrees, then with a = g (sin - mu_k cos). On ground that gives it takes a while until
/// the load is there that friction goes by, and the angles are farther apart.
#[test]
fn what_rests_on_a_slope_slips_at_the_static_angle_and_slides_by_the_kinetic_coefficient() {
    let rigid = RIGID.map(|name| (name, [21.79, 21.9_f64]));
    for (name, [below, above]) in rigid.into_iter().chain(COMPLIANT.map(|name| (name, [20.5, 23.0]))) {
        for make in [point, crate_on] {
            if name != StepperName::SMOOTH {
                let held = along(&make(0.0, 0.3, &format!("{DRY}\nslope = {below}"), ""), name);
                assert!(held[300][0].abs() < 2e-4, "{name} is held: {:?}", held[300]);
            }
            let slides = along(&make(0.0, 0.5, &format!("{DRY}\nslope = {above}"), ""), name);
            let (sin, cos) = above.to_radians().sin_cos();
            let gained = (slides[500][1] - slides[200][1]) / 0.3;
            assert_near(gained, G * (sin - 0.25 * cos), 1e-4, name);
        }
    }
}

/// At 20 degrees mu_k < tan < mu_s: pushed uphill it stops and stays, at any phase of the step.
#[test]
fn what_stops_on_the_way_up_stays() {
    for name in RIGID.into_iter().chain(COMPLIANT) {
        for phase in 0..8 {
            let speed = 1.0 + f64::from(phase) * 6.3e-4;
            let path = along(&crate_on(-speed, 0.5, &format!("{DRY}\nslope = 20.0"), ""), name);
            let (sin, cos) = 20.0_f64.to_radians().sin_cos();
            let braked = G * (sin + 0.25 * cos);
            assert_near(path[500][0], -speed * speed / (2.0 * braked), 2e-3, name);
            assert!(path[500][1].abs() < 1e-3, "{name} stays: {:?}", path[500]);
        }
    }
}

/// 4.5 N for half a second move 1 kg by .469610 m, 3.9 N do not; they push what has settled for .2 s.
#[test]
fn a_push_above_the_friction_of_rest_moves_and_one_below_does_not() {
    let push = |force: f64| format!("[[push]]\nforce = [{force}, 0.0]\nfrom = 0.2\nto = 0.7\n");
    for name in RIGID.into_iter().chain(COMPLIANT) {
        for make in [point, crate_on] {
            let (time, place) = stop(&along(&make(0.0, 1.3, DRY, &push(4.5)), name));
            assert_near(time, 1.117_431, 4.0 * DT, name);
            assert_near(place, 0.469_610, 2.5e-3, name);
            if name != StepperName::SMOOTH {
                let held = along(&make(0.0, 1.0, DRY, &push(3.9)), name);
                assert!(held[1000][0].abs() < 1e-3, "{name}: {:?}", held[1000]);
            }
        }
    }
}

/// Sliding from 2 m/s with c = .5 and mu = .2 the coefficient falls by c mu(v) g dt in a step, most in the first; what has one
/// coefficient lags behind nothing.
#[test]
fn the_coefficient_of_a_step_lags_behind_its_end_by_what_the_slip_loses_in_it() {
    for name in RIGID.into_iter().chain([StepperName::SMOOTH]) {
        for make in [point, crate_on] {
            for step in [DT, 0.5 * DT] {
                let sliding =
                    Scenario { step, ..make(2.0, 0.2, "friction = 0.2\nviscous_friction = 0.5", "") };
                let lag = Metrics::of(&run(&sliding, name), None).friction_lag().expect("it slides");
                let lost = 0.5 * (0.2 + 0.5 * 2.0) * G * step;
                // The springs of `smooth` take up the weight as it goes, and ring.
                let allowed = if name == StepperName::SMOOTH { 1.0 } else { 2.0 * step };
                assert!((lag / lost - 1.0).abs() <= allowed, "{name} {step}: {lag:e} for {lost:e}");
            }
        }
    }
    let plain = run(&crate_on(2.0, 0.2, "friction = 0.2", ""), StepperName::CONE);
    assert_eq!(Metrics::of(&plain, None).friction_lag(), None);
    let followed = run(&point(2.0, 0.2, "friction = 0.2\nviscous_friction = 0.5", ""), StepperName::EXACT);
    assert_eq!(Metrics::of(&followed, None).friction_lag(), None, "it follows the law within the steps");
}

/// Wherever in a step a point hits: two steps share the blow, and what one of them carries is no load by which the point
/// rests in the other.
#[test]
fn an_impact_slides_at_any_phase_of_the_step() {
    for name in RIGID {
        for phase in 0..10 {
            let mut scenario = point(0.9, 0.006, "friction = 0.6\nkinetic_friction = 0.2", "");
            scenario.bodies[0].velocity[1] = -3.0;
            scenario.bodies[0].position[1] = 3e-4 * (f64::from(phase) + 0.5);
            let path = along(&scenario, name);
            let fallen = -3.0 - G * 0.004;
            assert_near(path[4][1], 0.9 + 0.2 * fallen, 6e-3, format!("{name}, phase {phase}"));
        }
    }
}

/// A box held between two springs that pull hard rests under 3.6 N, with mu_s m g = 3.924 N.
#[test]
fn what_springs_pull_at_rests() {
    let anchor = |x: f64, name: &str| {
        format!(
            "[[body]]\nname = \"{name}\"\nshape = \"point\"\nmass = 1.0\nfixed = true\nposition = [{x}, 0.05]\n"
        )
    };
    let spring = |name: &str| {
        format!("[[spring]]\nbodies = [\"{name}\", \"body-0\"]\nstiffness = 1000.0\nlength = 0.5\n")
    };
    let more = [
        anchor(-1.0, "left"),
        anchor(1.0, "right"),
        spring("left"),
        spring("right"),
        "[[push]]\nbody = \"body-0\"\nforce = [3.6, 0.0]\nfrom = 0.05\n".to_owned(),
    ];
    let scenario = crate_on(0.0, 0.3, "friction = 0.4\nkinetic_friction = 0.1", &more.concat());
    for name in RIGID {
        let path = along(&scenario, name);
        assert!(path[300][0].abs() < 1e-6, "{name}: {:?}", path[300]);
    }
}

/// A slip of 1.05 m/s goes on at .3 m/s after an impact of 3 m/s: motion decides, not the static cone.
#[test]
fn an_impact_slides_by_the_friction_of_motion() {
    for name in RIGID {
        let mut scenario = point(1.05, 0.01, DRY, "");
        scenario.bodies[0].velocity[1] = -3.0;
        scenario.bodies[0].position[1] = 1e-4;
        let path = along(&scenario, name);
        assert_near(path[2][1], 0.3, 0.02, name);
    }
}

/// From 1 m/s with v_s = .1 m/s: .392286 s and .202915 m.
#[test]
fn friction_that_rises_towards_rest_stops_a_slide_sooner() {
    let law = format!("{DRY}\nstribeck_velocity = 0.1");
    for name in RIGID.into_iter().chain(COMPLIANT) {
        for make in [point, crate_on] {
            let (time, place) = stop(&along(&make(1.0, 0.6, &law, ""), name));
            assert_near(time, 0.392_286, 3.0 * DT, name);
            assert_near(place, 0.202_915, 1.2e-3, name);
        }
    }
}

/// Tustin's law falls by exp(-v/v_s): with a = mu_k and b = mu_s - mu_k a slide from V takes
/// v_s/(a g) ln((a exp(V/v_s) + b)/(a + b)), here .388584 s, over .201721 m (by quadrature).
#[test]
fn friction_that_falls_by_tustins_law_stops_a_slide_when_its_integral_says() {
    let law = format!("{DRY}\nstribeck_velocity = 0.1\nstribeck_exponent = 1.0");
    for name in RIGID.into_iter().chain(COMPLIANT) {
        let (time, place) = stop(&along(&point(1.0, 0.6, &law, ""), name));
        assert_near(time, 0.388_584, 3.0 * DT, name);
        assert_near(place, 0.201_721, 1.2e-3, name);
    }
}

/// mu = .2, c = .5 s/m, from 2 m/s: t = ln(1 + c v/mu)/(c g) = .365292 s, x = .261630 m. At the start mu(v) = 1.2, under which
/// `convex` throws up what slides.
#[test]
fn viscous_friction_stops_by_a_logarithm() {
    for name in RIGID {
        for make in [point, crate_on] {
            let (time, place) =
                stop(&along(&make(2.0, 0.6, "friction = 0.2\nviscous_friction = 0.5", ""), name));
            assert_near(time, 0.365_292, 4.0 * DT, name);
            assert_near(place, 0.261_630, 2.5e-3, name);
        }
    }
}

/// A rod on its foot at .2 rad, .5 and .2: it slips at .582513 s, and is at .7 s at x = .022596 m of its foot. A push of the same
/// size in the place of the weight makes no difference.
#[test]
fn a_rod_on_its_foot_slips_when_the_static_cone_is_left() {
    let (length, tilt) = (1.0_f64, 0.2_f64);
    let text = |gravity: f64, pushes: &str| {
        format!(
            "name = \"rod\"\ngravity = {gravity}\nduration = 0.7\nstep = {DT}\n[[body]]\nshape = \"rod\"\nsize = {length}\nmass = 1.0\n\
         position = [{}, {}]\nangle = {}\n[ground]\nfriction = 0.5\nkinetic_friction = 0.2\n{pushes}",
            0.5 * length * tilt.sin(),
            0.5 * length * tilt.cos(),
            std::f64::consts::FRAC_PI_2 - tilt
        )
    };
    let loads = [text(G, ""), text(0.0, &format!("[[push]]\nforce = [0.0, -{G}]\n"))];
    let models = [StepperName::NLP, StepperName::LCP, StepperName::CONE];
    for (text, name) in loads.iter().flat_map(|text| models.map(|name| (text, name))) {
        let trajectory = run(&scenario(text), name);
        let body = &trajectory.bodies[0];
        let foot = |k: usize| {
            let angle = angle_of(&body.attitudes[k]);
            body.states[k].position[0] - 0.5 * length * angle.cos()
        };
        // The foot of a rod that turns about it moves by what steps of that length miss of an arc, 2 mm/s at the end.
        let slips = (0..700).find(|&k| foot(k + 1) - foot(k) > 4e-3 * DT).expect("it slips");
        assert_near(slips as f64 * DT, 0.582_513, 8e-3, name);
        assert_near(foot(700), 0.022_596, 1e-3, name);
        let tilted = std::f64::consts::FRAC_PI_2 - angle_of(&body.attitudes[700]);
        assert_near(tilted, 1.389_167, 5e-3, name);
    }
}

/// One coefficient said twice is one coefficient, bit for bit.
#[test]
fn a_kinetic_coefficient_that_is_the_static_one_changes_nothing() {
    for name in RIGID.into_iter().chain(COMPLIANT) {
        let plain = run(&crate_on(1.0, 0.5, "friction = 0.3", ""), name);
        let twice = run(&crate_on(1.0, 0.5, "friction = 0.3\nkinetic_friction = 0.3", ""), name);
        assert_eq!(plain.bodies[0].states, twice.bodies[0].states, "{name}");
    }
}

/// What knows one coefficient says so.
#[test]
fn steppers_with_one_coefficient_refuse_two() {
    let scenario = point(1.0, 0.1, DRY, "");
    for name in ["nlp:seed", "lcp:falling-block", "lcp:traditional"] {
        let name: StepperName = name.parse().expect("it is known");
        let refusal = scenario.stepper(name).err().expect("refused").to_string();
        assert!(refusal.contains("one coefficient"), "{name}: {refusal}");
    }
}

/// What resists turning is not differentiated as if it did not.
#[test]
fn gradients_know_two_coefficients_and_friction_against_turning() {
    for law in [DRY, "friction = 0.4"] {
        assert!(Input::Friction.check(&point(1.0, 0.1, law, "")).is_ok(), "{law}");
    }
    let rolls = crate_on(1.0, 0.5, "friction = 0.3\nrolling_friction = 0.01", "");
    let rolling = Input::FrictionBeside(FrictionQuantity::Rolling);
    assert!([Input::Friction, rolling].iter().all(|input| input.check(&rolls).is_ok()));
    let refusal = rolling.check(&point(1.0, 0.1, "friction = 0.3\nrolling_friction = 0.01", ""));
    let refusal = refusal.expect_err("points do not roll").to_string();
    assert!(refusal.contains("ground.rolling_friction") && refusal.contains("do not turn"), "{refusal}");
}

/// What a step is too long for is told once, by the key that the file gives it under.
#[test]
fn a_stribeck_velocity_that_a_step_jumps_over_is_named_where_it_is_given() {
    let law = format!("{DRY}\nstribeck_velocity = 1e-3");
    let wall = "[[wall]]\nnormal = [1.0, 0.0]\noffset = -9.0\n";
    let told = |law: &str| point(1.0, 0.1, law, wall).warnings(&Honours::default());
    let [warning] = <[String; 1]>::try_from(told(&law)).expect("one warning");
    assert!(warning.contains("ground.stribeck_velocity") && warning.contains("smaller step"), "{warning}");
    assert!(told(&format!("{DRY}\nstribeck_velocity = 0.1")).is_empty());
    let follows = Honours { push_within_steps: true, ..Honours::default() };
    assert!(point(1.0, 0.1, &law, wall).warnings(&follows).is_empty(), "it follows the law within the steps");
}

/// An impulse that takes all of a slip at once sticks, whatever the step is: it is told where bodies come down that fast.
#[test]
fn viscous_friction_that_sticks_in_the_impact_of_a_fall_is_told() {
    let at = |height: f64| {
        let mut scenario = point(1.0, 0.1, "friction = 0.2\nviscous_friction = 0.5", "");
        scenario.bodies[0].position[1] = height;
        scenario.warnings(&Honours::default())
    };
    assert!(at(0.15).is_empty(), "it comes down at 1.7 m/s: {:?}", at(0.15));
    let [warning] = <[String; 1]>::try_from(at(0.25)).expect("one warning");
    assert!(warning.contains("ground.viscous_friction") && warning.contains("2 m/s"), "{warning}");
}

/// A box that a growing push breaks away at 0.77235 s, and another one 50 m away that slides on ice: at .090126 m after 1 s
/// whatever that one does.
#[test]
fn what_slides_far_away_holds_no_contact_at_rest() {
    let text = |speed: f64| {
        format!(
            "name = \"law\"\nduration = 1.0\nstep = {DT}\n[[body]]\nname = \"slider\"\nshape = \"box\"\nsize = [0.2, 0.1]\nmass = 1.7\n\
             position = [0.0, 0.05]\n[[push]]\nbody = \"slider\"\ntable = [[0.0, 8.4, 0.0], [1.0, 9.4, 0.0]]\n[[body]]\n\
             name = \"far\"\nshape = \"box\"\nsize = [0.2, 0.1]\nmass = 1.0\nposition = [50.0, 0.05]\nvelocity = [{speed:?}, 0.0]\n\
             [[pair]]\nbodies = [\"far\", \"ground\"]\nfriction = 0.0\n[ground]\nfriction = 0.55\nkinetic_friction = 0.2\n"
        )
    };
    for name in RIGID {
        let [still, fast] = [0.0, 1000.0].map(|speed| along(&scenario(&text(speed)), name)[1000][0]);
        assert!((still - fast).abs() < 1e-9, "{name}: {still} and {fast}");
        assert!((still - 0.090_126).abs() < 5e-4, "{name}: {still}");
    }
}

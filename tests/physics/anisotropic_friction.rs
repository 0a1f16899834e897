//! Friction that differs across an axis, from scenario files on: the closed forms themselves are held against the models in
//! `crates/contact/tests/turning`.

use stickslip::{
    gradient::{FrictionQuantity, Input},
    scenario::{AnyScenario, Partner, Scenario, parse_scenario},
    stepper::{BuildStepper, StepperName},
};

use crate::{GRAVITY as G, OF_GROUPED_FRICTION, assert_close, run};

fn parsed(text: &str) -> Result<AnyScenario, String> {
    parse_scenario("across.toml", text, &[]).map_err(|error| error.to_string())
}

fn space(text: &str) -> Scenario<3> {
    match parsed(text) {
        Ok(AnyScenario::OverPlane(scenario)) => scenario,
        other => panic!("{text}: {other:?}"),
    }
}

/// A point of 1 kg that slides from the origin with 1 m/s along x and y.
fn point(ground: &str, more: &str) -> String {
    format!(
        "name = \"point\"\nduration = 0.7\nstep = 1e-3\n[particle]\nmass = 1.0\nposition = [0.0, 0.0, 0.0]\n\
         velocity = [1.0, 1.0, 0.0]\n[ground]\n{ground}\n{more}"
    )
}

const ALONG_X: &str = "friction = 0.2\nfriction_across = 0.4";

/// From (1, 1) with .2 along x and .4 across: the parts of the velocity stay on `v_1 = v_2^(1/4)`, and it stops at .617488 s at
/// (.347649, .167073).
#[test]
fn a_point_slides_on_a_curve_and_stops_where_it_should() {
    for name in OF_GROUPED_FRICTION {
        let moved = run(&space(&point(ALONG_X, "")), name);
        let states = &moved.bodies[0].states;
        // A polygon of eight corners pulls elsewhere than against the slip by up to an eighth of half a turn.
        let is_polygon = matches!(name, StepperName::LCP | StepperName::LCP_ANITESCU);
        let (far, late) = if is_polygon { (0.01, 0.01) } else { (2e-3, 3e-3) };
        let last = states.iter().rposition(|state| state.velocity.norm() > 2e-3).expect("it moves");
        assert_close((last + 1) as f64 * 1e-3, 0.617488, late, &format!("{name}, stop"));
        let end = states[states.len() - 1].position;
        assert_close(end[0], 0.347649, far, &format!("{name}, x"));
        assert_close(end[1], 0.167073, far, &format!("{name}, y"));
        if !is_polygon {
            let velocity = states[300].velocity;
            assert_close(velocity[0], velocity[1].powf(0.25), 2e-3, &format!("{name}, curve"));
        }
    }
}

/// The axis is y where the file says so: the same motion with x and y exchanged, by every solver of `nlp` too.
#[test]
fn the_axis_is_that_of_the_file() {
    let along_y = "friction = 0.2\nfriction_across = 0.4\nfriction_axis = [0.0, 3.0, 0.0]";
    for solver in ["structured", "ipopt", "interior-point"] {
        let settings = format!("[stepper.nlp]\nsolver = \"{solver}\"\n");
        let [first, second] =
            [ALONG_X, along_y].map(|ground| run(&space(&point(ground, &settings)), StepperName::NLP));
        let ends = [first, second].map(|moved| moved.bodies[0].states[700].position);
        assert_close(ends[0][0], 0.347649, 2e-3, solver);
        assert_close(ends[0][0], ends[1][1], 1e-4, solver);
        assert_close(ends[0][1], ends[1][0], 1e-4, solver);
    }
}

/// A flat box with runners on its long side, of which the axis turns with it: along them it is slowed by one coefficient, and
/// across them by the other.
#[test]
fn a_skate_has_its_axis_with_it() {
    let skate = |angle: f64, way: f64| {
        let (half, speed) = (0.5 * angle, 0.5);
        space(&format!(
            "name = \"skate\"\nduration = 0.1\nstep = 1e-3\n[[body]]\nname = \"skate\"\nshape = \"box\"\n\
             size = [0.4, 0.3, 0.004]\nmass = 1.0\nposition = [0.0, 0.0, 0.002]\n\
             orientation = [{}, 0.0, 0.0, {}]\nvelocity = [{}, {}, 0.0]\n[ground]\nfriction = 0.9\n\
             [[pair]]\nbodies = [\"skate\", \"ground\"]\nfriction = 0.05\nfriction_across = 0.3\n",
            half.cos(),
            half.sin(),
            speed * way.cos(),
            speed * way.sin()
        ))
    };
    let across = std::f64::consts::FRAC_PI_2;
    for (angle, way, coefficient) in [(0.6, 0.6, 0.05), (0.6, 0.6 + across, 0.3), (-1.0, -1.0, 0.05)] {
        for name in [StepperName::NLP, StepperName::CONE, StepperName::LCP] {
            let moved = run(&skate(angle, way), name);
            let velocity = moved.bodies[0].states[100].velocity;
            let what = format!("{name}, turned by {angle}, along {way}");
            assert_close(velocity.norm(), 0.5 - 0.1 * coefficient * G, 1e-4, &what);
            assert_close(velocity[1] * way.cos() - velocity[0] * way.sin(), 0.0, 1e-4, &what);
        }
    }
}

/// Friction is one law: an inner table that gives `friction` gives what is across too, or that it is the same.
#[test]
fn the_innermost_table_with_friction_says_what_is_across() {
    let walls = "[[wall]]\nnormal = [0.0, 0.0, 1.0]\noffset = -5.0\n\
                 [[wall]]\nnormal = [0.0, 1.0, 0.0]\noffset = -5.0\nfriction = 0.1\n\
                 [[wall]]\nnormal = [1.0, 0.0, 0.0]\noffset = -5.0\nfriction = 0.1\nfriction_across = 0.3\n\
                 friction_axis = [0.0, 1.0, 1.0]\n";
    let scenario = space(&point(ALONG_X, walls));
    let law = |partner| {
        let anisotropy = scenario.surface(0, partner).anisotropy;
        anisotropy.map(|own| (own.ratio, <[f64; 3]>::from(own.axis)))
    };
    assert_eq!(law(Partner::Ground), Some((2.0, [1.0, 0.0, 0.0])));
    assert_eq!(law(Partner::Wall(0)), Some((2.0, [1.0, 0.0, 0.0])), "inherited");
    assert_eq!(law(Partner::Wall(1)), None);
    let (ratio, axis) = law(Partner::Wall(2)).expect("given");
    assert!((ratio - 3.0).abs() < 1e-12 && axis == [0.0, 1.0, 1.0]);
    assert_eq!(space(&scenario.to_toml()).surfaces(), scenario.surfaces(), "written and read");
}

#[test]
fn faulty_tables_are_refused_with_the_key_and_the_remedy() {
    for (ground, key, remedy) in [
        ("friction = 0.2\nfriction_axis = [1.0, 0.0, 0.0]", "ground.friction_axis", "friction_across"),
        ("friction = 0.0\nfriction_across = 0.2", "ground.friction_across", "larger coefficient"),
        (
            "friction = 0.2\nfriction_across = 0.4\nfriction_axis = [0.0, 0.0, 2.0]",
            "ground.friction_axis",
            "along",
        ),
        (
            "friction = 0.2\nfriction_across = 0.4\nfriction_axis = [0.0, 0.0, 0.0]",
            "ground.friction_axis",
            "for example",
        ),
        (
            "friction = 0.2\nfriction_across = 0.4\nfriction_axis = [1.0, 0.0]",
            "ground.friction_axis",
            "3 numbers",
        ),
        ("friction = 0.2\nfriction_across = -0.4", "ground.friction_across", "friction_axis"),
    ] {
        let error = parsed(&point(ground, "")).expect_err(ground);
        assert!(error.contains(key) && error.contains(remedy), "{ground}: {error}");
    }
    let alone =
        point("friction = 0.2", "[[wall]]\nnormal = [1.0, 0.0, 0.0]\noffset = -5.0\nfriction_across = 0.3\n");
    let error = parsed(&alone).expect_err("without friction");
    assert!(error.contains("wall[0].friction_across") && error.contains("one law"), "{error}");
    let plane = "name = \"point\"\nduration = 0.7\nstep = 1e-3\n[particle]\nmass = 1.0\nposition = [0.0, 0.0]\n\
                 velocity = [1.0, 0.0]\n[ground]\nfriction = 0.2\nfriction_across = 0.4\n";
    let error = parsed(plane).expect_err("in the plane");
    assert!(error.contains("ground.friction_across") && error.contains("one direction"), "{error}");
}

#[test]
fn what_knows_friction_that_is_the_same_in_all_directions_refuses() {
    let scenario = space(&point(ALONG_X, ""));
    for name in ["hybrid", "exact", "lcp:polyhedral", "lcp:fixed-point", "nlp:seed"] {
        let name: StepperName = name.parse().expect("it is known");
        let refusal = scenario.stepper(name).err().unwrap_or_else(|| panic!("{name} takes it")).to_string();
        assert!(refusal.contains("friction_across") && refusal.contains("`cone`"), "{refusal}");
    }
    let across = Input::FrictionBeside(FrictionQuantity::Across);
    let same = space(&point("friction = 0.2", ""));
    let refusal = across.check(&same).expect_err("there is none").to_string();
    assert!(refusal.contains("friction_across") && refusal.contains("does not give it a value"), "{refusal}");
    assert!(across.check(&scenario).is_ok());
    let divided = space(&point(ALONG_X, "[stepper.nlp]\ntime_of_impact = true\n"));
    let refusal = divided.stepper(StepperName::NLP).err().expect("refused").to_string();
    assert!(refusal.contains("time_of_impact"), "{refusal}");
}

/// Both coefficients fall together as it slides, and what the steps report goes by the slip across as much as it counts.
#[test]
fn friction_in_motion_is_smaller_in_all_directions() {
    let ground = "friction = 0.2\nkinetic_friction = 0.1\nstribeck_velocity = 0.5\nfriction_across = 0.4";
    for step in [1e-3, 5e-4] {
        let mut scenario = space(&point(ground, ""));
        scenario.step = step;
        let moved = run(&scenario, StepperName::NLP);
        // `|S u|/mu` is twice the speed across: 1 m/s counts as 2.
        scenario.bodies[0].velocity = [0.0, 1.0, 0.0].into();
        let across = run(&scenario, StepperName::NLP);
        let count = (0.1 / step).round() as usize;
        let speed = across.bodies[0].states[count].velocity[1];
        assert_close(speed, 1.0 - 0.1 * 0.2 * G, 1e-3, "across");
        let lag = stickslip::metrics::Metrics::of(&moved, None).get("friction_lag").expect("it slides");
        assert!(lag > 0.0 && lag < 4.0 * step, "{lag} in steps of {step}");
    }
}

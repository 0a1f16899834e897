//! Blows among several bodies, and blows that joints take part in, against closed forms and symmetry.

use stickslip::{
    metrics::{Metrics, Summary},
    scenario::{AnyScenario, Scenario, parse_scenario},
    simulate::simulate,
    stepper::{BuildStepper, StepperName},
    trajectory::{Ending, Trajectory},
};

const RIGID: [StepperName; 3] = [StepperName::NLP, StepperName::LCP, StepperName::CONE];

fn plane(text: &str) -> Scenario<2> {
    match parse_scenario("blows.toml", &format!("name = \"blows\"\n{text}"), &[]) {
        Ok(AnyScenario::InPlane(scenario)) => scenario,
        Ok(_) => panic!("in space:\n{text}"),
        Err(error) => panic!("{error}"),
    }
}

#[track_caller]
fn run(scenario: &Scenario<2>, name: StepperName) -> Trajectory<2> {
    let mut stepper = scenario.stepper(name).unwrap();
    let trajectory = simulate(scenario, stepper.as_mut());
    assert_eq!(trajectory.ending, Ending::Complete, "{name}: {:?}", trajectory.first_failure);
    trajectory
}

fn summary(trajectory: &Trajectory<2>) -> Summary<2> {
    Summary::of(trajectory, Metrics::of(trajectory, None))
}

/// A box on a slider at 1.2 m/s, `friction` N, a stop after 0.25 m.
fn slider(friction: f64, restitution: f64) -> String {
    format!(
        "duration = 0.6\nstep = 1e-3\ngravity = 0.0\n[[body]]\nname = \"b\"\nshape = \"box\"\nsize = [0.1, 0.1]\nmass = 1.4\n\
         position = [0.0, 3.0]\nvelocity = [1.2, 0.0]\n[[joint]]\nkind = \"slider\"\nbodies = [\"world\", \"b\"]\n\
         point = [0.0, 3.0]\naxis = [1.0, 0.0]\nlimits = [-1.0, 0.25]\nrestitution = {restitution}\nfriction = {friction}\n\
         [ground]\nfriction = 0.5\n"
    )
}

/// It brakes by F/m on the way there and back.
#[test]
fn dry_friction_of_a_joint_takes_no_part_in_a_blow() {
    let (friction, e) = (0.9, 0.7);
    let brake: f64 = friction / 1.4;
    let arrival = (1.2_f64.powi(2) - 2.0 * brake * 0.25).sqrt();
    let time = (1.2 - arrival) / brake;
    let expected = -(e * arrival - brake * (0.6 - time));
    for name in RIGID {
        let trajectory = run(&plane(&slider(friction, e)), name);
        let found = trajectory.final_state(0).velocity[0];
        assert!((found - expected).abs() < 2e-3, "{name}: {found} for {expected}");
    }
}

/// Two boxes in a hinge with dry friction that fall on the ground: what they had is all that they have.
#[test]
fn a_chain_with_dry_friction_that_falls_makes_no_energy() {
    let body = |name: &str, mass: f64, x: f64| {
        format!(
            "[[body]]\nname = \"{name}\"\nshape = \"box\"\nsize = [0.3, 0.06]\nmass = {mass}\nposition = [{x}, 0.5]\nspin = 0.7\n"
        )
    };
    for restitution in [0.0, 0.5] {
        let text = format!(
            "duration = 1.0\nstep = 1e-3\n{}{}[[joint]]\nkind = \"hinge\"\nbodies = [\"l0\", \"l1\"]\npoint = [0.155, 0.5]\n\
             friction = 0.3\n[ground]\nfriction = 0.4\nrestitution = {restitution}\n",
            body("l0", 1.0, 0.0),
            body("l1", 1.2, 0.31)
        );
        for name in RIGID {
            let trajectory = run(&plane(&text), name);
            let made = summary(&trajectory).metrics.get("energy_made").expect("of bodies");
            assert!(made < 1e-3, "{name}, e {restitution}: {made}");
            let highest = (0..2).map(|body| trajectory.final_state(body).position[1]).fold(0.0, f64::max);
            assert!(highest < 0.3, "{name}, e {restitution}: at {highest} m");
        }
    }
}

/// A light disc that a heavy box throws at a wall within the step: `big` loses what one blow takes.
#[test]
fn who_is_thrown_across_a_gap_passes_no_blow_on() {
    let pinch = |step: f64, mass: f64, e: f64| {
        plane(&format!(
            "duration = 0.01\nstep = {step}\ngravity = 0.0\n[[body]]\nname = \"small\"\nshape = \"disc\"\nsize = 0.05\nmass = 1.0\n\
             position = [0.099, 1.0]\nvelocity = [4.8, 0.0]\n[[body]]\nname = \"big\"\nshape = \"box\"\nsize = [0.4, 0.4]\n\
             mass = {mass}\nposition = [0.359, 1.0]\nvelocity = [-4.0, 0.0]\n[[wall]]\nnormal = [1.0, 0.0]\noffset = 0.0\n\
             [ground]\nfriction = 0.0\nrestitution = {e}\n"
        ))
    };
    for (mass, e) in [(1000.0, 0.5), (10.0, 0.5), (1e4, 1.0)] {
        let impulse = 8.8 * (1.0 + e) * mass / (mass + 1.0);
        let expected = [4.8 - impulse, -4.0 + impulse / mass];
        for name in RIGID {
            let trajectory = run(&pinch(1e-2, mass, e), name);
            for (body, expected) in expected.into_iter().enumerate() {
                let found = trajectory.final_state(body).velocity[0];
                assert!((found - expected).abs() < 1e-6, "{name}, {mass} kg, e {e}: {found} for {expected}");
            }
        }
    }
}

/// Two discs that land at once on a free plate, as far from its middle: -1/3 and -4/3 with e = 1, and no spin.
#[test]
fn blows_at_one_speed_are_struck_at_once() {
    let disc = |name: &str, x: f64| {
        format!(
            "[[body]]\nname = \"{name}\"\nshape = \"disc\"\nsize = 0.1\nmass = 1.0\nposition = [{x}, 2.25]\nvelocity = [0.0, -1.0]\n"
        )
    };
    for e in [1.0, 0.5] {
        for order in [["l", "r"], ["r", "l"]] {
            let discs = order.map(|name| disc(name, if name == "l" { -0.3 } else { 0.3 })).concat();
            let scenario = plane(&format!(
                "duration = 0.2\nstep = 1e-3\ngravity = 0.0\n[[body]]\nname = \"plate\"\nshape = \"box\"\nsize = [1.0, 0.1]\n\
                 mass = 1.0\nposition = [0.0, 2.0]\n{discs}[ground]\nfriction = 0.0\nrestitution = {e}\n"
            ));
            // The plate answers to the two by its mass alone: W = [[2, 1], [1, 2]], (1 + e) = 3 r.
            let impulse = (1.0 + e) / 3.0;
            for name in RIGID {
                let trajectory = run(&scenario, name);
                let velocity = |body: usize| trajectory.final_state(body).velocity[1];
                assert!((velocity(0) + 2.0 * impulse).abs() < 1e-9, "{name}: {}", velocity(0));
                assert!((velocity(1) - (impulse - 1.0)).abs() < 1e-9, "{name}: {}", velocity(1));
                assert!((velocity(1) - velocity(2)).abs() < 1e-12, "{name}: {} {}", velocity(1), velocity(2));
                let spin = trajectory.bodies[0].attitudes.last().expect("it turns").spin[0];
                assert!(spin.abs() < 1e-10, "{name}: {spin}");
            }
        }
    }
}

/// A chain of four rods of 1 g with 5 kg at its end, which swings: far too fast for 1 ms, and right at 0.2 ms.
fn weight_on_a_light_chain(step: f64) -> String {
    let rods: String = (0..4)
        .map(|index| {
            let z = 2.95 - 0.1 * f64::from(index);
            format!(
                "[[body]]\nname = \"l{index}\"\nshape = \"rod\"\nsize = 0.1\nmass = 0.001\nposition = [0.0, {z}]\n\
                 angle = 1.5707963267948966\n"
            )
        })
        .collect();
    let joints: String = (0..5)
        .map(|index: i32| {
            let first = if index == 0 { "world".to_owned() } else { format!("l{}", index - 1) };
            let second = if index == 4 { "w".to_owned() } else { format!("l{index}") };
            let z = 3.0 - 0.1 * f64::from(index);
            format!("[[joint]]\nkind = \"hinge\"\nbodies = [\"{first}\", \"{second}\"]\npoint = [0.0, {z}]\n")
        })
        .collect();
    format!(
        "duration = 1.5\nstep = {step}\n{rods}[[body]]\nname = \"w\"\nshape = \"disc\"\nsize = 0.03\nmass = 5.0\n\
         position = [0.0, 2.6]\nvelocity = [0.5, 0.0]\n{joints}[ground]\nfriction = 0.3\n"
    )
}

#[test]
fn a_chain_that_comes_apart_and_makes_energy_is_told() {
    // Whether the coarse one gets to its end is chance.
    let [coarse, fine] = [1e-3, 2e-4].map(|step| {
        let scenario = plane(&weight_on_a_light_chain(step));
        let mut stepper = scenario.stepper(StepperName::LCP).unwrap();
        simulate(&scenario, stepper.as_mut())
    });
    assert_eq!(fine.ending, Ending::Complete);
    let told = summary(&coarse);
    assert!(
        told.stretched.as_ref().is_some_and(|words| words.starts_with("a joint comes apart")),
        "{told:?}"
    );
    assert!(told.energy.as_ref().is_some_and(|words| words.contains("from nowhere")), "{:?}", told.energy);
    let told = summary(&fine);
    assert_eq!((told.stretched, told.energy), (None, None));
}

/// A bar in a hinge at its middle that turns onto a post: it has no speed but that of turning.
#[test]
fn the_false_impulse_of_what_only_turns_is_a_number() {
    let text = "duration = 0.3\nstep = 1e-3\ngravity = 0.0\n[[body]]\nname = \"bar\"\nshape = \"box\"\nsize = [1.0, 0.05]\n\
                mass = 1.0\nposition = [0.0, 1.0]\nspin = 10.0\n[[joint]]\nkind = \"hinge\"\nbodies = [\"world\", \"bar\"]\n\
                point = [0.0, 1.0]\n[[body]]\nname = \"post\"\nshape = \"box\"\nsize = [0.02, 0.02]\nposition = [0.0, 1.4]\n\
                fixed = true\n[ground]\nfriction = 0.0\nrestitution = 1.0\n";
    for name in RIGID {
        let found = summary(&run(&plane(text), name)).metrics.get("max_false_impulse").expect("it strikes");
        assert!(found.is_finite() && found < 1.0, "{name}: {found}");
    }
}

/// A box that slides down a rail onto the ground has one way to go: its blow is the momentum along the rail, and no more.
#[test]
fn who_has_one_way_to_go_strikes_with_its_momentum() {
    let text = "duration = 0.2\nstep = 1e-3\n[[body]]\nname = \"b\"\nshape = \"box\"\nsize = [0.2, 0.1]\nmass = 2.0\n\
                position = [0.0, 0.1]\n[[joint]]\nkind = \"slider\"\nbodies = [\"world\", \"b\"]\npoint = [0.0, 0.1]\n\
                axis = [1.0, -1.0]\n[ground]\nfriction = 0.8\n";
    for name in RIGID {
        let trajectory = run(&plane(text), name);
        let end = trajectory.final_state(0);
        assert!(end.velocity.norm() < 1e-9 && (end.position[1] - 0.05).abs() < 1e-4, "{name}: {end:?}");
        let steps = &trajectory.bodies[0].steps;
        let largest = steps.iter().map(|step| step.force.norm()).fold(0.0, f64::max);
        // m v / dt of the fall of 5 cm by g/2, and as much again as friction may add to what the rail takes.
        let blow = 2.0 * (9.81 * 0.05_f64).sqrt() / 1e-3;
        assert!(largest < 10.0 * blow, "{name}: {largest} N for {blow} N");
    }
}

//! Rigid bodies in space from scenario files.

use std::path::Path;

use nalgebra::Vector3;
use stickslip::{
    metrics::Metrics,
    model::Orientation,
    scenario::{AnyScenario, Override, Scenario, parse_scenario, read_scenario},
    simulate::simulate,
    stepper::{BuildStepper, ContactMode, StepStatus, StepperName},
    trajectory::{Ending, Trajectory, write_contacts_csv, write_csv},
    world::Partner,
};

const EXAMPLES: [&str; 6] =
    ["cube-throw", "dzhanibekov", "spinning-tripod", "rocking-cube", "tower", "backspin-ball"];

const RIGID: [StepperName; 3] = [StepperName::NLP, StepperName::LCP, StepperName::CONE];

fn in_space(scenario: AnyScenario) -> Scenario<3> {
    match scenario {
        AnyScenario::OverPlane(scenario) => scenario,
        AnyScenario::InPlane(scenario) => panic!("{} is in space", scenario.name),
    }
}

fn example(name: &str, overrides: &[&str]) -> Scenario<3> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("examples/scenarios/{name}.toml"));
    let overrides: Vec<Override> = overrides.iter().map(|text| text.parse().unwrap()).collect();
    in_space(read_scenario(&path, &overrides).unwrap())
}

fn parse(text: &str) -> Scenario<3> {
    in_space(parse_scenario("test.toml", text, &[]).unwrap())
}

fn run(scenario: &Scenario<3>, name: StepperName) -> Trajectory<3> {
    let mut stepper = scenario.stepper(name).unwrap();
    let trajectory = simulate(scenario, stepper.as_mut());
    let what = &scenario.name;
    assert_eq!(trajectory.ending, Ending::Complete, "{what} {name}: {:?}", trajectory.first_failure);
    trajectory
}

#[test]
fn every_example_runs_by_every_model_and_gains_no_energy_by_rigid_contacts() {
    for name in EXAMPLES {
        let scenario = example(name, &["duration=0.6"]);
        for stepper in [
            StepperName::NLP,
            StepperName::LCP,
            StepperName::LCP_ANITESCU,
            StepperName::CONE,
            StepperName::CONVEX,
            StepperName::SMOOTH,
        ] {
            let trajectory = run(&scenario, stepper);
            assert_eq!(trajectory.count(StepStatus::Failed), 0, "{name} {stepper}");
            if RIGID.contains(&stepper) {
                let gain = Metrics::of(&trajectory, None).max_energy_gain();
                // The midpoint of the free rotation lets the energy breathe by some parts in 1e8.
                assert!(gain < 1e-7, "{name} {stepper}: {gain:e}");
            }
        }
    }
}

#[test]
fn the_exact_motion_in_space_is_refused_with_the_reason() {
    let refusal = example("cube-throw", &[]).stepper(StepperName::EXACT).err().unwrap().to_string();
    assert!(refusal.contains("turns in space is not known"), "{refusal}");
}

/// The contact point slides in one direction until the ball rolls: momentum about it does not change.
#[test]
fn a_ball_with_spin_rolls_off_as_its_angular_momentum_about_the_contact_says() {
    for stepper in RIGID {
        let trajectory = run(&example("backspin-ball", &[]), stepper);
        let velocity = trajectory.final_state(0).velocity;
        let expected = Vector3::new(-2.0 / 7.0, 4.0 / 7.0, 0.0);
        assert!((velocity - expected).amax() < 1e-6, "{stepper}: {velocity}");
        let attitude = trajectory.bodies[0].attitudes.last().unwrap();
        let Orientation::Quaternion(turn) = attitude.orientation else { panic!("in space") };
        let rolling = (turn * attitude.spin).cross(&Vector3::new(0.0, 0.0, 0.1));
        assert!((rolling - velocity).amax() < 1e-5, "{stepper}: {rolling}");
        let last = trajectory.contacts.of_step(trajectory.steps.len() - 1);
        assert_eq!((last.len(), last[0].second, last[0].mode), (1, Partner::Ground, ContactMode::Stick));
    }
}

#[test]
fn fixed_directions_of_friction_are_named_as_what_they_do() {
    let aligned = run(&example("spinning-tripod", &[]), StepperName::LCP);
    assert!(aligned.warnings().is_empty(), "{:?}", aligned.warnings());
    let fixed = example("spinning-tripod", &["stepper.lcp.polygon=fixed"]);
    let trajectory = run(&fixed, StepperName::LCP);
    let [warning] = <[String; 1]>::try_from(trajectory.warnings()).unwrap();
    assert!(warning.contains("4 directions fixed") && warning.contains("\"aligned\""), "{warning}");
    let off = (trajectory.final_state(0).position - aligned.final_state(0).position).norm();
    assert!((off / 1.8e-2 - 1.0).abs() < 0.1, "{off}");
    assert!(run(&fixed, StepperName::NLP).warnings().is_empty());
}

#[test]
fn settings_of_a_single_point_are_named_as_ignored() {
    let scenario = example("cube-throw", &["stepper.lcp.solver=enumeration", "stepper.nlp.warm_start=false"]);
    let ignored = |name| {
        let trajectory = run(&scenario, name);
        trajectory.ignored().iter().map(|ignored| ignored.key).collect::<Vec<_>>()
    };
    assert_eq!(ignored(StepperName::LCP), ["stepper.lcp.solver"]);
    assert_eq!(ignored(StepperName::NLP), ["stepper.nlp.warm_start"]);
}

#[test]
fn the_tower_stands_until_the_ball_comes() {
    for stepper in RIGID {
        let trajectory = run(&example("tower", &[]), stepper);
        let moved = |body: usize, k: usize| {
            let states = &trajectory.bodies[body].states;
            (states[k].position - states[0].position).norm()
        };
        for body in 0..3 {
            assert!(moved(body, 150) < 1e-9, "{stepper} {body}: {:e}", moved(body, 150));
        }
        assert!(moved(2, 1500) > 0.1, "{stepper}: {}", moved(2, 1500));
        let deepest = Metrics::of(&trajectory, None).max_penetration();
        assert!(deepest < 2e-4, "{stepper}: {deepest:e}");
    }
}

const PLATE: &str = "name = \"plate\"\nduration = 0.5\nstep = 1e-3\ngravity = 0.0\n[ground]\nfriction = 0.4\n[[body]]\n\
                     shape = \"box\"\nsize = [0.4, 0.2, 0.1]\nmass = 2.0\nposition = [0.0, 0.0, 5.0]\n";

/// A torque of the world on a body that is turned, and a force off its centre.
#[test]
fn pushes_turn_bodies_by_torque_and_arm() {
    let spin = |push: &str| {
        // A quarter turn about z: the body's x is the world's y.
        let turned = "orientation = [0.7071067811865476, 0.0, 0.0, 0.7071067811865476]\n[[push]]\nbody = \"body-0\"\nto = 0.001\n";
        let trajectory = run(&parse(&format!("{PLATE}{turned}{push}")), StepperName::LCP);
        trajectory.bodies[0].attitudes[1].spin
    };
    let about_x = 2.0 * (0.04 + 0.01) / 12.0;
    let about_y = 2.0 * (0.16 + 0.01) / 12.0;
    let by_torque = spin("force = [0.0, 0.0, 0.0]\ntorque = [0.5, 0.0, 0.0]\n");
    assert!((by_torque - Vector3::new(0.0, -0.5e-3 / about_y, 0.0)).amax() < 1e-12, "{by_torque}");
    // Up, on the body's +y side, which is at the world's -x.
    let by_force = spin("force = [0.0, 0.0, 3.0]\npoint = [0.0, 0.1, 0.0]\n");
    assert!((by_force - Vector3::new(0.3e-3 / about_x, 0.0, 0.0)).amax() < 1e-12, "{by_force}");
}

/// A belt that moves in both directions of its plane carries a box along.
#[test]
fn a_box_on_a_belt_takes_its_velocity() {
    let text = PLATE.replace("gravity = 0.0", "gravity = 9.81").replace("5.0]", "0.05]")
        + "[[wall]]\nnormal = [0.0, 0.0, 1.0]\noffset = 0.0\nvelocity = [0.3, -0.4]\n";
    // The ground lies under the belt, out of the way.
    let text = text.replace("0.05]", "0.06]").replace("offset = 0.0", "offset = 0.01");
    for stepper in RIGID {
        let trajectory = run(&parse(&text), stepper);
        let velocity = trajectory.final_state(0).velocity;
        assert!((velocity - Vector3::new(0.3, -0.4, 0.0)).amax() < 1e-6, "{stepper}: {velocity}");
    }
}

/// Two balls on a rod tumble without changing their distance; a box hangs on a spring.
#[test]
fn rods_and_springs_join_centres_of_mass() {
    let text = "name = \"joined\"\nduration = 0.5\nstep = 1e-3\n[ground]\nfriction = 0.4\n\
         [[body]]\nname = \"a\"\nshape = \"sphere\"\nsize = 0.1\nmass = 1.0\nposition = [0.0, 0.0, 0.4]\nvelocity = [1.0, 0.0, 0.0]\n\
         [[body]]\nname = \"b\"\nshape = \"sphere\"\nsize = 0.1\nmass = 2.0\nposition = [0.5, 0.3, 0.5]\n\
         [[body]]\nname = \"hook\"\nshape = \"box\"\nsize = [0.1, 0.1, 0.1]\nmass = 1.0\nposition = [2.0, 0.0, 2.0]\nfixed = true\n\
         [[body]]\nname = \"load\"\nshape = \"box\"\nsize = [0.1, 0.1, 0.1]\nmass = 1.0\nposition = [2.0, 0.0, 1.5]\n\
         [[rod]]\nbodies = [\"a\", \"b\"]\n[[spring]]\nbodies = [\"hook\", \"load\"]\nstiffness = 400.0\ndamping = 40.0\n";
    for stepper in RIGID {
        let trajectory = run(&parse(text), stepper);
        let apart = trajectory.final_state(0).position - trajectory.final_state(1).position;
        assert!((apart.norm() - 0.35_f64.sqrt()).abs() < 1e-4, "{stepper}: {}", apart.norm());
        let stretched = 1.5 - trajectory.final_state(3).position[2];
        assert!((stretched - 9.81 / 400.0).abs() < 1e-3, "{stepper}: {stretched}");
        assert_eq!(trajectory.final_state(2).position, Vector3::new(2.0, 0.0, 2.0));
    }
}

/// Forces and torques of the contacts, in the axes of the world, change the momenta of the body.
#[test]
fn recorded_forces_and_torques_balance_the_momenta() {
    let scenario = example("cube-throw", &[]);
    let trajectory = run(&scenario, StepperName::NLP);
    let motion = &trajectory.bodies[0];
    let momentum = |k: usize| {
        let Orientation::Quaternion(turn) = motion.attitudes[k].orientation else { panic!("in space") };
        turn * (motion.attitudes[k].spin * 8.1e-4)
    };
    let mut largest: f64 = 0.0;
    for k in 0..trajectory.steps.len() {
        let change = (motion.states[k + 1].velocity - motion.states[k].velocity) * 0.37;
        let impulse = (motion.steps[k].force + scenario.gravity_vector() * 0.37) * scenario.step;
        assert!((change - impulse).amax() < 1e-12, "{k}");
        let gained = momentum(k + 1) - momentum(k);
        assert!((gained - motion.torques[k] * scenario.step).amax() < 1e-12, "{k}");
        largest = largest.max(gained.amax());
    }
    assert!(largest > 1e-3, "it hits the ground");
}

#[test]
fn files_of_a_run_have_the_columns_of_space() {
    let trajectory = run(&example("tower", &["duration=0.3"]), StepperName::LCP);
    let (mut csv, mut contacts) = (Vec::new(), Vec::new());
    write_csv(&trajectory, &mut csv).unwrap();
    write_contacts_csv(&trajectory, &mut contacts).unwrap();
    let [csv, contacts] = [csv, contacts].map(|bytes| String::from_utf8(bytes).unwrap());
    assert_eq!(
        csv.lines().next(),
        Some(
            "body,step,t,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,fx,fy,fz,tx,ty,tz,ux,uy,uz,energy,status,iterations,residual"
        )
    );
    assert_eq!(csv.lines().count(), 1 + 4 * 301);
    assert_eq!(
        contacts.lines().next(),
        Some("step,t,first,second,x,y,z,nx,ny,nz,gap,fn,ftx,fty,ftz,mode,gap_end")
    );
    assert!(contacts.lines().any(|line| line.contains("bottom,ground")), "{contacts}");
    assert!(contacts.lines().any(|line| line.contains("bottom,middle")), "{contacts}");
}

/// A stack of boxes of grams under others of a hundred kilograms, each pushed its own way: an interior-point method with the
/// usual settings leaves the light ones unsettled.
#[test]
fn penalty_friction_between_very_different_masses_settles() {
    let boxes = [
        (0.00143, [0.144, 0.246, 0.0889], [-0.0198, 0.012, 0.04445], [0.353, 0.421]),
        (0.00145, [0.235, 0.269, 0.194], [-0.00535, -0.0157, 0.1859], [-0.304, 0.58]),
        (0.224, [0.216, 0.153, 0.0646], [-0.0173, -0.00277, 0.3152], [0.155, 0.131]),
        (154.0, [0.23, 0.284, 0.159], [0.016, -0.000761, 0.427], [0.504, -0.238]),
        (71.4, [0.157, 0.231, 0.097], [-0.00085, 0.00123, 0.555], [-0.859, -0.405]),
    ];
    let mut text = "name = \"masses\"\nduration = 0.1\nstep = 1e-3\n[ground]\nfriction = 1.0\n".to_owned();
    for (mass, size, position, [vx, vy]) in boxes {
        text += &format!(
            "[[body]]\nshape = \"box\"\nmass = {mass:?}\nsize = {size:?}\nposition = {position:?}\nvelocity = [{vx}, {vy}, 0.0]\n"
        );
    }
    run(&parse(&text), StepperName::SMOOTH);
}

/// A box that falls on one which lies crosswise under it, tilted by a few degrees: where its edges pass those of the lower
/// one, the corners of the common area come down one after the other, some within a step of each other.
#[test]
fn boxes_that_fall_on_each_other_crosswise_stay_out_of_each_other() {
    let scenario = parse(
        r#"
        name = "crosswise"
        duration = 0.6
        step = 0.001
        [ground]
        friction = 0.4
        [[body]]
        name = "low"
        shape = "box"
        size = [0.8, 0.2, 0.1]
        mass = 1.0
        position = [0.0, 0.0, 0.05]
        fixed = true
        [[body]]
        name = "up"
        shape = "box"
        size = [0.2, 0.8, 0.1]
        mass = 1.0
        position = [0.0, 0.0, 0.17]
        orientation = [0.9885879961895127, 0.01632445675380648, 0.007645057801300188, 0.1495621576232164]
        velocity = [0.0, 0.0, -1.0]
        "#,
    );
    for name in RIGID {
        let trajectory = run(&scenario, name);
        let depth = Metrics::of(&trajectory, None).max_penetration();
        assert!(depth < 1e-5, "{name}: {depth} m");
        let [low, up] = [0, 1].map(|body| trajectory.bodies[body].states.last().unwrap().position);
        assert!((up.z - 0.15).abs() < 1e-5 && low.z == 0.05, "{name} rests at {}", up.z);
    }
}

/// What carries a body is pressed as hard as it presses, whether it gives way or not.
#[test]
fn a_fixed_body_has_the_forces_of_its_contacts() {
    let scenario = parse(
        r#"
        name = "carried"
        duration = 0.05
        step = 0.001
        [ground]
        friction = 0.4
        [[body]]
        shape = "box"
        size = [1.0, 1.0, 0.2]
        mass = 5.0
        position = [0.0, 0.0, 0.5]
        fixed = true
        [[body]]
        shape = "sphere"
        size = 0.1
        mass = 2.0
        position = [0.3, -0.2, 0.7]
        "#,
    );
    for name in RIGID {
        let trajectory = run(&scenario, name);
        let [table, load] = [0, 1].map(|body| trajectory.bodies[body].steps.last().unwrap());
        assert!((load.force.z - 2.0 * 9.81).abs() < 1e-6, "{name}: {}", load.force.z);
        assert!((table.force + load.force).amax() < 1e-9, "{name}: {}", table.force);
        // At the arm (0.3, -0.2): r x F.
        let torque = Vector3::new(-0.2 * table.force.z, -0.3 * table.force.z, 0.0);
        let found = *trajectory.bodies[0].torques.last().unwrap();
        assert!((found - torque).amax() < 1e-6, "{name}: {found:?}");
    }
}

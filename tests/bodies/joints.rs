//! Joints of scenarios against what is known of their motion, by every rigid model.
//!
//! Truths are closed forms, or were integrated in minimal coordinates in two ways.

use std::{collections::BTreeMap, f64::consts::FRAC_PI_2, path::Path};

use stickslip::{
    metrics::{Energy, max_energy_created, max_rod_error},
    model::Orientation,
    scenario::{AnyScenario, Scenario, parse_scenario},
    simulate::simulate,
    stepper::{BuildStepper, Honours, StepStatus, StepperName},
    trajectory::{Ending, Trajectory, write_joints_csv},
};

const RIGID: [StepperName; 3] = [StepperName::NLP, StepperName::LCP, StepperName::CONE];

fn plane(text: &str) -> Scenario<2> {
    match parse_scenario("joints.toml", text, &[]) {
        Ok(AnyScenario::InPlane(scenario)) => scenario,
        Ok(_) => panic!("in space:\n{text}"),
        Err(error) => panic!("{error}"),
    }
}

fn space(text: &str) -> Scenario<3> {
    match parse_scenario("joints.toml", text, &[]) {
        Ok(AnyScenario::OverPlane(scenario)) => scenario,
        Ok(_) => panic!("in the plane:\n{text}"),
        Err(error) => panic!("{error}"),
    }
}

fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("examples/scenarios/{name}.toml"));
    std::fs::read_to_string(path).expect("an example")
}

#[track_caller]
fn run<const D: usize>(scenario: &Scenario<D>, name: StepperName) -> Trajectory<D>
where
    Scenario<D>: BuildStepper<D>,
{
    let mut stepper = scenario.stepper(name).unwrap_or_else(|refusal| panic!("{refusal}"));
    let trajectory = simulate(scenario, stepper.as_mut());
    assert_eq!(trajectory.ending, Ending::Complete, "{name}: {:?}", trajectory.first_failure);
    assert!(trajectory.steps.iter().all(|step| step.report.status != StepStatus::Failed));
    trajectory
}

/// The columns of `joints.csv` of one joint; what is empty is not a number.
fn columns<const D: usize>(trajectory: &Trajectory<D>, joint: &str) -> BTreeMap<String, Vec<f64>> {
    let mut file = Vec::new();
    write_joints_csv(trajectory, &mut file).expect("a list takes all rows");
    let text = String::from_utf8(file).expect("CSV");
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().expect("a header").split(',').collect();
    let mut columns = BTreeMap::new();
    for line in lines.filter(|line| line.split(',').nth(2) == Some(joint)) {
        for (name, field) in names.iter().zip(line.split(',')) {
            let column: &mut Vec<f64> = columns.entry((*name).to_owned()).or_default();
            column.push(field.parse().unwrap_or(f64::NAN));
        }
    }
    columns
}

/// The period in s of an oscillation about zero in steps of `step` s, from its first two passages.
fn period(values: &[f64], step: f64) -> f64 {
    let passes = |k: &usize| (values[*k] > 0.0) != (values[k + 1] > 0.0);
    let mut passages =
        (0..values.len() - 1).filter(passes).map(|k| k as f64 + values[k] / (values[k] - values[k + 1]));
    let [first, second] = [(); 2].map(|()| passages.next().expect("it swings"));
    2.0 * step * (second - first)
}

/// A uniform rod of 1 m and 1 kg pinned to the world at its end, 2 m up, at this angle from hanging down.
fn hung(angle: f64, joint: &str) -> String {
    let turned = angle - FRAC_PI_2;
    format!(
        "name = \"hung\"\nduration = 4.0\nstep = 1e-3\n[ground]\nfriction = 0.5\n[[body]]\nname = \"arm\"\nshape = \"rod\"\n\
         size = 1.0\nmass = 1.0\nposition = [{:?}, {:?}]\nangle = {turned:?}\n[[joint]]\nkind = \"hinge\"\n\
         bodies = [\"world\", \"arm\"]\npoint = [0.0, 2.0]\n{joint}\n",
        0.5 * turned.cos(),
        2.0 + 0.5 * turned.sin(),
    )
}

/// A rotor of 1 kg m^2 about its centre, with this spin, in no gravity.
fn rotor(spin: f64, duration: f64, joint: &str) -> String {
    format!(
        "name = \"rotor\"\nduration = {duration:?}\nstep = 1e-3\ngravity = 0.0\n[ground]\nfriction = 0.5\n[[body]]\n\
         name = \"rotor\"\nshape = \"disc\"\nsize = 0.2\nmass = 1.0\ninertia = 1.0\nposition = [0.0, 1.0]\nspin = {spin:?}\n\
         [[joint]]\nkind = \"hinge\"\nbodies = [\"world\", \"rotor\"]\npoint = [0.0, 1.0]\n{joint}\n"
    )
}

/// The period is `4 K(sin 1)` over `sqrt(3 g/2)`; the pin carries what the energy says.
#[test]
fn a_pendulum_has_its_period_and_the_force_in_its_pin() {
    let scenario = Scenario { duration: 1.7, ..plane(&example("pendulum")) };
    for name in RIGID {
        let trajectory = run(&scenario, name);
        let columns = columns(&trajectory, "hinge-0");
        let angles: Vec<f64> = columns["coordinate"].iter().map(|angle| angle + 2.0).collect();
        let period = period(&angles, 1e-3);
        assert!((period - 2.176_674_510).abs() < 3e-5, "{name}: {period}");
        assert!(columns["gap"].iter().all(|gap| *gap < 5e-5));
        assert!(max_rod_error(&trajectory) < 5e-5);
        for (k, (force, angle)) in columns["fz"].iter().zip(&angles).enumerate().skip(2) {
            // m g and the acceleration of the centre: l/2 (phi'^2 cos - phi'' sin) upwards.
            let squared = 3.0 * 9.81 * (angle.cos() - 2.0_f64.cos());
            let acceleration = -1.5 * 9.81 * angle.sin();
            let truth = 9.81 + 0.5 * (squared * angle.cos() + acceleration * angle.sin());
            assert!((force - truth).abs() < 0.05, "{name}, step {k}: {force} {truth}");
        }
        // The first two impulses are no forces.
        assert!(columns["fx"][..2].iter().all(|force| force.is_nan()) && columns["fx"][2].is_finite());
    }
}

/// The largest gap of any joint at the end of a step, and after 2 s the larger error of two angles that Lagrange's equations give.
fn double_pendulum(closing: &str, step: f64, name: StepperName) -> (f64, f64) {
    let truth = [-1.434_626_60, -1.773_059_97];
    let scenario = Scenario { step, ..plane(&(example("double-pendulum") + closing)) };
    let trajectory = run(&scenario, name);
    let joints = ["hinge-0", "hinge-1"].map(|joint| columns(&trajectory, joint));
    let gap = joints.iter().flat_map(|columns| &columns["gap"]).copied().fold(0.0, f64::max);
    let angle = |body: usize| match trajectory.bodies[body].attitudes.last().expect("steps").orientation {
        Orientation::Angle(angle) => angle,
        Orientation::Quaternion(_) => panic!("in the plane"),
    };
    (gap, [0, 1].map(|body| (angle(body) - truth[body]).abs()).into_iter().fold(0.0, f64::max))
}

/// Held to first order a joint is off by what bends away within a step; solved again it is closed to rounding, and the motion is as
/// good as before.
#[test]
fn joints_are_closed_at_the_end_of_a_step_where_they_have_to_be() {
    for name in RIGID {
        for (step, most) in [(1e-2, 0.1), (1e-3, 8e-3)] {
            let (linear, _) = double_pendulum("", step, name);
            let (closed, off) = double_pendulum("\n[stepper]\njoints = \"closed\"\n", step, name);
            assert!(linear > 1e-6 && closed < 2e-12, "{name}, {step}: {linear:e} {closed:e}");
            assert!(off < most, "{name}, {step}: {off}");
        }
    }
}

/// A pendulum of 2 rad: its period is 1.3e-5 off as joints are, and 3e-6 where they are closed.
#[test]
fn a_pendulum_with_a_closed_hinge_keeps_its_period() {
    let text = example("pendulum") + "\n[stepper]\njoints = \"closed\"\n";
    let scenario = Scenario { duration: 1.7, ..plane(&text) };
    for name in RIGID {
        let columns = columns(&run(&scenario, name), "hinge-0");
        let angles: Vec<f64> = columns["coordinate"].iter().map(|angle| angle + 2.0).collect();
        let period = period(&angles, 1e-3);
        assert!((period - 2.176_674_510).abs() < 1e-5, "{name}: {period}");
        assert!(columns["gap"].iter().all(|gap| *gap < 1e-12), "{name}");
    }
}

/// An arm that swings down on a floor that it reaches, bounces and comes to rest on it.
#[test]
fn closed_joints_stay_closed_where_bodies_strike_and_rest() {
    let floor = "[[wall]]\nnormal = [0.0, 1.0]\noffset = 1.2\nfriction = 0.3\nrestitution = 0.5\n";
    let text = hung(1.3, "") + floor + "[stepper]\njoints = \"closed\"\n";
    let scenario = Scenario { duration: 2.5, ..plane(&text) };
    for name in RIGID {
        let trajectory = run(&scenario, name);
        let gaps = columns(&trajectory, "hinge-0").remove("gap").expect("a column");
        let last = trajectory.bodies[0].states.last().expect("steps");
        assert!(last.velocity.norm() < 1e-9, "{name}: {}", last.velocity);
        assert!(gaps.last().is_some_and(|gap| *gap < 1e-12), "{name}");
        // In a step in which it bounces it goes a share of its way by the velocity after the impact.
        let open = gaps.iter().filter(|gap| **gap > 1e-12).count();
        assert!(open < 40, "{name}: {open}");
    }
}

#[test]
fn a_door_that_rubs_stops_where_friction_has_taken_its_energy() {
    let scenario = Scenario { step: 4e-3, ..space(&example("door")) };
    for name in RIGID {
        let trajectory = run(&scenario, name);
        let columns = columns(&trajectory, "hinge-0");
        let angle = &columns["coordinate"];
        let last = *angle.last().expect("rows");
        assert!((last - 4.0).abs() < 6e-3, "{name}: {last}");
        // It stays there: from 4 s on, friction holds.
        assert!(angle[1005..].iter().all(|angle| (angle - last).abs() < 1e-9), "{name}");
        assert!((columns["friction"][250] + 0.5).abs() < 1e-6, "{name}: {}", columns["friction"][250]);
        assert!(columns["friction"][1050].abs() < 1e-6);
    }
}

/// Half a radian per second squared against 2 rad/s, with damping besides.
#[test]
fn dry_friction_and_a_damper_stop_a_rotor() {
    let scenario = plane(&rotor(2.0, 3.0, "friction = 0.5\ndamping = 0.3"));
    for name in RIGID {
        let angle = columns(&run(&scenario, name), "hinge-0").remove("coordinate").expect("a column");
        let last = *angle.last().expect("rows");
        assert!((last - 2.286_348).abs() < 2e-3, "{name}: {last}");
        let stop = angle.iter().position(|angle| (angle - last).abs() < 1e-6).expect("it stops");
        assert!((1e-3 * stop as f64 - 2.628_191).abs() < 3e-3, "{name}: {stop}");
    }
}

#[test]
fn a_pendulum_bounces_off_its_stop() {
    // Where it hangs down is 0.
    let mut scenario = plane(&hung(1.0, "start = 1.0\nlimits = [-0.3, 2.0]\nrestitution = 0.6"));
    scenario.duration = 1.7;
    for name in RIGID {
        let trajectory = run(&scenario, name);
        let columns = columns(&trajectory, "hinge-0");
        let (angle, rate) = (&columns["coordinate"], &columns["rate"]);
        let least = angle.iter().copied().fold(f64::INFINITY, f64::min);
        assert!(least > -0.3 - 1e-5, "{name}: {least}");
        let impacts: Vec<usize> =
            (0..angle.len() - 1).filter(|k| rate[*k] < 0.0 && rate[k + 1] > 0.5).collect();
        let times: Vec<f64> = impacts.iter().map(|k| 1e-3 * (*k as f64 + 0.5)).collect();
        assert!(
            (times[0] - 0.519_598).abs() < 2e-3 && (times[1] - 1.621_482).abs() < 4e-3,
            "{name}: {times:?}"
        );
        let [before, after] = [rate[impacts[0]], rate[impacts[0] + 1]];
        // The blow takes no time, and for the rest of the step gravity pulls it on.
        let leaves = 0.6 * 3.494_919 + 1.5 * 9.81 * 0.3_f64.sin() * 1e-3;
        assert!(
            (before + 3.494_919).abs() < 3e-3 && (after - leaves).abs() < 3e-3,
            "{name}: {before} {after}, and should be {leaves}"
        );
        let peak = angle[600..1600].iter().copied().fold(f64::NEG_INFINITY, f64::max);
        assert!((peak - 0.633_561).abs() < 4e-3, "{name}: {peak}");
    }
}

/// Forces on the rod at 60 degrees by Newton's laws, with the accelerations of the exact motion.
#[test]
fn a_slider_crank_needs_the_torque_that_its_masses_ask_for() {
    let scenario = Scenario { duration: 0.12, ..plane(&example("slider-crank")) };
    for name in RIGID {
        let trajectory = run(&scenario, name);
        let at = |joint: &str, column: &str| {
            let crank = columns(&trajectory, "hinge-0");
            let angle = &crank["coordinate"];
            let target = 60.0_f64.to_radians();
            let k = angle.iter().position(|angle| *angle > target).expect("it turns") - 1;
            let share = (target - angle[k]) / (angle[k + 1] - angle[k]);
            let values = &columns(&trajectory, joint)[column];
            values[k] + share * (values[k + 1] - values[k])
        };
        assert!((at("slider-3", "coordinate") + 0.4 - 0.337_228_132).abs() < 2e-4, "{name}");
        let torque = at("hinge-0", "drive");
        assert!((torque - 0.462_468_27).abs() < 5e-3, "{name}: {torque}");
        let force = [at("hinge-1", "fx"), at("hinge-1", "fz")];
        assert!(
            (force[0] + 5.422_937).abs() < 2e-2 && (force[1] + 0.143_437).abs() < 2e-2,
            "{name}: {force:?}"
        );
        // On the slider, of which the truth is that on the rod.
        let force = [-at("hinge-2", "fx"), -at("hinge-2", "fz")];
        assert!(
            (force[0] - 3.338_350).abs() < 2e-2 && (force[1] + 2.021_626).abs() < 2e-2,
            "{name}: {force:?}"
        );
    }
}

#[test]
fn four_bars_in_a_loop_swing_as_their_one_angle_does() {
    let scenario = plane(&example("four-bar"));
    for name in RIGID {
        let trajectory = run(&scenario, name);
        for (k, truth) in [(250, -0.632_720_6), (500, -4.207_784_5), (1000, -0.106_918_5)] {
            let Orientation::Angle(angle) = trajectory.bodies[0].attitudes[k].orientation else {
                panic!("plane")
            };
            assert!((angle - truth).abs() < 2e-2, "{name}, step {k}: {angle} {truth}");
        }
        assert!(max_rod_error(&trajectory) < 2e-4, "{name}: {}", max_rod_error(&trajectory));
    }
}

/// A servo of 50 N m/rad and 2 N m s/rad turns 0.5 kg m^2 to 1 rad.
#[test]
fn a_servo_overshoots_as_its_gains_say_and_no_more_than_its_limit_lets_it() {
    let text = |limit: &str| {
        rotor(0.0, 0.4, &format!("[joint.drive]\nposition = 1.0\nkp = 50.0\nkv = 2.0\n{limit}"))
            .replace("inertia = 1.0", "inertia = 0.5")
    };
    for (limit, truth, tolerance) in [("", 1.384_541_13, 8e-3), ("limit = 10.0", 1.315_023_02, 5e-3)] {
        let scenario = plane(&text(limit));
        for name in RIGID {
            let trajectory = run(&scenario, name);
            let Orientation::Angle(angle) = trajectory.bodies[0].attitudes[400].orientation else {
                panic!("plane")
            };
            assert!((angle - truth).abs() < tolerance, "{name}, {limit}: {angle} {truth}");
            if !limit.is_empty() {
                let drive = &columns(&trajectory, "hinge-0")["drive"];
                assert!(
                    drive.iter().all(|drive| drive.abs() <= 10.0 + 1e-6) && (drive[0] - 10.0).abs() < 1e-6
                );
            }
        }
    }
}

#[test]
fn a_drive_by_force_and_one_by_velocity_do_what_they_say() {
    let scenario = plane(&rotor(0.0, 1.0, "[joint.drive]\nforce = [[0.0, 0.0], [1.0, 2.0]]"));
    for name in RIGID {
        let spin = run(&scenario, name).bodies[0].attitudes[1000].spin[0];
        // The integral of 2 t, by the left ends of the steps.
        assert!((spin - 0.999).abs() < 1e-9, "{name}: {spin}");
    }
    let scenario = plane(&rotor(0.0, 1.0, "[joint.drive]\nvelocity = 3.0\nkv = 10.0"));
    for name in RIGID {
        let spin = run(&scenario, name).bodies[0].attitudes[100].spin[0];
        let truth = 3.0 * (1.0 - (-1.0_f64).exp());
        assert!((spin - truth).abs() < 1e-2, "{name}: {spin} {truth}");
    }
}

/// The rotor of a motor adds its inertia; what it takes up of energy is counted.
#[test]
fn an_armature_lengthens_the_period() {
    let mut scenario = plane(&hung(0.1, "armature = 0.2"));
    scenario.duration = 1.6;
    for name in RIGID {
        let trajectory = run(&scenario, name);
        let angles: Vec<f64> =
            columns(&trajectory, "hinge-0")["coordinate"].iter().map(|angle| angle + 0.1).collect();
        let period = period(&angles, 1e-3);
        assert!((period - 2.073_152_412).abs() < 1e-4, "{name}: {period}");
        let tracks = [trajectory.track(0)];
        let energy = Energy::over_time(&tracks, 0..trajectory.steps.len());
        let start = energy[0].total();
        assert!(energy.iter().all(|energy| (energy.total() - start).abs() < 2e-3), "{name}");
    }
}

/// A gate on an axis that leans by 10 degrees swings as a pendulum under a tenth of gravity.
#[test]
fn a_leaning_gate_swings_about_its_axis() {
    let lean = 10.0_f64.to_radians();
    // The axis leans towards +x, where the gate hangs in equilibrium: 1 rad about the axis from there.
    let axis = [lean.sin(), 0.0, lean.cos()];
    let down = [lean.cos(), 0.0, -lean.sin()];
    let arm = [0.5 * 1.0_f64.cos() * down[0], 0.5 * 1.0_f64.sin(), 0.5 * 1.0_f64.cos() * down[2]];
    // A ball of 0.4 kg m^2 in all directions, so that its orientation does not matter.
    let text = format!(
        "name = \"gate\"\nduration = 3.2\nstep = 4e-3\n[ground]\nfriction = 0.5\n[[body]]\nname = \"gate\"\nshape = \"sphere\"\n\
         size = 0.01\nmass = 5.0\ninertia = [0.4, 0.4, 0.4]\nposition = [{:?}, {:?}, {:?}]\n[[joint]]\nkind = \"hinge\"\n\
         bodies = [\"world\", \"gate\"]\npoint = [0.0, 0.0, 2.0]\naxis = [{:?}, {:?}, {:?}]\n",
        arm[0],
        arm[1],
        2.0 + arm[2],
        axis[0],
        axis[1],
        axis[2]
    );
    let scenario = space(&text);
    for name in RIGID {
        let angle: Vec<f64> =
            columns(&run(&scenario, name), "hinge-0")["coordinate"].iter().map(|angle| angle + 1.0).collect();
        let period = period(&angle, 4e-3);
        assert!((period - 4.170_379_473).abs() < 2e-4, "{name}: {period}");
    }
}

/// Two bodies in one piece fly as one, and so does what a ball joint, a universal joint or a slider holds at rest.
#[test]
fn what_is_welded_flies_as_one() {
    let text = "name = \"welded\"\nduration = 0.5\nstep = 1e-3\n[ground]\nfriction = 0.5\n[[body]]\nname = \"a\"\n\
         shape = \"box\"\nsize = [0.2, 0.1, 0.1]\nmass = 1.0\nposition = [0.0, 0.0, 5.0]\nvelocity = [0.0, 0.0, 0.0]\n\
         spin = [0.0, 0.0, 2.0]\n[[body]]\nname = \"b\"\nshape = \"box\"\nsize = [0.2, 0.1, 0.1]\nmass = 1.0\n\
         position = [0.2, 0.0, 5.0]\nvelocity = [0.0, 0.4, 0.0]\nspin = [0.0, 0.0, 2.0]\n[[joint]]\nkind = \"weld\"\n\
         bodies = [\"a\", \"b\"]\npoint = [0.1, 0.0, 5.0]\n";
    for kind in ["weld", "hinge", "universal", "ball"] {
        let axes = match kind {
            "hinge" => "axis = [0.0, 1.0, 0.0]\n",
            "universal" => "axis = [1.0, 0.0, 0.0]\naxis2 = [0.0, 1.0, 0.0]\n",
            _ => "",
        };
        let scenario = space(&(text.replace("\"weld\"", &format!("\"{kind}\"")) + axes));
        for name in RIGID {
            let trajectory = run(&scenario, name);
            let [a, b] = [0, 1].map(|body| trajectory.final_state(body).position);
            let centre = (a + b) / 2.0;
            assert!((centre.x - 0.1).abs() < 1e-9 && (centre.y - 0.1).abs() < 1e-9, "{name}: {centre}");
            // They turn by 1 rad together.
            let line = (b - a) / 0.2;
            assert!(
                (line.x - 1.0_f64.cos()).abs() < 2e-3 && (line.y - 1.0_f64.sin()).abs() < 2e-3,
                "{name}: {line}"
            );
        }
    }
}

/// A slider on an incline without friction: g sin 30 along it, and it does not turn.
#[test]
fn a_slider_slides_along_its_axis_between_its_stops() {
    let text = "name = \"slider\"\nduration = 1.0\nstep = 1e-3\n[ground]\nfriction = 0.5\n[[body]]\nname = \"sledge\"\n\
        shape = \"box\"\nsize = [0.2, 0.1]\nmass = 2.0\nposition = [0.0, 3.0]\n[[joint]]\nkind = \"slider\"\n\
        bodies = [\"world\", \"sledge\"]\npoint = [0.05, 3.0]\naxis = [1.7320508075688772, -1.0]\nlimits = [-1.0, 1.0]\n";
    let scenario = plane(text);
    for name in RIGID {
        let columns = columns(&run(&scenario, name), "slider-0");
        let way = &columns["coordinate"];
        assert!((way[500] - 0.25 * 0.25 * 9.81).abs() < 2e-3, "{name}: {}", way[500]);
        assert!((way.last().expect("rows") - 1.0).abs() < 1e-9, "{name}: {:?}", way.last());
        // The stop carries the weight along the axis.
        assert!(
            (columns["limit"].last().expect("rows") + 9.81).abs() < 1e-6,
            "{name}: {:?}",
            columns["limit"].last()
        );
    }
}

/// On a rod without friction that leans by 30 degrees: g sin 30 along it, as fast a turn as at the start, and the rod carries
/// what is across it.
#[test]
fn a_cylindrical_joint_slides_along_its_axis_and_turns_about_it() {
    let text = "name = \"sleeve\"\nduration = 1.0\nstep = 1e-3\n[ground]\nfriction = 0.5\n[[body]]\nname = \"sleeve\"\n\
        shape = \"box\"\nsize = [0.2, 0.2, 0.2]\nmass = 2.0\nposition = [0.0, 0.0, 9.0]\nspin = [4.330127018922193, 0.0, -2.5]\n\
        [[joint]]\nkind = \"cylindrical\"\nbodies = [\"world\", \"sleeve\"]\npoint = [0.0, 0.0, 9.0]\n\
        axis = [1.7320508075688772, 0.0, -1.0]\n";
    let scenario = space(text);
    for name in RIGID {
        let trajectory = run(&scenario, name);
        let columns = columns(&trajectory, "cylindrical-0");
        let way = &columns["coordinate"];
        assert!((way[500] - 0.25 * 0.25 * 9.81).abs() < 2e-3, "{name}: {}", way[500]);
        // It slides by g sin 30 / 2 in a second, and turns by 5 rad, which is 5 - 2 pi.
        let moved = trajectory.final_state(0).position - scenario.bodies[0].position;
        let along = 0.5 * (3.0_f64.sqrt() * moved.x - moved.z);
        let across =
            (moved - stickslip::model::Vector::from([3.0_f64.sqrt(), 0.0, -1.0]) * (0.5 * along)).norm();
        assert!(
            (along - 0.25 * 9.81).abs() < 5e-3 && across < 1e-8,
            "{name}: {along} m along, {across} m across"
        );
        let Orientation::Quaternion(turn) = trajectory.bodies[0].attitudes[1000].orientation else {
            panic!("in space")
        };
        let turned = 2.0 * turn.imag().norm().atan2(turn.scalar().abs());
        assert!((turned - (std::f64::consts::TAU - 5.0)).abs() < 1e-6, "{name}: {turned}");
        let carried = columns["fx"][500].hypot(columns["fz"][500]);
        assert!((carried - 2.0 * 9.81 * 0.75_f64.sqrt()).abs() < 1e-6, "{name}: {carried} N");
    }
}

/// Where the first coordinate is held, what is left of a universal and of a cylindrical joint is a hinge, with its stops, its
/// motor and what they do.
#[test]
fn a_second_coordinate_stops_and_is_driven_as_a_hinge_is() {
    let text = |joint: &str| {
        format!(
            "name = \"second\"\nduration = 0.8\nstep = 1e-3\n[ground]\nfriction = 0.5\n[[body]]\nname = \"arm\"\n\
             shape = \"box\"\nsize = [1.0, 0.1, 0.2]\nmass = 1.0\nposition = [0.5, 0.0, 3.0]\n[[joint]]\n\
             bodies = [\"world\", \"arm\"]\npoint = [0.0, 0.0, 3.0]\nrestitution = 0.6\n{joint}"
        )
    };
    let drive = "position = [[0.0, 0.2], [0.4, 0.1]]\nkp = 20.0\nkv = 0.3\nlimit = 2.0\n";
    let hinge = format!(
        "kind = \"hinge\"\naxis = [0.0, 1.0, 0.0]\nstart = 0.2\nlimits = [0.1, 0.7]\n[joint.drive]\n{drive}"
    );
    let second = format!("limits = [0.0, 0.0]\nstart2 = 0.2\nlimits2 = [0.1, 0.7]\n[joint.drive2]\n{drive}");
    let universal =
        format!("kind = \"universal\"\naxis = [1.0, 0.0, 0.0]\naxis2 = [0.0, 1.0, 0.0]\n{second}");
    let cylindrical = format!("kind = \"cylindrical\"\naxis = [0.0, 1.0, 0.0]\n{second}");
    for name in RIGID {
        let trajectory = run(&space(&text(&hinge)), name);
        let known = columns(&trajectory, "hinge-0");
        let gained = max_energy_created(&trajectory);
        assert!(!known.contains_key("coordinate2"), "no column of what no joint has");
        let reach = known["coordinate"].iter().copied().fold(0.0, f64::max);
        assert!((reach - 0.7).abs() < 1e-2 && known["limit"].iter().any(|force| *force < -1.0), "it strikes");
        for (joint, kind) in [(&universal, "universal"), (&cylindrical, "cylindrical")] {
            let trajectory = run(&space(&text(joint)), name);
            let found = columns(&trajectory, &format!("{kind}-0"));
            for (column, of_hinge) in
                [("coordinate2", "coordinate"), ("rate2", "rate"), ("drive2", "drive"), ("limit2", "limit")]
            {
                let pairs = found[column].iter().zip(&known[of_hinge]);
                let off = pairs.map(|(found, known)| (found - known).abs()).fold(0.0, f64::max);
                assert!(off < 1e-5, "{name}, {kind}: {column} is {off} off");
            }
            assert!(found["coordinate"].iter().all(|value| value.abs() < 1e-9), "{name}, {kind}: it is held");
            assert!(
                (max_energy_created(&trajectory) - gained).abs() < 1e-6,
                "{name}, {kind}: work of the motor"
            );
        }
    }
    let scenario = space(&text(&universal));
    assert_eq!(space(&scenario.to_toml()), scenario, "it reads back as it was written");
    for joint in [&hinge, &universal, &cylindrical] {
        let told = |kp: &str| space(&text(&joint.replace("kp = 20.0", kp))).warnings(&Honours::default());
        // 1e-3 s times the root of kp over 0.3367 kg m^2, the arm about its end.
        let stiff = told("kp = 4e4");
        assert!(
            stiff.iter().any(|told| told.starts_with("joint[0] swings by 0.34 rad")),
            "{joint}: {stiff:?}"
        );
        assert!(!told("kp = 3e4").iter().any(|told| told.contains("swings")), "{joint}");
    }
}

/// A joined pair passes through each other, unless it is to touch.
#[test]
fn joined_bodies_touch_only_if_they_are_to() {
    let text = "name = \"fold\"\nduration = 0.6\nstep = 1e-3\n[ground]\nfriction = 0.5\n[[body]]\nname = \"base\"\n\
        shape = \"box\"\nsize = [1.0, 0.2]\nmass = 1.0\nposition = [0.0, 1.0]\nfixed = true\n[[body]]\nname = \"lid\"\n\
        shape = \"box\"\nsize = [0.2, 0.6]\nmass = 1.0\nposition = [0.2, 1.4]\nangle = -0.1\nspin = -4.0\nvelocity = [1.2, 0.0]\n\
        [[joint]]\nkind = \"hinge\"\nbodies = [\"base\", \"lid\"]\npoint = [0.2, 1.1]\n";
    for (collide, touches) in [("", false), ("collide = true\n", true)] {
        let scenario = plane(&(text.to_owned() + collide));
        let trajectory = run(&scenario, StepperName::NLP);
        let touched =
            (0..600).any(|k| trajectory.contacts.of_step(k).iter().any(|contact| contact.force.norm() > 0.0));
        assert_eq!(touched, touches);
    }
}

#[test]
fn a_scenario_with_joints_reads_back_as_it_was_written() {
    for name in ["pendulum", "slider-crank", "four-bar", "servo"] {
        let scenario = plane(&example(name));
        assert_eq!(plane(&scenario.to_toml()), scenario, "{name}");
    }
    let scenario = space(&example("door"));
    assert_eq!(space(&scenario.to_toml()), scenario);
    let scenario = plane(&hung(
        0.4,
        "start = 0.4\nlimits = [-0.3, 1.0]\nrestitution = 0.6\nstiffness = 3.0\nrest = 0.1\ncollide = true\n[joint.drive]\nforce = [[0.0, 1.0], [2.0, 0.5]]",
    ));
    assert_eq!(plane(&scenario.to_toml()), scenario);
}

#[test]
fn steppers_that_do_not_know_joints_say_so() {
    let scenario = plane(&hung(0.4, "start = 0.4\nlimits = [-1.0, 1.0]"));
    for (name, words) in [
        (StepperName::EXACT, ["rods or springs"; 2]),
        (StepperName::HYBRID, ["single point", "nlp"]),
        (StepperName::CONVEX, ["`limits`", "cone"]),
        (StepperName::SMOOTH, ["`limits`", "cone"]),
    ] {
        let refusal = scenario.stepper(name).err().unwrap_or_else(|| panic!("{name} takes it"));
        let told = refusal.to_string();
        assert!(words.iter().all(|word| told.contains(word)), "{name}: {told}");
    }
}

/// Two boxes joined by a hinge whose points are 0.04 m apart along x.
fn unassembled(more: &str) -> String {
    format!(
        "name = \"a\"\nduration = 0.5\nstep = 1e-3\ngravity = 0.0\n[ground]\nfriction = 0.0\n[[body]]\nname = \"light\"\nshape = \"box\"\nsize = [0.2, 0.1]\n\
         mass = 1.0\nposition = [0.0, 1.0]\n[[body]]\nname = \"heavy\"\nshape = \"box\"\nsize = [0.2, 0.1]\nmass = 3.0\n\
         position = [0.24, 1.0]\n[[joint]]\nkind = \"hinge\"\nbodies = [\"light\", \"heavy\"]\npoints = [[0.1, 0.0], [-0.1, 0.0]]\n{more}"
    )
}

#[test]
fn bodies_are_assembled_by_the_least_change_in_the_metric_of_their_masses() {
    let told = parse_scenario("a.toml", &unassembled(""), &[]).expect_err("0.04 m apart").to_string();
    assert!(told.contains("joint[0].points") && told.contains("assemble = true"), "{told}");
    let scenario = plane(&unassembled("assemble = true\n"));
    // Nothing turns, and the lighter one moves three times as far.
    for (body, x) in [(0, 0.03), (1, 0.23)] {
        assert!((scenario.bodies[body].position[0] - x).abs() < 1e-12, "{}", scenario.bodies[body].position);
        assert!((scenario.bodies[body].position[1] - 1.0).abs() < 1e-12);
        assert!(
            matches!(scenario.bodies[body].orientation, Orientation::Angle(angle) if angle.abs() < 1e-12)
        );
    }
    assert_eq!(plane(&scenario.to_toml()), scenario, "it is written as it was assembled");
    let trajectory = run(&scenario, StepperName::NLP);
    assert!(max_rod_error(&trajectory) < 1e-12, "nothing pulls");
}

#[test]
fn a_loop_is_assembled_to_its_last_joint() {
    // A four-bar whose rocker was measured with two digits: 10 cm of crank, 25 of coupler, 20 of rocker, 25 of ground.
    let bar = |name: &str, length: f64, x: f64, z: f64, angle: f64| {
        format!(
            "[[body]]\nname = \"{name}\"\nshape = \"rod\"\nsize = {length}\nmass = {length}\nposition = [{x}, {z}]\nangle = {angle}\n"
        )
    };
    let joint = |bodies: &str, points: &str, more: &str| {
        format!("[[joint]]\nkind = \"hinge\"\nbodies = [{bodies}]\npoints = [{points}]\n{more}")
    };
    let text = [
        "name = \"a\"\nduration = 0.1\nstep = 1e-3\n[ground]\nfriction = 0.5\n".to_owned(),
        bar("crank", 0.1, 0.03, 1.04, 1.05),
        bar("coupler", 0.25, 0.17, 1.13, 0.38),
        bar("rocker", 0.2, 0.27, 1.09, 1.4),
        joint("\"world\", \"crank\"", "[0.0, 1.0], [-0.05, 0.0]", "assemble = true\n"),
        joint("\"crank\", \"coupler\"", "[0.05, 0.0], [-0.125, 0.0]", ""),
        joint("\"coupler\", \"rocker\"", "[0.125, 0.0], [0.1, 0.0]", ""),
        joint("\"rocker\", \"world\"", "[-0.1, 0.0], [0.25, 1.0]", ""),
    ]
    .concat();
    let scenario = plane(&text);
    let error = max_rod_error(&run(&scenario, StepperName::NLP));
    assert!(error < 1e-4, "{error} m, of the steps rather than of the start");
    let moved = (scenario.bodies[0].position - stickslip::model::Vector::<2>::new(0.03, 1.04)).norm();
    assert!(moved < 0.02, "{moved} m");
    let impossible = text.replace("[0.25, 1.0]", "[2.5, 1.0]");
    let told = parse_scenario("a.toml", &impossible, &[]).expect_err("out of reach").to_string();
    assert!(told.contains("no place of the bodies"), "{told}");
}

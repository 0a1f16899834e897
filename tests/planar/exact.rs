//! The event-driven motion of one body: against the reference trajectories, closed forms, and its refusals.

use std::f64::consts::PI;

use nalgebra::Vector2;
use stickslip::{
    scenario::{AnyScenario, parse_scenario},
    simulate::simulate,
    stepper::{
        BuildStepper, ContactMode, StepperName,
        exact::planar::{ExactBody, Phase, Slip},
    },
    world::{
        Surface,
        planar::{Body, Pose, Scene, Shape, Twist},
    },
};

use crate::{
    cases::{self, Case},
    data::Table,
};

/// Largest difference of the pose over the rows of the reference.
fn error(case: &Case) -> f64 {
    let mut exact = ExactBody::new(&case.scene).unwrap();
    let differences = case.rows.iter().map(|row| {
        exact.follow(row[0]).unwrap();
        let Pose { position, angle } = exact.state().pose;
        (position.x - row[1]).abs().max((position.y - row[2]).abs()).max((angle - row[3]).abs())
    });
    differences.fold(0.0, f64::max)
}

fn at(scene: &Scene, time: f64) -> ExactBody {
    let mut exact = ExactBody::new(scene).unwrap();
    exact.follow(time).unwrap();
    exact
}

#[test]
fn it_reproduces_the_reference_trajectories() {
    for case in cases::all().into_iter().chain([cases::box_reverse()]) {
        let error = error(&case);
        assert!(error < 2e-9, "{}: {error:e}", case.name);
    }
}

#[test]
fn a_box_tips_on_a_slope_as_the_reference() {
    let exact = |row: &nalgebra::SVector<f64, 3>| {
        let exact = at(&cases::box_on_slope((0.4, 1.0), cases::SLOPE, 0.8), row[0]);
        let state = *exact.state();
        (cases::SLOPE - 0.4_f64.atan() + state.pose.angle.abs() - row[1]).abs()
            + (state.twist.z.abs() - row[2]).abs()
    };
    for (time, tilt) in [(0.0, 0.143092), (0.5, 0.462525)] {
        let exact = at(&cases::box_on_slope((0.4, 1.0), cases::SLOPE, 0.8), time);
        let psi = cases::SLOPE - 0.4_f64.atan() + exact.state().pose.angle.abs();
        assert!((psi - tilt).abs() < 1e-6, "{psi} {tilt}");
        assert!(time == 0.0 || (exact.state().twist.z.abs() - 1.609912).abs() < 1e-6);
    }
    for row in Table::read("slope-tip.csv").columns(["t", "psi", "dpsi"]).iter().step_by(10) {
        assert!(exact(row) < 1e-9, "{row:?}: {}", exact(row));
    }
}

/// The disc's closed form: slip ends at `|u0|/(3 mu g)`, it then rolls at `(2 v0 - R w0)/3`.
#[test]
fn a_disc_with_backspin_rolls_back() {
    let (radius, mu) = (0.1, 0.2);
    for (spin, stop, speed, x) in [(40.0, 0.849473, -0.666667, 0.041228), (0.0, 0.169895, 0.666667, 0.694982)]
    {
        let body = Body {
            twist: Twist::new(1.0, 0.0, spin),
            ..Body::new(Shape::disc(radius).unwrap(), 1.0, Pose::new(0.0, radius, 0.0))
        };
        let scene = Scene::over_ground(vec![body], Surface::new(mu, 0.0), 9.81);
        let exact = at(&scene, 1.0);
        assert!((exact.events()[0].time - stop).abs() < 1e-6);
        assert!((exact.state().twist.x - speed).abs() < 1e-6);
        assert!((exact.state().pose.position.x - x).abs() < 1e-6);
    }
}

#[test]
fn a_braking_box_tips_and_stops_sliding_when_the_theory_says() {
    let body = Body {
        twist: Twist::new(2.0, 0.0, 0.0),
        ..Body::new(Shape::rectangle(0.4, 1.0).unwrap(), 1.0, Pose::new(0.0, 0.5, 0.0))
    };
    let scene = Scene::over_ground(vec![body], Surface::new(0.5, 0.0), 9.81);
    let exact = at(&scene, 0.6);
    assert!((exact.events()[0].time - 0.201584).abs() < 1e-6, "{:?}", exact.events());
    let Pose { position, angle } = exact.state().pose;
    let expected = [0.638005, 0.491433, -0.801780];
    for (value, expected) in [position.x, position.y, angle].into_iter().zip(expected) {
        assert!((value - expected).abs() < 1e-6, "{value} {expected}");
    }
}

/// `tan a <= min(mu, w/h)` rests, `mu < tan a` slides flat, `w/h < tan a` tips.
#[test]
fn a_box_on_a_slope_rests_slides_or_tips() {
    let angle = 0.4_f64;
    let (lean, steep) = (angle.tan() * 0.99, angle.tan() * 1.01);
    let after = |width_to_height: f64, friction: f64| {
        at(&cases::box_on_slope((width_to_height, 1.0), angle, friction), 0.3)
    };
    let resting = after(steep, steep);
    assert_eq!(resting.state().twist, Twist::zeros());
    assert!(matches!(resting.phase(), Phase::Flat(_, Slip::Stick)));
    let sliding = after(steep, 0.2);
    let speed = 0.3 * 9.81 * (angle.sin() - 0.2 * angle.cos());
    assert!((sliding.state().twist.x - speed).abs() < 1e-12 && sliding.state().pose.angle == 0.0);
    let tipping = after(lean, steep);
    assert!(matches!(tipping.phase(), Phase::Point(..)) && tipping.state().pose.angle < -1e-4);
}

/// Events of a rod that falls over from a vertex.
#[test]
fn a_rod_on_its_end_slips_back_or_forward() {
    let rod = |friction| {
        let tilt = 0.2_f64;
        let body = Body::new(
            Shape::rod(1.0).unwrap(),
            1.0,
            Pose { position: Vector2::new(0.5 * tilt.sin(), 0.5 * tilt.cos()), angle: 0.5 * PI - tilt },
        );
        Scene::over_ground(vec![body], Surface::new(friction, 0.0), 9.81)
    };
    let backwards = at(&rod(0.2), 0.69);
    let times: Vec<f64> = backwards.events().iter().map(|event| event.time).collect();
    assert!((times[0] - 0.209361).abs() < 1e-6 && (times[1] - 0.619192).abs() < 1e-6, "{times:?}");
    let forwards = at(&rod(0.5), 0.73);
    assert!((forwards.events()[0].time - 0.582513).abs() < 1e-6);
    let mut on = forwards;
    let refused = on.follow(0.8).unwrap_err();
    assert!(refused.reason.starts_with("at 0.736691 s"), "{refused}");
}

/// Without slip a rod of 1 m that leans by 0.2 rad is flat after `(K(k) - F(asin(cos(psi/2)/k), k))/p` s.
#[test]
fn a_rod_that_does_not_slip_falls_in_the_time_of_an_elliptic_integral() {
    let tilt = 0.2_f64;
    let pose = Pose { position: Vector2::new(0.5 * tilt.sin(), 0.5 * tilt.cos()), angle: 0.5 * PI - tilt };
    let body = Body::new(Shape::rod(1.0).unwrap(), 1.0, pose);
    let scene = Scene::over_ground(vec![body], Surface::new(1e6, 0.0), 9.81);
    let refused = ExactBody::new(&scene).unwrap().follow(1.0).unwrap_err();
    assert!(refused.reason.starts_with("at 0.732566 s"), "{refused}");
}

/// It lands on one end, slips, sticks and falls flat.
#[test]
fn events_of_a_dropped_rod() {
    let mut exact = ExactBody::new(&cases::rod_drop()).unwrap();
    exact.follow(0.45).unwrap();
    let times: Vec<f64> = exact.events().iter().map(|event| event.time).collect();
    assert!((times[0] - 0.312137).abs() < 1e-6 && (times[1] - 0.420845).abs() < 1e-6, "{times:?}");
    let [before, after] = [-1e-9, 1e-9].map(|off| at(&cases::rod_drop(), times[0] + off).state().twist);
    let impulse = after - before;
    assert!((impulse.x - 0.397413).abs() < 1e-6 && (impulse.y - 1.324709).abs() < 1e-6, "{impulse}");
    let refused = exact.follow(0.5).unwrap_err();
    assert!(refused.reason.starts_with("at 0.451374 s"), "{refused}");
}

/// Housner 1963: the rotation after an impact is `r = 1 - 1.5 sin^2 alpha` of that before.
#[test]
fn a_rocking_block_decays_as_housner_says() {
    let exact = at(&cases::rocking_block(), 2.1);
    let impacts: Vec<f64> = exact.events().iter().map(|event| event.time).collect();
    for (time, expected) in impacts.iter().zip([0.351120, 0.960607, 1.501978, 1.989636]) {
        assert!((time - expected).abs() < 1e-6, "{impacts:?}");
    }
    // Energy (r^2 per impact) up to the next highest point.
    for (index, amplitude) in [0.084338, 0.072055, 0.062075].into_iter().enumerate() {
        let apex = 0.5 * (impacts[index] + impacts[index + 1]);
        let angle = at(&cases::rocking_block(), apex).state().pose.angle.abs();
        assert!((angle - amplitude).abs() < 1e-6, "{angle} {amplitude}");
    }
}

#[test]
fn a_rocking_block_comes_to_rest() {
    let exact = at(&cases::rocking_block(), 30.0);
    assert!(matches!(exact.phase(), Phase::Flat(_, Slip::Stick)), "{:?}", exact.phase());
    assert_eq!(exact.state().twist, Twist::zeros());
}

/// Inelastic impact without friction: `p = v/(1 + 3 cos^2)`, `omega = 6 p cos/L`.
#[test]
fn a_frictionless_rod_starts_to_turn_when_it_lands() {
    let (angle, speed) = (0.7_f64, 3.0);
    let body = Body {
        twist: Twist::new(0.0, -speed, 0.0),
        ..Body::new(Shape::rod(1.0).unwrap(), 1.0, Pose::new(0.0, 0.5 * angle.sin(), angle))
    };
    let scene = Scene::over_ground(vec![body], Surface::default(), 9.81);
    let exact = ExactBody::new(&scene).unwrap();
    assert!((exact.state().twist.z + 4.997243).abs() < 1e-6, "{:?}", exact.state());
    assert!((exact.state().twist.y - (1.088949 - speed)).abs() < 1e-6);
}

/// The slip reverses within the impact: Coulomb's law on the total impulse (Moreau), not along it (Routh).
#[test]
fn a_reversing_impact_follows_moreau() {
    let angle = 0.7_f64;
    let body = Body {
        twist: Twist::new(1.0, -2.0, 0.0),
        ..Body::new(Shape::rod(1.0).unwrap(), 1.0, Pose::new(0.0, 0.5 * angle.sin(), angle))
    };
    let scene = Scene::over_ground(vec![body], Surface::new(0.3, 0.0), 9.81);
    let state = *ExactBody::new(&scene).unwrap().state();
    assert!((state.twist.x - 1.0 - 0.050350).abs() < 1e-6, "{state:?}");
    assert!((state.twist.y + 2.0 - 0.752981).abs() < 1e-6);
}

#[test]
fn it_refuses_what_is_not_determined_and_says_why() {
    let rod = Body::new(Shape::rod(1.0).unwrap(), 1.0, Pose::new(0.0, 0.5 * 1.1_f64.sin(), 1.1));
    let with = |friction, restitution| {
        let body = Body { twist: Twist::new(-1.0, 0.0, 0.0), ..rod.clone() };
        Scene::over_ground(vec![body], Surface::new(friction, restitution), 9.81)
    };
    let why =
        |scene: &Scene| ExactBody::new(scene).and_then(|mut exact| exact.follow(2.0)).unwrap_err().reason;
    assert!(why(&with(2.0, 0.0)).contains("Painleve"), "{}", why(&with(2.0, 0.0)));
    assert!(why(&with(0.3, 0.5)).contains("restitution"));
    assert!(why(&with(0.3, 0.0)).contains("second corner lands"), "{}", why(&with(0.3, 0.0)));
}

/// While a rod slides on its tip on high friction, the response to its normal force falls to zero before the force does: a
/// reference by an adaptive method of eighth order finds it at .0155420 s. Neither lifting off nor jamming follows there.
#[test]
fn it_does_not_step_over_the_border_of_painleves_paradox() {
    let rod = Body {
        twist: Twist::new(4.189533978512566, 2.829988170339098, -6.092052751831813),
        ..Body::new(Shape::rod(1.0).unwrap(), 1.0, Pose::new(0.0, 0.18494519668876863, 2.7627016095370744))
    };
    let scene = Scene::over_ground(vec![rod], Surface::new(2.7675803999736592, 0.0), 9.81);
    for step in [1e-2, 1e-3, 1e-4, 3.7e-5] {
        let mut exact = ExactBody::new(&scene).unwrap();
        let failure = (1..).find_map(|k| exact.follow(f64::from(k) * step).err()).unwrap();
        assert!(failure.reason.contains("Painleve"), "{step}: {failure}");
        assert!((exact.time() - 0.0155420).abs() < 1e-5, "{step}: {}", exact.time());
    }
}

/// A rod of 1 m that spins at `speed` in the plane of the ground's normal without gravity and dips into the ground by
/// `depth`; after the turn `lead` it is upright. The tip lands when the rod leans by `acos(1 - 2 depth)` (Moreau's law).
#[test]
fn a_tip_that_only_grazes_the_ground_lands() {
    let speed = 20.0;
    for depth in [4e-6, 1e-7] {
        let half = (1.0_f64 - 2.0 * depth).acos();
        for part in 0..10 {
            let lead = 0.1 + 5e-4 * f64::from(part);
            let body = Body {
                twist: Twist::new(0.0, 0.0, speed),
                ..Body::new(Shape::rod(1.0).unwrap(), 1.0, Pose::new(0.0, 0.5 - depth, -0.5 * PI - lead))
            };
            let scene = Scene {
                gravity: Vector2::zeros(),
                ..Scene::over_ground(vec![body], Surface::new(0.5, 0.0), 0.0)
            };
            let exact = at(&scene, 0.05);
            let [landing] = exact.events() else { panic!("{depth} {lead}: {:?}", exact.events()) };
            let time = (lead - half) / speed;
            assert!((landing.time - time).abs() < 1e-10, "{} {time}", landing.time);
            // The arm of the tip is (-sin, -cos) of the lean; the tip slides forward, so friction points back.
            let (sin, cos) = (0.5 * half.sin(), 0.5 * half.cos());
            let torque = -sin - 0.5 * cos;
            let normal = speed * sin / (1.0 - 12.0 * sin * torque);
            let expected = Twist::new(-0.5 * normal, normal, speed + 12.0 * torque * normal);
            let off = (exact.state().twist - expected).amax();
            assert!(off < 1e-8, "{depth} {lead}: {off:e}, {:?} {expected:?}", exact.state());
        }
    }
}

/// In units of its size and the time of a fall by it, a motion is the same at every size and gravity. Of a block that
/// comes to rest the last impacts are told apart to the rounding of heights.
#[test]
fn sizes_and_gravities_do_not_matter() {
    let rod = |size: f64, gravity: f64| {
        let body = Body {
            twist: Twist::new(0.3 * (gravity * size).sqrt(), 0.0, 0.0),
            ..Body::new(Shape::rod(size).unwrap(), 1.0, Pose::new(0.0, 0.6 * size, 0.9))
        };
        Scene::over_ground(vec![body], Surface::new(0.3, 0.0), gravity)
    };
    let block = |size: f64, gravity: f64| {
        let tilt = 0.1_f64;
        let pose = Pose::new(0.0, 0.0, -tilt);
        let position = -pose.rotate(&Vector2::new(0.1 * size, -0.5 * size));
        let body = Body::new(Shape::rectangle(0.2 * size, size).unwrap(), 1.0, Pose { position, ..pose });
        Scene::over_ground(vec![body], Surface::new(1.0, 0.0), gravity)
    };
    type OfSize = fn(f64, f64) -> Scene;
    let motions: [(OfSize, f64, usize, f64); 3] =
        [(rod, 1.2, 2, 1e-11), (block, 10.0, 6, 1e-11), (block, 30.0, 100, 1e-7)];
    for (scene, duration, fewest_events, tolerance) in motions {
        let motion = |size: f64, gravity: f64| {
            let unit = (size / gravity).sqrt();
            let exact = at(&scene(size, gravity), duration * unit);
            let Pose { position, angle } = exact.state().pose;
            let times = exact.events().iter().map(|event| event.time / unit);
            times.chain([position.x / size, position.y / size, angle]).collect::<Vec<f64>>()
        };
        let expected = motion(1.0, 1.0);
        assert!(expected.len() >= fewest_events + 3, "{expected:?}");
        for (size, gravity) in [(1.0, 9.81), (1e-3, 9.81), (1e-6, 9.81), (1.0, 1e6), (1e3, 9.81), (1.0, 1e-3)]
        {
            let scaled = motion(size, gravity);
            assert_eq!(scaled.len(), expected.len(), "{size} {gravity}");
            let off = scaled.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(off < tolerance, "{size} {gravity}: {off:e}");
        }
    }
}

/// What moves evenly is followed in closed form, however long: a disc flies, lands, slides and rolls for eleven days,
/// and a box at rest stays there.
#[test]
fn a_motion_of_a_million_seconds_ends_where_theory_says() {
    let (radius, mu, speed, height, duration) = (0.1, 0.3, 0.01, 4905.0, 1e6);
    let body = Body {
        twist: Twist::new(speed, 0.0, 0.0),
        ..Body::new(Shape::disc(radius).unwrap(), 1.0, Pose::new(0.0, radius, 0.0))
    };
    let disc = Scene::over_ground(vec![body], Surface::new(mu, 0.0), 9.81);
    let slides = speed / (3.0 * mu * 9.81);
    let x = speed * slides - 0.5 * mu * 9.81 * slides * slides + speed / 1.5 * (duration - slides);
    let exact = at(&disc, duration);
    assert!((exact.state().pose.position.x - x).abs() < 1e-9 * x, "{:?}", exact.state());
    let turned = speed / 1.5 * (duration - 0.5 * slides) / radius;
    assert!((exact.state().pose.angle + turned).abs() < 1e-9 * turned, "{:?}", exact.state());
    let mut thrown = disc;
    thrown.bodies[0].pose.position.y += height;
    let landing = at(&thrown, duration).events()[0].time;
    assert!((landing - (2.0 * height / 9.81).sqrt()).abs() < 1e-9, "{landing}");
    let resting = at(&cases::box_on_slope((0.5, 1.0), 0.3, 0.5), duration);
    assert_eq!(resting.state().twist, Twist::zeros());
}

/// The braking box leans on its front as statics says; the corner that a box tips about carries all of it; and where it
/// lands, the landing is in the step: the forces of the contacts are what the body as a whole was given, in size and
/// moment.
#[test]
fn the_forces_of_the_contacts_are_those_that_move_the_body() {
    let of = |text: &str| {
        let any = parse_scenario("the scenario", text, &[]).expect("a scenario");
        let AnyScenario::InPlane(scenario) = any else { panic!("it is in a plane") };
        let mut stepper = scenario.stepper(StepperName::EXACT).expect("its motion is known");
        simulate(&scenario, stepper.as_mut())
    };
    let scenario = |body: &str| {
        format!(
            "name = \"box\"\nduration = 0.15\nstep = 1e-3\n[ground]\nfriction = 0.4\n[[body]]\nshape = \"box\"\nmass = 2.0\n{body}"
        )
    };
    let braking = "size = [0.4, 0.4]\nposition = [0.0, 0.2]\nvelocity = [2.0, 0.0]";
    let dropped = "size = [0.4, 0.4]\nposition = [0.0, 0.25]\nvelocity = [0.5, 0.0]";
    let on_a_corner = "size = [0.4, 0.2]\nposition = [0.0, 0.2]\nangle = 0.3\nvelocity = [0.5, 0.0]";
    let mut impacts = 0;
    for text in [braking, dropped, on_a_corner].map(scenario) {
        let trajectory = of(&text);
        for (k, record) in trajectory.bodies[0].steps.iter().enumerate() {
            let force = record.force;
            let contacts = trajectory.contacts.of_step(k);
            let sum = contacts.iter().fold(Vector2::zeros(), |sum, contact| sum + contact.force);
            assert!((sum - force).norm() <= 1e-9 * (1.0 + force.norm()), "step {k}: {sum} {force}");
            impacts += usize::from(force.norm() > 500.0);
            for contact in contacts {
                let normal = contact.force.dot(&contact.normal);
                assert!(normal > 0.0 && contact.force.x.abs() <= 0.4 * normal * (1.0 + 1e-9), "{contact:?}");
            }
        }
        assert_eq!(trajectory.contacts.of_step(trajectory.steps.len()), [], "no step, no contact");
    }
    assert_eq!(impacts, 2, "two of the three boxes land");
    let trajectory = of(&scenario(braking));
    let [back, front] = trajectory.contacts.of_step(100) else { panic!("it stands on two corners") };
    let (back, front) = if back.point.x < front.point.x { (back, front) } else { (front, back) };
    let weight = 2.0 * 9.81;
    assert!((front.force.y - 0.7 * weight).abs() < 1e-9 && (back.force.y - 0.3 * weight).abs() < 1e-9);
    assert!((front.force.x + 0.4 * 0.7 * weight).abs() < 1e-9 && front.mode == ContactMode::Slip);
}

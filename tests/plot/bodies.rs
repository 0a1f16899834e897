//! Bodies in pictures: drawn where and as they are, with what touches them.

use nalgebra::{UnitQuaternion, Vector3};
use stickslip::{
    model::{Orientation, Vector},
    plot::{self, Figure, Panel, Point, Series, View},
    scenario::{AnyScenario, Body, Scenario, Shape, parse_scenario, read_scenario},
    simulate::simulate,
    stepper::{BuildStepper, Honours, StepperName},
    trajectory::Trajectory,
};

use crate::layout::complaints;

fn example(name: &str, duration: f64) -> Scenario<2> {
    let file = format!("{}/examples/scenarios/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let overrides = [format!("duration={duration}").parse().unwrap()];
    let AnyScenario::InPlane(scenario) = read_scenario(file, &overrides).unwrap() else {
        panic!("{name} is in a vertical plane");
    };
    scenario
}

fn run(scenario: &Scenario<2>, name: StepperName) -> Trajectory<2> {
    simulate(scenario, scenario.stepper(name).unwrap().as_mut())
}

fn lcp(name: &str, duration: f64) -> Trajectory<2> {
    run(&example(name, duration), StepperName::LCP)
}

fn every_picture(trajectory: &Trajectory<2>) -> Vec<(&'static str, Figure)> {
    vec![
        ("history", plot::history(trajectory)),
        ("path", plot::path(trajectory)),
        ("modes", plot::contact_modes(trajectory)),
        ("energy", plot::energy(trajectory)),
        ("friction cone", plot::friction_cone(trajectory)),
        ("phase", plot::phase_portrait(trajectory)),
    ]
}

fn corners_labelled<'a>(panel: &'a Panel, label: &str) -> &'a [Point] {
    &panel.areas.iter().find(|area| area.label == label).unwrap_or_else(|| panic!("no area {label}")).corners
}

fn assert_same(drawn: &[Point], expected: &[Point]) {
    assert_eq!(drawn.len(), expected.len());
    for (a, b) in drawn.iter().zip(expected) {
        assert!((a[0] - b[0]).hypot(a[1] - b[1]) < 1e-12, "{drawn:?} {expected:?}");
    }
}

#[test]
fn pictures_of_bodies_are_readable() {
    let scenes =
        [("tipping-box", 0.6), ("slope-box", 0.5), ("dominoes", 1.0), ("wedge", 0.8), ("arch", 0.05)];
    for (name, duration) in scenes {
        let trajectory = lcp(name, duration);
        for (kind, figure) in every_picture(&trajectory) {
            let name = format!("{name} {kind}");
            assert_eq!(complaints(&name, &figure), [""; 0]);
            let text = figure.to_svg().unwrap();
            roxmltree::Document::parse(&text).unwrap();
            assert!(!text.contains("NaN") && !text.contains("inf"), "{name}");
        }
    }
}

#[test]
fn a_box_is_drawn_where_it_starts_and_where_it_ends() {
    let trajectory = lcp("tipping-box", 0.6);
    let panel = &plot::path(&trajectory).panels[0];
    let Shape::Box { size } = trajectory.scenario.bodies[0].shape.clone() else { panic!("a box") };
    let outline = |k: usize| {
        let body = &trajectory.bodies[0];
        let Orientation::Angle(angle) = body.attitudes[k].orientation else { panic!("an angle") };
        let (sin, cos) = angle.sin_cos();
        [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)].map(|(x, z)| {
            let (x, z) = (x * size[0], z * size[1]);
            let centre = body.states[k].position;
            [centre[0] + cos * x - sin * z, centre[1] + sin * x + cos * z]
        })
    };
    assert_same(corners_labelled(panel, "start"), &outline(0));
    assert_same(corners_labelled(panel, "end"), &outline(trajectory.steps.len()));
    assert!(panel.areas.len() > 5, "and at instants between");
    assert!(panel.true_to_scale);
}

#[test]
fn a_body_that_does_not_move_is_drawn_once() {
    let panel = &plot::path(&lcp("arch", 0.05)).panels[0];
    assert_eq!(panel.areas.len(), 7);
    assert_eq!(panel.areas[0].label, "stone-0");
}

#[test]
fn a_slope_rises_and_the_box_stands_on_it() {
    let trajectory = lcp("slope-box", 0.3);
    let panel = &plot::path(&trajectory).panels[0];
    let (sin, cos) = trajectory.scenario.ground.slope.to_radians().sin_cos();
    let normal = panel.solids[0].normal;
    assert!((normal[0] - sin).abs() < 1e-12 && (normal[1] - cos).abs() < 1e-12, "downhill is to the right");
    let height = |point: &Point| normal[0] * point[0] + normal[1] * point[1];
    let lowest = corners_labelled(panel, "start").iter().map(height).fold(f64::INFINITY, f64::min);
    assert!(lowest.abs() < 1e-9, "{lowest}");
}

/// A block on a spring at a post, and a wall far away that nothing meets.
const BLOCK_ON_A_SPRING: &str = r#"
name = "block-on-a-spring"
duration = 0.2
step = 1e-3
[[body]]
name = "post"
shape = "point"
mass = 1.0
fixed = true
position = [-30.0, 0.1]
[[body]]
name = "block"
shape = "box"
size = [0.4, 0.2]
mass = 2.0
position = [0.0, 0.1]
velocity = [1.0, 0.0]
[[spring]]
bodies = ["post", "block"]
length = 30.0
stiffness = 50.0
[ground]
friction = 0.2
"#;

#[test]
fn what_stays_where_it_is_stretches_no_history_and_no_phase_portrait() {
    let AnyScenario::InPlane(scenario) = parse_scenario("file", BLOCK_ON_A_SPRING, &[]).unwrap() else {
        panic!("in a vertical plane")
    };
    let trajectory = run(&scenario, StepperName::LCP);
    let both = Series::of_steppers(&[&trajectory, &trajectory]);
    for figure in [
        plot::history(&trajectory),
        plot::phase_portrait(&trajectory),
        plot::history_overlay(&both),
        plot::phase_portrait_overlay(&both),
    ] {
        let places = &figure.panels[0].curves;
        assert!(places.iter().flat_map(|curve| &curve.points).flatten().all(|x| *x > -1.0), "{places:?}");
        assert!(places.iter().any(|curve| !curve.label.is_empty()), "somebody has its name");
    }
}

#[test]
fn springs_lie_behind_the_bodies_and_rods_before_them() {
    let AnyScenario::InPlane(scenario) = parse_scenario("file", BLOCK_ON_A_SPRING, &[]).unwrap() else {
        panic!("in a vertical plane")
    };
    let path = plot::path(&run(&scenario, StepperName::LCP));
    assert!(!path.panels[0].behind.is_empty());
    let swinging = plot::path(&lcp("ram", 0.1));
    let rods = swinging.panels[0].curves.iter().filter(|curve| curve.points.len() == 2).count();
    assert!(swinging.panels[0].behind.is_empty() && rods >= 2, "{rods}");
}

#[test]
fn arrows_are_the_contact_forces_of_the_last_step_at_their_places() {
    let trajectory = lcp("backspin-disc", 1.0);
    let panel = &plot::path(&trajectory).panels[0];
    let [arrow] = panel.arrows.as_slice() else { panic!("one contact: {:?}", panel.arrows) };
    let contact = trajectory.contacts.of_step(trajectory.steps.len() - 1)[0];
    assert_eq!(
        (arrow.at, arrow.force),
        ([contact.point[0], contact.point[1]], [contact.force[0], contact.force[1]])
    );
    assert!((arrow.force[1] - 9.81).abs() < 1e-6, "it bears the weight");
    let [left, right] = arrow.cone.expect("a friction cone");
    assert!((right[0] / right[1] - 0.2).abs() < 1e-12 && (left[0] + right[0]).abs() < 1e-12);
}

#[test]
fn a_fixed_body_lies_under_what_moves_over_it_and_bears_it() {
    let scenario: Scenario<2> = r#"
        name = "table"
        step = 1e-3
        duration = 0.5
        body = [
            { name = "plinth", shape = "box", size = [1.0, 0.4], mass = 1.0, fixed = true, position = [0.5, 0.2] },
            { name = "crate", shape = "box", size = [0.2, 0.2], mass = 2.0, position = [0.15, 0.5], velocity = [1.8, 0.0] },
        ]
        [ground]
        friction = 0.4
    "#
    .parse()
    .unwrap();
    let trajectory = run(&scenario, StepperName::NLP);
    let panel = &plot::path(&trajectory).panels[0];
    assert_eq!(panel.areas[0].label, "plinth");
    assert!(panel.areas.iter().any(|area| area.label == "start"));
    assert_eq!(panel.curves.len(), 1, "the path of the crate alone");
    assert_eq!(panel.arrows.len(), 2);
    assert!(
        panel.arrows.iter().all(|arrow| arrow.force[1] > 0.0),
        "what holds the crate up: {:?}",
        panel.arrows
    );
}

#[test]
fn walls_and_a_belt_are_in_the_picture() {
    let wedge = plot::path(&lcp("wedge", 0.8));
    assert_eq!(wedge.panels[0].solids.len(), 3);
    let layout = wedge.layout();
    assert!(layout.panels[0].y.low < 0.1, "down to where the walls meet the ground");
    let belt = &plot::path(&lcp("conveyor", 0.2)).panels[0].solids[1];
    assert_eq!((belt.offset, belt.surface), (0.2, plot::SolidSurface::Moving { is_backward: false }));
}

#[test]
fn several_models_show_their_outlines_in_their_colours() {
    let scenario = example("tipping-box", 0.6);
    let runs = [StepperName::LCP, StepperName::CONVEX].map(|name| run(&scenario, name));
    let series = Series::of_steppers(&runs.iter().collect::<Vec<_>>());
    let figure = plot::path_overlay(&series);
    for one in &series {
        let outlined = figure.panels[0].areas.iter().any(|area| area.outline.colour == one.style.colour);
        assert!(outlined, "{}", one.label);
    }
    for figure in [
        plot::contact_modes_overlay(&series),
        plot::energy_overlay(&series),
        plot::friction_cone_overlay(&series),
        plot::phase_portrait_overlay(&series),
        figure,
    ] {
        assert_eq!(complaints("overlay", &figure), [""; 0]);
    }
}

#[test]
fn the_disc_with_backspin_slips_until_it_rolls() {
    let figure = plot::contact_modes(&lcp("backspin-disc", 1.0));
    let curve = |label: &str| figure.panels[0].curves.iter().find(|curve| curve.label == label).unwrap();
    let (slip, stick) = (curve("slip"), curve("stick"));
    assert_eq!(slip.points[0][0], 0.0);
    assert!((slip.points[1][0] - 0.849).abs() < 3e-3 && (stick.points[0][0] - 0.849).abs() < 3e-3);
    assert!((stick.points[1][0] - 1.0).abs() < 1e-9);
}

#[test]
fn the_mode_of_a_point_is_read_off_its_force() {
    let trajectory = crate::scenes::run(&crate::scenes::slide(), StepperName::LCP);
    let figure = plot::contact_modes(&trajectory);
    let first = |label: &str| {
        let curve = figure.panels[0].curves.iter().find(|curve| curve.label == label);
        curve.map(|curve| (curve.points[0][0], curve.points[1][0])).unwrap_or_else(|| panic!("no {label}"))
    };
    let (open, slip, stick) = (first("open"), first("slip"), first("stick"));
    assert!(open.0 == 0.0 && (open.1 - 0.452).abs() < 3e-3, "{open:?}");
    assert!(slip.0 >= open.1 && (stick.0 - slip.1).abs() < 2e-3 && stick.1 > 1.19, "{slip:?} {stick:?}");
}

#[test]
fn energies_add_up_and_a_passive_contact_only_takes() {
    let trajectory = lcp("tipping-box", 0.6);
    let figure = plot::energy(&trajectory);
    let curve =
        |label: &str| &figure.panels[0].curves.iter().find(|curve| curve.label == label).unwrap().points;
    let parts = ["translation", "rotation", "height"].map(curve);
    let body = &trajectory.scenario.bodies[0];
    let start = 0.5 * body.mass * body.velocity.norm_squared() + body.mass * 9.81 * body.position[1];
    assert!((curve("total")[0][1] - start).abs() < 1e-9);
    assert!((parts.iter().map(|part| part[0][1]).sum::<f64>() - start).abs() < 1e-9);
    let lost = &figure.panels[1].curves[0].points;
    assert!(lost.windows(2).all(|pair| pair[1][1] >= pair[0][1] - 1e-9), "friction never gives");
    assert!(lost[lost.len() - 1][1] > 0.1 * start, "and takes much of it");
}

/// What a belt does on a crate is no loss of less than nothing.
#[test]
fn the_work_of_a_conveyor_counts_in_what_was_lost() {
    let figure = plot::energy(&lcp("conveyor", 1.0));
    let lost = &figure.panels[1].curves[0].points;
    assert!(lost.windows(2).all(|pair| pair[1][1] >= pair[0][1] - 1e-9), "{lost:?}");
    // Friction takes as much as it gives to what a belt takes along.
    let kinetic = figure.panels[0].curves.iter().find(|curve| curve.label == "translation").unwrap();
    let (given, taken) = (kinetic.points[kinetic.points.len() - 1][1], lost[lost.len() - 1][1]);
    assert!(given > 0.1 && (taken - given).abs() < 0.02 * given, "{given} {taken}");
}

#[test]
fn forces_stay_inside_the_cone_and_slip_is_on_its_border() {
    let figure = plot::friction_cone(&lcp("backspin-disc", 1.0));
    let panel = &figure.panels[0];
    let curve = |label: &str| &panel.curves.iter().find(|curve| curve.label == label).unwrap().points;
    assert_eq!(curve("*μ* = 0.2").len(), 3);
    for [normal, along] in curve("slip").iter().chain(curve("stick")) {
        assert!(along.abs() <= 0.2 * normal + 1e-6, "{normal} {along}");
    }
    assert!(curve("slip").iter().all(|[normal, along]| (along.abs() - 0.2 * normal).abs() < 1e-6));
}

/// A belt that drags a mass on a spring by 0.4 at rest and 0.25 in motion.
#[test]
fn friction_that_falls_with_the_slip_has_the_cones_of_rest_and_of_motion() {
    let figure = plot::friction_cone(&lcp("belt", 1.0));
    let panel = &figure.panels[0];
    let slope = |label: &str| {
        let border = panel.curves.iter().find(|curve| curve.label == label);
        let [edge, along] = border.unwrap_or_else(|| panic!("no {label}")).points[0];
        along / edge
    };
    assert!((slope("*μ* = 0.4") - 0.4).abs() < 1e-12 && (slope("*μ*_{k} = 0.25") - 0.25).abs() < 1e-12);
    let slip = &panel.curves.iter().find(|curve| curve.label == "slip").expect("it slips back").points;
    assert!(slip.iter().all(|[normal, along]| (along.abs() - 0.25 * normal).abs() < 1e-6), "{slip:?}");
}

/// A bead that leans on a fixed one, held by a friction that the ground has not, 39 degrees off the top: between the two
/// the friction of their `[[contact]]` holds, in the steps and in the pictures.
#[test]
fn the_friction_cone_of_beads_is_that_of_their_contact() {
    let scenario: Scenario<2> = r#"
        name = "beads"
        step = 1e-3
        duration = 0.1
        body = [
            { name = "post", shape = "point", mass = 1.0, fixed = true, position = [0.0, 1.0] },
            { name = "bead", shape = "point", mass = 1.0, position = [0.06, 1.08] },
        ]
        [ground]
        friction = 0.1
        [[contact]]
        bodies = ["post", "bead"]
        distance = 0.1
        friction = 0.9
    "#
    .parse()
    .unwrap();
    let trajectory = run(&scenario, StepperName::NLP);
    let moved = trajectory.final_state(1).position - scenario.bodies[1].position;
    assert!(moved.amax() < 1e-6, "0.75 of the normal force holds it: {moved}");
    let cone = plot::friction_cone(&trajectory);
    let labels: Vec<_> = cone.panels[0].curves.iter().map(|curve| curve.label.as_str()).collect();
    assert_eq!(labels, ["*μ* = 0.9", "stick"]);
    let path = plot::path(&trajectory);
    let [arrow] = path.panels[0].arrows.as_slice() else {
        panic!("one contact: {:?}", path.panels[0].arrows)
    };
    // About the normal from the post to the bead, whose slope is 3 to 4.
    for (side, sign) in arrow.cone.expect("a friction cone").into_iter().zip([-1.0, 1.0]) {
        let (along, across) = (0.6 * side[0] + 0.8 * side[1], 0.8 * side[0] - 0.6 * side[1]);
        assert!((across / along - sign * 0.9).abs() < 1e-9, "{side:?}");
    }
}

/// The tolerance of a solver is no force.
#[test]
fn what_flies_has_no_place_by_the_friction_cone() {
    let scenario = example("lift-off", 0.1);
    let steppers = [StepperName::NLP, StepperName::LCP, StepperName::SMOOTH];
    let runs = steppers.map(|name| run(&scenario, name));
    let figure = plot::friction_cone_overlay(&Series::of_steppers(&runs.iter().collect::<Vec<_>>()));
    assert_eq!((figure.caption.as_str(), figure.panels[0].curves.len()), ("", 0));
}

#[test]
fn a_history_names_the_stepper_of_many_bodies_too() {
    let title = plot::history(&lcp("dominoes", 0.05)).title;
    assert!(title.starts_with("dominoes: lcp, "), "{title}");
}

#[test]
fn a_cube_shows_three_faces_obliquely_and_one_from_the_front() {
    let cube = Shape::Box { size: Vector::from([1.0, 1.0, 1.0]) };
    let upright = Orientation::Quaternion(UnitQuaternion::identity());
    let at = Vector::from([1.0, 2.0, 3.0]);
    let faces = plot::outline(&cube, &at, &upright, &View::oblique());
    assert_eq!(faces.len(), 3);
    assert!(faces.iter().all(|face| face.corners.len() == 4 && (0.0..=1.0).contains(&face.light)));
    let lights: Vec<f64> = faces.iter().map(|face| face.light).collect();
    assert!(lights[0] != lights[1] && lights[1] != lights[2]);
    let faces = plot::outline(&cube, &at, &upright, &View::along_axes(0, 2));
    let [face] = faces.as_slice() else { panic!("one face: {faces:?}") };
    for corner in &face.corners {
        assert!((corner[0] - 1.0).abs() == 0.5 && (corner[1] - 3.0).abs() == 0.5, "{corner:?}");
    }
}

#[test]
fn the_hull_of_a_cube_looks_like_the_cube() {
    let cube = Shape::Box { size: Vector::from([1.0, 2.0, 3.0]) };
    let corner =
        |k: usize| Vector::from_fn(|row, _| if k >> row & 1 == 1 { 0.5 } else { -0.5 } * (row + 1) as f64);
    let hull = Shape::Hull { vertices: (0..8).map(corner).collect() };
    let turned = Orientation::Quaternion(UnitQuaternion::from_scaled_axis(Vector3::new(0.3, -0.7, 1.1)));
    let area = |shape: &Shape<3>| {
        let faces = plot::outline(shape, &Vector::zeros(), &turned, &View::oblique());
        let area = |corners: &[Point]| {
            let next = |k: usize| corners[(k + 1) % corners.len()];
            (0..corners.len()).map(|k| corners[k][0] * next(k)[1] - next(k)[0] * corners[k][1]).sum::<f64>()
                / 2.0
        };
        faces.iter().map(|face| area(&face.corners)).sum::<f64>()
    };
    assert!(area(&cube) > 1.0 && (area(&cube) - area(&hull)).abs() < 1e-12);
}

#[test]
fn a_sphere_is_round_from_everywhere_and_shows_how_it_is_turned() {
    let sphere: Shape<3> = Shape::Ball { radius: 0.5 };
    for turn in [0.0, 1.0] {
        let turned = Orientation::Quaternion(UnitQuaternion::from_scaled_axis(Vector3::new(turn, 0.0, 0.0)));
        let faces = plot::outline(&sphere, &Vector::zeros(), &turned, &View::oblique());
        assert!(faces[0].corners.iter().all(|[x, y]| (x.hypot(*y) - 0.5).abs() < 1e-12));
        let seen = faces[0].marks.iter().flatten().filter(|point| point[0].is_finite()).count();
        assert!(seen > 50 && faces[0].marks.len() == 2, "half of each great circle: {seen}");
    }
}

#[test]
fn a_capsule_is_drawn_as_two_half_circles_and_what_is_between_them() {
    let capsule: Shape<3> = Shape::Capsule { radius: 0.1, length: 0.6 };
    let view = View::oblique();
    for turn in [0.0, 0.7, 2.0] {
        let turned = UnitQuaternion::from_scaled_axis(Vector3::new(turn, 0.3, 0.0));
        let faces = plot::outline(&capsule, &Vector::zeros(), &Orientation::Quaternion(turned), &view);
        let corners = &faces[0].corners;
        let next = |k: usize| corners[(k + 1) % corners.len()];
        let twice: f64 =
            (0..corners.len()).map(|k| corners[k][0] * next(k)[1] - next(k)[0] * corners[k][1]).sum();
        let [x, y] = view.project(&(turned * Vector3::new(0.0, 0.0, 0.6)));
        // The circles have 64 corners, of which the hull may miss one at each end.
        let expected = std::f64::consts::PI * 0.01 + 0.2 * x.hypot(y);
        assert!((twice / 2.0 / expected - 1.0).abs() < 1e-2, "{turn}: {} {expected}", twice / 2.0);
        assert_eq!((faces.len(), faces[0].marks.len()), (1, 4));
    }
    let along = plot::outline(
        &Shape::<3>::Cylinder { radius: 0.2, length: 0.5 },
        &Vector::zeros(),
        &Orientation::Quaternion(UnitQuaternion::identity()),
        &view,
    );
    assert!(along.len() > 10, "a rim and the sides that are seen: {}", along.len());
}

/// A cube that turns about a corner of its top as it passes by, and a sphere at rest behind it.
fn cube_and_sphere() -> Trajectory<3> {
    let mut scenario: Scenario<3> = Scenario::new("cube");
    let mut cube = Body::point(1.0, [0.0, 0.0, 0.5], [1.0, 0.0, 0.0]);
    cube.shape = Shape::Box { size: Vector::from([0.4, 0.4, 0.4]) };
    let mut sphere = Body::point(1.0, [0.5, 0.8, 0.3], [0.0; 3]);
    sphere.shape = Shape::Ball { radius: 0.3 };
    scenario.bodies = vec![cube, sphere];
    let mut trajectory = Trajectory::start(&scenario, StepperName::EXACT, Honours::default());
    for k in 1..=1000 {
        let time = f64::from(k) * scenario.step;
        let turn = UnitQuaternion::from_scaled_axis(Vector3::new(0.5, 1.0, 0.2) * time);
        for (body, motion) in trajectory.bodies.iter_mut().enumerate() {
            let mut state = motion.states[0];
            let mut attitude = motion.attitudes[0];
            if body == 0 {
                state.position[0] += time;
                attitude.orientation = Orientation::Quaternion(turn);
            }
            motion.states.push(state);
            motion.attitudes.push(attitude);
        }
    }
    trajectory
}

#[test]
fn bodies_in_space_stand_on_squares_and_the_nearer_one_covers_the_other() {
    let trajectory = cube_and_sphere();
    let figure = plot::path(&trajectory);
    assert_eq!(complaints("cube", &figure), [""; 0]);
    let [oblique, above] = figure.panels.as_slice() else { panic!("two views") };
    assert!(oblique.true_to_scale && oblique.floor.corners.len() == 4 && oblique.floor.lines.len() > 4);
    for name in ["*x* (m)", "*y* (m)", "*z* (m)"] {
        assert!(oblique.floor.notes.iter().any(|(_, note)| note == name), "{name}");
    }
    let [foot, top] = oblique.floor.scale[0];
    assert!(foot[0] == top[0] && top[1] > foot[1], "the scale of heights is upright");
    assert!(above.floor.corners.is_empty() && above.x.label == "*x*");
    let layout = figure.layout();
    assert!(layout.panels[0].x.heading.is_empty() && layout.panels[1].x.heading == "*x* (m)");
    // The last areas are those of the end: the sphere behind, then the cube with the faces that are seen.
    let round = oblique.areas.iter().rposition(|area| area.corners.len() == 64).unwrap();
    let faces = &oblique.areas[round + 1..];
    assert!((1..=3).contains(&faces.len()) && faces.iter().all(|face| face.corners.len() == 4));
    assert!(faces.windows(2).all(|pair| pair[0].fill != pair[1].fill), "faces differ in their light");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("animation.gif");
    plot::animation(&Series::of_bodies(&trajectory), &file).unwrap();
    assert!((20_000..600_000).contains(&std::fs::metadata(&file).unwrap().len()));
}

#[test]
fn bodies_move_in_the_animation() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("animation.gif");
    let trajectory = lcp("tipping-box", 0.6);
    plot::animation(&Series::of_bodies(&trajectory), &file).unwrap();
    let mut decoder = gif::DecodeOptions::new().read_info(std::fs::File::open(&file).unwrap()).unwrap();
    let palette = decoder.global_palette().unwrap().to_vec();
    let first = decoder.read_next_frame().unwrap().unwrap().clone();
    // The filling: three tenths of blue on white.
    let filled = first.buffer.iter().filter(|&&index| {
        let start = 3 * usize::from(index);
        palette[start..start + 3] == [179, 213, 232]
    });
    assert!(filled.count() > 1000, "the box is filled");
    let mut frames = 1;
    while decoder.read_next_frame().unwrap().is_some() {
        frames += 1;
    }
    assert!(frames >= 60 && std::fs::metadata(&file).unwrap().len() < 300_000);
}

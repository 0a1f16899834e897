//! What is far away changes nothing.

use stickslip::{
    gradient::{GradientRequest, GradientStudy, Input, Method},
    model::State,
    scenario::{Body, Pair, Partner, Scenario, Shape, Wall},
    stepper::StepperName,
    watch::Watch,
};

use crate::support::{ball, run, scenario, sine};

/// The point of the issue: thrown, with restitution .6.
fn thrown<const D: usize>(position: [f64; D], velocity: [f64; D]) -> Scenario<D> {
    let mut scenario = scenario(position, velocity, 1.5);
    scenario.ground.restitution = 0.6;
    scenario.ground.friction = 0.3;
    scenario
}

fn states<const D: usize>(scenario: &Scenario<D>) -> Vec<State<D>>
where
    Scenario<D>: stickslip::stepper::BuildStepper<D>,
{
    run(scenario).0.bodies[0].states.clone()
}

fn check<const D: usize>(alone: &Scenario<D>, aside: [f64; D])
where
    Scenario<D>: stickslip::stepper::BuildStepper<D>,
{
    let expected = states(alone);
    let far = |change: &dyn Fn(&mut Scenario<D>)| {
        let mut scenario = alone.clone();
        change(&mut scenario);
        for (state, expected) in states(&scenario).iter().zip(&expected) {
            let off =
                (state.position - expected.position).amax().max((state.velocity - expected.velocity).amax());
            assert!(off < 1e-12, "{off:e}");
        }
    };
    let mut normal = [0.0; D];
    normal[0] = 1.0;
    far(&|scenario| scenario.walls = vec![Wall { friction: Some(0.9), ..Wall::new(normal, -1000.0) }]);
    far(&|scenario| scenario.bodies.push(Body::point(1.0, aside, [0.0; D])));
    far(&|scenario| scenario.bodies.push(ball(0.5, aside, [0.0; D])));
    let anvil = Body { fixed: true, ..ball(0.5, aside, [0.0; D]) };
    far(&|scenario| scenario.bodies.push(anvil.clone()));
    far(&|scenario| scenario.bodies[0].name = Some("named".to_owned()));
    // A pair that says what holds anyway.
    let same = Pair { friction: Some(0.3), restitution: Some(0.6), ..Pair::between(0, Partner::Ground) };
    far(&|scenario| scenario.pairs = vec![same]);
}

#[test]
fn a_far_wall_and_a_far_body_change_nothing() {
    check(&thrown([0.0, 0.4], [1.0, 0.5]), [1000.0, 0.5]);
    check(&thrown([0.0, 0.1, 0.4], [1.0, -0.3, 0.5]), [1000.0, 0.0, 0.5]);
    let mut pushed = thrown([0.0, 0.0, 0.0], [0.3, 0.4, 0.0]);
    pushed.pushes = vec![sine([20.0, 0.0, 0.0], 1.3, 0.2), sine([0.0, 35.0, 60.0], 2.1, 0.0)];
    pushed.pushes.iter_mut().for_each(|push| push.body = Some(0));
    check(&pushed, [1000.0, 0.0, 0.5]);
}

/// A box, a disc and a sphere beside a wall a kilometre away.
#[test]
fn a_far_wall_changes_no_body_that_turns() {
    let mut plane = thrown([0.0, 0.4], [0.4, 0.5]);
    plane.duration = 0.3;
    for shape in [Shape::Ball { radius: 0.1 }, Shape::Rod { length: 0.3 }] {
        plane.ground.restitution = if matches!(shape, Shape::Ball { .. }) { 0.6 } else { 0.0 };
        plane.bodies[0].shape = shape;
        plane.walls.clear();
        let expected = states(&plane);
        plane.walls = vec![Wall::new([-1.0, 0.0], -1000.0)];
        assert_eq!(states(&plane), expected);
    }
    let mut space = thrown([0.0, 0.0, 0.4], [0.4, 0.0, 0.5]);
    space.bodies[0].shape = Shape::Ball { radius: 0.1 };
    let expected = states(&space);
    space.walls = vec![Wall::new([-1.0, 0.0, 0.0], -1000.0)];
    assert_eq!(states(&space), expected);
}

/// The gradient of the exact motion of a point beside a wall that it never meets is that of the point alone.
#[test]
fn a_far_wall_changes_no_gradient() {
    let mut scenario = thrown([0.0, 0.4], [1.0, 0.5]);
    scenario.duration = 0.8;
    let gradient = |scenario: &Scenario<2>, [prefix, of]: [&str; 2]| {
        let starts = ["position.0", "position.1", "velocity.0", "velocity.1"].map(|key| format!("{of}{key}"));
        let grounds = ["ground.friction", "ground.restitution", "gravity"].map(str::to_owned);
        let inputs: Vec<Input> =
            starts.iter().chain(&grounds).map(|key| key.parse().expect("an input")).collect();
        let request = GradientRequest {
            steppers: vec![StepperName::LCP],
            methods: vec![Method::Raw],
            outputs: ["final_x", "final_z"].map(|name| format!("{prefix}{name}")).to_vec(),
            inputs,
            kappa: 0.0,
            phases: 1,
            check: false,
        };
        let study = GradientStudy::run(scenario, &request, &Watch::none()).unwrap();
        study.rows.iter().filter_map(|row| row.exact).collect::<Vec<f64>>()
    };
    let point = gradient(&scenario, ["", "particle."]);
    scenario.walls = vec![Wall::new([1.0, 0.0], -1000.0)];
    let walled = gradient(&scenario, ["body-0.", "body.0."]);
    assert_eq!((point.len(), walled.len()), (14, 14));
    for (point, walled) in point.iter().zip(&walled) {
        assert!((point - walled).abs() < 1e-9 * (1.0 + point.abs()), "{point} {walled}");
    }
}

//! Gradients of bodies: against differences of the same runs on the same branch, against each other, and a case
//! that public simulators are known to get wrong.

use rand::{RngExt, SeedableRng, rngs::StdRng};
use stickslip::{
    gradient::{
        BodyQuantity, BodyTable, DerivativeRule, DifferentiableModels, GradientOptions, Input, Steps,
        Tangents, adjoint, tangents,
    },
    scenario::{Scenario, SmoothLaw},
    stepper::StepperName,
    watch::Watch,
    world::Impacts,
};

pub fn plane(text: &str) -> Scenario<2> {
    text.parse().expect("a scenario in a vertical plane")
}

pub fn space(text: &str) -> Scenario<3> {
    text.parse().expect("a scenario in space")
}

/// A box that slides on two corners, pushed over its centre.
const SLIDING_BOX: &str = r#"
name = "sliding"
duration = 0.06
step = 2e-3
[ground]
friction = 0.3
[[body]]
shape = "box"
size = [0.4, 0.2]
mass = 2.0
position = [0.0, 0.10003]
velocity = [1.5, 0.0]
[[push]]
body = "body-0"
force = [2.0, -1.0]
point = [0.02, 0.03]
"#;

/// A box that lands spinning on a corner.
pub const LANDING_BOX: &str = r#"
name = "landing"
duration = 0.05
step = 1e-3
[ground]
friction = 0.2
restitution = 0.4
[[body]]
shape = "box"
size = [0.4, 0.2]
mass = 2.0
position = [0.0, 0.215]
angle = 0.5
velocity = [1.2, -0.8]
spin = -2.0
"#;

/// A disc with backspin, slipping.
pub const DISC: &str = r#"
name = "disc"
duration = 0.1
step = 2e-3
[ground]
friction = 0.25
[[body]]
shape = "disc"
size = 0.1
mass = 1.0
position = [0.0, 0.10001]
velocity = [2.0, 0.0]
spin = 15.0
"#;

/// A disc that rolls, and another that falls on it off centre.
const DISCS: &str = r#"
name = "discs"
duration = 0.06
step = 1e-3
[ground]
friction = 0.5
[[body]]
shape = "disc"
size = 0.1
mass = 1.0
position = [0.0, 0.100005]
velocity = [0.3, 0.0]
spin = -3.0
[[body]]
shape = "disc"
size = 0.05
mass = 0.4
position = [0.05, 0.27]
velocity = [0.0, -1.0]
"#;

/// A small tilted box that slides on one corner over a fixed slope of a polygon.
const ON_A_WEDGE: &str = r#"
name = "wedge"
duration = 0.03
step = 1e-3
[ground]
friction = 0.1
[[body]]
shape = "polygon"
size = [[-0.6, 0.0], [0.6, 0.0], [-0.6, 0.4]]
mass = 5.0
position = [0.0, 0.13333333333333333]
fixed = true
[[body]]
shape = "box"
size = [0.1, 0.06]
mass = 0.5
position = [-0.1, 0.31]
angle = 0.2
velocity = [0.5, -0.5]
"#;

/// A hammer hits a ball beside its middle, which reaches the ground within the step.
const HIT_BALL: &str = r#"
name = "hit"
duration = 0.008
step = 1e-3
gravity = 0.0
[ground]
friction = 0.2
restitution = 0.5
[[body]]
shape = "disc"
size = 0.05
mass = 5.0
position = [0.003, 0.096]
velocity = [0.0, -20.0]
[[body]]
shape = "disc"
size = 0.01
mass = 0.1
position = [0.0, 0.025]
"#;

/// Two points with a rod, one of them sliding on the ground.
const PENDULUM: &str = r#"
name = "frame"
duration = 0.1
step = 2e-3
[ground]
friction = 0.2
[[particle]]
mass = 1.0
position = [0.0, 0.002]
velocity = [0.8, -0.3]
[[particle]]
mass = 0.5
position = [0.3, 0.4]
velocity = [0.2, 0.1]
[[rod]]
particles = [0, 1]
length = 0.5
"#;

/// A cube that lands spinning on a corner.
const CUBE: &str = r#"
name = "cube"
duration = 0.05
step = 1e-3
[ground]
friction = 0.2
restitution = 0.3
[[body]]
shape = "box"
size = [0.1, 0.12, 0.08]
mass = 0.4
position = [0.0, 0.0, 0.095]
orientation = [0.85, 0.35, 0.3, 0.1]
velocity = [0.8, 0.4, -0.7]
spin = [2.0, -1.0, 3.0]
"#;

/// A ball that slides with side spin.
const BALL: &str = r#"
name = "ball"
duration = 0.06
step = 2e-3
[ground]
friction = 0.2
[[body]]
shape = "sphere"
size = 0.1
mass = 1.0
position = [0.0, 0.0, 0.10001]
velocity = [1.5, 0.3, 0.0]
spin = [2.0, 8.0, 1.0]
"#;

/// The gradient of the steps of a stepper, with the nearest kinks.
fn raw<const D: usize>(scenario: &Scenario<D>, name: StepperName, inputs: &[Input]) -> Tangents
where
    Scenario<D>: DifferentiableModels<D>,
{
    by(DerivativeRule::Raw, scenario, name, inputs)
}

/// The gradient of the steps of a stepper by a rule, with the nearest kinks.
pub fn by<const D: usize>(
    rule: DerivativeRule,
    scenario: &Scenario<D>,
    name: StepperName,
    inputs: &[Input],
) -> Tangents
where
    Scenario<D>: DifferentiableModels<D>,
{
    let options = GradientOptions { kinks: true, ..GradientOptions::of(scenario) };
    tangents(scenario, Steps::by(name), rule, inputs, &options, &Watch::none()).unwrap()
}

/// The largest deviation of the tangents from central differences that stay on the branch, relative to the larger of
/// the derivative of the whole end and a tenth per natural size of the input.
pub fn deviation<const D: usize>(scenario: &Scenario<D>, name: StepperName, widest: f64) -> f64
where
    Scenario<D>: DifferentiableModels<D>,
{
    deviation_by(scenario, name, &Input::of(scenario), widest)
}

/// The same with respect to these inputs alone.
pub fn deviation_by<const D: usize>(
    scenario: &Scenario<D>,
    name: StepperName,
    inputs: &[Input],
    widest: f64,
) -> f64
where
    Scenario<D>: DifferentiableModels<D>,
{
    let all = raw(scenario, name, inputs);
    let mut worst: f64 = 0.0;
    for (j, &input) in inputs.iter().enumerate() {
        let size = input.natural_size(scenario);
        let h = (widest * size).min(all.nearest[j].distance.abs() / 3.0);
        if h < 1e-8 * size {
            continue;
        }
        let end = |change: f64| {
            let shifted = input.shifted(scenario, change);
            raw(&shifted, name, &[]).end.values
        };
        let (after, before) = (end(h), end(-h));
        let largest = all.jacobian.column(j).amax().max(0.1 / size);
        for (i, (after, before)) in after.iter().zip(&before).enumerate() {
            let difference = (after - before) / (2.0 * h);
            let off = (all.jacobian[(i, j)] - difference).abs() / largest;
            if off > 1e-5 {
                println!(
                    "{name} {}: {input}: {} is {} by differences",
                    all.end.names[i],
                    all.jacobian[(i, j)],
                    difference
                );
            }
            worst = worst.max(off);
        }
    }
    worst
}

/// The largest deviation of the way back from the way there, relative to the largest derivative met on the way.
pub fn asymmetry<const D: usize>(scenario: &Scenario<D>, name: StepperName, rule: DerivativeRule) -> f64
where
    Scenario<D>: DifferentiableModels<D>,
{
    let inputs = Input::of(scenario);
    let there = by(rule, scenario, name, &inputs);
    let options = GradientOptions::of(scenario);
    let mut worst: f64 = 0.0;
    for i in 0..there.end.values.len() {
        let weight: Vec<f64> = (0..there.end.values.len()).map(|k| f64::from(k == i)).collect();
        let asked = (&inputs[..], &weight[..]);
        let back = adjoint(scenario, Steps::by(name), rule, asked, &options, &Watch::none()).unwrap();
        assert_eq!(back.end, there.end);
        for (j, back) in back.gradient.iter().enumerate() {
            worst = worst.max((back - there.jacobian[(i, j)]).abs() / there.largest[j].max(1e-3));
        }
    }
    worst
}

fn steppers() -> [(StepperName, f64); 5] {
    [
        (StepperName::LCP, 1e-6),
        (StepperName::NLP, 1e-5),
        (StepperName::CONE, 1e-4),
        (StepperName::CONVEX, 1e-5),
        (StepperName::SMOOTH, 1e-6),
    ]
}

#[test]
fn tangents_in_the_plane_are_the_differences_on_the_same_branch() {
    for text in [SLIDING_BOX, LANDING_BOX, DISC, DISCS, ON_A_WEDGE, PENDULUM] {
        let scenario = plane(text);
        // The share of its way that a body goes after an impact bends with the gap, which is 0.25 mm here.
        // Whether a contact of `convex` is found in this step or in the next one is a kink that is not among the nearest.
        let (change, least) = match text {
            LANDING_BOX => (5e-6, 1e-5),
            DISCS => (5e-6, 0.0),
            _ => (1e-4, 0.0),
        };
        for (name, allowed) in steppers() {
            let (off, allowed) = (deviation(&scenario, name, change), f64::max(allowed, least));
            println!("{} by {name}: {off:e}", scenario.name);
            assert!(off <= allowed, "{} by {name}: {off:e}", scenario.name);
        }
    }
}

/// A box that lands nearly flat and sliding: a blow of two contacts. Where it is flat to the last digit it is on a kink.
const FLAT_BOX: &str = r#"
name = "flat"
duration = 0.03
step = 1e-3
[ground]
friction = 0.2
restitution = 0.3
[[body]]
shape = "box"
size = [0.4, 0.2]
mass = 2.0
position = [0.0, 0.1075]
angle = 2e-4
velocity = [2.0, -0.8]
"#;

/// Two rods on a pin that hang from another one; the lower end strikes the ground.
const DOUBLE_PENDULUM: &str = r#"
name = "double-pendulum"
duration = 0.02
step = 1e-3
[ground]
friction = 0.5
restitution = 0.5
[[body]]
shape = "rod"
size = 1.0
mass = 1.0
position = [0.171010, 1.338872]
angle = -1.221730
velocity = [-0.187939, -0.068404]
spin = -0.4
[[body]]
shape = "rod"
size = 1.0
mass = 1.0
position = [0.592020, 0.436012]
angle = -1.047198
velocity = [-0.765588, -0.361808]
spin = -0.9
[[joint]]
kind = "hinge"
bodies = ["world", "body-0"]
point = [0.0, 1.808718]
[[joint]]
kind = "hinge"
bodies = ["body-0", "body-1"]
point = [0.342020, 0.869025]
"#;

/// Impacts that are followed over their impulse: of one contact, of two at once, of one body after the other, and with joints.
#[test]
fn tangents_through_followed_impacts_are_the_differences() {
    const FOLLOWED: &str = "[stepper]\nimpacts = \"incremental\"\n";
    // The share of its way that a body goes after an impact bends with the gap.
    let (change, allowed) = (5e-6, 3e-5);
    for text in [LANDING_BOX, FLAT_BOX, DISCS, ON_A_WEDGE, DOUBLE_PENDULUM] {
        let scenario = plane(&format!("{text}{FOLLOWED}"));
        for name in [StepperName::LCP, StepperName::NLP] {
            let off = deviation(&scenario, name, change);
            assert!(off <= allowed, "{} by {name}: {off:e}", scenario.name);
        }
    }
    let scenario = space(&format!("{CUBE}{FOLLOWED}"));
    for name in [StepperName::LCP, StepperName::NLP] {
        let off = deviation(&scenario, name, change);
        assert!(off <= 1e-3, "{} by {name}: {off:e}", scenario.name);
    }
}

/// Points on the ground that slide at different speeds, for which `convex` softens the ground.
const SLIDING_POINTS: &str = r#"
name = "points"
duration = 0.06
step = 2e-3
[ground]
friction = 0.3
slope = 4.0
[[particle]]
mass = 1.0
position = [0.0, 0.0]
velocity = [2.5, 0.0]
[[particle]]
mass = 2.0
position = [0.5, 0.0002]
velocity = [-0.8, 0.0]
[[particle]]
mass = 0.5
position = [0.3, 0.3]
velocity = [0.1, 0.0]
[[rod]]
particles = [0, 2]
[[spring]]
particles = [1, 2]
stiffness = 300.0
damping = 2.0
[[push]]
particle = 1
force = [1.0, -2.0]
"#;

/// The same over a plane.
const POINTS_OVER_PLANE: &str = r#"
name = "points-over-plane"
duration = 0.06
step = 2e-3
[ground]
friction = 0.3
[[particle]]
mass = 1.0
position = [0.0, 0.0, 0.0]
velocity = [2.5, 0.7, 0.0]
[[particle]]
mass = 2.0
position = [0.5, 0.3, 0.0002]
velocity = [-0.8, 0.3, 0.0]
[[spring]]
particles = [0, 1]
length = 0.7
stiffness = 300.0
damping = 2.0
"#;

/// The softness that `convex` chooses for every point changes with its start, friction, mass and gravity, and its rods
/// are as stiff as the masses at their ends allow.
#[test]
fn tangents_of_systems_know_how_the_ground_of_convex_is_softened() {
    let off = deviation(&plane(SLIDING_POINTS), StepperName::CONVEX, 1e-4);
    assert!(off <= 1e-6, "in the plane: {off:e}");
    // What lands across the layer on which it slides bends over a part of that: differences fall with the square.
    let off = deviation(&space(POINTS_OVER_PLANE), StepperName::CONVEX, 2e-7);
    assert!(off <= 1e-6, "over a plane: {off:e}");
    for scenario in [plane(SLIDING_POINTS), plane(PENDULUM)] {
        let off = asymmetry(&scenario, StepperName::CONVEX, DerivativeRule::Raw);
        assert!(off <= 1e-11, "{}: {off:e}", scenario.name);
    }
}

/// Stiffness and damping of `smooth` after Hunt and Crossley are those of the heaviest body that turns, of a point on the
/// ground its own, and of gravity.
#[test]
fn tangents_know_how_the_spring_of_the_heaviest_body_is_chosen() {
    for text in [DISCS, SLIDING_POINTS] {
        let mut scenario = plane(text);
        scenario.steppers.smooth.law = SmoothLaw::HuntCrossley { stiffness: None, damping: None };
        let off = deviation(&scenario, StepperName::SMOOTH, 1e-4);
        assert!(off <= 1e-6, "{}: {off:e}", scenario.name);
        if !scenario.has_turning_bodies() {
            continue;
        }
        let heaviest = scenario.bodies.iter().enumerate().max_by(|(_, a), (_, b)| a.mass.total_cmp(&b.mass));
        let (heaviest, _) = heaviest.expect("there is one");
        // Each as heavy as it, to within a milligram.
        for (body, _) in scenario.clone().bodies.iter().enumerate().filter(|(body, _)| *body != heaviest) {
            scenario.bodies[body].mass = scenario.bodies[heaviest].mass - 1e-6;
            let mass = Input::OfBody(BodyTable::Body, body, BodyQuantity::Mass);
            let run = raw(&scenario, StepperName::SMOOTH, &[mass]);
            assert!(run.nearest[0].distance.abs() < 1.01e-6, "{}: {:?}", scenario.name, run.nearest[0]);
            scenario.bodies[body].mass *= 0.5;
        }
    }
}

/// The ball ends a step where it was thrown, with the velocity of the blow: two stages with contacts of their own.
#[test]
fn tangents_through_a_throw_are_the_differences_on_the_same_branch() {
    let scenario = plane(HIT_BALL);
    for (name, allowed) in steppers() {
        // The velocities are those of a blow of 20 m/s, and bend sooner.
        let off = deviation(&scenario, name, 3e-5);
        assert!(off <= 10.0 * allowed, "{name}: {off:e}");
    }
}

#[test]
fn tangents_in_space_are_the_differences_on_the_same_branch() {
    for text in [CUBE, BALL] {
        let scenario = space(text);
        for (name, allowed) in steppers() {
            // An impact across a corner bends sooner, on stiff springs sooner still, and followed over its impulse soonest.
            let widest = match name {
                StepperName::SMOOTH => 3e-5,
                StepperName::CONVEX => 3e-6,
                _ => 3e-7,
            };
            let off = deviation(&scenario, name, widest);
            println!("{} by {name}: {off:e}", scenario.name);
            assert!(off <= 10.0 * allowed, "{} by {name}: {off:e}", scenario.name);
        }
    }
}

#[test]
fn the_way_back_is_the_transpose_of_the_way_there() {
    for text in [LANDING_BOX, DISCS, HIT_BALL] {
        let scenario = plane(text);
        for (name, _) in steppers() {
            let off = asymmetry(&scenario, name, DerivativeRule::Raw);
            assert!(off <= 1e-11, "{} by {name}: {off:e}", scenario.name);
        }
    }
    let off = asymmetry(&space(CUBE), StepperName::NLP, DerivativeRule::Raw);
    assert!(off <= 1e-11, "cube: {off:e}");
    // Blows that follow each other have no corrected derivative.
    let mut discs = plane(DISCS);
    discs.steppers.impacts = Some(Impacts::OneStage);
    let off = asymmetry(&discs, StepperName::NLP, DerivativeRule::Corrected);
    assert!(off <= 1e-11, "corrected: {off:e}");
}

/// Two equal balls, elastic, no friction: a case that public differentiable simulators are known to get wrong.
const TWO_BALLS: &str = r#"
name = "two-balls"
duration = 1.0
step = 1e-2
gravity = 0.0
[ground]
friction = 0.0
[[body]]
shape = "disc"
size = 0.1
mass = 1.0
position = [0.0, 1.0]
velocity = [1.0, 0.0]
[[body]]
shape = "disc"
size = 0.1
mass = 1.0
position = [0.52, 1.0]
[[pair]]
bodies = ["body-0", "body-1"]
friction = 0.0
restitution = 1.0
"#;

#[test]
fn a_ball_that_hits_an_equal_one_hands_on_its_place_and_velocity() {
    let scenario = plane(TWO_BALLS);
    let of = |body, quantity| Input::OfBody(BodyTable::Body, body, quantity);
    let inputs = [
        of(0, BodyQuantity::Position(0)),
        of(1, BodyQuantity::Position(0)),
        of(0, BodyQuantity::Velocity(0)),
    ];
    for name in [StepperName::NLP, StepperName::LCP, StepperName::CONE] {
        let gradient = |rule| by(rule, &scenario, name, &inputs).gradient("body-1.final_x").unwrap();
        let (raw, corrected) = (gradient(DerivativeRule::Raw), gradient(DerivativeRule::Corrected));
        for (value, expected) in corrected.iter().zip([1.0, 0.0, 1.0]) {
            assert!((value - expected).abs() < 1e-6, "{name}: {corrected:?}");
        }
        let wrong = (raw[0] - 1.0).abs().max(raw[1].abs());
        assert!(wrong > 0.4, "{name}: the step's own gradient knows no time of impact: {raw:?}");
    }
}

/// A box or disc that is thrown at the ground.
pub fn random(rng: &mut StdRng) -> Scenario<2> {
    let (shape, reach) = if rng.random_bool(0.7) {
        let (width, height) = (rng.random_range(0.1..0.5), rng.random_range(0.1..0.5));
        (format!("shape = \"box\"\nsize = [{width}, {height}]"), 0.5 * f64::hypot(width, height))
    } else {
        let radius = rng.random_range(0.05..0.3);
        (format!("shape = \"disc\"\nsize = {radius}"), radius)
    };
    let text = format!(
        "name = \"random\"\nduration = {}\nstep = 1e-3\n[ground]\nfriction = {}\nrestitution = {}\n[[body]]\n{shape}\n\
         mass = {}\nposition = [0.0, {}]\nangle = {}\nvelocity = [{}, {}]\nspin = {}\n",
        rng.random_range(0.03..0.12),
        rng.random_range(0.05..0.6),
        if rng.random_bool(0.4) { rng.random_range(0.2..0.8) } else { 0.0 },
        rng.random_range(0.5..5.0),
        reach + rng.random_range(0.002..0.05),
        rng.random_range(-1.5..1.5),
        rng.random_range(-2.0..2.0),
        rng.random_range(-1.5..0.2),
        rng.random_range(-4.0..4.0),
    );
    plane(&text)
}

/// Shares of random throws whose tangents are differences; a corner that becomes another one between the two
/// sides of a difference spoils it.
fn share_of_right(name: StepperName, count: usize, allowed: f64) -> usize {
    let mut rng = StdRng::seed_from_u64(7);
    (0..count).filter(|_| deviation(&random(&mut rng), name, 1e-5) <= allowed).count()
}

#[test]
fn tangents_of_random_throws_are_differences() {
    let right = share_of_right(StepperName::LCP, 25, 1e-5);
    assert!(right >= 24, "{right} of 25");
}

#[test]
#[ignore = "minutes: 200 throws per model"]
fn tangents_of_two_hundred_random_throws_per_model_are_differences() {
    for (name, allowed) in steppers() {
        let right = share_of_right(name, 200, 10.0 * allowed);
        println!("{name}: {right} of 200");
        assert!(right >= 190, "{name}: {right} of 200");
    }
}

/// A disc that hits another one beside its middle, and by how much the velocity of that changes per offset: it leaves along the
/// line of centres, turned by the angle of friction, with the share `(1 + e)/2` of what closes the gap.
#[test]
fn what_is_hit_obliquely_leaves_as_the_normal_where_it_touches_turns() {
    let (radius, friction, restitution) = (0.028_575_f64, 0.06_f64, 0.95);
    let mut rng = StdRng::seed_from_u64(42);
    let offset_of_first = Input::OfBody(BodyTable::Body, 0, BodyQuantity::Position(1));
    for case in 0..200 {
        // Steep enough for friction to slip to the end.
        let share: f64 = rng.random_range(0.42..0.93);
        let (speed, phase) = (rng.random_range(0.5..6.0), rng.random_range(0.0..1.0));
        let step = [1e-3, 1e-4][case % 2];
        let start = -2.0 * radius * (1.0 - share * share).sqrt() - (3.0 + phase) * speed * step;
        let scenario = plane(&format!(
            "name = \"cut\"\nduration = {}\nstep = {step}\ngravity = 0.0\n[ground]\nfriction = {friction}\n\
             restitution = {restitution}\n[[body]]\nshape = \"disc\"\nsize = {radius}\nmass = 0.17\n\
             position = [{start}, {}]\nvelocity = [{speed}, 0.0]\n[[body]]\nshape = \"disc\"\nsize = {radius}\nmass = 0.17\n\
             position = [0.0, 1.0]\n",
            8.0 * step,
            1.0 - 2.0 * radius * share,
        ));
        // The line of centres is at the angle whose sine is the share.
        let leaving = |share: f64| {
            let centres = (share.asin(), share.asin() - friction.atan());
            let along = 0.5 * (1.0 + restitution) * speed * centres.0.cos() / friction.atan().cos();
            [along * centres.1.cos(), along * centres.1.sin()]
        };
        let nearby = 1e-6;
        let [above, below] = [share + nearby, share - nearby].map(leaving);
        let expected = [0, 1].map(|axis| (below[axis] - above[axis]) / (2.0 * nearby) / (2.0 * radius));
        let size = expected[0].hypot(expected[1]);
        for name in [StepperName::LCP, StepperName::NLP] {
            let tangents = by(DerivativeRule::Raw, &scenario, name, &[offset_of_first]);
            for (axis, expected) in ["vx", "vz"].into_iter().zip(expected) {
                let own = tangents.gradient(&format!("body-1.final_{axis}")).expect("a gradient")[0];
                assert!(
                    (own - expected).abs() < 0.01 * size,
                    "{case} by {name}, {axis}: {own} for {expected}"
                );
            }
        }
    }
}

//! Gradients of steps whose friction resists rolling and drilling, or differs across an axis: against differences of the same steps,
//! against closed forms, and what is refused or not corrected.

use stickslip::{
    gradient::{
        BodyQuantity, BodyTable, DerivativeRule, DifferentiableModels, FrictionQuantity, GradientOptions,
        Input, Steps, tangents,
    },
    scenario::Scenario,
    stepper::StepperName,
    watch::Watch,
};

use crate::bodies::{asymmetry, by, deviation, plane, space};

const G: f64 = 9.81;

const ACROSS: Input = Input::FrictionBeside(FrictionQuantity::Across);
const DRILLING: Input = Input::FrictionBeside(FrictionQuantity::Torsional);
const ROLLING: Input = Input::FrictionBeside(FrictionQuantity::Rolling);

/// The models whose steps have derivatives with such friction, and how far these may be off differences: `cone` as far as it
/// iterates.
const IN_SPACE: [(StepperName, f64); 2] = [(StepperName::NLP, 1e-5), (StepperName::CONE, 1e-4)];
const IN_PLANE: [(StepperName, f64); 3] =
    [(StepperName::NLP, 1e-5), (StepperName::CONE, 1e-4), (StepperName::LCP, 1e-5)];

/// Half the width of differences, as a part of natural sizes.
const WIDE: f64 = 1e-7;

fn assert_differences<const D: usize>(
    scenario: &Scenario<D>,
    widest: f64,
    (models, wanted): (&[(StepperName, f64)], &[Input]),
) where
    Scenario<D>: DifferentiableModels<D>,
{
    let inputs = Input::of(scenario);
    assert!(wanted.iter().all(|input| inputs.contains(input)), "{inputs:?}");
    for &(name, allowed) in models {
        let off = deviation(scenario, name, widest);
        println!("{} by {name}: {off:e}", scenario.name);
        assert!(off <= allowed, "{} by {name}: {off:e}", scenario.name);
    }
}

/// A ball of 1.2 kg and the radius 0.1 m on the ground of these keys, with this velocity and spin.
fn ball(duration: f64, ground: &str, velocity: [f64; 3], spin: [f64; 3]) -> Scenario<3> {
    space(&format!(
        "name = \"ball\"\nduration = {duration}\nstep = 2e-3\n[ground]\n{ground}\n[[body]]\nshape = \"sphere\"\nsize = 0.1\n\
         mass = 1.2\nposition = [0.0, 0.0, 0.100003]\nvelocity = {velocity:?}\nspin = {spin:?}\n"
    ))
}

#[test]
fn a_ball_that_rolls_over_soft_ground_has_the_differences_of_its_steps() {
    let rolling = ball(0.06, "friction = 0.5\nrolling_friction = 0.002", [0.5, 0.3, 0.0], [-3.0, 5.0, 0.4]);
    assert_differences(&rolling, WIDE, (&IN_SPACE, &[ROLLING]));
}

#[test]
fn a_ball_that_slides_and_rolls_has_the_differences_of_its_steps() {
    let sliding = ball(0.06, "friction = 0.3\nrolling_friction = 0.004", [1.0, 0.2, 0.0], [1.0, -2.0, 0.4]);
    assert_differences(&sliding, WIDE, (&IN_SPACE, &[Input::Friction, ROLLING]));
}

#[test]
fn a_ball_that_drills_as_it_slides_has_the_differences_of_its_steps() {
    let lengths = "friction = 0.3\ntorsional_friction = 0.03\nrolling_friction = 0.002";
    let sliding = ball(0.06, lengths, [1.0, -0.4, 0.0], [2.0, 1.0, 20.0]);
    let off = asymmetry(&sliding, StepperName::NLP, DerivativeRule::Raw);
    assert!(off < 1e-10, "{off:e}");
    assert_differences(&sliding, WIDE, (&IN_SPACE, &[Input::Friction, DRILLING, ROLLING]));
    // What slips has less of both.
    let kinetic =
        ball(0.06, &format!("{lengths}\nkinetic_friction = 0.2"), [1.0, -0.4, 0.0], [2.0, 1.0, 20.0]);
    let inputs = [Input::FrictionBeside(FrictionQuantity::Kinetic), Input::Friction, DRILLING, ROLLING];
    assert_differences(&kinetic, WIDE, (&IN_SPACE, &inputs));
}

#[test]
fn a_ball_that_spins_on_the_spot_has_the_differences_of_its_steps() {
    let spinning =
        ball(0.06, "friction = 0.3\ntorsional_friction = 0.005", [0.0, 0.0, 0.0], [0.0, 0.0, 20.0]);
    assert_differences(&spinning, WIDE, (&IN_SPACE, &[DRILLING]));
}

#[test]
fn a_disc_that_rolls_down_a_soft_slope_has_the_differences_of_its_steps() {
    let disc = plane(
        "name = \"disc\"\nduration = 0.06\nstep = 2e-3\n[ground]\nfriction = 0.5\nrolling_friction = 0.002\nslope = -3.0\n[[body]]\n\
         shape = \"disc\"\nsize = 0.1\nmass = 1.2\nposition = [0.0, 0.100003]\nvelocity = [0.4, 0.0]\nspin = -4.0\n",
    );
    assert_differences(&disc, WIDE, (&IN_PLANE, &[ROLLING]));
    for (name, _) in IN_PLANE {
        let off = asymmetry(&disc, name, DerivativeRule::Raw);
        assert!(off < 1e-10, "{name}: {off:e}");
    }
}

/// One that rests on the slope, its rolling friction holding it.
#[test]
fn a_disc_that_is_held_on_a_slope_does_not_move_with_what_holds_it() {
    let disc = plane(
        "name = \"disc\"\nduration = 0.06\nstep = 2e-3\n[ground]\nfriction = 0.5\nrolling_friction = 0.002\nslope = -0.5\n[[body]]\n\
         shape = \"disc\"\nsize = 0.1\nmass = 1.2\nposition = [0.0, 0.1]\n",
    );
    for (name, _) in IN_PLANE {
        let slopes = by(DerivativeRule::Raw, &disc, name, &[ROLLING, Input::Slope]);
        assert!(slopes.jacobian.amax() < 1e-9, "{name}: {}", slopes.jacobian);
    }
}

/// Both turn, and so does the normal between them.
#[test]
fn balls_that_roll_on_each_other_have_the_differences_of_their_steps() {
    let balls = space(
        "name = \"balls\"\nduration = 0.02\nstep = 2e-3\n[ground]\nfriction = 0.4\nrolling_friction = 0.001\n[[pair]]\n\
         bodies = [\"lower\", \"upper\"]\nfriction = 0.6\ntorsional_friction = 0.01\nrolling_friction = 0.003\n[[body]]\n\
         name = \"lower\"\nshape = \"sphere\"\nsize = 0.2\nmass = 3.0\nposition = [0.0, 0.0, 0.200003]\nspin = [1.0, 0.5, 0.2]\n[[body]]\n\
         name = \"upper\"\nshape = \"sphere\"\nsize = 0.1\nmass = 1.0\nposition = [0.02, 0.01, 0.499164]\nvelocity = [0.1, -0.2, 0.0]\n\
         spin = [3.0, -1.0, 6.0]\n",
    );
    let of_pair = |quantity| Input::PairFrictionBeside(0, quantity);
    let wanted = [of_pair(FrictionQuantity::Torsional), of_pair(FrictionQuantity::Rolling), ROLLING];
    assert_differences(&balls, 1e-7, (&IN_SPACE, &wanted));
}

/// Friction of 0.2 along x and of 0.4 across it.
const ELLIPSE: &str = "friction = 0.2\nfriction_across = 0.4\nfriction_axis = [0.8, 0.6, 0.0]\n";

#[test]
fn a_point_on_friction_that_differs_across_an_axis_has_the_differences_of_its_steps() {
    let point = space(&format!(
        "name = \"point\"\nduration = 0.06\nstep = 2e-3\n[ground]\n{ELLIPSE}[particle]\nmass = 1.5\nposition = [0.0, 0.0, 0.000003]\n\
         velocity = [1.0, 1.0, 0.0]\n[[push]]\nforce = [0.5, -0.3, -1.0]\n"
    ));
    assert_differences(&point, WIDE, (&IN_SPACE, &[ACROSS, Input::Friction]));
}

#[test]
fn a_box_on_friction_that_differs_across_an_axis_has_the_differences_of_its_steps() {
    // Its corners share the weight as they like, and that decides nothing as long as it does not turn.
    let boxed = space(&format!(
        "name = \"box\"\nduration = 0.04\nstep = 2e-3\n[ground]\n{ELLIPSE}[[body]]\nshape = \"box\"\nsize = [0.4, 0.4, 0.02]\nmass = 1.5\n\
         position = [0.0, 0.0, 0.010003]\nvelocity = [1.0, 0.4, 0.0]\n"
    ));
    let inputs = [
        ACROSS,
        Input::Friction,
        Input::Gravity,
        Input::OfBody(BodyTable::Body, 0, BodyQuantity::Velocity(0)),
        Input::OfBody(BodyTable::Body, 0, BodyQuantity::Velocity(1)),
        Input::OfBody(BodyTable::Body, 0, BodyQuantity::Mass),
    ];
    for (name, allowed) in IN_SPACE {
        let off = crate::bodies::deviation_by(&boxed, name, &inputs, WIDE);
        assert!(off <= allowed, "{name}: {off:e}");
    }
}

/// The axis is that of the plank, and turns with it.
#[test]
fn a_ball_on_a_plank_whose_axis_turns_with_it_has_the_differences_of_its_steps() {
    let carried = space(
        "name = \"carried\"\nduration = 0.02\nstep = 2e-3\n[ground]\nfriction = 0.0\n[[pair]]\nbodies = [\"plank\", \"ball\"]\nfriction = 0.2\n\
         friction_across = 0.5\nfriction_axis = [1.0, 0.3, 0.0]\nrolling_friction = 0.001\n[[body]]\nname = \"plank\"\nshape = \"sphere\"\n\
         size = 0.3\nmass = 4.0\nposition = [0.0, 0.0, 0.300003]\nspin = [0.3, -0.2, 2.0]\n[[body]]\nname = \"ball\"\nshape = \"sphere\"\n\
         size = 0.1\nmass = 1.0\nposition = [0.02, 0.01, 0.699370]\nvelocity = [1.0, 0.7, 0.0]\nspin = [1.0, 2.0, 3.0]\n",
    );
    let of_pair = |quantity| Input::PairFrictionBeside(0, quantity);
    let wanted = [of_pair(FrictionQuantity::Across), of_pair(FrictionQuantity::Rolling)];
    assert_differences(&carried, 1e-7, (&IN_SPACE, &wanted));
}

/// `x = v^2/(2 a)` with `a = 5/7 rho g/R`: where a ball that rolls comes to rest, and when.
#[test]
fn a_ball_that_rolls_to_rest_has_the_gradient_of_its_closed_form() {
    let (v, rho, radius) = (0.1, 0.002, 0.1);
    let rolling =
        ball(0.9, "friction = 0.5\nrolling_friction = 0.002", [v, 0.0, 0.0], [0.0, v / radius, 0.0]);
    let place = v * v * 7.0 * radius / (10.0 * rho * G);
    let inputs = [ROLLING, Input::Gravity];
    for (name, _) in IN_SPACE {
        for rule in [DerivativeRule::Raw, DerivativeRule::Corrected] {
            let all = by(rule, &rolling, name, &inputs);
            let x = all.end.place("body-0.final_x").expect("it has a place");
            assert!((all.end.values[x] / place - 1.0).abs() < 0.01, "{name}: {}", all.end.values[x]);
            for (j, exact) in [-place / rho, -place / G].into_iter().enumerate() {
                let found = all.jacobian[(x, j)];
                assert!(
                    (found / exact - 1.0).abs() < 0.01,
                    "{name} {rule:?} {}: {found} for {exact}",
                    inputs[j]
                );
            }
        }
    }
}

/// Two components of slip under one law: the point stops after .617488 s at (.347649, .167073) from (1, 1).
#[test]
fn a_point_across_an_axis_stops_as_its_differences_say() {
    let of = |friction: f64, across: f64| {
        space(&format!(
            "name = \"point\"\nduration = 0.7\nstep = 1e-3\n[ground]\nfriction = {friction}\nfriction_across = {across}\n[particle]\nmass = 1.0\n\
             position = [0.0, 0.0, 0.0]\nvelocity = [1.0, 1.0, 0.0]\n"
        ))
    };
    let all = by(DerivativeRule::Raw, &of(0.2, 0.4), StepperName::NLP, &[Input::Friction, ACROSS]);
    let place = |name: &str| all.end.place(name).expect("it has a place");
    let [x, y] = ["final_x", "final_y"].map(|name| place(&format!("body-0.{name}")));
    assert!((all.end.values[x] - 0.347649).abs() < 2e-3 && (all.end.values[y] - 0.167073).abs() < 2e-3);
    // Twice the friction in all directions takes half of the way.
    let by_all = |row: usize| 0.2 * all.jacobian[(row, 0)] + 0.4 * all.jacobian[(row, 1)];
    for row in [x, y] {
        let off = by_all(row) / -all.end.values[row] - 1.0;
        assert!(off.abs() < 5e-3, "{}: {off}", all.end.names[row]);
    }
}

fn refusal<const D: usize>(scenario: &Scenario<D>, name: StepperName, rule: DerivativeRule) -> String
where
    Scenario<D>: DifferentiableModels<D>,
{
    let options = GradientOptions::of(scenario);
    let all = tangents(scenario, Steps::by(name), rule, &[Input::Gravity], &options, &Watch::none());
    all.err().unwrap_or_else(|| panic!("{name} has one")).to_string()
}

#[test]
fn models_without_derivatives_say_which_have_some() {
    let rolling = ball(0.01, "friction = 0.5\nrolling_friction = 0.002", [0.5, 0.0, 0.0], [0.0; 3]);
    for name in [StepperName::LCP, StepperName::CONVEX, StepperName::SMOOTH] {
        let reason = refusal(&rolling, name, DerivativeRule::Raw);
        assert!(
            reason.contains("resists drilling or rolling") && reason.contains("use nlp or cone"),
            "{reason}"
        );
    }
    let both = "friction = 0.5\ntorsional_friction = 0.002\nkinetic_friction = 0.3\nstribeck_velocity = 0.1";
    let reason = refusal(&ball(0.01, both, [0.5, 0.0, 0.0], [0.0; 3]), StepperName::NLP, DerivativeRule::Raw);
    assert!(reason.contains("stribeck_velocity") && reason.contains("leave one of them out"), "{reason}");
}

#[test]
fn what_rolls_back_is_not_corrected() {
    // It rolls up a slope, comes to rest after .2 s, and rolls back.
    let back = plane(
        "name = \"disc\"\nduration = 0.4\nstep = 2e-3\n[ground]\nfriction = 0.5\nrolling_friction = 0.002\nslope = -6.0\n[[body]]\n\
         shape = \"disc\"\nsize = 0.1\nmass = 1.2\nposition = [0.0, 0.1]\nvelocity = [0.15, 0.0]\nspin = -1.5\n",
    );
    let reason = refusal(&back, StepperName::NLP, DerivativeRule::Corrected);
    assert!(reason.contains("turns around"), "{reason}");
    let raw = by(DerivativeRule::Raw, &back, StepperName::NLP, &[ROLLING]);
    assert!(raw.jacobian.amax() > 0.0);
}

#[test]
fn lengths_that_make_no_difference_are_no_inputs() {
    let reason = |text: &str, input: Input, of: fn(&str) -> Scenario<2>| {
        input.check(&of(text)).expect_err("it makes no difference").reason
    };
    let point = "name = \"point\"\nduration = 0.1\nstep = 1e-3\n[ground]\nfriction = 0.4\nrolling_friction = 0.01\n[particle]\nmass = 1.0\nposition = [0.0, 1.0]\nvelocity = [1.0, 0.0]\n";
    assert!(reason(point, ROLLING, plane).contains("points do not turn"));
    let disc = "name = \"disc\"\nduration = 0.1\nstep = 1e-3\n[ground]\nfriction = 0.4\ntorsional_friction = 0.01\n[[body]]\nshape = \"disc\"\n\
                size = 0.1\nmass = 1.0\nposition = [0.0, 1.0]\n";
    assert!(reason(disc, DRILLING, plane).contains("nothing drills"));
    let none = disc.replace("torsional_friction = 0.01", "rolling_friction = 0.0");
    assert!(reason(&none, ROLLING, plane).contains("edge of its range"));
}

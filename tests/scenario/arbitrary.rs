//! Random valid scenarios.

use proptest::{collection::vec, option, prelude::*};
use stickslip::{
    contact::FrictionPolygon,
    model::Vector,
    scenario::{
        Body, ConvexSettings, ConvexSolver, DelassusNorm, FixedPointStart, Ground, LcpSettings,
        LcpSolverChoice, NlpSettings, NlpSolverChoice, Push, RestitutionLaw, Scenario, SlidingFriction,
        SmoothLaw, SmoothSettings, StepperSettings, TurningLengths,
    },
};

/// Numbers of every magnitude between `10^low` and `10^high`.
fn magnitude(low: f64, high: f64) -> impl Strategy<Value = f64> {
    (low..high).prop_map(|exponent| 10_f64.powf(exponent))
}

/// Zero and numbers of either sign up to `10^high`.
fn signed(high: f64) -> impl Strategy<Value = f64> {
    prop_oneof![
        Just(0.0),
        magnitude(-300.0, high),
        magnitude(-300.0, high).prop_map(|number| -number),
        -100.0..100.0,
    ]
}

fn vector<const D: usize>(high: f64) -> impl Strategy<Value = Vector<D>> {
    vec(signed(high), D).prop_map(|components| Vector::from_fn(|row, _| components[row]))
}

fn particle<const D: usize>() -> impl Strategy<Value = Body<D>> {
    (magnitude(-12.0, 12.0), vector::<D>(5.7), vector(5.7)).prop_map(|(mass, mut position, velocity)| {
        position[D - 1] = position[D - 1].abs();
        Body::point(mass, position, velocity)
    })
}

/// What stands beside a friction; that in motion as a share of it.
fn sliding() -> impl Strategy<Value = SlidingFriction> {
    let curve = (magnitude(-9.0, 3.0), option::of(1.0..=10.0));
    (option::of(0.0..=1.0), option::of(curve), option::of(magnitude(-9.0, 3.0))).prop_map(
        |(kinetic_friction, curve, viscous_friction)| SlidingFriction {
            kinetic_friction,
            stribeck_velocity: curve.map(|(velocity, _)| velocity),
            stribeck_exponent: curve.and_then(|(_, exponent)| exponent),
            viscous_friction,
            ..SlidingFriction::NONE
        },
    )
}

/// What resists turning.
fn turning() -> impl Strategy<Value = TurningLengths> {
    (option::of(magnitude(-9.0, 3.0)), option::of(magnitude(-9.0, 3.0))).prop_map(
        |(torsional_friction, rolling_friction)| TurningLengths { torsional_friction, rolling_friction },
    )
}

/// Friction across an axis, in space, and the axis.
fn across<const D: usize>() -> impl Strategy<Value = Option<(f64, Option<[f64; 3]>)>> {
    let axis = (0.1..1.0, -1e3..1e3, -1e3..1e3).prop_map(|(x, y, z)| [x, y, z]);
    option::of((magnitude(-9.0, 6.0), option::of(axis))).prop_map(|across| across.filter(|_| D == 3))
}

fn ground<const D: usize>() -> impl Strategy<Value = Ground> {
    (magnitude(-9.0, 6.0), sliding(), across::<D>(), turning(), 0.0..=1.0, -89.9..89.9).prop_map(
        |(friction, sliding, across, turning, restitution, slope)| {
            let kinetic_friction = sliding.kinetic_friction.map(|share: f64| share * friction);
            let friction_across = across.map(|(coefficient, _)| coefficient);
            let friction_axis = across.and_then(|(_, axis)| axis);
            let sliding = SlidingFriction { kinetic_friction, friction_across, friction_axis, ..sliding };
            Ground { friction, sliding, turning, restitution, slope }
        },
    )
}

/// A push whose force is still to be multiplied by the mass.
fn push<const D: usize>() -> impl Strategy<Value = Push<D>> {
    let window = (option::of(-10.0..0.0), option::of(magnitude(-9.0, 9.0)));
    (vector(8.5), window, option::of((magnitude(-9.0, 9.0), signed(5.9)))).prop_map(
        |(force, (from, to), wave)| Push {
            from,
            to,
            frequency: wave.map(|(frequency, _)| frequency),
            phase: wave.map_or(0.0, |(_, phase)| phase),
            ..Push::constant(force)
        },
    )
}

fn nlp() -> impl Strategy<Value = NlpSettings> {
    let solver = option::of(prop_oneof![Just(NlpSolverChoice::Ipopt), Just(NlpSolverChoice::InteriorPoint)]);
    (
        option::of(magnitude(-13.9, -1.0)),
        option::of(magnitude(-300.0, -1.0)),
        solver,
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(|(tolerance, epsilon, solver, warm_start, time_of_impact)| NlpSettings {
            tolerance,
            epsilon,
            solver,
            warm_start,
            time_of_impact,
        })
}

fn lcp() -> impl Strategy<Value = LcpSettings> {
    let solver = option::of(prop_oneof![
        Just(LcpSolverChoice::Lemke),
        Just(LcpSolverChoice::Enumeration),
        Just(LcpSolverChoice::InteriorPoint)
    ]);
    let restitution = prop_oneof![Just(RestitutionLaw::Newton), Just(RestitutionLaw::Poisson)];
    let start = prop_oneof![Just(FixedPointStart::FreeVelocity), Just(FixedPointStart::PreviousVelocity)];
    let polygon = prop_oneof![Just(FrictionPolygon::Aligned), Just(FrictionPolygon::Fixed)];
    let directions = option::of((2_usize..=180).prop_map(|pairs| 2 * pairs));
    (solver, directions, polygon, restitution, start, any::<bool>()).prop_map(
        |(solver, directions, polygon, restitution, fixed_point_start, time_of_impact)| LcpSettings {
            solver,
            directions,
            polygon,
            restitution,
            fixed_point_start,
            time_of_impact,
        },
    )
}

fn convex() -> impl Strategy<Value = ConvexSettings> {
    let norm = prop_oneof![Just(DelassusNorm::Planar), Just(DelassusNorm::Spatial)];
    let solver = prop_oneof![Just(ConvexSolver::Newton), Just(ConvexSolver::Dual)];
    let (stiffness, time) = (option::of(magnitude(-9.0, 18.0)), option::of(0.0..1e3));
    (stiffness, time, magnitude(-9.0, 3.0), magnitude(-9.0, 3.0), any::<bool>(), norm, solver).prop_map(
        |(stiffness, dissipation_time, beta, sigma, gated, delassus_norm, solver)| ConvexSettings {
            stiffness,
            dissipation_time,
            beta,
            sigma,
            gated,
            delassus_norm,
            solver,
        },
    )
}

fn smooth() -> impl Strategy<Value = SmoothSettings> {
    let tanh = (magnitude(-9.0, 18.0), magnitude(-9.0, 9.0), magnitude(-9.0, 9.0))
        .prop_map(|(amplitude, sharpness, damping)| SmoothLaw::Tanh { amplitude, sharpness, damping });
    let hunt_crossley = (option::of(magnitude(-9.0, 18.0)), option::of(magnitude(-9.0, 9.0)))
        .prop_map(|(stiffness, damping)| SmoothLaw::HuntCrossley { stiffness, damping });
    let kelvin_voigt = (option::of(magnitude(-9.0, 18.0)), option::of(magnitude(-9.0, 18.0)))
        .prop_map(|(stiffness, damping)| SmoothLaw::KelvinVoigt { stiffness, damping });
    prop_oneof![tanh, hunt_crossley, kelvin_voigt].prop_map(|law| SmoothSettings { law })
}

fn steppers() -> impl Strategy<Value = StepperSettings> {
    (nlp(), lcp(), convex(), smooth()).prop_map(|(nlp, lcp, convex, smooth)| StepperSettings {
        impacts: Some(stickslip::world::Impacts::TwoStage),
        joints: None,
        nlp,
        lcp,
        convex,
        smooth,
    })
}

/// A valid scenario with values of all magnitudes that are allowed.
pub fn scenario<const D: usize>() -> impl Strategy<Value = Scenario<D>> {
    let time = (magnitude(-9.0, 3.0), magnitude(-3.0, 8.0));
    (
        "[a-z0-9-]{1,64}",
        time,
        magnitude(-9.0, 6.0),
        particle::<D>(),
        ground::<D>(),
        vec(push(), 0..4),
        steppers(),
    )
        .prop_map(|(name, (step, steps), gravity, particle, ground, mut pushes, steppers)| {
            let duration = steps * step;
            for push in &mut pushes {
                push.force *= particle.mass;
            }
            let bodies = vec![particle];
            Scenario { duration, step, gravity, bodies, ground, pushes, steppers, ..Scenario::new(name) }
        })
}

//! The bodies of a scenario, each with its motion, and the pairs that must not meet.

use super::{
    ball::{Ball, BallBody},
    body_motion::{BodyMotion, Fixed},
    meetings::{Meetings, Pair, PairKind},
    particle::{Particle, buried},
    planar::{ExactBody, Load, Unknown},
    point::{ContactPlane, Forcing, PointMotion},
    rolling_ball::{Curved, RollingBall},
    rolling_disc::{DiscBody, DiscState, RollingDisc},
    shapes::Shapes,
};
use crate::{
    model::{Orientation, Vector},
    scenario::{Body, Inertia, Push, Scenario, Shape},
    stepper::{
        Refusal, StepperName,
        admission::single_point,
        bodies::{planar_scene, planes, spatial_scene},
    },
    world::{Partner, Plane, Scene, planar, spatial},
};

/// Periods of a sinusoidal push within one step beyond which a scenario is refused.
const MOST_PERIODS: f64 = 1e4;

/// Difference of the moments of inertia of a sphere, as a part of them, that is none.
const UNIFORM: f64 = 1e-12;

/// Part of the radius of a ball up to which it touches the ground, rather than starts in it.
const TOUCHING: f64 = 1e-9;

/// The bodies of the dimension, for [`Exact`](super::Exact).
pub trait ExactBodies<const D: usize> {
    /// All bodies with what is around them.
    type Scene;

    /// That of the scenario.
    ///
    /// # Errors
    /// [`Refusal`] if a shape is none.
    fn exact_scene(&self) -> Result<Self::Scene, Refusal>;

    /// The motion of a body with corners.
    ///
    /// # Errors
    /// [`Refusal`] if it is not known.
    fn cornered(&self, scene: &Self::Scene, body: usize) -> Result<Box<dyn BodyMotion<D>>, Refusal>;

    /// The motion of a ball on ground that resists turning.
    ///
    /// # Errors
    /// [`Refusal`] if it is not known.
    fn resisted(&self, ball: &BallBody<D>, body: usize) -> Result<Box<dyn BodyMotion<D>>, Refusal>;

    /// The shapes of all bodies.
    fn shapes(scene: Self::Scene) -> Box<dyn Shapes<D>>;
}

impl ExactBodies<2> for Scenario<2> {
    type Scene = Scene<planar::Body, 2>;

    fn exact_scene(&self) -> Result<Self::Scene, Refusal> {
        planar_scene(self, StepperName::EXACT)
    }

    fn shapes(scene: Self::Scene) -> Box<dyn Shapes<2>> {
        Box::new(scene.bodies)
    }

    fn cornered(&self, scene: &Self::Scene, body: usize) -> Result<Box<dyn BodyMotion<2>>, Refusal> {
        let name = self.body_name(body);
        let loads = loads(self, body, "of a body with corners")?;
        let unknown = |Unknown { reason, remedy }: Unknown| refused(format!("of {name}: {reason}"), &remedy);
        Ok(Box::new(ExactBody::of(scene, body, loads, self.impacts()).map_err(unknown)?))
    }

    fn resisted(&self, ball: &BallBody<2>, body: usize) -> Result<Box<dyn BodyMotion<2>>, Refusal> {
        refuse_bouncing(self, ball, body)?;
        refuse_changing_friction(self, ball, body)?;
        let loads = loads(self, body, WHERE_RESISTED)?;
        let start = &self.bodies[body];
        let Orientation::Angle(angle) = start.orientation else {
            return Err(refused(format!("{} has no angle", self.body_name(body)), "give one"));
        };
        let parts = DiscBody {
            radius: ball.radius,
            mass: ball.mass,
            inertia: ball.inertia,
            gravity: ball.gravity,
            friction: ball.surface.friction,
            rolling: ball.surface.turning.rolling,
        };
        let state = DiscState { centre: start.state(), angle, spin: start.spin[0] };
        Ok(Box::new(RollingDisc::new(parts, state, loads)))
    }
}

/// The pushes on a body, which are constant in their windows; `whose` says why they have to be.
fn loads(scenario: &Scenario<2>, body: usize, whose: &str) -> Result<Vec<Load>, Refusal> {
    let load = |(push, [from, to]): (&Push<2>, [f64; 2])| Load {
        force: push.force,
        torque: push.torque[0],
        from,
        to,
    };
    Ok(steady_pushes(scenario, body, whose)?.into_iter().map(load).collect())
}

/// The pushes on a body with their windows in s; `whose` says why they have to be constant in them.
fn steady_pushes<'a, const D: usize>(
    scenario: &'a Scenario<D>,
    body: usize,
    whose: &str,
) -> Result<Vec<(&'a Push<D>, [f64; 2])>, Refusal> {
    let steady = |push: &'a Push<D>| {
        if push.frequency.is_some() {
            return Err(refused(
                format!(
                    "a push on {} swings, and {whose} it follows constant ones",
                    scenario.body_name(body)
                ),
                "leave out its `frequency`, or use another stepper",
            ));
        }
        Ok((push, [push.from.unwrap_or(f64::NEG_INFINITY), push.to.unwrap_or(f64::INFINITY)]))
    };
    pushes_on(scenario, body).map(steady).collect()
}

/// Why pushes have to be constant on ground that resists turning.
const WHERE_RESISTED: &str = "where rolling is resisted";

fn refuse_bouncing<const D: usize>(
    scenario: &Scenario<D>,
    ball: &BallBody<D>,
    body: usize,
) -> Result<(), Refusal> {
    if ball.surface.restitution == 0.0 {
        return Ok(());
    }
    Err(refused(
        format!("{} bounces on ground that resists its rolling", scenario.body_name(body)),
        "set `restitution` to 0, or use another stepper",
    ))
}

/// Where rolling is resisted, pieces of the motion have steady accelerations.
fn refuse_changing_friction<const D: usize>(
    scenario: &Scenario<D>,
    ball: &BallBody<D>,
    body: usize,
) -> Result<(), Refusal> {
    if ball.surface.friction.slides_evenly() {
        return Ok(());
    }
    Err(refused(
        format!(
            "friction of {} changes with the speed on ground that resists its rolling",
            scenario.body_name(body)
        ),
        "leave `stribeck_velocity` and `viscous_friction` out, or use another stepper",
    ))
}

impl ExactBodies<3> for Scenario<3> {
    type Scene = Scene<spatial::Body, 3>;

    fn exact_scene(&self) -> Result<Self::Scene, Refusal> {
        spatial_scene(self, StepperName::EXACT)
    }

    fn shapes(scene: Self::Scene) -> Box<dyn Shapes<3>> {
        Box::new(scene.bodies)
    }

    fn cornered(&self, _: &Self::Scene, body: usize) -> Result<Box<dyn BodyMotion<3>>, Refusal> {
        Err(refused(
            format!(
                "{} has corners, and how such a body turns in space is not known to it",
                self.body_name(body)
            ),
            "compare with short steps of `nlp` or `lcp`, make it a sphere, or give two-component vectors (x, z)",
        ))
    }

    fn resisted(&self, ball: &BallBody<3>, body: usize) -> Result<Box<dyn BodyMotion<3>>, Refusal> {
        refuse_bouncing(self, ball, body)?;
        refuse_changing_friction(self, ball, body)?;
        let pushes = steady_pushes(self, body, WHERE_RESISTED)?;
        let start = &self.bodies[body];
        let curved = |curved: Curved| {
            let why = match curved {
                Curved::Sideways => {
                    "moves or is driven along more than one line, and curves where the ground resists its rolling"
                }
                Curved::Coupled => {
                    "drills and moves along the ground, and the two share one limit of friction"
                }
                Curved::Lifted => "drills where it lands or is lifted off ground that resists drilling",
            };
            refused(
                format!("{} {why}, for which there is no closed form", self.body_name(body)),
                "have it roll along one line or spin on the spot, leave `torsional_friction` and `rolling_friction` out, or \
                 compare with short steps of `cone` or `nlp`",
            )
        };
        let ball = RollingBall::of(ball, (start.state(), start.attitude()), &pushes).map_err(curved)?;
        Ok(Box::new(ball))
    }
}

/// The motions of all bodies, and what watches over them.
pub(super) fn bodies<const D: usize>(
    scenario: &Scenario<D>,
) -> Result<(Vec<Box<dyn BodyMotion<D>>>, Meetings<D>), Refusal>
where
    Scenario<D>: ExactBodies<D>,
{
    refuse_driven(scenario)?;
    refuse_joints(scenario)?;
    refuse_pushes(scenario)?;
    let scene = scenario.exact_scene()?;
    let motions = (0..scenario.bodies.len()).map(|body| motion(scenario, &scene, body));
    let motions = motions.collect::<Result<Vec<_>, _>>()?;
    let names = [
        (0..scenario.bodies.len()).map(|body| scenario.body_name(body)).collect(),
        (0..scenario.walls.len()).map(|wall| scenario.partner_name(Partner::Wall(wall))).collect(),
    ];
    let meetings = Meetings::new(Scenario::shapes(scene), pairs(scenario), names);
    if let Some([one, other]) = meetings.touching(&motions) {
        return Err(refused(
            format!("{one} and {other} touch at the start, and it follows bodies that are alone"),
            "compare the other steppers with each other",
        ));
    }
    Ok((motions, meetings))
}

/// The motion of the one point of a scenario over the ground.
pub(super) fn single<const D: usize>(scenario: &Scenario<D>) -> Result<PointMotion<D>, Refusal> {
    single_point(scenario, StepperName::EXACT)?;
    refuse_pushes(scenario)?;
    Ok(point_over_ground(scenario, 0))
}

/// The motion of a point as if there were the ground alone.
fn point_over_ground<const D: usize>(scenario: &Scenario<D>, index: usize) -> PointMotion<D> {
    let friction = scenario.surface(index, Partner::Ground).friction;
    PointMotion::of(scenario.point(index), &forcings(scenario, index)).with_friction(friction)
}

fn motion<const D: usize>(
    scenario: &Scenario<D>,
    scene: &<Scenario<D> as ExactBodies<D>>::Scene,
    index: usize,
) -> Result<Box<dyn BodyMotion<D>>, Refusal>
where
    Scenario<D>: ExactBodies<D>,
{
    let body = &scenario.bodies[index];
    if body.fixed {
        return Ok(Box::new(Fixed { state: body.state(), attitude: body.attitude() }));
    }
    if body.shape != Shape::Point {
        refuse_points_of_attack(scenario, index)?;
    }
    match &body.shape {
        Shape::Point => particle(scenario, index),
        Shape::Ball { radius } => ball(scenario, index, *radius),
        Shape::Box { .. } | Shape::Rod { .. } | Shape::Hull { .. } => {
            refuse_resisted_corners(scenario, index)?;
            scenario.cornered(scene, index)
        }
        Shape::Capsule { .. } | Shape::Cylinder { .. } => Err(refused(
            format!(
                "{} is a {}, whose motion on the ground has no form here",
                scenario.body_name(index),
                body.shape.as_str()
            ),
            "take nlp, lcp, cone, convex or smooth",
        )),
        Shape::Compound { .. } => Err(refused(
            format!("{} is of several parts, and it follows convex bodies", scenario.body_name(index)),
            "take nlp, lcp, cone, convex or smooth",
        )),
    }
}

fn particle<const D: usize>(scenario: &Scenario<D>, index: usize) -> Result<Box<dyn BodyMotion<D>>, Refusal> {
    let state = scenario.initial_state(index);
    let walls: Vec<_> = walls(scenario, index).collect();
    if let Some((wall, depth)) = buried(&state, &walls) {
        return Err(refused(
            format!(
                "{} starts {depth:.3e} m deep in {}",
                scenario.body_name(index),
                scenario.partner_name(wall)
            ),
            "put it in front of the wall",
        ));
    }
    let motion = point_over_ground(scenario, index).between(&walls);
    Ok(Box::new(Particle::new(motion, state, &walls)))
}

fn ball<const D: usize>(
    scenario: &Scenario<D>,
    index: usize,
    radius: f64,
) -> Result<Box<dyn BodyMotion<D>>, Refusal>
where
    Scenario<D>: ExactBodies<D>,
{
    let body = &scenario.bodies[index];
    let Some(inertia) = inertia_of_ball(body) else {
        return Err(refused(
            format!(
                "{} is a sphere that turns about some axes more easily than others",
                scenario.body_name(index)
            ),
            "leave its inertia out, or give one that is the same about all axes",
        ));
    };
    let depth = radius - body.state().height();
    if depth > TOUCHING * radius {
        return Err(refused(
            format!("{} starts {depth:.3e} m deep in the ground", scenario.body_name(index)),
            "lift it",
        ));
    }
    let parts = BallBody {
        radius,
        mass: body.mass,
        inertia,
        gravity: scenario.gravity_vector(),
        surface: scenario.surface(index, Partner::Ground),
    };
    if parts.surface.turning.acts::<D>() {
        return scenario.resisted(&parts, index);
    }
    Ok(Box::new(Ball::new(parts, body.state(), &body.attitude(), pushes_on(scenario, index))))
}

/// The moment of inertia of a ball about its centre in kg m^2, if it is the same about all axes.
fn inertia_of_ball<const D: usize>(body: &Body<D>) -> Option<f64> {
    match body.moment_of_inertia()? {
        Inertia::Plane(inertia) => Some(inertia),
        Inertia::Space(tensor) => {
            let mean = tensor.trace() / 3.0;
            let off = (tensor - nalgebra::Matrix3::from_diagonal_element(mean)).amax();
            (off <= UNIFORM * mean).then_some(mean)
        }
    }
}

/// The walls as a point meets them.
fn walls<const D: usize>(scenario: &Scenario<D>, body: usize) -> impl Iterator<Item = ContactPlane<D>> {
    scenario.walls.iter().enumerate().map(move |(index, wall)| {
        let partner = Partner::Wall(index);
        ContactPlane {
            partner,
            normal: wall.normal,
            offset: wall.offset,
            velocity: wall.surface_velocity(),
            surface: scenario.surface(body, partner),
        }
    })
}

fn pushes_on<const D: usize>(scenario: &Scenario<D>, body: usize) -> impl Iterator<Item = &Push<D>> {
    scenario.pushes.iter().filter(move |push| push.acts_on(body))
}

fn forcings<const D: usize>(scenario: &Scenario<D>, body: usize) -> Vec<Forcing<D>> {
    pushes_on(scenario, body).map(Forcing::constant).collect()
}

/// The pairs of bodies, and of bodies that turn and walls, that are to be watched.
fn pairs<const D: usize>(scenario: &Scenario<D>) -> Vec<Pair<D>> {
    let is_point = |body: usize| scenario.bodies[body].shape == Shape::Point;
    let moves = |body: usize| !scenario.bodies[body].fixed;
    let of_two = |first: usize, second: usize, kind| Pair { first, second: Partner::Body(second), kind };
    let count = scenario.bodies.len();
    let passing = scenario.passing();
    let all = (0..count).flat_map(|first| (first + 1..count).map(move |second| (first, second)));
    // Two points pass through each other, unless they are told to keep a distance.
    let shapes = all
        .filter(|&(first, second)| (moves(first) || moves(second)) && !(is_point(first) && is_point(second)))
        .filter(|pair| !passing.contains(pair))
        .map(|(first, second)| of_two(first, second, PairKind::Shapes));
    let distances = scenario.contacts.iter().map(|contact| {
        let [first, second] = contact.bodies;
        of_two(first, second, PairKind::Distance(contact.distance))
    });
    let planes: Vec<(Partner, Plane<D>)> =
        planes(scenario).into_iter().filter(|(partner, _)| matches!(partner, Partner::Wall(_))).collect();
    let turning = (0..count).filter(|&body| moves(body) && !is_point(body));
    let against_walls = turning.flat_map(|first| {
        planes.iter().map(move |&(second, plane)| Pair { first, second, kind: PairKind::Plane(plane) })
    });
    shapes.chain(distances).chain(against_walls).collect()
}

fn refuse_driven<const D: usize>(scenario: &Scenario<D>) -> Result<(), Refusal> {
    let Some((driven, _)) = scenario.courses().next() else { return Ok(()) };
    Err(refused(
        format!(
            "the motion of {} is given, and it follows bodies by what acts on them",
            scenario.body_name(driven)
        ),
        "leave its `motion` out, or use nlp, lcp, cone, convex or smooth",
    ))
}

fn refuse_joints<const D: usize>(scenario: &Scenario<D>) -> Result<(), Refusal> {
    if scenario.world_joints().is_empty() {
        return Ok(());
    }
    Err(refused(
        "there are rods or springs, and it follows bodies that nothing holds".to_owned(),
        "leave them out, or use another stepper",
    ))
}

/// Refuses pushes from tables.
///
/// # Errors
/// [`Refusal`] where there is one.
pub(crate) fn refuse_tables<const D: usize>(scenario: &Scenario<D>) -> Result<(), Refusal> {
    if scenario.pushes.iter().any(|push| push.table.is_some()) {
        return Err(refused(
            "a push comes from a table, and it follows constant and sinusoidal pushes".to_owned(),
            "give `force` in the place of `table` or `file`",
        ));
    }
    Ok(())
}

fn refuse_pushes<const D: usize>(scenario: &Scenario<D>) -> Result<(), Refusal> {
    refuse_tables(scenario)?;
    for frequency in scenario.pushes.iter().filter_map(|push| push.frequency) {
        let periods = frequency.abs() * scenario.step;
        if periods > MOST_PERIODS {
            return Err(refused(
                format!(
                    "a push of {frequency} Hz swings {periods:.0} times within a step of {} s, more than \
                     {MOST_PERIODS} times",
                    scenario.step
                ),
                "lower its `frequency` or the `step`",
            ));
        }
    }
    Ok(())
}

/// What tips over a corner is resisted by a moment there, which it does not know.
fn refuse_resisted_corners<const D: usize>(scenario: &Scenario<D>, body: usize) -> Result<(), Refusal> {
    if !scenario.surface(body, Partner::Ground).turning.acts::<D>() {
        return Ok(());
    }
    Err(refused(
        format!(
            "the ground resists rolling or drilling of {}, which has corners, and of such bodies it knows friction along the \
             ground alone",
            scenario.body_name(body)
        ),
        "leave `torsional_friction` and `rolling_friction` out, or use another stepper",
    ))
}

/// A force at a point of a body that turns has a torque that turns with it.
fn refuse_points_of_attack<const D: usize>(scenario: &Scenario<D>, body: usize) -> Result<(), Refusal> {
    let is_aside = |push: &Push<D>| {
        push.point.is_some_and(|point| point != Vector::<D>::zeros()) && push.force != Vector::<D>::zeros()
    };
    if !pushes_on(scenario, body).any(is_aside) {
        return Ok(());
    }
    Err(refused(
        format!(
            "a push acts beside the centre of mass of {}, so that its torque changes as the body turns",
            scenario.body_name(body)
        ),
        "leave out its `point` and give a `torque`, or use another stepper",
    ))
}

fn refused(reason: String, remedy: &str) -> Refusal {
    Refusal { stepper: StepperName::EXACT, reason, remedy: remedy.to_owned() }
}

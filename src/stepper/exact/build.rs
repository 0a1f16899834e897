//! The bodies of a scenario, each with its motion, and the pairs that must not meet.

use super::{
    ball::{Ball, BallBody},
    body_motion::{BodyMotion, Fixed},
    meetings::{Meetings, Pair, PairKind},
    particle::{Particle, buried},
    planar::{ExactBody, Load, Unknown},
    point::{ContactPlane, Forcing, PointMotion},
    shapes::Shapes,
};
use crate::{
    model::Vector,
    scenario::{Body, Inertia, Push, Scenario, Shape},
    stepper::{
        Refusal, StepperName,
        admission::single_point,
        bodies::{planar_scene, planes, spatial_scene},
    },
    world::{Partner, Plane, Scene, Surface, planar, spatial},
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
        let load = |push: &Push<2>| {
            if push.frequency.is_some() {
                return Err(refused(
                    format!("a push on {name} swings, and of a body with corners it follows constant ones"),
                    "leave out its `frequency`, or use another stepper",
                ));
            }
            let (from, to) = (push.from.unwrap_or(f64::NEG_INFINITY), push.to.unwrap_or(f64::INFINITY));
            Ok(Load { force: push.force, torque: push.torque[0], from, to })
        };
        let loads = pushes_on(self, body).map(load).collect::<Result<_, _>>()?;
        let unknown = |Unknown { reason, remedy }: Unknown| refused(format!("of {name}: {reason}"), &remedy);
        Ok(Box::new(ExactBody::of(scene, body, loads).map_err(unknown)?))
    }
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
}

/// The motions of all bodies, and what watches over them.
pub(super) fn bodies<const D: usize>(
    scenario: &Scenario<D>,
) -> Result<(Vec<Box<dyn BodyMotion<D>>>, Meetings<D>), Refusal>
where
    Scenario<D>: ExactBodies<D>,
{
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
    let point = single_point(scenario, StepperName::EXACT)?;
    surface(scenario, 0, Partner::Ground)?;
    refuse_pushes(scenario)?;
    Ok(PointMotion::of(point, &forcings(scenario, 0)))
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
        Shape::Box { .. } | Shape::Rod { .. } | Shape::Hull { .. } => scenario.cornered(scene, index),
    }
}

fn particle<const D: usize>(scenario: &Scenario<D>, index: usize) -> Result<Box<dyn BodyMotion<D>>, Refusal> {
    let state = scenario.initial_state(index);
    surface(scenario, index, Partner::Ground)?;
    let walls = walls(scenario, index).collect::<Result<Vec<_>, _>>()?;
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
    let motion = PointMotion::of(scenario.point(index), &forcings(scenario, index)).between(&walls);
    Ok(Box::new(Particle::new(motion, state, &walls)))
}

fn ball<const D: usize>(
    scenario: &Scenario<D>,
    index: usize,
    radius: f64,
) -> Result<Box<dyn BodyMotion<D>>, Refusal> {
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
        surface: surface(scenario, index, Partner::Ground)?,
    };
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

/// The law between a body and what it touches, which has one coefficient of friction.
fn surface<const D: usize>(
    scenario: &Scenario<D>,
    body: usize,
    partner: Partner,
) -> Result<Surface, Refusal> {
    let surface = scenario.surface(body, partner);
    if !surface.friction.depends_on_slip() {
        return Ok(surface);
    }
    let (name, partner) = (scenario.body_name(body), scenario.partner_name(partner));
    Err(refused(
        format!(
            "friction of {name} on {partner} at rest differs from that in motion, and it knows one coefficient"
        ),
        "give one coefficient, or use another stepper",
    ))
}

/// The walls as a point meets them.
fn walls<const D: usize>(
    scenario: &Scenario<D>,
    body: usize,
) -> impl Iterator<Item = Result<ContactPlane<D>, Refusal>> {
    scenario.walls.iter().enumerate().map(move |(index, wall)| {
        let partner = Partner::Wall(index);
        Ok(ContactPlane {
            partner,
            normal: wall.normal,
            offset: wall.offset,
            velocity: wall.surface_velocity(),
            surface: surface(scenario, body, partner)?,
        })
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
    let all = (0..count).flat_map(|first| (first + 1..count).map(move |second| (first, second)));
    // Two points pass through each other, unless they are told to keep a distance.
    let shapes = all
        .filter(|&(first, second)| (moves(first) || moves(second)) && !(is_point(first) && is_point(second)))
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

fn refuse_joints<const D: usize>(scenario: &Scenario<D>) -> Result<(), Refusal> {
    if scenario.joints().is_empty() {
        return Ok(());
    }
    Err(refused(
        "there are rods or springs, and it follows bodies that nothing holds".to_owned(),
        "leave them out, or use another stepper",
    ))
}

fn refuse_pushes<const D: usize>(scenario: &Scenario<D>) -> Result<(), Refusal> {
    if scenario.pushes.iter().any(|push| push.table.is_some()) {
        return Err(refused(
            "a push comes from a table, and it follows constant and sinusoidal pushes".to_owned(),
            "give `force` in the place of `table` or `file`",
        ));
    }
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

//! An impact of a run in the plane of its impulses, as Routh draws it.

use nalgebra::{Matrix2, Vector2};

use super::contact_slip::{ContactSlips, Instant};
use crate::{
    contact::Hold,
    model::{State, Vector},
    scenario::{Inertia, Partner, Scenario},
    stepper::Contact,
    trajectory::Passage,
    world::{ImpactCourse, ImpactFriction, PlanarImpact},
};

/// The impact of one contact in a step of a run: the law of the impact that is followed over its normal impulse, Newton's on
/// the whole impulse, and what the step gave.
///
/// Impulses are those on the body that is named first, along the normal and along the tangent `(n_z, -n_x)`.
#[derive(Debug, Clone, PartialEq)]
pub struct ImpulsePlane {
    /// Index of the step.
    pub step: usize,
    /// Time in s at its start.
    pub time: f64,
    /// The body, and what it strikes.
    pub between: [String; 2],
    /// Contacts that closed in this step: where there are several, this is the one that closes fastest, by itself.
    pub closing: usize,
    /// The contact before the impact, with its law.
    pub impact: PlanarImpact,
    /// The way of the impulse.
    pub course: ImpactCourse,
    /// By Newton's law and Coulomb's on the slip at the end, `r_n, r_t` in N s; before it is capped, where it makes energy. `None`
    /// in Painleve's paradox, where there is none or there are several.
    pub newton: Option<[f64; 2]>,
    /// What the step gave, the load of its length included, `r_n, r_t` in N s.
    pub given: [f64; 2],
}

/// How the search for an impact of a number, from 1, begins in a scenario.
pub type FindImpact<const D: usize> = for<'a> fn(&'a Scenario<D>, usize) -> ImpactFinder<'a, D>;

/// What sees one step with an impact.
type Look<'a, const D: usize> = Box<dyn Fn(&Passage<'_, D>) -> Option<ImpulsePlane> + 'a>;

/// Waits for the impact of a number in a run.
pub struct ImpactFinder<'a, const D: usize> {
    look: Look<'a, D>,
    number: usize,
    /// Impacts so far.
    pub seen: usize,
    /// The impact, once it has been.
    pub found: Option<ImpulsePlane>,
}

impl<const D: usize> ImpactFinder<'_, D> {
    /// Takes in the next step.
    pub fn add(&mut self, passage: &Passage<'_, D>) {
        if passage.step.impact.is_none() {
            return;
        }
        self.seen += 1;
        if self.seen == self.number {
            self.found = (self.look)(passage);
        }
    }
}

impl ImpactFinder<'static, 2> {
    /// Waits for impact `number` of a run in a vertical plane.
    pub fn in_plane<'a>(scenario: &'a Scenario<2>, number: usize) -> ImpactFinder<'a, 2> {
        let look = Box::new(move |passage: &Passage<'_, 2>| ImpulsePlane::of(scenario, passage));
        ImpactFinder { look, number, seen: 0, found: None }
    }
}

impl ImpulsePlane {
    /// That of the contact that closes fastest in a step with an impact; `None` where none closes.
    fn of(scenario: &Scenario<2>, passage: &Passage<'_, 2>) -> Option<Self> {
        let slips = ContactSlips::in_scenario(scenario);
        let velocity = |contact: &Contact<2>| {
            let (velocity, _) = slips.motion(passage, contact, Instant::Start);
            Vector2::from(axes(contact).map(|axis| axis.dot(&velocity)))
        };
        let closing: Vec<(&Contact<2>, Vector2<f64>)> = passage
            .contacts
            .iter()
            .filter(|contact| contact.normal.dot(&contact.force) > 0.0)
            .map(|contact| (contact, velocity(contact)))
            .filter(|(_, velocity)| velocity[0] < 0.0)
            .collect();
        let (contact, before) = *closing.iter().min_by(|(_, a), (_, b)| a[0].total_cmp(&b[0]))?;
        let surface = scenario.surface(contact.first, contact.second);
        let coefficient = |hold| surface.friction.coefficient(hold);
        let friction = ImpactFriction {
            sliding: coefficient(Hold::Kinetic(before[1].abs())),
            held: coefficient(Hold::Static),
            released: coefficient(Hold::Kinetic(0.0)),
        };
        let response = response(scenario, passage.states[0], contact);
        let impact = PlanarImpact {
            response: [response[(0, 0)], response[(0, 1)], response[(1, 1)]],
            velocity: before.into(),
            friction,
            restitution: surface.restitution,
        };
        let [normal, tangent] = axes(contact);
        Some(Self {
            step: passage.index,
            time: scenario.time().at(passage.index),
            between: [scenario.body_name(contact.first), scenario.partner_name(contact.second)],
            closing: closing.len(),
            course: impact.course()?,
            newton: match impact.whole_impulses()[..] {
                [(impulse, _)] => Some(impulse),
                _ => None,
            },
            given: [normal.dot(&contact.force), tangent.dot(&contact.force)]
                .map(|force| force * scenario.step),
            impact,
        })
    }

    /// The velocity `u_n, u_t` in m/s once the impulse `r_n, r_t` in N s has acted.
    pub fn velocity_after(&self, [normal, tangential]: [f64; 2]) -> [f64; 2] {
        let PlanarImpact { response: [nn, tn, tt], velocity: [un, ut], .. } = self.impact;
        [un + nn * normal + tn * tangential, ut + tn * normal + tt * tangential]
    }
}

/// Normal, and the tangent a quarter turn from it.
fn axes(contact: &Contact<2>) -> [Vector<2>; 2] {
    [contact.normal, Vector::<2>::new(contact.normal[1], -contact.normal[0])]
}

/// How the velocity of a contact answers to its impulse, `W` in 1/kg, along normal and tangent.
fn response(scenario: &Scenario<2>, places: &[State<2>], contact: &Contact<2>) -> Matrix2<f64> {
    let second = match contact.second {
        Partner::Body(second) => Some(second),
        Partner::Ground | Partner::Wall(_) | Partner::Stop { .. } => None,
    };
    let axes = axes(contact);
    std::iter::once(contact.first).chain(second).fold(Matrix2::zeros(), |sum, index| {
        let body = &scenario.bodies[index];
        if body.fixed {
            return sum;
        }
        let turning = match body.moment_of_inertia() {
            Some(Inertia::Plane(moment)) => 1.0 / moment,
            Some(Inertia::Space(_)) | None => 0.0,
        };
        let arm = contact.point - places[index].position;
        let lever = Vector2::from(axes.map(|axis| arm[0] * axis[1] - arm[1] * axis[0]));
        sum + Matrix2::identity() / body.mass + lever * lever.transpose() * turning
    })
}

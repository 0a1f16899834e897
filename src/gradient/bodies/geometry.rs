//! How the contacts and links of a step change with the poses of the bodies.

use nalgebra::{DMatrix, SMatrix};

use super::{
    on_way::{Ways, rates_on_way},
    rates::InputRates,
    taken::Taken,
};
pub(super) use crate::world::TOUCHING;
use crate::world::{DifferentiableWorld, JointRates, LinkRates, Partner, StepProblem, Touch, TouchRates};

/// The change of every contact and link with the displacement of every body.
pub(super) struct Geometry<const D: usize, const N: usize> {
    /// Per contact.
    pub touches: Vec<Vec<TouchChange<D, N>>>,
    /// Per link.
    pub links: Vec<Vec<(usize, LinkRates<N>)>>,
    /// The changes of the loads of motors, with the body that is displaced and the body that they act on.
    pub loads: Vec<([usize; 2], SMatrix<f64, N, N>)>,
}

/// How a contact changes along one direction.
pub(super) struct TouchChange<const D: usize, const N: usize> {
    /// Which direction: displacements, velocities, inputs.
    pub column: usize,
    pub gap: f64,
    pub jacobian: [SMatrix<f64, D, N>; 2],
}

impl<const D: usize, const N: usize> TouchChange<D, N> {
    /// With the displacement of a body.
    pub fn of_displacement(moved: usize, rates: &TouchRates<D, N>) -> impl Iterator<Item = Self> + '_ {
        (0..N).map(move |k| Self {
            column: moved * N + k,
            gap: rates.gap[k],
            jacobian: [rates.jacobian[0][k], rates.jacobian[1][k]],
        })
    }

    /// With the velocity of a body, that changes along every direction as these rows say.
    pub fn of_velocity(body: usize, rates: &TouchRates<D, N>, velocity: &DMatrix<f64>) -> Vec<Self> {
        let along = |column: usize| {
            let own = velocity.fixed_view::<N, 1>(N * body, column);
            (own.amax() > 0.0).then(|| {
                let mut change = Self { column, gap: 0.0, jacobian: [SMatrix::zeros(); 2] };
                for (k, rate) in own.iter().enumerate() {
                    change.gap += rates.gap[k] * rate;
                    for (sum, own) in change.jacobian.iter_mut().zip(&rates.jacobian) {
                        *sum += own[k] * *rate;
                    }
                }
                change
            })
        };
        (0..velocity.ncols()).filter_map(along).collect()
    }
}

impl<const D: usize, const N: usize> Geometry<D, N> {
    /// The changes at the start of a step whose contacts were found by these `ways`. `None` where contacts are not found again, which rounding could do.
    pub fn new<W: DifferentiableWorld<D, N>>(
        taken: &Taken<'_, W, D, N>,
        problem: &StepProblem<D, N>,
        inputs: &[InputRates<'_, D, N>],
        ways: &Ways<'_, D, N>,
    ) -> Option<Self> {
        let Taken { world, motion, .. } = taken;
        let bodies = if world.joints().is_empty() { 0 } else { problem.contact.bodies() };
        let step = (taken.joints, problem.contact.time_step);
        let joints: Vec<_> = (0..bodies).map(|moved| world.joint_rates(motion, step, moved)).collect();
        let dt = problem.contact.time_step;
        let touches = &problem.touches;
        let mut found = Vec::new();
        let mut of_touches: Vec<Vec<TouchChange<D, N>>> = Vec::with_capacity(touches.len());
        for own in touches.chunk_by(|a, b| a.is_of_the_same_parts(b) && a.on_way == b.on_way) {
            if let Some(point) = &own[0].on_way {
                of_touches.append(&mut rates_on_way(taken, own, point, dt, ways)?);
                continue;
            }
            if let Partner::Stop { axis, end } = own[0].second {
                of_touches.push(changes_of_stop([axis, end], &own[0], &joints, inputs));
                continue;
            }
            let mut places: Vec<_> = own.iter().map(|_| Vec::new()).collect();
            for moved in own[0].bodies.into_iter().flatten() {
                world.touch_rates(motion, &problem.margins, &own[0], moved, &mut found);
                // A velocity-level model keeps those that touch.
                let kept: Vec<&TouchRates<D, N>> = if found.len() == own.len() {
                    found.iter().collect()
                } else {
                    found.iter().filter(|rates| rates.value < TOUCHING).collect()
                };
                if kept.len() != own.len() {
                    return None;
                }
                for (place, rates) in places.iter_mut().zip(kept) {
                    place.extend(TouchChange::of_displacement(moved, rates));
                }
            }
            of_touches.append(&mut places);
        }
        let mut of_links: Vec<Vec<(usize, LinkRates<N>)>> = vec![Vec::new(); problem.contact.links.len()];
        let mut loads = Vec::new();
        for (moved, rates) in joints.iter().enumerate() {
            for ((place, rates), link) in of_links.iter_mut().zip(&rates.links).zip(&problem.contact.links) {
                if link.bodies.contains(&Some(moved)) {
                    place.push((moved, *rates));
                }
            }
            let acting = rates.loads.iter().enumerate().filter(|(_, rates)| rates.amax() > 0.0);
            loads.extend(acting.map(|(body, rates)| ([moved, body], *rates)));
        }
        Some(Self { touches: of_touches, links: of_links, loads })
    }
}

/// The changes of the contact of a stop, with the displacements of the two bodies and with its own place.
fn changes_of_stop<const D: usize, const N: usize>(
    stop: [usize; 2],
    touch: &Touch<D, N>,
    joints: &[JointRates<D, N>],
    inputs: &[InputRates<'_, D, N>],
) -> Vec<TouchChange<D, N>> {
    let mut changes = Vec::new();
    for moved in touch.bodies.into_iter().flatten() {
        let rates = joints.get(moved).and_then(|rates| rates.stops.iter().find(|(of, _)| *of == stop));
        changes.extend(rates.into_iter().flat_map(|(_, rates)| TouchChange::of_displacement(moved, rates)));
    }
    let state = 2 * N * joints.len();
    for (column, input) in (state..).zip(inputs) {
        let [gap, _] = input.stop(stop);
        if gap != 0.0 {
            changes.push(TouchChange { column, gap, jacobian: [SMatrix::zeros(); 2] });
        }
    }
    changes
}

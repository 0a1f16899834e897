//! The derivative of one step of many bodies: the implicit function theorem on the contact problem, with the change
//! of gaps and axes.
//!
//! With the impulses `r` of the contacts and `l` of the links, a stage of a step is
//!
//! ```text
//! v+ = v_f + M^-1 (J' r + L' l),   law(u, r) = 0 with u = J v+ + c n + s,   L v+ + b + compliance l = 0
//! ```
//!
//! Its derivative along a direction is linear in those of `v_f`, `M`, `J`, the gaps and the coefficients. Contacts
//! that carry more than they need (four corners on a floor) leave the impulses open, and the velocities not: the
//! smallest change of the impulses is taken.

use nalgebra::DMatrix;

use super::{margin::BodyMargin, rates::InputRates, stage::Linearisation, taken::Taken};
use crate::{contact::Branch, gradient::Branches, world::DifferentiableWorld};

/// The derivative of a step.
#[derive(Debug, Clone)]
pub struct BodyStep {
    /// Of displacements and velocities at its end with respect to those at its start.
    pub state: DMatrix<f64>,
    /// With respect to the inputs.
    pub inputs: DMatrix<f64>,
    /// What decides its branches.
    pub margins: Vec<BodyMargin>,
    /// Which it took.
    pub branches: Branches,
}

impl BodyStep {
    /// The derivative of a step that was taken; `corrected` takes the derivative of the motion at an impact.
    ///
    /// # Errors
    /// The reason where there is none.
    pub fn of<W: DifferentiableWorld<D, N>, const D: usize, const N: usize>(
        taken: &Taken<'_, W, D, N>,
        inputs: &[InputRates<D, N>],
        corrected: bool,
    ) -> Result<Self, String> {
        let linearise = |problem| {
            Linearisation::new(taken, problem, inputs).ok_or("contacts are not found again in dual numbers")
        };
        let Some((moving, rest)) = taken.stages.split_first() else {
            return Err("it has no stage".to_owned());
        };
        let of_way = linearise(moving.problem)?;
        let first = of_way.stage(moving);
        let mut margins = Vec::new();
        if taken.compliant && taken.ends_at_the_ground {
            of_way.gap_margins(&mut margins);
        } else if !taken.compliant {
            of_way.closing_margins(&mut margins);
        }
        first.margins(moving, (inputs, taken.compliant), &mut margins);
        let own = match rest.first() {
            Some(last) if !std::ptr::eq(last.problem, moving.problem) => Some(linearise(last.problem)?),
            _ => None,
        };
        let linearisation = own.as_ref().unwrap_or(&of_way);
        let second = rest.first().map(|last| {
            let second = linearisation.stage(last);
            second.margins(last, (inputs, taken.compliant), &mut margins);
            (last, second)
        });
        let (n, dt) = (linearisation.n, moving.problem.contact.time_step);
        let mut state = DMatrix::zeros(2 * n, linearisation.columns);
        for body in 0..n / N {
            let (pose, before) = (&taken.motion.poses[body], &taken.motion.velocities[body]);
            let rates = taken.world.advance_rates(body, pose, before, &moving.solution.velocity[body], dt);
            let moved = rates.after * first.velocity.fixed_rows::<N>(N * body);
            state.fixed_rows_mut::<N>(N * body).copy_from(&moved);
            let mut own = state.fixed_view_mut::<N, N>(N * body, N * body);
            own += rates.pose;
            let mut own = state.fixed_view_mut::<N, N>(N * body, n + N * body);
            own += rates.before;
        }
        state
            .rows_mut(n, n)
            .copy_from(second.as_ref().map_or(&first.velocity, |(_, second)| &second.velocity));
        if corrected && own.is_some() {
            return Err("throws a body at what was out of its reach, and when it arrives is open".to_owned());
        }
        if corrected && let Some((last, second)) = &second {
            linearisation.correct(last, second, &mut state)?;
        }
        let inputs = state.columns(2 * n, linearisation.columns - 2 * n).into_owned();
        let branches = branches_of(taken);
        Ok(Self { state: state.columns(0, 2 * n).into_owned(), inputs, margins, branches })
    }
}

/// What the contacts do that carry a force, and where their bias comes from.
fn branches_of<W: DifferentiableWorld<D, N>, const D: usize, const N: usize>(
    taken: &Taken<'_, W, D, N>,
) -> Branches {
    let mut branches = Branches::default();
    for stage in &taken.stages {
        let contacts = stage.problem.touches.iter().zip(&stage.laws).enumerate();
        for (index, (touch, law)) in contacts.filter(|(_, (_, law))| law.branch != Branch::Open) {
            let of_bias = stage.problem.bias_slopes(index, stage.is_first_of_two).map(|slope| slope != 0.0);
            let is_chosen = law.choice.is_some_and(|[near_rigid, chosen]| chosen > near_rigid);
            branches.add(&(touch.bodies, law.branch, of_bias, is_chosen));
        }
        branches.add(&stage.is_first_of_two);
    }
    branches
}

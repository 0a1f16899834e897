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
//! that carry more than they need (four corners on a floor) leave the impulses open, and mostly the velocities not: the
//! smallest change of the impulses is taken. Where the velocities depend on it, [`LoadRates`] follows another.

use std::ops::Range;

use nalgebra::DMatrix;

use super::{
    break_away::Held,
    directions::Directions,
    linearisation::Linearisation,
    loads::LoadRates,
    margin::BodyMargin,
    moving::{MovingVelocities, StageChange},
    on_way::Ways,
    rates::InputRates,
    taken::Taken,
};
use crate::{
    contact::{Branch, Hold},
    gradient::Branches,
    world::DifferentiableWorld,
};

/// The derivative of a step.
#[derive(Debug, Clone)]
pub struct BodyStep {
    /// Of displacements and velocities at its end, a column per direction.
    pub change: DMatrix<f64>,
    /// What decides its branches.
    pub margins: Vec<BodyMargin>,
    /// Which it took.
    pub branches: Branches,
    /// Why the directions that were to be corrected are not.
    pub not_corrected: Option<String>,
    /// How the loads change along the directions that follow their sharing; `None` where there are none.
    pub loads: Option<LoadRates>,
    /// What held by friction that falls at once where it lets go.
    pub held: Option<Held>,
    /// Whether something broke loose at an instant that the steps before tell.
    pub breaks_loose: bool,
}

/// Which of the directions of a step are not simply those of its equations.
#[derive(Debug, Clone, Default)]
pub struct Otherwise<'a> {
    /// These take the derivative of the motion at an impact, and where slip turns around.
    pub corrected: Range<usize>,
    /// These follow how loads are shared that are open.
    pub sharing: Range<usize>,
    /// How the loads changed in the step before.
    pub before: Option<&'a LoadRates>,
    /// What held in it.
    pub held: Option<&'a Held>,
}

impl BodyStep {
    /// The derivative of a step that was taken, along these directions.
    ///
    /// # Errors
    /// The reason where there is none.
    pub fn of<W: DifferentiableWorld<D, N>, const D: usize, const N: usize>(
        taken: &Taken<'_, W, D, N>,
        inputs: &[InputRates<'_, D, N>],
        directions: &Directions<'_>,
        Otherwise { corrected, sharing, before, held: held_before }: Otherwise<'_>,
    ) -> Result<Self, String> {
        const NOT_FOUND: &str = "contacts are not found again in dual numbers";
        let ways = Ways::of(taken, inputs).ok_or(NOT_FOUND)?;
        let linearise = |problem| Linearisation::new(taken, problem, inputs, &ways).ok_or(NOT_FOUND);
        let Some((moving, rest)) = taken.stages.split_first() else {
            return Err("it has no stage".to_owned());
        };
        let of_moving = linearise(moving.problem)?;
        let first = of_moving.stage(moving, directions);
        let mut margins = Vec::new();
        if taken.compliant && taken.ends_at_the_ground {
            of_moving.gap_margins(directions, &mut margins);
        } else if !taken.compliant {
            of_moving.closing_margins(&moving.laws, directions, &mut margins);
        }
        if taken.at_touch {
            of_moving.touch_margins(directions, &mut margins);
        }
        first.margins(moving, inputs, taken.compliant, directions, &mut margins);
        of_moving.rest_margins(moving, directions, &mut margins);
        of_moving.all_turn_margins(moving, &first, &mut margins);
        of_moving.all_group_margins(moving, &first, directions, &mut margins);
        let own = match rest.first() {
            Some(last) if !std::ptr::eq(last.problem, moving.problem) => Some(linearise(last.problem)?),
            _ => None,
        };
        let linearisation = own.as_ref().unwrap_or(&of_moving);
        let second = rest.first().map(|last| {
            let second = linearisation.stage(last, directions);
            second.margins(last, inputs, taken.compliant, directions, &mut margins);
            linearisation.all_turn_margins(last, &second, &mut margins);
            linearisation.all_group_margins(last, &second, directions, &mut margins);
            (last, second)
        });
        let all = [Some(&first), second.as_ref().map(|(_, second)| second)];
        if all.into_iter().flatten().flat_map(|rates| &rates.shares).any(|share| share.is_lost) {
            return Err("a rebound is reduced so that it makes no energy, and by how much has no derivative"
                .to_owned());
        }
        let mut loads = None;
        let (mut moved_by, mut left_with) =
            (first.velocity.clone(), second.as_ref().map(|(_, second)| second.velocity.clone()));
        if !sharing.is_empty() {
            let (stage, rates) = second.as_ref().map_or((moving, &first), |(last, second)| (*last, second));
            let own = [&rates.velocity, &rates.impulses]
                .map(|whole| whole.columns_range(sharing.clone()).into_owned());
            let (velocity, rates) = LoadRates::follow(stage, rates.open.as_ref(), own.into(), before);
            left_with.as_mut().unwrap_or(&mut moved_by).columns_range_mut(sharing).copy_from(&velocity);
            loads = Some(rates);
        }
        let mut not_corrected = None;
        let mut breaks_loose = false;
        match of_moving.break_away(moving, held_before) {
            Ok(None) => {}
            Ok(Some(missed)) => {
                breaks_loose = true;
                let missed = missed.columns_range(corrected.clone());
                for change in [Some(&mut moved_by), left_with.as_mut()].into_iter().flatten() {
                    let mut own = change.columns_range_mut(corrected.clone());
                    own += &missed;
                }
            }
            Err(reason) => {
                breaks_loose = true;
                not_corrected = Some(reason);
            }
        }
        let held = of_moving.held(moving, &first, inputs, directions, held_before);
        let (n, dt) = (linearisation.n, moving.problem.contact.time_step);
        let mut change = DMatrix::zeros(2 * n, directions.count());
        let start = directions.parts(0, 2 * n);
        let moved_with = match (&second, &left_with) {
            (Some((last, rates)), Some(left_with)) if !taken.rebounds.is_empty() => {
                let changes = [
                    StageChange { velocity: &moved_by, rates: &first },
                    StageChange { velocity: left_with, rates },
                ];
                linearisation.moving_velocities([moving, *last], changes, directions)
            }
            _ => MovingVelocities { velocities: moving.solution.velocity.clone(), change: moved_by.clone() },
        };
        let left_with = left_with.as_ref().unwrap_or(&moved_by);
        let last_stage = second.as_ref().map_or(moving, |(last, _)| *last);
        for body in 0..n / N {
            let (pose, before) = (&taken.motion.poses[body], &taken.motion.velocities[body]);
            let moved = &moved_with.velocities[body];
            let moved_change = moved_with.change.fixed_rows::<N>(N * body);
            let rates = taken.world.advance_rates(body, pose, moved, dt);
            let displaced = rates.velocity * moved_change + rates.pose * start.fixed_rows::<N>(N * body);
            change.fixed_rows_mut::<N>(N * body).copy_from(&displaced);
            let after = &last_stage.solution.velocity[body];
            let rates = taken.world.carried_rates(body, before, moved, after, dt);
            let left = rates.after * left_with.fixed_rows::<N>(N * body)
                + rates.moved * moved_change
                + rates.before * start.fixed_rows::<N>(n + N * body);
            change.fixed_rows_mut::<N>(n + N * body).copy_from(&left);
        }
        if !corrected.is_empty() {
            let through = directions.parts(0, 2 * n + inputs.len());
            let through = through.columns_range(corrected.clone()).into_owned();
            let moved = match &second {
                Some(_) if own.is_some() => {
                    Err("throws a body at what was out of its reach, and when it arrives is open".to_owned())
                }
                Some((last, _)) => linearisation.through_impact(last, &through).map(Some),
                None => linearisation.through_reversal(moving, &through),
            };
            match moved {
                Ok(Some(moved)) => change.columns_range_mut(corrected).copy_from(&moved),
                Ok(None) => {}
                Err(reason) => not_corrected = Some(reason),
            }
        }
        let branches = branches_of(taken);
        Ok(Self { change, margins, branches, not_corrected, loads, held, breaks_loose })
    }
}

/// What the contacts do that carry a force, where their bias comes from, and which links are at a bound.
fn branches_of<W: DifferentiableWorld<D, N>, const D: usize, const N: usize>(
    taken: &Taken<'_, W, D, N>,
) -> Branches {
    let mut branches = Branches::default();
    for stage in &taken.stages {
        let contacts = stage.problem.touches.iter().zip(&stage.laws).enumerate();
        for (index, (touch, law)) in contacts.filter(|(_, (_, law))| law.branch != Branch::Open) {
            let of_bias = stage.bias_slopes(index).map(|slope| slope != 0.0);
            let is_chosen = law.choice.is_some_and(|[near_rigid, chosen]| chosen > near_rigid);
            branches.add(&(touch.bodies, law.branch, of_bias, is_chosen));
        }
        let at_bounds = stage.links.iter().zip(&stage.solution.link_impulses).enumerate();
        for (index, (_, impulse)) in at_bounds.filter(|(_, (law, _))| law.is_at_bound) {
            branches.add(&(index, *impulse > 0.0));
        }
        stage.grouped.iter().for_each(|law| branches.add(&law.branches));
        for solve in stage.earlier.iter().chain([stage]) {
            for held in &solve.holds {
                branches.add(&(held.contact, held.hold == Hold::Static, held.slip_of));
            }
        }
        branches.add(&stage.is_first_of_two);
        for held in stage.held {
            branches.add(&(&held.contacts, held.kept.is_reduced()));
        }
        for blow in &stage.blows {
            branches.add(&(&blow.struck.contacts, blow.struck.kept.is_reduced()));
            blow.laws.iter().for_each(|law| branches.add(&law.branch));
        }
    }
    branches
}

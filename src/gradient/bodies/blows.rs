//! How an impact that is followed over its impulse changes: blow by blow, as it was taken.

use nalgebra::{DMatrix, SMatrix, SVector};

use super::{
    directions::Directions,
    held_impact::{ShareChange, Working},
    linearisation::{Laws, Linearisation, Terms, add},
    margin::BodyMargin,
    taken::TakenStage,
};
use crate::{
    contact::{ContactProblem, Hold, LinearLaw, LinkLaw, Solution, friction_cone::tangential_part},
    stepper::derivative::MarginKind,
    world::{
        Blow, ContactHold, DifferentiableWorld, ImpactFriction, ImpactRates, JointDirections, StepProblem,
    },
};

/// A blow that was taken, as far as its derivative needs it.
pub struct TakenBlow<const D: usize, const N: usize> {
    /// The contacts that struck at once, and their impulses in N s.
    pub struck: Blow<D>,
    /// The velocities of the bodies before it, and how they changed by it.
    pub before: Vec<SVector<f64, N>>,
    pub change: Vec<SVector<f64, N>>,
    /// The impulses of the links.
    pub links: Vec<f64>,
    /// The law of every contact of the problem, open where it did not strike; none where a contact struck by itself, which
    /// follows the course of its impulse.
    pub laws: Vec<LinearLaw<D>>,
}

/// The problem of the second stage without the blows before it, and the impulses that it was left to find.
pub struct Left<const D: usize, const N: usize> {
    /// The problem: its free velocities have the blows in them.
    pub problem: ContactProblem<D, N>,
    /// Its solution.
    pub solution: Solution<D, N>,
}

impl<const D: usize, const N: usize> Left<D, N> {
    /// Of the problem of a step and its solution, in which the impulses of the blows are; `None` without blows.
    pub fn of(problem: &ContactProblem<D, N>, solution: &Solution<D, N>, blows: &[Blow<D>]) -> Option<Self> {
        if blows.is_empty() {
            return None;
        }
        let (mut problem, mut solution) = (problem.clone(), solution.clone());
        for (contact, impulse) in blows.iter().flat_map(Blow::by_contact) {
            solution.impulses[contact] -= impulse;
        }
        let (given, _) = problem.answer(None, blows.iter().flat_map(Blow::by_contact));
        for (free, given) in problem.free_velocity.iter_mut().zip(given) {
            *free += given;
        }
        Some(Self { problem, solution })
    }
}

/// The blows of a step from its velocities at the start on, where its joints allow them; `linearise` has the laws of a problem at its solution.
pub fn taken_blows<const D: usize, const N: usize, E>(
    posed: &StepProblem<D, N>,
    start: &[SVector<f64, N>],
    blows: &[Blow<D>],
    linearise: impl Fn(&ContactProblem<D, N>, &Solution<D, N>) -> Result<Vec<LinearLaw<D>>, E>,
) -> Result<Vec<TakenBlow<D, N>>, E> {
    if blows.is_empty() {
        return Ok(Vec::new());
    }
    let problem = posed.of_solve(false, &posed.friction_solves(false).holds);
    let problem = problem.as_ref();
    let directions = posed.joint_directions(&posed.contact, |own| own, start);
    let mut velocity = directions.map_or_else(|| start.to_vec(), |directions| directions.start(start));
    let mut taken = Vec::with_capacity(blows.len());
    let elimination = (!problem.links.is_empty()).then(|| problem.impulsive_link_elimination());
    for blow in blows {
        let (change, links) = problem.answer(elimination.as_ref(), blow.by_contact());
        let after: Vec<_> = velocity.iter().zip(&change).map(|(before, change)| before + change).collect();
        let mut laws = Vec::new();
        if blow.contacts.len() > 1 {
            let mut struck = problem.clone();
            struck.free_velocity.clone_from(&velocity);
            struck.contacts = blow.contacts.iter().map(|contact| problem.contacts[*contact]).collect();
            for contact in &mut struck.contacts {
                contact.bias = 0.0;
                let closing = problem.relative_velocity(contact, &velocity)[0];
                contact.bias = blow.kept.share * contact.restitution * closing;
            }
            for link in &mut struck.links {
                link.bias = -link.rate(&velocity);
            }
            let solution = Solution {
                velocity: after.clone(),
                impulses: blow.impulses.clone(),
                link_impulses: links.clone(),
                ..Solution::default()
            };
            laws = vec![LinearLaw::open(); problem.contacts.len()];
            for (contact, law) in blow.contacts.iter().zip(linearise(&struck, &solution)?) {
                laws[*contact] = law;
            }
        }
        taken.push(TakenBlow { struck: blow.clone(), before: velocity, change, links, laws });
        velocity = after;
    }
    Ok(taken)
}

/// How the blows of a step change along every direction: displacements, velocities, inputs.
pub(super) struct BlowChanges<const N: usize> {
    /// Of the velocities that the impulses of contacts alone give the bodies, `M^-1 J' R`, at the rows and masses as they are.
    pub given: DMatrix<f64>,
    /// These velocities, and their change with rows and masses too: free velocities of the problem that is left to solve.
    pub free: (Vec<SVector<f64, N>>, DMatrix<f64>),
    /// Of the biases of the contacts in the problem that is left to solve.
    pub biases: DMatrix<f64>,
    /// The normal velocities of contacts that the blows leave with none.
    pub stopped: Vec<BodyMargin>,
    /// What the rebounds of those that struck at once are reduced by, blow by blow.
    pub shares: Vec<ShareChange>,
}

/// Part of the velocities at the blows, and of their changes, that counts as none.
pub(super) const STOPPED: f64 = 1e-9;

impl<W: DifferentiableWorld<D, N>, const D: usize, const N: usize> Linearisation<'_, W, D, N> {
    /// The changes of the blows of a stage; `None` where none were followed.
    pub fn blow_changes(&self, stage: &TakenStage<'_, D, N>) -> Option<BlowChanges<N>> {
        let last = stage.blows.last()?;
        let problem = &self.problem.contact;
        let mut velocity = self.velocities_at_start();
        let elimination = (!problem.links.is_empty()).then(|| problem.impulsive_link_elimination());
        let made_up = self.follow_joints(&mut velocity);
        let mut given = DMatrix::<f64>::zeros(self.n, self.columns);
        let mut is_struck = vec![false; problem.contacts.len()];
        let mut shares = Vec::new();
        for blow in &stage.blows {
            let impulses = match *blow.struck.contacts.as_slice() {
                [contact] => {
                    let changes = self.course(blow, contact, &velocity, elimination.as_ref());
                    self.follow(blow, &mut velocity, &changes, elimination.as_ref());
                    vec![changes]
                }
                _ => {
                    let (changes, share) = self.at_once(blow, &stage.holds, &mut velocity);
                    shares.push(share);
                    changes
                }
            };
            for (contact, change) in blow.struck.contacts.iter().zip(&impulses) {
                is_struck[*contact] = true;
                self.push(*contact, change, &mut given);
            }
        }
        let mut after: Vec<_> =
            last.before.iter().zip(&last.change).map(|(before, change)| before + change).collect();
        if let Some((made_up, change)) = made_up {
            after.iter_mut().zip(made_up).for_each(|(after, made_up)| *after += made_up);
            velocity += change;
        }
        let mut biases = DMatrix::<f64>::zeros(problem.contacts.len(), self.columns);
        let mut stopped = Vec::new();
        let velocities = stage.blows.iter().flat_map(|blow| &blow.before);
        let fastest = velocities.map(SVector::amax).fold(0.0, f64::max);
        for contact in (0..problem.contacts.len()).filter(|contact| is_struck[*contact]) {
            let opening = self.problem.touches[contact].relative_velocity(&after)[0];
            let change = self.change_of_relative(contact, &after, &velocity).row(0).into_owned();
            // Equal masses in a row: the one that strikes stops, and a little more or less of its mass has it follow or bounce.
            if opening.abs() <= STOPPED * fastest && change.amax() > STOPPED * velocity.amax() {
                stopped.push(BodyMargin { kind: MarginKind::Contact, value: 0.0, row: change.clone() });
            }
            if opening > 0.0 {
                biases.row_mut(contact).copy_from(&-change);
            }
        }
        let all: Vec<_> = stage.blows.iter().flat_map(|blow| blow.struck.by_contact()).collect();
        let change = &given + self.otherwise(&all, &[]);
        let free = (problem.answer(None, all).0, change);
        Some(BlowChanges { given, free, biases, stopped, shares })
    }

    /// Has the changes of velocities at the start be those of what joints allow. Gives what makes up for the turn of these, and its
    /// change; `None` where nothing is joined.
    fn follow_joints(&self, velocity: &mut DMatrix<f64>) -> Option<(Vec<SVector<f64, N>>, DMatrix<f64>)> {
        let (problem, before) = (&self.problem.contact, &self.taken.motion.velocities);
        let JointDirections { elimination, allowed, made_up } =
            self.problem.joint_directions(problem, |own| own, before)?;
        let start: Vec<_> = before.iter().zip(&allowed.0).map(|(before, allowed)| before + allowed).collect();
        *velocity += self.otherwise(&[], &allowed.1);
        let mut rates = self.link_rates(velocity);
        self.add_turned_links(&start, &mut rates);
        self.hold(&elimination, &rates, velocity);
        let mut change = self.otherwise(&[], &made_up.1);
        let mut rates = self.link_rates(&change);
        self.add_turned_links(&made_up.0, &mut rates);
        for (index, of_poses) in self.geometry.links.iter().enumerate() {
            for (moved, of_pose) in of_poses {
                for k in 0..N {
                    rates[(index, moved * N + k)] += of_pose.bias[k];
                }
            }
            for (j, input) in self.inputs.iter().enumerate() {
                rates[(index, 2 * self.n + j)] += input.link(index).bias;
            }
        }
        self.hold(&elimination, &rates, &mut change);
        Some((made_up.0, change))
    }

    /// Adds `M^-1 J' dr`.
    fn push(&self, contact: usize, change: &DMatrix<f64>, velocity: &mut DMatrix<f64>) {
        let problem = &self.problem.contact;
        let contact = &problem.contacts[contact];
        for (body, jacobian) in contact.bodies.iter().zip(&contact.jacobian) {
            if let Some(body) = *body {
                let mut own = velocity.fixed_rows_mut::<N>(N * body);
                own += problem.inverse_mass[body] * jacobian.transpose() * change;
            }
        }
    }

    /// `J dv` of a contact.
    pub fn rows_times(&self, index: usize, velocity: &DMatrix<f64>) -> DMatrix<f64> {
        let contact = &self.problem.contact.contacts[index];
        let mut change = DMatrix::<f64>::zeros(D, velocity.ncols());
        for (body, jacobian) in contact.bodies.iter().zip(&contact.jacobian) {
            if let Some(body) = *body {
                change += jacobian * velocity.fixed_rows::<N>(N * body);
            }
        }
        change
    }

    /// The change of the relative velocity of a contact at these velocities of the bodies, which change by `velocity`.
    pub fn change_of_relative(
        &self,
        index: usize,
        at: &[SVector<f64, N>],
        velocity: &DMatrix<f64>,
    ) -> DMatrix<f64> {
        let contact = &self.problem.contact.contacts[index];
        let mut change = self.rows_times(index, velocity);
        for (end, body) in contact.bodies.iter().enumerate() {
            let Some(body) = *body else { continue };
            for of_pose in &self.geometry.touches[index] {
                let mut column = change.column_mut(of_pose.column);
                column += of_pose.jacobian[end] * at[body];
            }
        }
        change
    }

    /// `dM^-1 (J' r + L' l) + M^-1 (dJ' r + dL' l)`: what impulses do to the bodies otherwise.
    fn otherwise(&self, impulses: &[(usize, SVector<f64, D>)], links: &[f64]) -> DMatrix<f64> {
        let problem = &self.problem.contact;
        let mut change = DMatrix::<f64>::zeros(self.n, self.columns);
        for (index, impulse) in impulses {
            let contact = &problem.contacts[*index];
            for (end, body) in contact.bodies.iter().enumerate() {
                let Some(body) = *body else { continue };
                for of_pose in &self.geometry.touches[*index] {
                    let pushed = problem.inverse_mass[body] * of_pose.jacobian[end].tr_mul(impulse);
                    add(&mut change, body, of_pose.column, &pushed);
                }
                for (j, input) in self.inputs.iter().enumerate() {
                    let pushed = input.inverse_mass[body] * contact.jacobian[end].tr_mul(impulse);
                    add(&mut change, body, 2 * self.n + j, &pushed);
                }
            }
        }
        for (index, impulse) in links.iter().enumerate() {
            let link = &problem.links[index];
            for (end, body) in link.bodies.iter().enumerate() {
                let Some(body) = *body else { continue };
                for (moved, rates) in &self.geometry.links[index] {
                    let pushed = problem.inverse_mass[body] * rates.rows[end] * *impulse;
                    for k in 0..N {
                        add(&mut change, body, moved * N + k, &pushed.column(k).into_owned());
                    }
                }
                for (j, input) in self.inputs.iter().enumerate() {
                    let pushed = input.inverse_mass[body] * link.jacobian[end] * *impulse;
                    add(&mut change, body, 2 * self.n + j, &pushed);
                }
            }
        }
        change
    }

    /// Adds `dL v` of the links to these rows.
    fn add_turned_links(&self, at: &[SVector<f64, N>], rows: &mut DMatrix<f64>) {
        for (index, link) in self.problem.contact.links.iter().enumerate() {
            for (end, body) in link.bodies.iter().enumerate() {
                let Some(body) = *body else { continue };
                for (moved, rates) in &self.geometry.links[index] {
                    for k in 0..N {
                        rows[(index, moved * N + k)] += rates.rows[end].column(k).dot(&at[body]);
                    }
                }
            }
        }
    }

    /// `L dv`.
    fn link_rates(&self, velocity: &DMatrix<f64>) -> DMatrix<f64> {
        let links = &self.problem.contact.links;
        let mut rates = DMatrix::<f64>::zeros(links.len(), velocity.ncols());
        for (index, link) in links.iter().enumerate() {
            for (body, row) in link.bodies.iter().zip(&link.jacobian) {
                if let Some(body) = *body {
                    let mut own = rates.row_mut(index);
                    own += row.transpose() * velocity.fixed_rows::<N>(N * body);
                }
            }
        }
        rates
    }

    /// Has links answer to a change of velocities that contacts make otherwise, `change` in the velocities `by` a blow, to which they
    /// answered with these `impulses`.
    fn hold_blow(
        &self,
        elimination: Option<&DMatrix<f64>>,
        (by, impulses): (&[SVector<f64, N>], &[f64]),
        change: &mut DMatrix<f64>,
    ) {
        let Some(elimination) = elimination else { return };
        let mut rates = self.link_rates(change);
        self.add_turned_links(by, &mut rates);
        for (index, impulse) in impulses.iter().enumerate() {
            for (j, input) in self.inputs.iter().enumerate() {
                rates[(index, 2 * self.n + j)] += input.link(index).compliance * impulse;
            }
        }
        self.hold(elimination, &rates, change);
    }

    /// Has links undo the change of their `rates`.
    fn hold(&self, elimination: &DMatrix<f64>, rates: &DMatrix<f64>, change: &mut DMatrix<f64>) {
        let problem = &self.problem.contact;
        let held = -(elimination * rates);
        for (index, link) in problem.links.iter().enumerate() {
            for (body, row) in link.bodies.iter().zip(&link.jacobian) {
                if let Some(body) = *body {
                    let mut own = change.fixed_rows_mut::<N>(N * body);
                    own += problem.inverse_mass[body] * row * held.row(index);
                }
            }
        }
    }

    /// Adds the change of what a blow does, whose impulses change so, to that of the velocities.
    fn follow(
        &self,
        blow: &TakenBlow<D, N>,
        velocity: &mut DMatrix<f64>,
        changes: &DMatrix<f64>,
        elimination: Option<&DMatrix<f64>>,
    ) {
        let (contact, impulse) = (blow.struck.contacts[0], blow.struck.impulses[0]);
        let mut change = self.otherwise(&[(contact, impulse)], &blow.links);
        self.push(contact, changes, &mut change);
        self.hold_blow(elimination, (&blow.change, &blow.links), &mut change);
        *velocity += change;
    }

    /// The change of the impulse of a contact that struck by itself, from that of the velocities before.
    fn course(
        &self,
        blow: &TakenBlow<D, N>,
        contact: usize,
        velocity: &DMatrix<f64>,
        elimination: Option<&DMatrix<f64>>,
    ) -> DMatrix<f64> {
        let (problem, touch) = (&self.problem.contact, &self.problem.touches[contact]);
        let own = &problem.contacts[contact];
        let mut response = SMatrix::<f64, D, D>::zeros();
        let mut columns = Vec::with_capacity(D);
        for axis in 0..D {
            let unit = SVector::<f64, D>::from_fn(|i, _| f64::from(i == axis));
            let (by, links) = problem.answer(elimination, [(contact, unit)]);
            for (body, jacobian) in own.bodies.iter().zip(&own.jacobian) {
                if let Some(body) = *body {
                    let mut column = response.column_mut(axis);
                    column += jacobian * by[body];
                }
            }
            let mut change = self.otherwise(&[(contact, unit)], &links);
            self.hold_blow(elimination, (&by, &links), &mut change);
            columns.push(self.change_of_relative(contact, &by, &change));
        }
        let of_velocity = self.change_of_relative(contact, &blow.before, velocity);
        let start = touch.relative_velocity(&blow.before);
        let law = &touch.surface.friction;
        let slip = tangential_part(&start);
        let speed = slip.norm();
        let friction = ImpactFriction::each(|hold| law.coefficient(hold), speed);
        let rates = ImpactRates::of(&response, &start, friction, touch.surface.restitution);
        let depends = law.depends_on_slip();
        let along = slip / speed.max(f64::MIN_POSITIVE);
        let mut changes = DMatrix::<f64>::zeros(D, self.columns);
        for k in 0..self.columns {
            let input = k.checked_sub(2 * self.n).map(|input| &self.inputs[input]);
            let restitution = input.map_or(0.0, |input| input.surface(touch)[1]);
            let of_input =
                |hold: Hold| input.map_or(0.0, |input| input.friction(touch, depends.then_some(hold)));
            let mut friction = ImpactFriction::each(of_input, speed);
            if depends {
                let hastened = along.dot(&of_velocity.column(k));
                friction.sliding += law.slope(Hold::Kinetic(speed)) * hastened;
            }
            let response = SMatrix::<f64, D, D>::from_fn(|i, axis| columns[axis][(i, k)]);
            let velocity = SVector::<f64, D>::from_fn(|i, _| of_velocity[(i, k)]);
            changes.column_mut(k).copy_from(&rates.along(&response, &velocity, friction, restitution));
        }
        changes
    }

    /// The changes of the impulses of contacts that struck at once, with which `velocity` goes on; `holds` says how those are held
    /// whose friction depends on how they slip: by their slips at the start of the step.
    fn at_once(
        &self,
        blow: &TakenBlow<D, N>,
        holds: &[ContactHold],
        velocity: &mut DMatrix<f64>,
    ) -> (Vec<DMatrix<f64>>, ShareChange) {
        let problem = &self.problem.contact;
        let (contacts, links) = (problem.contacts.len(), problem.links.len());
        let zeros = || DMatrix::<f64>::zeros(D * contacts + links, self.columns);
        let struck: Vec<_> = blow.struck.by_contact().collect();
        let base = &*velocity + self.otherwise(&struck, &blow.links);
        let (mut drift, mut direct) = (zeros(), zeros());
        let after: Vec<_> =
            blow.before.iter().zip(&blow.change).map(|(before, change)| before + change).collect();
        let kept = blow.struck.kept;
        let mut working = Vec::with_capacity(struck.len());
        for &(index, impulse) in &struck {
            let (law, touch) = (&blow.laws[index], &self.problem.touches[index]);
            let start = self.change_of_relative(index, &blow.before, velocity);
            let none = DMatrix::zeros(self.n, self.columns);
            let turned = self.change_of_relative(index, &blow.before, &none)
                + self.change_of_relative(index, &blow.change, &none);
            drift.fixed_rows_mut::<D>(D * index).copy_from(&turned);
            let mut rebound = drift.row_mut(D * index);
            rebound += start.row(0) * (kept.share * touch.surface.restitution);
            direct.fixed_rows_mut::<D>(D * index).copy_from(&(law.free * &start));
            let approach = touch.relative_velocity(&blow.before)[0];
            working.push(Working {
                contact: index,
                rebound: touch.surface.restitution * approach,
                impulse,
                velocities: touch.relative_velocity(&blow.before) + touch.relative_velocity(&after),
                change: &start + &turned,
            });
            let held = holds.iter().find(|held| held.contact == index);
            if let Some(held) = held {
                let slope = touch.surface.friction.slope(held.hold);
                let every = Directions::every(2 * self.n, self.inputs.len());
                let by_slip = self.change_of_slip_at_start(index, &every) * slope;
                for i in 0..D {
                    let mut row = direct.row_mut(D * index + i);
                    row += &by_slip * law.friction[i];
                }
            }
            for (j, input) in self.inputs.iter().enumerate() {
                let [_, restitution] = input.surface(touch);
                let friction = input.friction(touch, held.map(|held| held.hold));
                drift[(D * index, 2 * self.n + j)] += kept.share * restitution * approach;
                for i in 0..D {
                    direct[(D * index + i, 2 * self.n + j)] += law.friction[i] * friction;
                }
            }
        }
        let mut held = -self.link_rates(velocity);
        self.add_turned_links(&blow.change, &mut held);
        drift.rows_mut(D * contacts, links).copy_from(&held);
        for (index, impulse) in blow.links.iter().enumerate() {
            for (j, input) in self.inputs.iter().enumerate() {
                direct[(D * contacts + index, 2 * self.n + j)] += input.link(index).compliance * impulse;
            }
        }
        let rigid = |link: &crate::contact::Link<N>| LinkLaw {
            compliance: link.compliance,
            bias: 1.0,
            response: 0.0,
            is_at_bound: link.is_bounded(),
        };
        let rigid: Vec<_> = problem.links.iter().map(rigid).collect();
        // Impacts with friction in groups are none of these.
        let laws = Laws { contacts: &blow.laws, links: &rigid, grouped: &[] };
        let mut rates = self.solve(laws, Terms { base, drift, direct });
        let share = self.keep_share(laws, &working, kept, &mut rates);
        *velocity = rates.velocity;
        let impulses = blow.struck.contacts.iter();
        (impulses.map(|index| rates.impulses.rows(D * index, D).into_owned()).collect(), share)
    }
}

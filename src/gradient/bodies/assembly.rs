//! What the equations of a stage change by with poses, velocities and inputs, at the impulses of its solution.

use nalgebra::{DMatrix, SMatrix};

use super::{
    blows::BlowChanges,
    geometry::TouchChange,
    linearisation::{Linearisation, Terms, add},
    taken::TakenStage,
};
use crate::world::{DifferentiableWorld, LinkLawRates, Partner};

/// The changes along every direction: displacements, velocities, inputs.
pub(super) struct Assembly {
    pub terms: Terms,
    /// As those of [`StageRates`](super::linearisation::StageRates).
    pub choices: DMatrix<f64>,
    pub gaps: DMatrix<f64>,
    pub axes: DMatrix<f64>,
    pub biases: DMatrix<f64>,
}

impl<W: DifferentiableWorld<D, N>, const D: usize, const N: usize> Linearisation<'_, W, D, N> {
    /// The changes of a stage, after these `blows`; `unhindered` are those of the relative velocities without contacts.
    pub fn assemble(
        &self,
        stage: &TakenStage<'_, D, N>,
        unhindered: &DMatrix<f64>,
        blows: Option<BlowChanges<N>>,
    ) -> Assembly {
        let problem = &self.problem.contact;
        let (contacts, links) = (problem.contacts.len(), problem.links.len());
        let zeros = |rows: usize| DMatrix::<f64>::zeros(rows, self.columns);
        let terms = Terms { base: self.free.clone(), drift: zeros(self.rows()), direct: zeros(self.rows()) };
        let axes = zeros(problem.groups.len());
        let [choices, gaps, biases] = [(); 3].map(|()| zeros(contacts));
        let mut assembly = Assembly { terms, choices, gaps, axes, biases };
        if let Some(BlowChanges { given, biases, .. }) = blows {
            assembly.terms.base += given;
            for index in 0..contacts {
                assembly.terms.drift.row_mut(D * index).copy_from(&biases.row(index));
            }
            assembly.biases = biases;
        }
        for index in 0..contacts {
            let law = &stage.laws[index];
            if law.free.amax() > 0.0 {
                let of_free = law.free * unhindered.fixed_rows::<D>(D * index);
                assembly.terms.direct.fixed_rows_mut::<D>(D * index).copy_from(&of_free);
            }
            self.contact_start_terms(stage, index, &mut assembly);
            self.contact_pose_terms(stage, index, &mut assembly);
            self.contact_input_terms(stage, index, &mut assembly);
        }
        for place in 0..problem.groups.len() {
            self.groups_pose_terms(stage, place, &mut assembly);
            self.groups_input_terms(stage, place, &mut assembly.terms);
        }
        for index in 0..links {
            if self.problem.is_of_rotor(index) {
                self.rotor_start_terms(stage, index, &mut assembly.terms);
            }
            self.link_pose_terms(stage, index, &mut assembly.terms);
            self.link_input_terms(stage, index, &mut assembly.terms);
        }
        assembly
    }

    /// With the gap of a contact and the normal velocity at the start of the step.
    fn contact_start_terms(&self, stage: &TakenStage<'_, D, N>, index: usize, assembly: &mut Assembly) {
        let (contact, start) = (&self.problem.contact.contacts[index], &self.taken.motion.velocities);
        let law = &stage.laws[index];
        let [by_gap, by_approach, _] = stage.bias_slopes(index);
        let Assembly { terms, gaps, .. } = assembly;
        let row = D * index;
        let mut of_start = |column: usize, gap: f64, approach: f64| {
            terms.drift[(row, column)] += by_gap * gap + by_approach * approach;
            gaps[(index, column)] += gap;
            for i in 0..D {
                terms.direct[(row + i, column)] += law.gap[i] * gap + law.approach[i] * approach;
            }
        };
        for change in &self.geometry.touches[index] {
            let mut approach = 0.0;
            for (end, body) in contact.bodies.iter().enumerate() {
                if let Some(body) = *body {
                    approach += (change.jacobian[end].row(0) * start[body])[0];
                }
            }
            of_start(change.column, change.gap, approach);
        }
        for (end, body) in contact.bodies.iter().enumerate() {
            if let Some(body) = *body {
                for k in 0..N {
                    of_start(self.n + body * N + k, 0.0, contact.jacobian[end][(0, k)]);
                }
            }
        }
    }

    /// With the axes of a contact and its place on the bodies.
    fn contact_pose_terms(&self, stage: &TakenStage<'_, D, N>, index: usize, assembly: &mut Assembly) {
        let problem = &self.problem.contact;
        let contact = &problem.contacts[index];
        let (law, r) = (&stage.laws[index], &stage.solution.impulses[index]);
        let row = D * index;
        for &TouchChange { column, ref jacobian, .. } in &self.geometry.touches[index] {
            let mut response = SMatrix::<f64, D, D>::zeros();
            for ((body, change), own) in contact.bodies.iter().zip(jacobian).zip(&contact.jacobian) {
                let Some(body) = *body else { continue };
                let moves = change * stage.solution.velocity[body];
                for i in 0..D {
                    assembly.terms.drift[(row + i, column)] += moves[i];
                }
                let pushed = problem.inverse_mass[body] * change.tr_mul(r);
                add(&mut assembly.terms.base, body, column, &pushed);
                response += change * problem.inverse_mass[body] * own.transpose();
            }
            let of_response = 2.0 * law.response.1.dot(&response);
            for i in 0..D {
                assembly.terms.direct[(row + i, column)] += law.response.0[i] * of_response;
            }
            if let Some([near_rigid, _]) = law.choice {
                assembly.choices[(index, column)] += near_rigid * of_response;
            }
        }
    }

    /// With the inputs that friction, restitution and masses change with.
    fn contact_input_terms(&self, stage: &TakenStage<'_, D, N>, index: usize, assembly: &mut Assembly) {
        let (contact, touch) = (&self.problem.contact.contacts[index], &self.problem.touches[index]);
        let (law, r) = (&stage.laws[index], &stage.solution.impulses[index]);
        let [_, _, by_restitution] = stage.bias_slopes(index);
        let row = D * index;
        for (j, input) in self.inputs.iter().enumerate() {
            let column = 2 * self.n + j;
            let [_, restitution] = input.surface(touch);
            let friction = input.friction(touch, stage.hold(index));
            assembly.terms.drift[(row, column)] += by_restitution * restitution;
            let mut response = SMatrix::<f64, D, D>::zeros();
            for (end, body) in contact.bodies.iter().enumerate() {
                if let Some(body) = *body {
                    let jacobian = &contact.jacobian[end];
                    response += jacobian * input.inverse_mass[body] * jacobian.transpose();
                    let pushed = input.inverse_mass[body] * jacobian.tr_mul(r);
                    add(&mut assembly.terms.base, body, column, &pushed);
                }
            }
            let of_response = law.response.1.dot(&response);
            // The last stands for contacts between bodies.
            let between = input.chosen.len() - 1;
            let chosen = match (touch.second, touch.bodies) {
                (Partner::Ground | Partner::Wall(_) | Partner::Stop { .. }, [Some(body), _]) => {
                    input.chosen[body]
                }
                _ => input.chosen[between],
            };
            for i in 0..D {
                assembly.terms.direct[(row + i, column)] += law.friction[i] * friction
                    + law.response.0[i] * of_response
                    + law.chosen[0][i] * chosen[0]
                    + law.chosen[1][i] * chosen[1];
            }
            if let Some([near_rigid, _]) = law.choice {
                assembly.choices[(index, column)] += near_rigid * of_response - chosen[0];
            }
        }
    }

    /// With the rate that a rotor had before the step, along an axis that stays where it is on both bodies.
    fn rotor_start_terms(&self, stage: &TakenStage<'_, D, N>, index: usize, terms: &mut Terms) {
        let problem = &self.problem.contact;
        let row = D * problem.contacts.len() + index;
        let link = &problem.links[index];
        for (body, own) in link.bodies.iter().zip(&link.jacobian) {
            let Some(body) = *body else { continue };
            for k in 0..N {
                terms.drift[(row, self.n + body * N + k)] -= stage.links[index].bias * own[k];
            }
        }
    }

    /// With the axis of a link.
    fn link_pose_terms(&self, stage: &TakenStage<'_, D, N>, index: usize, terms: &mut Terms) {
        let problem = &self.problem.contact;
        let link = &problem.links[index];
        let (law, impulse) = (&stage.links[index], stage.solution.link_impulses[index]);
        let row = D * problem.contacts.len() + index;
        for (moved, rates) in &self.geometry.links[index] {
            for k in 0..N {
                let column = moved * N + k;
                terms.drift[(row, column)] += law.bias * rates.bias[k];
                for ((body, rows), own) in link.bodies.iter().zip(&rates.rows).zip(&link.jacobian) {
                    let Some(body) = *body else { continue };
                    let change = rows.column(k).into_owned();
                    let response = 2.0 * own.dot(&(problem.inverse_mass[body] * change));
                    terms.direct[(row, column)] += law.response * response * impulse;
                    terms.drift[(row, column)] += change.dot(&stage.solution.velocity[body]);
                    add(&mut terms.base, body, column, &(problem.inverse_mass[body] * change * impulse));
                }
            }
        }
    }

    /// With the inputs that masses and the laws of joints change with.
    fn link_input_terms(&self, stage: &TakenStage<'_, D, N>, index: usize, terms: &mut Terms) {
        let problem = &self.problem.contact;
        let link = &problem.links[index];
        let (law, impulse) = (&stage.links[index], stage.solution.link_impulses[index]);
        let row = D * problem.contacts.len() + index;
        for (j, input) in self.inputs.iter().enumerate() {
            let column = 2 * self.n + j;
            let LinkLawRates { bias, compliance, most } = input.link(index);
            terms.drift[(row, column)] += law.bias * bias;
            terms.direct[(row, column)] += impulse * compliance;
            // At a bound the impulse goes with it.
            let own = if law.is_at_bound { most * impulse.signum() } else { 0.0 };
            for (body, jacobian) in link.bodies.iter().zip(&link.jacobian) {
                if let Some(body) = *body {
                    let change = input.inverse_mass[body] * jacobian;
                    terms.direct[(row, column)] += law.response * jacobian.dot(&change) * impulse;
                    let pushed = change * impulse + problem.inverse_mass[body] * jacobian * own;
                    add(&mut terms.base, body, column, &pushed);
                }
            }
        }
    }
}

use nalgebra::DMatrix;

use super::{
    Block, BlockMatrix, Cone, Contact, Pattern, Problem, Vector,
    evaluation::{Evaluation, Reaction},
};

impl<const D: usize, const N: usize, C: Cone<D>> Problem<D, N, C> {
    /// The cost `l(v)`; `v` has a block per body.
    pub fn cost(&self, v: &[Vector<N>]) -> f64 {
        self.evaluate(v).cost
    }

    /// The gradient `A (v - v*) - J' gamma - J_e' gamma_e`, a block per body.
    pub fn gradient(&self, v: &[Vector<N>]) -> Vec<Vector<N>> {
        self.evaluate(v).gradient
    }

    /// The Hessian `A + J_e' R_e^-1 J_e + J' G J` as a dense matrix; where two regions meet, that
    /// of the one that [`Cone::project`] names.
    pub fn hessian(&self, v: &[Vector<N>]) -> DMatrix<f64> {
        let (pattern, edges) = Pattern::new(self.inertia.len(), self.couplings());
        let mut hessian = BlockMatrix::default();
        hessian.reset(&self.inertia, &pattern);
        for (contact, &edge) in self.contacts.iter().zip(&edges).filter(|(contact, _)| contact.active) {
            let y = contact.unprojected(v);
            let stiffness = contact.cone.stiffness(&y, &contact.cone.project(&y));
            hessian.add_congruence(&contact.jacobian, &stiffness, edge);
        }
        for (equality, &edge) in self.equalities.iter().zip(&edges[self.contacts.len()..]) {
            hessian.add_congruence(&equality.jacobian, &Block::<1>::new(equality.stiffness), edge);
        }
        hessian.to_dense(&pattern)
    }

    fn evaluate(&self, v: &[Vector<N>]) -> Evaluation<N> {
        let is_active = |(_, contact): &(usize, &Contact<D, N, C>)| contact.active;
        let active: Vec<usize> =
            self.contacts.iter().enumerate().filter(is_active).map(|(index, _)| index).collect();
        let mut reactions = vec![Reaction::none(); active.len()];
        let mut evaluation = Evaluation::default();
        evaluation.set_weights(self);
        evaluation.update(self, &active, v, &mut reactions);
        evaluation
    }
}

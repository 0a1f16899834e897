use nalgebra::{SMatrix, SVector};

use super::{
    block_lu::{BlockLu, Place},
    linear::LinearSystem,
    link_barrier::{LinkBarrier, LinkProducts},
    small::{add_outer, times_block},
};
use crate::{
    contact::scaled::{BodyOperator, NOBODY, Operator, ScaledLink},
    convex::Pattern,
};

/// The v-form `(1 + J' D J + L'L/(c + delta)) dv = J' e - L' miss/(c + delta)`, `du = J dv`, by block
/// LU over the bodies' graph. Links enter as rows with the proximal term for a compliance. Those with bounds follow a path
/// between them ([`LinkBarrier`]), or go by the natural map: one whose impulse is beyond a bound goes there, and answers to
/// nothing.
#[derive(Debug, Clone)]
pub(in crate::contact) struct BodySystem<const D: usize, const N: usize> {
    pub operator: BodyOperator<D, N>,
    /// What the graph was made for: the bodies that contacts and links join.
    couplings: Vec<[usize; 2]>,
    bodies: usize,
    lu: Option<BlockLu<N>>,
    /// Where each coupling of two bodies is stored.
    places: Vec<Option<Place>>,
    dv: Vec<SVector<f64, N>>,
    /// Change of the links' impulses in the last solution.
    link_steps: Vec<f64>,
    /// `1/(c + delta)` of each link, on the path `1/(c + K + delta)`; 0 for what answers to nothing.
    stiffness: Vec<f64>,
    /// Of each link, where some are bounded and the path is followed.
    barriers: Vec<LinkBarrier>,
    /// Whether links go along the path.
    on_path: bool,
    /// At which products.
    tau: f64,
    /// Step of each link that answers to nothing.
    held: Vec<Option<f64>>,
}

impl<const D: usize, const N: usize> Default for BodySystem<D, N> {
    fn default() -> Self {
        Self {
            operator: BodyOperator::default(),
            couplings: Vec::new(),
            bodies: 0,
            lu: None,
            places: Vec::new(),
            dv: Vec::new(),
            link_steps: Vec::new(),
            stiffness: Vec::new(),
            barriers: Vec::new(),
            on_path: false,
            tau: 0.0,
            held: Vec::new(),
        }
    }
}

impl<const D: usize, const N: usize> BodySystem<D, N> {
    /// Makes the symbolic work anew where the graph changed.
    pub fn analyse(&mut self) {
        self.barriers.clear();
        self.on_path = false;
        let operator = &self.operator;
        let of_contacts = operator.contacts.iter().map(|contact| contact.bodies);
        let couplings = of_contacts.chain(operator.links.iter().map(|link| link.bodies));
        let bodies = operator.bodies();
        if self.lu.is_some() && self.bodies == bodies && couplings.clone().eq(self.couplings.iter().copied())
        {
            return;
        }
        self.bodies = bodies;
        self.couplings.clear();
        self.couplings.extend(couplings);
        let pairs = self.couplings.iter().map(|&[first, second]| match (first, second) {
            (NOBODY, NOBODY) => (0, None),
            (NOBODY, body) | (body, NOBODY) => (body, None),
            (first, second) => (first, Some(second)),
        });
        let (pattern, edges) = Pattern::new(bodies, pairs);
        let lu = BlockLu::new(&pattern);
        self.places.clear();
        self.places.extend(
            edges
                .iter()
                .zip(&self.couplings)
                .map(|(edge, &[first, second])| edge.map(|edge| lu.place(edge, first, second))),
        );
        self.lu = Some(lu);
        self.dv.clear();
        self.dv.resize(bodies, SVector::zeros());
    }

    /// What the equations of links on a path miss at products `tau`.
    #[cfg(test)]
    pub fn barrier_equations(&self, tau: f64) -> Vec<f64> {
        let links = self.barriers.iter().zip(&self.operator.link_impulses).enumerate();
        links
            .flat_map(|(index, (barrier, impulse))| {
                barrier.equations(*impulse, self.operator.link_rate(index), tau)
            })
            .collect()
    }

    /// Has the links follow a path, where some of them are bounded: `start` gives barrier and impulse from bounds, impulse
    /// and rate.
    fn start_path(&mut self, start: impl Fn([f64; 2], f64, f64) -> (LinkBarrier, f64)) {
        let Self { operator, barriers, on_path, .. } = self;
        barriers.clear();
        *on_path = operator.links.iter().any(ScaledLink::is_bounded);
        if !*on_path {
            return;
        }
        for index in 0..operator.links.len() {
            let link = &operator.links[index];
            let (barrier, impulse) = if link.is_bounded() {
                start(link.bounds, operator.link_impulses[index], operator.link_rate(index))
            } else {
                (LinkBarrier::centred(link.bounds, 0.0).0, operator.link_impulses[index])
            };
            barriers.push(barrier);
            operator.link_impulses[index] = impulse;
        }
    }
}

impl<const D: usize, const N: usize> LinearSystem<D> for BodySystem<D, N> {
    type Operator = BodyOperator<D, N>;

    fn operator(&self) -> &BodyOperator<D, N> {
        &self.operator
    }

    fn operator_mut(&mut self) -> &mut BodyOperator<D, N> {
        &mut self.operator
    }

    fn factor(&mut self, blocks: &[SMatrix<f64, D, D>], delta: f64) -> bool {
        let Self { operator, lu: Some(lu), places, stiffness, barriers, on_path, held, .. } = self else {
            return false;
        };
        lu.reset();
        for ((contact, block), place) in operator.contacts.iter().zip(blocks).zip(places.iter()) {
            let [first, second] = contact.bodies;
            let [rows, other_rows] = &contact.rows;
            if first != NOBODY {
                let left = times_block(rows, block);
                add_outer(lu.diagonal_mut(first), &left, rows);
                if let Some(place) = place {
                    let other_left = times_block(other_rows, block);
                    let [above, below] = lu.coupling_mut(*place);
                    add_outer(above, &left, other_rows);
                    add_outer(below, &other_left, rows);
                    add_outer(lu.diagonal_mut(second), &other_left, other_rows);
                }
            } else if second != NOBODY {
                add_outer(lu.diagonal_mut(second), &times_block(other_rows, block), other_rows);
            }
        }
        stiffness.clear();
        held.clear();
        let links = operator.links.iter().zip(&places[operator.contacts.len()..]).enumerate();
        for (index, (link, place)) in links {
            let impulse = operator.link_impulses[index];
            let (curvature, hold) = match barriers.get(index) {
                Some(barrier) if *on_path => {
                    (barrier.curvature(impulse), barrier.is_fixed().then_some(link.bounds[0] - impulse))
                }
                _ => (0.0, operator.bound_reached(index).map(|bound| bound - impulse)),
            };
            held.push(hold);
            if hold.is_some() {
                stiffness.push(0.0);
                continue;
            }
            let stiff = 1.0 / (link.compliance + curvature + delta);
            stiffness.push(stiff);
            let [first, second] = link.bodies;
            let lefts = link.rows.map(|row| row * stiff);
            for ((&body, left), row) in link.bodies.iter().zip(&lefts).zip(&link.rows) {
                if body != NOBODY {
                    add_outer(lu.diagonal_mut(body), left, row);
                }
            }
            if let (Some(place), true, true) = (place, first != NOBODY, second != NOBODY) {
                let [above, below] = lu.coupling_mut(*place);
                add_outer(above, &lefts[0], &link.rows[1]);
                add_outer(below, &lefts[1], &link.rows[0]);
            }
        }
        lu.factor()
    }

    fn solve(
        &mut self,
        blocks: &[SMatrix<f64, D, D>],
        e: &[SVector<f64, D>],
        dr: &mut [SVector<f64, D>],
        du: &mut [SVector<f64, D>],
    ) {
        let Self { operator, lu: Some(lu), dv, link_steps, stiffness, barriers, held, .. } = self else {
            return;
        };
        let (on_path, tau) = (self.on_path, self.tau);
        dv.fill(SVector::zeros());
        for (contact, e) in operator.contacts.iter().zip(e) {
            for (&body, rows) in contact.bodies.iter().zip(&contact.rows) {
                if body != NOBODY {
                    dv[body] += rows * e;
                }
            }
        }
        link_steps.clear();
        for (index, (link, stiffness)) in operator.links.iter().zip(stiffness.iter()).enumerate() {
            let push = match barriers.get(index) {
                Some(barrier) if on_path => barrier.push(operator.link_impulses[index], tau),
                _ => 0.0,
            };
            let step = held[index].unwrap_or(-(operator.link_rate(index) + push) * stiffness);
            link_steps.push(step);
            for (&body, row) in link.bodies.iter().zip(&link.rows) {
                if body != NOBODY {
                    dv[body] += row * step;
                }
            }
        }
        lu.solve(dv);
        for ((step, link), stiffness) in link_steps.iter_mut().zip(&operator.links).zip(stiffness.iter()) {
            for (&body, row) in link.bodies.iter().zip(&link.rows) {
                if body != NOBODY {
                    *step -= stiffness * row.dot(&dv[body]);
                }
            }
        }
        if on_path {
            let impulses = operator.link_impulses.iter().zip(link_steps.iter());
            for (barrier, (impulse, step)) in barriers.iter_mut().zip(impulses) {
                barrier.follow(*impulse, *step, tau);
            }
        }
        for ((((contact, block), e), dr), du) in
            operator.contacts.iter().zip(blocks).zip(e).zip(dr.iter_mut()).zip(du.iter_mut())
        {
            let mut change = SVector::zeros();
            for (&body, rows) in contact.bodies.iter().zip(&contact.rows) {
                if body != NOBODY {
                    change += rows.tr_mul(&dv[body]);
                }
            }
            *du = change;
            *dr = e - block * change;
        }
    }

    fn is_reversed(&self) -> bool {
        self.lu.as_ref().is_some_and(BlockLu::is_reversed)
    }

    fn centre_links(&mut self, product: f64) {
        self.start_path(|bounds, _, _| LinkBarrier::centred(bounds, product));
    }

    fn enter_links(&mut self, least: f64) {
        self.start_path(|bounds, impulse, rate| LinkBarrier::near(bounds, impulse, rate, least));
    }

    fn leave_path_of_links(&mut self, leave: bool) {
        self.on_path = !leave && !self.barriers.is_empty();
    }

    fn aim_links(&mut self, tau: f64) {
        self.tau = tau;
    }

    fn link_products(&self, alpha: f64) -> LinkProducts {
        let mut products = LinkProducts::NONE;
        if self.on_path {
            for (index, barrier) in self.barriers.iter().enumerate() {
                let step = if alpha > 0.0 { self.link_steps[index] } else { 0.0 };
                barrier.add_products(self.operator.link_impulses[index], step, alpha, &mut products);
            }
        }
        products
    }

    fn longest_link_step(&self) -> f64 {
        if !self.on_path {
            return f64::INFINITY;
        }
        let links = self.barriers.iter().zip(self.operator.link_impulses.iter().zip(&self.link_steps));
        links
            .map(|(barrier, (impulse, step))| barrier.longest_step(*impulse, *step))
            .fold(f64::INFINITY, f64::min)
    }

    fn advance_links(&mut self, alpha: f64) {
        if self.on_path {
            self.barriers.iter_mut().for_each(|barrier| barrier.advance(alpha));
        }
        for (impulse, step) in self.operator.link_impulses.iter_mut().zip(&self.link_steps) {
            *impulse += alpha * step;
        }
    }

    fn link_impulses(&self) -> &[f64] {
        &self.operator.link_impulses
    }

    fn set_link_impulses(&mut self, impulses: &[f64]) {
        if impulses.is_empty() {
            self.operator.link_impulses.fill(0.0);
        } else {
            self.operator.link_impulses.copy_from_slice(impulses);
        }
    }

    fn load(&mut self, impulses: &[SVector<f64, D>], r: &mut Vec<SVector<f64, D>>) {
        self.operator.scale((impulses, &self.operator.link_impulses.clone()), r);
        // The links answer to the impulses; sweeps over them alone converge to their equations.
        self.operator.start_sweeps(r);
        for _ in 0..300 {
            self.operator.sweep_links();
        }
    }
}

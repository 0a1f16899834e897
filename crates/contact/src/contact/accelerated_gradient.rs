use nalgebra::SVector;

use super::{
    Residuals,
    friction_cone::{augmented, project},
    scaled::Operator,
    structured::linear::LinearSystem,
};

/// Iterations of the power method for the largest eigenvalue of `W`, and what is added to it, because it comes from below.
const POWERS: u32 = 20;
const MARGIN: f64 = 1.1;
/// Iterations between two looks at the residual.
const ITERATIONS_PER_CHECK: u32 = 10;

/// Accelerated projected gradients over the cones, the shift `mu |u_t| n` of Coulomb's law anew in each iteration:
///
/// ```text
/// r <- P_K(y - (u + mu |u_t| n)/L),   u = W y + q
/// y <- r + (theta - 1)/theta' (r - r_before),   theta' = (1 + sqrt(1 + 4 theta^2))/2
/// ```
///
/// with `theta = 1` again where a step turns back (Mazhar, Heyn, Negrut and Tasora 2015; O'Donoghue and Candes 2015). Links
/// are unknowns without bounds.
#[derive(Debug, Clone)]
pub(super) struct AcceleratedGradient<const D: usize> {
    r: Vec<SVector<f64, D>>,
    links: Vec<f64>,
    y: Vec<SVector<f64, D>>,
    y_links: Vec<f64>,
    u: Vec<SVector<f64, D>>,
    free: Vec<SVector<f64, D>>,
    free_links: Vec<f64>,
}

impl<const D: usize> Default for AcceleratedGradient<D> {
    fn default() -> Self {
        Self {
            r: Vec::new(),
            links: Vec::new(),
            y: Vec::new(),
            y_links: Vec::new(),
            u: Vec::new(),
            free: Vec::new(),
            free_links: Vec::new(),
        }
    }
}

impl<const D: usize> AcceleratedGradient<D> {
    /// Iterates from `best` and the links of `system`, whose residuals are `residuals`, until they are accepted; the best point
    /// is then there. Gives the iterations.
    pub fn run(
        &mut self,
        system: &mut impl LinearSystem<D>,
        best: &mut [SVector<f64, D>],
        mut residuals: Residuals,
        (tolerance, most): (f64, u32),
    ) -> u32 {
        let Self { r, links, y, y_links, u, .. } = self;
        let friction = system.operator().friction().to_vec();
        let mut best_links = system.link_impulses().to_vec();
        r.clear();
        r.extend_from_slice(best);
        links.clone_from(&best_links);
        y.clone_from(r);
        y_links.clone_from(links);
        u.clear();
        u.resize(r.len(), SVector::zeros());
        let rate = 1.0 / self.largest_eigenvalue(system);
        let Self { r, links, y, y_links, u, .. } = self;
        let (mut theta, mut iterations) = (1.0_f64, 0);
        while iterations < most && rate.is_finite() {
            system.set_link_impulses(y_links);
            system.operator_mut().velocities(y, u);
            let next = 0.5 * (1.0 + (1.0 + 4.0 * theta * theta).sqrt());
            let momentum = (theta - 1.0) / next;
            let mut turned = 0.0;
            for ((r, y), (u, &mu)) in r.iter_mut().zip(y.iter_mut()).zip(u.iter().zip(&friction)) {
                let moved = project(mu, &(*y - augmented(mu, u) * rate));
                let change = moved - *r;
                turned += (*y - moved).dot(&change);
                *y = moved + change * momentum;
                *r = moved;
            }
            for (index, (link, y)) in links.iter_mut().zip(y_links.iter_mut()).enumerate() {
                let operator = system.operator();
                let moved = operator.within_bounds(index, *y - operator.rate_of_link(index) * rate);
                let change = moved - *link;
                turned += (*y - moved) * change;
                *y = moved + change * momentum;
                *link = moved;
            }
            theta = next;
            if turned > 0.0 {
                theta = 1.0;
                y.copy_from_slice(r);
                y_links.copy_from_slice(links);
            }
            iterations += 1;
            if iterations % ITERATIONS_PER_CHECK == 0 {
                system.set_link_impulses(links);
                system.operator_mut().velocities(r, u);
                let found = system.operator().residuals(r, u);
                if !found.max().is_finite() {
                    break;
                }
                if found.max() < residuals.max() {
                    residuals = found;
                    best.copy_from_slice(r);
                    best_links.copy_from_slice(links);
                }
                if system.operator().accepts(&residuals, tolerance) {
                    break;
                }
            }
        }
        system.set_link_impulses(&best_links);
        iterations
    }

    /// That of `W` with its links, from above; `y` and its links are as they were.
    fn largest_eigenvalue(&mut self, system: &mut impl LinearSystem<D>) -> f64 {
        let Self { r, links, y, y_links, u, free, free_links } = self;
        y.fill(SVector::zeros());
        y_links.fill(0.0);
        system.set_link_impulses(y_links);
        system.operator_mut().velocities(y, u);
        free.clone_from(u);
        free_links.clear();
        free_links.extend((0..links.len()).map(|index| system.operator().rate_of_link(index)));
        // Not at right angles to anything.
        for (i, y) in y.iter_mut().enumerate() {
            *y = SVector::from_fn(|k, _| 1.0 + 0.1 * ((D * i + k) as f64).sin());
        }
        y_links.fill(1.0);
        let mut largest = 1.0;
        for _ in 0..POWERS {
            let squares = y.iter().map(SVector::norm_squared).sum::<f64>();
            let size = (squares + y_links.iter().map(|link| link * link).sum::<f64>()).sqrt();
            y.iter_mut().for_each(|y| *y /= size);
            y_links.iter_mut().for_each(|link| *link /= size);
            system.set_link_impulses(y_links);
            system.operator_mut().velocities(y, u);
            y.iter_mut().zip(u.iter()).zip(free.iter()).for_each(|((y, u), free)| *y = u - free);
            for (index, (link, free)) in y_links.iter_mut().zip(free_links.iter()).enumerate() {
                *link = system.operator().rate_of_link(index) - free;
            }
            let squares = y.iter().map(SVector::norm_squared).sum::<f64>();
            largest = (squares + y_links.iter().map(|link| link * link).sum::<f64>()).sqrt();
        }
        y.copy_from_slice(r);
        y_links.copy_from_slice(links);
        MARGIN * largest
    }
}

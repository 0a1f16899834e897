//! Random contact problems: towers, walls, chains, piles, unstructured graphs.

use nalgebra::{SMatrix, SVector};
use stickslip_base::random::Random;
use stickslip_contact::contact::{Contact, ContactProblem};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Boxes on top of each other.
    Tower,
    /// Bricks in rows, each row half a brick further.
    Wall,
    /// Boxes side by side on the ground, touching.
    Chain,
    /// Discs or spheres.
    Pile,
    /// Bodies joined at random points in random directions.
    Graph,
}

impl Kind {
    pub const ALL: [Self; 5] = [Self::Tower, Self::Wall, Self::Chain, Self::Pile, Self::Graph];
}

/// What a problem is made with.
#[derive(Debug, Clone, Copy)]
pub struct Recipe {
    pub kind: Kind,
    /// About how many contacts.
    pub contacts: usize,
    pub friction: f64,
    pub restitution: f64,
    /// Largest ratio of masses.
    pub mass_ratio: f64,
    /// Velocities before the step in units of what gravity adds in it.
    pub agitation: f64,
    pub seed: u64,
}

impl Recipe {
    /// Recipe `index` of a campaign, alternating kinds: friction .05 to 2.25, mass ratio up to 1000,
    /// restitution 0, .3 or .6, 4 to 230 contacts.
    pub fn random(index: u64, campaign: u64) -> Self {
        let mut random = Random::seeded(campaign.wrapping_mul(1_000_003) + index);
        let log_uniform =
            |random: &mut Random, low: f64, high: f64| low * (high / low).powf(random.uniform(0.0, 1.0));
        let kind = Kind::ALL[index as usize % Kind::ALL.len()];
        let friction =
            if index.is_multiple_of(3) { random.uniform(1.0, 2.25) } else { random.uniform(0.05, 1.0) };
        let restitution = if kind == Kind::Graph { 0.0 } else { [0.0, 0.3, 0.6][random.below(3)] };
        Self {
            kind,
            contacts: log_uniform(&mut random, 4.0, 230.0) as usize,
            friction,
            restitution,
            mass_ratio: log_uniform(&mut random, 1.0, 1000.0),
            agitation: [0.0, 1.0, 10.0][random.below(3)],
            seed: index,
        }
    }

    /// The problem in the space of `D` dimensions, `N = D (D + 1)/2`.
    pub fn problem<const D: usize, const N: usize>(&self) -> ContactProblem<D, N> {
        let mut scene =
            Scene::<D, N> { bodies: Vec::new(), contacts: Vec::new(), random: Random::seeded(self.seed) };
        match self.kind {
            Kind::Tower => scene.tower(self.contacts.div_ceil(2 * (D - 1)).max(1), self.mass_ratio),
            Kind::Wall => scene.wall(self.contacts, self.mass_ratio),
            Kind::Chain => scene.chain((self.contacts / (4 * (D - 1)) + 1).max(1), self.mass_ratio),
            Kind::Pile => scene.pile(self.contacts, self.mass_ratio),
            Kind::Graph => scene.graph(self.contacts, self.mass_ratio),
        }
        scene.finish(self)
    }
}

struct Body<const D: usize> {
    position: SVector<f64, D>,
    /// Half widths; a ball has its radius in all of them.
    half: SVector<f64, D>,
    mass: f64,
}

struct Touch<const D: usize> {
    bodies: [Option<usize>; 2],
    point: SVector<f64, D>,
    /// From the second body into the first.
    normal: SVector<f64, D>,
}

struct Scene<const D: usize, const N: usize> {
    bodies: Vec<Body<D>>,
    contacts: Vec<Touch<D>>,
    random: Random,
}

const GRAVITY_STEP: f64 = 9.81e-3;

impl<const D: usize, const N: usize> Scene<D, N> {
    fn add_box(&mut self, position: SVector<f64, D>, half: SVector<f64, D>, ratio: f64) -> usize {
        let mass = ratio.powf(self.random.uniform(0.0, 1.0));
        self.bodies.push(Body { position, half, mass });
        self.bodies.len() - 1
    }

    fn vertical(length: f64) -> SVector<f64, D> {
        let mut vector = SVector::zeros();
        vector[D - 1] = length;
        vector
    }

    /// Contacts at the corners of the patch that two boxes share across `axis`, `upper` on the
    /// positive side; without `lower` the ground.
    fn join(&mut self, upper: usize, lower: Option<usize>, axis: usize) {
        let patch = |scene: &Self, k: usize| {
            let body = &scene.bodies[upper];
            let (mut low, mut high) = (body.position[k] - body.half[k], body.position[k] + body.half[k]);
            if let Some(lower) = lower {
                let other = &scene.bodies[lower];
                low = low.max(other.position[k] - other.half[k]);
                high = high.min(other.position[k] + other.half[k]);
            }
            [low, high]
        };
        let face = self.bodies[upper].position[axis] - self.bodies[upper].half[axis];
        let others: Vec<usize> = (0..D).filter(|&k| k != axis).collect();
        for corner in 0..1 << (D - 1) {
            let mut point = SVector::zeros();
            point[axis] = face;
            for (bit, &k) in others.iter().enumerate() {
                point[k] = patch(self, k)[(corner >> bit) & 1];
            }
            let mut normal = SVector::zeros();
            normal[axis] = 1.0;
            self.contacts.push(Touch { bodies: [Some(upper), lower], point, normal });
        }
    }

    fn half(&mut self, spread: f64) -> SVector<f64, D> {
        SVector::from_fn(|_, _| self.random.uniform(0.5 * (1.0 - spread), 0.5 * (1.0 + spread)))
    }

    fn tower(&mut self, bodies: usize, ratio: f64) {
        let mut top = 0.0;
        let mut below = None;
        for _ in 0..bodies {
            let half = self.half(0.3);
            let mut position = SVector::from_fn(|_, _| self.random.uniform(-0.05, 0.05));
            position[D - 1] = top + half[D - 1];
            top += 2.0 * half[D - 1];
            let body = self.add_box(position, half, ratio);
            self.join(body, below, D - 1);
            below = Some(body);
        }
    }

    fn wall(&mut self, contacts: usize, ratio: f64) {
        let corners = 1 << (D - 1);
        // A full row of k bricks has 2 k - 1 overlaps with the row below.
        let width = ((contacts as f64 / (2.0 * corners as f64)).sqrt() * 1.2).ceil().max(1.0) as usize;
        let mut row = 0;
        let mut below: Vec<usize> = Vec::new();
        while self.contacts.len() + corners / 2 < contacts {
            let mut current = Vec::new();
            for column in 0..width {
                if self.contacts.len() >= contacts {
                    break;
                }
                let mut half = SVector::from_element(0.5);
                half[0] = 1.0;
                let mut position = SVector::zeros();
                position[0] = 2.0 * column as f64 + (row % 2) as f64;
                position[D - 1] = row as f64 + 0.5;
                let body = self.add_box(position, half, ratio);
                current.push(body);
                if row == 0 {
                    self.join(body, None, D - 1);
                }
                for &lower in &below {
                    if (self.bodies[lower].position[0] - position[0]).abs() < 1.5 {
                        self.join(body, Some(lower), D - 1);
                    }
                }
            }
            below = current;
            row += 1;
        }
    }

    fn chain(&mut self, bodies: usize, ratio: f64) {
        let mut end = 0.0;
        let mut before = None;
        for _ in 0..bodies {
            let half = self.half(0.2);
            let mut position = Self::vertical(half[D - 1]);
            position[0] = end + half[0];
            end += 2.0 * half[0];
            let body = self.add_box(position, half, ratio);
            self.join(body, None, D - 1);
            if before.is_some() {
                self.join(body, before, 0);
            }
            before = Some(body);
        }
    }

    fn pile(&mut self, contacts: usize, ratio: f64) {
        let count = (contacts as f64 / if D == 2 { 1.9 } else { 2.6 }).ceil().max(2.0) as usize;
        let across = (count as f64).powf(1.0 / D as f64) * if D == 2 { 1.1 } else { 1.05 };
        // Balls at random, each as low as it gets among three tries.
        for _ in 0..count {
            let radius = self.random.uniform(0.4, 0.6);
            let mut lowest: Option<SVector<f64, D>> = None;
            for _ in 0..3 {
                let mut position = SVector::from_fn(|_, _| self.random.uniform(0.0, across));
                position[D - 1] = self.resting_height(&position, radius);
                if lowest.is_none_or(|lowest| position[D - 1] < lowest[D - 1]) {
                    lowest = Some(position);
                }
            }
            if let Some(position) = lowest {
                self.add_box(position, SVector::from_element(radius), ratio);
            }
        }
        for a in 0..self.bodies.len() {
            let (position, radius) = (self.bodies[a].position, self.bodies[a].half[0]);
            if position[D - 1] < 1.15 * radius {
                let point = position - Self::vertical(radius);
                self.contacts.push(Touch { bodies: [Some(a), None], point, normal: Self::vertical(1.0) });
            }
            for b in 0..a {
                let line = position - self.bodies[b].position;
                let distance = line.norm();
                if distance < 1.15 * (radius + self.bodies[b].half[0]) && distance > 0.0 {
                    let normal = line / distance;
                    let point = self.bodies[b].position + normal * self.bodies[b].half[0];
                    self.contacts.push(Touch { bodies: [Some(a), Some(b)], point, normal });
                }
            }
        }
    }

    /// Where a ball that falls from above at this place comes to touch something.
    fn resting_height(&self, position: &SVector<f64, D>, radius: f64) -> f64 {
        self.bodies.iter().fold(radius, |height, body| {
            let mut across = body.position - position;
            across[D - 1] = 0.0;
            let reach = (radius + body.half[0]).powi(2) - across.norm_squared();
            if reach > 0.0 { height.max(body.position[D - 1] + reach.sqrt()) } else { height }
        })
    }

    fn graph(&mut self, contacts: usize, ratio: f64) {
        let bodies = (contacts as f64 / 2.2).ceil().max(2.0) as usize;
        for _ in 0..bodies {
            let half = self.half(0.5);
            self.add_box(SVector::zeros(), half, ratio);
        }
        for index in 0..contacts {
            let first = index % bodies;
            let mut second = Some(self.random.below(bodies));
            if second == Some(first) || self.random.uniform(0.0, 1.0) < 0.15 {
                second = None;
            }
            let normal = SVector::<f64, D>::from_fn(|_, _| self.random.normal(1.0)).normalize();
            let point = SVector::from_fn(|_, _| self.random.normal(0.4));
            self.contacts.push(Touch { bodies: [Some(first), second], point, normal });
        }
    }

    fn finish(mut self, recipe: &Recipe) -> ContactProblem<D, N> {
        let mut problem = ContactProblem::empty(1e-3);
        let mut before = Vec::new();
        for body in &self.bodies {
            let agitation = recipe.agitation * GRAVITY_STEP;
            let velocity = SVector::<f64, N>::from_fn(|_, _| self.random.normal(agitation));
            let mut free = velocity;
            free[D - 1] -= GRAVITY_STEP;
            before.push(velocity);
            problem.free_velocity.push(free);
            let squares = body.half.component_mul(&body.half);
            let total = squares.sum();
            let inverse = SMatrix::from_fn(|i, j| match (i == j, i < D) {
                (false, _) => 0.0,
                (true, true) => 1.0 / body.mass,
                (true, false) if D == 2 => 3.0 / (body.mass * total),
                (true, false) => 3.0 / (body.mass * (total - squares[i - D])),
            });
            problem.inverse_mass.push(inverse);
        }
        for touch in &self.contacts {
            let mut jacobian = [SMatrix::<f64, D, N>::zeros(); 2];
            for (end, sign) in [(0, 1.0), (1, -1.0)] {
                if let Some(body) = touch.bodies[end] {
                    let arm = touch.point - self.bodies[body].position;
                    for (k, direction) in frame(&touch.normal).iter().enumerate() {
                        jacobian[end].set_row(k, &(row::<D, N>(&arm, direction) * sign).transpose());
                    }
                }
            }
            let approach: f64 = (0..2)
                .filter_map(|end| touch.bodies[end].map(|body| (jacobian[end] * before[body])[0]))
                .sum();
            problem.contacts.push(Contact {
                bodies: touch.bodies,
                jacobian,
                friction: recipe.friction,
                bias: recipe.restitution * approach.min(0.0),
                surface_velocity: SVector::zeros(),
                restitution: 0.0,
                gap: 0.0,
            });
        }
        problem
    }
}

/// The row of velocity along `direction` at `arm` from the centre of mass.
fn row<const D: usize, const N: usize>(
    arm: &SVector<f64, D>,
    direction: &SVector<f64, D>,
) -> SVector<f64, N> {
    let mut row = SVector::zeros();
    for i in 0..D {
        row[i] = direction[i];
    }
    let minor = |i: usize, j: usize| arm[i] * direction[j] - arm[j] * direction[i];
    if D == 2 {
        row[2] = minor(0, 1);
    } else {
        for k in 0..3 {
            row[3 + k] = minor((k + 1) % 3, (k + 2) % 3);
        }
    }
    row
}

/// Normal and tangents.
fn frame<const D: usize>(normal: &SVector<f64, D>) -> [SVector<f64, D>; D] {
    let mut frame = [*normal; D];
    if D == 2 {
        frame[1] = SVector::from_fn(|i, _| if i == 0 { normal[1] } else { -normal[0] });
        return frame;
    }
    let axis = normal.iamin();
    let mut first = SVector::zeros();
    first[axis] = 1.0;
    frame[1] = (first - normal * normal[axis]).normalize();
    let second = SVector::from_fn(|k, _| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        normal[i] * frame[1][j] - normal[j] * frame[1][i]
    });
    frame[D - 1] = second;
    frame
}

//! Newton's method on what contacts do: a few linear systems where pivoting takes a path of bases.

use nalgebra::{SMatrix, SVector};

use super::proximal::ProximalSolver;
use crate::{contact::DenseProblem, lcp::RESIDUAL_TOLERANCE};

/// Steps after which pivoting gets there sooner.
const MOST_STEPS: u32 = 12;

/// An impulse this little below zero, in the unit of the problem, is rounding.
const ROUNDING: f64 = 1e-13;

/// What a contact does: which of the linear pieces of its law holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// It carries nothing.
    Open,
    /// Friction holds it.
    Stick,
    /// It slides, all friction along one direction.
    Along(usize),
    /// It slides across the side of the polygon between two directions, friction divided between them.
    Between(usize, usize),
}

/// The problem of Stewart and Trinkle by Newton's method on the natural map, which is linear piece by piece,
///
/// ```text
/// p = [p - u_n]+,   r_t = P(r_t - rho u_t)   with P the projection onto mu p times the polygon
/// ```
///
/// A step finds which piece each contact is on (its mode), and solves the linear equations of the pieces. Where
/// they no longer change, that is the solution. It begins without impulses, from the numbers of the problem alone.
/// Some problems go round in circles: of random states with one to three contacts every twentieth.
///
/// Where the equations leave the impulses open (four corners of a face), those are taken that contacts of equal
/// and vanishing compliance would have ([`ProximalSolver`]): a load that varies linearly over the face.
///
/// What is found is measured as [`crate::lcp::residual`] measures it, row by row in the problem's own numbers.
#[derive(Debug, Clone)]
pub(super) struct ModeSearch<const D: usize> {
    /// Blocks of `W` column by column, and `q`, each contact in units in which its `W_nn` is 1 and the largest
    /// `q` of all is 1.
    operator: Vec<SMatrix<f64, D, D>>,
    free: Vec<SVector<f64, D>>,
    friction: Vec<f64>,
    modes: Vec<Mode>,
    /// Number of unknowns of each contact, the impulses that they stand for and the velocities that are zero.
    unknowns: Vec<(usize, SMatrix<f64, D, D>, SMatrix<f64, D, D>)>,
    equations: ProximalSolver,
    /// The impulses, the velocities that they lead to, and the sizes of what these are the sums of.
    pub impulses: Vec<SVector<f64, D>>,
    velocities: Vec<SVector<f64, D>>,
    terms: Vec<SVector<f64, D>>,
}

impl<const D: usize> Default for ModeSearch<D> {
    fn default() -> Self {
        Self {
            operator: Vec::new(),
            free: Vec::new(),
            friction: Vec::new(),
            modes: Vec::new(),
            unknowns: Vec::new(),
            equations: ProximalSolver::default(),
            impulses: Vec::new(),
            velocities: Vec::new(),
            terms: Vec::new(),
        }
    }
}

impl<const D: usize> ModeSearch<D> {
    /// Whether `impulses` are now a solution, and after how many steps; `directions` are those of all contacts, one
    /// after the other, `scales` the square roots of `1/W_nn` and `unit` the largest entry of `q` so scaled.
    pub fn search(
        &mut self,
        problem: &DenseProblem<D>,
        directions: &[SVector<f64, D>],
        (scales, unit): (&[f64], f64),
    ) -> (bool, u32) {
        self.load(problem, scales, unit);
        let polygons = || directions.chunks_exact(directions.len() / scales.len());
        self.modes.clear();
        self.modes.resize(scales.len(), Mode::Open);
        for step in 0..MOST_STEPS {
            if !self.find_modes(polygons()) {
                return (false, step);
            }
            if !self.solve(polygons()) {
                return (false, step);
            }
            if self.residual(polygons()) <= RESIDUAL_TOLERANCE {
                return (true, step + 1);
            }
        }
        (false, MOST_STEPS)
    }

    /// Takes the numbers of a problem, and no impulses.
    fn load(&mut self, problem: &DenseProblem<D>, scales: &[f64], unit: f64) {
        let n = scales.len();
        let Self { operator, free, friction, impulses, velocities, .. } = self;
        operator.clear();
        for j in 0..n {
            operator
                .extend((0..n).map(|i| problem.w.fixed_view::<D, D>(D * i, D * j) * (scales[i] * scales[j])));
        }
        free.clear();
        free.extend(scales.iter().enumerate().map(|(i, scale)| problem.free(i) * (scale / unit)));
        friction.clone_from(&problem.friction);
        impulses.clear();
        impulses.resize(n, SVector::zeros());
        velocities.clone_from(free);
    }

    /// The mode of each contact at its impulse and velocity; whether one changed.
    fn find_modes<'a>(&mut self, polygons: impl Iterator<Item = &'a [SVector<f64, D>]>) -> bool {
        let n = self.free.len();
        let mut changed = false;
        for (i, polygon) in polygons.enumerate() {
            let own = &self.operator[n * i + i];
            let (r, u) = (&self.impulses[i], &self.velocities[i]);
            let response = (1..D).map(|k| own[(k, k)]).sum::<f64>() / (D - 1) as f64;
            let mut y = r - u * if response > 0.0 { 1.0 / response } else { 1.0 };
            y[0] = r[0] - u[0];
            let mode = Mode::at(&y, self.friction[i], polygon);
            changed |= std::mem::replace(&mut self.modes[i], mode) != mode;
        }
        changed
    }

    /// Solves the equations of the modes, and computes the velocities anew; `false` where they have no solution.
    fn solve<'a>(&mut self, polygons: impl Iterator<Item = &'a [SVector<f64, D>]>) -> bool {
        let n = self.free.len();
        let Self { operator, free, friction, modes, unknowns, equations, impulses, .. } = self;
        unknowns.clear();
        let of_contacts = modes.iter().zip(friction.iter()).zip(polygons);
        unknowns.extend(of_contacts.map(|((mode, mu), polygon)| mode.unknowns(*mu, polygon)));
        let size = unknowns.iter().map(|(count, ..)| count).sum();
        equations.reset(size);
        let mut column = 0;
        for (j, (width, impulse, _)) in unknowns.iter().enumerate() {
            let mut row = 0;
            for (i, (height, _, velocity)) in unknowns.iter().enumerate() {
                let block = operator[n * j + i];
                for b in 0..*width {
                    let seen = block * impulse.column(b);
                    for a in 0..*height {
                        equations.matrix[size * (column + b) + row + a] = velocity.column(a).dot(&seen);
                    }
                }
                row += height;
            }
            column += width;
        }
        let mut row = 0;
        for ((height, _, velocity), free) in unknowns.iter().zip(free.iter()) {
            for a in 0..*height {
                equations.right[row + a] = -velocity.column(a).dot(free);
            }
            row += height;
        }
        if size > 0 && !equations.solve() {
            return false;
        }
        let mut values = equations.solution.iter();
        for ((width, basis, _), r) in unknowns.iter().zip(impulses.iter_mut()) {
            *r = SVector::zeros();
            for (b, value) in (0..*width).zip(&mut values) {
                *r += basis.column(b) * *value;
            }
            if r[0] < 0.0 && r[0] > -ROUNDING {
                *r = SVector::zeros();
            }
        }
        self.find_velocities();
        true
    }

    fn find_velocities(&mut self) {
        let Self { operator, free, impulses, velocities, terms, .. } = self;
        velocities.clone_from(free);
        terms.clear();
        terms.extend(free.iter().map(|free| free.abs()));
        for (column, r) in operator.chunks_exact(free.len()).zip(impulses.iter()) {
            for ((u, terms), block) in velocities.iter_mut().zip(terms.iter_mut()).zip(column) {
                let change = block * r;
                *u += change;
                *terms += change.abs();
            }
        }
    }

    /// The largest relative residual of a row of the complementarity problem.
    fn residual<'a>(&self, polygons: impl Iterator<Item = &'a [SVector<f64, D>]>) -> f64 {
        let mut largest = 0.0_f64;
        for (i, polygon) in polygons.enumerate() {
            let (r, u, terms) = (&self.impulses[i], &self.velocities[i], &self.terms[i]);
            let bound = self.friction[i] * r[0];
            let share = Share::of(r, polygon);
            // The slip speed that the last row leaves free where all friction is spent.
            let slack = bound - share.sum();
            let spent = slack <= RESIDUAL_TOLERANCE * size(bound + share.sum());
            let slip = |direction: &SVector<f64, D>| -direction.dot(u);
            let gamma = if spent { polygon.iter().map(slip).fold(0.0, f64::max) } else { 0.0 };

            let violation = |value: f64, active: bool| if active { value.abs() } else { (-value).max(0.0) };
            let mut miss = violation(u[0], r[0] > 0.0) / size(terms[0]);
            let tangential = size((1..D).map(|k| terms[k]).fold(f64::INFINITY, f64::min));
            for (k, direction) in polygon.iter().enumerate() {
                let w = direction.dot(u) + gamma;
                miss = miss.max(violation(w, share.is_used(k)) / tangential);
            }
            miss = miss.max(violation(slack, gamma > 0.0) / size(bound + share.sum()));
            let admissible =
                r[0] >= 0.0 && share.is_admissible() && terms.iter().all(|term| term.is_finite());
            largest = if admissible { largest.max(miss) } else { f64::INFINITY };
        }
        largest
    }
}

/// What a violation is measured by, given the sum of the magnitudes of its terms, where the largest `q` is 1.
fn size(terms: f64) -> f64 {
    terms.clamp(1e-4, 1e6)
}

/// The two neighbouring directions that a vector lies between, the nearer one first.
fn sector<const D: usize>(y: &SVector<f64, D>, polygon: &[SVector<f64, D>]) -> (usize, usize) {
    let count = polygon.len();
    let mut nearest = (0, f64::NEG_INFINITY);
    for (k, direction) in polygon.iter().enumerate() {
        let along = direction.dot(y);
        if along > nearest.1 {
            nearest = (k, along);
        }
    }
    let neighbours = [(nearest.0 + 1) % count, (nearest.0 + count - 1) % count];
    let [after, before] = neighbours.map(|k| polygon[k].dot(y));
    (nearest.0, if after >= before { neighbours[0] } else { neighbours[1] })
}

/// Friction as non-negative parts of two neighbouring directions.
struct Share {
    directions: [usize; 2],
    parts: [f64; 2],
}

impl Share {
    /// The parts of the tangential components of `y`.
    fn of<const D: usize>(y: &SVector<f64, D>, polygon: &[SVector<f64, D>]) -> Self {
        let (near, far) = sector(y, polygon);
        let (a, b) = (&polygon[near], &polygon[far]);
        if D == 2 {
            return Self { directions: [near, far], parts: [a.dot(y), 0.0] };
        }
        let cross = |a: &SVector<f64, D>, b: &SVector<f64, D>| a[1] * b[D - 1] - a[D - 1] * b[1];
        let area = cross(a, b);
        let far_part = (cross(a, y) / area).max(0.0);
        Self { directions: [near, far], parts: [cross(y, b) / area, far_part] }
    }

    fn sum(&self) -> f64 {
        self.parts[0] + self.parts[1]
    }

    fn is_used(&self, direction: usize) -> bool {
        // A part that is rounding of the other is none.
        let used = |i: usize| self.directions[i] == direction && self.parts[i] > ROUNDING * self.sum();
        used(0) || used(1)
    }

    fn is_admissible(&self) -> bool {
        self.parts.iter().all(|part| *part >= 0.0)
    }
}

impl Mode {
    /// The piece of the projection that `y`, impulse less velocity, is on.
    pub fn at<const D: usize>(y: &SVector<f64, D>, friction: f64, polygon: &[SVector<f64, D>]) -> Self {
        if y[0] <= 0.0 {
            return Self::Open;
        }
        let bound = friction * y[0];
        let share = Share::of(y, polygon);
        if bound > 0.0 && share.sum() <= bound {
            return Self::Stick;
        }
        let [near, far] = share.directions;
        let side = polygon[far] - polygon[near];
        // How far along the side the nearest point is; the half towards the nearer direction is enough.
        let along = side.dot(&(y - polygon[near] * bound));
        if D == 2 || along <= 0.0 || bound == 0.0 { Self::Along(near) } else { Self::Between(near, far) }
    }

    /// The mode as a number, among so many directions.
    pub fn code(self, count: usize) -> f64 {
        let code = match self {
            Self::Open => 0,
            Self::Stick => 1,
            Self::Along(direction) => 2 + direction,
            Self::Between(near, far) => 2 + count + near * count + far,
        };
        code as f64
    }

    /// The mode of a number that [`Self::code`] gave.
    pub fn of_code(code: f64, count: usize) -> Self {
        match code as usize {
            0 => Self::Open,
            1 => Self::Stick,
            code if code < 2 + count => Self::Along(code - 2),
            code => Self::Between((code - 2 - count) / count, (code - 2 - count) % count),
        }
    }

    /// Whether there are the directions that it names.
    pub fn is_within(self, count: usize) -> bool {
        match self {
            Self::Open | Self::Stick => true,
            Self::Along(direction) => direction < count,
            Self::Between(near, far) => near < count && far < count && near != far,
        }
    }

    /// The projection itself: `p = [y_n]+`, and the point closest to `y_t` of `mu p` times the polygon.
    pub fn project<const D: usize>(
        y: &SVector<f64, D>,
        friction: f64,
        polygon: &[SVector<f64, D>],
    ) -> SVector<f64, D> {
        Self::at(y, friction, polygon).nearest(y, friction, polygon)
    }

    /// The impulse of this mode with the normal part of `y`, closest to it along the tangents.
    pub fn nearest<const D: usize>(
        self,
        y: &SVector<f64, D>,
        friction: f64,
        polygon: &[SVector<f64, D>],
    ) -> SVector<f64, D> {
        let corner = |j: usize| {
            let mut corner = polygon[j] * (friction * y[0]);
            corner[0] = y[0];
            corner
        };
        match self {
            Self::Open => SVector::zeros(),
            Self::Stick => *y,
            Self::Along(direction) => corner(direction),
            Self::Between(near, far) => {
                let (start, side) = (corner(near), polygon[far] - polygon[near]);
                start + side * (side.dot(&(y - start)) / side.norm_squared())
            }
        }
    }

    /// The change of the impulse within the mode that answers to a change of velocity one by one: `dr` of `-dr = D du`.
    pub fn response<const D: usize>(self, friction: f64, polygon: &[SVector<f64, D>]) -> SMatrix<f64, D, D> {
        let along = |j: usize| {
            let mut response = SMatrix::<f64, D, D>::zeros();
            response.set_column(0, &(polygon[j] * friction));
            response[(0, 0)] = 1.0;
            response
        };
        match self {
            Self::Open => SMatrix::zeros(),
            Self::Stick => SMatrix::identity(),
            Self::Along(direction) => along(direction),
            Self::Between(near, far) => {
                let side = polygon[far] - polygon[near];
                along(near) + side * side.transpose() / side.norm_squared()
            }
        }
    }

    /// The number of unknowns, the impulses of one unit of each, and the velocities that have to be zero.
    fn unknowns<const D: usize>(
        self,
        friction: f64,
        polygon: &[SVector<f64, D>],
    ) -> (usize, SMatrix<f64, D, D>, SMatrix<f64, D, D>) {
        let mut impulses = SMatrix::<f64, D, D>::identity();
        let mut velocities = impulses;
        match self {
            Self::Open => (0, impulses, velocities),
            Self::Stick => (D, impulses, velocities),
            Self::Along(direction) => {
                impulses.set_column(0, &(impulses.column(0) + polygon[direction] * friction));
                (1, impulses, velocities)
            }
            Self::Between(near, far) => {
                impulses.set_column(0, &(impulses.column(0) + polygon[near] * friction));
                let side = polygon[far] - polygon[near];
                impulses.set_column(1, &side);
                velocities.set_column(1, &side);
                (2, impulses, velocities)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: [[f64; 3]; 4] = [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]];

    #[test]
    fn every_mode_has_a_number_of_its_own() {
        let mut modes = vec![Mode::Open, Mode::Stick];
        modes.extend((0..4).map(Mode::Along));
        modes.extend((0..16).map(|pair| Mode::Between(pair / 4, pair % 4)));
        for (index, mode) in modes.iter().enumerate() {
            assert_eq!(mode.code(4), index as f64);
            assert_eq!(Mode::of_code(mode.code(4), 4), *mode);
        }
        assert!(!Mode::of_code(1e9, 4).is_within(4) && !Mode::Between(1, 1).is_within(4));
    }

    /// No point of the pyramid is closer along the tangents, and the response is the slope of the projection on each piece.
    #[test]
    fn the_projection_is_the_closest_point_and_its_response_the_slope() {
        let polygon = SQUARE.map(SVector::<f64, 3>::from);
        let friction = 0.5;
        for y in [[2.0, 0.3, 0.2], [1.0, 2.0, 0.1], [1.0, 0.6, 0.5], [1.0, -0.4, 0.5], [-1.0, 0.5, 0.5]] {
            let y = SVector::<f64, 3>::from(y);
            let mode = Mode::at(&y, friction, &polygon);
            let projected = Mode::project(&y, friction, &polygon);
            let bound = friction * projected[0];
            assert!(projected[1].abs() + projected[2].abs() <= bound + 1e-15, "{y}");
            let distance = (projected - y).rows_range(1..).norm();
            for step in 0..400 {
                let (side, along) = (step / 100, f64::from(step % 100) / 100.0);
                let [from, to] = [polygon[side as usize], polygon[(side as usize + 1) % 4]];
                let other = (from * (1.0 - along) + to * along) * bound;
                assert!(y[0] < 0.0 || (other - y).rows_range(1..).norm() >= distance - 1e-12, "{y}");
            }
            if matches!(mode, Mode::Open | Mode::Stick) {
                continue;
            }
            let response = mode.response(friction, &polygon);
            for k in 0..3 {
                let mut step = SVector::<f64, 3>::zeros();
                step[k] = 1e-6;
                let slope = (Mode::project(&(y + step), friction, &polygon)
                    - Mode::project(&(y - step), friction, &polygon))
                    / 2e-6;
                assert!((slope - response.column(k)).rows_range(..1).amax() < 1e-9, "{y}");
                assert!((mode.nearest(&slope, friction, &polygon) - slope).amax() < 1e-9, "{y}");
            }
        }
    }
}

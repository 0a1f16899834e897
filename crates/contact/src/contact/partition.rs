use super::{Contact, ContactProblem};

/// The pieces that a contact problem falls into: bodies that contacts and links join, directly or through
/// others. What cannot move joins nothing.
#[derive(Debug, Clone, Default)]
pub(crate) struct Partition {
    /// For each body another one of its piece, itself for the piece's root.
    parents: Vec<usize>,
    /// Whether each body can move.
    moves: Vec<bool>,
    /// The piece of each root, numbered as its first contact or link comes.
    numbers: Vec<Option<usize>>,
    /// The piece of each contact.
    pub contacts: Vec<usize>,
    /// The piece of each link.
    pub links: Vec<usize>,
    /// How many pieces there are.
    pub count: usize,
}

impl Partition {
    /// Divides `problem`, whose contacts and links must name bodies that it has.
    pub fn divide<const D: usize, const N: usize>(&mut self, problem: &ContactProblem<D, N>) {
        self.divide_joined(problem, &[]);
    }

    /// The same, where these contacts join bodies besides its own.
    pub fn divide_joined<const D: usize, const N: usize>(
        &mut self,
        problem: &ContactProblem<D, N>,
        others: &[Contact<D, N>],
    ) {
        let joined = problem.contacts.iter().chain(others).map(|contact| contact.bodies);
        self.divide_by(problem, joined, problem.contacts.iter().map(|contact| contact.bodies));
    }

    /// The same of these contacts of the problem alone, which are numbered in their order, and its links.
    pub fn divide_among<const D: usize, const N: usize>(
        &mut self,
        problem: &ContactProblem<D, N>,
        which: &[usize],
    ) {
        let contacts = || which.iter().map(|contact| problem.contacts[*contact].bodies);
        self.divide_by(problem, contacts(), contacts());
    }

    /// Divides bodies that what joins them and links connect, and numbers what stands between some of them.
    fn divide_by<const D: usize, const N: usize>(
        &mut self,
        problem: &ContactProblem<D, N>,
        joined: impl Iterator<Item = [Option<usize>; 2]>,
        contacts: impl Iterator<Item = [Option<usize>; 2]>,
    ) {
        self.parents.clear();
        self.parents.extend(0..problem.bodies());
        self.numbers.clear();
        self.numbers.resize(problem.bodies(), None);
        self.contacts.clear();
        self.links.clear();
        self.count = 0;
        // Once for each body: contacts ask again and again.
        self.moves.clear();
        self.moves.extend(problem.inverse_mass.iter().map(|inverse| inverse.amax() > 0.0));
        for bodies in joined.chain(problem.links.iter().map(|link| link.bodies)) {
            if let [Some(first), Some(second)] = self.moving(bodies) {
                self.join(first, second);
            }
        }
        for bodies in contacts {
            let piece = self.piece(self.moving(bodies));
            self.contacts.push(piece);
        }
        for link in &problem.links {
            let piece = self.piece(self.moving(link.bodies));
            self.links.push(piece);
        }
    }

    /// Which bodies are of a piece that holds one of these.
    pub fn with(&mut self, bodies: impl IntoIterator<Item = usize>) -> Vec<bool> {
        let mut holds = vec![false; self.parents.len()];
        for body in bodies.into_iter().filter(|body| self.moves[*body]).collect::<Vec<_>>() {
            holds[self.root(body)] = true;
        }
        (0..self.parents.len()).map(|body| self.moves[body] && holds[self.root(body)]).collect()
    }

    /// Whether there are no pieces but one, of all bodies that move.
    pub fn is_whole(&mut self) -> bool {
        self.count < 2
            && (0..self.moves.len()).all(|body| {
                let root = self.root(body);
                !self.moves[body] || self.numbers[root].is_some()
            })
    }

    /// Those of two bodies that can move.
    fn moving(&self, bodies: [Option<usize>; 2]) -> [Option<usize>; 2] {
        bodies.map(|body| body.filter(|body| self.moves[*body]))
    }

    fn root(&mut self, mut body: usize) -> usize {
        while self.parents[body] != body {
            self.parents[body] = self.parents[self.parents[body]];
            body = self.parents[body];
        }
        body
    }

    fn join(&mut self, first: usize, second: usize) {
        let (first, second) = (self.root(first), self.root(second));
        // The smaller number stays the root, so that pieces do not depend on the order of contacts.
        self.parents[first.max(second)] = first.min(second);
    }

    /// The piece that something between these bodies belongs to; one of its own where neither moves.
    fn piece(&mut self, bodies: [Option<usize>; 2]) -> usize {
        let root = bodies.into_iter().flatten().next().map(|body| self.root(body));
        if let Some(number) = root.and_then(|root| self.numbers[root]) {
            return number;
        }
        let number = self.count;
        self.count += 1;
        if let Some(root) = root {
            self.numbers[root] = Some(number);
        }
        number
    }
}

use super::{Comparison, Entry};
use crate::{
    metrics::max_error,
    trajectory::{Track, Trajectory},
};

/// Distance, as a share of the extent of the motion, below which two trajectories are alike: a
/// thousandth of what a picture can show.
const SAME_PLACE: f64 = 1e-6;

/// Extent in m that counts where the motion has less.
const LEAST_EXTENT: f64 = 1e-3;

/// Difference of two contact forces, as a share of the weight, below which they are alike.
const SAME_FORCE: f64 = 1e-3;

/// Others that a label names.
const MOST_NAMED: usize = 2;

/// Steppers of one family that move the point alike and with like forces, to within a millionth of
/// the extent of the motion and a thousandth of the weight: different roads to the same solution,
/// which one curve and one paragraph describe.
#[derive(Debug, Clone)]
pub struct Alike<'a, const D: usize> {
    /// The first of them, which stands for all.
    pub entry: &'a Entry<D>,
    /// The others.
    pub others: Vec<&'a Entry<D>>,
}

impl<const D: usize> Alike<'_, D> {
    /// What a legend calls them: `lcp, mixed` by their names where they are few, else `lcp and 5 others`.
    pub fn label(&self) -> String {
        let first = &self.entry.trajectory.stepper;
        match self.others.len() {
            0..=MOST_NAMED => {
                [first.to_string()].into_iter().chain(self.formulations()).collect::<Vec<_>>().join(", ")
            }
            count => format!("{first} and {count} others"),
        }
    }

    /// The names of the others without that of their family.
    fn formulations(&self) -> impl Iterator<Item = String> {
        let formulation =
            |name: &'static str| name.split_once(':').map_or(name, |(_, formulation)| formulation);
        self.others.iter().map(move |entry| formulation(entry.trajectory.stepper.as_str()).to_owned())
    }

    /// Says who the others are where the label does not: `on the curve of lcp: direct, mixed, traditional`.
    fn note(&self) -> Option<String> {
        let names = self.formulations().collect::<Vec<_>>().join(", ");
        let is_told = self.others.len() <= MOST_NAMED;
        (!is_told).then(|| format!("on the curve of {}: {names}", self.entry.trajectory.stepper))
    }

    /// The largest distance of the others from the first in m.
    pub fn max_distance(&self) -> f64 {
        let first = &self.entry.trajectory;
        self.others.iter().map(|other| distance(&other.trajectory, first)).fold(0.0, f64::max)
    }
}

impl<const D: usize> Comparison<D> {
    /// The entries in order, those that are alike taken together.
    pub fn alike(&self) -> Vec<Alike<'_, D>> {
        let mut groups: Vec<Alike<'_, D>> = Vec::new();
        for entry in &self.entries {
            let like = |group: &&mut Alike<'_, D>| is_alike(&group.entry.trajectory, &entry.trajectory);
            match groups.iter_mut().find(like) {
                Some(group) => group.others.push(entry),
                None => groups.push(Alike { entry, others: Vec::new() }),
            }
        }
        groups
    }

    /// Says of all formulations that share a curve who they are, where their labels do not; empty if these say all.
    pub fn note_on_alike(&self) -> String {
        self.alike().iter().filter_map(Alike::note).collect::<Vec<_>>().join("; ")
    }
}

/// The largest distance of a body of one trajectory from the same body of the other along an axis, in m.
fn distance<const D: usize>(a: &Trajectory<D>, b: &Trajectory<D>) -> f64 {
    a.tracks().zip(b.tracks()).map(|(a, b)| max_error(a, b).amax()).fold(0.0, f64::max)
}

fn is_alike<const D: usize>(a: &Trajectory<D>, b: &Trajectory<D>) -> bool {
    if a.stepper.family() != b.stepper.family() || a.steps.len() != b.steps.len() {
        return false;
    }
    a.tracks().zip(b.tracks()).all(|(a, b)| moves_alike(a, b))
}

fn moves_alike<const D: usize>(a: Track<'_, D>, b: Track<'_, D>) -> bool {
    let extent = a.states.iter().map(|state| state.position.amax()).fold(LEAST_EXTENT, f64::max);
    let body = a.point();
    let weight = body.mass * body.gravity_norm();
    let forces = a.steps.iter().zip(b.steps);
    max_error(a, b).amax() <= SAME_PLACE * extent
        && forces.map(|(a, b)| (a.force - b.force).amax()).fold(0.0, f64::max) <= SAME_FORCE * weight
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        scenario::{Body, Scenario},
        simulate::simulate,
        stepper::{BuildStepper, StepperName},
    };

    /// A point that slides a metre, and the same motion under another name and tampered with.
    fn is_alike_after(name: StepperName, tamper: impl FnOnce(&mut Trajectory<2>)) -> bool {
        let mut scenario = Scenario::new("alike");
        (scenario.duration, scenario.step) = (0.5, 1e-2);
        scenario.bodies = vec![Body::point(2.0, [0.0, 0.0], [3.0, 0.0])];
        scenario.ground.friction = 0.3;
        let mut stepper = scenario.stepper(StepperName::LCP).expect("admitted");
        let trajectory = simulate(&scenario, stepper.as_mut());
        let mut other = trajectory.clone();
        other.stepper = name;
        tamper(&mut other);
        is_alike(&trajectory, &other)
    }

    #[test]
    fn steppers_of_one_family_are_alike_until_a_place_or_a_force_differs() {
        let name = StepperName::LCP_ANITESCU;
        assert!(is_alike_after(name, |_| ()));
        assert!(!is_alike_after(StepperName::HYBRID, |_| ()), "they are of two families");
        // The point comes to about 1.1 m, and weighs 19.6 N.
        let moved = |by: f64| is_alike_after(name, |other| other.bodies[0].states[20].position[0] += by);
        assert!(moved(0.5e-6) && !moved(2e-6) && !moved(-2e-6));
        let pushed = |by: f64| is_alike_after(name, |other| other.bodies[0].steps[20].force[1] += by);
        assert!(pushed(1e-2) && !pushed(3e-2) && !pushed(-3e-2));
        assert!(!is_alike_after(name, |other| other.steps.truncate(49)), "one of them is shorter");
    }
}

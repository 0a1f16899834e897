//! Drives with a limit and dry friction in joints: links whose impulse is bounded.

use nalgebra::{SMatrix, SVector};
use stickslip_base::random::Random;
use stickslip_contact::contact::{
    Accuracy, AlternatingDirections, ContactModel, ContactProblem, GaussSeidel, Islands, Link, Solution,
    StewartTrinkle, Structured, Vouched, Yardstick,
};

use crate::generator::Recipe;

type Model<const D: usize, const N: usize> = Box<dyn ContactModel<D, N>>;

/// Models, how many random problems they are asked in plane and space each, and how many of these they may not solve: sweeps are
/// slow, and do not end on all; a model that knows no bounds may not find which links are at them.
fn models<const D: usize, const N: usize>() -> Vec<(Model<D, N>, u64, usize)> {
    vec![
        (Box::new(Structured::<D, N>::default()), 250, 0),
        (Box::new(GaussSeidel::<D, N>::default()), 40, 4),
        (Box::new(AlternatingDirections::<D, N>::default()), 40, 4),
        (Box::new(Islands::new(|| Box::new(Structured::<D, N>::default()))), 250, 0),
        (Box::new(Vouched::new(Box::new(Structured::<D, N>::default()))), 250, 5),
        #[cfg(feature = "ipopt")]
        (Box::new(stickslip_contact::contact::Relaxed::<D, N>::default()), 0, 0),
    ]
}

/// A random problem of contacts with one to three bounded links; the bounds are of the size of what would hold the bodies.
fn problem<const D: usize, const N: usize>(seed: u64) -> ContactProblem<D, N> {
    let recipe = Recipe::random(seed, 44);
    let recipe =
        Recipe { contacts: recipe.contacts.min(30), mass_ratio: recipe.mass_ratio.min(30.0), ..recipe };
    let mut problem = recipe.problem::<D, N>();
    let mut random = Random::seeded(1000 + seed);
    let moving: Vec<usize> =
        (0..problem.bodies()).filter(|body| problem.inverse_mass[*body].amax() > 0.0).collect();
    for _ in 0..1 + random.below(3) {
        let mut row = || SVector::<f64, N>::from_fn(|_, _| random.uniform(-1.0, 1.0));
        let jacobian = [row(), row()];
        let first = moving[random.below(moving.len())];
        let second = moving[random.below(moving.len())];
        let second = (second != first && random.uniform(0.0, 1.0) < 0.7).then_some(second);
        let is_soft = random.uniform(0.0, 1.0) < 0.5;
        let mut link = Link {
            bodies: [Some(first), second],
            jacobian,
            bias: 0.0,
            terms: 0.0,
            compliance: 0.0,
            bounds: Link::<N>::UNBOUNDED,
        };
        let response = problem.link_response(&link);
        if is_soft {
            link.compliance = response * random.uniform(0.01, 3.0);
        }
        let rate = problem.link_rate(&link, &problem.free_velocity).abs().max(1e-3);
        link.bias = rate * random.uniform(-1.0, 1.0);
        let size = rate / response;
        let [low, high] = [-1.0, 1.0].map(|sign| sign * size * 10f64.powf(random.uniform(-2.0, 0.5)));
        link.bounds = match random.below(6) {
            0 => [f64::NEG_INFINITY, high],
            1 => [low, f64::INFINITY],
            2 => [0.0, 0.0],
            3 => [0.0, high],
            _ => [low, high],
        };
        problem.links.push(link);
    }
    problem
}

/// Whether impulses and velocities keep to the law of every link, looked at case by case.
fn keep_the_law<const D: usize, const N: usize>(
    problem: &ContactProblem<D, N>,
    solution: &Solution<D, N>,
    slight: f64,
) -> bool {
    problem.links.iter().zip(&solution.link_impulses).all(|(link, &impulse)| {
        let [low, high] = link.bounds;
        let weight = problem.link_response(link);
        let mut rate = link.bias + link.compliance * impulse;
        for (body, row) in link.bodies.iter().zip(&link.jacobian) {
            rate += body.map_or(0.0, |body| row.dot(&solution.velocity[body]));
        }
        let (below, above) = (weight * (impulse - low), weight * (high - impulse));
        below >= -slight
            && above >= -slight
            && (rate.abs() <= slight || (above <= slight && rate < 0.0) || (below <= slight && rate > 0.0))
    })
}

/// How many of the problems are certified, and at how many links a bound is reached.
fn certified<const D: usize, const N: usize>(count: u64, mut model: Model<D, N>) -> (usize, usize) {
    let (mut solved, mut at_bounds) = (0, 0);
    for seed in 0..count {
        let problem = problem::<D, N>(seed);
        let mut solution = Solution::default();
        let Ok(report) = model.solve(&problem, &mut solution) else { continue };
        if report.accuracy != Accuracy::Certified {
            continue;
        }
        let mut yardstick = Yardstick::default();
        yardstick.set(&problem);
        problem.follow(&mut solution);
        let residuals = yardstick.residuals_of_bodies(&problem, &solution);
        assert!(residuals.scaled <= 1e-8, "{}, problem {seed}: {residuals:?}", model.name());
        let heaviest = problem.links.iter().map(|link| problem.link_response(link)).fold(0.0, f64::max);
        let slight = 1e-7 * yardstick.unit() * heaviest.sqrt();
        assert!(keep_the_law(&problem, &solution, slight), "{}, problem {seed}", model.name());
        solved += 1;
        let links = problem.links.iter().zip(&solution.link_impulses);
        at_bounds += links.filter(|(link, impulse)| link.bounds.contains(*impulse)).count();
    }
    (solved, at_bounds)
}

/// The same as `nlp` where a model has another law in space, or is slow.
#[test]
fn models_that_know_no_bounds_find_which_links_are_at_them() {
    let (planar, at_bounds) = certified::<2, 3>(100, Box::new(StewartTrinkle::<2, 3>::default()));
    println!("lcp: {planar} of 100; {at_bounds} links at a bound");
    assert!(planar >= 97 && at_bounds > 100, "{planar} {at_bounds}");
    // With a polygon for the circle of friction links keep to their law all the same.
    let mut model = StewartTrinkle::<3, 6>::default();
    let mut solved = 0;
    for seed in 0..40 {
        let problem = problem::<3, 6>(seed);
        let mut solution = Solution::default();
        if model.solve(&problem, &mut solution).is_err() {
            continue;
        }
        let mut yardstick = Yardstick::default();
        yardstick.set(&problem);
        let heaviest = problem.links.iter().map(|link| problem.link_response(link)).fold(0.0, f64::max);
        assert!(keep_the_law(&problem, &solution, 1e-6 * yardstick.unit() * heaviest.sqrt()), "{seed}");
        solved += 1;
    }
    assert!(solved >= 38, "{solved}");
}

#[test]
fn random_problems_with_bounded_links_are_certified() {
    let asked = models::<2, 3>().into_iter().zip(models::<3, 6>()).filter(|((_, count, _), _)| *count > 0);
    for ((model, count, missing), (other, ..)) in asked {
        let name = model.name().to_owned();
        let (planar, at_bounds) = certified::<2, 3>(count, model);
        let (spatial, others) = certified::<3, 6>(count, other);
        println!("{name}: {planar} and {spatial} of {count}; {} links at a bound", at_bounds + others);
        assert!(planar >= count as usize - missing && spatial >= count as usize - missing, "{name}");
        assert!(at_bounds + others > count as usize, "{name}: {at_bounds} {others}");
    }
}

/// A body of one coordinate, its first, that a link of these laws acts on; gives coordinate and rate after every step.
fn run(
    model: &mut Model<2, 3>,
    (inertia, start): (f64, [f64; 2]),
    (dt, steps): (f64, usize),
    torque: f64,
    mut links: impl FnMut(f64, f64) -> Vec<[f64; 4]>,
) -> Vec<[f64; 2]> {
    let [mut coordinate, mut rate] = start;
    let mut all = vec![start];
    for step in 0..steps {
        let mut problem = ContactProblem::<2, 3>::empty(dt);
        problem.free_velocity.push(SVector::from([rate + dt * torque / inertia, 0.0, 0.0]));
        problem.inverse_mass.push(SMatrix::identity() / inertia);
        problem.links.extend(links(coordinate, dt * step as f64).into_iter().map(
            |[bias, compliance, low, high]| Link {
                bodies: [Some(0), None],
                jacobian: [SVector::from([1.0, 0.0, 0.0]), SVector::zeros()],
                bias,
                terms: 0.0,
                compliance,
                bounds: [low, high],
            },
        ));
        let mut solution = Solution::default();
        model.solve(&problem, &mut solution).unwrap();
        rate = solution.velocity[0][0];
        coordinate += dt * rate;
        all.push([coordinate, rate]);
    }
    all
}

/// Dry friction of 0.5 N m takes 2 rad/s from a door of 1 kg m^2 in 4 s and 4 rad, half a step's way early.
#[test]
fn a_door_with_dry_friction_stops_and_does_not_creep() {
    let dt = 1e-3;
    let rubbing = |_: f64, _: f64| vec![[0.0, 0.0, -0.5 * dt, 0.5 * dt]];
    for (mut model, ..) in models::<2, 3>() {
        let name = model.name().to_owned();
        let way = run(&mut model, (1.0, [0.0, 2.0]), (dt, 5000), 0.0, rubbing);
        let [end, rate] = way[5000];
        assert!((end - (4.0 - dt)).abs() < 1e-6 && rate.abs() < 1e-9, "{name}: {end} {rate}");
        let stop = way.iter().position(|[_, rate]| rate.abs() < 1e-9).unwrap();
        assert!((3999..=4001).contains(&stop), "{name}: {stop}");
        // Under 0.4 N m it does not move at all, under 0.6 N m with what is beyond.
        let held = run(&mut model, (1.0, [0.0, 0.0]), (dt, 100), 0.4, rubbing);
        assert!(held.iter().all(|[coordinate, _]| coordinate.abs() < 1e-12), "{name}");
        let [_, pulled] = run(&mut model, (1.0, [0.0, 0.0]), (dt, 100), 0.6, rubbing)[100];
        assert!((pulled - 0.01).abs() < 1e-9, "{name}: {pulled}");
    }
}

/// A servo of kp 50, kv 2 turns 0.5 kg m^2 towards 1 rad. Truth: the damped oscillation, from rest, and with 10 N m at most
/// the parabola until the servo asks for less, then that oscillation.
#[test]
fn a_servo_with_a_limit_is_late_as_it_should_be() {
    let (dt, kp, kv) = (1e-3, 50.0, 2.0);
    let servo = |most: f64| {
        move |coordinate: f64, _: f64| {
            let stiff = dt * kp + kv;
            vec![[kp * (coordinate - 1.0) / stiff, 1.0 / (dt * stiff), -dt * most, dt * most]]
        }
    };
    for (most, truth, error) in [(f64::INFINITY, 1.384_541_130, 6e-3), (10.0, 1.315_023_02, 3e-3)] {
        for (mut model, ..) in models::<2, 3>() {
            let way = run(&mut model, (0.5, [0.0, 0.0]), (dt, 400), 0.0, servo(most));
            assert!((way[400][0] - truth).abs() < error, "{}, {most}: {}", model.name(), way[400][0]);
        }
    }
}

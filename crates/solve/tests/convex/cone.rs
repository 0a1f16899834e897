//! The projection onto the friction cone and its derivative.

use rand::{RngExt, SeedableRng, rngs::StdRng};
use stickslip_solve::convex::{FrictionCone, Region, Regularization, Vector};

use crate::problems;

const MU: [f64; 5] = [0.0, 0.1, 0.5, 1.0, 2.0];

fn cones() -> impl Iterator<Item = FrictionCone> {
    let pairs = [(1.0, 1.0), (1e-3, 1.0), (1.0, 1e-3), (3e-4, 0.02)];
    MU.into_iter().flat_map(move |mu| {
        pairs.map(|(tangential, normal)| FrictionCone::new(mu, Regularization { tangential, normal }))
    })
}

/// The variational inequality of a projection in the norm R: `gamma` in the cone, `R (gamma - y)`
/// in its dual, the two orthogonal; relative to the size of `y`.
fn assert_is_projection<const D: usize>(cone: &FrictionCone, y: &Vector<D>) {
    let gamma = cone.project(y).impulse;
    let g = cone.scale(&(gamma - y));
    let mu = cone.friction();
    let (size, g_size) = (y.norm(), cone.scale(y).norm());
    let tangent = |x: &Vector<D>| x.as_slice()[..D - 1].iter().map(|x| x * x).sum::<f64>().sqrt();
    let context = format!("mu {mu}, {:?}, y {y:?} -> {gamma:?}", cone.regularization());
    assert!(tangent(&gamma) - mu * gamma[D - 1] <= 1e-12 * size, "outside the cone: {context}");
    assert!(gamma[D - 1] >= -1e-12 * size, "pulls: {context}");
    assert!(mu * tangent(&g) - g[D - 1] <= 1e-12 * g_size, "outside the dual cone: {context}");
    assert!(gamma.dot(&g).abs() <= 1e-12 * size * g_size, "not orthogonal: {context}");
}

fn assert_projects_everywhere<const D: usize>() {
    let mut rng = StdRng::seed_from_u64(1);
    for cone in cones() {
        for _ in 0..500 {
            let scale = 10f64.powf(rng.random_range(-8.0..8.0));
            assert_is_projection(&cone, &(problems::vector::<D>(&mut rng) * scale));
        }
        let mu_hat = cone.friction() * cone.regularization().tangential / cone.regularization().normal;
        for _ in 0..500 {
            for slope in [1.0 / cone.friction().max(1e-300), -mu_hat] {
                let mut on_border = problems::vector::<D>(&mut rng);
                let radius = (on_border.norm_squared() - on_border[D - 1].powi(2)).sqrt();
                on_border[D - 1] = slope * radius;
                if on_border[D - 1].is_finite() && on_border[D - 1] < 1e100 {
                    assert_is_projection(&cone, &on_border);
                }
            }
        }
        assert_is_projection(&cone, &Vector::<D>::zeros());
    }
}

#[test]
fn the_projection_is_optimal_with_one_tangential_direction() {
    assert_projects_everywhere::<2>();
}

#[test]
fn the_projection_is_optimal_with_two_tangential_directions() {
    assert_projects_everywhere::<3>();
}

#[test]
fn a_frictionless_contact_never_pulls() {
    let cone = FrictionCone::new(0.0, Regularization { tangential: 1e-3, normal: 1.0 });
    let pulled = cone.project(&Vector::<2>::new(0.0, -1.0));
    assert_eq!(pulled.region, Region::Open);
    assert_eq!(pulled.impulse, Vector::<2>::zeros());
    let pressed = cone.project(&Vector::<2>::new(0.3, 2.0));
    assert_eq!(pressed.impulse, Vector::<2>::new(0.0, 2.0));
}

#[test]
fn the_projection_is_continuous_across_the_borders() {
    for cone in cones().filter(|cone| cone.friction() > 0.0) {
        let mu_hat = cone.friction() * cone.regularization().tangential / cone.regularization().normal;
        for border in [Vector::<2>::new(-cone.friction(), 1.0), Vector::<2>::new(1.0, -mu_hat)] {
            let step = Vector::<2>::new(0.0, 1e-9);
            let (before, after) = (cone.project(&(border - step)), cone.project(&(border + step)));
            assert_ne!(before.region, after.region);
            // 1e-9 times the condition of R, 1e3
            assert!((before.impulse - after.impulse).norm() <= 1e-5);
        }
    }
}

fn assert_stiffness_is_the_derivative<const D: usize>() {
    let mut rng = StdRng::seed_from_u64(2);
    let mut seen = [0; 3];
    for cone in cones() {
        for _ in 0..200 {
            let y = problems::vector::<D>(&mut rng);
            let projection = cone.project(&y);
            let stiffness = cone.stiffness(&y, &projection);
            let h = 1e-6;
            for j in 0..D {
                // a unit of contact velocity moves y by -R^-1
                let mut axis = Vector::<D>::zeros();
                axis[j] = 1.0;
                let change = cone.unscale(&axis);
                let change = change * (h / change.norm());
                let (ahead, behind) = (cone.project(&(y + change)), cone.project(&(y - change)));
                if ahead.region != projection.region || behind.region != projection.region {
                    continue; // the derivative jumps between the two
                }
                seen[projection.region as usize] += 1;
                let slope = (ahead.impulse - behind.impulse) / (2.0 * h / cone.unscale(&axis).norm());
                let error = (slope - stiffness.column(j)).norm();
                assert!(error <= 1e-6 * stiffness.norm().max(1.0), "{:?}: {error:e}", projection.region);
            }
            let asymmetry = (stiffness - stiffness.transpose()).norm();
            assert!(asymmetry <= 1e-14 * stiffness.norm());
            let direction = problems::vector::<D>(&mut rng);
            assert!(direction.dot(&(stiffness * direction)) >= -1e-14 * stiffness.norm());
        }
    }
    assert!(seen.iter().all(|&count| count > 100), "every region is met: {seen:?}");
}

#[test]
fn the_stiffness_is_the_derivative_of_the_projection() {
    assert_stiffness_is_the_derivative::<2>();
    assert_stiffness_is_the_derivative::<3>();
}

//! The law of one contact, by itself.

use nalgebra::{Matrix2, Matrix3, SMatrix, SVector, Vector2, Vector3};
use num_dual::{Derivative, DualSVec64};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use stickslip_contact::world::{ImpactFriction, ImpactRates, PlanarImpact, SpatialImpact};

use crate::finely;

/// How an end of a rod of 1 m and 1 kg answers that leans by that angle.
fn rod(angle: f64) -> [f64; 3] {
    let (x, z) = (-0.5 * angle.cos(), -0.5 * angle.sin());
    [1.0 + 12.0 * x * x, -12.0 * x * z, 1.0 + 12.0 * z * z]
}

fn impact(response: [f64; 3], [un, ut]: [f64; 2], mu: f64, e: f64) -> PlanarImpact {
    PlanarImpact { response, velocity: [un, ut], friction: ImpactFriction::coulomb(mu), restitution: e }
}

#[test]
fn the_end_of_a_rod_that_strikes_the_ground() {
    let leaning = rod(0.7);
    for (own, expected) in leaning.iter().zip([2.754951, -1.478175, 2.245049]) {
        assert!((own - expected).abs() < 1e-6, "{leaning:?}");
    }
    let eighth = std::f64::consts::FRAC_PI_4;
    let cases = [
        (0.7, [-2.0, 1.0], 0.3, 0.0, [0.686918, -0.072775]),
        (0.7, [-2.0, 1.0], 0.3, 0.5, [1.059320, 0.038945]),
        (0.7, [-2.0, 1.0], 0.3, 1.0, [1.431721, 0.150666]),
        (eighth, [-1.0, 0.3], 0.3, 0.5, [0.648401, 0.114520]),
        (eighth, [-1.0, 0.3], 0.8, 0.5, [0.773411, 0.344047]),
        (eighth, [-1.0, 2.0], 0.3, 0.5, [0.508475, -0.152542]),
        (1.1, [-0.5, -1.0], 2.0, 0.5, [1.069730, 0.679124]),
        (1.1, [-0.0, -1.0], 2.0, 0.0, [0.303186, 0.404312]),
    ];
    for (angle, velocity, mu, e, expected) in cases {
        let impulse = impact(rod(angle), velocity, mu, e).impulse();
        for (own, expected) in impulse.iter().zip(expected) {
            assert!((own - expected).abs() < 1e-6, "{angle} {velocity:?} {mu} {e}: {impulse:?}");
        }
    }
}

#[test]
fn dual_numbers_go_through_the_plane_law() {
    type Dual = DualSVec64<2>;
    let along = |value: f64, i: usize| {
        Dual::new(value, Derivative::derivative_generic(nalgebra::Const, nalgebra::U1, i))
    };
    let impact = PlanarImpact {
        response: rod(0.7).map(Dual::from_re),
        velocity: [-2.0, 1.0].map(Dual::from_re),
        friction: ImpactFriction::coulomb(along(0.3, 0)),
        restitution: along(0.5, 1),
    };
    let expected = [[0.097658, 0.744803], [0.450064, 0.223441]];
    for (impulse, slopes) in impact.impulse().iter().zip(expected) {
        let own = impulse.eps.unwrap_generic(nalgebra::Const, nalgebra::U1);
        for (own, slope) in own.iter().zip(slopes) {
            assert!((own - slope).abs() < 1e-6, "{own} is not {slope}");
        }
    }
}

/// A random answer to impulses: that of a body of 1 kg with a contact at `(x, z)`.
fn random_response(random: &mut StdRng) -> [f64; 3] {
    let (x, z, inverse) =
        (random.random_range(-1.0..1.0), random.random_range(-1.0..1.0), random.random_range(0.0..12.0));
    [1.0 + inverse * x * x, -inverse * x * z, 1.0 + inverse * z * z]
}

/// The largest and the median of how far impulses are from those of small steps, over their normal part.
struct Off(Vec<f64>);

impl Off {
    fn worst(&self) -> f64 {
        self.0.iter().copied().fold(0.0, f64::max)
    }

    fn median(&mut self) -> f64 {
        self.0.sort_by(f64::total_cmp);
        self.0[self.0.len() / 2]
    }
}

/// Asserts that the impulses of a hundred thousand impacts with these frictions are those of small steps, to rounding; what jams
/// is asked for besides.
fn closed_forms_are_limits(seed: u64, friction: impl Fn(&mut StdRng) -> ImpactFriction) {
    let mut random = StdRng::seed_from_u64(seed);
    let (mut off, mut jams, mut turns) = (Off(Vec::new()), Off(Vec::new()), 0);
    for index in 0..100_000 {
        let response = random_response(&mut random);
        let velocity = [-random.random_range(0.05..2.0), random.random_range(-2.0..2.0)];
        let (friction, restitution) = (friction(&mut random), random.random_range(0.0..1.0));
        let impact = PlanarImpact { response, velocity, friction, restitution };
        let slip = velocity[1].signum();
        let (own, fine) = (impact.impulse(), finely::in_the_plane(&impact));
        let missed = (own[0] - fine[0]).abs().max((own[1] - fine[1]).abs()) / fine[0];
        assert!(missed < 1e-9, "{index}: {impact:?}: {own:?} and {fine:?}");
        let jams_bodies = response[0] - friction.sliding * slip * response[1] <= 0.0;
        if jams_bodies { &mut jams } else { &mut off }.0.push(missed);
        turns += usize::from((velocity[1] + response[1] * own[0] + response[2] * own[1]) * slip < -1e-6);
    }
    println!("{} slide or stick, {:e} off, {:e} in the median", off.0.len(), off.worst(), off.median());
    println!(
        "{} jam, {:e} off, {:e} in the median; {turns} turn around",
        jams.0.len(),
        jams.worst(),
        jams.median()
    );
    assert!(jams.0.len() > 2000 && turns > 2000, "{} jam, {turns} turn around", jams.0.len());
    assert!(off.median() < 1e-14 && jams.median() < 1e-14, "{:e}, {:e}", off.median(), jams.median());
}

#[test]
fn the_closed_form_is_the_limit_of_small_steps() {
    closed_forms_are_limits(1, |random| ImpactFriction::coulomb(random.random_range(0.0..2.0)));
}

/// What rests is held by more than what slides, and what slides fast may have more friction than either.
#[test]
fn the_closed_form_is_the_limit_of_small_steps_with_friction_that_differs_at_rest() {
    closed_forms_are_limits(6, |random| {
        let held = random.random_range(0.0..2.0);
        let released = held * random.random_range(0.0..1.0);
        ImpactFriction { sliding: random.random_range(0.0..2.0), held, released }
    });
}

#[test]
fn no_impact_of_one_contact_gains_energy() {
    gains_nothing(100_000);
}

fn gains_nothing(count: usize) {
    let mut random = StdRng::seed_from_u64(2);
    for index in 0..count {
        let w = random_response(&mut random);
        let u = [-random.random_range(0.0..2.0), random.random_range(-2.0..2.0)];
        let r = impact(w, u, random.random_range(0.0..3.0), random.random_range(0.0..=1.0)).impulse();
        let after = [u[0] + w[0] * r[0] + w[1] * r[1], u[1] + w[1] * r[0] + w[2] * r[1]];
        let work = 0.5 * (r[0] * (u[0] + after[0]) + r[1] * (u[1] + after[1]));
        assert!(
            work <= 1e-12 * (1.0 + r[0]) && after[0] >= -1e-12,
            "{index}: {w:?} {u:?}: {work:e} {after:?}"
        );
    }
}

fn in_space(response: Matrix3<f64>, velocity: [f64; 3], mu: f64, e: f64) -> Vector3<f64> {
    let friction = ImpactFriction::coulomb(mu);
    SpatialImpact { response, velocity: velocity.into(), friction, restitution: e }.impulse()
}

#[test]
fn bodies_that_strike_the_ground_in_space() {
    let [nn, tn, tt] = rod(0.7);
    let leaning = Matrix3::new(nn, tn, 0.0, tn, tt, 0.0, 0.0, 0.0, 4.0);
    let ball = Matrix3::from_diagonal(&Vector3::new(1.0, 3.5, 3.5));
    let cases = [
        (leaning, [-2.0, 1.0, 0.5], 0.3, 0.5, [1.064655, 0.044082, -0.124131]),
        (leaning, [-2.0, 1.0, 0.5], 0.3, 1.0, [1.440120, 0.156720, -0.124583]),
        (ball, [-2.0, 1.2, 0.9], 0.1, 0.8, [3.6, -0.288, -0.216]),
        (ball, [-2.0, 1.2, 0.9], 0.5, 0.8, [3.6, -0.342857, -0.257143]),
    ];
    for (response, velocity, mu, e, expected) in cases {
        let impulse = in_space(response, velocity, mu, e);
        assert!((impulse - Vector3::from(expected)).amax() < 1e-5, "{velocity:?} {mu} {e}: {impulse}");
    }
}

#[test]
fn in_space_a_plane_impact_is_that_of_the_plane() {
    let mut random = StdRng::seed_from_u64(3);
    for index in 0..2000 {
        let [nn, tn, tt] = random_response(&mut random);
        let velocity = [-random.random_range(0.05..2.0), random.random_range(-2.0..2.0)];
        let (mu, e) = (random.random_range(0.0..2.0), random.random_range(0.0..=1.0));
        let [normal, along] = impact([nn, tn, tt], velocity, mu, e).impulse();
        let response = Matrix3::new(nn, tn, 0.0, tn, tt, 0.0, 0.0, 0.0, 1.0);
        let own = in_space(response, [velocity[0], velocity[1], 0.0], mu, e);
        let off = (own - Vector3::new(normal, along, 0.0)).amax();
        assert!(off < 2e-5 * normal.max(0.1), "{index}: {own} and {normal}, {along}");
    }
}

/// A body of random inertia with a contact at a random place.
fn random_in_space(random: &mut StdRng) -> Matrix3<f64> {
    let mut arm = || random.random_range(-1.0..1.0);
    let arm = Vector3::new(arm(), arm(), arm()).cross_matrix();
    let mut inverse = || random.random_range(0.1..12.0);
    let inertia = Matrix3::from_diagonal(&Vector3::new(inverse(), inverse(), inverse()));
    Matrix3::identity() + arm * inertia * arm.transpose()
}

#[test]
fn no_impact_in_space_gains_energy_and_all_turn_with_the_axes() {
    let mut random = StdRng::seed_from_u64(4);
    for index in 0..5000 {
        let response = random_in_space(&mut random);
        let mut speed = || random.random_range(-2.0..2.0_f64);
        let velocity = Vector3::new(-speed().abs() - 1e-3, speed(), speed());
        let (mu, e) = (random.random_range(0.0..2.0), random.random_range(0.0..=1.0));
        let impulse = in_space(response, velocity.into(), mu, e);
        let after = velocity + response * impulse;
        let work = 0.5 * impulse.dot(&(velocity + after));
        let unit = impulse.norm() * velocity.norm();
        assert!(work <= 1e-7 * unit, "{index}: {work:e} of {unit}");
        assert!(after[0] >= -1e-9 && impulse[0] > 0.0, "{index}: {after}");
        assert!(impulse.yz().norm() <= mu * impulse[0] * (1.0 + 1e-9), "{index}: {impulse}");
        let turn = Matrix3::new(1.0, 0.0, 0.0, 0.0, 0.6, -0.8, 0.0, 0.8, 0.6);
        let turned = in_space(turn * response * turn.transpose(), (turn * velocity).into(), mu, e);
        let off = (turned - turn * impulse).norm();
        assert!(off < 2e-5 * impulse.norm(), "{index}: {off:e}");
    }
}

/// Asserts that impulses in space are those of much smaller steps.
fn integrations_agree(seed: u64, friction: impl Fn(&mut StdRng) -> ImpactFriction) {
    let mut random = StdRng::seed_from_u64(seed);
    let mut off = Off(Vec::new());
    for index in 0..2000 {
        let response = random_in_space(&mut random);
        let mut speed = || random.random_range(-2.0..2.0_f64);
        let velocity = Vector3::new(-speed().abs() - 1e-2, speed(), speed());
        let (friction, restitution) = (friction(&mut random), random.random_range(0.0..1.0));
        let impact = SpatialImpact { response, velocity, friction, restitution };
        let (own, fine) = (impact.impulse(), finely::in_space(&impact).impulse);
        // A slip of a millionth of the velocity before counts as none.
        let unit = fine[0].max(velocity.norm() / response[(0, 0)]);
        let missed = (own - fine).amax() / unit;
        assert!(missed < 1e-5, "{index}: {impact:?}: {own} and {fine}");
        off.0.push(missed);
    }
    println!("{:e} off, {:e} in the median", off.worst(), off.median());
    assert!(off.median() < 1e-7, "{:e}", off.median());
}

/// A ball answers a normal impulse along its tangents by what rounding leaves of the arms alone, and with little friction its slip
/// hardly changes: it slides to the end.
#[test]
fn a_ball_with_little_friction_or_none_rebounds_by_newtons_law() {
    let mut random = StdRng::seed_from_u64(11);
    for index in 0..4000 {
        let rounding = 1e-17 * f64::from(index % 5);
        let mut tiny = || rounding * random.random_range(-1.0..1.0);
        let [one, other, across] = [tiny(), tiny(), tiny()];
        let response = Matrix3::new(1.0, one, other, one, 3.5, across, other, across, 3.5);
        let velocity = Vector3::new(
            -10_f64.powf(random.random_range(-3.0..1.0)),
            random.random_range(0.1..80.0),
            random.random_range(-80.0..80.0),
        );
        let mu = if index % 3 == 0 { 0.0 } else { 10_f64.powf(random.random_range(-18.0..-3.0)) };
        let e = if index % 7 == 0 { 1.0 } else { random.random_range(0.0..1.0) };
        let own = in_space(response, velocity.into(), mu, e);
        let slip = Vector2::new(velocity[1], velocity[2]).normalize();
        let normal = -(1.0 + e) * velocity[0];
        let exact = Vector3::new(normal, -mu * normal * slip[0], -mu * normal * slip[1]);
        assert!((own - exact).amax() < 1e-9 * normal, "{index}: {velocity:?} {mu} {e}: {own} is not {exact}");
    }
}

#[test]
fn in_space_small_steps_come_to_the_same() {
    integrations_agree(7, |random| ImpactFriction::coulomb(random.random_range(0.0..2.0)));
}

#[test]
fn in_space_small_steps_come_to_the_same_with_friction_that_differs_at_rest() {
    integrations_agree(8, |random| {
        let held = random.random_range(0.0..2.0);
        let released = held * random.random_range(0.05..1.0);
        ImpactFriction { sliding: random.random_range(0.0..2.0), held, released }
    });
}

/// Where friction takes just as much of a slow slip as the normal impulse gives it, the slip lasts to the end at a speed at which
/// the steps that it takes are as many as it is slow. It is then followed in coarser ones.
#[test]
fn a_slow_slip_that_neither_stops_nor_grows_is_followed_to_the_end() {
    let mut random = StdRng::seed_from_u64(9);
    let (mut followed, mut off) = (0, Off(Vec::new()));
    for index in 0..60 {
        let mut response = random_in_space(&mut random);
        let tangential: Matrix2<f64> = response.fixed_view::<2, 2>(1, 1).into();
        let (mu, e) = (random.random_range(0.1..1.0), random.random_range(0.0..1.0));
        let angle = random.random_range(-3.0..3.0_f64);
        let along = Vector2::new(angle.cos(), angle.sin());
        // Every second is off the balance by a little.
        let mut off_balance = || if index % 2 == 0 { 0.0 } else { random.random_range(-1e-4..1e-4) };
        let coupling = tangential * along * mu + Vector2::new(off_balance(), off_balance());
        let least = coupling.dot(&(tangential.try_inverse().expect("a response") * coupling));
        response[(0, 0)] = least + random.random_range(0.5..2.0);
        for (row, part) in coupling.iter().enumerate() {
            response[(row + 1, 0)] = *part;
            response[(0, row + 1)] = *part;
        }
        let slip = along * 10_f64.powf(random.random_range(-3.0..-2.5));
        let velocity = Vector3::new(-1.0, slip.x, slip.y);
        let friction = ImpactFriction::coulomb(mu);
        let impact = SpatialImpact { response, velocity, friction, restitution: e };
        let (own, fine) = (impact.impulse(), finely::in_space(&impact));
        // The law's own steps are five times as long.
        followed += usize::from(fine.steps > 5 * 2000);
        let missed = (own - fine.impulse).amax() / fine.impulse[0];
        assert!(missed < 1e-5, "{index}: {missed:e} {impact:?}: {own} and {}", fine.impulse);
        off.0.push(missed);
        if index % 2 == 0 {
            let normal = (1.0 + e) / (response[(0, 0)] - mu * coupling.dot(&along));
            let exact = Vector3::new(normal, -mu * normal * along.x, -mu * normal * along.y);
            assert!((own - exact).amax() < 1e-6 * normal, "{index}: {own} is not {exact}");
        }
        let after = velocity + response * own;
        assert!(own.dot(&(velocity + after)) <= 1e-9 * own.norm(), "{index}: {after}");
    }
    println!("{followed} followed in coarse steps, {:e} off, {:e} in the median", off.worst(), off.median());
    assert!(followed > 50, "{followed}");
}

/// A change of everything that an impulse follows from: response, velocity, friction, restitution.
struct Change<const D: usize>(SMatrix<f64, D, D>, SVector<f64, D>, f64, f64);

impl<const D: usize> Change<D> {
    fn random(random: &mut StdRng) -> Self {
        let mut number = || random.random_range(-1.0..1.0);
        let any = SMatrix::<f64, D, D>::from_fn(|_, _| number());
        Self((any + any.transpose()) * 0.5, SVector::from_fn(|_, _| number()), number(), number())
    }

    /// How far the derivative is from a central difference by `h`, and what it is by `2 h`, over the impulse.
    fn missed(
        &self,
        at: (SMatrix<f64, D, D>, SVector<f64, D>, f64, f64),
        law: impl Fn(SMatrix<f64, D, D>, SVector<f64, D>, f64, f64) -> SVector<f64, D>,
        h: f64,
    ) -> [f64; 2] {
        let Self(response, velocity, friction, restitution) = self;
        let by = |h: f64| {
            law(at.0 + response * h, at.1 + velocity * h, at.2 + friction * h, at.3 + restitution * h)
        };
        let [near, far] = [h, 2.0 * h].map(|h| (by(h) - by(-h)) / (2.0 * h));
        let own = ImpactRates::of(&at.0, &at.1, ImpactFriction::coulomb(at.2), at.3);
        let own = own.along(response, velocity, ImpactFriction::coulomb(*friction), *restitution);
        let unit = law(at.0, at.1, at.2, at.3).norm().max(0.1) + near.norm();
        [(own - near).norm() / unit, (far - near).norm() / unit]
    }
}

/// Where differences of two widths agree, no kink is near, and the derivative is theirs.
#[test]
fn derivatives_of_impulses_are_differences() {
    let mut random = StdRng::seed_from_u64(5);
    let (mut in_plane, mut across) = (0, 0);
    for index in 0..2000 {
        let [nn, tn, tt] = random_response(&mut random);
        let velocity = Vector2::new(-random.random_range(0.2..2.0), random.random_range(-2.0..2.0));
        let (mu, e) = (random.random_range(0.1..2.0), random.random_range(0.1..0.9));
        let law = |w: Matrix2<f64>, u: Vector2<f64>, mu: f64, e: f64| {
            Vector2::from(impact([w[(0, 0)], w[(1, 0)], w[(1, 1)]], u.into(), mu, e).impulse())
        };
        let at = (Matrix2::new(nn, tn, tn, tt), velocity, mu, e);
        let [off, bend] = Change::random(&mut random).missed(at, law, 1e-5);
        if bend < 1e-6 {
            in_plane += 1;
            assert!(off < 1e-5, "{index}: {off:e}, {at:?}");
        }
    }
    for index in 0..400 {
        let response = random_in_space(&mut random);
        let mut speed = || random.random_range(-2.0..2.0_f64);
        let velocity = Vector3::new(-speed().abs() - 0.2, speed(), speed());
        let (mu, e) = (random.random_range(0.1..2.0), random.random_range(0.1..0.9));
        let law = |w: Matrix3<f64>, u: Vector3<f64>, mu: f64, e: f64| in_space(w, u.into(), mu, e);
        let [off, bend] = Change::random(&mut random).missed((response, velocity, mu, e), law, 1e-3);
        if bend < 1e-3 {
            across += 1;
            assert!(off < 5e-3, "{index}: {off:e}, {response} {velocity} {mu} {e}");
        }
    }
    assert!(in_plane > 1500 && across > 200, "{in_plane} in the plane and {across} in space are smooth");
}

/// What does not slip and is held stays so when it slips a little, whichever way.
#[test]
fn the_derivative_of_what_is_held_without_slip_goes_through_zero() {
    let at = (Matrix2::new(2.0, -0.4, -0.4, 3.0), Vector2::new(-1.0, 0.0), 0.5, 0.5);
    let law = |w: Matrix2<f64>, u: Vector2<f64>, mu: f64, e: f64| {
        Vector2::from(impact([w[(0, 0)], w[(1, 0)], w[(1, 1)]], u.into(), mu, e).impulse())
    };
    let [off, bend] = Change(Matrix2::zeros(), Vector2::new(0.0, 1.0), 0.0, 0.0).missed(at, law, 1e-6);
    assert!(off < 1e-5 && bend < 1e-5, "{off:e} {bend:e}");
}

#[test]
#[ignore = "takes a minute"]
fn a_million_impacts_gain_no_energy() {
    gains_nothing(1_000_000);
}

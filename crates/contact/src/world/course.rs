//! Motion that is given: where a driven body is at a time, whatever acts on it.

use nalgebra::{Matrix3, SVector, UnitQuaternion, Vector3};

use crate::model::{Orientation, Spin};

/// How a driven body moves.
#[derive(Debug, Clone, PartialEq)]
pub enum Course<const D: usize> {
    /// Its velocity and its spin, in the axes of the body, stay those of the start.
    Steady,
    /// From row to row, in ascending order of their times.
    ///
    /// Between two rows positions, and angles in the plane, are cubic Hermite polynomials. The slope at a row is that of the
    /// parabola through it and its neighbours, and 0 at the first and the last row, before and behind which the body is at
    /// rest. In space the body turns by `Q_i exp(theta)`, where `theta` is such a polynomial from 0 to
    /// `log(Q_i^-1 Q_(i+1))`, less than half a turn, with slopes that make the spin continuous.
    Table(Vec<CourseRow<D>>),
}

/// Where a driven body is at a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CourseRow<const D: usize> {
    /// In s.
    pub time: f64,
    /// Centre of mass in m.
    pub position: SVector<f64, D>,
    /// How it is turned.
    pub orientation: Orientation,
}

/// Position in m, velocity in m/s, orientation and spin in rad/s at a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OnCourse<const D: usize> {
    /// Centre of mass in m.
    pub position: SVector<f64, D>,
    /// Its velocity in m/s.
    pub velocity: SVector<f64, D>,
    /// How it is turned.
    pub orientation: Orientation,
    /// How fast it turns, in rad/s, as [`Spin`] has it.
    pub spin: Spin,
}

/// A cubic between two ends a time `h` in s apart, at a share of it: the weights of the values at both ends and of the slopes,
/// and their derivatives.
struct Hermite {
    value: [f64; 4],
    rate: [f64; 4],
}

impl Hermite {
    fn at(s: f64, h: f64) -> Self {
        let (s2, s3) = (s * s, s * s * s);
        let value = [2.0 * s3 - 3.0 * s2 + 1.0, 3.0 * s2 - 2.0 * s3, h * (s3 - 2.0 * s2 + s), h * (s3 - s2)];
        let end = 6.0 * (s - s2) / h;
        Self { value, rate: [-end, end, 3.0 * s2 - 4.0 * s + 1.0, 3.0 * s2 - 2.0 * s] }
    }

    /// The value and its derivative between these values, with these slopes.
    fn between<const R: usize>(
        &self,
        values: [SVector<f64, R>; 2],
        slopes: [SVector<f64, R>; 2],
    ) -> [SVector<f64, R>; 2] {
        [&self.value, &self.rate].map(|[first, second, start, end]| {
            values[0] * *first + values[1] * *second + slopes[0] * *start + slopes[1] * *end
        })
    }
}

/// The slope of a parabola at the middle of three places, from the slopes of the lines to both neighbours, which are at these
/// distances in s.
fn parabola<const R: usize>(lines: [SVector<f64, R>; 2], [before, after]: [f64; 2]) -> SVector<f64, R> {
    (lines[0] * after + lines[1] * before) / (before + after)
}

impl<const D: usize> Course<D> {
    /// Where a table has the body at a time in s; `None` for one that is steady, and a table without rows.
    pub fn at(&self, time: f64) -> Option<OnCourse<D>> {
        let Self::Table(rows) = self else { return None };
        let after = rows.partition_point(|row| row.time <= time);
        let (Some(first), Some(second)) = (after.checked_sub(1), rows.get(after)) else {
            let row = if after == 0 { rows.first()? } else { rows.last()? };
            return Some(OnCourse {
                position: row.position,
                velocity: SVector::zeros(),
                orientation: row.orientation,
                spin: Spin::zeros(),
            });
        };
        let start = &rows[first];
        let h = second.time - start.time;
        let cubic = Hermite::at((time - start.time) / h, h);
        let slopes = [first, after].map(|row| slope(rows, row, |from, to| to.position - from.position));
        let [position, velocity] = cubic.between([start.position, second.position], slopes);
        let spins = [first, after].map(|row| slope(rows, row, turn));
        let turned = turn(start, second);
        let (orientation, spin) = match start.orientation {
            Orientation::Angle(angle) => {
                let [turned, spin] = cubic.between([Spin::zeros(), turned], spins);
                (Orientation::Angle(angle + turned.x), spin)
            }
            Orientation::Quaternion(from) => {
                let slopes = [spins[0], turned_rates(&turned).1 * spins[1]];
                let [theta, rate] = cubic.between([Spin::zeros(), turned], slopes);
                let turn = UnitQuaternion::from_scaled_axis(theta);
                (Orientation::Quaternion(from * turn), turned_rates(&theta).0 * rate)
            }
        };
        Some(OnCourse { position, velocity, orientation, spin })
    }
}

/// How far a body turns from one row to another, in the axes of the body.
fn turn<const D: usize>(from: &CourseRow<D>, to: &CourseRow<D>) -> Spin {
    match (&from.orientation, &to.orientation) {
        (Orientation::Angle(from), Orientation::Angle(to)) => Spin::new(to - from, 0.0, 0.0),
        (Orientation::Quaternion(from), Orientation::Quaternion(to)) => (from.inverse() * to).scaled_axis(),
        _ => Spin::zeros(),
    }
}

/// The slope at a row, of what changes by `way` from one row to the next.
fn slope<const D: usize, const R: usize>(
    rows: &[CourseRow<D>],
    row: usize,
    way: impl Fn(&CourseRow<D>, &CourseRow<D>) -> SVector<f64, R>,
) -> SVector<f64, R> {
    if row == 0 || row + 1 == rows.len() {
        return SVector::zeros();
    }
    let [before, own, after] = [&rows[row - 1], &rows[row], &rows[row + 1]];
    let times = [own.time - before.time, after.time - own.time];
    parabola([way(before, own) / times[0], way(own, after) / times[1]], times)
}

/// The matrix that takes the rate of `theta` to the spin of a body that is turned by `exp(theta)`, in its axes, and the inverse.
fn turned_rates(theta: &Vector3<f64>) -> (Matrix3<f64>, Matrix3<f64>) {
    let (angle, across) = (theta.norm(), theta.cross_matrix());
    let squared = angle * angle;
    // Below, the series are exact to rounding.
    let [cosine, sine, cotangent] = if angle < 1e-3 {
        [0.5 - squared / 24.0, 1.0 / 6.0 - squared / 120.0, 1.0 / 12.0 + squared / 720.0]
    } else {
        let half = 0.5 * angle;
        [
            (1.0 - angle.cos()) / squared,
            (angle - angle.sin()) / (squared * angle),
            (1.0 - half / half.tan()) / squared,
        ]
    };
    let twice = across * across;
    (
        Matrix3::identity() - across * cosine + twice * sine,
        Matrix3::identity() + across * 0.5 + twice * cotangent,
    )
}

#[cfg(test)]
mod tests {
    use nalgebra::Vector2;

    use super::*;

    fn row(time: f64, x: f64, angle: f64) -> CourseRow<2> {
        CourseRow { time, position: Vector2::new(x, 2.0 * x), orientation: Orientation::Angle(angle) }
    }

    fn turned(time: f64, theta: [f64; 3]) -> CourseRow<3> {
        let turn = UnitQuaternion::from_scaled_axis(Vector3::from(theta));
        CourseRow { time, position: SVector::zeros(), orientation: Orientation::Quaternion(turn) }
    }

    #[test]
    fn a_table_goes_through_its_rows_and_rests_outside() {
        let course = Course::Table(vec![row(1.0, 0.0, 0.0), row(2.0, 1.0, 3.0), row(4.0, -1.0, 9.0)]);
        for (time, x, angle) in
            [(-3.0, 0.0, 0.0), (1.0, 0.0, 0.0), (2.0, 1.0, 3.0), (4.0, -1.0, 9.0), (9.0, -1.0, 9.0)]
        {
            let there = course.at(time).unwrap();
            assert_eq!(
                (there.position, there.orientation),
                (Vector2::new(x, 2.0 * x), Orientation::Angle(angle))
            );
        }
        for time in [0.0, 1.0, 4.0, 5.0] {
            assert_eq!(course.at(time).unwrap().velocity, Vector2::zeros(), "{time}");
        }
        // The parabola through three rows: lines of slopes 1 over 1 s and -1 over 2 s.
        assert!((course.at(2.0).unwrap().velocity.x - 1.0 / 3.0).abs() < 1e-15);
    }

    #[test]
    fn between_the_ends_of_a_table_parabolas_are_followed_exactly() {
        let at = |time: f64| row(time, time * time, -2.0 * time * time);
        let course = Course::Table([0.0, 0.5, 1.2, 2.0, 3.0].map(at).to_vec());
        for time in [0.5, 0.7, 1.1999, 1.6, 2.0] {
            let there = course.at(time).unwrap();
            assert!((there.position.x - time * time).abs() < 1e-14);
            assert!((there.velocity.y - 4.0 * time).abs() < 1e-13);
            assert!((there.spin.x + 4.0 * time).abs() < 1e-13);
        }
    }

    #[test]
    fn in_space_the_spin_is_the_derivative_of_the_orientation_and_continuous() {
        let thetas = [[0.0; 3], [0.4, -0.2, 0.9], [1.2, 0.3, 0.4], [0.1, -1.0, 2.0], [0.0, 0.0, 3.0]];
        let rows = (0..5).map(|k| turned(0.3 * f64::from(k), thetas[k as usize]));
        let course = Course::Table(rows.collect());
        let turn = |time: f64| match course.at(time).unwrap().orientation {
            Orientation::Quaternion(turn) => turn,
            Orientation::Angle(_) => unreachable!(),
        };
        for k in 0..1200 {
            let (time, h) = (1e-3 * f64::from(k) + 5e-4, 1e-5);
            let slope = (turn(time - h).inverse() * turn(time + h)).scaled_axis() / (2.0 * h);
            assert!((slope - course.at(time).unwrap().spin).norm() < 1e-6, "{time}");
        }
        for time in [0.3, 0.6, 0.9] {
            let [before, after] = [time - 1e-9, time + 1e-9].map(|time| course.at(time).unwrap().spin);
            assert!((before - after).norm() < 1e-6, "{time}");
        }
    }

    #[test]
    fn in_space_a_turn_about_one_axis_is_that_of_an_angle() {
        let angles = [0.0, 0.7, 2.5, 3.0, 5.5];
        let times = [0.0, 0.2, 0.9, 1.3, 2.0];
        let axis = Vector3::new(0.36, 0.48, 0.8);
        let rows = |k: usize| turned(times[k], (axis * angles[k]).into());
        let (space, plane) = (
            Course::Table((0..5).map(rows).collect()),
            Course::Table((0..5).map(|k| row(times[k], 0.0, angles[k])).collect()),
        );
        for k in 0..40 {
            let time = 0.05 * f64::from(k);
            let (Some(space), Some(plane)) = (space.at(time), plane.at(time)) else { unreachable!() };
            assert!((space.spin - axis * plane.spin.x).norm() < 1e-12, "{time}");
        }
    }
}

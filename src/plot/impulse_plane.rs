//! The plane of the impulses of an impact, after Routh: the way of the impulse, the lines on which the contact sticks and is
//! compressed most, and where laws end.

use super::{
    axis::Axis,
    figure::{Figure, Panel},
    geometry::Point,
    theme::{Marker, Style, palette},
    ticks::significant,
};
use crate::metrics::ImpulsePlane;

const HEIGHT: f64 = 260.0;
/// Room beyond what is shown.
const MARGIN: f64 = 1.12;

/// The diagram of one impact.
pub fn impulse_plane(plane: &ImpulsePlane) -> Figure {
    let ImpulsePlane { impact, course, newton, given, .. } = plane;
    let place = |[normal, tangential]: [f64; 2]| [tangential, normal];
    let (end, given) = (place(course.impulse_at(course.ended)), place(*given));
    let newton = newton.map(place);
    let ends = [Some(end), newton, Some(given)].into_iter().flatten();
    let most = MARGIN * ends.clone().fold(0.0_f64, |most, end| most.max(end[1]));
    let reach = ends.fold(0.0_f64, |reach, end| reach.max(end[0].abs()));
    let wide = MARGIN * reach.max(impact.friction.sliding * most / MARGIN).max(0.05 * most).min(3.0 * most);
    let frame = [[-wide, wide], [0.0, most]];
    let [nn, tn, tt] = impact.response;
    let [un, ut] = impact.velocity;

    let mut way = vec![[0.0; 2]];
    way.extend(course.slip_ends.map(|ends| place(course.impulse_at(ends))));
    way.push(end);
    let guide = |colour, dash| Style::line(colour).with_width(1.0).with_dash(dash);
    let mut panel = Panel::new(
        Axis::new("*p*_{t}", "N s").range(-wide, wide),
        Axis::new("*p*_{n}", "N s").range(0.0, most),
    )
    .height(HEIGHT);
    let cone = format!("friction cone, *μ* = {}", significant(impact.friction.sliding, 4));
    for side in [-1.0, 1.0] {
        panel = panel.curve(
            cone.clone(),
            clipped([0.0, 1.0, -side * impact.friction.sliding], frame),
            guide(palette::GREY, &[4.0, 2.5]),
        );
    }
    panel = panel
        .curve("sticks: *u*_{t} = 0", clipped([ut, tt, tn], frame), guide(palette::GREEN, &[]))
        .curve("compressed most: *u*_{n} = 0", clipped([un, tn, nn], frame), guide(palette::ORANGE, &[]))
        .curve("way of the impulse", way, Style::line(palette::BLACK).with_width(1.8))
        .curve("end, incremental", vec![end], Style::markers(palette::BLACK, Marker::Disc));
    if let Some(newton) = newton {
        panel =
            panel.curve("end, one-stage", vec![newton], Style::markers(palette::VERMILLION, Marker::Square));
    }
    panel = panel.curve("this step", vec![given], Style::markers(palette::BLUE, Marker::Circle));
    let [first, second] = &plane.between;
    let mut figure =
        Figure::new(format!("Impact of {first} on {second} at {} s", significant(plane.time, 6)));
    figure.caption = format!("step {}, *e* = {}", plane.step, significant(impact.restitution, 4));
    if plane.closing > 1 {
        figure.caption +=
            &format!("; {} contacts close: this is the fastest of them, by itself", plane.closing);
    }
    figure.panels.push(panel);
    figure
}

/// The part of the line `c + a x + b y = 0` in a frame `[[left, right], [bottom, top]]`; nothing where it does not cross it.
fn clipped([c, a, b]: [f64; 3], [[left, right], [bottom, top]]: [[f64; 2]; 2]) -> Vec<Point> {
    let upright = [left, right].map(|x| [x, -(c + a * x) / b]);
    let level = [bottom, top].map(|y| [-(c + b * y) / a, y]);
    let within = |point: &Point| {
        let slack = 1e-9 * (right - left + top - bottom);
        (left - slack..=right + slack).contains(&point[0])
            && (bottom - slack..=top + slack).contains(&point[1])
    };
    let mut points: Vec<Point> = upright.into_iter().chain(level).filter(within).collect();
    points.sort_unstable_by(|one, other| {
        (one[0], one[1]).partial_cmp(&(other[0], other[1])).expect("within the frame")
    });
    // A line through a corner crosses two sides there.
    match points.as_slice() {
        [first, .., last] => vec![*first, *last],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_cut_where_the_frame_ends() {
        let frame = [[-2.0, 2.0], [0.0, 3.0]];
        assert_eq!(clipped([0.0, 1.0, -1.0], frame), [[0.0, 0.0], [2.0, 2.0]]);
        assert_eq!(clipped([-1.0, 0.0, 1.0], frame), [[-2.0, 1.0], [2.0, 1.0]]);
        assert_eq!(clipped([1.0, 1.0, 0.0], frame), [[-1.0, 0.0], [-1.0, 3.0]]);
        assert!(clipped([9.0, 1.0, 0.0], frame).is_empty());
    }
}
